// A hash map from addresses to addresses, in arena memory. Zero-initialised is a valid empty map.
#ifndef PYARRAY_LIB_SUPPORT_MAP_H
#define PYARRAY_LIB_SUPPORT_MAP_H

#include "support.h"

typedef struct pa_map {
  struct pa_map_entry {
    const void *key;
    void *value;
  } *entries;
  size_t count, capacity;
} pa_map;

void *pa_map_get(const pa_map *map, const void *key);                        // NULL where there is none
void pa_map_put(pa_arena *arena, pa_map *map, const void *key, void *value); // |key| is not NULL
const void *pa_map_pair(const void *a,
                        const void *b); // a key for both; other pairs may have it, so compare what is found

#endif // PYARRAY_LIB_SUPPORT_MAP_H
