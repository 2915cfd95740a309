// Loads of what an iteration before has stored.
#ifndef PYARRAY_LIB_CODEGEN_CARRIED_LOADS_H
#define PYARRAY_LIB_CODEGEN_CARRIED_LOADS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

// Whether a loop may have one: PA_CARRY_LOADS makes of it a value that the loop carries.
bool pa_may_carry_loads(LLVMModuleRef module);

#define PA_CARRY_LOADS "function(loop-load-elim)"

#endif // PYARRAY_LIB_CODEGEN_CARRIED_LOADS_H
