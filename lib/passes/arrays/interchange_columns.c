// Of pyarray-interchange-loops: the loops twice, and the choice between them and what they were.
//
// Where each place of a column may wait for the one before, several columns are computed side by side, PA_LANES of them
// in one loop: their numbers wait for each other no more, and the conditions are the same.
#include "expand.h"
#include "fuse_internal.h"
#include "interchange.h"
#include "loop_checks.h"

// Planes of the same extents, and no memory in common with what is written.
static void require_planes(pa_column_emission *e) {
  pa_interchange *x = e->x;
  bool first = true;
  for (int i = 0; i < x->array_count && !pa_failed(&e->at); ++i) {
    MlirValue array = x->arrays[i].array;
    for (intptr_t axis = 0; axis < x->rank && x->arrays[i].has_columns; ++axis) {
      MlirValue extent = pa_extent_of(&e->at, array, axis);
      if (first)
        e->extents[axis] = extent;
      else
        pa_require(e, PYARRAY_COMPARE_EQ, extent, e->extents[axis]);
    }
    first = first && !x->arrays[i].has_columns;
    if (x->arrays[i].has_columns) x->arrays[i].length = pa_extent_of(&e->at, array, x->rank);
    for (int k = 0; k < x->array_count; ++k)
      if (x->arrays[i].written && k != i && !(x->arrays[k].written && k < i))
        e->possible = pa_and_apart(&e->at, e->possible, array, x->arrays[k].array);
  }
}

// Whether each place of a column may wait for the one before.
static bool is_recurrence(const pa_interchange *x) {
  bool recurs = x->carries;
  for (int i = 0; i < x->array_count; ++i) recurs = recurs || (x->arrays[i].read && x->arrays[i].written);
  return recurs;
}

// Of columns that were computed before.
static void forget_planes(pa_interchange *x) {
  for (size_t i = 0; i < x->values.capacity; ++i) {
    pa_column_value *value = x->values.entries[i].key ? x->values.entries[i].value : NULL;
    if (value && value->kind == PA_VALUE_PLANE) value->now[0] = (MlirValue){NULL};
  }
}

// The loops for |lanes| columns at a time, from number |first| on.
static void emit_group(pa_column_emission *e, MlirValue first, MlirValue end, int lanes) {
  MlirType type = mlirValueGetType(first);
  MlirValue step = pa_si64(&e->at, lanes);
  if (pa_failed(&e->at)) return;
  MlirValue range = pa_value(&e->at, PA_OP_NAME(BUILTIN), PA_OPERANDS(first, end, step),
                             PA_RESULTS(pyarrayRangeTypeGet(e->at.context)),
                             PA_ATTRS({"name", pa_string_attr(e->at.context, "builtins.range")}));
  pa_builder outside = e->at;
  MlirRegion region = pa_region(e->at.location, &type, 1, &e->at.block);
  e->at.before = (MlirOperation){NULL};
  e->lanes = lanes;
  forget_planes(e->x);
  e->rows[0] = mlirBlockGetArgument(e->at.block, 0);
  for (int lane = 1; lane < lanes; ++lane)
    e->rows[lane] = pa_binary_of(&e->at, PYARRAY_BINARY_ADD, e->rows[0], pa_si64(&e->at, lane));
  pa_emit_loops(e);
  if (!pa_failed(&e->at)) pa_op(&e->at, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(NULL, 0));
  outside.failure = e->at.failure;
  e->at = outside;
  pa_op(&e->at, PA_OP_NAME(FOR), PA_OPERANDS(range), PA_REGIONS(region));
}

static void emit_groups(pa_column_emission *e) {
  MlirValue zero = pa_si64(&e->at, 0), count = e->extents[e->x->rank - 1], whole = zero;
  if (is_recurrence(e->x)) {
    MlirValue rest = pa_binary_of(&e->at, PYARRAY_BINARY_AND, count, pa_si64(&e->at, PA_LANES - 1));
    whole = pa_binary_of(&e->at, PYARRAY_BINARY_SUB, count, rest);
    if (!pa_failed(&e->at)) emit_group(e, zero, whole, PA_LANES);
  }
  if (!pa_failed(&e->at)) emit_group(e, whole, count, 1);
  if (!pa_failed(&e->at)) pa_op(&e->at, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(NULL, 0));
}

