// pyarray-check-lowered: fails where a module is not of level 4 (docs/internals.md): anything of the pyarray dialect
// has survived the lowering, or there is what comes later.
//
// In:  a module of level 4. Out: the same module, or one error for each operation with something wrong:
//
//   %0 = pyarray.unary neg %x : si64      error: 'pyarray.unary' survived the lowering
//   func.func @f(%x: !pyarray.any)        error: 'func.func' still has the type '!pyarray.any'
//   cf.br ^bb1                            error: 'cf.br' is of no dialect of level 4
//   linalg.generic ... { call @raise }    error: 'func.call' may leave the body of linalg.generic, which has no order
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

static void report_type(checker *check, MlirOperation op, MlirStringRef name, MlirType type) {
  pa_string text = {0};
  mlirTypePrint(type, pa_append_text, &text);
  mlirEmitError(mlirOperationGetLocation(op), pa_arena_format(check->arena, "'%.*s' still has the type '%s'",
                                                              (int)name.length, name.data, pa_string_text(&text)));
  check->errors++;
  pa_string_free(&text);
}

// Dialects of level 4. Those of the target and of LLVM's are for what no other can say.
static bool is_allowed(MlirStringRef name) {
  static const char *const dialects[] = {"arith", "builtin", "complex", "func", "gpu",    "linalg", "llvm",
                                         "math",  "memref",  "nvvm",    "scf",  "vector", "ub"};
  const char *dot = memchr(name.data, '.', name.length);
  size_t length = dot ? (size_t)(dot - name.data) : name.length;
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (strlen(dialects[i]) == length && memcmp(dialects[i], name.data, length) == 0) return true;
  return false;
}

// A call that does not return, as those of raises are.
static bool leaves(MlirOperation op) {
  MlirOperation module = op;
  while (!mlirOperationIsNull(module) && !pa_op_is(module, PA_OP_NAME(MODULE)))
    module = mlirOperationGetParentOperation(module);
  MlirAttribute callee = pa_get_attr(op, "callee");
  if (mlirOperationIsNull(module) || mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return false;
  MlirOperation function = pa_lookup(module, mlirFlatSymbolRefAttrGetValue(callee));
  return !mlirOperationIsNull(function) && !mlirAttributeIsNull(pa_get_attr(function, "pyarray.noreturn"));
}

static bool leaves_generic(MlirOperation op) {
  if (!pa_op_is(op, PA_OP_NAME(FUNC_CALL))) return false;
  MlirOperation around = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(around) && !pa_op_is(around, PA_OP_NAME(LINALG_GENERIC)))
    around = mlirOperationGetParentOperation(around);
  return !mlirOperationIsNull(around) && leaves(op);
}

static void report(checker *check, MlirOperation op, MlirStringRef name, const char *what) {
  mlirEmitError(mlirOperationGetLocation(op),
                pa_arena_format(check->arena, "'%.*s' %s", (int)name.length, name.data, what));
  check->errors++;
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  checker *check = data;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length > 8 && memcmp(name.data, "pyarray.", 8) == 0) {
    report(check, op, name, "survived the lowering");
    return MlirWalkResultAdvance;
  }
  MlirType type = type_left(op);
  if (!mlirTypeIsNull(type)) report_type(check, op, name, type);
  if (!is_allowed(name)) report(check, op, name, "is of no dialect of level 4");
  if (leaves_generic(op)) report(check, op, name, "may leave the body of linalg.generic, which has no order");
  return MlirWalkResultAdvance;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  checker check = {context->arena, 0};
  mlirOperationWalk(module, visit, &check, MlirWalkPreOrder);
  return check.errors ? pa_pass_reported() : PA_OK;
}

const pa_pass pa_pass_check_lowered = {
    .argument = "pyarray-check-lowered",
    .summary = "Fail where a module is not IR of level 4: linalg, scf, memref, arith, math and complex",
    .run = run,
};
