// Calls of libm whose results err by more than 1 ULP become calls of the runtime (lib/runtime/numbers/accurate_math.c),
// for accuracy="high". Before and after:
//
//   %y = call double @llvm.tanh.f64(double %x)
//
//   %y = call double @pyarray_rt_accurate_tanh(double %x)
#include "vector_math.h"

#include <string.h>

#include "support/support.h"
#include "llvm-c/Core.h"

static const char *const runtime_names[] = {
#define PA_RUNTIME(name, result, parameters) #name,
#include "runtime/runtime.def"
#undef PA_RUNTIME
};

// "pyarray_rt_accurate_tanhf" of "tanhf" or "llvm.tanh.f32"
static void write_accurate_name(pa_string *out, const char *callee) {
  const char *name = strncmp(callee, "llvm.", 5) == 0 ? callee + 5 : callee, *type = strchr(name, '.');
  int length = (int)(type ? (size_t)(type - name) : strlen(name));
  pa_string_format(out, "pyarray_rt_accurate_%.*s%s", length, name, type && strcmp(type, ".f32") == 0 ? "f" : "");
}

// The runtime's function for a declared one, or NULL. Vectors have no such functions.
static const char *find_accurate(LLVMValueRef function) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
  if (!LLVMIsDeclaration(function) || (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)) return NULL;
  size_t length;
  const char *found = NULL;
  pa_string name = {0};
  write_accurate_name(&name, LLVMGetValueName2(function, &length));
  for (size_t i = 0; i < sizeof runtime_names / sizeof *runtime_names && !found; ++i)
    if (strcmp(runtime_names[i], pa_string_text(&name)) == 0) found = runtime_names[i];
  pa_string_free(&name);
  return found;
}

void pa_use_accurate_math(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    const char *name = find_accurate(f);
    if (!name) continue;
    LLVMValueRef accurate = LLVMGetNamedFunction(module, name);
    if (!accurate) accurate = LLVMAddFunction(module, name, LLVMGlobalGetValueType(f));
    pa_mark_as_math(LLVMGetModuleContext(module), accurate);
    LLVMReplaceAllUsesWith(f, accurate);
    LLVMDeleteFunction(f);
  }
}
