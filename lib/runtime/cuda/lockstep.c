// Barriers and warp operations of kernels that run on the CPU: all threads of a block at once.
//
// The counterpart of a device function f(x, y) of kind WARP (lib/device/device.def) is f_block(block, mask, xs, ys,
// results): xs[t] is the operand of thread t, results[t] its result, mask[t] whether it takes part; a NULL mask: all
// do. The member mask, the first operand where there is one, leaves out further lanes; a lane that is left out keeps
// what it had. Those of kind BLOCK have one result for all.
#include <stddef.h>
#include <string.h>

#include "../../device/device.h"
#include "../../device/redux.h"
#include "../runtime.h"
#include "linked_code.h"
#include "lockstep.h"
#include "races.h"

enum { WARP = 32 };

static int64_t thread_count(const pa_block *block) { return block->block[0] * block->block[1] * block->block[2]; }

static bool is_active(const uint8_t *mask, int64_t thread) { return !mask || mask[thread]; }

// The lanes that are here, of the warp whose first thread is |first|.
static uint32_t active_lanes(const pa_block *block, const uint8_t *mask, int64_t first) {
  uint32_t lanes = 0;
  for (int lane = 0; lane < WARP && first + lane < thread_count(block); ++lane)
    if (is_active(mask, first + lane)) lanes |= UINT32_C(1) << lane;
  return lanes;
}

static bool has_lane(uint32_t lanes, int lane) { return lanes >> lane & 1; }

// A statement for every active lane, given |lane|, its thread |t|, the |first| thread of its warp and |active|, the
// lanes that are here.
#define FOR_EACH_LANE(block, mask, ...)                                                                                \
  for (int64_t first = 0, threads = thread_count(block); first < threads; first += WARP) {                             \
    uint32_t active = active_lanes(block, mask, first);                                                                \
    for (int lane = 0; lane < WARP; ++lane) {                                                                          \
      int64_t t = first + lane;                                                                                        \
      if (has_lane(active, lane)) __VA_ARGS__                                                                          \
    }                                                                                                                  \
  }

//===-- Shuffles ----------------------------------------------------------------------------------===//

// The lane that |lane| reads, or its own where that one is outside the warp or not here.
static int source_of(int wanted, int lane, uint32_t members) {
  return wanted >= 0 && wanted < WARP && has_lane(members, wanted) ? wanted : lane;
}

// Results may not be written over values that other lanes still read: both are arrays of their own.
#define SHUFFLE(name, type, wanted)                                                                                    \
  static void pyarray_dev_##name##_block(pa_block *block, const uint8_t *mask, const int32_t *members,                 \
                                         const type *values, const int32_t *operands, type *results) {                 \
    FOR_EACH_LANE(block, mask, {                                                                                       \
      int operand = operands[t];                                                                                       \
      results[t] = values[first + source_of(wanted, lane, active & (uint32_t)members[t])];                             \
    })                                                                                                                 \
  }

SHUFFLE(shfl_i32, int32_t, operand &(WARP - 1))
SHUFFLE(shfl_i64, int64_t, operand &(WARP - 1))
SHUFFLE(shfl_up_i32, int32_t, lane - operand)
SHUFFLE(shfl_up_i64, int64_t, lane - operand)
SHUFFLE(shfl_down_i32, int32_t, lane + operand)
SHUFFLE(shfl_down_i64, int64_t, lane + operand)
SHUFFLE(shfl_xor_i32, int32_t, (lane ^ operand) & (WARP - 1))
SHUFFLE(shfl_xor_i64, int64_t, (lane ^ operand) & (WARP - 1))

//===-- Votes and matches -------------------------------------------------------------------------===//

// The lanes of |lanes| whose value is that of |lane|.
#define SAME_LANES(name, type)                                                                                         \
  static uint32_t name(const type *values, uint32_t lanes, int lane) {                                                 \
    uint32_t same = 0;                                                                                                 \
    for (int other = 0; other < WARP; ++other)                                                                         \
      if (has_lane(lanes, other) && values[other] == values[lane]) same |= UINT32_C(1) << other;                       \
    return same;                                                                                                       \
  }

SAME_LANES(same_lanes_i32, int32_t)
SAME_LANES(same_lanes_i64, int64_t)

static uint32_t ballot(const int32_t *predicates, uint32_t lanes) {
  uint32_t set = 0;
  for (int lane = 0; lane < WARP; ++lane)
    if (has_lane(lanes, lane) && predicates[lane]) set |= UINT32_C(1) << lane;
  return set;
}

// |expression| of |set|, the lanes among |lanes| whose predicate holds.
#define VOTE(name, expression)                                                                                         \
  static void pyarray_dev_##name##_block(pa_block *block, const uint8_t *mask, const int32_t *members,                 \
                                         const int32_t *predicates, int32_t *results) {                                \
    FOR_EACH_LANE(block, mask, {                                                                                       \
      uint32_t lanes = active & (uint32_t)members[t], set = ballot(predicates + first, lanes);                         \
      results[t] = (int32_t)(expression);                                                                              \
    })                                                                                                                 \
  }

VOTE(all, set == lanes)
VOTE(any, set != 0)
VOTE(eq, set == 0 || set == lanes)
VOTE(ballot, set &lanes)

#define MATCH(name, type, same_lanes, expression)                                                                      \
  static void pyarray_dev_##name##_block(pa_block *block, const uint8_t *mask, const int32_t *members,                 \
                                         const type *values, int32_t *results) {                                       \
    FOR_EACH_LANE(block, mask, {                                                                                       \
      uint32_t lanes = active & (uint32_t)members[t], same = same_lanes(values + first, lanes, lane);                  \
      results[t] = (int32_t)(expression);                                                                              \
    })                                                                                                                 \
  }

