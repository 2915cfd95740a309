// pyarray-strip-loops: a loop over columns goes over some rows at a time, so that what a row has in memory beside one
// column is in the cache when the next one is computed.
//
// Enters and leaves: level 2, fused.
//
//   pyarray.for (%j) in range(%a, %b, %c1) {             for j in range(a, b):
//     %x = pyarray.getitem %paths[%all, %j - 1]             paths[:, j] = paths[:, j - 1] * np.exp(noise[:, j])
//     %y = pyarray.getitem %noise[%all, %j]
//     %o = pyarray.getitem %paths[%all, %j]
//     pyarray.ufunc "(),()->()" ins(%x, %y) outs(%o) { ... }
//   }
// becomes
//   %count, %step = scf.if %possible { %rows, 512 } else { 1, all }
//   pyarray.for (%first) in range(0, %count, %step) {
//     %p = pyarray.getitem %paths[%first:%first + %step]
//     %n = pyarray.getitem %noise[%first:%first + %step]
//     pyarray.for (%j) in range(%a, %b, %c1) { (the same with %p and %n) }
//   }
//
// A row is computed of the same row of other columns alone, so that the order of rows is nobody's concern. It is
// possible where nothing raises: all columns have the same extents, and all indices are in bounds, the first and the
// last one of each; and where no two arrays share memory. Else there is one strip, and all is as it was.
#include "expand.h"
#include "fuse_internal.h"
#include "integer_facts.h"
#include "loop_checks.h"
#include "pass.h"
#include "pyarray-c/Effects.h"

enum {
  PA_STRIP_ROWS = 512,           // whose cache lines fit into the second cache, for some arrays
  PA_LEAST_STRIPPED_ROWS = 2048, // whose lines do not
  PA_MOST_STRIPPED = 8,          // arrays
  PA_MOST_STRIP_VIEWS = 24,
};

typedef struct strip {
  pa_arena *arena;
  pa_names names;
  MlirOperation loop, range;
  MlirBlock body;
  struct {
    MlirValue array;
    bool written;
  } arrays[PA_MOST_STRIPPED];
  MlirOperation views[PA_MOST_STRIP_VIEWS];
  int array_count, view_count;
  bool stores; // to columns
  pa_builder at;
} strip;

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static intptr_t rank_of(MlirValue array) { return pyarrayArrayTypeGetRank(mlirValueGetType(array)); }

//===-- What the loop does ------------------------------------------------------------------------===//

// By an operation of the loop's block.
static bool is_made_in_loop(const strip *s, MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return mlirBlockEqual(mlirBlockArgumentGetOwner(value), s->body);
  return mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(value)), s->body);
}

// A sum of numbers from before the loop and the one that it counts, which is greatest at one of its ends.
static bool is_monotone(const strip *s, MlirValue index) {
  if (!is_made_in_loop(s, index) || !mlirValueIsAOpResult(index)) return true; // the loop carries nothing
  MlirOperation op = mlirOpResultGetOwner(index);
  int64_t known;
  if (pa_integer_known(&s->names, index, &known)) return true;
  if (pa_kind(&s->names, op) != PA_OP_BINARY) return false;
  pyarray_binary_kind kind = pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
  return (kind == PYARRAY_BINARY_ADD || kind == PYARRAY_BINARY_SUB) && is_monotone(s, operand(op, 0)) &&
         is_monotone(s, operand(op, 1));
}

static int find_array(strip *s, MlirValue array) {
  for (int i = 0; i < s->array_count; ++i)
    if (mlirValueEqual(s->arrays[i].array, array)) return i;
  if (s->array_count == PA_MOST_STRIPPED) return -1;
  s->arrays[s->array_count].array = array;
  s->arrays[s->array_count].written = false;
  return s->array_count++;
}

