#include "exceptions.h"

#include <string.h>

static const struct {
  const char *name, *base;
} rows[] = {
#define PA_EXCEPTION(name, base) {#name, #base},
#include "exceptions.def"
#undef PA_EXCEPTION
};

bool pa_exception_is(const char *name, const char *base) {
  if (strcmp(name, base) == 0) return true;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, name) == 0 && pa_exception_is(rows[i].base, base)) return true;
  return false;
}
