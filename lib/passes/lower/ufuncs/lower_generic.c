// Of pyarray-lower: a ufunc whose points are numbers and whose body only computes, to linalg.generic.
//
//   pyarray.ufunc "(),()->()" ins(%a, %s : !pyarray.array<?xf64, A>, f64) outs(%o : ...) unit_strides expanded { ... }
// becomes
//   %0:2 = memref.distinct_objects %a, %o                     where %o is new memory
//   linalg.generic {indexing_maps = [(i) -> (i), (i) -> (), (i) -> (i)], iterator_types = ["parallel"]}
//     ins(%0#0, %s) outs(%0#1) attrs = {pyarray.cost = 1 : i64, pyarray.unit_strides} { ... linalg.yield %r }
//
// Operands have the loop's extents, which linalg does not compare; what has one element for each row (pyarray.steps) is
// a memref without the last dimension. A bool of an array is a byte there, one that is a number is i1. A body with
// effects never comes here: linalg.generic says no more than what its operands are for.
#include "lower_arrays.h"
#include "lower_numbers.h"
#include "lower_ufunc.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

bool pa_is_generic(const pa_ufunc *u) {
  MlirOperation yield = mlirBlockGetTerminator(u->body);
  if (mlirOperationGetNumOperands(yield) != u->output_count) return false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(u->body); ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(mlirBlockGetArgument(u->body, i)))) return false;
  PA_FOR_EACH_OP(op, u->body)
  if (!mlirOperationEqual(op, yield) && !pyarrayOperationOnlyComputes(op)) return false;
  return true;
}

//===-- Operands ----------------------------------------------------------------------------------===//

typedef struct generic {
  pa_ufunc *u;
  int count;
  MlirValue *values; // memrefs and numbers
  MlirType *points;  // the body's arguments
  MlirAttribute *maps;
} generic;

// pyarray.steps of operand |i|, -1 without.
static int64_t step_of(const pa_ufunc *u, int i) {
  MlirAttribute steps = pa_get_attr(u->op, "pyarray.steps");
  return mlirAttributeIsNull(steps) || i >= mlirDenseArrayGetNumElements(steps) ? -1
                                                                                : mlirDenseI64ArrayGetElement(steps, i);
}

// Without its last axis.
static MlirValue first_column(pa_lowering *lower, const pa_array *array) {
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return array->memref;
  MlirType type =
      pa_array_type(lower->context, array->rank - 1, pyarrayArrayTypeGetElement(array->type), PYARRAY_LAYOUT_A, true);
  MlirValue sizes[PA_MAX_RANK], strides[PA_MAX_RANK];
  for (int axis = 0; axis < array->rank - 1; ++axis) {
    sizes[axis] = mlirOperationGetResult(parts, 2 + axis);
    strides[axis] = mlirOperationGetResult(parts, 2 + array->rank + axis);
  }
  return pa_view_memory(lower, array, type, mlirOperationGetResult(parts, 1), sizes, strides);
}

static void read_array(pa_lowering *lower, generic *g, int i) {
  const pa_array *array = &g->u->operands[i].array;
  intptr_t rank = g->u->rank;
  if (g->u->sums && i >= g->u->input_count) {
    MlirAffineExpr first = mlirAffineConstantExprGet(lower->context, 0);
    g->values[i] = array->memref;
    g->maps[i] = mlirAffineMapAttrGet(mlirAffineMapGet(lower->context, rank, 0, 1, &first));
    return;
  }
  int64_t step = step_of(g->u, i);
  g->values[i] = step == 0 ? first_column(lower, array)
                 : step == 1 && pyarrayArrayTypeGetLayout(array->type) != PYARRAY_LAYOUT_C
                     ? pa_with_unit_stride(lower, array, array->rank - 1)
                     : array->memref;
  MlirAffineMap map = mlirAffineMapMultiDimIdentityGet(lower->context, rank);
  if (step == 0) map = mlirAffineMapGetMajorSubMap(map, rank - 1);
  g->maps[i] = mlirAffineMapAttrGet(map);
}

static generic read_operands(pa_lowering *lower, pa_ufunc *u) {
  generic g = {.u = u, .count = u->input_count + u->output_count};
  g.values = PA_NEW_ARRAY(lower->arena, MlirValue, g.count);
  g.points = PA_NEW_ARRAY(lower->arena, MlirType, g.count);
  g.maps = PA_NEW_ARRAY(lower->arena, MlirAttribute, g.count);
  MlirAttribute nothing = mlirAffineMapAttrGet(mlirAffineMapZeroResultGet(lower->context, u->rank, 0));
  for (int i = 0; i < g.count; ++i) {
    const pa_ufunc_operand *operand = &u->operands[i];
    bool number = pa_is_number(operand);
    g.points[i] = number ? pa_type_or_none(lower, operand->number) : pa_element_memory(lower, operand->array.element);
    g.values[i] = operand->number;
    g.maps[i] = nothing;
    if (!number) read_array(lower, &g, i);
  }
  return g;
}

