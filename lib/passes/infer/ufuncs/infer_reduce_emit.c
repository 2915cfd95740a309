// Reductions of arrays in pyarray-infer-types: the pyarray.reduce that a call becomes.
//
//   np.sum(a, axis=0, where=m)     a of int32
// becomes
//   %r = pyarray.reduce ["add"] axes [0] ins(%a, %m : ...) {
//   ^bb0(%x: si32, %w: i1):
//     %y = pyarray.cast %x : si32 to si64
//     %z = pyarray.builtin "numpy.where"(%w, %y, %c0) : (i1, si64, si64) -> si64
//     pyarray.yield %z : si64
//   } -> !pyarray.array<?xsi64, C>
#include "infer_reduce.h"

#include <math.h>
#include <string.h>

#include "ir/whole_arrays.h"

static MlirType element_of(MlirValue value) { return pa_element_of(mlirValueGetType(value)); }

//===-- The body ----------------------------------------------------------------------------------===//

static bool is_word(const pa_reduction *r, const char *word) { return strcmp(r->word, word) == 0; }

// What changes nothing, where an element is left out; of min and max the start.
static MlirValue emit_neutral(pa_instance_emitter *e, const pa_reduction *r, MlirValue start) {
  MlirContext context = pa_emitter_context(e);
  if (!mlirValueIsNull(start) && (is_word(r, "min") || is_word(r, "max"))) return start;
  if (pa_is_time(r->computed)) return pa_emit_literal(e, pyarrayTicksAttrGet(0, r->computed));
  bool ones = is_word(r, "mul") || is_word(r, "and");
  bool bits = is_word(r, "and") && pa_scalar_of(r->computed) != PA_BOOL;
  MlirValue value = pa_emit_literal(e, mlirIntegerAttrGet(pa_scalar_type(context, PA_I64), bits ? -1 : ones));
  return pa_emit_cast(e, value, r->computed);
}

static MlirRegion emit_body(pa_instance_emitter *e, const pa_reduction *r, const MlirType *types, int count,
                            MlirValue neutral) {
  pa_builder inside = *e->builder, *outer = e->builder;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(outer->location, types, count, &inside.block);
  e->builder = &inside;
  MlirValue value = pa_emit_cast(e, mlirBlockGetArgument(inside.block, 0), r->computed);
  if (count > 1)
    value = pa_value(&inside, PA_OP_NAME(BUILTIN), PA_OPERANDS(mlirBlockGetArgument(inside.block, 1), value, neutral),
                     PA_RESULTS(r->computed), PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "numpy.where")}));
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(value));
  e->builder = outer;
  if (inside.failure) outer->failure = inside.failure;
  return region;
}

//===-- Results -----------------------------------------------------------------------------------===//

static MlirAttribute axes_attr(pa_instance_emitter *e, const pa_reduction *r) {
  int64_t axes[PA_TYPE_MAX_RANK];
  intptr_t count = 0;
  for (int d = 0; d < r->rank; ++d)
    if (r->folded[d]) axes[count++] = d;
  return mlirDenseI64ArrayGet(pa_emitter_context(e), count, axes);
}

// A number as an array of |rank| dimensions of extent 1.
static MlirValue emit_single(pa_instance_emitter *e, MlirValue value, int rank, MlirType type) {
  MlirValue operands[PA_TYPE_MAX_RANK + 1];
  MlirContext context = pa_emitter_context(e);
  MlirType made = pa_array_type(context, rank, mlirValueGetType(value), PYARRAY_LAYOUT_C, false);
  for (int d = 0; d < rank; ++d)
    operands[d] = pa_emit_literal(e, mlirIntegerAttrGet(pa_scalar_type(context, PA_I64), 1));
  operands[rank] = value;
  MlirValue array = pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, rank + 1), PA_RESULTS(made),
                             PA_ATTRS({"name", pa_string_attr(context, "numpy.full")}));
  return pa_emit_cast(e, array, type);
}

static MlirValue emit_kept_axes(pa_instance_emitter *e, const pa_reduction *r, MlirValue value) {
  if (!r->keeps_axes || pa_failed(e->builder)) return value;
  MlirType type = pa_array_type(pa_emitter_context(e), r->rank, r->given, PYARRAY_LAYOUT_A, false);
  if (!pyarrayTypeIsArray(mlirValueGetType(value))) return r->rank ? emit_single(e, value, r->rank, type) : value;
  if (!r->folded_count) return pa_emit_cast(e, value, type);
  return pa_value(e->builder, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(value), PA_RESULTS(type),
                  PA_ATTRS({"axes", axes_attr(e, r)}));
}

static MlirValue *emit_extents(pa_instance_emitter *e, MlirValue array) {
  MlirType types[PA_TYPE_MAX_RANK];
  intptr_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(array)), count;
  for (intptr_t i = 0; i < rank; ++i) types[i] = pa_scalar_type(pa_emitter_context(e), PA_I64);
  MlirValue shape = pa_value(e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(array),
                             PA_RESULTS(mlirTupleTypeGet(pa_emitter_context(e), rank, types)),
                             PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "shape")}));
  return pa_failed(e->builder) ? NULL : pa_emit_elements(e, shape, &count);
}

