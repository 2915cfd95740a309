// Types of what is iterated over by position: enumerate, zip and reversed hold their arguments, as tagged tuples.
#include <string.h>

#include "typing_rules.h"

static pa_fact element(pa_fact holder, intptr_t index) {
  return pa_fact_of(mlirTupleTypeGetType(pyarrayTaggedTypeGetItem(holder.type), index));
}

//===-- Tuples of several types -------------------------------------------------------------------===//

static bool is_mixed_tuple(MlirType tuple) {
  for (intptr_t i = 1; i < mlirTupleTypeGetNumTypes(tuple); ++i)
    if (!mlirTypeEqual(mlirTupleTypeGetType(tuple, i), mlirTupleTypeGetType(tuple, 0))) return true;
  return mlirTupleTypeGetNumTypes(tuple) == 0;
}

static intptr_t held_count(MlirType type) {
  return pa_is_tagged(type, "enumerate") || pa_is_tagged(type, "reversed")
             ? 1
             : mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(type));
}

bool pa_is_mixed(MlirType type) {
  if (mlirTypeIsATuple(type)) return is_mixed_tuple(type);
  if (pa_is_tagged(type, "namedtuple")) return is_mixed_tuple(pyarrayTaggedTypeGetItem(type));
  if (!pa_is_iterable_tag(type)) return false;
  for (intptr_t i = 0; i < held_count(type); ++i)
    if (pa_is_mixed(element(pa_fact_of(type), i).type)) return true;
  return false;
}

intptr_t pa_mixed_length(MlirType type) {
  if (mlirTypeIsATuple(type)) return mlirTupleTypeGetNumTypes(type);
  if (pa_is_tagged(type, "namedtuple")) return mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(type));
  if (!pa_is_iterable_tag(type)) return -1;
  intptr_t least = -1;
  for (intptr_t i = 0; i < held_count(type); ++i) {
    intptr_t length = pa_mixed_length(element(pa_fact_of(type), i).type);
    if (length < 0) return -1;
    if (i && length != least && pa_is_tagged(type, "strict zip")) return -1;
    if (least < 0 || length < least) least = length;
  }
  return least;
}

MlirType pa_mixed_item(const pa_typing *typing, MlirType type, intptr_t number) {
  if (mlirTypeIsATuple(type)) return mlirTupleTypeGetType(type, number);
  MlirType held = pyarrayTaggedTypeGetItem(type);
  if (!pa_is_iterable_tag(type)) return mlirTupleTypeGetType(held, number);
  MlirType first = mlirTupleTypeGetType(held, 0);
  if (pa_is_tagged(type, "reversed")) return pa_mixed_item(typing, first, pa_mixed_length(first) - 1 - number);
  intptr_t count = mlirTupleTypeGetNumTypes(held);
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, count + 1);
  bool counts = pa_is_tagged(type, "enumerate");
  for (intptr_t i = 0; i < count; ++i)
    types[i] = counts && i == 0 ? mlirTupleTypeGetType(held, 1)
                                : pa_mixed_item(typing, mlirTupleTypeGetType(held, counts ? 0 : i), number);
  return mlirTupleTypeGet(typing->context, count, types);
}

//===-- Items -------------------------------------------------------------------------------------===//

// Of a view, or of what iterates over a dict or set.
static pa_status type_entry_part(const pa_typing *typing, pa_fact iterable, pa_fact *out_item) {
  bool values = pa_is_tagged(iterable.type, "values") || pa_is_tagged(iterable.type, "values iterator");
  bool items = pa_is_tagged(iterable.type, "items") || pa_is_tagged(iterable.type, "items iterator");
  pa_fact dict = element(iterable, 0), first = pa_container_item(typing, dict, values);
  if (!items || pa_is_bottom(first)) return *out_item = first, PA_OK;
  MlirType types[] = {first.type, pa_container_item(typing, dict, 1).type};
  return *out_item = mlirTypeIsNull(types[1]) ? (pa_fact){0} : pa_fact_of(mlirTupleTypeGet(typing->context, 2, types)),
         PA_OK;
}

pa_status pa_type_tagged_item(const pa_typing *typing, pa_fact iterable, pa_fact *out_item) {
  MlirType parts = pyarrayTaggedTypeGetItem(iterable.type);
  if (pa_is_tagged(iterable.type, "reversed")) return pa_type_item(typing, element(iterable, 0), out_item);
  if (pa_is_view_tag(iterable.type) || pa_is_iterator_tag(iterable.type))
    return type_entry_part(typing, iterable, out_item);
  intptr_t count = mlirTupleTypeGetNumTypes(parts);
  bool counts = pa_is_tagged(iterable.type, "enumerate");
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    intptr_t part = counts ? 1 - i : i; // the count comes first
    if (counts && part == 1) {
      types[i] = mlirTupleTypeGetType(parts, part);
      continue;
    }
    pa_fact item;
    PA_TRY(pa_type_item(typing, element(iterable, part), &item));
    if (pa_is_bottom(item)) return *out_item = item, PA_OK;
    types[i] = item.type;
  }
  return *out_item = pa_fact_of(mlirTupleTypeGet(typing->context, count, types)), PA_OK;
}

