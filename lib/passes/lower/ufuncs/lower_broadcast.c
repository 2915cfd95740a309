// Of pyarray-lower: shapes and views of broadcasting.
//
//   %n = pyarray.ufunc_shape "(),()->()" ins(%a, %b : ...) : si64    compares extents; ValueError
//   %x = pyarray.broadcast_to %a to (%n) : ...                       memref.reinterpret_cast with strides 0
//   %y = pyarray.insert_axes %a [1] : ...                            the same with stride 0 at the new axes
//   %z = pyarray.transpose %a [1, 0] : ...                           the same in another order
//   %0:2 = pyarray.order_dimensions %x, %y rank 2 : ...              a call of the runtime on shape and strides in
//   stack memory; where all are in C order one dimension of all elements
#include <string.h>

#include "lower_arrays.h"
#include "lower_whole_arrays.h"
#include "support/core_signature.h"

//===-- Shapes ------------------------------------------------------------------------------------===//

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

typedef struct shape_check {
  MlirOperation op;
  pa_core_signature core;
  int rank;            // of the loop
  const char *name;    // of the ufunc, with a colon, or ""
  MlirValue *extents;  // of the loop, then core dimensions: null while nothing is known
  MlirValue *own;      // the extents of all operands, one after the other
  int *first, *counts; // of each operand's among them
  int total;
} shape_check;

static void read_extents(pa_lowering *lower, shape_check *c) {
  intptr_t operands = mlirOperationGetNumOperands(c->op);
  c->first = PA_NEW_ARRAY(lower->arena, int, operands + 1);
  c->counts = PA_NEW_ARRAY(lower->arena, int, operands + 1);
  c->own = PA_NEW_ARRAY(lower->arena, MlirValue, operands * PA_MAX_RANK + c->rank + 1);
  for (intptr_t i = 0; i < operands; ++i) {
    c->first[i] = c->total;
    if (!is_array(pa_operand(c->op, i))) continue;
    pa_array array = pa_array_of(lower, pa_operand(c->op, i));
    c->counts[i] = array.rank;
    for (int axis = 0; axis < array.rank; ++axis) c->own[c->total++] = pa_extent(lower, &array, axis);
  }
}

// The number of loop dimensions that operand |i| has itself.
static int own_rank(const shape_check *c, intptr_t i) {
  return c->counts[i] ? c->counts[i] - c->core.operands[i].rank : 0;
}

static int output_core_rank(const shape_check *c) {
  int rank = 0;
  for (int i = 0; i < c->core.output_count; ++i) rank += c->core.operands[c->core.input_count + i].rank;
  return rank;
}

// "(2,newaxis,newaxis)": NumPy goes over the core dimensions of outputs, too, which operand |i| lacks.
static const char *remapped_text(pa_lowering *lower, const shape_check *c, intptr_t i) {
  int added = output_core_rank(c), own = own_rank(c, i);
  if (!added) return pa_arena_format(lower->arena, "{%d:%d}", c->first[i], own);
  const char *text = "(";
  for (int d = 0; d < own + added; ++d)
    text = d < own ? pa_arena_format(lower->arena, "%s%s{%d}", text, d ? "," : "", c->first[i] + d)
                   : pa_arena_format(lower->arena, "%s%snewaxis", text, d ? "," : "");
  return pa_arena_format(lower->arena, "%s%s)", text, own + added == 1 ? "," : "");
}

// " (2,3) (4,)"; of a gufunc " (2,3)->(2,) (4,)->()", where the loop dimensions are behind the arrow.
static const char *shapes_text(pa_lowering *lower, const shape_check *c) {
  const char *text = "";
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(c->op); ++i) {
    text = pa_arena_format(lower->arena, "%s {%d:%d}", text, c->first[i], c->counts[i]);
    if (c->core.dimension_count) text = pa_arena_format(lower->arena, "%s->%s", text, remapped_text(lower, c, i));
  }
  return text;
}

