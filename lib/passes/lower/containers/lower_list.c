// Of pyarray-lower: lists. Items are read, stored, appended and popped inline; the rest are calls of
// lib/runtime/objects/list.c.
//
//   %x = pyarray.getitem %l[%i] : (!pyarray.list<f64>, si64) -> f64
// becomes
//   %n = llvm.load %header : !llvm.ptr -> i64          // length, capacity, items, type
//   scf.if %out_of_range { raise IndexError }
//   %items = llvm.load %header[16] : !llvm.ptr -> !llvm.ptr
//   %x = llvm.load %items[%i * 8] : !llvm.ptr -> f64
#include <string.h>

#include "lower_arrays.h"
#include "lower_containers.h"
#include "lower_items.h"
#include "lower_numbers.h"

static const char deque_message[] = "deque index out of range";

enum { LENGTH, CAPACITY, ITEMS, LIMIT = 5, CHANGES }; // words at the handle (lib/runtime/base/objects.h)

static MlirType item_type(MlirValue list) { return pyarrayTypeGetItem(mlirValueGetType(list)); }
static MlirValue header(pa_lowering *lower, MlirValue list) { return pa_pointer_to(lower, pa_get1(lower, list)); }

MlirValue pa_list_length(pa_lowering *lower, MlirValue list) {
  return pa_load_word(lower, header(lower, list), LENGTH, lower->i64);
}

MlirValue pa_list_items(pa_lowering *lower, MlirValue list) {
  MlirValue at = header(lower, list);
  return pa_load_word(lower, at, ITEMS, pa_type_or_none(lower, at));
}

static MlirValue item_pointer_in(pa_lowering *lower, MlirValue list, MlirValue items, MlirValue index) {
  MlirValue size = pa_int(lower, lower->i64, pa_item_size(lower, item_type(list)));
  return pa_byte_offset(lower, items, pa_binary(lower, "arith.muli", index, size));
}

void pa_item_from_memory(pa_lowering *lower, MlirValue result, MlirValue pointer, bool moves) {
  pa_values values = pa_load_item(lower, pointer, mlirValueGetType(result));
  pa_set(lower, result, values.items, values.count);
  if (!moves) pa_retain_value(lower, result);
  pa_acquire(lower, result);
}

static MlirValue item_pointer(pa_lowering *lower, MlirValue list, MlirValue index) {
  return item_pointer_in(lower, list, pa_list_items(lower, list), index);
}

void pa_list_item_in(pa_lowering *lower, MlirValue result, MlirValue list, MlirValue items, MlirValue index) {
  pa_item_from_memory(lower, result, item_pointer_in(lower, list, items, index), false);
}

void pa_list_item_at(pa_lowering *lower, MlirValue result, MlirValue list, MlirValue index) {
  pa_item_from_memory(lower, result, item_pointer(lower, list, index), false);
}

//===-- Making ------------------------------------------------------------------------------------===//

static bool is_deque(MlirValue list) { return pyarrayTypeIsDeque(mlirValueGetType(list)); }

static MlirValue new_list(pa_lowering *lower, MlirValue list, MlirValue capacity) {
  MlirValue type = pa_item_type_of(lower, item_type(list));
  if (is_deque(list))
    return pa_checked_handle(lower,
                             pa_runtime(lower, "pyarray_rt_deque_new", type, pa_int(lower, lower->i64, INT64_MAX)));
  return pa_checked_handle(lower, pa_runtime(lower, "pyarray_rt_list_new", type, capacity));
}

static void put_new_item(pa_lowering *lower, MlirValue list, MlirValue index, MlirValue value) {
  pa_store_kept_item(lower, item_pointer(lower, list, index), value);
}

