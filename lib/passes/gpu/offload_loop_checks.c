// Of pyarray-offload-loops: which loops over prange are kernels: those that read and write elements, and compute
// numbers.
#include <string.h>

#include "offload.h"
#include "pyarray-c/Effects.h"

static bool is_number_type(MlirType type) { return pa_scalar_of(type) != PA_NOT_SCALAR; }
static bool is_number(MlirValue value) { return is_number_type(mlirValueGetType(value)); }

static bool is_plain_array(MlirType type) {
  return pyarrayTypeIsArray(type) && is_number_type(pyarrayArrayTypeGetElement(type));
}

//===-- Which loops -------------------------------------------------------------------------------===//

// What kernels have in registers.
static bool is_of_kernels(MlirType type) {
  if (is_number_type(type) || is_plain_array(type) || pyarrayTypeIsNone(type) || pyarrayTypeIsRange(type)) return true;
  if (pyarrayTypeIsSlice(type)) return true;
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!is_number_type(mlirTupleTypeGetType(type, i))) return false;
  return true;
}

static bool is_gone_over(MlirType type) { return pyarrayTypeIsRange(type) || is_plain_array(type); }

// Ints and slices, which give an element or a view.
static bool has_plain_indices(MlirOperation op, intptr_t end) {
  for (intptr_t i = 1; i < end; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!is_number_type(type) && !pyarrayTypeIsSlice(type) && !pyarrayTypeIsNone(type)) return false;
  }
  return true;
}

static bool is_access(MlirOperation op, pa_op_kind kind) {
  MlirValue array = mlirOperationGetOperand(op, 0);
  intptr_t count = mlirOperationGetNumOperands(op);
  if (kind == PA_OP_GETITEM) return has_plain_indices(op, count);
  for (intptr_t i = 1; i < count; ++i)
    if (!is_number(mlirOperationGetOperand(op, i))) return false;
  return is_plain_array(mlirValueGetType(array)) &&
         pyarrayArrayTypeGetRank(mlirValueGetType(array)) == count - 2; // one element
}

static bool is_pure_builtin(MlirOperation op) {
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  return !(effects.reads & ~(uint32_t)PYARRAY_RESOURCE_EXCEPTION) &&
         !(effects.writes & ~(uint32_t)PYARRAY_RESOURCE_EXCEPTION) && !effects.allocates && !effects.frees &&
         !pyarrayTypeIsArray(result);
}

typedef struct loop_check {
  const pa_names *names;
  bool calls; // are allowed: they will be inlined
  bool failed;
} loop_check;

static MlirWalkResult check_operation(MlirOperation op, void *data) {
  loop_check *c = data;
  pa_op_kind kind = pa_kind(c->names, op);
  bool allowed = true;
  switch (kind) {
  case PA_OP_CONSTANT:
  case PA_OP_CAST:
  case PA_OP_BINARY:
  case PA_OP_UNARY:
  case PA_OP_COMPARE:
  case PA_OP_TRUTH:
  case PA_OP_TUPLE:
  case PA_OP_UNPACK:
  case PA_OP_SLICE:
  case PA_OP_YIELD:
  case PA_OP_SCF_IF:
  case PA_OP_SCF_WHILE:
  case PA_OP_SCF_CONDITION:
  case PA_OP_SCF_YIELD: break;
  case PA_OP_FOR: allowed = is_gone_over(mlirValueGetType(mlirOperationGetOperand(op, 0))); break;
  case PA_OP_GETATTR: allowed = is_plain_array(mlirValueGetType(mlirOperationGetOperand(op, 0))); break;
  case PA_OP_GETITEM:
  case PA_OP_SETITEM: allowed = is_access(op, kind); break;
  case PA_OP_BUILTIN: allowed = is_pure_builtin(op); break;
  case PA_OP_PRIVATE: allowed = pa_is_atomic_update(c->names, op); break;
  case PA_OP_CALL: allowed = c->calls; break;
  default: allowed = pa_op_is(op, "arith.constant");
  }
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    allowed = allowed && is_of_kernels(mlirValueGetType(mlirOperationGetResult(op, r)));
  c->failed = !allowed;
  return allowed ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

bool pa_is_of_kernel(const pa_names *names, MlirOperation op) {
  loop_check check = {.names = names};
  return check_operation(op, &check) == MlirWalkResultAdvance;
}

static const char *word_of(pa_offloading *o, MlirOperation loop, intptr_t k) {
  return pa_attr_text(o->arena, mlirArrayAttrGetElement(pa_get_attr(loop, "pyarray.parallel"), k));
}

static bool is_unused(MlirValue value) { return mlirOpOperandIsNull(mlirValueGetFirstUse(value)); }

// A last value nobody reads needs no place.
static bool are_results_done(pa_offloading *o, MlirOperation loop) {
  static const char *const words[] = {"add", "mul", "min", "max", "and", "or", "xor"};
  for (intptr_t k = 0; k < mlirOperationGetNumResults(loop); ++k) {
    const char *word = word_of(o, loop, k);
    bool known = strcmp(word, "last") == 0 && is_unused(mlirOperationGetResult(loop, k));
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) known = known || strcmp(word, words[i]) == 0;
    pa_scalar scalar = pa_scalar_of(mlirValueGetType(mlirOperationGetResult(loop, k)));
    if (!known || scalar == PA_NOT_SCALAR || pa_is_complex(scalar)) return false;
  }
  return true;
}

static MlirOperation range_of(MlirOperation loop) { return mlirOpResultGetOwner(mlirOperationGetOperand(loop, 0)); }

bool pa_may_be_kernel(const pa_names *names, MlirOperation loop) {
  loop_check check = {.names = names, .calls = true};
  MlirValue range = mlirOperationGetOperand(loop, 0);
  if (!mlirValueIsAOpResult(range) || pa_kind(names, mlirOpResultGetOwner(range)) != PA_OP_BUILTIN ||
      !pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(range_of(loop), "name")), "pyarray.prange"))
    return false;
  mlirOperationWalk(loop, check_operation, &check, MlirWalkPreOrder);
  return !check.failed;
}

bool pa_is_kernel_loop(pa_offloading *o, MlirOperation loop) {
  loop_check check = {.names = &o->names};
  if (mlirOperationGetNumOperands(range_of(loop)) != 3 || !are_results_done(o, loop)) return false;
  mlirOperationWalk(loop, check_operation, &check, MlirWalkPreOrder);
  return !check.failed;
}
