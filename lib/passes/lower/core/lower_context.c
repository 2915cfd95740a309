// Of pyarray-lower: level-4 types, the value map, what is known of level-3 values, and op-building shorthands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integer_facts.h"
#include "lower_internal.h"

void pa_lower_fail(pa_lowering *lower, const char *format, ...) {
  if (pa_failed(&lower->builder)) return;
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  lower->builder.failure = pa_fail_at(PA_CODE_UNSUPPORTED, lower->builder.location, "%s", length < 0 ? format : text);
  if (length >= 0) free(text);
}

//===-- Types -------------------------------------------------------------------------------------===//

MlirType pa_lower_scalar_type(const pa_lowering *lower, pa_scalar scalar) {
  if (pa_is_integer(scalar)) return mlirIntegerTypeGet(lower->context, (unsigned)pa_scalar_bytes(scalar) * 8);
  return pa_scalar_type(lower->context, scalar);
}

MlirType pa_element_memory(const pa_lowering *lower, pa_scalar element) {
  return element == PA_BOOL ? lower->i8 : pa_lower_scalar_type(lower, element);
}

static bool has_unit_stride(pyarray_layout layout, intptr_t axis, intptr_t rank) {
  return (layout == PYARRAY_LAYOUT_C && axis == rank - 1) || (layout == PYARRAY_LAYOUT_F && axis == 0);
}

MlirType pa_lower_array_type(pa_lowering *lower, MlirType type) {
  intptr_t rank = pyarrayArrayTypeGetRank(type);
  pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(type));
  if (rank > PA_MAX_RANK || element == PA_NOT_SCALAR) {
    pa_lower_fail(lower, "arrays of type %s cannot be lowered", pa_type_text(lower->arena, type));
    return lower->i64;
  }
  int64_t shape[PA_MAX_RANK], strides[PA_MAX_RANK], dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  int64_t step = 1; // of axis in layout C, while extents are known
  for (intptr_t axis = rank - 1; axis >= 0; --axis) {
    shape[axis] = pyarrayArrayTypeGetExtent(type, axis);
    bool known = pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C && step > 0;
    strides[axis] = known ? step : has_unit_stride(pyarrayArrayTypeGetLayout(type), axis, rank) ? 1 : dynamic;
    step = known && shape[axis] > 0 ? step * shape[axis] : 0;
  }
  MlirAttribute layout = mlirStridedLayoutAttrGet(lower->context, dynamic, rank, strides);
  return mlirMemRefTypeGet(pa_element_memory(lower, element), rank, shape, layout, mlirAttributeGetNull());
}

static void append_type(pa_lowering *lower, pa_types *out, MlirType type) {
  out->items = pa_arena_grow(lower->arena, out->items, out->count, &out->capacity, sizeof *out->items);
  out->items[out->count++] = type;
}

static bool holds_nothing(MlirType type) { return pyarrayTypeIsNone(type) || pyarrayTypeIsCallable(type); }

void pa_flatten(pa_lowering *lower, MlirType type, pa_types *out) {
  pa_scalar scalar = pa_scalar_of(type);
  if (scalar != PA_NOT_SCALAR) {
    append_type(lower, out, pa_lower_scalar_type(lower, scalar));
  } else if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) pa_flatten(lower, mlirTupleTypeGetType(type, i), out);
  } else if (pyarrayTypeIsArray(type)) {
    append_type(lower, out, pa_lower_array_type(lower, type));
    append_type(lower, out, lower->i64);
  } else if (pyarrayTypeIsStr(type) && lower->device) {
    // known at compile time there
  } else if (pa_is_handle(type)) {
    append_type(lower, out, lower->i64);
  } else if (pyarrayTypeIsException(type)) {
    append_type(lower, out, lower->i64);
  } else if (pyarrayTypeIsVariable(type)) {
    pa_types held = {0};
    pa_flatten(lower, pyarrayVariableTypeGetItem(type), &held);
    for (size_t i = 0; i < held.count; ++i)
      append_type(lower, out, mlirMemRefTypeContiguousGet(held.items[i], 0, NULL, mlirAttributeGetNull()));
  } else if (pyarrayTypeIsOptional(type)) {
    append_type(lower, out, lower->i1);
    pa_flatten(lower, pyarrayTypeGetItem(type), out);
  } else if (pyarrayTypeIsPointer(type)) {
    append_type(lower, out, mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr")));
  } else if (pyarrayTypeIsRange(type)) {
    for (int i = 0; i < 3; ++i) append_type(lower, out, lower->i64);
  } else if (pyarrayTypeIsSlice(type)) {
    for (int i = 0; i < 3; ++i)
      if (!pyarrayTypeIsNone(pyarraySliceTypeGetPart(type, i))) append_type(lower, out, lower->i64);
  } else if (!holds_nothing(type)) {
    bool foreign = !pyarrayTypeIsAny(type) && (mlirTypeIsAIndex(type) || mlirTypeIsAInteger(type));
    if (foreign)
      append_type(lower, out, type);
    else
      pa_lower_fail(lower, "type %s cannot be lowered; run pyarray-infer-types first",
                    pa_type_text(lower->arena, type));
  }
}

