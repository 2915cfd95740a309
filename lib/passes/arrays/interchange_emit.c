// Of pyarray-interchange-loops: goes through the loop twice. Once without the arrays, to see whether an index would be
// out of bounds or something raised; and once over a column of each array, where a plane is a number.
#include "expand.h"
#include "fuse_internal.h"
#include "integer_facts.h"
#include "interchange.h"
#include "loop_checks.h"
#include "pyarray-c/Effects.h"

typedef struct emission {
  pa_interchange *x;
  pa_builder at;      // where operations are made
  bool columns;       // the second time
  MlirValue possible; // the first time: whether all was possible until here
  MlirValue extents[PA_MAX_VIEW_RANK];
} emission;

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static MlirValue result(MlirOperation op, intptr_t i) { return mlirOperationGetResult(op, i); }
static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static MlirType truth(const emission *e) { return mlirIntegerTypeGet(e->at.context, 1); }

static MlirValue emit_truth(emission *e, bool value) {
  return pa_value(&e->at, PA_OP_NAME(CONSTANT), PA_RESULTS(truth(e)),
                  PA_ATTRS({"value", mlirBoolAttrGet(e->at.context, value)}));
}

static MlirValue now(const emission *e, MlirValue value) {
  const pa_column_value *known = pa_column_value_of(e->x, value);
  return known ? known->now : value;
}

static void put(emission *e, MlirOperation op) { mlirBlockInsertOwnedOperationBefore(e->at.block, e->at.before, op); }

static void set_now(emission *e, MlirValue value, MlirValue number) { pa_column_value_of(e->x, value)->now = number; }

//===-- Places ------------------------------------------------------------------------------------===//

static void require(emission *e, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  e->possible = pa_and_compare(&e->at, e->possible, kind, a, b);
}

// An index that is in bounds, from the end where it is negative.
static MlirValue position(emission *e, MlirValue index, MlirValue length) {
  MlirValue given = now(e, index);
  if (pa_integer_not_negative(&e->x->names, index, true)) return given;
  MlirValue zero = pa_si64(&e->at, 0);
  MlirValue negative = pa_and_compare(&e->at, (MlirValue){NULL}, PYARRAY_COMPARE_LT, given, zero);
  MlirValue once = pa_value(&e->at, PA_OP_NAME(CAST), PA_OPERANDS(negative), PA_RESULTS(mlirValueGetType(zero)));
  return pa_binary_of(&e->at, PYARRAY_BINARY_ADD, given, pa_binary_of(&e->at, PYARRAY_BINARY_MUL, once, length));
}

static MlirAttribute in_bounds(const emission *e, intptr_t indices) {
  int flags[PA_MAX_VIEW_RANK];
  for (intptr_t i = 0; i < indices; ++i) flags[i] = true;
  return mlirDenseBoolArrayGet(e->at.context, indices, flags);
}

static MlirValue place(emission *e, int array, MlirValue index) {
  return position(e, index, e->x->arrays[array].length);
}

static void store(emission *e, int array, MlirValue index, MlirValue number) {
  MlirValue at = place(e, array, index);
  if (pa_failed(&e->at)) return;
  pa_op(&e->at, PA_OP_NAME(SETITEM), PA_OPERANDS(e->x->arrays[array].column, at, number),
        PA_ATTRS({"pyarray.in_bounds", in_bounds(e, 1)}));
}

// The number that |value| is in this column.
static MlirValue read(emission *e, MlirValue value) {
  const pa_column_value *known = pa_column_value_of(e->x, value);
  if (!known || known->kind != PA_VALUE_VIEW) return now(e, value);
  MlirValue at = place(e, known->array, known->index);
  if (pa_failed(&e->at)) return at;
  return pa_value(&e->at, PA_OP_NAME(GETITEM), PA_OPERANDS(e->x->arrays[known->array].column, at),
                  PA_RESULTS(known->type), PA_ATTRS({"pyarray.in_bounds", in_bounds(e, 1)}));
}

static void emit_place(emission *e, int array, MlirValue index) {
  if (!e->columns) e->possible = pa_and_in_bounds(&e->at, e->possible, now(e, index), e->x->arrays[array].length);
}