// Constants are copied from a table.
static void put_new_constants(pa_lowering *lower, MlirValue list, MlirValue length, const pa_table *table) {
  MlirType type = item_type(list);
  MlirBlock block = mlirBlockCreate(1, &type, &lower->builder.location); // its argument stands for the item
  pa_counted_loop loop = pa_loop_begin(lower, pa_to_index(lower, length));
  MlirValue index = pa_to_i64(lower, loop.index), item = mlirBlockGetArgument(block, 0);
  pa_set_table_item(lower, item, table, index);
  put_new_item(lower, list, index, item);
  pa_loop_end(lower, loop);
  mlirBlockDestroy(block);
}

void pa_lower_list(pa_lowering *lower, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue list = pa_result(op), length = pa_int(lower, lower->i64, count);
  const pa_table *table = pa_constant_table(lower, op);
  pa_set1(lower, list, new_list(lower, list, length));
  pa_acquire(lower, list);
  if (table) put_new_constants(lower, list, length, table);
  for (intptr_t i = 0; i < count && !table; ++i)
    put_new_item(lower, list, pa_int(lower, lower->i64, i), pa_operand(op, i));
  if (count) pa_store_word(lower, header(lower, list), LENGTH, length);
}

// A value on the stack whose references the runtime takes over as its own: those that were kept are dropped afterwards.
typedef struct kept_item {
  MlirBlock block;
  MlirValue value, address;
} kept_item;

static kept_item keep_on_stack(pa_lowering *lower, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirBlock block = mlirBlockCreate(1, &type, &lower->builder.location);
  kept_item item = {.block = block, .value = mlirBlockGetArgument(block, 0)};
  pa_values values = pa_keep_value(lower, value);
  pa_set(lower, item.value, values.items, values.count);
  item.address = pa_item_on_stack(lower, item.value);
  return item;
}

// After the call, whose status says whether memory was short.
static void drop_kept(pa_lowering *lower, kept_item item, MlirValue status) {
  pa_release_value(lower, item.value);
  mlirBlockDestroy(item.block);
  pa_check_memory(lower, status);
}

MlirValue pa_deque_changes(pa_lowering *lower, MlirValue deque) {
  return pa_load_word(lower, header(lower, deque), CHANGES, lower->i64);
}

static void put_in_deque(pa_lowering *lower, MlirValue deque, MlirValue value, bool left) {
  kept_item item = keep_on_stack(lower, value);
  drop_kept(
      lower, item,
      pa_runtime(lower, "pyarray_rt_deque_put", pa_get1(lower, deque), item.address, pa_int(lower, lower->i32, left)));
}

static void append(pa_lowering *lower, MlirValue list, MlirValue value) {
  if (is_deque(list)) {
    put_in_deque(lower, list, value, false);
    return;
  }
  MlirValue at = header(lower, list), length = pa_load_word(lower, at, LENGTH, lower->i64);
  MlirValue full = pa_compare_int(lower, PA_EQ, length, pa_load_word(lower, at, CAPACITY, lower->i64));
  pa_scope scope = pa_if_begin(lower);
  pa_check_memory(lower, pa_runtime(lower, "pyarray_rt_list_grow", pa_get1(lower, list)));
  pa_if_end(lower, scope, full);
  put_new_item(lower, list, length, value);
  pa_store_word(lower, at, LENGTH, pa_binary(lower, "arith.addi", length, pa_int(lower, lower->i64, 1)));
}

static void lower_append(pa_lowering *lower, const pa_builtin_call *call) {
  append(lower, pa_operand(call->op, 0), pa_operand(call->op, 1));
  pa_finish_none(lower, call);
}

static void lower_append_left(pa_lowering *lower, const pa_builtin_call *call) {
  put_in_deque(lower, pa_operand(call->op, 0), pa_operand(call->op, 1), true);
  pa_finish_none(lower, call);
}

