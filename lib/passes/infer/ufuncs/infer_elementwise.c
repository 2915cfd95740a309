// Operations on whole arrays in pyarray-infer-types: operators, comparisons and NumPy's functions of scalars, lifted to
// every element.
//
//   %r = pyarray.binary add %a, %b      !pyarray.array<?xf32, C> and a Python float
// becomes
//   %s = pyarray.cast %b : (f64) -> f32
//   %r = pyarray.ufunc "(),()->()" ins(%a, %s : !pyarray.array<?xf32, C>, f32) {
//   ^bb0(%x: f32, %y: f32):
//     %e = pyarray.builtin "numpy.add"(%x, %y) : (f32, f32) -> f32
//     pyarray.yield %e : f32
//   } -> !pyarray.array<?xf32, C>
//
// One rule for all: an operator on arrays is the function that NumPy has for it, and what that function is for numbers,
// the table of builtins says.
#include <string.h>

#include "infer_elementwise.h"
#include "typing_rules.h"

//===-- Which function ----------------------------------------------------------------------------===//

// ORDER BINARY
static const char *const binary_functions[] = {"numpy.add",
                                               "numpy.subtract",
                                               "numpy.multiply",
                                               "numpy.divide",
                                               "numpy.floor_divide",
                                               "numpy.remainder",
                                               "numpy.power",
                                               "numpy.left_shift",
                                               "numpy.right_shift",
                                               "numpy.bitwise_and",
                                               "numpy.bitwise_or",
                                               "numpy.bitwise_xor",
                                               NULL};
// ORDER UNARY
static const char *const unary_functions[] = {"numpy.negative", "numpy.positive", "numpy.invert", NULL};
// ORDER COMPARE
static const char *const compare_functions[] = {"numpy.equal",
                                                "numpy.not_equal",
                                                "numpy.less",
                                                "numpy.less_equal",
                                                "numpy.greater",
                                                "numpy.greater_equal",
                                                NULL,
                                                NULL,
                                                NULL,
                                                NULL};

static const char *operator_function(MlirOperation op, pa_op_kind kind) {
  MlirAttribute attr = pa_get_attr(op, "kind");
  if (kind == PA_OP_BINARY) return binary_functions[pyarrayBinaryKindAttrGetValue(attr)];
  if (kind == PA_OP_UNARY) return unary_functions[pyarrayUnaryKindAttrGetValue(attr)];
  return compare_functions[pyarrayCompareKindAttrGetValue(attr)];
}

// As NumPy takes them for an exponent that is one number, all but the square of floats and complex numbers.
static const char *power_function(pa_fact exponent, MlirType element) {
  pa_scalar scalar = pa_scalar_of(element);
  MlirAttribute literal = exponent.literal;
  int64_t whole;
  if (pa_literal_int(exponent, &whole) && whole == 2 && pa_scalar_of(exponent.type) == PA_I64) return "numpy.square";
  if (mlirAttributeIsNull(literal) || !(pa_is_float(scalar) || pa_is_complex(scalar))) return NULL;
  double value = pa_literal_int(exponent, &whole) ? (double)whole
                 : mlirAttributeIsAFloat(literal) ? mlirFloatAttrGetValueDouble(literal)
                                                  : 0;
  return value == 2     ? "numpy.square"
         : value == 0.5 ? "numpy.sqrt"
         : value == -1  ? "numpy.reciprocal"
         : value == 1   ? "numpy.positive"
                        : NULL;
}

//===-- Facts of one point ------------------------------------------------------------------------===//

static bool is_python_type(MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  return scalar == PA_I64 || scalar == PA_F64 || scalar == PA_C128;
}

// Where NumPy has no loop of a function for integers, their width says which float they become; the scalar rules take
// float64 for all.
static bool takes_floats_alone(const pa_builtin *builtin) {
  static const pa_builtin_typing rules[] = {PA_TYPING_REAL1, PA_TYPING_REAL2, PA_TYPING_COMPLEX1, PA_TYPING_LDEXP};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (builtin->typing == rules[i]) return true;
  return false;
}

