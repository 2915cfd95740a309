// Instances of classes in pyarray-infer-types: which function a method, property or operator calls, and the types of
// fields.
//
//   %0 = pyarray.binary add %p, %q          @Point.__add__ with (%p, %q)
//   %1 = pyarray.getattr %p "x"             a field: pyarray.getfield; a property: its getter; a constant of the class
//
// Where the instance may be None, it is taken out of the optional value first: AttributeError or TypeError where there
// is none.
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "infer_emit.h"
#include "ir/classes.h"

//===-- Names -------------------------------------------------------------------------------------===//

// ORDER BINARY: names of methods, of those for the right operand and of those in place.
static const char *const binary_methods[][3] = {
    {"__add__", "__radd__", "__iadd__"},
    {"__sub__", "__rsub__", "__isub__"},
    {"__mul__", "__rmul__", "__imul__"},
    {"__truediv__", "__rtruediv__", "__itruediv__"},
    {"__floordiv__", "__rfloordiv__", "__ifloordiv__"},
    {"__mod__", "__rmod__", "__imod__"},
    {"__pow__", "__rpow__", "__ipow__"},
    {"__lshift__", "__rlshift__", "__ilshift__"},
    {"__rshift__", "__rrshift__", "__irshift__"},
    {"__and__", "__rand__", "__iand__"},
    {"__or__", "__ror__", "__ior__"},
    {"__xor__", "__rxor__", "__ixor__"},
    {"__matmul__", "__rmatmul__", "__imatmul__"},
};
static const char *const unary_methods[] = {"__neg__", "__pos__", "__invert__"};
// ORDER COMPARISONS: and what the right operand may have instead.
static const char *const compare_methods[][2] = {{"__eq__", "__eq__"}, {"__ne__", "__ne__"}, {"__lt__", "__gt__"},
                                                 {"__le__", "__ge__"}, {"__gt__", "__lt__"}, {"__ge__", "__le__"}};

MlirType pa_instance_type(MlirType type) {
  if (mlirTypeIsNull(type)) return type;
  if (pyarrayTypeIsOptional(type)) type = pyarrayTypeGetItem(type);
  return pyarrayTypeIsObject(type) ? type : (MlirType){NULL};
}

// The symbol of a method of the instances of |type|; null where it has none.
static MlirAttribute find_entry(pa_inference *inference, MlirType type, const char *table, MlirStringRef name) {
  MlirAttribute class = pa_class_of_type(inference->module, type);
  return mlirAttributeIsNull(class) ? class : pa_class_entry(class, pyarrayObjectTypeGetName(type), table, name);
}

MlirAttribute pa_find_class_method(pa_inference *inference, MlirType type, const char *name) {
  return name ? find_entry(inference, type, "methods", pa_ref(name)) : mlirAttributeGetNull();
}

//===-- Decisions ---------------------------------------------------------------------------------===//

typedef pa_class_operation class_operation;

static MlirStringRef class_name(MlirType type) { return pa_class_short_name(pyarrayObjectTypeGetName(type)); }

// |value|, taken out where it may be None; |exception| is what None raises then.
static MlirValue taken_out(class_operation *o, MlirValue value, const char *exception, const char *message) {
  MlirType type = pa_value_type(o, value);
  if (!pyarrayTypeIsOptional(type)) return value;
  return pa_make_present(o->inference, o->instance, o->op, value, exception, message);
}

static MlirValue present_operand(class_operation *o, MlirValue value, const char *message) {
  return taken_out(o, value, "TypeError", message);
}

static MlirValue present_object(class_operation *o, MlirValue value) {
  MlirStringRef name = pa_name_of(o);
  return taken_out(
      o, value, "AttributeError",
      pa_arena_format(o->inference->arena, "'NoneType' object has no attribute '%.*s'", (int)name.length, name.data));
}

static pa_status no_attribute(class_operation *o, MlirType type, MlirStringRef name) {
  MlirStringRef class = class_name(type);
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "'%.*s' object has no attribute '%.*s'\nhint: fields are those of the jitclass's specification",
                        (int)class.length, class.data, (int)name.length, name.data);
}

