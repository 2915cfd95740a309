// Types of builtin calls: one function per typing rule of lib/ir/builtins.def. A rule fills in a plan, which says what
// typed operation the call becomes, in which types, and from which arguments its operands come.
#include <stdlib.h>
#include <string.h>

#include "typing_rules.h"

//===-- Families ----------------------------------------------------------------------------------===//

static pa_status type_real1(pa_rule_call *call) { return type_real(call, 1); }
static pa_status type_real2(pa_rule_call *call) { return type_real(call, 2); }
static pa_status type_real3(pa_rule_call *call) { return type_real(call, 3); }

static pa_status type_complex1(pa_rule_call *call) {
  return pa_is_complex(scalar_of(call, 0)) ? finish_as(call, 1, scalar_of(call, 0)) : type_real(call, 1);
}

static pa_status type_same1(pa_rule_call *call) {
  PA_TRY(need_number(call, 0));
  return finish_as(call, 1, scalar_of(call, 0) == PA_BOOL ? PA_I64 : scalar_of(call, 0));
}

static pa_status type_test1(pa_rule_call *call) {
  PA_TRY(need_number(call, 0));
  add_argument(call, 0, call->arguments[0].type);
  return finish_scalar(call, PA_BOOL);
}

static pa_status type_real_test1(pa_rule_call *call) {
  PA_TRY(need_real(call, 0));
  return type_test1(call);
}

static pa_status type_floor(pa_rule_call *call) {
  PA_TRY(need_real(call, 0));
  if (!pa_is_float(scalar_of(call, 0)))
    return call->plan->kind = PA_PLAN_CAST, finish_as(call, 1, scalar_of(call, 0) == PA_U64 ? PA_U64 : PA_I64);
  add_argument(call, 0, call->arguments[0].type);
  return finish_scalar(call, PA_I64);
}

static bool is_integral(pa_scalar s) { return s == PA_BOOL || pa_is_integer(s); }

static pa_status type_whole(pa_rule_call *call) {
  if (!is_integral(scalar_of(call, 0))) return type_real1(call);
  call->plan->kind = PA_PLAN_CAST;
  return finish_as(call, 1, scalar_of(call, 0));
}

// Of an integer an integer. NumPy has no loop of bools for it: they are int8.
static pa_status type_reciprocal(pa_rule_call *call) {
  pa_scalar scalar = scalar_of(call, 0);
  if (!is_integral(scalar)) return type_complex1(call);
  if (scalar == PA_BOOL) scalar = PA_I8;
  add_argument(call, 0, scalar_type(call, scalar));
  return finish_scalar(call, scalar);
}

static pa_status type_int1(pa_rule_call *call) { return type_ints(call, 1); }
static pa_status type_int2(pa_rule_call *call) { return type_ints(call, 2); }

// gcd and lcm of any number of arguments: that of none is the neutral element.
static pa_status type_int_many(pa_rule_call *call) {
  if (call->count > 0) return type_ints(call, call->count);
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirIntegerAttrGet(scalar_type(call, PA_I64), strcmp(call->builtin->name, "math.lcm") == 0);
  return finish_scalar(call, PA_I64);
}

static pa_status type_cast_to(pa_rule_call *call, pa_scalar target) {
  call->plan->kind = PA_PLAN_CAST;
  MlirType type = scalar_type(call, target);
  if (!given(call, 0)) {
    call->plan->kind = PA_PLAN_LITERAL;
    MlirContext context = call->typing->context;
    if (pa_is_complex(target))
      call->plan->literal = mlirAttributeParseGet(
          context, pa_ref(target == PA_C64 ? "#complex.number<:f32 0.0, 0.0>" : "#complex.number<:f64 0.0, 0.0>"));
    else
      call->plan->literal =
          pa_is_float(target) ? mlirFloatAttrDoubleGet(context, type, 0) : mlirIntegerAttrGet(type, 0);
    return finish(call, type);
  }
  if (target == PA_F64 && pa_is_text(call->arguments[0].type))
    return call->plan->kind = PA_PLAN_BUILTIN, pa_type_number_of_text(call);
  PA_TRY(need_number(call, 0));
  if (pa_is_complex(scalar_of(call, 0)) && !pa_is_complex(target) && target != PA_BOOL)
    return wrong_type(call, 0, "a real number");
  add_argument(call, 0, type);
  return finish(call, type);
}

