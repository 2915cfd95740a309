// Fields that need not be retained to be read:
//
//   %a = pyarray.getfield %p "values" borrowed : (!pyarray.object<"m:C#0">) -> !pyarray.array<?xf64, A>
//   %x = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, A>, si64) -> f64
//
// The instance holds what the field has, and is itself held until behind the last use of it. It is enough, then, that nothing until there can give the
// field another value or run code that might: only operations of the list below, in the same block. What one of them uses last is released behind it, and where a
// generator may be in that, so may the code of its `finally` run there.
#include "borrow_fields.h"

// Windows are short: `self.values[i] += x` has one of four operations.
enum { MOST_OPERATIONS = 64 };

static bool is_plain(MlirValue value) { return !pa_is_managed(mlirValueGetType(value)); }

static bool are_operands_plain(MlirOperation op, intptr_t first) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_plain(mlirOperationGetOperand(op, i)) && !pa_is_text(mlirValueGetType(mlirOperationGetOperand(op, i)))) return false;
  return true;
}

static bool are_results_plain(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!is_plain(mlirOperationGetResult(op, i))) return false;
  return true;
}

static bool is_len(MlirOperation op) {
  MlirAttribute name = pa_get_attr(op, "name");
  return !mlirAttributeIsNull(name) && pa_ref_equal(mlirStringAttrGetValue(name), "builtins.len");
}

//===-- What is released meanwhile ----------------------------------------------------------------===//

// Whether to release a value of the type runs no code.
static bool dies_quietly(MlirType type) {
  if (!pa_is_managed(type) || pa_is_text(type) || pyarrayTypeIsArray(type) || pyarrayTypeIsBytearray(type)) return true;
  if (pyarrayTypeIsDict(type)) return dies_quietly(pyarrayTypeGetItem(type)) && dies_quietly(pyarrayDictTypeGetValue(type));
  if (pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsOptional(type)) return dies_quietly(pyarrayTypeGetItem(type));
  return false;
}

// What holds the value: the instance that it is read from, through borrowed fields.
static MlirValue holder_of(const pa_names *names, MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (pa_kind(names, op) != PA_OP_GETFIELD || mlirAttributeIsNull(pa_get_attr(op, "borrowed"))) break;
    value = mlirOperationGetOperand(op, 0);
  }
  return value;
}

// A function's arguments are held by its caller, a generator's by itself.
static bool is_held_by_caller(MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return false;
  MlirOperation parent = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  return !mlirAttributeIsNull(pa_get_attr(parent, "sym_name")) && mlirAttributeIsNull(pa_get_attr(parent, "pyarray.generator"));
}

// Whether what |op| looks into, or changes, can end there without a change of what |getfield| gives.
static bool is_quiet(const pa_names *names, MlirOperation op, MlirOperation getfield) {
  if (mlirOperationGetNumOperands(op) == 0) return true;
  MlirValue object = mlirOperationGetOperand(op, 0);
  if (dies_quietly(mlirValueGetType(object))) return true;
  if (pa_kind(names, op) == PA_OP_SETITEM) return false;
  MlirValue holder = holder_of(names, object);
  return is_held_by_caller(holder) || mlirValueEqual(object, mlirOperationGetResult(getfield, 0)) || mlirValueEqual(holder, holder_of(names, mlirOperationGetOperand(getfield, 0)));
}

//===-- Operations --------------------------------------------------------------------------------===//

// What changes no field and calls nothing.
static bool is_harmless(const pa_names *names, MlirOperation op) {
  switch (pa_kind(names, op)) {
  case PA_OP_CONSTANT:
  case PA_OP_GETFIELD: return true;
  case PA_OP_BINARY:
  case PA_OP_CAST:
  case PA_OP_COMPARE:
  case PA_OP_TRUTH:
  case PA_OP_UNARY: return are_operands_plain(op, 0) && are_results_plain(op);
  case PA_OP_GETATTR: return are_results_plain(op);
  case PA_OP_GETITEM: return are_operands_plain(op, 1) && are_results_plain(op);
  case PA_OP_SETITEM: return are_operands_plain(op, 1);
  case PA_OP_BUILTIN: return is_len(op);
  default: return false;
  }
}

// The use is over when the operation is.
static bool only_reads(const pa_names *names, MlirOperation op, unsigned operand) {
  pa_op_kind kind = pa_kind(names, op);
  bool reads = kind == PA_OP_GETITEM || kind == PA_OP_SETITEM || kind == PA_OP_GETATTR || kind == PA_OP_GETFIELD || kind == PA_OP_BUILTIN;
  return reads && operand == 0 && is_harmless(names, op);
}

bool pa_can_borrow_field(const pa_names *names, MlirOperation getfield) {
  MlirValue value = mlirOperationGetResult(getfield, 0);
  MlirBlock block = mlirOperationGetBlock(getfield);
  int uses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use), ++uses) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), block) || !only_reads(names, user, mlirOpOperandGetOperandNumber(use))) return false;
  }
  MlirOperation op = mlirOperationGetNextInBlock(getfield);
  for (int i = 0; uses > 0; ++i, op = mlirOperationGetNextInBlock(op)) {
    if (i == MOST_OPERATIONS || !is_harmless(names, op) || !is_quiet(names, op, getfield)) return false;
    uses -= mlirOperationGetNumOperands(op) > 0 && mlirValueEqual(mlirOperationGetOperand(op, 0), value);
  }
  return true;
}
