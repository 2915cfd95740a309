// The content-addressed disk cache: 128-bit keys to blobs, shared by all processes of a user.
//
// Never a source of errors: what cannot be read is a miss, what cannot be written is not kept. A damaged, truncated or
// foreign-owned entry is removed and reported as a miss. All functions are thread-safe and fork-safe.
//
// Directory: PYARRAY_CACHE_DIR, else $XDG_CACHE_HOME/pyarray, else ~/.cache/pyarray; made with mode 0700, and refused
// when it belongs to another user or others may write to it. Size limit: PYARRAY_CACHE_SIZE, bytes or with suffix K, M
// or G, 512M by default, 0 turns the cache off.
#ifndef PYARRAY_LIB_RUNTIME_DISK_CACHE_H
#define PYARRAY_LIB_RUNTIME_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pa_cache pa_cache;

typedef struct pa_cache_key {
  unsigned char bytes[16];
} pa_cache_key;

typedef struct pa_cache_info {
  bool enabled;
  const char *directory;        // absolute, borrowed from the cache; "" where there is none
  const char *reason;           // why it is disabled, borrowed; "" when it is enabled
  int64_t limit;                // bytes
  int64_t entries, bytes;       // on disk now
  int64_t hits, misses, stored; // of this pa_cache
} pa_cache_info;

// XXH3-128 of |bytes|.
pa_cache_key pa_cache_key_of(const void *bytes, size_t size);

// Reads the environment and makes the directory. Never NULL: where nothing is usable the cache is disabled.
pa_cache *pa_cache_open(void);
void pa_cache_close(pa_cache *cache); // NULL is allowed

// True on a hit; the caller then frees |*out_bytes| by free().
bool pa_cache_load(pa_cache *cache, const pa_cache_key *key, void **out_bytes, size_t *out_size);

// True if the entry is on disk now. Replaces an entry with the same key. May remove least recently used ones.
bool pa_cache_store(pa_cache *cache, const pa_cache_key *key, const void *bytes, size_t size);

// Where it is, borrowed; NULL where it is disabled.
const char *pa_cache_directory(const pa_cache *cache);

// Walks the whole directory.
pa_cache_info pa_cache_info_now(pa_cache *cache);

// Removes every entry; returns how many there were.
int64_t pa_cache_clear(pa_cache *cache);

#endif // PYARRAY_LIB_RUNTIME_DISK_CACHE_H