static void emit_element(emission *e, MlirOperation op) {
  MlirValue operands[PA_MAX_VIEW_RANK + 1] = {operand(op, 0)};
  intptr_t indices = mlirOperationGetNumOperands(op) - 1;
  for (intptr_t i = 0; i < indices && !pa_failed(&e->at); ++i) {
    MlirValue index = operand(op, 1 + i), length = pa_extent_of(&e->at, operands[0], i);
    if (e->columns) operands[1 + i] = position(e, index, length);
    if (!e->columns) e->possible = pa_and_in_bounds(&e->at, e->possible, now(e, index), length);
  }
  if (e->columns && !pa_failed(&e->at))
    set_now(e, result(op, 0),
            pa_value(&e->at, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, indices + 1),
                     PA_RESULTS(mlirValueGetType(result(op, 0))),
                     PA_ATTRS({"pyarray.in_bounds", in_bounds(e, indices)})));
}

//===-- Operations --------------------------------------------------------------------------------===//

static void emit_block(emission *e, MlirBlock block);

// A copy of an operation on numbers.
static void emit_copy(emission *e, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, now(e, operand(op, i)));
  put(e, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) set_now(e, result(op, i), result(copy, i));
}

static void emit_numbers(emission *e, MlirOperation op) {
  bool plane = mlirOperationGetNumResults(op) && is_array(result(op, 0)); // that is not bound
  if (plane && e->columns) {
    pa_column_value *value = pa_column_value_of(e->x, result(op, 0));
    value->now = pa_value(&e->at, PA_OP_NAME(UNBOUND), PA_RESULTS(value->type));
  } else if (!plane && (e->columns || !mlirOperationGetNumResults(op) || pa_is_foreseen(e->x, result(op, 0)))) {
    emit_copy(e, op);
  }
}

static MlirValue emit_zero(emission *e, MlirType type) {
  MlirAttribute zero =
      pa_is_float(pa_scalar_of(type)) ? mlirFloatAttrDoubleGet(e->at.context, type, 0) : mlirIntegerAttrGet(type, 0);
  return pa_value(&e->at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", zero}));
}

static void emit_new(emission *e, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  pa_column_value *plane = pa_column_value_of(e->x, result(op, 0));
  if (!e->columns) {
    for (intptr_t i = 0; i < e->x->rank; ++i) require(e, PYARRAY_COMPARE_EQ, now(e, operand(op, i)), e->extents[i]);
  } else if (pa_ref_equal(name, "numpy.full")) {
    plane->now = now(e, operand(op, e->x->rank));
  } else if (pa_ref_equal(name, "numpy.zeros")) {
    plane->now = emit_zero(e, plane->type);
  } else {
    plane->now = pa_value(&e->at, PA_OP_NAME(UNBOUND), PA_RESULTS(plane->type));
  }
}

// The body of an operation at this point. What it computes goes to |out_numbers|.
static void emit_body(emission *e, MlirOperation op, MlirValue *out_numbers) {
  MlirBlock body = pa_body(op, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  MlirAttribute options = pa_get_attr(op, "pyarray.options");
  pa_map copies = {0};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(argument)))
      pa_map_put(e->x->arena, &copies, argument.ptr, (void *)read(e, operand(op, i)).ptr);
  }
  PA_FOR_EACH_OP(inner, body) {
    if (mlirOperationEqual(inner, end) || pa_failed(&e->at)) break;
    MlirOperation copy = mlirOperationClone(inner);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(inner); ++i) {
      void *copied = pa_map_get(&copies, operand(inner, i).ptr);
      if (copied) mlirOperationSetOperand(copy, i, (MlirValue){copied});
    }
    if (!mlirAttributeIsNull(options) && !pa_has_attr(copy, "pyarray.options"))
      pa_set_attr(copy, "pyarray.options", options);
    put(e, copy);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(inner); ++i)
      pa_map_put(e->x->arena, &copies, result(inner, i).ptr, (void *)result(copy, i).ptr);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    void *copied = pa_map_get(&copies, operand(end, i).ptr);
    out_numbers[i] = copied ? (MlirValue){copied} : operand(end, i);
  }
}

static void emit_ufunc(emission *e, MlirOperation op) {
  intptr_t inputs = pa_input_count(op), count = mlirOperationGetNumOperands(mlirBlockGetTerminator(pa_body(op, 0)));
  bool given = mlirOperationGetNumOperands(op) > inputs;
  if (!e->columns) return;
  MlirValue *numbers = PA_NEW_ARRAY(e->x->arena, MlirValue, count);
  emit_body(e, op, numbers);
  for (intptr_t i = 0; i < count && !pa_failed(&e->at); ++i) {
    MlirValue output = given ? operand(op, inputs + i) : result(op, i);
    pa_column_value *value = pa_column_value_of(e->x, output);
    if (value->kind == PA_VALUE_VIEW)
      store(e, value->array, value->index, numbers[i]);
    else
      value->now = numbers[i];
  }
}

