// Finds vector functions by name, and libmvec's functions for them when one is first asked for.
#include "vector_math.h"
#include "support/fork.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

PA_FORK_LOCK(lock)

// Compiled code that reads a slot was loaded after this, so only writers need the lock.
static void fill_slot(const pa_vector_symbol *symbol) {
  static void *library; // never closed
  static bool tried;
  pthread_mutex_lock(&lock);
  if (!tried) library = dlopen("libmvec.so.1", RTLD_LAZY | RTLD_LOCAL);
  tried = true;
  void *found = library ? dlsym(library, symbol->mvec) : NULL, *held;
  memcpy(&held, symbol->slot, sizeof held);
  if (found && found != held) memcpy(symbol->slot, &found, sizeof found);
  pthread_mutex_unlock(&lock);
}

void *pa_vector_math_lookup(const char *name) {
  static const pa_vector_symbol *const tables[] = {pa_vectors_sse2,     pa_vectors_avx2,     pa_vectors_avx512,
                                                   pa_vectors_sse2_f32, pa_vectors_avx2_f32, pa_vectors_avx512_f32};
  if (strncmp(name, "pyarray_rt_", 11)) return NULL;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
    for (const pa_vector_symbol *symbol = tables[i]; symbol->name; ++symbol)
      if (!strcmp(symbol->name, name)) {
        if (symbol->mvec) fill_slot(symbol);
        return symbol->address;
      }
  return NULL;
}
