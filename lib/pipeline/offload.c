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

static void append_kernel(pa_compilation *c, const pyarray_kernel_code *header, const char *name, const char *bytes) {
  pa_string_append(&c->kernels, (const char *)header, sizeof *header);
  pa_string_append(&c->kernels, name, strlen(name) + 1);
  pa_string_append(&c->kernels, bytes, (size_t)header->size);
}

static pa_status emit_object(pa_compilation *c, MlirOperation module) {
  pa_codegen_options options = pa_codegen_options_of(c);
  char *object = NULL;
  size_t size = 0;
  PA_TRY(pa_codegen_object(module, &options, &object, &size));
  append_kernel(c, &(pyarray_kernel_code){.size = (int64_t)size}, "kernel", object);
  return free(object), PA_OK;
}

//===-- PTX ---------------------------------------------------------------------------------------===//

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static bool is_entry(const char *line) { return starts_with(line, ".visible .entry "); }

// The line from |line| on, but that one, at which a function begins, or the end.
static const char *next_function(const char *line) {
  while ((line = strchr(line, '\n')))
    if (is_entry(++line) || starts_with(line, ".func ") || starts_with(line, ".visible .func ")) return line;
  return NULL;
}

// Of |text| all but other entries than |name|.
static void append_image(pa_string *out, const char *text, const char *name) {
  size_t length = strlen(name);
  for (const char *at = text, *end; at; at = end) {
    end = next_function(at);
    const char *own = at + strlen(".visible .entry ");
    if (!is_entry(at) || (starts_with(own, name) && own[length] == '('))
      pa_string_append(out, at, end ? (size_t)(end - at) : strlen(at));
  }
  pa_string_append(out, "", 1);
}

// LLVM has compiled the kernels together. The driver compiles each for itself, on several threads (cuda_offload.c),
// unless they share sections for a debugger.
static void append_kernels(pa_compilation *c, const pa_codegen_kernel *kernels, int count, const char *text) {
  bool parted = !strstr(text, "\t.section") && !strstr(text, "\t.file");
  for (int i = 0; i < count; ++i) {
    pa_string image = {0};
    if (parted)
      append_image(&image, text, kernels[i].name);
    else if (!i)
      pa_string_append(&image, text, strlen(text) + 1);
    pyarray_kernel_code header = {(int64_t)image.length, kernels[i].shared_bytes, kernels[i].points};
    append_kernel(c, &header, kernels[i].name, pa_string_text(&image));
    pa_string_free(&image);
  }
}

static pa_status emit_ptx(pa_compilation *c, MlirOperation module, int count) {
  pa_codegen_options options = pa_codegen_options_of(c);
  options.cpu = c->request.kernel_cpu;
  options.features = NULL;
  pa_string text = {0};
  pa_codegen_kernel *kernels = PA_NEW_ARRAY(&c->arena, pa_codegen_kernel, count);
  memset(kernels, 0, (size_t)count * sizeof *kernels);
  pa_status status = pa_codegen_ptx(module, &options, kernels, &text);
  if (!status) append_kernels(c, kernels, count, pa_string_text(&text));
  for (int i = 0; i < count; ++i) free(kernels[i].name);
  pa_string_free(&text);
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

// All kernels together for a GPU, so that LLVM runs once.
pa_status pa_emit_kernels(pa_compilation *c) {
  int count = 0;
  PA_FOR_EACH_OP(op, mlirModuleGetBody(c->module)) count += is_kernel(op);
  bool ptx = strcmp(c->request.kernel_target, "cuda") == 0;
  for (int number = ptx ? ALL : 0; count && number < (ptx ? 0 : count); ++number) {
    MlirModule module = module_of(c, number);
    MlirOperation op = mlirModuleGetOperation(module);
    pa_status status = lower(c, op, c->request.kernel_target);
    if (!status) status = ptx ? emit_ptx(c, op, count) : emit_object(c, op);
    mlirModuleDestroy(module);
    PA_TRY(status);
  }
  pa_drop_kernels(c);
  return PA_OK;
}