int pa_flat_count(pa_lowering *lower, MlirType type) {
  if (pa_scalar_of(type) != PA_NOT_SCALAR) return 1; // asked for each field of long tuples, again and again
  pa_types types = {0};
  pa_flatten(lower, type, &types);
  return (int)types.count;
}

//===-- The value map -----------------------------------------------------------------------------===//

pa_values pa_get(pa_lowering *lower, MlirValue value) {
  const pa_values *found = pa_map_get(&lower->values, value.ptr);
  if (found) return *found;
  if (!pa_failed(&lower->builder)) pa_lower_fail(lower, "a value is used before it is lowered");
  int count = pa_flat_count(lower, mlirValueGetType(value));
  return (pa_values){PA_NEW_ARRAY(lower->arena, MlirValue, count + 1), count};
}

MlirValue pa_get1(pa_lowering *lower, MlirValue value) {
  pa_values values = pa_get(lower, value);
  if (values.count == 1) return values.items[0];
  const char *missing = lower->device ? pa_missing_on_device(mlirValueGetType(value)) : NULL;
  if (missing) return pa_lower_fail(lower, "%s", missing), (MlirValue){NULL};
  pa_lower_fail(lower, "a value of type %s is no number", pa_type_text(lower->arena, mlirValueGetType(value)));
  return (MlirValue){NULL};
}

void pa_set(pa_lowering *lower, MlirValue value, const MlirValue *items, int count) {
  MlirValue *copy = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  if (count) memcpy(copy, items, (size_t)count * sizeof *copy);
  pa_values *values = PA_NEW(lower->arena, pa_values);
  *values = (pa_values){copy, count};
  pa_map_put(lower->arena, &lower->values, value.ptr, values);
}

void pa_set1(pa_lowering *lower, MlirValue value, MlirValue item) { pa_set(lower, value, &item, 1); }

//===-- What is known at compile time -------------------------------------------------------------===//

