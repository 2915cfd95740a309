// Of pyarray-lower: dicts and sets. Keys are looked up by lib/runtime/objects/dict.c, which gives the address of an
// entry; values are read and stored inline.
//
//   %x = pyarray.getitem %d[%k] : (!pyarray.dict<si64, f64>, si64) -> f64
// becomes
//   %e = func.call @pyarray_rt_dict_find_i64(%d, %k) : (i64, i64) -> i64
//   scf.if %is_zero { raise KeyError }
//   %x = llvm.load %e[16] : !llvm.ptr -> f64
#include <string.h>

#include "lower_arrays.h"
#include "lower_containers.h"
#include "lower_items.h"
#include "lower_numbers.h"

enum {
  LENGTH,
  VERSION,
  ENTRIES = 6,
  KEY_OFFSET = 8
}; // words at the handle, bytes in an entry (lib/runtime/base/objects.h)

//===-- Types -------------------------------------------------------------------------------------===//

// A view is a tuple of its dict.
static MlirType dict_type(MlirValue dict) {
  MlirType type = mlirValueGetType(dict);
  return mlirTypeIsATuple(type) ? mlirTupleTypeGetType(type, 0) : type;
}

static MlirType key_type(MlirValue dict) { return pyarrayTypeGetItem(dict_type(dict)); }
static MlirType value_type(MlirValue dict) { return pyarrayDictTypeGetValue(dict_type(dict)); }
static bool is_set(MlirValue dict) { return pyarrayTypeIsSet(dict_type(dict)); }
static bool has_table(MlirValue dict) { return is_set(dict) && pa_has_table(key_type(dict)); }
static MlirValue handle_of(pa_lowering *lower, MlirValue dict) { return pa_get(lower, dict).items[0]; }

static int64_t value_offset(pa_lowering *lower, MlirValue dict) {
  int64_t end = KEY_OFFSET + pa_item_size(lower, key_type(dict)),
          alignment = is_set(dict) ? 1 : pa_item_alignment(lower, value_type(dict));
  return (end + alignment - 1) & -alignment;
}

static int64_t entry_size(pa_lowering *lower, MlirValue dict) {
  return (value_offset(lower, dict) + (is_set(dict) ? 0 : pa_item_size(lower, value_type(dict))) + 7) & -8;
}

static MlirValue part_of(pa_lowering *lower, MlirValue entry, int64_t offset) {
  return pa_byte_offset(lower, pa_pointer_to(lower, entry), pa_int(lower, lower->i64, offset));
}

static MlirValue key_in(pa_lowering *lower, MlirValue entry) { return part_of(lower, entry, KEY_OFFSET); }
static MlirValue value_in(pa_lowering *lower, MlirValue dict, MlirValue entry) {
  return part_of(lower, entry, value_offset(lower, dict));
}

//===-- Entries -----------------------------------------------------------------------------------===//

// |operation|: "find" or "place". |key| has the type of the keys.
static MlirValue look_up(pa_lowering *lower, const char *operation, MlirValue dict, MlirValue key) {
  if (has_table(dict))
    return pa_runtime(lower, "pyarray_rt_set_find_number", handle_of(lower, dict), pa_table_number(lower, key));
  MlirType type = mlirValueGetType(key);
  pa_scalar scalar = pa_scalar_of(type);
  const char *kind = scalar == PA_I64 || scalar == PA_U64   ? "_i64"
                     : scalar == PA_I32 || scalar == PA_U32 ? "_i32"
                     : scalar == PA_F64                     ? "_f64"
                     : pyarrayTypeIsStr(type)               ? "_str"
                                                            : "";
  MlirValue operands[] = {handle_of(lower, dict), *kind ? pa_get1(lower, key) : pa_item_on_stack(lower, key)};
  return pa_call_runtime(lower, pa_arena_format(lower->arena, "pyarray_rt_dict_%s%s", operation, kind), operands, 2);
}

static MlirValue find(pa_lowering *lower, MlirValue dict, MlirValue key) {
  pa_sought sought = pa_seek(lower, key, key_type(dict));
  MlirValue entry = look_up(lower, "find", dict, sought.value);
  if (!mlirValueIsNull(sought.exact)) entry = pa_select(lower, sought.exact, entry, pa_int(lower, lower->i64, 0));
  if (!mlirBlockIsNull(sought.block)) mlirBlockDestroy(sought.block);
  return entry;
}