#define CAST_RULE(rule, target)                                                                                        \
  static pa_status type_cast_##rule(pa_rule_call *call) { return type_cast_to(call, target); }
CAST_RULE(i8, PA_I8)
CAST_RULE(i16, PA_I16)
CAST_RULE(i32, PA_I32)
CAST_RULE(i64, PA_I64)
CAST_RULE(u8, PA_U8)
CAST_RULE(u16, PA_U16)
CAST_RULE(u32, PA_U32)
CAST_RULE(u64, PA_U64)
CAST_RULE(bf16, PA_BF16)
CAST_RULE(f16, PA_F16)
CAST_RULE(f32, PA_F32)
CAST_RULE(f64, PA_F64)
CAST_RULE(c64, PA_C64)
CAST_RULE(c128, PA_C128)
CAST_RULE(bool, PA_BOOL)

//===-- Python's builtins -------------------------------------------------------------------------===//

static pa_status type_abs(pa_rule_call *call) {
  PA_TRY(need_number(call, 0));
  pa_scalar scalar = scalar_of(call, 0);
  add_argument(call, 0, scalar == PA_BOOL ? scalar_type(call, PA_I64) : call->arguments[0].type);
  return finish_scalar(call, scalar == PA_C64    ? PA_F32
                             : scalar == PA_C128 ? PA_F64
                             : scalar == PA_BOOL ? PA_I64
                                                 : scalar);
}

// bool(text): its length is not 0.
static pa_status type_text_truth(pa_rule_call *call) {
  call->plan->builtin = pa_builtin_find(mlirStringRefCreateFromCString("str.truth"));
  add_argument(call, 0, call->arguments[0].type);
  return finish_scalar(call, PA_BOOL);
}

static pa_status type_bool(pa_rule_call *call) {
  if (!given(call, 0)) return type_cast_bool(call);
  pa_fact truth;
  PA_TRY(pa_type_truth(call->typing, call->arguments[0], &truth));
  if (mlirAttributeIsNull(truth.literal) && pa_is_text(call->arguments[0].type)) return type_text_truth(call);
  if (mlirAttributeIsNull(truth.literal) && pa_container_of(call->arguments[0].type) != PA_NO_CONTAINER) {
    add_argument(call, 0, call->arguments[0].type);
    call->plan->builtin = pa_builtin_find(pa_ref("object.truth"));
    return finish_scalar(call, PA_BOOL);
  }
  if (mlirAttributeIsNull(truth.literal) && pyarrayTypeIsArray(call->arguments[0].type)) { // of its one element
    call->plan->kind = PA_PLAN_CAST;
    add_argument(call, 0, call->arguments[0].type);
    return finish_scalar(call, PA_BOOL);
  }
  if (mlirAttributeIsNull(truth.literal)) return type_cast_bool(call);
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = truth.literal;
  return finish(call, truth.type);
}

static pa_status type_complex(pa_rule_call *call) {
  if (!given(call, 0)) return type_cast_c128(call);
  PA_TRY(need_number(call, 0));
  if (!given(call, 1)) return type_cast_to(call, scalar_of(call, 0) == PA_C64 ? PA_C64 : PA_C128);
  PA_TRY(need_real(call, 0));
  PA_TRY(need_real(call, 1));
  pa_scalar part = real_of(call, 2) == PA_F64 ? PA_F64 : PA_F32;
  finish_as(call, 2, part);
  return finish_scalar(call, part == PA_F32 ? PA_C64 : PA_C128);
}

static pa_status type_int(pa_rule_call *call) {
  if (given(call, 1) || (given(call, 0) && pa_is_text(call->arguments[0].type))) return pa_type_number_of_text(call);
  if (!given(call, 0)) return type_cast_i64(call);
  PA_TRY(need_real(call, 0));
  pa_scalar scalar = scalar_of(call, 0);
  if (!pa_is_float(scalar)) return type_cast_to(call, pa_is_unsigned(scalar) ? PA_U64 : PA_I64);
  add_argument(call, 0, call->arguments[0].type);
  return finish_scalar(call, PA_I64);
}

