// pyarray-expand-datetimes: datetimes and timedeltas become int64.
//
// Enters: level 2. Leaves: level 2 without !pyarray.datetime and !pyarray.timedelta, anywhere; their values are si64
// whose least one is NaT. What treats NaT specially became a builtin "nat.*"; everything else is what it is for
// integers.
//
//   %1 = pyarray.cast %d : !pyarray.timedelta<"D"> to !pyarray.timedelta<"h">
//   %2 = pyarray.binary add %1, %h : (!pyarray.timedelta<"h">, !pyarray.timedelta<"h">) -> !pyarray.timedelta<"h">
// becomes
//   %1 = pyarray.builtin "nat.scale"(%d, %c24, %c1) : (si64, si64, si64) -> si64
//   %2 = pyarray.builtin "nat.add"(%1, %h) : (si64, si64) -> si64
//
// First operations are replaced by others on the same types, then all types.
#include <string.h>

#include "ir/builtins.h"
#include "ir/ir.h"
#include "pass.h"

typedef struct expansion {
  pa_arena *arena;
  pa_names names;
  pa_builder at; // before the operation that is replaced
  MlirType integer, boolean;
} expansion;

//===-- Replacements ------------------------------------------------------------------------------===//

static MlirValue emit_count(expansion *e, int64_t value) {
  return pa_value(&e->at, PA_OP_NAME(CONSTANT), PA_RESULTS(e->integer),
                  PA_ATTRS({"value", mlirIntegerAttrGet(e->integer, value)}));
}

static MlirValue emit_builtin(expansion *e, const char *name, MlirType result, MlirValue *operands, intptr_t count) {
  return pa_value(&e->at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(result),
                  PA_ATTRS({"name", pa_string_attr(e->at.context, name)}));
}
#define BUILTIN(e, name, result, ...)                                                                                  \
  emit_builtin((e), (name), (result), (MlirValue[]){__VA_ARGS__}, PA_COUNT((MlirValue[]){__VA_ARGS__}))

static MlirValue emit_compare(expansion *e, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  return pa_value(&e->at, PA_OP_NAME(COMPARE), PA_OPERANDS(a, b), PA_RESULTS(e->boolean),
                  PA_ATTRS({"kind", pyarrayCompareKindAttrGet(e->at.context, kind)}));
}

static MlirValue emit_not(expansion *e, MlirValue value) {
  return pa_value(&e->at, PA_OP_NAME(UNARY), PA_OPERANDS(value), PA_RESULTS(e->boolean),
                  PA_ATTRS({"kind", pyarrayUnaryKindAttrGet(e->at.context, PYARRAY_UNARY_NOT)}));
}

static MlirType type_of(MlirValue value) { return mlirValueGetType(value); }
static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static MlirType result_type(MlirOperation op) { return type_of(mlirOperationGetResult(op, 0)); }

static bool has_time_operand(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (pa_is_time(type_of(operand(op, i)))) return true;
  return false;
}

//===-- Conversions -------------------------------------------------------------------------------===//

static pa_status emit_scale(expansion *e, MlirValue *value, MlirType result, pa_time_unit from, pa_time_unit to) {
  int64_t num, den;
  if (!pa_time_unit_factor(from, to, &num, &den))
    return pa_fail_at(PA_CODE_TYPING, e->at.location, "cannot convert to %s: there is no factor between the units",
                      pa_type_text(e->arena, result));
  if (num != 1 || den != 1) *value = BUILTIN(e, "nat.scale", result, *value, emit_count(e, num), emit_count(e, den));
  return PA_OK;
}

