// Of pyarray-use-stack: products of few numbers that are only added to an array.
//
//   %p = pyarray.builtin "numpy.empty"(%m, %n)                                       c += a @ b
//   pyarray.contract "mk,kn->mn" ins(%a, %b : ...) outs(%p : ...) expanded
//   %s:2 = pyarray.ufunc_shape "(),()->()" ins(%c, %p : ...) outs(%c : ...)
//   %q = pyarray.broadcast_to %p to(%s#0, %s#1)
//   pyarray.ufunc "(),()->()" ins(%c, %q : ...) outs(%c : ...) expanded { add }
// becomes
//   scf.if (%c has the shape (%m, %n), there are few multiplications, %c shares no memory with %a or %b) {
//     pyarray.contract "mk,kn->mn" ins(%a, %b : ...) outs(%c : ...) expanded adds          (`c -= a @ b`: adds negated)
//   } else {
//     (as before)
//   }
//
// So a small product needs no array. Each sum is complete before it is added, so that the numbers are the same.
#include "expand.h"
#include "fuse_internal.h"
#include "small_arrays.h"
#include "support/contraction.h"

enum { PA_FEW_MULTIPLICATIONS = 4096, PA_FEW_OF_VECTORS = 256 }; // of more, BLAS is worth an array (matmul.c)

// Operations one right behind the other, but for the first.
typedef struct added_product {
  MlirOperation made, contract, shape, broadcast, add; // shape and broadcast may be null
  MlirValue target;
  bool negated; // it is subtracted
  pa_contraction text;
} added_product;

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

//===-- Reading -----------------------------------------------------------------------------------===//

// The output plus |product|, or minus it.
static bool adds(MlirOperation ufunc, MlirValue product, bool *out_negated) {
  MlirBlock body = pa_body(ufunc, 0);
  MlirOperation sum = mlirBlockGetFirstOperation(body), end = mlirBlockGetTerminator(body);
  MlirAttribute name = pa_get_attr(sum, "name");
  bool two = mlirOperationGetNumOperands(ufunc) == 3 && pa_input_count(ufunc) == 2 &&
             mlirBlockGetNumArguments(body) == 2 && mlirValueEqual(operand(ufunc, 1), product) &&
             mlirValueEqual(operand(ufunc, 0), operand(ufunc, 2));
  if (!two || !pa_op_is(sum, PA_OP_NAME(BUILTIN))) return false;
  *out_negated = pa_ref_equal(mlirStringAttrGetValue(name), "numpy.subtract");
  return (*out_negated || pa_ref_equal(mlirStringAttrGetValue(name), "numpy.add")) &&
         mlirOperationEqual(mlirOperationGetNextInBlock(sum), end) &&
         mlirValueEqual(operand(end, 0), mlirOperationGetResult(sum, 0)) &&
         mlirValueEqual(operand(sum, 0), mlirBlockGetArgument(body, 0)) &&
         mlirValueEqual(operand(sum, 1), mlirBlockGetArgument(body, 1));
}

static int use_count(MlirValue value) {
  int count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    ++count;
  return count;
}

// All uses of what the operations give are in them.
static bool is_closed(const added_product *p) {
  int read = 2; // by the product and what follows it
  MlirValue made = mlirOperationGetResult(p->made, 0);
  if (!mlirOperationIsNull(p->shape)) {
    ++read;
    int sizes = 0;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(p->shape); ++i)
      sizes += use_count(mlirOperationGetResult(p->shape, i));
    bool by_broadcast = !mlirOperationIsNull(p->broadcast);
    if (sizes != (by_broadcast ? mlirOperationGetNumOperands(p->broadcast) - 1 : 0)) return false;
  }
  return use_count(made) == read &&
         (mlirOperationIsNull(p->broadcast) || use_count(mlirOperationGetResult(p->broadcast, 0)) == 1);
}

static bool is_float_product(added_product *p) {
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(p->contract, "contraction"));
  if (pa_contraction_parse(text.data, text.length, &p->text) || !pa_contraction_is_product(&p->text)) return false;
  for (int i = 0; i < 3; ++i) {
    MlirType type = mlirValueGetType(operand(p->contract, i));
    pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(type));
    if ((element != PA_F32 && element != PA_F64) || pyarrayArrayTypeGetRank(type) != p->text.operands[i].rank)
      return false;
  }
  return p->text.operands[2].rank > 0;
}

