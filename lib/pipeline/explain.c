// What fn.explain() shows beside the levels that inspect_mlir() has: places, remarks of LLVM, times (compilation.h).
#include <Python.h>

#include <string.h>

#include "compilation.h"

static const char located[] = "located:";

void pa_explain_begin(pa_compilation *c) {
  c->session->stage = "untyped";
  if (!c->level) return;
  c->located = strncmp(c->level, located, sizeof located - 1) == 0;
  if (c->located) c->level += sizeof located - 1;
  if (c->located || strcmp(c->level, "remarks") == 0) c->request.lineinfo = true;
  if (strcmp(c->level, "times") == 0) c->session->times = &c->shown;
}

bool pa_is_explained(const pa_compilation *c) {
  return strcmp(c->level, "remarks") == 0 || strcmp(c->level, "times") == 0;
}

static pa_status generate(pa_compilation *c, const pa_codegen_options *options) {
  pa_string code = {0};
  MlirOperation module = mlirModuleGetOperation(c->module);
  pa_status status =
      pa_is_ptx(c) ? pa_codegen_ptx(module, options, NULL, &code) : pa_codegen_assembly(module, options, &code);
  return pa_string_free(&code), status;
}

pa_status pa_explain(pa_compilation *c) {
  pa_codegen_options options = pa_codegen_options_of(c);
  if (!c->session->times) {
    options.remarks = &c->shown;
    return generate(c, &options);
  }
  pa_codegen_timing timing = {0};
  options.timing = &timing;
  options.pass_times = &c->shown;
  PA_TRY(generate(c, &options));
  pa_string_format(&c->shown, "llvm-ir\tMLIR to LLVM IR\t%.9f\nllvm-all\tall passes\t%.9f\nasm\tinstructions\t%.9f\n",
                   timing.translate, timing.optimize, timing.emit);
  return PA_OK;
}

void pa_print_module(pa_compilation *c) {
  MlirOperation module = mlirModuleGetOperation(c->module);
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (c->located) mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(module, flags, pa_append_text, &c->shown);
  mlirOpPrintingFlagsDestroy(flags);
}