static MlirValue is_missing(pa_lowering *lower, MlirValue entry) {
  return pa_compare_int(lower, PA_EQ, entry, pa_int(lower, lower->i64, 0));
}

static MlirValue contains(pa_lowering *lower, MlirValue dict, MlirValue key) {
  if (!has_table(dict)) return pa_not(lower, is_missing(lower, find(lower, dict, key)));
  pa_sought sought = pa_seek(lower, key, key_type(dict));
  MlirValue has = pa_set_has_number(lower, handle_of(lower, dict), pa_table_number(lower, sought.value));
  if (!mlirValueIsNull(sought.exact)) has = pa_and(lower, sought.exact, has);
  if (!mlirBlockIsNull(sought.block)) mlirBlockDestroy(sought.block);
  return has;
}

static bool holds_object(MlirType type) {
  bool holds = pyarrayTypeIsFrozenSet(type) || pyarrayTypeIsObject(type);
  for (intptr_t i = 0; mlirTypeIsATuple(type) && !holds && i < mlirTupleTypeGetNumTypes(type); ++i)
    holds = holds_object(mlirTupleTypeGetType(type, i));
  return holds;
}

// Exceptions have no frozensets and instances among their arguments: the text of one stands for it.
static void raise_key_error_if(pa_lowering *lower, MlirValue missing, MlirValue key) {
  MlirType type = mlirValueGetType(key);
  if (!holds_object(type)) {
    pa_raise_value_if(lower, missing, "KeyError", key);
    return;
  }
  MlirAttribute argument = mlirTypeAttrGet(pyarrayStrTypeGet(lower->context));
  pa_scope scope = pa_if_begin(lower);
  MlirValue text =
      pa_runtime(lower, "pyarray_rt_repr", pa_item_type_of(lower, mlirTupleTypeGet(lower->context, 1, &type)),
                 pa_item_on_stack(lower, key));
  pa_raise_error(lower, &(pa_raised_error){.exception = "KeyError",
                                           .arguments = &argument,
                                           .count = 1,
                                           .values = &text,
                                           .value_count = 1,
                                           .handles = 1});
  pa_if_end(lower, scope, missing);
}

static MlirValue find_or_raise(pa_lowering *lower, MlirValue dict, MlirValue key) {
  MlirValue entry = find(lower, dict, key);
  raise_key_error_if(lower, is_missing(lower, entry), key);
  return entry;
}

static MlirValue place(pa_lowering *lower, MlirValue dict, MlirValue key) {
  return pa_checked_handle(lower, look_up(lower, "place", dict, key));
}

static void set_entry(pa_lowering *lower, MlirValue dict, MlirValue key, MlirValue value) {
  if (has_table(dict)) {
    pa_check_memory(
        lower, pa_runtime(lower, "pyarray_rt_set_add_number", handle_of(lower, dict), pa_table_number(lower, key)));
    return;
  }
  MlirValue entry = place(lower, dict, key);
  if (!is_set(dict)) pa_replace_item(lower, value_in(lower, dict, entry), value);
}

static void erase(pa_lowering *lower, MlirValue dict, MlirValue entry) {
  pa_runtime(lower, "pyarray_rt_dict_erase", handle_of(lower, dict), entry);
}

//===-- Making ------------------------------------------------------------------------------------===//

static MlirValue new_dict(pa_lowering *lower, MlirValue dict, int64_t capacity) {
  MlirValue zero = pa_int(lower, lower->i64, 0), value = is_set(dict) ? zero : pa_item_type_of(lower, value_type(dict));
  MlirValue key = pa_item_type_of(lower, key_type(dict));
  if (pyarrayTypeIsFrozenSet(dict_type(dict)))
    return pa_checked_handle(lower,
                             pa_runtime(lower, "pyarray_rt_frozenset_new", key, pa_int(lower, lower->i64, capacity)));
  return pa_checked_handle(lower,
                           pa_runtime(lower, "pyarray_rt_dict_new", key, value, pa_int(lower, lower->i64, capacity)));
}

void pa_lower_dict(pa_lowering *lower, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue dict = pa_result(op);
  int step = is_set(dict) ? 1 : 2;
  pa_set1(lower, dict, new_dict(lower, dict, count / step));
  pa_acquire(lower, dict);
  for (intptr_t i = 0; i + step <= count; i += step)
    set_entry(lower, dict, pa_operand(op, i), pa_operand(op, i + step - 1));
}

