// Of pyarray-fuse: gathers that are computed in their consumers.
//
//   %t = pyarray.ufunc "()->()" ins(%x) { ^bb0(%i): %e = getitem %a[%i]; yield %e }         a[x] * w
//   %u = pyarray.ufunc "(),()->()" ins(%t, %w) { multiply }
// becomes
//   %n = pyarray.ufunc_shape "()->()" ins(%a)
//   pyarray.builtin "pyarray.library._intrinsics.check_index"(%x, %n, %axis)                 raises where %t stood
//   %u = pyarray.ufunc ins(%x, %w) { ^bb0(%i, %y): %e = getitem %a[%i] {pyarray.clamped}; multiply %e, %y; ... }
//
// So nothing is stored where an index is out of bounds, and errors come in the order of the program.
#include "fuse_internal.h"
#include "pyarray-c/Effects.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

//===-- What a body gathers -----------------------------------------------------------------------===//

// The number of the body's argument that an index is, or is cast from; -1: it is computed.
static int index_argument(const pa_names *names, MlirBlock body, MlirValue index) {
  while (mlirValueIsAOpResult(index) && pa_kind(names, mlirOpResultGetOwner(index)) == PA_OP_CAST)
    index = operand(mlirOpResultGetOwner(index), 0);
  if (!mlirValueIsABlockArgument(index) || !mlirBlockEqual(mlirBlockArgumentGetOwner(index), body)) return -1;
  return (int)mlirBlockArgumentGetArgNumber(index);
}

static bool is_within(MlirValue value, MlirBlock body) {
  return mlirBlockEqual(mlirValueIsAOpResult(value) ? mlirOperationGetBlock(mlirOpResultGetOwner(value))
                                                    : mlirBlockArgumentGetOwner(value),
                        body);
}

// An element of an array from outside.
static bool is_gather(const pa_names *names, MlirBlock body, MlirOperation op) {
  if (pa_kind(names, op) != PA_OP_GETITEM || is_within(operand(op, 0), body) ||
      !pyarrayTypeIsArray(mlirValueGetType(operand(op, 0))) ||
      pa_scalar_of(mlirValueGetType(mlirOperationGetResult(op, 0))) == PA_NOT_SCALAR)
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    if (!pa_is_integer(pa_scalar_of(mlirValueGetType(operand(op, i))))) return false;
  return true;
}

bool pa_only_gathers(const pa_fusing *f, MlirBlock body) {
  bool gathers = false;
  PA_FOR_EACH_OP(op, body) {
    pyarray_effects effects = pyarrayOperationGetEffects(op);
    if (!(effects.reads | effects.writes | effects.allocates | effects.frees)) continue;
    if (!is_gather(&f->names, body, op)) return false;
    gathers = true;
  }
  return gathers;
}

bool pa_gathers_by_several(const pa_fusing *f, MlirBlock body) {
  PA_FOR_EACH_OP(op, body)
  if (is_gather(&f->names, body, op) && mlirOperationGetNumOperands(op) > 2) return true;
  return false;
}

// Something else computes an index, for this loop alone: it is rather computed here than written down to be checked.
static bool is_computed_for(const pa_fusing *f, const pa_producer *p, int input) {
  MlirValue value = operand(p->op, input);
  if (!mlirValueIsAOpResult(value)) return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return pa_is_elementwise(&f->names, op) && mlirOperationGetNumResults(op) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

bool pa_has_given_indices(const pa_fusing *f, const pa_producer *p) {
  MlirBlock body = pa_body(p->op, 0);
  PA_FOR_EACH_OP(op, body) {
    if (!is_gather(&f->names, body, op)) continue;
    for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i) {
      int argument = index_argument(&f->names, body, operand(op, i));
      if (argument < 0 || is_computed_for(f, p, argument)) return false;
    }
  }
  return true;
}

//===-- Whether it may move -----------------------------------------------------------------------===//

bool pa_gathers_the_same(const pa_fusing *f, const pa_producer *p, MlirOperation consumer) {
  int64_t from = pa_place_of(&f->memory, p->op), to = pa_place_of(&f->memory, consumer);
  bool stores = pa_kind(&f->names, consumer) == PA_OP_SETITEM;
  intptr_t first = stores ? 0 : pa_input_count(consumer), end = stores ? 1 : mlirOperationGetNumOperands(consumer);
  MlirBlock body = pa_body(p->op, 0);
  PA_FOR_EACH_OP(op, body) {
    if (!is_gather(&f->names, body, op)) continue;
    MlirValue array = operand(op, 0);
    if (pa_may_be_written(&f->memory, array, from, to)) return false;
    for (intptr_t i = first; i < end; ++i) // it is read at other points than those that are written
      if (pyarrayTypeIsArray(mlirValueGetType(operand(consumer, i))) && !pa_is_apart(f, array, operand(consumer, i)))
        return false;
  }
  return true;
}

//===-- Checks ------------------------------------------------------------------------------------===//

static void check_index(pa_fusing *f, pa_builder *at, MlirValue index, MlirValue extent, int64_t axis, int64_t place) {
  MlirType type = mlirIntegerTypeSignedGet(at->context, 64);
  MlirValue told =
      pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, axis)}));
  MlirOperation check =
      pa_op(at, PA_OP_NAME(BUILTIN), PA_OPERANDS(index, extent, told), PA_RESULTS(pyarrayNoneTypeGet(at->context)),
            PA_ATTRS({"name", pa_string_attr(at->context, "pyarray.library._intrinsics.check_index")}));
  if (!mlirOperationIsNull(check)) pa_set_place(&f->memory, check, place);
}

void pa_leave_index_checks(pa_fusing *f, pa_builder *at, const pa_producer *p) {
  int64_t place = pa_place_of(&f->memory, p->op);
  MlirBlock body = pa_body(p->op, 0);
  PA_FOR_EACH_OP(op, body) {
    if (!is_gather(&f->names, body, op) || pa_failed(at)) continue;
    MlirValue array = operand(op, 0);
    MlirAttribute told = pa_get_attr(op, "pyarray.axes");
    bool checks = pyarrayOperationGetEffects(op).writes != 0;
    int rank = (int)mlirOperationGetNumOperands(op) - 1;
    MlirValue *extents = checks ? pa_leave_shape(f, at, &array, 1, rank, mlirAttributeGetNull(), place) : NULL;
    for (int axis = 0; axis < rank && checks && !pa_failed(at); ++axis) {
      MlirValue index = operand(p->op, index_argument(&f->names, body, operand(op, 1 + axis)));
      int64_t number = mlirAttributeIsNull(told) ? axis : mlirDenseI64ArrayGetElement(told, axis);
      check_index(f, at, index, extents[axis], number, place);
    }
    pa_set_attr(op, "pyarray.clamped", pa_unit_attr(at->context));
  }
}
