// Named tuples and members of enums in pyarray-infer-types: facts are tagged with the class, whose description the
// module has.
//
//   %0 = pyarray.getattr %p "x"            of a named tuple: an element
//   %0 = pyarray.getattr %Color "RED"      of an enum: the member, a constant
//   %0 = pyarray.getattr %c "value"        of a member: a call of the function that looks it up
//
// For all that is not said here they are what represents them, tuples and integers (pa_open_optionals); members of an
// enum that are no integers are nothing else.
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "infer_emit.h"
#include "infer_text.h"
#include "ir/classes.h"

static const char *text_of(const pa_class_operation *o, MlirType type) {
  return pa_type_text(o->inference->arena, type);
}

// Within an optional value too.
static MlirType named_type(MlirType type) {
  if (mlirTypeIsNull(type)) return type;
  if (pyarrayTypeIsOptional(type)) type = pyarrayTypeGetItem(type);
  return pa_is_named(type) ? type : (MlirType){NULL};
}

// The entry |name| of the table |table| of a class; null where it has none.
static MlirAttribute entry_of(MlirAttribute description, const char *table, MlirStringRef name) {
  MlirAttribute entries = mlirDictionaryAttrGetElementByName(description, pa_ref(table));
  return mlirAttributeIsNull(entries) ? entries : mlirDictionaryAttrGetElementByName(entries, name);
}

static MlirValue present(pa_class_operation *o, MlirValue value) {
  if (!pyarrayTypeIsOptional(pa_value_type(o, value))) return value;
  MlirStringRef name = pa_name_of(o);
  const char *message =
      pa_arena_format(o->inference->arena, "'NoneType' object has no attribute '%.*s'", (int)name.length, name.data);
  return pa_make_present(o->inference, o->instance, o->op, value, "AttributeError", message);
}

static pa_status plan_constant(pa_class_operation *o, MlirAttribute constant, MlirType type) {
  o->plan->kind = PA_CLASS_CONSTANT;
  o->plan->constant = constant;
  return o->plan->result = type, PA_OK;
}

static pa_status plan_bool(pa_class_operation *o, bool value) {
  return plan_constant(o, mlirBoolAttrGet(o->inference->context, value), (MlirType){NULL});
}

static pa_status no_attribute(pa_class_operation *o, MlirStringRef class, MlirStringRef name, bool of_class) {
  MlirStringRef short_name = pa_class_short_name(class);
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        of_class ? "class '%.*s' has no attribute '%.*s' that compiled code knows"
                                 : "'%.*s' object has no attribute '%.*s' that compiled code knows",
                        (int)short_name.length, short_name.data, (int)name.length, name.data);
}

//===-- Classes -----------------------------------------------------------------------------------===//

MlirType pa_member_type(MlirContext context, MlirAttribute description, MlirStringRef class) {
  return pyarrayTaggedTypeGet(pa_named_kind(description), mlirStringAttrGet(context, class),
                              pa_scalar_type(context, PA_I64));
}

static pa_status decide_on_class(pa_class_operation *o, MlirAttribute description, MlirType class) {
  MlirStringRef name = pa_name_of(o), class_name = pa_class_name_of(class);
  bool calls = o->kind == PA_OP_METHOD;
  MlirAttribute member = entry_of(description, "members", name);
  if (!calls && !mlirAttributeIsNull(member))
    return plan_constant(o, member, pa_member_type(o->inference->context, description, class_name));
  MlirAttribute constant = entry_of(description, "constants", name);
  if (!calls && !mlirAttributeIsNull(constant)) return plan_constant(o, constant, (MlirType){NULL});
  MlirAttribute function = entry_of(description, calls ? "statics" : "class_getters", name);
  if (calls && mlirAttributeIsNull(function)) function = entry_of(description, "methods", name);
  if (mlirAttributeIsNull(function)) return no_attribute(o, class_name, name, true);
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  return pa_plan_function(o, function, o->inference->given + 1, o->inference->given_count - 1);
}

static pa_status unknown_member(pa_class_operation *o, MlirStringRef name) {
  return pa_typing_fail(&o->typing, PA_CODE_TYPING, "KeyError: '%.*s'\nhint: the enum has no member of that name",
                        (int)name.length, name.data);
}

