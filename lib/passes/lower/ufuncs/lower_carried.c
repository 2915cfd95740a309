// Of pyarray-lower: a ufunc whose first input is its output, one point later, as ufunc.reduce and accumulate call it.
// The output stays in a register.
//
//   %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first, %p = %c0, %q = %c0) {
//     %y = memref.load %b[%p]
//     %s = ...
//     memref.store %s, %o[%q]
//     scf.yield %s, %p + %stride_b, %q + %stride_o
//   }
// Where the output does not move (reduce) and other inputs are contiguous, a second loop stores only what comes out at
// the end; LLVM vectorises it for integers. A sum of floats is a call of the runtime, which adds as NumPy's own ufunc
// does.
#include "lower_arrays.h"
#include "lower_ufunc.h"

typedef struct carried {
  pa_ufunc *u;
  pa_array *rows;     // as if contiguous; numbers have none
  MlirValue *strides; // index type
  MlirType type;      // of the output, at level 4
  MlirValue count;
  int inputs;
} carried;

static MlirValue index_zero(pa_lowering *lower) { return pa_int(lower, lower->index, 0); }
static const pa_array *output_row(const carried *c) { return &c->rows[c->inputs]; }

// The operand along the loop: one dimension, any stride.
static MlirType row_type(pa_lowering *lower, const pa_array *array) {
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  return pyarrayArrayTypeGet(lower->context, 1, &dynamic, pyarrayArrayTypeGetElement(array->type), PYARRAY_LAYOUT_A,
                             false);
}

static pa_array ufunc_row(pa_lowering *lower, const pa_ufunc *u, const pa_array *array) {
  MlirValue positions[PA_MAX_RANK];
  for (int axis = 0; axis + 1 < u->rank; ++axis) positions[axis] = pa_to_i64(lower, u->indices[axis]);
  pa_array row = *array;
  row.type = row_type(lower, array);
  row.rank = 1;
  row.memref = pa_core_view(lower, array, positions, u->rank - 1, row.type);
  return row;
}

static carried open_rows(pa_lowering *lower, pa_ufunc *u) {
  carried c = {.u = u, .count = u->extents[0], .inputs = u->input_count};
  c.rows = PA_NEW_ARRAY(lower->arena, pa_array, c.inputs + 1);
  c.strides = PA_NEW_ARRAY(lower->arena, MlirValue, c.inputs + 1);
  for (int i = 0; i <= c.inputs; ++i) {
    if (pa_is_number(&u->operands[i])) continue;
    c.rows[i] = ufunc_row(lower, u, &u->operands[i].array);
    c.strides[i] = pa_stride_of(lower, &c.rows[i], 0);
    c.rows[i].memref = pa_with_unit_stride(lower, &c.rows[i], 0);
  }
  c.type = pa_lower_scalar_type(lower, output_row(&c)->element);
  return c;
}

// The output at a point: of the one before it and the other inputs at |positions|.
static MlirValue lower_point(pa_lowering *lower, const carried *c, MlirValue before, const MlirValue *positions) {
  pa_set1(lower, mlirBlockGetArgument(c->u->body, 0), before);
  for (int i = 1; i < c->inputs; ++i) {
    const pa_ufunc_operand *operand = &c->u->operands[i];
    pa_set1(lower, mlirBlockGetArgument(c->u->body, i),
            pa_is_number(operand) ? operand->number : pa_load(lower, &c->rows[i], &positions[i]));
  }
  pa_lower_block(lower, c->u->body);
  return pa_get1(lower, pa_operand(mlirBlockGetTerminator(c->u->body), 0));
}

static MlirValue first_value(pa_lowering *lower, const carried *c) {
  MlirValue zero = index_zero(lower);
  return pa_is_number(&c->u->operands[0]) ? c->u->operands[0].number : pa_load(lower, &c->rows[0], &zero);
}

static MlirValue emit_for(pa_lowering *lower, const carried *c, const MlirValue *carried_values, int count,
                          MlirRegion region, const char *annotation) {
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, count + 3);
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, count);
  operands[0] = index_zero(lower), operands[1] = c->count, operands[2] = pa_int(lower, lower->index, 1);
  for (int i = 0; i < count; ++i) {
    operands[3 + i] = carried_values[i];
    types[i] = i ? lower->index : c->type;
  }
  MlirOperation loop =
      pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, count + 3), PA_RESULT_ARRAY(types, count),
            PA_REGIONS(region),
            PA_ATTRS({"loop_annotation", annotation ? mlirAttributeParseGet(lower->context, pa_ref(annotation))
                                                    : mlirAttributeGetNull()}));
  return mlirOperationIsNull(loop) ? (MlirValue){NULL} : mlirOperationGetResult(loop, 0);
}

//===-- The loop that stores every output ---------------------------------------------------------===//

static void lower_stored(pa_lowering *lower, const carried *c) {
  int count = c->inputs + 1; // the output's value, positions of the other inputs and of the output
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, count),
            *positions = PA_NEW_ARRAY(lower->arena, MlirValue, count);
  for (int i = 0; i <= count; ++i) types[i] = i == 1 ? c->type : lower->index;
  values[0] = first_value(lower, c);
  for (int i = 1; i < count; ++i) values[i] = index_zero(lower);
  pa_scope scope = pa_open(lower, types, count + 1);
  for (int i = 1; i < count; ++i) positions[i] = mlirBlockGetArgument(scope.block, 1 + i);
  MlirValue *next = PA_NEW_ARRAY(lower->arena, MlirValue, count);
  next[0] = lower_point(lower, c, mlirBlockGetArgument(scope.block, 1), positions);
  pa_store(lower, output_row(c), &positions[c->inputs], next[0]);
  for (int i = 1; i < count; ++i)
    next[i] =
        mlirValueIsNull(c->strides[i]) ? positions[i] : pa_binary(lower, "arith.addi", positions[i], c->strides[i]);
  MlirRegion region = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), next, count);
  emit_for(lower, c, values, count, region, "#llvm.loop_annotation<disableNonforced = true>");
}

