// Of pyarray-lower: pyarray.ufunc.
//
// One whose points are numbers and whose body only computes becomes linalg.generic (lower_generic.c). Where a body has
// effects or sees cores, the order and the views are ours: scf.parallel over the loop dimensions.
//
//   pyarray.ufunc "(n)->()" ins(%a : ...) outs(%o : ...) { ^bb0(%x: !pyarray.array<?xf64, A>): ... }
// becomes
//   scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//     %x = memref.subview %a[%i, 0] ...
//     ...
//     memref.store %s, %o[%i]
//   } {pyarray.cost = 9 : i64, pyarray.threads}
// In parallel functions it has pyarray.threads: pyarray-lower-linalg makes parts of it that are worth a thread, by what
// a point costs. One for a GPU has pyarray.grid (pyarray-map-grid). One that carries its output becomes scf.for
// (lower_carried.c).
#include <string.h>

#include "lower_arrays.h"
#include "lower_fold_grid.h"
#include "lower_ufunc.h"
#include "lower_whole_arrays.h"
#include "mlir-c/Dialect/LLVM.h"
#include "support/core_signature.h"
#include "ufunc_cost.h"

enum {
  PA_PREFETCH_DISTANCE = 4096, // bytes
  PA_CACHE_LINE = 64,
};

//===-- Strides -----------------------------------------------------------------------------------===//

MlirValue pa_with_unit_stride(pa_lowering *lower, const pa_array *array, int axis) {
  const int64_t dynamic = mlirShapedTypeGetDynamicSize();
  int64_t sizes[PA_MAX_RANK], strides[PA_MAX_RANK];
  MlirValue operands[2 * PA_MAX_RANK + 2];
  MlirOperation parts = pa_strided_metadata(lower, array);
  if (mlirOperationIsNull(parts)) return array->memref;
  int count = 0, rank = array->rank;
  for (int i = 0; i < 2 + rank; ++i) operands[count++] = mlirOperationGetResult(parts, i);
  for (int i = 0; i < rank; ++i) {
    sizes[i] = dynamic;
    strides[i] = i == axis ? 1 : mlirShapedTypeGetDynamicStrideOrOffset();
    if (i != axis) operands[count++] = mlirOperationGetResult(parts, 2 + rank + i);
  }
  MlirAttribute layout =
      mlirStridedLayoutAttrGet(lower->context, mlirShapedTypeGetDynamicStrideOrOffset(), rank, strides);
  MlirType type =
      mlirMemRefTypeGet(pa_element_memory(lower, array->element), rank, sizes, layout, mlirAttributeGetNull());
  int32_t segments[] = {1, 1, rank, rank - 1};
  return pa_value(&lower->builder, "memref.reinterpret_cast", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(type),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, 1, &dynamic)},
                           {"static_sizes", mlirDenseI64ArrayGet(lower->context, rank, sizes)},
                           {"static_strides", mlirDenseI64ArrayGet(lower->context, rank, strides)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}));
}

//===-- Points ------------------------------------------------------------------------------------===//

// A view of a number, in stack memory.
static MlirValue number_view(pa_lowering *lower, MlirValue number, MlirType type) {
  pa_builder at = pa_entry_builder(lower);
  int64_t one = 1;
  int32_t segments[] = {0, 0};
  pa_array array = {.type = type, .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)), .rank = 1};
  MlirType memory =
      mlirMemRefTypeContiguousGet(pa_element_memory(lower, array.element), 1, &one, mlirAttributeGetNull());
  MlirOperation made = pa_op(&at, "memref.alloca", PA_RESULTS(memory),
                             PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &at, made);
  if (mlirOperationIsNull(made)) return array.memref;
  array.memref = mlirOperationGetResult(made, 0);
  MlirValue zero = pa_int(lower, lower->index, 0);
  pa_store(lower, &array, &zero, number);
  return pa_cast_memref(lower, array.memref, pa_lower_array_type(lower, type));
}

