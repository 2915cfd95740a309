// Of pyarray-expand-broadcasting: given outputs that overlap with what is read, some rows at a time.
//
//   u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1])
//
//   %independent, %rows = pyarray.rows_apart ins(%x, %y) outs(%o) : i1, si64
//   %w = scf.if %independent { %o } else { numpy.empty(min(2 * %rows, %n), ...) }
//   pyarray.for (%first) in range(0, %n, %rows) iter(%slot = 0, %before = 0) {
//     pyarray.ufunc ins(%x[%first:%end], %y[%first:%end]) outs(%w[%slot:%slot + %end - %first]) expanded { ... }
//     scf.if %independent { } else { %o[%before:%first] = %w[%rows - %slot:...] }       what was computed before
//     yield %rows - %slot, %first
//   }
//   scf.if %independent { } else { %o[%before:] = ... }
//
// So what is computed apart stays in the first cache. Where outputs are independent there is one part, of all rows.
#include "expand.h"
#include "fuse_internal.h"

static MlirType si64(const pa_builder *at) { return mlirIntegerTypeSignedGet(at->context, 64); }

//===-- Where it is of use ------------------------------------------------------------------------===//

static intptr_t rank_of(MlirValue array) { return pyarrayArrayTypeGetRank(mlirValueGetType(array)); }

// What an array has slices of all axes of, or it. Rows of other views have other pitches.
static MlirValue base_of(const pa_names *names, MlirValue array) {
  for (MlirValue base; mlirValueIsAOpResult(array); array = base) {
    MlirOperation op = mlirOpResultGetOwner(array);
    if (pa_kind(names, op) != PA_OP_GETITEM && pa_kind(names, op) != PA_OP_BROADCAST_TO) break;
    base = mlirOperationGetOperand(op, 0);
    if (!pyarrayTypeIsArray(mlirValueGetType(base)) || rank_of(base) != rank_of(array)) break;
  }
  return array;
}

// Another view of an array that an output is a view of is read: a stencil in place. Threads have parts of their own,
// and where a point raises nothing is to be stored.
bool pa_takes_parts(const pa_names *names, MlirOperation op, int inputs) {
  MlirOperation function = op;
  while (pa_kind(names, function) != PA_OP_FUNC) function = mlirOperationGetParentOperation(function);
  if (!pa_has_no_effects(pa_body(op, 0)) || pa_option_bool(function, "pyarray.options", "parallel", false) ||
      pa_option_bool(function, "pyarray.options", "offload", false))
    return false;
  bool found = false;
  for (intptr_t o = inputs; o < mlirOperationGetNumOperands(op); ++o) {
    MlirValue output = mlirOperationGetOperand(op, o);
    if (rank_of(output) < 2) return false;
    for (int i = 0; i < inputs; ++i) {
      MlirValue input = mlirOperationGetOperand(op, i);
      if (!pyarrayTypeIsArray(mlirValueGetType(input)) || mlirValueEqual(input, output)) continue;
      found = found || mlirValueEqual(base_of(names, input), base_of(names, output));
    }
  }
  return found;
}

//===-- Numbers and views -------------------------------------------------------------------------===//

static MlirValue arithmetic(pa_builder *at, pyarray_binary_kind kind, MlirValue a, MlirValue b) {
  if (pa_failed(at)) return a;
  return pa_value(at, PA_OP_NAME(BINARY), PA_OPERANDS(a, b), PA_RESULTS(si64(at)),
                  PA_ATTRS({"kind", pyarrayBinaryKindAttrGet(at->context, kind)}));
}

static MlirValue least(pa_builder *at, MlirValue a, MlirValue b) {
  if (pa_failed(at)) return a;
  return pa_value(at, PA_OP_NAME(BUILTIN), PA_OPERANDS(a, b), PA_RESULTS(si64(at)),
                  PA_ATTRS({"name", pa_string_attr(at->context, "builtins.min")}));
}

static MlirValue zero(pa_builder *at) {
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(si64(at)), PA_ATTRS({"value", mlirIntegerAttrGet(si64(at), 0)}));
}

// Rows |from| to |to|.
MlirValue pa_rows_of(pa_builder *at, MlirValue array, MlirValue from, MlirValue to) {
  if (pa_failed(at)) return array;
  MlirType none = pyarrayNoneTypeGet(at->context), type = mlirValueGetType(array);
  MlirValue nothing =
      pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(none), PA_ATTRS({"value", pa_unit_attr(at->context)}));
  MlirValue slice = pa_value(at, PA_OP_NAME(SLICE), PA_OPERANDS(from, to, nothing),
                             PA_RESULTS(pyarraySliceTypeGet(si64(at), si64(at), none)));
  MlirType view =
      pa_array_type(at->context, pyarrayArrayTypeGetRank(type), pyarrayArrayTypeGetElement(type),
                    pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A,
                    pyarrayArrayTypeIsReadonly(type));
  return pa_value(at, PA_OP_NAME(GETITEM), PA_OPERANDS(array, slice), PA_RESULTS(view));
}