//===-- Branches ----------------------------------------------------------------------------------===//

typedef struct yielded {
  MlirValue values[128]; // of the loop as it was: they have a value in each branch
  MlirType types[128];
  intptr_t count, results; // the first ones are results
} yielded;

// Planes that were there before |block| and that it changes.
static void add_changed(const emission *e, MlirBlock block, yielded *y) {
  if (mlirBlockIsNull(block)) return;
  PA_FOR_EACH_OP(op, block) {
    if (pa_kind(&e->x->names, op) == PA_OP_UFUNC)
      for (intptr_t i = pa_input_count(op); i < mlirOperationGetNumOperands(op); ++i) {
        const pa_column_value *value = pa_column_value_of(e->x, operand(op, i));
        bool there = value->kind == PA_VALUE_VIEW || mlirValueIsNull(value->now);
        for (intptr_t k = y->results; k < y->count; ++k)
          there = there || pa_column_value_of(e->x, y->values[k]) == value;
        if (there || y->count == PA_COUNT(y->values) - 1) continue;
        y->types[y->count] = value->type;
        y->values[y->count++] = operand(op, i);
      }
    if (pa_kind(&e->x->names, op) == PA_OP_SCF_IF)
      for (intptr_t r = 0; r < 2; ++r) add_changed(e, pa_body(op, r), y);
  }
}

static void read_results(const emission *e, MlirOperation op, yielded *y) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    const pa_column_value *value = pa_column_value_of(e->x, result(op, i));
    if (!e->columns && value->kind != PA_VALUE_NUMBER) continue;
    y->types[y->count] = value->type;
    y->values[y->count++] = result(op, i);
  }
  y->results = y->count;
}

// What |end| yields for the results that are kept, and the others.
static void emit_end(emission *e, MlirOperation op, MlirOperation end, const yielded *y, const char *name) {
  MlirValue values[129];
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && count < y->results; ++i)
    if (mlirValueEqual(y->values[count], result(op, i))) values[count++] = now(e, operand(end, i));
  for (; count < y->count; ++count) values[count] = now(e, y->values[count]);
  if (!e->columns) values[count++] = e->possible;
  if (!pa_failed(&e->at)) pa_op(&e->at, name, PA_OPERAND_ARRAY(values, count));
}

static void emit_if(emission *e, MlirOperation op) {
  yielded y = {.count = 0};
  MlirValue before[128], possible = e->possible;
  pa_builder outside = e->at;
  MlirRegion regions[2];
  read_results(e, op, &y);
  for (intptr_t r = 0; r < 2 && e->columns; ++r) add_changed(e, pa_body(op, r), &y);
  for (intptr_t i = y.results; i < y.count; ++i) before[i] = now(e, y.values[i]);
  for (intptr_t r = 0; r < 2; ++r) {
    MlirBlock block = pa_body(op, r);
    e->at = pa_open_branch(&outside, &regions[r]);
    if (!mlirBlockIsNull(block)) emit_block(e, block);
    emit_end(e, op, mlirBlockIsNull(block) ? (MlirOperation){NULL} : mlirBlockGetTerminator(block), &y,
             PA_OP_NAME(SCF_YIELD));
    for (intptr_t i = y.results; i < y.count; ++i) set_now(e, y.values[i], before[i]);
    e->possible = possible;
    outside.failure = e->at.failure;
  }
  e->at = outside;
  if (!e->columns) y.types[y.count] = truth(e);
  MlirOperation made = pa_op(&e->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(now(e, operand(op, 0))),
                             PA_RESULT_ARRAY(y.types, y.count + !e->columns), PA_REGIONS(regions[0], regions[1]));
  if (pa_failed(&e->at)) return;
  for (intptr_t i = 0; i < y.count; ++i) set_now(e, y.values[i], result(made, i));
  if (!e->columns) e->possible = result(made, y.count);
}

//===-- The loop ----------------------------------------------------------------------------------===//