// Color["RED"]
static pa_status decide_class_item(pa_class_operation *o, MlirAttribute description, MlirType class) {
  MlirValue index = pa_operand_of(o, 1);
  pa_fact fact = pa_fact_get(o->inference, o->instance, index);
  if (!pa_is_enum_class(description) || mlirOperationGetNumOperands(o->op) != 2 || !pyarrayTypeIsStr(fact.type))
    return pa_typing_fail(
        &o->typing, PA_CODE_TYPING,
        "a subscript of the class '%s' is not compiled\nhint: subscripts of enums are names of members, of type str",
        text_of(o, class));
  if (mlirAttributeIsNull(fact.literal))
    return pa_plan_function(o, entry_of(description, "statics", pa_ref("__class_getitem__")), &index, 1);
  MlirAttribute member = entry_of(description, "members", mlirStringAttrGetValue(fact.literal));
  if (mlirAttributeIsNull(member)) return unknown_member(o, mlirStringAttrGetValue(fact.literal));
  return plan_constant(o, member, pa_member_type(o->inference->context, description, pa_class_name_of(class)));
}

//===-- Attributes and methods --------------------------------------------------------------------===//

// `name` or `value` of a member that is known now; null where it is not, or has no constant.
static MlirAttribute known_part(pa_class_operation *o, MlirAttribute description, MlirStringRef name) {
  MlirAttribute literal = pa_fact_get(o->inference, o->instance, pa_operand_of(o, 0)).literal;
  bool values = pa_ref_equal(name, "value");
  if (mlirAttributeIsNull(literal) || (!values && !pa_ref_equal(name, "name"))) return mlirAttributeGetNull();
  MlirAttribute numbers = mlirDictionaryAttrGetElementByName(description, pa_ref("numbers"));
  MlirAttribute parts = mlirDictionaryAttrGetElementByName(description, pa_ref(values ? "values" : "names"));
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(numbers); ++i) {
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(numbers, i), literal)) continue;
    MlirAttribute part = mlirArrayAttrGetElement(parts, i);
    return pyarrayAttributeIsOpaque(part) ? mlirAttributeGetNull() : part;
  }
  return mlirAttributeGetNull();
}

static intptr_t field_of(MlirAttribute description, MlirStringRef name) {
  MlirAttribute fields = mlirDictionaryAttrGetElementByName(description, pa_ref("fields"));
  for (intptr_t i = 0; !mlirAttributeIsNull(fields) && i < mlirArrayAttrGetNumElements(fields); ++i)
    if (mlirStringRefEqual(mlirStringAttrGetValue(mlirArrayAttrGetElement(fields, i)), name)) return i;
  return -1;
}

static pa_status decide_getattr(pa_class_operation *o, MlirAttribute description, MlirType type) {
  MlirStringRef name = pa_name_of(o);
  intptr_t field = field_of(description, name);
  if (field >= 0) {
    o->plan->kind = PA_CLASS_ELEMENT;
    o->plan->object = present(o, pa_operand_of(o, 0));
    o->plan->element = field;
    return o->plan->result = mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(type), field), PA_OK;
  }
  MlirAttribute known = known_part(o, description, name), getter = entry_of(description, "getters", name);
  if (!mlirAttributeIsNull(known)) return plan_constant(o, known, (MlirType){NULL});
  if (!mlirAttributeIsNull(getter) && pa_ref_equal(name, "value")) PA_TRY(pa_check_enum_values(o, description, type));
  if (!mlirAttributeIsNull(getter))
    return pa_plan_function(o, getter, (MlirValue[]){present(o, pa_operand_of(o, 0))}, 1);
  getter = entry_of(description, "class_getters", name);
  if (!mlirAttributeIsNull(getter)) return pa_plan_function(o, getter, NULL, 0);
  PA_TRY(pa_bind_method(o));
  if (pa_is_tagged(type, "int enum") || o->plan->kind != PA_CLASS_NOTHING) return PA_OK; // an attribute of numbers
  return no_attribute(o, pa_class_name_of(type), name, false);
}