// A method or attribute that the class does not have: what users have added to it (pyarray.extending), if anything.
static pa_status decide_added(class_operation *o, MlirType type) {
  MlirStringRef name = pa_name_of(o);
  const char *symbol, *kind = o->kind == PA_OP_METHOD ? "method" : "attribute";
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  intptr_t count = o->inference->given_count;
  MlirValue *arguments = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  memcpy(arguments, o->inference->given, (size_t)count * sizeof *arguments);
  arguments[0] = present_object(o, arguments[0]);
  pa_give(o->inference, arguments, count);
  for (intptr_t i = 0; i < count; ++i)
    if (pa_is_bottom(pa_fact_get(o->inference, o->instance, arguments[i])))
      return o->plan->kind = PA_CLASS_VALUE, o->plan->object = arguments[i], PA_OK;
  PA_TRY(pa_overload_symbol(o->inference, o->instance, o->op,
                            pa_arena_format(o->inference->arena, "%s:%.*s", kind, (int)name.length, name.data), 0,
                            &symbol));
  return symbol ? pa_plan_function(o, pa_symbol_attr(o->inference->context, symbol), arguments, count)
                : no_attribute(o, type, name);
}

// Indices of a subscript: several are a tuple.
static MlirValue index_of(class_operation *o, intptr_t count) {
  if (count == 1) return pa_operand_of(o, 1);
  MlirValue *parts = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) parts[i] = pa_operand_of(o, 1 + i);
  return pa_make_tuple(o->inference, o->instance, o->op, parts, (int)count);
}

static pa_status decide_subscript(class_operation *o, MlirType type) {
  static const char *const methods[] = {"__getitem__", "__setitem__", "__delitem__"};
  int which = o->kind == PA_OP_GETITEM ? 0 : o->kind == PA_OP_SETITEM ? 1 : 2;
  intptr_t count = mlirOperationGetNumOperands(o->op) - 1 - (which == 1);
  MlirAttribute method = pa_find_class_method(o->inference, type, methods[which]);
  if (mlirAttributeIsNull(method))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, "%s has no method %s", pa_type_text(o->inference->arena, type),
                          methods[which]);
  MlirValue arguments[3] = {present_operand(o, pa_operand_of(o, 0), "'NoneType' object is not subscriptable"),
                            index_of(o, count)};
  if (which == 1) arguments[2] = pa_operand_of(o, 1 + count);
  return pa_plan_function(o, method, arguments, which == 1 ? 3 : 2);
}

static pa_status decide_getattr(class_operation *o, MlirType type) {
  MlirStringRef name = pa_name_of(o);
  MlirAttribute class = pa_class_of_type(o->inference->module, type), entry;
  intptr_t field = mlirAttributeIsNull(class) ? -1 : pa_class_field(class, pyarrayObjectTypeGetName(type), name);
  if (mlirAttributeIsNull(class)) return no_attribute(o, type, name);
  if (field >= 0) {
    o->plan->kind = PA_CLASS_FIELD;
    o->plan->object = present_object(o, pa_operand_of(o, 0));
    o->plan->field = pa_class_field_name(class, field);
    return o->plan->result = pa_class_field_type(class, field), PA_OK;
  }
  entry = find_entry(o->inference, type, "getters", name);
  if (!mlirAttributeIsNull(entry))
    return pa_plan_function(o, entry, (MlirValue[]){present_object(o, pa_operand_of(o, 0))}, 1);
  entry = find_entry(o->inference, type, "constants", name);
  if (!mlirAttributeIsNull(entry)) return o->plan->kind = PA_CLASS_CONSTANT, o->plan->constant = entry, PA_OK;
  if (!pa_class_has_method(o->inference, type, name)) return decide_added(o, type);
  return pa_bind_method(o);
}