// A copy is a plain dict or set, whatever it is made of.
static void lower_new(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue dict = pa_result(call->op);
  if (!call->count) {
    pa_finish(lower, call, new_dict(lower, dict, 0));
    return;
  }
  MlirValue copy = pa_checked_handle(lower, pa_runtime(lower, "pyarray_rt_dict_copy", pa_argument(lower, call, 0)));
  pa_runtime(lower, "pyarray_rt_set_typed", copy, pa_int(lower, lower->i32, 0));
  pa_finish(lower, call, copy);
}

//===-- Subscripts --------------------------------------------------------------------------------===//

void pa_lower_dict_getitem(pa_lowering *lower, MlirOperation op) {
  MlirValue dict = pa_operand(op, 0), entry = find_or_raise(lower, dict, pa_operand(op, 1));
  pa_item_from_memory(lower, pa_result(op), value_in(lower, dict, entry), false);
}

void pa_lower_dict_setitem(pa_lowering *lower, MlirOperation op) {
  set_entry(lower, pa_operand(op, 0), pa_operand(op, 1), pa_operand(op, 2));
}

void pa_lower_dict_delitem(pa_lowering *lower, MlirOperation op) {
  MlirValue dict = pa_operand(op, 0);
  erase(lower, dict, find_or_raise(lower, dict, pa_operand(op, 1)));
}

//===-- Methods -----------------------------------------------------------------------------------===//

static void lower_set(pa_lowering *lower, const pa_builtin_call *call) {
  set_entry(lower, pa_operand(call->op, 0), pa_operand(call->op, 1), pa_operand(call->op, call->count - 1));
  pa_finish_none(lower, call);
}

static void lower_contains(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, contains(lower, pa_operand(call->op, 0), pa_operand(call->op, 1)));
}

// The value in the type of |stands|, a block argument: a number's, its own, or an optional of it; with a reference of
// its own.
static pa_values held_value(pa_lowering *lower, pa_values values, MlirType from, MlirValue stands) {
  MlirType type = mlirValueGetType(stands);
  if (!mlirTypeEqual(from, type) && pa_scalar_of(type) != PA_NOT_SCALAR) {
    pa_set1(lower, stands, pa_cast_scalar(lower, values.items[0], pa_scalar_of(from), pa_scalar_of(type)));
    return pa_get(lower, stands);
  }
  bool wraps = pyarrayTypeIsOptional(type) && !mlirTypeEqual(from, type);
  MlirValue *items = PA_NEW_ARRAY(lower->arena, MlirValue, values.count + 2);
  items[0] = pa_int(lower, lower->i1, 1);
  for (int i = 0; i < values.count; ++i) items[wraps + i] = values.items[i];
  pa_set(lower, stands, items, wraps + values.count);
  pa_retain_value(lower, stands);
  return (pa_values){items, wraps + values.count};
}

// The value of |entry|, or that of the default where there is none.
static void set_value_or(pa_lowering *lower, const pa_builtin_call *call, MlirValue entry, bool pops) {
  MlirValue dict = pa_operand(call->op, 0), otherwise = pa_operand(call->op, 2), result = pa_result(call->op);
  MlirType types[] = {mlirValueGetType(result), mlirValueGetType(result)};
  MlirLocation locations[] = {lower->builder.location, lower->builder.location};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  pa_types flat = {0};
  pa_flatten(lower, types[0], &flat);
  pa_scope scope = pa_open(lower, NULL, 0);
  pa_values found = pa_load_item(lower, value_in(lower, dict, entry), value_type(dict));
  found = held_value(lower, found, value_type(dict), mlirBlockGetArgument(block, 0));
  if (pops) erase(lower, dict, entry);
  MlirRegion there = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), found.items, found.count);
  scope = pa_open(lower, NULL, 0);
  pa_values other =
      held_value(lower, pa_get(lower, otherwise), mlirValueGetType(otherwise), mlirBlockGetArgument(block, 1));
  MlirRegion missing = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), other.items, other.count);
  MlirOperation choice =
      pa_emit_if(lower, pa_not(lower, is_missing(lower, entry)), there, missing, flat.items, (intptr_t)flat.count);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, flat.count + 1);
  for (size_t i = 0; i < flat.count && !mlirOperationIsNull(choice); ++i)
    values[i] = mlirOperationGetResult(choice, (intptr_t)i);
  pa_set(lower, result, values, (int)flat.count);
  mlirBlockDestroy(block);
}

