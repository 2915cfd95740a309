// Of pyarray-fuse: what a loop carries and never changes is what it starts with.
//
//   %r = pyarray.for (%i: si64, %x: !pyarray.array<?xf64, C>) in %range : !pyarray.range iter(%a) {      x += ...
//     ...
//     pyarray.yield %x : !pyarray.array<?xf64, C>
//   }
// becomes
//   pyarray.for (%i: si64) in %range : !pyarray.range {
//     ...                                                  with %a in place of %x, as behind the loop in place of %r
//   }
//
// An operator in place binds its name anew, to the array that it had. Likewise a branch both sides of which give one
// array. So it is known whose memory %x is, and nobody holds it anew in each iteration.
#include "fuse_internal.h"
#include "integer_facts.h"

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

static MlirValue yielded(MlirOperation op, intptr_t region, intptr_t i) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(op, region)), i);
}

static MlirValue argument_of(MlirOperation loop, intptr_t i) {
  MlirBlock body = pa_body(loop, 0);
  return mlirBlockGetArgument(body, mlirBlockGetNumArguments(body) - mlirOperationGetNumResults(loop) + i);
}

// Made here, of extents that are constants, or of arrays that are: pyarray-use-stack gives the loop memory of its own
// for what it carries of these (small_carried.c).
static bool has_known_extents(const pa_names *names, MlirValue array) {
  if (!mlirValueIsAOpResult(array)) return false;
  MlirOperation op = mlirOpResultGetOwner(array);
  pa_op_kind kind = pa_kind(names, op);
  bool makes = kind == PA_OP_BUILTIN ? pa_makes_memory(names, op)
                                     : kind == PA_OP_UFUNC || kind == PA_OP_REDUCE || kind == PA_OP_CONTRACT;
  for (intptr_t i = 0; makes && i < mlirOperationGetNumOperands(op); ++i) {
    int64_t size;
    MlirValue of = mlirOperationGetOperand(op, i);
    if (is_array(of))
      makes = has_known_extents(names, of);
    else if (kind == PA_OP_BUILTIN)
      makes = pa_integer_known(names, pa_item_of_tuple(names, of), &size);
  }
  return makes;
}

// The array that result |i| of |op| always is; null where that is not seen.
static MlirValue constant_result(const pa_names *names, MlirOperation op, intptr_t i) {
  MlirValue none = {NULL}, result = mlirOperationGetResult(op, i), is;
  if (!is_array(result)) return none;
  if (pa_kind(names, op) == PA_OP_SCF_IF) {
    is = yielded(op, 0, i);
    if (!mlirValueEqual(is, yielded(op, 1, i))) return none;
  } else {
    is = mlirOperationGetOperand(op, 1 + i);
    bool stays = mlirValueEqual(yielded(op, 0, i), argument_of(op, i)) || mlirValueEqual(yielded(op, 0, i), is);
    if (!stays || has_known_extents(names, is)) return none;
  }
  return mlirTypeEqual(mlirValueGetType(is), mlirValueGetType(result)) ? is : none;
}

// |op| without the results that are |gone|, which nobody uses any more.
static pa_status rebuild(pa_fusing *f, MlirOperation op, const bool *gone) {
  bool is_loop = pa_kind(&f->names, op) == PA_OP_FOR;
  intptr_t results = mlirOperationGetNumResults(op), regions = mlirOperationGetNumRegions(op), kept = 0, operands = 0;
  MlirType *types = PA_NEW_ARRAY(f->arena, MlirType, results + 1);
  MlirValue *left = PA_NEW_ARRAY(f->arena, MlirValue, results + 2);
  MlirRegion taken[2];
  for (intptr_t r = 0; r < regions; ++r) {
    intptr_t used = 0;
    for (intptr_t i = 0; i < results; ++i)
      if (!gone[i]) left[used++] = yielded(op, r, i);
    mlirOperationSetOperands(mlirBlockGetTerminator(pa_body(op, r)), used, left);
  }
  intptr_t items = is_loop ? mlirBlockGetNumArguments(pa_body(op, 0)) - results : 0;
  for (intptr_t i = results; is_loop && i-- > 0;)
    if (gone[i]) mlirBlockEraseArgument(pa_body(op, 0), (unsigned)(items + i));
  left[operands++] = mlirOperationGetOperand(op, 0);
  for (intptr_t i = 0; i < results; ++i) {
    if (gone[i]) continue;
    types[kept++] = mlirValueGetType(mlirOperationGetResult(op, i));
    if (is_loop) left[operands++] = mlirOperationGetOperand(op, 1 + i);
  }
  for (intptr_t r = 0; r < regions; ++r)
    mlirRegionTakeBody(taken[r] = mlirRegionCreate(), mlirOperationGetRegion(op, r));
  pa_builder at = pa_builder_before(f, op);
  MlirOperation made = is_loop ? pa_op(&at, PA_OP_NAME(FOR), PA_OPERAND_ARRAY(left, operands),
                                       PA_RESULT_ARRAY(types, kept), PA_REGIONS(taken[0]))
                               : pa_op(&at, PA_OP_NAME(SCF_IF), PA_OPERAND_ARRAY(left, operands),
                                       PA_RESULT_ARRAY(types, kept), PA_REGIONS(taken[0], taken[1]));
  if (mlirOperationIsNull(made)) return at.failure;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    mlirOperationSetAttributeByName(made, mlirIdentifierStr(attribute.name), attribute.attribute);
  }
  for (intptr_t i = 0, k = 0; i < results; ++i)
    if (!gone[i]) mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(made, k++));
  mlirOperationDestroy(op);
  return PA_OK;
}

static pa_status keep_what_changes(pa_fusing *f, MlirOperation op) {
  intptr_t results = mlirOperationGetNumResults(op);
  bool *gone = PA_NEW_ARRAY(f->arena, bool, results + 1), any = false;
  for (intptr_t i = 0; i < results; ++i) {
    MlirValue is = constant_result(&f->names, op, i);
    gone[i] = !mlirValueIsNull(is);
    if (!gone[i]) continue;
    any = true;
    if (pa_kind(&f->names, op) == PA_OP_FOR) mlirValueReplaceAllUsesOfWith(argument_of(op, i), is);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), is);
  }
  return any ? rebuild(f, op, gone) : PA_OK;
}

// Loops over prange are left as pyarray-find-parallel-loops has read them.
static MlirWalkResult add_carrier(MlirOperation op, void *data) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool is_loop = pa_ref_equal(name, PA_OP_NAME(FOR)) && mlirAttributeIsNull(pa_get_attr(op, "pyarray.parallel")) &&
                 mlirAttributeIsNull(pa_get_attr(op, "pyarray.names"));
  if (mlirOperationGetNumResults(op) && (is_loop || pa_ref_equal(name, PA_OP_NAME(SCF_IF)))) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

pa_status pa_drop_carried(pa_fusing *f, MlirOperation function) {
  pa_op_list all = {.arena = f->arena};
  mlirOperationWalk(function, add_carrier, &all, MlirWalkPostOrder);
  for (size_t i = 0; i < all.count; ++i) PA_TRY(keep_what_changes(f, all.items[i]));
  return PA_OK;
}