// The result is not broadcast to the array that was given for it.
static void check_output(pa_instance_emitter *e, const pa_reduction *r, MlirValue array, MlirValue out) {
  if (!pyarrayTypeIsArray(mlirValueGetType(out)) || !pyarrayTypeIsArray(mlirValueGetType(array))) return;
  MlirContext context = pa_emitter_context(e);
  MlirValue *own = emit_extents(e, array), *given = own ? emit_extents(e, out) : NULL;
  for (int d = 0, k = 0; given && d < r->rank && !pa_failed(e->builder); ++d) {
    if (r->folded[d] && !r->keeps_axes) continue;
    MlirValue wanted =
        r->folded[d] ? pa_emit_literal(e, mlirIntegerAttrGet(pa_scalar_type(context, PA_I64), 1)) : own[d];
    MlirValue differs = pa_value(e->builder, PA_OP_NAME(COMPARE), PA_OPERANDS(given[k++], wanted),
                                 PA_RESULTS(mlirIntegerTypeGet(context, 1)),
                                 PA_ATTRS({"kind", pyarrayCompareKindAttrGet(context, PYARRAY_COMPARE_NE)}));
    const char *text = pa_arena_format(e->inference->arena,
                                       "output parameter for reduction operation %s has the wrong shape", r->name);
    pa_emit_raise_if(e, differs, "ValueError", text);
  }
}

// Stores |value| in the array that was given for it.
static MlirValue emit_output(pa_instance_emitter *e, const pa_reduction *r, MlirValue value) {
  if (mlirValueIsNull(r->out) || pa_failed(e->builder)) return value;
  MlirValue out = pa_emitter_use(e, r->out);
  MlirContext context = pa_emitter_context(e);
  MlirType element = element_of(out), from = element_of(value);
  if (!pyarrayTypeIsArray(mlirValueGetType(value))) {
    pa_op(e->builder, PA_OP_NAME(SETITEM), PA_OPERANDS(out, pa_emit_cast(e, value, element)));
    return out;
  }
  pa_builder inside = *e->builder, *outer = e->builder;
  inside.before = (MlirOperation){NULL};
  MlirRegion body = pa_region(outer->location, &from, 1, &inside.block);
  e->builder = &inside;
  MlirValue cast = pa_emit_cast(e, mlirBlockGetArgument(inside.block, 0), element);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(cast));
  e->builder = outer;
  if (inside.failure) outer->failure = inside.failure;
  int32_t segments[] = {1, 1};
  pa_op(e->builder, PA_OP_NAME(UFUNC), PA_OPERANDS(value, out), PA_REGIONS(body),
        PA_ATTRS({"signature", pa_string_attr(context, "()->()")},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)},
                 {"pyarray.name", pa_string_attr(context, r->name)}));
  return out;
}

//===-- The operation -----------------------------------------------------------------------------===//

pa_status pa_emit_reduction(pa_instance_emitter *e, MlirOperation op, const pa_reduction *r) {
  MlirContext context = pa_emitter_context(e);
  MlirValue operands[3];
  MlirType types[2];
  int inputs = 1 + !mlirValueIsNull(r->where), left = r->rank - r->folded_count;
  MlirValue start = {NULL}, neutral = {NULL};
  operands[0] = pa_emitter_use(e, r->array);
  if (inputs > 1) operands[1] = pa_emitter_use(e, r->where);
  if (!mlirValueIsNull(r->initial)) start = pa_emit_cast(e, pa_emitter_use(e, r->initial), r->computed);
  if (inputs > 1) neutral = emit_neutral(e, r, start);
  if (pa_failed(e->builder)) return PA_OK;
  for (int i = 0; i < inputs; ++i) types[i] = element_of(operands[i]);
  if (!mlirValueIsNull(start)) operands[inputs] = start;
  int32_t segments[] = {inputs, !mlirValueIsNull(start), 0};
  if (!mlirValueIsNull(r->out)) check_output(e, r, operands[0], pa_emitter_use(e, r->out));
  MlirAttribute word = pa_string_attr(context, r->word);
  MlirType array = mlirValueGetType(operands[0]);
  bool is_f = left > 1 && pyarrayArrayTypeGetLayout(array) == PYARRAY_LAYOUT_F;
  MlirType type =
      left ? pa_array_type(context, left, r->given, is_f ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C, false) : r->given;
  MlirValue value = pa_value(e->builder, PA_OP_NAME(REDUCE), PA_OPERAND_ARRAY(operands, inputs + segments[1]),
                             PA_RESULTS(type), PA_REGIONS(emit_body(e, r, types, inputs, neutral)),
                             PA_ATTRS({"words", mlirArrayAttrGet(context, 1, &word)}, {"axes", axes_attr(e, r)},
                                      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 3, segments)},
                                      {"pyarray.name", pa_string_attr(context, r->name)}));
  value = emit_kept_axes(e, r, value);
  value = emit_output(e, r, value);
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), value), PA_OK;
}
