// Operations of a warp or a block on the GPU. Values of 64 bits travel as two of 32.
#include "device.h"
#include "redux.h"

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

// The lanes in which |bits|, of which one may be set, are what they are here. In LLVM the bit would be tested twice:
// for the ballot, as a number of one bit, and for what is done with it.
static int32_t same_bit(int32_t mask, int32_t bits) {
  int32_t lanes;
  __asm__ volatile("{ .reg .pred set; setp.ne.b32 set, %1, 0; vote.sync.ballot.b32 %0, set, %2; @!set not.b32 %0, %0; }"
                   : "=r"(lanes)
                   : "r"(bits), "r"(mask));
  return lanes;
}

// A vote for each bit: match.any takes longer the more values there are.
int32_t pyarray_dev_match_byte_i32(int32_t mask, int32_t value) {
  enum { BITS = 8 };
  int32_t same = mask;
#pragma unroll
  for (int bit = 0; bit < BITS; ++bit) same &= same_bit(mask, value & 1 << bit);
  return same;
}

int32_t pyarray_dev_match_all_i32(int32_t mask, int32_t value) {
  int same;
  return (int32_t)__nvvm_match_all_sync_i32p(mask, value, &same);
}

int32_t pyarray_dev_match_all_i64(int32_t mask, int64_t value) {
  int same;
  return (int32_t)__nvvm_match_all_sync_i64p(mask, value, &same);
}

// Reductions: an instruction from sm_80 on. Its intrinsics are no builtins of clang for the architecture that this is
// compiled for.
#define REDUX(name) int32_t redux_##name(int32_t value, int32_t mask) __asm__("llvm.nvvm.redux.sync." #name);
REDUX(add)
REDUX(min)
REDUX(max)
REDUX(umin)
REDUX(umax)
REDUX(and)
REDUX(or)
REDUX(xor)

int32_t pyarray_dev_redux_i32(int32_t mask, int32_t value, int32_t operation) {
  switch (operation) {
  case PA_REDUX_MIN: return redux_min(value, mask);
  case PA_REDUX_MAX: return redux_max(value, mask);
  case PA_REDUX_MIN_UNSIGNED: return redux_umin(value, mask);
  case PA_REDUX_MAX_UNSIGNED: return redux_umax(value, mask);
  case PA_REDUX_AND: return redux_and(value, mask);
  case PA_REDUX_OR: return redux_or(value, mask);
  case PA_REDUX_XOR: return redux_xor(value, mask);
  default: return redux_add(value, mask);
  }
}

// For architectures without (choose_functions in lib/codegen/nvptx.c).
int32_t pyarray_dev_redux_i32_by_shuffles(int32_t mask, int32_t value, int32_t operation);

// 2, 4, ... neighbours that begin at a multiple of their number exchange halves; others are gone through.
int32_t pyarray_dev_redux_i32_by_shuffles(int32_t mask, int32_t value, int32_t operation) {
  uint32_t rest = (uint32_t)mask;
  int32_t first = __builtin_ctz(rest), size = __builtin_popcount(rest);
  int32_t total = __nvvm_shfl_sync_idx_i32(mask, value, first, LAST_LANE);
  if (!(size & (size - 1)) && !(first & (size - 1)) && rest >> first == (uint32_t)((UINT64_C(1) << size) - 1)) {
    for (int32_t offset = size >> 1; offset; offset >>= 1)
      value = pa_redux_combine(operation, value, __nvvm_shfl_sync_bfly_i32(mask, value, offset, LAST_LANE));
    return value;
  }
  for (rest &= rest - 1; rest; rest &= rest - 1)
    total = pa_redux_combine(operation, total, __nvvm_shfl_sync_idx_i32(mask, value, __builtin_ctz(rest), LAST_LANE));
  return total;
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
