// Stands in for cuBLAS (fake_library.h): handles, and one routine of each kind of signature that calls are made with.
#include "fake_library.h"

#include <stdbool.h>

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result symbol parameters;
#include "../../lib/runtime/cuda/cublas.def"
#undef PA_LIBRARY_CALL

EXPORT int cublasSaxpy_v2(void *handle, int n, const float *alpha, const float *x, int x_step, float *y, int y_step);
EXPORT int cublasSdot_v2(void *handle, int n, const float *x, int x_step, const float *y, int y_step, float *out);
EXPORT int cublasSnrm2_v2(void *handle, int n, const float *x, int step, float *out);
EXPORT int cublasIsamax_v2(void *handle, int n, const float *x, int step, int *out);
EXPORT int cublasDgemm_v2(void *handle, int transa, int transb, int m, int n, int k, const double *alpha,
                          const double *a, int lda, const double *b, int ldb, const double *beta, double *c, int ldc);
EXPORT int cublasDgemmStridedBatched(void *handle, int transa, int transb, int m, int n, int k, const double *alpha,
                                     const double *a, int lda, long long a_step, const double *b, int ldb,
                                     long long b_step, const double *beta, double *c, int ldc, long long c_step,
                                     int batch);

enum { INVALID_VALUE = 7, NOT_INITIALIZED = 1 };

typedef struct handle {
  CUstream stream;
} handle;

EXPORT int cublasCreate_v2(void **out_handle) {
  FAIL("cublasCreate_v2");
  *out_handle = calloc(1, sizeof(handle));
  return *out_handle ? 0 : 3;
}

EXPORT int cublasDestroy_v2(void *self) {
  free(self);
  return 0;
}

EXPORT int cublasSetStream_v2(void *self, CUstream stream) {
  FAIL("cublasSetStream_v2");
  ((handle *)self)->stream = stream;
  return 0;
}

EXPORT int cublasGetVersion_v2(void *self, int *version) { return *version = 120000, self ? 0 : NOT_INITIALIZED; }

EXPORT int cublasSaxpy_v2(void *self, int n, const float *alpha, const float *x, int x_step, float *y, int y_step) {
  if (!self) return NOT_INITIALIZED;
  for (int i = 0; i < n; ++i) y[i * y_step] += *alpha * x[i * x_step];
  return 0;
}

EXPORT int cublasSdot_v2(void *self, int n, const float *x, int x_step, const float *y, int y_step, float *out) {
  if (!self) return NOT_INITIALIZED;
  *out = 0;
  for (int i = 0; i < n; ++i) *out += x[i * x_step] * y[i * y_step];
  return 0;
}

EXPORT int cublasSnrm2_v2(void *self, int n, const float *x, int step, float *out) {
  FAIL("cublasSnrm2_v2");
  (void)x, (void)step;
  *out = (float)n;
  return self ? 0 : NOT_INITIALIZED;
}

EXPORT int cublasIsamax_v2(void *self, int n, const float *x, int step, int *out) {
  *out = n > 0;
  for (int i = 1; i < n; ++i) {
    float best = x[(*out - 1) * step], now = x[i * step];
    if ((now < 0 ? -now : now) > (best < 0 ? -best : best)) *out = i + 1;
  }
  return self ? 0 : NOT_INITIALIZED;
}

static bool is_leading(int trans, int rows, int columns, int leading) {
  return leading >= (trans ? columns : rows) && leading > 0;
}

EXPORT int cublasDgemm_v2(void *self, int transa, int transb, int m, int n, int k, const double *alpha, const double *a,
                          int lda, const double *b, int ldb, const double *beta, double *c, int ldc) {
  if (!self) return NOT_INITIALIZED;
  if (!is_leading(transa, m, k, lda) || !is_leading(transb, k, n, ldb) || !is_leading(0, m, n, ldc))
    return INVALID_VALUE;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0, *out = &c[j * ldc + i];
      for (int l = 0; l < k; ++l)
        sum += (transa ? a[i * lda + l] : a[l * lda + i]) * (transb ? b[l * ldb + j] : b[j * ldb + l]);
      *out = *alpha * sum + (*beta == 0 ? 0 : *beta * *out);
    }
  return 0;
}

EXPORT int cublasDgemmStridedBatched(void *self, int transa, int transb, int m, int n, int k, const double *alpha,
                                     const double *a, int lda, long long a_step, const double *b, int ldb,
                                     long long b_step, const double *beta, double *c, int ldc, long long c_step,
                                     int batch) {
  for (int i = 0; i < batch; ++i) {
    int result = cublasDgemm_v2(self, transa, transb, m, n, k, alpha, a + i * a_step, lda, b + i * b_step, ldb, beta,
                                c + i * c_step, ldc);
    if (result) return result;
  }
  return 0;
}
