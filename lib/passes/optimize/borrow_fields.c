// Fields that need not be retained to be read:
//
//   %a = pyarray.getfield %p "values" borrowed : (!pyarray.object<"m:C#0">) -> !pyarray.array<?xf64, A>
//   %x = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, A>, si64) -> f64
//
// The instance holds what the field has, and is itself held until behind the last use of it. It is enough, then, that
// nothing until there can give the field another value or run code that might: only operations that change no fields,
// in the same block. What one of them uses last is released behind it, and where a generator may be in that, so may the
// code of its `finally` run there.
#include "borrow_fields.h"
#include "pyarray-c/Effects.h"

// Windows are short: `self.values[i] += x` has one of four operations.
enum { MOST_OPERATIONS = 64 };

static bool is_plain(MlirValue value) { return !pa_is_managed(mlirValueGetType(value)); }

static bool are_operands_plain(MlirOperation op, intptr_t first) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_plain(mlirOperationGetOperand(op, i)) && !pa_is_text(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  return true;
}

static bool are_results_plain(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!is_plain(mlirOperationGetResult(op, i))) return false;
  return true;
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
  return !mlirAttributeIsNull(pa_get_attr(parent, "sym_name")) &&
         mlirAttributeIsNull(pa_get_attr(parent, "pyarray.generator"));
}

// Whether what |op| looks into, or changes, can end there without a change of what |getfield| gives.
static bool is_quiet(const pa_names *names, MlirOperation op, MlirOperation getfield) {
  if (mlirOperationGetNumOperands(op) == 0) return true;
  MlirValue object = mlirOperationGetOperand(op, 0);
  if (!pyarrayDroppingRunsCode(op, mlirValueGetType(object))) return true;
  MlirValue holder = holder_of(names, object);
  return is_held_by_caller(holder) || mlirValueEqual(object, mlirOperationGetResult(getfield, 0)) ||
         mlirValueEqual(holder, holder_of(names, mlirOperationGetOperand(getfield, 0)));
}

//===-- Operations --------------------------------------------------------------------------------===//

static bool looks_into(pa_op_kind kind) {
  return kind == PA_OP_GETITEM || kind == PA_OP_SETITEM || kind == PA_OP_GETATTR || kind == PA_OP_GETFIELD ||
         kind == PA_OP_BUILTIN;
}

// What changes no field and calls nothing, and neither keeps nor hands on what somebody owns.
static bool is_harmless(const pa_names *names, MlirOperation op) {
  const uint32_t fields =
      PYARRAY_RESOURCE_FIELDS | PYARRAY_RESOURCE_HEADERS | PYARRAY_RESOURCE_VARIABLES | PYARRAY_RESOURCE_OTHER;
  pa_op_kind kind = pa_kind(names, op);
  if (mlirOperationGetNumRegions(op) || pyarrayOperationGetEffects(op).writes & fields) return false;
  if (kind == PA_OP_CONSTANT || kind == PA_OP_GETFIELD) return true;
  return are_operands_plain(op, looks_into(kind)) && are_results_plain(op);
}

// The use is over when the operation is.
static bool only_reads(const pa_names *names, MlirOperation op, unsigned operand) {
  return looks_into(pa_kind(names, op)) && operand == 0 && is_harmless(names, op);
}

bool pa_can_borrow_field(const pa_names *names, MlirOperation getfield) {
  MlirValue value = mlirOperationGetResult(getfield, 0);
  MlirBlock block = mlirOperationGetBlock(getfield);
  int uses = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use), ++uses) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), block) ||
        !only_reads(names, user, mlirOpOperandGetOperandNumber(use)))
      return false;
  }
  MlirOperation op = mlirOperationGetNextInBlock(getfield);
  for (int i = 0; uses > 0; ++i, op = mlirOperationGetNextInBlock(op)) {
    if (i == MOST_OPERATIONS || !is_harmless(names, op) || !is_quiet(names, op, getfield)) return false;
    uses -= mlirOperationGetNumOperands(op) > 0 && mlirValueEqual(mlirOperationGetOperand(op, 0), value);
  }
  return true;
}
