// Views of arrays in pyarray-infer-types: functions of NumPy that leave the elements where they are. Where the axes are
// known, they are operations whose axes are attributes; else functions of library/numpy/views.py.
//
//   %r = pyarray.apply %transpose(%a, %axes)     pyarray.transpose %a [1, 0, 2]
//   %r = pyarray.apply %expand_dims(%a, %zero)   pyarray.insert_axes %a [0]
//   %r = pyarray.apply %squeeze(%a, %zero)       pyarray.getitem %a[%c0], after a test of the extent
//   %r = pyarray.apply %flip(%a, %zero)          pyarray.getitem %a[%backwards]
#include <string.h>

#include "infer_array_views.h"
#include "infer_parameters.h"

//===-- Axes --------------------------------------------------------------------------------------===//

typedef struct planner {
  pa_inference *inference;
  pa_instance *instance;
  pa_array_view *view;
  MlirOperation op;
  pa_status failure; // why there is no plan, where nothing else can have one
} planner;

static pa_fact fact_of(const planner *p, MlirValue value) { return pa_fact_get(p->inference, p->instance, value); }

// An axis of an array of |rank| axes, counted from the end where negative; false where it is none, or not known.
static bool read_axis(pa_fact fact, int rank, int *out_axis) {
  int64_t axis;
  if (!pa_literal_int(fact, &axis) || axis < -rank || axis >= rank) return false;
  return *out_axis = (int)(axis < 0 ? axis + rank : axis), true;
}

// One axis, or a tuple of axes that differ.
static bool read_axes(const planner *p, MlirValue value, int rank, int *axes, int *out_count) {
  pa_fact fact = fact_of(p, value);
  *out_count = 1;
  if (pa_is_bottom(fact)) return false;
  if (!mlirTypeIsATuple(fact.type)) return read_axis(fact, rank, axes);
  intptr_t count;
  const pa_fact *elements = pa_element_facts(p->inference, p->instance, value, &count);
  bool taken[PA_MOST_AXES] = {false};
  if (count > PA_MOST_AXES) return false;
  for (intptr_t i = 0; i < count; ++i) {
    if (!read_axis(elements[i], rank, &axes[i]) || taken[axes[i]]) return false;
    taken[axes[i]] = true;
  }
  return *out_count = (int)count, true;
}

static void sort_axes(int *axes, int count) {
  for (int i = 1; i < count; ++i)
    for (int k = i; k > 0 && axes[k - 1] > axes[k]; --k) {
      int axis = axes[k];
      axes[k] = axes[k - 1];
      axes[k - 1] = axis;
    }
}

static bool is_left_out(const planner *p, MlirValue value) {
  return mlirValueIsNull(value) || pyarrayTypeIsNone(fact_of(p, value).type);
}

//===-- Results -----------------------------------------------------------------------------------===//

static intptr_t rank_of(MlirType array) {
  return pa_is_records(array) ? pa_records_rank(array) : pyarrayArrayTypeGetRank(array);
}

static pyarray_layout layout_of(MlirType array) { return pyarrayArrayTypeGetLayout(pa_erased_type(array)); }

// |array| with other axes. Records in Fortran's order have no layout of their own.
static MlirType viewed_type(const planner *p, MlirType array, int rank, pyarray_layout layout) {
  MlirContext context = p->inference->context;
  MlirType memory = pa_erased_type(array);
  bool readonly = pyarrayArrayTypeIsReadonly(memory);
  if (!pa_is_records(array)) return pa_array_type(context, rank, pyarrayArrayTypeGetElement(memory), layout, readonly);
  if (layout == PYARRAY_LAYOUT_F) layout = PYARRAY_LAYOUT_A;
  return pa_records_type(context, pa_item_code_of(p->inference->arena, array), rank, layout, readonly);
}

