// Loops, try, generators, recursion.
#ifndef PYARRAY_LIB_PASSES_LOWER_FLOW_H
#define PYARRAY_LIB_PASSES_LOWER_FLOW_H

#include "lower_internal.h"

// lower_try.c
void pa_lower_try(pa_lowering *lower, MlirOperation op);
void pa_lower_caught(pa_lowering *lower, MlirOperation op);
void pa_lower_exception(pa_lowering *lower, MlirOperation op);
void pa_lower_reraise(pa_lowering *lower, MlirOperation op);
void pa_lower_breakable(pa_lowering *lower, MlirOperation op);
void pa_lower_break(pa_lowering *lower, MlirOperation op);
// |body| in a try; |lower_handler| lowers what is done where it raises.
void pa_lower_guarded(pa_lowering *lower, MlirBlock body, void (*lower_handler)(pa_lowering *lower));
// The bodies of the functions that pa_lower_caught has declared: at the end, when all sites are known.
void pa_define_caught(pa_lowering *lower);

// lower_recursion.c
void pa_find_recursive(pa_lowering *lower, const MlirOperation *functions, size_t count); // fills lower->recursive
bool pa_is_recursive(const pa_lowering *lower, MlirAttribute symbol);
bool pa_remakes_itself(const pa_lowering *lower, MlirAttribute symbol);    // of a generator
MlirAttribute pa_guarded_symbol(pa_lowering *lower, MlirAttribute symbol); // of its second, guarded function
// True where a call comes from a recursive function and may come back to it.
bool pa_passes_stack_limit(const pa_lowering *lower, MlirAttribute callee);
void pa_guard_stack(pa_lowering *lower, MlirValue limit); // raises RecursionError here, and sets lower->stack_limit
// The body of a function of type |type| that only calls the guarded one.
MlirRegion pa_call_guarded(pa_lowering *lower, MlirAttribute symbol, const pa_types *inputs, MlirType type);

// lower_generator.c
// Where the body of a generator begins: it holds its arguments, and waits until the first item is asked for.
void pa_open_generator(pa_lowering *lower, MlirBlock body, MlirOperation function);
// The rest of the body.
void pa_lower_generator(pa_lowering *lower, MlirBlock body);
void pa_lower_suspend(pa_lowering *lower, MlirOperation op);
void pa_lower_iter_next(pa_lowering *lower, MlirOperation op);
// Runs the generator on; whether there is an item, which lies at |address| (i64) then. Raises what it raised.
MlirValue pa_generator_next(pa_lowering *lower, MlirValue generator, MlirValue address);
// Where the loop |op| hands on the items of a recursive generator: lowers it. False where it is any other loop.
bool pa_lower_delegation(pa_lowering *lower, MlirOperation op);

// lower_iterate.c
void pa_lower_for(pa_lowering *lower, MlirOperation op);
void pa_lower_private(pa_lowering *lower, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_LOWER_FLOW_H
