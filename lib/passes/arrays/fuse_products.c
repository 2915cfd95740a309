// Of pyarray-fuse: products of a matrix that is computed and a vector are sums of products.
//
//   %t = pyarray.ufunc ins(%s, %a) { multiply } -> ...                                    (s * a) @ x
//   %r = pyarray.contract "mk,k->m" ins(%t, %x)
// becomes
//   %t = pyarray.ufunc ins(%s, %a) { multiply } -> ...
//   %n:2 = pyarray.ufunc_shape "(m,k),(k)->(m)" ins(%t, %x)                               raises as it did
//   %p = pyarray.ufunc "(),()->()" ins(%t, %x) { multiply } -> ... {shapes = array<i64: 0>}
//   %r = pyarray.reduce ["add"] axes [1] ins(%p)
//
// So %t need not be written down, which takes as long as the product: each element of it is read once. Likewise of two
// vectors. Sums are NumPy's of such an array then, at least as exact as those of BLAS. A product that sums over rows
// (x @ t) stays: what it adds to would be written anew for each row.
#include "fuse_internal.h"
#include "support/contraction.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

static bool is_real(MlirValue array) {
  pa_scalar scalar = pa_scalar_of(pyarrayArrayTypeGetElement(mlirValueGetType(array)));
  return scalar == PA_F32 || scalar == PA_F64;
}

// What a ufunc computes, and nobody but |op| reads.
static bool is_computed_for(const pa_fusing *f, MlirOperation op, MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return false;
  MlirOperation made = mlirOpResultGetOwner(value);
  if (!pa_is_elementwise(&f->names, made) || mlirOperationGetNumResults(made) != 1 ||
      !mlirBlockEqual(mlirOperationGetBlock(made), mlirOperationGetBlock(op)) || !pa_has_no_effects(pa_body(made, 0)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(user, op) && !pa_is_question(&f->names, user)) return false;
  }
  return true;
}

// A matrix and a vector, or two vectors, of which the one with most elements is computed.
static bool is_sum_of_computed(const pa_fusing *f, MlirOperation op, pa_contraction *out_contraction) {
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "contraction"));
  if (mlirOperationGetNumOperands(op) != 2 || !is_real(operand(op, 0)) ||
      pa_contraction_parse(text.data, text.length, out_contraction))
    return false;
  for (int i = 0; i < 2; ++i) // "..." stands for nothing
    if (pyarrayArrayTypeGetRank(mlirValueGetType(operand(op, i))) != out_contraction->operands[i].rank) return false;
  const pa_contracted *a = &out_contraction->operands[0], *x = &out_contraction->operands[1];
  if (x->rank != 1 || a->rank < 1 || a->rank > 2 || pa_contracted_find(a, out_contraction->summed) != a->rank - 1)
    return false;
  return is_computed_for(f, op, operand(op, 0)) || (a->rank == 1 && is_computed_for(f, op, operand(op, 1)));
}

static MlirAttribute segments(const pa_builder *at, int first, int second, int third) {
  int32_t sizes[] = {first, second, third};
  return mlirDenseI32ArrayGet(at->context, third < 0 ? 2 : 3, sizes);
}

// Raises where the extents differ, as the product does.
static void leave_check(pa_builder *at, MlirOperation op, int rank) {
  MlirType si64 = mlirIntegerTypeSignedGet(at->context, 64), types[] = {si64, si64};
  pa_op(at, PA_OP_NAME(UFUNC_SHAPE), PA_OPERANDS(operand(op, 0), operand(op, 1)), PA_RESULT_ARRAY(types, rank),
        PA_ATTRS({"signature", pa_string_attr(at->context, rank == 2 ? "(m,k),(k)->(m)" : "(k),(k)->()")},
                 {"operandSegmentSizes", segments(at, 2, 0, -1)}, {"pyarray.name", pa_get_attr(op, "pyarray.name")},
                 {"pyarray.mismatch", pa_get_attr(op, "pyarray.mismatch")}));
}

static MlirValue emit_products(pa_builder *at, MlirValue a, MlirValue x) {
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(a)), types[] = {element, element};
  int rank = (int)pyarrayArrayTypeGetRank(mlirValueGetType(a));
  pa_builder inside = *at;
  MlirRegion body = pa_region(at->location, types, 2, &inside.block);
  inside.before = (MlirOperation){NULL};
  MlirValue product =
      pa_value(&inside, PA_OP_NAME(BUILTIN),
               PA_OPERANDS(mlirBlockGetArgument(inside.block, 0), mlirBlockGetArgument(inside.block, 1)),
               PA_RESULTS(element), PA_ATTRS({"name", pa_string_attr(at->context, "numpy.multiply")}));
  if (!pa_failed(&inside)) pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(product));
  at->failure = inside.failure;
  return pa_value(at, PA_OP_NAME(UFUNC), PA_OPERANDS(a, x),
                  PA_RESULTS(pa_array_type(at->context, rank, element, PYARRAY_LAYOUT_C, false)), PA_REGIONS(body),
                  PA_ATTRS({"signature", pa_string_attr(at->context, "(),()->()")},
                           {"operandSegmentSizes", segments(at, 2, 0, -1)},
                           {"shapes", mlirDenseI64ArrayGet(at->context, 1, (int64_t[]){0})},
                           {"pyarray.name", pa_string_attr(at->context, "multiply")}));
}

static MlirValue emit_sums(pa_builder *at, MlirValue products, MlirType type) {
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(products));
  int rank = (int)pyarrayArrayTypeGetRank(mlirValueGetType(products));
  pa_builder inside = *at;
  MlirRegion body = pa_region(at->location, &element, 1, &inside.block);
  inside.before = (MlirOperation){NULL};
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(mlirBlockGetArgument(inside.block, 0)));
  MlirAttribute add = pa_string_attr(at->context, "add");
  at->failure = inside.failure;
  return pa_value(at, PA_OP_NAME(REDUCE), PA_OPERANDS(products), PA_RESULTS(type), PA_REGIONS(body),
                  PA_ATTRS({"words", mlirArrayAttrGet(at->context, 1, &add)},
                           {"axes", mlirDenseI64ArrayGet(at->context, 1, (int64_t[]){rank - 1})},
                           {"operandSegmentSizes", segments(at, 1, 0, 0)},
                           {"pyarray.name", pa_string_attr(at->context, PA_PRODUCT_NAME)}));
}

pa_status pa_sum_products(pa_fusing *f, MlirOperation op) {
  pa_contraction contraction;
  if (!is_sum_of_computed(f, op, &contraction)) return PA_OK;
  pa_builder at = pa_builder_before(f, op);
  MlirValue a = operand(op, 0), x = operand(op, 1), result = mlirOperationGetResult(op, 0);
  int rank = contraction.operands[0].rank;
  leave_check(&at, op, rank);
  if (pa_failed(&at)) return at.failure;
  MlirValue products = emit_products(&at, a, x);
  if (pa_failed(&at)) return at.failure;
  MlirValue sums = emit_sums(&at, products, mlirValueGetType(result));
  if (pa_failed(&at)) return at.failure;
  mlirValueReplaceAllUsesOfWith(result, sums);
  mlirOperationDestroy(op);
  return PA_OK;
}
