// Products of matrices and vectors in pyarray-infer-types: a @ b, np.matmul, np.dot, np.inner, a.dot(b).
//
//   %r = pyarray.binary matmul %a, %b      two !pyarray.array<?x?xf64, C>
// becomes
//   %r = pyarray.contract "mk,kn->mn" ins(%a, %b : ...) -> !pyarray.array<?x?xf64, C> {pyarray.name = "matmul"}
//
// Operands come to one type as those of np.multiply do. float16 and bfloat16 are multiplied and added up in float32,
// which is rounded once, at the end.
#include "infer_contract.h"

#include <string.h>

#include "ir/whole_arrays.h"

static const char *const matmul_signature = "(n?,k),(k,m?)->(n?,m?)"; // as NumPy writes it
enum { PA_MOST_PRODUCT_RANK = 32 };

static MlirType type_of(pa_inference *inference, pa_instance *instance, MlirValue value) {
  return pa_fact_get(inference, instance, value).type;
}

static int rank_of(MlirType type) { return pyarrayTypeIsArray(type) ? (int)pyarrayArrayTypeGetRank(type) : 0; }

//===-- Texts -------------------------------------------------------------------------------------===//

// Of operands of |ranks| dimensions; |dots|: the output has more than they have together.
static const char *matmul_text(pa_arena *arena, const int ranks[2], bool dots) {
  const char *a = ranks[0] > 2 || dots ? "..." : "", *b = ranks[1] > 2 || dots ? "..." : "";
  return pa_arena_format(arena, "%s%s,%s%s->%s%s%s", a, ranks[0] > 1 ? "mk" : "k", b, ranks[1] > 1 ? "kn" : "k",
                         *a || *b ? "..." : "", ranks[0] > 1 ? "m" : "", ranks[1] > 1 ? "n" : "");
}

// The sum over the last dimension of the first operand, and over dimension |summed| of the second.
static const char *dot_text(pa_arena *arena, const int ranks[2], int summed) {
  static const char letters[] = "abcdefghijlmnopqrstuvwxyzABCDEFGHIJLMNOPQRSTUVWXYZ"; // k is the one summed over
  const char *next = letters, *texts[2] = {"", ""}, *result = "";
  for (int i = 0; i < 2; ++i)
    for (int d = 0; d < ranks[i]; ++d) {
      bool sums = d == (i ? summed : ranks[0] - 1);
      texts[i] = pa_arena_format(arena, "%s%c", texts[i], sums ? 'k' : *next);
      if (!sums) result = pa_arena_format(arena, "%s%c", result, *next++);
    }
  return pa_arena_format(arena, "%s,%s->%s", texts[0], texts[1], result);
}

// What NumPy says where the extents differ ({0} that of the second operand, {1} that of the first, then all extents);
// it has the summed dimension of the second operand last but one.
static const char *dot_mismatch(pa_arena *arena, const int ranks[2], int summed) {
  const char *shape = "(";
  int shown = ranks[1] > 1 ? ranks[1] - 2 : 0;
  for (int d = 0; d < ranks[1]; ++d) {
    int axis = d == shown ? summed : d == summed ? shown : d;
    shape =
        pa_arena_format(arena, "%s{%d}%s", shape, 2 + ranks[0] + axis, d + 1 < ranks[1] || ranks[1] == 1 ? "," : "");
  }
  return pa_arena_format(arena, "shapes {2:%d} and %s) not aligned: {1} (dim %d) != {0} (dim %d)", ranks[0], shape,
                         ranks[0] - 1, shown);
}

//===-- Types -------------------------------------------------------------------------------------===//