MATCH(match_any_i32, int32_t, same_lanes_i32, same)
MATCH(match_any_i64, int64_t, same_lanes_i64, same)
MATCH(match_byte_i32, int32_t, same_lanes_i32, same)
MATCH(match_all_i32, int32_t, same_lanes_i32, same == lanes ? lanes : 0)
MATCH(match_all_i64, int64_t, same_lanes_i64, same == lanes ? lanes : 0)

//===-- Reductions --------------------------------------------------------------------------------===//

static int32_t reduced(const int32_t *values, uint32_t lanes, int32_t operation) {
  int first = __builtin_ctz(lanes);
  int32_t total = values[first];
  for (int lane = first + 1; lane < WARP; ++lane)
    if (has_lane(lanes, lane)) total = pa_redux_combine(operation, total, values[lane]);
  return total;
}

// Lanes with the same members have the same result.
static void pyarray_dev_redux_i32_block(pa_block *block, const uint8_t *mask, const int32_t *members,
                                        const int32_t *values, const int32_t *operations, int32_t *results) {
  int64_t warp = -1;
  uint32_t known = 0;
  int32_t total = 0;
  FOR_EACH_LANE(block, mask, {
    uint32_t lanes = (active & (uint32_t)members[t]) | UINT32_C(1) << lane;
    if (lanes != known || first != warp) total = reduced(values + first, lanes, operations[t]);
    known = lanes, warp = first;
    results[t] = total;
  })
}

//===-- Facts of the warp -------------------------------------------------------------------------===//

static void pyarray_dev_activemask_block(pa_block *block, const uint8_t *mask, int32_t *results) {
  FOR_EACH_LANE(block, mask, { results[t] = (int32_t)active; })
}

// The threads are at the same place already.
static void pyarray_dev_syncwarp_block(pa_block *block, const uint8_t *mask, const int32_t *members) {
  (void)block, (void)mask, (void)members;
}

//===-- Blocks ------------------------------------------------------------------------------------===//

static int32_t pyarray_dev_syncthreads_count_block(pa_block *block, const uint8_t *mask, const int32_t *predicates) {
  int32_t count = 0;
  for (int64_t t = 0, threads = thread_count(block); t < threads; ++t) count += is_active(mask, t) && predicates[t];
  return count;
}

static int32_t pyarray_dev_syncthreads_and_block(pa_block *block, const uint8_t *mask, const int32_t *predicates) {
  for (int64_t t = 0, threads = thread_count(block); t < threads; ++t)
    if (is_active(mask, t) && !predicates[t]) return 0;
  return 1;
}

static int32_t pyarray_dev_syncthreads_or_block(pa_block *block, const uint8_t *mask, const int32_t *predicates) {
  return pyarray_dev_syncthreads_count_block(block, mask, predicates) != 0;
}

void pyarray_rt_block_missing(pa_block *block, const int32_t *absent, int64_t thread) {
  int64_t x = thread % block->block[0], row = thread / block->block[0];
  pyarray_rt_raise_values(absent[thread] - 1, x, row % block->block[1], row / block->block[1]);
  block->thread = thread;
}

int32_t pyarray_rt_block_barrier(pa_block *block, const uint8_t *mask, const uint8_t *required, int32_t *absent,
                                 int32_t site) {
  for (int64_t t = 0, threads = thread_count(block); t < threads; ++t) {
    if (is_active(mask, t) && absent[t]) return pyarray_rt_block_missing(block, absent, t), 1;
    if (!is_active(mask, t) && is_active(required, t) && !absent[t]) absent[t] = site + 1;
  }
  return 0;
}

int32_t pyarray_rt_block_whole(pa_block *block, const uint8_t *mask, int32_t site) {
  for (int64_t t = 0, threads = thread_count(block); t < threads; ++t) {
    if (is_active(mask, t)) continue;
    int64_t row = t / block->block[0];
    pyarray_rt_raise_values(site, t % block->block[0], row % block->block[1], row / block->block[1]);
    block->thread = t;
    return 1;
  }
  return 0;
}

//===-- Names -------------------------------------------------------------------------------------===//

#define NAME_PURE(name) {#name, (void *)(uintptr_t)&name},
#define NAME_EFFECT(name) NAME_PURE(name)
#define NAME_VALUE(name) // gone from compiled code
#define NAME_WARP(name) {#name "_block", (void *)(uintptr_t)&name##_block},
#define NAME_BLOCK(name) NAME_WARP(name)
#define NAME_GRID(name) // pyarray_rt_grid_barrier
#define NAME_CLUSTER(name)
#define PA_DEVICE(name, result, parameters, kind) NAME_##kind(name)
static const struct {
  const char *name;
  void *address;
} functions[] = {
#include "../../device/device.def"
    NAME_PURE(pyarray_rt_block_barrier) NAME_PURE(pyarray_rt_block_missing) NAME_PURE(pyarray_rt_block_whole)
        NAME_PURE(pyarray_rt_grid_barrier) NAME_PURE(pyarray_rt_cluster_barrier) NAME_PURE(pyarray_rt_race_access)
            NAME_PURE(pyarray_rt_race_barrier) NAME_PURE(pyarray_rt_race_warp) NAME_PURE(pyarray_rt_linked_call)
                NAME_PURE(pyarray_rt_linked_failure) NAME_PURE(pyarray_rt_linked_stack)
                    NAME_PURE(pyarray_rt_linked_abort) NAME_PURE(pyarray_rt_linked_assert)};
#undef PA_DEVICE

void *pa_lockstep_lookup(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (strcmp(functions[i].name, name) == 0) return functions[i].address;
  return NULL;
}
