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

// Defaults of a nested function: constants, and values that it captures when it is made. Of the latter the function
// begins with
//
//   step = step if given(step) else default.step
typedef struct defaults {
  pa_reader *outer, *inner;
  MlirAttribute *attrs;
  int count;
  pa_closure *closure; // gets the values
  pa_statement **beginning;
} defaults;

static pa_expression *read_of(pa_reader *reader, pa_name *name, pa_place place) {
  pa_expression *x = pa_new_expression(reader, PA_NAME, place, 0);
  return x->name = name, x;
}

static pa_status add_captured_default(defaults *d, PyObject *node, pa_expression *value, pa_name *parameter) {
  pa_arena *arena = d->outer->importer->arena;
  pa_closure *closure = d->closure;
  int number = closure->default_count++;
  const char *text = pa_arena_format(arena, "default.%s", parameter->text);
  PA_TRY(pa_declare_hidden(d->inner, node, text, &closure->defaults[number]));
  closure->expression->operands[closure->expression->count++] = value;
  closure->expression->binds |= value->binds;
  pa_expression *target = read_of(d->inner, parameter, value->place),
                *given = pa_new_expression(d->inner, PA_INTERNAL, value->place, 1),
                *choice = pa_new_expression(d->inner, PA_CONDITIONAL, value->place, 3);
  given->text = "pyarray.library._intrinsics.given";
  given->operands[0] = read_of(d->inner, parameter, value->place);
  choice->operands[0] = given;
  choice->operands[1] = read_of(d->inner, parameter, value->place);
  choice->operands[2] = read_of(d->inner, closure->defaults[number], value->place);
  pa_statement *first = d->beginning[number] = PA_NEW(arena, pa_statement);
  *first = (pa_statement){.kind = PA_ASSIGN,
                          .place = value->place,
                          .completions = PA_CAN(FALL),
                          .targets = PA_NEW(arena, pa_expression *),
                          .count = 1,
                          .value = choice};
  first->targets[0] = target;
  MlirContext context = d->outer->importer->context;
  d->attrs[d->count++] =
      mlirTypeAttrGet(pyarrayCallableTypeGet(pa_string_attr(context, "pyarray.library._intrinsics.missing")));
  return PA_OK;
}

// Of parameters from number |first| on.
static pa_status add_defaults(defaults *d, PyObject *list, int first) {
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
    PyObject *node = PyList_GetItem(list, i);
    if (Py_IsNone(node)) {
      d->attrs[d->count++] = pyarrayOpaqueAttrGet(d->outer->importer->context);
      continue;
    }
    pa_expression *value;
    PA_TRY(pa_read_expression(d->outer, node, &value));
    if (value->kind == PA_CONSTANT)
      d->attrs[d->count++] = value->constant.value;
    else
      PA_TRY(add_captured_default(d, node, value, d->inner->function->variables[first + i]));
  }
  return PA_OK;
}

static void begin_with(pa_importer *importer, pa_block *body, pa_statement *const *statements, int count) {
  pa_statement **all = PA_NEW_ARRAY(importer->arena, pa_statement *, count + body->count);
  for (int i = 0; i < count; ++i) all[i] = statements[i];
  for (int i = 0; i < body->count; ++i) all[count + i] = body->statements[i];
  body->statements = all;
  body->count += count;
}