// deque.maxlen, an optional int.
void pa_lower_deque_limit(pa_lowering *lower, MlirOperation op) {
  MlirValue limit = pa_load_word(lower, header(lower, pa_operand(op, 0)), LIMIT, lower->i64);
  MlirValue values[] = {pa_compare_int(lower, PA_NE, limit, pa_int(lower, lower->i64, INT64_MAX)), limit};
  pa_set(lower, pa_result(op), values, 2);
}

// Of the most length.
static void lower_new_deque(pa_lowering *lower, const pa_builtin_call *call) {
  pa_raise_if(lower, pa_compare_int(lower, PA_SLT, pa_argument(lower, call, 0), pa_int(lower, lower->i64, 0)),
              "ValueError", "maxlen must be non-negative");
  MlirValue type = pa_item_type_of(lower, item_type(pa_result(call->op)));
  pa_finish(lower, call,
            pa_checked_handle(lower, pa_runtime(lower, "pyarray_rt_deque_new", type, pa_argument(lower, call, 0))));
}

static MlirType iterated_type(const pa_lowering *lower, MlirType iterable, MlirType item) {
  if (pyarrayTypeIsStr(iterable)) return iterable;
  if (pyarrayTypeIsRange(iterable) || pyarrayTypeIsBytes(iterable) || pyarrayTypeIsBytearray(iterable))
    return pa_scalar_type(lower->context, PA_I64);
  if (pyarrayTypeIsList(iterable)) return pyarrayTypeGetItem(iterable);
  return pyarrayTypeIsArray(iterable) && pyarrayArrayTypeGetRank(iterable) == 1 ? pyarrayArrayTypeGetElement(iterable)
                                                                                : item;
}

// Items of a range, an array or a tuple, in the type of the list's.
static void extend_from(pa_lowering *lower, MlirValue list, MlirValue iterable) {
  MlirType type = mlirValueGetType(iterable);
  if (pyarrayTypeIsList(type) && mlirTypeEqual(pyarrayTypeGetItem(type), item_type(list))) {
    pa_check_memory(lower, pa_runtime(lower, "pyarray_rt_list_extend", pa_get1(lower, list), pa_get1(lower, iterable)));
    return;
  }
  MlirType item = item_type(list);
  const pa_table *table = pa_is_table(lower, type) ? pa_table_of(lower, iterable) : NULL;
  bool tuple = mlirTypeIsATuple(type) && !table;
  intptr_t rounds = tuple ? mlirTupleTypeGetNumTypes(type) : 1;
  for (intptr_t i = 0; i < rounds; ++i) {
    MlirType source = tuple || table ? mlirTupleTypeGetType(type, i) : iterated_type(lower, type, item);
    MlirBlock block = mlirBlockCreate(1, &source, &lower->builder.location); // its argument stands for the item
    MlirBlock cast_block = mlirBlockCreate(1, &item, &lower->builder.location);
    MlirValue value = mlirBlockGetArgument(block, 0), cast = mlirBlockGetArgument(cast_block, 0);
    pa_counted_loop loop = {0};
    if (!tuple) loop = pa_loop_begin(lower, pa_to_index(lower, pa_item_count(lower, iterable)));
    if (tuple)
      pa_set(lower, value, pa_get(lower, iterable).items + pa_tuple_offset(lower, type, i),
             pa_flat_count(lower, source));
    else if (table)
      pa_set_table_item(lower, value, table, pa_to_i64(lower, loop.index));
    else
      pa_set_item(lower, value, iterable, pa_to_i64(lower, loop.index));
    pa_values values = pa_cast_values(lower, source, pa_get(lower, value), item);
    pa_set(lower, cast, values.items, values.count);
    append(lower, list, cast);
    if (pa_is_text(type)) pa_drop_value(lower, value);
    if (!tuple) pa_loop_end(lower, loop);
    mlirBlockDestroy(block);
    mlirBlockDestroy(cast_block);
  }
}

static void lower_extend(pa_lowering *lower, const pa_builtin_call *call) {
  extend_from(lower, pa_operand(call->op, 0), pa_operand(call->op, 1));
  pa_finish_none(lower, call);
}