static void lower_get(pa_lowering *lower, const pa_builtin_call *call) {
  set_value_or(lower, call, find(lower, pa_operand(call->op, 0), pa_operand(call->op, 1)), false);
}

static void lower_pop(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue dict = pa_operand(call->op, 0), key = pa_operand(call->op, 1);
  if (call->count > 2) {
    set_value_or(lower, call, find(lower, dict, key), true);
    return;
  }
  MlirValue entry = find_or_raise(lower, dict, key);
  pa_item_from_memory(lower, pa_result(call->op), value_in(lower, dict, entry), false);
  erase(lower, dict, entry);
}

static void lower_setdefault(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue dict = pa_operand(call->op, 0), length = pa_list_length(lower, dict),
            entry = place(lower, dict, pa_operand(call->op, 1));
  MlirValue is_new = pa_compare_int(lower, PA_NE, length, pa_list_length(lower, dict));
  pa_scope scope = pa_if_begin(lower);
  pa_replace_item(lower, value_in(lower, dict, entry), pa_operand(call->op, 2));
  pa_if_end(lower, scope, is_new);
  pa_item_from_memory(lower, pa_result(call->op), value_in(lower, dict, entry), false);
}

// The last entry; of a set its key alone.
static void lower_popitem(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue dict = pa_operand(call->op, 0), entry = pa_runtime(lower, "pyarray_rt_dict_last", handle_of(lower, dict)),
            result = pa_result(call->op);
  pa_raise_if(lower, is_missing(lower, entry), "KeyError",
              is_set(dict) ? "pop from an empty set" : "popitem(): dictionary is empty");
  pa_values key = pa_load_item(lower, key_in(lower, entry), key_type(dict)), value = {0};
  if (!is_set(dict)) value = pa_load_item(lower, value_in(lower, dict, entry), value_type(dict));
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, key.count + value.count + 1);
  for (int i = 0; i < key.count; ++i) values[i] = key.items[i];
  for (int i = 0; i < value.count; ++i) values[key.count + i] = value.items[i];
  pa_set(lower, result, values, key.count + value.count);
  pa_retain_value(lower, result);
  erase(lower, dict, entry);
}

static void lower_discard(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue set = pa_operand(call->op, 0), entry = find(lower, set, pa_operand(call->op, 1));
  MlirValue there = pa_not(lower, is_missing(lower, entry));
  pa_scope scope = pa_if_begin(lower);
  erase(lower, set, entry);
  pa_if_end(lower, scope, there);
  pa_finish_none(lower, call);
}

static void lower_remove(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue set = pa_operand(call->op, 0);
  erase(lower, set, find_or_raise(lower, set, pa_operand(call->op, 1)));
  pa_finish_none(lower, call);
}

//===-- Whole dicts and sets ----------------------------------------------------------------------===//

// The target of the row, of the handles of all operands.
static MlirValue call_target(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue operands[2];
  for (int i = 0; i < call->count && i < 2; ++i) operands[i] = pa_argument(lower, call, i);
  size_t length = strcspn(call->row->target, " ");
  return pa_call_runtime(lower, pa_arena_copy(lower->arena, call->row->target, length), operands, call->count);
}

static void lower_call(pa_lowering *lower, const pa_builtin_call *call) {
  call_target(lower, call);
  pa_finish_none(lower, call);
}

static void lower_make(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_checked_handle(lower, call_target(lower, call)));
}

// Numbers of an array or a list, as they lie in memory.
static MlirValue add_items(pa_lowering *lower, MlirValue set, MlirValue source) {
  MlirValue count, at, stride = pa_int(lower, lower->i64, pa_item_size(lower, key_type(set)));
  if (pyarrayTypeIsList(mlirValueGetType(source))) {
    count = pa_list_length(lower, source);
    at = pa_convert(lower, "llvm.ptrtoint", pa_list_items(lower, source), lower->i64);
  } else {
    pa_array array = pa_array_of(lower, source);
    MlirValue one = pa_int(lower, lower->i64, 1), end;
    count = pa_extent(lower, &array, 0);
    pa_address_range(lower, &array, &one, &at, &end); // as if it had one element
    stride = pa_binary(lower, "arith.muli", stride, pa_to_i64(lower, pa_stride_of(lower, &array, 0)));
  }
  return pa_runtime(lower, "pyarray_rt_set_add_items", handle_of(lower, set), at, stride, count);
}

