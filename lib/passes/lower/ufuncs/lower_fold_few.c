// Of pyarray-lower: pyarray.reduce of many rows of two to four elements that lie one behind the other: points of a
// plane or of space, colours, quaternions.
//
//   if (%n == 3 && strides of the inputs are 3 and 1 && ...) {
//     scf.parallel (%i) { %s = -0.0 + body(3 * %i) + body(3 * %i + 1) + body(3 * %i + 2)     %out[%i] += %s }
//   }
//
// A row has no loop of its own then, and as all strides are constants LLVM makes vectors of several rows. Where it is
// the dimension before that is folded, the two to four sums go side by side:
//
//   %x, %y, %z = scf.for %i iter_args(%out[0], %out[1], %out[2]) { ... }
//
// with what stays along that dimension (p[:, None, :]) read once, before it.
// Which inputs stay where they are along a dimension what made them says; the test is of what they do.
#include "lower_arrays.h"
#include "lower_fold.h"
#include "lower_numbers.h"

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }

bool pa_folds_few(const pa_lowering *lower, const pa_fold *f) {
  if (f->rank < 2 || f->rank - f->kept != 1 || !pa_is_simple(lower, f)) return false;
  for (int k = 0; k < f->result_count; ++k) {
    const pa_fold_result *result = &f->results[k];
    if (pa_is_searched(result) || pa_is_half(result->element) || pa_is_complex(result->element)) return false;
  }
  return true;
}

//===-- Steps -------------------------------------------------------------------------------------===//

// Whether |array| has one element along |dimension| for certain, which is read for all; below 0: one that it has not.
static bool stays(const pa_names *names, MlirValue array, intptr_t dimension) {
  if (dimension < 0) return true;
  if (!pyarrayTypeIsArray(mlirValueGetType(array)) || !mlirValueIsAOpResult(array)) return false;
  MlirOperation op = mlirOpResultGetOwner(array);
  intptr_t before = 0;
  switch (pa_kind(names, op)) {
  case PA_OP_BROADCAST_TO:
    before =
        pyarrayArrayTypeGetRank(mlirValueGetType(array)) - pyarrayArrayTypeGetRank(mlirValueGetType(pa_operand(op, 0)));
    break;
  case PA_OP_INSERT_AXES: {
    MlirAttribute axes = pa_get_attr(op, "axes");
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); ++i) {
      if (mlirDenseI64ArrayGetElement(axes, i) == dimension) return true;
      before += mlirDenseI64ArrayGetElement(axes, i) < dimension;
    }
    break;
  }
  default: return false;
  }
  return stays(names, pa_operand(op, 0), dimension - before);
}

// Elements from one point of the loop to the next along the last two dimensions, of an input that lies as it should.
typedef struct few_steps {
  int64_t row, column;
} few_steps;

static few_steps steps_of(const pa_lowering *lower, const pa_fold *f, int input, int few) {
  MlirValue array = pa_operand(f->op, input);
  few_steps steps = {0, !stays(&lower->names, array, f->rank - 1)};
  if (!stays(&lower->names, array, f->rank - 2)) steps.row = steps.column ? few : 1;
  return steps;
}

static MlirValue is_equal(pa_lowering *lower, MlirValue all, MlirValue value, int64_t constant) {
  return pa_and(lower, all, pa_compare_int(lower, PA_EQ, value, pa_int(lower, lower->index, constant)));
}

MlirValue pa_has_few(pa_lowering *lower, const pa_fold *f, int few, bool folded) {
  int last = f->rank - 1;
  MlirValue all = pa_compare_int(lower, PA_EQ, f->sizes[last], pa_int(lower, lower->index, few));
  for (int i = 0; i < f->input_count; ++i) {
    if (pa_is_number_operand(&f->inputs[i])) continue;
    few_steps steps = steps_of(lower, f, i, few);
    all = is_equal(lower, all, f->inputs[i].strides[last], steps.column);
    if (folded || !steps.row) all = is_equal(lower, all, f->inputs[i].strides[last - 1], steps.row);
  }
  for (int k = 0; k < f->result_count; ++k) {
    const MlirValue *strides = f->results[k].output.strides;
    all = is_equal(lower, is_equal(lower, all, strides[last], !folded), strides[last - 1], folded);
  }
  return all;
}

//===-- Elements ----------------------------------------------------------------------------------===//

// Inputs and outputs from |offsets| on, without gaps.
typedef struct few_rows {
  const pa_fold *f;
  pa_array *inputs, *outputs;
  MlirValue *kept; // [inputs][few] of inputs that stay along the rows: their elements
  int few;
} few_rows;

static MlirValue load_at(pa_lowering *lower, const pa_array *array, MlirValue first, int64_t step) {
  MlirValue at = pa_binary(lower, "arith.addi", first, pa_int(lower, lower->index, step));
  return pa_load(lower, array, &at);
}

static few_rows open_rows(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, int few) {
  MlirValue unit = {NULL}, count = pa_binary(lower, "arith.muli", f->sizes[f->rank - 2], f->sizes[f->rank - 1]);
  few_rows rows = {f, PA_NEW_ARRAY(lower->arena, pa_array, f->input_count + 1),
                   PA_NEW_ARRAY(lower->arena, pa_array, f->result_count + 1),
                   PA_NEW_ARRAY(lower->arena, MlirValue, few * f->input_count + 1), few};
  for (int i = 0; i < f->input_count; ++i)
    if (!pa_is_number_operand(&f->inputs[i])) rows.inputs[i] = pa_row_of(lower, &f->inputs[i], offsets[i], count, unit);
  for (int k = 0; k < f->result_count; ++k)
    rows.outputs[k] = pa_row_of(lower, &f->results[k].output, offsets[f->input_count + k], count, unit);
  return rows;
}

