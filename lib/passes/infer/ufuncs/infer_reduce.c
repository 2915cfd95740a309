// Reductions of arrays in pyarray-infer-types: np.sum(a, axis=0), a.sum(0), np.add.reduce(a).
//
// A row of builtins.def with the typing rule REDUCE names the word of pyarray.reduce, and its parameters; what the
// arguments say is planned here, and emitted by infer_reduce_emit.c. Where the axis is not known when the function is
// compiled, or is none of the array's, a function of the library reduces a view with that axis as the last one.
#include "infer_reduce.h"

#include <string.h>

#include "infer_parameters.h"
#include "ir/library.h"
#include "typing_rules.h"

//===-- Arguments ---------------------------------------------------------------------------------===//

typedef struct reduce_call {
  pa_inference *inference;
  pa_instance *instance;
  pa_typing typing;
  const pa_builtin *builtin;
  pa_parameter parameters[PA_MOST_REDUCE_PARAMETERS];
  MlirValue values[PA_MOST_REDUCE_PARAMETERS];
  int count;
  const char *word; // of pyarray.reduce, | or &; or the function of the library
  bool first_axis;  // is folded where no axis is given
} reduce_call;

static pa_fact fact_of(const reduce_call *c, MlirValue value) { return pa_fact_get(c->inference, c->instance, value); }

// The argument |name|; null where it was not given, or is None.
static MlirValue argument(const reduce_call *c, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < c->count; ++i) {
    if (c->parameters[i].length != length || memcmp(c->parameters[i].name, name, length) != 0) continue;
    MlirValue value = c->values[i];
    return mlirValueIsNull(value) || pyarrayTypeIsNone(fact_of(c, value).type) ? (MlirValue){NULL} : value;
  }
  return (MlirValue){NULL};
}

static bool is_given(const reduce_call *c, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < c->count; ++i)
    if (c->parameters[i].length == length && memcmp(c->parameters[i].name, name, length) == 0)
      return !mlirValueIsNull(c->values[i]);
  return false;
}

static bool has_parameter(const reduce_call *c, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < c->count; ++i)
    if (c->parameters[i].length == length && memcmp(c->parameters[i].name, name, length) == 0) return true;
  return false;
}

static pa_status read_arguments(reduce_call *c, MlirOperation op, intptr_t skip, bool self, bool *out_bottom) {
  c->count = pa_parse_parameters(c->builtin->parameters, c->parameters, PA_MOST_REDUCE_PARAMETERS);
  PA_TRY(pa_bind_arguments(c->inference, op, c->builtin->name, c->parameters, c->count, skip, self, c->values));
  for (int i = 0; i < c->count; ++i)
    if (!mlirValueIsNull(c->values[i]) && pa_is_bottom(fact_of(c, c->values[i]))) *out_bottom = true;
  return PA_OK;
}

//===-- Axes --------------------------------------------------------------------------------------===//

// An axis that the array does not have, or has twice, is an error when the program runs. What has no dimensions has an
// axis 0, but for means, as NumPy has it.
static void fold_axis(const reduce_call *c, pa_reduction *r, int64_t axis) {
  bool is_mean = *c->word == ':' && has_parameter(c, "where");
  if (r->rank == 0 && !is_mean && (axis == 0 || axis == -1)) return;
  bool *folded = axis < -r->rank || axis >= r->rank ? NULL : &r->folded[axis < 0 ? axis + r->rank : axis];
  r->axis_at_run_time |= !folded || *folded;
  if (r->axis_at_run_time) return;
  *folded = true;
  ++r->folded_count;
}

static pa_status take_axis_of_run_time(const reduce_call *c, pa_reduction *r, MlirType type) {
  r->axis_at_run_time = true;
  if (pa_is_integer(pa_scalar_of(type))) return PA_OK;
  return pa_typing_fail(&c->typing, PA_CODE_TYPING, "%s(): axis has type %s; expected an integer", r->name,
                        pa_type_text(c->typing.arena, type));
}

