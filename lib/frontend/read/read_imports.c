// Import statements as they are read.
#include <Python.h>

#include "reader.h"

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
  return text ? pa_adopt(importer, PyUnicode_FromStringAndSize(text, (Py_ssize_t)strcspn(text, "."))) : NULL;
}

// One `module as name`, or, where |from| is not NULL, `from ... import module as name`.
static pa_status read_alias(pa_reader *reader, PyObject *alias, PyObject *from, int level, pa_import *out_import) {
  pa_importer *importer = reader->importer;
  PyObject *name = pa_adopt(importer, Py_XNewRef(pa_field_of(reader, alias, PA_FIELD_name))),
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
    from =
        pa_adopt(reader->importer, Py_IsNone(from) ? PyUnicode_FromString("") : Py_NewRef(from)); // `from . import x`
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