// The plan: a tuple of the |count| first arguments, and |constant| behind them unless it is null.
static pa_status hold(pa_rule_call *call, const char *kind, int count, MlirAttribute constant) {
  MlirType *types = PA_NEW_ARRAY(call->typing->arena, MlirType, count + 2);
  for (int i = 0; i < count; ++i) {
    pa_fact item;
    if (!pa_is_mixed(call->arguments[i].type)) PA_TRY(pa_type_item(call->typing, call->arguments[i], &item));
    types[i] = pa_iterator_type(call->arguments[i].type);
    pa_rule_add_argument(call, i, types[i]);
  }
  if (!mlirAttributeIsNull(constant))
    pa_rule_add_operand(call, -1, -1, constant, types[count] = mlirAttributeGetType(constant)), ++count;
  MlirType parts = mlirTupleTypeGet(call->typing->context, count, types);
  call->plan->kind = PA_PLAN_TUPLE;
  return pa_rule_finish(call, pyarrayTaggedTypeGet(pa_ref(kind), pa_unit_attr(call->typing->context), parts));
}

static pa_status type_enumerate(pa_rule_call *call) {
  MlirType index = pa_rule_scalar_type(call, PA_I64);
  if (!pa_rule_given(call, 1)) return hold(call, "enumerate", 1, mlirIntegerAttrGet(index, 0));
  PA_TRY(pa_rule_need_integer(call, 1));
  PA_TRY(hold(call, "enumerate", 1, (MlirAttribute){NULL}));
  pa_rule_add_argument(call, 1, index);
  MlirType parts[] = {pa_iterator_type(call->arguments[0].type), index};
  return pa_rule_finish(call, pyarrayTaggedTypeGet(pa_ref("enumerate"), pa_unit_attr(call->typing->context),
                                                   mlirTupleTypeGet(call->typing->context, 2, parts)));
}

// The last argument is strict=.
static pa_status type_zip(pa_rule_call *call) {
  int count = call->count - 1;
  int64_t strict = 0;
  bool known = !pa_rule_given(call, count) || pa_literal_int(call->arguments[count], &strict);
  if (!known)
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED,
                          "zip(): strict must be known at compile time\nhint: write True or False");
  return hold(call, strict ? "strict zip" : "zip", count, (MlirAttribute){NULL});
}

static pa_status type_reversed(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  if (pyarrayTypeIsGenerator(type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "'generator' object is not reversible\nhint: make a list of it first: reversed(list(...))");
  bool entries = pyarrayTypeIsDeque(type) || pyarrayTypeIsDict(type) || pa_is_view_tag(type);
  if (pyarrayTypeIsTagged(pa_iterator_type(type)) && !entries && !pa_is_records(type) && !pa_is_memoryview(type))
    return pa_typing_fail(
        call->typing, PA_CODE_TYPING,
        "'%s' object is not reversible\nhint: make a list of it first: reversed(list(...))",
        pa_attr_text(call->typing->arena,
                     mlirStringAttrGet(call->typing->context, pyarrayTaggedTypeGetKind(pa_iterator_type(type)))));
  PA_TRY(hold(call, "reversed", 1, (MlirAttribute){NULL}));
  if (!pyarrayTypeIsList(type) && !pyarrayTypeIsBytearray(type)) return PA_OK;
  MlirType held = pyarrayTypeIsDeque(type) ? pa_iterator_type(type) : type;
  MlirType parts[] = {
      held, pa_rule_scalar_type(call, PA_I64)}; // its first item follows from the length that the list has now
  return pa_rule_finish(call, pyarrayTaggedTypeGet(pa_ref("reversed"), pa_unit_attr(call->typing->context),
                                                   mlirTupleTypeGet(call->typing->context, 2, parts)));
}

// a, *b = x: x has at least so many items.
static pa_status type_at_least(pa_rule_call *call) {
  int64_t least;
  MlirType type = pa_erased_type(call->arguments[0].type), none = pyarrayNoneTypeGet(call->typing->context);
  pa_literal_int(call->arguments[1], &least);
  if (!mlirTypeIsATuple(type)) {
    pa_fact item;
    PA_TRY(pa_type_item(call->typing, call->arguments[0], &item));
    pa_rule_add_argument(call, 0, type);
    pa_rule_add_argument(call, 1, pa_rule_scalar_type(call, PA_I64));
    return pa_rule_finish(call, none);
  }
  if (mlirTupleTypeGetNumTypes(type) < least)
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "not enough values to unpack (expected at least %d, got %d)",
                          (int)least, (int)mlirTupleTypeGetNumTypes(type));
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = pa_unit_attr(call->typing->context);
  return pa_rule_finish(call, none);
}