static void lower_update(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue source = pa_operand(call->op, 1);
  MlirType type = mlirValueGetType(source);
  bool items = pyarrayTypeIsList(type) || pyarrayTypeIsArray(type);
  pa_check_memory(lower, items ? add_items(lower, pa_operand(call->op, 0), source) : call_target(lower, call));
  pa_finish_none(lower, call);
}

static void lower_assign(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue made = pa_checked_handle(lower, call_target(lower, call));
  pa_runtime(lower, "pyarray_rt_set_assign", pa_argument(lower, call, 0), made);
  pa_runtime(lower, "pyarray_rt_release", made);
  pa_finish_none(lower, call);
}

static void lower_test(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_compare_int(lower, PA_NE, call_target(lower, call), pa_int(lower, lower->i32, 0)));
}

//===-- Iteration ---------------------------------------------------------------------------------===//

static void lower_begin(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue iterable = pa_operand(call->op, 0);
  bool deque = pyarrayTypeIsDeque(mlirValueGetType(iterable));
  pa_finish(lower, call,
            deque ? pa_deque_changes(lower, iterable)
                  : pa_runtime(lower, "pyarray_rt_dict_begin", handle_of(lower, iterable)));
}

static void lower_remaining(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue iterable = pa_operand(call->op, 0), begun = pa_argument(lower, call, 1);
  bool deque = pyarrayTypeIsDeque(mlirValueGetType(iterable));
  MlirValue version = deque
                          ? pa_deque_changes(lower, iterable)
                          : pa_load_word(lower, pa_pointer_to(lower, handle_of(lower, iterable)), VERSION, lower->i64);
  MlirValue changed = pa_compare_int(lower, PA_NE, version, begun);
  if (call->count > 2) changed = pa_binary(lower, "arith.andi", changed, pa_argument(lower, call, 2));
  pa_raise_if(lower, changed, "RuntimeError",
              deque              ? PA_DEQUE_CHANGED
              : is_set(iterable) ? "Set changed size during iteration"
                                 : "dictionary changed size during iteration");
  pa_finish(lower, call, pa_list_length(lower, iterable));
}

// The target begins with "key" or "value".
static void lower_at(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue dict = pa_operand(call->op, 0), at = pa_pointer_to(lower, handle_of(lower, dict));
  MlirValue entries = pa_load_word(lower, at, ENTRIES, lower->i64),
            size = pa_int(lower, lower->i64, entry_size(lower, dict));
  MlirValue entry =
      pa_binary(lower, "arith.addi", entries, pa_binary(lower, "arith.muli", pa_argument(lower, call, 1), size));
  bool key = strncmp(call->row->target, "key ", 4) == 0;
  pa_item_from_memory(lower, pa_result(call->op), key ? key_in(lower, entry) : value_in(lower, dict, entry), false);
}

// == and != of two of one type.
MlirValue pa_equal_objects(pa_lowering *lower, bool negated, MlirValue a, MlirValue b) {
  MlirValue equal = pa_runtime(lower, "pyarray_rt_object_equal", pa_get1(lower, a), pa_get1(lower, b));
  return pa_compare_int(lower, negated ? PA_EQ : PA_NE, equal, pa_int(lower, lower->i32, 0));
}

const pa_builtin_rule_row pa_dict_rules[] = {
    {PA_LOWERING_DICT_NEW, lower_new},
    {PA_LOWERING_DICT_SET, lower_set},
    {PA_LOWERING_DICT_GET, lower_get},
    {PA_LOWERING_DICT_POP, lower_pop},
    {PA_LOWERING_DICT_POPITEM, lower_popitem},
    {PA_LOWERING_DICT_SETDEFAULT, lower_setdefault},
    {PA_LOWERING_DICT_CONTAINS, lower_contains},
    {PA_LOWERING_DICT_CALL, lower_call},
    {PA_LOWERING_DICT_MAKE, lower_make},
    {PA_LOWERING_DICT_UPDATE, lower_update},
    {PA_LOWERING_ITERATOR_BEGIN, lower_begin},
    {PA_LOWERING_ITERATOR_REMAINING, lower_remaining},
    {PA_LOWERING_DICT_AT, lower_at},
    {PA_LOWERING_SET_DISCARD, lower_discard},
    {PA_LOWERING_SET_REMOVE, lower_remove},
    {PA_LOWERING_SET_ASSIGN, lower_assign},
    {PA_LOWERING_SET_TEST, lower_test},
    {0, NULL},
};
