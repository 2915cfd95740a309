// Large blocks of memory. A few that are freed stay for what comes next: the system takes back large ones at once, and
// pages that it gives anew cost more than what is done with them.
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "spare_blocks.h"

enum { SLOTS = 8, WASTE = 4 };

// In bytes: which blocks stay, and how much of them, about as much as malloc keeps.
static const size_t small = 1 << 10, most_small = 4 << 10, least = 32 << 10, most = 16 << 20, most_together = 64 << 20;

// Exchanged atomically: any thread may take any of them, and one that a fork has not copied holds no lock.
static void *kept[SLOTS];
static size_t together;

static void *exchange(int slot, void *block) {
  size_t in = block ? malloc_usable_size(block) : 0; // before it may be another's
  void *before = __atomic_exchange_n(&kept[slot], block, __ATOMIC_ACQ_REL);
  size_t out = before ? malloc_usable_size(before) : 0;
  __atomic_add_fetch(&together, in - out, __ATOMIC_RELAXED);
  return before;
}

static bool fits(void *block, size_t bytes) {
  size_t size = malloc_usable_size(block);
  return size >= bytes && size <= bytes * WASTE;
}

void *pa_block_take(size_t bytes) {
  if (PA_KEEP_BLOCKS && bytes > small && bytes <= most_small) return pa_small_block_take(bytes);
  for (int slot = 0; slot < SLOTS && PA_KEEP_BLOCKS && bytes >= least && bytes <= most; ++slot) {
    if (!__atomic_load_n(&kept[slot], __ATOMIC_RELAXED)) continue;
    void *block = exchange(slot, NULL);
    if (block && fits(block, bytes)) return block;
    free(block ? exchange(slot, block) : NULL);
  }
  return malloc(bytes);
}

// The block itself where no slot is free, or too much is kept already.
static void *keep(void *block, size_t size) {
  for (int slot = 0; slot < SLOTS && __atomic_load_n(&together, __ATOMIC_RELAXED) + size <= most_together; ++slot) {
    if (__atomic_load_n(&kept[slot], __ATOMIC_RELAXED)) continue;
    block = exchange(slot, block);
    if (!block) break;
  }
  return block;
}

// What was freed last is what comes next, most likely: others give way, one after the other.
void pa_block_give(void *block) {
  static unsigned next;
  size_t size = block && PA_KEEP_BLOCKS ? malloc_usable_size(block) : 0;
  if (size > small && size <= most_small + 64 && pa_small_block_give(block, size)) return;
  for (int turn = 0; turn < SLOTS && size >= least && size <= most; ++turn) {
    block = keep(block, size);
    if (!block) return;
    size = malloc_usable_size(block);
    free(exchange((int)(__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % SLOTS), NULL));
  }
  free(block);
}

void *pa_block_grow(void *block, size_t used, size_t bytes) {
  if (bytes < least) return realloc(block, bytes);
  void *grown = pa_block_take(bytes);
  if (!grown) return NULL;
  if (used) memcpy(grown, block, used);
  pa_block_give(block);
  return grown;
}
