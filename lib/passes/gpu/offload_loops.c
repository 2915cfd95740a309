// pyarray-offload-loops: loops over prange whose arrays are a GPU's, as kernels.
//
// Enters and leaves: level 3 without ownership, behind pyarray-find-parallel-loops, which has said what the loops of
// functions with the option `offload` carry. A loop that only reads and writes elements and computes numbers goes into
// a kernel as it is: each thread has every so many of its iterations. What it reduces each thread reduces for itself,
// into an array, which is folded.
//
//   %s = pyarray.for (%i: si64, %acc: f64) in %prange : !pyarray.range iter(%s0) { ... } {pyarray.parallel = ["add"]}
// becomes
//   %p = pyarray.builtin "numpy.empty"(%threads)
//   pyarray.launch @f$0.loop0(%blocks, %block, %start, %stop, %step, %a, %p) outputs 6 points 0 sized
//   %r = pyarray.reduce ["add"] axes [0] ins(%p)
//   %s = pyarray.binary add %s0, %r
//
// Other loops stay the host's, and their marks go: the host copies element by element.
#include <string.h>

#include "offload.h"
#include "pass.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Effects.h"
#include "support/map.h"

static bool is_number(MlirValue value) { return pa_scalar_of(mlirValueGetType(value)) != PA_NOT_SCALAR; }

static bool is_plain_array(MlirType type) {
  return pyarrayTypeIsArray(type) && pa_scalar_of(pyarrayArrayTypeGetElement(type)) != PA_NOT_SCALAR;
}

static MlirOperation range_of(MlirOperation loop) { return mlirOpResultGetOwner(mlirOperationGetOperand(loop, 0)); }

static const char *word_of(pa_offloading *o, MlirOperation loop, intptr_t k) {
  return pa_attr_text(o->arena, mlirArrayAttrGetElement(pa_get_attr(loop, "pyarray.parallel"), k));
}

//===-- What the kernel is given ------------------------------------------------------------------===//

typedef struct outlined {
  pa_offloading *o;
  MlirOperation loop;
  pa_builder in; // the kernel, before the loop
  MlirBlock block;
  MlirValue *given; // numbers and arrays from outside of the loop; operands of the launch
  intptr_t count;
  size_t capacity;
  pa_map seen, inside; // value outside -> itself; -> value in the kernel
  bool failed;         // a value cannot be given to a kernel
} outlined;

static void put(outlined *k, MlirValue outside, MlirValue inside) {
  pa_map_put(k->o->arena, &k->inside, outside.ptr, (void *)inside.ptr);
}

static void give(outlined *k, MlirValue value) {
  k->given = pa_arena_grow(k->o->arena, k->given, (size_t)k->count, &k->capacity, sizeof *k->given);
  k->given[k->count++] = value;
}

// What is neither a number nor an array is computed in the kernel once more, and so are constants.
static bool is_given(MlirValue value) {
  bool constant = mlirValueIsAOpResult(value) && pa_op_is(mlirOpResultGetOwner(value), PA_OP_NAME(CONSTANT));
  return !constant && (is_number(value) || is_plain_array(mlirValueGetType(value)));
}

static void collect_given(outlined *k, MlirValue value, int depth) {
  enum { DEEP = 8 };
  if (pa_map_get(&k->seen, value.ptr)) return;
  pa_map_put(k->o->arena, &k->seen, value.ptr, (void *)value.ptr);
  if (is_given(value)) {
    give(k, value);
    return;
  }
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
  k->failed |= mlirOperationIsNull(op) || depth > DEEP || mlirOperationGetNumRegions(op) ||
               !pa_is_of_kernel(&k->o->names, op) || (pyarrayOperationGetEffects(op).reads & PYARRAY_RESOURCE_ELEMENTS);
  if (k->failed) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    collect_given(k, mlirOperationGetOperand(op, i), depth + 1);
}

static bool is_within(MlirValue value, MlirOperation loop) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                                 : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

static bool is_written(const outlined *k, MlirValue array, int depth) {
  enum { DEEP = 8 };
  if (depth > DEEP) return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation around = user;
    while (!mlirOperationIsNull(around) && !mlirOperationEqual(around, k->loop))
      around = mlirOperationGetParentOperation(around);
    if (mlirOperationIsNull(around)) continue;
    if (pa_kind(&k->o->names, user) == PA_OP_SETITEM) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); ++r)
      if (pyarrayTypeIsArray(mlirValueGetType(mlirOperationGetResult(user, r))) &&
          is_written(k, mlirOperationGetResult(user, r), depth + 1))
        return true;
  }
  return false;
}

