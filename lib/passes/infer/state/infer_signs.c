// Signs of whole numbers in pyarray-infer-types: where an integer meets a uint64, what is known of its sign decides.
//
//   s = 0                        never negative
//   for x in xs: s += x          a sum of such numbers, or of one and a uint64: a uint64 if xs holds those
//
// Signs are not asked for until integers of unknown sign meet uint64, which few programs have. From then on another
// round begins with nothing known but types' and literals' signs, which operations hand on to their results, and calls
// and containers to theirs. What a loop, a function or a container was taken for, and is not, stays unknown in all
// rounds that follow: each of them begins anew, so that what was concluded from it is forgotten, whatever the order in
// which operations are walked.
#include "infer_signs.h"
#include "infer_resolved.h"

#include <string.h>

#include "ir/library.h"

enum { MOST_ROUNDS = 12 }; // then what was concluded stays, and types grow as ever

pa_signs *pa_signs_new(pa_arena *arena) {
  pa_signs *signs = PA_NEW(arena, pa_signs);
  signs->arena = arena;
  return signs;
}

bool pa_signs_are_known(const pa_inference *inference) { return inference->signs->known; }

//===-- Rounds ------------------------------------------------------------------------------------===//

bool pa_signs_take_change(pa_inference *inference) {
  pa_signs *signs = inference->signs;
  bool begins = signs->wanted && !signs->known, again = begins || (signs->changed && signs->rounds < MOST_ROUNDS);
  signs->known |= begins;
  signs->wanted = signs->changed = false;
  signs->rounds += again;
  if (again) pa_sites_forget(inference->sites), signs->kept_count = 0;
  return again;
}

void pa_signs_begin_round(pa_signs *signs) { signs->note_count = signs->kept_count; }

static bool is_unknown(const pa_signs *signs, const void *place, intptr_t index, const pa_instance *instance) {
  for (size_t i = 0; i < signs->unknown_count; ++i)
    if (signs->unknown[i].place == place && signs->unknown[i].index == index && signs->unknown[i].instance == instance)
      return true;
  return false;
}

pa_fact pa_signs_carried(const pa_inference *inference, const void *place, intptr_t index, pa_fact fact) {
  if (fact.signs && is_unknown(inference->signs, place, index, inference->current)) fact.signs = 0;
  return fact;
}

void pa_signs_compare(pa_inference *inference, const void *place, intptr_t index, pa_fact before, pa_fact after) {
  pa_signs *signs = inference->signs;
  bool lost = before.signs && (pa_is_bottom(after) || (before.signs & ~pa_signs_of(after)));
  if (!lost || is_unknown(signs, place, index, inference->current)) return;
  signs->unknown = pa_arena_grow(signs->arena, signs->unknown, signs->unknown_count, &signs->unknown_capacity,
                                 sizeof(pa_unknown_sign));
  signs->unknown[signs->unknown_count++] = (pa_unknown_sign){place, inference->current, index};
  signs->changed = true;
}

//===-- Notes -------------------------------------------------------------------------------------===//

void pa_warn_of_signs(pa_inference *inference) {
  const pa_signs *signs = inference->signs;
  for (size_t i = 0; i < signs->note_count; ++i)
    pa_warn(
        inference->module, pa_source_location(inference->arena, signs->notes[i].location), "types",
        pa_arena_format(inference->arena,
                        "%s is a float64, which has 53 bits; write np.uint64(...) or np.int64(...) where that is meant",
                        signs->notes[i].what));
}

//===-- Calls -------------------------------------------------------------------------------------===//

// Whose arguments are not negative where the result is not.
typedef enum sign_rule { ALWAYS, ALL, ANY, FIRST, LAST } sign_rule;

