// Facts of the values of an instance: read, set and joined.
#include "infer_signs.h"
#include "ir/classes.h"

pa_typing pa_typing_at(pa_inference *inference, MlirOperation op) {
  return (pa_typing){inference->context,
                     inference->arena,
                     mlirOperationGetLocation(op),
                     inference->sites,
                     inference->keywords,
                     op.ptr,
                     inference->current,
                     inference->module,
                     inference->signs,
                     inference->current && inference->current->in_library,
                     inference->guesses_dtypes,
                     0,
                     inference->offload};
}

pa_fact pa_fact_get(pa_inference *inference, pa_instance *instance, MlirValue value) {
  return pa_value_entry_of(inference, instance, value)->fact;
}

void pa_infer_set_fact(pa_inference *inference, pa_instance *instance, MlirValue value, pa_fact fact) {
  pa_growths_check(inference->growths, fact.type);
  pa_value_entry_of(inference, instance, value)->fact = fact;
}

bool pa_has_bottom_operand(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (pa_is_bottom(pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)))) return true;
  return false;
}

const char *pa_joined_name(pa_inference *inference, MlirOperation op, intptr_t index) {
  MlirAttribute names = pa_get_attr(op, "pyarray.names");
  if (mlirAttributeIsNull(names) || !mlirAttributeIsAArray(names) || index >= mlirArrayAttrGetNumElements(names))
    return NULL;
  return pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, index));
}

// ": float64 in line 3, int64 in line 5": where both come from, if they are values of different lines.
static const char *describe_origins(pa_inference *inference, const pa_fact *facts, const MlirValue *values) {
  int lines[2];
  for (int i = 0; i < 2; ++i) {
    if (mlirValueIsNull(values[i]) || !mlirValueIsAOpResult(values[i])) return "";
    lines[i] = pa_source_location(inference->arena, mlirOperationGetLocation(mlirOpResultGetOwner(values[i]))).line;
  }
  if (lines[0] == lines[1]) return "";
  return pa_arena_format(inference->arena, ": %s in line %d, %s in line %d",
                         pa_type_text(inference->arena, facts[0].type), lines[0],
                         pa_type_text(inference->arena, facts[1].type), lines[1]);
}

// Branches are joined anew each time.
static void note_growth(pa_inference *inference, MlirOperation op, intptr_t index, MlirValue from, MlirType before,
                        MlirType after) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  if (kind == PA_OP_SCF_IF || kind == PA_OP_TRY) return;
  MlirOperation at = !mlirValueIsNull(from) && mlirValueIsAOpResult(from) ? mlirOpResultGetOwner(from) : op;
  pa_growth_place place = {op, inference->current, mlirOperationGetLocation(at), index, PA_NO_CONTAINER};
  pa_growths_note(inference->growths, &place, before, after);
}

// A tuple has no site. Where it meets one of another type, containers that it was made of, and nothing was put into,
// get the items of those they meet: `return [], 1` beside `return [0.5], 2`.
static pa_status teach_elements(pa_inference *inference, const pa_typing *typing, MlirValue tuple, MlirType type) {
  if (mlirValueIsNull(tuple) || !inference->current || !mlirTypeIsATuple(type)) return PA_OK;
  MlirOperation maker = pa_maker_of(tuple);
  if (!mlirOperationIsNull(maker) && pa_kind(&inference->names, maker) == PA_OP_SCF_IF) {
    for (int side = 0; side < 2; ++side) {
      MlirOperation yield = mlirBlockGetTerminator(pa_body(maker, side));
      MlirValue value = mlirOperationGetOperand(yield, mlirOpResultGetResultNumber(tuple));
      PA_TRY(teach_elements(inference, typing, value, type));
    }
    return PA_OK;
  }
  const pa_known_tuple *known = pa_known_elements(inference, inference->current, tuple);
  if (!known || known->count != mlirTupleTypeGetNumTypes(type)) return PA_OK;
  for (intptr_t i = 0; i < known->count; ++i) {
    MlirType element = mlirTupleTypeGetType(type, i);
    pa_fact fact = known->facts[i], joined;
    if (pa_is_bottom(fact) || mlirTypeEqual(fact.type, element)) continue;
    if (fact.site && pa_is_open(fact.type)) PA_TRY(pa_join_facts(typing, fact, pa_fact_of(element), &joined));
    PA_TRY(teach_elements(inference, typing, known->sources[i], element));
  }
  return PA_OK;
}

