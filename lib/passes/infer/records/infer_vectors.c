// Vectors of CUDA's in pyarray-infer-types: values that are made by their class, and have elements to read.
//
//   %0 = pyarray.getattr %v "x"       the first element of the tuple that %v is
//
// They cannot be changed, as in Numba, and have no operators.
#include "infer_records.h"
#include "support/record_code.h"

static pa_status decide_getattr(pa_class_operation *o, MlirType vector) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  pa_record_field field;
  const char *code = pa_item_code_of(o->inference->arena, vector);
  if (!pa_record_find(code, name.data, name.length, &field))
    return pa_typing_fail(
        &o->typing, PA_CODE_TYPING, "%s has no attribute '%.*s'\nhint: its elements are %s",
        pa_type_text(o->inference->arena, vector), (int)name.length, name.data,
        (const char *[]){"x", "x and y", "x, y and z", "x, y, z and w"}[pa_vector_count(code, NULL) - 1]);
  o->plan->kind = PA_CLASS_ELEMENT;
  o->plan->object = mlirOperationGetOperand(o->op, 0);
  o->plan->element = *field.name == 'w' ? 3 : *field.name - 'x';
  return o->plan->result = mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(vector), o->plan->element), PA_OK;
}

pa_status pa_plan_vector_operation(pa_class_operation *o) {
  MlirType first = mlirOperationGetNumOperands(o->op) ? pa_operand_type(o, 0) : (MlirType){NULL};
  if (!pa_is_vector(first)) return PA_OK;
  if (o->kind == PA_OP_GETATTR) return decide_getattr(o, first);
  if (o->kind != PA_OP_SETATTR && o->kind != PA_OP_SETITEM) return PA_OK;
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "%s cannot be changed\nhint: make another one, such as cuda.%s(...), and store it whole",
                        pa_type_text(o->inference->arena, first), pa_type_text(o->inference->arena, first));
}
