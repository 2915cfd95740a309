// The precompiled part of the Python library: the file library.bin beside this module, which is not there where the
// build makes none. Its objects are loaded when compiled code first names one, and stay.
#include "ext.h"
#include "support/precompiled.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const void *bytes; // of the file, never unmapped
static size_t size;
static void **addresses; // of the instances that are loaded

// The processor that lib/library/precompile.py asks for.
static bool fits_processor(void) {
#ifdef __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v3");
#else
  return false;
#endif
}

static bool map_file(void) {
  char *path = pa_path_beside_this_module("library.bin");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  struct stat status;
  free(path);
  if (file < 0) return false;
  bool known = fstat(file, &status) == 0 && status.st_size > 0;
  void *mapped = known ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (mapped == MAP_FAILED) return false;
  if (!pa_precompiled_offer(mapped, (size_t)status.st_size)) return munmap(mapped, (size_t)status.st_size), false;
  bytes = mapped;
  size = (size_t)status.st_size;
  return true;
}

bool pa_precompiled_open(const void **out_bytes, size_t *out_size) {
  static bool tried;
  const char *wanted = getenv("PYARRAY_PRECOMPILED");
  if (wanted && strcmp(wanted, "0") == 0) return false;
  if (!tried && fits_processor() && map_file()) addresses = calloc(pa_precompiled_count(), sizeof *addresses);
  tried = true;
  if (!addresses) return false;
  *out_bytes = bytes;
  *out_size = size;
  return true;
}

static void *load(uint32_t number) {
  pa_precompiled found = pa_precompiled_at(number);
  pa_object *object;
  char name[sizeof PA_PRECOMPILED_SYMBOL + 10];
  if (pa_numpy_loops_fetch(found.object, found.object_size) < 0) return NULL; // with an exception
  pa_status status = pa_object_load(found.object, found.object_size, &object);
  if (status) return pa_status_free(status), NULL;
  snprintf(name, sizeof name, PA_PRECOMPILED_SYMBOL "%u", (unsigned)number);
  return pa_object_symbol(object, name);
}

void *pa_precompiled_lookup(const char *name) {
  const void *unused;
  size_t unused_size;
  if (strncmp(name, PA_PRECOMPILED_SYMBOL, sizeof PA_PRECOMPILED_SYMBOL - 1) != 0 ||
      !pa_precompiled_open(&unused, &unused_size))
    return NULL;
  int64_t number = pa_precompiled_numbered(name);
  if (number < 0) return NULL;
  if (!addresses[number]) addresses[number] = load((uint32_t)number);
  return addresses[number];
}
