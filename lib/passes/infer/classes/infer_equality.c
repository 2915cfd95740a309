// Comparisons, searches and sorts among values that hold instances of classes, in pyarray-infer-types: functions of the
// Python library, which call the methods of the classes. The runtime compares instances by identity.
//
//   %0 = pyarray.compare in %x, %list       @containers.in_values with (%list, %x), where the items' class has __eq__
//   pyarray.method %list "sort"()           @list.sort_by_order with (%list)
#include "infer_calls.h"
#include "infer_classes.h"
#include "ir/classes.h"

//===-- Instances -----------------------------------------------------------------------------------===//

// Whether values of that type hold instances: of any class, or of one with __eq__.
static bool holds(const pa_inference *inference, MlirType type, bool any) {
  if (mlirTypeIsNull(type)) return false;
  if (pyarrayTypeIsObject(type)) return any || pa_class_has_entry(inference->module, type, "methods", "__eq__");
  for (intptr_t i = 0; mlirTypeIsATuple(type) && i < mlirTupleTypeGetNumTypes(type); ++i)
    if (holds(inference, mlirTupleTypeGetType(type, i), any)) return true;
  if (pa_is_tagged(type, "namedtuple")) return holds(inference, pyarrayTaggedTypeGetItem(type), any);
  if (pyarrayTypeIsOptional(type)) return holds(inference, pyarrayTypeGetItem(type), any);
  if (pa_container_of(type) == PA_NO_CONTAINER) return false;
  return holds(inference, pyarrayTypeGetItem(type), any) ||
         (pyarrayTypeIsDict(type) && holds(inference, pyarrayDictTypeGetValue(type), any));
}

static pa_status ask(pa_class_operation *o, const char *function, bool swapped, bool negated) {
  MlirValue arguments[] = {mlirOperationGetOperand(o->op, swapped), mlirOperationGetOperand(o->op, !swapped)};
  o->plan->truth = true;
  o->plan->negated = negated;
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, 2);
}

//===-- Identity ----------------------------------------------------------------------------------===//

static MlirType instance_type(MlirType type) {
  if (pyarrayTypeIsOptional(type)) type = pyarrayTypeGetItem(type);
  return pyarrayTypeIsObject(type) ? type : (MlirType){NULL};
}

pa_status pa_plan_identity(pa_class_operation *o, MlirValue left, MlirValue right, bool negated) {
  MlirType a = pa_fact_get(o->inference, o->instance, left).type,
           b = pa_fact_get(o->inference, o->instance, right).type;
  bool a_none = pyarrayTypeIsNone(a), b_none = pyarrayTypeIsNone(b), a_optional = pyarrayTypeIsOptional(a),
       b_optional = pyarrayTypeIsOptional(b);
  MlirType x = instance_type(a), y = instance_type(b);
  bool values = mlirTypeIsNull(x) && mlirTypeIsNull(y) && !a_none && !b_none;
  if (values && (a_optional || b_optional)) return PA_OK; // compared where they are there (pa_walk_optional)
  o->plan->truth = true;
  o->plan->negated = negated;
  o->plan->operands[0] = left;
  o->plan->operands[1] = right;
  o->plan->kind = PA_CLASS_BUILTIN;
  if ((a_none && b_optional) || (b_none && a_optional)) {
    o->plan->operands[0] = a_none ? right : left;
    o->plan->operands[1] = (MlirValue){NULL};
    return o->plan->builtin = "optional.is_none", PA_OK;
  }
  if (mlirTypeIsNull(x) || mlirTypeIsNull(y) || !mlirTypeEqual(x, y)) {
    bool same = mlirTypeEqual(a, b) && (a_none || pyarrayTypeIsCallable(a)); // None, or one class
    return o->plan->kind = PA_CLASS_CONSTANT,
           o->plan->constant = mlirBoolAttrGet(o->inference->context, same != negated), PA_OK;
  }
  bool optional = a_optional || b_optional;
  o->plan->builtin = optional ? "optional.is" : "object.is";
  if (optional) o->plan->operand_type = a_optional ? a : b;
  return PA_OK;
}

//===-- Containers --------------------------------------------------------------------------------===//

static bool is_sequence(MlirType type) { return pa_container_of(type) == PA_LIST || pa_container_of(type) == PA_DEQUE; }

// ORDER COMPARISONS: what is before "_lists", "_deques", "_tuples" and "_dicts", and whether of (b, a).
static const struct {
  const char *function;
  bool swapped, negated;
} comparisons[] = {{"equal", false, false},   {"equal", false, true}, {"less", false, false},
                   {"at_most", false, false}, {"less", true, false},  {"at_most", true, false}};

static pa_status decide(pa_class_operation *o, bool answer) {
  o->plan->truth = true;
  o->plan->kind = PA_CLASS_CONSTANT;
  return o->plan->constant = mlirBoolAttrGet(o->inference->context, answer), PA_OK;
}

static pa_fact fact_of(const pa_class_operation *o, MlirValue value) {
  return pa_fact_get(o->inference, o->instance, value);
}

// Element |i| of a tuple, with what is known of it where the tuple is written there.
static pa_fact element_of(const pa_class_operation *o, MlirValue tuple, intptr_t i) {
  MlirOperation maker = pa_maker_of(tuple);
  bool written = !mlirOperationIsNull(maker) && pa_kind(&o->inference->names, maker) == PA_OP_TUPLE;
  return written ? fact_of(o, mlirOperationGetOperand(maker, i))
                 : pa_fact_of(mlirTupleTypeGetType(fact_of(o, tuple).type, i));
}

