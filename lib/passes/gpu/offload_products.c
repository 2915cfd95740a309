// Of pyarray-offload: products of matrices and vectors, by a library where there is one, else as reductions.
//
//   pyarray.contract "mk,kn->mn" ins(%a, %b : ...) outs(%c : ...) expanded
// becomes
//   %done = pyarray.builtin "pyarray.library._intrinsics.device_product"(%c, %a, %b)      by cuBLAS, or false
//   scf.if %done { } else {
//     pyarray.reduce ["add"] axes [2] ins(%rows, %columns : ...) outs(%c : ...)            a launch, or two
//   }
// A vector has one more axis there. A product of two vectors, a number, is a reduction. Those of 16 bits are multiplied
// and added up in float32 by both.
#include <string.h>

#include "offload.h"
#include "support/contraction.h"

#define DEVICE_PRODUCT "pyarray.library._intrinsics.device_product"

typedef struct product {
  pa_offloading *o;
  MlirOperation op;
  pa_builder at;
  pa_contraction text;
  intptr_t batch, rank; // of the loop: batch, letters of the result, the one that is summed
  char letters[4];
  MlirValue extents[PA_OFFLOAD_RANK];
} product;

static MlirValue operand(const product *p, intptr_t i) { return mlirOperationGetOperand(p->op, i); }

static MlirType view_type(const product *p, MlirValue array, intptr_t rank) {
  MlirType type = mlirValueGetType(array);
  return pa_array_type(p->o->context, rank, pyarrayArrayTypeGetElement(type), PYARRAY_LAYOUT_A,
                       pyarrayArrayTypeIsReadonly(type));
}

// Input |i| with the loop's dimensions.
static MlirValue with_loop_shape(product *p, int i) {
  const pa_contracted *own = &p->text.operands[i];
  MlirValue value = operand(p, i), operands[PA_OFFLOAD_RANK + 1];
  int64_t order[PA_OFFLOAD_RANK], missing[PA_OFFLOAD_RANK];
  intptr_t count = p->batch, absent = 0;
  for (intptr_t d = 0; d < p->batch; ++d) order[d] = d;
  for (intptr_t d = p->batch; d < p->rank; ++d) {
    int place = pa_contracted_find(own, p->letters[d - p->batch]);
    if (place < 0)
      missing[absent++] = d;
    else
      order[count++] = p->batch + place;
  }
  value = pa_value(&p->at, PA_OP_NAME(TRANSPOSE), PA_OPERANDS(value), PA_RESULTS(view_type(p, value, count)),
                   PA_ATTRS({"axes", mlirDenseI64ArrayGet(p->o->context, count, order)}));
  if (absent && !pa_failed(&p->at))
    value = pa_value(&p->at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(value), PA_RESULTS(view_type(p, value, p->rank)),
                     PA_ATTRS({"axes", mlirDenseI64ArrayGet(p->o->context, absent, missing)}));
  if (pa_failed(&p->at)) return value;
  operands[0] = value;
  for (intptr_t d = 0; d < p->rank; ++d) operands[1 + d] = p->extents[d];
  return pa_value(&p->at, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, p->rank + 1),
                  PA_RESULTS(view_type(p, value, p->rank)));
}

static void read_extents(product *p, bool number) {
  intptr_t kept = number ? 0 : pyarrayArrayTypeGetRank(mlirValueGetType(operand(p, 2)));
  for (intptr_t d = 0; d < kept; ++d) p->extents[d] = pa_offload_extent(p->o, &p->at, operand(p, 2), (int)d);
  int place = pa_contracted_find(&p->text.operands[0], p->text.summed);
  p->extents[kept] = pa_offload_extent(p->o, &p->at, operand(p, 0), (int)p->batch + place);
}

static bool is_half(MlirType element) {
  pa_scalar scalar = pa_scalar_of(element);
  return scalar == PA_F16 || scalar == PA_BF16;
}

static MlirRegion product_body(product *p, MlirType element) {
  bool bools = mlirTypeEqual(element, mlirIntegerTypeGet(p->o->context, 1));
  MlirType types[] = {element, element}, single = mlirF32TypeGet(p->o->context);
  pa_builder inside = p->at;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(p->at.location, types, 2, &inside.block);
  MlirValue values[] = {mlirBlockGetArgument(inside.block, 0), mlirBlockGetArgument(inside.block, 1)};
  for (int i = 0; i < 2 && is_half(element); ++i)
    values[i] = pa_value(&inside, PA_OP_NAME(CAST), PA_OPERANDS(values[i]), PA_RESULTS(single));
  MlirValue made = pa_offload_builtin(p->o, &inside, bools ? "numpy.logical_and" : "numpy.multiply", values, 2,
                                      is_half(element) ? single : element);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(made));
  p->at.failure = inside.failure;
  return region;
}

//===-- By a library ------------------------------------------------------------------------------===//