static pyarray_layout ordered_layout(const pa_array_view *view, pyarray_layout layout) {
  static const pyarray_layout mirrored[] = {PYARRAY_LAYOUT_F, PYARRAY_LAYOUT_C, PYARRAY_LAYOUT_A};
  bool kept = true, reversed = true;
  for (int i = 0; i < view->rank; ++i) {
    kept = kept && view->axes[i] == i;
    reversed = reversed && view->axes[i] == view->rank - 1 - i;
  }
  return kept ? layout : reversed ? mirrored[layout] : PYARRAY_LAYOUT_A;
}

//===-- Functions ---------------------------------------------------------------------------------===//

static bool plan_transpose(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  view->count = view->rank;
  for (int i = 0; i < view->rank; ++i) view->axes[i] = view->rank - 1 - i;
  return is_left_out(p, values[1]) ||
         (mlirTypeIsATuple(fact_of(p, values[1]).type) &&
          read_axes(p, values[1], view->rank, view->axes, &view->count) && view->count == view->rank);
}

static bool plan_swapaxes(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  int first, second;
  if (!read_axis(fact_of(p, values[1]), view->rank, &first) || !read_axis(fact_of(p, values[2]), view->rank, &second))
    return false;
  view->count = view->rank;
  for (int i = 0; i < view->rank; ++i) view->axes[i] = i == first ? second : i == second ? first : i;
  return true;
}

static bool plan_moveaxis(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  int from[PA_MOST_AXES], to[PA_MOST_AXES], from_count, to_count;
  bool moved[PA_MOST_AXES] = {false}, filled[PA_MOST_AXES] = {false};
  if (!read_axes(p, values[1], view->rank, from, &from_count) || !read_axes(p, values[2], view->rank, to, &to_count) ||
      from_count != to_count)
    return false;
  for (int i = 0; i < from_count; ++i) {
    view->axes[to[i]] = from[i];
    filled[to[i]] = moved[from[i]] = true;
  }
  for (int i = 0, next = 0; i < view->rank; ++i) {
    if (filled[i]) continue;
    while (moved[next]) ++next;
    view->axes[i] = next++;
  }
  return view->count = view->rank, true;
}

static bool plan_expand_dims(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  intptr_t added = 1;
  pa_fact axis = fact_of(p, values[1]);
  if (mlirTypeIsATuple(axis.type)) added = mlirTupleTypeGetNumTypes(axis.type);
  if (view->rank + added > PA_MOST_AXES || !read_axes(p, values[1], view->rank + (int)added, view->axes, &view->count))
    return false;
  return sort_axes(view->axes, view->count), true;
}

// The extents of an array that is made, or reshaped, where it is squeezed or before, by a shape that is written down:
// np.zeros((1, 3)), a.reshape(1, 3).
static bool known_extents(const planner *p, MlirValue array, int rank, int64_t *out_extents) {
  static const char *const makers[] = {"numpy.empty", "numpy.full", "numpy.ones", "numpy.zeros"};
  if (!mlirValueIsAOpResult(array)) return false;
  MlirOperation op = mlirOpResultGetOwner(array);
  bool makes = pa_kind(&p->inference->names, op) == PA_OP_METHOD &&
               pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "reshape");
  MlirStringRef called = pa_called_builtin(p->inference, p->instance, op);
  for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i) makes = makes || pa_ref_equal(called, makers[i]);
  if (!makes || mlirOperationGetNumOperands(op) < 2) return false;
  MlirValue shape = mlirOperationGetOperand(op, 1);
  bool tuple = mlirTypeIsATuple(fact_of(p, shape).type);
  intptr_t count = mlirOperationGetNumOperands(op) - 1;
  const pa_fact *items = tuple ? pa_element_facts(p->inference, p->instance, shape, &count) : NULL;
  if (count < rank) return false;
  for (int i = 0; i < rank; ++i) {
    pa_fact item = tuple ? items[i] : fact_of(p, mlirOperationGetOperand(op, 1 + i));
    if (!pa_literal_int(item, &out_extents[i]) || out_extents[i] < 0) return false;
  }
  return true;
}