MlirOperation pa_definition(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

bool pa_known_int(pa_lowering *lower, MlirValue value, int64_t *out_value) {
  return pa_integer_known(&lower->names, value, out_value);
}

bool pa_known_real(pa_lowering *lower, MlirValue value, double *out_value) {
  MlirOperation op = pa_definition(value);
  int64_t integer;
  if (pa_known_int(lower, value, &integer)) {
    bool large = pa_scalar_of_value(value) == PA_U64 && integer < 0;
    return *out_value = large ? (double)(uint64_t)integer : (double)integer, true;
  }
  if (!pa_is_float(pa_scalar_of_value(value))) return false;
  if (pa_kind_or_other(&lower->names, op) == PA_OP_CAST) {
    if (!pa_known_real(lower, pa_operand(op, 0), out_value)) return false;
    MlirType type = mlirValueGetType(value);
    return *out_value = mlirFloatAttrGetValueDouble(mlirFloatAttrDoubleGet(lower->context, type, *out_value)), true;
  }
  if (pa_kind_or_other(&lower->names, op) != PA_OP_CONSTANT || !mlirAttributeIsAFloat(pa_get_attr(op, "value")))
    return false;
  return *out_value = mlirFloatAttrGetValueDouble(pa_get_attr(op, "value")), true;
}

bool pa_is_non_negative(pa_lowering *lower, MlirValue value) {
  return pa_integer_not_negative(&lower->names, value, false);
}

bool pa_is_non_negative_index(pa_lowering *lower, MlirValue value) {
  return pa_integer_not_negative(&lower->names, value, true);
}

//===-- Building ----------------------------------------------------------------------------------===//

MlirType pa_type_or_none(const pa_lowering *lower, MlirValue value) {
  return mlirValueIsNull(value) ? lower->i64 : mlirValueGetType(value);
}

pa_builder pa_entry_builder(pa_lowering *lower) {
  pa_builder builder = lower->builder;
  builder.block = lower->entry;
  builder.before = mlirOperationIsNull(lower->last_entry) ? mlirBlockGetFirstOperation(lower->entry)
                                                          : mlirOperationGetNextInBlock(lower->last_entry);
  return builder;
}

void pa_entry_built(pa_lowering *lower, const pa_builder *builder, MlirOperation op) {
  lower->builder.failure = builder->failure;
  if (!mlirOperationIsNull(op)) lower->last_entry = op;
}

MlirValue pa_constant_of(pa_lowering *lower, MlirType type, MlirAttribute value) {
  void *found = pa_map_get(&lower->constants, value.ptr);
  if (found) return (MlirValue){found};
  pa_builder builder = pa_entry_builder(lower);
  const char *name = mlirTypeIsAComplex(type) ? "complex.constant" : "arith.constant";
  MlirOperation op = pa_op(&builder, name, PA_RESULTS(type), PA_ATTRS({"value", value}));
  pa_entry_built(lower, &builder, op);
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  MlirValue result = mlirOperationGetResult(op, 0);
  pa_map_put(lower->arena, &lower->constants, value.ptr, (void *)result.ptr);
  return result;
}

MlirValue pa_int(pa_lowering *lower, MlirType type, int64_t value) {
  return pa_constant_of(lower, type, mlirIntegerAttrGet(type, value));
}

MlirValue pa_real(pa_lowering *lower, MlirType type, double value) {
  return pa_constant_of(lower, type, mlirFloatAttrDoubleGet(lower->context, type, value));
}

static bool is_real_or_complex(MlirType type) { return mlirTypeIsAFloat(type) || mlirTypeIsAComplex(type); }

static MlirValue arithmetic(pa_lowering *lower, const char *name, MlirValue *operands, int count) {
  MlirType type = pa_type_or_none(lower, operands[0]);
  pa_attr flags = {"fastmath", is_real_or_complex(type) ? lower->fastmath : mlirAttributeGetNull()};
  return pa_value(&lower->builder, name, PA_OPERAND_ARRAY(operands, count), PA_RESULTS(type), .attrs = &flags,
                  .attr_count = 1);
}

MlirValue pa_unary(pa_lowering *lower, const char *name, MlirValue a) { return arithmetic(lower, name, &a, 1); }

MlirValue pa_binary(pa_lowering *lower, const char *name, MlirValue a, MlirValue b) {
  return arithmetic(lower, name, (MlirValue[]){a, b}, 2);
}

MlirValue pa_convert(pa_lowering *lower, const char *name, MlirValue value, MlirType type) {
  return pa_value(&lower->builder, name, PA_OPERANDS(value), PA_RESULTS(type));
}

MlirValue pa_select(pa_lowering *lower, MlirValue condition, MlirValue a, MlirValue b) {
  return pa_value(&lower->builder, "arith.select", PA_OPERANDS(condition, a, b), PA_RESULTS(pa_type_or_none(lower, a)));
}

MlirValue pa_to_index(pa_lowering *lower, MlirValue value) {
  return pa_convert(lower, "arith.index_cast", value, lower->index);
}

MlirValue pa_to_i64(pa_lowering *lower, MlirValue value) {
  return pa_convert(lower, "arith.index_cast", value, lower->i64);
}

static MlirValue compare(pa_lowering *lower, const char *name, int predicate, MlirValue a, MlirValue b) {
  return pa_value(&lower->builder, name, PA_OPERANDS(a, b), PA_RESULTS(lower->i1),
                  PA_ATTRS({"predicate", pa_i64_attr(lower->context, predicate)}));
}

MlirValue pa_compare_int(pa_lowering *lower, pa_icmp predicate, MlirValue a, MlirValue b) {
  return compare(lower, "arith.cmpi", predicate, a, b);
}

MlirValue pa_compare_real(pa_lowering *lower, pa_fcmp predicate, MlirValue a, MlirValue b) {
  return compare(lower, "arith.cmpf", predicate, a, b);
}

MlirValue pa_and(pa_lowering *lower, MlirValue a, MlirValue b) { return pa_binary(lower, "arith.andi", a, b); }
MlirValue pa_or(pa_lowering *lower, MlirValue a, MlirValue b) { return pa_binary(lower, "arith.ori", a, b); }
MlirValue pa_not(pa_lowering *lower, MlirValue a) {
  return pa_binary(lower, "arith.xori", a, pa_int(lower, lower->i1, 1));
}

//===-- Regions -----------------------------------------------------------------------------------===//

pa_scope pa_open(pa_lowering *lower, const MlirType *arguments, intptr_t count) {
  pa_scope scope = {.outer = lower->builder.block};
  scope.region = pa_region(lower->builder.location, arguments, count, &scope.block);
  lower->builder.block = scope.block;
  return scope;
}

MlirRegion pa_close(pa_lowering *lower, pa_scope scope, const char *terminator, const MlirValue *values,
                    intptr_t count) {
  pa_op(&lower->builder, terminator, PA_OPERAND_ARRAY(values, count));
  lower->builder.block = scope.outer;
  return scope.region;
}

MlirOperation pa_emit_if(pa_lowering *lower, MlirValue condition, MlirRegion then, MlirRegion otherwise,
                         const MlirType *types, intptr_t count) {
  if (mlirRegionIsNull(otherwise)) otherwise = mlirRegionCreate();
  return pa_op(&lower->builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(condition), PA_RESULT_ARRAY(types, count),
               PA_REGIONS(then, otherwise));
}

pa_scope pa_if_begin(pa_lowering *lower) { return pa_open(lower, NULL, 0); }

void pa_if_end(pa_lowering *lower, pa_scope scope, MlirValue condition) {
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, condition, then, (MlirRegion){NULL}, NULL, 0);
}

