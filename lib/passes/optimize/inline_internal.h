// What the files of pyarray-inline share: inline.c (calls) and inline_generators.c (loops over generators).
#ifndef PYARRAY_LIB_PASSES_INLINE_INTERNAL_H
#define PYARRAY_LIB_PASSES_INLINE_INTERNAL_H

#include "ir/ir.h"

// A copy of |callee| whose body has the operands of |call| for its arguments; its operations come from there by way of
// |caller|, and keep options that |function|, where they are to go, has not. The caller destroys it.
MlirOperation pa_inlined_copy(const pa_names *names, MlirOperation callee, MlirOperation function, MlirOperation call,
                              MlirLocation caller);
// Moves the operations of |block| before |end| to the place before |place|.
void pa_move_before(MlirBlock block, MlirOperation end, MlirOperation place);

// The generator that |loop| alone goes over; a null value where it is no such loop.
MlirValue pa_generator_of_loop(const pa_names *names, MlirOperation loop);
// Whether the body of |callee|, which |call| makes the generator of, can be put around that of |loop|.
bool pa_can_fuse_generator(const pa_names *names, MlirOperation loop, MlirOperation call, MlirOperation callee);
// Does so; |function| has the loop. Gives the first operation of what is in its place.
MlirOperation pa_fuse_generator(pa_arena *arena, const pa_names *names, MlirOperation loop, MlirOperation call,
                                MlirOperation callee, MlirOperation function);

#endif // PYARRAY_LIB_PASSES_INLINE_INTERNAL_H
