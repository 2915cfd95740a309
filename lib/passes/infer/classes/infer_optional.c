// Values that may be None in pyarray-infer-types: operations that need a value take it out first, and raise what
// CPython raises where there is none.
//
//   %2 = pyarray.compare lt %x, %best        %n = optional.is_none(%best); scf.if %n { raise TypeError }; %b =
//   optional.value(%best)
//                                            %2 = pyarray.compare lt %x, %b
//
// An array without axes is its element where a number is needed. While such an operation is walked or emitted, the fact
// and the typed value of the operand are those of the value within. Operations that None takes part in (is, ==, truth)
// are emitted here.
#include <string.h>

#include "infer_classes.h"
#include "infer_emit.h"

// Instances of classes are infer_classes.c's.
static bool may_be_none(MlirType type) {
  return !mlirTypeIsNull(type) && pyarrayTypeIsOptional(type) && !pyarrayTypeIsObject(pyarrayTypeGetItem(type));
}

static MlirType fact_type(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t operand) {
  return pa_fact_get(inference, instance, mlirOperationGetOperand(op, operand)).type;
}

static int compare_kind(MlirOperation op) { return (int)pyarrayCompareKindAttrGetValue(pa_get_attr(op, "kind")); }

static bool is_not(MlirOperation op) {
  return pyarrayUnaryKindAttrGetValue(pa_get_attr(op, "kind")) == PYARRAY_UNARY_NOT;
}

//===-- Messages ----------------------------------------------------------------------------------===//

static const char *python_name(MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  if (pyarrayTypeIsOptional(type)) return "NoneType";
  if (scalar == PA_BOOL) return "bool";
  if (scalar != PA_NOT_SCALAR) return pa_is_integer(scalar) ? "int" : pa_is_float(scalar) ? "float" : "complex";
  return mlirTypeIsATuple(type)     ? "tuple"
         : pyarrayTypeIsStr(type)   ? "str"
         : pyarrayTypeIsList(type)  ? "list"
         : pyarrayTypeIsArray(type) ? "numpy.ndarray"
                                    : "object";
}