// What is changed in place is an input, too: it is asked once.
static bool is_known(const shape_check *c, intptr_t i) {
  for (intptr_t k = 0; k < i; ++k)
    if (mlirValueEqual(pa_operand(c->op, k), pa_operand(c->op, i))) return own_rank(c, k) == own_rank(c, i);
  return false;
}

// The extents of the loop: those of operands agree, or one of them is 1.
static void join_loop(pa_lowering *lower, shape_check *c) {
  MlirValue one = pa_int(lower, lower->i64, 1), differ = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(c->op); ++i)
    for (int axis = 0; axis < own_rank(c, i) && !is_known(c, i); ++axis) {
      MlirValue extent = c->own[c->first[i] + axis], *known = &c->extents[c->rank - own_rank(c, i) + axis];
      if (mlirValueIsNull(*known)) {
        *known = extent;
        continue;
      }
      MlirValue stretched = pa_compare_int(lower, PA_EQ, *known, one),
                either = pa_or(lower, stretched, pa_compare_int(lower, PA_EQ, extent, one));
      MlirValue wrong = pa_and(lower, pa_compare_int(lower, PA_NE, *known, extent), pa_not(lower, either));
      differ = mlirValueIsNull(differ) ? wrong : pa_or(lower, differ, wrong);
      *known = pa_select(lower, stretched, extent, *known);
    }
  if (mlirValueIsNull(differ)) return;
  const char *what = c->core.dimension_count ? "remapped shapes [original->remapped]:" : "shapes",
             *end = c->core.dimension_count ? "" : " "; // as NumPy ends it
  int added = output_core_rank(c), count = c->total;
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, count + added + 1);
  for (int i = 0; i < c->total; ++i) values[i] = c->own[i];
  for (int i = c->core.input_count; i < c->core.input_count + c->core.output_count; ++i)
    for (int k = 0; k < c->core.operands[i].rank; ++k) {
      MlirValue size = c->extents[c->rank + c->core.operands[i].dimensions[k]];
      values[count++] = mlirValueIsNull(size) ? one : size;
    }
  if (added) end = pa_arena_format(lower->arena, "  and requested shape {%d:%d}", c->total, added);
  bool indices = !mlirAttributeIsNull(pa_get_attr(c->op, "indices"));
  const char *text = indices ? "shape mismatch: indexing arrays could not be broadcast together with %s%s%s"
                             : "operands could not be broadcast together with %s%s%s";
  const char *message = pa_arena_format(lower->arena, text, what, shapes_text(lower, c), end);
  pa_raise_many_if(lower, differ, indices ? "IndexError" : "ValueError", message, values, count);
}

// An output has the loop's extents; it is not stretched.
static void check_outputs(pa_lowering *lower, shape_check *c) {
  for (intptr_t i = c->core.input_count; i < mlirOperationGetNumOperands(c->op); ++i) {
    MlirValue differ = {NULL};
    for (int d = 0; d < c->rank; ++d) {
      int axis = d - (c->rank - own_rank(c, i));
      MlirValue one = pa_int(lower, lower->i64, 1);
      MlirValue wrong = pa_compare_int(lower, PA_NE, axis < 0 ? one : c->own[c->first[i] + axis],
                                       mlirValueIsNull(c->extents[d]) ? one : c->extents[d]);
      differ = mlirValueIsNull(differ) ? wrong : pa_or(lower, differ, wrong);
    }
    if (mlirValueIsNull(differ)) continue;
    MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, c->counts[i] + c->rank);
    int loop = own_rank(c, i);
    for (int k = 0; k < loop; ++k) values[k] = c->own[c->first[i] + k];
    for (int d = 0; d < c->rank; ++d)
      values[loop + d] = mlirValueIsNull(c->extents[d]) ? pa_int(lower, lower->i64, 1) : c->extents[d];
    const char *message = pa_arena_format(
        lower->arena, "non-broadcastable output operand with shape {0:%d} doesn't match the broadcast shape {%d:%d}",
        loop, loop, c->rank);
    pa_raise_many_if(lower, differ, "ValueError", message, values, loop + c->rank);
  }
}