static pa_status read_defaults(pa_reader *reader, PyObject *node, pa_reader *inner, pa_closure *closure) {
  pa_function *nested = inner->function;
  PyObject *arguments = pa_field_of(reader, node, PA_FIELD_args);
  PyObject *plain = arguments ? pa_field_of(reader, arguments, PA_FIELD_defaults) : NULL,
           *named = plain ? pa_field_of(reader, arguments, PA_FIELD_kw_defaults) : NULL;
  if (!named) return pa_python_failure();
  pa_arena *arena = reader->importer->arena;
  int most = (int)(PyList_Size(plain) + PyList_Size(named)), rest = pa_rest_parameters(nested);
  int keyword_only = nested->parameter_count - rest - (int)PyList_Size(named);
  closure->defaults = PA_NEW_ARRAY(arena, pa_name *, most + 1);
  closure->expression->operands = PA_NEW_ARRAY(arena, pa_expression *, most + 1);
  defaults d = {reader, inner,   PA_NEW_ARRAY(arena, MlirAttribute, most + 2),
                0,      closure, PA_NEW_ARRAY(arena, pa_statement *, most + 1)};
  PA_TRY(add_defaults(&d, plain, keyword_only - (int)PyList_Size(plain)));
  PA_TRY(add_defaults(&d, named, keyword_only));
  begin_with(reader->importer, &nested->body, d.beginning, closure->default_count);
  if (!closure->default_count) closure->expression->operands = NULL; // until it is known what is captured
  for (; d.count && rest > 0; --rest) d.attrs[d.count++] = pyarrayOpaqueAttrGet(reader->importer->context);
  if (d.count) nested->nested_defaults = mlirArrayAttrGet(reader->importer->context, d.count, d.attrs);
  return PA_OK;
}

static pa_closure *new_closure(pa_reader *reader, pa_function *nested, pa_place place) {
  pa_closure *closure = PA_NEW(reader->importer->arena, pa_closure);
  *closure = (pa_closure){.function = nested, .expression = pa_new_expression(reader, PA_CLOSURE, place, 0)};
  return closure->expression->closure = closure, closure;
}

static pa_expression *close_over(pa_reader *reader, pa_closure *closure, pa_name *name) {
  pa_function *outer = reader->function;
  pa_for_each_name(closure->function, add_capture, &(capture_finder){reader, closure, name});
  *(outer->last_closure ? &outer->last_closure->next : &outer->first_closure) = closure;
  outer->last_closure = closure;
  return closure->expression;
}

pa_expression *pa_close_function(pa_reader *reader, pa_function *nested, pa_name *name, pa_place place) {
  return close_over(reader, new_closure(reader, nested, place), name);
}

pa_status pa_read_closure(pa_reader *reader, PyObject *node, const char *text, pa_name *name, pa_place place,
                          pa_expression **out_expression) {
  pa_function *outer = reader->function, *nested;
  PA_TRY(pa_add_nested(reader->importer, outer, text, &nested));
  pa_reader inner = {.importer = reader->importer, .function = nested, .depth = reader->depth};
  PA_TRY(pa_read_function_node(&inner, node));
  pa_closure *closure = new_closure(reader, nested, place);
  PA_TRY(read_defaults(reader, node, &inner, closure));
  return *out_expression = close_over(reader, closure, name), PA_OK;
}

static void add_captured(pa_importer *importer, pa_function *function, pa_name *name) {
  function->captured = pa_arena_grow(importer->arena, function->captured, function->captured_count,
                                     &function->captured_capacity, sizeof *function->captured);
  function->captured[function->captured_count++] = name;
}

static void capture(pa_importer *importer, pa_closure *closure, struct pa_capture *c) {
  pa_function *function = closure->function;
  pa_add_variable(importer, function, c->inner);
  c->inner->in_cell = c->outer->in_cell;
  add_captured(importer, function, c->inner);
  pa_expression *x = closure->expression;
  x->operands[x->count] = PA_NEW(importer->arena, pa_expression);
  *x->operands[x->count++] = (pa_expression){.kind = PA_NAME, .place = x->place, .name = c->outer};
}

// What |name|, of |function|, is made of: false where it is no function that is bound once, or that is not known yet.
static bool find_parts(pa_importer *importer, const pa_function *function, const pa_name *name, pa_remade *out_parts) {
  if (name->remade) return *out_parts = *name->remade, true;
  const pa_closure *made = name->definition;
  if (!made || !made->expression->operands || made->default_count || name->variable < 0 ||
      pa_is_captured(function, name))
    return false;
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
    pa_expression *const *values = closure->expression->operands;
    closure->expression->operands =
        PA_NEW_ARRAY(importer->arena, pa_expression *, closure->count + (size_t)closure->default_count);
    for (int i = 0; i < closure->default_count; ++i) {
      closure->expression->operands[i] = values[i];
      add_captured(importer, closure->function, closure->defaults[i]);
    }
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
