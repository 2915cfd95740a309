// Each step is a size of working memory and a call for each matrix; many small ones are one call where there is such.
#include "solver.h"
#include "buffer.h"
#include "graph.h"
#include "library_handles.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

typedef struct task {
  pa_cuda_context *context;
  pa_library_handle *handle;
  int flag;
  bool is_complex;
  const pa_solver_array *arrays;
  pa_cuda_buffer work;
  int work_count;
} task;

//===-- Arguments ---------------------------------------------------------------------------------===//

static int rows(const task *t, int array) { return (int)t->arrays[array].rows; }
static int columns(const task *t, int array) { return (int)t->arrays[array].columns; }

static size_t number_bytes(const task *t) { return t->is_complex ? 16 : 8; }

// Of matrix |i| of an array of |bytes| a number; of the only one where there is one.
static void *at(const task *t, int array, size_t bytes, int64_t i) {
  const pa_solver_array *a = &t->arrays[array];
  size_t apart = a->count > 1 ? (size_t)(a->rows * a->columns) * bytes : 0;
  return (void *)(uintptr_t)(a->data + (size_t)i * apart);
}

static void *numbers(const task *t, int array, int64_t i) { return at(t, array, number_bytes(t), i); }
static void *reals(const task *t, int array, int64_t i) { return at(t, array, sizeof(double), i); }
static int *ints(const task *t, int array, int64_t i) { return at(t, array, sizeof(int), i); }
static int *info(const task *t, int array, int64_t i) {
  return (int *)(uintptr_t)(t->arrays[array].data + (size_t)i * sizeof(int));
}
static void *work(const task *t) { return (void *)(uintptr_t)t->work.device; }

//===-- Steps -------------------------------------------------------------------------------------===//

