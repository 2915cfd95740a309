// pyarray-check-lowered: fails where anything of the pyarray dialect has survived the lowering.
//
// In:  a module of level 4 or below. Out: the same module, or one error for each operation with something left:
//
//   %0 = pyarray.unary neg %x : si64      error: 'pyarray.unary' survived the lowering
//   func.func @f(%x: !pyarray.any)        error: 'func.func' still has the type '!pyarray.any'
#include <string.h>

#include "ir/ir.h"
#include "mlir-c/Diagnostics.h"
#include "pass.h"

typedef struct checker {
  pa_arena *arena;
  int errors;
} checker;

static bool of_pyarray(MlirType type) {
  MlirStringRef dialect = mlirDialectGetNamespace(mlirTypeGetDialect(type));
  return pa_ref_equal(dialect, "pyarray");
}

// A type of the dialect within |type|: itself, an input or result of a function type, or an element of a tuple, memref,
// tensor or vector. Null if there is none.
static MlirType find_type(MlirType type) {
  if (of_pyarray(type)) return type;
  MlirType found = {NULL};
  if (mlirTypeIsAFunction(type)) {
    for (intptr_t i = 0; mlirTypeIsNull(found) && i < mlirFunctionTypeGetNumInputs(type); i++)
      found = find_type(mlirFunctionTypeGetInput(type, i));
    for (intptr_t i = 0; mlirTypeIsNull(found) && i < mlirFunctionTypeGetNumResults(type); i++)
      found = find_type(mlirFunctionTypeGetResult(type, i));
  } else if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; mlirTypeIsNull(found) && i < mlirTupleTypeGetNumTypes(type); i++)
      found = find_type(mlirTupleTypeGetType(type, i));
  } else if (mlirTypeIsAShaped(type)) {
    found = find_type(mlirShapedTypeGetElementType(type));
  }
  return found;
}

//===-- Where types occur -------------------------------------------------------------------------===//

static MlirType in_values(MlirOperation op) {
  MlirType found = {NULL};
  for (intptr_t i = 0; mlirTypeIsNull(found) && i < mlirOperationGetNumOperands(op); i++)
    found = find_type(mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; mlirTypeIsNull(found) && i < mlirOperationGetNumResults(op); i++)
    found = find_type(mlirValueGetType(mlirOperationGetResult(op, i)));
  return found;
}

// Types held by attributes, as a function's type is.
static MlirType in_attributes(MlirOperation op) {
  MlirType found = {NULL};
  for (intptr_t i = 0; mlirTypeIsNull(found) && i < mlirOperationGetNumAttributes(op); i++) {
    MlirAttribute value = mlirOperationGetAttribute(op, i).attribute;
    if (mlirAttributeIsAType(value)) found = find_type(mlirTypeAttrGetValue(value));
  }
  return found;
}

static MlirType in_block_arguments(MlirOperation op) {
  MlirType found = {NULL};
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; mlirTypeIsNull(found) && i < mlirBlockGetNumArguments(block); i++)
        found = find_type(mlirValueGetType(mlirBlockGetArgument(block, i)));
  }
  return found;
}

static MlirType type_left(MlirOperation op) {
  MlirType found = in_values(op);
  if (mlirTypeIsNull(found)) found = in_attributes(op);
  if (mlirTypeIsNull(found)) found = in_block_arguments(op);
  return found;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static void append(MlirStringRef part, void *text) { pa_string_append(text, part.data, part.length); }

static void report_operation(checker *check, MlirOperation op, MlirStringRef name) {
  mlirEmitError(mlirOperationGetLocation(op),
                pa_arena_format(check->arena, "'%.*s' survived the lowering", (int)name.length, name.data));
  check->errors++;
}

static void report_type(checker *check, MlirOperation op, MlirStringRef name, MlirType type) {
  pa_string text = {0};
  mlirTypePrint(type, append, &text);
  mlirEmitError(mlirOperationGetLocation(op), pa_arena_format(check->arena, "'%.*s' still has the type '%s'",
                                                              (int)name.length, name.data, pa_string_text(&text)));
  check->errors++;
  pa_string_free(&text);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  checker *check = data;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length > 8 && memcmp(name.data, "pyarray.", 8) == 0) {
    report_operation(check, op, name);
    return MlirWalkResultAdvance;
  }
  MlirType type = type_left(op);
  if (!mlirTypeIsNull(type)) report_type(check, op, name, type);
  return MlirWalkResultAdvance;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  checker check = {context->arena, 0};
  mlirOperationWalk(module, visit, &check, MlirWalkPreOrder);
  return check.errors ? pa_pass_reported() : PA_OK;
}

const pa_pass pa_pass_check_lowered = {
    .argument = "pyarray-check-lowered",
    .summary = "Fail where an operation or type of the pyarray dialect is left",
    .run = run,
};