static const char *binary_message(pa_inference *inference, MlirOperation op, const char *left, const char *right) {
  static const char *const signs[][2] = {{"+", "+="},
                                         {"-", "-="},
                                         {"*", "*="},
                                         {"/", "/="},
                                         {"//", "//="},
                                         {"%", "%="},
                                         {"** or pow()", "** or pow()"},
                                         {"<<", "<<="},
                                         {">>", ">>="},
                                         {"&", "&="},
                                         {"|", "|="},
                                         {"^", "^="},
                                         {"@", "@="}};
  bool in_place = !mlirAttributeIsNull(pa_get_attr(op, "inplace"));
  return pa_arena_format(inference->arena, "unsupported operand type(s) for %s: '%s' and '%s'",
                         signs[pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"))][in_place], left, right);
}

static const char *message_of(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                              const char **out_exception) {
  static const char *const orders[] = {
      [PYARRAY_COMPARE_LT] = "<", [PYARRAY_COMPARE_LE] = "<=", [PYARRAY_COMPARE_GT] = ">", [PYARRAY_COMPARE_GE] = ">="};
  static const char *const unary[] = {"-", "+", "~"};
  static const char stored[] = "None cannot be stored: its place holds values of another type";
  MlirType first = mlirOperationGetNumOperands(op) ? fact_type(inference, instance, op, 0) : (MlirType){NULL};
  bool is_object = !mlirTypeIsNull(first) &&
                   pyarrayTypeIsOptional(first); // what is None is the object, and not what is stored to it
  *out_exception = kind == PA_OP_GETATTR || (kind == PA_OP_METHOD && is_object) ? "AttributeError" : "TypeError";
  switch (kind) {
  case PA_OP_BINARY:
    return binary_message(inference, op, python_name(fact_type(inference, instance, op, 0)),
                          python_name(fact_type(inference, instance, op, 1)));
  case PA_OP_COMPARE:
    if (compare_kind(op) > PYARRAY_COMPARE_GE) return "argument of type 'NoneType' is not iterable";
    return pa_arena_format(inference->arena, "'%s' not supported between instances of '%s' and '%s'",
                           orders[compare_kind(op)], python_name(fact_type(inference, instance, op, 0)),
                           python_name(fact_type(inference, instance, op, 1)));
  case PA_OP_UNARY:
    return pa_arena_format(inference->arena, "bad operand type for unary %s: 'NoneType'",
                           unary[pyarrayUnaryKindAttrGetValue(pa_get_attr(op, "kind"))]);
  case PA_OP_GETATTR:
  case PA_OP_METHOD: {
    if (kind == PA_OP_METHOD && !is_object) return stored;
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
    return pa_arena_format(inference->arena, "'NoneType' object has no attribute '%.*s'", (int)name.length, name.data);
  }
  case PA_OP_RETURN:
    return pa_arena_format(inference->arena, "expected %s, got None",
                           pa_type_text(inference->arena, instance->declared));
  case PA_OP_GETITEM: return "'NoneType' object is not subscriptable";
  case PA_OP_SETATTR: return stored;
  case PA_OP_SETITEM: return is_object ? "'NoneType' object does not support item assignment" : stored;
  case PA_OP_DELITEM: return "'NoneType' object does not support item deletion";
  case PA_OP_UNPACK: return "cannot unpack non-iterable NoneType object";
  case PA_OP_APPLY: return "the argument must be a number or an object with items, not NoneType";
  default: return "'NoneType' object is not iterable";
  }
}

//===-- Which operands ----------------------------------------------------------------------------===//

static const pa_builtin *builtin_of(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirType callee = fact_type(inference, instance, op, 0);
  return pa_builtin_find(pa_builtin_called(callee));
}

// Functions of compiled code, and builtins that take None, get the value as it is.
static bool takes_none(const pa_builtin *builtin) {
  static const pa_builtin_typing rules[] = {PA_TYPING_ISINSTANCE, PA_TYPING_GIVEN, PA_TYPING_CALLABLE, PA_TYPING_PRINT,
                                            PA_TYPING_TYPE,       PA_TYPING_STR,   PA_TYPING_LIBRARY};
  for (size_t i = 0; builtin && i < sizeof rules / sizeof *rules; ++i)
    if (builtin->typing == rules[i]) return true;
  bool makes_text = builtin && builtin->typing == PA_TYPING_TEXT &&
                    strpbrk(strchr(builtin->target, ' '), "vV"); // repr(), ascii(), format()
  return !builtin || makes_text;
}

// Whether None may be an item, or a dict's value, of what operand 0 is; of what is not known yet, too.
static bool holds_none(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact object = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0));
  if (pa_is_bottom(object)) return true;
  if (pyarrayTypeIsOptional(object.type)) object.type = pyarrayTypeGetItem(object.type);
  MlirType type = object.type;
  if (pyarrayTypeIsArray(type) || pyarrayTypeIsPointer(type) || pa_is_record(type) || pa_is_records(type) ||
      pa_is_memoryview(type))
    return false;
  if (pa_container_of(type) == PA_NO_CONTAINER || object.site) return true; // its items are still found
  pa_typing typing = pa_typing_at(inference, op);
  pa_fact item = pa_container_item(&typing, object, pyarrayTypeIsDict(type));
  return pa_is_bottom(item) || pyarrayTypeIsOptional(item.type) || pyarrayTypeIsNone(item.type);
}

static bool puts_items(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  static const char *const names[] = {"append", "appendleft", "insert", "add"};
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  bool puts = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) puts |= pa_ref_equal(name, names[i]);
  return puts && pa_container_of(fact_type(inference, instance, op, 0)) != PA_NO_CONTAINER &&
         !holds_none(inference, instance, op);
}

// How many operands of a call are needed as values: of a deque what is iterated over, its greatest length may be None.
static intptr_t needed_arguments(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  const pa_builtin *builtin = builtin_of(inference, instance, op);
  MlirAttribute keywords = pa_get_attr(op, "kw");
  intptr_t count = mlirOperationGetNumOperands(op),
           named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords);
  if (builtin && builtin->typing == PA_TYPING_DEQUE) return count - 1 > named ? 2 : 1;
  return takes_none(builtin) ? 1 : count;
}

