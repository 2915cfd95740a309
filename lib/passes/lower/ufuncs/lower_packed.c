// Of pyarray-lower: a row of an elementwise ufunc, by contiguous blocks, so that one loop serves operands of every
// stride.
//
//   scf.if (%a is constant) { fill %buffer with it }
//   %block = (every operand is contiguous) ? %n : 512
//   scf.for %b = %low to %high step %block {
//     %m = min(%block, %high - %b)
//     scf.if (%a is strided) { copy %a[%b + 0..%m] to %buffer }      // not where it is constant
//     scf.parallel (%j) = (%c0) to (%m) step (%c1) {
//       %x = memref.load %source[%shift + %j]                        // %a and %b, or %buffer and 0
//       ...
//     }
//     scf.if (%o is strided) { copy %buffer to %o[%b + 0..%m] }
//   }
#include "lower_ufunc.h"

enum { PA_PACKED_BLOCK = 512 };

typedef struct packed_operand {
  pa_array row;       // one dimension, any stride
  MlirValue direct;   // i1: contiguous
  MlirValue copied;   // i1: neither contiguous nor constant; null where that cannot be
  MlirValue constant; // i1; null for outputs
  MlirValue unit;     // |row| as if contiguous
  MlirValue buffer;   // as |unit|; null where every row is contiguous
  MlirValue source;   // |unit| or |buffer|
  MlirValue moves;    // index: 1 if that is |unit|, 0 if it is |buffer|, whose blocks begin at 0; null: always 1
  MlirValue shift;    // where the block begins in it
} packed_operand;

//===-- Memory ------------------------------------------------------------------------------------===//

static MlirType row_type(pa_lowering *lower, const pa_array *array) {
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  return pyarrayArrayTypeGet(lower->context, 1, &dynamic, pyarrayArrayTypeGetElement(array->type), PYARRAY_LAYOUT_A,
                             false);
}

pa_array pa_ufunc_row(pa_lowering *lower, const pa_ufunc *u, const pa_array *array) {
  MlirValue positions[PA_MAX_RANK];
  for (int axis = 0; axis + 1 < u->rank; ++axis) positions[axis] = pa_to_i64(lower, u->indices[axis]);
  pa_array row = *array;
  row.type = row_type(lower, array);
  row.rank = 1;
  row.memref = pa_core_view(lower, array, positions, u->rank - 1, row.type);
  return row;
}

static MlirValue new_buffer(pa_lowering *lower, const packed_operand *operand) {
  pa_builder at = pa_entry_builder(lower);
  int64_t size = PA_PACKED_BLOCK;
  int32_t segments[] = {0, 0};
  MlirType type =
      mlirMemRefTypeContiguousGet(pa_element_memory(lower, operand->row.element), 1, &size, mlirAttributeGetNull());
  MlirOperation made = pa_op(&at, "memref.alloca", PA_RESULTS(type),
                             PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                                      {"alignment", pa_i64_attr(lower->context, 64)}));
  pa_entry_built(lower, &at, made);
  if (mlirOperationIsNull(made)) return (MlirValue){NULL};
  return pa_cast_memref(lower, mlirOperationGetResult(made, 0), pa_type_or_none(lower, operand->unit));
}

static pa_array array_at(const packed_operand *operand, MlirValue memref) {
  pa_array array = operand->row;
  array.memref = memref;
  return array;
}

// Elements as they lie in memory: a bool stays a byte.
static MlirValue load_raw(pa_lowering *lower, MlirValue memref, MlirValue index, const packed_operand *operand) {
  return pa_value(&lower->builder, "memref.load", PA_OPERANDS(memref, index),
                  PA_RESULTS(pa_element_memory(lower, operand->row.element)));
}

static void copy_raw(pa_lowering *lower, const packed_operand *operand, MlirValue count, MlirValue from,
                     MlirValue from_at, MlirValue to, MlirValue to_at) {
  MlirValue index;
  pa_scope scope = pa_parallel_begin(lower, &index);
  MlirValue source = pa_binary(lower, "arith.addi", from_at, index);
  MlirValue target = pa_binary(lower, "arith.addi", to_at, index);
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(load_raw(lower, from, source, operand), to, target));
  pa_parallel_end(lower, scope, pa_int(lower, lower->index, 0), count, "pyarray.strided");
}

//===-- Operands ----------------------------------------------------------------------------------===//

static packed_operand open_operand(pa_lowering *lower, const pa_ufunc *u, const pa_ufunc_operand *operand,
                                   bool output) {
  packed_operand packed = {.row = pa_ufunc_row(lower, u, &operand->array)};
  MlirValue stride = pa_stride_of(lower, &packed.row, 0), one = pa_int(lower, lower->index, 1),
            zero = pa_int(lower, lower->index, 0);
  packed.unit = pa_with_unit_stride(lower, &packed.row, 0);
  packed.source = packed.unit;
  bool always_direct = output && u->unit_strides;
  if (always_direct) return packed;
  packed.direct = pa_compare_int(lower, PA_EQ, stride, one);
  packed.buffer = new_buffer(lower, &packed);
  packed.source = pa_select(lower, packed.direct, packed.unit, packed.buffer);
  packed.moves = u->unit_strides ? stride : pa_convert(lower, "arith.index_castui", packed.direct, lower->index);
  if (!output) packed.constant = pa_compare_int(lower, PA_EQ, stride, zero);
  if (u->unit_strides) return packed;
  packed.copied = pa_not(lower, packed.direct);
  if (!output) packed.copied = pa_and(lower, packed.copied, pa_not(lower, packed.constant));
  return packed;
}

