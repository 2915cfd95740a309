// What operations of the dialect read and write: resources, and what types have to do with them. docs/internals.md has
// the table.
#ifndef PYARRAY_DIALECTS_PYARRAY_EFFECTS_H
#define PYARRAY_DIALECTS_PYARRAY_EFFECTS_H

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pyarray {

// ORDER RESOURCE: pyarray_resource in capi/include/pyarray-c/Effects.h.
#define PYARRAY_RESOURCES(X)                                                                                           \
  X(Elements, "elements")   /* memory of arrays, of records, and behind C pointers */                                  \
  X(Items, "items")         /* what lists, dicts, sets, bytearrays, deques and cells hold */                           \
  X(Lengths, "lengths")     /* how many items these have, and where they lie */                                        \
  X(Fields, "fields")       /* fields of instances */                                                                  \
  X(Headers, "headers")     /* of objects on the heap: references, marks */                                            \
  X(Variables, "variables") /* stack memory of pyarray.variable */                                                     \
  X(Exception, "exception") /* what is raised or handled, and that code is left early */                               \
  X(Random, "random")       /* states of random streams */                                                             \
  X(Output, "output")       /* the world outside: output, clocks, settings of threads */

#define PYARRAY_RESOURCE_CLASS(Name, text)                                                                             \
  struct Name##Resource : public ::mlir::SideEffects::Resource::Base<Name##Resource> {                                 \
    ::llvm::StringRef getName() final { return "pyarray." text; }                                                      \
  };
PYARRAY_RESOURCES(PYARRAY_RESOURCE_CLASS)
#undef PYARRAY_RESOURCE_CLASS

} // namespace pyarray

#endif // PYARRAY_DIALECTS_PYARRAY_EFFECTS_H
