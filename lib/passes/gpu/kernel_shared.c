// Of pyarray-outline-kernel: shared arrays. Those of a kernel are workgroup attributions, or, where they are large, the
// start of its dynamic shared memory; those of other functions are globals.
#include "outline_kernel.h"

enum { STATIC_SHARED_LIMIT = 48 * 1024 };

typedef struct shared_search {
  pa_op_list arrays, dynamic, sizes;
} shared_search;

static MlirWalkResult find_shared(MlirOperation op, void *data) {
  shared_search *search = data;
  if (pa_has_attr(op, "pyarray.shared")) pa_op_list_add(&search->arrays, op);
  if (pa_op_is(op, "gpu.dynamic_shared_memory")) pa_op_list_add(&search->dynamic, op);
  MlirAttribute callee = pa_op_is(op, PA_OP_NAME(FUNC_CALL)) ? pa_get_attr(op, "callee") : (MlirAttribute){NULL};
  if (!mlirAttributeIsNull(callee) &&
      pa_ref_equal(mlirFlatSymbolRefAttrGetValue(callee), "pyarray_dev_dynamic_shared_bytes"))
    pa_op_list_add(&search->sizes, op);
  return MlirWalkResultAdvance;
}

static shared_search search_shared(pa_outliner *o, MlirOperation function) {
  shared_search search = {{.arena = o->arena}, {.arena = o->arena}, {.arena = o->arena}};
  mlirOperationWalk(function, find_shared, &search, MlirWalkPreOrder);
  return search;
}

static int64_t bytes_of(MlirType element) {
  if (mlirTypeIsAComplex(element)) return 2 * bytes_of(mlirComplexTypeGetElementType(element));
  if (mlirTypeIsAInteger(element)) return (mlirIntegerTypeGetWidth(element) + 7) / 8;
  return mlirTypeIsAF64(element) ? 8 : mlirTypeIsAF32(element) ? 4 : 2;
}

static int64_t alignment_of(MlirOperation op, const char *name) {
  MlirAttribute alignment = pa_get_attr(op, name);
  int64_t value = mlirAttributeIsNull(alignment) ? PA_SHARED_ALIGNMENT : mlirIntegerAttrGetValueInt(alignment);
  return value < PA_SHARED_ALIGNMENT ? PA_SHARED_ALIGNMENT : value;
}

// Where the array begins that has what is before |at| in front of it.
static int64_t aligned(int64_t at, MlirOperation alloca) {
  int64_t alignment = alignment_of(alloca, "alignment");
  return (at + alignment - 1) / alignment * alignment;
}

// Saturates, so that absurd shapes are told from others below.
static int64_t shared_bytes(MlirOperation alloca) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloca, 0));
  int64_t bytes = bytes_of(mlirShapedTypeGetElementType(type));
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, i), &bytes) || bytes > INT32_MAX) return INT32_MAX;
  return (bytes + PA_SHARED_ALIGNMENT - 1) / PA_SHARED_ALIGNMENT * PA_SHARED_ALIGNMENT;
}

// Puts the arrays at the start of the dynamic shared memory, and what the user has there behind them.
static pa_status move_to_dynamic(pa_outliner *o, shared_search *search, int64_t total) {
  int64_t shape[] = {mlirShapedTypeGetDynamicSize()};
  int64_t at = 0;
  for (size_t i = 0; i < search->arrays.count; ++i) {
    MlirOperation alloca = search->arrays.items[i];
    MlirValue array = mlirOperationGetResult(alloca, 0);
    pa_builder builder = pa_outline_before(o, alloca);
    MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(array));
    MlirType all = mlirMemRefTypeContiguousGet(o->i8, 1, shape, space);
    MlirValue memory = pa_value(&builder, "gpu.dynamic_shared_memory", PA_RESULTS(all));
    at = aligned(at, alloca);
    MlirValue offset = pa_constant_int(&builder, o->index, at);
    MlirValue view =
        pa_value(&builder, "memref.view", PA_OPERANDS(memory, offset), PA_RESULTS(mlirValueGetType(array)));
    PA_TRY(builder.failure);
    at += shared_bytes(alloca);
    mlirValueReplaceAllUsesOfWith(array, view);
    mlirOperationDestroy(alloca);
  }
  for (size_t i = 0; i < search->dynamic.count; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(search->dynamic.items[i], 0));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation view = mlirOpOperandGetOwner(use);
      pa_builder builder = pa_outline_before(o, view);
      mlirOperationSetOperand(view, 1, pa_constant_int(&builder, o->index, total));
      PA_TRY(builder.failure);
    }
  }
  for (size_t i = 0; i < search->sizes.count; ++i) {
    MlirValue bytes = mlirOperationGetResult(search->sizes.items[i], 0);
    pa_builder builder = pa_outline_before(o, search->sizes.items[i]);
    MlirValue taken = pa_constant_int(&builder, o->i64, total);
    builder.before = mlirOperationGetNextInBlock(search->sizes.items[i]);
    MlirValue rest = pa_value(&builder, "arith.subi", PA_OPERANDS(bytes, taken), PA_RESULTS(o->i64));
    PA_TRY(builder.failure);
    mlirValueReplaceAllUsesExcept(bytes, rest, 1, (MlirOperation[]){mlirOpResultGetOwner(rest)});
  }
  return PA_OK;
}

