// Reading expressions and the targets of assignments.
//
//   a[i, 1:] + -2     PA_BINARY add, [PA_SUBSCRIPT [a, i, PA_SLICE [1, None, None]], PA_CONSTANT -2]
#include <Python.h>

#include <string.h>

#include "objects.h"
#include "reader.h"

pa_expression *pa_new_expression(pa_reader *reader, pa_expression_kind kind, pa_place place, int count) {
  pa_expression *expression = PA_NEW(reader->importer->arena, pa_expression);
  expression->kind = kind;
  expression->place = place;
  expression->count = count;
  if (count) expression->operands = PA_NEW_ARRAY(reader->importer->arena, pa_expression *, count);
  return expression;
}

pa_expression *pa_none(pa_reader *reader, pa_place place) {
  pa_expression *none = pa_new_expression(reader, PA_CONSTANT, place, 0);
  none->constant.value = pa_unit_attr(reader->importer->context);
  return none;
}

pa_status pa_read_operand(pa_reader *reader, PyObject *node, pa_field field, pa_expression *into, int index) {
  PyObject *operand = pa_field_of(reader, node, field);
  return operand ? pa_read_expression(reader, operand, &into->operands[index]) : pa_python_failure();
}

pa_status pa_read_expressions(pa_reader *reader, PyObject *list, int extra, pa_expression ***out_expressions,
                              int *out_count) {
  Py_ssize_t count = list ? PyList_Size(list) : -1;
  if (count < 0) return pa_python_failure();
  pa_expression **expressions = PA_NEW_ARRAY(reader->importer->arena, pa_expression *, extra + count);
  for (Py_ssize_t i = 0; i < count; ++i)
    PA_TRY(pa_read_expression(reader, PyList_GetItem(list, i), &expressions[extra + i]));
  *out_expressions = expressions;
  *out_count = extra + (int)count;
  return PA_OK;
}

static pa_status read_list(pa_reader *reader, PyObject *node, pa_field field, int extra, pa_expression *into) {
  return pa_read_expressions(reader, pa_field_of(reader, node, field), extra, &into->operands, &into->count);
}

//===-- Constants ---------------------------------------------------------------------------------===//

static pa_status read_value(pa_reader *reader, PyObject *node, PyObject *value, pa_expression *constant) {
  if (value == Py_Ellipsis) {
    MlirAttribute name = pa_string_attr(reader->importer->context, "builtins.Ellipsis");
    constant->constant.value = mlirTypeAttrGet(pyarrayCallableTypeGet(name));
    return constant->constant.truth = 1, PA_OK;
  }
  pa_location location = pa_locate(reader->function, constant->place);
  PA_TRY(pa_constant_attr(reader->importer, value, &location, &constant->constant.value));
  if (mlirAttributeIsNull(constant->constant.value))
    return pa_refuse(reader, node, "this literal", "pass it as an argument");
  int truth = PyObject_IsTrue(value);
  constant->constant.truth = truth > 0;
  return truth < 0 ? pa_python_failure() : PA_OK;
}

static pa_status read_constant(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PyObject *value = pa_field_of(reader, node, PA_FIELD_value);
  if (!value) return pa_python_failure();
  if (PyObject_HasAttrString(value, "__pyarray_objmode__") ||
      PyCallable_Check(value)) { // of a rewritten 'with': no literal is an object
    *out_expression = pa_new_expression(reader, PA_NAME, place, 0);
    pa_name *name = (*out_expression)->name = PA_NEW(reader->importer->arena, pa_name);
    *name = (pa_name){.text = "with", .variable = -1, .object = pa_adopt(reader->importer, Py_NewRef(value))};
    return PA_OK;
  }
  *out_expression = pa_new_expression(reader, PA_CONSTANT, place, 0);
  return read_value(reader, node, value, *out_expression);
}

static bool is_number(PyObject *value) {
  return (PyLong_Check(value) && !PyBool_Check(value)) || PyFloat_Check(value) || PyComplex_Check(value);
}