// ValueError where core dimension |k| of operand |i| is not |known|: pyarray.mismatch says what ({0} is the extent, {1}
// what it was to be, the extents of all operands follow), or, in parentheses, the signature to be told of.
static void raise_mismatch_if(pa_lowering *lower, const shape_check *c, intptr_t i, int k, MlirValue extent,
                              MlirValue known) {
  const char *told = pa_attr_text(lower->arena, pa_get_attr(c->op, "pyarray.mismatch"));
  bool input = i < c->core.input_count, whole = told && input && *told != '(';
  const char *signature = told && !whole ? told : pa_attr_text(lower->arena, pa_get_attr(c->op, "signature"));
  const char *message = whole ? told
                              : pa_arena_format(lower->arena,
                                                "%s%s operand %d has a mismatch in its core dimension %d, with gufunc "
                                                "signature %s (size {0} is different from {1})",
                                                c->name, input ? "Input" : "Output",
                                                (int)(input ? i : i - c->core.input_count), k, signature);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, c->total + 2);
  values[0] = extent;
  values[1] = known;
  for (int d = 0; d < c->total; ++d) values[2 + d] = c->own[d];
  pa_raise_many_if(lower, pa_compare_int(lower, PA_NE, extent, known), "ValueError", message, values,
                   whole ? 2 + c->total : 2);
}

// What is stored has the extents of the output, or 1.
static void check_assignment(pa_lowering *lower, shape_check *c) {
  MlirValue one = pa_int(lower, lower->i64, 1), *own = c->own;
  intptr_t output = c->core.input_count;
  for (int d = 0; d < c->rank; ++d) c->extents[d] = own[c->first[output] + d];
  for (intptr_t i = 0; i < output; ++i) {
    MlirValue differ = {NULL};
    for (int axis = 0; axis < c->counts[i]; ++axis) {
      MlirValue extent = own[c->first[i] + axis];
      MlirValue wrong = pa_and(lower, pa_compare_int(lower, PA_NE, extent, c->extents[c->rank - c->counts[i] + axis]),
                               pa_compare_int(lower, PA_NE, extent, one));
      differ = mlirValueIsNull(differ) ? wrong : pa_or(lower, differ, wrong);
    }
    if (mlirValueIsNull(differ)) continue;
    const char *message =
        pa_arena_format(lower->arena, "could not broadcast input array from shape {%d:%d} into shape {%d:%d}",
                        c->first[i], c->counts[i], c->first[output], c->rank);
    pa_raise_many_if(lower, differ, "ValueError", message, c->own, c->total);
  }
}

static void check_cores(pa_lowering *lower, shape_check *c) {
  MlirValue *sizes = c->extents + c->rank;
  for (int d = 0; d < c->core.dimension_count; ++d)
    if (c->core.dimensions[d].size >= 0) sizes[d] = pa_int(lower, lower->i64, c->core.dimensions[d].size);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(c->op); ++i) {
    const pa_core_operand *core = &c->core.operands[i];
    for (int k = 0; c->counts[i] && k < core->rank; ++k) {
      MlirValue extent = c->own[c->first[i] + own_rank(c, i) + k], *known = &sizes[core->dimensions[k]];
      if (mlirValueIsNull(*known)) {
        *known = extent;
        continue;
      }
      raise_mismatch_if(lower, c, i, k, extent, *known);
    }
  }
}