static pa_status plan_types(pa_inference *inference, pa_instance *instance, const pa_typing *typing, pa_product *p) {
  pa_fact facts[2];
  for (int i = 0; i < 2; ++i) {
    MlirType element = pa_element_of(type_of(inference, instance, p->operands[i]));
    if (pa_scalar_of(element) == PA_NOT_SCALAR)
      return pa_typing_fail(typing, PA_CODE_TYPING, "%s() has no loop for %s and %s", p->name,
                            pa_type_text(typing->arena, type_of(inference, instance, p->operands[0])),
                            pa_type_text(typing->arena, type_of(inference, instance, p->operands[1])));
    facts[i] = pa_fact_of(element);
  }
  pa_typing inside = *typing;
  inside.in_library = true; // what a mixed uint64 becomes is NumPy's rule, and nothing to be told of
  pa_call_plan plan;
  PA_TRY(pa_type_builtin(&inside, pa_builtin_find(pa_ref("numpy.multiply")), facts, 2, &plan));
  p->element = plan.result;
  pa_scalar scalar = pa_scalar_of(p->element);
  p->computed = scalar == PA_F16 || scalar == PA_BF16 ? pa_scalar_type(inference->context, PA_F32) : p->element;
  return PA_OK;
}

static int kind_rank(pa_scalar scalar) {
  return scalar == PA_BOOL ? 0 : pa_is_unsigned(scalar) ? 1 : pa_is_integer(scalar) ? 2 : pa_is_float(scalar) ? 3 : 4;
}

static pa_status check_output(const pa_typing *typing, const pa_product *p, MlirType type, int rank) {
  if (!pyarrayTypeIsArray(type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): return arrays must be of ArrayType, not %s", p->name,
                          pa_type_text(typing->arena, type));
  if (pyarrayArrayTypeIsReadonly(type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "%s(): output array is read-only", p->name);
  MlirType element = pyarrayArrayTypeGetElement(type);
  bool matmul = strcmp(p->name, "matmul") == 0;
  bool fits = matmul ? pyarrayArrayTypeGetRank(type) >= rank
                     : pyarrayArrayTypeGetRank(type) == rank && mlirTypeEqual(element, p->element);
  if (!fits && !matmul)
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          "%s(): output array is not acceptable (must have the right datatype, number of dimensions, "
                          "and be a C-Array): %d dimensions of %s",
                          p->name, rank, pa_type_text(typing->arena, p->element));
  if (!fits)
    return pa_typing_fail(typing, PA_CODE_TYPING,
                          "%s(): Output operand 0 does not have enough dimensions (has %d, the product has %d)",
                          p->name, (int)pyarrayArrayTypeGetRank(type), rank);
  pa_scalar from = pa_scalar_of(p->element), to = pa_scalar_of(element);
  if (to != PA_NOT_SCALAR && kind_rank(from) <= kind_rank(to)) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING,
                        "Cannot cast ufunc '%s' output from dtype('%s') to dtype('%s') with casting rule 'same_kind'",
                        p->name, pa_type_text(typing->arena, p->element), pa_type_text(typing->arena, element));
}

static pa_status finish(pa_inference *inference, pa_instance *instance, const pa_typing *typing, pa_product *p,
                        int rank) {
  if (rank > PA_MOST_PRODUCT_RANK)
    return pa_typing_fail(typing, PA_CODE_UNSUPPORTED, "%s(): a product of more than %d dimensions", p->name,
                          PA_MOST_PRODUCT_RANK);
  p->result = rank ? pa_array_type(inference->context, rank, p->element, PYARRAY_LAYOUT_C, false) : p->element;
  if (mlirValueIsNull(p->out)) return PA_OK;
  MlirType out = type_of(inference, instance, p->out);
  p->result = out;
  return check_output(typing, p, out, rank);
}

static pa_status plan_matmul(pa_inference *inference, pa_instance *instance, const pa_typing *typing, pa_product *p) {
  int ranks[2], rank = 0;
  for (int i = 0; i < 2; ++i) {
    ranks[i] = rank_of(type_of(inference, instance, p->operands[i]));
    if (ranks[i] == 0)
      return pa_typing_fail(typing, PA_CODE_TYPING,
                            "matmul: Input operand %d does not have enough dimensions (has 0, gufunc core with "
                            "signature %s requires 1)",
                            i, matmul_signature);
    if (ranks[i] - 2 > rank) rank = ranks[i] - 2;
  }
  PA_TRY(plan_types(inference, instance, typing, p));
  int core = (ranks[0] > 1) + (ranks[1] > 1);
  bool given = !mlirValueIsNull(p->out);
  bool dots = given && rank_of(type_of(inference, instance, p->out)) > rank + core;
  p->contraction = matmul_text(typing->arena, ranks, dots);
  p->mismatch = matmul_signature;
  return finish(inference, instance, typing, p, rank + core);
}