// `-` and a literal is a constant: -9223372036854775808 is an int64 though 9223372036854775808 is none.
static pa_status read_negative(pa_reader *reader, PyObject *node, PyObject *operand, pa_place place,
                               pa_expression **out_expression) {
  PyObject *value = pa_field_of(reader, operand, PA_FIELD_value);
  if (!value) return pa_python_failure();
  *out_expression = NULL;
  if (!is_number(value)) return PA_OK;
  PyObject *negative = PyNumber_Negative(value);
  if (!negative) return pa_python_failure();
  *out_expression = pa_new_expression(reader, PA_CONSTANT, place, 0);
  pa_status status = read_value(reader, node, negative, *out_expression);
  Py_DECREF(negative);
  return status;
}

//===-- Operators ---------------------------------------------------------------------------------===//

pa_status pa_read_operator(pa_reader *reader, PyObject *node, pa_class first, pa_class last, int *out_kind) {
  pa_class class;
  PA_TRY(pa_class_of(reader, node, &class));
  if (class < first || class > last) return pa_refuse_class(reader, node, class);
  *out_kind = (int)(class - first);
  return PA_OK;
}

static pa_status read_unary(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PyObject *op = pa_field_of(reader, node, PA_FIELD_op), *operand = pa_field_of(reader, node, PA_FIELD_operand);
  if (!op || !operand) return pa_python_failure();
  int kind;
  pa_class class;
  PA_TRY(pa_read_operator(reader, op, PA_CLASS_USub, PA_CLASS_Not, &kind));
  PA_TRY(pa_class_of(reader, operand, &class));
  if (kind == PYARRAY_UNARY_NEG && class == PA_CLASS_Constant) {
    PA_TRY(read_negative(reader, node, operand, place, out_expression));
    if (*out_expression) return PA_OK;
  }
  PA_TRY(pa_fold_integers(reader, node, place, out_expression));
  if (*out_expression) return PA_OK;
  pa_expression *unary = *out_expression = pa_new_expression(reader, PA_UNARY, place, 1);
  unary->operation = kind;
  return pa_read_expression(reader, operand, &unary->operands[0]);
}

static pa_status read_binary(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PA_TRY(pa_fold_integers(reader, node, place, out_expression));
  if (*out_expression) return PA_OK;
  pa_expression *binary = *out_expression = pa_new_expression(reader, PA_BINARY, place, 2);
  PyObject *op = pa_field_of(reader, node, PA_FIELD_op);
  if (!op) return pa_python_failure();
  PA_TRY(pa_read_operator(reader, op, PA_CLASS_Add, PA_CLASS_MatMult, &binary->operation));
  if (binary->operation == PYARRAY_BINARY_MOD && pa_is_two_to_64(reader, pa_field_of(reader, node, PA_FIELD_right))) {
    *binary = (pa_expression){
        .kind = PA_INTERNAL, .place = place, .count = 1, .operands = binary->operands, .text = "whole.low_bits"};
    return pa_read_operand(reader, node, PA_FIELD_left, binary, 0);
  }
  PA_TRY(pa_read_operand(reader, node, PA_FIELD_left, binary, 0));
  return pa_read_operand(reader, node, PA_FIELD_right, binary, 1);
}

static pa_status read_boolean(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PyObject *op = pa_field_of(reader, node, PA_FIELD_op);
  if (!op) return pa_python_failure();
  int kind;
  PA_TRY(pa_read_operator(reader, op, PA_CLASS_And, PA_CLASS_Or, &kind));
  *out_expression = pa_new_expression(reader, kind == 0 ? PA_AND : PA_OR, place, 0);
  return read_list(reader, node, PA_FIELD_values, 0, *out_expression);
}

