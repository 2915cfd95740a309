// Of pyarray-lower: raises, and the values that an exception is made of.
#include "lower_items.h"
#include "lower_numbers.h"

// The literal that |value| is, seen through casts that leave a number as it is; null if it is none.
static MlirAttribute literal_of(pa_lowering *lower, MlirValue value) {
  MlirOperation op = pa_definition(value);
  pa_op_kind kind = mlirOperationIsNull(op) ? PA_OP_OTHER : pa_kind(&lower->names, op);
  if (kind == PA_OP_CONSTANT) return pa_get_attr(op, "value");
  if (kind != PA_OP_CAST) return mlirAttributeGetNull();
  pa_scalar to = pa_scalar_of_value(value), from = pa_scalar_of_value(pa_operand(op, 0));
  return to == PA_NOT_SCALAR || to == from ? literal_of(lower, pa_operand(op, 0)) : mlirAttributeGetNull();
}

typedef struct value_list {
  MlirValue items[PA_MAX_ERROR_VALUES];
  int count;
  uint64_t handles; // as in pa_raised_error
} value_list;

static void add_value(pa_lowering *lower, value_list *list, MlirValue value) {
  if (list->count < PA_MAX_ERROR_VALUES)
    list->items[list->count++] = value;
  else
    pa_lower_fail(lower, "an exception with more than %d computed numbers cannot be compiled", PA_MAX_ERROR_VALUES);
}

static MlirValue bits_of(pa_lowering *lower, MlirValue value, pa_scalar scalar) {
  if (pa_is_float(scalar)) {
    MlirValue wide = scalar == PA_F64 ? value : pa_convert(lower, "arith.extf", value, lower->f64);
    return pa_convert(lower, "arith.bitcast", wide, lower->i64);
  }
  if (pa_scalar_bytes(scalar) == 8) return value;
  return pa_convert(lower, pa_is_signed(scalar) ? "arith.extsi" : "arith.extui", value, lower->i64);
}

// Appends the scalars of a value whose flattened ones begin at |*items|.
static void add_scalars(pa_lowering *lower, value_list *list, MlirType type, const MlirValue **items) {
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      add_scalars(lower, list, mlirTupleTypeGetType(type, i), items);
    return;
  }
  pa_scalar scalar = pa_scalar_of(type);
  if (pa_is_text(type)) {
    if (list->count < 64)
      list->handles |= (uint64_t)1 << list->count;
    else
      pa_lower_fail(lower, "an exception with str after more than 64 computed numbers cannot be compiled");
    MlirValue handle = *(*items)++;
    pa_runtime(lower, "pyarray_rt_retain", handle);
    return add_value(lower, list, handle);
  }
  if (scalar == PA_NOT_SCALAR) { // None; type inference has refused the rest
    if (!pyarrayTypeIsNone(type))
      pa_lower_fail(lower, "an exception's argument of type %s cannot be lowered", pa_type_text(lower->arena, type));
    return;
  }
  MlirValue value = *(*items)++;
  if (!pa_is_complex(scalar)) return add_value(lower, list, bits_of(lower, value, scalar));
  pa_scalar part = scalar == PA_C64 ? PA_F32 : PA_F64;
  add_value(lower, list, bits_of(lower, pa_real_part(lower, value), part));
  add_value(lower, list, bits_of(lower, pa_imag_part(lower, value), part));
}

// A literal; a type, for a value that is computed, whose scalars are appended; an array of these, for a tuple made in
// place.
static MlirAttribute argument_of(pa_lowering *lower, MlirValue value, value_list *values) {
  MlirAttribute literal = literal_of(lower, value);
  MlirOperation made = pa_definition(value);
  if (!mlirAttributeIsNull(literal)) return literal;
  if (!mlirOperationIsNull(made) && pa_kind(&lower->names, made) == PA_OP_TUPLE) {
    intptr_t count = mlirOperationGetNumOperands(made);
    MlirAttribute *elements = PA_NEW_ARRAY(lower->arena, MlirAttribute, count + 1);
    for (intptr_t i = 0; i < count; ++i) elements[i] = argument_of(lower, pa_operand(made, i), values);
    return mlirArrayAttrGet(lower->context, count, elements);
  }
  const MlirValue *items = pa_get(lower, value).items;
  add_scalars(lower, values, mlirValueGetType(value), &items);
  return mlirTypeAttrGet(mlirValueGetType(value));
}

static pa_raised_error error_of(pa_lowering *lower, MlirOperation op, value_list *values) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirAttribute *arguments = PA_NEW_ARRAY(lower->arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) arguments[i] = argument_of(lower, pa_operand(op, i), values);
  const char *exception = pa_attr_text(lower->arena, pa_get_attr(op, "exception"));
  return (pa_raised_error){exception,     pa_get_attr(op, "bases"), arguments, (int)count, values->items,
                           values->count, values->handles,          {NULL}};
}

void pa_lower_raise(pa_lowering *lower, MlirOperation op) {
  value_list values = {.count = 0};
  pa_raised_error error = error_of(lower, op, &values);
  pa_raise_error(lower, &error);
}

void pa_raise_value_if(pa_lowering *lower, MlirValue condition, const char *exception, MlirValue value) {
  value_list values = {.count = 0};
  pa_scope scope = pa_if_begin(lower);
  MlirAttribute argument = argument_of(lower, value, &values);
  pa_raise_error(
      lower, &(pa_raised_error){exception, {NULL}, &argument, 1, values.items, values.count, values.handles, {NULL}});
  pa_if_end(lower, scope, condition);
}

void pa_lower_cause(pa_lowering *lower, MlirOperation op) {
  lower->has_cause = true;
  value_list values = {.count = 0};
  MlirValue zero = pa_int(lower, lower->i64, 0);
  if (mlirAttributeIsNull(pa_get_attr(op, "exception"))) {
    pa_runtime(lower, "pyarray_rt_cause", mlirOperationGetNumOperands(op) ? pa_get1(lower, pa_operand(op, 0)) : zero);
    return;
  }
  pa_raised_error error = error_of(lower, op, &values);
  MlirValue address = values.count ? pa_put_on_stack(lower, values.items, values.count) : zero;
  pa_runtime(lower, "pyarray_rt_new_cause", pa_raise_site_of(lower, &error), address,
             pa_int(lower, lower->i64, values.count), pa_int(lower, lower->i64, (int64_t)values.handles));
}
