// Products of two matrices in loops of ours: of integers and bools, of small matrices of floats, and of all where there
// is no NumPy to call.
#ifndef PYARRAY_LIB_RUNTIME_MATMUL_H
#define PYARRAY_LIB_RUNTIME_MATMUL_H

#include <stdint.h>

// |count| times c[i, j] = sum over l of a[i, l] * b[l, j]; steps from one product to the next, and strides, in
// elements. c overlaps with neither.
typedef struct pa_matmul {
  int64_t count, a_step, b_step, c_step;
  int64_t m, n, k;
  const void *a;
  int64_t a_m, a_k;
  const void *b;
  int64_t b_k, b_n;
  void *c;
  int64_t c_m, c_n;
} pa_matmul;

typedef void (*pa_matmul_function)(const pa_matmul *product);

// For one set of vector instructions. Integers of either sign have one function: products wrap.
typedef struct pa_matmul_loops {
  pa_matmul_function i1, i8, i16, i32, i64, f32, f64, c64, c128;
  pa_matmul_function add_f32, add_f64;           // to what c[i, j] is already
  pa_matmul_function subtract_f32, subtract_f64; // from it
} pa_matmul_loops;

extern const pa_matmul_loops pa_matmul_sse2, pa_matmul_avx2, pa_matmul_avx512;

#endif // PYARRAY_LIB_RUNTIME_MATMUL_H