// All rows, and of other axes all or one place.
static bool read_view(strip *s, MlirOperation op) {
  MlirValue array = operand(op, 0);
  intptr_t given = mlirOperationGetNumOperands(op) - 1;
  if (!is_array(array) || is_made_in_loop(s, array) || given < 2 || given > rank_of(array) ||
      !is_array(mlirOperationGetResult(op, 0)) || !pa_is_full_slice(mlirValueGetType(operand(op, 1))) ||
      pyarrayArrayTypeGetLayout(mlirValueGetType(array)) == PYARRAY_LAYOUT_F)
    return false;
  intptr_t kept = rank_of(array);
  for (intptr_t i = 2; i <= given; ++i) {
    MlirType type = mlirValueGetType(operand(op, i));
    if (pa_is_full_slice(type)) continue;
    if (pa_scalar_of(type) != PA_I64 || !is_monotone(s, operand(op, i))) return false;
    --kept;
  }
  if (kept == rank_of(array) || kept != rank_of(mlirOperationGetResult(op, 0)) || find_array(s, array) < 0 ||
      s->view_count == PA_MOST_STRIP_VIEWS)
    return false;
  s->views[s->view_count++] = op;
  return true;
}

static bool is_view(const strip *s, MlirValue value) {
  for (int i = 0; i < s->view_count; ++i)
    if (mlirValueEqual(mlirOperationGetResult(s->views[i], 0), value)) return true;
  return false;
}

// A view, or what was made of such ones, which all have the extents of the first view.
static bool is_of_strip(const strip *s, MlirValue value) {
  if (!is_made_in_loop(s, value) || !mlirValueIsAOpResult(value) || !s->view_count ||
      rank_of(value) != rank_of(mlirOperationGetResult(s->views[0], 0)))
    return false;
  pa_op_kind kind = pa_kind(&s->names, mlirOpResultGetOwner(value));
  return kind == PA_OP_UFUNC || kind == PA_OP_BROADCAST_TO || is_view(s, value);
}

static bool read_shape(const strip *s, MlirOperation op) {
  MlirStringRef signature = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  for (size_t i = 0; i < signature.length; ++i) // of core dimensions
    if (signature.data[i] >= 'a') return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_array(operand(op, i)) && !is_of_strip(s, operand(op, i))) return false;
  return true;
}

// To the extents that the others have.
static bool read_broadcast(const strip *s, MlirOperation op) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i)
    if (!mlirValueIsAOpResult(operand(op, i)) || !is_made_in_loop(s, operand(op, i)) ||
        pa_kind(&s->names, mlirOpResultGetOwner(operand(op, i))) != PA_OP_UFUNC_SHAPE)
      return false;
  return is_of_strip(s, operand(op, 0));
}

// Elements of other rows: a[x] computed where it is read.
static bool reads_arrays(MlirBlock body) {
  PA_FOR_EACH_OP(op, body) {
    if (mlirOperationGetNumRegions(op)) return true;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (is_array(operand(op, i))) return true;
  }
  return false;
}

static bool read_ufunc(strip *s, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op), inputs = pa_input_count(op);
  if (!pa_is_elementwise(&s->names, op) || !mlirAttributeIsNull(pa_get_attr(op, "expanded")) ||
      !pa_has_no_effects(pa_body(op, 0)) || reads_arrays(pa_body(op, 0)))
    return false;
  for (intptr_t i = 0; i < count; ++i) {
    if (!is_array(operand(op, i)) && i < inputs) continue;
    if (!is_of_strip(s, operand(op, i))) return false;
    if (i < inputs || !is_view(s, operand(op, i))) continue;
    int array = find_array(s, operand(mlirOpResultGetOwner(operand(op, i)), 0));
    if (pyarrayArrayTypeGetLayout(mlirValueGetType(s->arrays[array].array)) != PYARRAY_LAYOUT_C)
      return false; // whose rows lie apart for certain
    s->arrays[array].written = true;
  }
  s->stores = s->stores || count > inputs;
  return true;
}

static bool is_of_numbers(MlirOperation op) {
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_array(operand(op, i))) return false;
  return mlirOperationGetNumRegions(op) == 0 && !(effects.reads | effects.writes | effects.allocates | effects.frees);
}

