// Methods as values, in pyarray-infer-types: of an object, which the value has captured, and of a class, whose first
// argument is the object.
//
//   %f = pyarray.getattr %xs "append"      func.func @"bound append"(%self, %arguments, %keywords) { pyarray.method
//   %self "append"(*%arguments, **%keywords) }
//                                          %f = pyarray.closure @"bound append"(%xs)
//   %g = pyarray.getattr %str "lower"      %g = pyarray.callable @"builtins.str.lower", which calls that method of the
//   class
#include <string.h>

#include "infer_calls.h"

static const struct {
  const char *name, *function;
} special[] = {
    {"__add__", "operator.add"},         {"__and__", "operator.and_"},        {"__contains__", "operator.contains"},
    {"__delitem__", "operator.delitem"}, {"__eq__", "operator.eq"},           {"__floordiv__", "operator.floordiv"},
    {"__ge__", "operator.ge"},           {"__getitem__", "operator.getitem"}, {"__gt__", "operator.gt"},
    {"__invert__", "operator.invert"},   {"__le__", "operator.le"},           {"__len__", "operator._length"},
    {"__lshift__", "operator.lshift"},   {"__lt__", "operator.lt"},           {"__mod__", "operator.mod"},
    {"__mul__", "operator.mul"},         {"__ne__", "operator.ne"},           {"__neg__", "operator.neg"},
    {"__or__", "operator.or_"},          {"__pos__", "operator.pos"},         {"__pow__", "operator.pow"},
    {"__rshift__", "operator.rshift"},   {"__setitem__", "operator.setitem"}, {"__sub__", "operator.sub"},
    {"__truediv__", "operator.truediv"}, {"__xor__", "operator.xor"},
};

const char *pa_special_function(const char *name) {
  for (size_t i = 0; i < sizeof special / sizeof *special; ++i)
    if (strcmp(name, special[i].name) == 0) return special[i].function;
  return NULL;
}

// The function |symbol|: a call of the method |name| of |class|, or, where that is null, of its first parameter.
static pa_status make_function(pa_class_operation *o, const char *symbol, MlirAttribute name, MlirAttribute class) {
  pa_inference *inference = o->inference;
  if (!mlirOperationIsNull(pa_lookup(inference->module, pa_ref(symbol)))) return PA_OK;
  MlirType any = pyarrayAnyTypeGet(inference->context), parameters[] = {any, any, any};
  MlirLocation location = mlirOperationGetLocation(o->op);
  MlirBlock body;
  MlirRegion region = pa_region(location, parameters, 3, &body);
  pa_builder at = {.context = inference->context, .block = body, .location = location};
  MlirValue operands[4];
  int count = 0;
  if (!mlirAttributeIsNull(class))
    operands[count++] = pa_value(&at, PA_OP_NAME(CALLABLE), PA_RESULTS(any), PA_ATTRS({"name", class}));
  for (int i = 0; i < 3; ++i) operands[count++] = mlirBlockGetArgument(body, i);
  int64_t spread = count - 2, mapping = count - 1;
  MlirValue result = pa_value(&at, PA_OP_NAME(METHOD), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(any),
                              PA_ATTRS({"name", name}, {"spread", mlirDenseI64ArrayGet(inference->context, 1, &spread)},
                                       {"pyarray.mappings", mlirDenseI64ArrayGet(inference->context, 1, &mapping)}));
  if (!at.failure) pa_op(&at, PA_OP_NAME(RETURN), PA_OPERANDS(result));
  pa_status failure = pa_add_function(inference, o->instance, location, symbol, region, 3,
                                      (const char *const[]){"self", "arguments", "keywords"},
                                      mlirAttributeIsNull(class) ? "c*w" : "o*w");
  return pa_status_join(at.failure, failure);
}

// str.lower
static pa_status bind_nothing(pa_class_operation *o, MlirType class) {
  MlirAttribute name = pa_get_attr(o->op, "name"), of = pyarrayCallableTypeGetName(class);
  const char *symbol = pa_arena_format(o->inference->arena, "%s.%s", pa_attr_text(o->inference->arena, of),
                                       pa_attr_text(o->inference->arena, name));
  PA_TRY(make_function(o, symbol, name, of));
  MlirType function = pyarrayCallableTypeGet(pa_symbol_attr(o->inference->context, symbol));
  o->plan->kind = PA_CLASS_CONSTANT;
  o->plan->result = function;
  return o->plan->constant = mlirTypeAttrGet(function), PA_OK;
}

// xs.append
static pa_status bind_object(pa_class_operation *o, MlirValue object) {
  MlirAttribute name = pa_get_attr(o->op, "name");
  const char *symbol = pa_arena_format(o->inference->arena, "bound %s", pa_attr_text(o->inference->arena, name));
  MlirValue *values = PA_NEW_ARRAY(o->inference->arena, MlirValue, 1);
  MlirType type = pa_fact_get(o->inference, o->instance, object).type;
  PA_TRY(make_function(o, symbol, name, mlirAttributeGetNull()));
  values[0] = object;
  o->plan->kind = PA_CLASS_TUPLE;
  o->plan->values = values;
  o->plan->element = 1;
  o->plan->site = pa_captured_site(o->inference, o->instance, values, 1);
  return o->plan->result = pyarrayTaggedTypeGet(pa_ref("function"), pa_symbol_attr(o->inference->context, symbol),
                                                mlirTupleTypeGet(o->inference->context, 1, &type)),
         PA_OK;
}

pa_status pa_bind_method(pa_class_operation *o) {
  MlirValue object = mlirOperationGetOperand(o->op, 0);
  MlirType type = pa_fact_get(o->inference, o->instance, object).type;
  const char *name = pa_attr_text(o->inference->arena, pa_get_attr(o->op, "name"));
  if (mlirTypeIsNull(type)) return PA_OK;
  const char *family = pa_class_family(o->inference, type, name);
  if (family)
    return pa_builtin_find(pa_ref(pa_arena_format(o->inference->arena, "%s.%s", family, name))) ||
                   pa_special_function(name)
               ? bind_nothing(o, type)
               : PA_OK;
  bool optional = pyarrayTypeIsOptional(type);
  if (!pa_has_method(o->inference, optional ? pyarrayTypeGetItem(type) : type, name)) return PA_OK;
  if (optional)
    object = pa_make_present(o->inference, o->instance, o->op, object, "AttributeError",
                             pa_arena_format(o->inference->arena, "'NoneType' object has no attribute '%s'", name));
  return bind_object(o, object);
}

// Of instances, records and the like attributes come before methods: those who know them ask pa_bind_method.
static bool has_attributes_of_its_own(MlirType type) {
  return pyarrayTypeIsObject(type) || pa_is_named(type) || pa_is_memoryview(type) || pa_is_random(type) ||
         pa_is_records(type) || pa_is_tagged(type, "record") || pa_is_vector(type) || pyarrayTypeIsException(type);
}

pa_status pa_plan_bound_method(pa_class_operation *o) {
  MlirType type = o->kind == PA_OP_GETATTR
                      ? pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)).type
                      : (MlirType){NULL};
  if (mlirTypeIsNull(type) || has_attributes_of_its_own(pyarrayTypeIsOptional(type) ? pyarrayTypeGetItem(type) : type))
    return PA_OK;
  return pa_bind_method(o);
}