// It stands beside the product that is added.
static bool is_otherwise(const pa_names *names, MlirOperation contract) {
  MlirOperation around = mlirOperationGetParentOperation(contract);
  if (pa_kind(names, around) != PA_OP_SCF_IF) return false;
  MlirOperation first = mlirBlockGetFirstOperation(pa_body(around, 0));
  return pa_kind(names, first) == PA_OP_CONTRACT && !mlirAttributeIsNull(pa_get_attr(first, "adds"));
}

// |contract|, and what is made of its output.
static bool read_added(const pa_small_arrays *small, MlirOperation contract, added_product *p) {
  const pa_names *names = &small->names;
  *p = (added_product){.contract = contract};
  if (mlirOperationGetNumOperands(contract) != 3 || mlirAttributeIsNull(pa_get_attr(contract, "expanded")) ||
      !mlirAttributeIsNull(pa_get_attr(contract, "adds")) || is_otherwise(names, contract) || !is_float_product(p))
    return false;
  MlirValue made = operand(contract, 2), read = made;
  if (!mlirValueIsAOpResult(made) || pa_known_extents(small, made)) return false;
  p->made = mlirOpResultGetOwner(made);
  if (pa_kind(names, p->made) != PA_OP_BUILTIN || !pa_makes_memory(names, p->made) ||
      mlirOperationGetNumOperands(p->made) != p->text.operands[2].rank ||
      !mlirBlockEqual(mlirOperationGetBlock(p->made), mlirOperationGetBlock(contract)))
    return false;
  MlirOperation op = mlirOperationGetNextInBlock(contract);
  if (pa_kind(names, op) == PA_OP_UFUNC_SHAPE) p->shape = op, op = mlirOperationGetNextInBlock(op);
  if (pa_kind(names, op) == PA_OP_BROADCAST_TO && mlirValueEqual(operand(op, 0), made)) {
    p->broadcast = op, read = mlirOperationGetResult(op, 0);
    op = mlirOperationGetNextInBlock(op);
  }
  if (pa_kind(names, op) != PA_OP_UFUNC || mlirAttributeIsNull(pa_get_attr(op, "expanded")) ||
      !adds(op, read, &p->negated))
    return false;
  p->add = op;
  p->target = operand(op, 0);
  MlirType type = mlirValueGetType(p->target);
  return is_array(p->target) && pyarrayArrayTypeGetRank(type) == p->text.operands[2].rank &&
         mlirTypeEqual(pyarrayArrayTypeGetElement(type), pyarrayArrayTypeGetElement(mlirValueGetType(made))) &&
         is_closed(p);
}

//===-- When it may -------------------------------------------------------------------------------===//

static MlirType extent_type(const pa_builder *at) { return pa_scalar_type(at->context, PA_I64); }

static MlirValue number(pa_builder *at, int64_t value) {
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(extent_type(at)),
                  PA_ATTRS({"value", mlirIntegerAttrGet(extent_type(at), value)}));
}

static MlirValue binary(pa_builder *at, pyarray_binary_kind kind, MlirValue a, MlirValue b) {
  return pa_failed(at) ? a
                       : pa_value(at, PA_OP_NAME(BINARY), PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)),
                                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(at->context, kind)}));
}

static MlirValue both(pa_builder *at, MlirValue all, pyarray_compare_kind kind, MlirValue a, MlirValue b) {
  if (pa_failed(at)) return a;
  MlirValue holds = pa_value(at, PA_OP_NAME(COMPARE), PA_OPERANDS(a, b), PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
                             PA_ATTRS({"kind", pyarrayCompareKindAttrGet(at->context, kind)}));
  return mlirValueIsNull(all) ? holds : binary(at, PYARRAY_BINARY_AND, all, holds);
}

static MlirValue extent(pa_builder *at, MlirValue array, int axis) {
  MlirType types[PA_MAX_CONTRACTED];
  intptr_t rank = pyarrayArrayTypeGetRank(mlirValueGetType(array));
  for (intptr_t i = 0; i < rank; ++i) types[i] = extent_type(at);
  MlirValue shape =
      pa_value(at, PA_OP_NAME(GETATTR), PA_OPERANDS(array), PA_RESULTS(mlirTupleTypeGet(at->context, rank, types)),
               PA_ATTRS({"name", pa_string_attr(at->context, "shape")}));
  if (pa_failed(at)) return array;
  return pa_value(at, PA_OP_NAME(GETITEM), PA_OPERANDS(shape, number(at, axis)), PA_RESULTS(extent_type(at)));
}