static pa_status read_compare(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  pa_expression *compare = *out_expression = pa_new_expression(reader, PA_COMPARE, place, 0);
  PyObject *operators = pa_field_of(reader, node, PA_FIELD_ops);
  if (!operators) return pa_python_failure();
  PA_TRY(read_list(reader, node, PA_FIELD_comparators, 1, compare));
  PA_TRY(pa_read_operand(reader, node, PA_FIELD_left, compare, 0));
  compare->operations = PA_NEW_ARRAY(reader->importer->arena, int, compare->count - 1);
  for (int i = 0; i < compare->count - 1; ++i)
    PA_TRY(
        pa_read_operator(reader, PyList_GetItem(operators, i), PA_CLASS_Eq, PA_CLASS_NotIn, &compare->operations[i]));
  return PA_OK;
}

static pa_status read_conditional(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  pa_expression *conditional = *out_expression = pa_new_expression(reader, PA_CONDITIONAL, place, 3);
  PA_TRY(pa_read_operand(reader, node, PA_FIELD_test, conditional, 0));
  PA_TRY(pa_read_operand(reader, node, PA_FIELD_body, conditional, 1));
  return pa_read_operand(reader, node, PA_FIELD_orelse, conditional, 2);
}

//===-- Calls, attributes, subscripts -------------------------------------------------------------===//

// Keyword arguments follow the others; |call| has room for them.
static pa_status add_keyword(pa_reader *reader, PyObject *name, PyObject *value, pa_expression *call) {
  const char *text = pa_python_text(reader->importer, name);
  if (!text) return pa_python_failure();
  call->keywords.names[call->keywords.count++] = text;
  return pa_read_expression(reader, value, &call->operands[call->count++]);
}

// The keys and values of a dict display with constant names; NULL for all else.
static pa_status constant_dict(pa_reader *reader, PyObject *node, PyObject **out_keys, PyObject **out_values) {
  PyObject *keys = PyObject_GetAttrString(node, "keys");
  PyErr_Clear();
  *out_keys = keys && PyList_Check(keys) ? keys : NULL; // the node holds it
  Py_XDECREF(keys);
  *out_values = *out_keys ? pa_field_of(reader, node, PA_FIELD_values) : NULL;
  for (Py_ssize_t i = 0; *out_values && i < PyList_Size(*out_keys); ++i) {
    PyObject *key = PyList_GetItem(*out_keys, i),
             *text = PyObject_GetAttr(key, reader->importer->fields[PA_FIELD_value]);
    if (!text || !PyUnicode_Check(text)) *out_values = NULL;
    Py_XDECREF(text);
    PyErr_Clear();
  }
  return PA_OK;
}

// f(**kwargs): an operand before the keyword arguments.
static pa_status spread_mapping(pa_reader *reader, PyObject *value, pa_expression *call) {
  pa_expression *mapping;
  PA_TRY(pa_read_expression(reader, value, &mapping));
  pa_expression *spread = pa_new_expression(reader, PA_STARRED, mapping->place, 1);
  spread->operands[0] = mapping;
  spread->binds = mapping->binds;
  spread->operation = PA_SPREADS_MAPPING;
  int first = call->count++ - call->keywords.count;
  memmove(call->operands + first + 1, call->operands + first, sizeof *call->operands * (size_t)call->keywords.count);
  return call->operands[first] = spread, PA_OK;
}

// f(**{"a": 1}) is f(a=1).
static pa_status spread_keywords(pa_reader *reader, PyObject *value, pa_expression *call) {
  PyObject *keys, *values;
  PA_TRY(constant_dict(reader, value, &keys, &values));
  if (!values) return spread_mapping(reader, value, call);
  Py_ssize_t more = PyList_Size(keys);
  pa_expression **operands = PA_NEW_ARRAY(reader->importer->arena, pa_expression *, call->capacity + more);
  const char **names = PA_NEW_ARRAY(reader->importer->arena, const char *, call->capacity + more);
  memcpy(operands, call->operands, sizeof *operands * (size_t)call->count);
  if (call->keywords.count) memcpy(names, call->keywords.names, sizeof *names * (size_t)call->keywords.count);
  call->operands = operands;
  call->keywords.names = names;
  call->capacity += (int)more;
  for (Py_ssize_t i = 0; i < more; ++i) {
    PyObject *name = pa_field_of(reader, PyList_GetItem(keys, i), PA_FIELD_value);
    PA_TRY(add_keyword(reader, name, PyList_GetItem(values, i), call));
  }
  return PA_OK;
}