static pa_status decide_setattr(class_operation *o, MlirType type) {
  MlirStringRef name = pa_name_of(o);
  MlirAttribute class = pa_class_of_type(o->inference->module, type);
  intptr_t field = mlirAttributeIsNull(class) ? -1 : pa_class_field(class, pyarrayObjectTypeGetName(type), name);
  MlirValue object = present_object(o, pa_operand_of(o, 0)), value = pa_operand_of(o, 1);
  if (field >= 0) {
    MlirType wanted = pa_class_field_type(class, field);
    o->plan->kind = PA_CLASS_SET_FIELD;
    o->plan->field = pa_class_field_name(class, field);
    o->plan->object = object;
    o->plan->value = value;
    o->plan->result = wanted;
    const char *what = pa_arena_format(o->inference->arena, "field '%.*s'", (int)name.length, name.data);
    pa_fact fact = pa_fact_get(o->inference, o->instance, value), joined;
    if (pa_container_of(wanted) != PA_NO_CONTAINER)
      PA_TRY(pa_join_facts(&o->typing, fact, pa_fact_of(wanted), &joined)); // items learn their type
    else if (pyarrayTypeIsOptional(fact.type) && !pyarrayTypeIsOptional(wanted)) {
      o->plan->value = present_operand(o, value, pa_arena_format(o->inference->arena, "%s cannot be None", what));
      fact = pa_fact_of(pyarrayTypeGetItem(fact.type));
    }
    fact = pa_fact_get(o->inference, o->instance, o->plan->value);
    return pa_check_castable(&o->typing, fact.type, wanted, what);
  }
  MlirAttribute setter = mlirAttributeIsNull(class) ? class : find_entry(o->inference, type, "setters", name);
  if (!mlirAttributeIsNull(setter)) return pa_plan_function(o, setter, (MlirValue[]){object, value}, 2);
  if (mlirAttributeIsNull(class) || mlirAttributeIsNull(find_entry(o->inference, type, "getters", name)))
    return no_attribute(o, type, name);
  return pa_typing_fail(&o->typing, PA_CODE_TYPING, "property '%.*s' has no setter", (int)name.length, name.data);
}

static pa_status decide_method(class_operation *o, MlirType type) {
  MlirStringRef name = pa_name_of(o);
  MlirAttribute method = find_entry(o->inference, type, "methods", name),
                fixed = find_entry(o->inference, type, "statics", name);
  MlirAttribute of_class = find_entry(o->inference, type, "class_methods", name);
  if (mlirAttributeIsNull(method) && mlirAttributeIsNull(fixed) && mlirAttributeIsNull(of_class))
    return decide_added(o, type);
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  bool is_static = mlirAttributeIsNull(method) && mlirAttributeIsNull(of_class);
  MlirValue *given = o->inference->given;
  intptr_t count = o->inference->given_count;
  MlirValue object = present_object(o, given[0]);
  MlirValue *arguments = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) arguments[i] = given[i];
  arguments[0] = object;
  if (!mlirAttributeIsNull(of_class))
    PA_TRY(pa_make_call(o->inference, o->instance, o->op, "builtins.class_of", object, &arguments[0]));
  return pa_plan_function(o,
                          !mlirAttributeIsNull(of_class) ? of_class
                          : is_static                    ? fixed
                                                         : method,
                          arguments + is_static, count - is_static);
}

