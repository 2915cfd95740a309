// Arrays of numbers that do not lie at multiples of their size, as fields of packed records do, in pyarray-infer-types:
// what computes with them works on a copy that does.
//
//   %r = pyarray.binary mul %a, %b       %c = array.copy(%a) : (!pyarray.array<?x8xui8, A>) -> ... <?x8xui8, C>
//                                        %d = pyarray.field %c at 0 : ... -> !pyarray.array<?xf64, A>
//                                        %e = in_order(%d) : ... -> !pyarray.array<?xf64, C>; pyarray.binary mul %e, %b
#include <string.h>

#include "infer_calls.h"
#include "infer_classes.h"
#include "infer_emit.h"
#include "ir/library.h"
#include "support/core_signature.h"
#include "support/record_code.h"
#include "typing_rules.h"

static bool is_unaligned(pa_inference *inference, MlirType type) {
  return pa_is_records(type) && pa_is_scalar_code(pa_item_code_of(inference->arena, type));
}

// The element's number, and what else it takes to know the array.
static MlirType aligned_type(pa_inference *inference, MlirType type, pyarray_layout layout) {
  const char *code = pa_item_code_of(inference->arena, type);
  return pa_array_type(inference->context, pa_records_rank(type), pa_type_from_code(inference->context, &code), layout,
                       false);
}

// How many of the first arguments a row only reads, and gives something of their own for.
static int read_arguments(const pa_builtin *builtin) {
  if (!builtin) return 0;
  switch (builtin->typing) {
  case PA_TYPING_ABS:
  case PA_TYPING_COPY:
  case PA_TYPING_NEW_ARRAY_LIKE:
  case PA_TYPING_REDUCE: return 1;
  case PA_TYPING_PRODUCT: return 2;
  default: return pa_elementwise_inputs(builtin);
  }
}

// Argument |i|, counted from 0, of a ufunc is an input.
static bool is_input(pa_inference *inference, MlirType callee, intptr_t i) {
  MlirAttribute name = pyarrayTypeIsCallable(callee) ? pyarrayCallableTypeGetName(callee) : mlirAttributeGetNull();
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAFlatSymbolRef(name)) return false;
  MlirOperation function = pa_library_function(inference->module, mlirFlatSymbolRefAttrGetValue(name));
  MlirAttribute text = mlirOperationIsNull(function) ? mlirAttributeGetNull() : pa_get_attr(function, "pyarray.ufunc");
  pa_core_signature core;
  if (mlirAttributeIsNull(text)) return false;
  MlirStringRef signature = mlirStringAttrGetValue(text);
  return !pa_core_signature_parse(signature.data, signature.length, &core) && i < core.input_count;
}

MlirType pa_aligned_operand(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                            intptr_t i) {
  MlirType type = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type, none = {NULL};
  if (mlirTypeIsNull(type) || !is_unaligned(inference, type)) return none;
  MlirType first = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  const char *family;
  bool opens = false;
  switch (kind) {
  case PA_OP_BINARY: opens = i > 0 || mlirAttributeIsNull(pa_get_attr(op, "inplace")); break;
  case PA_OP_COMPARE:
  case PA_OP_UNARY:
  case PA_OP_TRUTH: opens = true; break;
  case PA_OP_METHOD:
    opens = i < read_arguments(pa_method_of_type(inference, type,
                                                 pa_attr_text(inference->arena, pa_get_attr(op, "name")), &family));
    break;
  case PA_OP_APPLY:
    opens =
        i > 0 && (i <= read_arguments(pa_builtin_find(pa_builtin_called(first))) || is_input(inference, first, i - 1));
    break;
  default: break;
  }
  return opens ? aligned_type(inference, type, PYARRAY_LAYOUT_C) : none;
}

MlirValue pa_emit_aligned(pa_instance_emitter *e, MlirValue value, MlirType type) {
  MlirContext context = pa_emitter_context(e);
  MlirType bytes = pa_erased_type(type), unordered = aligned_type(e->inference, type, PYARRAY_LAYOUT_A);
  intptr_t rank = pyarrayArrayTypeGetRank(bytes);
  int64_t *shape = PA_NEW_ARRAY(e->inference->arena, int64_t, rank);
  for (intptr_t i = 0; i < rank; ++i) shape[i] = pyarrayArrayTypeGetExtent(bytes, i);
  MlirType copied =
      pyarrayArrayTypeGet(context, rank, shape, pyarrayArrayTypeGetElement(bytes), PYARRAY_LAYOUT_C, false);
  MlirValue copy = pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(pa_emitter_use(e, value)), PA_RESULTS(copied),
                            PA_ATTRS({"name", pa_string_attr(context, "array.copy")}));
  MlirValue numbers =
      pa_value(e->builder, PA_OP_NAME(FIELD), PA_OPERANDS(copy), PA_RESULTS(unordered),
               PA_ATTRS({"offset", pa_i64_attr(context, 0)}, {"extents", mlirDenseI64ArrayGet(context, 0, NULL)}));
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(numbers),
                  PA_RESULTS(aligned_type(e->inference, type, PYARRAY_LAYOUT_C)),
                  PA_ATTRS({"name", pa_string_attr(context, "pyarray.library._intrinsics.in_order")}));
}
