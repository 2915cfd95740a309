// Of pyarray-lower: items, the values in containers, as lib/runtime/objects/items.c lays them out: the level-4 values
// of a type in order, each naturally aligned.
//
//   tuple<si64, i1, f64>    code "(q?d)": i64 at 0, i8 at 8, f64 at 16
#include <string.h>

#include "lower_items.h"
#include "lower_numbers.h"

//===-- Memory ------------------------------------------------------------------------------------===//

static MlirType pointer_type(const pa_lowering *lower) { return mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr")); }

MlirValue pa_pointer_to(pa_lowering *lower, MlirValue address) {
  return pa_convert(lower, "llvm.inttoptr", address, pointer_type(lower));
}

MlirValue pa_address_at(pa_lowering *lower, MlirValue pointer) {
  return pa_convert(lower, "llvm.ptrtoint", pointer, lower->i64);
}

MlirValue pa_byte_offset(pa_lowering *lower, MlirValue pointer, MlirValue bytes) {
  int32_t dynamic = INT32_MIN;
  return pa_value(&lower->builder, "llvm.getelementptr", PA_OPERANDS(pointer, bytes), PA_RESULTS(pointer_type(lower)),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lower->context, 1, &dynamic)},
                           {"elem_type", mlirTypeAttrGet(lower->i8)}));
}

static MlirValue fixed_offset(pa_lowering *lower, MlirValue pointer, int64_t bytes) {
  int32_t index = (int32_t)bytes;
  if (!bytes) return pointer;
  return pa_value(&lower->builder, "llvm.getelementptr", PA_OPERANDS(pointer), PA_RESULTS(pointer_type(lower)),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lower->context, 1, &index)},
                           {"elem_type", mlirTypeAttrGet(lower->i8)}));
}

static MlirValue load(pa_lowering *lower, MlirValue pointer, MlirType type, int64_t alignment) {
  return pa_value(&lower->builder, "llvm.load", PA_OPERANDS(pointer), PA_RESULTS(type),
                  PA_ATTRS({"alignment", pa_i64_attr(lower->context, alignment)}));
}

static void store(pa_lowering *lower, MlirValue pointer, MlirValue value, int64_t alignment) {
  pa_op(&lower->builder, "llvm.store", PA_OPERANDS(value, pointer),
        PA_ATTRS({"alignment", pa_i64_attr(lower->context, alignment)}));
}

MlirValue pa_load_word(pa_lowering *lower, MlirValue pointer, int word, MlirType type) {
  return load(lower, fixed_offset(lower, pointer, 8 * word), type, 8);
}

void pa_store_word(pa_lowering *lower, MlirValue pointer, int word, MlirValue value) {
  store(lower, fixed_offset(lower, pointer, 8 * word), value, 8);
}

//===-- Codes -------------------------------------------------------------------------------------===//

static bool append_code(pa_string *out, MlirType type) {
  if (pa_is_handle(type))
    return pa_string_puts(out, pyarrayTypeIsStr(type) ? "U" : pyarrayTypeIsBytes(type) ? "Y" : "o"), true;
  if (pyarrayTypeIsOptional(type)) return pa_string_puts(out, "O"), append_code(out, pyarrayTypeGetItem(type));
  if (pyarrayTypeIsPointer(type)) return pa_string_puts(out, "Q"), true;
  if (pyarrayTypeIsRange(type)) return pa_string_puts(out, "(qqq)"), true;
  if (pyarrayTypeIsSlice(type)) {
    pa_string_puts(out, "(");
    for (int i = 0; i < 3; ++i)
      if (!pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, i))) pa_string_puts(out, "q");
    return pa_string_puts(out, ")"), true;
  }
  if (!mlirTypeIsATuple(type)) return pa_type_to_code(out, type);
  pa_string_puts(out, "(");
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!append_code(out, mlirTupleTypeGetType(type, i))) return false;
  return pa_string_puts(out, ")"), true;
}

