// Products of matrices by cublasGemmStridedBatchedEx. A matrix in rows is cuBLAS's transposed one, so that it computes
// out.T = b.T @ a.T.
#include "product.h"
#include "blas.h"
#include "graph.h"
#include "libraries.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

//===-- Handles -----------------------------------------------------------------------------------===//

enum { MOST_DEVICES = 64 };

static struct {
  pthread_mutex_t lock;
  pa_cuda_blas *handles[MOST_DEVICES]; // by the device's number; never freed, since a call may be using one
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pa_status find_handle(pa_cuda_context *context, pa_cuda_blas **out_handle) {
  int ordinal = context->device->ordinal;
  pa_cuda_blas *handle = NULL;
  pa_status status = PA_OK;
  *out_handle = NULL;
  if (ordinal >= MOST_DEVICES) return PA_OK;
  pthread_mutex_lock(&kept.lock);
  handle = kept.handles[ordinal];
  if (handle && (handle->resource.context != context || handle->resource.generation != context->generation))
    handle = NULL; // a reset has taken it
  if (!handle) {
    handle = calloc(1, sizeof *handle);
    status = handle ? pa_cuda_blas_create(context, NULL, handle) : pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
    if (status)
      free(handle);
    else
      kept.handles[ordinal] = handle;
  }
  pthread_mutex_unlock(&kept.lock);
  if (!status) *out_handle = handle;
  return status;
}

//===-- How matrices lie ----------------------------------------------------------------------------===//

typedef struct placed {
  int operation;   // cuBLAS's: 0 as it is, 1 transposed
  int64_t leading; // distance of lines
} placed;

// |m|, transposed, as cuBLAS sees it.
static bool place(const pa_matrices *m, placed *out) {
  bool in_rows = (m->column_step == 1 || m->columns == 1) && (m->row_step >= m->columns || m->rows == 1);
  bool in_columns = (m->row_step == 1 || m->rows == 1) && (m->column_step >= m->rows || m->columns == 1);
  if (in_rows)
    *out = (placed){0, m->rows == 1 ? m->columns : m->row_step};
  else if (in_columns)
    *out = (placed){1, m->columns == 1 ? m->rows : m->column_step};
  return (in_rows || in_columns) && out->leading <= INT32_MAX && m->rows <= INT32_MAX && m->columns <= INT32_MAX;
}

//===-- The call ------------------------------------------------------------------------------------===//

typedef int gemm(void *handle, int a_operation, int b_operation, int m, int n, int k, const void *alpha, const void *a,
                 int a_type, int a_leading, long long a_apart, const void *b, int b_type, int b_leading,
                 long long b_apart, const void *beta, void *c, int c_type, int c_leading, long long c_apart, int count,
                 int compute, int algorithm);

// By pa_product_type: numbers of cudaDataType and cublasComputeType_t.
static const struct {
  int type, compute;
  bool is_double;
} types[] = {{2, 68, false}, {0, 68, false}, {1, 70, true}, {4, 68, false}, {5, 70, true}};

pa_status pa_cuda_product(pa_cuda_context *context, pa_product_type type, int64_t count, const pa_matrices *out,
                          const pa_matrices *a, const pa_matrices *b, bool *out_done) {
  static const float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
  static const double one_d[2] = {1, 0}, zero_d[2] = {0, 0};
  enum { DEFAULT_ALGORITHM = -1 };
  placed first, second, result;
  pa_cuda_blas *handle = NULL;
  *out_done = false;
  if (pa_cuda_graph_is_capturing()) return PA_OK; // the library enqueues in the default stream
  if (!count || count > INT32_MAX || !out->rows || !out->columns || !a->columns) return PA_OK;
  if (!place(b, &first) || !place(a, &second) || !place(out, &result)) return PA_OK;
  if (result.operation || a->apart < 0 || b->apart < 0) return PA_OK;
  void *address = pa_library_function(PA_LIBRARY_cublas, "cublasGemmStridedBatchedEx");
  if (!address) return PA_OK;
  PA_TRY(find_handle(context, &handle));
  if (!handle) return PA_OK;
  gemm *function;
  memcpy(&function, &address, sizeof function);
  bool is_double = types[type].is_double;
  const void *one = is_double ? (const void *)one_d : one_f, *zero = is_double ? (const void *)zero_d : zero_f;
  int number = types[type].type;
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pthread_mutex_lock(&handle->lock);
  pa_library_result status = function(
      handle->handle, first.operation, second.operation, (int)out->columns, (int)out->rows, (int)a->columns, one,
      (const void *)(uintptr_t)b->data, number, (int)first.leading, b->apart, (const void *)(uintptr_t)a->data, number,
      (int)second.leading, a->apart, zero, (void *)(uintptr_t)out->data, number, (int)result.leading, out->apart,
      (int)count, types[type].compute, DEFAULT_ALGORITHM);
  pthread_mutex_unlock(&handle->lock);
  pa_cuda_leave(context, previous);
  PA_TRY_LIBRARY(cublas, status, "the product of matrices %lld x %lld and %lld x %lld", (long long)a->rows,
                 (long long)a->columns, (long long)b->rows, (long long)b->columns);
  *out_done = true;
  return PA_OK;
}
