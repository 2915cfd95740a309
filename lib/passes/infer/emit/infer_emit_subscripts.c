// Second phase of pyarray-infer-types: subscripts. Indices and keys get the types of level 2.
#include <string.h>

#include "infer_elementwise.h"
#include "infer_emit_parts.h"

// The key of a dict's getitem, setitem or delitem in the type of its keys, or in which it is looked for.
static MlirValue emit_key(pa_instance_emitter *e, MlirOperation op, const pa_typing *typing, pa_fact dict,
                          MlirType given) {
  bool stores = pa_kind(&e->inference->names, op) == PA_OP_SETITEM;
  intptr_t count = mlirOperationGetNumOperands(op) - 1 - stores;
  MlirValue *parts = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) parts[i] = pa_emitter_use(e, mlirOperationGetOperand(op, 1 + i));
  MlirValue key = count == 1 ? parts[0]
                             : pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(parts, count),
                                        PA_RESULTS(pa_erased_type(given)));
  MlirType type = pa_container_item(typing, dict, 0).type;
  if (!stores) pa_status_free(pa_container_find(typing, dict, pa_fact_of(given), &type)); // which has not failed before
  return pa_emit_cast(e, key, type);
}

// The index operands of a getitem or setitem in the types of level 2.
static MlirValue *emit_indices(pa_instance_emitter *e, MlirOperation op, intptr_t *out_count) {
  pa_typing typing = pa_typing_at(e->inference, op);
  pa_fact object = pa_emitter_fact(e, mlirOperationGetOperand(op, 0));
  bool spread, bottom;
  const pa_fact *facts = pa_index_facts(e->inference, e->instance, op, object, out_count, &spread, &bottom);
  if (pyarrayTypeIsDict(object.type)) {
    MlirValue *key = pa_emitter_values(e, 1);
    return *key = emit_key(e, op, &typing, object, facts->type), key;
  }
  return pa_emit_index_values(e, op, facts, *out_count, spread);
}

pa_status pa_infer_emit_getitem(pa_instance_emitter *e, MlirOperation op) {
  bool is_slice;
  int64_t start, step;
  intptr_t length, all;
  PA_TRY(pa_tuple_slice(e->inference, e->instance, op, &is_slice, &start, &step, &length));
  if (is_slice) {
    MlirValue *elements = pa_emit_elements(e, pa_emitter_use(e, mlirOperationGetOperand(op, 0)), &all),
              *kept = pa_emitter_values(e, length);
    for (intptr_t i = 0; i < length; ++i) kept[i] = elements[start + i * step];
    MlirType slice = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
    return pa_emitter_map(e, mlirOperationGetResult(op, 0),
                          pa_value(e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(kept, length), PA_RESULTS(slice))),
           PA_OK;
  }
  intptr_t count;
  MlirType type = pa_emitter_type(e, pa_emitter_fact(e, mlirOperationGetResult(op, 0)));
  if (pyarrayTypeIsArray(pa_emitter_fact(e, mlirOperationGetOperand(op, 0)).type)) {
    MlirValue view;
    PA_TRY(pa_emit_array_subscript(e, op, type, &view));
    return pa_emitter_map(e, mlirOperationGetResult(op, 0), view), PA_OK;
  }
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 1);
  operands[0] = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  pa_emitter_map(e, mlirOperationGetResult(op, 0),
                 pa_value(e->builder, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, count + 1), PA_RESULTS(type)));
  return PA_OK;
}

pa_status pa_infer_emit_setitem(pa_instance_emitter *e, MlirOperation op) {
  pa_typing typing = pa_typing_at(e->inference, op);
  intptr_t count, index_count;
  bool spread, bottom;
  MlirValue object = mlirOperationGetOperand(op, 0),
            value = mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1);
  if (pa_is_stored_in_place(e->inference, e->instance, op)) return PA_OK;
  const pa_fact *facts =
      pa_index_facts(e->inference, e->instance, op, pa_emitter_fact(e, object), &index_count, &spread, &bottom);
  MlirType type;
  PA_TRY(pa_type_setitem(&typing, pa_emitter_fact(e, object), facts, index_count, pa_emitter_fact(e, value), &type));
  if (pyarrayTypeIsArray(pa_emitter_fact(e, object).type))
    return pa_emit_array_store(e, op, facts, index_count, spread, pa_emitter_use_as(e, value, type));
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 2);
  operands[0] = pa_emitter_use(e, object);
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  operands[count + 1] = pa_emitter_use_as(e, value, type);
  pa_op(e->builder, PA_OP_NAME(SETITEM), PA_OPERAND_ARRAY(operands, count + 2));
  return PA_OK;
}

pa_status pa_infer_emit_delitem(pa_instance_emitter *e, MlirOperation op) {
  intptr_t count;
  MlirValue *indices = emit_indices(e, op, &count), *operands = pa_emitter_values(e, count + 1);
  operands[0] = pa_emitter_use(e, mlirOperationGetOperand(op, 0));
  memcpy(operands + 1, indices, (size_t)count * sizeof *operands);
  return pa_op(e->builder, PA_OP_NAME(DELITEM), PA_OPERAND_ARRAY(operands, count + 1)), PA_OK;
}
