// Of pyarray-lower: calls of NumPy's inner loops.
//
//   %f = pyarray.builtin "pyarray.library._intrinsics.numpy_loop"("inv", "(m,m)->(m,m)", %a, %o)
// becomes
//   store the addresses of %a and %o, 1, m, 0, 0 and the strides of both, in bytes, to %numbers in stack memory
//   %s = func.call @pyarray_rt_numpy_loop(%key, %numbers, %c2, %c1)       raises where 2: the process has no such loop
//   %f = %s == 1
#include <string.h>

#include "lower_arrays.h"
#include "runtime/linear/numpy_loops.h"
#include "support/core_signature.h"

enum { TEXTS = 2, INVALID = 1, MISSING = 2 };

typedef struct loop_call {
  MlirOperation op;
  pa_core_signature core;
  int operands, filled; // numbers stored
  MlirValue numbers;
} loop_call;

static const char *text_operand(pa_lowering *lower, MlirOperation op, int i) {
  MlirOperation made = pa_definition(pa_operand(op, i));
  const char *text = mlirOperationIsNull(made) ? NULL : pa_attr_text(lower->arena, pa_get_attr(made, "value"));
  if (!text) pa_lower_fail(lower, "numpy_loop takes the names of a loop and its signature as literals");
  return text ? text : "";
}

static void put(pa_lowering *lower, loop_call *c, MlirValue value) {
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(value, c->numbers, pa_int(lower, lower->index, c->filled++)));
}

// NumPy's letters of the elements.
static const char *type_letters(pa_lowering *lower, const pa_array *arrays, int count) {
  static const char known[] = {[PA_BOOL] = '?', [PA_I8] = 'b',  [PA_U8] = 'B',  [PA_I16] = 'h', [PA_U16] = 'H',
                               [PA_I32] = 'i',  [PA_U32] = 'I', [PA_I64] = 'l', [PA_U64] = 'L', [PA_F16] = 'e',
                               [PA_F32] = 'f',  [PA_F64] = 'd', [PA_C64] = 'F', [PA_C128] = 'D'};
  char *letters = PA_NEW_ARRAY(lower->arena, char, count + 1);
  for (int i = 0; i < count; ++i) {
    size_t element = (size_t)arrays[i].element;
    letters[i] = element < sizeof known && known[element] ? known[element] : '-';
  }
  return letters;
}

// The address of the element at which all positions are 0.
static MlirValue first_element(pa_lowering *lower, const pa_array *array) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return array->memref;
  MlirValue base =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", array->memref, lower->index));
  MlirValue bytes = pa_binary(lower, "arith.muli", pa_to_i64(lower, mlirOperationGetResult(parts, 1)),
                              pa_int(lower, lower->i64, pa_scalar_bytes(array->element)));
  return pa_binary(lower, "arith.addi", base, bytes);
}

static void put_sizes(pa_lowering *lower, loop_call *c, const pa_array *arrays) {
  for (int d = 0; d < c->core.dimension_count; ++d) {
    MlirValue size = {NULL};
    for (int i = 0; i < c->operands && mlirValueIsNull(size); ++i)
      for (int k = 0; k < c->core.operands[i].rank && mlirValueIsNull(size); ++k)
        if (c->core.operands[i].dimensions[k] == d) size = pa_extent(lower, &arrays[i], k);
    put(lower, c, size);
  }
}

static void put_strides(pa_lowering *lower, loop_call *c, const pa_array *arrays) {
  for (int i = 0; i < c->operands; ++i) {
    MlirOperation parts = pa_strided_metadata(lower, &arrays[i]);
    if (mlirOperationIsNull(parts)) return;
    for (int k = 0; k < c->core.operands[i].rank; ++k)
      put(lower, c,
          pa_binary(lower, "arith.muli", pa_to_i64(lower, mlirOperationGetResult(parts, 2 + arrays[i].rank + k)),
                    pa_int(lower, lower->i64, pa_scalar_bytes(arrays[i].element))));
  }
}

static void lower_numpy_loop(pa_lowering *lower, const pa_builtin_call *call) {
  loop_call *c = PA_NEW(lower->arena, loop_call);
  *c = (loop_call){.op = call->op, .operands = call->count - TEXTS};
  const char *name = text_operand(lower, call->op, 0), *signature = text_operand(lower, call->op, 1);
  if (pa_failed(&lower->builder)) return;
  bool fits = !pa_core_signature_parse(signature, strlen(signature), &c->core) &&
              c->core.input_count + c->core.output_count == c->operands;
  pa_array *arrays = PA_NEW_ARRAY(lower->arena, pa_array, c->operands + 1);
  int strides = 0;
  for (int i = 0; fits && i < c->operands; ++i) {
    arrays[i] = pa_array_of(lower, pa_operand(call->op, TEXTS + i));
    strides += c->core.operands[i].rank;
    fits = arrays[i].rank == c->core.operands[i].rank || (arrays[i].rank == 1 && !c->core.operands[i].rank);
  }
  if (!fits) {
    pa_lower_fail(lower, "numpy_loop '%s' has arrays that do not fit '%s'", name, signature);
    return;
  }
  const char *types = type_letters(lower, arrays, c->operands);
  c->numbers = pa_stack_numbers(lower, 2 * c->operands + 1 + c->core.dimension_count + strides);
  for (int i = 0; i < c->operands; ++i) put(lower, c, first_element(lower, &arrays[i]));
  put(lower, c, pa_int(lower, lower->i64, 1));
  put_sizes(lower, c, arrays);
  for (int i = 0; i < c->operands; ++i) put(lower, c, pa_int(lower, lower->i64, 0));
  put_strides(lower, c, arrays);
  MlirValue address =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", c->numbers, lower->index));
  MlirValue status =
      pa_runtime(lower, "pyarray_rt_numpy_loop", pa_int(lower, lower->i64, pa_numpy_loop_key(name, types)), address,
                 pa_int(lower, lower->i64, c->operands), pa_int(lower, lower->i64, c->core.dimension_count));
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, status, pa_int(lower, lower->i32, MISSING)), "NotImplementedError",
              pa_arena_format(lower->arena,
                              "NumPy's loop '%s' for the types '%s' is not in this process: it takes Python and NumPy",
                              name, types));
  pa_finish(lower, call, pa_compare_int(lower, PA_EQ, status, pa_int(lower, lower->i32, INVALID)));
}

const pa_builtin_rule_row pa_numpy_loop_rules[] = {{PA_LOWERING_NUMPY_LOOP, lower_numpy_loop}, {0, NULL}};
