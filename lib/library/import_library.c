// The build's importer of the Python library: a shared library that import_library.py loads into the interpreter of the
// build, so that no other Python is needed. Linked with an empty library, of course.
#include <Python.h>

#include <string.h>

#include "frontend/frontend.h"
#include "ir/builtins.h"
#include "ir/ir.h"
#include "ir/library.h"
#include "pyarray-c/Dialect.h"

const unsigned char pa_library_data[] = {0, 0, 0, 0};
const size_t pa_library_data_size = sizeof pa_library_data;

#define EXPORTED __attribute__((visibility("default")))
EXPORTED PyObject *pa_library_rows(void);
EXPORTED PyObject *pa_library_bytecode(PyObject *function);

// A list of the functions that rows of builtins.def with the rule LIBRARY name: those that must be there.
PyObject *pa_library_rows(void) {
  PyObject *names = PyList_New(0);
  for (int i = 0; names && i < pa_builtin_count; ++i) {
    if (pa_builtins[i].lowering != PA_LOWERING_LIBRARY) continue;
    PyObject *name = PyUnicode_FromString(*pa_builtins[i].target ? pa_builtins[i].target : pa_builtins[i].name);
    if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

static PyObject *raise_failure(pa_status status) {
  const pa_location *place = pa_status_location(status);
  if (pa_status_code(status) != PA_CODE_PYTHON)
    PyErr_Format(PyExc_SyntaxError, "%s:%d: %s", place->file ? place->file : "?", place->line,
                 pa_status_message(status));
  pa_status_free(status);
  return NULL;
}

static PyObject *write_bytecode(MlirOperation module) {
  pa_string bytes = {0};
  MlirBytecodeWriterConfig config = mlirBytecodeWriterConfigCreate();
  MlirLogicalResult result = mlirOperationWriteBytecodeWithConfig(module, config, pa_append_text, &bytes);
  mlirBytecodeWriterConfigDestroy(config);
  PyObject *object = NULL;
  if (mlirLogicalResultIsSuccess(result))
    object = PyBytes_FromStringAndSize(pa_string_text(&bytes), (Py_ssize_t)bytes.length);
  else
    PyErr_SetString(PyExc_RuntimeError, "the bytecode cannot be written");
  pa_string_free(&bytes);
  return object;
}

// The function types of type codes, "[A2d[A2d>"; null after an error of Python.
static MlirAttribute loop_types(MlirContext context, pa_arena *arena, PyObject *codes) {
  Py_ssize_t count = PyList_Size(codes);
  MlirAttribute *loops = PA_NEW_ARRAY(arena, MlirAttribute, count + 1);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *bytes = PyUnicode_AsUTF8String(PyList_GetItem(codes, i));
    const char *text = bytes ? pa_arena_format(arena, "%s", PyBytes_AsString(bytes)) : NULL;
    Py_XDECREF(bytes);
    MlirType types[16];
    intptr_t operands = 0;
    while (text && *text && *text != '>' && operands < 16) {
      types[operands] = pa_type_from_code(context, &text);
      if (mlirTypeIsNull(types[operands++])) text = NULL;
    }
    if (!text || *text != '>') {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a loop of a gufunc has a malformed type code");
      return mlirAttributeGetNull();
    }
    loops[i] = mlirTypeAttrGet(mlirFunctionTypeGet(context, operands, types, 0, NULL));
  }
  return mlirArrayAttrGet(context, count, loops);
}

// What the decorator gufunc of the library says of a function; 0, or -1 with an exception.
static int mark_gufunc(MlirOperation module, const char *symbol, pa_arena *arena, PyObject *function) {
  if (!PyObject_HasAttrString(function, "__pyarray_gufunc__")) return 0;
  PyObject *described = PyObject_GetAttrString(function, "__pyarray_gufunc__");
  PyObject *signature = described ? PyUnicode_AsUTF8String(PyTuple_GetItem(described, 0)) : NULL;
  MlirContext context = mlirOperationGetContext(module);
  MlirAttribute loops = signature ? loop_types(context, arena, PyTuple_GetItem(described, 1)) : mlirAttributeGetNull();
  MlirOperation op = pa_lookup(module, pa_ref(symbol));
  bool done = !mlirAttributeIsNull(loops) && !mlirOperationIsNull(op);
  if (done) {
    pa_set_attr(op, "pyarray.ufunc", pa_string_attr(context, PyBytes_AsString(signature)));
    pa_set_attr(op, "pyarray.loops", loops);
    const char *name = strrchr(symbol, '.') ? strrchr(symbol, '.') + 1 : symbol; // errors tell of it as NumPy's
    pa_set_attr(op, "pyarray.qualname", pa_string_attr(context, name + strspn(name, "_")));
  }
  Py_XDECREF(signature);
  Py_XDECREF(described);
  if (!done && !PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "a gufunc of the library has no function");
  return done ? 0 : -1;
}

// The bytecode of a module with that function alone.
PyObject *pa_library_bytecode(PyObject *function) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  pa_arena arena;
  pa_arena_init(&arena);
  const char *symbol;
  pa_status status = pa_frontend_import(mlirModuleGetOperation(module), function, NULL, &arena, &symbol);
  PyObject *bytes = NULL;
  if (status)
    raise_failure(status);
  else if (mark_gufunc(mlirModuleGetOperation(module), symbol, &arena, function) == 0)
    bytes = write_bytecode(mlirModuleGetOperation(module));
  pa_arena_free(&arena);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return bytes;
}