static pa_status type_divmod(pa_rule_call *call) {
  pa_operator division;
  PA_TRY(pa_type_binary(call->typing, PYARRAY_BINARY_FLOORDIV, call->arguments[0], call->arguments[1], &division));
  add_argument(call, 0, division.lhs);
  add_argument(call, 1, division.rhs);
  MlirType parts[] = {division.result, division.result};
  return finish(call, mlirTupleTypeGet(call->typing->context, 2, parts));
}

static pa_status type_len(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  MlirType result = scalar_type(call, PA_I64);
  if (mlirTypeIsATuple(type)) {
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = mlirIntegerAttrGet(result, mlirTupleTypeGetNumTypes(type));
    return finish(call, result);
  }
  if (pa_is_records(type) && pa_records_rank(type) > 0)
    return add_argument(call, 0, pa_erased_type(type)), finish(call, result);
  if (pa_is_view_tag(type))
    return add_operand(call, 0, 0, (MlirAttribute){NULL}, mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(type), 0)),
           finish(call, result);
  bool array = pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > 0;
  if (!array && !pyarrayTypeIsRange(type) && pa_container_of(type) == PA_NO_CONTAINER && !pa_is_text(type) &&
      !pyarrayTypeIsBytearray(type))
    return wrong_type(call, 0, "an array, tuple or range");
  add_argument(call, 0, type);
  return finish(call, result);
}

// The type of the least (or greatest) of numbers of two types. That of an int64 that may be
// negative and a uint64 is always an int64 (a uint64).
static pa_scalar minmax_type(const pa_rule_call *call, pa_fact lhs, pa_fact rhs) {
  pa_scalar a = pa_scalar_of(lhs.type), b = pa_scalar_of(rhs.type);
  if (!pa_are_mixed(a, b)) return pa_promote(a, b);
  if (!pa_is_sign_unknown(lhs, rhs)) return PA_U64;
  pa_note_unknown_sign(call->typing, NULL);
  return strcmp(call->builtin->target, "max") == 0 ? PA_U64 : PA_I64;
}

// Operands have the type of the result, but a uint64 beside an int64 and the like keep their sign.
static MlirType minmax_operand(const pa_rule_call *call, pa_fact argument, pa_scalar result) {
  pa_scalar operand = pa_scalar_of(argument.type);
  if (pa_is_natural(argument) && result == PA_U64) return scalar_type(call, PA_U64);
  if (result == PA_I64 && operand == PA_U64) return scalar_type(call, PA_U64);
  return scalar_type(call, result == PA_U64 && pa_is_signed(operand) ? PA_I64 : result);
}

// Of which more arguments are to come.
static pa_fact minmax_fact(const pa_rule_call *call, pa_fact a, pa_fact b) {
  bool a_natural = pa_is_natural(a), b_natural = pa_is_natural(b), greatest = strcmp(call->builtin->target, "max") == 0;
  pa_fact both = pa_fact_of(scalar_type(call, minmax_type(call, a, b)));
  return pa_with_signs(both, greatest ? a_natural || b_natural : a_natural && b_natural);
}

static pa_fact element_of(pa_fact tuple, intptr_t index) {
  return pa_with_signs(pa_fact_of(mlirTupleTypeGetType(tuple.type, index)),
                       pa_signs_of_element(tuple.type, pa_signs_of(tuple), index));
}

static pa_status type_minmax_of_tuple(pa_rule_call *call) {
  MlirType tuple = call->arguments[0].type;
  intptr_t count = mlirTupleTypeGetNumTypes(tuple);
  if (count == 0) return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s() of an empty tuple", call->builtin->name);
  pa_fact all = element_of(call->arguments[0], 0);
  for (intptr_t i = 0; i < count; ++i) {
    pa_scalar scalar = pa_scalar_of(mlirTupleTypeGetType(tuple, i));
    if (scalar == PA_NOT_SCALAR || pa_is_complex(scalar)) return wrong_type(call, 0, "a tuple of real numbers");
    all = minmax_fact(call, all, element_of(call->arguments[0], i));
  }
  pa_scalar result = pa_scalar_of(all.type);
  for (intptr_t i = 0; i < count; ++i)
    add_operand(call, 0, (int)i, (MlirAttribute){NULL},
                minmax_operand(call, element_of(call->arguments[0], i), result));
  return finish_scalar(call, result);
}

