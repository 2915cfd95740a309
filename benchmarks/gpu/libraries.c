// Calls of cuFFT, cuBLAS and cuRAND from C, without their headers: a library that libraries.py opens, so that both
// sides are measured in one process, in turns.
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

static int (*synchronize)(void);

static void *allocate(size_t bytes) {
  void *memory;
  check(((int (*)(void **, size_t))find(0, "cudaMalloc"))(&memory, bytes), "cudaMalloc");
  check(((int (*)(void *, int, size_t))find(0, "cudaMemset"))(memory, 0, bytes), "cudaMemset");
  return memory;
}

static int plan, plan_2d;
static void *handle, *xorwow, *philox, *x, *y, *z;
static int elements, rows;
static const float one = 1, zero = 0;
static int (*transform)(int, void *, void *, int);
static int (*saxpy)(void *, int, const float *, const void *, int, void *, int);
static int (*sdot)(void *, int, const void *, int, const void *, int, float *);
static int (*sgemv)(void *, int, int, int, const float *, const void *, int, const void *, int, const float *, void *,
                    int);
static int (*sgemm)(void *, int, int, int, int, int, const float *, const void *, int, const void *, int, const float *,
                    void *, int);
static int (*uniform)(void *, float *, size_t);
static int (*normal)(void *, float *, size_t, float, float);

//===-- Calls -------------------------------------------------------------------------------------===//

static void run_transform(void) { check(transform(plan, x, y, -1), "cufftExecC2C"); }
static void run_transform_2d(void) { check(transform(plan_2d, x, y, -1), "cufftExecC2C"); }
static void run_small_saxpy(void) { check(saxpy(handle, 16, &one, x, 1, y, 1), "cublasSaxpy"); }
static void run_saxpy(void) { check(saxpy(handle, elements, &one, x, 1, y, 1), "cublasSaxpy"); }
static void run_small_dot(void) {
  float sum;
  check(sdot(handle, 16, x, 1, y, 1, &sum), "cublasSdot");
}
static void run_small_gemv(void) { check(sgemv(handle, 0, 16, 16, &one, x, 16, y, 1, &zero, z, 1), "cublasSgemv"); }
static void run_small_gemm(void) {
  check(sgemm(handle, 0, 0, 16, 16, 16, &one, x, 16, y, 16, &zero, z, 16), "cublasSgemm");
}
static void run_chain(void) { run_small_saxpy(), run_small_dot(), run_small_gemv(), run_small_gemm(); }
static void run_gemm(void) {
  check(sgemm(handle, 0, 0, rows, rows, rows, &one, x, rows, y, rows, &zero, z, rows), "cublasSgemm");
}
static void run_small_uniform(void) { check(uniform(xorwow, x, 16), "curandGenerateUniform"); }
static void run_uniform(void) { check(uniform(xorwow, x, (size_t)elements), "curandGenerateUniform"); }
static void run_philox(void) { check(uniform(philox, x, (size_t)elements), "curandGenerateUniform"); }
static void run_normal(void) { check(normal(xorwow, x, (size_t)elements, 0, 1), "curandGenerateNormal"); }

// In the order of CALLS in libraries.py.
static void (*const calls[])(void) = {
    run_transform,    run_small_saxpy, run_small_gemv, run_small_gemm, run_small_uniform, run_small_dot, run_chain,
    run_transform_2d, run_saxpy,       run_gemm,       run_uniform,    run_philox,        run_normal};

// Seconds of one of |count| calls: as they are enqueued, or until all are done.
double measure(int call, int count, int until_done) {
  synchronize();
  double start = now();
  for (int i = 0; i < count; ++i) calls[call]();
  if (until_done) synchronize();
  double seconds = (now() - start) / count;
  check(synchronize(), "cudaDeviceSynchronize");
  return seconds;
}

//===-- Preparation -------------------------------------------------------------------------------===//

static int make_plan(int rank, int points) {
  int (*plan_many)(int *, int, int *, int *, int, int, int *, int, int, int, int) =
      (int (*)(int *, int, int *, int *, int, int, int *, int, int, int, int))find(1, "cufftPlanMany");
  int made, shape[] = {points, points};
  check(plan_many(&made, rank, shape, NULL, 1, 0, NULL, 1, 0, 0x29, 1), "cufftPlanMany");
  return made;
}

static void *make_generator(int type) {
  void *generator;
  check(((int (*)(void **, int))find(3, "curandCreateGenerator"))(&generator, type), "curandCreateGenerator");
  check(((int (*)(void *, unsigned long long))find(3, "curandSetPseudoRandomGeneratorSeed"))(generator, 1),
        "setting a seed");
  return generator;
}

static void find_functions(void) {
  synchronize = (int (*)(void))find(0, "cudaDeviceSynchronize");
  transform = (int (*)(int, void *, void *, int))find(1, "cufftExecC2C");
  saxpy = (int (*)(void *, int, const float *, const void *, int, void *, int))find(2, "cublasSaxpy_v2");
  sdot = (int (*)(void *, int, const void *, int, const void *, int, float *))find(2, "cublasSdot_v2");
  sgemv = (int (*)(void *, int, int, int, const float *, const void *, int, const void *, int, const float *, void *,
                   int))find(2, "cublasSgemv_v2");
  sgemm = (int (*)(void *, int, int, int, int, int, const float *, const void *, int, const void *, int, const float *,
                   void *, int))find(2, "cublasSgemm_v2");
  uniform = (int (*)(void *, float *, size_t))find(3, "curandGenerateUniform");
  normal = (int (*)(void *, float *, size_t, float, float))find(3, "curandGenerateNormal");
}

// |paths|: of libcudart, libcufft, libcublas and libcurand. Transforms are of |points| and of points^2, vectors of
// |vector| elements, the product of matrices of |matrix| rows.
void prepare(const char *const *paths, int points, int vector, int matrix) {
  for (int i = 0; i < 4; ++i)
    if (!(libraries[i] = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL))) exit((fprintf(stderr, "%s\n", dlerror()), 1));
  elements = vector, rows = matrix;
  size_t most = (size_t)points * (size_t)points * 8, of_saxpy = (size_t)elements * 4,
         of_gemm = (size_t)rows * (size_t)rows * 4;
  if (of_saxpy > most) most = of_saxpy;
  if (of_gemm > most) most = of_gemm;
  x = allocate(most), y = allocate(most), z = allocate(of_gemm);
  find_functions();
  check(((int (*)(void **))find(2, "cublasCreate_v2"))(&handle), "cublasCreate");
  plan = make_plan(1, points), plan_2d = make_plan(2, points);
  xorwow = make_generator(101), philox = make_generator(161);
}
