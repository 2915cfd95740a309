// Exception classes: their names in IR, and those of their bases.
#include <Python.h>

#include <string.h>

#include "emitter.h"
#include "ir/exceptions.h"
#include "objects.h"

// Whether |module|.|qualname| is |class|, so that the runtime will find it.
static bool is_importable(PyObject *module, const char *qualname, PyObject *class) {
  PyObject *object = PyImport_GetModule(module);
  while (object && *qualname) {
    size_t length = strcspn(qualname, ".");
    PyObject *part = PyUnicode_FromStringAndSize(qualname, (Py_ssize_t)length);
    PyObject *next = part ? PyObject_GetAttr(object, part) : NULL;
    Py_XDECREF(part);
    Py_DECREF(object);
    object = next;
    qualname += length + (qualname[length] == '.');
  }
  PyErr_Clear();
  Py_XDECREF(object);
  return object == class; // held by its module
}

// Remembers a class that no module holds where the extension will look it up. False where there is none, as in tools.
static bool remember(PyObject *module, PyObject *qualname, PyObject *class) {
  PyObject *name = PyUnicode_FromString("pyarray.errors"), *errors = name ? PyImport_GetModule(name) : NULL;
  PyObject *classes = errors ? PyObject_GetAttrString(errors, "_local_exceptions") : NULL;
  PyObject *key = classes ? PyUnicode_FromFormat("%U:%U", module, qualname) : NULL;
  bool done = key && PyDict_SetItem(classes, key, class) == 0;
  PyErr_Clear();
  Py_XDECREF(key);
  Py_XDECREF(classes);
  Py_XDECREF(errors);
  Py_XDECREF(name);
  return done;
}

// "ValueError" or "module:qualname". |x|, if given, is to be raised: then the class must be found by that name.
static pa_status spell_class(pa_emitter *e, PyObject *class, const pa_expression *x, const char **out_name) {
  PyObject *module = pa_adopt(e->importer, PyObject_GetAttrString(class, "__module__"));
  PyObject *qualname = module ? pa_adopt(e->importer, PyObject_GetAttrString(class, "__qualname__")) : NULL;
  const char *module_text = qualname ? pa_python_text(e->importer, module) : NULL;
  const char *text = module_text ? pa_python_text(e->importer, qualname) : NULL;
  if (!text) return pa_python_failure();
  if (x && !is_importable(module, text, class) && !remember(module, qualname, class)) {
    pa_location location = pa_locate(e->function, x->place);
    return pa_fail(PA_CODE_UNSUPPORTED, &location,
                   "the exception class '%s' cannot be found as %s.%s; define it at the top of its module",
                   pa_spell(e, x), module_text, text);
  }
  bool builtin = strcmp(module_text, "builtins") == 0;
  *out_name = builtin ? text : pa_arena_format(e->arena, "%s:%s", module_text, text);
  return PA_OK;
}

// The classes that |class| derives from, without itself and object.
static pa_status name_bases(pa_emitter *e, const pa_expression *x, PyObject *class, MlirAttribute *out_bases) {
  PyObject *order = pa_adopt(e->importer, PyObject_GetAttrString(class, "__mro__"));
  Py_ssize_t count = order ? PyTuple_Size(order) : -1;
  if (count < 0) return pa_python_failure();
  MlirAttribute *names = PA_NEW_ARRAY(e->arena, MlirAttribute, count + 1);
  intptr_t named = 0;
  for (Py_ssize_t i = 1; i < count; ++i) {
    PyObject *base = PyTuple_GetItem(order, i);
    const char *name;
    if (!PyExceptionClass_Check(base)) continue;
    PA_TRY(spell_class(e, base, NULL, &name));
    names[named++] = pa_string_attr(e->importer->context, name);
  }
  (void)x;
  return *out_bases = mlirArrayAttrGet(e->importer->context, named, names), PA_OK;
}

