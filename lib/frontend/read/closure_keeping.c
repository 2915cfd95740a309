// What a callee does with functions among its arguments: done with them when it returns, held by its result, or kept.
// Of a builtin a table says it; of a compiled function, what it does with its parameters (closure_life.c).
#include <Python.h>

#include <limits.h>

#include "closure_life.h"
#include "objects.h"

// Builtins that are done with their arguments when they return, and those whose result has them. A dot or '_' at the
// end: all that begin so.
static const char *const using_up[] = {"bisect.",
                                       "builtins.all",
                                       "builtins.any",
                                       "builtins.compensated_sum",
                                       "builtins.frozenset",
                                       "builtins.list",
                                       "builtins.max",
                                       "builtins.min",
                                       "builtins.next",
                                       "builtins.set",
                                       "builtins.sorted",
                                       "builtins.sum",
                                       "builtins.tuple",
                                       "collections.Counter",
                                       "collections.deque",
                                       "functools.reduce",
                                       "heapq.n",
                                       "math.",
                                       "operator.contains",
                                       "operator.countOf",
                                       "operator.indexOf",
                                       "pyarray.typed.",
                                       "statistics."};
static const char *const in_result[] = {"builtins.enumerate", "builtins.filter",   "builtins.iter",
                                        "builtins.map",       "builtins.reversed", "builtins.zip",
                                        "functools.partial",  "heapq.merge",       "itertools."};
// Of those, the ones that neither call nor go over their arguments from a number on: whoever has what they give may
// have these too.
static const struct handing_on {
  const char *name;
  int from;
} handing_on[] = {{"bisect.insort", 1},        {"bisect.insort_left", 1}, {"bisect.insort_right", 1},
                  {"builtins.next", 1},        {"functools.partial", 1},  {"functools.reduce", 2},
                  {"itertools.accumulate", 2}, {"itertools.repeat", 0}};
// Keywords whose values are called or gone over; all others hand on.
static const char *const using_keywords[] = {"func", "function", "iterable", "key"};
// Methods that only go over an argument, or call it.
static const char *const methods[] = {"difference",
                                      "difference_update",
                                      "extend",
                                      "extendleft",
                                      "intersection",
                                      "intersection_update",
                                      "isdisjoint",
                                      "issubset",
                                      "issuperset",
                                      "join",
                                      "sort",
                                      "subtract",
                                      "symmetric_difference",
                                      "symmetric_difference_update",
                                      "union",
                                      "update"};

static bool is_among(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count; ++i) {
    size_t length = strlen(names[i]);
    bool prefix = names[i][length - 1] == '.' || strcmp(names[i], "heapq.n") == 0;
    if (prefix ? strncmp(names[i], name, length) == 0 : strcmp(names[i], name) == 0) return true;
  }
  return false;
}
#define IS_AMONG(names, name) is_among(names, sizeof(names) / sizeof *(names), name)

static pa_name *outermost(pa_name *name) {
  while (name->around) name = name->around;
  return name;
}

// The object that a global name or an attribute of a module or class stands for, borrowed; NULL: it is none, or not
// there.
static PyObject *static_object(pa_life_walk *w, const pa_expression *x) {
  PyObject *object = NULL;
  if (x->kind == PA_NAME) {
    const pa_name *name = outermost(x->name);
    if (name->variable < 0 && !name->import)
      pa_status_free(pa_find_object(w->importer, w->function, name->text, &object));
  } else if (x->kind == PA_ATTRIBUTE) {
    PyObject *of = static_object(w, x->operands[0]);
    if (of && (PyModule_Check(of) || PyType_Check(of)))
      object = pa_adopt(w->importer, PyObject_GetAttrString(of, x->text));
  }
  PyErr_Clear();
  return object;
}

// Reads |object|, a Python function, and takes what it has put into the queue out again. NULL where it cannot be read:
// whoever calls it says why.
static pa_function *read_once(pa_importer *importer, PyObject *object, const pa_frontend_options *options) {
  PyObject *symbols = PyDict_Copy(importer->symbols);
  if (!symbols) return NULL;
  pa_function *last = importer->last, *function = PA_NEW(importer->arena, pa_function);
  bool aside = importer->aside;
  *function = (pa_function){.object = object, .options = *options, .python_name = "", .qualname = "", .symbol = ""};
  importer->aside = true;
  pa_status failure = pa_read_function(importer, function);
  importer->aside = aside;
  importer->last = last;
  last->next = NULL;
  Py_DECREF(importer->symbols); // perhaps not what it was: functions that it calls were read aside too
  importer->symbols = symbols;
  PyErr_Clear();
  pa_status_free(failure);
  return failure ? NULL : function;
}

