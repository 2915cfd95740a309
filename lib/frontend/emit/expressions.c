// Expressions to operations. Where Python evaluates an operand only sometimes, it goes into an scf.if:
//
//   a < f(x) < b     %0 = pyarray.compare lt %a, %f
//                    %1 = scf.if %0_true -> (!pyarray.any) { pyarray.compare lt %f, %b ... } else { scf.yield %0 }
//
// In the place of a condition, and, or, not and comparisons give an i1 without going through Python values.
#include <Python.h>

#include "emit.h"

//===-- Operations --------------------------------------------------------------------------------===//

static MlirValue emit_unary(pa_emitter *e, int kind, MlirValue operand) {
  MlirAttribute attr = pyarrayUnaryKindAttrGet(e->importer->context, (pyarray_unary_kind)kind);
  return pa_value(&e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(operand), PA_RESULTS(e->any), PA_ATTRS({"kind", attr}));
}

MlirValue pa_emit_not(pa_emitter *e, MlirValue value) { return emit_unary(e, PYARRAY_UNARY_NOT, value); }

MlirValue pa_emit_binary(pa_emitter *e, int kind, MlirValue left, MlirValue right, bool inplace) {
  MlirAttribute attr = pyarrayBinaryKindAttrGet(e->importer->context, (pyarray_binary_kind)kind);
  MlirAttribute unit = inplace ? pa_unit_attr(e->importer->context) : (MlirAttribute){NULL};
  return pa_value(&e->builder, PA_OP_NAME(BINARY), PA_OPERANDS(left, right), PA_RESULTS(e->any),
                  PA_ATTRS({"kind", attr}, {"inplace", unit}));
}

MlirValue pa_emit_getitem(pa_emitter *e, const MlirValue *operands, int count) {
  return pa_value(&e->builder, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(e->any));
}

MlirValue *pa_emit_all(pa_emitter *e, pa_expression *const *expressions, int count) {
  MlirValue *values = PA_NEW_ARRAY(e->arena, MlirValue, count);
  for (int i = 0; i < count; ++i) values[i] = pa_emit(e, expressions[i]);
  return values;
}

// tuple(items), an index: what it makes of an array or list has one item for each axis of the object.
static bool is_made_tuple(pa_emitter *e, const pa_expression *index) {
  bool call = index->kind == PA_CALL && index->count == 2 && !index->keywords.count;
  return call && index->operands[1]->kind != PA_STARRED && pa_peek(e, index->operands[0]) == (PyObject *)&PyTuple_Type;
}

MlirValue *pa_emit_subscript(pa_emitter *e, const pa_expression *x) {
  if (x->count != 2 || x->operation || !is_made_tuple(e, x->operands[1])) return pa_emit_all(e, x->operands, x->count);
  MlirValue *values = PA_NEW_ARRAY(e->arena, MlirValue, 2);
  values[0] = pa_emit(e, x->operands[0]);
  MlirValue items = pa_emit(e, x->operands[1]->operands[1]);
  pa_at(e, x->operands[1]->place);
  values[1] = pa_emit_builtin_call(e, "pyarray.index_tuple", (MlirValue[]){values[0], items}, 2);
  return values;
}

void pa_emit_raise(pa_emitter *e, const char *exception, const MlirValue *arguments, int count) {
  pa_op(&e->builder, PA_OP_NAME(RAISE), PA_OPERAND_ARRAY(arguments, count),
        PA_ATTRS({"exception", pa_string_attr(e->importer->context, exception)}));
  pa_unreachable(e);
}

//===-- Names -------------------------------------------------------------------------------------===//

static void raise_unbound(pa_emitter *e, const pa_name *name) {
  const char *text = pa_arena_format(
      e->arena, "cannot access local variable '%s' where it is not associated with a value", name->text);
  MlirValue message = pa_emit_constant(e, pa_string_attr(e->importer->context, text));
  pa_emit_raise(e, "UnboundLocalError", &message, 1);
}

