// Of compile.c: the kernels of a function whose whole arrays are a GPU's (pyarray-offload), each a module of its own
// from level 4 on; the host's code goes on without them.
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "compilation.h"

void pa_note_written(pa_compilation *c) {
  MlirAttribute writes = pa_get_attr(mlirModuleGetOperation(c->module), "pyarray.writes");
  for (intptr_t i = 0; !mlirAttributeIsNull(writes) && i < mlirDenseArrayGetNumElements(writes); ++i) {
    int64_t number = mlirDenseI64ArrayGetElement(writes, i);
    c->result.written |= (uint64_t)1 << (number < 63 ? number : 63);
  }
}

static bool is_kernel(MlirOperation op) { return pa_has_attr(op, "pyarray.kernel"); }

void pa_drop_kernels(pa_compilation *c) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(c->module));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (is_kernel(op)) mlirOperationDestroy(op);
    op = next;
  }
}

// A copy of the module with that kernel as its entry.
static MlirModule module_of(const pa_compilation *c, int number) {
  MlirModule copy = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(c->module)));
  MlirBlock body = mlirModuleGetBody(copy);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (int place = 0; !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool function = pa_op_is(op, PA_OP_NAME(FUNC)) && !mlirBlockIsNull(pa_body(op, 0));
    if (is_kernel(op) && place++ == number) {
      pa_set_attr(op, "pyarray.entry", pa_unit_attr(c->session->context));
      mlirOperationRemoveAttributeByName(op, pa_ref("sym_visibility"));
    } else if (function || pa_op_is(op, "memref.global")) {
      mlirOperationDestroy(op);
    }
    op = next;
  }
  return copy;
}

static void append_kernel(pa_compilation *c, const pyarray_kernel_code *header, const char *name, const char *bytes) {
  pa_string_append(&c->kernels, (const char *)header, sizeof *header);
  pa_string_append(&c->kernels, name, strlen(name) + 1);
  pa_string_append(&c->kernels, bytes, (size_t)header->size);
}

static pa_status emit(pa_compilation *c, MlirOperation module, const char *target) {
  pa_codegen_options options = pa_codegen_options_of(c);
  pyarray_kernel_code header = {0};
  bool ptx = strcmp(target, "cuda") == 0;
  if (!ptx) {
    char *object = NULL;
    size_t size = 0;
    PA_TRY(pa_codegen_object(module, &options, &object, &size));
    header.size = (int64_t)size;
    append_kernel(c, &header, "kernel", object);
    return free(object), PA_OK;
  }
  options.cpu = c->request.kernel_cpu;
  options.features = NULL;
  pa_string text = {0};
  pa_codegen_kernel kernel = {0};
  pa_status status = pa_codegen_ptx(module, &options, &kernel, &text);
  if (!status) {
    header = (pyarray_kernel_code){(int64_t)text.length + 1, kernel.shared_bytes, kernel.points};
    pa_string_append(&text, "", 1);
    append_kernel(c, &header, kernel.name, pa_string_text(&text));
  }
  free(kernel.name);
  pa_string_free(&text);
  return status;
}

// The stages behind level 4.
static pa_status lower(pa_compilation *c, MlirOperation module, const char *target) {
  const pa_stage *stage = pa_stages(target);
  while (stage->level && strcmp(stage->level, "linalg") != 0) ++stage;
  if (stage->level) ++stage;
  for (; stage->level; ++stage)
    PA_TRY(pa_session_run(c->session, module, stage->pipeline, pa_is_verified(&c->request)));
  return PA_OK;
}

pa_status pa_emit_kernels(pa_compilation *c) {
  int count = 0;
  PA_FOR_EACH_OP(op, mlirModuleGetBody(c->module)) count += is_kernel(op);
  for (int number = 0; number < count; ++number) {
    MlirModule module = module_of(c, number);
    pa_status status = lower(c, mlirModuleGetOperation(module), c->request.kernel_target);
    if (!status) status = emit(c, mlirModuleGetOperation(module), c->request.kernel_target);
    mlirModuleDestroy(module);
    PA_TRY(status);
  }
  pa_drop_kernels(c);
  return PA_OK;
}