static bool plan_squeeze(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  int64_t extents[PA_MOST_AXES];
  if (is_left_out(p, values[1])) {
    bool known = view->rank <= PA_MOST_AXES && known_extents(p, values[0], view->rank, extents);
    for (int i = 0; i < view->rank && known; ++i)
      if (extents[i] == 1) view->axes[view->count++] = i;
    return known || view->rank == 0;
  }
  if (!read_axes(p, values[1], view->rank, view->axes, &view->count)) return false;
  return sort_axes(view->axes, view->count), true;
}

static bool plan_flip(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  view->count = view->rank;
  for (int i = 0; i < view->rank; ++i) view->axes[i] = i;
  if (!view->rank) return false; // an element, not a view
  return is_left_out(p, values[1]) || read_axes(p, values[1], view->rank, view->axes, &view->count);
}

// The subscript of |array| by a tuple, among whose elements are arrays of integers.
static bool plan_index(planner *p, MlirValue array, MlirValue index) {
  pa_array_view *view = p->view;
  intptr_t count;
  MlirType type = fact_of(p, array).type, memory = pa_erased_type(type);
  bool records = pa_is_records(type);
  if (mlirValueIsNull(index) || !mlirTypeIsATuple(fact_of(p, index).type)) return false;
  const pa_fact *indices = pa_element_facts(p->inference, p->instance, index, &count);
  pa_typing typing = pa_typing_at(p->inference, p->op);
  p->failure = pa_plan_subscript(&typing, type, rank_of(type), indices, count, &view->subscript);
  if (p->failure) return false;
  if (!view->subscript.gathers) return false;
  view->index = index;
  if (records) // without the axis of the bytes
    memory = pa_array_type(p->inference->context, rank_of(type), pyarrayArrayTypeGetElement(memory),
                           pyarrayArrayTypeGetLayout(memory), pyarrayArrayTypeIsReadonly(memory));
  view->gathered = pa_indexed_type(&typing, memory, &view->subscript, indices);
  return true;
}

// The axes with an index first.
static bool plan_gathered(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  if (!plan_index(p, values[0], values[1])) return false;
  const pa_index_plan *plan = &view->subscript;
  view->count = view->rank = plan->rank;
  for (int axis = 0, given = 0, left = 0; axis < plan->rank; ++axis) {
    bool is_given = given < plan->gathered_count && plan->gathered[given] == axis;
    view->axes[is_given ? given++ : plan->gathered_count + left++] = axis;
  }
  return true;
}

// Of what has the shape of the subscript's result: the axes of the indices first.
static bool plan_value(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  if (!plan_index(p, values[1], values[2])) return false;
  int place = view->subscript.place, wide = view->subscript.broadcast_rank;
  if (view->rank != pa_index_result_rank(&view->subscript)) return false;
  view->count = view->rank;
  for (int i = 0; i < view->rank; ++i) view->axes[i] = i < wide ? place + i : i < wide + place ? i - wide : i;
  return true;
}

// The other way round.
static bool plan_value_back(planner *p, const MlirValue *values) {
  pa_array_view *view = p->view;
  int first[PA_MOST_AXES];
  if (!plan_value(p, values)) return false;
  for (int i = 0; i < view->rank; ++i) first[view->axes[i]] = i;
  for (int i = 0; i < view->rank; ++i) view->axes[i] = first[i];
  return true;
}

