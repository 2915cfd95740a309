// Python functions to level 1 (untyped pyarray).
#ifndef PYARRAY_LIB_FRONTEND_FRONTEND_H
#define PYARRAY_LIB_FRONTEND_FRONTEND_H

#include <Python.h>

#include "ir/ir.h"

// What the function asked for is compiled with; the functions it calls have their own options. NULL texts mean the
// default.
typedef struct pa_frontend_options {
  const char *error_model;   // "python" (default), "numpy" or "strict"
  const char *inline_policy; // "auto" (default), "always" or "never"
  bool boundscheck;
  bool fastmath;
  const char *fastmath_flags; // some of LLVM's, "reassoc,nsz", where |fastmath|, all of them, is false; or NULL
  bool parallel;              // prange and ufuncs may use threads
  bool offload;       // whole arrays are a GPU's, and what is done with them; so it is in all functions that are called
  const char *target; // NULL: the CPU; "cuda": a GPU, for which all functions that are called are compiled with the
                      // same error model and bounds checks
  bool kernel;        // of cuda.jit, and no device function
  bool of_caller;     // these are the options of a function that calls it, which it has where it is given no others
  PyObject
      *locals; // dict: name of a local variable -> the callable that makes a number of what is assigned to it; or NULL
  PyObject *declared; // tuple of type codes "dq>d": the signatures that it is compiled for, and for no others; or NULL
  const char *signature; // type codes, of which classes that occur are described in the module; or NULL
  pa_status *refusals; // what a single value is refused for is put there, and the module is whole, with nothing in that
                       // place, so that its types can be looked at; NULL: it fails the import
} pa_frontend_options;

// Appends |function|, a Python function or a dispatcher with .py_func, and every compiled function that it refers to,
// to |module| as functions of level 1. |options| may be NULL: those of the dispatcher, or the defaults. |*out_symbol|
// is the function's name in the module, in |arena|. The GIL is held by the caller, and the pyarray dialect is loaded.
//
// After a failure the module may hold some of the functions, and is to be dropped. PA_CODE_PYTHON: an exception is set.
pa_status pa_frontend_import(MlirOperation module, PyObject *function, const pa_frontend_options *options,
                             pa_arena *arena, const char **out_symbol);

// From here on type inference finds the overloads that users have registered (ir/overloads.h).
void pa_frontend_offer_overloads(void);

#endif // PYARRAY_LIB_FRONTEND_FRONTEND_H
