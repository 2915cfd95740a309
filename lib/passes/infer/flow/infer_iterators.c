// Values whose class says what is iterated over, in pyarray-infer-types: flags, and instances of a class with __iter__
// or __getitem__. A loop over one, what unpacks it, or a builtin that goes over its argument, goes over the generator
// that the library makes of it.
//
//   pyarray.for %flags                      pyarray.for (@builtins.items_of with (%flags))
//   %0 = pyarray.iterator %flags            the same call
//   %a, %b = pyarray.unpack %pair           the items of (@builtins.items_by_position with (%pair))
#include <string.h>

#include "infer_calls.h"
#include "infer_flow.h"
#include "ir/classes.h"

// The function of the library that makes the generator.
static const char *items_of(const pa_inference *inference, MlirType type) {
  bool by_position = pyarrayTypeIsObject(type) && !pa_class_has_entry(inference->module, type, "methods", "__iter__");
  return by_position ? "builtins.items_by_position" : "builtins.items_of";
}

static bool may_be_none(MlirType type) {
  return !mlirTypeIsNull(type) && pyarrayTypeIsOptional(type) && pyarrayTypeIsObject(pyarrayTypeGetItem(type));
}

// |value|, an instance with items, taken out where it may be None; false where it is none.
static bool take_iterable(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue *value,
                          MlirType *out_type) {
  MlirType type = pa_fact_get(inference, instance, *value).type;
  bool optional = may_be_none(type), unpacks = pa_kind(&inference->names, op) == PA_OP_UNPACK;
  *out_type = optional ? pyarrayTypeGetItem(type) : type;
  if (!pa_has_own_iterator(inference, *out_type)) return false;
  if (optional)
    *value =
        pa_make_present(inference, instance, op, *value, "TypeError",
                        unpacks ? "cannot unpack non-iterable NoneType object" : "'NoneType' object is not iterable");
  return true;
}

// Whether what unpacks a value of |type| asks for its items one by one.
static bool unpacks_in_order(MlirType type) {
  if (mlirTypeIsNull(type)) return false;
  return pyarrayTypeIsRange(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsSet(type) ||
         pyarrayTypeIsBytearray(type) || pa_is_view_tag(type) || pa_is_iterable_tag(type);
}

static bool has_positions(MlirType type) { return pyarrayTypeIsRange(type) || pyarrayTypeIsBytearray(type); }

pa_status pa_make_iterator(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue *value) {
  MlirType type;
  if (pa_kind(&inference->names, op) == PA_OP_UNPACK && unpacks_in_order(pa_fact_get(inference, instance, *value).type))
    return pa_make_call(inference, instance, op, "builtins.each_of", *value, value);
  return take_iterable(inference, instance, op, value, &type)
             ? pa_make_call(inference, instance, op, items_of(inference, type), *value, value)
             : PA_OK;
}

pa_status pa_plan_iterator(pa_class_operation *o) {
  MlirValue value = mlirOperationGetOperand(o->op, 0);
  MlirType type;
  bool takes = take_iterable(o->inference, o->instance, o->op, &value, &type);
  return takes ? pa_plan_function(o, pa_symbol_attr(o->inference->context, items_of(o->inference, type)), &value, 1)
               : PA_OK;
}

pa_status pa_plan_iteration(pa_class_operation *o) {
  if (mlirOperationGetNumOperands(o->op) != 2) return PA_OK;
  MlirValue value = mlirOperationGetOperand(o->op, 1);
  MlirType callee = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)).type,
           type = pa_fact_get(o->inference, o->instance, value).type;
  if (may_be_none(type)) type = pyarrayTypeGetItem(type);
  MlirStringRef text = pa_builtin_called(callee);
  if (!text.length || mlirTypeIsNull(type)) return PA_OK;
  if (pa_ref_equal(text, "pyarray.sequence") && unpacks_in_order(type) && !has_positions(type))
    return pa_plan_function(o, pa_symbol_attr(o->inference->context, "builtins.list_of_items"), &value, 1);
  if (!pyarrayTypeIsObject(type)) return PA_OK;
  bool items = pa_has_own_iterator(o->inference, type),
       positions = pa_class_has_entry(o->inference->module, type, "methods", "__getitem__");
  const char *function = NULL;
  if (pa_ref_equal(text, "pyarray.sequence") && items) function = "builtins.list_of_items"; // a, *b = value
  if (pa_ref_equal(text, "builtins.iter") && strcmp(items_of(o->inference, type), "builtins.items_by_position") == 0 &&
      positions)
    function = "builtins.items_by_position";
  if (pa_ref_equal(text, "builtins.reversed") && positions &&
      pa_class_has_entry(o->inference->module, type, "methods", "__len__"))
    function = "builtins.reversed_by_position";
  if (!function) return PA_OK;
  take_iterable(o->inference, o->instance, o->op, &value, &type);
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), &value, 1);
}

bool pa_goes_over(const pa_builtin *builtin) {
  static const char *const names[] = {
      "builtins.dict",     "builtins.enumerate", "builtins.frozenset", "builtins.list", "builtins.set", "builtins.zip",
      "collections.deque", "deque.extend",       "list.extend",        "set.update",    "str.join"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(builtin->name, names[i]) == 0) return true;
  return false;
}

pa_status pa_take_iterators(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                            intptr_t first, bool *out_bottom) {
  bool takes = pa_goes_over(builtin);
  *out_bottom = false;
  for (intptr_t i = first; takes && i < inference->given_count; ++i) {
    PA_TRY(pa_make_iterator(inference, instance, op, &inference->given[i]));
    *out_bottom = *out_bottom || pa_is_bottom(pa_fact_get(inference, instance, inference->given[i]));
  }
  return PA_OK;
}