static pa_status type_minmax(pa_rule_call *call) {
  if (call->count == 1 && mlirTypeIsATuple(call->arguments[0].type)) return type_minmax_of_tuple(call);
  if (call->count == 1) return wrong_type(call, 0, "a tuple, or two numbers");
  if (call->count == 0)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s() needs an argument", call->builtin->name);
  pa_fact all = call->arguments[0];
  for (int i = 0; i < call->count; ++i) {
    PA_TRY(need_real(call, i));
    all = minmax_fact(call, all, call->arguments[i]);
  }
  pa_scalar result = pa_scalar_of(all.type);
  for (int i = 0; i < call->count; ++i) add_argument(call, i, minmax_operand(call, call->arguments[i], result));
  return finish_scalar(call, result);
}

// Each operand is an int64 or a uint64, the result is of the modulus's type.
static pa_status type_power_of_rest(pa_rule_call *call) {
  pa_scalar scalar = PA_I64;
  for (int i = 0; i < 3; ++i) {
    PA_TRY(need_integer(call, i));
    scalar = scalar_of(call, i) == PA_U64 ? PA_U64 : PA_I64;
    add_argument(call, i, scalar_type(call, scalar));
  }
  return finish_scalar(call, scalar);
}

static pa_status type_pow(pa_rule_call *call) {
  pa_operator power;
  if (given(call, 2)) return type_power_of_rest(call);
  PA_TRY(pa_type_binary(call->typing, PYARRAY_BINARY_POW, call->arguments[0], call->arguments[1], &power));
  add_argument(call, 0, power.lhs);
  add_argument(call, 1, power.rhs);
  return finish(call, power.result);
}

// Three operands: start, stop, step. Those of type uint64 follow once more as they are, since they may exceed int64.
static pa_status type_range(pa_rule_call *call) {
  if (call->count < 1 || call->count > 3)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "range expected 1 to 3 arguments, got %d", call->count);
  for (int i = 0; i < call->count; ++i) PA_TRY(need_integer(call, i));
  MlirType type = scalar_type(call, PA_I64);
  if (call->count == 1) add_int(call, 0);
  for (int i = 0; i < call->count; ++i) add_argument(call, i, type);
  if (call->count < 3) add_int(call, 1);
  for (int i = 0; i < call->count; ++i)
    if (scalar_of(call, i) == PA_U64) add_argument(call, i, call->arguments[i].type);
  return finish(call, pyarrayRangeTypeGet(call->typing->context));
}

// slice(stop), slice(start, stop, step): parts are integers or None.
static pa_status type_slice(pa_rule_call *call) {
  MlirType parts[3], none = pyarrayNoneTypeGet(call->typing->context);
  bool alone = !given(call, 1);
  for (int i = 0; i < 3; ++i) {
    int argument = alone ? i - 1 : i;
    bool left_out = argument < 0 || !given(call, argument) || pyarrayTypeIsNone(call->arguments[argument].type);
    if (!left_out) PA_TRY(need_integer(call, argument));
    parts[i] = left_out ? none : scalar_type(call, PA_I64);
    if (!left_out) add_argument(call, argument, parts[i]);
  }
  return finish(call, pyarraySliceTypeGet(parts[0], parts[1], parts[2]));
}

static pa_status type_round(pa_rule_call *call) {
  PA_TRY(need_real(call, 0));
  bool digits = given(call, 1) && !pyarrayTypeIsNone(call->arguments[1].type);
  if (!pa_is_float(scalar_of(call, 0)) && !digits)
    return type_cast_to(call, pa_is_unsigned(scalar_of(call, 0)) ? PA_U64 : PA_I64);
  MlirType type = pa_is_float(scalar_of(call, 0)) ? call->arguments[0].type : scalar_type(call, PA_I64);
  add_argument(call, 0, type);
  if (!digits) return finish_scalar(call, PA_I64);
  PA_TRY(need_integer(call, 1));
  add_argument(call, 1, scalar_type(call, PA_I64));
  return finish(call, type);
}