// p._replace(x=1)
static pa_status decide_replace(pa_class_operation *o, MlirAttribute description, MlirType type) {
  MlirAttribute keywords = o->inference->keywords;
  intptr_t count = mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(type)), given = o->inference->given_count;
  intptr_t named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  MlirValue self = present(o, o->inference->given[0]),
            *values = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  MlirType *types = PA_NEW_ARRAY(o->inference->arena, MlirType, count + 1);
  if (given - named != 1)
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, "_replace() takes 1 positional argument but %d were given",
                          (int)(given - named));
  for (intptr_t k = 0; k < named; ++k) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(keywords, k));
    intptr_t field = field_of(description, name);
    if (field < 0)
      return pa_typing_fail(&o->typing, PA_CODE_TYPING, "Got unexpected field names: ['%.*s']", (int)name.length,
                            name.data);
    values[field] = o->inference->given[given - named + k];
  }
  for (intptr_t i = 0; i < count; ++i) {
    pa_fact own = pa_fact_of(mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(type), i));
    if (mlirValueIsNull(values[i])) values[i] = pa_make_element(o->inference, o->instance, o->op, self, (int)i, own);
    types[i] = pa_value_type(o, values[i]);
    if (mlirTypeIsNull(types[i]))
      return o->plan->kind = PA_CLASS_CALL, o->plan->call = (pa_resolved_call){.bottom = true}, PA_OK;
  }
  o->plan->kind = PA_CLASS_TUPLE;
  o->plan->values = values;
  o->plan->element = count;
  MlirType tuple = mlirTupleTypeGet(o->inference->context, count, types);
  return o->plan->result = pyarrayTaggedTypeGet(pyarrayTaggedTypeGetKind(type), pyarrayTaggedTypeGetTag(type), tuple),
         PA_OK;
}

// The values of a dict have one type.
static pa_status check_one_type(pa_class_operation *o, MlirType type) {
  MlirType tuple = pyarrayTaggedTypeGetItem(type), joined = {NULL};
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(tuple); ++i) {
    joined = pa_join_types(&o->typing, joined, mlirTupleTypeGetType(tuple, i));
    if (mlirTypeIsNull(joined))
      return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED,
                            "_asdict() of a named tuple whose fields have several types is not compiled: the values of "
                            "a dict have one type\n"
                            "hint: use the fields by name, or call it on the result in Python");
  }
  return PA_OK;
}

static pa_status decide_method(pa_class_operation *o, MlirAttribute description, MlirType type) {
  MlirStringRef name = pa_name_of(o);
  MlirAttribute method = entry_of(description, "methods", name), fixed = entry_of(description, "statics", name);
  bool tuple = pa_is_tagged(type, "namedtuple");
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  MlirValue *given = o->inference->given;
  intptr_t count = o->inference->given_count;
  if (!mlirAttributeIsNull(fixed)) return pa_plan_function(o, fixed, given + 1, count - 1);
  if (!mlirAttributeIsNull(method) && tuple && pa_ref_equal(name, "_asdict")) PA_TRY(check_one_type(o, type));
  if (!mlirAttributeIsNull(method)) {
    MlirValue *arguments = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
    memcpy(arguments, given, (size_t)count * sizeof *arguments);
    arguments[0] = present(o, given[0]);
    return pa_plan_function(o, method, arguments, count);
  }
  if (tuple && pa_ref_equal(name, "_replace")) return decide_replace(o, description, type);
  if (tuple || pa_is_tagged(type, "int enum")) return PA_OK; // a method of tuples, or of numbers
  return no_attribute(o, pa_class_name_of(type), name, false);
}

//===-- Operators ---------------------------------------------------------------------------------===//

static const char *const order_signs[] = {
    [PYARRAY_COMPARE_LT] = "<", [PYARRAY_COMPARE_LE] = "<=", [PYARRAY_COMPARE_GT] = ">", [PYARRAY_COMPARE_GE] = ">="};

// A member that is no integer, with something that is not of its class.
static bool never_equal(MlirType a, MlirType b) {
  bool other = pyarrayTypeIsOptional(a) || pyarrayTypeIsOptional(b) || mlirTypeEqual(a, b);
  return !other && ((pa_is_enum(a) && !pa_is_int_enum(a)) || (pa_is_enum(b) && !pa_is_int_enum(b)));
}

