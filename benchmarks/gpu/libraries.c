// Seconds for calls of cuFFT, cuBLAS and cuRAND from C, without their headers, a line each:
//   libraries <libcudart> <libcufft> <libcublas> <libcurand> <points> <elements of vectors> <rows of a matrix>
// Lines: a planned transform of |points| enqueued; one of points^2 done; saxpy enqueued on 16 elements; saxpy done;
// gemm done; uniform numbers enqueued, 16 of them; done, by XORWOW and by Philox; normal ones done, by XORWOW.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int (*function)();

static void *libraries[4];

static function find(int library, const char *name) {
  function found = (function)dlsym(libraries[library], name);
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

static void synchronize(void) { check(find(0, "cudaDeviceSynchronize")(), "cudaDeviceSynchronize"); }

static void *allocate(size_t bytes) {
  void *memory;
  check(((int (*)(void **, size_t))find(0, "cudaMalloc"))(&memory, bytes), "cudaMalloc");
  check(((int (*)(void *, int, size_t))find(0, "cudaMemset"))(memory, 0, bytes), "cudaMemset");
  return memory;
}

static int plan;
static void *handle, *xorwow, *philox, *x, *y, *z;
static int points, elements, rows;
static const float one = 1, zero = 0;
static int (*transform)(int, void *, void *, int);
static int (*saxpy)(void *, int, const float *, const void *, int, void *, int);
static int (*gemm)(void *, int, int, int, int, int, const float *, const void *, int, const void *, int, const float *,
                   void *, int);

static int (*uniform)(void *, float *, size_t);
static int (*normal)(void *, float *, size_t, float, float);

static void run_transform(void) { check(transform(plan, x, y, -1), "cufftExecC2C"); }
static void run_small_saxpy(void) { check(saxpy(handle, 16, &one, x, 1, y, 1), "cublasSaxpy"); }
static void run_saxpy(void) { check(saxpy(handle, elements, &one, x, 1, y, 1), "cublasSaxpy"); }
static void run_gemm(void) {
  check(gemm(handle, 0, 0, rows, rows, rows, &one, x, rows, y, rows, &zero, z, rows), "cublasSgemm");
}
static void run_small_uniform(void) { check(uniform(xorwow, x, 16), "curandGenerateUniform"); }
static void run_uniform(void) { check(uniform(xorwow, x, (size_t)elements), "curandGenerateUniform"); }
static void run_philox(void) { check(uniform(philox, x, (size_t)elements), "curandGenerateUniform"); }
static void run_normal(void) { check(normal(xorwow, x, (size_t)elements, 0, 1), "curandGenerateNormal"); }

// Of one call: as it is enqueued, or until all are done.
static void measure(void (*call)(void), int calls, int until_done) {
  double best = 1e9;
  for (int i = 0; i < 20; ++i) call();
  for (int round = 0; round < 20; ++round) {
    synchronize();
    double start = now();
    for (int i = 0; i < calls; ++i) call();
    if (until_done) synchronize();
    double time = (now() - start) / calls;
    if (time < best) best = time;
  }
  synchronize();
  printf("%.9f\n", best);
}

static void make_plan(int rank) {
  int (*plan_many)(int *, int, int *, int *, int, int, int *, int, int, int, int) =
      (int (*)(int *, int, int *, int *, int, int, int *, int, int, int, int))find(1, "cufftPlanMany");
  int shape[] = {points, points};
  check(plan_many(&plan, rank, shape, NULL, 1, 0, NULL, 1, 0, 0x29, 1), "cufftPlanMany");
}

static void *make_generator(int type) {
  void *generator;
  check(((int (*)(void **, int))find(3, "curandCreateGenerator"))(&generator, type), "curandCreateGenerator");
  check(((int (*)(void *, unsigned long long))find(3, "curandSetPseudoRandomGeneratorSeed"))(generator, 1),
        "setting a seed");
  return generator;
}

int main(int count, char **arguments) {
  if (count < 8) return 1;
  for (int i = 0; i < 4; ++i)
    if (!(libraries[i] = dlopen(arguments[i + 1], RTLD_NOW | RTLD_GLOBAL)))
      exit((fprintf(stderr, "%s\n", dlerror()), 1));
  points = atoi(arguments[5]), elements = atoi(arguments[6]), rows = atoi(arguments[7]);
  size_t most = (size_t)points * (size_t)points * 8, of_saxpy = (size_t)elements * 4,
         of_gemm = (size_t)rows * (size_t)rows * 4;
  if (of_saxpy > most) most = of_saxpy;
  if (of_gemm > most) most = of_gemm;
  x = allocate(most), y = allocate(most), z = allocate(of_gemm);
  transform = (int (*)(int, void *, void *, int))find(1, "cufftExecC2C");
  saxpy = (int (*)(void *, int, const float *, const void *, int, void *, int))find(2, "cublasSaxpy_v2");
  gemm = (int (*)(void *, int, int, int, int, int, const float *, const void *, int, const void *, int, const float *,
                  void *, int))find(2, "cublasSgemm_v2");
  check(((int (*)(void **))find(2, "cublasCreate_v2"))(&handle), "cublasCreate");
  make_plan(1);
  measure(run_transform, 500, 0);
  make_plan(2);
  measure(run_transform, 20, 1);
  measure(run_small_saxpy, 500, 0);
  measure(run_saxpy, 20, 1);
  measure(run_gemm, 10, 1);
  uniform = (int (*)(void *, float *, size_t))find(3, "curandGenerateUniform");
  normal = (int (*)(void *, float *, size_t, float, float))find(3, "curandGenerateNormal");
  xorwow = make_generator(101), philox = make_generator(161);
  measure(run_small_uniform, 500, 0);
  measure(run_uniform, 20, 1);
  measure(run_philox, 20, 1);
  measure(run_normal, 20, 1);
}