static MlirType result_type(const planner *p, MlirType array) {
  const pa_array_view *view = p->view;
  pyarray_layout layout = layout_of(array);
  switch (view->kind) {
  case PA_VIEW_ORDERED: return viewed_type(p, array, view->rank, ordered_layout(view, layout));
  case PA_VIEW_WIDENED: return viewed_type(p, array, view->rank + view->count, layout);
  case PA_VIEW_SQUEEZED: return viewed_type(p, array, view->rank - view->count, layout);
  case PA_VIEW_FLIPPED: return viewed_type(p, array, view->rank, view->count ? PYARRAY_LAYOUT_A : layout);
  case PA_VIEW_GATHERED:
    return viewed_type(p, array, view->rank, ordered_layout(view, pyarrayArrayTypeGetLayout(view->gathered)));
  }
  return array;
}

//===-- Planning ----------------------------------------------------------------------------------===//

static const struct {
  const char *name;
  int kind;
  bool (*plan)(planner *p, const MlirValue *values);
} functions[] = {
    {"transpose", PA_VIEW_ORDERED, plan_transpose},
    {"permute_dims", PA_VIEW_ORDERED, plan_transpose},
    {"swapaxes", PA_VIEW_ORDERED, plan_swapaxes},
    {"moveaxis", PA_VIEW_ORDERED, plan_moveaxis},
    {"expand_dims", PA_VIEW_WIDENED, plan_expand_dims},
    {"squeeze", PA_VIEW_SQUEEZED, plan_squeeze},
    {"flip", PA_VIEW_FLIPPED, plan_flip},
    {"gathered_first", PA_VIEW_GATHERED, plan_gathered},
    {"value_back", PA_VIEW_ORDERED, plan_value_back},
    {"value_first", PA_VIEW_ORDERED, plan_value},
};

// a.transpose(1, 0) and a.transpose((1, 0)) are one.
static pa_status bind(planner *p, MlirOperation op, const pa_builtin *builtin, intptr_t skip, bool self,
                      MlirValue *values) {
  pa_inference *inference = p->inference;
  pa_parameter parameters[4];
  intptr_t count = inference->given_count - skip;
  if (strncmp(builtin->parameters, "...", 3) != 0)
    return pa_bind_arguments(inference, op, builtin->name, parameters,
                             pa_parse_parameters(builtin->parameters, parameters, 4), skip, self, values);
  bool named = !mlirAttributeIsNull(inference->keywords) && mlirArrayAttrGetNumElements(inference->keywords);
  if (named || !self) return PA_OK; // which the library refuses
  values[0] = inference->given[0];
  if (count == 1 && !pa_is_integer(pa_scalar_of(fact_of(p, inference->given[skip]).type)))
    values[1] = inference->given[skip];
  else if (count > 0)
    values[1] = pa_make_read_tuple(inference, p->instance, op, inference->given + skip, (int)count);
  return PA_OK;
}

pa_status pa_plan_array_view(pa_inference *inference, pa_instance *instance, MlirOperation op,
                             const pa_builtin *builtin, intptr_t skip, bool self, pa_array_view **out,
                             bool *out_bottom) {
  *out = NULL;
  if (builtin->typing != PA_TYPING_AXES) return PA_OK;
  pa_array_view *view = PA_NEW(inference->arena, pa_array_view);
  planner p = {inference, instance, view, op, PA_OK};
  MlirValue values[4] = {{NULL}};
  for (intptr_t i = skip; i < inference->given_count; ++i)
    if (pa_is_bottom(fact_of(&p, inference->given[i]))) return *out_bottom = true, PA_OK;
  PA_TRY(bind(&p, op, builtin, skip, self, values));
  MlirType array = mlirValueIsNull(values[0]) ? (MlirType){NULL} : fact_of(&p, values[0]).type;
  if (mlirTypeIsNull(array) || !(pyarrayTypeIsArray(array) || pa_is_records(array))) return PA_OK;
  *view = (pa_array_view){.array = values[0], .rank = (int)rank_of(array)};
  const char *name = strrchr(builtin->name, '.') + 1;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (strcmp(functions[i].name, name) != 0) continue;
    bool planned = functions[i].plan(&p, values);
    if (p.failure) return p.failure;
    if (!planned) continue;
    view->kind = functions[i].kind;
    view->result = result_type(&p, array);
    return *out = mlirTypeIsNull(view->result) ? NULL : view, PA_OK;
  }
  if (strcmp(name, "squeeze") == 0 && is_left_out(&p, values[1]) && view->rank > 0) {
    pa_typing typing = pa_typing_at(inference, op);
    return pa_typing_fail(&typing, PA_CODE_UNSUPPORTED,
                          "squeeze() without axis: which axes have one element, and how many are left, is not known "
                          "when the function is compiled\nhint: name the axes: axis=0");
  }
  return PA_OK;
}

