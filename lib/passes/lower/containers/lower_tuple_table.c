// Of pyarray-lower: long tuples as tables, so that an element is found by its number at once, and a loop over one needs
// no copy of its body for each element.
//
//   %x = pyarray.getitem %t[%i]                                    %t: 300 constants of one type
// becomes
//   %table = memref.get_global @pyarray_table0 : memref<300xi64>   or, of other values, stack memory
//   %x = memref.load %table[%i]
//
// A table has one such column for each level-4 value of an element.
#include <string.h>

#include "lower_containers.h"

// With fewer elements a chain of selects is as fast, and needs no memory.
static const intptr_t least_length = 9;
// How many operations the copies of a loop's body may have in all.
static const int64_t most_unrolled = 1000;

//===-- When ----------------------------------------------------------------------------------------===//

bool pa_is_table(const pa_lowering *lower, MlirType type) {
  if (lower->device || !mlirTypeIsATuple(type) || mlirTupleTypeGetNumTypes(type) < least_length) return false;
  for (intptr_t i = 1; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!mlirTypeEqual(mlirTupleTypeGetType(type, i), mlirTupleTypeGetType(type, 0))) return false;
  return true;
}

// Operations of a block, with those of the copies that loops in it become.
static int64_t cost_of(pa_lowering *lower, MlirBlock block) {
  int64_t cost = 0;
  PA_FOR_EACH_OP(op, block) {
    int64_t inner = 0;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) inner += cost_of(lower, pa_body(op, r));
    bool copied = pa_kind(&lower->names, op) == PA_OP_FOR && mlirTypeIsATuple(mlirValueGetType(pa_operand(op, 0)));
    int64_t copies = copied ? mlirTupleTypeGetNumTypes(mlirValueGetType(pa_operand(op, 0))) : 1;
    cost += 1 + (copies * inner > most_unrolled ? inner : copies * inner);
  }
  return cost;
}

bool pa_is_unrolled(pa_lowering *lower, MlirOperation loop) {
  MlirType type = mlirValueGetType(pa_operand(loop, 0));
  return !pa_is_table(lower, type) ||
         mlirTupleTypeGetNumTypes(type) * cost_of(lower, pa_body(loop, 0)) <= most_unrolled;
}

//===-- Columns -------------------------------------------------------------------------------------===//

static MlirType memory_type(const pa_lowering *lower, MlirType type) {
  return mlirTypeEqual(type, lower->i1) ? lower->i8 : type;
}

// The value of a constant, as it is in memory; null where it is none.
static MlirAttribute constant_of(const pa_lowering *lower, MlirValue value) {
  MlirOperation op = pa_definition(value);
  if (mlirOperationIsNull(op) || !pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "arith.constant"))
    return mlirAttributeGetNull();
  MlirAttribute number = pa_get_attr(op, "value");
  return mlirTypeEqual(mlirValueGetType(value), lower->i1) ? mlirIntegerAttrGet(lower->i8, mlirBoolAttrGetValue(number))
                                                           : number;
}

// A variable of the module with constants; one for all tables of the same.
static MlirValue constant_column(pa_lowering *lower, MlirType memory, const MlirAttribute *numbers, int64_t length) {
  MlirType tensor = mlirRankedTensorTypeGet(1, &length, memory, mlirAttributeGetNull());
  MlirType memref = mlirMemRefTypeContiguousGet(memory, 1, &length, mlirAttributeGetNull());
  MlirAttribute all = mlirDenseElementsAttrGet(tensor, length, numbers);
  const char *name;
  for (int number = 0;; ++number) {
    name = pa_arena_format(lower->arena, "pyarray_table%d", number);
    MlirOperation other = pa_lookup(lower->module, pa_ref(name));
    if (!mlirOperationIsNull(other) && !mlirAttributeEqual(pa_get_attr(other, "initial_value"), all)) continue;
    if (!mlirOperationIsNull(other)) break;
    pa_builder builder = {
        .context = lower->context, .block = pa_module_body(lower->module), .location = lower->builder.location};
    pa_op(&builder, "memref.global",
          PA_ATTRS({"sym_name", pa_text(lower, name)}, {"sym_visibility", pa_text(lower, "private")},
                   {"type", mlirTypeAttrGet(memref)}, {"initial_value", all},
                   {"constant", pa_unit_attr(lower->context)}));
    break;
  }
  return pa_value(&lower->builder, "memref.get_global", PA_RESULTS(memref),
                  PA_ATTRS({"name", pa_symbol_attr(lower->context, name)}));
}

static MlirValue stack_column(pa_lowering *lower, MlirType memory, int64_t length) {
  MlirType memref = mlirMemRefTypeContiguousGet(memory, 1, &length, mlirAttributeGetNull());
  int32_t segments[] = {0, 0};
  pa_builder at = pa_entry_builder(lower);
  MlirOperation made = pa_op(&at, "memref.alloca", PA_RESULTS(memref),
                             PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &at, made);
  return mlirOperationIsNull(made) ? (MlirValue){NULL} : mlirOperationGetResult(made, 0);
}

