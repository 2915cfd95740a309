// Reading a function's ast: the function itself, its names, and what all nodes have in common.
//
// In:  ast.FunctionDef or ast.Lambda. Out: a tree in the arena that holds no reference to Python; every name is a local
// variable or not, as Python's scope rules say (assigned anywhere means local), constants are attributes. For instance
//
//   def f(x):        parameters x; variables x, y
//     y = x + K      PA_ASSIGN y, PA_BINARY(PA_NAME x, PA_NAME K), where K is no variable
//     return y       PA_RETURN_
#include <Python.h>

#include <string.h>

#include "reader.h"

static const struct refusal {
  const char *what, *hint; // NULL if the class is read
} refusals[] = {
#define PA_CLASS(name) {NULL, NULL},
#define PA_REFUSED(name, what, hint) {what, hint},
#include "syntax.def"
#undef PA_CLASS
#undef PA_REFUSED
};

//===-- Nodes -------------------------------------------------------------------------------------===//

PyObject *pa_field_of(pa_reader *reader, PyObject *node, pa_field field) {
  PyObject *value = PyObject_GetAttr(node, reader->importer->fields[field]);
  Py_XDECREF(value); // the node holds it
  return value;
}

pa_status pa_class_of(pa_reader *reader, PyObject *node, pa_class *out_class) {
  PyObject *number = PyDict_GetItemWithError(reader->importer->classes, (PyObject *)Py_TYPE(node));
  if (!number && !PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "unknown syntax tree node %R", node);
  if (!number) return pa_python_failure();
  *out_class = (pa_class)PyLong_AsLong(number);
  return PA_OK;
}

static pa_status get_int(pa_reader *reader, PyObject *node, pa_field field, int *out_value) {
  PyObject *object = pa_field_of(reader, node, field);
  long value = object ? PyLong_AsLong(object) : -1;
  if (value == -1 && PyErr_Occurred()) return pa_python_failure();
  *out_value = (int)value;
  return PA_OK;
}

pa_status pa_read_place(pa_reader *reader, PyObject *node, pa_place *out_place) {
  PA_TRY(get_int(reader, node, PA_FIELD_lineno, &out_place->line));
  PA_TRY(get_int(reader, node, PA_FIELD_col_offset, &out_place->column));
  out_place->column++;
  return PA_OK;
}

pa_status pa_enter(pa_reader *reader, PyObject *node) {
  if (++reader->depth <= PA_MAX_DEPTH) return PA_OK;
  return pa_refuse(reader, node, "code nested this deeply", "split it into several statements or functions");
}

//===-- Refusals ----------------------------------------------------------------------------------===//

pa_status pa_refuse(pa_reader *reader, PyObject *node, const char *what, const char *hint) {
  pa_place place;
  PA_TRY(pa_read_place(reader, node, &place));
  pa_location location = pa_locate(reader->function, place);
  return pa_fail(PA_CODE_UNSUPPORTED, &location, "%s is not supported in compiled code; %s", what, hint);
}

pa_status pa_refuse_class(pa_reader *reader, PyObject *node, pa_class class) {
  if (refusals[class].what) return pa_refuse(reader, node, refusals[class].what, refusals[class].hint);
  PyErr_Format(PyExc_TypeError, "misplaced syntax tree node %R", node);
  return pa_python_failure();
}

//===-- Names -------------------------------------------------------------------------------------===//