// The operands [first, last) are needed as values.
static void needed_operands(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                            intptr_t *first, intptr_t *last) {
  intptr_t count = mlirOperationGetNumOperands(op);
  *first = 0, *last = 0;
  switch (kind) {
  case PA_OP_BINARY: *last = 2; break;
  case PA_OP_UNARY: *last = !is_not(op); break;
  case PA_OP_RETURN:
    *last = !mlirTypeIsNull(instance->declared) && !pyarrayTypeIsOptional(instance->declared) &&
            !pyarrayTypeIsNone(instance->declared);
    break;
  case PA_OP_COMPARE:
    if (compare_kind(op) >= PYARRAY_COMPARE_LT && compare_kind(op) <= PYARRAY_COMPARE_GE) *last = 2;
    if (compare_kind(op) == PYARRAY_COMPARE_IN || compare_kind(op) == PYARRAY_COMPARE_NOTIN) *first = 1, *last = 2;
    break;
  case PA_OP_METHOD: *last = puts_items(inference, instance, op) ? count : 1; break;
  case PA_OP_GETATTR:
  case PA_OP_UNPACK:
  case PA_OP_ITER_MORE:
  case PA_OP_ITER_ITEM:
  case PA_OP_ITERATOR:
  case PA_OP_FOR: *last = 1; break;
  case PA_OP_GETITEM:
  case PA_OP_DELITEM: *last = count; break;
  case PA_OP_SETITEM: *last = holds_none(inference, instance, op) ? count - 1 : count; break;
  case PA_OP_SETATTR: *first = 1, *last = holds_none(inference, instance, op) ? 1 : 2; break;
  case PA_OP_APPLY:
    *first = 1;
    *last = needed_arguments(inference, instance, op);
    break;
  default: break;
  }
}

static MlirValue value_within(pa_instance_emitter *e, MlirValue optional, MlirType item) {
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(optional), PA_RESULTS(pa_erased_type(item)),
                  PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "optional.value")}));
}

static MlirValue is_none(pa_instance_emitter *e, MlirValue optional) {
  return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(optional),
                  PA_RESULTS(mlirIntegerTypeGet(pa_emitter_context(e), 1)),
                  PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e), "optional.is_none")}));
}

static void raise_if_none(pa_instance_emitter *e, MlirValue optional, const char *exception, const char *text) {
  MlirBlock raising;
  MlirRegion region = pa_region(e->builder->location, NULL, 0, &raising);
  pa_builder inner = {.context = pa_emitter_context(e), .block = raising, .location = e->builder->location};
  MlirValue message = pa_value(&inner, PA_OP_NAME(CONSTANT), PA_RESULTS(pyarrayStrTypeGet(pa_emitter_context(e))),
                               PA_ATTRS({"value", pa_string_attr(pa_emitter_context(e), text)}));
  pa_op(&inner, PA_OP_NAME(RAISE), PA_OPERANDS(message),
        PA_ATTRS({"exception", pa_string_attr(pa_emitter_context(e), exception)}));
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), .operand_count = 0);
  if (inner.failure && !e->builder->failure) e->builder->failure = inner.failure;
  pa_op(e->builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(is_none(e, optional)), PA_REGIONS(region, mlirRegionCreate()));
}

MlirValue pa_emit_not_none(pa_instance_emitter *e, MlirValue optional, MlirType item, const char *exception,
                           const char *message) {
  raise_if_none(e, optional, exception, message);
  return value_within(e, optional, item);
}

static void save(pa_inference *inference, pa_open_values *open, pa_value_entry entry, intptr_t most) {
  for (int i = 0; i < open->count; ++i)
    if (open->saved[i].key == entry.key) return;
  if (!open->saved) open->saved = PA_NEW_ARRAY(inference->arena, pa_value_entry, most + 1);
  open->saved[open->count++] = entry;
}

// Named tuples and members of enums, taken out of optional values too, become what represents them.
static void open_named(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                       struct pa_instance_emitter *e, pa_open_values *out) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (kind == PA_OP_FOR || kind == PA_OP_RETURN)
    return;                                   // the body may need it as it is: pa_iterated_type; so may the caller
  for (intptr_t i = count - 1; i >= 0; --i) { // the object last: it says what indices are
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType opened = pa_represented_as(inference, instance, op, kind, i);
    if (mlirTypeIsNull(opened)) continue;
    pa_value_entry entry = *pa_value_entry_of(inference, instance, operand);
    save(inference, out, entry, count);
    if (e) entry.typed = pa_emit_represented(e, operand, entry.fact.type);
    entry.fact.type = opened;
    *pa_value_entry_of(inference, instance, operand) = entry;
  }
}

