#include <string.h>

#include "ir/builtins.h"
#include "ufunc_cost.h"

enum { PA_CALL_COST = 40, PA_DIVISION_COST = 5, PA_LOOP_TRIPS = 64, PA_MOST_COST = 1 << 20 };

// Builtins that become some instructions: how they are lowered, and to what (NULL: to anything); what they cost of real
// numbers, and of complex ones (0: a call).
static const struct {
  pa_builtin_lowering lowering;
  const char *target;
  int64_t cost, complex_cost;
} simple_builtins[] = {
    {PA_LOWERING_ABS, NULL, 1, 0},
    {PA_LOWERING_BINARY, "floordiv", PA_DIVISION_COST, 0},
    {PA_LOWERING_BINARY, "mod", PA_DIVISION_COST, 0},
    {PA_LOWERING_BINARY, "mul", 1, 6},
    {PA_LOWERING_BINARY, NULL, 1, 2},
    {PA_LOWERING_CAST, NULL, 1, 2},
    {PA_LOWERING_COMPARE, NULL, 1, 2},
    {PA_LOWERING_DIVIDE, NULL, PA_DIVISION_COST, 0},
    {PA_LOWERING_INVERT, NULL, 1, 0},
    {PA_LOWERING_LOGICAL, NULL, 1, 0},
    {PA_LOWERING_MINMAX, NULL, 1, 0},
    {PA_LOWERING_NEGATIVE, NULL, 1, 2},
    {PA_LOWERING_NUMPY_MINMAX, NULL, 1, 0},
    {PA_LOWERING_RECIPROCAL, NULL, PA_DIVISION_COST, 0},
    {PA_LOWERING_SCALE, NULL, 1, 0},
    {PA_LOWERING_SIGN, NULL, 1, 0},
    {PA_LOWERING_SQUARE, NULL, 1, 6},
    {PA_LOWERING_TEST, NULL, 1, 0},
    {PA_LOWERING_WHERE, NULL, 1, 2},
    {PA_LOWERING_MATH, "math.absf", 1, 0},
    {PA_LOWERING_MATH, "math.copysign", 1, 0},
    {PA_LOWERING_MATH, "math.floor", 1, 0},
    {PA_LOWERING_MATH, "math.ceil", 1, 0},
    {PA_LOWERING_MATH, "math.fma", 1, 0},
    {PA_LOWERING_MATH, "math.sqrt", PA_DIVISION_COST, 0},
};

static int64_t builtin_cost(MlirOperation op) {
  const pa_builtin *builtin = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
  bool is_complex = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    is_complex = is_complex || mlirTypeIsAComplex(mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (size_t i = 0; builtin && i < sizeof simple_builtins / sizeof *simple_builtins; ++i) {
    const char *target = simple_builtins[i].target;
    if (builtin->lowering != simple_builtins[i].lowering || (target && strcmp(builtin->target, target) != 0)) continue;
    int64_t cost = is_complex ? simple_builtins[i].complex_cost : simple_builtins[i].cost;
    return cost ? cost : PA_CALL_COST;
  }
  return PA_CALL_COST;
}

static int64_t cost_of(const pa_names *names, MlirOperation op) {
  switch (pa_kind(names, op)) {
  case PA_OP_CALL: return PA_CALL_COST;
  case PA_OP_BUILTIN: return builtin_cost(op);
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
    bool loops = kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE || kind == PA_OP_UFUNC || kind == PA_OP_REDUCE;
    int64_t trips = loops ? PA_LOOP_TRIPS : 1;
    cost += cost_of(names, op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) cost += trips * pa_ufunc_cost(names, pa_body(op, r));
    if (cost > PA_MOST_COST) return PA_MOST_COST;
  }
  return cost;
}

bool pa_calls_functions(const pa_names *names, MlirBlock body) {
  PA_FOR_EACH_OP(op, body) {
    if (cost_of(names, op) >= PA_CALL_COST / 2) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && pa_calls_functions(names, pa_body(op, r))) return true;
  }
  return false;
}