static void check_bound(pa_emitter *e, const pa_name *name, MlirValue flag) {
  pa_branch then, otherwise;
  MlirValue missing = pa_emit_truth(e, pa_emit_not(e, flag));
  pa_branch_begin(e, &then, 0);
  raise_unbound(e, name);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  pa_branch_end(e, &otherwise);
  pa_join(e, missing, &then, &otherwise, NULL);
}

MlirValue pa_read_variable(pa_emitter *e, const pa_name *name) {
  if (name->in_cell) return pa_read_cell(e, name);
  pa_binding binding = e->variables[name->variable];
  switch (binding.bound) {
  case PA_BOUND: return binding.value;
  case PA_MAYBE:
    check_bound(e, name, binding.flag);
    pa_bind(e, name->variable, (pa_binding){.bound = PA_BOUND, .value = binding.value});
    return binding.value;
  case PA_UNBOUND: raise_unbound(e, name); break;
  case PA_ANY:
    if (pa_is_dead(e)) break;
    pa_set_failure(e,
                   pa_fail_at(PA_CODE_INTERNAL, e->builder.location, "variable '%s' is read but not live", name->text));
  }
  return pa_emit_unbound(e, e->any);
}

// What is no variable: a global, or an attribute of a module.
static MlirValue emit_static(pa_emitter *e, const pa_expression *x, bool *out_found) {
  PyObject *object = NULL;
  pa_status failure = pa_resolve(e, x, &object);
  *out_found = failure || object;
  if (failure) return pa_emit_refused(e, failure);
  if (!object) return (MlirValue){NULL};
  pa_at(e, x->place);
  return pa_emit_object(e, x, object);
}

static MlirValue emit_name(pa_emitter *e, const pa_expression *x) {
  bool found;
  pa_at(e, x->place);
  if (x->name->itself) return pa_emit_own_closure(e);
  if (x->name->remade) return pa_emit_remade(e, x->name->remade);
  return x->name->variable >= 0 ? pa_read_variable(e, x->name) : emit_static(e, x, &found);
}

static MlirValue emit_attribute(pa_emitter *e, const pa_expression *x) {
  bool found;
  MlirValue value = emit_static(e, x, &found);
  if (found) return value;
  MlirValue object = pa_emit(e, x->operands[0]);
  pa_at(e, x->place);
  return pa_value(&e->builder, PA_OP_NAME(GETATTR), PA_OPERANDS(object), PA_RESULTS(e->any),
                  PA_ATTRS({"name", pa_string_attr(e->importer->context, x->text)}));
}

//===-- and, or, comparisons, if-else -------------------------------------------------------------===//

// The operand as a Python value, or as a condition.
static MlirValue emit_operand(pa_emitter *e, const pa_expression *x, bool as_condition, bool negated) {
  return as_condition ? pa_emit_condition(e, x, negated) : pa_emit(e, x);
}

// a and b and c is (a and b) and c: each step yields what it has, or evaluates one more operand. Negation goes inward.
static MlirValue emit_boolean(pa_emitter *e, const pa_expression *x, bool as_condition, bool negated) {
  bool conjunction = (x->kind == PA_AND) != negated;
  MlirType type = as_condition ? e->i1 : e->any;
  const pa_expression **operands = PA_NEW_ARRAY(e->arena, const pa_expression *, x->count);
  int count = pa_needed_operands(e, x, operands);
  MlirValue value = emit_operand(e, operands[0], as_condition, negated);
  for (int i = 1; i < count && !pa_is_dead(e); ++i) {
    pa_branch more, enough;
    pa_at(e, x->place);
    MlirValue truth = as_condition ? value : pa_emit_truth(e, value);
    pa_branch_begin(e, &more, 0);
    MlirValue next = emit_operand(e, operands[i], as_condition, negated);
    pa_branch_end(e, &more);
    pa_branch_begin(e, &enough, 0);
    pa_branch_end(e, &enough);
    pa_at(e, x->place);
    value = conjunction ? pa_join_values(e, truth, &more, next, &enough, value, type)
                        : pa_join_values(e, truth, &enough, value, &more, next, type);
  }
  return value;
}