// |memref| as the contiguous array of known extents that |type| says. A cast would be folded into its users, and
// forgotten.
static MlirValue fixed_view(pa_lowering *lower, MlirValue memref, MlirType type) {
  pa_array array = {.type = type,
                    .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)),
                    .rank = (int)pyarrayArrayTypeGetRank(type),
                    .memref = memref};
  int64_t sizes[PA_MAX_RANK], strides[PA_MAX_RANK], offset, dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirType fixed = pa_lower_array_type(lower, type);
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts) ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(fixed, strides, &offset)))
    return memref;
  for (int axis = 0; axis < array.rank; ++axis) sizes[axis] = pyarrayArrayTypeGetExtent(type, axis);
  int32_t segments[] = {1, 1, 0, 0};
  return pa_value(&lower->builder, "memref.reinterpret_cast", PA_RESULTS(fixed),
                  PA_OPERANDS(mlirOperationGetResult(parts, 0), mlirOperationGetResult(parts, 1)),
                  PA_ATTRS({"static_offsets", mlirDenseI64ArrayGet(lower->context, 1, &dynamic)},
                           {"static_sizes", mlirDenseI64ArrayGet(lower->context, array.rank, sizes)},
                           {"static_strides", mlirDenseI64ArrayGet(lower->context, array.rank, strides)},
                           {"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)}));
}

// Asks for the core that is PA_PREFETCH_DISTANCE ahead, if a core is more than a cache line: most of the time goes to
// memory then, and the processor's own prefetching does not keep up. An address behind the end does no harm.
static void prefetch_core(pa_lowering *lower, MlirValue memref, MlirType type) {
  pa_array array = {.type = type,
                    .element = pa_scalar_of(pyarrayArrayTypeGetElement(type)),
                    .rank = (int)pyarrayArrayTypeGetRank(type),
                    .memref = memref};
  int64_t bytes = pa_scalar_bytes(array.element);
  MlirOperation parts = pa_strided_metadata(lower, &array);
  if (mlirOperationIsNull(parts)) return;
  MlirValue item = pa_int(lower, lower->i64, bytes);
  for (int axis = 0; axis < array.rank; ++axis) bytes *= pyarrayArrayTypeGetExtent(type, axis);
  if (bytes <= PA_CACHE_LINE) return; // these LLVM may vectorise
  MlirType pointer = mlirLLVMPointerTypeGet(lower->context, 0);
  MlirValue start =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", memref, lower->index));
  start = pa_binary(lower, "arith.addi", start,
                    pa_binary(lower, "arith.muli", pa_to_i64(lower, mlirOperationGetResult(parts, 1)), item));
  for (int64_t at = 0; at < bytes; at += PA_CACHE_LINE) {
    MlirValue address = pa_binary(lower, "arith.addi", start, pa_int(lower, lower->i64, PA_PREFETCH_DISTANCE + at));
    pa_op(&lower->builder, "llvm.intr.prefetch", PA_OPERANDS(pa_convert(lower, "llvm.inttoptr", address, pointer)),
          PA_ATTRS({"rw", mlirIntegerAttrGet(lower->i32, 0)}, {"hint", mlirIntegerAttrGet(lower->i32, 3)},
                   {"cache", mlirIntegerAttrGet(lower->i32, 1)}));
  }
}

static bool has_known_extents(MlirType type) {
  for (intptr_t axis = 0; axis < pyarrayArrayTypeGetRank(type); ++axis)
    if (pyarrayArrayTypeGetExtent(type, axis) < 0) return false;
  return pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C;
}

static void set_argument(pa_lowering *lower, const pa_ufunc *u, int number) {
  MlirValue argument = mlirBlockGetArgument(u->body, number);
  const pa_ufunc_operand *operand = &u->operands[number];
  MlirType type = mlirValueGetType(argument);
  if (!pyarrayTypeIsArray(type)) {
    pa_set1(lower, argument, pa_is_number(operand) ? operand->number : pa_load(lower, &operand->array, u->indices));
    return;
  }
  MlirValue positions[PA_MAX_RANK], zero = pa_int(lower, lower->i64, 0);
  for (int axis = 0; axis < u->rank; ++axis) positions[axis] = pa_to_i64(lower, u->indices[axis]);
  MlirValue memref = pa_is_number(operand) ? number_view(lower, operand->number, type)
                                           : pa_core_view(lower, &operand->array, positions, u->rank, type);
  if (has_known_extents(type)) {
    memref = fixed_view(lower, memref, type);
    if (number < u->input_count) prefetch_core(lower, memref, type);
  }
  pa_set(lower, argument, (MlirValue[]){memref, zero}, 2);
}

static void lower_point(pa_lowering *lower, const pa_ufunc *u) {
  for (int i = 0; i < mlirBlockGetNumArguments(u->body); ++i) set_argument(lower, u, i);
  pa_lower_block(lower, u->body);
  MlirOperation yield = mlirBlockGetTerminator(u->body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i)
    pa_store(lower, &u->operands[u->input_count + i].array, u->indices, pa_get1(lower, pa_operand(yield, i)));
}

//===-- Loops -------------------------------------------------------------------------------------===//

static MlirAttribute parallel_segments(pa_lowering *lower, int count) {
  int32_t segments[] = {count, count, count, 0};
  return mlirDenseI32ArrayGet(lower->context, 4, segments);
}

static pa_scope open_grid(pa_lowering *lower, pa_ufunc *u) {
  MlirType types[PA_MAX_RANK];
  for (int i = 0; i < u->rank; ++i) types[i] = lower->index;
  pa_scope scope = pa_open(lower, types, u->rank);
  for (int i = 0; i < u->rank; ++i) u->indices[i] = mlirBlockGetArgument(scope.block, i);
  return scope;
}

static void close_grid(pa_lowering *lower, const pa_ufunc *u, pa_scope scope, const pa_attr *attributes, int count) {
  MlirValue operands[3 * PA_MAX_RANK];
  pa_attr all[PA_UFUNC_ATTRIBUTES + 1];
  for (int i = 0; i < u->rank; ++i) {
    operands[i] = pa_int(lower, lower->index, 0);
    operands[u->rank + i] = u->extents[i];
    operands[2 * u->rank + i] = pa_int(lower, lower->index, 1);
  }
  for (int i = 0; i < count; ++i) all[i] = attributes[i];
  all[count] = (pa_attr){"operandSegmentSizes", parallel_segments(lower, u->rank)};
  MlirRegion region = pa_close(lower, scope, "scf.reduce", NULL, 0);
  pa_op(&lower->builder, PA_OP_NAME(SCF_PARALLEL), PA_OPERAND_ARRAY(operands, 3 * u->rank), PA_REGIONS(region),
        .attrs = all, .attr_count = count + 1);
}

int pa_ufunc_attributes(pa_lowering *lower, const pa_ufunc *u, pa_attr *out) {
  MlirAttribute unit = pa_unit_attr(lower->context);
  if (u->grid) return out[0] = (pa_attr){"pyarray.grid", unit}, 1;
  out[0] = (pa_attr){"pyarray.cost", pa_i64_attr(lower->context, u->cost)};
  if (!lower->parallel) return 1;
  pa_way_out way = pa_leave(lower);
  out[1] = (pa_attr){"pyarray.threads", unit};
  out[2] = (pa_attr){"pyarray.try", way.try};
  out[3] = (pa_attr){"pyarray.handlers", way.handlers};
  return PA_UFUNC_ATTRIBUTES;
}

// Within a thread's part, nothing is spread further.
static void lower_grid(pa_lowering *lower, pa_ufunc *u) {
  pa_attr attributes[PA_UFUNC_ATTRIBUTES];
  int count = pa_ufunc_attributes(lower, u, attributes);
  bool threads = lower->parallel && !u->grid;
  pa_scope scope = open_grid(lower, u);
  pa_thread_scope thread;
  if (threads) pa_thread_begin(lower, &thread), lower->parallel = false;
  lower_point(lower, u);
  if (threads) lower->parallel = true, pa_thread_end(lower, &thread);
  close_grid(lower, u, scope, attributes, count);
}

//===-- Operands ----------------------------------------------------------------------------------===//

static bool read_operand(pa_lowering *lower, pa_ufunc *u, int number, const pa_core_operand *core) {
  pa_ufunc_operand *operand = &u->operands[number];
  MlirValue value = pa_operand(u->op, number);
  if (!pyarrayTypeIsArray(mlirValueGetType(value))) {
    operand->number = pa_get1(lower, value);
    return number < u->input_count;
  }
  operand->array = pa_array_of(lower, value);
  return operand->array.rank - core->rank == u->rank;
}

static bool has(MlirOperation op, const char *name) { return !mlirAttributeIsNull(pa_get_attr(op, name)); }

static bool read_ufunc(pa_lowering *lower, MlirOperation op, pa_ufunc *u) {
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  if (pa_core_signature_parse(text.data, text.length, &core) || mlirOperationGetNumResults(op)) return false;
  *u = (pa_ufunc){.op = op, .body = pa_body(op, 0), .input_count = core.input_count, .output_count = core.output_count};
  int count = core.input_count + core.output_count;
  MlirType output = mlirValueGetType(pa_operand(op, core.input_count));
  if (!pyarrayTypeIsArray(output)) return false;
  u->rank = (int)pyarrayArrayTypeGetRank(output) - core.operands[core.input_count].rank;
  u->grid = has(op, "grid");
  u->cost = pa_ufunc_cost(&lower->names, u->body);
  u->operands = PA_NEW_ARRAY(lower->arena, pa_ufunc_operand, count);
  for (int i = 0; i < count; ++i)
    if (!read_operand(lower, u, i, &core.operands[i])) return false;
  for (int axis = 0; axis < u->rank; ++axis)
    u->extents[axis] = pa_to_index(lower, pa_extent(lower, &u->operands[u->input_count].array, axis));
  return true;
}

//===-- Core dimensions ---------------------------------------------------------------------------===//

// By the type of its block argument.
static bool has_contiguous_core(const pa_ufunc *u, int number) {
  if (number >= mlirBlockGetNumArguments(u->body)) return false;
  MlirType type = mlirValueGetType(mlirBlockGetArgument(u->body, number));
  return pyarrayTypeIsArray(type) && pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C;
}

// Whether the last core dimension of every operand is contiguous; null where that is known, or there is none.
static MlirValue has_unit_cores(pa_lowering *lower, const pa_ufunc *u) {
  MlirValue all = {NULL}, one = pa_int(lower, lower->index, 1);
  for (int i = 0; i < u->input_count + u->output_count; ++i) {
    const pa_array *array = &u->operands[i].array;
    if (pa_is_number(&u->operands[i]) || array->rank == u->rank || has_contiguous_core(u, i)) continue;
    MlirValue unit = pa_compare_int(lower, PA_EQ, pa_stride_of(lower, array, array->rank - 1), one);
    all = mlirValueIsNull(all) ? unit : pa_and(lower, all, unit);
  }
  return all;
}

static void assume_unit_cores(pa_lowering *lower, pa_ufunc *u) {
  for (int i = 0; i < u->input_count + u->output_count; ++i) {
    pa_array *array = &u->operands[i].array;
    if (!pa_is_number(&u->operands[i]) && array->rank > u->rank)
      array->memref = pa_with_unit_stride(lower, array, array->rank - 1);
  }
}

// One copy of the loops for contiguous core dimensions, one for any.
static void lower_cores(pa_lowering *lower, pa_ufunc *u) {
  MlirValue unit = has_unit_cores(lower, u);
  if (mlirValueIsNull(unit)) {
    lower->fixed_cores = true;
    lower_grid(lower, u);
    lower->fixed_cores = false;
    return;
  }
  size_t bytes = (size_t)(u->input_count + u->output_count) * sizeof *u->operands;
  pa_ufunc_operand *saved = PA_NEW_ARRAY(lower->arena, pa_ufunc_operand, u->input_count + u->output_count);
  memcpy(saved, u->operands, bytes);
  pa_scope scope = pa_open(lower, NULL, 0);
  assume_unit_cores(lower, u);
  lower_grid(lower, u);
  MlirRegion then = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  memcpy(u->operands, saved, bytes);
  scope = pa_open(lower, NULL, 0);
  lower_grid(lower, u);
  MlirRegion otherwise = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_emit_if(lower, unit, then, otherwise, NULL, 0);
}

static void lower_ufunc(pa_lowering *lower, MlirOperation op) {
  pa_ufunc u;
  if (!read_ufunc(lower, op, &u))
    pa_lower_fail(lower, "operands of pyarray.ufunc differ in loop dimensions; run pyarray-expand-broadcasting first");
  else if (lower->team)
    pa_team_map(lower, &u);
  else if (u.grid && has(op, "pyarray.rows"))
    pa_lower_rows(lower, &u, lower_point);
  else if (u.rank == 0)
    lower_point(lower, &u);
  else if (has(op, "carried"))
    pa_lower_carried(lower, &u);
  else if (pa_is_generic(&u))
    pa_lower_generic(lower, &u);
  else if (u.grid)
    lower_grid(lower, &u);
  else
    lower_cores(lower, &u);
}

void pa_lower_ufunc(pa_lowering *lower, MlirOperation op) {
  bool parallel = lower->parallel;
  lower->parallel = parallel && !has(op, "pyarray.serial");
  lower_ufunc(lower, op);
  lower->parallel = parallel;
}
