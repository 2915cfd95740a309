// pyarray-share-iterations: loops of array operations whose iterations touch nothing of each other.
//
// Enters and leaves: level 2, fused. In functions compiled with `parallel`, threads share the points of array
// operations. Where these are small none is worth a thread; the iterations of the loop around them may be.
//
//   %out = pyarray.builtin "numpy.empty"(%n, %m)               out = np.empty((n, m))
//   pyarray.for (%i: si64) in range(0, %n, 1) {                for i in range(n):
//     %x = pyarray.getitem %a[%i]                                  out[i] = a[i] * 2
//     %o = pyarray.getitem %out[%i]
//     pyarray.ufunc ins(%x, ...) outs(%o) { ... }
//   }
// gets {pyarray.parallel = [], pyarray.timed = "points"}: the first iterations are run in order and timed, and the rest
// is shared by threads where that is worth it (run_timed in lib/runtime/threads/parallel.c). While it runs in order,
// threads may share the points of what is within. With loops within it is "iterations": there these are in order
// whatever the outer one does.
//
// Iterations are independent where the loop carries nothing, and writes to nothing but memory that an iteration makes,
// and arrays that this function has made, each at the place of one axis that the loop counts. Such an array is read at
// that place alone, too, and no other array in the loop may be a view of it. The outermost such loop is taken.
#include "fuse_internal.h"
#include "integer_facts.h"
#include "pass.h"
#include "pyarray-c/Effects.h"

enum { PA_MOST_SHARED = 32 }; // arrays from outside that are looked at

typedef struct sharing {
  pa_fusing f;
  MlirOperation loop;
  MlirValue outside[PA_MOST_SHARED], written[PA_MOST_SHARED];
  int outside_count, written_count;
  bool computes;      // has an operation on arrays
  bool loops;         // and loops around some
  bool reads_unknown; // memory that no operand says
} sharing;

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static pa_op_kind kind_of(const sharing *s, MlirOperation op) { return pa_kind(&s->f.names, op); }

static bool is_within(const sharing *s, MlirOperation op) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, s->loop)) op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

static bool is_outside(const sharing *s, MlirValue value) {
  return !is_within(s, mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                   : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
}

static bool add(MlirValue *list, int *count, MlirValue value) {
  for (int i = 0; i < *count; ++i)
    if (mlirValueEqual(list[i], value)) return true;
  if (*count == PA_MOST_SHARED) return false;
  list[(*count)++] = value;
  return true;
}

//===-- What an operation does --------------------------------------------------------------------===//

// To memory that the iteration has made, or to an array from outside, which is looked at later.
static bool writes_to(sharing *s, MlirValue array) {
  while (!is_outside(s, array)) {
    if (!mlirValueIsAOpResult(array)) return false; // one of several, perhaps
    MlirOperation op = mlirOpResultGetOwner(array);
    if (!pa_shares_memory(&s->f.names, op)) return pa_makes_memory(&s->f.names, op);
    array = operand(op, 0);
  }
  return add(s->written, &s->written_count, array);
}

static bool is_region(pa_op_kind kind) { return kind == PA_OP_FOR || kind == PA_OP_SCF_IF || kind == PA_OP_SCF_WHILE; }

// Arrays are made, are views, or are passed on; other objects may lead to any array.
static bool gives_known_arrays(const sharing *s, MlirOperation op) {
  pa_op_kind kind = kind_of(s, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!pa_is_managed(mlirValueGetType(result))) continue;
    if (!is_array(result) ||
        (!is_region(kind) && !pa_makes_memory(&s->f.names, op) && !pa_shares_memory(&s->f.names, op)))
      return false;
  }
  return true;
}

