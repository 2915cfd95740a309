#include "builtins.h"

#include <string.h>

const pa_builtin pa_builtins[] = {
#define PA_BUILTIN(name, parameters, typing, lowering, target, errors)                                                 \
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
