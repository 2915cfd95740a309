// Emission of subscripts by arrays of integers in pyarray-infer-types: a ufunc whose body subscripts.
//
//   %v = pyarray.getitem %a[%x]            %x of rank 1, %a of rank 1
// becomes
//   %v = pyarray.ufunc "()->()" ins(%x : !pyarray.array<?xsi64, C>) {
//   ^bb0(%i: si64):
//     %e = pyarray.getitem %a[%i]
//     pyarray.yield %e
//   } -> !pyarray.array<?xf64, C>
// Where axes of %a are left, a point is a part of the array: "(n0,m0),()->(m0)" ins(%a, %x). As in NumPy the axes of
// the indices are the outermost in memory; where they have another place, what is made is turned.
#include <string.h>

#include "infer_emit.h"

enum { PA_MOST_OPERANDS = PA_MOST_AXES + 1 };

typedef struct gather {
  pa_instance_emitter *e;
  const pa_index_plan *plan;
  int count;                          // of indices
  MlirValue indices[PA_MOST_AXES];    // numbers, and arrays that broadcast
  int64_t told[PA_MOST_AXES];         // the axes of the array that the program subscripts
  MlirValue inputs[PA_MOST_OPERANDS]; // of the ufunc
  int input_count;
  int behind;                   // axes of the view that are left
  bool has_core, is_contiguous; // the core dimensions of the array, by its type
} gather;

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static int rank_of(MlirValue value) {
  return is_array(value) ? (int)pyarrayArrayTypeGetRank(mlirValueGetType(value)) : 0;
}

static MlirType plain_view(gather *g, MlirType array, int rank) {
  return pa_array_type(pa_emitter_context(g->e), rank, pyarrayArrayTypeGetElement(array), PYARRAY_LAYOUT_A,
                       pyarrayArrayTypeIsReadonly(array));
}

static void read_indices(gather *g, const MlirValue *values) {
  const pa_index_plan *plan = g->plan;
  for (int axis = 0; axis < plan->count; ++axis) {
    MlirValue value = plan->sources[axis] < 0 ? (MlirValue){NULL} : values[plan->sources[axis]];
    if (mlirValueIsNull(value) || pyarrayTypeIsSlice(mlirValueGetType(value))) continue;
    g->told[g->count] = axis;
    g->indices[g->count++] = value;
  }
}

//===-- Shapes ------------------------------------------------------------------------------------===//

// IndexError where shapes of indices do not fit; from there on all have the one shape.
static void broadcast_indices(gather *g) {
  MlirContext context = pa_emitter_context(g->e);
  MlirValue arrays[PA_MOST_AXES], operands[PA_MOST_AXES + 1];
  MlirType types[PA_MOST_AXES];
  const char *signature = "";
  int count = 0, rank = g->plan->broadcast_rank;
  for (int i = 0; i < g->count; ++i)
    if (is_array(g->indices[i])) arrays[count++] = g->indices[i];
  if (count < 2) return;
  for (int i = 0; i < count; ++i)
    signature = pa_arena_format(g->e->inference->arena, "%s%s()", signature, i ? "," : "");
  for (int d = 0; d < rank; ++d) types[d] = pa_scalar_type(context, PA_I64);
  int32_t segments[] = {count, 0};
  MlirOperation shape = pa_op(
      g->e->builder, PA_OP_NAME(UFUNC_SHAPE), PA_OPERAND_ARRAY(arrays, count), PA_RESULT_ARRAY(types, rank),
      PA_ATTRS({"signature", pa_string_attr(context, pa_arena_format(g->e->inference->arena, "%s->()", signature))},
               {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)},
               {"indices", pa_unit_attr(context)}));
  if (mlirOperationIsNull(shape)) return;
  for (int d = 0; d < rank; ++d) operands[1 + d] = mlirOperationGetResult(shape, d);
  for (int i = 0; i < g->count; ++i) {
    if (!is_array(g->indices[i])) continue;
    operands[0] = g->indices[i];
    MlirType type = plain_view(g, mlirValueGetType(g->indices[i]), rank);
    g->indices[i] =
        pa_value(g->e->builder, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, rank + 1), PA_RESULTS(type));
  }
}

// The axes with an index first. They and all others are core dimensions; the indices have the loop dimensions.
static MlirValue arrange(gather *g, MlirValue view) {
  MlirContext context = pa_emitter_context(g->e);
  const pa_index_plan *plan = g->plan;
  int64_t axes[PA_MOST_AXES];
  int rank = rank_of(view), left = plan->gathered_count, next = 0;
  bool kept = true;
  for (int axis = 0; axis < rank; ++axis) {
    bool given = next < plan->gathered_count && plan->gathered[next] == axis;
    int at = given ? next++ : left++;
    axes[at] = axis;
    kept = kept && at == axis;
  }
  g->is_contiguous = kept && pyarrayArrayTypeGetLayout(mlirValueGetType(view)) == PYARRAY_LAYOUT_C;
  if (kept) return view;
  return pa_value(g->e->builder, PA_OP_NAME(TRANSPOSE), PA_OPERANDS(view),
                  PA_RESULTS(plain_view(g, mlirValueGetType(view), rank)),
                  PA_ATTRS({"axes", mlirDenseI64ArrayGet(context, rank, axes)}));
}

