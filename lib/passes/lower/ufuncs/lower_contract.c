// Of pyarray-lower: products of matrices and vectors, to linalg.
//
//   pyarray.contract "mk,kn->mn" ins(%a, %b : ...) outs(%c : ...) expanded
// becomes
//   linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%c : memref<?x?xf64, strided<[?, 1], offset: ?>>)
//   linalg.matmul {pyarray.contract = "blas"} ins(%a, %b : ...) outs(%c : ...)
//
// In a kernel they are loops of one thread:
//
//   for %m, %n: %s = scf.for %k iter_args(%sum = 0) { %sum + %a[%m, %k] * %b[%k, %n] }     memref.store %s, %c[%m, %n]
//
// The attribute says how: "blas", of floats and complex numbers, "loops", or "adds" and "subtracts" (a linalg.generic),
// without a fill (pyarray-lower-linalg). Of loop dimensions the last is that of a linalg.batch_matmul; all others, and
// those of products with a vector, are loops around it.
#include <string.h>

#include "lower_arrays.h"
#include "lower_numbers.h"
#include "lower_whole_arrays.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/Dialect/Linalg.h"
#include "support/contraction.h"

typedef struct product {
  pa_contraction text;
  int loop; // dimensions
  bool batch, adds, negated;
  pa_array arrays[3], cores[3]; // cores: at a place of the outer loop dimensions
  MlirValue operands[3];        // of the linalg operation
} product;

//===-- Operations of linalg ----------------------------------------------------------------------===//

static MlirAttribute affine_maps(pa_lowering *lower, const product *p) {
  const char *names = "mnk";
  char letters[3] = {p->text.operands[0].rank > 1 ? p->text.operands[0].letters[0] : 0,
                     p->text.operands[1].rank > 1 ? p->text.operands[1].letters[1] : 0, p->text.summed};
  MlirAttribute maps[3];
  int places[3], count = 0;
  for (int i = 0; i < (int)strlen(names); ++i) places[i] = letters[i] ? count++ : -1;
  for (int i = 0; i < 3; ++i) {
    MlirAffineExpr results[2];
    int rank = p->text.operands[i].rank;
    for (int k = 0; k < rank; ++k)
      for (int d = 0; d < 3; ++d)
        if (letters[d] == p->text.operands[i].letters[k]) results[k] = mlirAffineDimExprGet(lower->context, places[d]);
    maps[i] = mlirAffineMapAttrGet(mlirAffineMapGet(lower->context, count, 0, rank, results));
  }
  return mlirArrayAttrGet(lower->context, 3, maps);
}

static MlirAttribute iterators(pa_lowering *lower, const product *p) {
  int parallel = p->text.operands[2].rank;
  MlirAttribute words[3];
  for (int i = 0; i <= parallel; ++i)
    words[i] = mlirAttributeParseGet(
        lower->context, pa_ref(i < parallel ? "#linalg.iterator_type<parallel>" : "#linalg.iterator_type<reduction>"));
  return mlirArrayAttrGet(lower->context, parallel + 1, words);
}

// What no named operation has as its body: of bools where both are true for any of them; a product that is subtracted.
static void emit_generic(pa_lowering *lower, const product *p) {
  MlirType element = pa_element_memory(lower, p->arrays[0].element), types[] = {element, element, element};
  pa_scope scope = pa_open(lower, types, 3);
  MlirValue x = mlirBlockGetArgument(scope.block, 0), y = mlirBlockGetArgument(scope.block, 1),
            sum = mlirBlockGetArgument(scope.block, 2);
  MlirValue both = pa_binary(lower, p->negated ? "arith.mulf" : "arith.andi", x, y),
            all = pa_binary(lower, p->negated ? "arith.subf" : "arith.ori", sum, both);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(LINALG_YIELD), &all, 1);
  int32_t segments[] = {2, 1};
  pa_op(&lower->builder, PA_OP_NAME(LINALG_GENERIC), PA_OPERAND_ARRAY(p->operands, 3), PA_REGIONS(body),
        PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                 {"indexing_maps", affine_maps(lower, p)}, {"iterator_types", iterators(lower, p)},
                 {"pyarray.contract", pa_text(lower, p->negated ? "subtracts" : "loops")}));
}

