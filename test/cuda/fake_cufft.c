// Stands in for cuFFT (fake_library.h). Transforms are sums over all elements.
//
//   PYARRAY_FAKE_CUFFT_LOG    a file that gets a line for each plan that is made, run and freed
#include "fake_library.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result symbol parameters;
#include "../../lib/runtime/cuda/cufft.def"
#undef PA_LIBRARY_CALL

enum { MOST_PLANS = 64, INVALID_PLAN = 1, INVALID_SIZE = 8, LARGEST = 1 << 20 };

typedef struct plan {
  bool is_used;
  int rank, type;
  long long shape[3], batch, stride; // stride: of lines that begin at neighbours
  void *work;
  CUstream stream;
} plan;

static plan plans[MOST_PLANS];

static void note(const char *what, const plan *p) {
  const char *path = getenv("PYARRAY_FAKE_CUFFT_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s %#x stream=%d\n", what, (unsigned)p->type, p->stream != NULL);
  fclose(file);
}

static plan *plan_of(int handle) {
  return handle > 0 && handle <= MOST_PLANS && plans[handle - 1].is_used ? &plans[handle - 1] : NULL;
}

EXPORT int cufftGetVersion(int *version) { return *version = 11000, 0; }

EXPORT int cufftCreate(int *handle) {
  FAIL("cufftCreate");
  for (int i = 0; i < MOST_PLANS; ++i) {
    if (plans[i].is_used) continue;
    plans[i] = (plan){.is_used = true};
    *handle = i + 1;
    return 0;
  }
  return 2;
}

EXPORT int cufftDestroy(int handle) {
  plan *p = plan_of(handle);
  if (!p) return INVALID_PLAN;
  note("destroy", p);
  p->is_used = false;
  return 0;
}

EXPORT int cufftSetAutoAllocation(int handle, int allocates) {
  return plan_of(handle) && !allocates ? 0 : INVALID_PLAN;
}

EXPORT int cufftSetWorkArea(int handle, void *memory) {
  plan *p = plan_of(handle);
  if (!p) return INVALID_PLAN;
  p->work = memory;
  return 0;
}

EXPORT int cufftSetStream(int handle, CUstream stream) {
  plan *p = plan_of(handle);
  if (!p) return INVALID_PLAN;
  p->stream = stream;
  return 0;
}

EXPORT int cufftMakePlanMany64(int handle, int rank, long long *shape, long long *in_storage, long long in_stride,
                               long long in_distance, long long *out_storage, long long out_stride,
                               long long out_distance, int type, long long batch, size_t *out_work_bytes) {
  plan *p = plan_of(handle);
  if (!p) return INVALID_PLAN;
  FAIL("cufftMakePlanMany64");
  bool strided =
      in_storage && out_storage && rank == 1 && in_stride == out_stride && in_distance == 1 && out_distance == 1;
  if (((in_storage || out_storage) && !strided) || rank < 1 || rank > 3) return 4;
  p->stride = strided ? in_stride : 1;
  p->rank = rank;
  p->type = type;
  p->batch = batch;
  for (int i = 0; i < 3; ++i) p->shape[i] = i < rank ? shape[i] : 1;
  if (p->shape[0] * p->shape[1] * p->shape[2] > LARGEST) return INVALID_SIZE;
  *out_work_bytes = 64;
  note("plan", p);
  return 0;
}

//===-- Transforms --------------------------------------------------------------------------------===//

// The complex side of a real transform keeps half of the last dimension; the other half mirrors it.
static long long last_kept(const plan *p) { return p->shape[p->rank - 1] / 2 + 1; }