// Comparisons from number |index| on, whose left operand has the value |left|.
// An operand of a comparison, which may be an exception class: type(e) is ValueError.
static MlirValue emit_compared(pa_emitter *e, const pa_expression *x) {
  bool may = x->kind == PA_NAME || x->kind == PA_ATTRIBUTE || x->kind == PA_TUPLE;
  MlirValue classes = may ? pa_emit_exception_classes(e, x) : (MlirValue){NULL};
  return mlirValueIsNull(classes) ? pa_emit(e, x) : classes;
}

static MlirValue emit_comparisons(pa_emitter *e, const pa_expression *x, int index, MlirValue left, bool as_condition) {
  MlirValue right = emit_compared(e, x->operands[index + 1]);
  pa_at(e, x->place);
  MlirValue value = pa_emit_compare(e, x->operations[index], left, right);
  MlirValue truth = value;
  bool last = index + 2 == x->count;
  if (as_condition || !last) truth = pa_emit_truth(e, value);
  if (as_condition) value = truth;
  if (last || pa_is_dead(e)) return value;

  pa_branch more, enough;
  pa_branch_begin(e, &more, 0);
  MlirValue rest = emit_comparisons(e, x, index + 1, right, as_condition);
  pa_branch_end(e, &more);
  pa_branch_begin(e, &enough, 0);
  pa_branch_end(e, &enough);
  pa_at(e, x->place);
  return pa_join_values(e, truth, &more, rest, &enough, value, as_condition ? e->i1 : e->any);
}

static MlirValue emit_conditional(pa_emitter *e, const pa_expression *x) {
  pa_branch then, otherwise;
  bool bare;
  int known = pa_known_truth(e, x->operands[0], &bare);
  MlirValue condition = known < 0 || !bare ? pa_emit_condition(e, x->operands[0], false) : (MlirValue){NULL};
  if (pa_is_dead(e)) return pa_emit_unbound(e, e->any);
  if (known >= 0) return pa_emit(e, x->operands[known ? 1 : 2]);
  pa_at(e, x->place);
  pa_branch_begin(e, &then, 0);
  MlirValue value = pa_emit(e, x->operands[1]);
  pa_branch_end(e, &then);
  pa_branch_begin(e, &otherwise, 0);
  MlirValue other = pa_emit(e, x->operands[2]);
  pa_branch_end(e, &otherwise);
  pa_at(e, x->place);
  return pa_join_values(e, condition, &then, value, &otherwise, other, e->any);
}

MlirValue pa_emit_condition(pa_emitter *e, const pa_expression *x, bool negated) {
  if (x->kind == PA_AND || x->kind == PA_OR) return emit_boolean(e, x, true, negated);
  if (x->kind == PA_UNARY && x->operation == PYARRAY_UNARY_NOT) return pa_emit_condition(e, x->operands[0], !negated);
  if (x->kind == PA_COMPARE && !negated) return emit_comparisons(e, x, 0, emit_compared(e, x->operands[0]), true);
  MlirValue value = pa_emit(e, x);
  pa_at(e, x->place);
  return pa_emit_truth(e, negated ? pa_emit_not(e, value) : value);
}

//===-- Calls -------------------------------------------------------------------------------------===//

static MlirAttribute keyword_names(pa_emitter *e, const pa_expression *call) {
  int count = call->keywords.count;
  if (!count) return (MlirAttribute){NULL};
  MlirAttribute *names = PA_NEW_ARRAY(e->arena, MlirAttribute, count);
  for (int i = 0; i < count; ++i) names[i] = pa_string_attr(e->importer->context, call->keywords.names[i]);
  return mlirArrayAttrGet(e->importer->context, count, names);
}

