// What disk_cache.c (loading, storing) and disk_cache_space.c (the directory as a whole) share.
#ifndef PYARRAY_LIB_RUNTIME_DISK_CACHE_INTERNAL_H
#define PYARRAY_LIB_RUNTIME_DISK_CACHE_INTERNAL_H

#include "disk_cache.h"

#include <limits.h>

enum {
  PA_CACHE_PATH_SIZE = PATH_MAX,
  PA_CACHE_DIRECTORY_SIZE = PA_CACHE_PATH_SIZE - 64, // leaves room for the name of an entry
  PA_CACHE_KEY_DIGITS = 2 * sizeof(pa_cache_key),
};
static const char pa_cache_suffix[] = ".pac"; // of an entry

struct pa_cache {
  char directory[PA_CACHE_DIRECTORY_SIZE];
  char reason[PA_CACHE_PATH_SIZE + 64];
  int64_t limit;
  bool enabled;
  int64_t hits, misses, stored; // changed by atomic operations
};

// The folder of the entries whose names begin with the same two digits, or -1. All that is done in it goes by its
// descriptor: one that is a symbolic link, or belongs to another user, is none of ours, nor is what it leads to.
int pa_cache_open_shard(const pa_cache *cache, const char *name, bool make);

// That |bytes| were stored: evicts where that is more than the limit.
void pa_cache_account(const pa_cache *cache, int64_t bytes);

#endif // PYARRAY_LIB_RUNTIME_DISK_CACHE_INTERNAL_H
