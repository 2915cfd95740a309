// Of compile.c: the kernels of a function whose whole arrays are a GPU's (pyarray-offload). From level 4 on they are a
// module of their own, and the host's code goes on without them; each is one where the CPU runs them.
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

// What kernels call, and the host does not.
static bool is_kernels(MlirOperation op) {
  return is_kernel(op) || (pa_op_is(op, PA_OP_NAME(FUNC)) && pa_is_device_function(op));
}

void pa_drop_kernels(pa_compilation *c) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(c->module));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (is_kernels(op)) mlirOperationDestroy(op);
    op = next;
  }
}

enum { ALL = -1 };

// A copy of the module with that kernel as its entry, or with all of them.
static MlirModule module_of(const pa_compilation *c, int number) {
  MlirModule copy = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(c->module)));
  MlirBlock body = mlirModuleGetBody(copy);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (int place = 0; !mlirOperationIsNull(op);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    bool function = pa_op_is(op, PA_OP_NAME(FUNC)) && !mlirBlockIsNull(pa_body(op, 0)) &&
                    (is_kernel(op) || !pa_is_device_function(op)); // kernels may call others
    if (is_kernel(op) && (place++ == number || number == ALL)) {
      pa_set_attr(op, "pyarray.entry", pa_unit_attr(c->session->context));
      mlirOperationRemoveAttributeByName(op, pa_ref("sym_visibility"));
    } else if (function || pa_op_is(op, "memref.global")) {
      mlirOperationDestroy(op);
    }
    op = next;
  }
  return copy;
}

static pa_status emit_object(pa_compilation *c, MlirOperation module) {
  pa_codegen_options options = pa_codegen_options_of(c);
  char *object = NULL;
  size_t size = 0;
  PA_TRY(pa_codegen_object(module, &options, &object, &size));
  pa_append_kernel(&c->kernels, &(pyarray_kernel_code){.size = (int64_t)size}, "kernel", object);
  return free(object), PA_OK;
}

//===-- PTX ---------------------------------------------------------------------------------------===//

static bool is_exported(MlirOperation op) {
  return pa_op_is(op, "llvm.func") && (pa_has_attr(op, "pyarray.exported") || pa_has_attr(op, "nvvm.kernel"));
}

// |module|, which all kernels were lowered in, without the exported functions but that one.
static MlirModule part_of(MlirOperation module, int number) {
  MlirModule copy = mlirModuleFromOperation(mlirOperationClone(module));
  PA_FOR_EACH_OP(gpu, mlirModuleGetBody(copy)) {
    if (!pa_op_is(gpu, "gpu.module")) continue;
    MlirOperation op = mlirBlockGetFirstOperation(pa_body(gpu, 0));
    for (int place = 0; !mlirOperationIsNull(op);) {
      MlirOperation next = mlirOperationGetNextInBlock(op);
      if (is_exported(op) && place++ != number) mlirOperationDestroy(op);
      op = next;
    }
  }
  return copy;
}

static pa_status begin_ptx(pa_compilation *c, MlirOperation module, int count) {
  pa_codegen_options options = pa_codegen_options_of(c);
  options.cpu = c->request.kernel_cpu;
  options.features = NULL;
  options.timing = NULL; // of the host's code alone: it is no thread's but this one's
  options.pass_times = options.remarks = NULL;
  pa_codegen_ptx_job **jobs = PA_NEW_ARRAY(&c->arena, pa_codegen_ptx_job *, count);
  int begun = 0;
  pa_status status = PA_OK;
  for (; begun < count; ++begun) {
    MlirModule part = part_of(module, begun);
    status = pa_codegen_ptx_begin(mlirModuleGetOperation(part), &options, &jobs[begun]);
    mlirModuleDestroy(part);
    if (status) break;
  }
  if (!status) return pa_kernel_jobs_begin(jobs, count, c->request.assemble, c->request.assemble_data, &c->kernel_jobs);
  while (begun--) pa_codegen_ptx_end(jobs[begun], NULL, NULL);
  return status;
}

//===-- All ---------------------------------------------------------------------------------------===//

// The stages behind level 4.
static pa_status lower(pa_compilation *c, MlirOperation module, const char *target) {
  const pa_stage *stage = pa_stages(target);
  while (stage->level && strcmp(stage->level, "linalg") != 0) ++stage;
  if (stage->level) ++stage;
  for (; stage->level; ++stage)
    PA_TRY(pa_session_run(c->session, module, stage->pipeline, pa_is_verified(&c->request)));
  return PA_OK;
}

// All kernels are lowered together for a GPU, and then compiled each for itself.
pa_status pa_emit_kernels(pa_compilation *c) {
  int count = 0;
  PA_FOR_EACH_OP(op, mlirModuleGetBody(c->module)) count += is_kernel(op);
  bool ptx = strcmp(c->request.kernel_target, "cuda") == 0;
  for (int number = ptx ? ALL : 0; count && number < (ptx ? 0 : count); ++number) {
    MlirModule module = module_of(c, number);
    MlirOperation op = mlirModuleGetOperation(module);
    pa_status status = lower(c, op, c->request.kernel_target);
    if (!status) status = ptx ? begin_ptx(c, op, count) : emit_object(c, op);
    mlirModuleDestroy(module);
    PA_TRY(status);
  }
  pa_drop_kernels(c);
  return PA_OK;
}

pa_status pa_finish_kernels(pa_compilation *c) {
  pa_kernel_jobs *jobs = c->kernel_jobs;
  c->kernel_jobs = NULL;
  PA_TRY(pa_kernel_jobs_end(jobs, &c->kernels));
  c->result.kernels = pa_take_result_text(&c->kernels, &c->result.kernels_size);
  return PA_OK;
}
