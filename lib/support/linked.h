// Functions of other code that compiled code calls (cuda.declare_device).
#ifndef PYARRAY_LIB_SUPPORT_LINKED_H
#define PYARRAY_LIB_SUPPORT_LINKED_H

// On the declaration of such a function: its name there. In passthrough too, which takes it to LLVM IR.
#define PA_LINKED "pyarray.linked"
// Beside it, the number of the object that declares it, by which Python knows what defines it (pyarray/cuda/_link.py).
#define PA_DECLARED "pyarray.declared"

// On a module: such numbers of what its device functions are linked with.
#define PA_LINKS "pyarray.links"

#endif // PYARRAY_LIB_SUPPORT_LINKED_H