// Of two times of one kind. Calendar units and others meet at months and days.
static pa_status expand_cast(expansion *e, MlirOperation op, MlirValue *out_value) {
  pa_time from, to;
  MlirType result = result_type(op);
  if (!pa_time_of(type_of(operand(op, 0)), &from) || !pa_time_of(result, &to)) return PA_OK;
  const pa_time_unit month = {PA_TIME_MONTH, 1}, day = {PA_TIME_DAY, 1};
  bool calendar = pa_time_unit_is_calendar(from.unit), generic = from.unit.base == PA_TIME_GENERIC;
  *out_value = operand(op, 0);
  if (generic || calendar == pa_time_unit_is_calendar(to.unit) || from.delta)
    return emit_scale(e, out_value, result, from.unit, to.unit);
  PA_TRY(emit_scale(e, out_value, result, from.unit, calendar ? month : day));
  *out_value = BUILTIN(e, calendar ? "nat.months_to_days" : "nat.days_to_months", result, *out_value);
  return emit_scale(e, out_value, result, calendar ? day : month, to.unit);
}

//===-- Operators ---------------------------------------------------------------------------------===//

// |number|: the right operand is no time, 'i' an integer, 'f' a float.
static const struct {
  pyarray_binary_kind kind;
  char number;
  const char *name;
} operators[] = {
    {PYARRAY_BINARY_ADD, '\0', "nat.add"},
    {PYARRAY_BINARY_SUB, '\0', "nat.subtract"},
    {PYARRAY_BINARY_MUL, 'i', "nat.multiply"},
    {PYARRAY_BINARY_MUL, 'f', "nat.multiply_float"},
    {PYARRAY_BINARY_TRUEDIV, '\0', "nat.ratio"},
    {PYARRAY_BINARY_TRUEDIV, 'i', "nat.divide"},
    {PYARRAY_BINARY_TRUEDIV, 'f', "nat.divide_float"},
    {PYARRAY_BINARY_FLOORDIV, '\0', "nat.floor_divide"},
    {PYARRAY_BINARY_FLOORDIV, 'i', "nat.divide"}, // NumPy truncates here
    {PYARRAY_BINARY_FLOORDIV, 'f', "nat.divide_float"},
    {PYARRAY_BINARY_MOD, '\0', "nat.remainder"},
};

static MlirValue emit_operator(expansion *e, pyarray_binary_kind kind, MlirValue a, MlirValue b, MlirType result) {
  if (!pa_is_time(type_of(a))) { // 2 * t
    MlirValue number = a;
    a = b, b = number;
  }
  char number = pa_is_time(type_of(b)) ? '\0' : pa_scalar_of(type_of(b)) == PA_F64 ? 'f' : 'i';
  for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
    if (operators[i].kind == kind && operators[i].number == number) return BUILTIN(e, operators[i].name, result, a, b);
  return (MlirValue){NULL};
}

// NaT is the least integer: only where it is on the smaller side does the comparison of integers say too much.
static MlirValue emit_comparison(expansion *e, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  bool different = kind == PYARRAY_COMPARE_NE, greater = kind == PYARRAY_COMPARE_GT || kind == PYARRAY_COMPARE_GE;
  MlirValue holds = emit_compare(e, different ? PYARRAY_COMPARE_EQ : kind, a, b);
  MlirValue known = emit_compare(e, PYARRAY_COMPARE_NE, greater ? b : a, emit_count(e, PA_NAT));
  MlirValue both = pa_value(&e->at, PA_OP_NAME(BINARY), PA_OPERANDS(holds, known), PA_RESULTS(e->boolean),
                            PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(e->at.context, PYARRAY_BINARY_AND)}));
  return different ? emit_not(e, both) : both;
}

static MlirValue expand_unary(expansion *e, MlirOperation op) {
  switch (pyarrayUnaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
  case PYARRAY_UNARY_NEG: return BUILTIN(e, "nat.subtract", result_type(op), emit_count(e, 0), operand(op, 0));
  case PYARRAY_UNARY_POS: return operand(op, 0);
  default: return (MlirValue){NULL};
  }
}

//===-- Functions ---------------------------------------------------------------------------------===//

// |renamed| is the function of two operands that treats NaT as this one does; of more operands, one after the other.
static const struct {
  const char *name, *renamed;
} renamings[] = {{"builtins.max", "nat.max"},
                 {"builtins.min", "nat.min"},
                 {"numpy.maximum", "nat.maximum"},
                 {"numpy.fmin", "nat.fmin"}};