// The address (i64) of a NUL-terminated text among the module's constants.
MlirValue pa_text_address(pa_lowering *lower, const char *text) {
  int64_t length = (int64_t)strlen(text) + 1;
  const char *name = pa_arena_format(lower->arena, "pyarray_text_%s", text);
  MlirType tensor = mlirRankedTensorTypeGet(1, &length, lower->i8, mlirAttributeGetNull());
  MlirType memref = mlirMemRefTypeContiguousGet(lower->i8, 1, &length, mlirAttributeGetNull());
  if (pa_failed(&lower->builder)) return (MlirValue){NULL};
  if (mlirOperationIsNull(pa_lookup(lower->module, pa_ref(name)))) {
    pa_builder builder = {
        .context = lower->context, .block = pa_module_body(lower->module), .location = lower->builder.location};
    pa_op(&builder, "memref.global",
          PA_ATTRS({"sym_name", pa_text(lower, name)}, {"sym_visibility", pa_text(lower, "private")},
                   {"type", mlirTypeAttrGet(memref)},
                   {"initial_value", mlirDenseElementsAttrRawBufferGet(tensor, (size_t)length, text)},
                   {"constant", pa_unit_attr(lower->context)}));
    lower->builder.failure = builder.failure;
  }
  MlirValue global = pa_value(&lower->builder, "memref.get_global", PA_RESULTS(memref),
                              PA_ATTRS({"name", pa_symbol_attr(lower->context, name)}));
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", global, lower->index));
}

const char *pa_item_code(pa_lowering *lower, MlirType item) {
  pa_string code = {0};
  if (!append_code(&code, item))
    pa_lower_fail(lower, "values of type %s cannot be in a container", pa_type_text(lower->arena, item));
  const char *copy = pa_arena_copy(lower->arena, pa_string_text(&code), code.length);
  pa_string_free(&code);
  return copy;
}

MlirValue pa_item_type_of(pa_lowering *lower, MlirType item) {
  return pa_runtime(lower, "pyarray_rt_item_type", pa_text_address(lower, pa_item_code(lower, item)));
}

//===-- Layout ------------------------------------------------------------------------------------===//

// How a level-4 value lies in memory.
typedef struct cell {
  MlirType memory; // in the llvm dialect
  int64_t offset, size, alignment;
} cell;

typedef struct layout {
  pa_types types;
  cell *cells;
  int64_t size, alignment;
} layout;

static cell cell_of(pa_lowering *lower, MlirType type) {
  if (mlirTypeIsAMemRef(type)) {
    int rank = (int)mlirShapedTypeGetRank(type);
    const char *text =
        rank ? pa_arena_format(lower->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", rank,
                               rank)
             : "!llvm.struct<(ptr, ptr, i64)>";
    return (cell){mlirTypeParseGet(lower->context, pa_ref(text)), 0, 8 * (3 + 2 * rank), 8};
  }
  if (mlirTypeIsAComplex(type)) {
    bool single = mlirTypeIsAF32(mlirComplexTypeGetElementType(type));
    const char *text = single ? "!llvm.struct<(f32, f32)>" : "!llvm.struct<(f64, f64)>";
    return (cell){mlirTypeParseGet(lower->context, pa_ref(text)), 0, single ? 8 : 16, single ? 4 : 8};
  }
  int64_t bytes = 8;
  if (mlirTypeIsAInteger(type)) bytes = mlirIntegerTypeGetWidth(type) == 1 ? 1 : mlirIntegerTypeGetWidth(type) / 8;
  if (mlirTypeIsAF32(type)) bytes = 4;
  if (mlirTypeIsAF16(type) || mlirTypeIsABF16(type)) bytes = 2;
  bool boolean = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  return (cell){boolean ? lower->i8 : type, 0, bytes, bytes};
}

static layout layout_of(pa_lowering *lower, MlirType type) {
  layout made = {.alignment = 1};
  pa_flatten(lower, type, &made.types);
  made.cells = PA_NEW_ARRAY(lower->arena, cell, made.types.count + 1);
  for (size_t i = 0; i < made.types.count; ++i) {
    cell *c = &made.cells[i];
    *c = cell_of(lower, made.types.items[i]);
    c->offset = (made.size + c->alignment - 1) & -c->alignment;
    made.size = c->offset + c->size;
    if (c->alignment > made.alignment) made.alignment = c->alignment;
  }
  made.size = (made.size + made.alignment - 1) & -made.alignment;
  return made;
}

int64_t pa_item_size(pa_lowering *lower, MlirType type) { return layout_of(lower, type).size; }
int64_t pa_item_alignment(pa_lowering *lower, MlirType type) { return layout_of(lower, type).alignment; }

static bool is_converted(MlirType type) { return mlirTypeIsAMemRef(type) || mlirTypeIsAComplex(type); }
static bool is_bool(const pa_lowering *lower, MlirType type) { return mlirTypeEqual(type, lower->i1); }

