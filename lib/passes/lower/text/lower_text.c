// Of pyarray-lower: str and bytes: calls of lib/runtime, by rows of builtins.def (typing_text.c):
//
//   %i = pyarray.builtin "str.index"(%s, %t, %b, %e)     "pyarray_rt_str_index ssbe>i!V"
// becomes
//   %failed = func.call @pyarray_rt_str_index(%s, %t, %b, %e, %out)
//   scf.if %failed { ValueError or MemoryError }
//   %i = llvm.load %out
#include <string.h>

#include "lower_arrays.h"
#include "lower_items.h"
#include "lower_text.h"
#include "runtime/base/objects.h"

enum { TEXT_LENGTH = 0, LIST_LENGTH = 0, LIST_ITEMS = 2 }; // words at the handle (lib/runtime/base/objects.h)

static MlirValue header(pa_lowering *lower, MlirValue text) { return pa_pointer_to(lower, pa_get1(lower, text)); }

MlirValue pa_text_length(pa_lowering *lower, MlirValue text) {
  return pa_load_word(lower, header(lower, text), TEXT_LENGTH, lower->i64);
}

MlirValue pa_text_truth(pa_lowering *lower, MlirValue text) {
  return pa_compare_int(lower, PA_NE, pa_text_length(lower, text), pa_int(lower, lower->i64, 0));
}

//===-- Literals ----------------------------------------------------------------------------------===//

//===-- Failures ----------------------------------------------------------------------------------===//

// ORDER FAILURE (lib/runtime/text/text.h)
static const struct {
  char letter;
  const char *exception;
  int kind;
} failures[] = {
    {'V', "ValueError", 2},  {'T', "TypeError", 3},    {'I', "IndexError", 4},         {'O', "OverflowError", 5},
    {'L', "LookupError", 6}, {'S', "OSError", 7},      {'E', "UnicodeEncodeError", 8}, {'D', "UnicodeDecodeError", 9},
    {'K', "KeyError", 10},   {'B', "BufferError", 11},
};

static void raise_failure(pa_lowering *lower, char letter, MlirValue kind) {
  size_t row = 0;
  while (failures[row].letter != letter) ++row;
  MlirType str = pyarrayStrTypeGet(lower->context), number = pa_scalar_type(lower->context, PA_I64);
  MlirType types[] = {str, letter == 'D' ? pyarrayBytesTypeGet(lower->context) : str, number, number, str};
  int count = letter == 'E' || letter == 'D' ? 5 : 1;
  MlirAttribute arguments[5];
  MlirValue values[5], is_it = pa_compare_int(lower, PA_EQ, kind, pa_int(lower, lower->i32, failures[row].kind));
  pa_scope scope = pa_if_begin(lower);
  for (int i = 0; i < count; ++i) {
    arguments[i] = mlirTypeAttrGet(types[i]);
    values[i] = pa_runtime(lower, "pyarray_rt_failure_value", pa_int(lower, lower->i32, i));
  }
  pa_raise_error(lower, &(pa_raised_error){.exception = failures[row].exception,
                                           .arguments = arguments,
                                           .count = count,
                                           .values = values,
                                           .value_count = count,
                                           .handles = count == 5 ? 0x13 : 1});
  pa_if_end(lower, scope, is_it);
}

// Raises what the runtime says, one of the exceptions that |letters| name or MemoryError.
static void raise_failures_if(pa_lowering *lower, MlirValue failed, const char *letters) {
  pa_scope scope = pa_if_begin(lower);
  MlirValue kind = *letters ? pa_call_runtime(lower, "pyarray_rt_failure_kind", NULL, 0) : (MlirValue){NULL};
  for (; *letters; ++letters) raise_failure(lower, *letters, kind);
  pa_raise(lower, "MemoryError", NULL, 0);
  pa_if_end(lower, scope, failed);
}

static MlirValue checked(pa_lowering *lower, MlirValue handle, const char *letters) {
  raise_failures_if(lower, pa_compare_int(lower, PA_EQ, handle, pa_int(lower, lower->i64, 0)), letters);
  return handle;
}

//===-- Calls -------------------------------------------------------------------------------------===//

enum { MOST_OPERANDS = 16 };

typedef struct operands {
  MlirValue items[MOST_OPERANDS];
  int count;
} operands;

static void add(operands *to, MlirValue value) {
  if (to->count < MOST_OPERANDS) to->items[to->count++] = value;
}

