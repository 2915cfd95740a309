// Types of what the Python library makes views of arrays with (library/numpy/views.py). Records are their bytes, which
// stay the last axis.
#include "typing_index.h"
#include "typing_rules.h"

// The array that argument |i| is, represents, or has as flags; null where it is none.
static MlirType memory_of(const pa_rule_call *call, int i) {
  MlirType type = pa_erased_type(call->arguments[i].type);
  return pyarrayTypeIsArray(type) ? type : (MlirType){NULL};
}

// Whether it is one of records, or the flags of such.
static bool has_records(MlirType type) {
  return pa_is_records(pa_is_tagged(type, "array flags") ? pyarrayTaggedTypeGetItem(type) : type);
}

static pa_status need_memory(const pa_rule_call *call, int i) {
  return mlirTypeIsNull(memory_of(call, i)) ? pa_rule_wrong_type(call, i, "an array") : PA_OK;
}

// An array like argument 0 with other axes.
static pa_status finish_view(pa_rule_call *call, intptr_t rank, pyarray_layout layout) {
  MlirType object = call->arguments[0].type, memory = memory_of(call, 0), result;
  bool readonly = pyarrayArrayTypeIsReadonly(memory);
  if (pa_is_records(object))
    result = pa_records_type(call->typing->context, pa_item_code_of(call->typing->arena, object), rank,
                             layout == PYARRAY_LAYOUT_F && rank > 1 ? PYARRAY_LAYOUT_A : layout, readonly);
  else
    result = pa_array_type(call->typing->context, rank, pyarrayArrayTypeGetElement(memory), layout, readonly);
  if (mlirTypeIsNull(result))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "maximum supported dimension for an array is %d", PA_MOST_AXES);
  return pa_rule_finish(call, result);
}

// Argument |i|, a tuple of integers; of records the extent of their bytes behind it, or |last|.
static pa_status add_numbers(pa_rule_call *call, int i, int64_t last, intptr_t *out_count) {
  MlirType tuple = call->arguments[i].type;
  if (!mlirTypeIsATuple(tuple)) return pa_rule_wrong_type(call, i, "a tuple of integers");
  *out_count = mlirTupleTypeGetNumTypes(tuple);
  if (*out_count > PA_MOST_AXES)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "maximum supported dimension for an array is %d", PA_MOST_AXES);
  for (intptr_t axis = 0; axis < *out_count; ++axis) {
    pa_scalar scalar = pa_scalar_of(mlirTupleTypeGetType(tuple, axis));
    if (scalar != PA_BOOL && !pa_is_integer(scalar)) return pa_rule_wrong_type(call, i, "a tuple of integers");
    pa_rule_add_operand(call, i, (int)axis, (MlirAttribute){NULL}, pa_rule_scalar_type(call, PA_I64));
  }
  if (last > 0 && pa_is_records(call->arguments[0].type)) pa_rule_add_int(call, last);
  return PA_OK;
}

static int64_t bytes_of_item(MlirType memory) {
  return pyarrayArrayTypeGetExtent(memory, pyarrayArrayTypeGetRank(memory) - 1);
}

// strided(array, first, shape, strides)
static pa_status type_strided(pa_rule_call *call) {
  intptr_t rank, strides;
  PA_TRY(need_memory(call, 0));
  PA_TRY(pa_rule_need_integer(call, 1));
  MlirType memory = memory_of(call, 0);
  pa_rule_add_argument(call, 0, memory);
  pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, PA_I64));
  PA_TRY(add_numbers(call, 2, pa_is_records(call->arguments[0].type) ? bytes_of_item(memory) : 0, &rank));
  PA_TRY(add_numbers(call, 3, 1, &strides));
  if (rank != strides) return pa_rule_wrong_type(call, 3, "as many strides as extents");
  return finish_view(call, rank, PYARRAY_LAYOUT_A);
}

// broadcast(array, shape): the operation of that name.
static pa_status type_broadcast(pa_rule_call *call) {
  intptr_t rank;
  PA_TRY(need_memory(call, 0));
  pa_rule_add_argument(call, 0, memory_of(call, 0));
  PA_TRY(add_numbers(call, 1, 0, &rank));
  call->plan->kind = PA_PLAN_BROADCAST;
  return finish_view(call, rank, PYARRAY_LAYOUT_A);
}

