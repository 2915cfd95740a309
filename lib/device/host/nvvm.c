// The instructions of a GPU that NVIDIA's libdevice is made of, for the CPU that plays the device: clang makes LLVM
// bitcode of this file, and code generation links it behind libdevice (lib/codegen/host_libdevice.c), whose
//
//   call float @llvm.nvvm.add.rm.f(float %a, float %b)          and          call float asm "sub.rm.f32 $0, $1, $2;",
//   ...
//
// become calls of pa_nvvm_add_rm_f and pa_nvvm_sub_rm_f32: the name with '_' for '.', without "ftz". Semantics are
// those of NVIDIA's "PTX ISA". What it defines exactly is exact here; the instructions named "approx" are better than a
// GPU's, save that those of float64 keep 20 bits as a GPU's do.
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <xmmintrin.h>

//===-- Rounding ----------------------------------------------------------------------------------===//

enum { TO_NEAREST = 0, DOWN = 0x2000, UP = 0x4000, TO_ZERO = 0x6000, ROUNDING = 0x6000 };

// What is computed between these two, from values that went through HIDE, is rounded so: nothing moves across volatile
// assembly, or is folded.
static inline unsigned begin_rounding(unsigned mode) {
  unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~(unsigned)ROUNDING) | mode);
  return before;
}
#define HIDE(value) __asm__ volatile("" : "+x"(value)::"memory")
#define HIDE_INTEGER(value) __asm__ volatile("" : "+r"(value)::"memory")

#define ROUNDED(type, mode, hide, expression)                                                                          \
  unsigned before = begin_rounding(mode);                                                                              \
  hide;                                                                                                                \
  type result = expression;                                                                                            \
  HIDE(result);                                                                                                        \
  _mm_setcsr(before);                                                                                                  \
  return result;

#define UNARY(name, type, mode, expression)                                                                            \
  type pa_nvvm_##name(type a) { ROUNDED(type, mode, HIDE(a), expression) }
#define BINARY(name, type, mode, expression)                                                                           \
  type pa_nvvm_##name(type a, type b) { ROUNDED(type, mode, HIDE(a); HIDE(b), expression) }
#define TERNARY(name, type, mode, expression)                                                                          \
  type pa_nvvm_##name(type a, type b, type c) { ROUNDED(type, mode, HIDE(a); HIDE(b); HIDE(c), expression) }