// The body at element |column| of the row in which the inputs are at |places|; null: those that stay.
static void lower_body(pa_lowering *lower, const few_rows *rows, const MlirValue *places, int column) {
  const pa_fold *f = rows->f;
  for (int i = 0; i < f->input_count; ++i) {
    MlirValue element = f->inputs[i].number;
    if (!pa_is_number_operand(&f->inputs[i]))
      element = mlirValueIsNull(places[i])
                    ? rows->kept[rows->few * i + column]
                    : load_at(lower, &rows->inputs[i], places[i], column * steps_of(lower, f, i, rows->few).column);
    pa_set1(lower, mlirBlockGetArgument(f->body, i), element);
  }
  pa_lower_block(lower, f->body);
}

// Of inputs that stay: no store is in the way then.
static void load_kept(pa_lowering *lower, few_rows *rows) {
  for (int i = 0; i < rows->f->input_count; ++i) {
    few_steps steps = steps_of(lower, rows->f, i, rows->few);
    if (pa_is_number_operand(&rows->f->inputs[i]) || steps.row) continue;
    for (int c = 0; c < rows->few; ++c)
      rows->kept[rows->few * i + c] = load_at(lower, &rows->inputs[i], zero(lower), c * steps.column);
  }
}

//===-- The last dimension is folded --------------------------------------------------------------===//

static void fold_few(pa_lowering *lower, const few_rows *rows, MlirValue row) {
  const pa_fold *f = rows->f;
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, f->result_count + 1),
            *places = PA_NEW_ARRAY(lower->arena, MlirValue, f->input_count + 1);
  for (int i = 0; i < f->input_count; ++i) {
    int64_t step = pa_is_number_operand(&f->inputs[i]) ? 0 : steps_of(lower, f, i, rows->few).row;
    if (step) places[i] = pa_binary(lower, "arith.muli", row, pa_int(lower, lower->index, step));
  }
  for (int k = 0; k < f->result_count; ++k)
    values[k] = pa_is_pairwise(&f->results[k]) ? pa_fold_nothing(lower, &f->results[k])
                                               : pa_load(lower, &rows->outputs[k], &row);
  for (int c = 0; c < rows->few; ++c) {
    lower_body(lower, rows, places, c);
    for (int k = 0; k < f->result_count; ++k)
      values[k] = pa_fold_combine(lower, &f->results[k], values[k], pa_fold_yielded(lower, f, k));
  }
  for (int k = 0; k < f->result_count; ++k) {
    if (pa_is_pairwise(&f->results[k]))
      values[k] = pa_fold_combine(lower, &f->results[k], pa_load(lower, &rows->outputs[k], &row), values[k]);
    pa_store(lower, &rows->outputs[k], &row, values[k]);
  }
}

void pa_fold_few(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets) {
  few_rows rows = open_rows(lower, f, offsets, f->few);
  load_kept(lower, &rows);
  MlirValue row;
  pa_scope scope = pa_parallel_begin(lower, &row);
  fold_few(lower, &rows, row);
  pa_parallel_end(lower, scope, zero(lower), f->sizes[f->rank - 2], NULL);
}

//===-- The dimension before ----------------------------------------------------------------------===//

void pa_update_few(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets) {
  few_rows rows = open_rows(lower, f, offsets, f->few);
  load_kept(lower, &rows);
  int carried = f->few * f->result_count;
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, carried + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, carried + 3), *inner = values + 3,
            *places = PA_NEW_ARRAY(lower->arena, MlirValue, f->input_count + 1);
  types[0] = lower->index;
  for (int c = 0; c < carried; ++c) {
    types[1 + c] = pa_lower_scalar_type(lower, f->results[c % f->result_count].element);
    inner[c] = load_at(lower, &rows.outputs[c % f->result_count], zero(lower), c / f->result_count);
  }
  MlirValue *next = PA_NEW_ARRAY(lower->arena, MlirValue, carried + 1);
  pa_scope scope = pa_open(lower, types, carried + 1);
  MlirValue row = mlirBlockGetArgument(scope.block, 0);
  for (int i = 0; i < f->input_count; ++i)
    if (!pa_is_number_operand(&f->inputs[i]) && steps_of(lower, f, i, f->few).row)
      places[i] = pa_binary(lower, "arith.muli", row, f->inputs[i].strides[f->rank - 2]);
  for (int c = 0; c < carried; ++c) {
    const pa_fold_result *result = &f->results[c % f->result_count];
    if (c % f->result_count == 0) lower_body(lower, &rows, places, c / f->result_count);
    next[c] = pa_fold_combine(lower, result, mlirBlockGetArgument(scope.block, 1 + c),
                              pa_fold_yielded(lower, f, c % f->result_count));
  }
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), next, carried);
  values[0] = zero(lower), values[1] = f->sizes[f->rank - 2], values[2] = pa_int(lower, lower->index, 1);
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, carried + 3),
                             PA_RESULT_ARRAY(types + 1, carried), PA_REGIONS(body),
                             PA_ATTRS({"loop_annotation", pa_scalar_annotation(lower)}));
  for (int c = 0; c < carried && !mlirOperationIsNull(loop); ++c) {
    MlirValue at = pa_int(lower, lower->index, c / f->result_count);
    pa_store(lower, &rows.outputs[c % f->result_count], &at, mlirOperationGetResult(loop, c));
  }
}
