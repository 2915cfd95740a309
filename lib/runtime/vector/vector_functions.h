// The functions of vector_math.def for one instruction set and element type: included by vector_lanes.h, once for each
// type.
//
// libmvec gives the right values everywhere, but raises floating-point exceptions without cause, which NumPy reports:
// sin of 1e40 overflows, exp of -inf is invalid. Within the bounds of vector_math.def it raises none; where a lane lies
// outside, libm is called for each.

#define NAME(prefix, name, end) NAME_OF(prefix, name, SHAPE, end)
#define THE(name) NAME(pyarray_rt_, name, )
#define MASKED(name) NAME(pyarray_rt_, name, m)
#define EACH(name) NAME(each_, name, )
#define FAST(name) NAME(fast_, name, )
#define WHERE NAME(where, , )
#define UNARY NAME(unary, , )
#define BINARY NAME(binary, , )

typedef REALS (*UNARY)(REALS);
typedef REALS (*BINARY)(REALS, REALS);

// |safe| in lanes that do not count.
static inline REALS WHERE(MASKS mask, REALS x, REAL safe) {
  INTS zero = {0}, counts = ((__builtin_convertvector(mask, INTS) & 1) != zero);
  REALS safes = (REALS)zero + safe;
  return (REALS)(((INTS)x & counts) | ((INTS)safes & ~counts));
}

// Inside the bounds of every function: 0, or 2 where that is too small.
#define SAFE(least) ((least) > 0 ? 2 : 0)

#define DEFINE_EACH1(name)                                                                                             \
  static __attribute__((cold, noinline)) REALS EACH(name)(REALS x) {                                                   \
    for (int i = 0; i < LANES; ++i) x[i] = LIBM(name)(x[i]);                                                           \
    return x;                                                                                                          \
  }
#define DEFINE_EACH2(name)                                                                                             \
  static __attribute__((cold, noinline)) REALS EACH(name)(REALS x, REALS y) {                                          \
    for (int i = 0; i < LANES; ++i) x[i] = LIBM(name)(x[i], y[i]);                                                     \
    return x;                                                                                                          \
  }
#define DEFINE_MASKED2(name, safe, safe_2)                                                                             \
  static REALS MASKED(name)(REALS x, REALS y, MASKS mask) {                                                            \
    return THE(name)(WHERE(mask, x, safe), WHERE(mask, y, safe_2));                                                    \
  }

#define SIGN(most, negative) ((negative) < 0 ? POSITIVE : (negative) == (most) ? EITHER_SIGN : TWO_BOUNDS)
#define DEFINE_BOUNDED1(name, least, most, negative)                                                                   \
  static REALS THE(name)(REALS x) {                                                                                    \
    static const BOUNDS_TYPE bounds = BOUNDS(least, most, negative);                                                   \
    INTS outside = OUTSIDE(x, HIDDEN(bounds), SIGN(most, negative), (least) > 0);                                      \
    return __builtin_expect(PA_ANY(outside), 0) ? EACH(name)(x) : FAST(name)(x);                                       \
  }
#define DEFINE_BOUNDED2(name, most, least_2, most_2)                                                                   \
  static REALS THE(name)(REALS x, REALS y) {                                                                           \
    static const BOUNDS_TYPE bounds[] = {BOUNDS(0, most, most), BOUNDS(least_2, most_2, most_2)};                      \
    INTS outside = OUTSIDE(x, HIDDEN(bounds[0]), EITHER_SIGN, false);                                                  \
    outside |= OUTSIDE(y, HIDDEN(bounds[1]), EITHER_SIGN, true);                                                       \
    return __builtin_expect(PA_ANY(outside), 0) ? EACH(name)(x, y) : FAST(name)(x, y);                                 \
  }

#define PA_VECTOR_MVEC1(name, least, most, negative, least_f, most_f, negative_f)                                      \
  DEFINE_EACH1(name)                                                                                                   \
  static UNARY FAST(name) = EACH(name);                                                                                \
  DEFINE_BOUNDED1(name, PICK(least, least_f), PICK(most, most_f), PICK(negative, negative_f))                          \
  static REALS MASKED(name)(REALS x, MASKS mask) { return THE(name)(WHERE(mask, x, SAFE(least))); }
