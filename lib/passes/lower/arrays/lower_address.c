// Of pyarray-lower: memrefs of memory whose address is a number.
//
//   %0 = llvm.inttoptr %address            a descriptor with sizes and strides around it
//   %1 = builtin.unrealized_conversion_cast ... to memref<...>
#include "lower_arrays.h"
#include "lower_items.h"
#include "lower_numbers.h"

MlirType pa_bytes_type(const pa_lowering *lower) {
  int64_t shape[] = {mlirShapedTypeGetDynamicSize()};
  return mlirMemRefTypeContiguousGet(lower->i8, 1, shape, mlirAttributeGetNull());
}

static MlirValue insert_field(pa_lowering *lower, MlirValue descriptor, MlirValue value, const int64_t *position,
                              intptr_t depth) {
  return pa_value(&lower->builder, "llvm.insertvalue", PA_OPERANDS(descriptor, value),
                  PA_RESULTS(pa_type_or_none(lower, descriptor)),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(lower->context, depth, position)}));
}

// The memref of bytes at a pointer, made as the conversion to llvm would.
MlirValue pa_bytes_at(pa_lowering *lower, MlirValue data, MlirValue bytes) {
  MlirType descriptor =
      mlirTypeParseGet(lower->context, pa_ref("!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"));
  MlirValue fields[] = {data, data, pa_int(lower, lower->i64, 0), bytes, pa_int(lower, lower->i64, 1)};
  static const int64_t positions[][2] = {{0}, {1}, {2}, {3, 0}, {4, 0}};
  MlirValue value = pa_value(&lower->builder, "llvm.mlir.poison", PA_RESULTS(descriptor));
  for (int i = 0; i < 5; ++i) value = insert_field(lower, value, fields[i], positions[i], i < 3 ? 1 : 2);
  return pa_convert(lower, "builtin.unrealized_conversion_cast", value, pa_bytes_type(lower));
}

MlirValue pa_memory_at(pa_lowering *lower, MlirType type, MlirValue address, const MlirValue *sizes,
                       const MlirValue *strides) {
  int rank = (int)pyarrayArrayTypeGetRank(type);
  enum { ALLOCATED, ALIGNED, OFFSET, SIZES, STRIDES };
  const char *text =
      rank
          ? pa_arena_format(lower->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", rank, rank)
          : "!llvm.struct<(ptr, ptr, i64)>";
  MlirValue pointer = pa_pointer_to(lower, address),
            memory = pa_value(&lower->builder, "llvm.mlir.poison",
                              PA_RESULTS(mlirTypeParseGet(lower->context, pa_ref(text))));
  memory = insert_field(lower, memory, pointer, (int64_t[]){ALLOCATED}, 1);
  memory = insert_field(lower, memory, pointer, (int64_t[]){ALIGNED}, 1);
  memory = insert_field(lower, memory, pa_int(lower, lower->i64, 0), (int64_t[]){OFFSET}, 1);
  for (int axis = 0; axis < rank; ++axis) {
    memory = insert_field(lower, memory, sizes[axis], (int64_t[]){SIZES, axis}, 2);
    memory = insert_field(lower, memory, strides[axis], (int64_t[]){STRIDES, axis}, 2);
  }
  return pa_convert(lower, "builtin.unrealized_conversion_cast", memory, pa_lower_array_type(lower, type));
}
