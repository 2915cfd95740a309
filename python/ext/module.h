// What an extension module that was compiled ahead of time (python/aot) does as pyarray._pyarray does.
#ifndef PYARRAY_PYTHON_EXT_MODULE_H
#define PYARRAY_PYTHON_EXT_MODULE_H

#include "ext.h"

// Imports NumPy and makes the rooms known to each other, by |calls|; -1 with an exception set. Before anything else,
// once.
int pa_initialize(const pa_forward_calls *calls);

#endif // PYARRAY_PYTHON_EXT_MODULE_H
