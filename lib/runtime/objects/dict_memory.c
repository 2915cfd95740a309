// Memory of dicts and sets. A few blocks that are freed stay for the next dict: the system takes back large ones at
// once, and pages that it gives anew cost more than what is done with them.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "dict_lookup.h"

enum { SLOTS = 6, LEAST = 32 << 10, MOST = 1 << 20, WASTE = 4 };

static void *kept[SLOTS]; // exchanged atomically: any thread may take any of them

static void *exchange(int slot, void *block) { return __atomic_exchange_n(&kept[slot], block, __ATOMIC_ACQ_REL); }

static bool fits(void *block, size_t bytes) {
  size_t size = malloc_usable_size(block);
  return size >= bytes && size <= bytes * WASTE;
}

void *pa_dict_take(size_t bytes) {
  for (int slot = 0; slot < SLOTS && bytes >= LEAST && bytes <= MOST; ++slot) {
    if (!__atomic_load_n(&kept[slot], __ATOMIC_RELAXED)) continue;
    void *block = exchange(slot, NULL);
    if (block && fits(block, bytes)) return block;
    free(block ? exchange(slot, block) : NULL);
  }
  return malloc(bytes);
}

void pa_dict_give(void *block) {
  size_t size = block ? malloc_usable_size(block) : 0;
  for (int slot = 0; slot < SLOTS && size >= LEAST && size <= MOST; ++slot) {
    if (__atomic_load_n(&kept[slot], __ATOMIC_RELAXED)) continue;
    block = exchange(slot, block);
    if (!block) return;
  }
  free(block);
}

void *pa_dict_grow(void *block, size_t used, size_t bytes) {
  if (bytes < LEAST) return realloc(block, bytes);
  void *grown = pa_dict_take(bytes);
  if (!grown) return NULL;
  if (used) memcpy(grown, block, used);
  pa_dict_give(block);
  return grown;
}
