// The part of the Python library that is machine code already: instances of its functions, compiled when the project is
// built (lib/library/precompile.py), which compilations call in place of making them anew. One file holds them:
//
//   header    pa_precompiled_header
//   entries   pa_precompiled_entry, by number
//   data      keys, types, raise sites and objects, at the offsets that entries have
//
// The key of an instance is its function and the types of its arguments, with the values of those that must be known:
// "numpy.quantiles.median(!pyarray.array<?xf64, C>)". Its symbol has its number: "pyarray.library.17".
#ifndef PYARRAY_LIB_SUPPORT_PRECOMPILED_H
#define PYARRAY_LIB_SUPPORT_PRECOMPILED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PA_PRECOMPILED_SYMBOL "pyarray.library."

enum {
  PA_FIRST_PRECOMPILED_SITE = 1 << 24, // numbers of raise sites: instance number, then that within the instance
  PA_PRECOMPILED_SITES = 1 << 12,      // of one instance, at most
};

typedef struct pa_precompiled_header {
  char magic[8]; // "PALIB001"
  uint32_t count, size;
  uint64_t digest; // of all behind it
} pa_precompiled_header;

typedef struct pa_precompiled_part {
  uint32_t start, size;
} pa_precompiled_part;

typedef struct pa_precompiled_entry {
  pa_precompiled_part key, result, sites, object; // result: its type, as text
} pa_precompiled_entry;

// The file's bytes, which stay where they are. Damaged ones are not taken. The first that are offered stay.
bool pa_precompiled_offer(const void *bytes, size_t size);
uint64_t pa_precompiled_digest(void);
uint32_t pa_precompiled_count(void); // 0 where nothing was offered

// The instance of that key; -1 where there is none. |prefix|: whether one begins so.
int64_t pa_precompiled_find(const char *key, size_t length);
bool pa_precompiled_has(const char *prefix, size_t length);

typedef struct pa_precompiled {
  const char *result, *sites, *object;
  size_t result_size, sites_size, object_size;
} pa_precompiled;

pa_precompiled pa_precompiled_at(uint32_t number);
int64_t pa_precompiled_numbered(const char *symbol); // "pyarray.library.17"; -1 for other names

static inline int32_t pa_precompiled_first_site(uint32_t number) {
  return PA_FIRST_PRECOMPILED_SITE + (int32_t)(number * PA_PRECOMPILED_SITES);
}

#endif // PYARRAY_LIB_SUPPORT_PRECOMPILED_H