//===-- Other elements ----------------------------------------------------------------------------===//

static int size_of(MlirType element) {
  pa_scalar scalar = pa_scalar_of(element);
  return pa_is_time(element) ? 8 : scalar == PA_NOT_SCALAR ? 0 : pa_scalar_bytes(scalar);
}

// retyped(array, dtype)
static pa_status type_retyped(pa_rule_call *call) {
  MlirType element, array = call->arguments[0].type;
  PA_TRY(pa_dtype_argument(call, 1, &element));
  if (!pyarrayTypeIsArray(array) || !size_of(element))
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED,
                          "view(): a view of %s as %s is not compiled\nhint: both have elements that are numbers or "
                          "times",
                          pa_rule_text_of(call, array), pa_rule_text_of(call, element));
  int from = size_of(pyarrayArrayTypeGetElement(array)), to = size_of(element);
  intptr_t rank = pyarrayArrayTypeGetRank(array);
  pyarray_layout layout = pyarrayArrayTypeGetLayout(array);
  if (from != to && rank == 0)
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "Changing the dtype of a 0d array is only supported if the itemsize is unchanged");
  if (from != to && layout == PYARRAY_LAYOUT_F && rank > 1) layout = PYARRAY_LAYOUT_A;
  pa_rule_add_argument(call, 0, array);
  return pa_rule_finish(call,
                        pa_array_type(call->typing->context, rank, element, layout, pyarrayArrayTypeIsReadonly(array)));
}

// complex_part(array, which)
static pa_status type_complex_part(pa_rule_call *call) {
  MlirType array = call->arguments[0].type;
  pa_scalar scalar = pyarrayTypeIsArray(array) ? pa_scalar_of(pyarrayArrayTypeGetElement(array)) : PA_NOT_SCALAR;
  int64_t which;
  if (!pa_is_complex(scalar)) return pa_rule_wrong_type(call, 0, "an array of complex numbers");
  if (!pa_literal_int(call->arguments[1], &which)) return pa_rule_wrong_type(call, 1, "0 or 1");
  pa_rule_add_argument(call, 0, array);
  pa_rule_add_int(call, which != 0);
  return pa_rule_finish(call, pa_array_type(call->typing->context, pyarrayArrayTypeGetRank(array),
                                            pa_rule_scalar_type(call, scalar == PA_C64 ? PA_F32 : PA_F64),
                                            PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(array)));
}

//===-- Layouts -----------------------------------------------------------------------------------===//

