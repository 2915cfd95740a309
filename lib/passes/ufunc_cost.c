#include "ufunc_cost.h"

enum { PA_CALL_COST = 40, PA_DIVISION_COST = 5, PA_LOOP_TRIPS = 64, PA_MOST_COST = 1 << 20 };

static int64_t cost_of(const pa_names *names, MlirOperation op) {
  switch (pa_kind(names, op)) {
    case PA_OP_CALL:
    case PA_OP_BUILTIN: return PA_CALL_COST;
    case PA_OP_BINARY: {
      int kind = pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
      bool divides = kind == PYARRAY_BINARY_TRUEDIV || kind == PYARRAY_BINARY_FLOORDIV || kind == PYARRAY_BINARY_MOD;
      return kind == PYARRAY_BINARY_POW ? PA_CALL_COST / 2 : divides ? PA_DIVISION_COST : 1;
    }
    default: return 1;
  }
}

int64_t pa_ufunc_cost(const pa_names *names, MlirBlock body) {
  int64_t cost = 0;
  PA_FOR_EACH_OP(op, body) {
    pa_op_kind kind = pa_kind(names, op);
    int64_t trips = kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE ? PA_LOOP_TRIPS : 1;
    cost += cost_of(names, op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) cost += trips * pa_ufunc_cost(names, pa_body(op, r));
    if (cost > PA_MOST_COST) return PA_MOST_COST;
  }
  return cost;
}
