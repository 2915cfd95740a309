// Of pyarray-lower: level-4 types, the value map, what is known of level-3 values, and op-building shorthands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool holds_nothing(MlirType type) {
  return pyarrayTypeIsNone(type) || pyarrayTypeIsStr(type) || pyarrayTypeIsCallable(type);
}

void pa_flatten(pa_lowering *lower, MlirType type, pa_types *out) {
  pa_scalar scalar = pa_scalar_of(type);
  if (scalar != PA_NOT_SCALAR) {
    append_type(lower, out, pa_lower_scalar_type(lower, scalar));
  } else if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) pa_flatten(lower, mlirTupleTypeGetType(type, i), out);
  } else if (pyarrayTypeIsArray(type)) {
    append_type(lower, out, pa_lower_array_type(lower, type));
    append_type(lower, out, lower->i64);
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
  pa_types types = {0};
  pa_flatten(lower, type, &types);
  return (int)types.count;
}

bool pa_holds_arrays(MlirType type) {
  if (pyarrayTypeIsArray(type)) return true;
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (pa_holds_arrays(mlirTupleTypeGetType(type, i))) return true;
  return false;
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

static pa_op_kind kind_of(const pa_lowering *lower, MlirOperation op) {
  return mlirOperationIsNull(op) ? PA_OP_OTHER : pa_kind(&lower->names, op);
}

static int64_t wrap(int64_t value, pa_scalar scalar) {
  int unused = 64 - 8 * pa_scalar_bytes(scalar);
  if (pa_is_unsigned(scalar)) return (int64_t)((uint64_t)value << unused >> unused);
  return (int64_t)((uint64_t)value << unused) >> unused;
}

static bool int_of_attribute(MlirAttribute value, int64_t *out_value) {
  if (!mlirAttributeIsAInteger(value)) return false;
  MlirType type = mlirAttributeGetType(value);
  if (!mlirTypeIsAInteger(type)) return false;
  if (mlirIntegerTypeIsSigned(type))
    *out_value = mlirIntegerAttrGetValueSInt(value);
  else if (mlirIntegerTypeIsUnsigned(type))
    *out_value = (int64_t)mlirIntegerAttrGetValueUInt(value);
  else
    *out_value = mlirIntegerAttrGetValueInt(value) & (mlirIntegerTypeGetWidth(type) == 1 ? 1 : -1);
  return true;
}

bool pa_known_int(pa_lowering *lower, MlirValue value, int64_t *out_value) {
  MlirOperation op = pa_definition(value);
  pa_scalar scalar = pa_scalar_of_value(value);
  if (scalar != PA_BOOL && !pa_is_integer(scalar)) return false;
  if (kind_of(lower, op) == PA_OP_CONSTANT) return int_of_attribute(pa_get_attr(op, "value"), out_value);
  if (kind_of(lower, op) != PA_OP_CAST || scalar == PA_BOOL || !pa_known_int(lower, pa_operand(op, 0), out_value))
    return false;
  return *out_value = wrap(*out_value, scalar), true;
}

bool pa_known_real(pa_lowering *lower, MlirValue value, double *out_value) {
  MlirOperation op = pa_definition(value);
  int64_t integer;
  if (pa_known_int(lower, value, &integer)) {
    bool large = pa_scalar_of_value(value) == PA_U64 && integer < 0;
    return *out_value = large ? (double)(uint64_t)integer : (double)integer, true;
  }
  if (!pa_is_float(pa_scalar_of_value(value))) return false;
  if (kind_of(lower, op) == PA_OP_CAST) {
    if (!pa_known_real(lower, pa_operand(op, 0), out_value)) return false;
    MlirType type = mlirValueGetType(value);
    return *out_value = mlirFloatAttrGetValueDouble(mlirFloatAttrDoubleGet(lower->context, type, *out_value)), true;
  }
  if (kind_of(lower, op) != PA_OP_CONSTANT || !mlirAttributeIsAFloat(pa_get_attr(op, "value"))) return false;
  return *out_value = mlirFloatAttrGetValueDouble(pa_get_attr(op, "value")), true;
}

//===-- Signs -------------------------------------------------------------------------------------===//

// A search with a budget. A value in |path| is taken to be non-negative: the search is for the greatest fixpoint, so
// that a variable that a loop only increases is found.
enum { SIGN_PATH = 64, SIGN_VISITS = 256 };

typedef struct sign_search {
  pa_lowering *lower;
  bool may_wrap; // sums and products count as non-negative though they can wrap
  const void *path[SIGN_PATH];
  int length, visits;
} sign_search;

static bool non_negative(sign_search *search, MlirValue value);

static bool range_of_non_negative(sign_search *search, MlirValue range) {
  MlirOperation op = pa_definition(range);
  int64_t step;
  return kind_of(search->lower, op) == PA_OP_BUILTIN && mlirOperationGetNumOperands(op) >= 3 &&
         pa_known_int(search->lower, pa_operand(op, 2), &step) && step > 0 && non_negative(search, pa_operand(op, 0));
}

// Argument |i| of a loop's body: the item of a range, or a carried value.
static bool argument_non_negative(sign_search *search, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  switch (kind_of(search->lower, parent)) {
  case PA_OP_FOR:
    if (i == 0)
      return pyarrayTypeIsRange(mlirValueGetType(pa_operand(parent, 0))) &&
             range_of_non_negative(search, pa_operand(parent, 0));
    return non_negative(search, pa_operand(parent, i)) &&
           non_negative(search, pa_operand(mlirBlockGetTerminator(block), i - 1));
  case PA_OP_SCF_WHILE: {
    MlirBlock before = pa_body(parent, 0), after = pa_body(parent, 1);
    if (!mlirBlockEqual(block, before)) return non_negative(search, pa_operand(mlirBlockGetTerminator(before), i + 1));
    return non_negative(search, pa_operand(parent, i)) &&
           non_negative(search, pa_operand(mlirBlockGetTerminator(after), i));
  }
  default: return false;
  }
}

// Places in the block and the grid, and their extents.
static bool is_device_index(MlirOperation builtin) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(builtin, "name")));
  return row && (strcmp(row->lowering, "DEVICE_INDEX") == 0 || strcmp(row->lowering, "GRID") == 0);
}