pa_counted_loop pa_loop_begin(pa_lowering *lower, MlirValue count) {
  pa_counted_loop loop = {.count = count};
  loop.scope = pa_open(lower, &lower->index, 1);
  loop.index = mlirBlockGetArgument(loop.scope.block, 0);
  return loop;
}

void pa_loop_end(pa_lowering *lower, pa_counted_loop loop) {
  MlirRegion body = pa_close(lower, loop.scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  MlirValue zero = pa_int(lower, lower->index, 0), one = pa_int(lower, lower->index, 1);
  pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERANDS(zero, loop.count, one), PA_REGIONS(body));
}

// Whether the loop does nothing but straight-line work and carries a float: a sum whose order must be kept, which LLVM
// cannot vectorise, and whose loop overhead unrolling hides.
static bool is_float_reduction(const pa_lowering *lower, MlirOperation loop) {
  if (pa_kind(&lower->names, loop) != PA_OP_FOR) return false;
  bool carries_float = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i)
    carries_float |= pa_is_float(pa_scalar_of_value(mlirOperationGetResult(loop, i)));
  PA_FOR_EACH_OP(op, pa_body(loop, 0)) {
    if (mlirOperationGetNumRegions(op)) return false;
    if (pa_kind(&lower->names, op) == PA_OP_CALL) return false;
  }
  return carries_float;
}

// A range of constants: a GPU has such loops unrolled whole.
static bool has_constant_length(const pa_lowering *lower, MlirOperation loop) {
  MlirOperation range = pa_definition(pa_operand(loop, 0));
  if (mlirOperationIsNull(range) || pa_kind(&lower->names, range) != PA_OP_BUILTIN) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(range); ++i) {
    MlirOperation bound = pa_definition(pa_operand(range, i));
    if (mlirOperationIsNull(bound) || pa_kind(&lower->names, bound) != PA_OP_CONSTANT) return false;
  }
  return true;
}

static bool is_to_be_unrolled(const pa_lowering *lower, MlirOperation loop) {
  if (lower->fixed_cores || !is_float_reduction(lower, loop)) return false;
  return !(lower->device && has_constant_length(lower, loop));
}

MlirAttribute pa_loop_annotation(const pa_lowering *lower, MlirOperation loop) {
  const char *text = NULL;
  if (!mlirAttributeIsNull(pa_get_attr(loop, "pyarray.checked")))
    text = "#llvm.loop_annotation<disableNonforced = true>";
  else if (is_to_be_unrolled(lower, loop))
    text = "#llvm.loop_annotation<unroll = <count = 8 : i32>>";
  return text ? mlirAttributeParseGet(lower->context, pa_ref(text)) : (MlirAttribute){NULL};
}