#define PA_VECTOR_MVEC2(name, most, least_2, most_2, most_f, least_2f, most_2f)                                        \
  DEFINE_EACH2(name)                                                                                                   \
  static BINARY FAST(name) = EACH(name);                                                                               \
  DEFINE_BOUNDED2(name, PICK(most, most_f), PICK(least_2, least_2f), PICK(most_2, most_2f))                            \
  DEFINE_MASKED2(name, 0, 2)
#ifdef HAS_EXP_LOG
#define PA_VECTOR_OWN1(name, least, ...)                                                                               \
  DEFINE_EACH1(name)                                                                                                   \
  static REALS THE(name)(REALS x) {                                                                                    \
    REALS result;                                                                                                      \
    return __builtin_expect(pa_f64_##name(x, &result), 1) ? result : EACH(name)(x);                                    \
  }                                                                                                                    \
  static REALS MASKED(name)(REALS x, MASKS mask) { return THE(name)(WHERE(mask, x, SAFE(least))); }
#endif
#ifdef PA_HAS_ROWS
#define PA_VECTOR_ROWS1(name, ...)                                                                                     \
  DEFINE_EACH1(name)                                                                                                   \
  static REALS THE(name)(REALS x) {                                                                                    \
    REALS result;                                                                                                      \
    return __builtin_expect(PICK(pa_f64_##name, pa_f32_##name)(x, &result), 1) ? result : EACH(name)(x);               \
  }                                                                                                                    \
  static REALS MASKED(name)(REALS x, MASKS mask) { return THE(name)(WHERE(mask, x, 0)); }
#endif
#define PA_VECTOR_OWN2(name)                                                                                           \
  DEFINE_EACH2(name)                                                                                                   \
  static REALS THE(name)(REALS x, REALS y) {                                                                           \
    REALS result;                                                                                                      \
    return __builtin_expect(PICK(pa_f64_##name, pa_f32_##name)(x, y, &result), 1) ? result : EACH(name)(x, y);         \
  }                                                                                                                    \
  DEFINE_MASKED2(name, 2, 2)
#include "vector_math.def"

#define ROWS(name, mvec, slot)                                                                                         \
  {TEXT(THE(name)), (void *)(uintptr_t)&THE(name), mvec, slot},                                                        \
      {TEXT(MASKED(name)), (void *)(uintptr_t)&MASKED(name), mvec, slot},
#define PA_VECTOR_MVEC1(name, ...) ROWS(name, MVEC "v_" TEXT(LIBM(name)), &FAST(name))
#define PA_VECTOR_MVEC2(name, ...) ROWS(name, MVEC "vv_" TEXT(LIBM(name)), &FAST(name))
#ifdef HAS_EXP_LOG
#define PA_VECTOR_OWN1(name, ...) ROWS(name, NULL, NULL)
#endif
#ifdef PA_HAS_ROWS
#define PA_VECTOR_ROWS1(name, ...) ROWS(name, NULL, NULL)
#endif
#define PA_VECTOR_OWN2(name) ROWS(name, NULL, NULL)
const pa_vector_symbol TABLE[] = {
#include "vector_math.def"
    {NULL, NULL, NULL, NULL},
};

#undef NAME
#undef THE
#undef MASKED
#undef EACH
#undef FAST
#undef WHERE
#undef UNARY
#undef BINARY
#undef SAFE
#undef SIGN
#undef DEFINE_BOUNDED1
#undef DEFINE_BOUNDED2
#undef DEFINE_EACH1
#undef DEFINE_EACH2
#undef DEFINE_MASKED2
#undef ROWS
#undef SHAPE
#undef LANES
#undef MVEC
#undef TABLE
#undef LIBM
#undef PICK
#undef REAL
#undef REALS
#undef INTS
#undef MASKS
#undef BOUNDS
#undef BOUNDS_TYPE
#undef OUTSIDE
#undef HAS_EXP_LOG