static const struct {
  const char *name;
  sign_rule rule;
} sign_rules[] = {
    {"builtins.len", ALWAYS},     {"builtins.abs", ALWAYS},     {"builtins.ord", ALWAYS},
    {"numpy.absolute", ALWAYS},   {"numpy.square", ALWAYS},     {"numpy.gcd", ALWAYS},
    {"numpy.lcm", ALWAYS},        {"math.gcd", ALWAYS},         {"math.lcm", ALWAYS},
    {"math.isqrt", ALWAYS},       {"math.comb", ALWAYS},        {"math.perm", ALWAYS},
    {"math.factorial", ALWAYS},   {"list.index", ALWAYS},       {"list.count", ALWAYS},
    {"deque.index", ALWAYS},      {"deque.count", ALWAYS},      {"str.index", ALWAYS},
    {"str.count", ALWAYS},        {"bytes.index", ALWAYS},      {"bytes.count", ALWAYS},
    {"range.index", ALWAYS},      {"range.count", ALWAYS},      {"number.bit_length", ALWAYS},
    {"number.bit_count", ALWAYS}, {"cuda.grid", ALWAYS},        {"cuda.gridsize", ALWAYS},
    {"cuda.laneid", ALWAYS},      {"cuda.warpsize", ALWAYS},    {"cuda.popc", ALWAYS},
    {"cuda.clz", ALWAYS},         {"cuda.ffs", ALWAYS},         {"builtins.min", ALL},
    {"builtins.max", ANY},        {"numpy.minimum", ALL},       {"numpy.maximum", ANY},
    {"numpy.fmin", ALL},          {"numpy.fmax", ANY},          {"numpy.add", ALL},
    {"numpy.multiply", ALL},      {"numpy.floor_divide", ALL},  {"numpy.bitwise_or", ALL},
    {"numpy.bitwise_xor", ALL},   {"numpy.bitwise_and", ANY},   {"numpy.remainder", LAST},
    {"numpy.left_shift", FIRST},  {"numpy.right_shift", FIRST}, {"builtins.pow", FIRST},
    {"numpy.power", FIRST},       {"builtins.round", FIRST},    {"builtins.int", FIRST},
};

static bool is_index_of_thread(const char *name) {
  return strncmp(name, "cuda.threadIdx", 14) == 0 || strncmp(name, "cuda.block", 10) == 0 ||
         strncmp(name, "cuda.gridDim", 12) == 0;
}

// Of a number that goes up from |first|, or down to |stop|.
static bool is_natural_range(const pa_fact *arguments, int count) {
  int64_t stop;
  if (count == 1) return true;
  if (!pa_is_natural(arguments[0]))
    return count == 3 && pa_literal_int(arguments[1], &stop) && stop >= -1 && !pa_is_bottom(arguments[2]) &&
           pa_literal_int(arguments[2], &(int64_t){0}) && !pa_is_natural(arguments[2]);
  return count == 2 || pa_is_natural(arguments[2]) || (pa_literal_int(arguments[1], &stop) && stop >= -1);
}

static uint64_t signs_by_rule(const char *name, const pa_fact *arguments, int count) {
  if (is_index_of_thread(name)) return ~(uint64_t)0;
  if (strcmp(name, "builtins.range") == 0 || strcmp(name, "pyarray.prange") == 0)
    return is_natural_range(arguments, count);
  if (strcmp(name, "builtins.divmod") == 0)
    return (pa_is_natural(arguments[0]) && pa_is_natural(arguments[1])) | (uint64_t)pa_is_natural(arguments[1]) << 1;
  size_t row = 0, rows = sizeof sign_rules / sizeof *sign_rules;
  while (row < rows && strcmp(sign_rules[row].name, name)) ++row;
  if (row == rows) return 0;
  bool all = true, any = false;
  if (count == 1 && mlirTypeIsATuple(arguments[0].type)) { // min(t)
    MlirType tuple = arguments[0].type;
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(tuple); ++i) {
      bool natural = pa_is_natural(pa_sign_element(tuple, pa_signs_of(arguments[0]), i));
      all &= natural, any |= natural;
    }
    return sign_rules[row].rule == ALWAYS || (sign_rules[row].rule == ANY ? any : all);
  }
  for (int i = 0; i < count; ++i) {
    if (pa_is_bottom(arguments[i])) continue;
    bool natural = pa_is_natural(arguments[i]);
    all &= natural, any |= natural;
  }
  switch (sign_rules[row].rule) {
  case ALWAYS: return ~(uint64_t)0;
  case ALL: return all;
  case ANY: return any;
  case FIRST: return pa_is_natural(arguments[0]);
  default: return pa_is_natural(arguments[count - 1]);
  }
}