static pa_status fold_tuple(const reduce_call *c, pa_reduction *r, MlirValue tuple) {
  if (strncmp(r->word, "arg", 3) == 0)
    return pa_typing_fail(&c->typing, PA_CODE_TYPING, "%s(): the axis is one integer or None, not a tuple", r->name);
  MlirOperation op = mlirValueIsAOpResult(tuple) ? mlirOpResultGetOwner(tuple) : (MlirOperation){NULL};
  bool known = !mlirOperationIsNull(op) && pa_kind(&c->inference->names, op) == PA_OP_TUPLE;
  MlirType type = fact_of(c, tuple).type;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i) {
    int64_t axis;
    if (known && pa_literal_int(fact_of(c, mlirOperationGetOperand(op, i)), &axis))
      fold_axis(c, r, axis);
    else
      PA_TRY(take_axis_of_run_time(c, r, mlirTupleTypeGetType(type, i)));
  }
  return PA_OK;
}

// |axes|, of functions of the library: a bit for each, or how many of the last ones, negative.
static pa_status read_axis_bits(const reduce_call *c, pa_reduction *r, MlirValue bits) {
  int64_t axes;
  if (!pa_literal_int(fact_of(c, bits), &axes))
    return pa_typing_fail(&c->typing, PA_CODE_INVALID, "%s(): axes are a literal", r->name);
  for (int d = 0; d < r->rank; ++d)
    if (axes < 0 ? d >= r->rank + axes : axes >> d & 1) fold_axis(c, r, d);
  return PA_OK;
}

static pa_status read_axes(const reduce_call *c, pa_reduction *r) {
  MlirValue value = argument(c, "axis"), bits = argument(c, "axes");
  int64_t axis;
  if (!mlirValueIsNull(bits)) return read_axis_bits(c, r, bits);
  if (!is_given(c, "axis") && c->first_axis) return fold_axis(c, r, 0), PA_OK;
  if (mlirValueIsNull(value)) {
    for (int d = 0; d < r->rank; ++d) fold_axis(c, r, d);
    return PA_OK;
  }
  pa_fact fact = fact_of(c, value);
  if (mlirTypeIsATuple(fact.type)) return fold_tuple(c, r, value);
  if (pa_literal_int(fact, &axis)) return fold_axis(c, r, axis), PA_OK;
  return take_axis_of_run_time(c, r, fact.type);
}

static pa_status read_keepdims(const reduce_call *c, pa_reduction *r) {
  MlirValue value = argument(c, "keepdims");
  int64_t keeps = 0;
  if (!mlirValueIsNull(value) && !pa_literal_int(fact_of(c, value), &keeps)) {
    if (!pa_is_library_function(c->instance->function)) pa_demand_literal(c->inference, c->instance, value);
    return pa_typing_fail(&c->typing, PA_CODE_TYPING,
                          "%s(): keepdims must be known when the function is compiled\nhint: write it as a literal",
                          r->name);
  }
  return r->keeps_axes = keeps != 0, PA_OK;
}

//===-- Types -------------------------------------------------------------------------------------===//

static bool is_word(const pa_reduction *r, const char *word) { return strcmp(r->word, word) == 0; }
static bool seeks_position(const pa_reduction *r) { return strncmp(r->word, "arg", 3) == 0; }

static pa_status read_dtype(const reduce_call *c, MlirType *out) {
  MlirValue value = argument(c, "dtype");
  if (mlirValueIsNull(value)) return PA_OK;
  pa_fact fact = fact_of(c, value);
  pa_rule_call rule = {.typing = &c->typing, .builtin = c->builtin, .arguments = &fact, .count = 1};
  return pa_dtype_argument(&rule, 0, out);
}

// Sums and products of bools and short integers are of 64 bits.
static pa_scalar widened(pa_scalar scalar) {
  if (scalar == PA_BOOL || pa_is_signed(scalar)) return PA_I64;
  return pa_is_unsigned(scalar) ? PA_U64 : scalar;
}

// Without a dtype, sums and products are computed in what the dtypes of array and output promote to.
static MlirType type_with_output(const reduce_call *c, const pa_reduction *r) {
  MlirType type = fact_of(c, r->out).type, element = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type;
  pa_scalar own = pa_scalar_of(r->element), out = pa_scalar_of(element);
  bool numbers = own != PA_NOT_SCALAR && out != PA_NOT_SCALAR;
  return numbers ? pa_scalar_type(c->typing.context, pa_promote(own, out)) : element;
}