static bool result_non_negative(sign_search *search, MlirOperation op, intptr_t i) {
  switch (pa_kind(&search->lower->names, op)) {
  case PA_OP_FOR:
    return non_negative(search, pa_operand(op, i + 1)) &&
           non_negative(search, pa_operand(mlirBlockGetTerminator(pa_body(op, 0)), i));
  case PA_OP_SCF_WHILE: return non_negative(search, pa_operand(mlirBlockGetTerminator(pa_body(op, 0)), i + 1));
  case PA_OP_SCF_IF:
    return non_negative(search, pa_operand(mlirBlockGetTerminator(pa_body(op, 0)), i)) &&
           non_negative(search, pa_operand(mlirBlockGetTerminator(pa_body(op, 1)), i));
  case PA_OP_UNBOUND:
  case PA_OP_ITER_LENGTH: return true;
  case PA_OP_ITER_ITEM: return range_of_non_negative(search, pa_operand(op, 0));
  case PA_OP_GETITEM:
  case PA_OP_UNPACK: { // of a shape or of places in a grid
    MlirOperation object = pa_definition(pa_operand(op, 0));
    if (kind_of(search->lower, object) == PA_OP_BUILTIN) return is_device_index(object);
    return kind_of(search->lower, object) == PA_OP_GETATTR &&
           pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(object, "name")), "shape");
  }
  case PA_OP_GETATTR: return pyarrayTypeIsArray(mlirValueGetType(pa_operand(op, 0)));
  case PA_OP_CAST: {
    pa_scalar from = pa_scalar_of_value(pa_operand(op, 0)), to = pa_scalar_of_value(pa_result(op));
    if (from == PA_BOOL) return true;
    if (!pa_is_integer(from) || pa_scalar_bytes(from) > pa_scalar_bytes(to)) return false;
    if (pa_is_unsigned(from)) return pa_scalar_bytes(from) < pa_scalar_bytes(to);
    return non_negative(search, pa_operand(op, 0));
  }
  case PA_OP_BUILTIN: {
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
    if (pa_ref_equal(name, "builtins.len") || is_device_index(op)) return true;
    bool least = pa_ref_equal(name, "builtins.min"), all = true, any = false;
    if (!least && !pa_ref_equal(name, "builtins.max")) return false;
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
      bool known = non_negative(search, pa_operand(op, k));
      all &= known;
      any |= known;
    }
    return least ? all : any;
  }
  case PA_OP_BINARY: {
    MlirValue lhs = pa_operand(op, 0), rhs = pa_operand(op, 1);
    switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
    case PYARRAY_BINARY_ADD:
    case PYARRAY_BINARY_MUL: return search->may_wrap && non_negative(search, lhs) && non_negative(search, rhs);
    case PYARRAY_BINARY_FLOORDIV:
    case PYARRAY_BINARY_OR: return non_negative(search, lhs) && non_negative(search, rhs);
    case PYARRAY_BINARY_MOD: return non_negative(search, rhs);
    case PYARRAY_BINARY_AND: return non_negative(search, lhs) || non_negative(search, rhs);
    case PYARRAY_BINARY_RSHIFT: return non_negative(search, lhs);
    default: return false;
    }
  }
  default: return false;
  }
}

