// Memory effects of the pyarray dialect's operations: resources and traits. PyArrayEffects.h says what lies in a resource.
#ifndef PYARRAY_EFFECTS_TD
#define PYARRAY_EFFECTS_TD

include "PyArrayTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PyArray_Resource<string name> : Resource<!strconcat("::pyarray::", name, "Resource")>;
def PyArray_Elements : PyArray_Resource<"Elements">;
def PyArray_Items : PyArray_Resource<"Items">;
def PyArray_Lengths : PyArray_Resource<"Lengths">;
def PyArray_Fields : PyArray_Resource<"Fields">;
def PyArray_Headers : PyArray_Resource<"Headers">;
def PyArray_Variables : PyArray_Resource<"Variables">;
def PyArray_Exception : PyArray_Resource<"Exception">;
def PyArray_Random : PyArray_Resource<"Random">;
def PyArray_Output : PyArray_Resource<"Output">;

// It leaves the code that follows: raises, or jumps behind a region.
def PyArray_Raises : MemoryEffects<[MemWrite<PyArray_Exception>]>;
def PyArray_AsksException : MemoryEffects<[MemRead<PyArray_Exception>]>;

// Effects that depend on types, attributes or options (PyArrayEffects.cpp). It may be computed where it need not be if it has none.
def PyArray_EffectsByType : TraitList<[
  DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
  DeclareOpInterfaceMethods<ConditionallySpeculatable>]>;

#endif // PYARRAY_EFFECTS_TD