static const struct {
  const char *name;
  pyarray_binary_kind kind;
} operator_functions[] = {{"numpy.add", PYARRAY_BINARY_ADD},
                          {"numpy.subtract", PYARRAY_BINARY_SUB},
                          {"numpy.multiply", PYARRAY_BINARY_MUL},
                          {"numpy.divide", PYARRAY_BINARY_TRUEDIV},
                          {"numpy.floor_divide", PYARRAY_BINARY_FLOORDIV},
                          {"numpy.remainder", PYARRAY_BINARY_MOD}};

static MlirValue expand_divmod(expansion *e, MlirOperation op) {
  MlirType result = result_type(op);
  MlirValue a = operand(op, 0), b = operand(op, 1);
  MlirValue quotient = emit_operator(e, PYARRAY_BINARY_FLOORDIV, a, b, mlirTupleTypeGetType(result, 0));
  MlirValue rest = emit_operator(e, PYARRAY_BINARY_MOD, a, b, mlirTupleTypeGetType(result, 1));
  return pa_value(&e->at, PA_OP_NAME(TUPLE), PA_OPERANDS(quotient, rest), PA_RESULTS(result));
}

static const struct {
  const char *name;
  pyarray_compare_kind kind;
} comparison_functions[] = {{"numpy.equal", PYARRAY_COMPARE_EQ},   {"numpy.not_equal", PYARRAY_COMPARE_NE},
                            {"numpy.less", PYARRAY_COMPARE_LT},    {"numpy.less_equal", PYARRAY_COMPARE_LE},
                            {"numpy.greater", PYARRAY_COMPARE_GT}, {"numpy.greater_equal", PYARRAY_COMPARE_GE}};

static MlirValue expand_builtin(expansion *e, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  MlirType result = result_type(op);
  MlirValue first = operand(op, 0);
  for (size_t i = 0; i < sizeof renamings / sizeof *renamings; ++i) {
    if (!pa_ref_equal(name, renamings[i].name)) continue;
    for (intptr_t k = 1; k < mlirOperationGetNumOperands(op); ++k)
      first = BUILTIN(e, renamings[i].renamed, result, first, operand(op, k));
    return first;
  }
  for (size_t i = 0; i < sizeof operator_functions / sizeof *operator_functions; ++i)
    if (pa_ref_equal(name, operator_functions[i].name))
      return emit_operator(e, operator_functions[i].kind, first, operand(op, 1), result);
  for (size_t i = 0; i < sizeof comparison_functions / sizeof *comparison_functions; ++i)
    if (pa_ref_equal(name, comparison_functions[i].name))
      return emit_comparison(e, comparison_functions[i].kind, first, operand(op, 1));
  if (pa_ref_equal(name, "builtins.divmod")) return expand_divmod(e, op);
  if (pa_ref_equal(name, "numpy.negative")) return BUILTIN(e, "nat.subtract", result, emit_count(e, 0), first);
  if (pa_ref_equal(name, "numpy.isnan")) return BUILTIN(e, "numpy.isnat", e->boolean, first);
  if (pa_ref_equal(name, "numpy.positive")) return first;
  if (pa_ref_equal(name, "numpy.isinf")) return emit_comparison(e, PYARRAY_COMPARE_LT, first, first);
  if (pa_ref_equal(name, "numpy.isfinite")) return emit_not(e, BUILTIN(e, "numpy.isnat", e->boolean, first));
  return (MlirValue){NULL};
}

//===-- Operations --------------------------------------------------------------------------------===//

static void expand_constant(expansion *e, MlirOperation op) {
  MlirAttribute value = pa_get_attr(op, "value");
  if (pyarrayAttributeIsTicks(value))
    pa_set_attr(op, "value", mlirIntegerAttrGet(e->integer, pyarrayTicksAttrGetCount(value)));
}