//===-- Emission ----------------------------------------------------------------------------------===//

static MlirValue emit_int(pa_instance_emitter *e, int64_t value) {
  return pa_emit_literal(e, mlirIntegerAttrGet(pa_scalar_type(pa_emitter_context(e), PA_I64), value));
}

static bool is_reversal(const pa_array_view *view) {
  for (int i = 0; i < view->rank; ++i)
    if (view->axes[i] != view->rank - 1 - i) return false;
  return view->rank > 1;
}

// Of records the bytes stay the last axis.
static MlirValue emit_ordered(pa_instance_emitter *e, const pa_array_view *view, MlirValue array, MlirType type) {
  MlirContext context = pa_emitter_context(e);
  int64_t axes[PA_MOST_AXES + 1];
  intptr_t rank = pyarrayArrayTypeGetRank(type);
  bool kept = true;
  for (int i = 0; i < rank; ++i) {
    axes[i] = i < view->rank ? view->axes[i] : i;
    kept = kept && axes[i] == i;
  }
  if (kept) return array;
  if (is_reversal(view) && rank == view->rank)
    return pa_value(e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(array), PA_RESULTS(type),
                    PA_ATTRS({"name", pa_string_attr(context, "T")}));
  return pa_value(e->builder, PA_OP_NAME(TRANSPOSE), PA_OPERANDS(array), PA_RESULTS(type),
                  PA_ATTRS({"axes", mlirDenseI64ArrayGet(context, rank, axes)}));
}

static MlirValue emit_slice(pa_instance_emitter *e, bool backwards) {
  MlirContext context = pa_emitter_context(e);
  MlirType none = pyarrayNoneTypeGet(context), i64 = pa_scalar_type(context, PA_I64);
  MlirValue nothing = pa_emit_literal(e, pa_unit_attr(context)), step = backwards ? emit_int(e, -1) : nothing;
  return pa_value(e->builder, PA_OP_NAME(SLICE), PA_OPERANDS(nothing, nothing, step),
                  PA_RESULTS(pyarraySliceTypeGet(none, none, backwards ? i64 : none)));
}

static bool has_axis(const pa_array_view *view, int axis) {
  for (int i = 0; i < view->count; ++i)
    if (view->axes[i] == axis) return true;
  return false;
}

static MlirValue emit_flipped(pa_instance_emitter *e, const pa_array_view *view, MlirValue array, MlirType type) {
  if (!view->count) return array;
  MlirValue operands[PA_MOST_AXES + 1] = {array};
  int last = 0;
  for (int axis = 0; axis < view->rank; ++axis)
    if (has_axis(view, axis)) last = axis + 1;
  for (int axis = 0; axis < last; ++axis) operands[1 + axis] = emit_slice(e, has_axis(view, axis));
  return pa_value(e->builder, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, last + 1), PA_RESULTS(type));
}