pa_status pa_exception_class_of(pa_emitter *e, const pa_expression *x, pa_exception_class *out_class) {
  PyObject *object;
  PA_TRY(pa_resolve(e, x, &object));
  *out_class = (pa_exception_class){0};
  if (object && PyExceptionClass_Check(object)) {
    PA_TRY(spell_class(e, object, x, &out_class->name));
    return strchr(out_class->name, ':') ? name_bases(e, x, object, &out_class->bases) : PA_OK;
  }
  pa_location location = pa_locate(e->function, x->place);
  return pa_fail(
      PA_CODE_UNSUPPORTED, &location,
      "raising anything but an exception class, a call of one, or the exception that a handler has a name for is not "
      "supported in compiled code; name the class, as in raise ValueError(\"message\")");
}

typedef struct class_names {
  MlirAttribute *items;
  size_t count, capacity;
} class_names;

static pa_status add_class(pa_emitter *e, const pa_expression *x, PyObject *object, class_names *names) {
  pa_location location = pa_locate(e->function, x->place);
  if (!PyExceptionClass_Check(object))
    return pa_fail(PA_CODE_TYPING, &location, "catching classes that do not inherit from BaseException is not allowed");
  const char *name;
  PA_TRY(spell_class(e, object, NULL, &name));
  names->items = pa_arena_grow(e->arena, names->items, names->count, &names->capacity, sizeof *names->items);
  names->items[names->count++] = pa_string_attr(e->importer->context, name);
  return PA_OK;
}

static pa_status resolve_classes(pa_emitter *e, const pa_expression *x, bool in_tuple, class_names *names) {
  PyObject *object;
  PA_TRY(pa_resolve(e, x, &object));
  if (object && PyTuple_Check(object) && !in_tuple) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(object); ++i) PA_TRY(add_class(e, x, PyTuple_GetItem(object, i), names));
    return PA_OK;
  }
  if (object) return add_class(e, x, object, names);
  pa_location location = pa_locate(e->function, x->place);
  return pa_fail(PA_CODE_UNSUPPORTED, &location,
                 "'except' with anything but exception classes is not supported in compiled code; name the class, or a "
                 "tuple of classes");
}

static bool is_exception_class(PyObject *object) {
  if (!object || !PyTuple_Check(object)) return object && PyExceptionClass_Check(object);
  for (Py_ssize_t i = 0; i < PyTuple_Size(object); ++i)
    if (!PyExceptionClass_Check(PyTuple_GetItem(object, i))) return false;
  return PyTuple_Size(object) > 0;
}

static void names_exceptions(pa_emitter *e, const pa_expression *x, bool *out_does) {
  PyObject *object;
  *out_does = x->kind != PA_TUPLE || x->count;
  for (int i = 0; x->kind == PA_TUPLE && i < x->count && *out_does; ++i) {
    object = pa_peek(e, x->operands[i]);
    *out_does = object && PyExceptionClass_Check(object);
  }
  if (x->kind == PA_TUPLE) return;
  object = pa_peek(e, x);
  *out_does = object && is_exception_class(object);
}

MlirValue pa_emit_exception_classes(pa_emitter *e, const pa_expression *x) {
  bool does = false;
  MlirAttribute names;
  names_exceptions(e, x, &does);
  pa_status failure = PA_OK;
  if (does) failure = pa_exception_classes(e, x, &names);
  if (failure) pa_set_failure(e, failure);
  if (failure || !does) return (MlirValue){NULL};
  pa_string text = {0};
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(names); ++i) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    pa_string_format(&text, "%s%.*s", i ? "," : PA_EXCEPTION_CLASSES, (int)name.length, name.data);
  }
  MlirValue callable = pa_emit_callable(e, pa_string_attr(e->importer->context, pa_string_text(&text)));
  pa_string_free(&text);
  return callable;
}

pa_status pa_exception_classes(pa_emitter *e, const pa_expression *x, MlirAttribute *out_names) {
  class_names names = {0};
  if (x->kind != PA_TUPLE) PA_TRY(resolve_classes(e, x, false, &names));
  for (int i = 0; x->kind == PA_TUPLE && i < x->count; ++i) PA_TRY(resolve_classes(e, x->operands[i], true, &names));
  return *out_names = mlirArrayAttrGet(e->importer->context, (intptr_t)names.count, names.items), PA_OK;
}
