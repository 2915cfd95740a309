// What device functions of CUDA C++ use, for clang on the CPU.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// CUDA's own headers, where they are, know compilers for the host.
#if __has_include(<cuda_runtime.h>) && __has_include(<crt/host_config.h>)
#include <cuda_runtime.h>
#else
#define __device__
#define __host__
#define __global__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

#define PA_VECTOR(T, name)                                                                                             \
  struct name##1 { T x; };                                                                                             \
  struct __attribute__((aligned(2 * sizeof(T)))) name##2 { T x, y; };                                                  \
  struct name##3 { T x, y, z; };                                                                                       \
  struct __attribute__((aligned(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)))) name##4 { T x, y, z, w; };                  \
  static inline name##1 make_##name##1(T x) { return {x}; }                                                            \
  static inline name##2 make_##name##2(T x, T y) { return {x, y}; }                                                    \
  static inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                            \
  static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
PA_VECTOR(signed char, char)
PA_VECTOR(unsigned char, uchar)
PA_VECTOR(short, short)
PA_VECTOR(unsigned short, ushort)
PA_VECTOR(int, int)
PA_VECTOR(unsigned int, uint)
PA_VECTOR(long, long)
PA_VECTOR(unsigned long, ulong)
PA_VECTOR(long long, longlong)
PA_VECTOR(unsigned long long, ulonglong)
PA_VECTOR(float, float)
PA_VECTOR(double, double)
#undef PA_VECTOR

#endif

template <typename T> static inline T min(T a, T b) { return b < a ? b : a; }
template <typename T> static inline T max(T a, T b) { return a < b ? b : a; }
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
static inline unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
static inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
static inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
static inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
static inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
static inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
