// Launches whose blocks wait for each other on emulated devices.
//
// Each block is a fiber, which yields where it waits. A team is a cluster, or a block alone: one thread of the host
// runs its blocks in turn, until all have ended or wait for the grid; teams are shared out over the cores. Then all
// that wait for the grid go on. So a barrier costs no thread of the host, and as many blocks may wait as fit on a
// device.
//
// A barrier that not all blocks reach is an error, where a GPU would hang. Blocks that have ended are not waited for by
// their clusters, as on a GPU.
#include <stdlib.h>
#include <string.h>

#include "../runtime.h"
#include "emulator_launch.h"
#include "fiber.h"

typedef enum block_state { READY, AT_CLUSTER, AT_GRID, DONE } block_state;

typedef struct member {
  pa_block block; // first: barriers are told by it which member they stop
  const emulated_launch *launch;
  int64_t index;   // linear, in the grid
  pa_fiber *fiber; // NULL: not begun, or ended
  block_state state;
  int32_t site; // of the barrier where it waits
} member;

typedef struct team {
  member *members; // NULL: not begun, or ended
  workspace *space;
  int64_t number;    // of the cluster
  uint32_t barriers; // of the cluster, that its blocks have passed
} team;

typedef struct teams {
  emulated_launch *launch;
  team *all;           // NULL where each is done with before the next one begins
  int64_t count, size; // teams; blocks of each
} teams;

//===-- Teams -------------------------------------------------------------------------------------===//

// Clusters are numbered as blocks are, x first, and so are blocks within them.
static int64_t index_of_block(const emulated_launch *launch, int64_t cluster, int64_t rank) {
  int64_t clusters[3], first[3], place[3];
  for (int i = 0; i < 3; ++i) clusters[i] = launch->grid[i] / launch->cluster[i];
  pa_emulated_unfold(cluster, clusters, first);
  pa_emulated_unfold(rank, launch->cluster, place);
  for (int i = 0; i < 3; ++i) place[i] += first[i] * launch->cluster[i];
  return place[0] + launch->grid[0] * (place[1] + launch->grid[1] * place[2]);
}

static void end_team(const teams *all, team *t) {
  for (int64_t i = 0; t->members && i < all->size; ++i) pa_fiber_free(t->members[i].fiber);
  pa_emulated_give_workspace(t->space);
  free(t->members);
  t->members = NULL;
  t->space = NULL;
}

// The shared memory of all blocks, one behind the other, and then their scratch memory.
static bool begin_team(const teams *all, team *t, int64_t number) {
  emulated_launch *launch = all->launch;
  size_t size = (size_t)all->size, shared = launch->shared_room;
  *t = (team){.members = calloc(size, sizeof *t->members),
              .space = pa_emulated_take_workspace(size * (shared + launch->scratch_bytes)),
              .number = number};
  if (!t->members || !t->space) {
    end_team(all, t);
    pa_emulated_out_of_memory(launch);
    return false;
  }
  for (size_t i = 0; i < size; ++i) {
    member *m = &t->members[i];
    m->launch = launch;
    m->index = index_of_block(launch, number, (int64_t)i);
    m->block = pa_emulated_block(launch, m->index);
    m->block.shared = t->space->memory + i * shared;
    m->block.scratch = t->space->memory + size * shared + i * launch->scratch_bytes;
  }
  return true;
}

static int64_t count_of(const teams *all, const team *t, block_state state) {
  int64_t count = 0;
  for (int64_t i = 0; i < all->size; ++i) count += t->members[i].state == state;
  return count;
}

static void replace(const teams *all, team *t, block_state state, block_state other) {
  for (int64_t i = 0; i < all->size; ++i)
    if (t->members[i].state == state) t->members[i].state = other;
}

static member *first_of(const teams *all, team *t, block_state state) {
  for (int64_t i = 0; i < all->size; ++i)
    if (t->members[i].state == state) return &t->members[i];
  return NULL;
}

//===-- Barriers ----------------------------------------------------------------------------------===//

static void wait_at(pa_block *block, int32_t site, block_state state) {
  member *m = (member *)block;
  m->site = site;
  m->state = state;
  pa_fiber_yield();
}

void pyarray_rt_grid_barrier(pa_block *block, int32_t site) { wait_at(block, site, AT_GRID); }
void pyarray_rt_cluster_barrier(pa_block *block, int32_t site) { wait_at(block, site, AT_CLUSTER); }