static pa_status choose_types(const reduce_call *c, pa_reduction *r) {
  MlirType dtype = {NULL}, boolean = mlirIntegerTypeGet(c->typing.context, 1);
  bool logical = *c->word == '&' || *c->word == '|', adds = is_word(r, "add") || is_word(r, "mul");
  PA_TRY(read_dtype(c, &dtype));
  pa_scalar scalar = pa_scalar_of(r->element);
  if (mlirTypeIsNull(dtype) && !mlirValueIsNull(r->out) && adds) dtype = type_with_output(c, r);
  pa_time time;
  if (pa_time_of(r->element, &time) && (is_word(r, "mul") || (is_word(r, "add") && !time.delta)))
    return pa_typing_fail(&c->typing, PA_CODE_TYPING, "ufunc '%s' cannot use operands with types dtype('%s')", r->name,
                          pa_type_text(c->typing.arena, r->element));
  r->computed = logical                           ? boolean
                : !mlirTypeIsNull(dtype)          ? dtype
                : adds && scalar != PA_NOT_SCALAR ? pa_scalar_type(c->typing.context, widened(scalar))
                                                  : r->element;
  if (adds && pa_scalar_of(r->computed) == PA_BOOL) r->word = is_word(r, "add") ? "or" : "and";
  r->given = seeks_position(r) ? pa_scalar_type(c->typing.context, PA_I64) : r->computed;
  bool numbers = scalar != PA_NOT_SCALAR && pa_scalar_of(r->computed) != PA_NOT_SCALAR;
  return numbers ? PA_OK : pa_check_castable(&c->typing, r->element, r->computed, r->name); // NumPy casts all numbers
}

static pyarray_layout result_layout(MlirType array, int rank) {
  bool is_f = rank > 1 && pyarrayTypeIsArray(array) && pyarrayArrayTypeGetLayout(array) == PYARRAY_LAYOUT_F;
  return is_f ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C;
}

// Positions are stored to what int64 can hold.
static pa_status check_positions(const reduce_call *c, MlirType out) {
  MlirType element = pyarrayArrayTypeGetElement(out);
  pa_scalar scalar = pa_scalar_of(element);
  if (scalar == PA_BOOL || (pa_is_integer(scalar) && scalar != PA_U64)) return PA_OK;
  return pa_typing_fail(&c->typing, PA_CODE_TYPING,
                        "Cannot cast array data from dtype('%s') to dtype('int64') according to the rule 'safe'",
                        pa_type_text(c->typing.arena, element));
}

static pa_status choose_result(const reduce_call *c, pa_reduction *r) {
  int left = r->rank - r->folded_count, rank = r->keeps_axes ? r->rank : left;
  if (!mlirValueIsNull(r->out)) {
    MlirType type = r->result = fact_of(c, r->out).type;
    if (!pyarrayTypeIsArray(type))
      return pa_typing_fail(&c->typing, PA_CODE_TYPING, "%s(): output must be an array, not %s", r->name,
                            pa_type_text(c->typing.arena, type));
    if (pyarrayArrayTypeIsReadonly(type))
      return pa_typing_fail(&c->typing, PA_CODE_TYPING, "%s(): output array is read-only", r->name);
    if (pyarrayArrayTypeGetRank(type) == rank && seeks_position(r)) return check_positions(c, type);
    if (pyarrayArrayTypeGetRank(type) == rank)
      return pa_check_castable(&c->typing, r->given, pyarrayArrayTypeGetElement(type), r->name);
    return pa_typing_fail(&c->typing, PA_CODE_TYPING,
                          "output parameter for reduction operation %s has the wrong number of dimensions: "
                          "Found %d but expected %d",
                          r->name, (int)pyarrayArrayTypeGetRank(type), rank);
  }
  pyarray_layout layout = r->keeps_axes ? PYARRAY_LAYOUT_A : result_layout(fact_of(c, r->array).type, rank);
  r->result = rank ? pa_array_type(c->typing.context, rank, r->given, layout, false) : r->given;
  return PA_OK;
}