static pa_status decide_binary(class_operation *o) {
  const char *const *methods = binary_methods[pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"))];
  bool in_place = !mlirAttributeIsNull(pa_get_attr(o->op, "inplace"));
  MlirValue left = pa_operand_of(o, 0), right = pa_operand_of(o, 1);
  MlirType types[] = {pa_instance_type(pa_value_type(o, left)), pa_instance_type(pa_value_type(o, right))};
  const char *none = "unsupported operand type(s): 'NoneType'";
  MlirAttribute method = mlirAttributeGetNull();
  if (!mlirTypeIsNull(types[0]) && in_place) method = pa_find_class_method(o->inference, types[0], methods[2]);
  if (!mlirTypeIsNull(types[0]) && mlirAttributeIsNull(method))
    method = pa_find_class_method(o->inference, types[0], methods[0]);
  if (!mlirAttributeIsNull(method))
    return pa_plan_function(o, method, (MlirValue[]){present_operand(o, left, none), right}, 2);
  if (!mlirTypeIsNull(types[1])) method = pa_find_class_method(o->inference, types[1], methods[1]);
  if (!mlirAttributeIsNull(method))
    return pa_plan_function(o, method, (MlirValue[]){present_operand(o, right, none), left}, 2);
  return PA_OK; // the usual message follows
}

static pa_status decide_unary(class_operation *o, MlirType type) {
  int kind = pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirAttribute method = kind == PYARRAY_UNARY_NOT ? mlirAttributeGetNull()
                                                   : pa_find_class_method(o->inference, type, unary_methods[kind]);
  if (mlirAttributeIsNull(method)) return PA_OK;
  return pa_plan_function(
      o, method,
      (MlirValue[]){present_operand(o, pa_operand_of(o, 0), "bad operand type for unary operator: 'NoneType'")}, 1);
}

// None is false; an instance is what its __bool__ or __len__ says, or true.
static pa_status decide_truth(class_operation *o, MlirType type, bool negated) {
  MlirAttribute method = pa_find_class_method(o->inference, type, "__bool__");
  if (mlirAttributeIsNull(method)) method = pa_find_class_method(o->inference, type, "__len__");
  bool optional = pyarrayTypeIsOptional(pa_value_type(o, pa_operand_of(o, 0))), overloaded = false;
  if (mlirAttributeIsNull(method) && !optional) PA_TRY(pa_plan_overloaded(o, &overloaded));
  if (overloaded) return PA_OK;
  o->plan->negated = negated;
  o->plan->truth = true;
  if (!mlirAttributeIsNull(method) && optional)
    return pa_typing_fail(
        &o->typing, PA_CODE_UNSUPPORTED,
        "the truth value of what may be None and whose class has __bool__ or __len__ is not compiled\n"
        "hint: compare with None first: x is not None");
  if (!mlirAttributeIsNull(method)) return pa_plan_function(o, method, (MlirValue[]){pa_operand_of(o, 0)}, 1);
  if (!optional)
    return o->plan->kind = PA_CLASS_CONSTANT, o->plan->constant = mlirBoolAttrGet(o->inference->context, !negated),
           PA_OK;
  o->plan->kind = PA_CLASS_BUILTIN;
  o->plan->builtin = "optional.is_none";
  o->plan->operands[0] = pa_operand_of(o, 0);
  return o->plan->negated = !negated, PA_OK;
}

static pa_status decide_compare(class_operation *o) {
  int kind = pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirValue left = pa_operand_of(o, 0), right = pa_operand_of(o, 1);
  MlirType a = pa_instance_type(pa_value_type(o, left)), b = pa_instance_type(pa_value_type(o, right));
  MlirAttribute method = mlirAttributeGetNull();
  const char *none = "argument of type 'NoneType' is not iterable";
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT)
    return pa_plan_identity(o, left, right, kind == PYARRAY_COMPARE_ISNOT);
  o->plan->truth = true;
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN) {
    if (!mlirTypeIsNull(b)) method = pa_find_class_method(o->inference, b, "__contains__");
    o->plan->negated = kind == PYARRAY_COMPARE_NOTIN;
    if (mlirAttributeIsNull(method) && !mlirTypeIsNull(b) && pa_has_own_iterator(o->inference, b))
      method = pa_symbol_attr(o->inference->context, "builtins.contains_item");
    return mlirAttributeIsNull(method)
               ? PA_OK
               : pa_plan_function(o, method, (MlirValue[]){present_operand(o, right, none), left}, 2);
  }
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE;
  bool with_none = pyarrayTypeIsNone(pa_value_type(o, left)) || pyarrayTypeIsNone(pa_value_type(o, right));
  if (equality && with_none) return pa_plan_identity(o, left, right, kind == PYARRAY_COMPARE_NE);
  o->plan->truth = false; // rich comparisons give what their methods return
  none = "an operand of the comparison is None";
  for (int side = 0; side < 2; ++side) {
    MlirType type = side ? b : a;
    if (mlirTypeIsNull(type)) continue;
    method = pa_find_class_method(o->inference, type, compare_methods[kind][side]);
    if (mlirAttributeIsNull(method) && kind == PYARRAY_COMPARE_NE) {
      method = pa_find_class_method(o->inference, type, "__eq__");
      o->plan->negated = o->plan->truth = !mlirAttributeIsNull(method);
    }
    if (mlirAttributeIsNull(method)) continue;
    MlirValue self = present_operand(o, side ? right : left, none);
    return pa_plan_function(o, method, (MlirValue[]){self, side ? left : right}, 2);
  }
  bool instances = !mlirTypeIsNull(a) || !mlirTypeIsNull(b), overloaded = false;
  if (equality && instances) PA_TRY(pa_plan_overloaded(o, &overloaded));
  if (overloaded) return PA_OK;
  return equality && instances ? pa_plan_identity(o, left, right, kind == PYARRAY_COMPARE_NE)
                               : (o->plan->truth = false, PA_OK);
}