// Whether operand |i| stands for a number: an index, a part of a slice, what is stored to elements.
static bool is_number_place(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                            intptr_t i) {
  if (kind == PA_OP_SLICE) return true;
  MlirType object = kind == PA_OP_GETITEM || kind == PA_OP_SETITEM || kind == PA_OP_DELITEM
                        ? fact_type(inference, instance, op, 0)
                        : (MlirType){NULL};
  if (i == 0 || mlirTypeIsNull(object) || pyarrayTypeIsDict(object)) return false;
  bool stored = kind == PA_OP_SETITEM && i == mlirOperationGetNumOperands(op) - 1;
  return !stored || pyarrayTypeIsArray(object);
}

// An array without axes, there, is its element.
static void open_elements(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                          struct pa_instance_emitter *e, pa_open_values *out) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = fact_type(inference, instance, op, i);
    if (mlirTypeIsNull(type) || !pyarrayTypeIsArray(type) || pyarrayArrayTypeGetRank(type) ||
        !is_number_place(inference, instance, op, kind, i))
      continue;
    MlirType element = pyarrayArrayTypeGetElement(type);
    bool stored = kind == PA_OP_SETITEM && i == count - 1;
    if (!stored && !pa_is_integer(pa_scalar_of(element))) continue;
    MlirValue operand = mlirOperationGetOperand(op, i);
    pa_value_entry entry = *pa_value_entry_of(inference, instance, operand);
    save(inference, out, entry, count);
    if (e)
      entry.typed = pa_value(e->builder, PA_OP_NAME(GETITEM), PA_OPERANDS(pa_emitter_use(e, operand)),
                             PA_RESULTS(pa_erased_type(element)));
    entry.fact = pa_fact_of(element);
    *pa_value_entry_of(inference, instance, operand) = entry;
  }
}

void pa_open_optionals(pa_inference *inference, pa_instance *instance, MlirOperation op, struct pa_instance_emitter *e,
                       pa_open_values *out) {
  intptr_t first, last;
  pa_op_kind kind = pa_kind(&inference->names, op);
  *out = (pa_open_values){0};
  needed_operands(inference, instance, op, kind, &first, &last);
  const char *exception = NULL, *message = NULL;
  for (intptr_t i = first; i < last; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = fact_type(inference, instance, op, i);
    if (!may_be_none(type)) continue;
    if (!message) message = message_of(inference, instance, op, kind, &exception);
    save(inference, out, *pa_value_entry_of(inference, instance, operand), mlirOperationGetNumOperands(op));
    MlirValue within = {NULL};
    pa_fact fact = {.type = pyarrayTypeGetItem(type),
                    .site = pa_fact_within(pa_fact_get(inference, instance, operand)).site};
    if (e) {
      MlirValue optional = pa_emitter_use(e, operand);
      raise_if_none(e, optional, exception, message);
      within = value_within(e, optional, pyarrayTypeGetItem(type));
    }
    *pa_value_entry_of(inference, instance, operand) =
        (pa_value_entry){.key = operand.ptr, .fact = fact, .typed = within};
  }
  open_named(inference, instance, op, kind, e, out);
  open_elements(inference, instance, op, kind, e, out);
}

void pa_close_optionals(pa_inference *inference, pa_instance *instance, const pa_open_values *open) {
  for (int i = 0; i < open->count; ++i)
    *pa_value_entry_of(inference, instance, (MlirValue){open->saved[i].key}) = open->saved[i];
}

//===-- Operations that None takes part in --------------------------------------------------------===//

static bool is_difference(MlirOperation op) {
  return compare_kind(op) == PYARRAY_COMPARE_NE || compare_kind(op) == PYARRAY_COMPARE_ISNOT;
}

static bool is_none_itself(MlirType type) { return !mlirTypeIsNull(type) && pyarrayTypeIsNone(type); }