static pa_status read_keyword(pa_reader *reader, PyObject *keyword, pa_expression *call) {
  PyObject *name = pa_field_of(reader, keyword, PA_FIELD_arg), *value = pa_field_of(reader, keyword, PA_FIELD_value);
  if (!name || !value) return pa_python_failure();
  return Py_IsNone(name) ? spread_keywords(reader, value, call) : add_keyword(reader, name, value, call);
}

static pa_status read_call(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PyObject *arguments = pa_field_of(reader, node, PA_FIELD_args),
           *keywords = pa_field_of(reader, node, PA_FIELD_keywords);
  if (!arguments || !keywords) return pa_python_failure();
  int positional = (int)PyList_Size(arguments), named = (int)PyList_Size(keywords);
  pa_expression *call = *out_expression = pa_new_expression(reader, PA_CALL, place, 1 + positional + named);
  call->capacity = call->count;
  call->count = 1 + positional;
  PA_TRY(pa_read_operand(reader, node, PA_FIELD_func, call, 0));
  for (int i = 0; i < positional; ++i)
    PA_TRY(pa_read_expression(reader, PyList_GetItem(arguments, i), &call->operands[1 + i]));
  call->keywords.count = 0;
  call->keywords.names = PA_NEW_ARRAY(reader->importer->arena, const char *, named);
  for (int i = 0; i < named; ++i) PA_TRY(read_keyword(reader, PyList_GetItem(keywords, i), call));
  return PA_OK;
}

static pa_status read_attribute(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  pa_expression *attribute = *out_expression = pa_new_expression(reader, PA_ATTRIBUTE, place, 1);
  PyObject *name = pa_field_of(reader, node, PA_FIELD_attr);
  attribute->text = name ? pa_python_text(reader->importer, name) : NULL;
  if (!attribute->text) return pa_python_failure();
  return pa_read_operand(reader, node, PA_FIELD_value, attribute, 0);
}

static pa_status read_bound(pa_reader *reader, PyObject *node, pa_field field, pa_expression *slice, int index) {
  PyObject *bound = pa_field_of(reader, node, field);
  if (!bound) return pa_python_failure();
  if (!Py_IsNone(bound)) return pa_read_expression(reader, bound, &slice->operands[index]);
  slice->operands[index] = pa_none(reader, slice->place);
  return PA_OK;
}

static pa_status read_slice(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  pa_expression *slice = *out_expression = pa_new_expression(reader, PA_SLICE, place, 3);
  PA_TRY(read_bound(reader, node, PA_FIELD_lower, slice, 0));
  PA_TRY(read_bound(reader, node, PA_FIELD_upper, slice, 1));
  return read_bound(reader, node, PA_FIELD_step, slice, 2);
}

// The indices of a[i, j] are two, of a[i] one, of a[()] none. |operation|: whether the index is a tuple, as in a[i,].
static pa_status read_subscript(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  pa_expression *subscript = *out_expression = pa_new_expression(reader, PA_SUBSCRIPT, place, 2);
  PyObject *index = pa_field_of(reader, node, PA_FIELD_slice);
  if (!index) return pa_python_failure();
  pa_class class;
  PA_TRY(pa_class_of(reader, index, &class));
  subscript->operation = class == PA_CLASS_Tuple;
  if (class == PA_CLASS_Tuple)
    PA_TRY(read_list(reader, index, PA_FIELD_elts, 1, subscript));
  else
    PA_TRY(pa_read_expression(reader, index, &subscript->operands[1]));
  return pa_read_operand(reader, node, PA_FIELD_value, subscript, 0);
}