// Numbers and arrays that are read come first: operands from some number on are written.
static void order_given(outlined *k) {
  MlirValue *ordered = PA_NEW_ARRAY(k->o->arena, MlirValue, k->count + 1);
  intptr_t count = 0;
  for (int written = 0; written < 2; ++written)
    for (intptr_t i = 0; i < k->count; ++i) {
      bool array = pyarrayTypeIsArray(mlirValueGetType(k->given[i]));
      if ((array && is_written(k, k->given[i], 0)) == written) ordered[count++] = k->given[i];
    }
  k->given = ordered;
  k->capacity = (size_t)count + 1;
}

static intptr_t count_unwritten(const outlined *k) {
  intptr_t count = 0;
  while (count < k->count &&
         !(pyarrayTypeIsArray(mlirValueGetType(k->given[count])) && is_written(k, k->given[count], 0)))
    ++count;
  return count;
}

// Everything that the loop takes from outside, but what it goes over and begins with.
static pa_op_list operations_within(const outlined *k) {
  pa_op_list all = pa_ops_within(k->o->arena, k->loop, MlirWalkPreOrder), within = {.arena = k->o->arena};
  for (size_t i = 0; i < all.count; ++i)
    if (!mlirOperationEqual(all.items[i], k->loop)) pa_op_list_add(&within, all.items[i]);
  return within;
}

static void collect_all(outlined *k) {
  pa_op_list all = operations_within(k);
  MlirOperation range = range_of(k->loop);
  for (intptr_t i = 0; i < 3; ++i) collect_given(k, mlirOperationGetOperand(range, i), 0);
  for (size_t i = 0; i < all.count; ++i)
    for (intptr_t n = 0; n < mlirOperationGetNumOperands(all.items[i]); ++n)
      if (!is_within(mlirOperationGetOperand(all.items[i], n), k->loop))
        collect_given(k, mlirOperationGetOperand(all.items[i], n), 0);
}

static MlirValue value_inside(outlined *k, MlirValue value) {
  void *known = pa_map_get(&k->inside, value.ptr);
  if (known) return (MlirValue){known};
  MlirOperation op = mlirOpResultGetOwner(value), copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, value_inside(k, mlirOperationGetOperand(copy, i)));
  mlirBlockAppendOwnedOperation(k->block, copy);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    put(k, mlirOperationGetResult(op, r), mlirOperationGetResult(copy, r));
  return (MlirValue){pa_map_get(&k->inside, value.ptr)};
}

//===-- The kernel --------------------------------------------------------------------------------===//

static MlirValue binary(pa_offloading *o, pa_builder *at, pyarray_binary_kind kind, MlirValue a, MlirValue b) {
  return pa_value(at, PA_OP_NAME(BINARY), PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)),
                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(o->context, kind)}));
}

// What changes nothing in a reduction.
static MlirValue identity(pa_offloading *o, pa_builder *at, const char *word, MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  bool least = strcmp(word, "max") == 0, greatest = strcmp(word, "min") == 0, ones = strcmp(word, "and") == 0;
  MlirAttribute value;
  if (mlirTypeIsAFloat(type)) {
    double number = least ? -__builtin_inf() : greatest ? __builtin_inf() : strcmp(word, "mul") == 0;
    value = mlirFloatAttrDoubleGet(o->context, type, number);
  } else if (scalar == PA_BOOL) {
    value = mlirBoolAttrGet(o->context, greatest || ones || strcmp(word, "mul") == 0);
  } else {
    unsigned bits = (unsigned)pa_scalar_bytes(scalar) * 8;
    bool is_unsigned = pa_is_unsigned(scalar);
    uint64_t all = UINT64_MAX >> (64 - bits), high = is_unsigned ? all : all >> 1;
    uint64_t number = least ? (is_unsigned ? 0 : ~high) : greatest ? high : ones ? all : strcmp(word, "mul") == 0;
    if (ones && !is_unsigned) number = UINT64_MAX;
    value = mlirIntegerAttrGet(type, (int64_t)number);
  }
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", value}));
}

static bool is_reduced(pa_offloading *o, MlirOperation loop, intptr_t k) {
  return strcmp(word_of(o, loop, k), "last") != 0;
}