static void emit_named(pa_lowering *lower, const char *name, const MlirValue *operands, int count, const char *how) {
  int32_t segments[] = {count - 1, 1};
  MlirOperation op = pa_op(&lower->builder, name, PA_OPERAND_ARRAY(operands, count), PA_REGIONS(mlirRegionCreate()),
                           PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                                    {"pyarray.contract", pa_text(lower, how)}));
  if (!mlirOperationIsNull(op)) mlirLinalgFillBuiltinNamedOpRegion(op);
}

static const char *operation_name(const product *p) {
  bool row = p->text.operands[0].rank > 1, column = p->text.operands[1].rank > 1;
  if (p->batch) return "linalg.batch_matmul";
  return row && column ? "linalg.matmul" : row ? "linalg.matvec" : column ? "linalg.vecmat" : "linalg.dot";
}

static MlirValue zero_of(pa_lowering *lower, pa_scalar element) {
  MlirType type = pa_element_memory(lower, element);
  if (!pa_is_complex(element)) return pa_is_float(element) ? pa_real(lower, type, 0) : pa_int(lower, type, 0);
  MlirAttribute part = mlirFloatAttrDoubleGet(lower->context, element == PA_C64 ? lower->f32 : lower->f64, 0),
                parts[] = {part, part};
  return pa_value(&lower->builder, "complex.constant", PA_RESULTS(type),
                  PA_ATTRS({"value", mlirArrayAttrGet(lower->context, 2, parts)}));
}

// What `adds` has no start.
static void emit_product(pa_lowering *lower, product *p) {
  pa_scalar element = p->arrays[0].element;
  bool blas = pa_is_float(element) || pa_is_complex(element);
  if (p->negated) {
    emit_generic(lower, p);
    return;
  }
  if (p->adds) {
    emit_named(lower, operation_name(p), p->operands, 3, "adds");
    return;
  }
  MlirValue fill[] = {zero_of(lower, element), p->operands[2]};
  emit_named(lower, "linalg.fill", fill, 2, "start");
  if (element == PA_BOOL)
    emit_generic(lower, p);
  else
    emit_named(lower, operation_name(p), p->operands, 3, blas ? "blas" : "loops");
}

//===-- In kernels --------------------------------------------------------------------------------===//

// Where operand |i| is read or written, by the places of the product's letters.
static void places_of(const product *p, int i, const MlirValue *places, MlirValue *out) {
  for (int k = 0; k < p->text.operands[i].rank; ++k) out[k] = places[(unsigned char)p->text.operands[i].letters[k]];
}

static MlirValue multiply_add(pa_lowering *lower, const product *p, pa_scalar element, MlirValue sum, MlirValue a,
                              MlirValue b) {
  const char *multiply = element == PA_BOOL       ? "arith.andi"
                         : pa_is_complex(element) ? "complex.mul"
                         : pa_is_float(element)   ? "arith.mulf"
                                                  : "arith.muli";
  const char *add = element == PA_BOOL       ? "arith.ori"
                    : pa_is_complex(element) ? "complex.add"
                    : p->negated             ? "arith.subf"
                    : pa_is_float(element)   ? "arith.addf"
                                             : "arith.addi";
  return pa_binary(lower, add, sum, pa_binary(lower, multiply, a, b));
}

// One element of the result; halves are added up in float32.
static void emit_sum(pa_lowering *lower, const product *p, const pa_array *cores, MlirValue *places) {
  pa_scalar element = cores[0].element, carried = pa_is_half(element) ? PA_F32 : element;
  const pa_contracted *first = &p->text.operands[0];
  MlirValue at[PA_MAX_RANK], start, count = {NULL};
  for (int k = 0; k < first->rank; ++k)
    if (first->letters[k] == p->text.summed) count = pa_to_index(lower, pa_extent(lower, &cores[0], k));
  places_of(p, 2, places, at);
  start = p->adds              ? pa_cast_scalar(lower, pa_load(lower, &cores[2], at), element, carried)
          : carried == PA_BOOL ? pa_int(lower, lower->i1, 0)
                               : zero_of(lower, carried);
  MlirType types[] = {lower->index, pa_type_or_none(lower, start)};
  if (pa_failed(&lower->builder)) return;
  pa_scope scope = pa_open(lower, types, 2);
  places[(unsigned char)p->text.summed] = mlirBlockGetArgument(scope.block, 0);
  MlirValue factors[2];
  for (int i = 0; i < 2; ++i) {
    places_of(p, i, places, at);
    factors[i] = pa_cast_scalar(lower, pa_load(lower, &cores[i], at), element, carried);
  }
  MlirValue sum = multiply_add(lower, p, carried, mlirBlockGetArgument(scope.block, 1), factors[0], factors[1]);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), &sum, 1);
  sum = pa_value(&lower->builder, PA_OP_NAME(SCF_FOR),
                 PA_OPERANDS(pa_int(lower, lower->index, 0), count, pa_int(lower, lower->index, 1), start),
                 PA_RESULTS(types[1]), PA_REGIONS(body));
  places_of(p, 2, places, at);
  pa_store(lower, &cores[2], at, pa_cast_scalar(lower, sum, carried, element));
}

