// collections.Counter, defaultdict and OrderedDict in pyarray-infer-types: dicts whose facts are tagged with their
// class. A subscript, and what else the class has of its own, is a function of the library; for all that is not said
// here they are the dict (pa_open_optionals).
//
//   %c = pyarray.apply %Counter(%text)      %d = pyarray.dict; %c = @counter.filled with (%d, %text)
//   %n = pyarray.getitem %c[%key]           @counter.item with (%c, %key)
//   tagged<"counter", unit, dict<!pyarray.str, si64>>, tagged<"defaultdict", type of the factory, dict<...>>
#include <string.h>

#include "infer_calls.h"
#include "infer_containers.h"

static bool is_counter(MlirType type) { return pa_is_tagged(type, "counter"); }

static pa_status call(pa_class_operation *o, const char *function, const MlirValue *arguments, intptr_t count) {
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, count);
}

//===-- New ones ----------------------------------------------------------------------------------===//

// An empty one of |kind|, made here.
static MlirValue make_empty(pa_class_operation *o, const char *kind, MlirAttribute tag) {
  pa_fact fact = pa_container_here(&o->typing, PA_DICT);
  fact.type = pyarrayTaggedTypeGet(pa_ref(kind), tag, fact.type);
  return pa_make_dict(o->inference, o->instance, o->op, fact);
}

// The factory as the tag of the type.
static pa_status factory_tag(pa_class_operation *o, MlirType type, MlirAttribute *out_tag) {
  bool nested = pa_is_tagged(type, "function") && mlirTupleTypeGetNumTypes(pyarrayTaggedTypeGetItem(type)) == 0;
  if (nested) type = pyarrayCallableTypeGet(pyarrayTaggedTypeGetTag(type));
  if (pyarrayTypeIsCallable(type)) return *out_tag = mlirTypeAttrGet(type), PA_OK;
  return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED,
                        "the first argument of defaultdict() is a value of type %s\nhint: give it a class such as int "
                        "or list, a compiled function, or a lambda that uses no variables",
                        pa_type_text(o->inference->arena, type));
}

// ORDER CLASSES: the classes, and the modules of the library that are named after them.
static const struct {
  const char *callee, *kind;
  bool has_factory;
} classes[] = {{"collections.Counter", "counter", false},
               {"collections.OrderedDict", "ordereddict", false},
               {"collections.defaultdict", "defaultdict", true}};
enum { CLASS_COUNT = sizeof classes / sizeof *classes };

static const char *function_of(const pa_class_operation *o, const char *kind, const char *name) {
  return pa_arena_format(o->inference->arena, "%s.%s", kind, name);
}

static pa_status decide_new(pa_class_operation *o, int class) {
  PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
  MlirAttribute keywords = o->inference->keywords, tag = pa_unit_attr(o->inference->context);
  intptr_t named = mlirAttributeIsNull(keywords) ? 0 : mlirArrayAttrGetNumElements(keywords),
           first = classes[class].has_factory;
  intptr_t count = o->inference->given_count - 1 - named;
  const char *name = strchr(classes[class].callee, '.') + 1;
  if (count < first || count > first + 1)
    return pa_typing_fail(
        &o->typing, PA_CODE_TYPING,
        first ? "%s() takes a factory, and at most 1 other argument" : "%s() takes at most 1 argument", name);
  if (first) PA_TRY(factory_tag(o, pa_fact_get(o->inference, o->instance, o->inference->given[1]).type, &tag));
  MlirValue *arguments = PA_NEW_ARRAY(o->inference->arena, MlirValue, o->inference->given_count + 1);
  for (intptr_t i = first; i < count + named; ++i) arguments[1 + i - first] = o->inference->given[1 + i];
  arguments[0] = make_empty(o, classes[class].kind, tag);
  return call(o, function_of(o, classes[class].kind, "filled"), arguments, 1 + count + named - first);
}

//===-- Operations --------------------------------------------------------------------------------===//

// A method that the class has of its own; "filled" gives a new one, which comes before the others.
static const struct {
  const char *kind, *name, *function;
} methods[] = {
    {"counter", "copy", "filled"},
    {"counter", "elements", "elements"},
    {"counter", "most_common", "most_common"},
    {"counter", "subtract", "subtract"},
    {"counter", "total", "total"},
    {"counter", "update", "update"},
    {"defaultdict", "copy", "filled"},
    {"ordereddict", "copy", "filled"},
    {"ordereddict", "move_to_end", "move_to_end"},
    {"ordereddict", "popitem", "popitem"},
};

bool pa_dict_class_has_method(MlirType type, const char *name) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
    if (strcmp(name, methods[i].name) == 0 && pa_is_tagged(type, methods[i].kind)) return true;
  return false;
}

static pa_status decide_method(pa_class_operation *o, MlirType type) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    if (!pa_ref_equal(name, methods[i].name) || !pa_is_tagged(type, methods[i].kind)) continue;
    const char *function = function_of(o, methods[i].kind, methods[i].function);
    PA_TRY(pa_take_operands(o->inference, o->instance, o->op));
    if (strcmp(methods[i].function, "filled") != 0)
      return call(o, function, o->inference->given, o->inference->given_count);
    MlirValue self = o->inference->given[0],
              arguments[] = {make_empty(o, methods[i].kind, pyarrayTaggedTypeGetTag(type)), self};
    return call(o, function, arguments, 2);
  }
  return PA_OK;
}

