// Operators and builtin functions in pyarray-infer-types that users' overloads answer: @overload(operator.getitem),
// @overload(len). They are asked where the compiler, and the methods of a class, have no answer for these types.
//
//   %0 = pyarray.binary add %p, %q          a call of what the overload of operator.add returned, with (%p, %q)
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "ir/overloads.h"

enum { MOST_NAMES = 3 };

// The functions that are asked for, in this order, and what they are given.
typedef struct question {
  const char *names[MOST_NAMES];
  bool truth[MOST_NAMES], negated[MOST_NAMES]; // of the result
  int count;
  MlirValue *arguments;
  intptr_t argument_count;
} question;

static void ask_for(question *q, const char *name, bool truth, bool negated) {
  q->names[q->count] = name;
  q->truth[q->count] = truth;
  q->negated[q->count++] = negated;
}

// ORDER BINARY
static const char *const binary[] = {"add",    "sub",    "mul",  "truediv", "floordiv", "mod",   "pow",
                                     "lshift", "rshift", "and_", "or_",     "xor",      "matmul"};
static const char *const in_place[] = {"iadd",    "isub",    "imul", "itruediv", "ifloordiv", "imod",   "ipow",
                                       "ilshift", "irshift", "iand", "ior",      "ixor",      "imatmul"};
static const char *const unary[] = {"neg", "pos", "invert"};
// ORDER COMPARISONS
static const char *const comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};

static const char *of_operator(const pa_class_operation *o, const char *name) {
  return pa_arena_format(o->inference->arena, "builtin:operator.%s", name);
}

static void question_of_truth(const pa_class_operation *o, question *q, bool negated) {
  if (negated) ask_for(q, of_operator(o, "not_"), true, false);
  ask_for(q, of_operator(o, "truth"), true, negated);
  ask_for(q, "builtin:builtins.bool", true, negated);
}

static void question_of_comparison(const pa_class_operation *o, question *q) {
  int kind = pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool contains = kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN;
  if (contains) {
    MlirValue item = q->arguments[0];
    q->arguments[0] = q->arguments[1];
    q->arguments[1] = item;
    ask_for(q, of_operator(o, "contains"), true, kind == PYARRAY_COMPARE_NOTIN);
    return;
  }
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT) return;
  ask_for(q, of_operator(o, comparisons[kind]), false, false);
  if (kind == PYARRAY_COMPARE_NE) ask_for(q, of_operator(o, "eq"), true, true);
}

// Of x[i], x[i] = v and del x[i]: several indices are one tuple.
static void question_of_item(const pa_class_operation *o, question *q) {
  bool store = o->kind == PA_OP_SETITEM;
  intptr_t indices = q->argument_count - 1 - store;
  if (indices > 1) {
    MlirValue *all = q->arguments, index = pa_make_tuple(o->inference, o->instance, o->op, all + 1, (int)indices);
    q->arguments = PA_NEW_ARRAY(o->inference->arena, MlirValue, 3); // the tuple has the others
    q->arguments[0] = all[0];
    q->arguments[1] = index;
    if (store) q->arguments[2] = all[q->argument_count - 1];
    q->argument_count = 2 + store;
  }
  ask_for(q, of_operator(o, store ? "setitem" : o->kind == PA_OP_DELITEM ? "delitem" : "getitem"), false, false);
}

// A builtin function of some value; or a value that is called.
static pa_status question_of_call(const pa_class_operation *o, question *q) {
  MlirType callee = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)).type;
  bool callable = pyarrayTypeIsCallable(callee);
  MlirAttribute name = callable ? pyarrayCallableTypeGetName(callee) : mlirAttributeGetNull();
  if (callable && (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))) return PA_OK;
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  q->arguments = o->inference->given + callable;
  q->argument_count = o->inference->given_count - callable;
  if (!callable) {
    ask_for(q, of_operator(o, "call"), false, false);
    ask_for(q, "method:__call__", false, false);
    return PA_OK;
  }
  MlirStringRef text = mlirStringAttrGetValue(name);
  bool is_bool = pa_ref_equal(text, "builtins.bool");
  ask_for(q, pa_arena_format(o->inference->arena, "builtin:%.*s", (int)text.length, text.data), is_bool, false);
  if (is_bool) ask_for(q, of_operator(o, "truth"), true, false);
  if (pa_ref_equal(text, "builtins.abs")) ask_for(q, of_operator(o, "abs"), false, false);
  if (pa_ref_equal(text, "operator.inv")) ask_for(q, of_operator(o, "invert"), false, false);
  return PA_OK;
}