// A conversion keeps the sign of what fits: a value that is known, or an integer that is no wider.
static uint64_t signs_of_cast(pa_fact from, MlirType to) {
  pa_scalar a = pa_scalar_of(from.type), b = pa_scalar_of(to);
  if (mlirTypeEqual(from.type, to)) return pa_signs_of(from);
  if (a == PA_BOOL) return 1;
  int64_t value;
  if (!pa_is_integer(a) || !pa_is_integer(b) || !pa_is_natural(from)) return 0;
  if (pa_literal_int(from, &value) && value >> (8 * pa_scalar_bytes(b) - 1) == 0) return 1;
  return b == PA_I64 || pa_scalar_bytes(b) > pa_scalar_bytes(a) ||
         (pa_scalar_bytes(b) == pa_scalar_bytes(a) && pa_is_signed(a));
}

// A tuple that is held, as enumerate(xs, 1) is (xs, 1).
static uint64_t signs_of_sources(pa_inference *inference, const pa_call_plan *plan, const pa_fact *arguments) {
  uint64_t *signs = PA_NEW_ARRAY(inference->arena, uint64_t, plan->operand_count + 1);
  for (int i = 0; i < plan->operand_count; ++i) {
    pa_source source = plan->sources[i];
    pa_fact fact =
        source.argument < 0 ? pa_literal_fact(inference->context, source.constant) : arguments[source.argument];
    signs[i] = source.element >= 0 ? 0 : pa_signs_of(fact);
  }
  return pa_signs_of_parts(plan->operands, signs, plan->operand_count);
}

// Builtins that do not keep their arguments.
static bool is_reader(const pa_builtin *builtin) {
  static const char *const modules[] = {"builtins.", "numpy.", "math.", "cuda."};
  bool reads = false;
  for (size_t i = 0; i < sizeof modules / sizeof *modules; ++i)
    reads = reads || strncmp(builtin->name, modules[i], strlen(modules[i])) == 0;
  return reads && strcmp(builtin->name, "builtins.dict");
}

// What a named tuple, or a container, holds from now on; that of enumerate and the like is read only.
static void let_escape(pa_inference *inference, const pa_call_plan *plan, const pa_fact *arguments, int count) {
  bool holds = plan->kind == PA_PLAN_TUPLE && !pa_is_iterable_tag(plan->result),
       reads = !plan->builtin || is_reader(plan->builtin);
  for (int i = holds ? 0 : 1; (holds || !reads) && i < count; ++i)
    pa_site_escapes(inference->sites, inference->signs, arguments[i]);
}

pa_fact pa_sign_call(pa_inference *inference, pa_instance *instance, const pa_resolved_call *call, pa_fact result) {
  const pa_call_plan *plan = &call->plan;
  if (!inference->signs->known || pa_is_bottom(result)) return result;
  pa_fact *arguments = PA_NEW_ARRAY(inference->arena, pa_fact, call->count + 1);
  for (int i = 0; i < call->count; ++i) {
    if (!mlirValueIsNull(call->arguments[i]))
      arguments[i] = pa_fact_get(inference, instance, call->arguments[i]);
    else if (call->constants && !mlirAttributeIsNull(call->constants[i]))
      arguments[i] = pa_literal_fact(inference->context, call->constants[i]);
  }
  let_escape(inference, plan, arguments, call->count);
  uint64_t signs = plan->builtin && call->count && !call->typed
                       ? signs_by_rule(plan->builtin->name, arguments, call->count)
                       : plan->builtin && is_index_of_thread(plan->builtin->name);
  if (plan->kind == PA_PLAN_TUPLE) signs |= signs_of_sources(inference, plan, arguments);
  bool casts = plan->kind == PA_PLAN_CAST && plan->operand_count == 1 && plan->sources[0].argument >= 0 &&
               plan->sources[0].element < 0;
  if (casts) signs = signs_of_cast(arguments[plan->sources[0].argument], plan->result);
  return pa_with_signs(result, signs | pa_signs_of(result));
}