// The operand that may be None, in a truth test, `not`, or a comparison by ==, != or `is` with anything but None; -1:
// none.
static intptr_t optional_operand(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool compares = kind == PA_OP_COMPARE && (is_difference(op) || compare_kind(op) == PYARRAY_COMPARE_EQ ||
                                            compare_kind(op) == PYARRAY_COMPARE_IS);
  bool identity = compares && (compare_kind(op) == PYARRAY_COMPARE_IS || compare_kind(op) == PYARRAY_COMPARE_ISNOT);
  bool equality = compares && !(identity && (is_none_itself(fact_type(inference, instance, op, 0)) ||
                                             is_none_itself(fact_type(inference, instance, op, 1))));
  if (kind != PA_OP_TRUTH && !equality && !(kind == PA_OP_UNARY && is_not(op))) return -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (may_be_none(fact_type(inference, instance, op, i))) return i;
  return -1;
}

// Walked as if the value were there; None gives |*out_none|.
pa_status pa_walk_optional(pa_inference *inference, pa_instance *instance, MlirOperation op,
                           pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation), bool *out_done) {
  intptr_t at = optional_operand(inference, instance, op);
  *out_done = at >= 0;
  if (at < 0) return PA_OK;
  MlirValue operand = mlirOperationGetOperand(op, at);
  pa_value_entry saved = *pa_value_entry_of(inference, instance, operand);
  pa_value_entry_of(inference, instance, operand)->fact = pa_fact_of(pyarrayTypeGetItem(saved.fact.type));
  bool other;
  pa_status status = pa_walk_optional(inference, instance, op, walk, &other); // of two
  if (!status && !other) status = walk(inference, instance, op);
  *pa_value_entry_of(inference, instance, operand) = saved;
  pa_value_entry_of(inference, instance, mlirOperationGetResult(op, 0))->fact =
      pa_fact_of(mlirIntegerTypeGet(inference->context, 1));
  return status;
}

// What the operation gives where operand |at| is None: None is equal to None alone.
static MlirValue emit_for_none(pa_instance_emitter *e, MlirOperation op, intptr_t at, bool of_none) {
  bool two = pa_kind(&e->inference->names, op) == PA_OP_COMPARE &&
             may_be_none(fact_type(e->inference, e->instance, op, 1 - at));
  if (!two) return pa_emit_literal(e, mlirBoolAttrGet(pa_emitter_context(e), of_none));
  MlirValue none = is_none(e, pa_emitter_use(e, mlirOperationGetOperand(op, 1 - at)));
  MlirAttribute kind = pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT);
  return of_none ? pa_value(e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(none),
                            PA_RESULTS(mlirIntegerTypeGet(pa_emitter_context(e), 1)), PA_ATTRS({"kind", kind}))
                 : none;
}

pa_status pa_emit_optional(pa_instance_emitter *e, MlirOperation op,
                           pa_status (*emit)(pa_instance_emitter *, MlirOperation), bool *out_done) {
  intptr_t at = optional_operand(e->inference, e->instance, op);
  *out_done = at >= 0;
  if (at < 0) return PA_OK;
  MlirType boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1);
  MlirValue operand = mlirOperationGetOperand(op, at), result = mlirOperationGetResult(op, 0),
            optional = pa_emitter_use(e, operand);
  pa_op_kind kind = pa_kind(&e->inference->names, op);
  bool of_none = kind == PA_OP_UNARY || (kind == PA_OP_COMPARE && is_difference(op)), other;
  MlirValue none = is_none(e, optional);
  MlirBlock blocks[2];
  MlirRegion regions[] = {pa_region(e->builder->location, NULL, 0, &blocks[0]),
                          pa_region(e->builder->location, NULL, 0, &blocks[1])};
  pa_builder *outer = e->builder, inner = {.context = outer->context, .block = blocks[0], .location = outer->location};
  e->builder = &inner;
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(emit_for_none(e, op, at, of_none)));
  inner.block = blocks[1];
  pa_value_entry saved = *pa_value_entry_of(e->inference, e->instance, operand);
  MlirType item = pyarrayTypeGetItem(saved.fact.type);
  *pa_value_entry_of(e->inference, e->instance, operand) =
      (pa_value_entry){.key = operand.ptr, .fact = pa_fact_of(item), .typed = value_within(e, optional, item)};
  pa_status status = PA_OK;
  bool function = pa_is_tagged(item, "choice") && kind != PA_OP_COMPARE;
  other = function;
  if (function)
    pa_emitter_map(e, result,
                   pa_emit_literal(e, mlirBoolAttrGet(pa_emitter_context(e), kind == PA_OP_TRUTH))); // it is true
  else
    status = pa_emit_optional(e, op, emit, &other); // of two
  if (!status && !other) status = emit(e, op);
  *pa_value_entry_of(e->inference, e->instance, operand) = saved;
  if (!status) pa_op(&inner, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(pa_emit_cast(e, pa_emitter_use(e, result), boolean)));
  e->builder = outer;
  if (inner.failure && !status)
    status = inner.failure;
  else
    pa_status_free(inner.failure);
  MlirOperation typed =
      pa_op(outer, PA_OP_NAME(SCF_IF), PA_OPERANDS(none), PA_RESULTS(boolean), PA_REGIONS(regions[0], regions[1]));
  if (!mlirOperationIsNull(typed)) pa_emitter_map(e, result, mlirOperationGetResult(typed, 0));
  return status;
}

