// tools/write_constructors.py: each operation of the tests of the dialect is made anew by its constructor, with what
// the old one has; the module stays what it was. No operation is left out.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Ops.h"
#include "pyarray-c/Types.h"
#include "support/support.h"

static MlirStringRef ref(const char *text) { return mlirStringRefCreateFromCString(text); }
static void append(MlirStringRef part, void *string) { pa_string_append(string, part.data, part.length); }

//===-- What an operation has ---------------------------------------------------------------------===//

static pa_arena arena;

static intptr_t result_count(MlirOperation op) { return mlirOperationGetNumResults(op); }

static const MlirType *result_types(MlirOperation op, intptr_t first) {
  MlirType *types = PA_NEW_ARRAY(&arena, MlirType, result_count(op) + 1);
  for (intptr_t i = first; i < result_count(op); ++i)
    types[i - first] = mlirValueGetType(mlirOperationGetResult(op, i));
  return types;
}

typedef struct values {
  intptr_t count;
  const MlirValue *values;
} values;

// Group |index| of |total| groups of operands, of which one may have any number, or those that the attribute counts.
static values segment(MlirOperation op, int index, int total, bool has_segments, int variadic) {
  intptr_t begin = 0, count = 1, spare = mlirOperationGetNumOperands(op) - (total - 1);
  MlirAttribute sizes = mlirOperationGetAttributeByName(op, ref("operandSegmentSizes"));
  for (int i = 0; i <= index; ++i) {
    begin += i ? count : 0;
    count = has_segments ? mlirDenseI32ArrayGetElement(sizes, i) : i == variadic ? spare : 1;
  }
  MlirValue *found = PA_NEW_ARRAY(&arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) found[i] = mlirOperationGetOperand(op, begin + i);
  return (values){count, found};
}

static MlirAttribute attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, ref(name));
}
static bool has(MlirOperation op, const char *name) { return !mlirAttributeIsNull(attribute(op, name)); }

static MlirRegion taken(MlirOperation op, intptr_t index) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(op, index));
  return region;
}

//===-- Making anew -------------------------------------------------------------------------------===//

static const char *const names[] = {
#define REMAKE(name, made) name,
#include "remake.inc"
#undef REMAKE
};
enum { COUNT = sizeof names / sizeof *names };
static int met[COUNT];

static MlirOperation remade(const char *name, MlirOperation old) {
#define REMAKE(of, made)                                                                                               \
  if (strcmp(name, of) == 0) return made;
#include "remake.inc"
#undef REMAKE
  return (MlirOperation){NULL};
}

static void replace(MlirOperation old, const char *name) {
  MlirOperation made = remade(name, old);
  CHECK(!mlirOperationIsNull(made));
  if (mlirOperationIsNull(made)) exit(1);
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(old); ++i) {
    MlirNamedAttribute named = mlirOperationGetDiscardableAttribute(old, i);
    mlirOperationSetDiscardableAttributeByName(made, mlirIdentifierStr(named.name), named.attribute);
  }
  CHECK(result_count(made) == result_count(old));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(old), old, made);
  for (intptr_t i = 0; i < result_count(old); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(old, i), mlirOperationGetResult(made, i));
  mlirOperationDestroy(old);
}

static MlirWalkResult visit(MlirOperation op, void *unused) {
  (void)unused;
  pa_string name = {0};
  append(mlirIdentifierStr(mlirOperationGetName(op)), &name);
  for (int i = 0; i < COUNT; ++i)
    if (strcmp(names[i], pa_string_text(&name)) == 0) {
      ++met[i];
      replace(op, names[i]);
      break;
    }
  pa_string_free(&name);
  return MlirWalkResultAdvance;
}

static MlirContext make_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  pyarrayRegisterUpstreamDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  return context;
}