static bool non_negative(sign_search *search, MlirValue value) {
  int64_t known;
  if (!pa_is_integer(pa_scalar_of_value(value))) return false;
  if (pa_is_unsigned(pa_scalar_of_value(value))) return true;
  if (pa_known_int(search->lower, value, &known)) return known >= 0;
  for (int i = 0; i < search->length; ++i)
    if (search->path[i] == value.ptr) return true;
  int mark = search->length;
  if (mark == SIGN_PATH || ++search->visits > SIGN_VISITS) return false;
  search->path[search->length++] = value.ptr;
  bool answer = mlirValueIsABlockArgument(value)
                    ? argument_non_negative(search, value)
                    : result_non_negative(search, mlirOpResultGetOwner(value), mlirOpResultGetResultNumber(value));
  if (!answer) search->length = mark; // what relied on this value must be looked at again
  return answer;
}

bool pa_is_non_negative(pa_lowering *lower, MlirValue value) {
  sign_search search = {.lower = lower};
  return non_negative(&search, value);
}

bool pa_is_non_negative_index(pa_lowering *lower, MlirValue value) {
  sign_search search = {.lower = lower, .may_wrap = true};
  return non_negative(&search, value);
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

static bool is_real_or_complex(MlirType type) {
  return mlirTypeIsAFloat(type) || mlirTypeIsAComplex(type);
}

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
  return pa_op(&lower->builder, "scf.if", PA_OPERANDS(condition), PA_RESULT_ARRAY(types, count),
               PA_REGIONS(then, otherwise));
}

pa_scope pa_if_begin(pa_lowering *lower) { return pa_open(lower, NULL, 0); }

void pa_if_end(pa_lowering *lower, pa_scope scope, MlirValue condition) {
  MlirRegion then = pa_close(lower, scope, "scf.yield", NULL, 0);
  pa_emit_if(lower, condition, then, (MlirRegion){NULL}, NULL, 0);
}

pa_counted_loop pa_loop_begin(pa_lowering *lower, MlirValue count) {
  pa_counted_loop loop = {.count = count};
  loop.scope = pa_open(lower, &lower->index, 1);
  loop.index = mlirBlockGetArgument(loop.scope.block, 0);
  return loop;
}

void pa_loop_end(pa_lowering *lower, pa_counted_loop loop) {
  MlirRegion body = pa_close(lower, loop.scope, "scf.yield", NULL, 0);
  MlirValue zero = pa_int(lower, lower->index, 0), one = pa_int(lower, lower->index, 1);
  pa_op(&lower->builder, "scf.for", PA_OPERANDS(zero, loop.count, one), PA_REGIONS(body));
}

// Whether the loop does nothing but straight-line work and carries a float: a sum whose order must be kept, which LLVM cannot
// vectorise, and whose loop overhead unrolling hides.
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
  if (!mlirAttributeIsNull(pa_get_attr(loop, "pyarray.checked"))) text = "#llvm.loop_annotation<disableNonforced = true>";
  else if (is_to_be_unrolled(lower, loop)) text = "#llvm.loop_annotation<unroll = <count = 8 : i32>>";
  return text ? mlirAttributeParseGet(lower->context, pa_ref(text)) : (MlirAttribute){NULL};
}

MlirValue pa_stack_numbers(pa_lowering *lower, int64_t count) {
  pa_builder at = pa_entry_builder(lower);
  MlirType type = mlirMemRefTypeContiguousGet(lower->i64, 1, &count, mlirAttributeGetNull());
  int32_t segments[] = {0, 0};
  MlirOperation made = pa_op(&at, "memref.alloca", PA_RESULTS(type), PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &at, made);
  return mlirOperationIsNull(made) ? (MlirValue){NULL} : mlirOperationGetResult(made, 0);
}
