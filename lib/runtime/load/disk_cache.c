// Layout of the directory:
//   3f/3fa0...c1.pac       entries: a file_header, then the payload
//   3f/3fa0...c1.XXXXXX    being written; renamed when complete, removed when found an hour old
//   usage                  one byte per 4 KiB stored since the last eviction, so its size estimates the whole;
//                          appending is atomic between processes, and no store has to walk the directory
// Nothing that does not match these names is ever touched.
#include "disk_cache_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FORMAT_VERSION = 1, TOUCH_SECONDS = 3600 };
static const int64_t default_limit = (int64_t)512 << 20;

typedef struct file_header {
  char magic[8];
  uint32_t version;
  uint32_t reserved;
  uint64_t size; // of the payload
  pa_cache_key key;
  pa_cache_key checksum;
} file_header;

_Static_assert(sizeof(file_header) == 56, "the header has no padding to leak");

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
  return is_set(home) && *home == '/' && snprintf(out_home, PA_CACHE_PATH_SIZE, "%s", home) < PA_CACHE_PATH_SIZE;
}

static bool join(const char *first, const char *second, char *out_path) {
  return snprintf(out_path, PA_CACHE_DIRECTORY_SIZE, "%s%s", first, second) < PA_CACHE_DIRECTORY_SIZE;
}

// The directory wished for, absolute, so that a later chdir changes nothing.
static bool choose_directory(char *out_path) {
  const char *named = secure_getenv("PYARRAY_CACHE_DIR"), *base = secure_getenv("XDG_CACHE_HOME");
  char start[PA_CACHE_PATH_SIZE];
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

enum { NAME_SIZE = PA_CACHE_KEY_DIGITS + 8 }; // of an entry, or one that is written

static void entry_name(const pa_cache_key *key, const char *ending, char *out_name) {
  char digits[PA_CACHE_KEY_DIGITS + 1];
  for (size_t i = 0; i < sizeof key->bytes; ++i) snprintf(digits + 2 * i, 3, "%02x", key->bytes[i]);
  snprintf(out_name, NAME_SIZE, "%s%s", digits, ending);
}

int pa_cache_open_shard(const pa_cache *cache, const char *name, bool make) {
  char path[PA_CACHE_PATH_SIZE];
  snprintf(path, sizeof path, "%s/%.2s", cache->directory, name);
  if (make) mkdir(path, 0700); // where it is there already, opening it tells
  int shard = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat state;
  if (shard < 0 || (!fstat(shard, &state) && state.st_uid == geteuid() && !(state.st_mode & (S_IWGRP | S_IWOTH))))
    return shard;
  close(shard);
  return -1;
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
  entry_name(key, pa_cache_suffix, name);
  int shard = pa_cache_open_shard(cache, name, false);
  bool hit = shard >= 0 && load(shard, name, key, out_bytes, out_size);
  if (shard >= 0) close(shard);
  count(hit ? &cache->hits : &cache->misses);
  return hit;
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
  entry_name(key, pa_cache_suffix, name);
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
  entry_name(key, pa_cache_suffix, name);
  int shard = pa_cache_open_shard(cache, name, true);
  if (shard < 0) return false;
  bool stored = store_in(shard, key, bytes, size);
  close(shard);
  return stored;
}

bool pa_cache_store(pa_cache *cache, const pa_cache_key *key, const void *bytes, size_t size) {
  if (!cache->enabled || size > (uint64_t)cache->limit - sizeof(file_header)) return false;
  if (!store(cache, key, bytes, size)) return false;
  count(&cache->stored);
  pa_cache_account(cache, (int64_t)(size + sizeof(file_header)));
  return true;
}