static bool takes_operands(sharing *s, MlirOperation op) {
  pa_op_kind kind = kind_of(s, op);
  intptr_t first_output = kind == PA_OP_UFUNC || kind == PA_OP_REDUCE ? pa_input_count(op) : 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!is_array(operand(op, i))) {
      s->reads_unknown = s->reads_unknown || pa_is_managed(mlirValueGetType(operand(op, i))); // may lead to any array
      continue;
    }
    if (is_outside(s, operand(op, i)) && !add(s->outside, &s->outside_count, operand(op, i))) return false;
    bool writes = pyarrayOperationGetEffectsOn(op, operand(op, i)).writes & PYARRAY_RESOURCE_ELEMENTS;
    if (i >= first_output && !is_region(kind) && writes && !writes_to(s, operand(op, i))) return false;
  }
  return true;
}

static bool is_independent(sharing *s, MlirOperation op) {
  pa_op_kind kind = kind_of(s, op);
  if (kind == PA_OP_TRY || kind == PA_OP_CALL || kind == PA_OP_SUSPEND || kind == PA_OP_ITER_LENGTH ||
      !mlirAttributeIsNull(pa_get_attr(op, "pyarray.parallel")) ||
      !mlirAttributeIsNull(pa_get_attr(op, "pyarray.serial")))
    return false;
  s->computes = s->computes || kind == PA_OP_UFUNC || kind == PA_OP_REDUCE || kind == PA_OP_CONTRACT;
  s->loops = s->loops || kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE;
  if (is_region(kind)) return takes_operands(s, op); // what is within is looked at besides
  pyarray_effects all = pyarrayOperationGetEffects(op), unknown = pyarrayOperationGetEffectsOn(op, (MlirValue){NULL});
  if (all.writes & ~(uint32_t)(PYARRAY_RESOURCE_EXCEPTION | PYARRAY_RESOURCE_ELEMENTS) || all.frees ||
      unknown.writes & PYARRAY_RESOURCE_ELEMENTS || all.reads & PYARRAY_RESOURCE_OUTPUT)
    return false;
  s->reads_unknown = s->reads_unknown || unknown.reads & PYARRAY_RESOURCE_ELEMENTS;
  return gives_known_arrays(s, op) && takes_operands(s, op);
}

//===-- Arrays from outside -----------------------------------------------------------------------===//

// The operand of a subscript that is what the loop counts, behind others that are of one axis each; 0: none.
static intptr_t place_of_count(const sharing *s, MlirOperation op, intptr_t end) {
  MlirValue count = mlirBlockGetArgument(pa_body(s->loop, 0), 0);
  for (intptr_t i = 1; i < end; ++i) {
    if (mlirValueEqual(operand(op, i), count)) return i;
    MlirType type = mlirValueGetType(operand(op, i));
    if (!pyarrayTypeIsSlice(type) && !pa_is_integer(pa_scalar_of(type))) return 0;
  }
  return 0;
}

static bool asks_for_shape(const sharing *s, MlirOperation op, pyarray_effects effects) {
  pa_op_kind kind = kind_of(s, op);
  if (kind != PA_OP_GETATTR && kind != PA_OP_BUILTIN && kind != PA_OP_UFUNC_SHAPE) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (pa_is_managed(mlirValueGetType(mlirOperationGetResult(op, i)))) return false;
  return !((effects.reads | effects.writes) & PYARRAY_RESOURCE_ELEMENTS);
}

// All subscripts of |array| in the loop are by what it counts, for one axis.
static bool has_own_place(const sharing *s, MlirValue array) {
  intptr_t place = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!is_within(s, op)) continue;
    pa_op_kind kind = kind_of(s, op);
    pyarray_effects effects = pyarrayOperationGetEffectsOn(op, array);
    bool subscript = (kind == PA_OP_GETITEM || kind == PA_OP_SETITEM) && mlirOpOperandGetOperandNumber(use) == 0;
    if (asks_for_shape(s, op, effects)) continue;
    intptr_t count = mlirOperationGetNumOperands(op), here = 0;
    if (subscript) here = place_of_count(s, op, kind == PA_OP_SETITEM ? count - 1 : count);
    if (!here || (place && here != place)) return false;
    place = here;
  }
  return place > 0;
}

