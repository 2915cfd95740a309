// Of pyarray-use-stack: small arrays that a loop carries from one iteration to the next.
//
//   %r = pyarray.for (%i: si64, %x: !pyarray.array<?xf64, C>) in %range : !pyarray.range iter(%a) {
//     ...
//     pyarray.yield %y : !pyarray.array<?xf64, C>
//   }
// becomes, where %a and %y are new arrays of two elements that nothing else knows from there on,
//   %b = pyarray.builtin "numpy.empty"(%c2)         the elements of %a to %b
//   pyarray.for (%i: si64) in %range : !pyarray.range {
//     ...                                            with %b in place of %x
//     the elements of %y to %b
//   }
//   %r = pyarray.builtin "numpy.empty"(%c2)         the elements of %b to %r
//
// So %b and %y are known here, and may be in stack memory, whose elements LLVM keeps in registers.
#include "fuse_internal.h"
#include "small_arrays.h"

typedef struct carrying {
  pa_small_arrays *small;
  MlirOperation loop;
  MlirBlock body;
  intptr_t position; // among what is carried
  pa_builder at;
} carrying;

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static pa_op_kind kind_of(const carrying *c, MlirOperation op) { return pa_kind(&c->small->names, op); }

//===-- Who knows an array ------------------------------------------------------------------------===//

// Before the loop in its block, or in an operation of it.
static bool is_before(const carrying *c, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(c->loop);
  while (!mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    op = mlirOperationGetParentOperation(op);
    if (mlirOperationIsNull(op) || mlirBlockIsNull(mlirOperationGetBlock(op))) return false;
  }
  return pa_map_get(&c->small->places, op.ptr) < pa_map_get(&c->small->places, c->loop.ptr);
}

// Nothing knows |array| but the operations that use it, which are |only_before| the loop, and views of it that are used
// so; but for operand |number| of |except|.
static bool is_local(const carrying *c, MlirValue array, MlirOperation except, intptr_t number, bool only_before) {
  int met = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, except) && mlirOpOperandGetOperandNumber(use) == number && !met++) continue;
    pa_op_kind kind = kind_of(c, op);
    if (kind == PA_OP_RETURN || kind == PA_OP_COMPARE || !pa_keeps_no_array(&c->small->names, op)) return false;
    if (only_before && !is_before(c, op)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue result = mlirOperationGetResult(op, i);
      if (!pa_is_managed(mlirValueGetType(result)) || pa_makes_memory(&c->small->names, op)) continue;
      if (!is_array(result) || !is_local(c, result, (MlirOperation){NULL}, -1, only_before)) return false;
    }
  }
  return true;
}

// Memory made by an operation of |block|.
static bool is_made_in(const carrying *c, MlirValue array, MlirBlock block) {
  return mlirValueIsAOpResult(array) && pa_makes_memory(&c->small->names, mlirOpResultGetOwner(array)) &&
         mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(array)), block);
}

static MlirValue argument_of(const carrying *c) {
  intptr_t items = mlirBlockGetNumArguments(c->body) - mlirOperationGetNumResults(c->loop);
  return mlirBlockGetArgument(c->body, items + c->position);
}

static bool can_be_copied(const carrying *c) {
  MlirOperation none = {NULL}, end = mlirBlockGetTerminator(c->body);
  MlirValue argument = argument_of(c), made = mlirOperationGetOperand(end, c->position),
            start = mlirOperationGetOperand(c->loop, 1 + c->position);
  const pa_extents *known = pa_known_extents(c->small, argument);
  MlirType type = mlirValueGetType(argument);
  bool stays = mlirValueEqual(made, argument);
  return known && pa_small_bytes(type, known) && pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C &&
         mlirTypeEqual(type, mlirValueGetType(start)) && mlirTypeEqual(type, mlirValueGetType(made)) &&
         is_made_in(c, start, mlirOperationGetBlock(c->loop)) && is_local(c, start, c->loop, 1 + c->position, true) &&
         (stays || (is_made_in(c, made, c->body) && is_local(c, made, end, c->position, false))) &&
         is_local(c, argument, stays ? end : none, c->position, false);
}

//===-- The copies --------------------------------------------------------------------------------===//

static MlirValue new_array(carrying *c, MlirType type, const pa_extents *known) {
  MlirType integer = mlirIntegerTypeSignedGet(c->at.context, 64);
  MlirValue sizes[PA_MOST_SMALL_RANK];
  for (int axis = 0; axis < known->rank; ++axis)
    sizes[axis] = pa_value(&c->at, PA_OP_NAME(CONSTANT), PA_RESULTS(integer),
                           PA_ATTRS({"value", mlirIntegerAttrGet(integer, known->sizes[axis])}));
  if (pa_failed(&c->at)) return (MlirValue){NULL};
  return pa_value(&c->at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(sizes, known->rank), PA_RESULTS(type),
                  PA_ATTRS({"name", pa_string_attr(c->at.context, "numpy.empty")}));
}

