// Types of lists: what is put in joins the type of the items, what is taken out has it.
#include <string.h>

#include "typing_rules.h"

static pa_fact list_of(const pa_rule_call *call) { return call->arguments[0]; }
static pa_fact item_of(const pa_rule_call *call) { return pa_container_item(call->typing, list_of(call), 0); }
static pa_status finish_none(pa_rule_call *call) {
  return pa_rule_finish(call, pyarrayNoneTypeGet(call->typing->context));
}

pa_status pa_finish_fact(pa_rule_call *call, pa_fact fact) {
  call->plan->site = fact.site;
  call->plan->signs = fact.signs;
  return pa_rule_finish(call, fact.type);
}

static void add_list(pa_rule_call *call) { pa_rule_add_argument(call, 0, list_of(call).type); }

// Argument |i| in the type of the items. Nothing is emitted while that is not known.
static void add_item(pa_rule_call *call, int i) {
  pa_fact item = item_of(call);
  pa_rule_add_argument(call, i, pa_is_bottom(item) ? call->arguments[i].type : item.type);
}

static pa_status add_integer(pa_rule_call *call, int i) {
  PA_TRY(pa_rule_need_integer(call, i));
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_I64)), PA_OK;
}

static pa_status type_append(pa_rule_call *call) {
  PA_TRY(pa_container_put(call->typing, list_of(call), 0, call->arguments[1]));
  add_list(call);
  add_item(call, 1);
  return finish_none(call);
}

static pa_status type_insert(pa_rule_call *call) {
  PA_TRY(pa_container_put(call->typing, list_of(call), 0, call->arguments[2]));
  add_list(call);
  PA_TRY(add_integer(call, 1));
  add_item(call, 2);
  return finish_none(call);
}

static pa_fact element_of(pa_fact tuple, intptr_t index) {
  return pa_with_signs(pa_fact_of(mlirTupleTypeGetType(tuple.type, index)),
                       pa_signs_of_element(tuple.type, pa_signs_of(tuple), index));
}

static pa_status put_one(pa_rule_call *call, pa_fact container, pa_fact item) {
  if (pa_container_of(container.type) != PA_DICT || pa_is_bottom(item))
    return pa_container_put(call->typing, container, 0, item);
  if (!mlirTypeIsATuple(item.type) || mlirTupleTypeGetNumTypes(item.type) != 2)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "%s: pairs of a key and a value are needed, not %s",
                          call->builtin->name, pa_rule_text_of(call, item.type));
  PA_TRY(pa_container_put(call->typing, container, 0, element_of(item, 0)));
  return pa_container_put(call->typing, container, 1, element_of(item, 1));
}

pa_status pa_put_all(pa_rule_call *call, pa_fact container, int i) {
  pa_fact item, from = call->arguments[i];
  if (pa_is_tagged(from.type, "namedtuple")) from.type = pa_plain_type(from.type);
  bool dict = pa_container_of(from.type) == PA_DICT;
  // A caller's container that nothing is put into: its items are none only because a type must say something.
  bool nothing = pa_container_of(from.type) != PA_NO_CONTAINER && pyarrayTypeIsNone(pyarrayTypeGetItem(from.type)) &&
                 pa_is_bottom(pa_container_item(call->typing, from, 0));
  if (nothing) return PA_OK;
  if (pa_container_of(from.type) == pa_container_of(container.type)) {
    PA_TRY(pa_join_facts(call->typing, container, from, &item));
    if (!pa_is_bottom(item)) return PA_OK;
  }
  if (dict && pa_container_of(container.type) == PA_DICT) {
    PA_TRY(pa_container_put(call->typing, container, 0, pa_container_item(call->typing, from, 0)));
    return pa_container_put(call->typing, container, 1, pa_container_item(call->typing, from, 1));
  }
  for (intptr_t k = 0; mlirTypeIsATuple(from.type) && k < mlirTupleTypeGetNumTypes(from.type); ++k)
    PA_TRY(put_one(call, container, element_of(from, k)));
  if (mlirTypeIsATuple(from.type)) return PA_OK;
  PA_TRY(pa_type_item(call->typing, from, &item));
  return put_one(call, container, item);
}

static pa_status type_extend(pa_rule_call *call) {
  PA_TRY(pa_put_all(call, list_of(call), 1));
  add_list(call);
  pa_rule_add_argument(call, 1, call->arguments[1].type);
  return finish_none(call);
}