static pa_status type_part(pa_rule_call *call) {
  PA_TRY(need_number(call, 0));
  pa_scalar scalar = scalar_of(call, 0);
  add_argument(call, 0, call->arguments[0].type);
  return finish_scalar(call, scalar == PA_C64 ? PA_F32 : scalar == PA_C128 ? PA_F64 : scalar);
}

//===-- Arrays ------------------------------------------------------------------------------------===//

static bool has_dtype(const pa_rule_call *call, int i) {
  return given(call, i) && !pyarrayTypeIsNone(call->arguments[i].type);
}

// Argument |i| is a shape.
static pa_status add_extents(pa_rule_call *call, int i, intptr_t *out_rank) {
  MlirType shape = call->arguments[i].type, extent = scalar_type(call, PA_I64);
  if (!mlirTypeIsATuple(shape)) {
    PA_TRY(need_integer(call, i));
    add_argument(call, i, extent);
    return *out_rank = 1, PA_OK;
  }
  *out_rank = mlirTupleTypeGetNumTypes(shape);
  if (*out_rank > 32)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "maximum supported dimension for an array is 32");
  for (intptr_t axis = 0; axis < *out_rank; ++axis) {
    pa_scalar scalar = pa_scalar_of(mlirTupleTypeGetType(shape, axis));
    if (scalar != PA_BOOL && !pa_is_integer(scalar)) return wrong_type(call, i, "an integer or a tuple of integers");
    add_operand(call, i, (int)axis, (MlirAttribute){NULL}, extent);
  }
  return PA_OK;
}

static bool is_full(const pa_rule_call *call) { return strcmp(call->builtin->target, "full") == 0; }

// np.full's fill value decides the dtype when none is given.
static pa_status array_element(pa_rule_call *call, MlirType otherwise, MlirType *out_element) {
  int dtype = is_full(call) ? 2 : 1;
  *out_element = otherwise;
  if (has_dtype(call, dtype)) PA_TRY(pa_dtype_argument(call, dtype, out_element));
  return is_full(call) ? pa_check_castable(call->typing, call->arguments[1].type, *out_element, call->builtin->name)
                       : PA_OK;
}

static pa_status need_fill_value(const pa_rule_call *call) {
  return is_full(call) && !pa_is_time(call->arguments[1].type) ? need_number(call, 1) : PA_OK;
}

pa_status pa_finish_records(pa_rule_call *call, intptr_t rank, const char *code) {
  MlirType result = pa_records_type(call->typing->context, code, rank, PYARRAY_LAYOUT_C, false);
  if (mlirTypeIsNull(result))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "maximum supported dimension for an array of records is 31");
  return finish(call, result);
}

// Of records: their bytes are one more axis, whose extent follows those of the array; there is no value to fill them
// with but zero.
static pa_status finish_records(pa_rule_call *call, intptr_t rank, const char *code) {
  if (is_full(call) || strcmp(call->builtin->target, "ones") == 0)
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED,
                          "%s() of records is not compiled\nhint: make them by np.zeros and store to their fields",
                          call->builtin->name);
  return pa_finish_records(call, rank, code);
}

// The order that argument |i| asks for, a literal.
static pa_status asked_layout(const pa_rule_call *call, int i, intptr_t rank, pyarray_layout *out) {
  *out = PYARRAY_LAYOUT_C;
  if (!given(call, i)) return PA_OK;
  MlirAttribute literal = call->arguments[i].literal;
  MlirStringRef text =
      !mlirAttributeIsNull(literal) && mlirAttributeIsAString(literal) ? mlirStringAttrGetValue(literal) : pa_ref("");
  if (!pa_ref_equal(text, "C") && !pa_ref_equal(text, "F")) return wrong_type(call, i, "the order \"C\" or \"F\"");
  if (*text.data == 'F' && rank > 1) *out = PYARRAY_LAYOUT_F;
  return PA_OK;
}

