// Of pyarray-lower: global lists, dicts and sets, which lib/runtime/objects/frozen.c makes of bytes when they are first
// needed.
//
//   %0 = pyarray.frozen "..." : tagged<"frozen", unit, list<si64>> -> !pyarray.list<si64>
// becomes, at the beginning of the function,
//   %0 = call @pyarray_rt_frozen(address of @pyarray_frozen0.slot, address of @pyarray_frozen0), and at its place a
//   MemoryError where that is 0
#include "lower_containers.h"

// The address of a variable of |size| bytes of the module, made at its first use: constant, with that content, or an
// empty word.
static MlirValue address_of(pa_lowering *lower, const char *name, const char *visibility, int64_t size,
                            const char *content) {
  MlirType memref = mlirMemRefTypeContiguousGet(lower->i8, 1, &size, mlirAttributeGetNull());
  if (mlirOperationIsNull(pa_lookup(lower->module, pa_ref(name)))) {
    static const char empty[8];
    MlirType tensor = mlirRankedTensorTypeGet(1, &size, lower->i8, mlirAttributeGetNull());
    pa_builder builder = {
        .context = lower->context, .block = pa_module_body(lower->module), .location = lower->builder.location};
    pa_op(
        &builder, "memref.global",
        PA_ATTRS({"sym_name", pa_text(lower, name)}, {"sym_visibility", pa_text(lower, visibility)},
                 {"type", mlirTypeAttrGet(memref)},
                 {"initial_value", mlirDenseElementsAttrRawBufferGet(tensor, (size_t)size, content ? content : empty)},
                 {"alignment", pa_i64_attr(lower->context, 8)},
                 {"constant", content ? pa_unit_attr(lower->context) : mlirAttributeGetNull()}));
    lower->builder.failure = builder.failure;
  }
  MlirValue global = pa_value(&lower->builder, "memref.get_global", PA_RESULTS(memref),
                              PA_ATTRS({"name", pa_symbol_attr(lower->context, name)}));
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", global, lower->index));
}

MlirValue pa_module_word(pa_lowering *lower, const char *name) { return address_of(lower, name, "public", 8, NULL); }

static const char *symbol_of(pa_lowering *lower, MlirAttribute contents) {
  const char *known = pa_map_get(&lower->literals, contents.ptr);
  if (known) return known;
  const char *name = pa_arena_format(lower->arena, "pyarray_frozen%d", lower->literal_count++);
  return pa_map_put(lower->arena, &lower->literals, contents.ptr, (void *)name), name;
}

void pa_lower_frozen(pa_lowering *lower, MlirOperation op) {
  if (lower->device)
    return pa_lower_fail(lower, "global lists, dicts and sets are not compiled for a GPU; pass arrays");
  MlirAttribute contents = pa_get_attr(op, "contents");
  MlirStringRef bytes = mlirStringAttrGetValue(contents);
  const char *name = symbol_of(lower, contents);
  MlirValue handle = {pa_map_get(&lower->constants, contents.ptr)};
  if (mlirValueIsNull(handle)) {
    pa_builder here = lower->builder, entry = lower->builder = pa_entry_builder(lower);
    MlirValue slot = address_of(lower, pa_arena_format(lower->arena, "%s.slot", name), "private", 8, NULL);
    MlirValue data = address_of(lower, name, "private", (int64_t)bytes.length, bytes.data);
    handle = pa_runtime(lower, "pyarray_rt_frozen", slot, data);
    entry.failure = lower->builder.failure;
    lower->builder = here;
    pa_entry_built(lower, &entry, mlirValueIsNull(handle) ? (MlirOperation){NULL} : mlirOpResultGetOwner(handle));
    pa_map_put(lower->arena, &lower->constants, contents.ptr, (void *)handle.ptr);
  }
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, handle, pa_int(lower, lower->i64, 0)), "MemoryError", "");
  pa_set1(lower, pa_result(op), handle);
}