// The compiled function behind |object|, read for what it does with its parameters alone.
static pa_function *read_aside(pa_importer *importer, PyObject *object) {
  pa_frontend_options options = pa_called_options(importer);
  PyObject *function = pa_adopt(importer, pa_dispatched(object, importer, &options));
  PyErr_Clear();
  if (!function && (PyObject *)Py_TYPE(object) == importer->function_type) function = object;
  if (!function) return NULL;
  for (const pa_read_aside *read = importer->read_aside; read; read = read->next)
    if (read->object == function) return read->function;
  pa_read_aside *read = PA_NEW(importer->arena, pa_read_aside);
  *read = (pa_read_aside){.next = importer->read_aside, .object = function};
  importer->read_aside = read;
  return read->function = read_once(importer, function, &options);
}

pa_keeping pa_keeping_of_parameter(pa_life_walk *w, pa_function *function, int k, const pa_expression *argument) {
  if (k < 0 || strchr("*w", function->parameter_kinds[k])) return PA_KEPT;
  const pa_name *parameter = function->variables[k];
  // A parameter that a recursive call hands on to itself.
  if (function == w->function && argument->kind == PA_NAME && argument->name == parameter) return PA_USED_UP;
  pa_walk_function(w->importer, function);
  if (function->walk != PA_WALKED) return PA_KEPT;
  pa_keeping keeping = pa_keeping_of_name(function, parameter);
  return function->is_generator ? pa_longer_kept(keeping, PA_IN_RESULT) : keeping;
}

int pa_parameter_named(const pa_function *function, const char *name) {
  for (int k = 0; k < function->parameter_count; ++k)
    if (strcmp(function->variables[k]->text, name) == 0) return k;
  return -1;
}

static int handed_on_from(const char *builtin) {
  for (size_t i = 0; i < sizeof handing_on / sizeof *handing_on; ++i)
    if (strcmp(handing_on[i].name, builtin) == 0) return handing_on[i].from;
  return INT_MAX;
}

pa_callee pa_keeping_all(void) { return (pa_callee){NULL, PA_KEPT, 0}; }

static pa_callee callee_of_object(pa_life_walk *w, PyObject *object) {
  PyObject *row = NULL;
  pa_status_free(pa_builtin_name(w->importer, object, &row));
  const char *name = row ? pa_python_text(w->importer, row) : NULL;
  PyErr_Clear();
  if (name && IS_AMONG(in_result, name)) return (pa_callee){NULL, PA_IN_RESULT, handed_on_from(name)};
  if (name) return (pa_callee){NULL, IS_AMONG(using_up, name) ? PA_USED_UP : PA_KEPT, handed_on_from(name)};
  return (pa_callee){read_aside(w->importer, object), PA_KEPT, 0};
}

// Whether |x| may be, or hold, a function that is defined here, or one that a caller gives.
static bool is_function(const pa_life_walk *w, const pa_expression *x) {
  if (x->kind == PA_CLOSURE) return true;
  if (x->kind == PA_NAME) {
    bool given = (w->importer->aside || w->function->outer) && x->name->variable >= 0 &&
                 x->name->variable < w->function->parameter_count;
    return given || outermost(x->name)->definition;
  }
  for (int i = 0; i < x->count && x->kind == PA_CALL; ++i)
    if (is_function(w, x->operands[i])) return true;
  return false;
}

pa_callee pa_callee_of(pa_life_walk *w, const pa_expression *call) {
  const pa_expression *x = call->operands[0];
  bool asks = false;
  for (int i = 1; i < call->count; ++i) asks |= is_function(w, call->operands[i]);
  if (!asks) return pa_keeping_all();
  if (x->kind == PA_CLOSURE) return (pa_callee){x->closure->function, PA_KEPT, 0};
  const pa_name *name = x->kind == PA_NAME ? outermost(x->name) : NULL;
  if (name && name->definition && name->stores == 1) return (pa_callee){name->definition->function, PA_KEPT, 0};
  PyObject *object = static_object(w, x);
  if (object) return callee_of_object(w, object);
  return x->kind == PA_ATTRIBUTE && IS_AMONG(methods, x->text) ? (pa_callee){NULL, PA_USED_UP, INT_MAX}
                                                               : pa_keeping_all();
}

bool pa_is_generator_definition(const pa_expression *x) {
  const pa_name *name = x->kind == PA_NAME ? outermost(x->name) : NULL;
  return (name && name->definition && name->definition->function->is_generator) ||
         (x->kind == PA_CLOSURE && x->closure->function->is_generator);
}

bool pa_is_used_keyword(const char *name) { return IS_AMONG(using_keywords, name); }