void pa_lower_ufunc_shape(pa_lowering *lower, MlirOperation op) {
  shape_check *c = PA_NEW(lower->arena, shape_check);
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  intptr_t count = mlirOperationGetNumResults(op);
  bool malformed = pa_core_signature_parse(text.data, text.length, &c->core) || count < c->core.dimension_count ||
                   mlirOperationGetNumOperands(op) > c->core.input_count + c->core.output_count;
  if (malformed) {
    pa_lower_fail(lower, "pyarray.ufunc_shape has a signature that does not fit its operands");
    return;
  }
  const char *name = pa_attr_text(lower->arena, pa_get_attr(op, "pyarray.name"));
  c->op = op;
  c->rank = (int)count - c->core.dimension_count;
  c->name = name ? pa_arena_format(lower->arena, "%s: ", name) : "";
  c->extents = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(pa_operand(op, i));
    int own = pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0;
    if (own - c->core.operands[i].rank > c->rank || own < c->core.operands[i].rank)
      pa_lower_fail(lower, "pyarray.ufunc_shape has too few results");
  }
  if (pa_failed(&lower->builder)) return;
  read_extents(lower, c);
  check_cores(lower, c);
  if (mlirAttributeIsNull(pa_get_attr(op, "assigns"))) {
    join_loop(lower, c);
    check_outputs(lower, c);
  } else {
    check_assignment(lower, c);
  }
  MlirValue one = pa_int(lower, lower->i64, 1);
  for (intptr_t i = 0; i < count; ++i)
    pa_set1(lower, mlirOperationGetResult(op, i), mlirValueIsNull(c->extents[i]) ? one : c->extents[i]);
}

//===-- Views -------------------------------------------------------------------------------------===//

static bool is_plain_view(MlirType type) {
  if (!pyarrayTypeIsArray(type) || pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_A) return false;
  for (intptr_t axis = 0; axis < pyarrayArrayTypeGetRank(type); ++axis)
    if (pyarrayArrayTypeGetExtent(type, axis) != mlirShapedTypeGetDynamicSize()) return false;
  return true;
}

void pa_lower_broadcast_to(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_result(op));
  int loop = (int)mlirOperationGetNumOperands(op) - 1;
  if (!is_array(pa_operand(op, 0)) || pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_A ||
      pyarrayArrayTypeGetRank(type) < loop) {
    pa_lower_fail(lower, "pyarray.broadcast_to makes a view of layout A with its loop dimensions");
    return;
  }
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  int core = (int)pyarrayArrayTypeGetRank(type) - loop, own = array.rank - core;
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts) || own < 0 || own > loop) {
    pa_lower_fail(lower, "pyarray.broadcast_to has a view that does not fit its array");
    return;
  }
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK], zero = pa_int(lower, lower->index, 0),
                                                      one = pa_int(lower, lower->index, 1);
  for (int d = 0; d < loop + core; ++d) {
    int axis = d - (loop - own);
    MlirValue size = axis < 0 ? (MlirValue){NULL} : mlirOperationGetResult(parts, 2 + axis);
    MlirValue stride = axis < 0 ? zero : mlirOperationGetResult(parts, 2 + array.rank + axis);
    sizes[d] = d < loop ? pa_to_index(lower, pa_get1(lower, pa_operand(op, 1 + d))) : size;
    strides[d] =
        d < loop && axis >= 0 ? pa_select(lower, pa_compare_int(lower, PA_EQ, size, one), zero, stride) : stride;
  }
  pa_set(
      lower, pa_result(op),
      (MlirValue[]){pa_view_memory(lower, &array, type, mlirOperationGetResult(parts, 1), sizes, strides), array.owner},
      2);
}

// The stride of a new axis: that of an axis in the layout's order, of which there is one step.
static MlirValue new_stride(pa_lowering *lower, pyarray_layout layout, const MlirValue *sizes, const MlirValue *strides,
                            intptr_t axis, intptr_t rank) {
  intptr_t inner = layout == PYARRAY_LAYOUT_F ? axis - 1 : axis + 1;
  if (layout == PYARRAY_LAYOUT_A) return pa_int(lower, lower->index, 0);
  if (inner < 0 || inner >= rank) return pa_int(lower, lower->index, 1);
  return pa_binary(lower, "arith.muli", sizes[inner], strides[inner]);
}

