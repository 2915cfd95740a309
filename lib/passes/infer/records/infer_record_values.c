// Records as values in pyarray-infer-types: comparisons, truth, some methods, and stores of them to other arrays, are
// functions of the Python library.
//
//   %0 = pyarray.compare eq %r, %s          @records.equal with (%r, %s)
//   %0 = pyarray.compare lt %texts, %str    @numpy.texts.less with (%texts, %str)
//   pyarray.setitem %a[%i], %s              @records.set_items with (%a, %i, %s), where only items of %s are bytes
#include <string.h>

#include "infer_calls.h"
#include "infer_records.h"
#include "support/record_code.h"

// Fields of the same names in the same order, whose records are alike.
static bool are_alike(pa_arena *arena, const char *a, const char *b) {
  if (*a != '{' || *b != '{') return *a != '{' && *b != '{';
  pa_record_field x, y;
  if (pa_record_field_count(a) != pa_record_field_count(b)) return false;
  const char *second = pa_record_head(b).fields;
  for (const char *at = pa_record_head(a).fields;
       (at = pa_record_next(at, &x)) && (second = pa_record_next(second, &y));) {
    bool same = x.name_length == y.name_length && memcmp(x.name, y.name, x.name_length) == 0 && x.rank == y.rank;
    if (!same ||
        !are_alike(arena, pa_arena_copy(arena, x.item, x.item_length), pa_arena_copy(arena, y.item, y.item_length)))
      return false;
  }
  return true;
}

static bool is_structured(const pa_class_operation *o, MlirType type) {
  return (pa_is_record(type) || pa_is_records(type)) && *pa_item_code_of(o->inference->arena, type) == '{';
}

//===-- Text --------------------------------------------------------------------------------------===//

// 'S' or 'U' of an array of text, and of bytes and str; 0 of all else.
static char text_kind(const pa_class_operation *o, MlirType type) {
  if (mlirTypeIsNull(type)) return 0;
  if (pyarrayTypeIsStr(type)) return 'U';
  if (pyarrayTypeIsBytes(type)) return 'S';
  char letter = pa_is_records(type) ? *pa_item_code_of(o->inference->arena, type) : 0;
  return letter == 'z' ? 'S' : letter == 'Z' ? 'U' : 0;
}

// An operator of arrays of text, one of which may be a str or bytes.
static pa_status decide_text(pa_class_operation *o, const char *function) {
  char kind = text_kind(o, pa_operand_type(o, 0));
  bool array = pa_is_records(pa_operand_type(o, 0)) || pa_is_records(pa_operand_type(o, 1));
  if (!function || !array || !kind || kind != text_kind(o, pa_operand_type(o, 1))) return PA_OK;
  MlirValue operands[] = {mlirOperationGetOperand(o->op, 0), mlirOperationGetOperand(o->op, 1)};
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), operands, 2);
}

// ORDER COMPARE
static const char *const text_comparisons[] = {"numpy.texts.equal",   "numpy.texts.not_equal",
                                               "numpy.texts.less",    "numpy.texts.less_equal",
                                               "numpy.texts.greater", "numpy.texts.greater_equal"};

static const char *text_comparison(pyarray_compare_kind kind) {
  return (size_t)kind < sizeof text_comparisons / sizeof *text_comparisons ? text_comparisons[kind] : NULL;
}

//===-- Records -----------------------------------------------------------------------------------===//

// text in array
static pa_status decide_contains(pa_class_operation *o, bool negated) {
  MlirValue operands[] = {mlirOperationGetOperand(o->op, 1), mlirOperationGetOperand(o->op, 0)};
  char kind = text_kind(o, pa_operand_type(o, 0));
  if (!pa_is_records(pa_operand_type(o, 1)) || !kind || kind != text_kind(o, pa_operand_type(o, 1))) return PA_OK;
  o->plan->truth = true;
  o->plan->negated = negated;
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, "array.contains"), operands, 2);
}

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN)
    return decide_contains(o, kind == PYARRAY_COMPARE_NOTIN);
  PA_TRY(decide_text(o, text_comparison(kind)));
  if (o->plan->kind != PA_CLASS_NOTHING) return PA_OK;
  if (!is_structured(o, a) || !is_structured(o, b) || kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT)
    return PA_OK;
  if (kind != PYARRAY_COMPARE_EQ && kind != PYARRAY_COMPARE_NE)
    return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                          "records have no order\nhint: compare their fields, or tuple(...) of them");
  if (!are_alike(o->inference->arena, pa_item_code_of(o->inference->arena, a), pa_item_code_of(o->inference->arena, b)))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                          "cannot compare %s and %s, whose fields differ in name or number\nhint: compare the fields",
                          pa_type_text(o->inference->arena, a), pa_type_text(o->inference->arena, b));
  bool negated = kind == PYARRAY_COMPARE_NE, one = pa_is_record(a) && pa_is_record(b),
       swapped = pa_is_record(a) && !one;
  MlirValue operands[] = {mlirOperationGetOperand(o->op, swapped), mlirOperationGetOperand(o->op, !swapped)};
  if (one) o->plan->truth = true, o->plan->negated = negated;
  const char *function = one ? "records.equal" : negated ? "records.different_items" : "records.equal_items";
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), operands, 2);
}