static intptr_t count_reduced(pa_offloading *o, MlirOperation loop) {
  intptr_t count = 0;
  for (intptr_t k = 0; k < mlirOperationGetNumResults(loop); ++k) count += is_reduced(o, loop, k);
  return count;
}

// What marks inner loops is of threads of the CPU.
static void drop_marks(pa_offloading *o, MlirOperation loop) {
  static const char *const marks[] = {"pyarray.parallel", "pyarray.serial"};
  pa_op_list all = pa_ops_within(o->arena, loop, MlirWalkPreOrder);
  for (size_t i = 0; i < all.count; ++i)
    for (int m = 0; m < 2; ++m)
      if (pa_has_attr(all.items[i], marks[m])) mlirOperationRemoveAttributeByName(all.items[i], pa_ref(marks[m]));
}

static pa_status update_atomically(outlined *k) {
  pa_op_list all = operations_within(k), made = {.arena = k->o->arena};
  for (size_t i = 0; i < all.count; ++i)
    if (pa_kind(&k->o->names, all.items[i]) == PA_OP_PRIVATE) pa_op_list_add(&made, all.items[i]);
  for (size_t i = 0; i < made.count; ++i) PA_TRY(pa_make_updates_atomic(k->o, made.items[i]));
  return PA_OK;
}

// The loop goes to the end of the kernel, over this thread's iterations.
static void fill_kernel(outlined *k, MlirOperation host_range, const char *const *words) {
  pa_offloading *o = k->o;
  k->in.failure = update_atomically(k);
  if (k->in.failure) return;
  pa_op_list all = operations_within(k);
  MlirValue bounds[3];
  for (int i = 0; i < 3; ++i) bounds[i] = value_inside(k, mlirOperationGetOperand(host_range, i));
  for (size_t i = 0; i < all.count; ++i)
    for (intptr_t n = 0; n < mlirOperationGetNumOperands(all.items[i]); ++n) {
      MlirValue value = mlirOperationGetOperand(all.items[i], n);
      if (!is_within(value, k->loop)) mlirOperationSetOperand(all.items[i], n, value_inside(k, value));
    }
  MlirType si64 = o->si64, range_type = mlirValueGetType(mlirOperationGetOperand(k->loop, 0));
  MlirValue thread = pa_offload_builtin(o, &k->in, "cuda.grid", NULL, 0, si64),
            threads = pa_offload_builtin(o, &k->in, "cuda.gridsize", NULL, 0, si64),
            ahead = binary(o, &k->in, PYARRAY_BINARY_MUL, thread, bounds[2]),
            first = binary(o, &k->in, PYARRAY_BINARY_ADD, bounds[0], ahead),
            step = binary(o, &k->in, PYARRAY_BINARY_MUL, threads, bounds[2]);
  MlirValue own = pa_offload_builtin(o, &k->in, "builtins.range", (MlirValue[]){first, bounds[1], step}, 3, range_type);
  mlirOperationSetOperand(k->loop, 0, own);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(k->loop); ++r)
    mlirOperationSetOperand(k->loop, 1 + r,
                            identity(o, &k->in, words[r], mlirValueGetType(mlirOperationGetResult(k->loop, r))));
  mlirOperationRemoveFromParent(k->loop);
  mlirBlockAppendOwnedOperation(k->block, k->loop);
  intptr_t place = mlirBlockGetNumArguments(k->block) - count_reduced(o, k->loop);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(k->loop); ++r)
    if (is_reduced(o, k->loop, r))
      pa_op(&k->in, PA_OP_NAME(SETITEM),
            PA_OPERANDS(mlirBlockGetArgument(k->block, place++), thread, mlirOperationGetResult(k->loop, r)));
  MlirValue nothing = pa_value(&k->in, PA_OP_NAME(CONSTANT), PA_RESULTS(pyarrayNoneTypeGet(o->context)),
                               PA_ATTRS({"value", pa_unit_attr(o->context)}));
  pa_op(&k->in, PA_OP_NAME(RETURN), PA_OPERANDS(nothing));
  drop_marks(o, k->loop);
}

