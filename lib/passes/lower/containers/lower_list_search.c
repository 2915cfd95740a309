// Of pyarray-lower: looking for a value among the items of a list or deque, and what is raised where it is not there.
// The runtime compares; a number of another type first becomes one of the items (pa_seek).
#include "lower_items.h"

static MlirType item_type(MlirValue list) { return pyarrayTypeGetItem(mlirValueGetType(list)); }
static bool is_deque(MlirValue list) { return pyarrayTypeIsDeque(mlirValueGetType(list)); }

// |function| of the list, the address of the value that is looked for, and |more|; |otherwise| where no item can be
// equal to it.
static MlirValue seek(pa_lowering *lower, const pa_builtin_call *call, const char *function, const MlirValue *more,
                      int count, int64_t otherwise) {
  pa_sought sought = pa_seek(lower, pa_operand(call->op, 1), item_type(pa_operand(call->op, 0)));
  MlirValue operands[4] = {pa_argument(lower, call, 0), pa_item_on_stack(lower, sought.value)};
  for (int i = 0; i < count; ++i) operands[2 + i] = more[i];
  MlirValue found = pa_call_runtime(lower, function, operands, 2 + count);
  if (!mlirValueIsNull(sought.exact))
    found = pa_select(lower, sought.exact, found, pa_int(lower, lower->i64, otherwise));
  if (!mlirBlockIsNull(sought.block)) mlirBlockDestroy(sought.block);
  return found;
}

static MlirValue find(pa_lowering *lower, const pa_builtin_call *call, MlirValue start, MlirValue stop) {
  return seek(lower, call, "pyarray_rt_list_find", (MlirValue[]){start, stop}, 2, -1);
}

static MlirValue find_anywhere(pa_lowering *lower, const pa_builtin_call *call) {
  return find(lower, call, pa_int(lower, lower->i64, 0), pa_int(lower, lower->i64, INT64_MAX));
}

static MlirValue is_missing(pa_lowering *lower, MlirValue index) {
  return pa_compare_int(lower, PA_SLT, index, pa_int(lower, lower->i64, 0));
}

static void lower_contains(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_not(lower, is_missing(lower, find_anywhere(lower, call))));
}

// Floats and text are shown too: the message is made where it is raised.
static void raise_shown(pa_lowering *lower, MlirValue missing, MlirValue item, const char *ending) {
  MlirType type = mlirValueGetType(item);
  MlirAttribute argument = mlirTypeAttrGet(pyarrayStrTypeGet(lower->context));
  pa_scope scope = pa_if_begin(lower);
  MlirValue shown =
      pa_runtime(lower, "pyarray_rt_repr", pa_item_type_of(lower, mlirTupleTypeGet(lower->context, 1, &type)),
                 pa_item_on_stack(lower, item));
  MlirValue text =
      pa_runtime(lower, "pyarray_rt_str_append", shown, pa_text_literal(lower, pa_text(lower, ending), false));
  pa_raise_error(lower, &(pa_raised_error){.exception = "ValueError",
                                           .arguments = &argument,
                                           .count = 1,
                                           .values = &text,
                                           .value_count = 1,
                                           .handles = 1});
  pa_if_end(lower, scope, missing);
}

// Whether the text of a value is what its representation says, as that of a member of an enum or of an exception is
// not.
static bool has_plain_text(MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  if (pa_is_text(type) || scalar == PA_F64 || scalar == PA_I64) return true;
  if (pyarrayTypeIsList(type) || pyarrayTypeIsSet(type)) return has_plain_text(pyarrayTypeGetItem(type));
  bool plain = mlirTypeIsATuple(type);
  for (intptr_t i = 0; plain && i < mlirTupleTypeGetNumTypes(type); ++i)
    plain = has_plain_text(mlirTupleTypeGetType(type, i));
  return plain;
}

// What CPython says of an int that is not there; it shows other values too, for which |message| is said save where they
// are simple ones.
static void raise_missing(pa_lowering *lower, const pa_builtin_call *call, MlirValue index, bool shows,
                          const char *message) {
  MlirValue item = pa_operand(call->op, 1);
  if (shows && pa_scalar_of_value(item) == PA_I64)
    pa_raise_values_if(lower, is_missing(lower, index), "ValueError",
                       is_deque(pa_operand(call->op, 0)) ? "{0} is not in deque" : "{0} is not in list",
                       pa_get1(lower, item), index, index);
  else if (shows && has_plain_text(mlirValueGetType(item)))
    raise_shown(lower, is_missing(lower, index), item,
                is_deque(pa_operand(call->op, 0)) ? " is not in deque" : " is not in list");
  else
    pa_raise_if(lower, is_missing(lower, index), "ValueError", message);
}

static void lower_index(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue index = find(lower, call, pa_argument(lower, call, 2), pa_argument(lower, call, 3));
  raise_missing(lower, call, index, true,
                is_deque(pa_operand(call->op, 0)) ? "deque.index(x): x not in deque" : "list.index(x): x not in list");
  pa_finish(lower, call, index);
}

static void lower_remove(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue index = find_anywhere(lower, call), one = pa_int(lower, lower->i64, 1);
  bool deque = is_deque(pa_operand(call->op, 0));
  raise_missing(lower, call, index, deque, deque ? "deque.remove(x): x not in deque" : "list.remove(x): x not in list");
  pa_check_memory(lower,
                  pa_runtime(lower, "pyarray_rt_list_delete_slice", pa_argument(lower, call, 0), index, one, one));
  pa_finish_none(lower, call);
}

static void lower_count(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, seek(lower, call, "pyarray_rt_list_count", NULL, 0, 0));
}

const pa_builtin_rule_row pa_list_search_rules[] = {
    {PA_LOWERING_LIST_INDEX, lower_index},
    {PA_LOWERING_LIST_REMOVE, lower_remove},
    {PA_LOWERING_LIST_COUNT, lower_count},
    {PA_LOWERING_LIST_CONTAINS, lower_contains},
    {0, NULL},
};