// a[1:] = b, where the items of b alone are bytes.
static pa_status decide_setitem(pa_class_operation *o) {
  intptr_t count = mlirOperationGetNumOperands(o->op);
  MlirValue *indices = PA_NEW_ARRAY(o->inference->arena, MlirValue, count),
            value = mlirOperationGetOperand(o->op, count - 1);
  for (intptr_t i = 0; i < count; ++i)
    if (mlirTypeIsNull(pa_operand_type(o, i))) return PA_OK;
  if (!pyarrayTypeIsArray(pa_operand_type(o, 0)) || !pa_is_records(pa_operand_type(o, count - 1))) return PA_OK;
  for (intptr_t i = 1; i < count - 1; ++i) indices[i - 1] = mlirOperationGetOperand(o->op, i);
  MlirValue index = count == 3 ? indices[0] : pa_make_tuple(o->inference, o->instance, o->op, indices, (int)count - 2);
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, "records.set_items"),
                          (MlirValue[]){mlirOperationGetOperand(o->op, 0), index, value}, 3);
}

// Of operand |i|.
static pa_status decide_truth(pa_class_operation *o, intptr_t i, bool negated) {
  if (mlirOperationGetNumOperands(o->op) != i + 1 || !pa_is_record(pa_operand_type(o, i)) ||
      !is_structured(o, pa_operand_type(o, i)))
    return PA_OK;
  o->plan->truth = true;
  o->plan->negated = negated;
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, "records.truth"),
                          (MlirValue[]){mlirOperationGetOperand(o->op, i)}, 1);
}

static bool is_bool_class(MlirType callee) { return pa_ref_equal(pa_builtin_called(callee), "builtins.bool"); }

static pa_status decide_method(pa_class_operation *o) {
  static const struct {
    const char *name, *of_one, *of_several;
  } rows[] = {{"item", "records.item", "array.record_at"}, {"tolist", "records.item", "array.tolist"}};
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!pa_ref_equal(name, rows[i].name) || !is_structured(o, pa_operand_type(o, 0))) continue;
    PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
    const char *function = pa_is_record(pa_operand_type(o, 0)) ? rows[i].of_one : rows[i].of_several;
    return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), o->inference->given,
                            o->inference->given_count);
  }
  return PA_OK;
}

// ORDER BINARY
static const char *const in_place[] = {"add",   "subtract",   "multiply",    "divide", "floor_divide", "remainder",
                                       "power", "left_shift", "right_shift", "and",    "or",           "xor"};

// text + text; v *= 2 of numbers at any address, which other operators read as a copy (infer_unaligned.c).
static pa_status decide_binary(pa_class_operation *o, MlirType first) {
  size_t kind = (size_t)pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool numbers = pa_is_records(first) && pa_is_scalar_code(pa_item_code_of(o->inference->arena, first));
  bool changes = pa_is_records(first) && !mlirAttributeIsNull(pa_get_attr(o->op, "inplace"));
  if (!numbers && changes) PA_TRY(pa_need_writable(&o->typing, first));
  if (!numbers)
    return decide_text(o, kind != PYARRAY_BINARY_ADD ? NULL : changes ? "numpy.texts.add_in_place" : "numpy.texts.add");
  if (!changes || kind >= sizeof in_place / sizeof *in_place) return PA_OK;
  MlirValue operands[] = {mlirOperationGetOperand(o->op, 0), mlirOperationGetOperand(o->op, 1)};
  const char *function = pa_arena_format(o->inference->arena, "records.%s_in_place", in_place[kind]);
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), operands, 2);
}

pa_status pa_plan_record_operation(pa_class_operation *o) {
  MlirType first = mlirOperationGetNumOperands(o->op) ? pa_operand_type(o, 0) : (MlirType){NULL};
  if (mlirTypeIsNull(first)) return PA_OK;
  if (o->kind == PA_OP_METHOD) return decide_method(o);
  if (o->kind == PA_OP_TRUTH) return decide_truth(o, 0, false);
  if (o->kind == PA_OP_UNARY)
    return pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind")) == PYARRAY_UNARY_NOT ? decide_truth(o, 0, true)
                                                                                         : PA_OK;
  if (o->kind == PA_OP_APPLY)
    return is_bool_class(first) && mlirOperationGetNumOperands(o->op) == 2 && !mlirTypeIsNull(pa_operand_type(o, 1))
               ? decide_truth(o, 1, false)
               : PA_OK;
  if (o->kind == PA_OP_SETITEM) return decide_setitem(o);
  if (o->kind == PA_OP_BINARY && !mlirTypeIsNull(pa_operand_type(o, 1))) return decide_binary(o, first);
  if (o->kind != PA_OP_COMPARE || mlirTypeIsNull(pa_operand_type(o, 0)) || mlirTypeIsNull(pa_operand_type(o, 1)))
    return PA_OK;
  return decide_compare(o);
}