static pa_status type_new_array(pa_rule_call *call) {
  pyarray_layout layout;
  MlirType element;
  intptr_t rank;
  PA_TRY(need_fill_value(call));
  PA_TRY(array_element(call, is_full(call) ? call->arguments[1].type : scalar_type(call, PA_F64), &element));
  PA_TRY(add_extents(call, 0, &rank));
  PA_TRY(asked_layout(call, is_full(call) ? 3 : 2, rank, &layout));
  if (pa_is_record(element)) {
    if (layout != PYARRAY_LAYOUT_C) return wrong_type(call, 2, "the order \"C\", where elements are records");
    add_int(call, pyarrayArrayTypeGetExtent(pyarrayTaggedTypeGetItem(element), 0));
    return finish_records(call, rank, pa_item_code_of(call->typing->arena, element));
  }
  if (is_full(call)) add_argument(call, 1, element);
  return finish(call, pa_array_type(call->typing->context, rank, element, layout, false));
}

// Of a new array in the order of another.
static pyarray_layout layout_like(MlirType array) {
  pyarray_layout layout = pyarrayArrayTypeGetLayout(array);
  return layout == PYARRAY_LAYOUT_A ? PYARRAY_LAYOUT_C : layout;
}

static pa_status type_new_array_like(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  if (pa_is_records(array) && !has_dtype(call, 1))
    return add_argument(call, 0, pa_erased_type(array)),
           finish_records(call, pa_records_rank(array), pa_item_code_of(call->typing->arena, array));
  if (!pyarrayTypeIsArray(array)) return wrong_type(call, 0, "an array");
  MlirType element;
  PA_TRY(need_fill_value(call));
  PA_TRY(array_element(call, pyarrayArrayTypeGetElement(array), &element));
  if (pa_is_record(element)) return wrong_type(call, 1, "a dtype of numbers, where the prototype has numbers");
  add_argument(call, 0, array);
  if (is_full(call)) add_argument(call, 1, element);
  return finish(
      call, pa_array_type(call->typing->context, pyarrayArrayTypeGetRank(array), element, layout_like(array), false));
}

// np.copy keeps the order ("K"), the method does not ("C").
static pa_status type_copy(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  if (pa_is_records(array))
    return add_argument(call, 0, pa_erased_type(array)),
           pa_finish_records(call, pa_records_rank(array), pa_item_code_of(call->typing->arena, array));
  if (!pyarrayTypeIsArray(array)) return wrong_type(call, 0, "an array");
  add_argument(call, 0, array);
  pyarray_layout layout = *call->builtin->target == 'K' ? layout_like(array) : PYARRAY_LAYOUT_C;
  return finish(call, pa_array_type(call->typing->context, pyarrayArrayTypeGetRank(array),
                                    pyarrayArrayTypeGetElement(array), layout, false));
}

static pa_status type_item(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  if (!pyarrayTypeIsArray(array)) return wrong_type(call, 0, "an array");
  add_argument(call, 0, array);
  return finish(call, pyarrayArrayTypeGetElement(array));
}

//===-- C pointers --------------------------------------------------------------------------------===//

// What a pointer points to; a dtype is needed for void *, and must agree with any other pointer's.
static pa_status foreign_element(const pa_rule_call *call, MlirType *out_element) {
  MlirType pointer = call->arguments[0].type, pointee = pyarrayPointerTypeGetPointee(pointer);
  bool is_void = pyarrayTypeIsNone(pointee);
  *out_element = pointee;
  if (has_dtype(call, 2)) {
    PA_TRY(pa_dtype_argument(call, 2, out_element));
    if (pa_scalar_of(*out_element) == PA_NOT_SCALAR && !pa_is_record(*out_element))
      return wrong_type(call, 2, "a dtype of numbers or of records");
  }
  if (pyarrayTypeIsNone(*out_element))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: a dtype is needed, since %s says nothing of the elements",
                          call->builtin->name, text_of(call, pointer));
  if (is_void || mlirTypeEqual(pointee, *out_element)) return PA_OK;
  return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: the dtype %s does not fit the pointer, %s",
                        call->builtin->name, text_of(call, *out_element), text_of(call, pointer));
}