// The multiplications are few; none of the extents is negative.
static MlirValue are_few(pa_builder *at, const added_product *p, MlirValue all) {
  int rank = p->text.operands[2].rank;
  int64_t most = rank == 2 ? PA_FEW_MULTIPLICATIONS : PA_FEW_OF_VECTORS;
  MlirValue few = number(at, most), sum = extent(at, operand(p->contract, 0), p->text.operands[0].rank - 1),
            product = sum;
  all = both(at, all, PYARRAY_COMPARE_LE, sum, few);
  for (int i = 0; i < rank; ++i) {
    all = both(at, all, PYARRAY_COMPARE_LE, operand(p->made, i), few);
    product = binary(at, PYARRAY_BINARY_MUL, product, operand(p->made, i));
  }
  return both(at, all, PYARRAY_COMPARE_LE, product, few);
}

static bool is_apart(const pa_memory *memory, const added_product *p) {
  return pa_is_own_memory(memory, p->target) && !pa_is_same_memory(memory, p->target, operand(p->contract, 0)) &&
         !pa_is_same_memory(memory, p->target, operand(p->contract, 1));
}

static MlirValue may_add(pa_builder *at, const pa_memory *memory, const added_product *p) {
  MlirValue all = {NULL};
  for (int i = 0; i < p->text.operands[2].rank; ++i)
    all = both(at, all, PYARRAY_COMPARE_EQ, extent(at, p->target, i), operand(p->made, i));
  all = are_few(at, p, all);
  if (is_apart(memory, p) || pa_failed(at)) return all;
  MlirValue operands[] = {operand(p->contract, 0), operand(p->contract, 1), p->target};
  int32_t sizes[] = {2, 1};
  MlirValue apart = pa_value(at, PA_OP_NAME(INDEPENDENT), PA_OPERAND_ARRAY(operands, 3),
                             PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
                             PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, sizes)},
                                      {"apart", pa_unit_attr(at->context)}));
  return binary(at, PYARRAY_BINARY_AND, all, apart);
}

//===-- The branches ------------------------------------------------------------------------------===//

static void move(pa_builder *to, MlirOperation op) {
  if (mlirOperationIsNull(op)) return;
  mlirOperationRemoveFromParent(op);
  mlirBlockAppendOwnedOperation(to->block, op);
}

static pa_status add_in_place(pa_small_arrays *small, const pa_memory *memory, const added_product *p) {
  pa_builder at = {.context = small->names.context,
                   .location = mlirOperationGetLocation(p->contract),
                   .block = mlirOperationGetBlock(p->contract),
                   .before = mlirOperationGetNextInBlock(p->add)};
  MlirValue may = may_add(&at, memory, p), operands[] = {operand(p->contract, 0), operand(p->contract, 1), p->target};
  if (pa_failed(&at)) return at.failure;
  MlirRegion then, otherwise;
  pa_builder inside = pa_open_branch(&at, &then);
  MlirOperation added = pa_op(&inside, PA_OP_NAME(CONTRACT), PA_OPERAND_ARRAY(operands, 3),
                              PA_ATTRS({"contraction", pa_get_attr(p->contract, "contraction")},
                                       {"operandSegmentSizes", pa_get_attr(p->contract, "operandSegmentSizes")},
                                       {"expanded", pa_unit_attr(at.context)}, {"adds", pa_unit_attr(at.context)}));
  if (p->negated && !mlirOperationIsNull(added)) pa_set_attr(added, "negated", pa_unit_attr(at.context));
  pa_close_branch(&at, &inside);
  inside = pa_open_branch(&at, &otherwise);
  move(&inside, p->made);
  move(&inside, p->contract);
  move(&inside, p->shape);
  move(&inside, p->broadcast);
  move(&inside, p->add);
  pa_close_branch(&at, &inside);
  pa_op(&at, PA_OP_NAME(SCF_IF), PA_OPERANDS(may), PA_REGIONS(then, otherwise));
  return at.failure;
}

static MlirWalkResult note_contraction(MlirOperation op, void *data) {
  if (pa_op_is(op, PA_OP_NAME(CONTRACT))) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

pa_status pa_add_products(pa_small_arrays *small, MlirOperation function) {
  pa_op_list all = {.arena = small->arena};
  pa_memory memory = {.arena = small->arena, .names = &small->names};
  added_product p;
  bool read = false;
  mlirOperationWalk(function, note_contraction, &all, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i) {
    if (!read_added(small, all.items[i], &p)) continue;
    if (!read) pa_memory_read(&memory, function);
    read = true;
    PA_TRY(add_in_place(small, &memory, &p));
  }
  return PA_OK;
}
