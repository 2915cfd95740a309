// Of compile.c: from the last level to an object, PTX, or their text.
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "compilation.h"

pa_codegen_options pa_codegen_options_of(const pa_compilation *c) {
  pa_codegen_options options = PA_CODEGEN_DEFAULTS;
  options.cpu = c->request.cpu;
  options.features = c->request.features;
  options.fastmath = c->request.fastmath;
  options.accurate_math = c->request.accurate_math;
  options.verify = pa_is_verified(&c->request);
  if (c->request.opt_level) options.opt_level = *c->request.opt_level - '0';
  if (c->request.debug || c->request.no_opt) options.opt_level = PA_CODEGEN_DEBUG_LEVEL;
  options.no_fma = c->request.no_fma;
  options.max_registers = c->request.max_registers;
  options.max_threads = c->request.max_threads;
  options.min_blocks = c->request.min_blocks;
  options.max_cluster = c->request.max_cluster;
  options.cluster = c->request.cluster;
  options.libdevice = c->request.libdevice;
  options.bitcode = c->links.bitcode;
  options.bitcode_count = c->links.bitcode_count;
  return options;
}

static pa_status generate_ptx(pa_compilation *c, const pa_codegen_options *options) {
  pa_string text = {0};
  pa_codegen_kernel kernel;
  PA_TRY(pa_check_clusters(mlirModuleGetOperation(c->module), c->request.cpu,
                           c->request.cluster || c->request.max_cluster));
  PA_TRY(pa_codegen_ptx(mlirModuleGetOperation(c->module), options, &kernel, &text));
  c->result.object = pa_take_result_text(&text, &c->result.object_size);
  c->result.entry = kernel.name;
  c->result.shared_bytes = kernel.shared_bytes;
  c->result.points = kernel.points;
  return PA_OK;
}

// The kernel once more, for who optimises it together with other code; what cannot be said so is linked as PTX.
static pa_status add_nvvm_ir(pa_compilation *c, const pa_codegen_options *options) {
  pa_string text = {0};
  pa_status status = pa_codegen_nvvm_ir(mlirModuleGetOperation(c->module), options, &text);
  pyarray_linked_code header = {PYARRAY_LINKED_NVVM_IR, (int64_t)text.length};
  if (!status) {
    pa_string_append(&c->links.inputs, (const char *)&header, sizeof header);
    pa_string_append(&c->links.inputs, c->links.nvvm_options, strlen(c->links.nvvm_options) + 1);
    pa_string_append(&c->links.inputs, pa_string_text(&text), text.length);
  }
  pa_string_free(&text);
  if (!status || pa_status_code(status) != PA_CODE_UNSUPPORTED) return status;
  return pa_status_free(status), PA_OK;
}

// What LLVM does not compile is, as a rule, in the text of an intrinsic: a failure names those that there are.
static pa_status blame_intrinsics(pa_compilation *c, pa_status failure) {
  pa_string names = {0};
  PA_FOR_EACH_OP(op, pa_module_body(mlirModuleGetOperation(c->module))) {
    if (mlirAttributeIsNull(pa_get_attr(op, "pyarray.intrinsic"))) continue;
    const char *symbol = pa_attr_text(&c->arena, pa_get_attr(op, "sym_name"));
    pa_string_format(&names, "%s%.*s()", names.length ? ", " : "", (int)(strstr(symbol, ".intrinsic") - symbol),
                     symbol);
  }
  if (!names.length || pa_status_code(failure) == PA_CODE_MEMORY) return pa_string_free(&names), failure;
  pa_status named = pa_fail(PA_CODE_TYPING, NULL, "%s\nhint: see the MLIR text of the intrinsics that are called: %s",
                            pa_status_message(failure), pa_string_text(&names));
  pa_string_free(&names);
  return pa_status_free(failure), named;
}

pa_status pa_emit_requested(pa_compilation *c) {
  pa_codegen_options options = pa_codegen_options_of(c);
  atomic_store(&c->progress.towards, "machine code");
  pa_status status = pa_is_ptx(c) ? generate_ptx(c, &options)
                                  : pa_codegen_object(mlirModuleGetOperation(c->module), &options, &c->result.object,
                                                      &c->result.object_size);
  if (!status && c->links.nvvm_options) status = add_nvvm_ir(c, &options);
  c->result.linked = pa_take_result_text(&c->links.inputs, &c->result.linked_size);
  return status && pa_status_code(status) != PA_CODE_INTERRUPTED && pa_status_code(status) != PA_CODE_LINK
             ? blame_intrinsics(c, status)
             : status;
}
