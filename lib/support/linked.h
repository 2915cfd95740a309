// Functions of other code that compiled code calls (cuda.declare_device).
#ifndef PYARRAY_LIB_SUPPORT_LINKED_H
#define PYARRAY_LIB_SUPPORT_LINKED_H

// In front of the names of declared functions, and of all that bitcode defines which is linked.
#define PA_LINKED_PREFIX "linked."

// On the declaration of such a function: its name there. In passthrough too, which takes it to LLVM IR.
#define PA_LINKED "pyarray.linked"
// On a function without a body that tells whether the declared function of this name has failed in the call before
// (lib/codegen/linked_guards.c): what is in the enumeration, or 0.
#define PA_LINKED_FAILURE "pyarray.linked_failure"
enum { PA_LINKED_OVERFLOWED = 1, PA_LINKED_ABORTED = 2 }; // pyarray/cuda/_declared.py knows them
// Beside PA_LINKED, the number of the object that declares it, by which Python knows what defines it
// (pyarray/cuda/_link.py).
#define PA_DECLARED "pyarray.declared"

// On a module: such numbers of what its device functions are linked with.
#define PA_LINKS "pyarray.links"

#endif // PYARRAY_LIB_SUPPORT_LINKED_H
