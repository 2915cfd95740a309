// All loops of matmul.h for the instructions that the file which includes this is compiled for: PA_LOOPS names the
// table, PA_VECTOR is the size of a register in bytes.
#include <stdbool.h>
#include <string.h>

#include "matmul.h"

#define PA_JOIN_NAME(stem, suffix) stem##_##suffix
#define PA_WITH_SUFFIX(stem, suffix) PA_JOIN_NAME(stem, suffix)
#define PA_NAME(stem) PA_WITH_SUFFIX(stem, PA_SUFFIX)

// What becomes of what is in C already; other than PA_SET of floats alone, but for the parts of a sum that is long.
enum { PA_SET, PA_ADD_TO, PA_SUBTRACT_FROM };

static const uint64_t pa_low_bits = 0x0101010101010101;

// Any byte that is not 0 is true; a sum holds bits of those that were.
#define PA_ADD(sum, a, b) ((sum) |= (uint8_t)((a) ? 0xff : 0) & (b))
#define PA_ADD_VECTORS(vector, sum, a, b) ((sum) |= (vector)((a) != 0) & (b))
#define PA_JOIN(sum, other) ((sum) |= (other))
#define PA_TAKE(more, sum, old) PA_JOIN(sum, old)
#define PA_END(type, sum) ((type)((sum) != 0) & 1)
// Now and then: whether every byte is true.
#define PA_STOP(name, bytes, vectors)                                                                                  \
  if (l % 16 == 15) {                                                                                                  \
    uint64_t full = 1, words[bytes / 8];                                                                               \
    for (int r = 0; r < rows; ++r)                                                                                     \
      for (int v = 0; v < vectors; ++v) {                                                                              \
        PA_NAME(vector_##name) sum = sums[r][v];                                                                       \
        memcpy(words, &sum, bytes);                                                                                    \
        for (int w = 0; w < (int)(bytes / 8); ++w) full &= !((words[w] - pa_low_bits) & ~words[w] & pa_low_bits << 7); \
      }                                                                                                                \
    if (full) break;                                                                                                   \
  }
#define PA_T uint8_t
#define PA_SUFFIX i1
#include "matmul_type.h"
#undef PA_T
#undef PA_SUFFIX
#undef PA_ADD
#undef PA_ADD_VECTORS
#undef PA_JOIN
#undef PA_END
#undef PA_STOP

#define PA_ADD(sum, a, b) ((sum) += (a) * (b))
#define PA_ADD_VECTORS(vector, sum, a, b) ((sum) += (a) * (b))
#define PA_JOIN(sum, other) ((sum) += (other))
#define PA_END(type, sum) (sum)
#define PA_STOP(name, bytes, vectors)
#define PA_T uint8_t
#define PA_SUFFIX i8
#include "matmul_type.h"
#undef PA_T
#undef PA_SUFFIX
#define PA_T uint16_t
#define PA_SUFFIX i16
#include "matmul_type.h"
#undef PA_T
#undef PA_SUFFIX
#define PA_T uint32_t
#define PA_SUFFIX i32
#include "matmul_type.h"
#undef PA_T
#undef PA_SUFFIX
#define PA_T uint64_t
#define PA_SUFFIX i64
#include "matmul_type.h"
#undef PA_T
#undef PA_SUFFIX
#define PA_ADDS
#undef PA_TAKE
#define PA_TAKE(more, sum, old) ((sum) = (more) == PA_SUBTRACT_FROM ? (old) - (sum) : (old) + (sum))
#define PA_T float
#define PA_SUFFIX f32
#include "matmul_type.h"
#undef PA_T
#undef PA_SUFFIX
#define PA_T double
#define PA_SUFFIX f64
#include "matmul_type.h"
#undef PA_T
#undef PA_SUFFIX

#define PA_PARTS (PA_VECTOR < 32 ? PA_VECTOR : 32)
#define PA_T float
#define PA_SUFFIX c64
#include "matmul_complex.h"
#undef PA_T
#undef PA_SUFFIX
#define PA_T double
#define PA_SUFFIX c128
#include "matmul_complex.h"

const pa_matmul_loops PA_LOOPS = {matmul_i1,      matmul_i8,           matmul_i16,         matmul_i32,  matmul_i64,
                                  matmul_f32,     matmul_f64,          matmul_c64,         matmul_c128, matmul_add_f32,
                                  matmul_add_f64, matmul_subtract_f32, matmul_subtract_f64};