static pa_status read_where(const reduce_call *c, pa_reduction *r) {
  MlirAttribute literal = mlirValueIsNull(r->where) ? mlirAttributeGetNull() : fact_of(c, r->where).literal;
  if (mlirValueIsNull(r->where)) return PA_OK;
  MlirType type = fact_of(c, r->where).type;
  MlirType element = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type;
  if (!mlirAttributeIsNull(literal) && pa_scalar_of(type) == PA_BOOL && mlirBoolAttrGetValue(literal))
    return r->where = (MlirValue){NULL}, PA_OK;
  if (pa_scalar_of(element) != PA_BOOL)
    return pa_typing_fail(&c->typing, PA_CODE_TYPING, "%s(): where has type %s; expected bools", r->name,
                          pa_type_text(c->typing.arena, type));
  if (pyarrayTypeIsArray(type) && pyarrayArrayTypeGetRank(type) > r->rank)
    return pa_typing_fail(&c->typing, PA_CODE_TYPING,
                          "%s(): where has %d dimensions, but the array has %d: it is not broadcast to more", r->name,
                          (int)pyarrayArrayTypeGetRank(type), r->rank);
  return PA_OK;
}

static pa_status check_identity(const reduce_call *c, const pa_reduction *r) {
  bool extreme = is_word(r, "min") || is_word(r, "max");
  if (!extreme || mlirValueIsNull(r->where) || !mlirValueIsNull(r->initial)) return PA_OK;
  return pa_typing_fail(
      &c->typing, PA_CODE_TYPING,
      "reduction operation '%s' does not have an identity, so to use a where mask one has to specify 'initial'",
      r->name);
}

static pa_status read_initial(const reduce_call *c, pa_reduction *r) {
  if (mlirValueIsNull(r->initial)) return PA_OK;
  MlirType type = fact_of(c, r->initial).type;
  if (!pyarrayTypeIsArray(type)) return pa_check_castable(&c->typing, type, r->computed, "initial");
  return pa_typing_fail(&c->typing, PA_CODE_TYPING, "%s(): initial must be a number", r->name);
}

//===-- The plan ----------------------------------------------------------------------------------===//

// What messages call it: the function for positions, the ufunc for all others.
static const char *message_name(const char *word) {
  static const struct {
    const char *word, *name;
  } rows[] = {{"add", "add"},         {"mul", "multiply"},  {"min", "minimum"},
              {"max", "maximum"},     {"|", "logical_or"},  {"&", "logical_and"},
              {"and", "bitwise_and"}, {"or", "bitwise_or"}, {"xor", "bitwise_xor"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].word, word) == 0) return rows[i].name;
  return word;
}

static MlirAttribute literal_of(const reduce_call *c, int64_t value) {
  return mlirIntegerAttrGet(pa_scalar_type(c->typing.context, PA_I64), value);
}

// |numbers|: a number becomes an array, too.
static pa_status take_array(const reduce_call *c, MlirOperation op, pa_reduction *r, bool numbers, bool *out_bottom) {
  MlirType type = fact_of(c, r->array).type;
  bool holds_items = mlirTypeIsATuple(type) || pyarrayTypeIsList(type) || pyarrayTypeIsRange(type);
  if (holds_items || (numbers && !pyarrayTypeIsArray(type))) {
    PA_TRY(pa_make_call(c->inference, c->instance, op, "numpy.reductions.array_of", r->array, &r->array));
    if (pa_is_bottom(fact_of(c, r->array))) return *out_bottom = true, PA_OK;
    type = fact_of(c, r->array).type;
  }
  r->rank = pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0;
  r->element = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetElement(type) : type;
  bool bits = strcmp(c->word, "and") == 0 || strcmp(c->word, "or") == 0 || strcmp(c->word, "xor") == 0;
  if (pa_scalar_of(r->element) != PA_NOT_SCALAR || (pa_is_time(r->element) && !bits)) return PA_OK;
  return pa_typing_fail(&c->typing, PA_CODE_TYPING, "%s: argument 1 has type %s; expected an array of numbers",
                        c->builtin->name, pa_type_text(c->typing.arena, type));
}

static int64_t axis_count(const reduce_call *c) {
  MlirType type = fact_of(c, argument(c, "axis")).type;
  return mlirTypeIsATuple(type) ? mlirTupleTypeGetNumTypes(type) : 1;
}

