// lib/runtime/load/disk_cache.c
#include "../../lib/runtime/load/disk_cache.h"
#include "test_runtime_check.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/pyarray-cache-XXXXXX";
static char path_storage[512];

static const char *inside(const char *name) {
  snprintf(path_storage, sizeof path_storage, "%s/%s", folder, name);
  return path_storage;
}

static pa_cache *open_in(const char *name) {
  setenv("PYARRAY_CACHE_DIR", inside(name), 1);
  return pa_cache_open();
}

static pa_cache_key key_of(int number) { return pa_cache_key_of(&number, sizeof number); }

// Where the entry of |key| lies in the directory |name|.
static const char *entry_of(const char *name, pa_cache_key key) {
  char digits[33];
  for (int i = 0; i < 16; ++i) snprintf(digits + 2 * i, 3, "%02x", key.bytes[i]);
  snprintf(path_storage, sizeof path_storage, "%s/%s/%.2s/%s.pac", folder, name, digits, digits);
  return path_storage;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static bool holds(pa_cache *cache, pa_cache_key key, const void *bytes, size_t size) {
  void *found = NULL;
  size_t found_size = 0;
  if (!pa_cache_load(cache, &key, &found, &found_size)) return false;
  bool same = found_size == size && !memcmp(found, bytes, size);
  free(found);
  return same;
}

static bool misses(pa_cache *cache, pa_cache_key key) {
  void *found = NULL;
  size_t size;
  bool hit = pa_cache_load(cache, &key, &found, &size);
  free(found);
  return !hit;
}

static void test_keys(void) {
  // XXH3_128bits of "" and of "abc", canonical: stable between versions and machines.
  static const unsigned char empty[16] = {0x99, 0xaa, 0x06, 0xd3, 0x01, 0x47, 0x98, 0xd8,
                                          0x60, 0x01, 0xc3, 0x24, 0x46, 0x8d, 0x49, 0x7f};
  pa_cache_key key = pa_cache_key_of("", 0);
  CHECK(!memcmp(key.bytes, empty, 16));
  pa_cache_key one = key_of(1), two = key_of(2);
  CHECK(memcmp(&one, &two, sizeof one));
}

static void test_store_and_load(void) {
  pa_cache *cache = open_in("plain/nested");
  CHECK(misses(cache, key_of(1)));
  CHECK(pa_cache_store(cache, &(pa_cache_key){{1}}, "", 0) && holds(cache, (pa_cache_key){{1}}, "", 0));
  pa_cache_key key = key_of(1);
  CHECK(pa_cache_store(cache, &key, "first", 5) && holds(cache, key, "first", 5));
  CHECK(pa_cache_store(cache, &key, "second", 6) && holds(cache, key, "second", 6));
  pa_cache_info info = pa_cache_info_now(cache);
  CHECK(info.enabled && info.entries == 2 && info.bytes == 2 * 56 + 6 && info.limit == (int64_t)512 << 20);
  CHECK(info.hits == 3 && info.misses == 1 && info.stored == 3 && !strcmp(info.directory, inside("plain/nested")));
  struct stat state;
  CHECK(!stat(inside("plain/nested"), &state) && (state.st_mode & 07777) == 0700);
  CHECK(!stat(entry_of("plain/nested", key), &state) && (state.st_mode & 07777) == 0600);
  pa_cache *other = open_in("plain/nested");
  CHECK(holds(other, key, "second", 6));
  CHECK(pa_cache_clear(other) == 2 && misses(cache, key) && pa_cache_info_now(cache).entries == 0);
  pa_cache_close(other);
  pa_cache_close(cache);
}

static void overwrite(const char *path, long offset, unsigned char flip) {
  FILE *file = fopen(path, "r+b");
  REQUIRE(file);
  fseek(file, offset, SEEK_SET);
  int byte = fgetc(file);
  fseek(file, offset, SEEK_SET);
  fputc(byte ^ flip, file);
  fclose(file);
}

static void test_damage(void) {
  pa_cache *cache = open_in("damage");
  pa_cache_key key = key_of(7);
  char payload[300];
  memset(payload, 'x', sizeof payload);
  for (long at = 0; at < 356; ++at) {
    pa_cache_store(cache, &key, payload, sizeof payload);
    overwrite(entry_of("damage", key), at, 0x10);
    bool missed = misses(cache, key);
    CHECK(missed && !exists(entry_of("damage", key)));
  }
  for (off_t size = 0; size < 400; size += 7) {
    if (size == 356) continue;
    pa_cache_store(cache, &key, payload, sizeof payload);
    REQUIRE(!truncate(entry_of("damage", key), size));
    CHECK(misses(cache, key) && !exists(entry_of("damage", key)));
  }
  // An entry under another entry's name.
  pa_cache_key other = {{key.bytes[0], 1, 2}};
  char from[512];
  pa_cache_store(cache, &key, payload, sizeof payload);
  snprintf(from, sizeof from, "%s", entry_of("damage", key));
  REQUIRE(!rename(from, entry_of("damage", other)));
  CHECK(misses(cache, other));
  pa_cache_close(cache);
}

static void test_what_is_no_entry(void) {
  pa_cache *cache = open_in("foreign");
  pa_cache_key key = key_of(3);
  char target[512];
  pa_cache_store(cache, &key, "abc", 3);
  snprintf(target, sizeof target, "%s", inside("target"));
  REQUIRE(!rename(entry_of("foreign", key), target) && !symlink(target, entry_of("foreign", key)));
  CHECK(misses(cache, key) && exists(target));
  unlink(entry_of("foreign", key));
  REQUIRE(!mkfifo(entry_of("foreign", key), 0600));
  CHECK(misses(cache, key));
  pa_cache_store(cache, &key, "abc", 3);
  CHECK(holds(cache, key, "abc", 3));
  REQUIRE(!chmod(entry_of("foreign", key), 0666));
  CHECK(misses(cache, key));
  REQUIRE(!mkdir(entry_of("foreign", key), 0700));
  CHECK(misses(cache, key) && !pa_cache_store(cache, &key, "abc", 3));
  rmdir(entry_of("foreign", key));
  if (geteuid() == 0) {
    pa_cache_store(cache, &key, "abc", 3);
    REQUIRE(!chown(entry_of("foreign", key), 12345, 12345));
    CHECK(misses(cache, key));
  }
  pa_cache_close(cache);
}

// Folders of the cache that lead elsewhere, or that others may write to, are not used.
static void test_foreign_shards(void) {
  pa_cache *cache = open_in("shards");
  pa_cache_key key = key_of(4);
  char shard[512], elsewhere[512], outside[1100];
  REQUIRE(pa_cache_store(cache, &key, "abc", 3));
  snprintf(shard, sizeof shard, "%s", entry_of("shards", key));
  const char *name = strrchr(shard, '/') + 1;
  snprintf(elsewhere, sizeof elsewhere, "%s", inside("elsewhere"));
  snprintf(outside, sizeof outside, "%s/%s", elsewhere, name);
  shard[name - shard - 1] = '\0';
  REQUIRE(!rename(shard, elsewhere) && !symlink(elsewhere, shard));
  CHECK(misses(cache, key) && exists(outside));
  CHECK(pa_cache_info_now(cache).entries == 0 && pa_cache_clear(cache) == 0 && exists(outside));
  REQUIRE(!unlink(outside));
  CHECK(!pa_cache_store(cache, &key, "abc", 3) && !exists(outside));
  REQUIRE(!rmdir(elsewhere)); // nothing was left in it
  CHECK(misses(cache, key) && !pa_cache_store(cache, &key, "abc", 3));
  REQUIRE(!unlink(shard) && !mkdir(shard, 0700));
  CHECK(pa_cache_store(cache, &key, "abc", 3) && holds(cache, key, "abc", 3));
  REQUIRE(!chmod(shard, 0777));
  CHECK(misses(cache, key) && !pa_cache_store(cache, &key, "abd", 3));
  REQUIRE(!chmod(shard, 0700));
  CHECK(holds(cache, key, "abc", 3));
  pa_cache_close(cache);
}

static bool disabled(pa_cache *cache, const char *reason) {
  pa_cache_key key = key_of(1);
  pa_cache_info info = pa_cache_info_now(cache);
  bool result = !info.enabled && strstr(info.reason, reason) && !pa_cache_store(cache, &key, "abc", 3) &&
                misses(cache, key) && pa_cache_clear(cache) == 0;
  if (!result) fprintf(stderr, "expected \"%s\", got \"%s\"\n", reason, info.reason);
  pa_cache_close(cache);
  return result;
}

static void test_refused_directories(void) {
  REQUIRE(!mkdir(inside("open"), 0700) && !chmod(inside("open"), 0777));
  CHECK(disabled(open_in("open"), "other users may write"));
  REQUIRE(!chmod(inside("open"), 0770));
  CHECK(disabled(open_in("open"), "other users may write"));
  fclose(fopen(inside("file"), "w"));
  CHECK(disabled(open_in("file"), "no directory"));
  CHECK(disabled(open_in("file/below"), "cannot be made"));
  if (geteuid() == 0) {
    REQUIRE(!mkdir(inside("theirs"), 0700) && !chown(inside("theirs"), 12345, 12345));
    CHECK(disabled(open_in("theirs"), "another user"));
  }
  setenv("PYARRAY_CACHE_SIZE", "0", 1);
  CHECK(disabled(open_in("zero"), "PYARRAY_CACHE_SIZE"));
  unsetenv("PYARRAY_CACHE_SIZE");
  setenv("PYARRAY_CACHE_DIR", "/proc/nothing", 1);
  CHECK(disabled(pa_cache_open(), "cannot be made"));
}

// A directory that has become read-only still serves what it holds. Root may write anywhere, so a child gives that up.
static void test_readonly_directory(void) {
  REQUIRE(!chmod(folder, 0755));
  pid_t child = fork();
  if (!child) {
    if (geteuid() == 0 && (setgid(12345) || setuid(12345))) _exit(3);
    char own[] = "/tmp/pyarray-cache-XXXXXX";
    if (!mkdtemp(own)) _exit(4);
    setenv("PYARRAY_CACHE_DIR", own, 1);
    pa_cache *cache = pa_cache_open();
    pa_cache_key one = {{1}}, two = {{1, 2}}, three = {{3}};
    char shard[64], command[128];
    snprintf(shard, sizeof shard, "%s/01", own);
    bool good = pa_cache_store(cache, &one, "abc", 3) && !chmod(shard, 0500) && !chmod(own, 0500);
    good = good && !pa_cache_store(cache, &two, "abc", 3) && !pa_cache_store(cache, &three, "abc", 3);
    good = good && holds(cache, one, "abc", 3) && misses(cache, two);
    snprintf(command, sizeof command, "chmod -R 700 %s && rm -r %s", own, own);
    good = system(command) == 0 && good;
    pa_cache_close(cache);
    _exit(good ? 0 : 5);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  REQUIRE(!chmod(folder, 0700));
}

// A file size limit makes write fail as a full disk does.
static void test_full_disk(void) {
  pid_t child = fork();
  if (!child) {
    signal(SIGXFSZ, SIG_IGN);
    pa_cache *cache = open_in("full");
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000});
    static char payload[5000];
    pa_cache_key key = {{9}};
    bool good = !pa_cache_store(cache, &key, payload, sizeof payload) && misses(cache, key);
    DIR *shard = opendir(inside("full/09"));
    int items = 0;
    while (shard && readdir(shard)) ++items;
    if (shard) closedir(shard);
    pa_cache_close(cache);
    _exit(good && items == 2 ? 0 : 5); // . and .. alone
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

static void test_names_of_directories(void) {
  unsetenv("PYARRAY_CACHE_DIR");
  setenv("XDG_CACHE_HOME", inside("xdg"), 1);
  pa_cache *cache = pa_cache_open();
  CHECK(!strcmp(pa_cache_info_now(cache).directory, inside("xdg/pyarray")));
  pa_cache_close(cache);
  setenv("XDG_CACHE_HOME", "relative/is/ignored", 1);
  setenv("HOME", inside("home"), 1);
  cache = pa_cache_open();
  CHECK(!strcmp(pa_cache_info_now(cache).directory, inside("home/.cache/pyarray")));
  pa_cache_close(cache);
  unsetenv("XDG_CACHE_HOME");
  REQUIRE(!chdir(folder));
  setenv("PYARRAY_CACHE_DIR", "relative", 1);
  cache = pa_cache_open();
  REQUIRE(!chdir("/"));
  CHECK(!strcmp(pa_cache_info_now(cache).directory, inside("relative")) && exists(inside("relative")));
  pa_cache_close(cache);
  char *longest = calloc(1, 6000);
  REQUIRE(longest);
  memset(longest, 'a', 5000);
  *longest = '/';
  setenv("PYARRAY_CACHE_DIR", longest, 1);
  free(longest);
  CHECK(disabled(pa_cache_open(), "no usable directory"));
}

static int64_t limit_for(const char *text) {
  setenv("PYARRAY_CACHE_SIZE", text, 1);
  pa_cache *cache = open_in("limit");
  int64_t limit = pa_cache_info_now(cache).limit;
  pa_cache_close(cache);
  unsetenv("PYARRAY_CACHE_SIZE");
  return limit;
}

static void test_limits(void) {
  CHECK(limit_for("1000") == 1000 && limit_for("3K") == 3072 && limit_for("2m") == 2 << 20);
  CHECK(limit_for("7GB") == (int64_t)7 << 30 && limit_for("100") == 100);
  const char *senseless[] = {"", "many", "-5", "5X", "5KK", "99999999999999999999", "9999999999999G"};
  for (int i = 0; i < 7; ++i) CHECK(limit_for(senseless[i]) == (int64_t)512 << 20);
}

static void age(const char *path, time_t seconds) {
  struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
  REQUIRE(!utimensat(AT_FDCWD, path, times, 0));
}

static void test_eviction(void) {
  setenv("PYARRAY_CACHE_SIZE", "200K", 1);
  pa_cache *cache = open_in("evict");
  static char payload[10000];
  fclose(fopen((mkdir(inside("evict/00"), 0700), inside("evict/00/not-ours.txt")), "w"));
  fclose(fopen(inside("evict/00/00112233445566778899aabbccddeeff.AbCd12"), "w"));
  age(path_storage, 100000);
  CHECK(!pa_cache_store(cache, &(pa_cache_key){{1}}, payload, (size_t)200 << 10));
  for (int i = 0; i < 200; ++i) {
    pa_cache_key key = key_of(i);
    CHECK(pa_cache_store(cache, &key, payload, sizeof payload));
    age(entry_of("evict", key), 80000 - 100 * i);
    if (i == 5 || i % 10 == 9) CHECK(holds(cache, key_of(5), payload, sizeof payload) || i > 100); // stays in use
    if (i % 20 == 0) CHECK(pa_cache_info_now(cache).bytes <= (200 << 10) + 10056);
  }
  pa_cache_info info = pa_cache_info_now(cache);
  CHECK(info.bytes <= 200 << 10 && info.bytes >= 140 << 10);
  CHECK(misses(cache, key_of(0)) && holds(cache, key_of(5), payload, sizeof payload));
  CHECK(holds(cache, key_of(199), payload, sizeof payload) && misses(cache, key_of(100)));
  CHECK(exists(inside("evict/00/not-ours.txt")));
  CHECK(!exists(inside("evict/00/00112233445566778899aabbccddeeff.AbCd12")));
  // Without the estimate the first store walks the directory.
  REQUIRE(!unlink(inside("evict/usage")));
  setenv("PYARRAY_CACHE_SIZE", "50K", 1);
  pa_cache *smaller = open_in("evict");
  CHECK(pa_cache_store(smaller, &(pa_cache_key){{7}}, payload, sizeof payload));
  CHECK(pa_cache_info_now(smaller).bytes <= 50 << 10 && holds(smaller, (pa_cache_key){{7}}, payload, sizeof payload));
  CHECK(pa_cache_clear(smaller) > 0 && exists(inside("evict/00/not-ours.txt")));
  unsetenv("PYARRAY_CACHE_SIZE");
  pa_cache_close(smaller);
  pa_cache_close(cache);
}

static void fill_payload(char *payload, size_t size, int number) {
  for (size_t i = 0; i < size; ++i) payload[i] = (char)(number * 31 + (int)i);
}

// Stores and loads twenty keys over and over; what is found must be whole and right.
static bool work(pa_cache *cache, int rounds) {
  static const size_t size = 6000;
  char *payload = malloc(size);
  bool good = payload != NULL;
  for (int i = 0; good && i < rounds; ++i) {
    int number = i % 20;
    pa_cache_key key = key_of(number);
    fill_payload(payload, size, number);
    if (i % 3 == 0) good = pa_cache_store(cache, &key, payload, size);
    void *found = NULL;
    size_t found_size = 0;
    if (pa_cache_load(cache, &key, &found, &found_size))
      good = good && found_size == size && !memcmp(found, payload, size);
    free(found);
  }
  free(payload);
  return good;
}

static void *work_in_thread(void *cache) { return (void *)(uintptr_t)work(cache, 400); }

static void test_concurrency(void) {
  setenv("PYARRAY_CACHE_SIZE", "60K", 1);
  pa_cache *cache = open_in("busy");
  pid_t children[4];
  for (int i = 0; i < 4; ++i) {
    children[i] = fork();
    if (!children[i]) {
      bool good = work(cache, 400);
      pa_cache_close(cache);
      _exit(good ? 0 : 1);
    }
  }
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) REQUIRE(!pthread_create(&threads[i], NULL, work_in_thread, cache));
  for (int i = 0; i < 3; ++i) {
    void *good = NULL;
    pthread_join(threads[i], &good);
    CHECK(good);
  }
  for (int i = 0; i < 4; ++i) {
    int status = -1;
    waitpid(children[i], &status, 0);
    CHECK(status == 0);
  }
  pa_cache_key key = key_of(1000);
  for (int i = 0; i < 20; ++i) pa_cache_store(cache, &key, "abc", 3);
  CHECK(pa_cache_info_now(cache).bytes <= 60 << 10);
  unsetenv("PYARRAY_CACHE_SIZE");
  pa_cache_close(cache);
}

int main(void) {
  REQUIRE(mkdtemp(folder));
  umask(022);
  test_keys();
  test_store_and_load();
  test_damage();
  test_what_is_no_entry();
  test_foreign_shards();
  test_refused_directories();
  test_readonly_directory();
  test_full_disk();
  test_names_of_directories();
  test_limits();
  test_eviction();
  test_concurrency();
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return report_checks();
}