// The dimensions of the result from |depth| on.
static void emit_by_thread(pa_lowering *lower, const product *p, const pa_array *cores, MlirValue *places, int depth) {
  const pa_contracted *result = &p->text.operands[2];
  if (depth == result->rank) {
    emit_sum(lower, p, cores, places);
    return;
  }
  pa_counted_loop loop = pa_loop_begin(lower, pa_to_index(lower, pa_extent(lower, &cores[2], depth)));
  places[(unsigned char)result->letters[depth]] = loop.index;
  emit_by_thread(lower, p, cores, places, depth + 1);
  pa_loop_end(lower, loop);
}

//===-- Loops around it ---------------------------------------------------------------------------===//

// The operands at |positions| of the outer loop dimensions.
static void take_operands(pa_lowering *lower, product *p, const MlirValue *positions, int count) {
  for (int i = 0; i < 3; ++i) {
    const pa_array *array = &p->arrays[i];
    p->cores[i] = *array;
    if (!count) {
      p->operands[i] = array->memref;
      continue;
    }
    MlirType type = pa_array_type(lower->context, array->rank - count, pyarrayArrayTypeGetElement(array->type),
                                  PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(array->type));
    p->operands[i] = pa_core_view(lower, array, positions, count, type);
    p->cores[i] =
        (pa_array){.type = type, .element = array->element, .rank = array->rank - count, .memref = p->operands[i]};
  }
}

static void emit_loops(pa_lowering *lower, product *p, MlirValue *positions, int depth, int count) {
  if (depth == count) {
    MlirValue places[128]; // of letters
    take_operands(lower, p, positions, count);
    if (lower->device)
      emit_by_thread(lower, p, p->cores, places, 0);
    else
      emit_product(lower, p);
    return;
  }
  pa_counted_loop loop = pa_loop_begin(lower, pa_to_index(lower, pa_extent(lower, &p->arrays[2], depth)));
  positions[depth] = pa_to_i64(lower, loop.index);
  emit_loops(lower, p, positions, depth + 1, count);
  pa_loop_end(lower, loop);
}

// The number that is the result goes through stack memory.
static pa_array number_memory(pa_lowering *lower, MlirType type) {
  pa_array array = {.type = pa_array_type(lower->context, 0, type, PYARRAY_LAYOUT_C, false),
                    .element = pa_scalar_of(type)};
  array.memref = pa_stack_slot(lower, pa_element_memory(lower, array.element), false);
  return array;
}

void pa_lower_contract(pa_lowering *lower, MlirOperation op) {
  product *p = PA_NEW(lower->arena, product);
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "contraction"));
  bool malformed = pa_contraction_parse(text.data, text.length, &p->text) || !pa_contraction_is_product(&p->text);
  if (malformed || mlirAttributeIsNull(pa_get_attr(op, "expanded"))) {
    pa_lower_fail(lower, "pyarray.contract is not expanded; run pyarray-expand-contractions first");
    return;
  }
  bool number = mlirOperationGetNumResults(op) > 0;
  for (int i = 0; i < 2; ++i) p->arrays[i] = pa_array_of(lower, pa_operand(op, i));
  p->arrays[2] = number ? number_memory(lower, mlirValueGetType(pa_result(op))) : pa_array_of(lower, pa_operand(op, 2));
  if (pa_failed(&lower->builder)) return;
  p->adds = !mlirAttributeIsNull(pa_get_attr(op, "adds"));
  p->negated = !mlirAttributeIsNull(pa_get_attr(op, "negated"));
  p->loop = p->arrays[0].rank - p->text.operands[0].rank;
  p->batch = p->loop && p->text.operands[2].rank == 2 && p->arrays[0].element != PA_BOOL && !lower->device;
  MlirValue positions[PA_MAX_RANK];
  emit_loops(lower, p, positions, 0, p->loop - p->batch);
  if (number) pa_set1(lower, pa_result(op), pa_load(lower, &p->arrays[2], NULL));
}