static pa_status type_foreign_array(pa_rule_call *call) {
  MlirType pointer = call->arguments[0].type;
  MlirType element;
  intptr_t rank;
  if (!pyarrayTypeIsPointer(pointer))
    return wrong_type(call, 0, "a C pointer, such as a cfunc has for CPointer(float64)");
  PA_TRY(foreign_element(call, &element));
  add_argument(call, 0, pa_erased_type(pointer));
  PA_TRY(add_extents(call, 1, &rank));
  bool reversed = *call->builtin->target == 'F';
  if (!pa_is_record(element))
    return finish(call, pa_array_type(call->typing->context, rank, element,
                                      reversed ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C, false));
  const char *code = pa_item_code_of(call->typing->arena, element);
  return finish(call, pa_records_type(call->typing->context, code, rank,
                                      reversed && rank > 1 ? PYARRAY_LAYOUT_A : PYARRAY_LAYOUT_C, false));
}

//===-- Random ------------------------------------------------------------------------------------===//

static pa_status type_random(pa_rule_call *call) { return finish_scalar(call, PA_F64); }

static pa_status type_seed(pa_rule_call *call) {
  PA_TRY(need_integer(call, 0));
  add_argument(call, 0, scalar_type(call, PA_I64));
  return finish(call, pyarrayNoneTypeGet(call->typing->context));
}

//===-- Threads -----------------------------------------------------------------------------------===//

static pa_status type_threads(pa_rule_call *call) { return finish_scalar(call, PA_I64); }

static pa_status type_set_threads(pa_rule_call *call) {
  PA_TRY(type_ints(call, 1));
  return finish(call, pyarrayNoneTypeGet(call->typing->context));
}

//===-- Table -------------------------------------------------------------------------------------===//

static const pa_typing_rule_row rules[] = {
    {"REAL1", type_real1},
    {"REAL2", type_real2},
    {"REAL3", type_real3},
    {"COMPLEX1", type_complex1},
    {"SAME1", type_same1},
    {"TEST1", type_test1},
    {"REAL_TEST1", type_real_test1},
    {"WHOLE", type_whole},
    {"RECIPROCAL", type_reciprocal},
    {"FLOOR", type_floor},
    {"INT1", type_int1},
    {"INT2", type_int2},
    {"INT_MANY", type_int_many},
    {"CAST_BOOL", type_cast_bool},
    {"CAST_I8", type_cast_i8},
    {"CAST_I16", type_cast_i16},
    {"CAST_I32", type_cast_i32},
    {"CAST_I64", type_cast_i64},
    {"CAST_U8", type_cast_u8},
    {"CAST_U16", type_cast_u16},
    {"CAST_U32", type_cast_u32},
    {"CAST_U64", type_cast_u64},
    {"CAST_BF16", type_cast_bf16},
    {"CAST_F16", type_cast_f16},
    {"CAST_F32", type_cast_f32},
    {"CAST_F64", type_cast_f64},
    {"CAST_C64", type_cast_c64},
    {"CAST_C128", type_cast_c128},
    {"ABS", type_abs},
    {"BOOL", type_bool},
    {"COMPLEX", type_complex},
    {"DIVMOD", type_divmod},
    {"INT", type_int},
    {"LEN", type_len},
    {"MINMAX", type_minmax},
    {"POW", type_pow},
    {"RANGE", type_range},
    {"SLICE", type_slice},
    {"ROUND", type_round},
    {"ULP", type_real1},
    {"PART", type_part},
    {"NEW_ARRAY", type_new_array},
    {"NEW_ARRAY_LIKE", type_new_array_like},
    {"COPY", type_copy},
    {"ITEM", type_item},
    {"FOREIGN_ARRAY", type_foreign_array},
    {"RANDOM", type_random},
    {"SEED", type_seed},
    {"THREADS", type_threads},
    {"SET_THREADS", type_set_threads},
    {NULL, NULL},
};

