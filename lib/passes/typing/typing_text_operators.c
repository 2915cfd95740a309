// Operators on str and bytes: which builtin each becomes. Comparisons of two literals were decided before.
#include "typing_containers.h"

static bool is_integer(pa_fact fact) {
  pa_scalar scalar = pa_scalar_of(fact.type);
  return scalar == PA_BOOL || pa_is_integer(scalar);
}

static bool are_alike(pa_fact a, pa_fact b) { return pa_is_text(a.type) && mlirTypeEqual(a.type, b.type); }

static pa_status type_text_binary(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs,
                                  pa_container_operator *out) {
  switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
  case PYARRAY_BINARY_ADD:
    out->fits = are_alike(lhs, rhs);
    out->builtin = "str.concat";
    out->result = pa_fact_of(lhs.type);
    return PA_OK;
  case PYARRAY_BINARY_MUL:
    if (!is_integer(lhs) && !is_integer(rhs)) return PA_OK;
    out->fits = true;
    out->builtin = "str.repeat";
    out->swapped = is_integer(lhs);
    out->operands[!out->swapped] = pa_scalar_type(typing->context, PA_I64);
    out->result = pa_fact_of(out->swapped ? rhs.type : lhs.type);
    return PA_OK;
  case PYARRAY_BINARY_MOD:
    if (!pa_is_text(lhs.type)) return PA_OK;
    if (!pa_has_text(rhs.type))
      return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "a value of type %s is not formatted in compiled code yet",
                            pa_type_text(typing->arena, rhs.type));
    out->fits = true;
    out->builtin = "str.percent";
    out->result = pa_fact_of(lhs.type);
    return PA_OK;
  default: return PA_OK;
  }
}

static pa_status type_text_compare(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs,
                                   pa_container_operator *out) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
  out->result = pa_fact_of(mlirIntegerTypeGet(typing->context, 1));
  out->negated = kind == PYARRAY_COMPARE_NOTIN || kind == PYARRAY_COMPARE_ISNOT;
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN) {
    bool code = pyarrayTypeIsBytes(rhs.type) && is_integer(lhs);
    out->fits = are_alike(rhs, lhs) || code;
    out->builtin = code ? "bytes.contains_code" : "str.contains";
    out->swapped = true;
    if (code) out->operands[0] = pa_scalar_type(typing->context, PA_I64);
    return PA_OK;
  }
  out->fits = are_alike(lhs, rhs);
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT) out->builtin = "object.is";
  return PA_OK;
}

pa_status pa_type_text_operator(const pa_typing *typing, MlirOperation op, pa_op_kind kind, pa_fact lhs, pa_fact rhs,
                                pa_container_operator *out_operator) {
  if (kind == PA_OP_BINARY) return type_text_binary(typing, op, lhs, rhs, out_operator);
  return kind == PA_OP_COMPARE ? type_text_compare(typing, op, lhs, rhs, out_operator) : PA_OK;
}
