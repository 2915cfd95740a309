// Steps of a selection, a vector at a time, for CPUs with AVX-512. NaN lies behind all numbers.
#ifndef PYARRAY_LIB_RUNTIME_PART_AVX512_H
#define PYARRAY_LIB_RUNTIME_PART_AVX512_H

#include <stdint.h>

// part: puts what is less than |pivot| to the front: how many that are. part_equal: what is not greater. least: where
// the first of the least items is.
#define PA_DECLARE_PARTS(type, name)                                                                                   \
  int64_t pa_part_##name(type *items, int64_t count, type pivot);                                                      \
  int64_t pa_part_equal_##name(type *items, int64_t count, type pivot);                                                \
  int64_t pa_least_##name(const type *items, int64_t count);

PA_DECLARE_PARTS(int32_t, I32)
PA_DECLARE_PARTS(uint32_t, U32)
PA_DECLARE_PARTS(int64_t, I64)
PA_DECLARE_PARTS(uint64_t, U64)
PA_DECLARE_PARTS(float, F32)
PA_DECLARE_PARTS(double, F64)

#undef PA_DECLARE_PARTS

#endif // PYARRAY_LIB_RUNTIME_PART_AVX512_H
