// Questions about types that verifiers, constraints and effects ask.
#ifndef PYARRAY_DIALECTS_PYARRAY_TYPE_TESTS_H
#define PYARRAY_DIALECTS_PYARRAY_TYPE_TESTS_H

#include "mlir/IR/Operation.h"

namespace pyarray {

// Numbers, bools and times: what arrays hold.
bool isNumber(::mlir::Type type);

// Values of levels 1 to 3 have it: `!pyarray.any`, a number, a type of the dialect, or a tuple of these.
bool isValueType(::mlir::Type type);

// Level 1: an operand or result is `!pyarray.any`.
bool isUntyped(::mlir::Operation *op);

// Its values own memory: an array, an object on the heap, or a tuple or optional of these.
bool isManaged(::mlir::Type type);

// Kinds of memory that values lead to.
enum Memory : unsigned { NoMemory = 0, ArrayMemory = 1, ItemMemory = 2, FieldMemory = 4, AnyMemory = 8 };

// Those of a type; AnyMemory: whatever code that runs may reach.
unsigned memoryOf(::mlir::Type type);

// Whether code may run where the last reference to a value of the type is given up, in the module of |op|: the
// `finally` of a generator that has not ended.
bool runsCodeWhenDropped(::mlir::Operation *op, ::mlir::Type type);

// Fails where |item| is not what one finds going over |iterable|.
::llvm::LogicalResult verifyIteration(::mlir::Operation *op, ::mlir::Type iterable, ::mlir::Type item);

} // namespace pyarray

#endif // PYARRAY_DIALECTS_PYARRAY_TYPE_TESTS_H