static bool are_ordered(const pa_class_operation *o) {
  return pa_is_tagged(pa_operand_type(o, 0), "ordereddict") && pa_is_tagged(pa_operand_type(o, 1), "ordereddict");
}

static pa_status decide_binary(pa_class_operation *o) {
  static const struct {
    pyarray_binary_kind kind;
    const char *function;
  } rows[] = {{PYARRAY_BINARY_ADD, "counter.added"},
              {PYARRAY_BINARY_SUB, "counter.subtracted"},
              {PYARRAY_BINARY_AND, "counter.least"},
              {PYARRAY_BINARY_OR, "counter.greatest"}};
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool in_place = !mlirAttributeIsNull(pa_get_attr(o->op, "inplace"));
  if (are_ordered(o) && kind == PYARRAY_BINARY_OR && !in_place)
    return call(o, "ordereddict.joined",
                (MlirValue[]){make_empty(o, "ordereddict", pyarrayTaggedTypeGetTag(pa_operand_type(o, 0))),
                              pa_operand_of(o, 0), pa_operand_of(o, 1)},
                3);
  for (size_t i = 0;
       i < sizeof rows / sizeof *rows && is_counter(pa_operand_type(o, 0)) && is_counter(pa_operand_type(o, 1)); ++i) {
    if (rows[i].kind != kind) continue;
    MlirValue arguments[] = {make_empty(o, "counter", pyarrayTaggedTypeGetTag(pa_operand_type(o, 0))),
                             pa_operand_of(o, 0), pa_operand_of(o, 1)};
    if (!in_place) return call(o, rows[i].function, arguments, 3);
    return call(o, pa_arena_format(o->inference->arena, "%s_in_place", rows[i].function), arguments, 3);
  }
  return PA_OK;
}

// +c and -c: a new one of the positive counts.
static pa_status decide_unary(pa_class_operation *o) {
  static const char *const functions[] = {[PYARRAY_UNARY_NEG] = "counter.negative",
                                          [PYARRAY_UNARY_POS] = "counter.positive"};
  int kind = pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind"));
  if (kind != PYARRAY_UNARY_NEG && kind != PYARRAY_UNARY_POS) return PA_OK;
  return call(
      o, functions[kind],
      (MlirValue[]){make_empty(o, "counter", pyarrayTaggedTypeGetTag(pa_operand_type(o, 0))), pa_operand_of(o, 0)}, 2);
}

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE,
       counters = is_counter(pa_operand_type(o, 0)) && is_counter(pa_operand_type(o, 1));
  static const struct {
    const char *function;
    bool swapped;
  } orders[] = {[PYARRAY_COMPARE_LT] = {"counter.less", false},
                [PYARRAY_COMPARE_LE] = {"counter.at_most", false},
                [PYARRAY_COMPARE_GT] = {"counter.less", true},
                [PYARRAY_COMPARE_GE] = {"counter.at_most", true}};
  bool ordered = counters && kind >= PYARRAY_COMPARE_LT && kind <= PYARRAY_COMPARE_GE;
  if (ordered)
    return call(o, orders[kind].function,
                (MlirValue[]){pa_operand_of(o, orders[kind].swapped), pa_operand_of(o, !orders[kind].swapped)}, 2);
  if (!equality || (!counters && !are_ordered(o))) return PA_OK;
  o->plan->truth = true;
  o->plan->negated = kind == PYARRAY_COMPARE_NE;
  return call(o, counters ? "counter.equal" : "ordereddict.equal",
              (MlirValue[]){pa_operand_of(o, 0), pa_operand_of(o, 1)}, 2);
}

static pa_status decide_item(pa_class_operation *o, MlirType type) {
  intptr_t count = mlirOperationGetNumOperands(o->op) - 1;
  MlirValue *parts = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) parts[i] = pa_operand_of(o, 1 + i);
  MlirValue key = count == 1 ? parts[0] : pa_make_tuple(o->inference, o->instance, o->op, parts, (int)count);
  const char *function = o->kind == PA_OP_DELITEM ? "counter.delete"
                         : is_counter(type)       ? "counter.item"
                                                  : "defaultdict.item";
  return call(o, function, (MlirValue[]){pa_operand_of(o, 0), key}, 2);
}

pa_status pa_plan_dict_class_operation(pa_class_operation *o) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(o->op); ++i)
    if (mlirTypeIsNull(pa_operand_type(o, i))) return PA_OK;
  MlirType first = pa_operand_type(o, 0);
  MlirStringRef callee = pa_builtin_called(first);
  for (int class = 0; o->kind == PA_OP_APPLY && class < CLASS_COUNT; ++class)
    if (pa_ref_equal(callee, classes[class].callee)) return decide_new(o, class);
  if (o->kind == PA_OP_BINARY) return decide_binary(o);
  if (o->kind == PA_OP_COMPARE) return decide_compare(o);
  if (!pa_is_dict_class(first)) return PA_OK;
  if (o->kind == PA_OP_METHOD) return decide_method(o, first);
  if (o->kind == PA_OP_UNARY && is_counter(first)) return decide_unary(o);
  if (pa_is_tagged(first, "ordereddict")) return PA_OK;
  return o->kind == PA_OP_GETITEM || (o->kind == PA_OP_DELITEM && is_counter(first)) ? decide_item(o, first) : PA_OK;
}
