// What a reduction raises where it is of no element.
#include <string.h>

#include "ir.h"

static const char *word_of(pa_arena *arena, MlirOperation reduce, intptr_t k) {
  const char *word = pa_attr_text(arena, mlirArrayAttrGetElement(pa_get_attr(reduce, "words"), k));
  return strncmp(word, "nat_", 4) == 0 ? word + 4 : word;
}

const char *pa_empty_fold_text(pa_arena *arena, MlirOperation reduce) {
  intptr_t count = mlirArrayAttrGetNumElements(pa_get_attr(reduce, "words"));
  if (pa_has_attr(reduce, "pyarray.nonempty")) return NULL;
  bool started = mlirDenseI32ArrayGetElement(pa_get_attr(reduce, "operandSegmentSizes"), 1) > 0;
  const char *extreme = NULL, *position = NULL, *name = pa_attr_text(arena, pa_get_attr(reduce, "pyarray.name"));
  for (intptr_t k = 0; k < count && !started; ++k) {
    const char *word = word_of(arena, reduce, k);
    if (strncmp(word, "arg", 3) == 0 && !position) position = word;
    if ((strcmp(word, "min") == 0 || strcmp(word, "max") == 0) && !extreme)
      extreme = strcmp(word, "min") == 0 ? "minimum" : "maximum";
  }
  if (position) return pa_arena_format(arena, "attempt to get %s of an empty sequence", name ? name : position);
  if (!extreme) return NULL;
  return pa_arena_format(arena, "zero-size array to reduction operation %s which has no identity",
                         name ? name : extreme);
}
