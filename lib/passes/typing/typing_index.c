// Subscripts of arrays: which axis each index is for, and what is left.
//
//   a[i, ..., None, 1:]     of four axes: i for axis 0, whole axes 1 and 2, a new axis, a slice of axis 3
//   a[i, 1:, x]             x is an array of integers: i and x are for axes 0 and 2 of the view a[:, 1:], and stand
//   apart
#include "typing_index.h"

MlirType pa_index_type(const pa_typing *typing, MlirType index) {
  pa_scalar scalar = pa_scalar_of(index);
  if (scalar == PA_BOOL || pa_is_signed(scalar)) return pa_scalar_type(typing->context, PA_I64);
  if (pa_is_unsigned(scalar)) return pa_scalar_type(typing->context, PA_U64);
  return (MlirType){NULL};
}

bool pa_is_ellipsis(MlirType index) {
  MlirAttribute name = pyarrayTypeIsCallable(index) ? pyarrayCallableTypeGetName(index) : mlirAttributeGetNull();
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
         pa_ref_equal(mlirStringAttrGetValue(name), "builtins.Ellipsis");
}

bool pa_is_gathered(MlirType index) {
  return !mlirTypeIsNull(index) && pyarrayTypeIsArray(index) &&
         pa_is_integer(pa_scalar_of(pyarrayArrayTypeGetElement(index)));
}

//===-- Which axis --------------------------------------------------------------------------------===//

static pa_status check_index(const pa_typing *typing, MlirType object, pa_fact index) {
  if (pyarrayTypeIsSlice(index.type) || !mlirTypeIsNull(pa_index_type(typing, index.type)) ||
      pa_is_gathered(index.type))
    return PA_OK;
  if (pyarrayTypeIsArray(index.type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "arrays used as indices must be of integer (or boolean) type, not %s",
                          pa_text_of_type(typing, index.type));
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "%s cannot be indexed by %s\nhint: indices are integers, slices, ... and None",
                        pa_text_of_type(typing, object), pa_text_of_type(typing, index.type));
}

static bool is_new_axis(pa_fact index) { return pyarrayTypeIsNone(index.type); }

// How many axes the indices are for, without those that an ellipsis stands for.
static pa_status count_axes(const pa_typing *typing, MlirType object, intptr_t rank, const pa_fact *indices,
                            intptr_t count, int *out_axes) {
  int axes = 0, ellipses = 0;
  for (intptr_t i = 0; i < count; ++i) {
    bool ellipsis = pa_is_ellipsis(indices[i].type), new_axis = is_new_axis(indices[i]);
    if (!ellipsis && !new_axis) PA_TRY(check_index(typing, object, indices[i]));
    ellipses += ellipsis;
    axes += !ellipsis && !new_axis;
  }
  if (ellipses > 1) return pa_typing_fail(typing, PA_CODE_TYPING, "an index can only have a single ellipsis ('...')");
  if (axes > rank)
    return pa_typing_fail(typing, PA_CODE_TYPING, "too many indices: %s has %d dimension%s, %d were given",
                          pa_text_of_type(typing, object), (int)rank, rank == 1 ? "" : "s", axes);
  return *out_axes = axes, PA_OK;
}

// Which axes of the view the indices are for, and where what they broadcast to has its axes.
static void plan_gather(const pa_fact *indices, intptr_t count, int whole, pa_index_plan *out) {
  int axis = 0, runs = 0;
  bool before = false;
  for (intptr_t i = 0; i < count; ++i) {
    bool ellipsis = pa_is_ellipsis(indices[i].type),
         given = !ellipsis && !is_new_axis(indices[i]) && !pyarrayTypeIsSlice(indices[i].type);
    if (given) {
      int rank = pa_is_gathered(indices[i].type) ? (int)pyarrayArrayTypeGetRank(indices[i].type) : 0;
      if (rank > out->broadcast_rank) out->broadcast_rank = rank;
      runs += !before;
      if (!out->gathered_count) out->place = axis;
      out->gathered[out->gathered_count++] = axis;
    }
    before = given;
    axis += ellipsis ? whole : 1;
  }
  if (runs > 1) out->place = 0;
}

