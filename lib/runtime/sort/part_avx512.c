// Steps of a selection, a vector at a time. The first and the last vectors are kept aside, so that there is room at the
// ends; then as many are read from the end that has less room, and their items are packed to both ends. Of four at once
// which end it is, which nobody foresees, is asked seldom.
#include "part_avx512.h"

#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#define LESS_INT(a, b) ((a) < (b))
#define LESS_FLOAT(a, b) (((a) < (b)) | (((b) != (b)) & ((a) == (a))))

enum { AT_ONCE = 4 };

// Vectors as integers of their items' size: load, store, pack.
#define LOAD(p) _mm512_loadu_si512(p)
#define PACK_32(p, mask, v)                                                                                            \
  _mm512_mask_storeu_epi32(p, (__mmask16)((1u << __builtin_popcount(mask)) - 1), _mm512_maskz_compress_epi32(mask, v))
#define PACK_64(p, mask, v)                                                                                            \
  _mm512_mask_storeu_epi64(p, (__mmask8)((1u << __builtin_popcount(mask)) - 1), _mm512_maskz_compress_epi64(mask, v))

#define PART(name, type, lanes, mask_type, bits, broadcast, compare, before)                                           \
  int64_t name(type *items, int64_t count, type pivot) {                                                               \
    enum { STRIDE = AT_ONCE * lanes };                                                                                 \
    type kept[3 * STRIDE];                                                                                             \
    int64_t left = 0, right = count, front = 0, back = count, rest = 0;                                                \
    if (count >= 2 * STRIDE) {                                                                                         \
      memcpy(kept, items, STRIDE * sizeof *items);                                                                     \
      memcpy(kept + STRIDE, items + count - STRIDE, STRIDE * sizeof *items);                                           \
      rest = 2 * STRIDE, left = STRIDE, right = count - STRIDE;                                                        \
      for (__m512i pivots = broadcast(pivot), v[AT_ONCE]; right - left >= STRIDE;) {                                   \
        bool from_left = left - front <= back - right;                                                                 \
        if (!from_left) right -= STRIDE;                                                                               \
        for (int i = 0; i < AT_ONCE; ++i) v[i] = LOAD(items + (from_left ? left : right) + i * lanes);                 \
        if (from_left) left += STRIDE;                                                                                 \
        for (int i = 0; i < AT_ONCE; ++i) {                                                                            \
          mask_type mask = compare(v[i], pivots), other = (mask_type)~mask;                                            \
          int less = __builtin_popcount(mask);                                                                         \
          PACK_##bits(items + front, mask, v[i]);                                                                      \
          front += less, back -= lanes - less;                                                                         \
          PACK_##bits(items + back, other, v[i]);                                                                      \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
    memcpy(kept + rest, items + left, (size_t)(right - left) * sizeof *items);                                         \
    rest += right - left;                                                                                              \
    for (int64_t i = 0; i < rest; ++i) {                                                                               \
      bool first = before(kept[i], pivot);                                                                             \
      back -= !first;                                                                                                  \
      items[first ? front : back] = kept[i];                                                                           \
      front += first;                                                                                                  \
    }                                                                                                                  \
    return front;                                                                                                      \
  }

// |most| is no less than any item, and min(NaN, most) is |most|.
#define LEAST(name, type, lanes, broadcast, minimum, most)                                                             \
  int64_t name(const type *items, int64_t count) {                                                                     \
    __m512i least = broadcast(most);                                                                                   \
    type lane[lanes], value = most;                                                                                    \
    int64_t i = 0, at = 0;                                                                                             \
    for (; i + lanes <= count; i += lanes) least = minimum(LOAD(items + i), least);                                    \
    memcpy(lane, &least, sizeof least);                                                                                \
    for (; i < count; ++i)                                                                                             \
      if (items[i] < value) value = items[i];                                                                          \
    for (i = 0; i < lanes; ++i)                                                                                        \
      if (lane[i] < value) value = lane[i];                                                                            \
    while (at < count && items[at] != value) ++at;                                                                     \
    return at < count ? at : 0;                                                                                        \
  }

#define EQUAL_INT(a, b) (!LESS_INT(b, a))
#define EQUAL_FLOAT(a, b) (!LESS_FLOAT(b, a))

#define PARTS(name, type, lanes, mask_type, bits, kind, broadcast, less, not_greater, minimum, most)                   \
  PART(pa_part_##name, type, lanes, mask_type, bits, broadcast, less, LESS_##kind)                                     \
  PART(pa_part_equal_##name, type, lanes, mask_type, bits, broadcast, not_greater, EQUAL_##kind)                       \
  LEAST(pa_least_##name, type, lanes, broadcast, minimum, most)

PARTS(I32, int32_t, 16, __mmask16, 32, INT, _mm512_set1_epi32, _mm512_cmplt_epi32_mask, _mm512_cmple_epi32_mask,
      _mm512_min_epi32, INT32_MAX)
PARTS(U32, uint32_t, 16, __mmask16, 32, INT, _mm512_set1_epi32, _mm512_cmplt_epu32_mask, _mm512_cmple_epu32_mask,
      _mm512_min_epu32, UINT32_MAX)
PARTS(I64, int64_t, 8, __mmask8, 64, INT, _mm512_set1_epi64, _mm512_cmplt_epi64_mask, _mm512_cmple_epi64_mask,
      _mm512_min_epi64, INT64_MAX)
PARTS(U64, uint64_t, 8, __mmask8, 64, INT, _mm512_set1_epi64, _mm512_cmplt_epu64_mask, _mm512_cmple_epu64_mask,
      _mm512_min_epu64, UINT64_MAX)

// Of floats: a pivot that is NaN has all numbers before it, and nothing is greater.
#define BROADCAST_F32(x) _mm512_castps_si512(_mm512_set1_ps(x))
#define LESS_F32(v, p) numbers_or_less_f32(_mm512_castsi512_ps(v), _mm512_castsi512_ps(p))
#define NOT_GREATER_F32(v, p)                                                                                          \
  (_mm512_cmp_ps_mask(_mm512_castsi512_ps(v), _mm512_castsi512_ps(p), _CMP_LE_OQ) |                                    \
   _mm512_cmp_ps_mask(_mm512_castsi512_ps(p), _mm512_castsi512_ps(p), _CMP_UNORD_Q))
#define MINIMUM_F32(v, w) _mm512_castps_si512(_mm512_min_ps(_mm512_castsi512_ps(v), _mm512_castsi512_ps(w)))
#define BROADCAST_F64(x) _mm512_castpd_si512(_mm512_set1_pd(x))
#define LESS_F64(v, p) numbers_or_less_f64(_mm512_castsi512_pd(v), _mm512_castsi512_pd(p))
#define NOT_GREATER_F64(v, p)                                                                                          \
  (_mm512_cmp_pd_mask(_mm512_castsi512_pd(v), _mm512_castsi512_pd(p), _CMP_LE_OQ) |                                    \
   _mm512_cmp_pd_mask(_mm512_castsi512_pd(p), _mm512_castsi512_pd(p), _CMP_UNORD_Q))
#define MINIMUM_F64(v, w) _mm512_castpd_si512(_mm512_min_pd(_mm512_castsi512_pd(v), _mm512_castsi512_pd(w)))

static inline __mmask16 numbers_or_less_f32(__m512 v, __m512 p) {
  return (__mmask16)(_mm512_cmp_ps_mask(v, p, _CMP_LT_OQ) |
                     (_mm512_cmp_ps_mask(p, p, _CMP_UNORD_Q) & _mm512_cmp_ps_mask(v, v, _CMP_ORD_Q)));
}

static inline __mmask8 numbers_or_less_f64(__m512d v, __m512d p) {
  return (__mmask8)(_mm512_cmp_pd_mask(v, p, _CMP_LT_OQ) |
                    (_mm512_cmp_pd_mask(p, p, _CMP_UNORD_Q) & _mm512_cmp_pd_mask(v, v, _CMP_ORD_Q)));
}

PARTS(F32, float, 16, __mmask16, 32, FLOAT, BROADCAST_F32, LESS_F32, NOT_GREATER_F32, MINIMUM_F32, __builtin_inff())
PARTS(F64, double, 8, __mmask8, 64, FLOAT, BROADCAST_F64, LESS_F64, NOT_GREATER_F64, MINIMUM_F64, __builtin_inf())
