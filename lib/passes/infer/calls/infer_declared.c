// Calls of functions that are compiled for declared signatures alone:
//
//   func.func @half(%x: !pyarray.any) attributes {pyarray.declared = [(f64) -> f64, (si64) -> si64]}
//   %1 = pyarray.apply %half(%0) : si32                  // the instance of (si64), whose result is si64
//
// As for calls from Python (python/ext/values/convert.c) the signature with the fewest unsafe, then safe, then promoted
// arguments is taken, of several such the first. Numbers are cast to its types; arrays and containers stay what they
// are, since an instance may know more of them than was declared. A C callback has one signature, no array of them.
#include <string.h>

#include "infer_calls.h"
#include "support/record_code.h"

typedef enum conversion { EXACT, PROMOTE, SAFE, UNSAFE, IMPOSSIBLE } conversion;

static conversion float_conversion(int from, int to) { return from == to ? EXACT : from < to ? PROMOTE : UNSAFE; }

static conversion int_to_float(pa_scalar from, int bytes) {
  int bits = 8 * pa_scalar_bytes(from) + pa_is_unsigned(from);
  return bits <= (bytes == 8 ? 64 : 16) ? SAFE : UNSAFE;
}

static conversion real_to_float(pa_scalar from, int bytes) {
  return pa_is_float(from) ? float_conversion(pa_scalar_bytes(from), bytes) : int_to_float(from, bytes);
}

static conversion int_conversion(pa_scalar from, pa_scalar to) {
  bool wider = pa_scalar_bytes(from) < pa_scalar_bytes(to);
  if (pa_is_unsigned(from) == pa_is_unsigned(to)) return wider ? PROMOTE : UNSAFE;
  return wider && !pa_is_unsigned(to) ? SAFE : UNSAFE;
}

static conversion scalar_conversion(pa_scalar from, pa_scalar to) {
  if (from == to) return EXACT;
  if (pa_is_complex(from))
    return pa_is_complex(to) ? float_conversion(pa_scalar_bytes(from), pa_scalar_bytes(to)) : IMPOSSIBLE;
  if (to == PA_BOOL) return UNSAFE;
  if (from == PA_BOOL) return SAFE;
  if (pa_is_float(to)) return real_to_float(from, pa_scalar_bytes(to));
  if (!pa_is_complex(to)) return pa_is_float(from) ? UNSAFE : int_conversion(from, to);
  conversion part = real_to_float(from, pa_scalar_bytes(to) / 2);
  return part > SAFE ? part : SAFE;
}

static conversion tuple_conversion(const pa_typing *typing, MlirType from, MlirType to);

static conversion type_conversion(const pa_typing *typing, MlirType from, MlirType to) {
  if (mlirTypeEqual(from, to)) return EXACT;
  pa_scalar x = pa_scalar_of(from), y = pa_scalar_of(to);
  if (x != PA_NOT_SCALAR && y != PA_NOT_SCALAR) return scalar_conversion(x, y);
  if (pyarrayTypeIsArray(from) && pyarrayTypeIsArray(to)) {
    bool fits = mlirTypeEqual(pyarrayArrayTypeGetElement(from), pyarrayArrayTypeGetElement(to)) &&
                pyarrayArrayTypeGetRank(from) == pyarrayArrayTypeGetRank(to);
    if (!fits) return IMPOSSIBLE;
    return mlirTypeEqual(pa_join_types(typing, from, to), to) ? SAFE : UNSAFE;
  }
  if ((pa_is_records(from) && pa_is_records(to)) || (pa_is_record(from) && pa_is_record(to))) {
    const char *given = pa_item_code_of(typing->arena, from), *wanted = pa_item_code_of(typing->arena, to);
    bool fits = pa_item_codes_fit(given, strlen(given), wanted, strlen(wanted));
    return fits ? type_conversion(typing, pa_erased_type(from), pa_erased_type(to)) : IMPOSSIBLE;
  }
  if (mlirTypeIsATuple(from) && mlirTypeIsATuple(to)) return tuple_conversion(typing, from, to);
  if (pyarrayTypeIsOptional(to) && !pyarrayTypeIsOptional(from)) {
    conversion item = pyarrayTypeIsNone(from) ? PROMOTE : type_conversion(typing, from, pyarrayTypeGetItem(to));
    return item > PROMOTE ? item : PROMOTE;
  }
  return pa_is_castable(typing, from, to) ? SAFE : IMPOSSIBLE;
}

static conversion tuple_conversion(const pa_typing *typing, MlirType from, MlirType to) {
  conversion worst = EXACT;
  if (mlirTupleTypeGetNumTypes(from) != mlirTupleTypeGetNumTypes(to)) return IMPOSSIBLE;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(from); ++i) {
    conversion item = type_conversion(typing, mlirTupleTypeGetType(from, i), mlirTupleTypeGetType(to, i));
    if (item > worst) worst = item;
  }
  return worst;
}