static void lower_new(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue list = pa_result(call->op);
  bool counted = call->count && pyarrayTypeIsRange(mlirValueGetType(pa_operand(call->op, 0)));
  pa_finish(
      lower, call,
      new_list(lower, list, counted ? pa_item_count(lower, pa_operand(call->op, 0)) : pa_int(lower, lower->i64, 0)));
  pa_acquire(lower, list);
  if (call->count) extend_from(lower, list, pa_operand(call->op, 0));
}

//===-- Methods -----------------------------------------------------------------------------------===//

static void lower_insert(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue list = pa_operand(call->op, 0);
  if (is_deque(list)) {
    MlirValue limit = pa_load_word(lower, header(lower, list), LIMIT, lower->i64);
    pa_raise_if(lower, pa_compare_int(lower, PA_SGE, pa_list_length(lower, list), limit), "IndexError",
                "deque already at its maximum size");
  }
  kept_item item = keep_on_stack(lower, pa_operand(call->op, 2));
  drop_kept(
      lower, item,
      pa_runtime(lower, "pyarray_rt_list_insert", pa_get1(lower, list), pa_argument(lower, call, 1), item.address));
  pa_finish_none(lower, call);
}

// The last item is taken inline.
static void lower_pop(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue list = pa_operand(call->op, 0), at = header(lower, list), zero = pa_int(lower, lower->i64, 0);
  MlirValue length = pa_load_word(lower, at, LENGTH, lower->i64), result = pa_result(call->op);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, length, zero), "IndexError",
              is_deque(list) ? "pop from an empty deque" : "pop from empty list");
  bool left = call->row->lowering == PA_LOWERING_DEQUE_POPLEFT;
  if (call->count == 1 && !left) {
    MlirValue last = pa_binary(lower, "arith.subi", length, pa_int(lower, lower->i64, 1));
    pa_store_word(lower, at, LENGTH, last);
    if (is_deque(list))
      pa_store_word(lower, at, CHANGES,
                    pa_binary(lower, "arith.addi", pa_deque_changes(lower, list), pa_int(lower, lower->i64, 1)));
    pa_item_from_memory(lower, result, item_pointer(lower, list, last), true);
    return;
  }
  MlirValue index =
      left ? zero : pa_sequence_position(lower, length, pa_operand(call->op, 1), "pop index out of range");
  MlirValue space = pa_item_space(lower, mlirValueGetType(result));
  pa_runtime(lower, "pyarray_rt_list_take", pa_get1(lower, list), index, space);
  pa_item_from_memory(lower, result, pa_pointer_to(lower, space), true);
}

static void lower_runtime_call(pa_lowering *lower, const pa_builtin_call *call) {
  pa_runtime(lower, call->row->target, pa_argument(lower, call, 0));
  pa_finish_none(lower, call);
}

// The container is one of pyarray.typed in Python.
static void lower_mark(pa_lowering *lower, const pa_builtin_call *call) {
  pa_runtime(lower, "pyarray_rt_set_typed", pa_argument(lower, call, 0), pa_int(lower, lower->i32, 1));
  pa_finish_none(lower, call);
}

static void lower_combine(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call,
            pa_checked_handle(
                lower, pa_runtime(lower, call->row->target, pa_argument(lower, call, 0), pa_argument(lower, call, 1))));
}

static void lower_multiply(pa_lowering *lower, const pa_builtin_call *call) {
  pa_check_memory(
      lower, pa_runtime(lower, "pyarray_rt_list_multiply", pa_argument(lower, call, 0), pa_argument(lower, call, 1)));
  pa_finish_none(lower, call);
}

static void lower_copy(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue list = pa_operand(call->op, 0), zero = pa_int(lower, lower->i64, 0), one = pa_int(lower, lower->i64, 1);
  MlirValue copy =
      pa_runtime(lower, "pyarray_rt_list_slice", pa_get1(lower, list), zero, pa_list_length(lower, list), one);
  pa_finish(lower, call, pa_checked_handle(lower, copy));
}

