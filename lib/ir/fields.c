#include "fields.h"

// The operation that puts a whole field into |value|, and its number; a null operation where another one makes the
// value.
static MlirOperation insertion_of(MlirValue value, int64_t *out_field) {
  const MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value)) return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "llvm.insertvalue")) return none;
  MlirAttribute position = pa_get_attr(op, "position");
  if (mlirDenseArrayGetNumElements(position) != 1) return none;
  *out_field = mlirDenseI64ArrayGetElement(position, 0);
  return op;
}

MlirValue *pa_fields_of(pa_arena *arena, MlirValue whole, intptr_t count) {
  MlirValue *fields = PA_NEW_ARRAY(arena, MlirValue, count);
  int64_t field = 0;
  for (MlirOperation op; !mlirOperationIsNull(op = insertion_of(whole, &field)); whole = mlirOperationGetOperand(op, 0))
    if (field < count && mlirValueIsNull(fields[field])) fields[field] = mlirOperationGetOperand(op, 1);
  return fields;
}

void pa_erase_chain(MlirValue whole) {
  int64_t field;
  for (MlirOperation op;
       mlirOpOperandIsNull(mlirValueGetFirstUse(whole)) && !mlirOperationIsNull(op = insertion_of(whole, &field));) {
    whole = mlirOperationGetOperand(op, 0);
    mlirOperationDestroy(op);
  }
}