// Of a member in a tuple, or of a value in a tuple that has members.
static pa_status check_membership(pa_class_operation *o, MlirType item, MlirType tuple) {
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(tuple); ++i) {
    MlirType element = mlirTupleTypeGetType(tuple, i);
    if (never_equal(item, element))
      return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                            "a value of type %s is never equal to one of type %s, which the tuple has\nhint: compare "
                            "with members of one enum",
                            text_of(o, item), text_of(o, element));
  }
  return PA_OK;
}

static pa_status decide_in(pa_class_operation *o, MlirType item, MlirType holder, bool negated) {
  MlirAttribute description = pa_named_of_type(o->inference->module, holder);
  if (pa_is_tagged(holder, "namedtuple")) holder = pyarrayTaggedTypeGetItem(holder);
  if (mlirTypeIsATuple(holder)) return check_membership(o, item, holder);
  if (mlirAttributeIsNull(description) || !pa_is_enum_class(description)) return PA_OK;
  bool is_class = pyarrayTypeIsCallable(holder),
       same = pa_is_enum(item) && mlirStringRefEqual(pa_class_name_of(item), pa_class_name_of(holder));
  if (same && is_class) return plan_bool(o, !negated);
  MlirAttribute method = entry_of(description, "methods", pa_ref("__contains__"));
  if (same && !mlirAttributeIsNull(method)) {
    o->plan->truth = true;
    o->plan->negated = negated;
    return pa_plan_function(o, method, (MlirValue[]){pa_operand_of(o, 1), pa_operand_of(o, 0)}, 2);
  }
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "whether a value of type %s is in the enum %s is not compiled\nhint: compare with members",
                        text_of(o, item), text_of(o, holder));
}

// What may be None is compared as the value that it is.
static pa_status check_optional(pa_class_operation *o, MlirType a, MlirType b) {
  MlirType x = pyarrayTypeIsOptional(a) ? pyarrayTypeGetItem(a) : a,
           y = pyarrayTypeIsOptional(b) ? pyarrayTypeGetItem(b) : b;
  bool none = pyarrayTypeIsNone(x) || pyarrayTypeIsNone(y) || (x.ptr == a.ptr && y.ptr == b.ptr);
  if (none || !never_equal(x, y)) return PA_OK;
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "a value of type %s is never equal to one of type %s\nhint: compare with members of one enum",
                        text_of(o, a), text_of(o, b));
}

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirType a = pa_value_type(o, pa_operand_of(o, 0)), b = pa_value_type(o, pa_operand_of(o, 1));
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN)
    return decide_in(o, a, b, kind == PYARRAY_COMPARE_NOTIN);
  if (!pa_is_enum(a) && !pa_is_enum(b)) return check_optional(o, a, b);
  bool identity = kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT,
       order = kind >= PYARRAY_COMPARE_LT && kind <= PYARRAY_COMPARE_GE;
  if (order && ((pa_is_enum(a) && !pa_is_int_enum(a)) || (pa_is_enum(b) && !pa_is_int_enum(b))))
    return pa_typing_fail(
        &o->typing, PA_CODE_TYPING,
        "'%s' not supported between values of types %s and %s\nhint: compare their values, or use an IntEnum",
        order_signs[kind], text_of(o, a), text_of(o, b));
  PA_TRY(check_optional(o, a, b));
  bool differ =
      never_equal(a, b) || (identity && !mlirTypeEqual(a, b) && !pyarrayTypeIsOptional(a) && !pyarrayTypeIsOptional(b));
  return differ ? plan_bool(o, kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_ISNOT) : PA_OK;
}

