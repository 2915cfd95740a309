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

bool pa_exception_is_any(pa_arena *arena, const char *name, MlirAttribute bases, MlirAttribute classes) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(classes); ++i) {
    const char *class = pa_attr_text(arena, mlirArrayAttrGetElement(classes, i));
    if (*class == '=' ? strcmp(name, class + 1) == 0 : pa_exception_is(name, class)) return true;
    for (intptr_t k = 0; !mlirAttributeIsNull(bases) && k < mlirArrayAttrGetNumElements(bases); ++k)
      if (pa_ref_equal(mlirStringAttrGetValue(mlirArrayAttrGetElement(bases, k)), class)) return true;
  }
  return false;
}
