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
#define PA_ALL(x)                                                                                                      \
  { x, x, x, x }
#define PA_ALL_F(x)                                                                                                    \
  { x, x, x, x, x, x, x, x }
#define PA_ANY(v) (!_mm256_testz_si256((__m256i)(v), (__m256i)(v)))
#define PA_SQRT(v) _mm256_sqrt_pd(v)
#define PA_FMA(a, b, c) _mm256_fmadd_pd(a, b, c)
#define PA_FIRST_HALF(v) _mm256_cvtps_pd(_mm256_castps256_ps128(v))
#define PA_SECOND_HALF(v) _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1))
#define PA_OF_HALVES(a, b) _mm256_set_m128(_mm256_cvtpd_ps(b), _mm256_cvtpd_ps(a))
#include "vector_lanes.h"
