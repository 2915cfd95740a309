// What variant.c and variant_make.c share.
#ifndef PYARRAY_PYTHON_EXT_VARIANT_H
#define PYARRAY_PYTHON_EXT_VARIANT_H

#include "ext.h"

void pa_variant_free(pa_variant *variant);
// The variant of |code|, "dq>" or "dq>d", not yet published: from the disk cache, or compiled. |by_value|: what
// literally() asks for may make a variant of its own, as calls need it.
pa_variant *pa_variant_make(pa_dispatcher *dispatcher, const char *code, bool by_value);

#endif // PYARRAY_PYTHON_EXT_VARIANT_H