static void add_function(outlined *k, MlirRegion body, const char *name) {
  pa_offloading *o = k->o;
  intptr_t count = mlirBlockGetNumArguments(k->block);
  MlirType *types = PA_NEW_ARRAY(o->arena, MlirType, count + 1), none = pyarrayNoneTypeGet(o->context);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(mlirBlockGetArgument(k->block, i));
  pa_builder module = {
      .context = o->context, .block = pa_module_body(o->module), .location = k->in.location, .failure = k->in.failure};
  pa_op(&module, PA_OP_NAME(FUNC), PA_REGIONS(body),
        PA_ATTRS({"sym_name", pa_string_attr(o->context, name)},
                 {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(o->context, count, types, 1, &none))},
                 {"sym_visibility", pa_string_attr(o->context, "private")},
                 {"pyarray.kernel", pa_unit_attr(o->context)}, {"pyarray.options", pa_kernel_options(o)},
                 {"pyarray.qualname", pa_get_attr(o->function, "pyarray.qualname")}));
  k->in.failure = module.failure;
}

//===-- The host's side ---------------------------------------------------------------------------===//

// Threads of a block, and the most blocks: of loops that reduce there are as many results as threads.
enum { THREADS = 128, MOST_BLOCKS = 1 << 17, MOST_REDUCING = 1 << 11 };

static MlirValue count_blocks(pa_offloading *o, pa_builder *at, MlirValue range, bool reduces) {
  MlirValue length = pa_offload_builtin(o, at, "pyarray.library._intrinsics.range_length", &range, 1, o->si64),
            more = binary(o, at, PYARRAY_BINARY_ADD, length, pa_offload_constant(o, at, THREADS - 1)),
            blocks = binary(o, at, PYARRAY_BINARY_FLOORDIV, more, pa_offload_constant(o, at, THREADS)),
            bounds[] = {blocks, pa_offload_constant(o, at, reduces ? MOST_REDUCING : MOST_BLOCKS)};
  blocks = pa_offload_builtin(o, at, "builtins.min", bounds, 2, o->si64);
  MlirValue least[] = {blocks, pa_offload_constant(o, at, 1)};
  return reduces ? pa_offload_builtin(o, at, "builtins.max", least, 2, o->si64) : blocks;
}

static MlirValue combined(pa_offloading *o, pa_builder *at, const char *word, MlirValue a, MlirValue b) {
  static const struct {
    const char *word;
    pyarray_binary_kind kind;
  } kinds[] = {{"add", PYARRAY_BINARY_ADD},
               {"mul", PYARRAY_BINARY_MUL},
               {"and", PYARRAY_BINARY_AND},
               {"or", PYARRAY_BINARY_OR},
               {"xor", PYARRAY_BINARY_XOR}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strcmp(kinds[i].word, word) == 0) return binary(o, at, kinds[i].kind, a, b);
  const char *name = strcmp(word, "min") == 0 ? "builtins.min" : "builtins.max";
  return pa_offload_builtin(o, at, name, (MlirValue[]){a, b}, 2, mlirValueGetType(a));
}

// What all threads have reduced.
static MlirValue folded(pa_offloading *o, pa_builder *at, const char *word, MlirValue parts) {
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(parts));
  pa_builder inside = *at;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(at->location, &element, 1, &inside.block);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(mlirBlockGetArgument(inside.block, 0)));
  MlirAttribute name = pa_string_attr(o->context, word);
  int64_t axis = 0;
  int32_t segments[] = {1, 0, 0};
  return pa_value(at, PA_OP_NAME(REDUCE), PA_OPERANDS(parts), PA_RESULTS(element), PA_REGIONS(region),
                  PA_ATTRS({"words", mlirArrayAttrGet(o->context, 1, &name)},
                           {"axes", mlirDenseI64ArrayGet(o->context, 1, &axis)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(o->context, 3, segments)}));
}

