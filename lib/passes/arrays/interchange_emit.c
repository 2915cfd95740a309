// Of pyarray-interchange-loops: goes through the loop twice. Once without the arrays, to see whether an index would be
// out of bounds or something raised; and once over a column of each array, where a plane is a number.
#include "expand.h"
#include "fuse_internal.h"
#include "integer_facts.h"
#include "interchange.h"
#include "loop_checks.h"
#include "pyarray-c/Effects.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static MlirValue result(MlirOperation op, intptr_t i) { return mlirOperationGetResult(op, i); }
static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static MlirType truth(const pa_column_emission *e) { return mlirIntegerTypeGet(e->at.context, 1); }

MlirValue pa_truth_of(pa_column_emission *e, bool value) {
  return pa_value(&e->at, PA_OP_NAME(CONSTANT), PA_RESULTS(truth(e)),
                  PA_ATTRS({"value", mlirBoolAttrGet(e->at.context, value)}));
}

static MlirValue now(const pa_column_emission *e, MlirValue value) {
  const pa_column_value *known = pa_column_value_of(e->x, value);
  return known ? known->now[0] : value;
}

static void put(pa_column_emission *e, MlirOperation op) {
  mlirBlockInsertOwnedOperationBefore(e->at.block, e->at.before, op);
}

static void set_now(pa_column_emission *e, MlirValue value, MlirValue number) {
  pa_column_value_of(e->x, value)->now[0] = number;
}

static void set_lanes(pa_column_value *plane, MlirValue number) {
  for (int lane = 0; lane < PA_LANES; ++lane) plane->now[lane] = number;
}

//===-- Places ------------------------------------------------------------------------------------===//

void pa_require(pa_column_emission *e, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  e->possible = pa_and_compare(&e->at, e->possible, kind, a, b);
}

// An index that is in bounds, from the end where it is negative.
static MlirValue position(pa_column_emission *e, MlirValue index, MlirValue length) {
  MlirValue given = now(e, index);
  if (pa_integer_not_negative(&e->x->names, index, true)) return given;
  MlirValue zero = pa_si64(&e->at, 0);
  MlirValue negative = pa_and_compare(&e->at, (MlirValue){NULL}, PYARRAY_COMPARE_LT, given, zero);
  MlirValue once = pa_value(&e->at, PA_OP_NAME(CAST), PA_OPERANDS(negative), PA_RESULTS(mlirValueGetType(zero)));
  return pa_binary_of(&e->at, PYARRAY_BINARY_ADD, given, pa_binary_of(&e->at, PYARRAY_BINARY_MUL, once, length));
}

static MlirAttribute in_bounds(const pa_column_emission *e, intptr_t indices) {
  int flags[PA_MOST_PLANE_AXES + 1];
  for (intptr_t i = 0; i < indices; ++i) flags[i] = true;
  return mlirDenseBoolArrayGet(e->at.context, indices, flags);
}

static MlirValue place(pa_column_emission *e, int array, MlirValue index) {
  return position(e, index, e->x->arrays[array].length);
}

static void store(pa_column_emission *e, int array, MlirValue index, const MlirValue *numbers) {
  MlirValue at = place(e, array, index);
  for (int lane = 0; lane < e->lanes && !pa_failed(&e->at); ++lane)
    pa_op(&e->at, PA_OP_NAME(SETITEM), PA_OPERANDS(e->x->arrays[array].column, e->rows[lane], at, numbers[lane]),
          PA_ATTRS({"pyarray.in_bounds", in_bounds(e, 2)}));
}

// The number that |value| is in each column.
static void read(pa_column_emission *e, MlirValue value, MlirValue *out_numbers) {
  const pa_column_value *known = pa_column_value_of(e->x, value);
  bool view = known && known->kind == PA_VALUE_VIEW;
  MlirValue at = view ? place(e, known->array, known->index) : value;
  for (int lane = 0; lane < e->lanes; ++lane) {
    if (!view)
      out_numbers[lane] = known ? known->now[known->kind == PA_VALUE_PLANE ? lane : 0] : value;
    else if (!pa_failed(&e->at))
      out_numbers[lane] =
          pa_value(&e->at, PA_OP_NAME(GETITEM), PA_OPERANDS(e->x->arrays[known->array].column, e->rows[lane], at),
                   PA_RESULTS(known->type), PA_ATTRS({"pyarray.in_bounds", in_bounds(e, 2)}));
  }
}

static void emit_place(pa_column_emission *e, int array, MlirValue index) {
  if (!e->lanes) e->possible = pa_and_in_bounds(&e->at, e->possible, now(e, index), e->x->arrays[array].length);
}

