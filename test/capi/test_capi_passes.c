// capi: pyarray's dialect and passes registered through C, run by a textual pipeline.
#include <string.h>

#include "check.h"
#include "ir/ir.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "passes/passes.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Passes.h"

static void append(MlirStringRef part, void *string) { pa_string_append(string, part.data, part.length); }

static MlirLogicalResult collect(MlirDiagnostic diagnostic, void *string) {
  mlirDiagnosticPrint(diagnostic, append, string);
  pa_string_puts(string, "\n");
  return mlirLogicalResultSuccess();
}

static MlirContext make_context(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

// Runs |pipeline| over |text|; what is said goes to |out_messages|.
static bool run(const char *text, const char *pipeline, pa_string *out_messages) {
  MlirContext context = make_context();
  mlirContextAttachDiagnosticHandler(context, collect, out_messages, NULL);
  MlirModule module = pyarrayParseModule(context, text, strlen(text), "test.mlir", true);
  MlirPassManager manager = mlirPassManagerCreateOnOperation(context, mlirStringRefCreateFromCString("builtin.module"));
  bool ran = !mlirModuleIsNull(module) &&
             mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                                     mlirStringRefCreateFromCString(pipeline), append,
                                                                     out_messages)) &&
             mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return ran;
}

static void test_descriptors(void) {
  for (const pa_pass_row *row = pa_passes; row->pass; row++) {
    const pa_pass *pass = row->pass;
    CHECK(strncmp(pass->argument, "pyarray-", 8) == 0);
    CHECK(pass->summary && pass->run);
    for (const char *const *name = pass->dependent_dialects; name && *name; name++)
      CHECK(pyarrayDialectHandle(*name).ptr != NULL);
    for (const pa_pass_option *option = pass->options; option && option->name; option++)
      CHECK(option->otherwise && option->help);
  }
  CHECK(pyarrayDialectHandle("no such dialect").ptr == NULL);
}

static void test_handle(void) {
  MlirContext context = mlirContextCreate();
  MlirDialect dialect = mlirDialectHandleLoadDialect(mlirGetDialectHandle__pyarray__(), context);
  CHECK(!mlirDialectIsNull(dialect));
  CHECK(mlirStringRefEqual(mlirDialectGetNamespace(dialect), mlirStringRefCreateFromCString("pyarray")));
  for (int kind = PA_OP_OTHER + 1; kind < PA_OP_KIND_COUNT; ++kind)
    CHECK(strncmp(pa_op_names[kind], "pyarray.", 8) != 0 ||
          mlirContextIsRegisteredOperation(context, mlirStringRefCreateFromCString(pa_op_names[kind])));
  mlirContextDestroy(context);
}

static void test_success(void) {
  pa_string messages = {0};
  CHECK(run("func.func private @f()", "pyarray-check-lowered", &messages));
  CHECK(strcmp(pa_string_text(&messages), "") == 0);
  pa_string_free(&messages);
}

static void test_failure(void) {
  pa_string messages = {0};
  CHECK(!run("func.func private @f(!pyarray.any)", "pyarray-check-lowered", &messages));
  CHECK(strstr(pa_string_text(&messages), "'func.func' still has the type '!pyarray.any'"));
  pa_string_free(&messages);
}

static void test_unknown_option(void) {
  pa_string messages = {0};
  CHECK(!run("func.func private @f()", "pyarray-check-lowered{no-such=1}", &messages));
  CHECK(strstr(pa_string_text(&messages), "no-such"));
  pa_string_free(&messages);
}

//===-- Failures by status ------------------------------------------------------------------------===//

static pa_status failing_run(pa_pass_context *context, MlirOperation module) {
  (void)module;
  CHECK(pa_pass_option_bool(context, "loud"));
  CHECK(pa_pass_option_int(context, "size") == 3);
  CHECK(strcmp(pa_pass_option_string(context, "name"), "x") == 0);
  return pa_fail(PA_CODE_TYPING, &(pa_location){"user.py", 4, 2}, "cannot add");
}

static const pa_pass failing_pass = {
    .argument = "pyarray-test-failing",
    .summary = "Fail",
    .options = (const pa_pass_option[]){{"loud", PA_OPTION_BOOL, "false", ""},
                                        {"size", PA_OPTION_INT, "0", ""},
                                        {"name", PA_OPTION_STRING, "", ""},
                                        {0}},
    .run = failing_run,
};

static const pa_option_value values[] = {{.boolean = true}, {.integer = 3}, {.string = "x"}};

static MlirLogicalResult expect_place(MlirDiagnostic diagnostic, void *count) {
  pa_string text = {0};
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), append, &text);
  CHECK(strstr(pa_string_text(&text), "\"user.py\":4:2"));
  pa_string_free(&text);
  ++*(int *)count;
  return mlirLogicalResultSuccess();
}

static void test_status_becomes_a_diagnostic(void) {
  MlirContext context = make_context();
  int count = 0;
  mlirContextAttachDiagnosticHandler(context, expect_place, &count, NULL);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  CHECK(!pa_pass_execute(&failing_pass, values, mlirModuleGetOperation(module)));
  CHECK(count == 1);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

static void test_status_is_captured(void) {
  MlirContext context = make_context();
  int count = 0;
  mlirContextAttachDiagnosticHandler(context, expect_place, &count, NULL);
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  pa_status failure = PA_OK;
  pa_pass_capture_failure(&failure);
  CHECK(!pa_pass_execute(&failing_pass, values, mlirModuleGetOperation(module)));
  pa_pass_capture_failure(NULL);
  CHECK(count == 0 && failure && pa_status_code(failure) == PA_CODE_TYPING);
  pa_status_free(failure);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

//===-- The pass of docs/adding-a-pass.md ---------------------------------------------------------===//

extern const pa_pass pa_pass_limit_loops;

static MlirLogicalResult expect_limit(MlirDiagnostic diagnostic, void *count) {
  pa_string text = {0};
  mlirDiagnosticPrint(diagnostic, append, &text);
  CHECK(strstr(pa_string_text(&text), "2 loops in one function"));
  pa_string_free(&text);
  ++*(int *)count;
  return mlirLogicalResultSuccess();
}

static void test_the_pass_of_the_page(void) {
  static const char text[] = "func.func @f(%n: index) {\n"
                             "  %c0 = arith.constant 0 : index\n"
                             "  %c1 = arith.constant 1 : index\n"
                             "  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %n step %c1 { } }\n"
                             "  return\n"
                             "}\n"
                             "func.func private @declared()\n";
  MlirContext context = make_context();
  int count = 0;
  mlirContextAttachDiagnosticHandler(context, expect_limit, &count, NULL);
  MlirModule module = pyarrayParseModule(context, text, strlen(text), "test.mlir", true);
  CHECK(!mlirModuleIsNull(module));
  MlirOperation op = mlirModuleGetOperation(module);
  CHECK(pa_pass_execute(&pa_pass_limit_loops, &(pa_option_value){.integer = 2}, op) && count == 0);
  CHECK(!pa_pass_execute(&pa_pass_limit_loops, &(pa_option_value){.integer = 1}, op) && count == 1);
  CHECK(strcmp(pa_pass_limit_loops.argument, "pyarray-limit-loops") == 0);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

int main(void) {
  pyarrayRegisterPasses();
  pyarrayRegisterPasses();
  test_descriptors();
  test_handle();
  test_success();
  test_failure();
  test_unknown_option();
  test_status_becomes_a_diagnostic();
  test_status_is_captured();
  test_the_pass_of_the_page();
  return CHECK_RESULT();
}