// Nothing else leads to new memory: not to say so of two inputs, which may be one array.
static void say_distinct(pa_lowering *lower, generic *g) {
  if (mlirAttributeIsNull(pa_get_attr(g->u->op, "pyarray.fresh"))) return;
  for (int o = g->u->input_count; o < g->count; ++o)
    for (int i = 0; i < g->u->input_count; ++i) {
      if (pa_is_number(&g->u->operands[i]) || pa_failed(&lower->builder)) continue;
      MlirOperation distinct =
          pa_op(&lower->builder, PA_OP_NAME(DISTINCT_OBJECTS), PA_OPERANDS(g->values[i], g->values[o]),
                PA_RESULTS(mlirValueGetType(g->values[i]), mlirValueGetType(g->values[o])));
      if (mlirOperationIsNull(distinct)) return;
      g->values[i] = mlirOperationGetResult(distinct, 0);
      g->values[o] = mlirOperationGetResult(distinct, 1);
    }
}

//===-- The body ----------------------------------------------------------------------------------===//

static MlirRegion lower_body(pa_lowering *lower, const generic *g) {
  const pa_ufunc *u = g->u;
  pa_scope scope = pa_open(lower, g->points, g->count);
  MlirValue *points = PA_NEW_ARRAY(lower->arena, MlirValue, u->input_count + 1);
  int own = u->input_count - (u->combine ? u->output_count : 0); // of the body
  for (int i = 0; i < u->input_count; ++i) {
    points[i] = mlirBlockGetArgument(scope.block, i);
    if (!pa_is_number(&u->operands[i]) && u->operands[i].array.element == PA_BOOL)
      points[i] = pa_compare_int(lower, PA_NE, points[i], pa_int(lower, lower->i8, 0));
    if (i < own) pa_set1(lower, mlirBlockGetArgument(u->body, i), points[i]);
  }
  pa_lower_block(lower, u->body);
  MlirOperation yield = mlirBlockGetTerminator(u->body);
  MlirValue *results = PA_NEW_ARRAY(lower->arena, MlirValue, u->output_count);
  for (int i = 0; i < u->output_count; ++i) {
    pa_scalar stored = u->operands[u->input_count + i].array.element;
    results[i] = pa_get1(lower, pa_operand(yield, i));
    results[i] = pa_cast_scalar(lower, results[i], pa_scalar_of_value(pa_operand(yield, i)), stored);
    if (u->sums)
      results[i] = pa_binary(lower, "arith.addf", mlirBlockGetArgument(scope.block, u->input_count + i), results[i]);
    if (u->combine) results[i] = u->combine(lower, u->data, i, points[own + i], results[i]);
    if (u->operands[u->input_count + i].array.element == PA_BOOL)
      results[i] = pa_convert(lower, "arith.extui", results[i], lower->i8);
  }
  return pa_close(lower, scope, PA_OP_NAME(LINALG_YIELD), results, u->output_count);
}

static MlirAttribute iterator_types(pa_lowering *lower, const pa_ufunc *u) {
  const char *type = u->sums ? "#linalg.iterator_type<reduction>" : "#linalg.iterator_type<parallel>";
  MlirAttribute types[PA_MAX_RANK], iterator = mlirAttributeParseGet(lower->context, pa_ref(type));
  for (int i = 0; i < u->rank; ++i) types[i] = iterator;
  return mlirArrayAttrGet(lower->context, u->rank, types);
}

void pa_lower_generic(pa_lowering *lower, pa_ufunc *u) {
  static const char *const forms[][2] = {
      {"packed", "pyarray.packed"},
      {"strided", "pyarray.strided"},
      {"unit_strides", "pyarray.unit_strides"},
      {"seldom", "pyarray.seldom"},
  };
  enum { FORMS = sizeof forms / sizeof *forms };
  generic g = read_operands(lower, u);
  say_distinct(lower, &g);
  pa_attr attributes[FORMS + PA_UFUNC_ATTRIBUTES + 4];
  int count = pa_ufunc_attributes(lower, u, attributes);
  for (int i = 0; i < FORMS; ++i) attributes[count++] = (pa_attr){forms[i][1], pa_get_attr(u->op, forms[i][0])};
  if (u->packed) attributes[count - FORMS].value = pa_unit_attr(lower->context); // the first of the forms
  if (u->sums) attributes[count++] = (pa_attr){"pyarray.order", pa_string_attr(lower->context, "pairwise")};
  int32_t segments[] = {u->input_count, u->output_count};
  attributes[count++] = (pa_attr){"indexing_maps", mlirArrayAttrGet(lower->context, g.count, g.maps)};
  attributes[count++] = (pa_attr){"iterator_types", iterator_types(lower, u)};
  attributes[count++] = (pa_attr){"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)};
  pa_op(&lower->builder, PA_OP_NAME(LINALG_GENERIC), PA_OPERAND_ARRAY(g.values, g.count),
        PA_REGIONS(lower_body(lower, &g)), .attrs = attributes, .attr_count = count);
}