static pa_scalar float_of(pa_scalar scalar) {
  if (scalar == PA_BOOL || scalar == PA_I8 || scalar == PA_U8) return PA_F16;
  return scalar == PA_I16 || scalar == PA_U16 ? PA_F32 : scalar;
}

static void widen_by_width(pa_inference *inference, pa_elementwise *x) {
  if (!takes_floats_alone(x->builtin)) return;
  for (int i = 0; i < x->count; ++i) // a Python float decides
    if (x->weak >> i & 1 && !pa_is_integer(pa_scalar_of(x->facts[i].type))) return;
  int last = x->builtin->typing != PA_TYPING_LDEXP ? x->count : 1;
  bool bools = x->weak != 0; // beside a Python int, which makes int64 of them
  for (int i = 0; i < x->count; ++i) bools = bools && (x->weak >> i & 1 || pa_scalar_of(x->facts[i].type) == PA_BOOL);
  for (int i = 0; i < last; ++i) {
    pa_scalar scalar = pa_scalar_of(x->facts[i].type), wide = bools ? PA_F64 : float_of(scalar);
    if (wide != scalar && !(x->weak >> i & 1)) x->facts[i] = pa_fact_of(pa_scalar_type(inference->context, wide));
  }
}

static pa_status read_operand(pa_inference *inference, pa_instance *instance, pa_elementwise *x, int i) {
  pa_fact fact = pa_fact_get(inference, instance, x->operands[i]);
  if (pyarrayTypeIsArray(fact.type)) {
    int rank = (int)pyarrayArrayTypeGetRank(fact.type);
    if (rank > x->rank) x->rank = rank;
    return x->facts[i] = pa_fact_of(pyarrayArrayTypeGetElement(fact.type)), PA_OK;
  }
  bool weak = is_python_type(fact.type) &&
              (!mlirAttributeIsNull(fact.literal) || pa_is_weak_number(inference, instance, x->operands[i]));
  if (weak) x->weak |= (uint32_t)1 << i;
  x->facts[i] = weak ? pa_fact_known(fact.type, fact.literal) : pa_fact_of(fact.type);
  return PA_OK;
}

static int kind_rank(pa_scalar scalar) {
  return scalar == PA_BOOL ? 0 : pa_is_unsigned(scalar) ? 1 : pa_is_integer(scalar) ? 2 : pa_is_float(scalar) ? 3 : 4;
}

//===-- Lists and tuples --------------------------------------------------------------------------===//

// Whether NumPy makes an array of it: a list, a tuple or a range.
static bool is_sequence(MlirType type) {
  if (mlirTypeIsNull(type)) return false;
  return mlirTypeIsATuple(type) || pa_container_of(type) == PA_LIST || pyarrayTypeIsRange(type);
}

static pa_status take_sequences(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue *operands,
                                int count, bool *out_bottom) {
  for (int i = 0; i < count; ++i) {
    if (mlirValueIsNull(operands[i]) || !is_sequence(pa_fact_get(inference, instance, operands[i]).type)) continue;
    MlirValue items = pa_make_displayed(inference, instance, op, operands[i]);
    PA_TRY(pa_make_call(inference, instance, op, "numpy.arrays.as_operand", items, &operands[i]));
    *out_bottom = *out_bottom || pa_is_bottom(pa_fact_get(inference, instance, operands[i]));
  }
  return PA_OK;
}

static void keep_made(pa_inference *inference, pa_elementwise *x) {
  x->made_count = inference->made_count;
  pa_made_value *made = PA_NEW_ARRAY(inference->arena, pa_made_value, x->made_count + 1);
  if (x->made_count) memcpy(made, inference->made, x->made_count * sizeof *made);
  x->made = made;
}

//===-- dtype= and where= -------------------------------------------------------------------------===//