void pa_lower_insert_axes(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_result(op));
  MlirAttribute axes = pa_get_attr(op, "axes");
  intptr_t added = mlirDenseArrayGetNumElements(axes), at = 0, rank = pyarrayArrayTypeGetRank(type);
  if (!is_array(pa_operand(op, 0)) || pyarrayArrayTypeGetRank(mlirValueGetType(pa_operand(op, 0))) + added != rank) {
    pa_lower_fail(lower, "pyarray.insert_axes makes a view of an array");
    return;
  }
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts)) return;
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK], one = pa_int(lower, lower->index, 1);
  bool is_new[PA_MAX_RANK];
  for (intptr_t d = 0; d < rank; ++d) {
    is_new[d] = at < added && mlirDenseI64ArrayGetElement(axes, at) == d;
    sizes[d] = is_new[d] ? one : mlirOperationGetResult(parts, 2 + d - at);
    if (!is_new[d]) strides[d] = mlirOperationGetResult(parts, 2 + array.rank + d - at);
    at += is_new[d];
  }
  pyarray_layout layout = pyarrayArrayTypeGetLayout(type);
  for (intptr_t k = 0; k < rank; ++k) {
    intptr_t d = layout == PYARRAY_LAYOUT_F ? k : rank - 1 - k; // from the inside out
    if (is_new[d]) strides[d] = new_stride(lower, layout, sizes, strides, d, rank);
  }
  pa_set(
      lower, pa_result(op),
      (MlirValue[]){pa_view_memory(lower, &array, type, mlirOperationGetResult(parts, 1), sizes, strides), array.owner},
      2);
}

void pa_lower_transpose(pa_lowering *lower, MlirOperation op) {
  MlirType type = mlirValueGetType(pa_result(op));
  MlirAttribute axes = pa_get_attr(op, "axes");
  if (!is_array(pa_operand(op, 0)) || pyarrayArrayTypeGetRank(type) != mlirDenseArrayGetNumElements(axes)) {
    pa_lower_fail(lower, "pyarray.transpose makes a view of an array");
    return;
  }
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts)) return;
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK];
  for (int d = 0; d < array.rank; ++d) {
    intptr_t axis = (intptr_t)mlirDenseI64ArrayGetElement(axes, d);
    sizes[d] = mlirOperationGetResult(parts, 2 + axis);
    strides[d] = mlirOperationGetResult(parts, 2 + array.rank + axis);
  }
  pa_set(
      lower, pa_result(op),
      (MlirValue[]){pa_view_memory(lower, &array, type, mlirOperationGetResult(parts, 1), sizes, strides), array.owner},
      2);
}

//===-- Order -------------------------------------------------------------------------------------===//

static void put_number(pa_lowering *lower, MlirValue numbers, int64_t at, MlirValue value) {
  pa_op(&lower->builder, "memref.store",
        PA_OPERANDS(pa_to_i64(lower, value), numbers, pa_int(lower, lower->index, at)));
}

static MlirValue take_number(pa_lowering *lower, MlirValue numbers, int64_t at) {
  return pa_to_index(lower, pa_value(&lower->builder, "memref.load",
                                     PA_OPERANDS(numbers, pa_int(lower, lower->index, at)), PA_RESULTS(lower->i64)));
}

// Where array |number|'s offset is; its strides follow.
static int64_t place_of(int64_t rank, intptr_t number) { return rank + number * (1 + rank); }

static bool put_array(pa_lowering *lower, MlirValue numbers, const pa_array *array, int rank, intptr_t number) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return false;
  int64_t at = place_of(rank, number);
  put_number(lower, numbers, at, mlirOperationGetResult(parts, 1));
  for (int d = 0; d < rank; ++d) {
    if (number == 0) put_number(lower, numbers, d, mlirOperationGetResult(parts, 2 + d));
    put_number(lower, numbers, at + 1 + d, mlirOperationGetResult(parts, 2 + array->rank + d));
  }
  return true;
}

