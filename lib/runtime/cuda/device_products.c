// Products of matrices in compiled code of the host whose arrays are on a device, by cuBLAS.
#include "array_numbers.h"
#include "device_arrays.h"
#include "libraries.h"
#include "product.h"
#include "runtime.h"

// Smaller products are the kernel's of ours, which need no library: multiply-adds.
enum { FEWEST = 1 << 12, MOST_RANK = 64 };

//===-- Matrices ----------------------------------------------------------------------------------===//

static bool product_type(int64_t code, pa_product_type *out) {
  static const char codes[] = {[PA_PRODUCT_F16] = 'e', [PA_PRODUCT_BF16] = 'g', [PA_PRODUCT_F32] = 'f',
                               [PA_PRODUCT_F64] = 'd', [PA_PRODUCT_C64] = 'F',  [PA_PRODUCT_C128] = 'D'};
  for (size_t i = 0; i < sizeof codes; ++i)
    if (codes[i] == code) return *out = (pa_product_type)i, true;
  return false;
}

// The first ones along the outer dimensions, of which the last is one that cuBLAS goes along.
static pa_matrices matrices_of(const array *a) {
  const int64_t *shape = a->shape + a->rank - 2, *strides = a->strides + a->rank - 2;
  return (pa_matrices){.data = (CUdeviceptr)a->address,
                       .rows = shape[0],
                       .columns = shape[1],
                       .row_step = strides[0],
                       .column_step = strides[1],
                       .apart = a->rank > 2 ? strides[-1] : 0};
}

static pa_matrices transposed(pa_matrices m) {
  return (pa_matrices){m.data, m.columns, m.rows, m.column_step, m.row_step, m.apart};
}

// A result in columns is one in rows of the product the other way round.
static pa_status multiply(pa_cuda_context *context, pa_product_type type, int64_t count, const pa_matrices *m,
                          bool *out_done) {
  PA_TRY(pa_cuda_product(context, type, count, &m[0], &m[1], &m[2], out_done));
  if (*out_done) return PA_OK;
  pa_matrices out = transposed(m[0]), a = transposed(m[2]), b = transposed(m[1]);
  return pa_cuda_product(context, type, count, &out, &a, &b, out_done);
}

// The next place along the outer dimensions but the last; false behind the last place.
static bool advance(const array *arrays, pa_matrices *m, int64_t *place) {
  int64_t rank = arrays[0].rank;
  for (int64_t d = rank - 4; d >= 0; --d) {
    bool more = ++place[d] < arrays[0].shape[d];
    for (int i = 0; i < 3; ++i)
      m[i].data += (CUdeviceptr)(arrays[i].strides[d] * arrays[i].bytes * (more ? 1 : 1 - arrays[0].shape[d]));
    if (more) return true;
    place[d] = 0;
  }
  return false;
}

//===-- The call ----------------------------------------------------------------------------------===//

int32_t pyarray_rt_device_product(int64_t numbers) {
  const int64_t *at = (const int64_t *)(uintptr_t)numbers;
  int64_t place[MOST_RANK] = {0}, work;
  array arrays[3];
  pa_matrices m[3];
  pa_product_type type;
  for (int i = 0; i < 3; ++i) {
    arrays[i] = pa_read_array(&at);
    m[i] = matrices_of(&arrays[i]);
  }
  int64_t rank = arrays[0].rank, count = rank > 2 ? arrays[0].shape[rank - 3] : 1;
  if (rank > MOST_RANK || !product_type(arrays[0].code, &type) || !pa_has_elements(&arrays[0])) return 0;
  if (__builtin_mul_overflow(m[0].rows * m[0].columns, m[1].columns, &work) || work < FEWEST / count) return 0;
  if (!pa_device_has_library(PA_LIBRARY_cublas)) return 0;
  pa_cuda_context *context = pa_device_here();
  bool done = context != NULL;
  do {
    pa_status status = done ? multiply(context, type, count, m, &done) : PA_OK;
    if (status) return pa_device_note(context, status), 1; // which compiled code asks for
  } while (done && advance(arrays, m, place));
  return done;
}