static pa_status outline(pa_offloading *o, MlirOperation loop) {
  intptr_t results = mlirOperationGetNumResults(loop), reduced = count_reduced(o, loop), part = 0;
  outlined k = {.o = o, .loop = loop, .in = {.context = o->context, .location = mlirOperationGetLocation(loop)}};
  collect_all(&k);
  if (k.failed) return drop_marks(o, loop), PA_OK;
  order_given(&k);
  MlirRegion body = pa_region(k.in.location, NULL, 0, &k.block);
  k.in.block = k.block;
  pa_builder at = pa_offload_before(o, mlirOperationGetNextInBlock(loop));
  at.location = k.in.location;
  MlirValue range = mlirOperationGetOperand(loop, 0), blocks = count_blocks(o, &at, range, reduced),
            threads = pa_offload_constant(o, &at, THREADS), all = binary(o, &at, PYARRAY_BINARY_MUL, blocks, threads);
  const char **words = PA_NEW_ARRAY(o->arena, const char *, results + 1);
  MlirValue *operands = PA_NEW_ARRAY(o->arena, MlirValue, 2 + k.count + reduced),
            *parts = PA_NEW_ARRAY(o->arena, MlirValue, reduced + 1);
  PA_TRY(at.failure);
  intptr_t count = 0, unwritten = count_unwritten(&k);
  operands[count++] = blocks;
  operands[count++] = threads;
  for (int i = 0; i < 2; ++i) mlirBlockAddArgument(k.block, o->si64, k.in.location);
  for (intptr_t i = 0; i < k.count; ++i) {
    operands[count++] = k.given[i];
    put(&k, k.given[i], mlirBlockAddArgument(k.block, mlirValueGetType(k.given[i]), k.in.location));
  }
  for (intptr_t r = 0; r < results; ++r) {
    words[r] = word_of(o, loop, r);
    if (!is_reduced(o, loop, r)) continue;
    MlirType type =
        pa_array_type(o->context, 1, mlirValueGetType(mlirOperationGetResult(loop, r)), PYARRAY_LAYOUT_C, false);
    operands[count++] = parts[part++] = pa_offload_empty(o, &at, type, &all, 1);
    mlirBlockAddArgument(k.block, type, k.in.location);
  }
  const char *name =
      pa_arena_format(o->arena, "%s.loop%d", pa_attr_text(o->arena, pa_get_attr(o->function, "sym_name")), o->made++);
  pa_op(&at, PA_OP_NAME(LAUNCH), PA_OPERAND_ARRAY(operands, count),
        PA_ATTRS({"kernel", pa_symbol_attr(o->context, name)}, {"outputs", pa_i64_attr(o->context, 2 + unwritten)},
                 {"points", pa_i64_attr(o->context, 0)}, {"sized", pa_unit_attr(o->context)}));
  part = 0;
  for (intptr_t r = 0; r < results; ++r) {
    if (!is_reduced(o, loop, r)) continue;
    MlirValue whole = folded(o, &at, words[r], parts[part++]);
    PA_TRY(at.failure);
    whole = combined(o, &at, words[r], mlirOperationGetOperand(loop, 1 + r), whole);
    PA_TRY(at.failure);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(loop, r), whole);
  }
  fill_kernel(&k, mlirOpResultGetOwner(range), words);
  add_function(&k, body, name);
  return k.in.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

// Arrays that the CPU's threads reduce have no copies here.
static pa_status drop_private(void *data, MlirOperation op) {
  const pa_offloading *o = data;
  if (pa_kind(&o->names, op) != PA_OP_PRIVATE) return PA_OK;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
  return mlirOperationDestroy(op), PA_OK;
}

static pa_status visit(pa_offloading *o, MlirBlock block) {
  pa_op_list all = {.arena = o->arena};
  PA_FOR_EACH_OP(op, block) pa_op_list_add(&all, op);
  for (size_t i = 0; i < all.count; ++i) {
    MlirOperation op = all.items[i];
    bool marked = pa_kind(&o->names, op) == PA_OP_FOR && pa_has_attr(op, "pyarray.parallel");
    if (marked && pa_is_kernel_loop(o, op)) {
      PA_TRY(outline(o, op));
      continue;
    }
    if (marked) {
      mlirOperationRemoveAttributeByName(op, pa_ref("pyarray.parallel"));
      PA_TRY(pa_walk(pa_body(op, 0), drop_private, o));
    }
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        PA_TRY(visit(o, inner));
  }
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_op_list functions;
  pa_offloading o = pa_offloading_begin(context, module, &functions);
  for (size_t f = 0; f < functions.count; ++f) {
    o.function = functions.items[f];
    o.made = 0;
    PA_TRY(visit(&o, pa_body(o.function, 0)));
  }
  return PA_OK;
}

const pa_pass pa_pass_offload_loops = {
    .argument = "pyarray-offload-loops",
    .summary = "Make kernels of loops over prange, in functions whose arrays are a GPU's",
    .dependent_dialects = (const char *const[]){"func", "pyarray", NULL},
    .run = run,
};
