// Stands in for cuBLAS (fake_library.h): handles, and all routines, which are Python's (test/python/fake_blas.py).
#include "fake_library.h"

#include <stdint.h>

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result symbol parameters;
#include "../../lib/runtime/cuda/cublas.def"
#undef PA_LIBRARY_CALL

enum { NOT_INITIALIZED = 1, ALLOC_FAILED = 3, NOT_SUPPORTED = 15, MOST_VALUES = 17 };

// Does what |symbol|, the routine |name| for the dtype |letter|, does; |values| are its arguments behind the handle, of
// ints the lower half.
typedef int routine(const char *name, char letter, CUstream stream, const uint64_t *values);

EXPORT void fake_blas_set(routine *function);

static routine *set;

EXPORT void fake_blas_set(routine *function) { set = function; }

typedef struct handle {
  CUstream stream;
} handle;

EXPORT int cublasCreate_v2(void **out_handle) {
  FAIL("cublasCreate_v2");
  *out_handle = calloc(1, sizeof(handle));
  return *out_handle ? 0 : ALLOC_FAILED;
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

EXPORT int cublasSetWorkspace_v2(void *self, void *memory, size_t bytes) {
  (void)bytes;
  FAIL("cublasSetWorkspace_v2");
  return self && memory ? 0 : NOT_INITIALIZED;
}

EXPORT int cublasGetVersion_v2(void *self, int *version) { return *version = 120000, self ? 0 : NOT_INITIALIZED; }

static int call(const char *symbol, const char *name, char letter, const handle *self, const uint64_t *values) {
  FAIL(symbol);
  if (!self) return NOT_INITIALIZED;
  return set ? set(name, letter, self->stream, values) : NOT_SUPPORTED;
}

EXPORT int cublasGemmStridedBatchedEx(handle *self, int a_operation, int b_operation, int m, int n, int k,
                                      const void *alpha, uint64_t a, int a_type, int a_leading, long long a_apart,
                                      uint64_t b, int b_type, int b_leading, long long b_apart, const void *beta,
                                      uint64_t c, int c_type, int c_leading, long long c_apart, int count, int compute,
                                      int algorithm);
// The routine of the dtype that all have.
int cublasGemmStridedBatchedEx(handle *self, int a_operation, int b_operation, int m, int n, int k, const void *alpha,
                               uint64_t a, int a_type, int a_leading, long long a_apart, uint64_t b, int b_type,
                               int b_leading, long long b_apart, const void *beta, uint64_t c, int c_type,
                               int c_leading, long long c_apart, int count, int compute, int algorithm) {
  static const char letters[] = "sdh?cz????????b"; // by cudaDataType
  if (a_type != b_type || a_type != c_type || a_type < 0 || a_type > 14 || algorithm != -1) return NOT_SUPPORTED;
  char letter = letters[a_type];
  if (compute != (letter == 'd' || letter == 'z' ? 70 : 68)) return NOT_SUPPORTED;
  uint64_t values[MOST_VALUES] = {(uint64_t)a_operation,
                                  (uint64_t)b_operation,
                                  (uint64_t)m,
                                  (uint64_t)n,
                                  (uint64_t)k,
                                  (uint64_t)(uintptr_t)alpha,
                                  a,
                                  (uint64_t)a_leading,
                                  (uint64_t)a_apart,
                                  b,
                                  (uint64_t)b_leading,
                                  (uint64_t)b_apart,
                                  (uint64_t)(uintptr_t)beta,
                                  c,
                                  (uint64_t)c_leading,
                                  (uint64_t)c_apart,
                                  (uint64_t)count};
  return call("cublasGemmStridedBatchedEx", "gemmStridedBatched", letter, self, values);
}

// Integers and pointers are passed alike, and more of them than there are do no harm.
#define ROUTINE(symbol, name, letter)                                                                                  \
  EXPORT int symbol(handle *self, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,  \
                    uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n, uint64_t o,    \
                    uint64_t p, uint64_t q);                                                                           \
  int symbol(handle *self, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,         \
             uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n, uint64_t o,           \
             uint64_t p, uint64_t q) {                                                                                 \
    uint64_t values[MOST_VALUES] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q};                                \
    return call(#symbol, name, letter, self, values);                                                                  \
  }
#define REAL(name)                                                                                                     \
  ROUTINE(cublasS##name##_v2, #name, 's')                                                                              \
  ROUTINE(cublasD##name##_v2, #name, 'd')
#define COMPLEX(name)                                                                                                  \
  ROUTINE(cublasC##name##_v2, #name, 'c')                                                                              \
  ROUTINE(cublasZ##name##_v2, #name, 'z')
#define BOTH(name) REAL(name) COMPLEX(name)
#define NORM(name)                                                                                                     \
  REAL(name)                                                                                                           \
  ROUTINE(cublasSc##name##_v2, #name, 'c')                                                                             \
  ROUTINE(cublasDz##name##_v2, #name, 'z')
#define INDEX(name)                                                                                                    \
  ROUTINE(cublasIs##name##_v2, #name, 's')                                                                             \
  ROUTINE(cublasId##name##_v2, #name, 'd')                                                                             \
  ROUTINE(cublasIc##name##_v2, #name, 'c')                                                                             \
  ROUTINE(cublasIz##name##_v2, #name, 'z')
#define EXTENSION(name)                                                                                                \
  ROUTINE(cublasS##name, #name, 's')                                                                                   \
  ROUTINE(cublasD##name, #name, 'd')                                                                                   \
  ROUTINE(cublasC##name, #name, 'c')                                                                                   \
  ROUTINE(cublasZ##name, #name, 'z')

INDEX(amax)
INDEX(amin)
NORM(asum)
NORM(nrm2)
BOTH(axpy)
BOTH(copy)
BOTH(scal)
BOTH(swap)
BOTH(rot)
REAL(dot)
COMPLEX(dotu)
COMPLEX(dotc)
REAL(rotm)
BOTH(gemv)
BOTH(gbmv)
REAL(ger)
COMPLEX(geru)
COMPLEX(gerc)
REAL(sbmv)
COMPLEX(hbmv)
REAL(spmv)
COMPLEX(hpmv)
REAL(spr)
COMPLEX(hpr)
REAL(spr2)
COMPLEX(hpr2)
BOTH(symv)
COMPLEX(hemv)
BOTH(syr)
COMPLEX(her)
BOTH(syr2)
COMPLEX(her2)
BOTH(tbmv)
BOTH(tbsv)
BOTH(tpmv)
BOTH(tpsv)
BOTH(trmv)
BOTH(trsv)
BOTH(gemm)
BOTH(symm)
COMPLEX(hemm)
BOTH(syrk)
COMPLEX(herk)
BOTH(syr2k)
COMPLEX(her2k)
BOTH(trmm)
BOTH(trsm)
EXTENSION(dgmm)
EXTENSION(geam)
EXTENSION(gemmStridedBatched)
EXTENSION(getrfBatched)
EXTENSION(getrsBatched)
