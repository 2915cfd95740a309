// Operators on containers in pyarray-infer-types: which builtin each becomes.
#include "typing_containers.h"

static bool is_dict(pa_fact fact) { return pa_container_of(fact.type) == PA_DICT; }
static bool is_set(pa_fact fact) {
  return pa_container_of(fact.type) == PA_SET || pa_container_of(fact.type) == PA_FROZENSET;
}
static bool is_list(pa_fact fact) {
  return pa_container_of(fact.type) == PA_LIST || pa_container_of(fact.type) == PA_DEQUE;
}
static bool is_integer(pa_fact fact) {
  pa_scalar scalar = pa_scalar_of(fact.type);
  return scalar == PA_BOOL || pa_is_integer(scalar);
}

static pa_status type_addition(const pa_typing *typing, pa_fact lhs, pa_fact rhs, bool in_place,
                               pa_container_operator *out) {
  PA_TRY(pa_join_facts(typing, lhs, rhs, &out->result));
  if (pa_is_bottom(out->result))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s and %s cannot be one list", pa_type_text(typing->arena, lhs.type),
                          pa_type_text(typing->arena, rhs.type));
  out->builtin = in_place ? "list.extend" : "list.concat";
  out->in_place = in_place;
  return PA_OK;
}

// xs += what is iterated over, other than an array, which would make an array of xs; a list whose items cannot have the
// type of those of xs, but fit into it, is put in item by item too. d |= pairs.
pa_status pa_type_extension(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs, bool own_iterator,
                            bool *out_is) {
  bool in_place = !mlirAttributeIsNull(pa_get_attr(op, "inplace"));
  int kind = (int)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  *out_is = false;
  if (in_place && kind == PYARRAY_BINARY_OR && is_dict(lhs) && !pa_is_bottom(rhs) &&
      (is_list(rhs) || is_set(rhs) || mlirTypeIsATuple(rhs.type) || pyarrayTypeIsGenerator(rhs.type)))
    return *out_is = true, PA_OK;
  if (!in_place || kind != PYARRAY_BINARY_ADD || !is_list(lhs) || pa_is_bottom(rhs) || pyarrayTypeIsArray(rhs.type) ||
      pa_is_records(rhs.type))
    return PA_OK;
  pa_fact joined = {0};
  if (pa_container_of(lhs.type) == pa_container_of(rhs.type)) PA_TRY(pa_join_facts(typing, lhs, rhs, &joined));
  if (!pa_is_bottom(joined)) return PA_OK;
  pa_status status = own_iterator || mlirTypeIsATuple(rhs.type) ? PA_OK : pa_type_item(typing, rhs, &joined);
  *out_is = !status;
  return pa_status_free(status), PA_OK;
}

static pa_status type_list_binary(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs,
                                  pa_container_operator *out) {
  bool in_place = !mlirAttributeIsNull(pa_get_attr(op, "inplace")) && is_list(lhs);
  switch (pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))) {
  case PYARRAY_BINARY_ADD:
    if (!is_list(lhs) || !is_list(rhs)) break;
    out->fits = true;
    return type_addition(typing, lhs, rhs, in_place, out);
  case PYARRAY_BINARY_MUL:
    if (!is_integer(lhs) && !is_integer(rhs)) break;
    out->fits = true;
    out->swapped = !is_list(lhs);
    out->operands[!out->swapped] = pa_scalar_type(typing->context, PA_I64);
    out->result = is_list(lhs) ? lhs : rhs;
    out->builtin = in_place ? "list.multiply" : "list.repeat";
    out->in_place = in_place;
    return PA_OK;
  default: break;
  }
  return PA_OK;
}

// What two of one kind become; NULL in place: no such operator assigns.
static const struct {
  pyarray_binary_kind kind;
  bool set;
  const char *makes, *in_place;
} unions[] = {
    {PYARRAY_BINARY_OR, false, "dict.merge", "dict.update"},
    {PYARRAY_BINARY_OR, true, "set.union", "set.update"},
    {PYARRAY_BINARY_AND, true, "set.intersection", "set.intersection_update"},
    {PYARRAY_BINARY_SUB, true, "set.difference", "set.difference_update"},
    {PYARRAY_BINARY_XOR, true, "set.symmetric_difference", "set.symmetric_difference_update"},
};

// A set and a frozenset with items of one type.
static bool are_like_sets(const pa_typing *typing, pa_fact lhs, pa_fact rhs) {
  if (!is_set(lhs) || !is_set(rhs) || pa_container_of(lhs.type) == pa_container_of(rhs.type)) return false;
  pa_fact a = pa_container_item(typing, lhs, 0), b = pa_container_item(typing, rhs, 0);
  return !pa_is_bottom(a) && !pa_is_bottom(b) && mlirTypeEqual(a.type, b.type);
}

