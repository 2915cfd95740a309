// Layout of the directory:
//   3f/3fa0...c1.pac       entries: a file_header, then the payload
//   3f/3fa0...c1.XXXXXX    being written; renamed when complete, removed when found an hour old
//   usage                  one byte per 4 KiB stored since the last eviction, so its size estimates the whole:
//   appending
//                          is atomic between processes, and no store has to walk the directory
// Nothing that does not match these names is ever touched.
#include "disk_cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  FORMAT_VERSION = 1,
  USAGE_UNIT = 4096,
  TOUCH_SECONDS = 3600,
  STALE_SECONDS = 3600,
  PATH_SIZE = PATH_MAX,
  DIRECTORY_SIZE = PATH_SIZE - 64, // leaves room for the name of an entry
  KEY_DIGITS = 2 * sizeof(pa_cache_key),
};
static const int64_t default_limit = (int64_t)512 << 20;
static const char suffix[] = ".pac";

typedef struct file_header {
  char magic[8];
  uint32_t version;
  uint32_t reserved;
  uint64_t size; // of the payload
  pa_cache_key key;
  pa_cache_key checksum;
} file_header;

_Static_assert(sizeof(file_header) == 56, "the header has no padding to leak");

struct pa_cache {
  char directory[DIRECTORY_SIZE];
  char reason[PATH_SIZE + 64];
  int64_t limit;
  bool enabled;
  int64_t hits, misses, stored; // changed by atomic operations
};

static void count(int64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

pa_cache_key pa_cache_key_of(const void *bytes, size_t size) {
  XXH128_canonical_t canonical;
  pa_cache_key key;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
  memcpy(key.bytes, canonical.digest, sizeof key.bytes);
  return key;
}

//===-- Opening -----------------------------------------------------------------------------------===//

// "300M"; false where the text says nothing sensible.
static bool parse_size(const char *text, int64_t *out_size) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || errno || value < 0) return false;
  int shift = 0;
  switch (*end) {
  case 'k':
  case 'K': shift = 10; break;
  case 'm':
  case 'M': shift = 20; break;
  case 'g':
  case 'G': shift = 30; break;
  }
  if (shift) ++end;
  if (*end == 'B' || *end == 'b') ++end;
  if (*end || value > INT64_MAX >> shift) return false;
  *out_size = (int64_t)value << shift;
  return true;
}

static bool is_set(const char *value) { return value && *value; }

static bool find_home(char *out_home) {
  const char *home = secure_getenv("HOME");
  struct passwd record, *found = NULL;
  char scratch[4096];
  if (!is_set(home) && !getpwuid_r(geteuid(), &record, scratch, sizeof scratch, &found) && found) home = found->pw_dir;
  return is_set(home) && *home == '/' && snprintf(out_home, PATH_SIZE, "%s", home) < PATH_SIZE;
}

static bool join(const char *first, const char *second, char *out_path) {
  return snprintf(out_path, DIRECTORY_SIZE, "%s%s", first, second) < DIRECTORY_SIZE;
}

// The directory wished for, absolute, so that a later chdir changes nothing.
static bool choose_directory(char *out_path) {
  const char *named = secure_getenv("PYARRAY_CACHE_DIR"), *base = secure_getenv("XDG_CACHE_HOME");
  char start[PATH_SIZE];
  if (is_set(named) && *named == '/') return join(named, "", out_path);
  if (is_set(named)) return getcwd(start, sizeof start - 1) && join(strcat(start, "/"), named, out_path);
  if (is_set(base) && *base == '/') return join(base, "/pyarray", out_path);
  return find_home(start) && join(start, "/.cache/pyarray", out_path);
}

static bool make_directories(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700); // a failure shows in the last one
    *slash = '/';
  }
  return !mkdir(path, 0700) || errno == EEXIST;
}

static __attribute__((format(printf, 2, 3))) void disable(pa_cache *cache, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cache->reason, sizeof cache->reason, format, arguments);
  va_end(arguments);
  cache->enabled = false;
}

static void open_directory(pa_cache *cache) {
  const char *directory = cache->directory;
  struct stat state;
  if (!choose_directory(cache->directory)) {
    *cache->directory = '\0';
    disable(cache, "there is no usable directory name");
  } else if (!make_directories(cache->directory) || stat(directory, &state)) {
    disable(cache, "%s cannot be made: %s", directory, strerror(errno));
  } else if (!S_ISDIR(state.st_mode)) {
    disable(cache, "%s is no directory", directory);
  } else if (state.st_uid != geteuid()) {
    disable(cache, "%s belongs to another user", directory);
  } else if (state.st_mode & (S_IWGRP | S_IWOTH)) {
    disable(cache, "other users may write to %s; run chmod go-w on it", directory);
  }
}