// A call of an instance, of a class, or of a builtin with an instance as its first argument.
static pa_status decide_apply(class_operation *o) {
  MlirValue callee = pa_operand_of(o, 0);
  MlirType type = pa_value_type(o, callee), instance = pa_instance_type(type);
  MlirAttribute class = pa_class_of_callable(o->inference->module, type), method = mlirAttributeGetNull();
  if (!mlirTypeIsNull(instance)) method = pa_find_class_method(o->inference, instance, "__call__");
  if (!mlirTypeIsNull(instance) && mlirAttributeIsNull(method)) return PA_OK;
  if (!mlirAttributeIsNull(class)) method = mlirDictionaryAttrGetElementByName(class, pa_ref("new"));
  bool skip = mlirTypeIsNull(instance);
  if (mlirAttributeIsNull(method)) {
    MlirAttribute name = pyarrayTypeIsCallable(type) ? pyarrayCallableTypeGetName(type) : mlirAttributeGetNull();
    MlirType first = mlirOperationGetNumOperands(o->op) > 1 ? pa_instance_type(pa_value_type(o, pa_operand_of(o, 1)))
                                                            : (MlirType){NULL};
    if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) || mlirTypeIsNull(first)) return PA_OK;
    PA_TRY(pa_decide_class_builtin(o, mlirStringAttrGetValue(name), first, &method));
    if (mlirAttributeIsNull(method)) return PA_OK;
  }
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  intptr_t count = o->inference->given_count - skip;
  MlirValue *arguments = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1), *given = o->inference->given;
  for (intptr_t i = 0; i < count; ++i) arguments[i] = given[i + skip];
  if (mlirAttributeIsNull(class)) arguments[0] = present_operand(o, arguments[0], "'NoneType' object is not callable");
  return pa_plan_function(o, method, arguments, count);
}

// An attribute or method of a class itself.
static pa_status decide_on_class(class_operation *o, MlirAttribute class, MlirStringRef name_of_class) {
  MlirStringRef name = pa_name_of(o);
  MlirAttribute constant = pa_class_entry(class, name_of_class, "constants", name),
                function = pa_class_entry(class, name_of_class, "statics", name);
  if (o->kind == PA_OP_GETATTR && !mlirAttributeIsNull(constant))
    return o->plan->kind = PA_CLASS_CONSTANT, o->plan->constant = constant, PA_OK;
  if (mlirAttributeIsNull(function)) function = pa_class_entry(class, name_of_class, "methods", name);
  MlirAttribute of_class = pa_class_entry(class, name_of_class, "class_methods", name);
  bool takes_class = !mlirAttributeIsNull(of_class);
  if (takes_class) function = of_class;
  MlirStringRef short_name = pa_class_short_name(name_of_class);
  if (o->kind == PA_OP_GETATTR && !takes_class && !mlirAttributeIsNull(function)) {
    MlirType value = pyarrayCallableTypeGet(function);
    o->plan->kind = PA_CLASS_CONSTANT;
    o->plan->result = value;
    return o->plan->constant = mlirTypeAttrGet(value), PA_OK;
  }
  if (o->kind == PA_OP_GETATTR && pa_ref_equal(name, "__name__"))
    return o->plan->kind = PA_CLASS_CONSTANT, o->plan->constant = mlirStringAttrGet(o->inference->context, short_name),
           PA_OK;
  if (o->kind != PA_OP_METHOD || mlirAttributeIsNull(function))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, "class '%.*s' has no attribute '%.*s' that compiled code knows",
                          (int)short_name.length, short_name.data, (int)name.length, name.data);
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  return pa_plan_function(o, function, o->inference->given + !takes_class, o->inference->given_count - !takes_class);
}