// What has the axes of the indices first, with these in their place.
static MlirValue put_in_place(gather *g, MlirValue made, MlirType result) {
  MlirContext context = pa_emitter_context(g->e);
  int64_t axes[PA_MOST_AXES];
  int rank = rank_of(made), place = g->plan->place, wide = g->plan->broadcast_rank;
  if (place == 0 || pa_failed(g->e->builder)) return made;
  for (int axis = 0; axis < rank; ++axis)
    axes[axis] = axis < place ? wide + axis : axis < place + wide ? axis - place : axis;
  if (pyarrayArrayTypeGetLayout(result) == PYARRAY_LAYOUT_F)
    return pa_value(g->e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(made), PA_RESULTS(result),
                    PA_ATTRS({"name", pa_string_attr(context, "T")}));
  return pa_value(g->e->builder, PA_OP_NAME(TRANSPOSE), PA_OPERANDS(made),
                  PA_RESULTS(plain_view(g, mlirValueGetType(made), rank)),
                  PA_ATTRS({"axes", mlirDenseI64ArrayGet(context, rank, axes)}));
}

//===-- The ufunc ---------------------------------------------------------------------------------===//

static MlirType core_type(gather *g, MlirType array, int rank, bool readonly) {
  return pa_array_type(pa_emitter_context(g->e), rank, pyarrayArrayTypeGetElement(array),
                       g->is_contiguous ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A, readonly);
}

static MlirType argument_type(gather *g, int i) {
  MlirType type = mlirValueGetType(g->inputs[i]);
  if (!pyarrayTypeIsArray(type)) return type;
  return g->has_core && i == 0 ? core_type(g, type, g->count + g->behind, pyarrayArrayTypeIsReadonly(type))
                               : pyarrayArrayTypeGetElement(type);
}

// |array|: what the body subscripts, where it is not the first argument.
static MlirRegion emit_body(gather *g, MlirValue array) {
  MlirContext context = pa_emitter_context(g->e);
  MlirType types[PA_MOST_OPERANDS + 1], part = {NULL};
  MlirValue operands[PA_MOST_OPERANDS];
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(g->has_core ? g->inputs[0] : array));
  for (int i = 0; i < g->input_count; ++i) types[i] = argument_type(g, i);
  if (g->behind) types[g->input_count] = core_type(g, mlirValueGetType(g->inputs[0]), g->behind, false);
  pa_builder inside = *g->e->builder, *outer = g->e->builder;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(outer->location, types, g->input_count + (g->behind > 0), &inside.block);
  g->e->builder = &inside;
  operands[0] = g->has_core ? mlirBlockGetArgument(inside.block, 0) : array;
  for (int i = 0; i < g->count; ++i) {
    MlirValue index = mlirBlockGetArgument(inside.block, g->has_core + i);
    bool is_unsigned = pa_is_unsigned(pa_scalar_of(mlirValueGetType(index)));
    operands[1 + i] = pa_emit_cast(g->e, index, pa_scalar_type(context, is_unsigned ? PA_U64 : PA_I64));
  }
  if (g->behind) {
    MlirType array_type = mlirValueGetType(operands[0]);
    part = core_type(g, array_type, g->behind, pyarrayArrayTypeIsReadonly(array_type));
  }
  MlirValue item = pa_value(&inside, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, 1 + g->count),
                            PA_RESULTS(g->behind ? part : element),
                            PA_ATTRS({"pyarray.axes", mlirDenseI64ArrayGet(context, g->count, g->told)}));
  if (g->behind)
    pa_op(&inside, PA_OP_NAME(SETITEM), PA_OPERANDS(mlirBlockGetArgument(inside.block, g->input_count), item),
          PA_ATTRS({"pyarray.fresh", pa_unit_attr(context)}));
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(&item, g->behind ? 0 : 1));
  g->e->builder = outer;
  if (inside.failure) outer->failure = inside.failure;
  return region;
}

// "n0,n1"
static const char *dimensions_text(gather *g, const char *before, char letter, int count) {
  for (int d = 0; d < count; ++d)
    before = pa_arena_format(g->e->inference->arena, "%s%s%c%d", before, *before ? "," : "", letter, d);
  return before;
}

static const char *signature_text(gather *g) {
  pa_arena *arena = g->e->inference->arena;
  const char *text = "", *core = g->has_core ? dimensions_text(g, "", 'n', g->count) : "";
  core = dimensions_text(g, core, 'm', g->behind);
  for (int i = 0; i < g->input_count; ++i)
    text = pa_arena_format(arena, "%s%s(%s)", text, i ? "," : "", i == 0 ? core : "");
  return pa_arena_format(arena, "%s->(%s)", text, dimensions_text(g, "", 'm', g->behind));
}

MlirValue pa_emit_gathered(pa_instance_emitter *e, MlirValue view, const pa_index_plan *plan, const MlirValue *values,
                           MlirType result) {
  gather g = {.e = e, .plan = plan};
  MlirContext context = pa_emitter_context(e);
  int kept = plan->rank - plan->gathered_count;
  g.has_core = kept > 0;
  g.behind = kept;
  if (pa_failed(e->builder)) return view;
  read_indices(&g, values);
  broadcast_indices(&g);
  if (g.has_core) g.inputs[g.input_count++] = arrange(&g, view);
  for (int i = 0; i < g.count; ++i) g.inputs[g.input_count++] = g.indices[i];
  if (pa_failed(e->builder)) return view;
  MlirRegion body = emit_body(&g, view);
  int32_t segments[] = {g.input_count, 0};
  MlirType plain = pa_array_type(context, pyarrayArrayTypeGetRank(result), pyarrayArrayTypeGetElement(result),
                                 PYARRAY_LAYOUT_C, false);
  MlirValue made = pa_value(e->builder, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(g.inputs, g.input_count), PA_RESULTS(plain),
                            PA_REGIONS(body),
                            PA_ATTRS({"signature", pa_string_attr(context, signature_text(&g))},
                                     {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)},
                                     {"pyarray.name", pa_string_attr(context, "take")}));
  return pa_emit_cast(e, put_in_place(&g, made, result), result); // the bytes of records are known
}