// What is folded of times treats NaT specially.
static void expand_reduce(expansion *e, MlirOperation op) {
  MlirAttribute words = pa_get_attr(op, "words");
  MlirOperation yield = mlirBlockGetTerminator(pa_body(op, 0));
  intptr_t count = mlirArrayAttrGetNumElements(words);
  MlirAttribute *renamed = PA_NEW_ARRAY(e->arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    renamed[i] = mlirArrayAttrGetElement(words, i);
    if (pa_is_time(type_of(operand(yield, i))))
      renamed[i] =
          pa_string_attr(e->names.context, pa_arena_format(e->arena, "nat_%s", pa_attr_text(e->arena, renamed[i])));
  }
  pa_set_attr(op, "words", mlirArrayAttrGet(e->names.context, count, renamed));
}

static pa_status expand_operation(void *data, MlirOperation op) {
  expansion *e = data;
  pa_op_kind kind = pa_kind(&e->names, op);
  if (kind == PA_OP_REDUCE) return expand_reduce(e, op), PA_OK;
  if (kind == PA_OP_CONSTANT) return expand_constant(e, op), PA_OK;
  if (!has_time_operand(op)) return PA_OK;
  MlirValue value = {NULL};
  MlirAttribute attr = pa_get_attr(op, "kind");
  e->at = (pa_builder){.context = e->names.context,
                       .block = mlirOperationGetBlock(op),
                       .before = op,
                       .location = mlirOperationGetLocation(op)};
  switch (kind) {
  case PA_OP_CAST: PA_TRY(expand_cast(e, op, &value)); break;
  case PA_OP_UNARY: value = expand_unary(e, op); break;
  case PA_OP_BUILTIN: value = expand_builtin(e, op); break;
  case PA_OP_BINARY:
    value = emit_operator(e, (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(attr), operand(op, 0), operand(op, 1),
                          result_type(op));
    break;
  case PA_OP_COMPARE:
    value =
        emit_comparison(e, (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(attr), operand(op, 0), operand(op, 1));
    break;
  default: break;
  }
  if (e->at.failure || mlirValueIsNull(value)) return e->at.failure;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
  return PA_OK;
}

//===-- Types -------------------------------------------------------------------------------------===//

static MlirType retyped(const expansion *e, MlirType type) {
  if (pa_is_time(type)) return e->integer;
  if (pyarrayTypeIsArray(type) && pa_is_time(pyarrayArrayTypeGetElement(type))) {
    intptr_t rank = pyarrayArrayTypeGetRank(type);
    int64_t *shape = PA_NEW_ARRAY(e->arena, int64_t, rank + 1);
    for (intptr_t axis = 0; axis < rank; ++axis) shape[axis] = pyarrayArrayTypeGetExtent(type, axis);
    return pyarrayArrayTypeGet(e->names.context, rank, shape, e->integer, pyarrayArrayTypeGetLayout(type),
                               pyarrayArrayTypeIsReadonly(type));
  }
  if (pyarrayTypeIsVariable(type)) return pyarrayVariableTypeGet(retyped(e, pyarrayVariableTypeGetItem(type)));
  if (pyarrayTypeIsList(type) || pyarrayTypeIsDeque(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsFrozenSet(type))
    return pa_with_item(type, retyped(e, pyarrayTypeGetItem(type)));
  if (pyarrayTypeIsDict(type))
    return pyarrayDictTypeGet(retyped(e, pyarrayTypeGetItem(type)), retyped(e, pyarrayDictTypeGetValue(type)));
  if (pyarrayTypeIsOptional(type)) return pyarrayOptionalTypeGet(retyped(e, pyarrayTypeGetItem(type)));
  if (!mlirTypeIsATuple(type)) return type;
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType *elements = PA_NEW_ARRAY(e->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) elements[i] = retyped(e, mlirTupleTypeGetType(type, i));
  return mlirTupleTypeGet(e->names.context, count, elements);
}

static void retype_value(const expansion *e, MlirValue value) {
  MlirType type = type_of(value), other = retyped(e, type);
  if (!mlirTypeEqual(type, other)) mlirValueSetType(value, other);
}

static MlirType retyped_function(const expansion *e, MlirType type) {
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type), results = mlirFunctionTypeGetNumResults(type);
  MlirType *types = PA_NEW_ARRAY(e->arena, MlirType, inputs + results + 1);
  for (intptr_t i = 0; i < inputs; ++i) types[i] = retyped(e, mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < results; ++i) types[inputs + i] = retyped(e, mlirFunctionTypeGetResult(type, i));
  return mlirFunctionTypeGet(e->names.context, inputs, types, results, types + inputs);
}

// pyarray.operands of a ufunc's function: whoever calls sees to their units.
static void retype_operands(const expansion *e, MlirOperation function) {
  MlirAttribute given = pa_get_attr(function, "pyarray.operands");
  intptr_t count = mlirAttributeIsAArray(given) ? mlirArrayAttrGetNumElements(given) : 0;
  MlirAttribute *types = PA_NEW_ARRAY(e->arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    types[i] = mlirArrayAttrGetElement(given, i);
    if (mlirAttributeIsAType(types[i])) types[i] = mlirTypeAttrGet(retyped(e, mlirTypeAttrGetValue(types[i])));
  }
  if (count) pa_set_attr(function, "pyarray.operands", mlirArrayAttrGet(e->names.context, count, types));
}

static pa_status retype_operation(void *data, MlirOperation op) {
  const expansion *e = data;
  pa_op_kind kind = pa_kind(&e->names, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) retype_value(e, mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = pa_body(op, r); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) retype_value(e, mlirBlockGetArgument(block, i));
  if (kind == PA_OP_FUNC) {
    MlirType type = mlirTypeAttrGetValue(pa_get_attr(op, "function_type"));
    pa_set_attr(op, "function_type", mlirTypeAttrGet(retyped_function(e, type)));
    if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.operands"))) retype_operands(e, op);
  }
  if (kind == PA_OP_FROZEN_ARRAY) mlirOperationRemoveAttributeByName(op, pa_ref("element"));
  return PA_OK;
}

// What was the number of a time's units is the same value now.
static pa_status erase_cast(void *data, MlirOperation op) {
  const expansion *e = data;
  if (pa_kind(&e->names, op) != PA_OP_CAST || !mlirTypeEqual(type_of(operand(op, 0)), result_type(op))) return PA_OK;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), operand(op, 0));
  return mlirOperationDestroy(op), PA_OK;
}

