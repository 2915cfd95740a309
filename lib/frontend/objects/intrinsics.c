// Intrinsics: functions that users give as MLIR text (pyarray.extending.intrinsic). The text is parsed and checked, and
// its function joins the module. Those that cuda.declare_device makes have declarations of the functions that they call
// in front.
#include <Python.h>

#include <stdio.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"
#include "objects.h"
#include "support/linked.h"

// The first error of a parse, and where in the text.
typedef struct complaint {
  pa_string message;
  int line, column;
} complaint;

static void append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

static MlirLogicalResult note_complaint(MlirDiagnostic diagnostic, void *data) {
  complaint *first = data;
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError || first->message.length)
    return mlirLogicalResultSuccess();
  mlirDiagnosticPrint(diagnostic, append_text, &first->message);
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  if (mlirLocationIsAFileLineColRange(location))
    first->line = mlirLocationFileLineColRangeGetStartLine(location),
    first->column = mlirLocationFileLineColRangeGetStartColumn(location);
  return mlirLogicalResultSuccess();
}

// The line of the text, with a caret under the place.
static void append_line(pa_string *out, const char *text, int line, int column) {
  for (int i = 1; i < line && text; ++i) text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
  if (line < 1 || !text) return;
  pa_string_format(out, "\n  line %d: %.*s\n  %*s", line, (int)strcspn(text, "\n"), text,
                   column + (int)snprintf(NULL, 0, "line %d: ", line), "^");
}

// |declares|: declarations of functions of other code, as llvm.func, come first.
static MlirOperation only_function(MlirModule module, bool declares) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  while (declares && pa_op_is(op, "llvm.func")) op = mlirOperationGetNextInBlock(op);
  bool one = pa_op_is(op, "func.func") && mlirOperationIsNull(mlirOperationGetNextInBlock(op)) &&
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

// What the text may hold: the documented part of level 4. What LLVM can only refuse by ending the process is refused
// here.
static const char *const dialects[] = {"arith.",  "cf.",  "complex.", "llvm.",  "math.",
                                       "memref.", "scf.", "ub.",      "vector."};
static const struct {
  const char *operation, *why;
} refused[] = {
    {"func.call", "an intrinsic calls no function: write a loop, or call it from compiled code"},
    {"func.constant", "an intrinsic calls no function: write a loop, or call it from compiled code"},
    {"llvm.inline_asm",
     "there is no assembler for inline assembly: LLVM's intrinsics are called with llvm.call_intrinsic"},
    {"llvm.intr.vscale", "scalable vectors are not supported: give vectors a fixed length"},
    {"vector.vscale", "scalable vectors are not supported: give vectors a fixed length"},
};

static const char *refusal_of(MlirStringRef name) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
    if (pa_ref_equal(name, refused[i].operation)) return refused[i].why;
  if (pa_ref_equal(name, "func.func") || pa_ref_equal(name, "func.return")) return NULL;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (name.length > strlen(dialects[i]) && memcmp(name.data, dialects[i], strlen(dialects[i])) == 0) return NULL;
  return "operations are of the dialects arith, cf, complex, llvm, math, memref, scf, ub and vector";
}

static bool is_scalable(MlirType type) { return mlirTypeIsAVector(type) && mlirVectorTypeIsScalable(type); }

typedef struct inspection {
  MlirOperation op; // what cannot be compiled, or null
  const char *why;
} inspection;

static MlirWalkResult inspect(MlirOperation op, void *data) {
  inspection *found = data;
  const char *why = refusal_of(mlirIdentifierStr(mlirOperationGetName(op)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !why; ++i)
    if (is_scalable(mlirValueGetType(mlirOperationGetResult(op, i))))
      why = "scalable vectors are not supported: give vectors a fixed length";
  if (!why) return MlirWalkResultAdvance;
  *found = (inspection){op, why};
  return MlirWalkResultInterrupt;
}

// Of one that |request| asks for.
static pa_status refuse(const pa_overload_request *request, const char *what, const char *detail) {
  const char *name = request->name + strlen("overload:");
  return pa_fail(PA_CODE_TYPING, NULL, "the MLIR %s of the intrinsic %.*s() %s", what, (int)strcspn(name, "#"), name,
                 detail);
}

static pa_status check_function(const pa_overload_request *request, MlirOperation function, const char *text,
                                const char *wanted) {
  MlirContext context = mlirOperationGetContext(function);
  MlirType given = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  pa_string detail = {0};
  if (!mlirTypeEqual(given, mlirTypeParseGet(context, pa_ref(wanted)))) {
    pa_string_puts(&detail, "has the type ");
    mlirTypePrint(given, append_text, &detail);
    pa_string_format(&detail, "; its signature asks for %s", wanted);
  } else if (mlirOperationGetNumDiscardableAttributes(function)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetDiscardableAttribute(function, 0).name);
    pa_string_format(&detail, "has the attribute %.*s; it must have none", (int)name.length, name.data);
  }
  pa_status status = detail.length ? refuse(request, "function", pa_string_text(&detail)) : PA_OK;
  inspection found = {0};
  if (!status) mlirOperationWalk(function, inspect, &found, MlirWalkPreOrder);
  if (found.why) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(found.op));
    MlirLocation location = mlirOperationGetLocation(found.op);
    pa_string_format(&detail, "has a %.*s: %s", (int)name.length, name.data, found.why);
    if (mlirLocationIsAFileLineColRange(location))
      append_line(&detail, text, mlirLocationFileLineColRangeGetStartLine(location),
                  mlirLocationFileLineColRangeGetStartColumn(location));
    status = refuse(request, "text", pa_string_text(&detail));
  }
  pa_string_free(&detail);
  return status;
}