// Of |count| values from number |first| on.
static pa_values load_cells(pa_lowering *lower, MlirValue pointer, const layout *l, int first, int count) {
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (int i = 0; i < count; ++i) {
    const cell *c = &l->cells[first + i];
    MlirType wanted = l->types.items[first + i];
    values[i] = load(lower, fixed_offset(lower, pointer, c->offset), c->memory, c->alignment);
    if (is_bool(lower, wanted)) values[i] = pa_compare_int(lower, PA_NE, values[i], pa_int(lower, lower->i8, 0));
    if (is_converted(wanted)) values[i] = pa_convert(lower, "builtin.unrealized_conversion_cast", values[i], wanted);
  }
  return (pa_values){values, count};
}

static void store_cells(pa_lowering *lower, MlirValue pointer, const layout *l, int first, pa_values values) {
  for (int i = 0; i < values.count; ++i) {
    const cell *c = &l->cells[first + i];
    MlirValue part = values.items[i];
    MlirType type = l->types.items[first + i];
    if (is_bool(lower, type)) part = pa_convert(lower, "arith.extui", part, lower->i8);
    if (is_converted(type)) part = pa_convert(lower, "builtin.unrealized_conversion_cast", part, c->memory);
    store(lower, fixed_offset(lower, pointer, c->offset), part, c->alignment);
  }
}

pa_values pa_load_item(pa_lowering *lower, MlirValue pointer, MlirType type) {
  layout l = layout_of(lower, type);
  return load_cells(lower, pointer, &l, 0, (int)l.types.count);
}

void pa_store_item(pa_lowering *lower, MlirValue pointer, MlirValue value) {
  layout l = layout_of(lower, mlirValueGetType(value));
  store_cells(lower, pointer, &l, 0, pa_get(lower, value));
}

void pa_store_kept_item(pa_lowering *lower, MlirValue pointer, MlirValue value) {
  layout l = layout_of(lower, mlirValueGetType(value));
  store_cells(lower, pointer, &l, 0, pa_keep_value(lower, value));
}

pa_values pa_load_part(pa_lowering *lower, MlirValue pointer, MlirType tuple, intptr_t part) {
  layout l = layout_of(lower, tuple);
  return load_cells(lower, pointer, &l, pa_tuple_offset(lower, tuple, part),
                    pa_flat_count(lower, mlirTupleTypeGetType(tuple, part)));
}

void pa_store_part(pa_lowering *lower, MlirValue pointer, MlirType tuple, intptr_t part, pa_values values) {
  layout l = layout_of(lower, tuple);
  store_cells(lower, pointer, &l, pa_tuple_offset(lower, tuple, part), values);
}

MlirValue pa_item_space(pa_lowering *lower, MlirType type) {
  int64_t words = (pa_item_size(lower, type) + 7) / 8;
  MlirValue numbers = pa_stack_numbers(lower, words ? words : 1);
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
}

// Casts the numbers of a value, elements of tuples in turn, from |*at| on; and whether each is what it was, to
// |*exact|.
static void seek_numbers(pa_lowering *lower, MlirType from, MlirType to, MlirValue *values, int *at, MlirValue *exact) {
  pa_scalar a = pa_scalar_of(from), b = pa_scalar_of(to);
  if (mlirTypeIsATuple(from) && mlirTypeIsATuple(to)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(to); ++i)
      seek_numbers(lower, mlirTupleTypeGetType(from, i), mlirTupleTypeGetType(to, i), values, at, exact);
    return;
  }
  if (a != PA_NOT_SCALAR && b != PA_NOT_SCALAR && a != b) {
    MlirValue number = values[*at], cast = pa_cast_scalar(lower, number, a, b);
    MlirValue same = pa_compare_numbers(lower, PYARRAY_COMPARE_EQ, cast, b, number, a);
    *exact = mlirValueIsNull(*exact) ? same : pa_and(lower, *exact, same);
    values[*at] = cast;
  }
  *at += pa_flat_count(lower, from);
}