static pa_status declare_walrus(pa_reader *reader, PyObject *node, PyObject *id, pa_name **out_name) {
  pa_name_scope *scope = reader->scope;
  reader->scope = NULL;
  PA_TRY(pa_read_name(reader, id, out_name));
  reader->scope = scope;
  if (reader->around) {
    pa_name *outer;
    PA_TRY(declare_walrus(reader->around, node, id, &outer));
    if ((*out_name)->variable < 0) (*out_name)->nonlocal = true;
  }
  PA_TRY(pa_declare_local(reader, node, *out_name));
  return (*out_name)->by_walrus = true, PA_OK;
}

// The variable belongs to the function, also from within comprehensions and generator expressions.
static pa_status read_walrus(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  pa_expression *walrus = *out_expression = pa_new_expression(reader, PA_WALRUS, place, 1);
  PyObject *target = pa_field_of(reader, node, PA_FIELD_target);
  if (!target) return pa_python_failure();
  PA_TRY(declare_walrus(reader, node, pa_field_of(reader, target, PA_FIELD_id), &walrus->name));
  walrus->binds = true;
  return pa_read_operand(reader, node, PA_FIELD_value, walrus, 0);
}

static pa_status read_starred(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  *out_expression = pa_new_expression(reader, PA_STARRED, place, 1);
  return pa_read_operand(reader, node, PA_FIELD_value, *out_expression, 0);
}

// A tuple, a list or a set.
static pa_status read_display(pa_reader *reader, PyObject *node, pa_expression_kind kind, pa_place place,
                              pa_expression **out_expression) {
  pa_expression *display = *out_expression = pa_new_expression(reader, kind, place, 0);
  PA_TRY(read_list(reader, node, PA_FIELD_elts, 0, display));
  for (int i = 0; i < display->count; ++i)
    if (display->operands[i]->kind == PA_STARRED) return pa_spread_display(reader, node, display, out_expression);
  return PA_OK;
}

static pa_status read_name(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  *out_expression = pa_new_expression(reader, PA_NAME, place, 0);
  return pa_read_name(reader, pa_field_of(reader, node, PA_FIELD_id), &(*out_expression)->name);
}

//===-- Expressions -------------------------------------------------------------------------------===//

static pa_status read_node(pa_reader *reader, PyObject *node, pa_expression **out_expression) {
  pa_class class;
  pa_place place;
  PA_TRY(pa_class_of(reader, node, &class));
  PA_TRY(pa_read_place(reader, node, &place));
  switch (class) {
  case PA_CLASS_Attribute: return read_attribute(reader, node, place, out_expression);
  case PA_CLASS_BinOp: return read_binary(reader, node, place, out_expression);
  case PA_CLASS_BoolOp: return read_boolean(reader, node, place, out_expression);
  case PA_CLASS_Call: return read_call(reader, node, place, out_expression);
  case PA_CLASS_Compare: return read_compare(reader, node, place, out_expression);
  case PA_CLASS_Constant: return read_constant(reader, node, place, out_expression);
  case PA_CLASS_JoinedStr: return pa_read_fstring(reader, node, place, out_expression);
  case PA_CLASS_IfExp: return read_conditional(reader, node, place, out_expression);
  case PA_CLASS_GeneratorExp: return pa_read_generator(reader, node, place, out_expression);
  case PA_CLASS_Yield:
  case PA_CLASS_YieldFrom: return pa_read_yield(reader, node, class, place, out_expression);
  case PA_CLASS_DictComp:
  case PA_CLASS_SetComp:
  case PA_CLASS_ListComp: return pa_read_comprehension(reader, node, class, place, out_expression);
  case PA_CLASS_Lambda: return pa_read_closure(reader, node, "<lambda>", NULL, place, out_expression);
  case PA_CLASS_Dict: return pa_read_dict(reader, node, place, out_expression);
  case PA_CLASS_Set: return read_display(reader, node, PA_SET_DISPLAY, place, out_expression);
  case PA_CLASS_List: return read_display(reader, node, PA_LIST, place, out_expression);
  case PA_CLASS_Name: return read_name(reader, node, place, out_expression);
  case PA_CLASS_Slice: return read_slice(reader, node, place, out_expression);
  case PA_CLASS_NamedExpr: return read_walrus(reader, node, place, out_expression);
  case PA_CLASS_Starred: return read_starred(reader, node, place, out_expression);
  case PA_CLASS_Subscript: return read_subscript(reader, node, place, out_expression);
  case PA_CLASS_Tuple: return read_display(reader, node, PA_TUPLE, place, out_expression);
  case PA_CLASS_UnaryOp: return read_unary(reader, node, place, out_expression);
  default: return pa_refuse_class(reader, node, class);
  }
}