pa_fact pa_sign_result(pa_inference *inference, MlirOperation function, pa_fact result) {
  if (!inference->signs->known || pa_is_bottom(result) ||
      mlirAttributeIsNull(pa_get_attr(function, "pyarray.no_frame")))
    return result;
  const char *name = pa_attr_text(inference->arena, pa_get_attr(function, "sym_name"));
  for (size_t row = 0; row < sizeof sign_rules / sizeof *sign_rules; ++row)
    if (sign_rules[row].rule == ALWAYS && strcmp(sign_rules[row].name, name) == 0)
      return pa_with_signs(result, ~(uint64_t)0);
  return result;
}

pa_fact pa_sign_class_operation(pa_inference *inference, pa_instance *instance, const pa_class_plan *plan,
                                pa_fact result) {
  if (!inference->signs->known || pa_is_bottom(result)) return result;
  if (plan->kind == PA_CLASS_TUPLE) return pa_sign_tuple(inference, instance, plan->values, plan->element, result);
  bool element = plan->kind == PA_CLASS_ELEMENT;
  if (!element && plan->kind != PA_CLASS_VALUE) return result;
  pa_fact object = pa_fact_get(inference, instance, plan->object);
  MlirType tuple = pyarrayTypeIsTagged(object.type) ? pyarrayTaggedTypeGetItem(object.type) : object.type;
  if (element && !mlirTypeIsATuple(tuple)) return result;
  uint64_t signs = pa_signs_of(object);
  return pa_with_signs(result, element ? pa_signs_of_element(tuple, signs, plan->element) : signs);
}

//===-- Operations --------------------------------------------------------------------------------===//

static uint64_t signs_of_binary(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact a = pa_operand_fact(inference, instance, op, 0), b = pa_operand_fact(inference, instance, op, 1);
  pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  if (mlirTypeIsATuple(a.type) && mlirTypeIsATuple(b.type))
    return pa_signs_of_parts((MlirType[]){a.type, b.type}, (uint64_t[]){pa_signs_of(a), pa_signs_of(b)}, 2);
  return pa_gives_natural(kind, pa_is_natural(a), pa_is_natural(b));
}

// The bits of an item of a list or a range come first, as those of a slice.
static uint64_t signs_of_getitem(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact object = pa_operand_fact(inference, instance, op, 0);
  uint64_t signs = pa_signs_of(object);
  MlirType tuple = pa_is_tagged(object.type, "namedtuple") ? pyarrayTaggedTypeGetItem(object.type) : object.type;
  if (pyarrayTypeIsDict(object.type)) return pa_signs_moved(signs, -pa_number_count(pyarrayTypeGetItem(object.type)));
  if (pyarrayTypeIsRange(object.type) || pa_container_of(object.type) != PA_NO_CONTAINER) return signs;
  if (!mlirTypeIsATuple(tuple) || mlirOperationGetNumOperands(op) != 2) return 0;
  bool is_slice;
  int64_t start, step, position;
  intptr_t length, count = mlirTupleTypeGetNumTypes(tuple);
  pa_status status = pa_tuple_slice(inference, instance, op, &is_slice, &start, &step, &length);
  if (status) return pa_status_free(status), 0;
  if (is_slice) return step == 1 ? pa_signs_of_element(tuple, signs, start) : 0;
  if (!pa_literal_int(pa_operand_fact(inference, instance, op, 1), &position)) return pa_signs_of_all(tuple, signs);
  if (position < 0) position += count;
  return position >= 0 && position < count ? pa_signs_of_element(tuple, signs, position) : 0;
}