static pa_status plan_dot(pa_inference *inference, pa_instance *instance, const pa_typing *typing, pa_product *p) {
  int ranks[2];
  for (int i = 0; i < 2; ++i) ranks[i] = rank_of(type_of(inference, instance, p->operands[i]));
  PA_TRY(plan_types(inference, instance, typing, p));
  int summed = ranks[1] == 1 || strcmp(p->name, "inner") == 0 ? ranks[1] - 1 : ranks[1] - 2;
  p->contraction = dot_text(typing->arena, ranks, summed);
  p->mismatch = dot_mismatch(typing->arena, ranks, summed);
  return finish(inference, instance, typing, p, ranks[0] + ranks[1] - 2);
}

//===-- Plans -------------------------------------------------------------------------------------===//

pa_status pa_plan_matmul(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_product *out,
                         bool *out_fits) {
  *out = (pa_product){.name = "matmul"};
  *out_fits = pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind")) == PYARRAY_BINARY_MATMUL;
  if (!*out_fits) return PA_OK;
  bool array = false;
  for (int i = 0; i < 2; ++i) {
    out->operands[i] = mlirOperationGetOperand(op, i);
    MlirType type = type_of(inference, instance, out->operands[i]);
    array = array || pyarrayTypeIsArray(type);
    *out_fits = *out_fits && (pyarrayTypeIsArray(type) || pa_scalar_of(type) != PA_NOT_SCALAR);
  }
  *out_fits = *out_fits && array;
  if (!*out_fits) return PA_OK;
  pa_typing typing = pa_typing_at(inference, op);
  bool in_place = !mlirAttributeIsNull(pa_get_attr(op, "inplace")) &&
                  pyarrayTypeIsArray(type_of(inference, instance, out->operands[0]));
  if (in_place) {
    out->out = out->operands[0];
    if (rank_of(type_of(inference, instance, out->operands[1])) < 2 || !rank_of(type_of(inference, instance, out->out)))
      return pa_typing_fail(&typing, PA_CODE_TYPING,
                            "inplace matrix multiplication requires the first operand to have at least one and the "
                            "second at least two dimensions");
  }
  return plan_matmul(inference, instance, &typing, out);
}

pa_status pa_plan_product(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          const MlirValue *arguments, int count, pa_product **out, MlirType *out_result) {
  pa_typing typing = pa_typing_at(inference, op);
  pa_product *p = *out = PA_NEW(inference->arena, pa_product);
  *p = (pa_product){.name = builtin->target, .operands = {arguments[0], arguments[1]}};
  if (count > 2 && !mlirValueIsNull(arguments[2]) && !pyarrayTypeIsNone(type_of(inference, instance, arguments[2])))
    p->out = arguments[2];
  for (int i = 0; i < 2; ++i) {
    MlirType type = type_of(inference, instance, p->operands[i]);
    if (!pyarrayTypeIsArray(type) && pa_scalar_of(type) == PA_NOT_SCALAR)
      return pa_typing_fail(&typing, PA_CODE_TYPING, "%s(): arguments are arrays or numbers, not %s", p->name,
                            pa_type_text(typing.arena, type));
  }
  if (strcmp(p->name, "matmul") == 0) {
    PA_TRY(plan_matmul(inference, instance, &typing, p));
    return *out_result = p->result, PA_OK;
  }
  bool numbers =
      !rank_of(type_of(inference, instance, p->operands[0])) || !rank_of(type_of(inference, instance, p->operands[1]));
  if (numbers) return *out = NULL, PA_OK;
  PA_TRY(plan_dot(inference, instance, &typing, p));
  return *out_result = p->result, PA_OK;
}