// Of flags, by methods that give members.
static pa_status decide_binary(pa_class_operation *o) {
  static const char *const methods[] = {
      [PYARRAY_BINARY_AND] = "__and__", [PYARRAY_BINARY_OR] = "__or__", [PYARRAY_BINARY_XOR] = "__xor__"};
  int kind = pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirValue operands[] = {pa_operand_of(o, 0), pa_operand_of(o, 1)};
  for (int side = 0; side < 2 && kind < PA_COUNT(methods) && methods[kind]; ++side) {
    MlirType type = pa_value_type(o, operands[side]), other = pa_value_type(o, operands[!side]);
    MlirAttribute description =
        pa_is_enum(type) ? pa_named_of_type(o->inference->module, type) : mlirAttributeGetNull();
    if (mlirAttributeIsNull(description) ||
        !(mlirTypeEqual(type, other) || (pa_is_int_enum(type) && pa_is_integer(pa_scalar_of(other)))))
      continue;
    MlirAttribute method = entry_of(description, "methods", pa_ref(methods[kind]));
    if (!mlirAttributeIsNull(method))
      return pa_plan_function(o, method, (MlirValue[]){operands[side], operands[!side]}, 2);
  }
  return PA_OK;
}

static pa_status decide_truth(pa_class_operation *o, bool negated) {
  MlirType type = pa_value_type(o, pa_operand_of(o, 0));
  return pa_is_tagged(type, "enum") ? plan_bool(o, !negated) : PA_OK;
}

static pa_status decide_unary(pa_class_operation *o) {
  int kind = pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirType type = pa_value_type(o, pa_operand_of(o, 0));
  if (kind == PYARRAY_UNARY_NOT) return decide_truth(o, true);
  MlirAttribute description = pa_named_of_type(o->inference->module, type);
  MlirAttribute method =
      kind == PYARRAY_UNARY_INVERT ? entry_of(description, "methods", pa_ref("__invert__")) : mlirAttributeGetNull();
  return mlirAttributeIsNull(method) ? PA_OK : pa_plan_function(o, method, (MlirValue[]){pa_operand_of(o, 0)}, 1);
}

//===-- Functions ---------------------------------------------------------------------------------===//

// str() and repr() of one: the methods that its class has for that.
static pa_status decide_apply(pa_class_operation *o) {
  MlirStringRef callee = pa_builtin_called(pa_value_type(o, pa_operand_of(o, 0)));
  if (pa_ref_equal(callee, "builtins.bool") && mlirOperationGetNumOperands(o->op) == 2 &&
      pa_is_tagged(pa_value_type(o, pa_operand_of(o, 1)), "enum"))
    return plan_bool(o, true);
  static const char *const of_flags[][2] = {{"builtins.bool", "__bool__"}, {"builtins.len", "__len__"}};
  for (size_t i = 0; i < sizeof of_flags / sizeof *of_flags; ++i) {
    if (!pa_ref_equal(callee, of_flags[i][0]) || mlirOperationGetNumOperands(o->op) != 2 ||
        !pa_is_enum(pa_value_type(o, pa_operand_of(o, 1))))
      continue;
    MlirAttribute of_flag = entry_of(pa_named_of_type(o->inference->module, pa_value_type(o, pa_operand_of(o, 1))),
                                     "methods", pa_ref(of_flags[i][1]));
    if (!mlirAttributeIsNull(of_flag)) return pa_plan_function(o, of_flag, (MlirValue[]){pa_operand_of(o, 1)}, 1);
  }
  bool makes_str = pa_ref_equal(callee, "builtins.str") || pa_ref_equal(callee, "builtins.format"),
       makes_repr = pa_ref_equal(callee, "builtins.repr");
  if ((!makes_str && !makes_repr) || mlirOperationGetNumOperands(o->op) != 2) return PA_OK;
  MlirType type = pa_value_type(o, pa_operand_of(o, 1));
  MlirAttribute description = pa_is_named(type) ? pa_named_of_type(o->inference->module, type) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(description)) return PA_OK;
  MlirAttribute method = makes_str ? entry_of(description, "methods", pa_ref("__str__")) : mlirAttributeGetNull();
  bool number = makes_str && pa_is_int_enum(type);
  if (mlirAttributeIsNull(method) && !number) method = entry_of(description, "methods", pa_ref("__repr__"));
  return mlirAttributeIsNull(method) ? PA_OK : pa_plan_function(o, method, (MlirValue[]){pa_operand_of(o, 1)}, 1);
}

