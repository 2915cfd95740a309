// Of pyarray-offload: reductions.
//
//   %s = pyarray.reduce ["add"] axes [0] ins(%a : !pyarray.array<?xf64, C>) expanded { ... } -> f64
// becomes
//   %p = pyarray.builtin "numpy.empty"(%c1024)                    partial sums, of a part of the elements each
//   pyarray.launch @f$0.kernel0(%a, %p) outputs 1 points 1 fold
//   %o = pyarray.builtin "numpy.empty"(%c1)
//   pyarray.launch @f$0.kernel1(%p, %o) outputs 1 points 1 fold
//   %s = pyarray.getitem %o[%c0]                                   waits; not where only kernels need it
//
// In a kernel a reduction's outputs have one more dimension, the first: of the parts that the folded elements are cut
// into. Where a dimension is kept there is one part.
#include <string.h>

#include "offload.h"

enum { PARTS = 1024, MOST_WORDS = 8 };

typedef struct folding {
  pa_offloading *o;
  MlirOperation op;
  pa_builder at;
  intptr_t inputs, starts, outputs, words, rank, kept;
  bool folded[PA_OFFLOAD_RANK];
  MlirValue array; // an input, which has the loop shape
  bool placed;     // the last input has the positions of elements
} folding;

//===-- Reading -----------------------------------------------------------------------------------===//

static bool word_is(const folding *f, intptr_t k, const char *ending) {
  MlirStringRef word = mlirStringAttrGetValue(mlirArrayAttrGetElement(pa_get_attr(f->op, "words"), k));
  size_t length = strlen(ending);
  return word.length >= length && memcmp(word.data + word.length - length, ending, length) == 0;
}

static MlirType yielded(const folding *f, intptr_t k) {
  return mlirValueGetType(mlirOperationGetOperand(mlirBlockGetTerminator(pa_body(f->op, 0)), k));
}

static MlirType stored(const folding *f, intptr_t k) {
  return word_is(f, k, "argmin") || word_is(f, k, "argmax") ? f->o->si64 : yielded(f, k);
}

static pa_status read_reduce(pa_offloading *o, MlirOperation op, folding *f) {
  MlirAttribute segments = pa_get_attr(op, "operandSegmentSizes"), axes = pa_get_attr(op, "axes");
  *f = (folding){.o = o,
                 .op = op,
                 .at = pa_offload_before(o, op),
                 .inputs = mlirDenseI32ArrayGetElement(segments, 0),
                 .starts = mlirDenseI32ArrayGetElement(segments, 1),
                 .outputs = mlirDenseI32ArrayGetElement(segments, 2),
                 .words = mlirArrayAttrGetNumElements(pa_get_attr(op, "words"))};
  for (intptr_t i = 0; i < f->inputs; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!pyarrayTypeIsArray(mlirValueGetType(value))) continue;
    f->array = value;
    f->rank = pyarrayArrayTypeGetRank(mlirValueGetType(value));
  }
  if (mlirValueIsNull(f->array) || f->rank > PA_OFFLOAD_RANK || f->words > MOST_WORDS)
    return pa_fail_at(PA_CODE_UNSUPPORTED, f->at.location, "this reduction is not one that a GPU does");
  f->kept = f->rank - mlirDenseArrayGetNumElements(axes);
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(axes); ++k)
    f->folded[mlirDenseI64ArrayGetElement(axes, k)] = true;
  return PA_OK;
}

//===-- Kernels -----------------------------------------------------------------------------------===//

// A maximum of nothing raises, as on the CPU, before anything runs.
static void check_not_empty(folding *f) {
  const char *text = pa_empty_fold_text(f->o->arena, f->op);
  int64_t mask = 0;
  if (!text) return;
  for (intptr_t d = 0; d < f->rank; ++d) mask |= (int64_t)f->folded[d] << d;
  MlirType i1 = mlirIntegerTypeGet(f->o->context, 1);
  MlirValue size = pa_offload_builtin(f->o, &f->at, "pyarray.library._intrinsics.size_over",
                                      (MlirValue[]){f->array, pa_offload_constant(f->o, &f->at, mask)}, 2, f->o->si64);
  MlirValue empty =
      pa_value(&f->at, PA_OP_NAME(COMPARE), PA_OPERANDS(size, pa_offload_constant(f->o, &f->at, 0)), PA_RESULTS(i1),
               PA_ATTRS({"kind", pyarrayCompareKindAttrGet(f->o->context, PYARRAY_COMPARE_EQ)}));
  pa_op(&f->at, PA_OP_NAME(BUILTIN), PA_OPERANDS(empty), PA_RESULTS(pyarrayNoneTypeGet(f->o->context)),
        PA_ATTRS({"name", pa_string_attr(f->o->context, "pyarray.library._intrinsics.raise_if")},
                 {"callee", pa_string_attr(f->o->context, pa_arena_format(f->o->arena, "ValueError:%s", text))}));
}