// Joins |fact|, of the value |from|, into |target|, which has that of |earlier|; |op| and |index| say which variable of
// which statement. The values are for the message, and may be null.
pa_status pa_infer_join(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact *target, MlirValue earlier,
                        pa_fact fact, MlirValue from) {
  if (pa_is_bottom(fact) || pa_fact_equal(*target, fact)) return PA_OK;
  if (pa_is_bottom(*target)) return *target = fact, PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact joined;
  if (!pa_meet(inference, op, index, *target, fact, &joined)) PA_TRY(pa_join_facts(&typing, *target, fact, &joined));
  if (pa_is_bottom(joined)) {
    const char *name = pa_joined_name(inference, op, index);
    const char *what = pa_kind(&inference->names, op) == PA_OP_RETURN    ? "the results of the function"
                       : pa_kind(&inference->names, op) == PA_OP_SUSPEND ? "what the generator yields"
                       : name && *name != '$' ? pa_arena_format(inference->arena, "variable '%s'", name)
                       : name                 ? "what the function returns"
                                              : "a value";
    bool optional = pyarrayTypeIsNone(target->type) || pyarrayTypeIsNone(fact.type);
    const char *origins = describe_origins(inference, (pa_fact[]){*target, fact}, (MlirValue[]){earlier, from});
    return pa_typing_fail(&typing, PA_CODE_TYPING, "cannot unify %s and %s for %s%s%s",
                          pa_type_text(inference->arena, target->type), pa_type_text(inference->arena, fact.type), what,
                          origins,
                          optional ? "\nhint: give it a value of one type on every path"
                                   : pa_frozen_hint(inference, target->type, fact.type));
  }
  joined.literal = (MlirAttribute){NULL};
  note_growth(inference, op, index, from, target->type, joined.type);
  PA_TRY(teach_elements(inference, &typing, earlier, joined.type));
  PA_TRY(teach_elements(inference, &typing, from, joined.type));
  *target = joined;
  return pa_check_growth(inference, op);
}

pa_status pa_infer_carry(pa_inference *inference, const void *place, MlirOperation op, intptr_t index, pa_fact *target,
                         MlirValue earlier, pa_fact fact, MlirValue from) {
  pa_fact before = *target;
  PA_TRY(pa_infer_join(inference, op, index, target, earlier, pa_signs_carried(inference, place, index, fact), from));
  return pa_signs_compare(inference, place, index, before, *target), PA_OK;
}

pa_status pa_join_into(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact *target, pa_fact fact) {
  return pa_infer_join(inference, op, index, target, (MlirValue){NULL}, fact, (MlirValue){NULL});
}

pa_fact pa_infer_without_literal(pa_fact fact) { return (pa_fact){fact.type, {NULL}, fact.site, fact.signs}; }

const pa_fact *pa_index_facts(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact object,
                              intptr_t *out_count, bool *out_spread, bool *out_bottom) {
  bool store = pa_kind(&inference->names, op) == PA_OP_SETITEM;
  intptr_t count = mlirOperationGetNumOperands(op) - 1 - store;
  *out_spread = *out_bottom = false;
  pa_fact first = count == 1 ? pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1)) : (pa_fact){0};
  if (count == 1 && !pa_is_bottom(first) && mlirTypeIsATuple(first.type) && pyarrayTypeIsArray(object.type)) {
    *out_spread = true;
    *out_count = mlirTupleTypeGetNumTypes(first.type);
    pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, *out_count + 1);
    for (intptr_t i = 0; i < *out_count; ++i) facts[i] = pa_fact_of(mlirTupleTypeGetType(first.type, i));
    return facts;
  }
  pa_fact *facts = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  MlirType *types = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    facts[i] = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 1 + i));
    types[i] = facts[i].type;
    *out_bottom = *out_bottom || pa_is_bottom(facts[i]);
  }
  *out_count = count;
  if (count < 2 || *out_bottom || !pyarrayTypeIsDict(object.type)) return facts;
  facts[0] = pa_fact_of(mlirTupleTypeGet(inference->context, count, types)); // d[a, b]: one key
  return *out_count = 1, facts;
}