static bool read_body(strip *s) {
  PA_FOR_EACH_OP(op, s->body) {
    pa_op_kind kind = pa_kind(&s->names, op);
    bool fits = kind == PA_OP_YIELD                                 ? mlirOperationGetNumOperands(op) == 0
                : kind == PA_OP_UFUNC                               ? read_ufunc(s, op)
                : kind == PA_OP_UFUNC_SHAPE                         ? read_shape(s, op)
                : kind == PA_OP_BROADCAST_TO                        ? read_broadcast(s, op)
                : kind == PA_OP_GETITEM && is_array(operand(op, 0)) ? read_view(s, op)
                                                                    : is_of_numbers(op);
    if (!fits) return false;
  }
  for (int i = 1; i < s->view_count; ++i)
    if (rank_of(mlirOperationGetResult(s->views[i], 0)) != rank_of(mlirOperationGetResult(s->views[0], 0)))
      return false;
  return s->stores;
}

// Over a range whose step is 1 or -1.
static bool read_loop(strip *s) {
  MlirValue over = operand(s->loop, 0);
  int64_t step;
  if (mlirOperationGetNumResults(s->loop) || mlirOperationGetNumOperands(s->loop) != 1 ||
      mlirOperationGetNumAttributes(s->loop) || !mlirValueIsAOpResult(over))
    return false;
  s->range = mlirOpResultGetOwner(over);
  return pa_kind(&s->names, s->range) == PA_OP_BUILTIN &&
         pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(s->range, "name")), "builtins.range") &&
         mlirOperationGetNumOperands(s->range) == 3 && pa_integer_known(&s->names, operand(s->range, 2), &step) &&
         (step == 1 || step == -1) && read_body(s);
}

//===-- Whether it is possible --------------------------------------------------------------------===//

static MlirType si64(const strip *s) { return mlirIntegerTypeSignedGet(s->at.context, 64); }