// The body yields what it is given.
static MlirRegion identity_body(folding *f) {
  MlirType types[MOST_WORDS];
  MlirValue values[MOST_WORDS];
  for (intptr_t k = 0; k < f->words; ++k) types[k] = yielded(f, k);
  pa_builder inside = f->at;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(f->at.location, types, f->words, &inside.block);
  for (intptr_t k = 0; k < f->words; ++k) values[k] = mlirBlockGetArgument(inside.block, k);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERAND_ARRAY(values, f->words));
  f->at.failure = inside.failure;
  return region;
}

static MlirRegion own_body(folding *f) {
  MlirOperation copy = mlirOperationClone(f->op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  return region;
}

// |outputs|: with a dimension of parts.
static pa_status launch_words(folding *f, const MlirValue *inputs, intptr_t input_count, const MlirValue *starts,
                              intptr_t start_count, const MlirValue *outputs, intptr_t output_count,
                              MlirAttribute words, MlirAttribute axes, MlirRegion body) {
  intptr_t count = 0;
  MlirValue *operands = PA_NEW_ARRAY(f->o->arena, MlirValue, input_count + start_count + output_count + 1);
  for (intptr_t i = 0; i < input_count; ++i) operands[count++] = inputs[i];
  for (intptr_t i = 0; i < start_count; ++i) operands[count++] = starts[i];
  for (intptr_t k = 0; k < output_count; ++k) operands[count++] = outputs[k];
  int32_t segments[] = {(int32_t)input_count, (int32_t)start_count, (int32_t)output_count};
  MlirOperation made =
      pa_op(&f->at, PA_OP_NAME(REDUCE), PA_OPERAND_ARRAY(operands, count), PA_REGIONS(body),
            PA_ATTRS({"words", words}, {"axes", axes}, {"grid", pa_unit_attr(f->o->context)},
                     {"expanded", pa_unit_attr(f->o->context)},
                     {"pyarray.places", f->placed ? pa_unit_attr(f->o->context) : mlirAttributeGetNull()},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(f->o->context, 3, segments)}));
  PA_TRY(f->at.failure);
  return pa_offload_operation(f->o, made, &(pa_kernel_form){input_count + start_count, count - output_count, true});
}

static pa_status launch(folding *f, const MlirValue *inputs, intptr_t input_count, const MlirValue *starts,
                        intptr_t start_count, const MlirValue *outputs, MlirAttribute axes, MlirRegion body) {
  return launch_words(f, inputs, input_count, starts, start_count, outputs, f->words, pa_get_attr(f->op, "words"), axes,
                      body);
}

static MlirType line_of(const folding *f, MlirType element) {
  return pa_array_type(f->o->context, 1, element, PYARRAY_LAYOUT_C, false);
}

// Sums of halves are rounded once; a position says nothing of the element there.
static bool has_parts(const folding *f) {
  for (intptr_t k = 0; k < f->words; ++k)
    if (word_is(f, k, "argmin") || word_is(f, k, "argmax") || mlirTypeIsAF16(yielded(f, k))) return false;
  return true;
}

static MlirValue new_number(folding *f, MlirType element, MlirValue one) {
  MlirValue made = pa_offload_empty(f->o, &f->at, line_of(f, element), &one, 1);
  if (!pa_failed(&f->at)) pa_set_attr(mlirOpResultGetOwner(made), "pyarray.number", pa_unit_attr(f->o->context));
  return made;
}