// The dtype in which it is computed, to which the operands are cast.
static pa_status take_loop(const pa_typing *typing, pa_elementwise *x) {
  pa_scalar to = pa_scalar_of(x->loop);
  for (int i = 0; i < x->count; ++i) {
    pa_scalar from = pa_scalar_of(x->facts[i].type);
    if (from == PA_NOT_SCALAR || (!(x->weak >> i & 1) && kind_rank(from) > kind_rank(to)))
      return pa_typing_fail(typing, PA_CODE_TYPING,
                            "Cannot cast ufunc '%s' input %d from dtype('%s') to dtype('%s') with casting rule "
                            "'same_kind'",
                            pa_elementwise_name(x), i, pa_type_text(typing->arena, x->facts[i].type),
                            pa_type_text(typing->arena, x->loop));
    x->facts[i] = pa_fact_of(x->loop);
  }
  return x->weak = 0, PA_OK;
}

static pa_status check_loop(const pa_typing *typing, const pa_elementwise *x) {
  if (mlirTypeIsNull(x->loop) || mlirTypeEqual(x->loop, x->plan.result)) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "No loop matching the specified signature and casting was found for ufunc %s",
                        pa_elementwise_name(x));
}

static pa_status read_where(pa_inference *inference, pa_instance *instance, const pa_typing *typing,
                            pa_elementwise *x) {
  if (mlirValueIsNull(x->where)) return PA_OK;
  MlirType type = pa_fact_get(inference, instance, x->where).type,
           element = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type;
  if (pa_scalar_of(element) != PA_BOOL)
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          "Cannot cast array data from dtype('%s') to dtype('bool') according to the rule 'safe'",
                          pa_type_text(typing->arena, element));
  int rank = pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0;
  if (rank > x->rank) x->rank = rank;
  return PA_OK;
}

//===-- Result ------------------------------------------------------------------------------------===//

// Of arrays of Fortran's order with all the dimensions, that order; else C.
static pyarray_layout result_layout(pa_inference *inference, pa_instance *instance, const pa_elementwise *x) {
  bool is_f = x->rank > 1;
  for (int i = 0; i < x->count; ++i) {
    MlirType type = pa_fact_get(inference, instance, x->operands[i]).type;
    if (!pyarrayTypeIsArray(type) || pyarrayArrayTypeGetRank(type) == 0) continue;
    pyarray_layout layout = pyarrayArrayTypeGetLayout(type);
    is_f = is_f && layout == PYARRAY_LAYOUT_F && pyarrayArrayTypeGetRank(type) == x->rank;
  }
  return is_f ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C;
}

static pa_status check_output(const pa_typing *typing, const pa_elementwise *x, MlirType type) {
  const char *name = pa_elementwise_name(x);
  if (!pyarrayTypeIsArray(type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): return arrays must be of ArrayType, not %s", name,
                          pa_type_text(typing->arena, type));
  if (pyarrayArrayTypeIsReadonly(type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): output array is read-only", name);
  MlirType element = pyarrayArrayTypeGetElement(type);
  pa_scalar from = pa_scalar_of(x->plan.result), to = pa_scalar_of(element);
  bool numbers = from != PA_NOT_SCALAR && to != PA_NOT_SCALAR;
  if (numbers ? kind_rank(from) > kind_rank(to) : !mlirTypeEqual(x->plan.result, element))
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'",
                          name, pa_type_text(typing->arena, x->plan.result), pa_type_text(typing->arena, element));
  if (pyarrayArrayTypeGetRank(type) < x->rank)
    return pa_typing_fail(
        typing, PA_CODE_TYPING,
        "%s(): non-broadcastable output operand: it has %d dimensions, but the broadcast shape has %d", name,
        (int)pyarrayArrayTypeGetRank(type), x->rank);
  return PA_OK;
}