static size_t hash_text(const char *text) {
  size_t hash = 14695981039346656037u;
  for (; *text; ++text) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

static pa_name **find_slot(pa_name **slots, size_t count, const char *text) {
  size_t i = hash_text(text) & (count - 1);
  while (slots[i] && strcmp(slots[i]->text, text) != 0) i = (i + 1) & (count - 1);
  return &slots[i];
}

static void grow_names(pa_arena *arena, pa_function *function) {
  size_t count = function->slot_count ? 2 * function->slot_count : 32;
  pa_name **slots = PA_NEW_ARRAY(arena, pa_name *, count);
  for (size_t i = 0; i < function->slot_count; ++i)
    if (function->slots[i]) *find_slot(slots, count, function->slots[i]->text) = function->slots[i];
  function->slots = slots;
  function->slot_count = count;
}

static pa_name *find_in_scopes(const pa_name_scope *scope, const char *text) {
  for (; scope; scope = scope->outer)
    for (size_t i = 0; i < scope->count; ++i)
      if (strcmp(scope->names[i]->text, text) == 0) return scope->names[i];
  return NULL;
}

pa_status pa_read_name(pa_reader *reader, PyObject *string, pa_name **out_name) {
  pa_function *function = reader->function;
  pa_arena *arena = reader->importer->arena;
  const char *text = string ? pa_python_text(reader->importer, string) : NULL;
  if (!text) return pa_python_failure();
  if ((*out_name = find_in_scopes(reader->scope, text))) return PA_OK;
  if (2 * function->name_count >= function->slot_count) grow_names(arena, function);
  pa_name **slot = find_slot(function->slots, function->slot_count, text);
  if (!*slot) {
    *slot = PA_NEW(arena, pa_name);
    **slot = (pa_name){.text = text, .variable = -1};
    function->name_count++;
  }
  *out_name = *slot;
  return PA_OK;
}

void pa_add_variable(pa_importer *importer, pa_function *function, pa_name *name) {
  function->variables = pa_arena_grow(importer->arena, function->variables, function->variable_count,
                                      &function->variable_capacity, sizeof *function->variables);
  name->variable = (int)function->variable_count;
  function->variables[function->variable_count++] = name;
}

void pa_for_each_name(pa_function *function, void (*visit)(void *, pa_name *), void *data) {
  for (size_t i = 0; i < function->slot_count; ++i)
    if (function->slots[i]) visit(data, function->slots[i]);
}

pa_status pa_declare_local(pa_reader *reader, PyObject *node, pa_name *name) {
  pa_arena *arena = reader->importer->arena;
  ++name->stores;
  if (name->nonlocal) return PA_OK;
  if (name->import)
    return pa_refuse(reader, node,
                     pa_arena_format(arena, "assignment to '%s', which the function imports,", name->text),
                     "use another name");
  if (name->elsewhere)
    return pa_refuse(reader, node,
                     pa_arena_format(arena, "assignment to the global or nonlocal variable '%s'", name->text),
                     "return the new value, or store it in an array that is an argument");
  if (name->variable < 0) pa_add_variable(reader->importer, reader->function, name);
  return PA_OK;
}

pa_status pa_declare_hidden(pa_reader *reader, PyObject *node, const char *text, pa_name **out_name) {
  pa_arena *arena = reader->importer->arena;
  if (!text) text = pa_arena_format(arena, "$%d", (int)reader->function->variable_count);
  *out_name = PA_NEW(arena, pa_name);
  **out_name = (pa_name){.text = text, .variable = -1};
  return pa_declare_local(reader, node, *out_name);
}

//===-- Parameters --------------------------------------------------------------------------------===//

// Whether the annotation is that name of pyarray.library._intrinsics.
static bool is_annotated(pa_reader *reader, PyObject *parameter, const char *name) {
  PyObject *annotation = pa_field_of(reader, parameter, PA_FIELD_annotation), *id = NULL;
  if (reader->function->in_library && annotation && !Py_IsNone(annotation))
    id = PyObject_GetAttr(annotation, reader->importer->fields[PA_FIELD_id]);
  bool literal = id && PyUnicode_Check(id) && PyUnicode_CompareWithASCIIString(id, name) == 0;
  Py_XDECREF(id);
  PyErr_Clear();
  return literal;
}

static pa_status read_parameter(pa_reader *reader, PyObject *node, char kind) {
  pa_function *function = reader->function;
  pa_name *name;
  function->parameter_literals[function->parameter_count] = is_annotated(reader, node, "literal");
  function->parameter_known[function->parameter_count] = is_annotated(reader, node, "known");
  PA_TRY(pa_read_name(reader, pa_field_of(reader, node, PA_FIELD_arg), &name));
  PA_TRY(pa_declare_local(reader, node, name));
  function->parameter_kinds[function->parameter_count] = kind;
  return pa_read_place(reader, node, &function->parameter_places[function->parameter_count++]);
}

// In the order of the function's variables: *args and **kwargs last.
static pa_status read_parameters(pa_reader *reader, PyObject *arguments) {
  static const pa_field groups[] = {PA_FIELD_posonlyargs, PA_FIELD_args, PA_FIELD_kwonlyargs};
  static const char kinds[] = "opk";
  pa_function *function = reader->function;
  PyObject *lists[3], *rest = pa_field_of(reader, arguments, PA_FIELD_vararg),
                      *named = pa_field_of(reader, arguments, PA_FIELD_kwarg);
  Py_ssize_t count = 2;
  if (!rest || !named) return pa_python_failure();
  for (int i = 0; i < 3; ++i) {
    lists[i] = pa_field_of(reader, arguments, groups[i]);
    if (!lists[i]) return pa_python_failure();
    count += PyList_Size(lists[i]);
  }
  function->parameter_places = PA_NEW_ARRAY(reader->importer->arena, pa_place, count);
  function->parameter_kinds = PA_NEW_ARRAY(reader->importer->arena, char, count + 1);
  function->parameter_literals = PA_NEW_ARRAY(reader->importer->arena, bool, count + 1);
  function->parameter_known = PA_NEW_ARRAY(reader->importer->arena, bool, count + 1);
  for (int i = 0; i < 3; ++i)
    for (Py_ssize_t k = 0; k < PyList_Size(lists[i]); ++k)
      PA_TRY(read_parameter(reader, PyList_GetItem(lists[i], k), kinds[i]));
  if (!Py_IsNone(rest)) PA_TRY(read_parameter(reader, rest, '*'));
  return Py_IsNone(named) ? PA_OK : read_parameter(reader, named, 'w');
}

//===-- Function ----------------------------------------------------------------------------------===//

void pa_append_return(pa_reader *reader, pa_block *block, pa_expression *value) {
  pa_statement **statements = PA_NEW_ARRAY(reader->importer->arena, pa_statement *, block->count + 1);
  if (block->count) memcpy(statements, block->statements, sizeof *statements * (size_t)block->count);
  pa_statement *last = statements[block->count] = PA_NEW(reader->importer->arena, pa_statement);
  *last = (pa_statement){.kind = PA_RETURN_, .place = value->place, .completions = PA_CAN(RETURN), .value = value};
  block->statements = statements;
  block->count++;
  block->completions = (block->completions & ~PA_CAN(FALL)) | PA_CAN(RETURN);
}

static pa_status read_body(pa_reader *reader, PyObject *body) {
  pa_function *function = reader->function;
  pa_expression *value;
  if (!PyList_Check(body)) { // a lambda's
    PA_TRY(pa_read_expression(reader, body, &value));
    pa_append_return(reader, &function->body, value);
    return PA_OK;
  }
  PA_TRY(pa_read_block(reader, body, &function->body));
  if (!(function->body.completions & PA_CAN(FALL))) return PA_OK;
  pa_place place = function->place;
  if (function->body.count) place = function->body.statements[function->body.count - 1]->place;
  pa_append_return(reader, &function->body, pa_none(reader, place));
  return PA_OK;
}

pa_status pa_read_function_node(pa_reader *reader, PyObject *node) {
  pa_class class;
  PA_TRY(pa_class_of(reader, node, &class));
  if (class != PA_CLASS_FunctionDef && class != PA_CLASS_Lambda) return pa_refuse_class(reader, node, class);
  PA_TRY(pa_read_place(reader, node, &reader->function->place));
  PyObject *arguments = pa_field_of(reader, node, PA_FIELD_args);
  PyObject *body = pa_field_of(reader, node, PA_FIELD_body);
  if (!arguments || !body) return pa_python_failure();
  reader->function->is_lambda = class == PA_CLASS_Lambda;
  PA_TRY(read_parameters(reader, arguments));
  return read_body(reader, body);
}

pa_status pa_read_function(pa_importer *importer, pa_function *function) {
  pa_reader reader = {.importer = importer, .function = function};
  PyObject *module = pa_adopt(importer, PyImport_ImportModule("pyarray._source"));
  PyObject *get = module ? pa_adopt(importer, PyObject_GetAttrString(module, "function_ast")) : NULL;
  PyObject *pair = get ? PyObject_CallFunctionObjArgs(get, function->object, NULL) : NULL;
  pa_status status = PA_OK;
  if (!pair || !PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "function_ast: expected a node and a file name");
    status = pa_python_failure();
    goto done;
  }
  function->file = pa_python_text(importer, PyTuple_GetItem(pair, 1));
  status = function->file ? pa_read_function_node(&reader, PyTuple_GetItem(pair, 0)) : pa_python_failure();
  if (!status) pa_find_lives(importer, function);
  pa_resolve_closures(importer, function);
done:
  Py_XDECREF(pair);
  return status;
}