// What all outputs are, with one part: views of those that were given, or new ones for numbers.
static void make_outputs(folding *f, MlirValue *out_outputs) {
  int64_t first = 0;
  MlirValue one = pa_offload_constant(f->o, &f->at, 1);
  for (intptr_t k = 0; k < f->words; ++k) {
    if (!f->outputs) {
      out_outputs[k] = new_number(f, stored(f, k), one);
      continue;
    }
    MlirValue given = mlirOperationGetOperand(f->op, f->inputs + f->starts + k);
    MlirType type = mlirValueGetType(given),
             view =
                 pa_array_type(f->o->context, f->kept + 1, pyarrayArrayTypeGetElement(type), PYARRAY_LAYOUT_A, false);
    out_outputs[k] = pa_value(&f->at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(given), PA_RESULTS(view),
                              PA_ATTRS({"axes", mlirDenseI64ArrayGet(f->o->context, 1, &first)}));
  }
}

// An element that the host reads and waits for, unless kernels alone need it (offload_kernels.c).
static MlirValue read_first(folding *f, MlirValue array, MlirValue place, MlirType element) {
  int inside = 1;
  return pa_value(&f->at, PA_OP_NAME(GETITEM), PA_OPERANDS(array, place), PA_RESULTS(element),
                  PA_ATTRS({"pyarray.fetched", pa_unit_attr(f->o->context)},
                           {"pyarray.in_bounds", mlirDenseBoolArrayGet(f->o->context, 1, &inside)}));
}

static void read_results(folding *f, const MlirValue *outputs) {
  for (intptr_t k = 0; k < f->words && !f->outputs; ++k) {
    MlirValue number = read_first(f, outputs[k], pa_offload_constant(f->o, &f->at, 0), stored(f, k));
    if (!pa_failed(&f->at)) mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(f->op, k), number);
  }
}

// Folds the parts, which lie in order: as the arrays that they were made as, not as views of any strides.
static pa_status launch_parts(folding *f, const MlirValue *parts, const MlirValue *starts, const MlirValue *outputs) {
  MlirValue made[MOST_WORDS];
  int64_t first = 0;
  for (intptr_t k = 0; k < f->words; ++k) {
    MlirOperation maker = mlirOpResultGetOwner(parts[k]);
    made[k] = pa_kind(&f->o->names, maker) == PA_OP_CAST ? mlirOperationGetOperand(maker, 0) : parts[k];
  }
  return launch(f, made, f->words, starts, f->starts, outputs, mlirDenseI64ArrayGet(f->o->context, 1, &first),
                identity_body(f));
}

//===-- Positions ---------------------------------------------------------------------------------===//

// Parts of what is folded say the extreme and where it is; the first part that has the extreme of all has the position:
//
//   launch reduce ["max", "argmax"] ins(%a) outs(%values, %places)     parts
//   launch reduce ["argmax"] ins(%values, %places) outs(%place) {pyarray.places}     positions are those of the parts
static bool has_positions_of_parts(const folding *f) {
  pa_scalar scalar = pa_scalar_of(yielded(f, 0));
  bool position = word_is(f, 0, "argmin") || word_is(f, 0, "argmax");
  return position && f->words == 1 && !f->kept && !f->starts && !f->outputs && scalar != PA_BOOL;
}

// The body, which yields its value twice.
static MlirRegion doubled_body(folding *f) {
  MlirRegion region = own_body(f);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  MlirOperation yield = mlirBlockGetTerminator(block);
  MlirValue value = mlirOperationGetOperand(yield, 0);
  pa_builder at = f->at;
  at.block = block;
  at.before = yield;
  pa_op(&at, PA_OP_NAME(YIELD), PA_OPERANDS(value, value));
  mlirOperationDestroy(yield);
  if (at.failure) f->at.failure = at.failure;
  return region;
}

// The body of an element and its position, which yields the element.
static MlirRegion placed_body(folding *f) {
  MlirType types[] = {yielded(f, 0), f->o->si64};
  pa_builder inside = f->at;
  inside.before = (MlirOperation){NULL};
  MlirRegion region = pa_region(f->at.location, types, 2, &inside.block);
  pa_op(&inside, PA_OP_NAME(YIELD), PA_OPERANDS(mlirBlockGetArgument(inside.block, 0)));
  f->at.failure = inside.failure;
  return region;
}