// A slice of a tuple; its bounds are known at compile time.
pa_status pa_tuple_slice(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_is,
                         int64_t *out_start, int64_t *out_step, intptr_t *out_count) {
  pa_typing typing = pa_typing_at(inference, op);
  MlirType tuple = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  MlirValue index = mlirOperationGetNumOperands(op) == 2 ? mlirOperationGetOperand(op, 1) : (MlirValue){NULL};
  bool sliced = !mlirTypeIsNull(tuple) && (mlirTypeIsATuple(tuple) || pa_is_tagged(tuple, "namedtuple"));
  *out_is = sliced && !mlirValueIsNull(index) && pyarrayTypeIsSlice(pa_fact_get(inference, instance, index).type);
  if (!*out_is) return PA_OK;
  int64_t length = mlirTupleTypeGetNumTypes(pa_erased_type(tuple)), parts[3];
  bool given[3] = {false};
  for (int i = 0; i < 3; ++i) {
    bool here = mlirValueIsAOpResult(index) && pa_kind(&inference->names, mlirOpResultGetOwner(index)) == PA_OP_SLICE;
    pa_fact part = here ? pa_fact_get(inference, instance, mlirOperationGetOperand(mlirOpResultGetOwner(index), i))
                        : pa_fact_of((MlirType){NULL});
    given[i] = pa_literal_int(part, &parts[i]);
    if (!given[i] && (pa_is_bottom(part) || !pyarrayTypeIsNone(part.type)))
      return pa_typing_fail(
          &typing, PA_CODE_TYPING,
          "a slice of a tuple has bounds that are known at compile time\nhint: write them as literals");
  }
  int64_t step = *out_step = given[2] ? parts[2] : 1, low = step < 0 ? -1 : 0, high = step < 0 ? length - 1 : length;
  if (step == 0) return pa_typing_fail(&typing, PA_CODE_TYPING, "slice step cannot be zero");
  for (int i = 0; i < 2; ++i) {
    if (given[i] && parts[i] < 0) parts[i] += length;
    if (!given[i]) parts[i] = (i == 0) == (step > 0) ? low : high;
    parts[i] = parts[i] < low ? low : parts[i] > high ? high : parts[i];
  }
  int64_t distance = step > 0 ? parts[1] - parts[0] : parts[0] - parts[1], size = step > 0 ? step : -step;
  *out_start = parts[0];
  return *out_count = distance > 0 ? (intptr_t)((distance - 1) / size + 1) : 0, PA_OK;
}

int pa_known_condition(pa_inference *inference, pa_instance *instance, MlirOperation if_op) {
  pa_fact condition = pa_fact_get(inference, instance, mlirOperationGetOperand(if_op, 0));
  int64_t value;
  return pa_literal_int(condition, &value) ? value != 0 : -1;
}

bool pa_is_generator(MlirOperation function) {
  return !mlirAttributeIsNull(pa_get_attr(function, "pyarray.generator"));
}

bool pa_has_own_iterator(const pa_inference *inference, MlirType type) {
  if (mlirTypeIsNull(type)) return false;
  MlirStringRef name = pa_ref("__iter__");
  if (pyarrayTypeIsObject(type))
    return pa_class_has_entry(inference->module, type, "methods", "__iter__") ||
           pa_class_has_entry(inference->module, type, "methods", "__getitem__");
  if (!pa_is_enum(type)) return false;
  MlirAttribute methods =
      mlirDictionaryAttrGetElementByName(pa_named_of_type(inference->module, type), pa_ref("methods"));
  return !mlirAttributeIsNull(methods) && !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(methods, name));
}

const char *pa_frozen_name(MlirType frozen) {
  MlirType held = pyarrayTaggedTypeGetItem(frozen);
  return pyarrayTypeIsDict(held) ? "dict" : pyarrayTypeIsList(held) ? "list" : "set";
}

const char *pa_frozen_hint(pa_inference *inference, MlirType a, MlirType b) {
  if (!pa_is_tagged(a, "frozen") && !pa_is_tagged(b, "frozen")) return "";
  const char *name = pa_frozen_name(pa_is_tagged(a, "frozen") ? a : b);
  return pa_arena_format(
      inference->arena,
      "\nhint: a global %s cannot be changed, another one can: write %s(...) around the global, which copies it", name,
      name);
}

MlirStringRef pa_builtin_called(MlirType callee) {
  MlirAttribute name = !mlirTypeIsNull(callee) && pyarrayTypeIsCallable(callee) ? pyarrayCallableTypeGetName(callee)
                                                                                : mlirAttributeGetNull();
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) ? mlirStringAttrGetValue(name) : pa_ref("");
}

MlirStringRef pa_called_builtin(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  if (pa_kind(&inference->names, op) != PA_OP_APPLY) return pa_ref("");
  return pa_builtin_called(pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type);
}