// The fields of classes.
static void retype_classes(const expansion *e, MlirOperation module) {
  MlirAttribute classes = pa_get_attr(module, "pyarray.classes");
  intptr_t count = mlirAttributeIsNull(classes) ? 0 : mlirDictionaryAttrGetNumElements(classes);
  MlirNamedAttribute *all = PA_NEW_ARRAY(e->arena, MlirNamedAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    all[i] = mlirDictionaryAttrGetElement(classes, i);
    intptr_t entries = mlirDictionaryAttrGetNumElements(all[i].attribute);
    MlirNamedAttribute *description = PA_NEW_ARRAY(e->arena, MlirNamedAttribute, entries + 1);
    for (intptr_t k = 0; k < entries; ++k) {
      description[k] = mlirDictionaryAttrGetElement(all[i].attribute, k);
      bool types = pa_ref_equal(mlirIdentifierStr(description[k].name), "types");
      if (types) description[k].attribute = mlirTypeAttrGet(retyped(e, mlirTypeAttrGetValue(description[k].attribute)));
    }
    all[i].attribute = mlirDictionaryAttrGet(e->names.context, entries, description);
  }
  if (count) pa_set_attr(module, "pyarray.classes", mlirDictionaryAttrGet(e->names.context, count, all));
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  expansion e = {.arena = context->arena,
                 .integer = pa_scalar_type(context->context, PA_I64),
                 .boolean = mlirIntegerTypeGet(context->context, 1)};
  pa_names_init(&e.names, context->context);
  PA_TRY(pa_walk(pa_module_body(module), expand_operation, &e));
  PA_TRY(pa_walk(pa_module_body(module), retype_operation, &e));
  retype_classes(&e, module);
  return pa_walk(pa_module_body(module), erase_cast, &e);
}

const pa_pass pa_pass_expand_datetimes = {
    .argument = "pyarray-expand-datetimes",
    .summary = "Make int64 of datetimes and timedeltas",
    .dependent_dialects = (const char *const[]){"pyarray", NULL},
    .run = run,
};
