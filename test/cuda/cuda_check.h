// What the tests of lib/runtime/cuda share: kernels for the CPU, and children that open the driver afresh.
#ifndef PYARRAY_TEST_CUDA_CHECK_H
#define PYARRAY_TEST_CUDA_CHECK_H

#include "../../lib/runtime/cuda/buffer.h"
#include "../../lib/runtime/cuda/kernel.h"
#include "../../lib/runtime/cuda/stream.h"
#include "../../lib/runtime/cuda/transfer.h"
#include "../capi/test_runtime_check.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// y[i] += a * x[i] for i < n. The thread with i == bad raises at site 7 with values (i, n, 5). Each block also counts
// its threads in shared memory and its scratch memory.
static const char *const axpy_source =
    "#include \"" BLOCK_HEADER "\"\n"
    "extern void pyarray_rt_raise_values(int32_t, int64_t, int64_t, int64_t);\n"
    "const int64_t pyarray_block_scratch = 8, pyarray_block_shared = 1024;\n"
    "int32_t pyarray_block(const uint64_t *params, pa_block *block) {\n"
    "  double a = *(const double *)&params[0];\n"
    "  const double *x = (const double *)params[1];\n"
    "  double *y = (double *)params[2];\n"
    "  int64_t n = params[3], bad = params[4], threads = block->block[0] * block->block[1] * block->block[2];\n"
    "  int64_t *scratch = (int64_t *)block->scratch, *shared = (int64_t *)block->shared;\n"
    "  int64_t number = (block->index[2] * block->grid[1] + block->index[1]) * block->grid[0] + block->index[0];\n"
    "  shared[0] = 0;\n"
    "  for (int64_t t = 0; t < threads; ++t) scratch[t] = number * threads + t, ++shared[0];\n"
    "  for (int64_t t = 0; t < threads; ++t) {\n"
    "    int64_t i = scratch[t];\n"
    "    if (i == bad) { block->thread = t; pyarray_rt_raise_values(7, i, n, 5); return 1; }\n"
    "    if (i < n) y[i] += a * x[i];\n"
    "  }\n"
    "  return shared[0] == threads && (uintptr_t)shared % 128 == 0 && (uintptr_t)scratch % 128 == 0 &&\n"
    "         block->shared_bytes >= pyarray_block_shared ? 0 : 1;\n"
    "}\n";

typedef struct image {
  char path[256];
  unsigned char *bytes;
  size_t size;
} image;

// An object from C source; CC names the compiler. The file stays until remove_images.
static char image_folder[64];

static inline void remove_images(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", image_folder);
  if (*image_folder && system(command)) fprintf(stderr, "cannot remove %s\n", image_folder);
}

static inline image compile_image(const char *name, const char *source) {
  char command[1024];
  image made = {0};
  if (!*image_folder) {
    strcpy(image_folder, "/tmp/pyarray-cuda-XXXXXX");
    REQUIRE(mkdtemp(image_folder));
  }
  snprintf(made.path, sizeof made.path, "%s/%s.c", image_folder, name);
  FILE *file = fopen(made.path, "w");
  REQUIRE(file);
  fputs(source, file);
  fclose(file);
  const char *compiler = getenv("CC");
  snprintf(command, sizeof command, "cd %s && %s -w -fcf-protection=none -O2 -fno-strict-aliasing -c %s.c -o %s.o",
           image_folder, compiler && *compiler ? compiler : "cc", name, name);
  REQUIRE(system(command) == 0);
  made.path[strlen(made.path) - 1] = 'o';
  file = fopen(made.path, "rb");
  REQUIRE(file);
  fseek(file, 0, SEEK_END);
  made.size = (size_t)ftell(file);
  rewind(file);
  made.bytes = malloc(made.size);
  REQUIRE(made.bytes && fread(made.bytes, 1, made.size, file) == made.size);
  fclose(file);
  return made;
}

// The message of a status, which is freed; "" for success.
static inline const char *message_of(pa_status status) {
  static __thread char text[2048];
  snprintf(text, sizeof text, "%s", status ? pa_status_message(status) : "");
  pa_status_free(status);
  return text;
}

#define CHECK_OK(call)                                                                                                 \
  do {                                                                                                                 \
    const char *check_text = message_of(call);                                                                         \
    if (*check_text) fprintf(stderr, "%s\n", check_text);                                                              \
    CHECK(!*check_text);                                                                                               \
  } while (0)

#define CHECK_FAILS(call, part)                                                                                        \
  do {                                                                                                                 \
    const char *check_text = message_of(call);                                                                         \
    if (!strstr(check_text, part)) fprintf(stderr, "message: %s\n", check_text);                                       \
    CHECK(*check_text && strstr(check_text, part));                                                                    \
  } while (0)

// There under AddressSanitizer alone; non-zero where memory of the host leaks.
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

// The sanitizer cannot look at programs with libomp's threads.
static inline bool leaks_host_memory(void) {
  bool is_serial = getenv("PYARRAY_OPENMP_LIBRARY") != NULL;
  return is_serial && __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check();
}

// Runs |body| in a child, where nothing of CUDA was touched yet; its checks count here. Environment: NAME=value, ...,
// NULL.
static inline void in_child(void (*body)(void), const char *const *environment) {
  fflush(NULL);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (!child) {
    for (; *environment; ++environment) putenv((char *)(uintptr_t)*environment);
    checks_passed = checks_failed = 0;
    body();
    CHECK(!leaks_host_memory());
    fflush(NULL);
    _exit(checks_failed || !checks_passed ? 1 : 0);
  }
  int outcome = 0;
  REQUIRE(waitpid(child, &outcome, 0) == child);
  if (WIFSIGNALED(outcome)) fprintf(stderr, "signal %d\n", WTERMSIG(outcome));
  CHECK(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0);
}

#define IN_CHILD(body, ...) in_child(body, (const char *const[]){__VA_ARGS__, NULL})

// A function of the fake driver, which is loaded.
static inline void *fake_function(const char *name) {
  const char *path = getenv("PYARRAY_CUDA_DRIVER");
  void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  return library ? dlsym(library, name) : NULL;
}

static inline int64_t fake_leaks(void) {
  int64_t (*leaks)(void);
  void *symbol = fake_function("fake_cuda_leaks");
  if (!symbol) return 0; // it could not be opened
  memcpy(&leaks, &symbol, sizeof leaks);
  return leaks();
}

static inline int64_t fake_calls(const char *function) {
  int64_t (*calls)(const char *);
  void *symbol = fake_function("fake_cuda_calls");
  if (!symbol) return 0;
  memcpy(&calls, &symbol, sizeof calls);
  return calls(function);
}

#endif // PYARRAY_TEST_CUDA_CHECK_H