pa_sought pa_seek(pa_lowering *lower, MlirValue value, MlirType item) {
  MlirType type = mlirValueGetType(value);
  bool numbers = pa_scalar_of(type) != PA_NOT_SCALAR && pa_scalar_of(item) != PA_NOT_SCALAR,
       tuples = mlirTypeIsATuple(type) && mlirTypeIsATuple(item);
  if (mlirTypeEqual(type, item) || (!numbers && !tuples)) return (pa_sought){.value = value};
  MlirBlock block = mlirBlockCreate(1, &item, &lower->builder.location);
  pa_sought sought = {.value = mlirBlockGetArgument(block, 0), .block = block};
  pa_values given = pa_get(lower, value);
  MlirValue *cast = PA_NEW_ARRAY(lower->arena, MlirValue, given.count + 1);
  if (given.count) memcpy(cast, given.items, (size_t)given.count * sizeof *cast);
  int at = 0;
  seek_numbers(lower, type, item, cast, &at, &sought.exact);
  pa_set(lower, sought.value, cast, given.count);
  return sought;
}

MlirValue pa_item_on_stack(pa_lowering *lower, MlirValue value) {
  MlirValue address = pa_item_space(lower, mlirValueGetType(value));
  pa_store_item(lower, pa_pointer_to(lower, address), value);
  return address;
}

static void raise_memory_if(pa_lowering *lower, MlirValue failed) { pa_raise_if(lower, failed, "MemoryError", ""); }

void pa_check_memory(pa_lowering *lower, MlirValue status) {
  raise_memory_if(lower, pa_compare_int(lower, PA_NE, status, pa_int(lower, lower->i32, 0)));
}

MlirValue pa_checked_handle(pa_lowering *lower, MlirValue handle) {
  raise_memory_if(lower, pa_compare_int(lower, PA_EQ, handle, pa_int(lower, lower->i64, 0)));
  return handle;
}

MlirValue pa_sequence_position(pa_lowering *lower, MlirValue length, MlirValue index, const char *message) {
  pa_scalar scalar = pa_scalar_of_value(index);
  MlirValue at = pa_cast_scalar(lower, pa_get1(lower, index), scalar, PA_I64);
  if (!pa_is_non_negative_index(lower, index)) {
    MlirValue negative = pa_compare_int(lower, PA_SLT, at, pa_int(lower, lower->i64, 0));
    at = pa_select(lower, negative, pa_binary(lower, "arith.addi", at, length), at);
  }
  if (lower->boundscheck) pa_raise_if(lower, pa_compare_int(lower, PA_UGE, at, length), "IndexError", message);
  return at;
}

void pa_check_unpack(pa_lowering *lower, MlirValue length, intptr_t count) {
  MlirValue expected = pa_int(lower, lower->i64, count);
  pa_raise_values_if(lower, pa_compare_int(lower, PA_SLT, length, expected), "ValueError",
                     "not enough values to unpack (expected {1}, got {0})", length, expected, expected);
  pa_raise_values_if(lower, pa_compare_int(lower, PA_SGT, length, expected), "ValueError",
                     "too many values to unpack (expected {1})", length, expected, expected);
}

// The values of |value| with references that may be held longer than the call: array arguments are borrowed from their
// caller, and frozen arrays, which have no owner, are part of the code, which a literal stands for.
pa_values pa_keep_value(pa_lowering *lower, MlirValue value) {
  pa_values given = pa_get(lower, value);
  int count, *places = pa_owner_places(lower, mlirValueGetType(value), &count);
  MlirValue *items = PA_NEW_ARRAY(lower->arena, MlirValue, given.count + 1), zero = pa_int(lower, lower->i64, 0);
  for (int i = 0; i < given.count; ++i) items[i] = given.items[i];
  for (int i = 0; i < count; ++i) {
    MlirValue owner = given.items[places[i]], failed;
    bool array = places[i] && mlirTypeIsAMemRef(pa_type_or_none(lower, given.items[places[i] - 1]));
    if (!array) {
      pa_runtime(lower, "pyarray_rt_retain", owner);
      continue;
    }
    MlirValue code = pa_text_literal(lower, pa_text(lower, ""), true);
    owner = pa_select(lower, pa_compare_int(lower, PA_EQ, owner, zero), code, owner);
    items[places[i]] = pa_runtime(lower, "pyarray_rt_keep", owner);
    failed = pa_compare_int(lower, PA_EQ, items[places[i]], zero);
    pa_raise_if(lower, failed, "MemoryError", "");
  }
  return (pa_values){items, given.count};
}

int pa_tuple_offset(pa_lowering *lower, MlirType tuple, intptr_t index) {
  int offset = 0;
  for (intptr_t i = 0; i < index; ++i) offset += pa_flat_count(lower, mlirTupleTypeGetType(tuple, i));
  return offset;
}
