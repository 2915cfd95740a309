#include "builtins.h"

#include <string.h>

const pa_builtin pa_builtins[] = {
#define PA_BUILTIN(name, parameters, typing, lowering, target, errors) \
  {name, parameters, #typing, #lowering, target, PA_ERRORS_##errors},
#include "builtins.def"
#undef PA_BUILTIN
};

const int pa_builtin_count = sizeof pa_builtins / sizeof *pa_builtins;

const pa_builtin *pa_builtin_find(MlirStringRef name) {
  for (int i = 0; i < pa_builtin_count; ++i)
    if (strlen(pa_builtins[i].name) == name.length && memcmp(pa_builtins[i].name, name.data, name.length) == 0)
      return &pa_builtins[i];
  return NULL;
}

bool pa_builtin_is_view(const pa_builtin *builtin) {
  static const char *const lowerings[] = {"FOREIGN_ARRAY", "RECORD_AT", "RESHAPE"};
  for (size_t i = 0; builtin && i < sizeof lowerings / sizeof *lowerings; ++i)
    if (strcmp(builtin->lowering, lowerings[i]) == 0) return true;
  return false;
}

bool pa_builtin_only_reads(const pa_builtin *builtin) {
  static const char *const names[] = {"builtins.len", "builtins.list", "builtins.dict", "builtins.set", "builtins.frozenset", "collections.deque", "deque.copy", "deque.count", "deque.index", "list.contains", "list.count", "list.concat", "list.copy", "list.index", "list.repeat",
                                      "object.is", "object.mark_typed", "object.truth", "dict.contains", "dict.copy", "dict.get", "dict.key_at", "dict.merge", "iterator.remaining", "dict.value_at", "set.copy",
                                      "set.difference", "set.intersection", "set.is_proper_subset", "set.isdisjoint", "set.issubset", "set.issuperset", "set.symmetric_difference", "set.union"};
  static const char *const changes[] = {"bytearray_put", "bytearray_delete", "bytearray_insert", "bytearray_splice"};
  const char *last = builtin ? strrchr(builtin->name, '.') : NULL;
  for (size_t i = 0; last && i < sizeof changes / sizeof *changes; ++i)
    if (strcmp(last + 1, changes[i]) == 0) return false;
  if (builtin && (strncmp(builtin->lowering, "TEXT", 4) == 0 || strncmp(builtin->lowering, "RECORD", 6) == 0)) return true;
  for (size_t i = 0; builtin && i < sizeof names / sizeof *names; ++i)
    if (strcmp(builtin->name, names[i]) == 0) return true;
  return false;
}