// A text, a tuple or a list of texts: where the handles are, and how many.
static void add_texts(pa_lowering *lower, operands *to, MlirValue value) {
  if (pyarrayTypeIsList(mlirValueGetType(value))) {
    MlirValue list = header(lower, value);
    add(to, pa_load_word(lower, list, LIST_ITEMS, lower->i64));
    add(to, pa_load_word(lower, list, LIST_LENGTH, lower->i64));
    return;
  }
  pa_values values = pa_get(lower, value);
  add(to, values.count ? pa_put_on_stack(lower, values.items, values.count) : pa_int(lower, lower->i64, 0));
  add(to, pa_int(lower, lower->i64, values.count));
}

// Values from operand |first| on as a tuple: its item type, and where it is.
static void add_values(pa_lowering *lower, operands *to, MlirOperation op, int first, int count) {
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, count + 1);
  int flat = 0, at = 0;
  for (int i = 0; i < count; ++i) {
    types[i] = mlirValueGetType(pa_operand(op, first + i));
    flat += pa_get(lower, pa_operand(op, first + i)).count;
  }
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, flat + 1);
  for (int i = 0; i < count; ++i) {
    pa_values part = pa_get(lower, pa_operand(op, first + i));
    for (int k = 0; k < part.count; ++k) values[at++] = part.items[k];
  }
  MlirType type = mlirTupleTypeGet(lower->context, count, types);
  MlirBlock block = mlirBlockCreate(1, &type, &lower->builder.location); // its argument stands for the tuple
  MlirValue tuple = mlirBlockGetArgument(block, 0);
  pa_set(lower, tuple, values, flat);
  add(to, pa_item_type_of(lower, type));
  add(to, pa_item_on_stack(lower, tuple));
  mlirBlockDestroy(block);
}

static void add_operand(pa_lowering *lower, operands *to, char letter, MlirValue value) {
  if (strchr("tjq", letter)) {
    add_texts(lower, to, value);
  } else if (pyarrayTypeIsNone(mlirValueGetType(value))) {
    add(to, pa_int(lower, lower->i64, 0));
  } else {
    bool flag = pa_scalar_of_value(value) == PA_BOOL;
    add(to, flag ? pa_convert(lower, "arith.extui", pa_get1(lower, value), lower->i64) : pa_get1(lower, value));
  }
}

// |end| follows the letters of the parameters.
static operands read_operands(pa_lowering *lower, const pa_builtin_call *call, const char *letters, const char *end) {
  operands list = {.count = 0};
  int i = 0;
  for (const char *at = letters; at < end; ++at) {
    bool all = *at == 'V';
    int count = all ? call->count - (int)(end - at - 1) - i : 1;
    if (all || *at == 'v')
      add_values(lower, &list, call->op, i, count);
    else
      add_operand(lower, &list, *at, pa_operand(call->op, i));
    i += count;
  }
  return list;
}

// Results that are not the function's own are stored at an address that follows its operands.
static void finish_stored(pa_lowering *lower, const pa_builtin_call *call, const char *function, operands *list,
                          char result, const char *letters) {
  MlirValue values[3], numbers = pa_stack_numbers(lower, 3);
  MlirValue out = pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
  if (result != 'n') add(list, out);
  MlirValue status = pa_call_runtime(lower, function, list->items, list->count);
  raise_failures_if(lower, pa_compare_int(lower, PA_NE, status, pa_int(lower, lower->i32, 0)), letters);
  int count = result == 'n' ? 0 : result == '3' ? 3 : 1;
  for (int i = 0; i < count; ++i)
    values[i] = pa_load_word(lower, pa_pointer_to(lower, out), i, result == 'd' ? lower->f64 : lower->i64);
  if (result == '?') values[0] = pa_compare_int(lower, PA_NE, values[0], pa_int(lower, lower->i64, 0));
  pa_set(lower, pa_result(call->op), values, count);
}