// What |compare| gives for the value in |optional| and |other|; where it is None, whether the other one is.
static pa_status compare_within(pa_instance_emitter *e, const pa_typing *typing, MlirValue optional, MlirValue other,
                                pa_compare_values compare, MlirValue *out) {
  MlirType boolean = mlirIntegerTypeGet(pa_emitter_context(e), 1), type = mlirValueGetType(other);
  MlirBlock blocks[2];
  MlirRegion regions[] = {pa_region(e->builder->location, NULL, 0, &blocks[0]),
                          pa_region(e->builder->location, NULL, 0, &blocks[1])};
  MlirValue none = is_none(e, optional), values[2];
  pa_builder *outer = e->builder, inner = {.context = outer->context, .block = blocks[0], .location = outer->location};
  e->builder = &inner;
  values[0] = pyarrayTypeIsOptional(type)
                  ? is_none(e, other)
                  : pa_emit_literal(e, mlirBoolAttrGet(pa_emitter_context(e), pyarrayTypeIsNone(type)));
  pa_op(&inner, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(values[0]));
  inner.block = blocks[1];
  pa_status status =
      compare(e, typing, PYARRAY_COMPARE_EQ, value_within(e, optional, pyarrayTypeGetItem(mlirValueGetType(optional))),
              other, &values[1]);
  if (!status) pa_op(&inner, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(pa_emit_cast(e, values[1], boolean)));
  e->builder = outer;
  if (inner.failure && !status)
    status = inner.failure;
  else
    pa_status_free(inner.failure);
  MlirOperation op =
      pa_op(outer, PA_OP_NAME(SCF_IF), PA_OPERANDS(none), PA_RESULTS(boolean), PA_REGIONS(regions[0], regions[1]));
  if (!mlirOperationIsNull(op)) *out = mlirOperationGetResult(op, 0);
  return status;
}

pa_status pa_compare_optional_values(pa_instance_emitter *e, const pa_typing *typing, pyarray_compare_kind kind,
                                     MlirValue lhs, MlirValue rhs, pa_compare_values compare, MlirValue *out,
                                     bool *out_done) {
  bool differ = kind == PYARRAY_COMPARE_NE || kind == PYARRAY_COMPARE_ISNOT, left = may_be_none(mlirValueGetType(lhs));
  *out_done = (differ || kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_IS) &&
              (left || may_be_none(mlirValueGetType(rhs)));
  if (!*out_done) return PA_OK;
  PA_TRY(left ? compare_within(e, typing, lhs, rhs, compare, out) : compare_within(e, typing, rhs, lhs, compare, out));
  MlirAttribute not = pyarrayUnaryKindAttrGet(pa_emitter_context(e), PYARRAY_UNARY_NOT);
  if (differ)
    *out = pa_value(e->builder, PA_OP_NAME(UNARY), PA_OPERANDS(*out),
                    PA_RESULTS(mlirIntegerTypeGet(pa_emitter_context(e), 1)), PA_ATTRS({"kind", not}));
  return PA_OK;
}
