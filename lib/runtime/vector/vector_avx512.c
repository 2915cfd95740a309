// Vector functions for CPUs with AVX-512. Built for them, so nothing here may be called on others.
#include <immintrin.h>

#define PA_LANES 8
#define PA_LANES_F 16
#define PA_SHAPE _v8
#define PA_SHAPE_F f_v16
#define PA_MVEC "_ZGVeN8"
#define PA_MVEC_F "_ZGVeN16"
#define PA_MASK int16_t
#define PA_MASK_F int8_t
#define PA_TABLE pa_vectors_avx512
#define PA_TABLE_F pa_vectors_avx512_f32
#define PA_ALL(x) {x, x, x, x, x, x, x, x}
#define PA_ALL_F(x) {x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}
#define PA_EIGHT_F(...) {__VA_ARGS__, __VA_ARGS__}
#define PA_ANY(v) (_mm512_test_epi32_mask((__m512i)(v), (__m512i)(v)) != 0)
#define PA_SQRT(v) _mm512_sqrt_pd(v)
#define PA_FMA(a, b, c) _mm512_fmadd_pd(a, b, c)
#define PA_FMA_F(a, b, c) _mm512_fmadd_ps(a, b, c)
#define PA_PICK_F(eight, index) _mm512_permutexvar_ps((__m512i)(index), eight)
#define PA_LOAD_ROWS(offsets, inverse, high, low)                                                                      \
  do {                                                                                                                 \
    const double *rows = pa_hide(pa_log_rows);                                                                         \
    inverse = _mm512_i64gather_pd((__m512i)(offsets), rows, 1);                                                        \
    high = _mm512_i64gather_pd((__m512i)(offsets), rows + 2, 1);                                                       \
    low = _mm512_i64gather_pd((__m512i)(offsets), rows + 3, 1);                                                        \
  } while (0)
#define PA_FIRST_HALF(v) _mm512_cvtps_pd(_mm512_castps512_ps256(v))
#define PA_SECOND_HALF(v) _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1)))
#define PA_OF_HALVES(a, b)                                                                                             \
  _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(a))),                    \
                                      _mm256_castps_pd(_mm512_cvtpd_ps(b)), 1))
#define PA_HAS_ROWS
#include "vector_lanes.h"