static pa_status finish_plan(pa_inference *inference, pa_instance *instance, const pa_typing *typing,
                             pa_elementwise *x) {
  x->element = x->plan.result;
  if (!mlirValueIsNull(x->out)) {
    x->result = pa_fact_get(inference, instance, x->out).type;
    return check_output(typing, x, x->result);
  }
  x->result = x->rank
                  ? pa_array_type(inference->context, x->rank, x->element, result_layout(inference, instance, x), false)
                  : x->element;
  return PA_OK;
}

static bool has_array(pa_inference *inference, pa_instance *instance, const MlirValue *operands, int count) {
  for (int i = 0; i < count; ++i) {
    MlirType type =
        mlirValueIsNull(operands[i]) ? (MlirType){NULL} : pa_fact_get(inference, instance, operands[i]).type;
    if (!mlirTypeIsNull(type) && pyarrayTypeIsArray(type)) return true;
  }
  return false;
}

// The same of arguments: of the function itself also lists and tuples. Text is the library's.
static bool has_operand_of_arrays(pa_inference *inference, pa_instance *instance, const MlirValue *operands, int count,
                                  int inputs) {
  for (int i = 0; i < count && i < inputs; ++i) {
    MlirType type = pa_fact_get(inference, instance, operands[i]).type;
    if (!mlirTypeIsNull(type) && pa_is_records(type)) return false;
  }
  for (int i = 0; i < count && i < inputs; ++i)
    if (is_sequence(pa_fact_get(inference, instance, operands[i]).type)) return true;
  return has_array(inference, instance, operands, count);
}

static pa_status plan(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_elementwise *x) {
  pa_typing typing = pa_typing_at(inference, op);
  x->rank = 0;
  x->weak = 0;
  for (int i = 0; i < x->count; ++i) PA_TRY(read_operand(inference, instance, x, i));
  PA_TRY(read_where(inference, instance, &typing, x));
  if (mlirTypeIsNull(x->loop))
    widen_by_width(inference, x);
  else
    PA_TRY(take_loop(&typing, x));
  pa_typing inside = typing;
  inside.weak = x->weak;
  inside.in_library = true; // what a mixed uint64 becomes is NumPy's rule, and nothing to be told of
  PA_TRY(pa_type_builtin(&inside, x->builtin, x->facts, x->count, &x->plan));
  PA_TRY(check_loop(&typing, x));
  return finish_plan(inference, instance, &typing, x);
}

// a ** 2
static void plan_power(pa_inference *inference, pa_instance *instance, pa_elementwise *x) {
  MlirType base = pa_fact_get(inference, instance, x->operands[0]).type;
  if (strcmp(x->builtin->name, "numpy.power") || !pyarrayTypeIsArray(base)) return;
  const char *function =
      power_function(pa_fact_get(inference, instance, x->operands[1]), pyarrayArrayTypeGetElement(base));
  if (!function) return;
  x->builtin = pa_builtin_find(pa_ref(function));
  x->count = 1;
}

pa_status pa_plan_elementwise(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                              pa_elementwise *out, bool *out_fits) {
  *out_fits = false;
  *out = (pa_elementwise){.count = (int)mlirOperationGetNumOperands(op)};
  for (int i = 0; i < out->count; ++i) out->operands[i] = mlirOperationGetOperand(op, i);
  if (!has_array(inference, instance, out->operands, out->count)) return PA_OK;
  const char *function = operator_function(op, kind);
  bool bottom = false;
  if (!function) return PA_OK;
  inference->made_count = 0;
  PA_TRY(take_sequences(inference, instance, op, out->operands, out->count, &bottom));
  keep_made(inference, out);
  if (bottom) return *out_fits = true, PA_OK;
  for (int i = 0; i < out->count; ++i) {
    MlirType type = pa_fact_get(inference, instance, out->operands[i]).type;
    if (!pyarrayTypeIsArray(type) && pa_scalar_of(type) == PA_NOT_SCALAR && !pa_is_time(type)) return PA_OK;
  }
  out->builtin = pa_builtin_find(pa_ref(function));
  bool in_place = !mlirAttributeIsNull(pa_get_attr(op, "inplace")) &&
                  pyarrayTypeIsArray(pa_fact_get(inference, instance, out->operands[0]).type);
  if (in_place) out->out = out->operands[0];
  plan_power(inference, instance, out);
  *out_fits = true;
  return plan(inference, instance, op, out);
}