static pa_cache without_memory = {.reason = "out of memory"};

pa_cache *pa_cache_open(void) {
  pa_cache *cache = calloc(1, sizeof *cache);
  if (!cache) return &without_memory;
  const char *limit = secure_getenv("PYARRAY_CACHE_SIZE");
  if (!is_set(limit) || !parse_size(limit, &cache->limit)) cache->limit = default_limit;
  cache->enabled = true;
  if (cache->limit)
    open_directory(cache);
  else
    disable(cache, "PYARRAY_CACHE_SIZE is 0");
  return cache;
}

void pa_cache_close(pa_cache *cache) {
  if (cache != &without_memory) free(cache);
}

//===-- Names -------------------------------------------------------------------------------------===//

enum { NAME_SIZE = KEY_DIGITS + 8 }; // of an entry, or one that is written

static void entry_name(const pa_cache_key *key, const char *ending, char *out_name) {
  char digits[KEY_DIGITS + 1];
  for (size_t i = 0; i < sizeof key->bytes; ++i) snprintf(digits + 2 * i, 3, "%02x", key->bytes[i]);
  snprintf(out_name, NAME_SIZE, "%s%s", digits, ending);
}

// The folder of the entries whose names begin with the same two digits, or -1. All that is done in it goes by its
// descriptor: one that is a symbolic link, or belongs to another user, is none of ours, nor is what it leads to.
static int open_shard(const pa_cache *cache, const char *name, bool make) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/%.2s", cache->directory, name);
  if (make) mkdir(path, 0700); // where it is there already, opening it tells
  int shard = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat state;
  if (shard < 0 || (!fstat(shard, &state) && state.st_uid == geteuid() && !(state.st_mode & (S_IWGRP | S_IWOTH))))
    return shard;
  close(shard);
  return -1;
}

static size_t hex_digits(const char *name) { return strspn(name, "0123456789abcdef"); }

static bool is_entry_name(const char *name) {
  return hex_digits(name) == KEY_DIGITS && !strcmp(name + KEY_DIGITS, suffix);
}

static bool is_temporary_name(const char *name) {
  return hex_digits(name) == KEY_DIGITS && name[KEY_DIGITS] == '.' && strlen(name) == KEY_DIGITS + 7;
}

//===-- Loading -----------------------------------------------------------------------------------===//

static bool read_exactly(int file, void *buffer, size_t size) {
  for (char *at = buffer; size;) {
    ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

static bool is_own_file(const struct stat *state) {
  return S_ISREG(state->st_mode) && state->st_uid == geteuid() && !(state->st_mode & (S_IWGRP | S_IWOTH));
}

static void set_magic(file_header *header) {
  memcpy(header->magic, "PYARRAY", sizeof header->magic);
  header->version = FORMAT_VERSION;
}

static bool header_matches(const file_header *header, const pa_cache_key *key, const struct stat *state) {
  file_header expected = {.size = (uint64_t)state->st_size - sizeof *header, .key = *key, .checksum = header->checksum};
  set_magic(&expected);
  return !memcmp(header, &expected, sizeof expected);
}

// The payload in memory of malloc, or NULL where anything about the file is wrong.
static void *read_entry(int file, const struct stat *state, const pa_cache_key *key, size_t *out_size) {
  file_header header;
  if (!is_own_file(state) || state->st_size < (off_t)sizeof header) return NULL;
  if (!read_exactly(file, &header, sizeof header) || !header_matches(&header, key, state)) return NULL;
  size_t size = (size_t)header.size;
  void *payload = malloc(size ? size : 1);
  if (!payload) return NULL;
  if (read_exactly(file, payload, size)) {
    pa_cache_key checksum = pa_cache_key_of(payload, size);
    if (!memcmp(&checksum, &header.checksum, sizeof checksum)) {
      *out_size = size;
      return payload;
    }
  }
  free(payload);
  return NULL;
}

// Eviction goes by modification time; once an hour is exact enough for it.
static void mark_used(int file, const struct stat *state) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (now.tv_sec - state->st_mtim.tv_sec > TOUCH_SECONDS) futimens(file, NULL);
}

// A writer may have replaced the damaged file in the meantime: only the very file that was read goes.
static void remove_damaged(int shard, const char *name, const struct stat *damaged) {
  struct stat now;
  if (!fstatat(shard, name, &now, AT_SYMLINK_NOFOLLOW) && now.st_ino == damaged->st_ino &&
      now.st_dev == damaged->st_dev)
    unlinkat(shard, name, 0);
}

static bool load(int shard, const char *name, const pa_cache_key *key, void **out_bytes, size_t *out_size) {
  int file = openat(shard, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); // a FIFO must not block
  struct stat state;
  if (file < 0) {
    if (errno == ELOOP) unlinkat(shard, name, 0); // a symbolic link was never ours
    return false;
  }
  void *payload = NULL;
  if (!fstat(file, &state)) {
    payload = read_entry(file, &state, key, out_size);
    if (payload)
      mark_used(file, &state);
    else
      remove_damaged(shard, name, &state);
  }
  close(file);
  if (payload) *out_bytes = payload;
  return payload != NULL;
}

bool pa_cache_load(pa_cache *cache, const pa_cache_key *key, void **out_bytes, size_t *out_size) {
  char name[NAME_SIZE];
  if (!cache->enabled) return false;
  entry_name(key, suffix, name);
  int shard = open_shard(cache, name, false);
  bool hit = shard >= 0 && load(shard, name, key, out_bytes, out_size);
  if (shard >= 0) close(shard);
  count(hit ? &cache->hits : &cache->misses);
  return hit;
}

//===-- Walking the directory ---------------------------------------------------------------------===//

typedef struct found_entry {
  struct timespec used;
  int64_t size;
  char name[KEY_DIGITS + sizeof suffix];
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
    int shard = open_shard(cache, name, false);
    if (shard >= 0) list_shard(shard, &list);
  }
  return list;
}