static void sign_unpacked(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_fact whole = pa_operand_fact(inference, instance, op, 0);
  MlirType tuple = pa_is_tagged(whole.type, "namedtuple") ? pyarrayTaggedTypeGetItem(whole.type) : whole.type;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    pa_value_entry *entry = pa_value_entry_of(inference, instance, mlirOperationGetResult(op, i));
    bool element = mlirTypeIsATuple(tuple) && i < mlirTupleTypeGetNumTypes(tuple);
    uint64_t signs =
        element ? pa_signs_of_element(tuple, pa_signs_of(whole), i) : pa_signs_of_item(whole.type, pa_signs_of(whole));
    entry->fact = pa_with_signs(entry->fact, entry->fact.signs | signs);
  }
}

static uint64_t signs_of_attribute(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  static const char *const sizes[] = {"shape", "size", "ndim", "itemsize", "nbytes"};
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  pa_fact object = pa_operand_fact(inference, instance, op, 0);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    if (pa_ref_equal(name, sizes[i]) && !pyarrayTypeIsObject(object.type)) return ~(uint64_t)0;
  return pa_is_natural(object) && (pa_ref_equal(name, "real") || pa_ref_equal(name, "numerator"));
}

static uint64_t signs_of_result(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind) {
  switch (kind) {
  case PA_OP_BINARY: return signs_of_binary(inference, instance, op);
  case PA_OP_UNARY:
    return pyarrayUnaryKindAttrGetValue(pa_get_attr(op, "kind")) == PYARRAY_UNARY_POS &&
           pa_is_natural(pa_operand_fact(inference, instance, op, 0));
  case PA_OP_GETITEM: return signs_of_getitem(inference, instance, op);
  case PA_OP_GETATTR: return signs_of_attribute(inference, instance, op);
  case PA_OP_ITER_ITEM:
    return pa_signs_of_item(pa_operand_fact(inference, instance, op, 0).type,
                            pa_signs_of(pa_operand_fact(inference, instance, op, 0)));
  case PA_OP_ITERATOR: return pa_signs_of(pa_operand_fact(inference, instance, op, 0));
  default: return 0;
  }
}

//===-- Containers that others may change ---------------------------------------------------------===//

bool pa_only_reads(MlirOperation function) {
  static const char *const readers[] = {"builtins.",       "itertools.",  "functools.reduce",
                                        "bisect.bisect",   "heapq.merge", "heapq.nlargest",
                                        "heapq.nsmallest", "statistics.", "math."};
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  bool reads = false;
  for (size_t i = 0; i < sizeof readers / sizeof *readers; ++i)
    reads |= name.length >= strlen(readers[i]) && strncmp(name.data, readers[i], strlen(readers[i])) == 0;
  return reads && !mlirAttributeIsNull(pa_get_attr(function, "pyarray.no_frame"));
}

void pa_signs_pass(pa_inference *inference, pa_instance *instance, const pa_resolved_call *call) {
  if (!inference->signs->known || !call->instance || pa_only_reads(call->instance->function)) return;
  for (int i = 0; i < call->count; ++i)
    if (!mlirValueIsNull(call->arguments[i]))
      pa_site_escapes(inference->sites, inference->signs, pa_fact_get(inference, instance, call->arguments[i]));
}

// What is stored where another name of it may be.
static bool hands_on(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind) {
  switch (kind) {
  case PA_OP_TUPLE:
  case PA_OP_LIST:
  case PA_OP_DICT:
  case PA_OP_CLOSURE:
  case PA_OP_SETATTR:
  case PA_OP_SETITEM:
  case PA_OP_SUSPEND: return true;
  case PA_OP_GETATTR: {
    pa_fact result = pa_fact_get(inference, instance, mlirOperationGetResult(op, 0));
    return !pa_is_bottom(result) && pa_is_tagged(result.type, "function");
  }
  case PA_OP_METHOD: return true; // xs.append(ys)
  default: return false;
  }
}

//===-- Variables that nested functions share -----------------------------------------------------===//

// The parameter of the instance's function that |value| is.
static bool is_parameter(const pa_instance *instance, MlirValue value, intptr_t *out_index) {
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), pa_body(instance->function, 0)))
    return false;
  return *out_index = mlirBlockArgumentGetArgNumber(value), true;
}

