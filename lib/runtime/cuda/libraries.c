// Opening CUDA's libraries, and their failures as statuses.
#include "libraries.h"
#include "rand.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===-- Tables ------------------------------------------------------------------------------------===//

pa_cufft_functions pa_cufft;
pa_cublas_functions pa_cublas;
pa_cusolver_functions pa_cusolver;
pa_nvrtc_functions pa_nvrtc;
pa_nvjitlink_functions pa_nvjitlink;
pa_nvvm_functions pa_nvvm;
pa_curand_functions pa_curand;

// A function of a library: its symbol, and where the table has its address.
typedef struct symbol {
  const char *name;
  size_t offset;
} symbol;

#define PA_LIBRARY_CALL(name, text, parameters) {#text, offsetof(pa_cufft_functions, name)},
static const symbol cufft_symbols[] = {
#include "cufft.def"
};
#undef PA_LIBRARY_CALL
#define PA_LIBRARY_CALL(name, text, parameters) {#text, offsetof(pa_cublas_functions, name)},
static const symbol cublas_symbols[] = {
#include "cublas.def"
};
#undef PA_LIBRARY_CALL
#define PA_LIBRARY_CALL(name, text, parameters) {#text, offsetof(pa_cusolver_functions, name)},
static const symbol cusolver_symbols[] = {
#include "cusolver.def"
};
#undef PA_LIBRARY_CALL
#define PA_LIBRARY_CALL(name, text, parameters) {#text, offsetof(pa_nvrtc_functions, name)},
static const symbol nvrtc_symbols[] = {
#include "nvrtc.def"
};
#undef PA_LIBRARY_CALL
#define PA_LIBRARY_CALL(name, text, parameters) {#text, offsetof(pa_nvjitlink_functions, name)},
static const symbol nvjitlink_symbols[] = {
#include "nvjitlink.def"
};
#undef PA_LIBRARY_CALL
#define PA_LIBRARY_CALL(name, text, parameters) {#text, offsetof(pa_nvvm_functions, name)},
static const symbol nvvm_symbols[] = {
#include "nvvm.def"
};
#undef PA_LIBRARY_CALL
#define PA_LIBRARY_CALL(name, text, parameters) {#text, offsetof(pa_curand_functions, name)},
static const symbol curand_symbols[] = {
#include "curand.def"
};
#undef PA_LIBRARY_CALL

typedef struct library {
  const char *name, *text, *package;
  const symbol *symbols;
  size_t count;
  void *table;
  void *handle;
  const char *path; // atomic; NULL until it is open
} library;

static library libraries[] = {
#define PA_CUDA_LIBRARY(name, text, package)                                                                           \
  {#name, text, package, name##_symbols, sizeof name##_symbols / sizeof *name##_symbols, &pa_##name, NULL, NULL},
#include "libraries.def"
#undef PA_CUDA_LIBRARY
};

pa_cuda_library pa_library_by_name(const char *name) {
  int found = 0;
  while (found < PA_LIBRARY_COUNT && strcmp(libraries[found].name, name)) ++found;
  return (pa_cuda_library)found;
}

const char *pa_library_package(pa_cuda_library number) { return libraries[number].package; }

const char *pa_library_path(pa_cuda_library number) {
  return __atomic_load_n(&libraries[number].path, __ATOMIC_ACQUIRE);
}

//===-- Opening -----------------------------------------------------------------------------------===//

// nvJitLink's functions have its version in their names; the first of a major version has the interface that is used.
static void *find_symbol(void *handle, const char *name) {
  static const char *const versions[] = {"13_0", "12_0"};
  void *address = dlsym(handle, name);
  char versioned[128];
  for (size_t i = 0; i < sizeof versions / sizeof *versions && !address; ++i) {
    snprintf(versioned, sizeof versioned, "__%s_%s", name, versions[i]);
    address = dlsym(handle, versioned);
  }
  return address;
}

// Fills the table only where every function is there; else adds what is missing to |problems|.
static bool read_table(const library *self, void *handle, const char *path, pa_string *problems) {
  const char *missing = NULL;
  for (size_t i = 0; i < self->count && !missing; ++i)
    if (!find_symbol(handle, self->symbols[i].name)) missing = self->symbols[i].name;
  if (missing) {
    pa_string_format(problems, "  %s has no function %s: it is too old\n", path, missing);
    return false;
  }
  for (size_t i = 0; i < self->count; ++i) {
    void *address = find_symbol(handle, self->symbols[i].name);
    memcpy((char *)self->table + self->symbols[i].offset, &address, sizeof address);
  }
  return true;
}

static bool open_path(library *self, const char *path, pa_string *problems) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    pa_string_format(problems, "  %s\n", dlerror());
    return false;
  }
  char *copy = strdup(path);
  if (copy && read_table(self, handle, path, problems)) {
    self->handle = handle;
    __atomic_store_n(&self->path, copy, __ATOMIC_RELEASE); // it stays open until the process ends
    return true;
  }
  free(copy);
  dlclose(handle);
  return false;
}

static bool is_cuda_12(void) { return pa_cuda_kind_opened() == PA_CUDA_GPU && pa_cuda_driver_version() < 13000; }

// What has a library's place where the CPU plays the device.
static bool open_host(library *self) {
  if (self->table != &pa_curand || pa_cuda_kind_opened() != PA_CUDA_EMULATOR) return false;
  pa_curand = pa_curand_host;
  __atomic_store_n(&self->path, "the CPU", __ATOMIC_RELEASE);
  return true;
}

pa_status pa_library_open(pa_cuda_library number, const char *const *paths, size_t count) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  library *self = &libraries[number];
  pa_string problems = {0};
  pthread_mutex_lock(&lock);
  bool is_open = self->path != NULL || open_host(self);
  for (size_t i = 0; i < count && !is_open; ++i) is_open = open_path(self, paths[i], &problems);
  pthread_mutex_unlock(&lock);
  pa_status status =
      is_open
          ? PA_OK
          : pa_fail(PA_CODE_NO_DEVICE, NULL, "NVIDIA's library %s cannot be opened; pip install %s%s\n%s", self->text,
                    self->package, is_cuda_12() ? "-cu12" : "", count ? pa_string_text(&problems) : "  none was found");
  pa_string_free(&problems);
  return status;
}

void *pa_library_function(pa_cuda_library number, const char *symbol) {
  return dlsym(libraries[number].handle, symbol);
}

//===-- Failures ----------------------------------------------------------------------------------===//

typedef struct row {
  pa_cuda_library library;
  pa_library_result number;
  const char *name, *text;
} row;

static const row rows[] = {
#define PA_LIBRARY_RESULT(library, name, number, text) {PA_LIBRARY_##library, number, #name, text},
#include "library_results.def"
#undef PA_LIBRARY_RESULT
};

pa_status pa_fail_library(pa_cuda_library number, pa_library_result result, const char *format, ...) {
  char doing[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(doing, sizeof doing, format, arguments);
  va_end(arguments);
  pa_cuda_set_last_result((CUresult)result);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].library == number && rows[i].number == result)
      return pa_fail(PA_CODE_DRIVER, NULL, "%s: %s (%s)", doing, rows[i].name, rows[i].text);
  return pa_fail(PA_CODE_DRIVER, NULL, "%s: result %d of %s", doing, result, libraries[number].text);
}