pa_status pa_read_expression(pa_reader *reader, PyObject *node, pa_expression **out_expression) {
  PA_TRY(pa_enter(reader, node));
  PA_TRY(read_node(reader, node, out_expression));
  reader->depth--;
  pa_expression *x = *out_expression;
  for (int i = 0; i < x->count; ++i) x->binds |= x->operands[i]->binds;
  return PA_OK;
}

//===-- Targets -----------------------------------------------------------------------------------===//

static pa_status read_target_tuple(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PyObject *list = pa_field_of(reader, node, PA_FIELD_elts);
  if (!list) return pa_python_failure();
  pa_expression *tuple = *out_expression = pa_new_expression(reader, PA_TUPLE, place, (int)PyList_Size(list));
  PA_TRY(pa_enter(reader, node));
  for (int i = 0; i < tuple->count; ++i) PA_TRY(pa_read_target(reader, PyList_GetItem(list, i), &tuple->operands[i]));
  reader->depth--;
  return PA_OK;
}

// A target of a comprehension is a variable of its own, once for each name.
static pa_status read_scoped_target(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  *out_expression = pa_new_expression(reader, PA_NAME, place, 0);
  pa_name_scope *scope = reader->scope;
  const char *text = pa_python_text(reader->importer, pa_field_of(reader, node, PA_FIELD_id));
  if (!text) return pa_python_failure();
  for (size_t i = 0; i < scope->count; ++i)
    if (strcmp(scope->names[i]->text, text) == 0) return (*out_expression)->name = scope->names[i], PA_OK;
  PA_TRY(pa_declare_hidden(reader, node, text, &(*out_expression)->name));
  (*out_expression)->name->scoped = true;
  scope->names =
      pa_arena_grow(reader->importer->arena, scope->names, scope->count, &scope->capacity, sizeof *scope->names);
  return scope->names[scope->count++] = (*out_expression)->name, PA_OK;
}

pa_status pa_read_target(pa_reader *reader, PyObject *node, pa_expression **out_expression) {
  pa_class class;
  pa_place place;
  PA_TRY(pa_class_of(reader, node, &class));
  PA_TRY(pa_read_place(reader, node, &place));
  switch (class) {
  case PA_CLASS_Name:
    if (reader->binds_in_scope) return read_scoped_target(reader, node, place, out_expression);
    PA_TRY(read_name(reader, node, place, out_expression));
    return pa_declare_local(reader, node, (*out_expression)->name);
  case PA_CLASS_Tuple:
  case PA_CLASS_List: return read_target_tuple(reader, node, place, out_expression);
  case PA_CLASS_Attribute:
  case PA_CLASS_Subscript: return pa_read_expression(reader, node, out_expression);
  case PA_CLASS_Starred: {
    *out_expression = pa_new_expression(reader, PA_STARRED, place, 1);
    PyObject *inner = pa_field_of(reader, node, PA_FIELD_value);
    return inner ? pa_read_target(reader, inner, &(*out_expression)->operands[0]) : pa_python_failure();
  }
  default: return pa_refuse_class(reader, node, class);
  }
}