//===-- The loop ----------------------------------------------------------------------------------===//

MlirValue pa_rows_in_parts(pa_builder *at, const pa_parts *p) {
  return least(at, arithmetic(at, PYARRAY_BINARY_ADD, p->rows, p->rows), p->count);
}

// What was computed at |slot|, to the outputs' rows from |first| to |end|.
static void store_part(pa_builder *at, const pa_parts *p, MlirValue slot, MlirValue first, MlirValue end) {
  MlirRegion then, otherwise;
  pa_builder inside = pa_open_branch(at, &then);
  pa_close_branch(at, &inside);
  inside = pa_open_branch(at, &otherwise);
  MlirValue behind = arithmetic(&inside, PYARRAY_BINARY_ADD, slot, arithmetic(&inside, PYARRAY_BINARY_SUB, end, first));
  for (int i = 0; i < p->output_count; ++i) {
    MlirValue to = pa_rows_of(&inside, p->outputs[i], first, end),
              from = pa_rows_of(&inside, p->written[i], slot, behind);
    if (!pa_failed(&inside))
      pa_op(&inside, PA_OP_NAME(SETITEM), PA_OPERANDS(to, from),
            PA_ATTRS({"pyarray.fresh", pa_unit_attr(at->context)}));
  }
  pa_close_branch(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(p->independent), PA_REGIONS(then, otherwise));
}

pa_builder pa_open_parts(pa_builder *at, pa_parts *p, MlirValue *inputs, int input_count, MlirValue *out_written) {
  MlirType types[] = {si64(at), si64(at), si64(at)};
  MlirBlock body;
  p->region = pa_region(at->location, types, 3, &body);
  pa_builder inside = *at;
  inside.block = body;
  inside.before = (MlirOperation){NULL};
  p->first = mlirBlockGetArgument(body, 0), p->slot = mlirBlockGetArgument(body, 1);
  p->before = mlirBlockGetArgument(body, 2);
  MlirValue left = arithmetic(&inside, PYARRAY_BINARY_SUB, p->count, p->first);
  MlirValue length = least(&inside, p->rows, left);
  MlirValue end = arithmetic(&inside, PYARRAY_BINARY_ADD, p->first, length),
            behind = arithmetic(&inside, PYARRAY_BINARY_ADD, p->slot, length);
  for (int i = 0; i < input_count; ++i)
    if (pyarrayTypeIsArray(mlirValueGetType(inputs[i]))) inputs[i] = pa_rows_of(&inside, inputs[i], p->first, end);
  for (int i = 0; i < p->output_count; ++i) out_written[i] = pa_rows_of(&inside, p->written[i], p->slot, behind);
  return inside;
}

void pa_close_parts(pa_builder *at, pa_builder *inside, const pa_parts *p) {
  if (pa_failed(inside)) {
    at->failure = inside->failure;
    mlirRegionDestroy(p->region);
    return;
  }
  MlirValue other = arithmetic(inside, PYARRAY_BINARY_SUB, p->rows, p->slot);
  store_part(inside, p, other, p->before, p->first);
  pa_op(inside, PA_OP_NAME(YIELD), PA_OPERANDS(other, p->first));
  if (inside->failure) at->failure = inside->failure;
  MlirType counts[] = {si64(at), si64(at)};
  MlirValue none = zero(at);
  MlirValue range = pa_value(at, PA_OP_NAME(BUILTIN), PA_OPERANDS(none, p->count, p->rows),
                             PA_RESULTS(pyarrayRangeTypeGet(at->context)),
                             PA_ATTRS({"name", pa_string_attr(at->context, "builtins.range")}));
  MlirOperation loop =
      pa_op(at, PA_OP_NAME(FOR), PA_OPERANDS(range, none, none), PA_RESULT_ARRAY(counts, 2), PA_REGIONS(p->region));
  if (mlirOperationIsNull(loop)) return;
  MlirValue slot = arithmetic(at, PYARRAY_BINARY_SUB, p->rows, mlirOperationGetResult(loop, 0));
  store_part(at, p, slot, mlirOperationGetResult(loop, 1), p->count);
}
