// Import statements within functions. What one binds is a constant of the function, as a global name is: the module is
// imported when the function is compiled, and where the statement is in a branch that is not compiled, not at all.
//
//   import math as m        m.sqrt(x)       pyarray.callable "math.sqrt"
//   from math import sqrt   sqrt(x)         pyarray.callable "math.sqrt"
#include <Python.h>

#include <string.h>

#include "importer.h"

//===-- Reading -----------------------------------------------------------------------------------===//

static pa_status bind(pa_reader *reader, PyObject *node, PyObject *text, pa_name **out_name) {
  PA_TRY(pa_read_name(reader, text, out_name));
  pa_name *name = *out_name;
  if (name->elsewhere || name->nonlocal)
    return pa_refuse(reader, node, "an import that binds a global or nonlocal variable",
                     "import under a name of its own");
  if (name->variable >= 0)
    return pa_refuse(
        reader, node,
        pa_arena_format(reader->importer->arena, "an import as '%s', a variable of the function,", name->text),
        "import under another name, or at the top of the module");
  name->import = name;
  return PA_OK;
}

// The part before the first dot.
static PyObject *top_of(pa_importer *importer, PyObject *module) {
  const char *text = pa_python_text(importer, module);
  return text ? pa_keep(importer, PyUnicode_FromStringAndSize(text, (Py_ssize_t)strcspn(text, "."))) : NULL;
}

// One `module as name`, or, where |from| is not NULL, `from ... import module as name`.
static pa_status read_alias(pa_reader *reader, PyObject *alias, PyObject *from, int level, pa_import *out_import) {
  pa_importer *importer = reader->importer;
  PyObject *name = pa_keep(importer, Py_XNewRef(pa_field_of(reader, alias, PA_FIELD_name))),
           *as = pa_field_of(reader, alias, PA_FIELD_asname);
  if (!name || !as) return pa_python_failure();
  bool top = !from && Py_IsNone(as);
  *out_import = (pa_import){.module = from ? from : name, .attribute = from ? name : NULL, .level = level};
  if (top) out_import->top = top_of(importer, name);
  PyObject *text = !Py_IsNone(as) ? as : top ? out_import->top : name;
  return text ? bind(reader, alias, text, &out_import->name) : pa_python_failure();
}

pa_status pa_read_import(pa_reader *reader, PyObject *node, bool is_from, pa_statement *statement) {
  PyObject *names = pa_field_of(reader, node, PA_FIELD_names), *from = NULL, *level = NULL;
  if (!names) return pa_python_failure();
  if (is_from) {
    from = pa_field_of(reader, node, PA_FIELD_module);
    level = pa_field_of(reader, node, PA_FIELD_level);
    if (!from || !level) return pa_python_failure();
    from = pa_keep(reader->importer, Py_IsNone(from) ? PyUnicode_FromString("") : Py_NewRef(from)); // `from . import x`
    if (!from) return pa_python_failure();
  }
  statement->kind = PA_IMPORT;
  statement->count = (int)PyList_Size(names);
  statement->imports = PA_NEW_ARRAY(reader->importer->arena, pa_import, statement->count);
  for (int i = 0; i < statement->count; ++i)
    PA_TRY(read_alias(reader, PyList_GetItem(names, i), from, level ? (int)PyLong_AsLong(level) : 0,
                      &statement->imports[i]));
  return PA_OK;
}

//===-- Emission ----------------------------------------------------------------------------------===//

// The module, as Python's statement finds it; a new reference.
static PyObject *import_module(pa_emitter *e, const pa_import *import) {
  PyObject *globals = PyObject_GetAttrString(e->function->object, "__globals__");
  PyObject *names = import->attribute ? Py_BuildValue("(O)", import->attribute) : PyTuple_New(0), *module = NULL;
  if (globals && names)
    module = import->attribute ? PyImport_ImportModuleLevelObject(import->module, globals, NULL, names, import->level)
                               : PyImport_Import(import->module);
  if (module && import->top) {
    Py_DECREF(module);
    module = PyImport_Import(import->top);
  }
  Py_XDECREF(globals);
  Py_XDECREF(names);
  return module;
}

// What the name is bound to; a new reference.
static PyObject *import_object(pa_emitter *e, const pa_import *import) {
  PyObject *module = import_module(e, import);
  if (!module || !import->attribute) return module;
  PyObject *object = PyObject_GetAttr(module, import->attribute);
  if (!object && PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyObject *of = PyObject_GetAttrString(module, "__name__");
    PyErr_Format(PyExc_ImportError, "cannot import name %R from %R", import->attribute, of ? of : import->module);
    Py_XDECREF(of);
  }
  Py_DECREF(module);
  return object;
}

static pa_status emit_import(pa_emitter *e, const pa_statement *s, const pa_import *import) {
  PyObject *object = pa_keep(e->importer, import_object(e, import));
  pa_location location = pa_locate(e->function, s->place);
  if (!object)
    return PyErr_ExceptionMatches(PyExc_ImportError) ? pa_python_refusal(e->importer, &location) : pa_python_failure();
  if (import->name->object && import->name->object != object)
    return pa_fail(PA_CODE_UNSUPPORTED, &location,
                   "the name '%s' is imported as two different things\nhint: import each under a name of its own",
                   import->name->text);
  return import->name->object = object, PA_OK;
}

void pa_emit_import(pa_emitter *e, const pa_statement *s) {
  pa_status status = PA_OK;
  for (int i = 0; i < s->count && !status; ++i) status = emit_import(e, s, &s->imports[i]);
  if (status) pa_set_failure(e, status);
}
