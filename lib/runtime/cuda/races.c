// Race mode of kernels on the CPU: every access is compared with those before it of the same memory.
//
// Two accesses are ordered if one thread makes both, or if threads of one block make them with a barrier between (of
// one warp: with a syncwarp; of one cluster: with a barrier of the cluster). What was before a barrier of the grid is
// forgotten. Others conflict, unless both are reads or both are atomic. Shadow memory is a hash table with a cell for
// each word of 4 bytes, and one for each of its bytes where accesses are smaller.
//
// A cell keeps no list of accesses. Of writes the latest is enough, since those before it were ordered. Of reads, and
// of atomics: the latest, the latest of another block than that one's, and the latest of another thread of the same
// block and since the same barrier. Any later access that conflicts with some read conflicts with one of these three,
// but for reads by lanes of one warp.
#include "races.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime.h"

enum { WORD = 4, WARP = 32, FIRST_CAPACITY = 1024 };

typedef struct access {
  uint32_t block;           // linear index + 1; 0: none
  uint32_t barrier;         // barriers that the block had passed, and
  uint32_t warp;            // the same with syncwarp
  uint32_t cluster;         // its number, and
  uint32_t cluster_barrier; // barriers that the cluster had passed
  uint32_t line;
  int32_t thread;
} access;

typedef struct several {
  access latest, other_block, other_thread;
} several;

typedef struct cell {
  access write;
  several reads, atomics;
} cell;

typedef struct entry {
  uintptr_t word; // address / WORD; 0: free
  cell whole;
  cell *bytes; // WORD of them; NULL: none accessed by itself
} entry;

typedef struct table {
  entry *entries;
  size_t count, capacity; // a power of two
} table;

struct pa_races {
  table shared, global;
  pa_block *block;
  size_t scratch_bytes;
  bool interleaved; // blocks run by turns, each with memory of its own, which others may reach
  access now;       // |thread| and |line| are filled in for each access
};

static __thread pa_races *current;

//===-- Tables ------------------------------------------------------------------------------------===//

static void clear(table *table) {
  for (size_t i = 0; i < table->capacity; ++i) free(table->entries[i].bytes);
  free(table->entries);
  *table = (struct table){0};
}

static size_t hash(uintptr_t word) { return (size_t)((uint64_t)word * UINT64_C(0x9E3779B97F4A7C15) >> 20); }

// The entry of |word|, or a free one.
static entry *probe(const table *table, uintptr_t word) {
  size_t at = hash(word);
  for (;; ++at) {
    entry *entry = &table->entries[at & (table->capacity - 1)];
    if (!entry->word || entry->word == word) return entry;
  }
}

static bool grow(table *old) {
  table new = {.count = old->count, .capacity = old->capacity ? 2 * old->capacity : FIRST_CAPACITY};
  new.entries = calloc(new.capacity, sizeof *new.entries);
  if (!new.entries) return false;
  for (size_t i = 0; i < old->capacity; ++i)
    if (old->entries[i].word) *probe(&new, old->entries[i].word) = old->entries[i];
  free(old->entries);
  *old = new;
  return true;
}

// NULL where memory is short: then the word is not watched.
static entry *entry_of(table *table, uintptr_t word) {
  if (2 * table->count >= table->capacity && !grow(table)) return NULL;
  entry *entry = probe(table, word);
  if (!entry->word) {
    entry->word = word;
    ++table->count;
  }
  return entry;
}

//===-- Order -------------------------------------------------------------------------------------===//

static bool conflicts(const access *before, const access *now) {
  if (!before->block) return false;
  if (before->block != now->block)
    return before->cluster != now->cluster || before->cluster_barrier == now->cluster_barrier;
  if (before->thread == now->thread || before->barrier != now->barrier) return false;
  return before->thread / WARP != now->thread / WARP || before->warp == now->warp;
}

static const access *conflict_of_several(const several *before, const access *now) {
  const access *each[] = {&before->latest, &before->other_block, &before->other_thread};
  for (size_t i = 0; i < sizeof each / sizeof *each; ++i)
    if (conflicts(each[i], now)) return each[i];
  return NULL;
}

static void keep(several *before, const access *now) {
  if (before->latest.block && before->latest.block != now->block) {
    before->other_block = before->latest;
    before->other_thread = (access){0};
  } else if (before->latest.barrier != now->barrier) {
    before->other_thread = (access){0};
  } else if (before->latest.block && before->latest.thread != now->thread) {
    before->other_thread = before->latest;
  }
  before->latest = *now;
}

