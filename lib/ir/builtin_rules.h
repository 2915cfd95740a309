// The rules of builtins (builtin_rules.def) as enumerations.
#ifndef PYARRAY_LIB_IR_BUILTIN_RULES_H
#define PYARRAY_LIB_IR_BUILTIN_RULES_H

typedef enum pa_builtin_typing {
#define PA_TYPING(name) PA_TYPING_##name,
#define PA_LOWERING(family, name)
#include "builtin_rules.def"
#undef PA_TYPING
#undef PA_LOWERING
} pa_builtin_typing;

typedef enum pa_builtin_lowering {
#define PA_TYPING(name)
#define PA_LOWERING(family, name) PA_LOWERING_##name,
#include "builtin_rules.def"
#undef PA_TYPING
#undef PA_LOWERING
} pa_builtin_lowering;

typedef enum pa_builtin_family {
  PA_FAMILY_PLAIN,
  PA_FAMILY_TEXT,
  PA_FAMILY_OPTIONAL,
  PA_FAMILY_CONTAINER
} pa_builtin_family;

static inline pa_builtin_family pa_family_of(pa_builtin_lowering rule) {
  static const pa_builtin_family families[] = {
#define PA_TYPING(name)
#define PA_LOWERING(family, name) PA_FAMILY_##family,
#include "builtin_rules.def"
#undef PA_TYPING
#undef PA_LOWERING
  };
  return families[rule];
}

#endif // PYARRAY_LIB_IR_BUILTIN_RULES_H
