// Nested functions as they are read: what they capture.
#include <Python.h>

#include "reader.h"

typedef struct capture_finder {
  pa_reader *outer;
  pa_closure *closure;
  const pa_name *bound_to; // what the function is bound to, or NULL
} capture_finder;

// A name that is free in the nested function belongs to what is around it.
static void add_capture(void *data, pa_name *inner) {
  capture_finder *finder = data;
  pa_closure *closure = finder->closure;
  if (inner->variable >= 0 || inner->elsewhere || inner->import) return;
  PyObject *text = PyUnicode_FromString(inner->text);
  pa_name *outer = NULL;
  pa_status status = pa_read_name(finder->outer, text, &outer);
  Py_XDECREF(text);
  pa_status_free(status); // of memory: the name stays free
  if (!outer || outer->elsewhere) return;
  inner->around = outer;
  outer->nonlocal |= inner->nonlocal && outer->variable < 0 && finder->outer->function->outer != NULL;
  closure->captures = pa_arena_grow(finder->outer->importer->arena, closure->captures, closure->count,
                                    &closure->capacity, sizeof *closure->captures);
  closure->captures[closure->count++] =
      (struct pa_capture){inner, outer, outer->variable >= 0, outer == finder->bound_to};
}

// Defaults are constants: they are evaluated once.
static pa_status add_defaults(pa_reader *reader, PyObject *list, MlirAttribute *attrs, int *count) {
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
    PyObject *node = PyList_GetItem(list, i);
    if (Py_IsNone(node)) {
      attrs[(*count)++] = pyarrayOpaqueAttrGet(reader->importer->context);
      continue;
    }
    pa_expression *value;
    PA_TRY(pa_read_expression(reader, node, &value));
    if (value->kind != PA_CONSTANT)
      return pa_refuse(reader, node, "a default of a nested function that is no constant",
                       "keep it in a variable that the function uses");
    attrs[(*count)++] = value->constant.value;
  }
  return PA_OK;
}

static pa_status read_defaults(pa_reader *reader, PyObject *node, pa_function *nested) {
  PyObject *arguments = pa_field_of(reader, node, PA_FIELD_args);
  PyObject *plain = arguments ? pa_field_of(reader, arguments, PA_FIELD_defaults) : NULL,
           *named = plain ? pa_field_of(reader, arguments, PA_FIELD_kw_defaults) : NULL;
  if (!named) return pa_python_failure();
  int count = 0;
  MlirAttribute *attrs =
      PA_NEW_ARRAY(reader->importer->arena, MlirAttribute, PyList_Size(plain) + PyList_Size(named) + 2);
  PA_TRY(add_defaults(reader, plain, attrs, &count));
  PA_TRY(add_defaults(reader, named, attrs, &count));
  for (int rest = count ? pa_rest_parameters(nested) : 0; rest > 0; --rest)
    attrs[count++] = pyarrayOpaqueAttrGet(reader->importer->context);
  if (count) nested->nested_defaults = mlirArrayAttrGet(reader->importer->context, count, attrs);
  return PA_OK;
}

pa_expression *pa_close_function(pa_reader *reader, pa_function *nested, pa_name *name, pa_place place) {
  pa_function *outer = reader->function;
  pa_closure *closure = PA_NEW(reader->importer->arena, pa_closure);
  *closure = (pa_closure){.function = nested};
  pa_for_each_name(nested, add_capture, &(capture_finder){reader, closure, name});
  *(outer->last_closure ? &outer->last_closure->next : &outer->first_closure) = closure;
  outer->last_closure = closure;
  closure->expression = pa_new_expression(reader, PA_CLOSURE, place, 0);
  return closure->expression->closure = closure, closure->expression;
}

pa_status pa_read_closure(pa_reader *reader, PyObject *node, const char *text, pa_name *name, pa_place place,
                          pa_expression **out_expression) {
  pa_function *outer = reader->function, *nested;
  PA_TRY(pa_add_nested(reader->importer, outer, text, &nested));
  pa_reader inner = {.importer = reader->importer, .function = nested, .depth = reader->depth};
  PA_TRY(pa_read_function_node(&inner, node));
  PA_TRY(read_defaults(reader, node, nested));
  return *out_expression = pa_close_function(reader, nested, name, place), PA_OK;
}

