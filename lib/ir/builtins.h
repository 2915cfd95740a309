// The table of builtins (builtins.def) as data.
#ifndef PYARRAY_LIB_IR_BUILTINS_H
#define PYARRAY_LIB_IR_BUILTINS_H

#include "builtin_rules.h"
#include "mlir-c/Support.h"

typedef enum pa_math_errors {
  PA_ERRORS_NONE,
  PA_ERRORS_DOMAIN,
  PA_ERRORS_RANGE,
  PA_ERRORS_POLE,
  PA_ERRORS_GAMMA
} pa_math_errors;

typedef struct pa_builtin {
  const char *name;       // "math.sqrt"
  const char *parameters; // "x,y="
  pa_builtin_typing typing;
  pa_builtin_lowering lowering;
  const char *target;
  pa_math_errors errors;
} pa_builtin;

extern const pa_builtin pa_builtins[];
extern const int pa_builtin_count;

// The row of that name, or NULL.
const pa_builtin *pa_builtin_find(MlirStringRef name);

#endif // PYARRAY_LIB_IR_BUILTINS_H