static pa_status type_list(pa_rule_call *call) {
  if (pa_rule_given(call, 0)) {
    PA_TRY(pa_put_all(call, pa_container_here(call->typing, PA_LIST), 0));
    pa_rule_add_argument(call, 0, call->arguments[0].type);
  }
  return pa_finish_fact(call, pa_container_here(call->typing, PA_LIST));
}

// collections.deque(iterable=(), maxlen=None): the operand is the most length; what is iterated over is put in
// afterwards.
static pa_status type_deque(pa_rule_call *call) {
  if (pa_rule_given(call, 0)) PA_TRY(pa_put_all(call, pa_container_here(call->typing, PA_DEQUE), 0));
  if (pa_rule_given(call, 1) && !pyarrayTypeIsNone(call->arguments[1].type))
    PA_TRY(add_integer(call, 1));
  else
    pa_rule_add_int(call, INT64_MAX);
  return pa_finish_fact(call, pa_container_here(call->typing, PA_DEQUE));
}

static pa_status type_pop(pa_rule_call *call) {
  add_list(call);
  if (pa_rule_given(call, 1)) PA_TRY(add_integer(call, 1));
  return pa_finish_fact(call, item_of(call));
}

// A value that is looked for.
static pa_status add_wanted(pa_rule_call *call) {
  add_list(call);
  MlirType type;
  PA_TRY(pa_container_find(call->typing, list_of(call), call->arguments[1], &type));
  return pa_rule_add_argument(call, 1, type), PA_OK;
}

static pa_status type_remove(pa_rule_call *call) {
  PA_TRY(add_wanted(call));
  return finish_none(call);
}

static pa_status type_index(pa_rule_call *call) {
  PA_TRY(add_wanted(call));
  if (pa_rule_given(call, 2))
    PA_TRY(add_integer(call, 2));
  else
    pa_rule_add_int(call, 0);
  if (pa_rule_given(call, 3))
    PA_TRY(add_integer(call, 3));
  else
    pa_rule_add_int(call, INT64_MAX);
  return pa_rule_finish_scalar(call, PA_I64);
}

static pa_status type_count(pa_rule_call *call) {
  PA_TRY(add_wanted(call));
  return pa_rule_finish_scalar(call, PA_I64);
}

static pa_status type_whole(pa_rule_call *call) {
  add_list(call);
  return finish_none(call);
}

static pa_status type_copy(pa_rule_call *call) {
  add_list(call);
  return pa_finish_fact(call, list_of(call));
}

static bool has_order(MlirType type) {
  type = pa_plain_type(type);
  pa_scalar scalar = pa_scalar_of(type);
  if (scalar != PA_NOT_SCALAR) return !pa_is_complex(scalar);
  if (pa_is_time(type) || pyarrayTypeIsStr(type) || pyarrayTypeIsBytes(type)) return true;
  if (pyarrayTypeIsList(type)) return has_order(pyarrayTypeGetItem(type));
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!has_order(mlirTupleTypeGetType(type, i))) return false;
  return true;
}

static pa_status type_sort(pa_rule_call *call) {
  pa_fact item = item_of(call);
  if (pa_rule_given(call, 1) && !pyarrayTypeIsNone(call->arguments[1].type))
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED,
                          "list.sort() with a key is not compiled yet\nhint: sort a list of tuples (key, item)");
  if (!pa_is_bottom(item) && !has_order(item.type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "items of type %s have no order",
                          pa_rule_text_of(call, item.type));
  add_list(call);
  MlirType boolean = pa_rule_scalar_type(call, PA_BOOL);
  if (pa_rule_given(call, 2))
    pa_rule_add_argument(call, 2, boolean);
  else
    pa_rule_add_operand(call, -1, -1, mlirBoolAttrGet(call->typing->context, 0), boolean);
  return finish_none(call);
}

const pa_typing_rule_row pa_list_typing[] = {
    {PA_TYPING_LIST, type_list},
    {PA_TYPING_LIST_APPEND, type_append},
    {PA_TYPING_LIST_INSERT, type_insert},
    {PA_TYPING_LIST_EXTEND, type_extend},
    {PA_TYPING_LIST_POP, type_pop},
    {PA_TYPING_LIST_REMOVE, type_remove},
    {PA_TYPING_LIST_INDEX, type_index},
    {PA_TYPING_LIST_COUNT, type_count},
    {PA_TYPING_LIST_WHOLE, type_whole},
    {PA_TYPING_LIST_COPY, type_copy},
    {PA_TYPING_LIST_SORT, type_sort},
    {PA_TYPING_DEQUE, type_deque},
    {0, NULL},
};