// case (a, b): or case (a, *b): whether the subject is a sequence of that many items, or, with |more|, at least that
// many.
static pa_status type_match_length(pa_rule_call *call) {
  int64_t count, more;
  MlirType type = pa_erased_type(call->arguments[0].type), boolean = pa_rule_scalar_type(call, PA_BOOL);
  if (!pa_literal_int(call->arguments[1], &count) || !pa_literal_int(call->arguments[2], &more))
    return pa_typing_fail(call->typing, PA_CODE_INVALID, "pyarray.match_length takes literals");
  if (pyarrayTypeIsList(type) || pyarrayTypeIsRange(type)) {
    pa_rule_add_argument(call, 0, type);
    pa_rule_add_int(call, count);
    pa_rule_add_operand(call, -1, -1, mlirBoolAttrGet(call->typing->context, (int)more), boolean);
    return pa_rule_finish(call, boolean);
  }
  intptr_t length =
      mlirTypeIsATuple(type) && !pa_is_iterable_tag(call->arguments[0].type) ? mlirTupleTypeGetNumTypes(type) : -1;
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirBoolAttrGet(call->typing->context, more ? length >= count : length == count);
  return pa_rule_finish(call, boolean);
}

// case Class(p): what the pattern by position number |number| is for: the subject itself, of Python's own classes, or a
// field.
static pa_status type_match_argument(pa_rule_call *call) {
  static const char *const own[] = {"bool", "bytearray", "bytes", "dict", "float", "frozenset",
                                    "int",  "list",      "set",   "str",  "tuple"};
  int64_t number;
  MlirType type = call->arguments[0].type, class = call->arguments[1].type;
  MlirAttribute name = pyarrayTypeIsCallable(class) ? pyarrayCallableTypeGetName(class) : mlirAttributeGetNull();
  bool named = !mlirAttributeIsNull(name) && mlirAttributeIsAString(name), whole = false;
  if (!pa_literal_int(call->arguments[2], &number))
    return pa_typing_fail(call->typing, PA_CODE_INVALID, "pyarray.match_argument takes a literal");
  for (size_t i = 0; named && i < sizeof own / sizeof *own; ++i)
    whole = whole ||
            pa_ref_equal(mlirStringAttrGetValue(name), pa_arena_format(call->typing->arena, "builtins.%s", own[i]));
  call->plan->kind = PA_PLAN_CAST;
  call->plan->site = call->arguments[0].site;
  if (whole && number == 0) return pa_rule_add_argument(call, 0, type), pa_rule_finish(call, type);
  MlirType tuple = pa_is_tagged(type, "namedtuple") ? pyarrayTaggedTypeGetItem(type) : (MlirType){NULL};
  if (mlirTypeIsNull(tuple) || number >= mlirTupleTypeGetNumTypes(tuple))
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "%s accepts %d positional sub-patterns (%d given)\nhint: name the fields: Class(x=...)",
                          pa_rule_text_of(call, class),
                          mlirTypeIsNull(tuple) ? whole : (int)mlirTupleTypeGetNumTypes(tuple), (int)number + 1);
  call->plan->site = 0;
  MlirType element = mlirTupleTypeGetType(tuple, number);
  return pa_rule_add_operand(call, 0, (int)number, (MlirAttribute){NULL}, element), pa_rule_finish(call, element);
}

static pa_status type_match_mapping(pa_rule_call *call) {
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirBoolAttrGet(call->typing->context, pyarrayTypeIsDict(call->arguments[0].type));
  return pa_rule_finish_scalar(call, PA_BOOL);
}

static pa_status type_range_length(pa_rule_call *call) {
  if (!pyarrayTypeIsRange(call->arguments[0].type)) return pa_rule_wrong_type(call, 0, "a range");
  pa_rule_add_argument(call, 0, call->arguments[0].type);
  return pa_rule_finish_scalar(call, PA_I64);
}

const pa_typing_rule_row pa_iterate_typing[] = {
    {PA_TYPING_MATCH_ARGUMENT, type_match_argument},
    {PA_TYPING_MATCH_MAPPING, type_match_mapping},
    {PA_TYPING_MATCH_LENGTH, type_match_length},
    {PA_TYPING_ENUMERATE, type_enumerate},
    {PA_TYPING_ZIP, type_zip},
    {PA_TYPING_REVERSED, type_reversed},
    {PA_TYPING_AT_LEAST, type_at_least},
    {PA_TYPING_RANGE_LENGTH, type_range_length},
    {0, NULL},
};