static void emit_element(pa_column_emission *e, MlirOperation op) {
  MlirValue operands[PA_MOST_PLANE_AXES + 1 + 1] = {operand(op, 0)};
  intptr_t indices = mlirOperationGetNumOperands(op) - 1;
  for (intptr_t i = 0; i < indices && !pa_failed(&e->at); ++i) {
    MlirValue index = operand(op, 1 + i), length = pa_extent_of(&e->at, operands[0], i);
    if (e->lanes) operands[1 + i] = position(e, index, length);
    if (!e->lanes) e->possible = pa_and_in_bounds(&e->at, e->possible, now(e, index), length);
  }
  if (e->lanes && !pa_failed(&e->at))
    set_now(e, result(op, 0),
            pa_value(&e->at, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, indices + 1),
                     PA_RESULTS(mlirValueGetType(result(op, 0))),
                     PA_ATTRS({"pyarray.in_bounds", in_bounds(e, indices)})));
}

//===-- Operations --------------------------------------------------------------------------------===//

static void emit_block(pa_column_emission *e, MlirBlock block);

// A copy of an operation on numbers.
static void emit_copy(pa_column_emission *e, MlirOperation op) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(copy, i, now(e, operand(op, i)));
  put(e, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) set_now(e, result(op, i), result(copy, i));
}

static void emit_numbers(pa_column_emission *e, MlirOperation op) {
  bool plane = mlirOperationGetNumResults(op) && is_array(result(op, 0)); // that is not bound
  if (plane && e->lanes) {
    pa_column_value *value = pa_column_value_of(e->x, result(op, 0));
    set_lanes(value, pa_value(&e->at, PA_OP_NAME(UNBOUND), PA_RESULTS(value->type)));
  } else if (!plane && (e->lanes || !mlirOperationGetNumResults(op) || pa_is_foreseen(e->x, result(op, 0)))) {
    emit_copy(e, op);
  }
}

static MlirValue emit_zero(pa_column_emission *e, MlirType type) {
  MlirAttribute zero =
      pa_is_float(pa_scalar_of(type)) ? mlirFloatAttrDoubleGet(e->at.context, type, 0) : mlirIntegerAttrGet(type, 0);
  return pa_value(&e->at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", zero}));
}

static void emit_new(pa_column_emission *e, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  pa_column_value *plane = pa_column_value_of(e->x, result(op, 0));
  if (!e->lanes) {
    for (intptr_t i = 0; i < e->x->rank; ++i) pa_require(e, PYARRAY_COMPARE_EQ, now(e, operand(op, i)), e->extents[i]);
  } else if (pa_ref_equal(name, "numpy.full")) {
    set_lanes(plane, now(e, operand(op, e->x->rank)));
  } else if (pa_ref_equal(name, "numpy.zeros")) {
    set_lanes(plane, emit_zero(e, plane->type));
  } else {
    set_lanes(plane, pa_value(&e->at, PA_OP_NAME(UNBOUND), PA_RESULTS(plane->type)));
  }
}

// An operation of a body, in one column.
static void emit_inner(pa_column_emission *e, MlirOperation op, pa_map *copies, MlirAttribute options) {
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    void *copied = pa_map_get(copies, operand(op, i).ptr);
    if (copied) mlirOperationSetOperand(copy, i, (MlirValue){copied});
  }
  if (!mlirAttributeIsNull(options) && !pa_has_attr(copy, "pyarray.options"))
    pa_set_attr(copy, "pyarray.options", options);
  put(e, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_map_put(e->x->arena, copies, result(op, i).ptr, (void *)result(copy, i).ptr);
}

// The body of an operation at this point. What it computes goes to |out_numbers|, PA_LANES of each.
static void emit_body(pa_column_emission *e, MlirOperation op, MlirValue *out_numbers) {
  MlirBlock body = pa_body(op, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  pa_map copies[PA_LANES] = {0};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i), numbers[PA_LANES];
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(argument))) continue;
    read(e, operand(op, i), numbers);
    for (int lane = 0; lane < e->lanes && !pa_failed(&e->at); ++lane)
      pa_map_put(e->x->arena, &copies[lane], argument.ptr, (void *)numbers[lane].ptr);
  }
  PA_FOR_EACH_OP(inner, body)
  for (int lane = 0; lane < e->lanes && !mlirOperationEqual(inner, end) && !pa_failed(&e->at); ++lane)
    emit_inner(e, inner, &copies[lane], pa_get_attr(op, "pyarray.options"));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
    for (int lane = 0; lane < e->lanes; ++lane) {
      void *copied = pa_map_get(&copies[lane], operand(end, i).ptr);
      out_numbers[PA_LANES * i + lane] = copied ? (MlirValue){copied} : operand(end, i);
    }
}