static pa_status launch_positions(folding *f, const MlirValue *operands, MlirAttribute axes) {
  bool least = word_is(f, 0, "argmin");
  MlirType element = yielded(f, 0);
  MlirValue count = pa_offload_constant(f->o, &f->at, PARTS), one = pa_offload_constant(f->o, &f->at, 1),
            zero = pa_offload_constant(f->o, &f->at, 0), outputs[2], place;
  outputs[0] = pa_offload_empty(f->o, &f->at, line_of(f, element), &count, 1);
  outputs[1] = pa_offload_empty(f->o, &f->at, line_of(f, f->o->si64), &count, 1);
  place = new_number(f, f->o->si64, one);
  MlirAttribute word = mlirArrayAttrGetElement(pa_get_attr(f->op, "words"), 0),
                words[] = {pa_string_attr(f->o->context, least ? "min" : "max"), word};
  int64_t first = 0;
  PA_TRY(f->at.failure);
  MlirRegion body = doubled_body(f), placed = placed_body(f);
  PA_TRY(
      launch_words(f, operands, f->inputs, NULL, 0, outputs, 2, mlirArrayAttrGet(f->o->context, 2, words), axes, body));
  f->placed = true;
  PA_TRY(launch_words(f, outputs, 2, NULL, 0, &place, 1, mlirArrayAttrGet(f->o->context, 1, &word),
                      mlirDenseI64ArrayGet(f->o->context, 1, &first), placed));
  MlirValue number = read_first(f, place, zero, f->o->si64);
  if (pa_failed(&f->at)) return f->at.failure;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(f->op, 0), number);
  return PA_OK;
}

//===-- Parts of columns --------------------------------------------------------------------------===//

static int64_t mask_of(const folding *f, bool folded) {
  int64_t mask = 0;
  for (intptr_t d = 0; d < f->rank; ++d) mask |= (int64_t)(f->folded[d] == folded) << d;
  return mask;
}

static MlirValue two(folding *f, const char *name, MlirValue a, MlirValue b) {
  return pa_offload_builtin(f->o, &f->at, name, (MlirValue[]){a, b}, 2, f->o->si64);
}

static MlirValue quotient(folding *f, MlirValue a, MlirValue b) {
  return pa_value(&f->at, PA_OP_NAME(BINARY), PA_OPERANDS(a, b), PA_RESULTS(f->o->si64),
                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(f->o->context, PYARRAY_BINARY_FLOORDIV)}));
}

static MlirValue size(folding *f, bool folded) {
  MlirValue operands[] = {f->array, pa_offload_constant(f->o, &f->at, mask_of(f, folded))};
  return pa_offload_builtin(f->o, &f->at, "pyarray.library._intrinsics.size_over", operands, 2, f->o->si64);
}

// Where few points are kept, so many parts that all threads of a device have something to do; at least one.
static MlirValue part_count(folding *f) {
  enum { ITEMS = 1 << 15, LEAST = 256 };
  MlirValue one = pa_offload_constant(f->o, &f->at, 1);
  MlirValue kept = two(f, "builtins.max", size(f, false), one);
  MlirValue wanted = quotient(f, pa_offload_constant(f->o, &f->at, ITEMS), kept);
  MlirValue most = quotient(f, size(f, true), pa_offload_constant(f->o, &f->at, LEAST));
  return two(f, "builtins.max", two(f, "builtins.min", wanted, most), one);
}

static MlirValue new_parts(folding *f, MlirValue count, intptr_t k) {
  MlirValue extents[PA_OFFLOAD_RANK + 1] = {count};
  intptr_t rank = 1;
  for (intptr_t d = 0; d < f->rank; ++d)
    if (!f->folded[d]) extents[rank++] = pa_offload_extent(f->o, &f->at, f->array, (int)d);
  MlirType element = yielded(f, k), c = pa_array_type(f->o->context, rank, element, PYARRAY_LAYOUT_C, false),
           a = pa_array_type(f->o->context, rank, element, PYARRAY_LAYOUT_A, false);
  MlirValue made = pa_offload_empty(f->o, &f->at, c, extents, rank);
  return pa_failed(&f->at) ? made : pa_value(&f->at, PA_OP_NAME(CAST), PA_OPERANDS(made), PA_RESULTS(a));
}