static bool remove_entry(const pa_cache *cache, const found_entry *entry) {
  int shard = open_shard(cache, entry->name, false);
  if (shard < 0) return false;
  bool removed = !unlinkat(shard, entry->name, 0);
  close(shard);
  return removed;
}

//===-- Eviction ----------------------------------------------------------------------------------===//

static int64_t usage_units(int64_t bytes) { return (bytes + USAGE_UNIT - 1) / USAGE_UNIT; }

static int open_usage(const pa_cache *cache) {
  char path[PATH_SIZE];
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
static void account(const pa_cache *cache, int64_t bytes) {
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

//===-- Storing -----------------------------------------------------------------------------------===//

static bool write_exactly(int file, const void *buffer, size_t size) {
  for (const char *at = buffer; size;) {
    ssize_t put = write(file, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    size -= (size_t)put;
  }
  return true;
}

// Another file for each writer; |*name| becomes its.
static int create_temporary(int shard, const pa_cache_key *key, char *out_name) {
  for (int tries = 0; tries < 8; ++tries) {
    uint32_t number;
    char ending[8];
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
      number = (uint32_t)getpid() + (uint32_t)tries;
    snprintf(ending, sizeof ending, ".%06x", number & 0xffffff);
    entry_name(key, ending, out_name);
    int file = openat(shard, out_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

static bool store_in(int shard, const pa_cache_key *key, const void *bytes, size_t size) {
  char name[NAME_SIZE], temporary[NAME_SIZE];
  file_header header = {.size = size, .key = *key, .checksum = pa_cache_key_of(bytes, size)};
  set_magic(&header);
  entry_name(key, suffix, name);
  int file = create_temporary(shard, key, temporary);
  if (file < 0) return false;
  bool written = write_exactly(file, &header, sizeof header) && write_exactly(file, bytes, size);
  if (close(file)) written = false;
  if (written && !renameat(shard, temporary, shard, name)) return true;
  unlinkat(shard, temporary, 0);
  return false;
}

static bool store(const pa_cache *cache, const pa_cache_key *key, const void *bytes, size_t size) {
  char name[NAME_SIZE];
  entry_name(key, suffix, name);
  int shard = open_shard(cache, name, true);
  if (shard < 0) return false;
  bool stored = store_in(shard, key, bytes, size);
  close(shard);
  return stored;
}

bool pa_cache_store(pa_cache *cache, const pa_cache_key *key, const void *bytes, size_t size) {
  if (!cache->enabled || size > (uint64_t)cache->limit - sizeof(file_header)) return false;
  if (!store(cache, key, bytes, size)) return false;
  count(&cache->stored);
  account(cache, (int64_t)(size + sizeof(file_header)));
  return true;
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