static void emit_ufunc(pa_column_emission *e, MlirOperation op) {
  intptr_t inputs = pa_input_count(op), count = mlirOperationGetNumOperands(mlirBlockGetTerminator(pa_body(op, 0)));
  bool given = mlirOperationGetNumOperands(op) > inputs;
  if (!e->lanes) return;
  MlirValue *numbers = PA_NEW_ARRAY(e->x->arena, MlirValue, PA_LANES * count);
  emit_body(e, op, numbers);
  for (intptr_t i = 0; i < count && !pa_failed(&e->at); ++i) {
    pa_column_value *value = pa_column_value_of(e->x, given ? operand(op, inputs + i) : result(op, i));
    if (value->kind == PA_VALUE_VIEW)
      store(e, value->array, value->index, numbers + PA_LANES * i);
    else
      for (int lane = 0; lane < e->lanes; ++lane) value->now[lane] = numbers[PA_LANES * i + lane];
  }
}

//===-- Branches ----------------------------------------------------------------------------------===//

enum { PA_MOST_CARRIED = PA_LANES * (PA_MOST_YIELDED + PA_MOST_CHANGED) + 1 };

// Values of the loop as it was that have a number in each branch, or for each iteration: results, then planes that were
// there before and are changed.
typedef struct yielded {
  struct {
    pa_column_value *value; // whose number it is
    intptr_t result;        // -1: none
  } values[PA_MOST_YIELDED + PA_MOST_CHANGED];
  intptr_t count;
} yielded;

static int lanes_of(const pa_column_emission *e, const pa_column_value *value) {
  return value->kind == PA_VALUE_PLANE ? e->lanes : 1;
}

static void add_yielded(yielded *y, pa_column_value *value, intptr_t result) {
  y->values[y->count].value = value;
  y->values[y->count++].result = result;
}

// Planes that were there before |block| and that it changes.
static void add_changed(const pa_column_emission *e, MlirBlock block, yielded *y) {
  if (mlirBlockIsNull(block)) return;
  PA_FOR_EACH_OP(op, block) {
    bool ufunc = pa_kind(&e->x->names, op) == PA_OP_UFUNC, branch = pa_kind(&e->x->names, op) == PA_OP_SCF_IF;
    for (intptr_t i = ufunc ? pa_input_count(op) : 0; ufunc && i < mlirOperationGetNumOperands(op); ++i) {
      pa_column_value *value = pa_column_value_of(e->x, operand(op, i));
      bool added = value->kind == PA_VALUE_VIEW || mlirValueIsNull(value->now[0]);
      for (intptr_t k = 0; k < y->count; ++k) added = added || y->values[k].value == value;
      if (!added) add_yielded(y, value, -1);
    }
    for (intptr_t r = 0; branch && r < 2; ++r) add_changed(e, pa_body(op, r), y);
  }
}

static intptr_t types_of(const pa_column_emission *e, const yielded *y, MlirType *out_types) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < y->count; ++i)
    for (int lane = 0; lane < lanes_of(e, y->values[i].value); ++lane) out_types[count++] = y->values[i].value->type;
  if (!e->lanes) out_types[count++] = truth(e);
  return count;
}

// The numbers are |given|, in order.
static void take_given(pa_column_emission *e, const yielded *y, const MlirValue *given) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < y->count; ++i)
    for (int lane = 0; lane < lanes_of(e, y->values[i].value); ++lane) y->values[i].value->now[lane] = given[count++];
  if (!e->lanes) e->possible = given[count];
}

// What |end| yields for results, and what the others are here.
static void emit_end(pa_column_emission *e, MlirOperation end, const yielded *y, const char *name) {
  MlirValue values[PA_MOST_CARRIED];
  intptr_t count = 0;
  for (intptr_t i = 0; i < y->count; ++i) {
    const pa_column_value *value = y->values[i].value, *next = value;
    MlirValue given = {NULL};
    if (y->values[i].result >= 0) next = pa_column_value_of(e->x, given = operand(end, y->values[i].result));
    for (int lane = 0; lane < lanes_of(e, value); ++lane) values[count++] = next ? next->now[lane] : given;
  }
  if (!e->lanes) values[count++] = e->possible;
  if (!pa_failed(&e->at)) pa_op(&e->at, name, PA_OPERAND_ARRAY(values, count));
}

static void take_results(pa_column_emission *e, MlirOperation made, const yielded *y) {
  MlirValue given[PA_MOST_CARRIED];
  if (pa_failed(&e->at)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(made); ++i) given[i] = result(made, i);
  take_given(e, y, given);
}