const char *pa_text_function(const pa_inference *inference, const char *builtin, MlirType type) {
  static const char *const functions[][4] = {
      {"builtins.ascii", "text.ascii_of", "text.ascii_of_optional", "text.ascii_by_numpy"},
      {"builtins.repr", "text.repr_of", "text.repr_of_optional", "text.repr_by_numpy"},
      {"builtins.str", "text.str_of", "text.str_of_optional", "text.str_by_numpy"}};
  if (!mlirTypeIsNull(type) && pyarrayTypeIsException(type)) return NULL; // builtins of its own
  if (!mlirTypeIsNull(type) && pyarrayTypeIsObject(type) && strcmp(builtin, functions[0][0]) != 0)
    return NULL; // what its methods do not say, the runtime does
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (strcmp(builtin, functions[i][0]) == 0 && pa_has_own_text(inference, type, i == 0))
      return functions[i][pa_is_text_by_numpy(type) ? 3 : 1 + pyarrayTypeIsOptional(type)];
  return NULL;
}

pa_status pa_take_texts(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *builtin,
                        intptr_t first, bool *out_bottom) {
  static const struct {
    const char *builtin;
    bool template;
  } rows[] = {
      {"host.builtins.print", false}, {"str.format", true}, {"builtins.format", true}, {"str.format_map", true}};
  bool takes = false, describes = false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(builtin, rows[i].builtin) == 0) takes = true, describes = rows[i].template;
  *out_bottom = false;
  for (intptr_t i = first; takes && i < inference->given_count; ++i) {
    MlirValue *value = &inference->given[i];
    MlirType type = pa_fact_get(inference, instance, *value).type;
    if (!pa_has_own_text(inference, type, describes)) continue;
    const char *function =
        pyarrayTypeIsException(type) ? "text.of_exception" : pa_text_function(inference, "builtins.str", type);
    if (!describes)
      PA_TRY(pa_make_call(inference, instance, op, function ? function : "text.str_of", *value, value));
    else if (strcmp(builtin, "str.format_map") == 0)
      PA_TRY(pa_make_call(inference, instance, op, "text.describe_values", *value, value));
    else
      PA_TRY(pa_describe(inference, instance, op, *value, value));
    *out_bottom = *out_bottom || pa_is_bottom(pa_fact_get(inference, instance, *value));
  }
  return PA_OK;
}

//===-- Decisions ---------------------------------------------------------------------------------===//

static pa_status decide_attribute(pa_class_operation *o) {
  MlirType type = pa_value_type(o, pa_operand_of(o, 0)), named = named_type(type);
  MlirAttribute description = pa_named_of_type(o->inference->module, mlirTypeIsNull(named) ? type : named);
  if (mlirAttributeIsNull(description)) return PA_OK;
  if (mlirTypeIsNull(named)) return decide_on_class(o, description, type);
  return o->kind == PA_OP_METHOD ? decide_method(o, description, named) : decide_getattr(o, description, named);
}

pa_status pa_plan_named_operation(pa_class_operation *o) {
  MlirType first = pa_value_type(o, pa_operand_of(o, 0));
  switch (o->kind) {
  case PA_OP_GETATTR:
  case PA_OP_METHOD: return decide_attribute(o);
  case PA_OP_APPLY: return decide_apply(o);
  case PA_OP_COMPARE: return decide_compare(o);
  case PA_OP_BINARY: return decide_binary(o);
  case PA_OP_UNARY: return pa_is_enum(first) ? decide_unary(o) : PA_OK;
  case PA_OP_TRUTH: return pa_is_enum(first) ? decide_truth(o, false) : PA_OK;
  case PA_OP_GETITEM: {
    MlirAttribute description =
        pyarrayTypeIsCallable(first) ? pa_named_of_type(o->inference->module, first) : mlirAttributeGetNull();
    return mlirAttributeIsNull(description) ? PA_OK : decide_class_item(o, description, first);
  }
  default: return PA_OK;
  }
}

MlirType pa_iterated_type(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirType opened = pa_represented_as(inference, instance, op, PA_OP_FOR, 0);
  return mlirTypeIsNull(opened) ? pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type : opened;
}