static pa_status type_union(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs,
                            pa_container_operator *out) {
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  if (pa_container_of(lhs.type) != pa_container_of(rhs.type) && !are_like_sets(typing, lhs, rhs)) return PA_OK;
  for (size_t i = 0; i < sizeof unions / sizeof *unions; ++i) {
    if (unions[i].kind != kind || unions[i].set != is_set(lhs)) continue;
    if (pa_container_of(lhs.type) == pa_container_of(rhs.type))
      PA_TRY(pa_join_facts(typing, lhs, rhs, &out->result));
    else
      out->result = lhs;
    if (pa_is_bottom(out->result)) return PA_OK;
    out->fits = true;
    out->in_place = !mlirAttributeIsNull(pa_get_attr(op, "inplace")) && !pyarrayTypeIsFrozenSet(lhs.type);
    out->builtin = out->in_place ? unions[i].in_place : unions[i].makes;
  }
  return PA_OK;
}

// The dict that keys() shows, or the value itself.
static pa_fact dict_shown(pa_fact fact) {
  return pa_is_tagged(fact.type, "keys") ? pa_fact_of(mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(fact.type), 0))
                                         : fact;
}

static pa_status type_membership(const pa_typing *typing, pa_fact item, pa_fact container, pa_container_operator *out) {
  container = dict_shown(container);
  out->builtin = is_list(container) ? "list.contains" : "dict.contains";
  out->swapped = true;
  return pa_container_find(typing, container, item, &out->operands[0]);
}

static const char *const subsets[] = {[PYARRAY_COMPARE_LT] = "set.is_proper_subset",
                                      [PYARRAY_COMPARE_LE] = "set.issubset",
                                      [PYARRAY_COMPARE_GT] = "set.is_proper_subset",
                                      [PYARRAY_COMPARE_GE] = "set.issuperset"};

static bool lacks_order(MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  if (pyarrayTypeIsNone(type) || pyarrayTypeIsOptional(type) || pyarrayTypeIsDict(type)) return true;
  if (scalar != PA_NOT_SCALAR) return pa_is_complex(scalar);
  if (pyarrayTypeIsList(type)) return lacks_order(pyarrayTypeGetItem(type));
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (lacks_order(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

static pa_status type_container_compare(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs,
                                        pa_container_operator *out) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind"));
  bool membership = kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN;
  out->result = pa_fact_of(mlirIntegerTypeGet(typing->context, 1));
  out->negated = kind == PYARRAY_COMPARE_NOTIN || kind == PYARRAY_COMPARE_ISNOT;
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_IS ||
                  kind == PYARRAY_COMPARE_ISNOT;
  out->fits = membership ? pa_container_of(dict_shown(rhs).type) != PA_NO_CONTAINER
                         : are_like_sets(typing, lhs, rhs) ||
                               (pa_container_of(lhs.type) == pa_container_of(rhs.type) && (equality || !is_dict(lhs)));
  if (!out->fits) return PA_OK;
  if (membership) return type_membership(typing, lhs, rhs, out);
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT) return out->builtin = "object.is", PA_OK;
  pa_fact joined = lhs;
  PA_TRY(pa_check_compared(typing, lhs));
  if (!are_like_sets(typing, lhs, rhs)) PA_TRY(pa_join_facts(typing, lhs, rhs, &joined));
  out->fits = !pa_is_bottom(joined);
  bool ordered = !equality && !is_set(lhs) && pyarrayTypeIsList(joined.type);
  if (ordered && lacks_order(joined.type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "items of type %s have no order",
                          pa_text_of_type(typing, pyarrayTypeGetItem(joined.type)));
  if (is_set(lhs) && !equality) out->builtin = subsets[kind], out->swapped = kind == PYARRAY_COMPARE_GT;
  return PA_OK;
}

pa_status pa_type_container_operator(const pa_typing *typing, MlirOperation op, pa_op_kind kind, pa_fact lhs,
                                     pa_fact rhs, pa_container_operator *out_operator) {
  *out_operator = (pa_container_operator){0};
  if (pa_is_text(lhs.type) || pa_is_text(rhs.type))
    PA_TRY(pa_type_text_operator(typing, op, kind, lhs, rhs, out_operator));
  if (out_operator->fits) return PA_OK;
  if (pa_container_of(lhs.type) == PA_NO_CONTAINER && pa_container_of(dict_shown(rhs).type) == PA_NO_CONTAINER)
    return PA_OK;
  if (kind == PA_OP_BINARY && !is_list(lhs) && !is_list(rhs)) return type_union(typing, op, lhs, rhs, out_operator);
  if (kind == PA_OP_BINARY) return type_list_binary(typing, op, lhs, rhs, out_operator);
  return kind == PA_OP_COMPARE ? type_container_compare(typing, op, lhs, rhs, out_operator) : PA_OK;
}