// The numbers of the operands that are spread: f(*t), or f(**mapping).
static MlirAttribute spread_operands(pa_emitter *e, const pa_expression *call, bool mappings) {
  int64_t *numbers = PA_NEW_ARRAY(e->arena, int64_t, call->count);
  intptr_t count = 0;
  for (int i = 1; i < call->count; ++i)
    if (call->operands[i]->kind == PA_STARRED && (call->operands[i]->operation == PA_SPREADS_MAPPING) == mappings)
      numbers[count++] = i;
  return count ? mlirDenseI64ArrayGet(e->importer->context, count, numbers) : (MlirAttribute){NULL};
}

// np.datetime64("2020-01-01"), np.timedelta64("NaT", "D"): NumPy reads the text. False for all other calls.
static bool emit_time_literal(pa_emitter *e, const pa_expression *x, MlirValue *out_value) {
  const char *texts[2];
  int count = x->count - 1;
  if (count < 1 || count > 2 || x->keywords.count) return false;
  for (int i = 0; i < count; ++i) {
    const pa_expression *argument = x->operands[1 + i];
    if (argument->kind != PA_CONSTANT || !mlirAttributeIsAString(argument->constant.value)) return false;
    texts[i] = pa_attr_text(e->arena, argument->constant.value);
  }
  PyObject *object = pa_peek(e, x->operands[0]);
  MlirAttribute value = {NULL};
  pa_location location = pa_locate(e->function, x->place);
  pa_status failure = PA_OK;
  if (object && pa_is_time_class(e->importer, object))
    failure = pa_time_literal(e->importer, object, texts, count, &location, &value);
  if (failure) pa_set_failure(e, failure);
  if (mlirAttributeIsNull(value)) return failure;
  pa_at(e, x->place);
  *out_value = pa_emit_constant(e, value);
  return true;
}

static bool is_dict_class(pa_emitter *e, const pa_expression *callee) {
  return pa_peek(e, callee) == (PyObject *)&PyDict_Type;
}

static bool is_isinstance(pa_emitter *e, const pa_expression *call) {
  PyObject *object = call->count == 3 && !call->keywords.count ? pa_peek(e, call->operands[0]) : NULL;
  return object && object == PyDict_GetItemString(PyEval_GetBuiltins(), "isinstance");
}

// dict(x, a=1): a display of the names, or dict(x), in which they are stored. The last operands are the values of the
// names.
static MlirValue emit_dict_of_names(pa_emitter *e, const pa_expression *x, const MlirValue *operands) {
  int count = x->keywords.count, given = x->count - count;
  MlirValue *pairs = PA_NEW_ARRAY(e->arena, MlirValue, 2 * count), made = {NULL};
  for (int i = 0; i < count; ++i) {
    pairs[2 * i] = pa_emit_constant(e, pa_string_attr(e->importer->context, x->keywords.names[i]));
    pairs[2 * i + 1] = operands[given + i];
  }
  if (given == 1)
    return pa_value(&e->builder, PA_OP_NAME(DICT), PA_OPERAND_ARRAY(pairs, 2 * count), PA_RESULTS(e->any));
  made = pa_value(&e->builder, PA_OP_NAME(APPLY), PA_OPERAND_ARRAY(operands, given), PA_RESULTS(e->any));
  for (int i = 0; i < count; ++i)
    pa_op(&e->builder, PA_OP_NAME(SETITEM), PA_OPERANDS(made, pairs[2 * i], pairs[2 * i + 1]));
  return made;
}