// The access that conflicts with this one, and its kind; NULL: none.
static const access *find_conflict(const cell *cell, const access *now, pa_race_kind kind, pa_race_kind *out_kind) {
  *out_kind = PA_RACE_WRITE;
  if (conflicts(&cell->write, now)) return &cell->write;
  *out_kind = PA_RACE_ATOMIC;
  const access *found = kind == PA_RACE_ATOMIC ? NULL : conflict_of_several(&cell->atomics, now);
  if (found) return found;
  *out_kind = PA_RACE_READ;
  return kind == PA_RACE_READ ? NULL : conflict_of_several(&cell->reads, now);
}

static void note(cell *cell, const access *now, pa_race_kind kind) {
  if (kind == PA_RACE_WRITE)
    cell->write = *now;
  else
    keep(kind == PA_RACE_READ ? &cell->reads : &cell->atomics, now);
}

//===-- Accesses ----------------------------------------------------------------------------------===//

static void unfold(int64_t index, const int64_t extents[3], int64_t out[3]) {
  out[0] = index % extents[0];
  out[1] = index / extents[0] % extents[1];
  out[2] = index / extents[0] / extents[1];
}

static int32_t raise(const pa_block *block, const access *other, pa_race_kind kind, int32_t site) {
  int64_t values[7];
  unfold(other->thread, block->block, values);
  unfold((int64_t)other->block - 1, block->grid, values + 3);
  values[6] = other->line;
  pyarray_rt_raise_many(site + (int32_t)kind, (int64_t)(uintptr_t)values, 7);
  return 1;
}

// Checks and notes an access of the bytes [first, end) of a word.
static const access *access_word(pa_races *races, entry *entry, int first, int end, pa_race_kind kind,
                                 pa_race_kind *out_kind) {
  bool whole = first == 0 && end == WORD;
  const access *found = find_conflict(&entry->whole, &races->now, kind, out_kind);
  if (!whole && !entry->bytes) entry->bytes = calloc(WORD, sizeof *entry->bytes);
  for (int i = first; i < end && !found && entry->bytes; ++i) {
    found = find_conflict(&entry->bytes[i], &races->now, kind, out_kind);
    if (!found && !whole) note(&entry->bytes[i], &races->now, kind);
  }
  if (!found && whole) note(&entry->whole, &races->now, kind);
  return found;
}

int32_t pyarray_rt_race_access(int64_t address, int64_t bytes, int32_t kind, int32_t line, int32_t site) {
  pa_races *races = current;
  if (!races) return 0;
  uintptr_t at = (uintptr_t)address, end = at + (uintptr_t)bytes;
  const pa_block *block = races->block;
  if (at - (uintptr_t)block->scratch < races->scratch_bytes) return 0;
  bool shared = !races->interleaved && at - (uintptr_t)block->shared < (uintptr_t)block->shared_bytes;
  races->now.thread = (int32_t)block->thread;
  races->now.line = (uint32_t)line;
  while (at < end) {
    uintptr_t next = (at / WORD + 1) * WORD;
    if (next > end) next = end;
    entry *entry = entry_of(shared ? &races->shared : &races->global, at / WORD);
    pa_race_kind other;
    const access *found =
        entry ? access_word(races, entry, (int)(at % WORD), (int)(next - at / WORD * WORD), (pa_race_kind)kind, &other)
              : NULL;
    if (found) return raise(block, found, other, site);
    at = next;
  }
  return 0;
}

void pyarray_rt_race_barrier(void) {
  if (current) ++current->now.barrier;
}

void pyarray_rt_race_warp(void) {
  if (current) ++current->now.warp;
}

//===-- Launches ----------------------------------------------------------------------------------===//

pa_races *pa_races_begin(void) {
  current = calloc(1, sizeof *current);
  return current;
}

static uint32_t number_of(const pa_block *block) {
  return (uint32_t)(block->index[0] + block->grid[0] * (block->index[1] + block->grid[1] * block->index[2])) + 1;
}

void pa_races_block(pa_races *races, pa_block *block, size_t scratch_bytes) {
  clear(&races->shared);
  races->block = block;
  races->scratch_bytes = scratch_bytes;
  races->now = (access){.block = number_of(block), .cluster = number_of(block)};
}

// A block that goes on has passed a barrier: counting goes on over all blocks, since only equality counts.
void pa_races_resume(pa_races *races, pa_block *block, size_t scratch_bytes, uint32_t cluster,
                     uint32_t cluster_barrier) {
  races->interleaved = true;
  races->block = block;
  races->scratch_bytes = scratch_bytes;
  races->now = (access){.block = number_of(block),
                        .barrier = races->now.barrier + 1,
                        .warp = races->now.warp,
                        .cluster = cluster,
                        .cluster_barrier = cluster_barrier};
}

void pa_races_grid_barrier(pa_races *races) { clear(&races->global); }

void pa_races_end(pa_races *races) {
  clear(&races->shared);
  clear(&races->global);
  free(races);
  current = NULL;
}
