// Numbers of Python beside arrays in pyarray-infer-types (NEP 50): they take the type that the arrays have, scalars of
// NumPy have their own.
//
// Types do not tell the one from the other, so it is told by where a number comes from. Items of arrays and results of
// NumPy's functions are NumPy's, and so is what is computed of one; all others are Python's: literals, parameters,
// positions of ranges, lengths, items of tuples and lists, fields, results of int(), float() and of functions of the
// user's.
#include <string.h>

#include "infer_elementwise.h"

typedef struct weak_search {
  pa_inference *inference;
  pa_instance *instance;
  pa_map seen; // values that are looked at: one that depends on itself is what the others are
} weak_search;

static bool is_weak(weak_search *s, MlirValue value);

static MlirType type_of(weak_search *s, MlirValue value) { return pa_fact_get(s->inference, s->instance, value).type; }
static bool is_array(weak_search *s, MlirValue value) {
  MlirType type = type_of(s, value);
  return !mlirTypeIsNull(type) && pyarrayTypeIsArray(type);
}

// Operand |index| of what ends region |region|, counted from behind the first |skip|.
static bool is_weak_end(weak_search *s, MlirOperation op, int region, intptr_t index) {
  if (mlirOperationGetNumRegions(op) <= region || mlirBlockIsNull(pa_body(op, region))) return true;
  MlirOperation end = mlirBlockGetTerminator(pa_body(op, region));
  return mlirOperationIsNull(end) || index < 0 || index >= mlirOperationGetNumOperands(end) ||
         is_weak(s, mlirOperationGetOperand(end, index));
}

// Of a loop: the item, and carried values, whose initial ones are the last operands.
static bool is_weak_argument(weak_search *s, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  intptr_t number = mlirBlockArgumentGetArgNumber(value), count = mlirBlockGetNumArguments(block);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (mlirOperationIsNull(parent)) return true; // an element of a tuple
  pa_op_kind kind = pa_kind(&s->inference->names, parent);
  if (kind == PA_OP_FOR && number == 0) return !is_array(s, mlirOperationGetOperand(parent, 0));
  if (kind != PA_OP_FOR && kind != PA_OP_SCF_WHILE) return true; // a parameter
  intptr_t carried = number - (kind == PA_OP_FOR), inits = mlirOperationGetNumOperands(parent);
  intptr_t init = inits - (count - (kind == PA_OP_FOR)) + carried;
  if (init >= 0 && init < inits && !is_weak(s, mlirOperationGetOperand(parent, init))) return false;
  if (kind == PA_OP_FOR) return is_weak_end(s, parent, 0, carried);
  bool before = mlirBlockEqual(block, pa_body(parent, 0));
  return before ? is_weak_end(s, parent, 1, carried) : is_weak_end(s, parent, 0, 1 + carried);
}

// Operands from |first| on.
static bool are_operands_weak(weak_search *s, MlirOperation op, intptr_t first) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i)
    if (is_array(s, mlirOperationGetOperand(op, i)) || !is_weak(s, mlirOperationGetOperand(op, i))) return false;
  return true;
}

// Python's functions that give what they are given, as NumPy's scalars are numbers, too.
static bool keeps_class(MlirStringRef name) {
  static const char *const names[] = {
      "builtins.abs", "builtins.min",    "builtins.max",  "builtins.sum", "builtins.compensated_sum",
      "builtins.pow", "builtins.divmod", "builtins.round"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (pa_ref_equal(name, names[i])) return true;
  return false;
}

static bool is_weak_call(weak_search *s, MlirOperation op) {
  MlirType callee = type_of(s, mlirOperationGetOperand(op, 0));
  MlirStringRef text = pa_builtin_called(callee);
  if (!text.length) return true;
  if (text.length > 6 && memcmp(text.data, "numpy.", 6) == 0) return false;
  return !keeps_class(text) || are_operands_weak(s, op, 1);
}

static bool is_weak_method(weak_search *s, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  return !is_array(s, mlirOperationGetOperand(op, 0)) || pa_ref_equal(name, "item");
}

static bool is_weak_attribute(weak_search *s, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  bool part = pa_ref_equal(name, "real") || pa_ref_equal(name, "imag");
  return !part || is_weak(s, mlirOperationGetOperand(op, 0));
}

static intptr_t result_number(MlirOperation op, MlirValue value) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirValueEqual(mlirOperationGetResult(op, i), value)) return i;
  return 0;
}

// An item of a tuple that was made here is what was put there.
static bool is_weak_item(weak_search *s, MlirOperation op, MlirValue value) {
  MlirValue object = mlirOperationGetOperand(op, 0);
  if (is_array(s, object)) return false;
  MlirOperation made = mlirValueIsAOpResult(object) ? mlirOpResultGetOwner(object) : (MlirOperation){NULL};
  if (mlirOperationIsNull(made) || pa_kind(&s->inference->names, made) != PA_OP_TUPLE) return true;
  int64_t position = -1;
  intptr_t count = mlirOperationGetNumOperands(made);
  if (pa_kind(&s->inference->names, op) == PA_OP_UNPACK)
    position = result_number(op, value);
  else if (mlirOperationGetNumOperands(op) == 2 &&
           pa_literal_int(pa_fact_get(s->inference, s->instance, mlirOperationGetOperand(op, 1)), &position) &&
           position < 0)
    position += count;
  return position >= 0 && position < count ? is_weak(s, mlirOperationGetOperand(made, (intptr_t)position))
                                           : are_operands_weak(s, made, 0);
}

static bool is_weak_result(weak_search *s, MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  intptr_t number = result_number(op, value);
  switch (pa_kind(&s->inference->names, op)) {
  case PA_OP_BINARY:
  case PA_OP_UNARY: return are_operands_weak(s, op, 0);
  case PA_OP_GETITEM:
  case PA_OP_UNPACK: return is_weak_item(s, op, value);
  case PA_OP_ITER_ITEM: return !is_array(s, mlirOperationGetOperand(op, 0));
  case PA_OP_GETATTR: return is_weak_attribute(s, op);
  case PA_OP_APPLY: return is_weak_call(s, op);
  case PA_OP_METHOD: return is_weak_method(s, op);
  case PA_OP_SCF_IF: return is_weak_end(s, op, 0, number) && is_weak_end(s, op, 1, number);
  case PA_OP_SCF_WHILE: return is_weak_end(s, op, 0, 1 + number);
  case PA_OP_FOR: {
    intptr_t init = mlirOperationGetNumOperands(op) - mlirOperationGetNumResults(op) + number;
    return is_weak(s, mlirOperationGetOperand(op, init)) && is_weak_end(s, op, 0, number);
  }
  default: return true;
  }
}

static bool is_weak(weak_search *s, MlirValue value) {
  if (pa_map_get(&s->seen, value.ptr)) return true;
  pa_map_put(s->inference->arena, &s->seen, value.ptr, s);
  return mlirValueIsABlockArgument(value) ? is_weak_argument(s, value) : is_weak_result(s, value);
}

bool pa_is_weak_number(pa_inference *inference, pa_instance *instance, MlirValue value) {
  weak_search search = {inference, instance, {0}};
  return is_weak(&search, value);
}