// Operands: the callee or the object of the method, then the arguments.
static MlirValue emit_call(pa_emitter *e, const pa_expression *x) {
  MlirValue literal = {NULL};
  if (emit_time_literal(e, x, &literal)) return literal;
  literal = pa_emit_attribute_call(e, x);
  if (!mlirValueIsNull(literal)) return literal;
  const pa_expression *callee = pa_plain_attribute(e, x->operands[0]);
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, x->count);
  bool found = callee->kind != PA_ATTRIBUTE;
  operands[0] = found ? pa_emit(e, callee) : emit_static(e, callee, &found);
  if (!found) operands[0] = pa_emit(e, callee->operands[0]);
  for (int i = 1; i < x->count; ++i) {
    const pa_expression *operand = x->operands[i]->kind == PA_STARRED ? x->operands[i]->operands[0] : x->operands[i];
    operands[i] = i == 2 && is_isinstance(e, x) ? pa_emit_exception_classes(e, operand) : (MlirValue){NULL};
    if (mlirValueIsNull(operands[i])) operands[i] = pa_emit(e, operand);
  }
  pa_at(e, x->place);
  MlirAttribute kw = keyword_names(e, x), spread = spread_operands(e, x, false), mappings = spread_operands(e, x, true);
  if (found && x->keywords.count && mlirAttributeIsNull(spread) && is_dict_class(e, callee))
    return emit_dict_of_names(e, x, operands);
  if (found)
    return pa_value(&e->builder, PA_OP_NAME(APPLY), PA_OPERAND_ARRAY(operands, x->count), PA_RESULTS(e->any),
                    PA_ATTRS({"kw", kw}, {"spread", spread}, {"pyarray.mappings", mappings}));
  return pa_value(&e->builder, PA_OP_NAME(METHOD), PA_OPERAND_ARRAY(operands, x->count), PA_RESULTS(e->any),
                  PA_ATTRS({"name", pa_string_attr(e->importer->context, callee->text)}, {"kw", kw}, {"spread", spread},
                           {"pyarray.mappings", mappings}));
}

//===-- Expressions -------------------------------------------------------------------------------===//

static MlirValue emit_operands(pa_emitter *e, const pa_expression *x, const char *name) {
  MlirValue *operands = pa_emit_all(e, x->operands, x->count);
  pa_at(e, x->place);
  return pa_value(&e->builder, name, PA_OPERAND_ARRAY(operands, x->count), PA_RESULTS(e->any));
}

// The key of np.mgrid[0:n, 2], a tuple; of np.mgrid[0:n] the slice.
static MlirValue emit_key(pa_emitter *e, const pa_expression *x, bool slices_are_parts) {
  MlirValue *parts = PA_NEW_ARRAY(e->arena, MlirValue, x->count);
  for (int i = 1; i < x->count; ++i) {
    pa_expression *part = x->operands[i];
    if (slices_are_parts && part->kind == PA_SLICE) {
      MlirValue *bounds = pa_emit_all(e, part->operands, 3);
      pa_at(e, part->place);
      MlirValue none = pa_emit_constant(e, pa_unit_attr(e->importer->context));
      parts[i] = pa_value(&e->builder, PA_OP_NAME(TUPLE), PA_OPERANDS(none, bounds[0], bounds[1], bounds[2]),
                          PA_RESULTS(e->any));
    } else {
      parts[i] = pa_emit(e, part);
    }
  }
  pa_at(e, x->place);
  if (!x->operation) return parts[1];
  return pa_value(&e->builder, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(parts + 1, x->count - 1), PA_RESULTS(e->any));
}

// A subscript of an object that is there to be subscripted; null for all others.
static MlirValue emit_subscripted(pa_emitter *e, const pa_expression *x) {
  const pa_builtin *row;
  pa_status failure = pa_find_subscripted(e, x->operands[0], &row);
  if (failure) pa_set_failure(e, failure);
  if (failure || !row) return (MlirValue){NULL};
  MlirValue key = emit_key(e, x, strcmp(row->parameters, "[parts]") == 0);
  return pa_failed(&e->builder) ? (MlirValue){NULL} : pa_emit_builtin_call(e, row->name, &key, 1);
}

static MlirValue emit_internal(pa_emitter *e, const pa_expression *x) {
  MlirValue *arguments = pa_emit_all(e, x->operands, x->count);
  pa_at(e, x->place);
  return pa_emit_builtin_call(e, x->text, arguments, x->count);
}

static MlirValue emit_walrus(pa_emitter *e, const pa_expression *x) {
  MlirValue value = pa_as_declared(e, x->name, pa_emit(e, x->operands[0]));
  if (!pa_is_dead(e)) pa_set_variable(e, x->name->variable, (pa_binding){.bound = PA_BOUND, .value = value});
  return value;
}