//===-- Emission ----------------------------------------------------------------------------------===//

// |array| with elements of another type; into |out| where that is not null.
static MlirValue emit_cast(pa_instance_emitter *e, MlirValue array, MlirType element, MlirValue out) {
  if (pa_failed(e->builder)) return array;
  MlirContext context = pa_emitter_context(e);
  MlirType from = mlirValueGetType(array), own = pyarrayArrayTypeGetElement(from);
  bool given = !mlirValueIsNull(out);
  if (!given && mlirTypeEqual(own, element)) return array;
  pyarray_layout layout = pyarrayArrayTypeGetLayout(from) == PYARRAY_LAYOUT_F ? PYARRAY_LAYOUT_F : PYARRAY_LAYOUT_C;
  MlirType type = pa_array_type(context, pyarrayArrayTypeGetRank(from), element, layout, false);
  pa_builder inside = *e->builder, *outer = e->builder;
  inside.before = (MlirOperation){NULL};
  MlirRegion body = pa_region(outer->location, &own, 1, &inside.block);
  e->builder = &inside;
  MlirValue item = pa_emit_cast(e, mlirBlockGetArgument(inside.block, 0), element);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(item));
  e->builder = outer;
  if (inside.failure) outer->failure = inside.failure;
  MlirValue operands[] = {array, out};
  int32_t segments[] = {1, given};
  MlirOperation made = pa_op(outer, PA_OP_NAME(UFUNC), PA_OPERAND_ARRAY(operands, 1 + given),
                             PA_RESULT_ARRAY(&type, given ? 0 : 1), PA_REGIONS(body),
                             PA_ATTRS({"signature", pa_string_attr(context, "()->()")},
                                      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)},
                                      {"pyarray.name", pa_string_attr(context, "matmul")}));
  return given || mlirOperationIsNull(made) ? out : mlirOperationGetResult(made, 0);
}

// The type of the product in |computed|, which has |rank| dimensions.
static MlirType computed_type(pa_instance_emitter *e, const pa_product *p, MlirType result) {
  int rank = rank_of(result);
  return rank ? pa_array_type(pa_emitter_context(e), rank, p->computed, PYARRAY_LAYOUT_C, false) : p->computed;
}

pa_status pa_emit_product(pa_instance_emitter *e, MlirOperation op, const pa_product *p) {
  MlirContext context = pa_emitter_context(e);
  MlirValue operands[3], out = {NULL};
  for (int i = 0; i < 2; ++i)
    operands[i] = emit_cast(e, pa_emitter_use(e, p->operands[i]), p->computed, (MlirValue){NULL});
  bool given = !mlirValueIsNull(p->out);
  if (given) out = operands[2] = pa_emitter_use(e, p->out);
  if (pa_failed(e->builder)) return PA_OK;
  bool direct = given && mlirTypeEqual(pyarrayArrayTypeGetElement(mlirValueGetType(out)), p->computed);
  MlirType type = computed_type(e, p, p->result);
  int32_t segments[] = {2, direct};
  MlirOperation made = pa_op(e->builder, PA_OP_NAME(CONTRACT), PA_OPERAND_ARRAY(operands, 2 + direct),
                             PA_RESULT_ARRAY(&type, direct ? 0 : 1),
                             PA_ATTRS({"contraction", pa_string_attr(context, p->contraction)},
                                      {"operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)},
                                      {"pyarray.name", pa_string_attr(context, p->name)},
                                      {"pyarray.mismatch", pa_string_attr(context, p->mismatch)}));
  if (mlirOperationIsNull(made)) return PA_OK;
  MlirValue result = direct ? out : mlirOperationGetResult(made, 0);
  if (!pyarrayTypeIsArray(type))
    result = pa_emit_cast(e, result, p->element);
  else if (!direct)
    result = emit_cast(e, result, given ? pyarrayArrayTypeGetElement(mlirValueGetType(out)) : p->element, out);
  return pa_emitter_map(e, mlirOperationGetResult(op, 0), result), PA_OK;
}
