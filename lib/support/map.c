#include "map.h"

static struct pa_map_entry *map_entry(const pa_map *map, const void *key) {
  size_t mask = map->capacity - 1;
  size_t at = ((uintptr_t)key >> 3) * 0x9E3779B97F4A7C15u >> 24;
  while (map->entries[at & mask].key && map->entries[at & mask].key != key) ++at;
  return &map->entries[at & mask];
}

void *pa_map_get(const pa_map *map, const void *key) { return map->capacity ? map_entry(map, key)->value : NULL; }

static void grow_map(pa_arena *arena, pa_map *map) {
  pa_map old = *map;
  map->capacity = old.capacity ? 2 * old.capacity : 64;
  map->entries = PA_NEW_ARRAY(arena, struct pa_map_entry, map->capacity);
  for (size_t i = 0; i < old.capacity; ++i)
    if (old.entries[i].key) *map_entry(map, old.entries[i].key) = old.entries[i];
}

const void *pa_map_pair(const void *a, const void *b) {
  uintptr_t mixed = ((uintptr_t)a >> 3) * 0x9E3779B97F4A7C15u ^ (uintptr_t)b;
  return (const void *)(mixed ? mixed : 1);
}

void pa_map_put(pa_arena *arena, pa_map *map, const void *key, void *value) {
  if (2 * (map->count + 1) > map->capacity) grow_map(arena, map);
  struct pa_map_entry *entry = map_entry(map, key);
  if (!entry->key) ++map->count;
  *entry = (struct pa_map_entry){key, value};
}