// What is put into a container that was made here may still be open: only its kind is looked at.
static conversion fact_conversion(const pa_typing *typing, pa_fact from, MlirType to) {
  if (from.site && pa_container_of(from.type) != PA_NO_CONTAINER)
    return pa_container_of(from.type) == pa_container_of(to) ? EXACT : IMPOSSIBLE;
  return type_conversion(typing, from.type, to);
}

// The sum of what the arguments need, the worst kinds first; -1: they do not fit.
static int64_t distance(const pa_typing *typing, MlirType signature, const pa_fact *facts, int count) {
  int64_t counts[UNSAFE + 1] = {0};
  if (mlirFunctionTypeGetNumInputs(signature) != count) return -1;
  for (int i = 0; i < count; ++i) {
    conversion one = fact_conversion(typing, facts[i], mlirFunctionTypeGetInput(signature, i));
    if (one == IMPOSSIBLE) return -1;
    ++counts[one];
  }
  return (counts[UNSAFE] << 40) + (counts[SAFE] << 20) + counts[PROMOTE];
}

static pa_status no_match(const pa_typing *typing, const char *name, MlirAttribute signatures, const pa_fact *facts,
                          int count) {
  const char *given = "", *declared = "";
  for (int i = 0; i < count; ++i)
    given = pa_arena_format(typing->arena, "%s%s%s", given, i ? ", " : "", pa_type_text(typing->arena, facts[i].type));
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(signatures); ++k) {
    MlirType signature = mlirTypeAttrGetValue(mlirArrayAttrGetElement(signatures, k));
    declared = pa_arena_format(typing->arena, "%s%s(", declared, k ? "; " : "");
    for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(signature); ++i)
      declared = pa_arena_format(typing->arena, "%s%s%s", declared, i ? ", " : "",
                                 pa_type_text(typing->arena, mlirFunctionTypeGetInput(signature, i)));
    declared = pa_arena_format(typing->arena, "%s)", declared);
  }
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "%s(): no declared signature takes arguments of types (%s)\nhint: it is compiled for %s", name,
                        given, declared);
}

static bool is_signature(MlirAttribute attribute) {
  return mlirAttributeIsAType(attribute) && mlirTypeIsAFunction(mlirTypeAttrGetValue(attribute));
}

static pa_status choose(const pa_typing *typing, const char *name, MlirAttribute declared, const pa_fact *facts,
                        int count, MlirType *out_type) {
  if (is_signature(declared)) { // of a C callback
    MlirType type = mlirTypeAttrGetValue(declared);
    if (mlirFunctionTypeGetNumInputs(type) == count) *out_type = type;
    return PA_OK;
  }
  if (!mlirAttributeIsAArray(declared))
    return pa_typing_fail(typing, PA_CODE_INVALID, "pyarray.declared holds function types");
  int64_t best = -1;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(declared); ++i) {
    MlirAttribute element = mlirArrayAttrGetElement(declared, i);
    if (!is_signature(element)) return pa_typing_fail(typing, PA_CODE_INVALID, "pyarray.declared holds function types");
    int64_t one = distance(typing, mlirTypeAttrGetValue(element), facts, count);
    if (one < 0 || (best >= 0 && one >= best)) continue;
    best = one;
    *out_type = mlirTypeAttrGetValue(element);
  }
  return best < 0 ? no_match(typing, name, declared, facts, count) : PA_OK;
}

static bool keeps_its_type(pa_fact fact, MlirType wanted) {
  return mlirTypeEqual(fact.type, wanted) || (fact.site && pa_container_of(fact.type) != PA_NO_CONTAINER) ||
         pyarrayTypeIsArray(fact.type) || pa_is_record(fact.type) || pa_is_records(fact.type);
}

pa_status pa_fit_to_declared(const pa_typing *typing, MlirOperation function, const char *name, pa_fact *facts,
                             int count, MlirType *out_result) {
  MlirAttribute declared = pa_get_attr(function, "pyarray.declared");
  MlirType type = {NULL};
  *out_result = type;
  if (mlirAttributeIsNull(declared)) return PA_OK;
  PA_TRY(choose(typing, name, declared, facts, count, &type));
  if (mlirTypeIsNull(type)) return PA_OK;
  for (int i = 0; i < count; ++i) {
    MlirType wanted = mlirFunctionTypeGetInput(type, i);
    if (keeps_its_type(facts[i], wanted)) continue;
    PA_TRY(pa_check_castable(typing, facts[i].type, wanted,
                             pa_arena_format(typing->arena, "argument %d of %s()", i + 1, name)));
    facts[i] = pa_fact_of(wanted);
  }
  if (mlirFunctionTypeGetNumResults(type) == 1 && !pa_is_generator(function))
    *out_result = mlirFunctionTypeGetResult(type, 0);
  return PA_OK;
}