static void check_module(const char *text, size_t length, const char *file) {
  MlirContext context = make_context();
  MlirModule module = pyarrayParseModule(context, text, length, file, true);
  CHECK(!mlirModuleIsNull(module));
  if (!mlirModuleIsNull(module)) {
    MlirOperation op = mlirModuleGetOperation(module);
    pa_string before = {0}, behind = {0};
    mlirOperationPrint(op, append, &before);
    mlirOperationWalk(op, visit, NULL, MlirWalkPostOrder);
    CHECK(mlirOperationVerify(op));
    mlirOperationPrint(op, append, &behind);
    CHECK(strcmp(pa_string_text(&before), pa_string_text(&behind)) == 0);
    pa_string_free(&before);
    pa_string_free(&behind);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
}

// Parts between lines "// -----" are files of their own.
static void check_file(const char *name) {
  pa_string path = {0}, text = {0};
  pa_string_puts(&path, PYARRAY_TESTS "/");
  pa_string_puts(&path, name);
  FILE *file = fopen(pa_string_text(&path), "r");
  CHECK(file);
  char buffer[1 << 12];
  for (size_t count; file && (count = fread(buffer, 1, sizeof buffer, file)) > 0;)
    pa_string_append(&text, buffer, count);
  if (file) fclose(file);
  for (const char *part = pa_string_text(&text); part;) {
    const char *end = strstr(part, "// -----");
    size_t length = end ? (size_t)(end - part) : strlen(part);
    check_module(pa_arena_copy(&arena, part, length), length, name);
    part = end ? strchr(end, '\n') : NULL;
  }
  pa_string_free(&path);
  pa_string_free(&text);
}

static void test_every_operation(void) {
  static const char *const files[] = {
      "dialect/ops.mlir",    "dialect/effects_untyped.mlir", "dialect/effects_typed.mlir", "dialect/effects_owned.mlir",
      "dialect/ufunc.mlir",  "dialect/reduce.mlir",          "dialect/contract.mlir",      "dialect/field.mlir",
      "dialect/tensor.mlir", "passes/lower/lower_try.mlir",  "capi/other_ops.mlir"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) check_file(files[i]);
  for (int i = 0; i < COUNT; ++i) {
    if (!met[i]) fprintf(stderr, "%s is in none of the files\n", names[i]);
    CHECK(met[i]);
  }
}

//===-- From nothing ------------------------------------------------------------------------------===//

static MlirLogicalResult count_errors(MlirDiagnostic diagnostic, void *count) {
  *(int *)count += mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  return mlirLogicalResultSuccess();
}

static void test_from_nothing(void) {
  MlirContext context = make_context();
  int errors = 0;
  mlirContextAttachDiagnosticHandler(context, count_errors, &errors, NULL);
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirType integer = mlirIntegerTypeSignedGet(context, 64);
  MlirAttribute seven = mlirIntegerAttrGet(integer, 7);
  MlirAttribute add = pyarrayBinaryKindAttrGet(context, PYARRAY_BINARY_ADD);
  MlirModule module = mlirModuleCreateEmpty(location);
  MlirBlock block = mlirModuleGetBody(module);
  MlirOperation constant = pyarrayConstantCreate(location, integer, seven);
  mlirBlockAppendOwnedOperation(block, constant);
  MlirValue value = mlirOperationGetResult(constant, 0);
  MlirOperation sum = pyarrayBinaryCreate(location, integer, value, value, add, false);
  mlirBlockAppendOwnedOperation(block, sum);
  MlirOperation truth = pyarrayTruthCreate(location, mlirOperationGetResult(sum, 0)); // which knows its type
  mlirBlockAppendOwnedOperation(block, truth);
  CHECK(mlirOperationVerify(mlirModuleGetOperation(module)) && errors == 0);
  CHECK(mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetResult(truth, 0))));
  MlirOperation kindless = pyarrayBinaryCreate(location, integer, value, value, mlirAttributeGetNull(), false);
  mlirBlockAppendOwnedOperation(block, kindless);
  CHECK(!mlirOperationVerify(mlirModuleGetOperation(module)) && errors == 1); // requires attribute 'kind'
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

int main(void) {
  pa_arena_init(&arena);
  test_every_operation();
  test_from_nothing();
  pa_arena_free(&arena);
  return CHECK_RESULT();
}
