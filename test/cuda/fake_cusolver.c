// Stands in for cuSOLVER (fake_library.h): handles, and all routines, which are Python's (test/python/fake_solver.py).
#include "fake_library.h"

#include <stdint.h>

// Arguments are ints and addresses, which are passed alike, and more of them than there are do no harm.
EXPORT int cusolverDnCreate(void **out_handle);
EXPORT int cusolverDnCreateParams(void **out_parameters);
EXPORT int cusolverDnDestroy(void *self);
EXPORT int cusolverDnSetStream(void *self, CUstream stream);

enum { NOT_INITIALIZED = 1, NOT_SUPPORTED = 9, MOST_VALUES = 17 };

// Does what the routine |name| for the dtype |letter| does; |values| are its arguments behind the handle, of ints the
// lower half.
typedef int routine(const char *name, char letter, const uint64_t *values);

EXPORT void fake_solver_set(routine *function);

static routine *set;

EXPORT void fake_solver_set(routine *function) { set = function; }

EXPORT int cusolverDnCreate(void **out_handle) {
  FAIL("cusolverDnCreate");
  *out_handle = malloc(1);
  return *out_handle ? 0 : NOT_INITIALIZED;
}

EXPORT int cusolverDnCreateParams(void **out_parameters) { return *out_parameters = (void *)&set, 0; }

EXPORT int cusolverDnDestroy(void *self) {
  free(self);
  return 0;
}

EXPORT int cusolverDnSetStream(void *self, CUstream stream) {
  (void)stream;
  return self ? 0 : NOT_INITIALIZED;
}

#define ROUTINE(symbol, name, letter)                                                                                  \
  EXPORT int symbol(void *self, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,    \
                    uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n, uint64_t o,    \
                    uint64_t p, uint64_t q);                                                                           \
  int symbol(void *self, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g,           \
             uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n, uint64_t o,           \
             uint64_t p, uint64_t q) {                                                                                 \
    FAIL(#symbol);                                                                                                     \
    uint64_t values[MOST_VALUES] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q};                                \
    return !self ? NOT_INITIALIZED : set ? set(name, letter, values) : NOT_SUPPORTED;                                  \
  }
#define NAMED(real, complex, name)                                                                                     \
  ROUTINE(cusolverDn##real, name, 'd')                                                                                 \
  ROUTINE(cusolverDn##complex, name, 'z')
#define SIZED(real, complex, name)                                                                                     \
  NAMED(real##_bufferSize, complex##_bufferSize, name "_bufferSize")                                                   \
  NAMED(real, complex, name)

SIZED(Dgetrf, Zgetrf, "getrf")
NAMED(Dgetrs, Zgetrs, "getrs")
SIZED(Dpotrf, Zpotrf, "potrf")
NAMED(DpotrfBatched, ZpotrfBatched, "potrfBatched")
SIZED(Dgeqrf, Zgeqrf, "geqrf")
SIZED(Dorgqr, Zungqr, "orgqr")
SIZED(Dsyevd, Zheevd, "syevd")
SIZED(Dgesvd, Zgesvd, "gesvd")
// Of any dtype: its number says which.
ROUTINE(cusolverDnXsyevBatched_bufferSize, "syevBatched_bufferSize", values[4] == 5 ? 'z' : 'd')
ROUTINE(cusolverDnXsyevBatched, "syevBatched", values[4] == 5 ? 'z' : 'd')
