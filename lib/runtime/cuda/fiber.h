// Functions with stacks of their own, which may stop in the middle and go on later, in the same thread or in another.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_FIBER_H
#define PYARRAY_LIB_RUNTIME_CUDA_FIBER_H

#include <stdbool.h>
#include <stdint.h>

enum { PA_FIBER_STACK = 256 * 1024 }; // bytes, of which those are taken that are touched

typedef struct pa_fiber pa_fiber;

// Nothing runs yet. NULL where memory is short. Released by pa_fiber_free, wherever it stands: what it has on its stack
// is dropped.
pa_fiber *pa_fiber_create(int32_t (*run)(void *context), void *context);
void pa_fiber_free(pa_fiber *fiber); // NULL is allowed; not from within it

// Runs it until it yields, which gives true, or ends: then |*out_result| is what |run| gave.
bool pa_fiber_resume(pa_fiber *fiber, int32_t *out_result);
// Stops the fiber in which the thread is. Addresses of thread-local variables from before mean nothing afterwards.
void pa_fiber_yield(void);

void pa_fiber_stacks_free(void); // those that are kept for reuse

#endif // PYARRAY_LIB_RUNTIME_CUDA_FIBER_H