pa_status pa_plan_subscript(const pa_typing *typing, MlirType object, intptr_t rank, const pa_fact *indices,
                            intptr_t count, pa_index_plan *out) {
  int axes;
  *out = (pa_index_plan){0};
  PA_TRY(count_axes(typing, object, rank, indices, count, &axes));
  for (intptr_t i = 0; i < count; ++i) out->gathers |= pa_is_gathered(indices[i].type);
  if (out->gathers) plan_gather(indices, count, (int)rank - axes, out);
  for (intptr_t i = 0; i < count; ++i) {
    bool ellipsis = pa_is_ellipsis(indices[i].type), new_axis = is_new_axis(indices[i]);
    out->is_view |= ellipsis || new_axis;
    int whole = ellipsis ? (int)rank - axes : 0;
    if (out->rank + whole + 1 > PA_MOST_AXES)
      return pa_typing_fail(typing, PA_CODE_TYPING, "maximum supported dimension for an array is %d", PA_MOST_AXES);
    if (new_axis) out->new_axes[out->new_count++] = out->rank++;
    for (int k = 0; k < whole; ++k) out->sources[out->count++] = -1, ++out->rank;
    if (ellipsis || new_axis) continue;
    out->sources[out->count++] = (int)i;
    out->rank += out->gathers || pyarrayTypeIsSlice(indices[i].type);
  }
  out->rank += (int)rank - out->count;
  while (out->count && out->sources[out->count - 1] < 0) --out->count;
  if (out->rank > PA_MOST_AXES || pa_index_result_rank(out) > PA_MOST_AXES)
    return pa_typing_fail(typing, PA_CODE_TYPING, "maximum supported dimension for an array is %d", PA_MOST_AXES);
  return PA_OK;
}

//===-- What is left ------------------------------------------------------------------------------===//

static pyarray_layout view_layout(pyarray_layout layout, const pa_index_plan *plan, const pa_fact *indices,
                                  intptr_t rank) {
  MlirType of_axes[PA_MOST_AXES];
  if (rank > PA_MOST_AXES) return PYARRAY_LAYOUT_A;
  for (intptr_t axis = 0; axis < rank; ++axis) {
    bool given = axis < plan->count && plan->sources[axis] >= 0;
    of_axes[axis] = given ? indices[plan->sources[axis]].type : (MlirType){NULL};
    if (given && plan->gathers && !pyarrayTypeIsSlice(of_axes[axis])) of_axes[axis] = (MlirType){NULL}; // of the view
  }
  return pa_view_layout(layout, of_axes, rank);
}

MlirType pa_indexed_type(const pa_typing *typing, MlirType array, const pa_index_plan *plan, const pa_fact *indices) {
  MlirType element = pyarrayArrayTypeGetElement(array);
  if (plan->rank == 0 && !plan->is_view) return element;
  pyarray_layout layout = view_layout(pyarrayArrayTypeGetLayout(array), plan, indices, pyarrayArrayTypeGetRank(array));
  return pa_array_type(typing->context, plan->rank, element, layout, pyarrayArrayTypeIsReadonly(array));
}

pa_status pa_type_array_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                                pa_fact *out_result) {
  pa_index_plan plan;
  // a[()] of one without dimensions is its element, a[...] a view; so is a[()] of others
  PA_TRY(pa_plan_subscript(typing, object.type, pyarrayArrayTypeGetRank(object.type), indices, count, &plan));
  MlirType type = pa_indexed_type(typing, object.type, &plan, indices);
  if (plan.gathers)
    type = pa_array_type(typing->context, pa_index_result_rank(&plan), pyarrayArrayTypeGetElement(type),
                         pa_gathered_layout(&plan), false);
  return *out_result = pa_fact_of(type), PA_OK;
}
