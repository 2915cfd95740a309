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

// Fails where |item| is not what one finds going over |iterable|.
::llvm::LogicalResult verifyIteration(::mlir::Operation *op, ::mlir::Type iterable, ::mlir::Type item);

} // namespace pyarray

#endif // PYARRAY_DIALECTS_PYARRAY_TYPE_TESTS_H