static double complex load(const plan *p, const void *in, bool is_double, bool is_real, bool is_half, long long batch,
                           const long long *at) {
  long long n[3], i[3];
  memcpy(n, p->shape, sizeof n);
  memcpy(i, at, sizeof i);
  bool mirrored = is_half && i[p->rank - 1] >= last_kept(p);
  for (int d = 0; mirrored && d < p->rank; ++d) i[d] = (n[d] - i[d]) % n[d];
  if (is_half) n[p->rank - 1] = last_kept(p);
  long long place = ((batch * n[0] + i[0]) * n[1] + i[1]) * n[2] + i[2];
  if (p->stride > 1) place = i[0] * p->stride + batch;
  if (is_real) return is_double ? ((const double *)in)[place] : ((const float *)in)[place];
  double complex value = is_double ? ((const double complex *)in)[place] : ((const float complex *)in)[place];
  return mirrored ? conj(value) : value;
}

static double complex transformed(const plan *p, const void *in, bool is_double, bool is_real, bool is_half,
                                  long long batch, const long long *k, int direction) {
  double complex sum = 0;
  for (long long a = 0; a < p->shape[0]; ++a)
    for (long long b = 0; b < p->shape[1]; ++b)
      for (long long c = 0; c < p->shape[2]; ++c) {
        double turns = (double)(a * k[0]) / (double)p->shape[0] + (double)(b * k[1]) / (double)p->shape[1] +
                       (double)(c * k[2]) / (double)p->shape[2];
        sum += load(p, in, is_double, is_real, is_half, batch, (long long[]){a, b, c}) *
               cexp(direction * 2 * M_PI * I * turns);
      }
  return sum;
}

typedef enum kind { COMPLEX, FROM_REAL, TO_REAL } kind;

static int transform(int handle, const void *in, void *out, bool is_double, kind kind, int direction) {
  plan *p = plan_of(handle);
  if (!p || !p->work) return INVALID_PLAN;
  note("run", p);
  long long kept[3] = {p->shape[0], p->shape[1], p->shape[2]};
  if (kind == FROM_REAL) kept[p->rank - 1] = last_kept(p);
  size_t item = (is_double ? 8 : 4) * (kind == TO_REAL ? 1 : 2);
  long long each = kept[0] * kept[1] * kept[2];
  char *results = malloc((size_t)(p->batch * each) * item);
  for (long long batch = 0; batch < p->batch; ++batch)
    for (long long i = 0; i < each; ++i) {
      char *at = results + (size_t)(p->stride > 1 ? i * p->stride + batch : batch * each + i) * item;
      long long k[3] = {i / (kept[1] * kept[2]), i / kept[2] % kept[1], i % kept[2]};
      double complex sum = transformed(p, in, is_double, kind == FROM_REAL, kind == TO_REAL, batch, k, direction);
      double wide[2] = {creal(sum), cimag(sum)};
      float narrow[2] = {(float)wide[0], (float)wide[1]};
      memcpy(at, is_double ? (const void *)wide : narrow, item);
    }
  memcpy(out, results, (size_t)(p->batch * each) * item);
  if (kind == TO_REAL) memset((void *)(uintptr_t)in, 0xff, item); // as cuFFT may: it leaves anything there
  free(results);
  return 0;
}

EXPORT int cufftExecC2C(int plan, void *in, void *out, int direction) {
  FAIL("cufftExecC2C");
  return transform(plan, in, out, false, COMPLEX, direction);
}
EXPORT int cufftExecZ2Z(int plan, void *in, void *out, int direction) {
  return transform(plan, in, out, true, COMPLEX, direction);
}
EXPORT int cufftExecR2C(int plan, void *in, void *out) { return transform(plan, in, out, false, FROM_REAL, -1); }
EXPORT int cufftExecD2Z(int plan, void *in, void *out) { return transform(plan, in, out, true, FROM_REAL, -1); }
EXPORT int cufftExecC2R(int plan, void *in, void *out) { return transform(plan, in, out, false, TO_REAL, 1); }
EXPORT int cufftExecZ2D(int plan, void *in, void *out) { return transform(plan, in, out, true, TO_REAL, 1); }
