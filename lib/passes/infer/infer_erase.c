// Last of pyarray-infer-types: what the emission of a block left without a use.
#include "infer_internal.h"

// Removes what turned out not to be needed: constants of folded literals, callables, tuples that were taken apart.
void pa_erase_unused(pa_inference *inference, MlirBlock block) {
  MlirOperation *ops = NULL;
  size_t count = 0, capacity = 0;
  PA_FOR_EACH_OP(op, block) {
    ops = pa_arena_grow(inference->arena, ops, count, &capacity, sizeof *ops);
    ops[count++] = op;
  }
  while (count-- > 0) {
    bool used = false;
    switch (pa_kind(&inference->names, ops[count])) {
    case PA_OP_CONSTANT:
    case PA_OP_CALLABLE:
    case PA_OP_FROZEN_ARRAY:
    case PA_OP_FROZEN:
    case PA_OP_UNBOUND:
    case PA_OP_CAST:
    case PA_OP_UNARY:
    case PA_OP_COMPARE:
    case PA_OP_TRUTH:
    case PA_OP_TUPLE:
    case PA_OP_SLICE:
    case PA_OP_GETATTR: break;
    case PA_OP_UNPACK:
      if (mlirTypeIsATuple(mlirValueGetType(mlirOperationGetOperand(ops[count], 0)))) break;
      continue;
    default: continue;
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(ops[count]); ++i)
      used = used || !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(ops[count], i)));
    if (!used) mlirOperationDestroy(ops[count]);
  }
}