static void emit_operation(emission *e, MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  switch (pa_kind(&e->x->names, op)) {
  case PA_OP_GETITEM: {
    pa_column_value *value = pa_column_value_of(e->x, result(op, 0));
    if (value->kind == PA_VALUE_VIEW)
      emit_place(e, value->array, value->index);
    else if (is_array(operand(op, 0)))
      emit_element(e, op);
    else
      emit_numbers(e, op);
    return;
  }
  case PA_OP_SETITEM:
    for (int i = 0; i < e->x->array_count; ++i)
      if (mlirValueEqual(e->x->arrays[i].array, operand(op, 0))) {
        emit_place(e, i, operand(op, last - 1));
        if (e->columns) store(e, i, operand(op, last - 1), read(e, operand(op, last)));
      }
    return;
  case PA_OP_UFUNC: emit_ufunc(e, op); return;
  case PA_OP_UFUNC_SHAPE:
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) set_now(e, result(op, i), e->extents[i]);
    return;
  case PA_OP_BROADCAST_TO: return;
  case PA_OP_SCF_IF: emit_if(e, op); return;
  case PA_OP_RAISE:
    if (!e->columns) e->possible = emit_truth(e, false);
    return;
  case PA_OP_BUILTIN:
    if (mlirOperationGetNumResults(op) == 1 && is_array(result(op, 0)))
      emit_new(e, op);
    else
      emit_numbers(e, op);
    return;
  default: emit_numbers(e, op);
  }
}

static void emit_block(emission *e, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  PA_FOR_EACH_OP(op, block) {
    if (mlirOperationEqual(op, end) || pa_failed(&e->at)) break;
    emit_operation(e, op);
  }
}

// Numbers that only arrays needed, or what was raised.
static void remove_dead(pa_arena *arena, MlirBlock block) {
  pa_op_list all = {.arena = arena};
  PA_FOR_EACH_OP(op, block) pa_op_list_add(&all, op);
  for (size_t i = all.count; i-- > 0;) {
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(all.items[i]); ++r)
      remove_dead(arena, pa_body(all.items[i], r));
    if (pyarrayOperationIsDead(all.items[i])) mlirOperationDestroy(all.items[i]);
  }
}

static void emit_loop(emission *e) {
  MlirOperation loop = e->x->loop;
  yielded y = {.count = 0};
  MlirValue operands[130] = {operand(loop, 0)};
  MlirType types[130] = {mlirValueGetType(mlirBlockGetArgument(e->x->body, 0))};
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue carried = mlirBlockGetArgument(e->x->body, 1 + i);
    pa_column_value *value = pa_column_value_of(e->x, carried);
    if (!e->columns && value->kind != PA_VALUE_NUMBER) continue;
    y.values[count] = result(loop, i);
    y.types[count] = types[1 + count] = value->type;
    operands[1 + count++] = value->kind == PA_VALUE_PLANE
                                ? pa_value(&e->at, PA_OP_NAME(UNBOUND), PA_RESULTS(value->type))
                                : operand(loop, 1 + i);
  }
  y.count = y.results = count;
  if (!e->columns) operands[1 + count] = e->possible, types[1 + count] = truth(e), ++count;
  pa_builder outside = e->at;
  MlirRegion region = pa_region(e->at.location, types, 1 + count, &e->at.block);
  e->at.before = (MlirOperation){NULL};
  MlirBlock body = e->at.block;
  set_now(e, mlirBlockGetArgument(e->x->body, 0), mlirBlockGetArgument(body, 0));
  for (intptr_t i = 0, k = 0; i < mlirOperationGetNumResults(loop); ++i)
    if (k < y.count && mlirValueEqual(y.values[k], result(loop, i)))
      set_now(e, mlirBlockGetArgument(e->x->body, 1 + i), mlirBlockGetArgument(body, 1 + k++));
  if (!e->columns) e->possible = mlirBlockGetArgument(body, count);
  emit_block(e, e->x->body);
  emit_end(e, loop, mlirBlockGetTerminator(e->x->body), &y, PA_OP_NAME(YIELD));
  if (!pa_failed(&e->at)) remove_dead(e->x->arena, body);
  outside.failure = e->at.failure;
  e->at = outside;
  MlirOperation made = pa_op(&e->at, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(operands, 1 + count),
                             PA_RESULT_ARRAY(types + 1, count), PA_REGIONS(region));
  if (!e->columns && !pa_failed(&e->at)) e->possible = result(made, count - 1);
}

//===-- Both --------------------------------------------------------------------------------------===//