// Whether the operation has to do with instances, classes or optional values at all.
static bool concerns_class(const class_operation *o) {
  bool first = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(o->op) && i < 2; ++i, first = false) {
    MlirType type = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, i)).type;
    if (mlirTypeIsNull(type)) return false;
    if (pyarrayTypeIsObject(type) || pyarrayTypeIsOptional(type)) return true;
    if (first && !mlirAttributeIsNull(pa_class_of_callable(o->inference->module, type))) return true;
  }
  return false;
}

pa_status pa_plan_of_class(pa_class_operation *o) {
  if (!concerns_class(o)) return PA_OK;
  MlirType type = pa_value_type(o, pa_operand_of(o, 0)), instance = pa_instance_type(type);
  MlirAttribute class = o->kind == PA_OP_METHOD || o->kind == PA_OP_GETATTR
                            ? pa_class_of_callable(o->inference->module, type)
                            : mlirAttributeGetNull();
  if (!mlirAttributeIsNull(class))
    return decide_on_class(o, class, mlirStringAttrGetValue(pyarrayCallableTypeGetName(type)));
  switch (o->kind) {
  case PA_OP_APPLY: return decide_apply(o);
  case PA_OP_BINARY: return decide_binary(o);
  case PA_OP_COMPARE: return decide_compare(o);
  default: break;
  }
  if (mlirTypeIsNull(instance)) return PA_OK;
  switch (o->kind) {
  case PA_OP_GETATTR: return decide_getattr(o, instance);
  case PA_OP_SETATTR: return decide_setattr(o, instance);
  case PA_OP_METHOD: return decide_method(o, instance);
  case PA_OP_GETITEM:
  case PA_OP_SETITEM:
  case PA_OP_DELITEM: return decide_subscript(o, instance);
  case PA_OP_TRUTH: return decide_truth(o, instance, false);
  case PA_OP_UNARY:
    return pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind")) == PYARRAY_UNARY_NOT
               ? decide_truth(o, instance, true)
               : decide_unary(o, instance);
  default: return PA_OK;
  }
}

//===-- Facts -------------------------------------------------------------------------------------===//

pa_fact pa_class_operation_result(pa_inference *inference, const pa_class_plan *plan, pa_fact call_result) {
  pa_fact boolean = pa_fact_of(mlirIntegerTypeGet(inference->context, 1));
  switch (plan->kind) {
  case PA_CLASS_CALL: return plan->truth && !pa_is_bottom(call_result) ? boolean : call_result;
  case PA_CLASS_CONSTANT:
    return mlirTypeIsNull(plan->result) ? pa_literal_fact(inference->context, plan->constant)
                                        : pa_fact_known(plan->result, plan->constant);
  case PA_CLASS_FIELD:
  case PA_CLASS_ELEMENT:
  case PA_CLASS_TUPLE:
  case PA_CLASS_VALUE:
  case PA_CLASS_KEYWORD_NAMES:
  case PA_CLASS_KEYWORD_ITEMS: return (pa_fact){.type = plan->result, .site = plan->site};
  default: return mlirTypeIsNull(plan->result) ? boolean : pa_fact_of(plan->result);
  }
}

//===-- Emission ----------------------------------------------------------------------------------===//