// The operation over columns: what is read comes first, then what is written.
static void emit_columns(pa_column_emission *e) {
  pa_interchange *x = e->x;
  MlirValue operands[PA_MOST_INTERCHANGED];
  const char *text = "";
  int32_t sizes[2] = {0, 0};
  pa_builder outside = e->at;
  MlirRegion region = pa_region(e->at.location, NULL, 0, &e->at.block);
  e->at.before = (MlirOperation){NULL};
  for (int written = 0; written < 2; ++written) {
    for (int i = 0; i < x->array_count; ++i) {
      if (!x->arrays[i].has_columns || x->arrays[i].written != written) continue;
      MlirType type = mlirValueGetType(x->arrays[i].array);
      MlirType columns = pa_array_type(e->at.context, 2, pyarrayArrayTypeGetElement(type),
                                       pyarrayArrayTypeGetLayout(type), pyarrayArrayTypeIsReadonly(type));
      int number = sizes[0] + sizes[1];
      operands[number] = x->arrays[i].array;
      x->arrays[i].column = mlirBlockAddArgument(e->at.block, columns, e->at.location);
      text = pa_arena_format(x->arena, "%s%s(m,n%d)", text, !number ? "" : sizes[written] ? "," : "->", number);
      ++sizes[written];
    }
    if (!written && !sizes[0]) text = "->";
  }
  emit_groups(e);
  outside.failure = e->at.failure;
  e->at = outside;
  pa_op(&e->at, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, sizes[0] + sizes[1]), PA_REGIONS(region),
        PA_ATTRS({"signature", pa_string_attr(e->at.context, text)},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(e->at.context, 2, sizes)},
                 {"expanded", pa_unit_attr(e->at.context)}));
}

// A loop as it was, which hardly ever runs.
static void keep_loop(pa_column_emission *e, MlirOperation loop) {
  pa_op_list all = pa_ops_within(e->x->arena, loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i)
    if (pa_kind(&e->x->names, all.items[i]) == PA_OP_UFUNC)
      pa_set_attr(all.items[i], "seldom", pa_unit_attr(e->at.context));
  pa_set_attr(loop, "pyarray.checked", pa_unit_attr(e->at.context));
  mlirOperationRemoveFromParent(loop);
  mlirBlockAppendOwnedOperation(e->at.block, loop);
}

pa_status pa_emit_interchanged(pa_interchange *x) {
  pa_column_emission e = {.x = x};
  MlirRegion columns, otherwise;
  MlirOperation last = x->loops[x->loop_count - 1];
  for (size_t i = 0; i < x->shapes.count; ++i) {
    mlirOperationMoveBefore(x->shapes.items[i], x->loops[0]);
    MlirValue shape = mlirOperationGetResult(x->shapes.items[i], 0);
    pa_column_value_of(x, shape)->now[0] = shape;
  }
  e.at = (pa_builder){.context = x->names.context,
                      .location = mlirOperationGetLocation(last),
                      .block = mlirOperationGetBlock(last),
                      .before = mlirOperationGetNextInBlock(last)};
  e.possible = pa_truth_of(&e, true);
  require_planes(&e);
  pa_emit_loops(&e);
  if (pa_failed(&e.at)) return e.at.failure;
  pa_builder outside = e.at;
  e.at = pa_open_branch(&outside, &columns);
  emit_columns(&e);
  pa_close_branch(&outside, &e.at);
  e.at = pa_open_branch(&outside, &otherwise);
  for (int i = 0; i < x->loop_count; ++i) keep_loop(&e, x->loops[i]);
  pa_close_branch(&outside, &e.at);
  pa_op(&outside, PA_OP_NAME(SCF_IF), PA_OPERANDS(e.possible), PA_REGIONS(columns, otherwise));
  return outside.failure;
}