// The routine of the type.
#define CALL(t, name, ...)                                                                                             \
  ((t)->is_complex ? pa_cusolver.z##name((t)->handle->handle, __VA_ARGS__)                                             \
                   : pa_cusolver.d##name((t)->handle->handle, __VA_ARGS__))

static int lu_size(const task *t, int *out) {
  return CALL(t, getrf_size, rows(t, 0), columns(t, 0), numbers(t, 0, 0), rows(t, 0), out);
}
static int lu(const task *t, int64_t i) {
  return CALL(t, getrf, rows(t, 0), columns(t, 0), numbers(t, 0, i), rows(t, 0), work(t), ints(t, 1, i), info(t, 2, i));
}

static int solve(const task *t, int64_t i) {
  return CALL(t, getrs, 0, rows(t, 0), columns(t, 2), numbers(t, 0, i), rows(t, 0), ints(t, 1, i), numbers(t, 2, i),
              rows(t, 2), info(t, 3, i));
}

static int cholesky_size(const task *t, int *out) {
  return CALL(t, potrf_size, t->flag, rows(t, 0), numbers(t, 0, 0), rows(t, 0), out);
}
static int cholesky(const task *t, int64_t i) {
  return CALL(t, potrf, t->flag, rows(t, 0), numbers(t, 0, i), rows(t, 0), work(t), t->work_count, info(t, 1, i));
}

static int qr_size(const task *t, int *out) {
  return CALL(t, geqrf_size, rows(t, 0), columns(t, 0), numbers(t, 0, 0), rows(t, 0), out);
}
static int qr(const task *t, int64_t i) {
  return CALL(t, geqrf, rows(t, 0), columns(t, 0), numbers(t, 0, i), rows(t, 0), numbers(t, 1, i), work(t),
              t->work_count, info(t, 2, i));
}

static int make_q_size(const task *t, int *out) {
  return CALL(t, makeq_size, rows(t, 0), columns(t, 0), rows(t, 1), numbers(t, 0, 0), rows(t, 0), numbers(t, 1, 0),
              out);
}
static int make_q(const task *t, int64_t i) {
  return CALL(t, makeq, rows(t, 0), columns(t, 0), rows(t, 1), numbers(t, 0, i), rows(t, 0), numbers(t, 1, i), work(t),
              t->work_count, info(t, 2, i));
}

static int eigh_size(const task *t, int *out) {
  return CALL(t, eigh_size, t->flag >> 1, t->flag & 1, rows(t, 0), numbers(t, 0, 0), rows(t, 0), reals(t, 1, 0), out);
}
static int eigh(const task *t, int64_t i) {
  return CALL(t, eigh, t->flag >> 1, t->flag & 1, rows(t, 0), numbers(t, 0, i), rows(t, 0), reals(t, 1, i), work(t),
              t->work_count, info(t, 2, i));
}

static int svd_size(const task *t, int *out) { return CALL(t, gesvd_size, rows(t, 0), columns(t, 0), out); }
static int svd(const task *t, int64_t i) {
  static const char jobs[] = "NSA";
  signed char job = (signed char)jobs[t->flag];
  return CALL(t, gesvd, job, job, rows(t, 0), columns(t, 0), numbers(t, 0, i), rows(t, 0), reals(t, 1, i),
              numbers(t, 2, i), rows(t, 0), numbers(t, 3, i), columns(t, 0), work(t), t->work_count, NULL,
              info(t, 4, i));
}

static const struct {
  const char *name;
  int arrays, driven; // whose matrices are counted
  bool begins;        // no step comes before it
  int (*size)(const task *t, int *out_count);
  int (*run)(const task *t, int64_t i);
} steps[PA_SOLVER_STEPS] = {
    [PA_SOLVER_LU] = {"getrf", 3, 0, true, lu_size, lu},
    [PA_SOLVER_SOLVE] = {"getrs", 4, 2, false, NULL, solve},
    [PA_SOLVER_CHOLESKY] = {"potrf", 2, 0, true, cholesky_size, cholesky},
    [PA_SOLVER_QR] = {"geqrf", 3, 0, true, qr_size, qr},
    [PA_SOLVER_MAKE_Q] = {"orgqr", 3, 0, false, make_q_size, make_q},
    [PA_SOLVER_EIGH] = {"syevd", 3, 0, true, eigh_size, eigh},
    [PA_SOLVER_SVD] = {"gesvd", 5, 0, true, svd_size, svd},
};

int pa_solver_arrays(pa_solver_step step) { return steps[step].arrays; }

//===-- Many small ones ---------------------------------------------------------------------------===//

// From so many on, and up to that many rows, cuBLAS and cuSOLVER do them at once.
enum { FEWEST_TOGETHER = 4, MOST_ROWS_TOGETHER = 128 };

static bool are_together(const task *t, pa_solver_step step) {
  return (step == PA_SOLVER_LU || step == PA_SOLVER_SOLVE || step == PA_SOLVER_CHOLESKY) &&
         t->arrays[0].count >= FEWEST_TOGETHER && t->arrays[0].count <= INT32_MAX &&
         t->arrays[0].rows <= MOST_ROWS_TOGETHER;
}

// The addresses of the matrices of an array, on the device.
static pa_status list_matrices(const task *t, int array, pa_cuda_buffer *list) {
  int64_t count = t->arrays[0].count;
  size_t bytes = (size_t)count * sizeof(void *);
  void **addresses = malloc(bytes);
  if (!addresses) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  for (int64_t i = 0; i < count; ++i) addresses[i] = numbers(t, array, i);
  pa_status status = pa_cuda_allocate(t->context, PA_CUDA_DEVICE, PA_CUDA_IN_ORDER, bytes, list);
  if (!status) status = pa_cuda_copy_to_device(t->context, list->device, addresses, bytes, NULL, false);
  free(addresses);
  return status;
}

typedef int lu_together(void *handle, int n, void *list, int lda, int *pivots, int *infos, int count);
typedef int solve_together(void *handle, int transposed, int n, int sides, void *list, int lda, const int *pivots,
                           void *b_list, int ldb, int *info, int count);

// With cuBLAS open; its function called so is of the type.
static void *cublas_function(const task *t, const char *real, const char *complex) {
  return pa_library_function(PA_LIBRARY_cublas, t->is_complex ? complex : real);
}

static pa_status call_together(const task *t, pa_solver_step step, pa_library_handle *blas, void *list, void *b_list) {
  int count = (int)t->arrays[0].count, n = rows(t, 0), wrong = 0;
  if (step == PA_SOLVER_CHOLESKY) {
    PA_TRY_LIBRARY(cusolver, CALL(t, potrf_several, t->flag, n, list, n, info(t, 1, 0), count), "%d Cholesky factors",
                   count);
    return PA_OK;
  }
  void *address = step == PA_SOLVER_LU ? cublas_function(t, "cublasDgetrfBatched", "cublasZgetrfBatched")
                                       : cublas_function(t, "cublasDgetrsBatched", "cublasZgetrsBatched");
  lu_together *factor;
  solve_together *solves;
  if (!address) return pa_fail(PA_CODE_INVALID, NULL, "cuBLAS has no functions for several matrices: it is too old");
  memcpy(&factor, &address, sizeof factor);
  memcpy(&solves, &address, sizeof solves);
  int result = step == PA_SOLVER_LU
                   ? factor(blas->handle, n, list, n, ints(t, 1, 0), info(t, 2, 0), count)
                   : solves(blas->handle, 0, n, columns(t, 2), list, n, ints(t, 1, 0), b_list, n, &wrong, count);
  PA_TRY_LIBRARY(cublas, result, "%d LU factors", count);
  return PA_OK;
}

static pa_status run_together(const task *t, pa_solver_step step) {
  pa_cuda_buffer list = {0}, b_list = {0};
  pa_library_handle *blas = t->handle;
  pa_status status = PA_OK;
  if (step != PA_SOLVER_CHOLESKY) status = pa_library_handle_of(PA_LIBRARY_cublas, t->context, &blas);
  if (!status) status = list_matrices(t, 0, &list);
  if (!status && step == PA_SOLVER_SOLVE) status = list_matrices(t, 2, &b_list);
  CUcontext previous;
  if (!status) status = pa_cuda_enter(t->context, &previous);
  if (!status) {
    pthread_mutex_lock(&blas->lock);
    status = call_together(t, step, blas, (void *)(uintptr_t)list.device, (void *)(uintptr_t)b_list.device);
    pthread_mutex_unlock(&blas->lock);
    pa_cuda_leave(t->context, previous);
  }
  pa_cuda_free(&b_list); // in stream order
  pa_cuda_free(&list);
  return status;
}

//===-- Many Hermitian ones -----------------------------------------------------------------------===//

// Numbers of cudaDataType.
enum { REAL_64 = 1, COMPLEX_64 = 5 };

typedef int make_parameters(void **out_parameters);
typedef int eigh_together_size(void *handle, void *parameters, int vectors, int upper, int64_t n, int type, void *a,
                               int64_t lda, int value_type, void *w, int compute_type, size_t *out_device_bytes,
                               size_t *out_host_bytes, int64_t count);
typedef int eigh_together(void *handle, void *parameters, int vectors, int upper, int64_t n, int type, void *a,
                          int64_t lda, int value_type, void *w, int compute_type, void *device_work,
                          size_t device_bytes, void *host_work, size_t host_bytes, int *infos, int64_t count);

// Of cuSOLVER from CUDA 12.6 on.
static bool has_eigh_together(void) {
  return pa_library_function(PA_LIBRARY_cusolver, "cusolverDnXsyevBatched") != NULL;
}

static void *parameters; // without options; made once, under the handle's lock

static pa_status call_eigh_together(task *t, eigh_together_size *size, eigh_together *run) {
  int type = t->is_complex ? COMPLEX_64 : REAL_64;
  int64_t n = t->arrays[0].rows, count = t->arrays[0].count;
  size_t device_bytes = 0, host_bytes = 0;
  PA_TRY_LIBRARY(cusolver,
                 size(t->handle->handle, parameters, t->flag >> 1, t->flag & 1, n, type, numbers(t, 0, 0), n, REAL_64,
                      reals(t, 1, 0), type, &device_bytes, &host_bytes, count),
                 "asking for the working memory of syevBatched");
  PA_TRY(pa_cuda_allocate(t->context, PA_CUDA_DEVICE, PA_CUDA_IN_ORDER, device_bytes, &t->work));
  void *host = malloc(host_bytes + 1);
  if (!host) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  int result = run(t->handle->handle, parameters, t->flag >> 1, t->flag & 1, n, type, numbers(t, 0, 0), n, REAL_64,
                   reals(t, 1, 0), type, work(t), device_bytes, host, host_bytes, info(t, 2, 0), count);
  free(host);
  PA_TRY_LIBRARY(cusolver, result, "the eigenvalues of %lld matrices", (long long)count);
  return PA_OK;
}

// With the context current and the handle's lock.
static pa_status run_eigh_together(task *t) {
  static const char *const names[] = {"cusolverDnCreateParams", "cusolverDnXsyevBatched_bufferSize",
                                      "cusolverDnXsyevBatched"};
  void *addresses[3];
  make_parameters *make;
  eigh_together_size *size;
  eigh_together *run;
  for (int i = 0; i < 3; ++i) addresses[i] = pa_library_function(PA_LIBRARY_cusolver, names[i]);
  memcpy(&make, &addresses[0], sizeof make);
  memcpy(&size, &addresses[1], sizeof size);
  memcpy(&run, &addresses[2], sizeof run);
  if (!parameters) PA_TRY_LIBRARY(cusolver, make(&parameters), "making parameters of cuSOLVER");
  return call_eigh_together(t, size, run);
}

//===-- One after the other -----------------------------------------------------------------------===//

// With the context current and the handle's lock.
static pa_status run_each(task *t, pa_solver_step step) {
  if (steps[step].size) {
    PA_TRY_LIBRARY(cusolver, steps[step].size(t, &t->work_count), "asking for the working memory of %s",
                   steps[step].name);
    PA_TRY(pa_cuda_allocate(t->context, PA_CUDA_DEVICE, PA_CUDA_IN_ORDER, (size_t)t->work_count * number_bytes(t),
                            &t->work));
  }
  for (int64_t i = 0; i < t->arrays[steps[step].driven].count; ++i)
    PA_TRY_LIBRARY(cusolver, steps[step].run(t, i), "%s of a matrix of %d x %d", steps[step].name, rows(t, 0),
                   columns(t, 0));
  return PA_OK;
}

static pa_status run_in_turn(task *t, pa_solver_step step) {
  CUcontext previous;
  PA_TRY(pa_cuda_enter(t->context, &previous));
  pthread_mutex_lock(&t->handle->lock);
  bool together = step == PA_SOLVER_EIGH && t->arrays[0].count > 1 && has_eigh_together();
  pa_status status = together ? run_eigh_together(t) : run_each(t, step);
  pthread_mutex_unlock(&t->handle->lock);
  pa_cuda_leave(t->context, previous);
  pa_cuda_free(&t->work);
  return status;
}

//===-- Which -------------------------------------------------------------------------------------===//

// Less than so many multiplications are the host's, and so are matrices of fewer rows that would go one after the
// other.
enum { FEWEST_PRODUCTS = 1 << 15, FEWEST_ROWS = 64 };

static bool is_wanted(const task *t, pa_solver_step step) {
  const pa_solver_array *a = &t->arrays[0];
  int64_t products;
  if (!steps[step].begins) return true;
  if (a->rows > INT32_MAX || a->columns > INT32_MAX || !a->rows || !a->columns) return false;
  bool in_turn = a->count > 1 && !are_together(t, step) && !(step == PA_SOLVER_EIGH && has_eigh_together());
  if (in_turn && a->columns < FEWEST_ROWS) return false;
  if (__builtin_mul_overflow(a->rows * a->columns, a->columns, &products)) return true;
  return products >= FEWEST_PRODUCTS / (a->count ? a->count : 1) && a->count > 0;
}

pa_status pa_cuda_solve(pa_cuda_context *context, pa_solver_step step, int flag, bool is_complex,
                        const pa_solver_array *arrays, bool *out_done) {
  task t = {.context = context, .flag = flag, .is_complex = is_complex, .arrays = arrays};
  *out_done = false;
  if (pa_cuda_graph_is_capturing() || !is_wanted(&t, step)) return PA_OK;
  PA_TRY(pa_library_handle_of(PA_LIBRARY_cusolver, context, &t.handle));
  if (!t.handle) return PA_OK;
  PA_TRY(are_together(&t, step) ? run_together(&t, step) : run_in_turn(&t, step));
  *out_done = true;
  return PA_OK;
}
