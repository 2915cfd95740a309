// The Python library (docs/internals-objects.md): functions of level 1 by their canonical names, "heapq.heappush".
#ifndef PYARRAY_LIB_IR_LIBRARY_H
#define PYARRAY_LIB_IR_LIBRARY_H

#include "mlir-c/IR.h"

// What lib/library embeds: uint32 count; then, sorted by name, an entry for each function; then names, and MLIR
// bytecode of one module for each function, at multiples of 64 and followed by a zero. Offsets count from the
// beginning. Without the library the count is 0.
extern const unsigned char pa_library_data[] __attribute__((aligned(64)));
extern const size_t pa_library_data_size;

typedef struct pa_library_entry {
  uint32_t name, name_length, start, size;
} pa_library_entry;

// The function of that name, which was cloned to the end of |module| if it was not there yet; null where the library
// has none.
MlirOperation pa_library_function(MlirOperation module, MlirStringRef name);

#endif // PYARRAY_LIB_IR_LIBRARY_H