// One by one where there are few: a call would take their address.
static void copy(carrying *c, MlirValue to, MlirValue from, const pa_extents *known) {
  int64_t place[PA_MOST_SMALL_RANK] = {0}, count = 1;
  for (int axis = 0; axis < known->rank; ++axis) count *= known->sizes[axis];
  if (pa_failed(&c->at)) return;
  if (count > PA_MOST_UNROLLED) {
    pa_op(&c->at, PA_OP_NAME(SETITEM), PA_OPERANDS(to, from), PA_ATTRS({"pyarray.fresh", pa_unit_attr(c->at.context)}));
    return;
  }
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(to));
  for (int64_t i = 0; i < count; ++i) {
    pa_small_store(&c->at, to, place, known->rank, pa_small_load(&c->at, from, place, known->rank, element));
    for (int axis = known->rank; axis-- > 0 && ++place[axis] == known->sizes[axis];) place[axis] = 0;
  }
}

// The loop without what stands at the position.
static void rebuild(carrying *c) {
  intptr_t operands = mlirOperationGetNumOperands(c->loop), results = mlirOperationGetNumResults(c->loop), used = 0;
  MlirOperation end = mlirBlockGetTerminator(c->body);
  MlirValue *left = PA_NEW_ARRAY(c->small->arena, MlirValue, operands + 1);
  MlirType *types = PA_NEW_ARRAY(c->small->arena, MlirType, results + 1);
  for (intptr_t i = 0; i < results; ++i)
    if (i != c->position) left[used++] = mlirOperationGetOperand(end, i);
  mlirOperationSetOperands(end, used, left);
  for (intptr_t i = used = 0; i < operands; ++i)
    if (i != 1 + c->position) left[used++] = mlirOperationGetOperand(c->loop, i);
  intptr_t items = mlirBlockGetNumArguments(c->body) - results;
  mlirBlockEraseArgument(c->body, (unsigned)(items + c->position));
  for (intptr_t i = 0, k = 0; i < results; ++i)
    if (i != c->position) types[k++] = mlirValueGetType(mlirOperationGetResult(c->loop, i));
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(c->loop, 0));
  c->at.before = c->loop;
  MlirOperation made = pa_op(&c->at, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(left, used), PA_RESULT_ARRAY(types, results - 1),
                             PA_REGIONS(region));
  if (mlirOperationIsNull(made)) return;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(c->loop); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(c->loop, i);
    mlirOperationSetAttributeByName(made, mlirIdentifierStr(attribute.name), attribute.attribute);
  }
  for (intptr_t i = 0, k = 0; i < results; ++i)
    if (i != c->position)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(c->loop, i), mlirOperationGetResult(made, k++));
  pa_map_put(c->small->arena, &c->small->places, made.ptr, pa_map_get(&c->small->places, c->loop.ptr));
  mlirOperationDestroy(c->loop);
  c->loop = made;
}

static void copy_carried(carrying *c) {
  MlirValue argument = argument_of(c), result = mlirOperationGetResult(c->loop, c->position);
  MlirType type = mlirValueGetType(argument);
  pa_extents known = *pa_known_extents(c->small, argument);
  MlirOperation end = mlirBlockGetTerminator(c->body);
  MlirValue made = mlirOperationGetOperand(end, c->position);
  bool stays = mlirValueEqual(made, argument);
  c->at = (pa_builder){.context = c->small->names.context,
                       .location = mlirOperationGetLocation(c->loop),
                       .block = mlirOperationGetBlock(c->loop),
                       .before = c->loop};
  MlirValue buffer = new_array(c, type, &known);
  copy(c, buffer, mlirOperationGetOperand(c->loop, 1 + c->position), &known);
  if (pa_failed(&c->at)) return;
  mlirValueReplaceAllUsesOfWith(argument, buffer);
  pa_builder outside = c->at;
  c->at.block = c->body, c->at.before = end;
  if (!stays) copy(c, buffer, made, &known);
  outside.failure = c->at.failure;
  c->at = outside;
  c->at.before = mlirOperationGetNextInBlock(c->loop);
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(result))) {
    MlirValue own = new_array(c, type, &known);
    copy(c, own, buffer, &known);
    if (!pa_failed(&c->at)) mlirValueReplaceAllUsesOfWith(result, own);
  }
  if (!pa_failed(&c->at)) rebuild(c);
}

pa_status pa_copy_carried(pa_small_arrays *small, MlirOperation loop, bool *out_changed) {
  carrying c = {.small = small, .loop = loop, .body = pa_body(loop, 0)};
  for (c.position = mlirOperationGetNumResults(loop); c.position-- > 0;) {
    if (!is_array(mlirOperationGetResult(c.loop, c.position)) || !can_be_copied(&c)) continue;
    copy_carried(&c);
    if (c.at.failure) return c.at.failure;
    *out_changed = true;
  }
  return PA_OK;
}