// A constant operand fills its buffer once.
static void spread_constant(pa_lowering *lower, const packed_operand *operand, MlirValue low, MlirValue high) {
  if (mlirValueIsNull(operand->constant)) return;
  MlirValue most = pa_int(lower, lower->index, PA_PACKED_BLOCK), zero = pa_int(lower, lower->index, 0);
  MlirValue count = pa_binary(lower, "arith.minsi", pa_binary(lower, "arith.subi", high, low), most);
  MlirValue spreads = pa_and(lower, operand->constant, pa_compare_int(lower, PA_SGT, count, zero));
  pa_scope scope = pa_if_begin(lower);
  MlirValue index, value = load_raw(lower, operand->row.memref, zero, operand); // once: so that the loop is vectorised
  pa_scope loop = pa_parallel_begin(lower, &index);
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(value, operand->buffer, index));
  pa_parallel_end(lower, loop, zero, count, NULL);
  pa_if_end(lower, scope, spreads);
}

// A product with the stride, where that is 0 or 1: of a choice LLVM would make two loops.
static void enter_block(pa_lowering *lower, packed_operand *operand, MlirValue block) {
  operand->shift = mlirValueIsNull(operand->moves) ? block : pa_binary(lower, "arith.muli", block, operand->moves);
}

static void pack(pa_lowering *lower, const packed_operand *operand, MlirValue block, MlirValue count, bool output) {
  if (mlirValueIsNull(operand->copied)) return;
  MlirValue zero = pa_int(lower, lower->index, 0);
  pa_scope scope = pa_if_begin(lower);
  if (output)
    copy_raw(lower, operand, count, operand->buffer, zero, operand->row.memref, block);
  else
    copy_raw(lower, operand, count, operand->row.memref, block, operand->buffer, zero);
  pa_if_end(lower, scope, operand->copied);
}

//===-- The row -----------------------------------------------------------------------------------===//

static void lower_points(pa_lowering *lower, const pa_ufunc *u, const packed_operand *operands, MlirValue count) {
  MlirValue index;
  pa_scope scope = pa_parallel_begin(lower, &index);
  for (int i = 0; i < u->input_count; ++i) {
    MlirValue number = u->operands[i].number;
    pa_array array = array_at(&operands[i], operands[i].source);
    if (!pa_is_number(&u->operands[i])) {
      MlirValue at = pa_binary(lower, "arith.addi", operands[i].shift, index);
      number = pa_load(lower, &array, &at);
    }
    pa_set1(lower, mlirBlockGetArgument(u->body, i), number);
  }
  pa_lower_block(lower, u->body);
  MlirOperation yield = mlirBlockGetTerminator(u->body);
  for (int i = 0; i < u->output_count; ++i) {
    const packed_operand *output = &operands[u->input_count + i];
    pa_array array = array_at(output, output->source);
    MlirValue at = pa_binary(lower, "arith.addi", output->shift, index);
    pa_store(lower, &array, &at, pa_get1(lower, pa_operand(yield, i)));
  }
  pa_parallel_end(lower, scope, pa_int(lower, lower->index, 0), count, NULL);
}

// The whole row where no operand needs its buffer.
static MlirValue block_size(pa_lowering *lower, const packed_operand *operands, int count, MlirValue length) {
  MlirValue all_direct = pa_int(lower, lower->i1, 1);
  for (int i = 0; i < count; ++i)
    if (!mlirValueIsNull(operands[i].direct)) all_direct = pa_and(lower, all_direct, operands[i].direct);
  MlirValue whole = pa_binary(lower, "arith.maxsi", length, pa_int(lower, lower->index, 1));
  return pa_select(lower, all_direct, whole, pa_int(lower, lower->index, PA_PACKED_BLOCK));
}

static void lower_block_at(pa_lowering *lower, const pa_ufunc *u, packed_operand *operands, int count, MlirValue block,
                           MlirValue points) {
  for (int i = 0; i < count; ++i) {
    if (i < u->input_count && pa_is_number(&u->operands[i])) continue;
    enter_block(lower, &operands[i], block);
    if (i < u->input_count) pack(lower, &operands[i], block, points, false);
  }
  lower_points(lower, u, operands, points);
  for (int i = u->input_count; i < count; ++i) pack(lower, &operands[i], block, points, true);
}

void pa_lower_packed_row(pa_lowering *lower, pa_ufunc *u, MlirValue low, MlirValue high) {
  int count = u->input_count + u->output_count;
  packed_operand *operands = PA_NEW_ARRAY(lower->arena, packed_operand, count);
  for (int i = 0; i < count; ++i) {
    if (pa_is_number(&u->operands[i])) continue;
    operands[i] = open_operand(lower, u, &u->operands[i], i >= u->input_count);
    spread_constant(lower, &operands[i], low, high);
  }
  MlirValue step = block_size(lower, operands, count, pa_binary(lower, "arith.subi", high, low));
  pa_scope scope = pa_open(lower, &lower->index, 1);
  MlirValue block = mlirBlockGetArgument(scope.block, 0);
  MlirValue points = pa_binary(lower, "arith.minsi", step, pa_binary(lower, "arith.subi", high, block));
  lower_block_at(lower, u, operands, count, block, points);
  MlirRegion region = pa_close(lower, scope, "scf.yield", NULL, 0);
  pa_op(&lower->builder, "scf.for", PA_OPERANDS(low, high, step), PA_REGIONS(region));
}
