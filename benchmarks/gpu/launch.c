// Seconds for one cuLaunchKernel from C: launch <cubin> <kernel> <bytes of parameters> <launches>. Without CUDA's
// headers.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int (*function)();

static void *library;

static function find(const char *name) {
  function found = (function)dlsym(library, name);
  if (!found) exit((fprintf(stderr, "no %s\n", name), 1));
  return found;
}

static void check(int result, const char *what) {
  if (result) exit((fprintf(stderr, "%s: error %d\n", what, result), 1));
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count < 5) return 1;
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) return 1;
  int device, launches = atoi(arguments[4]);
  void *context, *module, *kernel;
  size_t size = (size_t)atoi(arguments[3]);
  char parameters[4096] = {0};
  check(find("cuInit")(0), "cuInit");
  check(find("cuDeviceGet")(&device, 0), "cuDeviceGet");
  check(find("cuDevicePrimaryCtxRetain")(&context, device), "cuDevicePrimaryCtxRetain");
  check(find("cuCtxSetCurrent")(context), "cuCtxSetCurrent");
  check(find("cuModuleLoad")(&module, arguments[1]), "cuModuleLoad");
  check(find("cuModuleGetFunction")(&kernel, module, arguments[2]), "cuModuleGetFunction");
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                void **) = (int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                    void *, void **, void **))find("cuLaunchKernel");
  void *extra[] = {(void *)1, parameters, (void *)2, &size, NULL};
  double best = 1;
  for (int round = 0; round < 20; ++round) {
    check(find("cuCtxSynchronize")(), "cuCtxSynchronize");
    double start = now();
    for (int i = 0; i < launches; ++i)
      check(launch(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, size ? extra : NULL), "cuLaunchKernel");
    double time = (now() - start) / launches;
    if (time < best) best = time;
  }
  check(find("cuCtxSynchronize")(), "cuCtxSynchronize");
  printf("%.9f\n", best);
}