// The values numbers |first|, |first| + |width|, ... of a tuple; the last operation made for them goes to |last|.
static MlirValue column_of(pa_lowering *lower, const pa_values *values, int first, int width, int64_t length,
                           MlirOperation *last) {
  MlirAttribute *numbers = PA_NEW_ARRAY(lower->arena, MlirAttribute, length);
  MlirType type = mlirValueGetType(values->items[first]), memory = memory_type(lower, type);
  bool constant = true;
  for (int64_t i = 0; i < length && constant; ++i) {
    numbers[i] = constant_of(lower, values->items[i * width + first]);
    constant = !mlirAttributeIsNull(numbers[i]);
  }
  MlirValue column = constant ? constant_column(lower, memory, numbers, length) : stack_column(lower, memory, length);
  if (constant) *last = pa_definition(column);
  for (int64_t i = 0; i < length && !constant; ++i) {
    MlirValue value = values->items[i * width + first];
    if (!mlirTypeEqual(type, memory)) value = pa_convert(lower, "arith.extui", value, memory);
    *last = pa_op(&lower->builder, "memref.store", PA_OPERANDS(value, column, pa_int(lower, lower->index, i)));
  }
  return column;
}

// Parameters and constants are there where the function begins: so is their table, which is made once.
static bool is_there_at_entry(pa_lowering *lower, const pa_values *values) {
  for (int i = 0; i < values->count; ++i) {
    MlirValue value = values->items[i];
    bool parameter = mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), lower->entry);
    if (!parameter && mlirAttributeIsNull(constant_of(lower, value))) return false;
  }
  return true;
}

const pa_table *pa_table_of(pa_lowering *lower, MlirValue tuple) {
  pa_table *table = pa_map_get(&lower->tables, tuple.ptr);
  if (table) return table;
  pa_values values = pa_get(lower, tuple);
  intptr_t length = mlirTupleTypeGetNumTypes(mlirValueGetType(tuple));
  bool at_entry = is_there_at_entry(lower, &values);
  pa_builder here = lower->builder;
  MlirOperation last = {NULL};
  if (at_entry) lower->builder = pa_entry_builder(lower);
  table = PA_NEW(lower->arena, pa_table);
  table->width = values.count / (int)length;
  table->columns = PA_NEW_ARRAY(lower->arena, MlirValue, table->width + 1);
  for (int k = 0; k < table->width && !pa_failed(&lower->builder); ++k)
    table->columns[k] = column_of(lower, &values, k, table->width, length, &last);
  if (!at_entry) return table;
  here.failure = lower->builder.failure;
  lower->builder = here;
  pa_entry_built(lower, &lower->builder, last);
  pa_map_put(lower->arena, &lower->tables, tuple.ptr, table);
  return table;
}

const pa_table *pa_constant_table(pa_lowering *lower, MlirOperation op) {
  intptr_t length = mlirOperationGetNumOperands(op);
  if (lower->device || length < least_length || pa_scalar_of_value(pa_operand(op, 0)) == PA_NOT_SCALAR) return NULL;
  MlirAttribute *numbers = PA_NEW_ARRAY(lower->arena, MlirAttribute, length);
  for (intptr_t i = 0; i < length; ++i) {
    numbers[i] = constant_of(lower, pa_get1(lower, pa_operand(op, i)));
    if (mlirAttributeIsNull(numbers[i])) return NULL;
  }
  pa_table *table = PA_NEW(lower->arena, pa_table);
  MlirType memory = memory_type(lower, mlirValueGetType(pa_get1(lower, pa_operand(op, 0))));
  *table = (pa_table){1, PA_NEW(lower->arena, MlirValue)};
  table->columns[0] = constant_column(lower, memory, numbers, length);
  return table;
}

void pa_set_table_item(pa_lowering *lower, MlirValue item, const pa_table *table, MlirValue number) {
  MlirValue index = pa_to_index(lower, number);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, table->width + 1);
  for (int k = 0; k < table->width && !pa_failed(&lower->builder); ++k) {
    MlirType memory = mlirShapedTypeGetElementType(mlirValueGetType(table->columns[k]));
    values[k] = pa_value(&lower->builder, "memref.load", PA_OPERANDS(table->columns[k], index), PA_RESULTS(memory));
  }
  pa_types types = {0};
  pa_flatten(lower, mlirValueGetType(item), &types);
  for (int k = 0; k < table->width && !pa_failed(&lower->builder); ++k)
    if (mlirTypeEqual(types.items[k], lower->i1))
      values[k] = pa_compare_int(lower, PA_NE, values[k], pa_int(lower, lower->i8, 0));
  pa_set(lower, item, values, table->width);
}