// Planes of the same extents, and no memory in common with what is written.
static void require_planes(emission *e) {
  pa_interchange *x = e->x;
  bool first = true;
  for (int i = 0; i < x->array_count && !pa_failed(&e->at); ++i) {
    MlirValue array = x->arrays[i].array;
    for (intptr_t axis = 0; axis < x->rank && x->arrays[i].has_columns; ++axis) {
      MlirValue extent = pa_extent_of(&e->at, array, axis);
      if (first)
        e->extents[axis] = extent;
      else
        require(e, PYARRAY_COMPARE_EQ, extent, e->extents[axis]);
    }
    first = first && !x->arrays[i].has_columns;
    if (x->arrays[i].has_columns) x->arrays[i].length = pa_extent_of(&e->at, array, x->rank);
    for (int k = 0; k < x->array_count; ++k)
      if (x->arrays[i].written && k != i && !(x->arrays[k].written && k < i))
        e->possible = pa_and_apart(&e->at, e->possible, array, x->arrays[k].array);
  }
}

// The operation whose points are columns: what is read comes first, then what is written.
static void emit_columns(emission *e) {
  pa_interchange *x = e->x;
  MlirValue operands[PA_MOST_INTERCHANGED];
  const char *text = "";
  int32_t sizes[2] = {0, 0};
  pa_builder outside = e->at;
  MlirRegion region = pa_region(e->at.location, NULL, 0, &e->at.block);
  e->at.before = (MlirOperation){NULL};
  e->columns = true;
  for (int written = 0; written < 2; ++written) {
    for (int i = 0; i < x->array_count; ++i) {
      if (!x->arrays[i].has_columns || x->arrays[i].written != written) continue;
      MlirType type = mlirValueGetType(x->arrays[i].array);
      MlirType column = pa_array_type(e->at.context, 1, pyarrayArrayTypeGetElement(type),
                                      pyarrayArrayTypeGetLayout(type), pyarrayArrayTypeIsReadonly(type));
      int number = sizes[0] + sizes[1];
      operands[number] = x->arrays[i].array;
      x->arrays[i].column = mlirBlockAddArgument(e->at.block, column, e->at.location);
      text = pa_arena_format(x->arena, "%s%s(n%d)", text, !number ? "" : sizes[written] ? "," : "->", number);
      ++sizes[written];
    }
    if (!written && !sizes[0]) text = "->";
  }
  emit_loop(e);
  if (!pa_failed(&e->at)) pa_op(&e->at, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(NULL, 0));
  outside.failure = e->at.failure;
  e->at = outside;
  pa_op(&e->at, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, sizes[0] + sizes[1]), PA_REGIONS(region),
        PA_ATTRS({"signature", pa_string_attr(e->at.context, text)},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(e->at.context, 2, sizes)},
                 {"expanded", pa_unit_attr(e->at.context)}));
}

// The loop as it was hardly ever runs.
static void keep_loop(emission *e) {
  MlirOperation loop = e->x->loop;
  pa_op_list all = pa_ops_within(e->x->arena, loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i)
    if (pa_kind(&e->x->names, all.items[i]) == PA_OP_UFUNC)
      pa_set_attr(all.items[i], "seldom", pa_unit_attr(e->at.context));
  pa_set_attr(loop, "pyarray.checked", pa_unit_attr(e->at.context));
  mlirOperationRemoveFromParent(loop);
  put(e, loop);
}

pa_status pa_emit_interchanged(pa_interchange *x) {
  emission e = {.x = x};
  MlirRegion columns, otherwise;
  for (size_t i = 0; i < x->shapes.count; ++i) {
    mlirOperationMoveBefore(x->shapes.items[i], x->loop);
    set_now(&e, result(x->shapes.items[i], 0), result(x->shapes.items[i], 0));
  }
  e.at = (pa_builder){.context = x->names.context,
                      .location = mlirOperationGetLocation(x->loop),
                      .block = mlirOperationGetBlock(x->loop),
                      .before = mlirOperationGetNextInBlock(x->loop)};
  e.possible = emit_truth(&e, true);
  require_planes(&e);
  emit_loop(&e);
  if (pa_failed(&e.at)) return e.at.failure;
  pa_builder outside = e.at;
  e.at = pa_open_branch(&outside, &columns);
  emit_columns(&e);
  pa_close_branch(&outside, &e.at);
  e.at = pa_open_branch(&outside, &otherwise);
  keep_loop(&e);
  pa_close_branch(&outside, &e.at);
  pa_op(&outside, PA_OP_NAME(SCF_IF), PA_OPERANDS(e.possible), PA_REGIONS(columns, otherwise));
  return outside.failure;
}
