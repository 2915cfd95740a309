// lib/runtime/vector: each function for every number of lanes that this CPU has, with and without mask, against libm:
// values within 5 ULP (libm's own error included), the same special values, the same floating-point exceptions.
#include "../../lib/runtime/vector/vector_math.h"
#include "test_runtime_check.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MAX_BYTES = 64, ROUNDS = 4000, MAX_ULPS = 5, EXCEPTIONS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

typedef struct function {
  const char *name;
  int arity;
  void *f64, *f32; // libm's
} function;

static const function functions[] = {
#define PA_VECTOR_MVEC1(name, ...) {#name, 1, (void *)(uintptr_t)&name, (void *)(uintptr_t)&name##f},
#define PA_VECTOR_MVEC2(name, ...) {#name, 2, (void *)(uintptr_t)&name, (void *)(uintptr_t)&name##f},
#define PA_VECTOR_OWN2(name) {#name, 2, (void *)(uintptr_t)&name, (void *)(uintptr_t)&name##f},
#include "../../lib/runtime/vector/vector_math.def"
};

//===-- Calls of any vector function --------------------------------------------------------------===//

// float64 and float32 travel in the same registers.
typedef double mask_register __attribute__((vector_size(16)));
#define DEFINE_CALL(bytes, instructions)                                                                               \
  typedef double lanes_##bytes __attribute__((vector_size(bytes)));                                                    \
  static __attribute__((noinline, target(instructions))) void call_##bytes(void *address, int arity, const void *mask, \
                                                                           const void *x, const void *y, void *out) {  \
    lanes_##bytes a, b, result = {0};                                                                                  \
    mask_register m = {0};                                                                                             \
    if (mask) memcpy(&m, mask, sizeof m);                                                                              \
    memcpy(&a, x, sizeof a);                                                                                           \
    memcpy(&b, y, sizeof b);                                                                                           \
    if (arity == 1 && !mask) result = ((lanes_##bytes (*)(lanes_##bytes))(uintptr_t)address)(a);                       \
    if (arity == 1 && mask) result = ((lanes_##bytes (*)(lanes_##bytes, mask_register))(uintptr_t)address)(a, m);      \
    if (arity == 2 && !mask) result = ((lanes_##bytes (*)(lanes_##bytes, lanes_##bytes))(uintptr_t)address)(a, b);     \
    if (arity == 2 && mask)                                                                                            \
      result = ((lanes_##bytes (*)(lanes_##bytes, lanes_##bytes, mask_register))(uintptr_t)address)(a, b, m);          \
    memcpy(out, &result, sizeof result);                                                                               \
  }
DEFINE_CALL(16, "sse2")
DEFINE_CALL(32, "avx2")
DEFINE_CALL(64, "avx512f")

static void call(int bytes, void *address, int arity, const void *mask, const void *x, const void *y, void *out) {
  if (bytes == 16) call_16(address, arity, mask, x, y, out);
  if (bytes == 32) call_32(address, arity, mask, x, y, out);
  if (bytes == 64) call_64(address, arity, mask, x, y, out);
}

static bool has_registers(int bytes) {
#if defined __clang__ && !defined __AVX512F__
  if (bytes > 16) return false; // Clang passes them in memory unless the whole file is built for such CPUs
#endif
  if (bytes == 64) return __builtin_cpu_supports("avx512f");
  return bytes == 16 || (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
}

//===-- Lanes -------------------------------------------------------------------------------------===//

static double lane(const void *lanes, int i, bool is_f32) {
  float narrow;
  double wide;
  if (!is_f32) return memcpy(&wide, (const double *)lanes + i, 8), wide;
  return memcpy(&narrow, (const float *)lanes + i, 4), narrow;
}

static void set_lane(void *lanes, int i, bool is_f32, double value) {
  float narrow = (float)value;
  memcpy((char *)lanes + i * (is_f32 ? 4 : 8), is_f32 ? (void *)&narrow : &value, is_f32 ? 4 : 8);
}

static double libm(const function *f, bool is_f32, double x, double y) {
  void *address = is_f32 ? f->f32 : f->f64;
  if (is_f32 && f->arity == 1) return ((float (*)(float))(uintptr_t)address)((float)x);
  if (is_f32) return ((float (*)(float, float))(uintptr_t)address)((float)x, (float)y);
  return f->arity == 1 ? ((double (*)(double))(uintptr_t)address)(x)
                       : ((double (*)(double, double))(uintptr_t)address)(x, y);
}

// How many numbers of the type lie between; -1 where only one is NaN, infinite, or a zero of that sign.
static int64_t ulps_between(double a, double b, bool is_f32) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : -1;
  if (isinf(a) || isinf(b)) return a == b ? 0 : -1;
  if (signbit(a) != signbit(b)) return -1;
  int64_t bits[2];
  double sizes[] = {fabs(a), fabs(b)};
  for (int i = 0; i < 2; ++i) {
    float narrow = (float)sizes[i];
    int32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, 4);
    memcpy(&bits[i], &sizes[i], 8);
    if (is_f32) bits[i] = narrow_bits;
  }
  return llabs(bits[0] - bits[1]);
}

//===-- Arguments ---------------------------------------------------------------------------------===//

static uint64_t random_bits(void) {
  static uint64_t state = 88172645463325252;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static double random_argument(bool is_f32) {
  static const double special[] = {0,      1,      0.5,      2,        3,         INFINITY, 1e-310, 1e-40, 5e-324,
                                   1.8e38, 3.5e38, 709.5,    745,      88.5,      103.9,    1e10,   1e16,  1e30,
                                   1e40,   1e200,  0x1p-149, 0x1p-126, 0x1p-1022, 1023.9,   127.99};
  uint64_t bits = random_bits(), choice = random_bits() % 8;
  double unit = (double)(bits >> 11) * 0x1p-53, sign = bits & 1 ? -1 : 1, any;
  if (choice == 0) return bits % 97 == 0 ? (double)NAN : sign * special[bits / 2 % (sizeof special / sizeof *special)];
  if (choice == 1)
    return memcpy(&any, &bits, 8), isnan(any) ? 1 : is_f32 ? sign * ldexp(1 + unit, (int)(bits % 256) - 128) : any;
  if (choice == 2) return sign * unit;
  return sign * unit * (choice < 5 ? 10 : choice < 7 ? 100 : 1000);
}

// Results near the least normal number may be rounded twice.
static bool is_tiny(double x, bool is_f32) { return fabs(x) < (is_f32 ? 0x1p-125 : 0x1p-1021); }

//===-- One function ------------------------------------------------------------------------------===//

typedef struct shape {
  const function *function;
  bool is_f32, masked;
  int bytes, lanes;
  char name[64];
} shape;

static void print_failure(const shape *s, double x, double y, double got, double wanted) {
  if (checks_failed < 20) fprintf(stderr, "%s(%a, %a) = %a, but %a\n", s->name, x, y, got, wanted);
}

static void check_round(const shape *s, void *address) {
  _Alignas(64) char x[MAX_BYTES], y[MAX_BYTES], out[MAX_BYTES], mask[16] = {0};
  bool counts[16], same = true;
  for (int i = 0; i < s->lanes; ++i) {
    counts[i] = !s->masked || random_bits() >> 63;
    mask[i * 16 / s->lanes] = counts[i] ? 1 : (char)0xfe;
    set_lane(x, i, s->is_f32, random_argument(s->is_f32));
    set_lane(y, i, s->is_f32, random_argument(s->is_f32));
  }
  feclearexcept(FE_ALL_EXCEPT);
  call(s->bytes, address, s->function->arity, s->masked ? mask : NULL, x, y, out);
  int raised = fetestexcept(EXCEPTIONS), wanted_raised = 0;
  for (int i = 0; i < s->lanes; ++i) {
    if (!counts[i]) continue;
    double a = lane(x, i, s->is_f32), b = lane(y, i, s->is_f32), got = lane(out, i, s->is_f32);
    feclearexcept(FE_ALL_EXCEPT);
    double wanted = libm(s->function, s->is_f32, a, b);
    wanted_raised |= fetestexcept(EXCEPTIONS);
    int64_t ulps = ulps_between(got, wanted, s->is_f32);
    if (ulps < 0 || (ulps > MAX_ULPS && !is_tiny(wanted, s->is_f32))) print_failure(s, a, b, got, wanted), same = false;
  }
  CHECK(same);
  if (raised != wanted_raised && checks_failed < 20)
    fprintf(stderr, "%s raised %#x instead of %#x, first lane %a, %a\n", s->name, raised, wanted_raised,
            lane(x, 0, s->is_f32), lane(y, 0, s->is_f32));
  CHECK(raised == wanted_raised);
}

static void test_function(const function *f, int bytes, bool is_f32, bool masked) {
  shape s = {f, is_f32, masked, bytes, bytes / (is_f32 ? 4 : 8), ""};
  snprintf(s.name, sizeof s.name, "pyarray_rt_%s%s_v%d%s", f->name, is_f32 ? "f" : "", s.lanes, masked ? "m" : "");
  void *address = pa_vector_math_lookup(s.name);
  REQUIRE(address);
  for (int round = 0; round < ROUNDS && checks_failed < 100; ++round) check_round(&s, address);
}

// Rows of vector_log_rows.c are logarithms, good for 62 bits of a power's exponent; long double has 64.
static void test_log_rows(void) {
  for (int i = 0; i < PA_LOG_ROWS; ++i) {
    const pa_log_row *row = &pa_log_rows[i];
    long double wanted = -logl((long double)row->inverse);
    CHECK(fabsl(wanted - (long double)row->high - (long double)row->low) <= 0x1p-62L * fabsl(wanted));
    CHECK(row->high == ldexp(nearbyint(ldexp(row->high, 42)), -42));
    CHECK(row->inverse == ldexp(nearbyint(ldexp(row->inverse, 8)), -8));
  }
}

int main(void) {
  test_log_rows();
  CHECK(!pa_vector_math_lookup("pyarray_rt_exp_v3") && !pa_vector_math_lookup("exp"));
  for (int bytes = 16; bytes <= MAX_BYTES && has_registers(bytes); bytes *= 2)
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
      for (int kind = 0; kind < 4; ++kind) test_function(&functions[i], bytes, kind & 1, kind & 2);
  return report_checks();
}