static void lower_sort(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue descending = pa_convert(lower, "arith.extui", pa_argument(lower, call, 1), lower->i32);
  pa_check_memory(lower, pa_runtime(lower, "pyarray_rt_list_sort", pa_argument(lower, call, 0), descending));
  pa_finish_none(lower, call);
}

static void lower_is(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_compare_int(lower, PA_EQ, pa_argument(lower, call, 0), pa_argument(lower, call, 1)));
}

static void lower_truth(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call,
            pa_compare_int(lower, PA_NE, pa_list_length(lower, pa_operand(call->op, 0)), pa_int(lower, lower->i64, 0)));
}

//===-- Subscripts --------------------------------------------------------------------------------===//

static bool is_slice(MlirOperation op) { return pyarrayTypeIsSlice(mlirValueGetType(pa_operand(op, 1))); }

void pa_lower_list_getitem(pa_lowering *lower, MlirOperation op) {
  MlirValue list = pa_operand(op, 0), length = pa_list_length(lower, list);
  if (!is_slice(op)) {
    pa_list_item_at(lower, pa_result(op), list,
                    pa_sequence_position(lower, length, pa_operand(op, 1),
                                         is_deque(list) ? deque_message : "list index out of range"));
    return;
  }
  pa_slice_extent slice = pa_resolve_slice(lower, pa_operand(op, 1), length);
  MlirValue made =
      pa_runtime(lower, "pyarray_rt_list_slice", pa_get1(lower, list), slice.start, slice.count, slice.step);
  pa_set1(lower, pa_result(op), pa_checked_handle(lower, made));
  pa_acquire(lower, pa_result(op));
}

void pa_replace_item(pa_lowering *lower, MlirValue pointer, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirBlock block = mlirBlockCreate(1, &type, &lower->builder.location);
  MlirValue old = mlirBlockGetArgument(block, 0); // stands for the old item
  bool managed = pa_is_managed(type);
  if (managed) {
    pa_values values = pa_load_item(lower, pointer, type);
    pa_set(lower, old, values.items, values.count);
  }
  pa_store_kept_item(lower, pointer, value);
  if (managed) pa_release_value(lower, old);
  mlirBlockDestroy(block);
}

static void assign_slice(pa_lowering *lower, MlirValue list, pa_slice_extent slice, MlirValue value) {
  MlirValue length = pa_list_length(lower, value);
  if (!slice.unit) {
    MlirValue one = pa_int(lower, lower->i64, 1);
    MlirValue differs =
        pa_and(lower, pa_compare_int(lower, PA_NE, length, slice.count), pa_compare_int(lower, PA_NE, slice.step, one));
    pa_raise_values_if(lower, differs, "ValueError",
                       "attempt to assign sequence of size {0} to extended slice of size {1}", length, slice.count,
                       slice.count);
  }
  MlirValue operands[] = {pa_get1(lower, list), slice.start, slice.count, slice.step, pa_get1(lower, value)};
  pa_check_memory(lower, pa_call_runtime(lower, "pyarray_rt_list_assign_slice", operands, 5));
}

void pa_lower_list_setitem(pa_lowering *lower, MlirOperation op) {
  MlirValue list = pa_operand(op, 0), length = pa_list_length(lower, list), value = pa_operand(op, 2);
  if (is_slice(op))
    assign_slice(lower, list, pa_resolve_slice(lower, pa_operand(op, 1), length), value);
  else
    pa_replace_item(
        lower,
        item_pointer(lower, list,
                     pa_sequence_position(lower, length, pa_operand(op, 1),
                                          is_deque(list) ? deque_message : "list assignment index out of range")),
        value);
}