pa_status pa_attribute_shared(pa_outliner *o, MlirOperation function, MlirBlock block, pa_attributions *out) {
  shared_search search = search_shared(o, function);
  int64_t total = 0, alignment = PA_SHARED_ALIGNMENT, most = PA_SHARED_ALIGNMENT;
  for (size_t i = 0; i < search.arrays.count; ++i) {
    total = aligned(total, search.arrays.items[i]) + shared_bytes(search.arrays.items[i]);
    if (alignment_of(search.arrays.items[i], "alignment") > most)
      most = alignment_of(search.arrays.items[i], "alignment");
  }
  for (size_t i = 0; i < search.dynamic.count; ++i) {
    if (alignment_of(search.dynamic.items[i], "pyarray.alignment") > alignment)
      alignment = alignment_of(search.dynamic.items[i], "pyarray.alignment");
    mlirOperationRemoveDiscardableAttributeByName(search.dynamic.items[i], pa_ref("pyarray.alignment"));
  }
  bool behind = total && alignment > PA_SHARED_ALIGNMENT; // drivers put the dynamic memory right behind the static, at
                                                          // a multiple of PA_SHARED_ALIGNMENT
  *out = (pa_attributions){
      .moved = total > STATIC_SHARED_LIMIT || behind ? (total + alignment - 1) / alignment * alignment : 0};
  out->alignment = out->moved && most > alignment ? most : alignment;
  if (out->moved) return move_to_dynamic(o, &search, out->moved);
  out->attributes = PA_NEW_ARRAY(o->arena, MlirAttribute, search.arrays.count + 1);
  for (size_t i = 0; i < search.arrays.count; ++i) {
    MlirOperation alloca = search.arrays.items[i];
    MlirValue array = mlirOperationGetResult(alloca, 0);
    MlirValue argument = mlirBlockAddArgument(block, mlirValueGetType(array), mlirOperationGetLocation(alloca));
    mlirValueReplaceAllUsesOfWith(array, argument);
    MlirNamedAttribute named = mlirNamedAttributeGet(mlirIdentifierGet(o->context, pa_ref("llvm.align")),
                                                     pa_i64_attr(o->context, alignment_of(alloca, "alignment")));
    out->attributes[out->count++] =
        mlirDictionaryAttrGet(o->context, alignment_of(alloca, "alignment") > PA_SHARED_ALIGNMENT, &named);
    mlirOperationDestroy(alloca);
  }
  return PA_OK;
}

pa_status pa_globalize_shared(pa_outliner *o, MlirOperation function) {
  shared_search search = search_shared(o, function);
  for (size_t i = 0; i < search.arrays.count; ++i) {
    MlirOperation alloca = search.arrays.items[i];
    MlirValue array = mlirOperationGetResult(alloca, 0);
    MlirStringRef owner = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
    const char *name = pa_arena_format(o->arena, "%.*s.shared%zu", (int)owner.length, owner.data, i);
    pa_builder at_module = {.context = o->context, .block = o->kernels, .location = mlirOperationGetLocation(alloca)};
    pa_op(&at_module, "memref.global",
          PA_ATTRS({"sym_name", pa_string_attr(o->context, name)},
                   {"sym_visibility", pa_string_attr(o->context, "private")},
                   {"type", mlirTypeAttrGet(mlirValueGetType(array))}, {"initial_value", pa_unit_attr(o->context)},
                   {"alignment", pa_get_attr(alloca, "alignment")}));
    PA_TRY(at_module.failure);
    pa_builder builder = pa_outline_before(o, alloca);
    MlirValue global = pa_value(&builder, "memref.get_global", PA_RESULTS(mlirValueGetType(array)),
                                PA_ATTRS({"name", pa_symbol_attr(o->context, name)}));
    PA_TRY(builder.failure);
    mlirValueReplaceAllUsesOfWith(array, global);
    mlirOperationDestroy(alloca);
  }
  return PA_OK;
}