static pa_status question_of(const pa_class_operation *o, question *q) {
  MlirAttribute kind = pa_get_attr(o->op, "kind");
  *q = (question){.argument_count = mlirOperationGetNumOperands(o->op)};
  q->arguments = PA_NEW_ARRAY(o->inference->arena, MlirValue, q->argument_count + 1);
  for (intptr_t i = 0; i < q->argument_count; ++i) q->arguments[i] = mlirOperationGetOperand(o->op, i);
  switch (o->kind) {
  case PA_OP_BINARY:
    if (!mlirAttributeIsNull(pa_get_attr(o->op, "inplace")))
      ask_for(q, of_operator(o, in_place[pyarrayBinaryKindAttrGetValue(kind)]), false, false);
    ask_for(q, of_operator(o, binary[pyarrayBinaryKindAttrGetValue(kind)]), false, false);
    return PA_OK;
  case PA_OP_UNARY:
    if (pyarrayUnaryKindAttrGetValue(kind) == PYARRAY_UNARY_NOT) return question_of_truth(o, q, true), PA_OK;
    ask_for(q, of_operator(o, unary[pyarrayUnaryKindAttrGetValue(kind)]), false, false);
    if (pyarrayUnaryKindAttrGetValue(kind) == PYARRAY_UNARY_INVERT) ask_for(q, of_operator(o, "inv"), false, false);
    return PA_OK;
  case PA_OP_TRUTH: return question_of_truth(o, q, false), PA_OK;
  case PA_OP_COMPARE: return question_of_comparison(o, q), PA_OK;
  case PA_OP_GETITEM:
  case PA_OP_SETITEM:
  case PA_OP_DELITEM: return question_of_item(o, q), PA_OK;
  case PA_OP_APPLY: return question_of_call(o, q);
  default: return PA_OK;
  }
}

// An instance that may be None is taken out: what is None has no operators.
static void take_out(const pa_class_operation *o, question *q) {
  for (intptr_t i = 0; i < q->argument_count; ++i) {
    MlirType type = pa_fact_get(o->inference, o->instance, q->arguments[i]).type;
    if (mlirTypeIsNull(type) || !pyarrayTypeIsOptional(type) || !pyarrayTypeIsObject(pyarrayTypeGetItem(type)))
      continue;
    q->arguments[i] = pa_make_present(o->inference, o->instance, o->op, q->arguments[i], "TypeError",
                                      "unsupported operand type(s): 'NoneType'");
  }
}

pa_status pa_plan_overloaded(pa_class_operation *o, bool *out_found) {
  question q;
  const char *symbol = NULL;
  *out_found = false;
  if (!pa_find_overload) return PA_OK;
  MlirAttribute keywords = o->inference->keywords;
  o->inference->keywords = mlirAttributeGetNull();
  PA_TRY(question_of(o, &q));
  take_out(o, &q);
  for (int i = 0; i < q.count && !symbol; ++i) {
    o->inference->given = q.arguments;
    o->inference->given_count = q.argument_count;
    PA_TRY(pa_overload_symbol(o->inference, o->instance, o->op, q.names[i], 0, &symbol));
    if (!symbol) continue;
    o->plan->truth = q.truth[i];
    o->plan->negated = q.negated[i];
    *out_found = true;
    return pa_plan_function(o, pa_symbol_attr(o->inference->context, symbol), q.arguments, q.argument_count);
  }
  o->inference->keywords = keywords;
  return PA_OK;
}

//===-- Those that are in the place of an error ---------------------------------------------------===//

void pa_forget_overloaded(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  if (instance->overloaded.count) pa_map_put(inference->arena, &instance->overloaded, op.ptr, NULL);
}

pa_status pa_note_overloaded(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_found) {
  pa_class_plan plan = {0};
  pa_class_operation o = {inference, instance, op, pa_kind(&inference->names, op), pa_typing_at(inference, op), &plan};
  inference->made_count = 0;
  PA_TRY(pa_plan_overloaded(&o, out_found));
  if (*out_found) pa_map_put(inference->arena, &instance->overloaded, op.ptr, op.ptr);
  return PA_OK;
}

pa_status pa_plan_noted(pa_class_operation *o) {
  bool found;
  if (!o->instance->overloaded.count || !pa_map_get(&o->instance->overloaded, o->op.ptr)) return PA_OK;
  return pa_plan_overloaded(o, &found);
}
