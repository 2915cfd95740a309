// Vector functions for any x86-64 CPU.
#include <emmintrin.h>

#define PA_LANES 2
#define PA_LANES_F 4
#define PA_SHAPE _v2
#define PA_SHAPE_F f_v4
#define PA_MVEC "_ZGVbN2"
#define PA_MVEC_F "_ZGVbN4"
#define PA_MASK int64_t
#define PA_MASK_F int32_t
#define PA_TABLE pa_vectors_sse2
#define PA_TABLE_F pa_vectors_sse2_f32
#define PA_ALL(x) {x, x}
#define PA_ALL_F(x) {x, x, x, x}
#define PA_ANY(v) (_mm_movemask_epi8((__m128i)(v)) != 0)
#define PA_SQRT(v) _mm_sqrt_pd(v)
#define PA_FIRST_HALF(v) _mm_cvtps_pd(v)
#define PA_SECOND_HALF(v) _mm_cvtps_pd(_mm_movehl_ps(v, v))
#define PA_OF_HALVES(a, b) _mm_movelh_ps(_mm_cvtpd_ps(a), _mm_cvtpd_ps(b))
#include "vector_lanes.h"