static bool is_made_here(const sharing *s, MlirValue array) {
  return mlirValueIsAOpResult(array) && pa_makes_memory(&s->f.names, mlirOpResultGetOwner(array)) &&
         (!s->reads_unknown || pa_is_own_memory(&s->f.memory, array));
}

static bool shares_nothing(const sharing *s, MlirValue array) {
  for (int i = 0; i < s->outside_count; ++i)
    if (!mlirValueEqual(s->outside[i], array) && !pa_is_apart(&s->f, s->outside[i], array)) return false;
  return true;
}

//===-- Loops -------------------------------------------------------------------------------------===//

// Where an exception is handled, what iterations behind it have written could be seen.
static bool is_around(const sharing *s, pa_op_kind wanted) {
  for (MlirOperation op = mlirOperationGetParentOperation(s->loop); !mlirOperationIsNull(op);
       op = mlirOperationGetParentOperation(op))
    if (kind_of(s, op) == wanted) return true;
  return false;
}

static bool counts(const sharing *s) {
  MlirValue range = operand(s->loop, 0);
  if (mlirOperationGetNumResults(s->loop) || mlirOperationGetNumOperands(s->loop) != 1 || !mlirValueIsAOpResult(range))
    return false;
  MlirOperation made = mlirOpResultGetOwner(range);
  return kind_of(s, made) == PA_OP_BUILTIN &&
         pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(made, "name")), "builtins.range") &&
         pa_integer_not_negative(&s->f.names, mlirBlockGetArgument(pa_body(s->loop, 0), 0), true);
}

static bool may_share(sharing *s) {
  s->outside_count = s->written_count = 0;
  s->computes = s->loops = s->reads_unknown = false;
  if (!counts(s) || is_around(s, PA_OP_TRY) || is_around(s, PA_OP_UFUNC) || is_around(s, PA_OP_REDUCE)) return false;
  pa_op_list all = pa_ops_within(s->f.arena, s->loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i)
    if (!mlirOperationEqual(all.items[i], s->loop) && !is_independent(s, all.items[i])) return false;
  for (int i = 0; i < s->written_count; ++i)
    if (!is_made_here(s, s->written[i]) || !has_own_place(s, s->written[i]) || !shares_nothing(s, s->written[i]))
      return false;
  return s->computes && s->written_count;
}

static void visit_block(sharing *s, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.parallel"))) continue;
    s->loop = op;
    if (kind_of(s, op) == PA_OP_FOR && may_share(s)) {
      pa_set_attr(op, "pyarray.parallel", mlirArrayAttrGet(s->f.names.context, 0, NULL));
      pa_set_attr(op, "pyarray.timed", pa_string_attr(s->f.names.context, s->loops ? "iterations" : "points"));
      continue;
    }
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        visit_block(s, inner);
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  if (!mlirAttributeIsNull(pa_get_attr(module, "pyarray.debug"))) return PA_OK;
  PA_FOR_EACH_OP(function, pa_module_body(module)) {
    sharing s = {.f = {.arena = context->arena}};
    pa_names_init(&s.f.names, context->context);
    if (kind_of(&s, function) != PA_OP_FUNC || mlirBlockIsNull(pa_body(function, 0)) ||
        pa_is_device_function(function) || !pa_option_bool(function, "pyarray.options", "parallel", false))
      continue;
    s.f.memory = (pa_memory){.arena = s.f.arena, .names = &s.f.names};
    pa_memory_read(&s.f.memory, function);
    visit_block(&s, pa_body(function, 0));
  }
  return PA_OK;
}

const pa_pass pa_pass_share_iterations = {
    .argument = "pyarray-share-iterations",
    .summary = "Find the loops of array operations whose iterations threads may share",
    .dependent_dialects = (const char *const[]){"pyarray", NULL},
    .run = run,
};
