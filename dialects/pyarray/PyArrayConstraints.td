// Which types the operands and results of operations have. What one operation says of several types is in PyArrayVerify.cpp.
#ifndef PYARRAY_CONSTRAINTS_TD
#define PYARRAY_CONSTRAINTS_TD

include "PyArrayTypes.td"

class PyArray_Constraint<string test, string summary> : Type<CPred<test>, summary>;

def PyArray_Value : PyArray_Constraint<"::pyarray::isValueType($_self)",
    "type of a Python value: `!pyarray.any`, a number with its sign, an array, and so on">;
def PyArray_Untyped : PyArray_Constraint<"::llvm::isa<::pyarray::AnyType>($_self)", "`!pyarray.any`, since the operation is one of level 1">;
def PyArray_Managed : PyArray_Constraint<"::pyarray::isManaged($_self)", "an array, an object on the heap, or a tuple or optional of these">;
def PyArray_Generator : PyArray_Constraint<"::llvm::isa<::pyarray::GeneratorType>($_self)", "a generator">;
def PyArray_Instance : PyArray_Constraint<"::llvm::isa<::pyarray::ObjectType, ::pyarray::AnyType>($_self)", "an instance of a class">;
def PyArray_VariableMemory : PyArray_Constraint<"::llvm::isa<::pyarray::VariableType, ::pyarray::AnyType>($_self)", "a `!pyarray.variable`">;
def PyArray_Handled : PyArray_Constraint<"::llvm::isa<::pyarray::ExceptionType, ::pyarray::AnyType>($_self)", "an exception that is being handled">;

#endif // PYARRAY_CONSTRAINTS_TD