// The arguments of a call that are positional, and those that are named: out=, dtype= and where=.
static pa_status read_arguments(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                const pa_builtin *builtin, intptr_t skip, int inputs, pa_elementwise *x) {
  pa_typing typing = pa_typing_at(inference, op);
  intptr_t named = mlirAttributeIsNull(inference->keywords) ? 0 : mlirArrayAttrGetNumElements(inference->keywords),
           positional = inference->given_count - skip - named;
  const char *name = strrchr(builtin->name, '.') + 1;
  int most = inputs + (builtin->typing != PA_TYPING_WHERE); // which is no ufunc
  if (positional < inputs || positional > most)
    return pa_typing_fail(&typing, PA_CODE_TYPING, "%s() takes from %d to %d positional arguments but %d were given",
                          name, inputs, most, (int)positional);
  x->count = inputs;
  for (int i = 0; i < inputs; ++i) x->operands[i] = inference->given[skip + i];
  if (positional > inputs) x->out = inference->given[skip + inputs];
  for (intptr_t k = 0; k < named; ++k) {
    MlirStringRef keyword = mlirStringAttrGetValue(mlirArrayAttrGetElement(inference->keywords, k));
    MlirValue given = inference->given[skip + positional + k];
    if (most > inputs && pa_ref_equal(keyword, "dtype")) {
      if (pyarrayTypeIsNone(pa_fact_get(inference, instance, given).type)) continue;
      if (!pa_dtype_of(&typing, pa_fact_get(inference, instance, given), &x->loop) ||
          pa_scalar_of(x->loop) == PA_NOT_SCALAR)
        return pa_typing_fail(&typing, PA_CODE_TYPING, "%s(): dtype must be a dtype of numbers", name);
      continue;
    }
    if (most > inputs && pa_ref_equal(keyword, "where")) {
      x->where = given;
      continue;
    }
    if (!pa_ref_equal(keyword, "out") || most == inputs || !mlirValueIsNull(x->out))
      return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                            "%s(): the keyword argument '%.*s' is not supported in compiled code", name,
                            (int)keyword.length, keyword.data);
    x->out = given;
  }
  return PA_OK;
}

// a.astype(dtype), of numbers: the class of the dtype at every element. NULL where that is not so, as of an array
// without dimensions, which stays one.
static const pa_builtin *conversion(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t skip) {
  intptr_t named = mlirAttributeIsNull(inference->keywords) ? 0 : mlirArrayAttrGetNumElements(inference->keywords);
  if (skip != 1 || inference->given_count != 2 ||
      (named == 1 && !pa_ref_equal(mlirStringAttrGetValue(mlirArrayAttrGetElement(inference->keywords, 0)), "dtype")))
    return NULL;
  pa_fact array = pa_fact_get(inference, instance, inference->given[0]),
          dtype = pa_fact_get(inference, instance, inference->given[skip]);
  pa_typing typing = pa_typing_at(inference, op);
  MlirType element;
  if (pa_is_bottom(array) || pa_is_bottom(dtype) || !pyarrayTypeIsArray(array.type) ||
      pyarrayArrayTypeGetRank(array.type) == 0 || !pa_dtype_of(&typing, dtype, &element))
    return NULL;
  pa_scalar from = pa_scalar_of(pyarrayArrayTypeGetElement(array.type)), to = pa_scalar_of(element);
  if (from == PA_NOT_SCALAR || to == PA_NOT_SCALAR || to == PA_BF16 || (pa_is_complex(from) && !pa_is_complex(to)))
    return NULL;
  return pa_builtin_find(
      pa_ref(pa_arena_format(inference->arena, "numpy.%s", to == PA_BOOL ? "bool_" : pa_scalar_name(to))));
}