static void check_extents(pa_instance_emitter *e, const pa_array_view *view, MlirValue array) {
  MlirContext context = pa_emitter_context(e);
  MlirType types[PA_MOST_AXES + 1], i64 = pa_scalar_type(context, PA_I64);
  intptr_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(array)), count;
  for (intptr_t i = 0; i < rank; ++i) types[i] = i64;
  MlirValue shape =
      pa_value(e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(array), PA_RESULTS(mlirTupleTypeGet(context, rank, types)),
               PA_ATTRS({"name", pa_string_attr(context, "shape")}));
  if (pa_failed(e->builder)) return;
  MlirValue *extents = pa_emit_elements(e, shape, &count);
  for (int i = 0; i < view->count && !pa_failed(e->builder); ++i) {
    MlirValue differs = pa_value(e->builder, PA_OP_NAME(COMPARE), PA_OPERANDS(extents[view->axes[i]], emit_int(e, 1)),
                                 PA_RESULTS(mlirIntegerTypeGet(context, 1)),
                                 PA_ATTRS({"kind", pyarrayCompareKindAttrGet(context, PYARRAY_COMPARE_NE)}));
    pa_emit_raise_if(e, differs, "ValueError", "cannot select an axis to squeeze out which has size not equal to one");
  }
}

// What is left is laid out as the array was, which a view by indices does not say.
static MlirValue emit_squeezed(pa_instance_emitter *e, const pa_array_view *view, MlirValue array, MlirType type) {
  if (!view->count) return array;
  MlirValue operands[PA_MOST_AXES + 1] = {array};
  int last = view->axes[view->count - 1] + 1;
  check_extents(e, view, array);
  for (int axis = 0; axis < last; ++axis)
    operands[1 + axis] = has_axis(view, axis) ? emit_int(e, 0) : emit_slice(e, false);
  int64_t shape[PA_MOST_AXES + 1];
  intptr_t rank = pyarrayArrayTypeGetRank(type);
  for (intptr_t i = 0; i < rank; ++i) shape[i] = pyarrayArrayTypeGetExtent(type, i);
  MlirType plain = pyarrayArrayTypeGet(pa_emitter_context(e), rank, shape, pyarrayArrayTypeGetElement(type),
                                       PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(type));
  MlirValue part = pa_value(e->builder, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, last + 1), PA_RESULTS(plain));
  return pa_emit_cast(e, part, type);
}

static MlirValue emit_gathered(pa_instance_emitter *e, const pa_array_view *view, MlirValue array, MlirType type) {
  intptr_t count;
  MlirValue *values = pa_emit_elements(e, pa_emitter_use(e, view->index), &count);
  pa_typing typing = {.context = pa_emitter_context(e), .arena = e->inference->arena};
  for (intptr_t i = 0; i < count && !pa_failed(e->builder); ++i) {
    MlirType index = pa_index_type(&typing, mlirValueGetType(values[i]));
    if (!mlirTypeIsNull(index)) values[i] = pa_emit_cast(e, values[i], index);
  }
  MlirType gathered = view->gathered;
  if (pyarrayArrayTypeGetRank(type) > view->rank) // the bytes of records are one more axis
    gathered = pa_array_type(pa_emitter_context(e), view->rank + 1, pyarrayArrayTypeGetElement(gathered),
                             PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(gathered));
  MlirValue part = pa_emit_indexed(e, array, &view->subscript, values, gathered);
  return emit_ordered(e, view, part, type);
}

pa_status pa_emit_array_view(pa_instance_emitter *e, MlirOperation op, const pa_array_view *view) {
  MlirValue array = pa_emitter_use(e, view->array), result = array;
  MlirType type = pa_erased_type(view->result);
  if (pa_failed(e->builder)) return PA_OK;
  switch (view->kind) {
  case PA_VIEW_ORDERED: result = emit_ordered(e, view, array, type); break;
  case PA_VIEW_WIDENED:
    if (view->count) result = pa_emit_new_axes(e, array, view->axes, view->count, type);
    break;
  case PA_VIEW_SQUEEZED: result = emit_squeezed(e, view, array, type); break;
  case PA_VIEW_FLIPPED: result = emit_flipped(e, view, array, type); break;
  case PA_VIEW_GATHERED: result = emit_gathered(e, view, array, type); break;
  }
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}
