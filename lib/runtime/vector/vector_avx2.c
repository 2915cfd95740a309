// Vector functions for CPUs with AVX2 and FMA. Built for them, so nothing here may be called on others.
#include <immintrin.h>

#define PA_LANES 4
#define PA_LANES_F 8
#define PA_SHAPE _v4
#define PA_SHAPE_F f_v8
#define PA_MVEC "_ZGVdN4"
#define PA_MVEC_F "_ZGVdN8"
#define PA_MASK int32_t
#define PA_MASK_F int16_t
#define PA_TABLE pa_vectors_avx2
#define PA_TABLE_F pa_vectors_avx2_f32
#define PA_ALL(x) {x, x, x, x}
#define PA_ALL_F(x) {x, x, x, x, x, x, x, x}
#define PA_EIGHT_F(...) {__VA_ARGS__}
#define PA_ANY(v) (_mm256_movemask_epi8((__m256i)(v)) != 0)
#define PA_SQRT(v) _mm256_sqrt_pd(v)
#define PA_FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define PA_FMA_F(a, b, c) _mm256_fmadd_ps(a, b, c)
#define PA_PICK_F(eight, index) _mm256_permutevar8x32_ps(eight, (__m256i)(index))
#define PA_FIRST_HALF(v) _mm256_cvtps_pd(_mm256_castps256_ps128(v))
#define PA_SECOND_HALF(v) _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1))
#define PA_OF_HALVES(a, b) _mm256_set_m128(_mm256_cvtpd_ps(b), _mm256_cvtpd_ps(a))

// Halves of a row at a time: faster than gather instructions.
#define PA_HALVES(at, first, second)                                                                                   \
  _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(first + at)), _mm_load_pd(second + at), 1)
#define PA_LOAD_ROWS(offsets, inverse, high, low)                                                                      \
  do {                                                                                                                 \
    const char *rows = pa_hide(pa_log_rows);                                                                           \
    __m128i lanes_0_1 = _mm256_castsi256_si128((__m256i)(offsets));                                                    \
    __m128i lanes_2_3 = _mm256_extracti128_si256((__m256i)(offsets), 1);                                               \
    const double *row_0 = (const double *)(rows + _mm_cvtsi128_si64(lanes_0_1));                                       \
    const double *row_1 = (const double *)(rows + _mm_extract_epi64(lanes_0_1, 1));                                    \
    const double *row_2 = (const double *)(rows + _mm_cvtsi128_si64(lanes_2_3));                                       \
    const double *row_3 = (const double *)(rows + _mm_extract_epi64(lanes_2_3, 1));                                    \
    inverse = _mm256_unpacklo_pd(PA_HALVES(0, row_0, row_2), PA_HALVES(0, row_1, row_3));                              \
    high = _mm256_unpacklo_pd(PA_HALVES(2, row_0, row_2), PA_HALVES(2, row_1, row_3));                                 \
    low = _mm256_unpackhi_pd(PA_HALVES(2, row_0, row_2), PA_HALVES(2, row_1, row_3));                                  \
  } while (0)

#include "vector_lanes.h"
