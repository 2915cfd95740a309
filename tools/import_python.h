// Python embedded in pyarray-translate: a function of a file, compiled to any level.
#ifndef PYARRAY_TOOLS_IMPORT_PYTHON_H
#define PYARRAY_TOOLS_IMPORT_PYTHON_H

#include <stdbool.h>

#include "pyarray-c/Core.h"
#include "support/support.h"

typedef struct tool_import {
  const char *source;              // "file.py:function" or "file.py:Class.method"
  const char *signature;           // "float64(float64, int32[:, ::1])"
  const char *level;               // of pyarray_core_api.inspect, or "object"
  pyarray_compile_request request; // options; function and type_code are filled in
} tool_import;

// Appends the text or object to |out|. On failure prints what is wrong and returns false.
bool tool_import_python(pa_arena *arena, const tool_import *import, pa_string *out);

// Functions of a Python file as a library for C (pyarray/aot.py). Texts that are not given are NULL.
typedef struct tool_exports {
  const char *const *functions; // "name:signature"
  int count;
  const char *file, *output, *header;
  const char *cpu, *features, *error_model, *inline_policy;
  bool fastmath, accurate_math, no_boundscheck, debug;
} tool_exports;
bool tool_export(pa_arena *arena, const tool_exports *exports);

#endif // PYARRAY_TOOLS_IMPORT_PYTHON_H
