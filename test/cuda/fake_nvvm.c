// Stands in for libNVVM (fake_library.h): what it makes of a module is "lto of " and the module's first line.
//
//   PYARRAY_FAKE_NVVM_LOG    a file that gets a line for each program: the options, then how many kernels it names
#include "fake_library.h"

#include <stdio.h>

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result symbol parameters;
#include "../../lib/runtime/cuda/nvvm.def"
#undef PA_LIBRARY_CALL

typedef struct program {
  char code[128];
  int kernels;
} program;

static const char log_text[] = "refused by the stand-in";

EXPORT int nvvmCreateProgram(void **out) {
  FAIL("nvvmCreateProgram");
  return *out = calloc(1, sizeof(program)), 0;
}

EXPORT int nvvmAddModuleToProgram(void *handle, const char *bytes, size_t size, const char *name) {
  static const char kernel[] = "!\"kernel\", i32 1";
  program *p = handle;
  (void)name;
  FAIL("nvvmAddModuleToProgram");
  snprintf(p->code, sizeof p->code, "lto of %.*s", (int)strcspn(bytes, "\n"), bytes);
  for (size_t i = 0; i + sizeof kernel <= size; ++i) p->kernels += memcmp(bytes + i, kernel, sizeof kernel - 1) == 0;
  return 0;
}

EXPORT int nvvmCompileProgram(void *handle, int count, const char **options) {
  const char *path = getenv("PYARRAY_FAKE_NVVM_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  for (int i = 0; file && i < count; ++i) fprintf(file, "%s ", options[i]);
  if (file) fprintf(file, "%d\n", ((program *)handle)->kernels), fclose(file);
  FAIL("nvvmCompileProgram");
  return 0;
}

EXPORT int nvvmGetCompiledResultSize(void *p, size_t *size) { return *size = strlen(((program *)p)->code), 0; }
EXPORT int nvvmGetCompiledResult(void *p, char *bytes) {
  return memcpy(bytes, ((program *)p)->code, strlen(((program *)p)->code)), 0;
}
EXPORT int nvvmGetProgramLogSize(void *p, size_t *size) { return (void)p, *size = sizeof log_text, 0; }
EXPORT int nvvmGetProgramLog(void *p, char *log) { return (void)p, strcpy(log, log_text), 0; }
EXPORT int nvvmDestroyProgram(void **p) { return free(*p), *p = NULL, 0; }