static void take_array(pa_lowering *lower, MlirValue numbers, const pa_array *array, int rank, intptr_t number,
                       MlirValue result) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK];
  int64_t at = place_of(rank, number);
  if (mlirOperationIsNull(parts)) return;
  for (int d = 0; d < array->rank; ++d) {
    sizes[d] = d < rank ? take_number(lower, numbers, d) : mlirOperationGetResult(parts, 2 + d);
    strides[d] =
        d < rank ? take_number(lower, numbers, at + 1 + d) : mlirOperationGetResult(parts, 2 + array->rank + d);
  }
  MlirValue memref =
      pa_view_memory(lower, array, mlirValueGetType(result), take_number(lower, numbers, at), sizes, strides);
  pa_set(lower, result, (MlirValue[]){memref, array->owner}, 2);
}

// All in C order by their types: one dimension, of all elements, in place of the last.
static bool are_in_c_order(MlirOperation op, int rank) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(pa_operand(op, i));
    if (pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_C || pyarrayArrayTypeGetRank(type) != rank) return false;
  }
  return true;
}

static void merge_array(pa_lowering *lower, const pa_array *array, MlirValue result) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK], one = pa_int(lower, lower->index, 1);
  if (mlirOperationIsNull(parts)) return;
  int last = array->rank - 1;
  sizes[last] = mlirOperationGetResult(parts, 2 + last);
  strides[last] = one;
  for (int d = 0; d < last; ++d) {
    sizes[last] = pa_binary(lower, "arith.muli", sizes[last], mlirOperationGetResult(parts, 2 + d));
    sizes[d] = one;
    strides[d] = pa_int(lower, lower->index, 0);
  }
  MlirValue memref =
      pa_view_memory(lower, array, mlirValueGetType(result), mlirOperationGetResult(parts, 1), sizes, strides);
  pa_set(lower, result, (MlirValue[]){memref, array->owner}, 2);
}

void pa_lower_order_dimensions(pa_lowering *lower, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  int rank = (int)mlirIntegerAttrGetValueInt(pa_get_attr(op, "loop_rank"));
  bool fits = rank > 0 && rank <= PA_MAX_RANK && mlirOperationGetNumResults(op) == count;
  for (intptr_t i = 0; fits && i < count; ++i) {
    MlirType from = mlirValueGetType(pa_operand(op, i)), to = mlirValueGetType(mlirOperationGetResult(op, i));
    fits = pyarrayTypeIsArray(from) && is_plain_view(to) &&
           pyarrayArrayTypeGetRank(from) == pyarrayArrayTypeGetRank(to) && pyarrayArrayTypeGetRank(from) >= rank;
  }
  if (!fits) {
    pa_lower_fail(lower, "pyarray.order_dimensions makes views of layout A of its arrays");
    return;
  }
  pa_array *arrays = PA_NEW_ARRAY(lower->arena, pa_array, count + 1);
  if (are_in_c_order(op, rank)) {
    for (intptr_t i = 0; i < count; ++i) {
      arrays[i] = pa_array_of(lower, pa_operand(op, i));
      merge_array(lower, &arrays[i], mlirOperationGetResult(op, i));
    }
    return;
  }
  MlirValue numbers = pa_stack_numbers(lower, place_of(rank, count));
  for (intptr_t i = 0; i < count; ++i) {
    arrays[i] = pa_array_of(lower, pa_operand(op, i));
    if (!put_array(lower, numbers, &arrays[i], rank, i)) return;
  }
  MlirValue address =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
  pa_runtime(lower, "pyarray_rt_order_dimensions", pa_int(lower, lower->i64, rank), pa_int(lower, lower->i64, count),
             address);
  for (intptr_t i = 0; i < count; ++i) take_array(lower, numbers, &arrays[i], rank, i, mlirOperationGetResult(op, i));
}