// As a function of the library has it: the arguments by name, axes as bits; those of run time as they are,
// and how many they are.
static pa_status call_library(reduce_call *c, const pa_reduction *r, pa_resolved_call *out) {
  bool library = *c->word == ':';
  const char *name = library ? c->word + 1 : "numpy.reductions.reduce_at";
  if (library && r->axis_at_run_time) name = pa_arena_format(c->typing.arena, "%s_at", name);
  MlirOperation function = pa_library_function(c->inference->module, pa_ref(name));
  if (mlirOperationIsNull(function))
    return pa_typing_fail(&c->typing, PA_CODE_INVALID, "the library has no function %s", name);
  const pa_parameter *parameters;
  int count = (int)pa_function_parameters(c->inference, function, &parameters);
  MlirValue *values = PA_NEW_ARRAY(c->typing.arena, MlirValue, count + 1);
  MlirAttribute *constants = PA_NEW_ARRAY(c->typing.arena, MlirAttribute, count + 1);
  pa_fact *facts = PA_NEW_ARRAY(c->typing.arena, pa_fact, count + 1);
  int64_t bits = r->axis_at_run_time ? -axis_count(c) : 0;
  for (int d = 0; d < r->rank && bits >= 0; ++d) bits |= (int64_t)r->folded[d] << d;
  for (int i = 0; i < count; ++i) {
    const char *parameter = pa_arena_copy(c->typing.arena, parameters[i].name, parameters[i].length);
    constants[i] = parameters[i].otherwise;
    if (i == 0)
      values[i] = r->array;
    else if (strcmp(parameter, "axes") == 0)
      constants[i] = literal_of(c, bits);
    else if (strcmp(parameter, "keepdims") == 0)
      constants[i] = literal_of(c, r->keeps_axes);
    else if (strcmp(parameter, "word") == 0)
      constants[i] = pa_string_attr(c->typing.context, c->word);
    else if (strcmp(parameter, "where") == 0)
      values[i] = r->where;
    else
      values[i] = argument(c, strcmp(parameter, "ddof") || is_given(c, "ddof") ? parameter : "correction");
    facts[i] = mlirValueIsNull(values[i]) ? pa_literal_fact(c->typing.context, constants[i]) : fact_of(c, values[i]);
  }
  *out = (pa_resolved_call){.arguments = values, .constants = constants, .count = count};
  out->instance = pa_instance_get(c->inference, function, facts, count);
  return PA_OK;
}

static pa_status plan(reduce_call *c, MlirOperation op, pa_resolved_call *out) {
  pa_reduction *r = PA_NEW(c->inference->arena, pa_reduction);
  bool library = *c->word == ':';
  *r = (pa_reduction){.builtin = c->builtin,
                      .word = strcmp(c->word, "|") == 0   ? "or"
                              : strcmp(c->word, "&") == 0 ? "and"
                                                          : c->word,
                      .name = library ? strrchr(c->word, '.') + 1 : message_name(c->word),
                      .array = c->values[0],
                      .out = argument(c, "out"),
                      .initial = argument(c, "initial"),
                      .where = argument(c, "where")};
  PA_TRY(take_array(c, op, r, library, &out->bottom));
  if (out->bottom) return PA_OK;
  bool scans = library && !has_parameter(c, "keepdims");
  if (!scans) PA_TRY(read_axes(c, r));
  PA_TRY(read_keepdims(c, r));
  PA_TRY(read_where(c, r));
  if (library || r->axis_at_run_time) return call_library(c, r, out);
  PA_TRY(choose_types(c, r));
  PA_TRY(read_initial(c, r));
  PA_TRY(check_identity(c, r));
  PA_TRY(choose_result(c, r));
  return *out = (pa_resolved_call){.plan = {.result = r->result}, .reduction = r}, PA_OK;
}

pa_status pa_resolve_reduction(pa_inference *inference, pa_instance *instance, MlirOperation op,
                               const pa_builtin *builtin, intptr_t skip, bool self, pa_resolved_call *out,
                               bool *out_is) {
  *out_is = builtin->typing == PA_TYPING_REDUCE;
  if (!*out_is) return PA_OK;
  bool first_axis = *builtin->target == '0' || strstr(builtin->name, ".accumulate");
  reduce_call c = {.inference = inference,
                   .instance = instance,
                   .typing = pa_typing_at(inference, op),
                   .builtin = builtin,
                   .word = builtin->target + (*builtin->target == '0'),
                   .first_axis = first_axis};
  out->bottom = false;
  PA_TRY(read_arguments(&c, op, skip, self, &out->bottom));
  if (out->bottom) return PA_OK;
  return plan(&c, op, out);
}
