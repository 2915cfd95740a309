// The vector functions of one instruction set; the including file says which. Not a header otherwise.
//
// In order: types, bounds, what we compute ourselves (vector_exp_log.h, vector_rows.h, vector_power.h), then all
// functions, for float64 and for float32 (vector_functions.h).
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "vector_math.h"

enum { VECTOR_BYTES = 8 * PA_LANES };

typedef double f64s __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t i64s __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t u64s __attribute__((vector_size(VECTOR_BYTES)));
typedef float f32s __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t i32s __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t u32s __attribute__((vector_size(VECTOR_BYTES)));
// What LLVM passes for a vector of i1: 16 bytes, whatever the lanes.
typedef PA_MASK f64_masks __attribute__((vector_size(16)));
typedef PA_MASK_F f32_masks __attribute__((vector_size(16)));

// The constants below are in all lanes, and their address hidden from the compiler: as an operand in memory a constant
// costs nothing, while building it takes two or three instructions, and how many are under way limits these functions.
#define HIDDEN(constants) pa_hide(&(constants))

// GCC counts vector constants as large and would call these.
#define INLINE static inline __attribute__((always_inline))

static inline const void *pa_hide(const void *address) {
  __asm__("" : "+r"(address));
  return address;
}

// Which numbers a function takes: least <= |x| <= most, and for negative x <= negative.
typedef struct f64_bounds {
  f64s least, most, negative;
  i64s size; // all bits but the sign
} f64_bounds;

typedef struct f32_bounds {
  f32s least, most, negative;
  i32s size;
} f32_bounds;

#define F64_BOUNDS(least, most, negative) {PA_ALL(least), PA_ALL(most), PA_ALL(negative), PA_ALL(INT64_MAX)}
#define F32_BOUNDS(least, most, negative) {PA_ALL_F(least), PA_ALL_F(most), PA_ALL_F(negative), PA_ALL_F(INT32_MAX)}

enum sign { POSITIVE, EITHER_SIGN, TWO_BOUNDS }; // none negative; negative == most; negative is another bound

// All bits set in lanes outside. Compares bits, not numbers: comparing NaN in vector registers raises an exception.
#define DEFINE_OUTSIDE(name, REALS, INTS, BOUNDS)                                                                      \
  static inline __attribute__((always_inline)) INTS name(REALS x, const BOUNDS *bounds, enum sign sign,                \
                                                         bool has_least) {                                             \
    INTS bits = (INTS)x, size = bits & bounds->size, most = (INTS)bounds->most, is_negative = bits < (INTS){0};        \
    if (sign == POSITIVE) return (bits < (INTS)bounds->least) | (bits > most);                                         \
    if (sign == TWO_BOUNDS) most = (is_negative & (INTS)bounds->negative) | (~is_negative & most);                     \
    return has_least ? (size > most) | (size < (INTS)bounds->least) : size > most;                                     \
  }
DEFINE_OUTSIDE(pa_f64_outside, f64s, i64s, f64_bounds)
DEFINE_OUTSIDE(pa_f32_outside, f32s, i32s, f32_bounds)

#include "vector_exp_log.h"
#include "vector_power.h"
#include "vector_rows.h"

#define NAME_(a, b, c, d) a##b##c##d
#define NAME_OF(a, b, c, d) NAME_(a, b, c, d)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#define SHAPE PA_SHAPE
#define LANES PA_LANES
#define MVEC PA_MVEC
#define TABLE PA_TABLE
#define LIBM(name) name
#define PICK(f64, f32) f64
#define REAL double
#define REALS f64s
#define INTS i64s
#define MASKS f64_masks
#define BOUNDS F64_BOUNDS
#define BOUNDS_TYPE f64_bounds
#ifdef PA_FMA
#define HAS_EXP_LOG
#endif
#define OUTSIDE pa_f64_outside
#include "vector_functions.h"

#define SHAPE PA_SHAPE_F
#define LANES PA_LANES_F
#define MVEC PA_MVEC_F
#define TABLE PA_TABLE_F
#define LIBM(name) name##f
#define PICK(f64, f32) f32
#define REAL float
#define REALS f32s
#define INTS i32s
#define MASKS f32_masks
#define BOUNDS F32_BOUNDS
#define BOUNDS_TYPE f32_bounds
#define OUTSIDE pa_f32_outside
#include "vector_functions.h"
