// What programs without Python call of the runtime, libpyarray_runtime.a, beside functions that were compiled ahead of
// time (docs/ahead-of-time.md). Knows nothing of MLIR, LLVM or Python.
#ifndef PYARRAY_C_RUNTIME_H
#define PYARRAY_C_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Changes where what is declared here does. Objects and the archive must be of one version of pyarray.
#define PYARRAY_RUNTIME_VERSION 1

// What compiled functions return.
typedef enum pyarray_error {
  PYARRAY_NO_ERROR = 0,
  PYARRAY_EXCEPTION = 1, // of any other class: pyarray_error_name says which
  PYARRAY_ZERO_DIVISION_ERROR = 2,
  PYARRAY_INDEX_ERROR = 3,
  PYARRAY_VALUE_ERROR = 4,
  PYARRAY_OVERFLOW_ERROR = 5,
  PYARRAY_MEMORY_ERROR = 6,
  PYARRAY_KEY_ERROR = 7,
  PYARRAY_TYPE_ERROR = 8,
  PYARRAY_ASSERTION_ERROR = 9,
  PYARRAY_RUNTIME_ERROR = 10,
  PYARRAY_ARGUMENT_ERROR = 11, // an array does not fit its declared type; nothing was run
} pyarray_error;

// Arrays, of rank r: void *data; int64_t shape[r]; int64_t strides[r]; void *owner. Strides count elements. |owner| is
// not read in arguments. Of a result it keeps the memory; NULL: the memory is that of an argument.

// Of the last function that failed in this thread; valid until the next one fails. Before the first: "".
const char *pyarray_error_name(void);    // "ZeroDivisionError"
const char *pyarray_error_message(void); // "division by zero"
const char *pyarray_error_place(void);   // "file.py:12, in mean"

// Gives a result's memory up, or holds it once more. NULL is allowed.
void pyarray_release(void *owner);
void pyarray_retain(void *owner);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_RUNTIME_H
