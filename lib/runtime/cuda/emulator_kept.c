// Memory of emulated devices that the host sees as its own, such as NumPy by DLPack: it stays for whoever holds it when
// a reset or close has freed it, since nobody can refuse a use of it there.
#include "emulator_internal.h"

#include <stdlib.h>

typedef struct kept {
  struct kept *next;
  object object;
  size_t count; // of those who hold it
  bool is_freed;
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept *all;

// The one that holds an address, which has no other allocation as long as it is kept; NULL: none.
static kept **find_locked(uintptr_t address) {
  for (kept **at = &all; *at; at = &(*at)->next)
    if (address >= (*at)->object.address && address - (*at)->object.address < (*at)->object.bytes) return at;
  return NULL;
}

bool pa_emulator_keep(uint64_t address) {
  object object;
  if (!pa_emulated_find((uintptr_t)address, 1, DEVICE_MEMORY | MANAGED_MEMORY, &object)) return false;
  pthread_mutex_lock(&lock);
  kept **found = find_locked((uintptr_t)address), *item = found ? *found : calloc(1, sizeof *item);
  if (item && !found) {
    item->object = object;
    item->next = all;
    all = item;
  }
  if (item) ++item->count;
  pthread_mutex_unlock(&lock);
  return item;
}

void pa_emulator_release(uint64_t address) {
  pthread_mutex_lock(&lock);
  kept **found = find_locked((uintptr_t)address), *item = found ? *found : NULL;
  bool is_last = item && --item->count == 0;
  if (is_last) *found = item->next;
  pthread_mutex_unlock(&lock);
  if (!is_last) return;
  if (item->is_freed) pa_emulated_free_memory(&item->object);
  free(item);
}

bool pa_emulated_keeps(const object *object) {
  pthread_mutex_lock(&lock);
  kept **found = all && object->kind & (DEVICE_MEMORY | MANAGED_MEMORY) ? find_locked(object->address) : NULL;
  if (found) {
    (*found)->object = *object;
    (*found)->is_freed = true;
  }
  pthread_mutex_unlock(&lock);
  return found;
}
