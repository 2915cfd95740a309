// How much the disk cache takes: walking its directory, evicting what was not used for longest, and clearing it.
// Layout: disk_cache.c.
#include "disk_cache_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { USAGE_UNIT = 4096, STALE_SECONDS = 3600 };

static size_t hex_digits(const char *name) { return strspn(name, "0123456789abcdef"); }

static bool is_entry_name(const char *name) {
  return hex_digits(name) == PA_CACHE_KEY_DIGITS && !strcmp(name + PA_CACHE_KEY_DIGITS, pa_cache_suffix);
}

static bool is_temporary_name(const char *name) {
  return hex_digits(name) == PA_CACHE_KEY_DIGITS && name[PA_CACHE_KEY_DIGITS] == '.' &&
         strlen(name) == PA_CACHE_KEY_DIGITS + 7;
}

//===-- Walking the directory ---------------------------------------------------------------------===//

typedef struct found_entry {
  struct timespec used;
  int64_t size;
  char name[PA_CACHE_KEY_DIGITS + sizeof pa_cache_suffix];
} found_entry;

typedef struct listing {
  found_entry *entries;
  size_t count, capacity;
  int64_t bytes;
} listing;

static void add_entry(listing *list, const char *name, const struct stat *state) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 256;
    found_entry *entries = realloc(list->entries, capacity * sizeof *entries);
    if (!entries) return; // an incomplete listing evicts less
    list->entries = entries;
    list->capacity = capacity;
  }
  found_entry *entry = &list->entries[list->count++];
  entry->used = state->st_mtim;
  entry->size = state->st_size;
  memcpy(entry->name, name, sizeof entry->name);
  list->bytes += state->st_size;
}

// Adds the entries of one shard, whose descriptor it closes; removes temporaries that a crashed writer left behind.
static void list_shard(int shard, listing *list) {
  DIR *stream = fdopendir(shard);
  if (!stream) {
    close(shard);
    return;
  }
  struct dirent *item;
  while ((item = readdir(stream))) {
    struct stat state;
    bool temporary = is_temporary_name(item->d_name);
    if (!temporary && !is_entry_name(item->d_name)) continue;
    if (fstatat(dirfd(stream), item->d_name, &state, AT_SYMLINK_NOFOLLOW) || !S_ISREG(state.st_mode)) continue;
    if (!temporary)
      add_entry(list, item->d_name, &state);
    else if (time(NULL) - state.st_mtime >= STALE_SECONDS)
      unlinkat(dirfd(stream), item->d_name, 0);
  }
  closedir(stream);
}

// The caller frees |entries|.
static listing list_entries(const pa_cache *cache) {
  listing list = {0};
  for (int i = 0; i < 256; ++i) {
    char name[3];
    snprintf(name, sizeof name, "%02x", i);
    int shard = pa_cache_open_shard(cache, name, false);
    if (shard >= 0) list_shard(shard, &list);
  }
  return list;
}

static bool remove_entry(const pa_cache *cache, const found_entry *entry) {
  int shard = pa_cache_open_shard(cache, entry->name, false);
  if (shard < 0) return false;
  bool removed = !unlinkat(shard, entry->name, 0);
  close(shard);
  return removed;
}

//===-- Eviction ----------------------------------------------------------------------------------===//

static int64_t usage_units(int64_t bytes) { return (bytes + USAGE_UNIT - 1) / USAGE_UNIT; }

static int open_usage(const pa_cache *cache) {
  char path[PA_CACHE_PATH_SIZE];
  snprintf(path, sizeof path, "%s/usage", cache->directory);
  return open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
}

static int older_first(const void *left, const void *right) {
  const struct timespec *a = &((const found_entry *)left)->used, *b = &((const found_entry *)right)->used;
  if (a->tv_sec != b->tv_sec) return a->tv_sec < b->tv_sec ? -1 : 1;
  return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

// Down to four fifths, so that the next walk is far away; then the estimate becomes exact again.
static void evict(const pa_cache *cache, int usage) {
  if (flock(usage, LOCK_EX | LOCK_NB)) return; // another process is at it
  listing list = list_entries(cache);
  if (list.bytes > cache->limit) {
    qsort(list.entries, list.count, sizeof *list.entries, older_first);
    int64_t aim = cache->limit / 5 * 4;
    for (size_t i = 0; i < list.count && list.bytes > aim; ++i)
      if (remove_entry(cache, &list.entries[i])) list.bytes -= list.entries[i].size;
  }
  free(list.entries);
  if (ftruncate(usage, usage_units(list.bytes))) return; // closing unlocks
}

static void append_usage(int usage, int64_t units) {
  static const char zeros[4096];
  while (units > 0) {
    ssize_t written = write(usage, zeros, units < (int64_t)sizeof zeros ? (size_t)units : sizeof zeros);
    if (written <= 0) return;
    units -= written;
  }
}

// An empty estimate is a new or a lost one: then only a walk tells.
void pa_cache_account(const pa_cache *cache, int64_t bytes) {
  int usage = open_usage(cache);
  struct stat state;
  if (usage < 0) return;
  if (!fstat(usage, &state) && S_ISREG(state.st_mode)) {
    append_usage(usage, usage_units(bytes));
    int64_t units = state.st_size + usage_units(bytes);
    if (!state.st_size || units > cache->limit / USAGE_UNIT) evict(cache, usage);
  }
  close(usage);
}

//===-- Information -------------------------------------------------------------------------------===//

const char *pa_cache_directory(const pa_cache *cache) { return cache->enabled ? cache->directory : NULL; }

pa_cache_info pa_cache_info_now(pa_cache *cache) {
  pa_cache_info info = {
      .enabled = cache->enabled,
      .directory = cache->directory,
      .reason = cache->reason,
      .limit = cache->limit,
      .hits = __atomic_load_n(&cache->hits, __ATOMIC_RELAXED),
      .misses = __atomic_load_n(&cache->misses, __ATOMIC_RELAXED),
      .stored = __atomic_load_n(&cache->stored, __ATOMIC_RELAXED),
  };
  if (!cache->enabled) return info;
  listing list = list_entries(cache);
  info.entries = (int64_t)list.count;
  info.bytes = list.bytes;
  free(list.entries);
  return info;
}

int64_t pa_cache_clear(pa_cache *cache) {
  int64_t removed = 0;
  if (!cache->enabled) return 0;
  listing list = list_entries(cache);
  for (size_t i = 0; i < list.count; ++i) removed += remove_entry(cache, &list.entries[i]);
  free(list.entries);
  int usage = open_usage(cache);
  if (usage >= 0) {
    if (ftruncate(usage, 0)) errno = 0; // then the estimate stays too high until the next eviction
    close(usage);
  }
  return removed;
}
