// Stands in for nvJitLink (fake_library.h), under the names that its version 13 has.
//
//   PYARRAY_FAKE_CUDA_OBJECT      what all links give: an ELF object for the CPU
//   PYARRAY_FAKE_NVJITLINK_LOG    a file that gets a line for each option and each input
#include "fake_library.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
  const char *path = getenv("PYARRAY_FAKE_NVJITLINK_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  va_list arguments;
  if (!file) return;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  fclose(file);
}

static char image[1 << 20];
static size_t image_size;

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result __##symbol##_13_0 parameters;
#include "../../lib/runtime/cuda/nvjitlink.def"
#undef PA_LIBRARY_CALL

EXPORT int __nvJitLinkCreate_13_0(void **linker, uint32_t count, const char **options) {
  FAIL("nvJitLinkCreate");
  for (uint32_t i = 0; i < count; ++i) note("%s\n", options[i]);
  *linker = image;
  return 0;
}

EXPORT int __nvJitLinkAddData_13_0(void *linker, int kind, const void *bytes, size_t size, const char *name) {
  (void)linker, (void)bytes;
  FAIL("nvJitLinkAddData");
  note("%d %s %zu\n", kind, name, size);
  return 0;
}

EXPORT int __nvJitLinkComplete_13_0(void *linker) {
  const char *path = getenv("PYARRAY_FAKE_CUDA_OBJECT");
  FILE *file = path ? fopen(path, "rb") : NULL;
  (void)linker;
  FAIL("nvJitLinkComplete");
  if (!file) return 1;
  image_size = fread(image, 1, sizeof image, file);
  fclose(file);
  return 0;
}

static const char log_text[] = "error   : Undefined reference to 'f' in 'k'\n";

EXPORT int __nvJitLinkGetErrorLogSize_13_0(void *linker, size_t *size) {
  return (void)linker, *size = sizeof log_text, 0;
}
EXPORT int __nvJitLinkGetErrorLog_13_0(void *linker, char *log) { return (void)linker, strcpy(log, log_text), 0; }
EXPORT int __nvJitLinkGetLinkedCubinSize_13_0(void *linker, size_t *size) {
  return (void)linker, *size = image_size, 0;
}
EXPORT int __nvJitLinkGetLinkedCubin_13_0(void *linker, void *bytes) {
  return (void)linker, memcpy(bytes, image, image_size), 0;
}
EXPORT int __nvJitLinkDestroy_13_0(void **linker) { return *linker = NULL, 0; }
