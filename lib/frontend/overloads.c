// Overloads that users registered with pyarray.extending: their names in IR, and the functions behind them.
#include <Python.h>

#include <stdio.h>
#include <string.h>

#include "importer.h"
#include "mlir-c/Diagnostics.h"
#include "ir/overloads.h"

// The module, a new reference; NULL where it is not loaded.
static PyObject *extending(void) {
  PyObject *name = PyUnicode_FromString("pyarray.extending");
  PyObject *module = name ? PyImport_GetModule(name) : NULL;
  Py_XDECREF(name);
  return module;
}

pa_status pa_overload_name(pa_importer *importer, PyObject *object, const char **out_name) {
  *out_name = NULL;
  PyObject *module = extending();
  if (!module) return PyErr_Occurred() ? pa_python_failure() : PA_OK;
  PyObject *name = PyObject_CallMethod(module, "name_of", "O", object);
  Py_DECREF(module);
  if (name && name != Py_None) *out_name = pa_python_text(importer, name);
  Py_XDECREF(name);
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

//===-- Intrinsics --------------------------------------------------------------------------------===//

// The first error of a parse, and where in the text.
typedef struct complaint {
  pa_string message;
  int line, column;
} complaint;

static void append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

static MlirLogicalResult note_complaint(MlirDiagnostic diagnostic, void *data) {
  complaint *first = data;
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError || first->message.length) return mlirLogicalResultSuccess();
  mlirDiagnosticPrint(diagnostic, append_text, &first->message);
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  if (mlirLocationIsAFileLineColRange(location)) first->line = mlirLocationFileLineColRangeGetStartLine(location), first->column = mlirLocationFileLineColRangeGetStartColumn(location);
  return mlirLogicalResultSuccess();
}

// The line of the text, with a caret under the place.
static void append_line(pa_string *out, const char *text, int line, int column) {
  for (int i = 1; i < line && text; ++i) text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
  if (line < 1 || !text) return;
  pa_string_format(out, "\n  line %d: %.*s\n  %*s", line, (int)strcspn(text, "\n"), text, column + (int)snprintf(NULL, 0, "line %d: ", line), "^");
}

static MlirOperation only_function(MlirModule module) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  bool one = !mlirOperationIsNull(op) && mlirOperationIsNull(mlirOperationGetNextInBlock(op)) && pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "func.func") &&
             !mlirBlockIsNull(pa_body(op, 0));
  return one ? op : (MlirOperation){NULL};
}

// What type inference takes the arguments and the result for.
static MlirType declared_type(MlirContext context, pa_arena *arena, const char *code) {
  MlirType *inputs = PA_NEW_ARRAY(arena, MlirType, strlen(code) + 1), result;
  intptr_t count = 0;
  while (*code && *code != '>') inputs[count++] = pa_type_from_code(context, &code);
  ++code;
  result = pa_type_from_code(context, &code);
  return mlirFunctionTypeGet(context, count, inputs, 1, &result);
}

// |parts|: type code, MLIR type, text. The function goes to the end of the module.
static pa_status parse_intrinsic(const pa_overload_request *request, PyObject *parts, const char **out_symbol) {
  const char *texts[3];
  for (int i = 0; i < 3; ++i)
    if (!(texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(parts, i), NULL))) return pa_python_failure();
  MlirContext context = mlirOperationGetContext(request->module);
  complaint first = {0};
  pa_status status = PA_OK;
  const char *name = request->name + strlen("overload:");
  int length = (int)strcspn(name, "#");
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, note_complaint, &first, NULL);
  MlirModule module = mlirModuleCreateParse(context, pa_ref(texts[2]));
  bool parsed = !mlirModuleIsNull(module) && mlirOperationVerify(mlirModuleGetOperation(module));
  mlirContextDetachDiagnosticHandler(context, handler);
  MlirOperation function = parsed ? only_function(module) : (MlirOperation){NULL};
  MlirType wanted = mlirTypeParseGet(context, pa_ref(texts[1])), given = mlirOperationIsNull(function) ? (MlirType){NULL} : mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  if (!parsed) {
    append_line(&first.message, texts[2], first.line, first.column);
    status = pa_fail(PA_CODE_TYPING, NULL, "the MLIR text of the intrinsic %.*s() is invalid: %s", length, name, pa_string_text(&first.message));
  } else if (mlirOperationIsNull(function)) {
    status = pa_fail(PA_CODE_TYPING, NULL, "the MLIR text of the intrinsic %.*s() is not one func.func with a body", length, name);
  } else if (!mlirTypeEqual(wanted, given)) {
    pa_string type = {0};
    mlirTypePrint(given, append_text, &type);
    status = pa_fail(PA_CODE_TYPING, NULL, "the MLIR function of the intrinsic %.*s() has the type %s; its signature asks for %s", length, name, pa_string_text(&type), texts[1]);
    pa_string_free(&type);
  } else {
    static const char format[] = "%.*s.intrinsic%d";
    const char *symbol = "";
    for (int i = 0; i == 0 || !mlirOperationIsNull(pa_lookup(request->module, pa_ref(symbol))); ++i) symbol = pa_arena_format(request->arena, format, length, name, i);
    mlirOperationRemoveFromParent(function);
    pa_set_attr(function, "sym_name", pa_string_attr(context, symbol));
    pa_set_attr(function, "sym_visibility", pa_string_attr(context, "private"));
    pa_set_attr(function, "pyarray.intrinsic", mlirTypeAttrGet(declared_type(context, request->arena, texts[0])));
    mlirBlockAppendOwnedOperation(pa_module_body(request->module), function);
    *out_symbol = symbol;
  }
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  pa_string_free(&first.message);
  return status;
}

//===-- Overloads ---------------------------------------------------------------------------------===//

static pa_status import_overload(const pa_overload_request *request, PyObject *module, const char **out_symbol) {
  PyObject *function = PyObject_CallMethod(module, "implementation", "sss", request->name, request->types, request->keywords);
  if (!function) return pa_python_failure();
  pa_status status = PA_OK;
  if (PyTuple_Check(function)) status = parse_intrinsic(request, function, out_symbol);
  else if (function != Py_None) status = pa_frontend_import(request->module, function, NULL, request->arena, out_symbol);
  Py_DECREF(function);
  return status;
}

// Passes run without the GIL.
static pa_status find_overload(const pa_overload_request *request, const char **out_symbol) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *module = extending();
  *out_symbol = NULL;
  pa_status status = module ? import_overload(request, module, out_symbol) : PyErr_Occurred() ? pa_python_failure() : PA_OK;
  Py_XDECREF(module);
  PyGILState_Release(state);
  return status;
}

void pa_frontend_offer_overloads(void) { pa_find_overload = find_overload; }