static pa_typing_rule find_rule(const char *name) {
  const pa_typing_rule_row *tables[] = {rules,
                                        pa_math_typing,
                                        pa_complex_typing,
                                        pa_numpy_typing,
                                        pa_time_typing,
                                        pa_device_typing,
                                        pa_library_typing,
                                        pa_list_typing,
                                        pa_dict_typing,
                                        pa_iterate_typing,
                                        pa_text_typing,
                                        pa_memoryview_typing,
                                        pa_dtype_typing,
                                        pa_native_typing,
                                        pa_typed_typing,
                                        pa_equality_typing,
                                        pa_numpy_loop_typing,
                                        pa_view_typing};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
    for (const pa_typing_rule_row *row = tables[i]; row->name; ++row)
      if (strcmp(row->name, name) == 0) return row->rule;
  return NULL;
}

static int operand_bound(const pa_fact *arguments, int count) {
  int bound = 4 + 2 * count;
  for (int i = 0; i < count; ++i)
    if (!pa_is_bottom(arguments[i]) && mlirTypeIsATuple(arguments[i].type))
      bound += (int)mlirTupleTypeGetNumTypes(arguments[i].type);
  return bound;
}

// Lowering rules of functions that are computed in float32 where their operands are float16 or bfloat16; what they give
// is rounded.
static const char *const single_rules[] = {"MATH",     "LIBM",  "BY_PARTS",    "SCALE",     "LOG",
                                           "MATH_POW", "HYPOT", "LDEXP",       "LOGADDEXP", "POWER",
                                           "FMOD",     "RECT",  "DEVICE_CALL", "MATCH_ALL"};
// Save those of them that have one exact value, which rounding twice might miss.
static const char *const exact_targets[] = {"math.fma", "nextafter"};

static bool is_among(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static void widen_halves(pa_call_plan *plan) {
  const pa_builtin *builtin = plan->builtin;
  if (plan->kind != PA_PLAN_BUILTIN ||
      !is_among(single_rules, sizeof single_rules / sizeof *single_rules, builtin->lowering) ||
      is_among(exact_targets, sizeof exact_targets / sizeof *exact_targets, builtin->target))
    return;
  for (int i = 0; i < plan->operand_count; ++i)
    if (pa_is_half(pa_scalar_of(plan->operands[i])))
      plan->operands[i] = mlirF32TypeGet(mlirTypeGetContext(plan->operands[i]));
  if (pa_is_half(pa_scalar_of(plan->result))) plan->computed = mlirF32TypeGet(mlirTypeGetContext(plan->result));
}

// Those that were adopted with another value.
static void take_literals(const pa_rule_call *call, const pa_fact *given_arguments) {
  for (int i = 0; call->arguments != given_arguments && i < call->plan->operand_count; ++i) {
    int argument = call->plan->sources[i].argument;
    if (argument < 0 || mlirAttributeEqual(call->arguments[argument].literal, given_arguments[argument].literal))
      continue;
    call->plan->sources[i] = (pa_source){-1, -1, call->arguments[argument].literal};
  }
}

pa_status pa_type_builtin(const pa_typing *typing, const pa_builtin *builtin, const pa_fact *arguments, int count,
                          pa_call_plan *out_plan) {
  int bound = operand_bound(arguments, count);
  *out_plan = (pa_call_plan){.kind = PA_PLAN_BUILTIN, .builtin = builtin};
  out_plan->sources = PA_NEW_ARRAY(typing->arena, pa_source, bound);
  out_plan->operands = PA_NEW_ARRAY(typing->arena, MlirType, bound);
  pa_rule_call call = {typing, builtin, arguments, count, out_plan};
  pa_typing_rule rule = pa_find_time_rule(&call);
  if (!rule) {
    rule = find_rule(builtin->typing);
    PA_TRY(pa_adopt_literals(&call, &call.arguments));
  }
  if (rule) {
    PA_TRY(rule(&call));
    take_literals(&call, arguments);
    return widen_halves(out_plan), PA_OK;
  }
  return pa_typing_fail(typing, PA_CODE_INTERNAL, "builtin %s has no typing rule %s", builtin->name, builtin->typing);
}