// |code|: the type code of the signature. The function goes to the end of the module.
static const char *add_function(const pa_overload_request *request, MlirOperation function, const char *code) {
  MlirContext context = mlirOperationGetContext(function);
  static const char format[] = "%.*s.intrinsic%d";
  const char *symbol = "", *name = request->name + strlen("overload:");
  int length = (int)strcspn(name, "#");
  for (int i = 0; i == 0 || !mlirOperationIsNull(pa_lookup(request->module, pa_ref(symbol))); ++i)
    symbol = pa_arena_format(request->arena, format, length, name, i);
  mlirOperationRemoveFromParent(function);
  pa_set_attr(function, "sym_name", pa_string_attr(context, symbol));
  pa_set_attr(function, "sym_visibility", pa_string_attr(context, "private"));
  pa_set_attr(function, "pyarray.intrinsic", mlirTypeAttrGet(declared_type(context, request->arena, code)));
  mlirBlockAppendOwnedOperation(pa_module_body(request->module), function);
  return symbol;
}

// Functions that are linked are declared once in a module, whatever the types that they are called with, and by how
// many objects: what these are linked with counts.
static pa_status add_declaration(const pa_overload_request *request, MlirOperation declaration) {
  MlirOperation other = pa_lookup(request->module, mlirStringAttrGetValue(pa_get_attr(declaration, "sym_name")));
  if (mlirOperationIsNull(other)) {
    mlirOperationRemoveFromParent(declaration);
    return mlirBlockAppendOwnedOperation(pa_module_body(request->module), declaration), PA_OK;
  }
  if (mlirAttributeEqual(pa_get_attr(other, "function_type"), pa_get_attr(declaration, "function_type"))) {
    MlirAttribute number = pa_get_attr(declaration, PA_DECLARED);
    if (!mlirAttributeIsNull(number) && !mlirAttributeEqual(number, pa_get_attr(other, PA_DECLARED)))
      pa_note_link(request->module, number, request->arena);
    return mlirOperationDestroy(declaration), PA_OK;
  }
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(declaration, PA_LINKED));
  return pa_fail(PA_CODE_TYPING, NULL,
                 "the linked function %.*s() is declared with two signatures, or conventions, that differ",
                 (int)name.length, name.data);
}

pa_status pa_import_intrinsic(const pa_overload_request *request, PyObject *parts, const char **out_symbol) {
  const char *texts[3];
  for (int i = 0; i < 3; ++i)
    if (!(texts[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(parts, i), NULL))) return pa_python_failure();
  MlirContext context = mlirOperationGetContext(request->module);
  complaint first = {0};
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, note_complaint, &first, NULL);
  MlirModule module = mlirModuleCreateParse(context, pa_ref(texts[2]));
  bool parsed = !mlirModuleIsNull(module) && mlirOperationVerify(mlirModuleGetOperation(module));
  mlirContextDetachDiagnosticHandler(context, handler);
  MlirOperation function = {NULL}, declaration;
  if (parsed) function = only_function(module, PyTuple_Size(parts) == 4);
  pa_status status = PA_OK;
  if (!parsed) {
    pa_string detail = {0};
    pa_string_format(&detail, "is invalid: %s", pa_string_text(&first.message));
    append_line(&detail, texts[2], first.line, first.column);
    status = refuse(request, "text", pa_string_text(&detail));
    pa_string_free(&detail);
  } else if (mlirOperationIsNull(function)) {
    status = refuse(request, "text", "is not one func.func with a body");
  } else {
    status = check_function(request, function, texts[2], texts[1]);
  }
  while (!status && pa_op_is(declaration = mlirBlockGetFirstOperation(mlirModuleGetBody(module)), "llvm.func"))
    status = add_declaration(request, declaration);
  if (!status) *out_symbol = add_function(request, function, texts[0]);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  pa_string_free(&first.message);
  return status;
}