// Whatever instance it is, |function| puts numbers of unknown sign into what it captured as parameter |index|.
static void put_unknown(pa_signs *signs, MlirOperation function, intptr_t index) {
  if (is_unknown(signs, function.ptr, index, NULL)) return;
  signs->unknown = pa_arena_grow(signs->arena, signs->unknown, signs->unknown_count, &signs->unknown_capacity,
                                 sizeof(pa_unknown_sign));
  signs->unknown[signs->unknown_count++] = (pa_unknown_sign){function.ptr, NULL, index};
  signs->changed = true;
}

// Such a variable is in a list of one item, which functions capture and append to where they bind it.
static void share_variables(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind) {
  intptr_t index;
  if (kind == PA_OP_METHOD && mlirOperationGetNumOperands(op) == 2 &&
      is_parameter(instance, mlirOperationGetOperand(op, 0), &index)) {
    pa_fact variable = pa_operand_fact(inference, instance, op, 0), value = pa_operand_fact(inference, instance, op, 1);
    bool loses = !pa_is_bottom(variable) && !pa_is_bottom(value) && (pa_signs_of(variable) & ~pa_signs_of(value));
    if (loses && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "append"))
      put_unknown(inference->signs, instance->function, index);
  }
  if (kind != PA_OP_CLOSURE) return;
  MlirOperation function = pa_lookup(inference->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "function")));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_unknown(inference->signs, function.ptr, i, NULL)) continue;
    if (is_parameter(instance, mlirOperationGetOperand(op, i), &index))
      put_unknown(inference->signs, instance->function, index);
    pa_site_loses_signs(inference->sites, inference->signs, pa_operand_fact(inference, instance, op, i));
  }
}

// A tuple of what is read no more.
static bool is_returned(const pa_inference *inference, MlirOperation op, pa_op_kind kind) {
  MlirOpOperand use = kind == PA_OP_TUPLE ? mlirValueGetFirstUse(mlirOperationGetResult(op, 0)) : (MlirOpOperand){NULL};
  bool returned = !mlirOpOperandIsNull(use);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    returned &= pa_kind(&inference->names, mlirOpOperandGetOwner(use)) == PA_OP_RETURN;
  return returned;
}

void pa_find_signs(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool returned = is_returned(inference, op, kind);
  share_variables(inference, instance, op, kind);
  intptr_t first = kind == PA_OP_METHOD || kind == PA_OP_SETITEM || kind == PA_OP_SETATTR;
  for (intptr_t i = first; !returned && hands_on(inference, instance, op, kind) && i < mlirOperationGetNumOperands(op);
       ++i)
    pa_site_escapes(inference->sites, inference->signs, pa_operand_fact(inference, instance, op, i));
  if (kind == PA_OP_UNPACK && !pa_has_bottom_operand(inference, instance, op))
    return sign_unpacked(inference, instance, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    pa_value_entry *entry = pa_value_entry_of(inference, instance, mlirOperationGetResult(op, i));
    if (pa_is_bottom(entry->fact)) continue;
    bool pure = mlirOperationGetNumResults(op) == 1 && !pa_has_bottom_operand(inference, instance, op);
    uint64_t signs = pa_signs_of(entry->fact) | (pure ? signs_of_result(inference, instance, op, kind) : 0);
    MlirValue *parts = PA_NEW_ARRAY(inference->arena, MlirValue, mlirOperationGetNumOperands(op) + 1);
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) parts[k] = mlirOperationGetOperand(op, k);
    entry = pa_value_entry_of(inference, instance, mlirOperationGetResult(op, i)); // which may have moved
    bool tuple = kind == PA_OP_TUPLE || kind == PA_OP_CLOSURE;
    if (returned)
      entry->fact = pa_signed_tuple(inference, instance, parts, mlirOperationGetNumOperands(op), entry->fact, false);
    else
      entry->fact = tuple ? pa_sign_tuple(inference, instance, parts, mlirOperationGetNumOperands(op), entry->fact)
                          : pa_with_signs(entry->fact, signs);
  }
}
