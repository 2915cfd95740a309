// Of pyarray-offload-loops: elements that several iterations add to, as a histogram's, are changed atomically.
//
//   %p = pyarray.private "add" %counts
//   %h = pyarray.getitem %p[%x]; %s = pyarray.binary add %h, %one; pyarray.setitem %p[%x] = %s
// becomes
//   pyarray.builtin "cuda.atomic.add"(%counts, %x, %one)
#include "offload.h"

static MlirOperation without_casts(const pa_names *names, MlirValue value) {
  while (mlirValueIsAOpResult(value) && pa_kind(names, mlirOpResultGetOwner(value)) == PA_OP_CAST)
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

static bool reads(const pa_names *names, MlirValue value, MlirValue array) {
  MlirOperation op = without_casts(names, value);
  return !mlirOperationIsNull(op) && pa_kind(names, op) == PA_OP_GETITEM &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), array);
}

// What |setitem| adds to, or subtracts from, the element that it stores.
static bool find_change(const pa_names *names, MlirOperation setitem, MlirValue *out_change, bool *out_subtracts) {
  MlirValue array = mlirOperationGetOperand(setitem, 0);
  MlirOperation op = without_casts(names, mlirOperationGetOperand(setitem, mlirOperationGetNumOperands(setitem) - 1));
  if (mlirOperationIsNull(op) || pa_kind(names, op) != PA_OP_BINARY) return false;
  int64_t kind = pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  MlirValue lhs = mlirOperationGetOperand(op, 0), rhs = mlirOperationGetOperand(op, 1);
  bool first = reads(names, lhs, array), added = kind == PYARRAY_BINARY_ADD;
  *out_subtracts = kind == PYARRAY_BINARY_SUB;
  *out_change = first ? rhs : lhs;
  return (added || *out_subtracts) && first != reads(names, rhs, array) && (first || added);
}

bool pa_is_atomic_update(const pa_names *names, MlirOperation made) {
  MlirValue array = mlirOperationGetResult(made, 0);
  pa_scalar scalar = pa_scalar_of(pyarrayArrayTypeGetElement(mlirValueGetType(array)));
  bool possible = pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(made, "kind")), "add");
  possible = possible && (scalar == PA_I32 || scalar == PA_U32 || scalar == PA_I64 || scalar == PA_U64 ||
                          scalar == PA_F32 || scalar == PA_F64);
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use) && possible;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirValue change;
    bool subtracts;
    if (pa_kind(names, user) == PA_OP_SETITEM) possible = find_change(names, user, &change, &subtracts);
  }
  return possible;
}

static pa_status replace_store(pa_offloading *o, MlirOperation setitem) {
  intptr_t count = mlirOperationGetNumOperands(setitem);
  MlirValue *operands = PA_NEW_ARRAY(o->arena, MlirValue, count), change;
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(mlirOperationGetOperand(setitem, 0)));
  pa_builder at = pa_offload_before(o, setitem);
  bool subtracts;
  if (!find_change(&o->names, setitem, &change, &subtracts)) return PA_OK;
  if (!mlirTypeEqual(mlirValueGetType(change), element))
    change = pa_value(&at, PA_OP_NAME(CAST), PA_OPERANDS(change), PA_RESULTS(element));
  for (intptr_t i = 0; i < count - 1; ++i) operands[i] = mlirOperationGetOperand(setitem, i);
  operands[count - 1] = change;
  pa_offload_builtin(o, &at, subtracts ? "cuda.atomic.sub" : "cuda.atomic.add", operands, count, element);
  if (!at.failure) mlirOperationDestroy(setitem);
  return at.failure;
}

// What nobody uses any more: reads of elements that others change.
static void drop_unused_reads(const pa_offloading *o, MlirValue array) {
  for (bool again = true; again;) {
    again = false;
    for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use) && !again;
         use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      if (pa_kind(&o->names, op) != PA_OP_GETITEM) continue;
      // Forward to the end of what was computed of it.
      for (MlirOpOperand next = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)); !mlirOpOperandIsNull(next);
           next = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)))
        op = mlirOpOperandGetOwner(next);
      mlirOperationDestroy(op);
      again = true;
    }
  }
}

pa_status pa_make_updates_atomic(pa_offloading *o, MlirOperation made) {
  MlirValue array = mlirOperationGetResult(made, 0);
  pa_op_list stores = {.arena = o->arena};
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (pa_kind(&o->names, mlirOpOperandGetOwner(use)) == PA_OP_SETITEM)
      pa_op_list_add(&stores, mlirOpOperandGetOwner(use));
  for (size_t i = 0; i < stores.count; ++i) PA_TRY(replace_store(o, stores.items[i]));
  drop_unused_reads(o, array);
  mlirValueReplaceAllUsesOfWith(array, mlirOperationGetOperand(made, 0));
  return mlirOperationDestroy(made), PA_OK;
}