// x.dtype == np.float64, x.dtype in (np.float32, "f8"), f == g: decided by the types.
static pa_status decide_callables(pa_class_operation *o, pyarray_compare_kind kind) {
  MlirValue left = mlirOperationGetOperand(o->op, 0), right = mlirOperationGetOperand(o->op, 1);
  pa_fact a = fact_of(o, left), b = fact_of(o, right);
  bool negated = kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_NOTIN;
  if (kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE) {
    int same = pa_callables_equal(&o->typing, a, b);
    return same < 0 ? PA_OK : decide(o, same != negated);
  }
  if ((kind != PYARRAY_COMPARE_IN && kind != PYARRAY_COMPARE_NOTIN) || !pyarrayTypeIsCallable(a.type) ||
      !mlirTypeIsATuple(b.type))
    return PA_OK;
  bool found = false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(b.type) && !found; ++i) {
    pa_fact element = element_of(o, right, i);
    int same = pa_is_bottom(element) ? -1 : pa_callables_equal(&o->typing, a, element);
    if (same < 0)
      return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                            "whether %s is in %s is not known when the function is compiled\nhint: name the dtypes as "
                            "np.float64, or compare with ==",
                            pa_type_text(o->inference->arena, a.type), pa_type_text(o->inference->arena, b.type));
    found = same;
  }
  return decide(o, found != negated);
}

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE,
       tuples = mlirTypeIsATuple(a) && mlirTypeIsATuple(b);
  PA_TRY(decide_callables(o, kind));
  if (o->plan->kind != PA_CLASS_NOTHING) return PA_OK;
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN) {
    bool negated = kind == PYARRAY_COMPARE_NOTIN;
    if (is_sequence(b) && holds(o->inference, pyarrayTypeGetItem(b), false))
      return ask(o, "containers.in_values", true, negated);
    return mlirTypeIsATuple(b) && holds(o->inference, b, true) ? ask(o, "containers.in_tuple", true, negated) : PA_OK;
  }
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT)
    return tuples ? ask(o, "containers.same_tuples", false, kind == PYARRAY_COMPARE_ISNOT) : PA_OK;
  bool alike =
      tuples || (pa_container_of(a) == pa_container_of(b) && (is_sequence(a) || (pyarrayTypeIsDict(a) && equality)));
  bool any = tuples || !equality; // the runtime has no order of instances, and tuples are compared element by element
  if (!alike || (!holds(o->inference, a, any) && !holds(o->inference, b, any))) return PA_OK;
  const char *of = tuples ? "tuples" : pa_container_of(a) == PA_DEQUE ? "deques" : is_sequence(a) ? "lists" : "dicts";
  const char *function = pa_arena_format(o->inference->arena, "containers.%s_%s", comparisons[kind].function, of);
  return ask(o, function, comparisons[kind].swapped, comparisons[kind].negated);
}

// The library's function for a method of lists and deques. |any|: of any class.
static const struct {
  const char *method, *list, *deque;
  bool any;
} methods[] = {
    {"count", "containers.count", "containers.count", false},
    {"index", "list.index_of_equal", "deque.index_of_equal", false},
    {"remove", "list.remove_equal", "deque.remove_equal", false},
    {"sort", "list.sort_by_order", NULL, true},
};

static pa_status decide_method(pa_class_operation *o) {
  MlirType type = pa_operand_type(o, 0);
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  if (!is_sequence(type)) return PA_OK;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    const char *function = pa_container_of(type) == PA_LIST ? methods[i].list : methods[i].deque;
    if (!function || !pa_ref_equal(name, methods[i].method)) continue;
    MlirType wanted = mlirOperationGetNumOperands(o->op) > 1 ? pa_operand_type(o, 1) : (MlirType){NULL};
    bool never = !mlirTypeIsNull(wanted) && !methods[i].any && pa_never_equal(pyarrayTypeGetItem(type), wanted);
    if (!never && !holds(o->inference, pyarrayTypeGetItem(type), methods[i].any)) continue;
    PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
    return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), o->inference->given,
                            o->inference->given_count);
  }
  return PA_OK;
}

// is_same(a, b) of _intrinsics, and present(x) of what may be None.
static pa_status decide_intrinsic(pa_class_operation *o) {
  MlirType callee = pa_operand_type(o, 0);
  MlirStringRef name = pa_builtin_called(callee);
  if (!name.length) return PA_OK;
  if (pa_ref_equal(name, "pyarray.library._intrinsics.is_same") && !mlirTypeIsNull(pa_operand_type(o, 1)) &&
      !mlirTypeIsNull(pa_operand_type(o, 2)))
    return pa_plan_identity(o, mlirOperationGetOperand(o->op, 1), mlirOperationGetOperand(o->op, 2), false);
  if (!pa_ref_equal(name, "pyarray.library._intrinsics.present")) return PA_OK;
  MlirType optional = pa_operand_type(o, 1);
  if (mlirTypeIsNull(optional) || !pyarrayTypeIsOptional(optional) ||
      !pyarrayTypeIsObject(pyarrayTypeGetItem(optional)))
    return PA_OK;
  o->plan->kind = PA_CLASS_BUILTIN;
  o->plan->builtin = "optional.value";
  o->plan->operands[0] = mlirOperationGetOperand(o->op, 1);
  return o->plan->result = pyarrayTypeGetItem(optional), PA_OK;
}

pa_status pa_plan_equality(pa_class_operation *o) {
  if (mlirTypeIsNull(pa_operand_type(o, 0))) return PA_OK;
  if (o->kind == PA_OP_APPLY) return decide_intrinsic(o);
  if (o->kind == PA_OP_METHOD) return decide_method(o);
  return o->kind == PA_OP_COMPARE && !mlirTypeIsNull(pa_operand_type(o, 1)) ? decide_compare(o) : PA_OK;
}
