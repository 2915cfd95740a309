// What device functions of CUDA C++ use, for clang without CUDA's own headers. Functions of libm become libdevice's
// when the code is linked.
#pragma once

#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict

typedef __SIZE_TYPE__ size_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

#define PA_ONE(name)                                                                                                   \
  extern "C" __device__ double name(double);                                                                           \
  extern "C" __device__ float name##f(float);                                                                          \
  static __device__ inline float name(float x) { return name##f(x); }
#define PA_TWO(name)                                                                                                   \
  extern "C" __device__ double name(double, double);                                                                   \
  extern "C" __device__ float name##f(float, float);                                                                   \
  static __device__ inline float name(float x, float y) { return name##f(x, y); }
// clang-format off
PA_ONE(acos) PA_ONE(acosh) PA_ONE(asin) PA_ONE(asinh) PA_ONE(atan) PA_ONE(atanh) PA_ONE(cbrt) PA_ONE(ceil)
PA_ONE(cos) PA_ONE(cosh) PA_ONE(erf) PA_ONE(erfc) PA_ONE(exp) PA_ONE(exp2) PA_ONE(expm1) PA_ONE(fabs) PA_ONE(floor)
PA_ONE(lgamma) PA_ONE(log) PA_ONE(log10) PA_ONE(log1p) PA_ONE(log2) PA_ONE(rint) PA_ONE(round) PA_ONE(rsqrt)
PA_ONE(sin) PA_ONE(sinh) PA_ONE(sqrt) PA_ONE(tan) PA_ONE(tanh) PA_ONE(tgamma) PA_ONE(trunc) PA_TWO(atan2)
PA_TWO(copysign) PA_TWO(fdim) PA_TWO(fmax) PA_TWO(fmin) PA_TWO(fmod) PA_TWO(hypot) PA_TWO(pow)
// clang-format on
#undef PA_ONE
#undef PA_TWO
                    extern "C" __device__ double fma(double, double, double);
extern "C" __device__ float fmaf(float, float, float);

template <typename T> static __device__ inline T min(T a, T b) { return b < a ? b : a; }
template <typename T> static __device__ inline T max(T a, T b) { return a < b ? b : a; }
static __device__ inline int __popc(unsigned x) { return __builtin_popcount(x); }
static __device__ inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static __device__ inline unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