static MlirValue emit_steps(pa_emitter *e, const pa_expression *x) {
  if (pa_is_dead(e)) return pa_emit_unbound(e, e->any);
  bool tail = e->tail;
  e->tail = false;
  pa_open_target_cells(e, x);
  pa_emit_block(e, x->steps.block);
  e->tail = tail;
  if (pa_failed(&e->builder)) return (MlirValue){NULL};
  pa_at(e, x->place);
  if (e->flow.completions) return pa_read_variable(e, x->steps.result);
  pa_unreachable(e); // the statement goes on into a scratch block
  return pa_emit_unbound(e, e->any);
}

static MlirValue emit_yield(pa_emitter *e, const pa_expression *x) {
  MlirValue item = pa_emit(e, x->operands[0]);
  pa_at(e, x->place);
  pa_op(&e->builder, PA_OP_NAME(SUSPEND), PA_OPERANDS(item));
  return pa_emit_constant(e, pa_unit_attr(e->importer->context));
}

static MlirValue emit_misplaced_star(pa_emitter *e, const pa_expression *x) {
  pa_fail_emission(e, PA_CODE_UNSUPPORTED, x->place,
                   "'*' is not supported here in compiled code; write the elements out");
  return (MlirValue){NULL};
}

MlirValue pa_emit(pa_emitter *e, const pa_expression *x) {
  if (pa_failed(&e->builder)) return (MlirValue){NULL};
  MlirValue left = pa_emit_exact(e, x), right, *operands;
  if (!mlirValueIsNull(left)) return left;
  switch (x->kind) {
  case PA_CONSTANT: pa_at(e, x->place); return pa_emit_constant(e, x->constant.value);
  case PA_NAME: return emit_name(e, x);
  case PA_UNARY:
    left = pa_emit(e, x->operands[0]);
    pa_at(e, x->place);
    return emit_unary(e, x->operation, left);
  case PA_BINARY:
    left = pa_emit(e, x->operands[0]);
    right = pa_emit(e, x->operands[1]);
    pa_at(e, x->place);
    return pa_emit_binary(e, x->operation, left, right, false);
  case PA_AND:
  case PA_OR: return emit_boolean(e, x, false, false);
  case PA_COMPARE: return emit_comparisons(e, x, 0, emit_compared(e, x->operands[0]), false);
  case PA_CONDITIONAL: return emit_conditional(e, x);
  case PA_CALL: left = pa_emit_made_type(e, x); return mlirValueIsNull(left) ? emit_call(e, x) : left;
  case PA_ATTRIBUTE: return emit_attribute(e, x);
  case PA_SUBSCRIPT:
    left = pa_emit_made_type(e, x);
    if (mlirValueIsNull(left)) left = emit_subscripted(e, x);
    if (mlirValueIsNull(left)) left = pa_emit_global_item(e, x);
    if (!mlirValueIsNull(left)) return left;
    operands = pa_emit_subscript(e, x);
    pa_at(e, x->place);
    return pa_emit_getitem(e, operands, x->count);
  case PA_SLICE: return emit_operands(e, x, PA_OP_NAME(SLICE));
  case PA_TUPLE: return emit_operands(e, x, PA_OP_NAME(TUPLE));
  case PA_LIST: return emit_operands(e, x, PA_OP_NAME(LIST));
  case PA_DICT_DISPLAY: return emit_operands(e, x, PA_OP_NAME(DICT));
  case PA_SET_DISPLAY: return emit_operands(e, x, PA_OP_NAME(SET));
  case PA_WALRUS: return emit_walrus(e, x);
  case PA_STEPS: return emit_steps(e, x);
  case PA_CLOSURE: return pa_emit_closure(e, x);
  case PA_INTERNAL: return emit_internal(e, x);
  case PA_YIELD: return emit_yield(e, x);
  case PA_STARRED: return emit_misplaced_star(e, x);
  }
  return (MlirValue){NULL};
}
