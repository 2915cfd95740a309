// Products of matrices by cublasGemmStridedBatchedEx. A matrix in rows is cuBLAS's transposed one, so that it computes
// out.T = b.T @ a.T.
#include "product.h"
#include "graph.h"
#include "library_handles.h"

#include <string.h>

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
} types[] = {{2, 68, false}, {14, 68, false}, {0, 68, false}, {1, 70, true}, {4, 68, false}, {5, 70, true}};

// The product of all of |count| matrices as the library's function takes it.
typedef struct product {
  pa_product_type type;
  int64_t count;
  const pa_matrices *out, *a, *b;
  placed first, second, result;
} product;

static pa_library_result multiply(const pa_library_handle *handle, gemm *function, const product *p) {
  static const float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
  static const double one_d[2] = {1, 0}, zero_d[2] = {0, 0};
  enum { DEFAULT_ALGORITHM = -1 };
  bool is_double = types[p->type].is_double;
  const void *one = is_double ? (const void *)one_d : one_f, *zero = is_double ? (const void *)zero_d : zero_f;
  int number = types[p->type].type;
  return function(handle->handle, p->first.operation, p->second.operation, (int)p->out->columns, (int)p->out->rows,
                  (int)p->a->columns, one, (const void *)(uintptr_t)p->b->data, number, (int)p->first.leading,
                  p->b->apart, (const void *)(uintptr_t)p->a->data, number, (int)p->second.leading, p->a->apart, zero,
                  (void *)(uintptr_t)p->out->data, number, (int)p->result.leading, p->out->apart, (int)p->count,
                  types[p->type].compute, DEFAULT_ALGORITHM);
}

// Into the graph that this thread captures. The handle is in the default stream again afterwards, which takes its
// working memory back too. What fails ends the capture.
static pa_library_result multiply_in_graph(const pa_library_handle *handle, gemm *function, const product *p,
                                           bool *out_done) {
  CUstream stream;
  CUdeviceptr memory;
  size_t bytes;
  *out_done = pa_cuda_graph_for_library(&stream, &memory, &bytes);
  if (!*out_done) return 0;
  pa_library_result result = pa_cublas.SetStream(handle->handle, stream);
  if (!result) result = pa_cublas.SetWorkspace(handle->handle, (void *)(uintptr_t)memory, bytes);
  if (!result) result = multiply(handle, function, p);
  pa_library_result back = pa_cublas.SetStream(handle->handle, NULL);
  return result ? result : back;
}

pa_status pa_cuda_product(pa_cuda_context *context, pa_product_type type, int64_t count, const pa_matrices *out,
                          const pa_matrices *a, const pa_matrices *b, bool *out_done) {
  product p = {.type = type, .count = count, .out = out, .a = a, .b = b};
  pa_library_handle *handle = NULL;
  *out_done = false;
  if (!count || count > INT32_MAX || !out->rows || !out->columns || !a->columns) return PA_OK;
  if (!place(b, &p.first) || !place(a, &p.second) || !place(out, &p.result)) return PA_OK;
  if (p.result.operation || a->apart < 0 || b->apart < 0) return PA_OK;
  void *address = pa_library_function(PA_LIBRARY_cublas, "cublasGemmStridedBatchedEx");
  if (!address) return PA_OK;
  PA_TRY(pa_library_handle_of(PA_LIBRARY_cublas, context, &handle));
  if (!handle) return PA_OK;
  gemm *function;
  memcpy(&function, &address, sizeof function);
  CUcontext previous;
  PA_TRY(pa_cuda_enter(context, &previous));
  pthread_mutex_lock(&handle->lock);
  bool captured = pa_cuda_graph_is_capturing();
  pa_library_result status =
      captured ? multiply_in_graph(handle, function, &p, out_done) : multiply(handle, function, &p);
  pthread_mutex_unlock(&handle->lock);
  pa_cuda_leave(context, previous);
  PA_TRY_LIBRARY(cublas, status, "the product of matrices %lld x %lld and %lld x %lld", (long long)a->rows,
                 (long long)a->columns, (long long)b->rows, (long long)b->columns);
  *out_done = *out_done || !captured;
  return PA_OK;
}