static pa_builder inside(const folding *f, MlirRegion *out_region) {
  pa_builder at = f->at;
  at.before = (MlirOperation){NULL};
  *out_region = pa_region(at.location, NULL, 0, &at.block);
  pa_builder end = at;
  at.before = pa_op(&end, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  at.failure = end.failure;
  return at;
}

// The launch of the parts once more, straight to the outputs.
static pa_status launch_whole(folding *f, MlirOperation launch_of_parts, const MlirValue *outputs) {
  MlirOperation copy = mlirOperationClone(launch_of_parts);
  for (intptr_t k = 0; k < f->words; ++k) mlirOperationSetOperand(copy, f->inputs + k, outputs[k]);
  mlirBlockInsertOwnedOperationBefore(f->at.block, f->at.before, copy);
  return PA_OK;
}

// Whether results are of another type than parts of them: sums of halves, which are rounded once.
static bool is_rounded(const folding *f, const MlirValue *outputs) {
  for (intptr_t k = 0; k < f->words; ++k)
    if (!mlirTypeEqual(pyarrayArrayTypeGetElement(mlirValueGetType(outputs[k])), yielded(f, k))) return true;
  return false;
}

// One kernel where there is one part, two where there are more; the first is the same, unless parts have another type.
static pa_status launch_columns(folding *f, const MlirValue *operands, const MlirValue *outputs, MlirAttribute axes) {
  MlirValue parts[MOST_WORDS], count = part_count(f);
  MlirType i1 = mlirIntegerTypeGet(f->o->context, 1);
  MlirValue several =
      pa_value(&f->at, PA_OP_NAME(COMPARE), PA_OPERANDS(count, pa_offload_constant(f->o, &f->at, 1)), PA_RESULTS(i1),
               PA_ATTRS({"kind", pyarrayCompareKindAttrGet(f->o->context, PYARRAY_COMPARE_GT)}));
  PA_TRY(f->at.failure);
  pa_builder outer = f->at;
  MlirRegion then, otherwise;
  f->at = inside(f, &then);
  for (intptr_t k = 0; k < f->words; ++k) parts[k] = new_parts(f, count, k);
  pa_status status = f->at.failure ? f->at.failure : launch(f, operands, f->inputs, NULL, 0, parts, axes, own_body(f));
  MlirOperation first = mlirBlockGetTerminator(f->at.block);
  for (MlirOperation op = mlirBlockGetFirstOperation(f->at.block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (pa_kind(&f->o->names, op) == PA_OP_LAUNCH) first = op;
  if (!status) status = launch_parts(f, parts, NULL, outputs);
  f->at = outer;
  f->at.failure = status;
  pa_builder whole = inside(f, &otherwise);
  f->at = whole;
  if (!status)
    status = is_rounded(f, outputs) ? launch(f, operands, f->inputs, NULL, 0, outputs, axes, own_body(f))
                                    : launch_whole(f, first, outputs);
  f->at = outer;
  if (status) return mlirRegionDestroy(then), mlirRegionDestroy(otherwise), status;
  pa_op(&f->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(several), PA_REGIONS(then, otherwise));
  return f->at.failure;
}

//===-- Reductions --------------------------------------------------------------------------------===//

pa_status pa_offload_reduce(pa_offloading *o, MlirOperation op) {
  folding f;
  MlirValue outputs[MOST_WORDS], parts[MOST_WORDS];
  PA_TRY(read_reduce(o, op, &f));
  check_not_empty(&f);
  MlirValue *operands = PA_NEW_ARRAY(o->arena, MlirValue, f.inputs + f.starts + 1), *starts = operands + f.inputs;
  for (intptr_t i = 0; i < f.inputs + f.starts; ++i) operands[i] = mlirOperationGetOperand(op, i);
  MlirAttribute axes = pa_get_attr(op, "axes");
  if (has_positions_of_parts(&f)) {
    PA_TRY(launch_positions(&f, operands, axes));
    return mlirOperationDestroy(op), f.at.failure;
  }
  make_outputs(&f, outputs);
  PA_TRY(f.at.failure);
  if (!has_parts(&f)) {
    PA_TRY(launch(&f, operands, f.inputs, starts, f.starts, outputs, axes, own_body(&f)));
  } else if (f.kept) {
    PA_TRY(f.starts ? launch(&f, operands, f.inputs, starts, f.starts, outputs, axes, own_body(&f))
                    : launch_columns(&f, operands, outputs, axes));
  } else {
    MlirValue count = pa_offload_constant(o, &f.at, PARTS);
    for (intptr_t k = 0; k < f.words; ++k)
      parts[k] = pa_offload_empty(o, &f.at, line_of(&f, yielded(&f, k)), &count, 1);
    PA_TRY(launch(&f, operands, f.inputs, NULL, 0, parts, axes, own_body(&f)));
    PA_TRY(launch_parts(&f, parts, starts, outputs));
  }
  read_results(&f, outputs);
  if (!f.at.failure) mlirOperationDestroy(op);
  return f.at.failure;
}
