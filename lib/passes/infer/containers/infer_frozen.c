// Global lists, dicts and sets in pyarray-infer-types: their facts are tagged "frozen", so that what would change them
// is refused, also in functions that they are passed to.
//
//   %0 = pyarray.frozen "..." : tagged<"frozen", unit, list<si64>>
//   %1 = pyarray.getitem %0[%i]            as of a list
//   pyarray.method %0 "append"(%x)         an error
//
// For all that reads them they are what they hold (pa_open_optionals); what they hold is frozen too.
#include <string.h>

#include "infer_containers.h"

static bool is_among(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool changes(const char *method) {
  static const char *const names[] = {"append",
                                      "extend",
                                      "insert",
                                      "remove",
                                      "pop",
                                      "popitem",
                                      "clear",
                                      "sort",
                                      "reverse",
                                      "add",
                                      "discard",
                                      "update",
                                      "setdefault",
                                      "difference_update",
                                      "intersection_update",
                                      "symmetric_difference_update"};
  return is_among(method, names, sizeof names / sizeof *names);
}

pa_status pa_check_frozen(pa_class_operation *o) {
  MlirType type = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)).type;
  if (!pa_is_tagged(type, "frozen")) return PA_OK;
  bool refused = o->kind == PA_OP_SETITEM || o->kind == PA_OP_DELITEM ||
                 (o->kind == PA_OP_BINARY && !mlirAttributeIsNull(pa_get_attr(o->op, "inplace")));
  if (o->kind == PA_OP_METHOD) refused = changes(pa_attr_text(o->inference->arena, pa_get_attr(o->op, "name")));
  if (!refused) return PA_OK;
  const char *name = pa_frozen_name(type);
  return pa_typing_fail(
      &o->typing, PA_CODE_TYPING,
      "a global or free %s cannot be changed: compiled code has its contents as they were when it was compiled\n"
      "hint: pass it as an argument, or change a copy: %s(...)",
      name, name);
}

// Methods of containers and text that go over their arguments.
static bool goes_over(const char *method) {
  static const char *const names[] = {"extend",
                                      "update",
                                      "union",
                                      "intersection",
                                      "difference",
                                      "symmetric_difference",
                                      "difference_update",
                                      "intersection_update",
                                      "symmetric_difference_update",
                                      "issubset",
                                      "issuperset",
                                      "isdisjoint",
                                      "join",
                                      "format"};
  return is_among(method, names, sizeof names / sizeof *names);
}

static bool holds_tagged(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact holder = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1));
  MlirType item =
      pa_container_of(holder.type) != PA_NO_CONTAINER ? pa_container_item(&typing, holder, 0).type : (MlirType){NULL};
  return pa_is_tagged(item, "frozen");
}

// Whether the operation reads operand |i| and keeps nothing of it.
bool pa_reads_frozen(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind, intptr_t i) {
  switch (kind) {
  case PA_OP_BINARY:
  case PA_OP_UNARY:
  case PA_OP_TRUTH: return true;
  case PA_OP_COMPARE: {
    pyarray_compare_kind compare = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
    return i == 1 || (compare != PYARRAY_COMPARE_IN && compare != PYARRAY_COMPARE_NOTIN) ||
           !holds_tagged(inference, instance, op);
  }
  case PA_OP_UNPACK:
  case PA_OP_ITER_MORE:
  case PA_OP_ITER_ITEM:
  case PA_OP_ITERATOR:
  case PA_OP_FOR:
  case PA_OP_GETITEM: return i == 0;
  case PA_OP_METHOD: return i == 0 || goes_over(pa_attr_text(inference->arena, pa_get_attr(op, "name")));
  default: return false;
  }
}
