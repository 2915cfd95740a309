#include "builtins.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

const pa_builtin pa_builtins[] = {
#define PA_BUILTIN(name, parameters, typing, lowering, target, errors)                                                 \
  {name, parameters, PA_TYPING_##typing, PA_LOWERING_##lowering, target, PA_ERRORS_##errors},
#include "builtins.def"
#undef PA_BUILTIN
};

const int pa_builtin_count = sizeof pa_builtins / sizeof *pa_builtins;

//===-- By name -----------------------------------------------------------------------------------===//

// Open addressing; entries are numbers of rows, and 1 more. 0: none.
enum { SLOTS = 8192 };
static uint16_t by_name[SLOTS];
_Static_assert(2 * sizeof pa_builtins / sizeof *pa_builtins < SLOTS, "the table of names would be more than half full");

static size_t slot_of(const char *name, size_t length) {
  uint32_t hash = 2166136261u; // FNV-1a
  for (size_t i = 0; i < length; ++i) hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return (hash ^ hash >> 15) % SLOTS;
}

static bool is_of(const pa_builtin *row, MlirStringRef name) {
  return strncmp(row->name, name.data, name.length) == 0 && !row->name[name.length];
}

// Of two rows with one name the first counts.
static void enter_names(void) {
  for (int i = 0; i < pa_builtin_count; ++i) {
    size_t slot = slot_of(pa_builtins[i].name, strlen(pa_builtins[i].name));
    while (by_name[slot]) slot = (slot + 1) % SLOTS;
    by_name[slot] = (uint16_t)(i + 1);
  }
}

const pa_builtin *pa_builtin_find(MlirStringRef name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, enter_names);
  for (size_t slot = slot_of(name.data, name.length); by_name[slot]; slot = (slot + 1) % SLOTS)
    if (is_of(&pa_builtins[by_name[slot] - 1], name)) return &pa_builtins[by_name[slot] - 1];
  return NULL;
}