// An operation in all four ways; to nearest is what is set anyway.
#define IN_ALL_MODES(make, plain, name, suffix, type, expression)                                                      \
  plain(name##_rn_##suffix, type, expression) make(name##_rm_##suffix, type, DOWN, expression)                         \
      make(name##_rp_##suffix, type, UP, expression) make(name##_rz_##suffix, type, TO_ZERO, expression)
#define PLAIN_UNARY(name, type, expression)                                                                            \
  type pa_nvvm_##name(type a) { return expression; }
#define PLAIN_BINARY(name, type, expression)                                                                           \
  type pa_nvvm_##name(type a, type b) { return expression; }
#define PLAIN_TERNARY(name, type, expression)                                                                          \
  type pa_nvvm_##name(type a, type b, type c) { return expression; }

IN_ALL_MODES(BINARY, PLAIN_BINARY, add, f, float, a + b)
IN_ALL_MODES(BINARY, PLAIN_BINARY, add, d, double, a + b)
IN_ALL_MODES(BINARY, PLAIN_BINARY, sub, f32, float, a - b)
IN_ALL_MODES(BINARY, PLAIN_BINARY, sub, f64, double, a - b)
IN_ALL_MODES(BINARY, PLAIN_BINARY, mul, f, float, a *b)
IN_ALL_MODES(BINARY, PLAIN_BINARY, mul, d, double, a *b)
IN_ALL_MODES(BINARY, PLAIN_BINARY, div, f, float, a / b)
IN_ALL_MODES(BINARY, PLAIN_BINARY, div, d, double, a / b)
IN_ALL_MODES(UNARY, PLAIN_UNARY, rcp, f, float, 1 / a)
IN_ALL_MODES(UNARY, PLAIN_UNARY, rcp, d, double, 1 / a)
IN_ALL_MODES(UNARY, PLAIN_UNARY, sqrt, f, float, __builtin_sqrtf(a))
IN_ALL_MODES(UNARY, PLAIN_UNARY, sqrt, d, double, __builtin_sqrt(a))
IN_ALL_MODES(TERNARY, PLAIN_TERNARY, fma, f, float, __builtin_fmaf(a, b, c))
IN_ALL_MODES(TERNARY, PLAIN_TERNARY, fma, d, double, __builtin_fma(a, b, c))

//===-- Conversions -------------------------------------------------------------------------------===//

// A number of 64 bits without a sign: halved, with the bit that is lost kept in the last one, it has room for one.
#define OF_UNSIGNED(type, value)                                                                                       \
  ((int64_t)(value) >= 0 ? (type)(int64_t)(value) : (type)(int64_t)((value) >> 1 | ((value) & 1)) * 2)
#define CONVERT(name, from, type, mode, hide, expression)                                                              \
  type pa_nvvm_##name(from a) { ROUNDED(type, mode, hide, expression) }
#define CONVERT_ALL(name, from, type, hide, expression)                                                                \
  CONVERT(name##_rn, from, type, TO_NEAREST, hide, expression)                                                         \
  CONVERT(name##_rm, from, type, DOWN, hide, expression)                                                               \
  CONVERT(name##_rp, from, type, UP, hide, expression) CONVERT(name##_rz, from, type, TO_ZERO, hide, expression)

CONVERT_ALL(d2f, double, float, HIDE(a), (float)a)
CONVERT_ALL(i2f, int32_t, float, HIDE_INTEGER(a), (float)a)
CONVERT_ALL(ui2f, uint32_t, float, HIDE_INTEGER(a), (float)(int64_t)a)
CONVERT_ALL(ll2f, int64_t, float, HIDE_INTEGER(a), (float)a)
CONVERT_ALL(ull2f, uint64_t, float, HIDE_INTEGER(a), OF_UNSIGNED(float, a))
CONVERT_ALL(ll2d, int64_t, double, HIDE_INTEGER(a), (double)a)
CONVERT_ALL(ull2d, uint64_t, double, HIDE_INTEGER(a), OF_UNSIGNED(double, a))

double pa_nvvm_i2d_rn(int32_t a) { return a; }
double pa_nvvm_ui2d_rn(uint32_t a) { return a; }

// What does not fit is the nearest that does; |nan| is what NaN becomes: 0 of float32 in 32 bits, else the highest bit
// alone.
#define TO_INTEGER(name, from, type, round, least, most, beyond, nan)                                                  \
  type pa_nvvm_##name(from a) {                                                                                        \
    from whole = round(a);                                                                                             \
    if (whole != whole) return (type)(nan);                                                                            \
    return whole <= (from)(least) ? (least) : whole >= (from)(beyond) ? (most) : (type)whole;                          \
  }
#define TO_INTEGER_ALL(name, from, type, suffix, least, most, beyond, nan)                                             \
  TO_INTEGER(name##_rn, from, type, __builtin_rint##suffix, least, most, beyond, nan)                                  \
  TO_INTEGER(name##_rm, from, type, __builtin_floor##suffix, least, most, beyond, nan)                                 \
  TO_INTEGER(name##_rp, from, type, __builtin_ceil##suffix, least, most, beyond, nan)                                  \
  TO_INTEGER(name##_rz, from, type, __builtin_trunc##suffix, least, most, beyond, nan)

enum { HIGHEST_32 = INT32_MIN };
#define HIGHEST_64 INT64_MIN
TO_INTEGER_ALL(f2i, float, int32_t, f, INT32_MIN, INT32_MAX, 0x1p31, 0)
TO_INTEGER_ALL(f2ui, float, uint32_t, f, 0, UINT32_MAX, 0x1p32, 0)
TO_INTEGER_ALL(f2ll, float, int64_t, f, INT64_MIN, INT64_MAX, 0x1p63, HIGHEST_64)
TO_INTEGER_ALL(f2ull, float, uint64_t, f, 0, UINT64_MAX, 0x1p64, HIGHEST_64)
TO_INTEGER_ALL(d2i, double, int32_t, , INT32_MIN, INT32_MAX, 0x1p31, HIGHEST_32)
TO_INTEGER_ALL(d2ui, double, uint32_t, , 0, UINT32_MAX, 0x1p32, HIGHEST_32)
TO_INTEGER_ALL(d2ll, double, int64_t, , INT64_MIN, INT64_MAX, 0x1p63, HIGHEST_64)
TO_INTEGER_ALL(d2ull, double, uint64_t, , 0, UINT64_MAX, 0x1p64, HIGHEST_64)

uint16_t pa_nvvm_f2h_rn(float a) {
  _Float16 half = (_Float16)a;
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}

static uint64_t bits_of(double a) {
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}

static double of_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double pa_nvvm_lohi_i2d(uint32_t low, uint32_t high) { return of_bits((uint64_t)high << 32 | low); }
uint32_t pa_nvvm_d2i_lo(double a) { return (uint32_t)bits_of(a); }
uint32_t pa_nvvm_d2i_hi(double a) { return (uint32_t)(bits_of(a) >> 32); }

//===-- Numbers -----------------------------------------------------------------------------------===//

PLAIN_UNARY(fabs_f32, float, __builtin_fabsf(a))
PLAIN_UNARY(fabs_f64, double, __builtin_fabs(a))
PLAIN_UNARY(floor_f, float, __builtin_floorf(a))
PLAIN_UNARY(floor_d, double, __builtin_floor(a))
PLAIN_UNARY(ceil_f, float, __builtin_ceilf(a))
PLAIN_UNARY(ceil_d, double, __builtin_ceil(a))
PLAIN_UNARY(trunc_f, float, __builtin_truncf(a))
PLAIN_UNARY(trunc_d, double, __builtin_trunc(a))
PLAIN_UNARY(round_f, float, __builtin_rintf(a)) // to the nearest even
PLAIN_UNARY(round_d, double, __builtin_rint(a))
PLAIN_UNARY(saturate_f, float, a > 0 ? a < 1 ? a : 1 : 0) // NaN becomes 0

// -0.0 is less than 0.0; NaN counts as missing.
PLAIN_BINARY(fmin_f, float, a != a ? b : b != b ? a : a == b ? __builtin_signbit(a) ? a : b : a < b ? a : b)
PLAIN_BINARY(fmin_d, double, a != a ? b : b != b ? a : a == b ? __builtin_signbit(a) ? a : b : a < b ? a : b)
PLAIN_BINARY(fmax_f, float, a != a ? b : b != b ? a : a == b ? __builtin_signbit(a) ? b : a : a > b ? a : b)
PLAIN_BINARY(fmax_d, double, a != a ? b : b != b ? a : a == b ? __builtin_signbit(a) ? b : a : a > b ? a : b)

//===-- Approximations ----------------------------------------------------------------------------===//

PLAIN_UNARY(sin_approx_f, float, (float)sin(a))
PLAIN_UNARY(cos_approx_f, float, (float)cos(a))
PLAIN_UNARY(lg2_approx_f, float, (float)log2(a))
PLAIN_UNARY(ex2_approx_f32, float, (float)exp2(a))
PLAIN_UNARY(sqrt_approx_f, float, __builtin_sqrtf(a))
PLAIN_UNARY(rsqrt_approx_f, float, (float)(1 / __builtin_sqrt((double)a)))
PLAIN_UNARY(rsqrt_approx_d, double, 1 / __builtin_sqrt(a))
PLAIN_BINARY(div_approx_f, float,
             !(__builtin_fabsf(b) > 0x1p126f && __builtin_isfinite(b)) ? a / b
             : __builtin_isfinite(a)                                   ? 0 * a * b
                                                                       : NAN)

static float flush(float a) { return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0, a) : a; }
PLAIN_UNARY(rcp_approx_f32, float, flush(1 / flush(a)))

// Only the upper halves of the operand and of the result count.
static double upper(double a) {
  return __builtin_fabs(a) < 0x1p-1022 ? __builtin_copysign(0, a) : of_bits(bits_of(a) & ~(uint64_t)UINT32_MAX);
}
PLAIN_UNARY(rcp_approx_d, double, upper(1 / upper(a)))
PLAIN_UNARY(rsqrt_approx_f64, double, upper(1 / __builtin_sqrt(upper(a))))

//===-- Integers ----------------------------------------------------------------------------------===//

int32_t pa_nvvm_mulhi_i(int32_t a, int32_t b) { return (int32_t)((int64_t)a * b >> 32); }
uint32_t pa_nvvm_mulhi_ui(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
int64_t pa_nvvm_mulhi_ll(int64_t a, int64_t b) { return (int64_t)((__int128)a * b >> 64); }
uint64_t pa_nvvm_mulhi_ull(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
uint32_t pa_nvvm_sad_i(int32_t a, int32_t b, uint32_t c) {
  return (a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a) + c;
}
uint32_t pa_nvvm_sad_ui(uint32_t a, uint32_t b, uint32_t c) { return (a > b ? a - b : b - a) + c; }
uint32_t pa_nvvm_bfind_shiftamt_u32(uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : UINT32_MAX; }

// Each four bits of |selector| choose one of the eight bytes of |b| and |a|; the highest of them asks for its sign in
// all bits.
uint32_t pa_nvvm_prmt(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t choice = selector >> 4 * i, byte = (uint32_t)(bytes >> 8 * (choice & 7)) & 255;
    if (choice & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}

//===-- Assembly of several instructions (host_libdevice.c has the table) -------------------------===//

typedef struct pair {
  uint64_t low, high;
} pair;

static pair of_wide(unsigned __int128 value) { return (pair){(uint64_t)value, (uint64_t)(value >> 64)}; }
static unsigned __int128 wide(uint64_t low, uint64_t high) { return (unsigned __int128)high << 64 | low; }

uint64_t pa_nvvm_multiply_add_32(uint32_t a, uint32_t b, uint32_t c) { return (uint64_t)a * b + c; }
pair pa_nvvm_multiply_64(uint64_t a, uint64_t b) { return of_wide((unsigned __int128)a * b); }
pair pa_nvvm_multiply_add_64(uint64_t a, uint64_t b, uint64_t c) { return of_wide((unsigned __int128)a * b + c); }
pair pa_nvvm_add_128(uint64_t al, uint64_t ah, uint64_t bl, uint64_t bh) {
  return of_wide(wide(al, ah) + wide(bl, bh));
}
pair pa_nvvm_subtract_128(uint64_t al, uint64_t ah, uint64_t bl, uint64_t bh) {
  return of_wide(wide(al, ah) - wide(bl, bh));
}
double pa_nvvm_select_equal(double a, double b, double c, double d) {
  return a < b || a > b ? d : c;
} // unordered is equal
