// What operations read and write, asked from C: MLIR's memory effects, which its C API lacks. docs/internals.md has the
// table.
#ifndef PYARRAY_C_EFFECTS_H
#define PYARRAY_C_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets of resources. ORDER RESOURCE: PYARRAY_RESOURCES in dialects/pyarray/PyArrayEffects.h.
typedef enum pyarray_resource {
  PYARRAY_RESOURCE_ELEMENTS = 1 << 0,  // memory of arrays, of records, and behind C pointers
  PYARRAY_RESOURCE_ITEMS = 1 << 1,     // what lists, dicts, sets, bytearrays, deques and cells hold
  PYARRAY_RESOURCE_LENGTHS = 1 << 2,   // how many items these have, and where they lie
  PYARRAY_RESOURCE_FIELDS = 1 << 3,    // fields of instances
  PYARRAY_RESOURCE_HEADERS = 1 << 4,   // of objects on the heap: references, marks
  PYARRAY_RESOURCE_VARIABLES = 1 << 5, // stack memory of pyarray.variable
  PYARRAY_RESOURCE_EXCEPTION = 1 << 6, // what is raised or handled, and that code is left early
  PYARRAY_RESOURCE_RANDOM = 1 << 7,    // states of random streams
  PYARRAY_RESOURCE_OUTPUT = 1 << 8,    // the world outside: output, clocks, settings of threads
  PYARRAY_RESOURCE_OTHER = 1 << 9,     // any memory of operations of other dialects
  PYARRAY_RESOURCE_ALL = (1 << 10) - 1
} pyarray_resource;

typedef struct pyarray_effects {
  uint32_t reads, writes, allocates, frees; // sets of resources
} pyarray_effects;

// What the operation does, with all that it holds. An operation of which nobody knows reads and writes all.
MLIR_CAPI_EXPORTED pyarray_effects pyarrayOperationGetEffects(MlirOperation op);

// What the operation itself does to the memory that |value| leads to, and to memory of which it does not say which
// value leads there.
MLIR_CAPI_EXPORTED pyarray_effects pyarrayOperationGetEffectsOn(MlirOperation op, MlirValue value);

// It has no effects, nor has what it holds; or it reads an element that nobody writes meanwhile (pyarray.clamped).
MLIR_CAPI_EXPORTED bool pyarrayOperationOnlyComputes(MlirOperation op);

// It may also be computed where the program would not: it neither raises nor traps.
MLIR_CAPI_EXPORTED bool pyarrayOperationIsSpeculatable(MlirOperation op);

// Nothing uses its results, and nothing is lost without it: it only computes, reads, or makes what it gives.
MLIR_CAPI_EXPORTED bool pyarrayOperationIsDead(MlirOperation op);

// Whether code may run where the last reference to a value of the type is given up, in the module of |op|.
MLIR_CAPI_EXPORTED bool pyarrayDroppingRunsCode(MlirOperation op, MlirType type);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_EFFECTS_H