//===-- The loop that stores the last output ------------------------------------------------------===//

static void store_first(pa_lowering *lower, const carried *c, MlirValue value) {
  MlirValue zero = index_zero(lower);
  pa_store(lower, output_row(c), &zero, value);
}

static void lower_folded(pa_lowering *lower, const carried *c) {
  MlirType types[] = {lower->index, c->type};
  MlirValue first = first_value(lower, c);
  pa_scope scope = pa_open(lower, types, 2);
  MlirValue index = mlirBlockGetArgument(scope.block, 0),
            *positions = PA_NEW_ARRAY(lower->arena, MlirValue, c->inputs + 1);
  for (int i = 0; i <= c->inputs; ++i) positions[i] = index;
  MlirValue next = lower_point(lower, c, mlirBlockGetArgument(scope.block, 1), positions);
  MlirRegion region = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), &next, 1);
  store_first(lower, c, emit_for(lower, c, &first, 1, region, NULL));
}

// The body is the sum of its two arguments, floats.
static bool is_float_sum(pa_lowering *lower, const carried *c) {
  MlirBlock body = c->u->body;
  pa_scalar scalar = output_row(c)->element;
  if (c->inputs != 2 || (scalar != PA_F32 && scalar != PA_F64) || pa_is_number(&c->u->operands[1])) return false;
  MlirOperation sum = pa_definition(pa_operand(mlirBlockGetTerminator(body), 0));
  if (mlirOperationIsNull(sum) || pa_kind(&lower->names, sum) != PA_OP_BINARY) return false;
  if (pyarrayBinaryKindAttrGetValue(pa_get_attr(sum, "kind")) != PYARRAY_BINARY_ADD) return false;
  MlirValue x = mlirBlockGetArgument(body, 0), y = mlirBlockGetArgument(body, 1), a = pa_operand(sum, 0),
            b = pa_operand(sum, 1);
  return mlirTypeEqual(mlirValueGetType(x), mlirValueGetType(y)) &&
         ((mlirValueEqual(a, x) && mlirValueEqual(b, y)) || (mlirValueEqual(a, y) && mlirValueEqual(b, x)));
}

static void lower_float_sum(pa_lowering *lower, const carried *c) {
  pa_scalar scalar = output_row(c)->element;
  MlirValue address =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", c->rows[1].memref, lower->index));
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(scalar));
  MlirOperation parts = pa_strided_metadata(lower, &c->rows[1]);
  if (mlirOperationIsNull(parts)) return;
  MlirValue offset = pa_binary(lower, "arith.muli", pa_to_i64(lower, mlirOperationGetResult(parts, 1)), bytes);
  MlirValue stride = pa_binary(lower, "arith.muli", pa_to_i64(lower, c->strides[1]), bytes);
  MlirValue sum = pa_runtime(lower, scalar == PA_F32 ? "pyarray_rt_pairwise_sum_f32" : "pyarray_rt_pairwise_sum_f64",
                             pa_to_i64(lower, c->count), pa_binary(lower, "arith.addi", address, offset), stride);
  store_first(lower, c, pa_binary(lower, "arith.addf", first_value(lower, c), sum));
}

//===-- The choice --------------------------------------------------------------------------------===//

// Where the output does not move; and, unless the runtime steps through them, the other inputs are contiguous.
static MlirValue can_fold(pa_lowering *lower, const carried *c, bool any_strides) {
  MlirValue all = pa_compare_int(lower, PA_EQ, c->strides[c->inputs], index_zero(lower)),
            one = pa_int(lower, lower->index, 1);
  for (int i = 1; !any_strides && i < c->inputs; ++i)
    if (!mlirValueIsNull(c->strides[i])) all = pa_and(lower, all, pa_compare_int(lower, PA_EQ, c->strides[i], one));
  return all;
}

static void lower_not_empty(pa_lowering *lower, const carried *c) {
  bool is_sum = is_float_sum(lower, c);
  MlirValue folds = can_fold(lower, c, is_sum);
  pa_scope scope = pa_open(lower, NULL, 0);
  if (is_sum)
    lower_float_sum(lower, c);
  else
    lower_folded(lower, c);
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  scope = pa_open(lower, NULL, 0);
  lower_stored(lower, c);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, folds, then, otherwise, NULL, 0);
}

void pa_lower_carried(pa_lowering *lower, pa_ufunc *u) {
  if (u->rank != 1 || u->output_count != 1 || u->input_count < 1 ||
      mlirBlockGetNumArguments(u->body) != u->input_count) {
    pa_lower_fail(lower,
                  "a pyarray.ufunc that carries its output has one loop dimension, one output and numbers as points");
    return;
  }
  carried c = open_rows(lower, u);
  MlirValue not_empty = pa_compare_int(lower, PA_SGT, c.count, index_zero(lower));
  pa_scope scope = pa_if_begin(lower);
  lower_not_empty(lower, &c);
  pa_if_end(lower, scope, not_empty);
}
