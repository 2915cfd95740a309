// Reductions of 32-bit integers over the lanes of a warp, pyarray_dev_redux_i32: on the GPU, and on the CPU that plays
// it. cg.py has the same numbers.
#ifndef PYARRAY_LIB_DEVICE_REDUX_H
#define PYARRAY_LIB_DEVICE_REDUX_H

#include <stdint.h>

enum pa_redux {
  PA_REDUX_ADD,
  PA_REDUX_MIN,
  PA_REDUX_MAX,
  PA_REDUX_MIN_UNSIGNED,
  PA_REDUX_MAX_UNSIGNED,
  PA_REDUX_AND,
  PA_REDUX_OR,
  PA_REDUX_XOR,
};

static inline int32_t pa_redux_combine(int32_t operation, int32_t a, int32_t b) {
  switch (operation) {
  case PA_REDUX_MIN: return a < b ? a : b;
  case PA_REDUX_MAX: return a > b ? a : b;
  case PA_REDUX_MIN_UNSIGNED: return (uint32_t)a < (uint32_t)b ? a : b;
  case PA_REDUX_MAX_UNSIGNED: return (uint32_t)a > (uint32_t)b ? a : b;
  case PA_REDUX_AND: return a & b;
  case PA_REDUX_OR: return a | b;
  case PA_REDUX_XOR: return a ^ b;
  default: return (int32_t)((uint32_t)a + (uint32_t)b);
  }
}

#endif // PYARRAY_LIB_DEVICE_REDUX_H