void pa_lower_delitem(pa_lowering *lower, MlirOperation op) {
  MlirValue list = pa_operand(op, 0);
  if (pyarrayTypeIsDict(mlirValueGetType(list))) {
    pa_lower_dict_delitem(lower, op);
    return;
  }
  if (!pyarrayTypeIsList(mlirValueGetType(list))) {
    pa_lower_fail(lower, "items of %s cannot be deleted", pa_type_text(lower->arena, mlirValueGetType(list)));
    return;
  }
  MlirValue length = pa_list_length(lower, list), one = pa_int(lower, lower->i64, 1);
  pa_slice_extent slice = {.count = one, .step = one};
  if (is_slice(op))
    slice = pa_resolve_slice(lower, pa_operand(op, 1), length);
  else
    slice.start = pa_sequence_position(lower, length, pa_operand(op, 1),
                                       is_deque(list) ? deque_message : "list assignment index out of range");
  MlirValue operands[] = {pa_get1(lower, list), slice.start, slice.count, slice.step};
  pa_check_memory(lower, pa_call_runtime(lower, "pyarray_rt_list_delete_slice", operands, 4));
}

void pa_lower_list_unpack(pa_lowering *lower, MlirOperation op) {
  MlirValue list = pa_operand(op, 0), length = pa_list_length(lower, list);
  intptr_t count = mlirOperationGetNumResults(op);
  pa_check_unpack(lower, length, count);
  for (intptr_t i = 0; i < count; ++i)
    pa_list_item_at(lower, mlirOperationGetResult(op, i), list, pa_int(lower, lower->i64, i));
}

//===-- Comparison --------------------------------------------------------------------------------===//

// Of two lists. Those that hold NaN are neither less nor greater.
MlirValue pa_compare_objects(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  MlirValue order = pa_runtime(lower, "pyarray_rt_object_compare", pa_get1(lower, a), pa_get1(lower, b));
  MlirValue zero = pa_int(lower, lower->i32, 0), one = pa_int(lower, lower->i32, 1);
  switch (kind) {
  case PYARRAY_COMPARE_EQ: return pa_compare_int(lower, PA_EQ, order, zero);
  case PYARRAY_COMPARE_NE: return pa_compare_int(lower, PA_NE, order, zero);
  case PYARRAY_COMPARE_LT: return pa_compare_int(lower, PA_SLT, order, zero);
  case PYARRAY_COMPARE_LE: return pa_compare_int(lower, PA_SLE, order, zero);
  case PYARRAY_COMPARE_GT: return pa_compare_int(lower, PA_EQ, order, one);
  default: return pa_compare_int(lower, PA_ULE, order, one);
  }
}

const pa_builtin_rule_row pa_list_rules[] = {
    {PA_LOWERING_LIST_APPEND, lower_append},
    {PA_LOWERING_LIST_EXTEND, lower_extend},
    {PA_LOWERING_LIST_NEW, lower_new},
    {PA_LOWERING_LIST_INSERT, lower_insert},
    {PA_LOWERING_LIST_POP, lower_pop},
    {PA_LOWERING_LIST_COMBINE, lower_combine},
    {PA_LOWERING_LIST_MULTIPLY, lower_multiply},
    {PA_LOWERING_LIST_COPY, lower_copy},
    {PA_LOWERING_LIST_SORT, lower_sort},
    {PA_LOWERING_DEQUE_NEW, lower_new_deque},
    {PA_LOWERING_DEQUE_POPLEFT, lower_pop},
    {PA_LOWERING_DEQUE_APPENDLEFT, lower_append_left},
    {PA_LOWERING_LIST_CALL, lower_runtime_call},
    {PA_LOWERING_LIST_MARK, lower_mark},
    {PA_LOWERING_LIST_IS, lower_is},
    {PA_LOWERING_LIST_TRUTH, lower_truth},
    {PA_LOWERING_NUMBER_IS, lower_is},
    {0, NULL},
};