// c_contiguous(array), f_contiguous(array): known where the type says it.
static pa_status type_contiguous(pa_rule_call *call) {
  PA_TRY(need_memory(call, 0));
  MlirType memory = memory_of(call, 0);
  bool wants_f = *call->builtin->target == 'F', records = has_records(call->arguments[0].type);
  pyarray_layout layout = pyarrayArrayTypeGetLayout(memory);
  intptr_t rank = pyarrayArrayTypeGetRank(memory) - records;
  bool known = rank == 0 || layout == (wants_f && rank > 1 ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C) ||
               (layout == PYARRAY_LAYOUT_F && rank == 1);
  if (known) {
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = mlirBoolAttrGet(call->typing->context, true);
    return pa_rule_finish_scalar(call, PA_BOOL);
  }
  pa_rule_add_argument(call, 0, memory);
  pa_rule_add_int(call, records);
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// fortran_type(array): whether the type says that it lies in Fortran's order, and not in that of C.
static pa_status type_fortran_type(pa_rule_call *call) {
  PA_TRY(need_memory(call, 0));
  MlirType memory = memory_of(call, 0);
  bool is = pyarrayArrayTypeGetLayout(memory) == PYARRAY_LAYOUT_F && pyarrayArrayTypeGetRank(memory) > 1;
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirBoolAttrGet(call->typing->context, is);
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// in_order(array): what is known to lie in C order, as a type says it.
static pa_status type_in_order(pa_rule_call *call) {
  PA_TRY(need_memory(call, 0));
  MlirType memory = memory_of(call, 0);
  if (pyarrayArrayTypeGetLayout(memory) == PYARRAY_LAYOUT_C) call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, memory);
  return finish_view(call, pyarrayArrayTypeGetRank(memory) - has_records(call->arguments[0].type), PYARRAY_LAYOUT_C);
}

// to_host, to_device, copy_back, device_product: pyarray-offload makes them, behind type inference.
static pa_status type_placed(pa_rule_call *call) {
  return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s is of compiled code alone", call->builtin->name);
}

// device_solver(which, flag, arrays...), device_transform(out, a, axis, inverse): whether a library of the GPU does it.
static pa_status type_library_call(pa_rule_call *call) {
  for (int i = 0; i < call->count; ++i) {
    bool array = !mlirTypeIsNull(memory_of(call, i));
    if (!array) PA_TRY(pa_rule_need_integer(call, i));
    pa_rule_add_argument(call, i, array ? memory_of(call, i) : pa_rule_scalar_type(call, PA_I64));
  }
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// on_device(): decided by pyarray-place-functions, for each function, where the entry has the option `offload`.
static pa_status type_on_device(pa_rule_call *call) {
  if (!call->typing->offload) {
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = mlirBoolAttrGet(call->typing->context, false);
  }
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// writeable(array): whether it can be stored to.
static pa_status type_writeable(pa_rule_call *call) {
  PA_TRY(need_memory(call, 0));
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirBoolAttrGet(call->typing->context, !pyarrayArrayTypeIsReadonly(memory_of(call, 0)));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// readonly(array)
static pa_status type_readonly(pa_rule_call *call) {
  MlirType object = call->arguments[0].type, memory = memory_of(call, 0);
  PA_TRY(need_memory(call, 0));
  pyarray_layout layout = pyarrayArrayTypeGetLayout(memory);
  MlirContext context = call->typing->context;
  MlirType type = pa_is_records(object) ? pa_records_type(context, pa_item_code_of(call->typing->arena, object),
                                                          pa_records_rank(object), layout, true)
                                        : pa_array_type(context, pyarrayArrayTypeGetRank(memory),
                                                        pyarrayArrayTypeGetElement(memory), layout, true);
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, type);
  return pa_rule_finish(call, type);
}

// a.reshape(n, m), a.reshape((n, m)): a view of what is in C order; of all else a view or a copy, as it lies.
static pa_status type_reshape(pa_rule_call *call) {
  PA_TRY(need_memory(call, 0));
  MlirType memory = memory_of(call, 0), extent = pa_rule_scalar_type(call, PA_I64);
  bool tuple = call->count == 2 && mlirTypeIsATuple(call->arguments[1].type);
  intptr_t rank = call->count - 1;
  pa_rule_add_argument(call, 0, memory);
  if (tuple) PA_TRY(add_numbers(call, 1, 0, &rank));
  for (intptr_t axis = 0; !tuple && axis < rank; ++axis) {
    if (!pa_is_integer(pa_rule_scalar_of(call, (int)axis + 1)))
      return pa_rule_wrong_type(call, (int)axis + 1, "an int or a tuple of ints");
    pa_rule_add_argument(call, (int)axis + 1, extent);
  }
  if (pa_is_records(call->arguments[0].type)) pa_rule_add_int(call, bytes_of_item(memory));
  pyarray_layout layout = pyarrayArrayTypeGetLayout(memory);
  bool in_order = layout == PYARRAY_LAYOUT_C || pyarrayArrayTypeGetRank(memory) < (layout == PYARRAY_LAYOUT_F ? 2 : 1);
  if (!in_order) call->plan->builtin = pa_builtin_find(pa_ref("pyarray.reshaped"));
  return finish_view(call, rank, in_order ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A);
}

//===-- Subscripts by arrays ----------------------------------------------------------------------===//

// check_index(index, extent, axis): IndexError where an integer, or one of an array, is no index of so many items.
static pa_status type_check_index(pa_rule_call *call) {
  MlirType index = call->arguments[0].type;
  bool array = pyarrayTypeIsArray(index);
  if (!pa_is_integer(pa_scalar_of(array ? pyarrayArrayTypeGetElement(index) : index)))
    return pa_rule_wrong_type(call, 0, "an integer or an array of integers");
  pa_rule_add_argument(call, 0, index);
  for (int i = 1; i < 3; ++i) {
    PA_TRY(pa_rule_need_integer(call, i));
    pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_I64));
  }
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

// The memory of the first |count| arguments.
static pa_status add_memories(pa_rule_call *call, int count) {
  for (int i = 0; i < count; ++i) {
    PA_TRY(need_memory(call, i));
    pa_rule_add_argument(call, i, memory_of(call, i));
  }
  return PA_OK;
}

// The arrays and integers of argument |i|, a tuple.
static pa_status add_indices(pa_rule_call *call, int i) {
  MlirType tuple = call->arguments[i].type;
  if (!mlirTypeIsATuple(tuple)) return pa_rule_wrong_type(call, i, "a tuple");
  for (intptr_t k = 0; k < mlirTupleTypeGetNumTypes(tuple); ++k) {
    MlirType type = mlirTupleTypeGetType(tuple, k);
    bool kept = pyarrayTypeIsArray(type) || pa_scalar_of(type) == PA_U64; // which may be beyond int64
    pa_rule_add_operand(call, i, (int)k, (MlirAttribute){NULL}, kept ? type : pa_rule_scalar_type(call, PA_I64));
  }
  return PA_OK;
}

// overlaps(a, b): whether memory of the one array may be memory of the other.
static pa_status type_overlaps(pa_rule_call *call) {
  PA_TRY(add_memories(call, 2));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

// scatter(array, values, indices, axes): a store to parts of the array, whose first axes have the indices.
static pa_status type_scatter(pa_rule_call *call) {
  PA_TRY(add_memories(call, 2));
  PA_TRY(add_indices(call, 2));
  PA_TRY(add_indices(call, 3));
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

static pa_status need_mask(pa_rule_call *call, int i) {
  MlirType type = call->arguments[i].type;
  bool is = pyarrayTypeIsArray(type) && pa_scalar_of(pyarrayArrayTypeGetElement(type)) == PA_BOOL;
  return is ? PA_OK : pa_rule_wrong_type(call, i, "an array of bools");
}

// count_true(mask)
static pa_status type_count_true(pa_rule_call *call) {
  PA_TRY(need_mask(call, 0));
  PA_TRY(add_memories(call, 1));
  return pa_rule_finish_scalar(call, PA_I64);
}

// take_masked(out, array, mask), store_masked(array, values, mask)
static pa_status type_move_masked(pa_rule_call *call) {
  PA_TRY(need_mask(call, 2));
  PA_TRY(add_memories(call, 3));
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

// list_true(found, mask): the indices of true elements into a tuple of arrays, one for each axis.
static pa_status type_list_true(pa_rule_call *call) {
  PA_TRY(need_mask(call, 1));
  pa_rule_add_argument(call, 1, call->arguments[1].type);
  PA_TRY(add_indices(call, 0));
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

// A function whose axes are not known, or not the array's, is one of the library.
static pa_status type_view_of_axes(pa_rule_call *call) {
  return pa_typing_fail(call->typing, PA_CODE_INVALID, "%s is a function of the library", call->builtin->name);
}

const pa_typing_rule_row pa_view_typing[] = {
    {PA_TYPING_STRIDED, type_strided},
    {PA_TYPING_BROADCAST, type_broadcast},
    {PA_TYPING_RETYPED, type_retyped},
    {PA_TYPING_COMPLEX_PART, type_complex_part},
    {PA_TYPING_CONTIGUOUS, type_contiguous},
    {PA_TYPING_FORTRAN_TYPE, type_fortran_type},
    {PA_TYPING_IN_ORDER, type_in_order},
    {PA_TYPING_READONLY, type_readonly},
    {PA_TYPING_WRITEABLE, type_writeable},
    {PA_TYPING_RESHAPE, type_reshape},
    {PA_TYPING_CHECK_INDEX, type_check_index},
    {PA_TYPING_OVERLAPS, type_overlaps},
    {PA_TYPING_SCATTER, type_scatter},
    {PA_TYPING_COUNT_TRUE, type_count_true},
    {PA_TYPING_MOVE_MASKED, type_move_masked},
    {PA_TYPING_LIST_TRUE, type_list_true},
    {PA_TYPING_AXES, type_view_of_axes},
    {PA_TYPING_ON_DEVICE, type_on_device},
    {PA_TYPING_PLACED, type_placed},
    {PA_TYPING_LIBRARY_CALL, type_library_call},
    {0, NULL},
};
