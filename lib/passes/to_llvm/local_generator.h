// Of pyarray-inline-coroutines: generators that stay within the function that makes them.
#ifndef PYARRAY_LIB_PASSES_LOCAL_GENERATOR_H
#define PYARRAY_LIB_PASSES_LOCAL_GENERATOR_H

#include "ir/ir.h"

// A call that makes a generator, and all that is done with it.
typedef struct pa_local_generator {
  MlirOperation call, callee;
  pa_op_list nexts, releases; // calls of the runtime
  pa_op_list stores;          // to owner slots
  pa_op_list pointers;        // llvm.inttoptr of the places for items
  int64_t words;              // of an item
  int operations;             // of the callee
} pa_local_generator;

static inline bool pa_calls(MlirOperation op, const char *name) {
  return pa_op_is(op, PA_OP_NAME(FUNC_CALL)) &&
         pa_ref_equal(mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")), name);
}

#define PA_FOR_EACH_USE(use, value)                                                                                    \
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))

// Whether what |call| makes is only run on and released; fills in the lists, in |arena|. Where it is not, they hold
// anything.
bool pa_find_local_uses(pa_arena *arena, pa_local_generator *generator);
// Whether the blocks of |callee|, with at most |most| operations, can be another function's; fills in |operations|.
bool pa_can_be_inlined(pa_local_generator *generator, int most);

#endif // PYARRAY_LIB_PASSES_LOCAL_GENERATOR_H