static void capture(pa_importer *importer, pa_closure *closure, struct pa_capture *c) {
  pa_function *function = closure->function;
  pa_add_variable(importer, function, c->inner);
  c->inner->in_cell = c->outer->in_cell;
  function->captured = pa_arena_grow(importer->arena, function->captured, function->captured_count,
                                     &function->captured_capacity, sizeof *function->captured);
  function->captured[function->captured_count++] = c->inner;
  pa_expression *x = closure->expression;
  x->operands[x->count] = PA_NEW(importer->arena, pa_expression);
  *x->operands[x->count++] = (pa_expression){.kind = PA_NAME, .place = x->place, .name = c->outer};
}

// What |name|, of |function|, is made of: false where it is no function that is bound once, or that is not known yet.
static bool find_parts(pa_importer *importer, const pa_function *function, const pa_name *name, pa_remade *out_parts) {
  if (name->remade) return *out_parts = *name->remade, true;
  const pa_closure *made = name->definition;
  if (!made || !made->expression->operands || name->variable < 0 || pa_is_captured(function, name)) return false;
  if (name->stores != 1 || name->in_cell || name->nonlocal || name->deleted) return false;
  const pa_expression *x = made->expression;
  *out_parts = (pa_remade){name->definition, PA_NEW_ARRAY(importer->arena, pa_name *, x->count)};
  for (int i = 0; i < x->count; ++i) out_parts->captured[i] = x->operands[i]->name;
  return true;
}

// What |closure| knows the variable |outer| by, of the function around it.
static pa_name *captured_as(pa_importer *importer, pa_closure *closure, pa_name *outer) {
  for (size_t i = 0; i < closure->count; ++i)
    if (closure->captures[i].outer == outer && !closure->captures[i].itself) return closure->captures[i].inner;
  pa_name *inner = PA_NEW(importer->arena, pa_name);
  // No name of Python's: the function may have a variable that is called the same.
  *inner =
      (pa_name){.text = pa_arena_format(importer->arena, "around.%s", outer->text), .variable = -1, .around = outer};
  closure->captures =
      pa_arena_grow(importer->arena, closure->captures, closure->count, &closure->capacity, sizeof *closure->captures);
  closure->captures[closure->count++] = (struct pa_capture){.inner = inner, .outer = outer, .bound_before = true};
  return inner;
}

static void remake(pa_importer *importer, const pa_function *function, pa_closure *closure, size_t number) {
  struct pa_capture c = closure->captures[number];
  pa_remade parts;
  if (c.itself || !find_parts(importer, function, c.outer, &parts)) return;
  int count = parts.closure->expression->count;
  pa_remade *remade = PA_NEW(importer->arena, pa_remade);
  *remade = (pa_remade){parts.closure, PA_NEW_ARRAY(importer->arena, pa_name *, count)};
  for (int i = 0; i < count; ++i) remade->captured[i] = captured_as(importer, closure, parts.captured[i]);
  c.inner->remade = remade;
}

void pa_resolve_closures(pa_importer *importer, pa_function *function) {
  for (pa_closure *closure = function->first_closure; closure; closure = closure->next)
    for (size_t i = 0; i < closure->count; ++i) {
      struct pa_capture *c = &closure->captures[i];
      bool own = c->outer->variable >= 0 && !pa_is_captured(function, c->outer);
      if (own && !c->itself) c->outer->in_cell |= c->inner->nonlocal || pa_may_change(function, closure, c);
    }
  for (pa_closure *closure = function->first_closure; closure; closure = closure->next) {
    for (size_t i = 0, count = closure->count; i < count; ++i) remake(importer, function, closure, i);
    closure->expression->operands = PA_NEW_ARRAY(importer->arena, pa_expression *, closure->count);
    for (size_t i = 0; i < closure->count; ++i) {
      struct pa_capture *c = &closure->captures[i];
      c->inner->itself = c->itself;
      c->inner->import = c->outer->import;
      if (!c->itself && !c->inner->remade && (c->outer->variable >= 0 || c->outer->itself))
        capture(importer, closure, c);
    }
    pa_resolve_closures(importer, closure->function);
  }
  function->words = (int)(function->variable_count + 63) / 64;
}