// An index where the loop counts |end|.
static MlirValue index_at(strip *s, MlirValue index, MlirValue end) {
  int64_t known;
  if (!is_made_in_loop(s, index)) return index;
  if (!mlirValueIsAOpResult(index)) return end;
  if (pa_integer_known(&s->names, index, &known)) return pa_si64(&s->at, known);
  MlirOperation op = mlirOpResultGetOwner(index);
  MlirValue a = index_at(s, operand(op, 0), end), b = index_at(s, operand(op, 1), end);
  return pa_binary_of(&s->at, pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind")), a, b);
}

// Of a view: the same extents as those of the first one, and indices that are in bounds at both |ends|.
static MlirValue view_fits(strip *s, MlirValue all, MlirOperation view, MlirValue *extents, const MlirValue *ends) {
  MlirValue array = operand(view, 0);
  int kept = 0;
  for (intptr_t axis = 0; axis < rank_of(array) && !pa_failed(&s->at); ++axis) {
    MlirValue length = pa_extent_of(&s->at, array, axis);
    if (axis + 1 < mlirOperationGetNumOperands(view) &&
        !pyarrayTypeIsSlice(mlirValueGetType(operand(view, 1 + axis)))) {
      for (int i = 0; i < 2; ++i)
        all = pa_and_in_bounds(&s->at, all, index_at(s, operand(view, 1 + axis), ends[i]), length);
    } else if (view.ptr == s->views[0].ptr) {
      extents[kept++] = length;
    } else {
      all = pa_and_compare(&s->at, all, PYARRAY_COMPARE_EQ, length, extents[kept++]);
    }
  }
  return all;
}

static MlirValue is_possible(strip *s, MlirValue *extents) {
  MlirValue ends[] = {operand(s->range, 0),
                      pa_binary_of(&s->at, PYARRAY_BINARY_SUB, operand(s->range, 1), operand(s->range, 2))};
  MlirValue all = view_fits(s, (MlirValue){NULL}, s->views[0], extents, ends);
  all = pa_and_compare(&s->at, all, PYARRAY_COMPARE_GE, extents[0], pa_si64(&s->at, PA_LEAST_STRIPPED_ROWS));
  for (int i = 1; i < s->view_count; ++i) all = view_fits(s, all, s->views[i], extents, ends);
  for (int i = 0; i < s->array_count; ++i)
    for (int k = 0; k < s->array_count; ++k)
      if (s->arrays[i].written && k != i && !(s->arrays[k].written && k < i))
        all = pa_and_apart(&s->at, all, s->arrays[i].array, s->arrays[k].array);
  return all;
}

//===-- The strips --------------------------------------------------------------------------------===//

static void yield_two(strip *s, pa_builder *inside, MlirValue a, MlirValue b) {
  pa_op(inside, PA_OP_NAME(SCF_YIELD), PA_OPERANDS(a, b));
  if (inside->failure) s->at.failure = inside->failure;
}

// Where the first row of a strip is counted to, and how many rows it has.
static MlirOperation strip_lengths(strip *s, MlirValue possible, MlirValue rows) {
  MlirRegion then, otherwise;
  MlirType types[] = {si64(s), si64(s)};
  if (pa_failed(&s->at)) return (MlirOperation){NULL};
  pa_builder inside = pa_open_branch(&s->at, &then);
  yield_two(s, &inside, rows, pa_si64(&inside, PA_STRIP_ROWS));
  inside = pa_open_branch(&s->at, &otherwise);
  yield_two(s, &inside, pa_si64(&inside, 1), pa_si64(&inside, (int64_t)1 << 48)); // more than there may be
  return pa_op(&s->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(possible), PA_RESULT_ARRAY(types, 2),
               PA_REGIONS(then, otherwise));
}

static void read_rows_of(strip *s, pa_builder *inside, MlirValue first, MlirValue end) {
  for (int i = 0; i < s->array_count; ++i) {
    MlirValue rows = pa_rows_of(inside, s->arrays[i].array, first, end);
    for (int k = 0; k < s->view_count && !pa_failed(inside); ++k)
      if (mlirValueEqual(operand(s->views[k], 0), s->arrays[i].array)) mlirOperationSetOperand(s->views[k], 0, rows);
  }
}

static pa_status make_strips(strip *s) {
  MlirValue extents[PA_MAX_VIEW_RANK];
  s->at = (pa_builder){.context = s->names.context,
                       .location = mlirOperationGetLocation(s->loop),
                       .block = mlirOperationGetBlock(s->loop),
                       .before = s->loop};
  MlirOperation lengths = strip_lengths(s, is_possible(s, extents), extents[0]);
  MlirType type = si64(s);
  MlirValue zero = pa_si64(&s->at, 0);
  if (pa_failed(&s->at)) return s->at.failure;
  MlirValue step = mlirOperationGetResult(lengths, 1);
  MlirValue range = pa_value(&s->at, PA_OP_NAME(BUILTIN), PA_OPERANDS(zero, mlirOperationGetResult(lengths, 0), step),
                             PA_RESULTS(pyarrayRangeTypeGet(s->at.context)),
                             PA_ATTRS({"name", pa_string_attr(s->at.context, "builtins.range")}));
  pa_builder inside = s->at;
  MlirRegion region = pa_region(s->at.location, &type, 1, &inside.block);
  inside.before = (MlirOperation){NULL};
  MlirValue first = mlirBlockGetArgument(inside.block, 0);
  read_rows_of(s, &inside, first, pa_binary_of(&inside, PYARRAY_BINARY_ADD, first, step));
  if (!pa_failed(&inside)) {
    pa_op(&s->at, PA_OP_NAME(FOR), PA_OPERANDS(range), PA_REGIONS(region));
    mlirOperationRemoveFromParent(s->loop);
    mlirBlockAppendOwnedOperation(inside.block, s->loop);
    pa_set_attr(s->loop, "pyarray.strip", pa_unit_attr(s->at.context));
    pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(NULL, 0));
  }
  return inside.failure ? inside.failure : s->at.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status run(pa_pass_context *context, MlirOperation module) {
  strip s = {.arena = context->arena};
  pa_names_init(&s.names, context->context);
  if (!mlirAttributeIsNull(pa_get_attr(module, "pyarray.debug"))) return PA_OK;
  PA_FOR_EACH_OP(function, pa_module_body(module)) {
    pa_op_list loops = pa_loops_on_one_core(context->arena, &s.names, function);
    for (size_t i = 0; i < loops.count; ++i) {
      s.loop = loops.items[i];
      s.body = pa_body(s.loop, 0);
      s.array_count = s.view_count = 0;
      s.stores = false;
      if (read_loop(&s)) PA_TRY(make_strips(&s));
    }
  }
  return PA_OK;
}

const pa_pass pa_pass_strip_loops = {
    .argument = "pyarray-strip-loops",
    .summary = "Have loops over columns go over some rows at a time",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", NULL},
    .run = run,
};
