// Operations of a warp or a block on the GPU. Values of 64 bits travel as two of 32.
#include "device.h"

enum { LAST_LANE = 31, NO_LANES_ABOVE = 0 }; // clamp values of PTX's shfl: 31 for idx, down and bfly, 0 for up

static int32_t low_half(int64_t value) { return (int32_t)value; }
static int32_t high_half(int64_t value) { return (int32_t)(value >> 32); }
static int64_t joined(int32_t low, int32_t high) { return (int64_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)low); }

#define SHUFFLE(name, mode, clamp)                                                                                     \
  int32_t pyarray_dev_##name##_i32(int32_t mask, int32_t value, int32_t operand) {                                     \
    return __nvvm_shfl_sync_##mode##_i32(mask, value, operand, clamp);                                                 \
  }                                                                                                                    \
  int64_t pyarray_dev_##name##_i64(int32_t mask, int64_t value, int32_t operand) {                                     \
    int32_t low = __nvvm_shfl_sync_##mode##_i32(mask, low_half(value), operand, clamp);                                \
    return joined(low, __nvvm_shfl_sync_##mode##_i32(mask, high_half(value), operand, clamp));                         \
  }

SHUFFLE(shfl, idx, LAST_LANE)
SHUFFLE(shfl_up, up, NO_LANES_ABOVE)
SHUFFLE(shfl_down, down, LAST_LANE)
SHUFFLE(shfl_xor, bfly, LAST_LANE)

int32_t pyarray_dev_all(int32_t mask, int32_t predicate) { return __nvvm_vote_all_sync(mask, predicate); }
int32_t pyarray_dev_any(int32_t mask, int32_t predicate) { return __nvvm_vote_any_sync(mask, predicate); }
int32_t pyarray_dev_eq(int32_t mask, int32_t predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
int32_t pyarray_dev_ballot(int32_t mask, int32_t predicate) {
  return (int32_t)__nvvm_vote_ballot_sync(mask, predicate);
}

int32_t pyarray_dev_match_any_i32(int32_t mask, int32_t value) {
  return (int32_t)__nvvm_match_any_sync_i32(mask, value);
}
int32_t pyarray_dev_match_any_i64(int32_t mask, int64_t value) {
  return (int32_t)__nvvm_match_any_sync_i64(mask, value);
}

int32_t pyarray_dev_match_all_i32(int32_t mask, int32_t value) {
  int same;
  return (int32_t)__nvvm_match_all_sync_i32p(mask, value, &same);
}

int32_t pyarray_dev_match_all_i64(int32_t mask, int64_t value) {
  int same;
  return (int32_t)__nvvm_match_all_sync_i64p(mask, value, &same);
}

int32_t pyarray_dev_activemask(void) { return (int32_t)__nvvm_activemask(); }
void pyarray_dev_syncwarp(int32_t mask) { __nvvm_bar_warp_sync(mask); }

int32_t pyarray_dev_syncthreads_count(int32_t predicate) { return __nvvm_bar0_popc(predicate); }
int32_t pyarray_dev_syncthreads_and(int32_t predicate) { return __nvvm_bar0_and(predicate) != 0; }
int32_t pyarray_dev_syncthreads_or(int32_t predicate) { return __nvvm_bar0_or(predicate) != 0; }

int64_t pyarray_dev_dynamic_shared_bytes(void) {
  uint32_t bytes;
  __asm__("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}