static pa_status plan_conversion(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                 const pa_builtin *class, pa_elementwise **out) {
  pa_elementwise *x = PA_NEW(inference->arena, pa_elementwise);
  *x = (pa_elementwise){.builtin = class, .count = 1, .operands = {inference->given[0]}};
  PA_TRY(plan(inference, instance, op, x));
  return *out = x, PA_OK;
}

pa_status pa_plan_elementwise_call(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                   const pa_builtin *builtin, intptr_t skip, pa_elementwise **out, MlirType *out_result,
                                   bool *out_bottom) {
  int given = (int)(inference->given_count - skip), inputs = pa_elementwise_inputs(builtin);
  bool is_abs = strcmp(builtin->name, "builtins.abs") == 0;
  if (is_abs) inputs = 1;
  *out = NULL;
  const pa_builtin *class =
      strcmp(builtin->name, "array.astype") == 0 ? conversion(inference, instance, op, skip) : NULL;
  if (class) {
    PA_TRY(plan_conversion(inference, instance, op, class, out));
    return *out_result = (*out)->result, PA_OK;
  }
  bool alone = builtin->typing == PA_TYPING_WHERE && given == 1; // of a condition, of the library
  if (!inputs || alone || given > inputs + 4 ||
      !has_operand_of_arrays(inference, instance, inference->given + skip, given, inputs))
    return PA_OK;
  for (int i = 0; i < given; ++i)
    if (pa_is_bottom(pa_fact_get(inference, instance, inference->given[skip + i]))) return *out_bottom = true, PA_OK;
  pa_elementwise *x = PA_NEW(inference->arena, pa_elementwise);
  x->builtin = is_abs ? pa_builtin_find(pa_ref("numpy.absolute")) : builtin;
  PA_TRY(read_arguments(inference, instance, op, builtin, skip, inputs, x));
  PA_TRY(take_sequences(inference, instance, op, x->operands, x->count, out_bottom));
  if (*out_bottom) return PA_OK;
  if (!mlirValueIsNull(x->out) && pyarrayTypeIsNone(pa_fact_get(inference, instance, x->out).type))
    x->out = (MlirValue){NULL};
  PA_TRY(plan(inference, instance, op, x));
  return *out = x, *out_result = x->result, PA_OK;
}

//===-- Stores ------------------------------------------------------------------------------------===//

// a[i:j] += b has written to the view that it stores.
bool pa_is_stored_in_place(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue value = mlirOperationGetOperand(op, count - 1);
  MlirType type = pa_fact_get(inference, instance, value).type;
  if (!mlirValueIsAOpResult(value) || mlirTypeIsNull(type) || !pyarrayTypeIsArray(type)) return false;
  MlirOperation made = mlirOpResultGetOwner(value);
  MlirType object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  if (mlirTypeIsNull(object) || !pyarrayTypeIsArray(object) || pa_kind(&inference->names, made) != PA_OP_BINARY ||
      mlirAttributeIsNull(pa_get_attr(made, "inplace")))
    return false;
  MlirValue target = mlirOperationGetOperand(made, 0);
  MlirType written = pa_fact_get(inference, instance, target).type;
  MlirOperation view = mlirValueIsAOpResult(target) ? mlirOpResultGetOwner(target) : (MlirOperation){NULL};
  if (mlirTypeIsNull(written) || !pyarrayTypeIsArray(written) || mlirOperationIsNull(view) ||
      pa_kind(&inference->names, view) != PA_OP_GETITEM)
    return false;
  bool same = mlirOperationGetNumOperands(view) == count - 1;
  for (intptr_t i = 0; same && i < count - 1; ++i)
    same = mlirValueEqual(mlirOperationGetOperand(view, i), mlirOperationGetOperand(op, i));
  return same;
}