MlirValue pa_stack_numbers(pa_lowering *lower, int64_t count) {
  pa_builder at = pa_entry_builder(lower);
  MlirType type = mlirMemRefTypeContiguousGet(lower->i64, 1, &count, mlirAttributeGetNull());
  int32_t segments[] = {0, 0};
  MlirOperation made = pa_op(&at, "memref.alloca", PA_RESULTS(type),
                             PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &at, made);
  return mlirOperationIsNull(made) ? (MlirValue){NULL} : mlirOperationGetResult(made, 0);
}

void pa_set_flat(pa_lowering *lower, MlirValue value, const MlirValue **values) {
  int count = pa_flat_count(lower, mlirValueGetType(value));
  pa_set(lower, value, *values, count);
  pa_acquire(lower, value);
  *values += count;
}

// Gives the results of |op| those of |lowered|, its counterpart.
void pa_set_results(pa_lowering *lower, MlirOperation op, MlirOperation lowered) {
  if (mlirOperationIsNull(lowered)) return;
  intptr_t count = mlirOperationGetNumResults(lowered);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) values[i] = mlirOperationGetResult(lowered, i);
  const MlirValue *at = values;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) pa_set_flat(lower, mlirOperationGetResult(op, i), &at);
}

MlirAttribute pa_symbol_of(pa_lowering *lower, MlirOperation function) {
  return mlirFlatSymbolRefAttrGet(lower->context, mlirStringAttrGetValue(pa_get_attr(function, "sym_name")));
}

// Never read, but an owner may be retained and released: it is 0.
void pa_unbound_values(pa_lowering *lower, MlirType type, MlirValue *out, int *count) {
  if (pyarrayTypeIsOptional(type)) {
    out[(*count)++] = pa_int(lower, lower->i1, 0);
    pa_unbound_values(lower, pyarrayTypeGetItem(type), out, count);
    return;
  }
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      pa_unbound_values(lower, mlirTupleTypeGetType(type, i), out, count);
    return;
  }
  pa_types types = {0};
  pa_flatten(lower, type, &types);
  for (size_t i = 0; i < types.count; ++i) {
    bool owner = pa_is_handle(type) || (i == 1 && pyarrayTypeIsArray(type));
    out[(*count)++] =
        owner ? pa_int(lower, lower->i64, 0) : pa_value(&lower->builder, "ub.poison", PA_RESULTS(types.items[i]));
  }
}

MlirValue pa_cast_memref(pa_lowering *lower, MlirValue memref, MlirType type) {
  if (mlirTypeEqual(pa_type_or_none(lower, memref), type)) return memref;
  return pa_convert(lower, "memref.cast", memref, type);
}

MlirValue pa_memref_field(pa_lowering *lower, MlirValue descriptor, MlirType type, int64_t first, int64_t second) {
  int64_t position[] = {first, second};
  return pa_value(&lower->builder, "llvm.extractvalue", PA_OPERANDS(descriptor), PA_RESULTS(type),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(lower->context, second < 0 ? 1 : 2, position)}));
}

MlirValue pa_memref_descriptor(pa_lowering *lower, const pa_array *array) {
  const char *text = "!llvm.struct<(ptr, ptr, i64)>";
  int rank = (int)mlirShapedTypeGetRank(pa_type_or_none(lower, array->memref));
  if (rank)
    text = pa_arena_format(lower->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", rank, rank);
  return pa_convert(lower, "builtin.unrealized_conversion_cast", array->memref,
                    mlirTypeParseGet(lower->context, pa_ref(text)));
}

// The flattened values of the operands |first| to the last, and their number.
MlirValue *pa_flatten_operands(pa_lowering *lower, MlirOperation op, intptr_t first, int *out_count) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  int count = 0, at = 0;
  for (intptr_t i = first; i < operands; ++i) count += pa_get(lower, pa_operand(op, i)).count;
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (intptr_t i = first; i < operands; ++i) {
    pa_values part = pa_get(lower, pa_operand(op, i));
    for (int k = 0; k < part.count; ++k) values[at++] = part.items[k];
  }
  return *out_count = count, values;
}

pa_types pa_flat_result_types(pa_lowering *lower, MlirOperation op) {
  pa_types types = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_flatten(lower, mlirValueGetType(mlirOperationGetResult(op, i)), &types);
  return types;
}
