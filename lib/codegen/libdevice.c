// Where NVIDIA's libdevice is: the functions of libm for NVIDIA's GPUs, as LLVM bitcode. It is not ours to ship with the source.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codegen.h"

static const char file_name[] = "libdevice.10.bc";

static bool try_path(const char *folder, const char *rest, char *out_path) {
  if (!folder || !*folder) return false;
  int length = snprintf(out_path, PATH_MAX, "%s%s", folder, rest);
  return length > 0 && length < PATH_MAX && access(out_path, R_OK) == 0;
}

// Beside the library that this code is in.
static bool try_own_folder(char *out_path) {
  Dl_info info;
  char folder[PATH_MAX];
  if (!dladdr((const void *)file_name, &info) || !info.dli_fname) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  if (!slash || (size_t)(slash - info.dli_fname) + 2 > sizeof folder) return false;
  snprintf(folder, sizeof folder, "%.*s/", (int)(slash - info.dli_fname), info.dli_fname);
  return try_path(folder, file_name, out_path);
}

bool pa_find_libdevice(const char *hint, char *out_path) {
  static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
  static const char in_toolkit[] = "/nvvm/libdevice/libdevice.10.bc";
  const char *named = getenv("PYARRAY_LIBDEVICE");
  if (named && *named) return try_path(named, "", out_path); // only there
  if (try_own_folder(out_path) || try_path(hint, "", out_path)) return true;
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (try_path(getenv(variables[i]), in_toolkit, out_path)) return true;
  return try_path("/usr/local/cuda", in_toolkit, out_path);
}