static void emit_if(pa_column_emission *e, MlirOperation op) {
  yielded y = {.count = 0};
  MlirValue before[PA_MOST_CARRIED], possible = e->possible;
  MlirType types[PA_MOST_CARRIED];
  pa_builder outside = e->at;
  MlirRegion regions[2];
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    pa_column_value *value = pa_column_value_of(e->x, result(op, i));
    if (e->lanes || value->kind == PA_VALUE_NUMBER) add_yielded(&y, value, i);
  }
  for (intptr_t r = 0; r < 2 && e->lanes; ++r) add_changed(e, pa_body(op, r), &y);
  for (intptr_t i = 0; i < y.count; ++i)
    for (int lane = 0; lane < PA_LANES; ++lane) before[PA_LANES * i + lane] = y.values[i].value->now[lane];
  for (intptr_t r = 0; r < 2; ++r) {
    MlirBlock block = pa_body(op, r);
    e->at = pa_open_branch(&outside, &regions[r]);
    if (!mlirBlockIsNull(block)) emit_block(e, block);
    emit_end(e, mlirBlockIsNull(block) ? (MlirOperation){NULL} : mlirBlockGetTerminator(block), &y,
             PA_OP_NAME(SCF_YIELD));
    for (intptr_t i = 0; i < y.count; ++i)
      for (int lane = 0; lane < PA_LANES; ++lane) y.values[i].value->now[lane] = before[PA_LANES * i + lane];
    e->possible = possible;
    outside.failure = e->at.failure;
  }
  e->at = outside;
  intptr_t count = types_of(e, &y, types);
  take_results(e,
               pa_op(&e->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(now(e, operand(op, 0))), PA_RESULT_ARRAY(types, count),
                     PA_REGIONS(regions[0], regions[1])),
               &y);
}

//===-- The loop ----------------------------------------------------------------------------------===//

static void emit_operation(pa_column_emission *e, MlirOperation op) {
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
        MlirValue numbers[PA_LANES];
        read(e, operand(op, last), numbers);
        store(e, i, operand(op, last - 1), numbers);
      }
    return;
  case PA_OP_UFUNC: emit_ufunc(e, op); return;
  case PA_OP_UFUNC_SHAPE:
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) set_now(e, result(op, i), e->extents[i]);
    return;
  case PA_OP_BROADCAST_TO: return;
  case PA_OP_SCF_IF: emit_if(e, op); return;
  case PA_OP_RAISE:
    if (!e->lanes) e->possible = pa_truth_of(e, false);
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

static void emit_block(pa_column_emission *e, MlirBlock block) {
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

static void emit_loop(pa_column_emission *e, MlirOperation loop) {
  yielded y = {.count = 0};
  MlirBlock own = pa_body(loop, 0);
  MlirValue operands[PA_MOST_CARRIED + 1] = {operand(loop, 0)}, given[PA_MOST_CARRIED];
  MlirType types[PA_MOST_CARRIED + 1] = {mlirValueGetType(mlirBlockGetArgument(own, 0))};
  intptr_t count = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    pa_column_value *value = pa_column_value_of(e->x, mlirBlockGetArgument(own, 1 + i));
    if (!e->lanes && value->kind != PA_VALUE_NUMBER) continue;
    add_yielded(&y, value, i);
    for (int lane = 0; lane < lanes_of(e, value); ++lane)
      operands[count++] = value->kind == PA_VALUE_PLANE ? pa_value(&e->at, PA_OP_NAME(UNBOUND), PA_RESULTS(value->type))
                                                        : operand(loop, 1 + i);
  }
  if (!e->lanes) operands[count] = e->possible;
  count = types_of(e, &y, types + 1);
  pa_builder outside = e->at;
  MlirBlock body;
  MlirRegion region = pa_region(e->at.location, types, 1 + count, &body);
  e->at.block = body;
  e->at.before = (MlirOperation){NULL};
  set_now(e, mlirBlockGetArgument(own, 0), mlirBlockGetArgument(body, 0));
  for (intptr_t i = 0; i < count; ++i) given[i] = mlirBlockGetArgument(body, 1 + i);
  take_given(e, &y, given);
  emit_block(e, own);
  emit_end(e, mlirBlockGetTerminator(own), &y, PA_OP_NAME(YIELD));
  if (!pa_failed(&e->at)) remove_dead(e->x->arena, body);
  outside.failure = e->at.failure;
  e->at = outside;
  take_results(e,
               pa_op(&e->at, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(operands, 1 + count), PA_RESULT_ARRAY(types + 1, count),
                     PA_REGIONS(region)),
               &y);
}

void pa_emit_loops(pa_column_emission *e) {
  for (int i = 0; i < e->x->loop_count && !pa_failed(&e->at); ++i) emit_loop(e, e->x->loops[i]);
}