static void fail_barrier(emulated_launch *launch, member *waiting, const member *missing) {
  pyarray_rt_raise_values(waiting->site, missing->block.index[0], missing->block.index[1], missing->block.index[2]);
  waiting->block.thread = 0;
  pa_emulated_note_failure(launch, waiting->index, &waiting->block);
}

//===-- Running -----------------------------------------------------------------------------------===//

static int32_t run_member(void *context) {
  member *m = context;
  return m->launch->function->block(m->launch->params, &m->block);
}

// Until it waits or ends; false where it fails.
static bool resume(const teams *all, const team *t, member *m) {
  emulated_launch *launch = all->launch;
  int32_t result = 0;
  if (!m->fiber) m->fiber = pa_fiber_create(run_member, m);
  if (!m->fiber) {
    pa_emulated_out_of_memory(launch);
    return false;
  }
  if (launch->races) pa_races_resume(launch->races, &m->block, launch->scratch_bytes, (uint32_t)t->number, t->barriers);
  if (pa_fiber_resume(m->fiber, &result)) return true;
  pa_fiber_free(m->fiber);
  m->fiber = NULL;
  m->state = DONE;
  if (result) pa_emulated_note_failure(launch, m->index, &m->block);
  return !result;
}

// Until all its blocks have ended or wait for the grid; false where one fails.
static bool run_team(const teams *all, team *t) {
  for (;;) {
    for (int64_t i = 0; i < all->size; ++i)
      if (t->members[i].state == READY && (pa_emulated_is_stopped(all->launch) || !resume(all, t, &t->members[i])))
        return false;
    if (!count_of(all, t, AT_CLUSTER)) return true;
    const member *elsewhere = first_of(all, t, AT_GRID);
    if (elsewhere) {
      fail_barrier(all->launch, first_of(all, t, AT_CLUSTER), elsewhere);
      return false;
    }
    replace(all, t, AT_CLUSTER, READY);
    ++t->barriers;
  }
}

static int32_t run_part(void *context, int64_t begin, int64_t end, int64_t part) {
  (void)part;
  const teams *all = context;
  team own = {0};
  for (int64_t i = begin; i < end; ++i) {
    team *t = all->all ? &all->all[i] : &own;
    bool ok = (t->members || begin_team(all, t, i)) && run_team(all, t);
    if (!all->all) end_team(all, t);
    if (!ok) return 1;
  }
  return 0;
}

static bool run_all(teams *all) {
  int32_t failed = all->launch->races
                       ? run_part(all, 0, all->count, 0)
                       : pyarray_rt_parallel_for((int64_t)(uintptr_t)run_part, (int64_t)(uintptr_t)all, all->count, -1);
  if (failed) pa_raised_clear();
  return !failed;
}

// True where there are blocks that go on: all have come to a barrier of the grid.
static bool pass_grid_barrier(teams *all) {
  member *waiting = NULL, *missing = NULL;
  for (int64_t i = 0; i < all->count; ++i) {
    if (!waiting) waiting = first_of(all, &all->all[i], AT_GRID);
    if (!missing) missing = first_of(all, &all->all[i], DONE);
  }
  if (waiting && missing) fail_barrier(all->launch, waiting, missing);
  if (!waiting || missing) return false;
  for (int64_t i = 0; i < all->count; ++i) replace(all, &all->all[i], AT_GRID, READY);
  if (all->launch->races) pa_races_grid_barrier(all->launch->races);
  return true;
}

void pa_emulated_run_teams(emulated_launch *launch) {
  teams all = {.launch = launch, .size = pa_emulated_volume(launch->cluster)};
  all.count = pa_emulated_volume(launch->grid) / all.size;
  // In race mode memory that was one block's is never another's.
  bool together = launch->function->waits & PA_BLOCK_WAITS_FOR_GRID || launch->races;
  if (together) all.all = calloc((size_t)all.count, sizeof *all.all);
  if (together && !all.all)
    pa_emulated_out_of_memory(launch);
  else
    while (run_all(&all) && together && pass_grid_barrier(&all)) {
    }
  for (int64_t i = 0; all.all && i < all.count; ++i) end_team(&all, &all.all[i]);
  free(all.all);
}
