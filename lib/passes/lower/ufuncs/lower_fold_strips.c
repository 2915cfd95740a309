// Of pyarray-lower: elements of pyarray.reduce, strip by strip, as a linalg.generic.
//
//   linalg.generic ins(%a, %b) outs(%buffer) attrs = {pyarray.packed, pyarray.cost = 1 : i64} { mulf; linalg.yield }
//
// So a strip is computed as an elementwise operation is: one vectorised loop, whatever the strides, with vector math.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"
#include "ufunc_cost.h"

enum { PA_SIMPLE_COST = 16 };

static bool has_loops(const pa_names *names, MlirBlock body) {
  PA_FOR_EACH_OP(op, body) {
    pa_op_kind kind = pa_kind(names, op);
    if (kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && has_loops(names, pa_body(op, r))) return true;
  }
  return false;
}

static pa_ufunc ufunc_of(const pa_lowering *lower, const pa_fold *f) {
  return (pa_ufunc){.op = f->op,
                    .body = f->body,
                    .input_count = f->input_count,
                    .output_count = f->result_count,
                    .rank = 1,
                    .packed = true,
                    .cost = pa_ufunc_cost(&lower->names, f->body)};
}

bool pa_has_strips(const pa_lowering *lower, const pa_fold *f) {
  pa_ufunc u = ufunc_of(lower, f);
  return pa_is_generic(&u) && !has_loops(&lower->names, f->body);
}

bool pa_is_simple(const pa_lowering *lower, const pa_fold *f) {
  PA_FOR_EACH_OP(op, f->body) {
    bool gathers = pa_kind(&lower->names, op) == PA_OP_GETITEM;
    for (intptr_t i = gathers; i < mlirOperationGetNumOperands(op); ++i) {
      pa_scalar scalar = pa_scalar_of(mlirValueGetType(pa_operand(op, i)));
      if (scalar == PA_NOT_SCALAR || pa_is_complex(scalar)) return false;
    }
    if (mlirOperationGetNumRegions(op)) return false;
  }
  return pa_ufunc_cost(&lower->names, f->body) <= PA_SIMPLE_COST;
}

bool pa_adds_blocks(const pa_lowering *lower, const pa_fold *f) {
  const pa_fold_result *result = &f->results[0];
  bool arrays = false;
  for (int i = 0; i < f->input_count; ++i) arrays = arrays || !pa_is_number_operand(&f->inputs[i]);
  if (!arrays) return false;
  return f->result_count == 1 && pa_is_pairwise(result) && (result->element == PA_F32 || result->element == PA_F64) &&
         pa_has_strips(lower, f) && pa_is_simple(lower, f);
}

static void open_inputs(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, MlirValue count, pa_ufunc *u) {
  u->operands = PA_NEW_ARRAY(lower->arena, pa_ufunc_operand, f->input_count + 2 * f->result_count + 1);
  for (int i = 0; i < f->input_count; ++i) {
    u->operands[i].number = f->inputs[i].number;
    if (!pa_is_number_operand(&f->inputs[i]))
      u->operands[i].array = pa_row_of(lower, &f->inputs[i], offsets[i], count,
                                       f->contiguous ? (MlirValue){NULL} : f->inputs[i].strides[f->rank - 1]);
  }
  u->extents[0] = count;
}

static void lower_strip(pa_lowering *lower, pa_ufunc *u) {
  bool parallel = lower->parallel;
  lower->parallel = false; // a strip is of one thread
  pa_lower_generic(lower, u);
  lower->parallel = parallel;
}

void pa_add_block(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, MlirValue count,
                  const pa_array *sum) {
  pa_ufunc u = ufunc_of(lower, f);
  u.sums = true;
  open_inputs(lower, f, offsets, count, &u);
  u.operands[f->input_count].array = *sum;
  lower_strip(lower, &u);
}

void pa_fold_strip(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, MlirValue count, MlirValue place,
                   const pa_array *buffers) {
  pa_ufunc u = ufunc_of(lower, f);
  open_inputs(lower, f, offsets, count, &u);
  if (mlirValueIsNull(place)) place = pa_int(lower, lower->index, 0);
  for (int k = 0; k < f->result_count; ++k) {
    pa_fold_operand buffer = {.array = buffers[k], .base = buffers[k].memref};
    u.operands[f->input_count + k].array = pa_row_of(lower, &buffer, place, count, (MlirValue){NULL});
  }
  lower_strip(lower, &u);
}

static MlirValue combine(pa_lowering *lower, const void *data, int number, MlirValue before, MlirValue value) {
  const pa_fold *f = data;
  return pa_fold_combine(lower, &f->results[number], before, value);
}

void pa_update_strip(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets) {
  pa_ufunc u = ufunc_of(lower, f);
  int last = f->rank - 1;
  open_inputs(lower, f, offsets, f->sizes[last], &u);
  u.input_count += f->result_count; // what was there before
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_operand *output = &f->results[k].output;
    pa_array row = pa_row_of(lower, output, offsets[f->input_count + k], f->sizes[last], output->strides[last]);
    u.operands[f->input_count + k].array = u.operands[u.input_count + k].array = row;
  }
  u.combine = combine;
  u.data = f;
  lower_strip(lower, &u);
}
