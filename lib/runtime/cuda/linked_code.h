// What linked code calls on the CPU in place of ending the process (lib/codegen/linked_guards.c). Found by
// pa_lockstep_lookup.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_LINKED_CODE_H
#define PYARRAY_LIB_RUNTIME_CUDA_LINKED_CODE_H

#include <stdint.h>

// Calls |function|, which may end in one of the failures below. The kernel's call of a declared function.
void pyarray_rt_linked_call(void (*function)(void *frame), void *frame);
// How the latest such call of the thread has ended: PA_LINKED_..., or 0.
int32_t pyarray_rt_linked_failure(void);

// Fails where the stack has not so many bytes left, which is also what it gives.
int64_t pyarray_rt_linked_stack(int64_t bytes);
_Noreturn void pyarray_rt_linked_abort(void);
_Noreturn void pyarray_rt_linked_assert(const char *expression, const char *file, unsigned line, const char *function);

#endif // PYARRAY_LIB_RUNTIME_CUDA_LINKED_CODE_H
