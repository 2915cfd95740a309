// Products of matrices as compiled code asks for them: by NumPy's loop, which is BLAS, where they are large; else by
// ours.
//
// NumPy's loop costs some 30 ns before it computes anything, and BLAS as much again. Up to |small| multiplications ours
// are faster; their sums may differ from BLAS's in the last bits.
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "matmul.h"
#include "numpy_loops.h"
#include "runtime.h"

enum { SMALL_MATRICES = 4096, SMALL_VECTORS = 256, SMALL_COMPLEX = 512 };

static const pa_matmul_loops *choose(void) {
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx2 && avx512 ? &pa_matmul_avx512 : avx2 ? &pa_matmul_avx2 : &pa_matmul_sse2;
}

static const pa_matmul_loops *loops(void) {
  static _Atomic(const pa_matmul_loops *) chosen;
  const pa_matmul_loops *found = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (!found) atomic_store_explicit(&chosen, found = choose(), memory_order_relaxed);
  return found;
}

// Whether |x| has at most |most| multiplications; extents may be huge.
static bool is_small(const pa_matmul *x, int64_t most) {
  return x->m <= most && x->n <= most && x->k <= most && x->m * x->n <= most && x->m * x->n * x->k <= most;
}

// As NumPy calls it: the step of an extent of 1 is 0.
static void call_numpy(const pa_numpy_loop *loop, const pa_matmul *x, intptr_t size) {
  char *operands[] = {(char *)(uintptr_t)x->a, (char *)(uintptr_t)x->b, x->c};
  intptr_t dimensions[] = {x->count, x->m, x->k, x->n},
           steps[9] = {x->a_step * size, x->b_step * size, x->c_step * size};
  int64_t extents[] = {x->m, x->k, x->k, x->n, x->m, x->n},
          strides[] = {x->a_m, x->a_k, x->b_k, x->b_n, x->c_m, x->c_n};
  for (int i = 0; i < 6; ++i) steps[3 + i] = extents[i] == 1 ? 0 : strides[i] * size;
  loop->function(operands, dimensions, steps, loop->data);
}

static void multiply(const pa_matmul *x, pa_matmul_function ours, pa_numpy_loop_number number, intptr_t size,
                     int64_t small) {
  const pa_numpy_loop *numpy = NULL;
  if (!is_small(x, x->m == 1 || x->n == 1 ? SMALL_VECTORS : small)) numpy = pa_numpy_loop_get(number);
  if (numpy)
    call_numpy(numpy, x, size);
  else
    ours(x);
}

#define PARAMETERS                                                                                                     \
  (int64_t count, int64_t a_step, int64_t b_step, int64_t c_step, int64_t m, int64_t n, int64_t k, int64_t a,          \
   int64_t a_m, int64_t a_k, int64_t b, int64_t b_k, int64_t b_n, int64_t c, int64_t c_m, int64_t c_n)
#define PRODUCT                                                                                                        \
  {count,                                                                                                              \
   a_step,                                                                                                             \
   b_step,                                                                                                             \
   c_step,                                                                                                             \
   m,                                                                                                                  \
   n,                                                                                                                  \
   k,                                                                                                                  \
   (const void *)(intptr_t)a,                                                                                          \
   a_m,                                                                                                                \
   a_k,                                                                                                                \
   (const void *)(intptr_t)b,                                                                                          \
   b_k,                                                                                                                \
   b_n,                                                                                                                \
   (void *)(intptr_t)c,                                                                                                \
   c_m,                                                                                                                \
   c_n}

#define DEFINE_INTEGERS(type)                                                                                          \
  void pyarray_rt_matmul_##type PARAMETERS {                                                                           \
    pa_matmul x = PRODUCT;                                                                                             \
    if (m > 0 && n > 0) loops()->type(&x);                                                                             \
  }

#define DEFINE_FLOATS(type, size, small)                                                                               \
  void pyarray_rt_matmul_##type PARAMETERS {                                                                           \
    pa_matmul x = PRODUCT;                                                                                             \
    if (m > 0 && n > 0) multiply(&x, loops()->type, PA_NUMPY_matmul_##type, size, small);                              \
  }

#define DEFINE_ADDING(type, how)                                                                                       \
  void pyarray_rt_matmul_##how##_##type PARAMETERS {                                                                   \
    pa_matmul x = PRODUCT;                                                                                             \
    if (m > 0 && n > 0) loops()->how##_##type(&x);                                                                     \
  }

DEFINE_INTEGERS(i1)
DEFINE_INTEGERS(i8)
DEFINE_INTEGERS(i16)
DEFINE_INTEGERS(i32)
DEFINE_INTEGERS(i64)
DEFINE_FLOATS(f32, 4, SMALL_MATRICES)
DEFINE_FLOATS(f64, 8, SMALL_MATRICES)
DEFINE_FLOATS(c64, 8, SMALL_COMPLEX)
DEFINE_FLOATS(c128, 16, SMALL_COMPLEX)
DEFINE_ADDING(f32, add)
DEFINE_ADDING(f64, add)
DEFINE_ADDING(f32, subtract)
DEFINE_ADDING(f64, subtract)