static void lower_text(pa_lowering *lower, const pa_builtin_call *call) {
  const char *space = strchr(call->row->target, ' '), *end = strchr(space, '>'), *letters = strchr(end, '!');
  const char *function = pa_arena_copy(lower->arena, call->row->target, (size_t)(space - call->row->target));
  operands list = read_operands(lower, call, space + 1, end);
  char result = end[1];
  if (result == 'n' || result == '3' || (letters && strchr("id?", result))) {
    finish_stored(lower, call, function, &list, result, letters ? letters + 1 : "");
    return;
  }
  MlirValue value = pa_call_runtime(lower, function, list.items, list.count);
  if (result == '?')
    value = pa_compare_int(lower, PA_NE, value, pa_int(lower, lower->i32, 0));
  else if (result != 'i')
    checked(lower, value, letters ? letters + 1 : "");
  pa_finish(lower, call, value);
}

// Where nobody needs the left operand afterwards, the runtime may put the right one at its end.
static void lower_concat(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue left, right = pa_argument(lower, call, 1);
  bool moved = pa_move_out_of_slot(lower, call->op, pa_operand(call->op, 0), &left);
  if (!moved) left = pa_argument(lower, call, 0);
  pa_finish(
      lower, call,
      checked(lower, pa_runtime(lower, moved ? "pyarray_rt_str_append" : "pyarray_rt_str_concat", left, right), ""));
}

static void lower_truth(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_text_truth(lower, pa_operand(call->op, 0)));
}

//===-- Subscripts, iteration ---------------------------------------------------------------------===//

void pa_text_item_at(pa_lowering *lower, MlirValue result, MlirValue text, MlirValue index) {
  bool bytes = pyarrayTypeIsBytes(mlirValueGetType(text));
  MlirValue item =
      pa_runtime(lower, bytes ? "pyarray_rt_bytes_item" : "pyarray_rt_str_item", pa_get1(lower, text), index);
  pa_set1(lower, result, bytes ? item : checked(lower, item, ""));
  pa_acquire(lower, result);
}

void pa_lower_text_getitem(pa_lowering *lower, MlirOperation op) {
  MlirValue text = pa_operand(op, 0), length = pa_text_length(lower, text), index = pa_operand(op, 1);
  if (!pyarrayTypeIsSlice(mlirValueGetType(index))) {
    const char *message =
        pyarrayTypeIsBytes(mlirValueGetType(text)) ? "index out of range" : "string index out of range";
    pa_text_item_at(lower, pa_result(op), text, pa_sequence_position(lower, length, index, message));
    return;
  }
  pa_slice_extent slice = pa_resolve_slice(lower, index, length);
  MlirValue part =
      pa_runtime(lower, "pyarray_rt_str_slice", pa_get1(lower, text), slice.start, slice.count, slice.step);
  pa_set1(lower, pa_result(op), checked(lower, part, ""));
  pa_acquire(lower, pa_result(op));
}

void pa_lower_text_unpack(pa_lowering *lower, MlirOperation op) {
  MlirValue text = pa_operand(op, 0), length = pa_text_length(lower, text);
  pa_check_unpack(lower, length, mlirOperationGetNumResults(op));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pa_text_item_at(lower, mlirOperationGetResult(op, i), text, pa_int(lower, lower->i64, i));
}

//===-- Comparison --------------------------------------------------------------------------------===//

MlirValue pa_text_equal(pa_lowering *lower, MlirValue a, MlirValue b) {
  return pa_compare_int(lower, PA_NE, pa_runtime(lower, "pyarray_rt_str_equal", a, b), pa_int(lower, lower->i32, 0));
}

MlirValue pa_compare_text(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  static const pa_icmp predicates[] = {[PYARRAY_COMPARE_LT] = PA_SLT,
                                       [PYARRAY_COMPARE_LE] = PA_SLE,
                                       [PYARRAY_COMPARE_GT] = PA_SGT,
                                       [PYARRAY_COMPARE_GE] = PA_SGE};
  MlirValue left = pa_get1(lower, a), right = pa_get1(lower, b);
  if (kind == PYARRAY_COMPARE_EQ) return pa_text_equal(lower, left, right);
  if (kind == PYARRAY_COMPARE_NE) return pa_not(lower, pa_text_equal(lower, left, right));
  return pa_compare_int(lower, predicates[kind], pa_runtime(lower, "pyarray_rt_str_compare", left, right),
                        pa_int(lower, lower->i32, 0));
}

const pa_builtin_rule_row pa_text_rules[] = {
    {PA_LOWERING_TEXT, lower_text},
    {PA_LOWERING_TEXT_CONCAT, lower_concat},
    {PA_LOWERING_TEXT_TRUTH, lower_truth},
    {0, NULL},
};