static bool is_for_library(const product *p, MlirType element) {
  pa_scalar scalar = pa_scalar_of(element);
  for (intptr_t i = 0; i < 2; ++i)
    if (pa_scalar_of(pyarrayArrayTypeGetElement(mlirValueGetType(operand(p, i)))) != scalar) return false;
  return is_half(element) || scalar == PA_F32 || scalar == PA_F64 || scalar == PA_C64 || scalar == PA_C128;
}

// Operand |i| as matrices: a vector has one more axis, the row's or the column's, and inputs have all loop dimensions.
static MlirValue matrices(product *p, int i) {
  bool row = i == 0 || (i == 2 && p->text.operands[0].rank == 1);
  int64_t axis = p->batch + !row;
  intptr_t rank = p->batch + 2;
  MlirValue value = operand(p, i), operands[PA_OFFLOAD_RANK + 1];
  if (p->text.operands[i].rank == 1)
    value = pa_value(&p->at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(value), PA_RESULTS(view_type(p, value, rank)),
                     PA_ATTRS({"axes", mlirDenseI64ArrayGet(p->o->context, 1, &axis)}));
  if (!p->batch || i == 2 || pa_failed(&p->at)) return value;
  operands[0] = value;
  for (intptr_t d = 0; d < rank; ++d)
    operands[1 + d] = d < p->batch ? p->extents[d] : pa_offload_extent(p->o, &p->at, value, (int)d);
  return pa_value(&p->at, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, rank + 1),
                  PA_RESULTS(view_type(p, value, rank)));
}

static MlirRegion empty_region(product *p, pa_builder *out_inside) {
  *out_inside = p->at;
  out_inside->before = (MlirOperation){NULL};
  MlirRegion region = pa_region(p->at.location, NULL, 0, &out_inside->block);
  out_inside->before = pa_op(out_inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  return region;
}

// What is built from here on is done where the library does not do it.
static void try_library(product *p) {
  MlirValue operands[3];
  pa_builder nothing, otherwise;
  for (int i = 0; i < 3; ++i) operands[i] = matrices(p, (i + 2) % 3); // the result first
  if (pa_failed(&p->at)) return;
  MlirValue done = pa_offload_builtin(p->o, &p->at, DEVICE_PRODUCT, operands, 3, mlirIntegerTypeGet(p->o->context, 1));
  MlirRegion then = empty_region(p, &nothing), rest = empty_region(p, &otherwise);
  pa_op(&p->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(done), PA_REGIONS(then, rest));
  if (!pa_failed(&p->at)) p->at = otherwise;
}

//===-- The operation -----------------------------------------------------------------------------===//

// As a reduction of products, which is a launch then.
static pa_status launch_product(product *p, MlirType element, bool number) {
  MlirValue a = with_loop_shape(p, 0), b = with_loop_shape(p, 1);
  PA_TRY(p->at.failure);
  int64_t axis = p->rank - 1;
  bool bools = mlirTypeEqual(element, mlirIntegerTypeGet(p->o->context, 1));
  MlirAttribute word = pa_string_attr(p->o->context, bools ? "or" : "add");
  int32_t segments[] = {2, 0, !number};
  MlirValue operands[] = {a, b, number ? a : operand(p, 2)};
  MlirOperation made =
      pa_op(&p->at, PA_OP_NAME(REDUCE), PA_OPERAND_ARRAY(operands, 3 - number), PA_RESULT_ARRAY(&element, number),
            PA_REGIONS(product_body(p, element)),
            PA_ATTRS({"words", mlirArrayAttrGet(p->o->context, 1, &word)},
                     {"axes", mlirDenseI64ArrayGet(p->o->context, 1, &axis)}, {"expanded", pa_unit_attr(p->o->context)},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(p->o->context, 3, segments)}));
  PA_TRY(p->at.failure);
  if (number) mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(p->op, 0), mlirOperationGetResult(made, 0));
  return pa_offload_reduce(p->o, made);
}

pa_status pa_offload_contract(pa_offloading *o, MlirOperation op) {
  product p = {.o = o, .op = op, .at = pa_offload_before(o, op)};
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "contraction"));
  const char *wrong = pa_contraction_parse(text.data, text.length, &p.text);
  bool number = mlirOperationGetNumResults(op);
  MlirType output = mlirValueGetType(number ? mlirOperationGetResult(op, 0) : operand(&p, 2));
  MlirType element = number ? output : pyarrayArrayTypeGetElement(output);
  if (wrong || pa_has_attr(op, "adds"))
    return pa_fail_at(PA_CODE_UNSUPPORTED, p.at.location, "this product is not one that a GPU does");
  const pa_contracted *result = &p.text.operands[2];
  p.batch = number ? 0 : pyarrayArrayTypeGetRank(output) - result->rank;
  p.rank = p.batch + result->rank + 1;
  for (int k = 0; k < result->rank; ++k) p.letters[k] = result->letters[k];
  p.letters[result->rank] = p.text.summed;
  read_extents(&p, number);
  bool by_library = !number && result->rank && is_for_library(&p, element) && pa_contraction_is_product(&p.text);
  if (by_library) try_library(&p);
  PA_TRY(p.at.failure);
  PA_TRY(launch_product(&p, element, number));
  mlirOperationDestroy(op);
  return PA_OK;
}
