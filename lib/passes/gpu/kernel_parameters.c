// Of pyarray-outline-kernel: slots of 8 bytes in the place of parameters, of which memrefs, complex numbers and scalars
// are made again (docs/internals-cuda.md).
#include "outline_kernel.h"

MlirValue pa_kernel_slot(pa_kernel_parameters *p, MlirType type) {
  return mlirBlockInsertArgument(p->block, p->count++, type, p->builder.location);
}

static void note_extent(pa_kernel_parameters *p, intptr_t slot) {
  p->extents = pa_arena_grow(p->o->arena, p->extents, p->extent_count, &p->extent_capacity, sizeof *p->extents);
  p->extents[p->extent_count++] = (int32_t)slot;
}

MlirValue pa_kernel_constant(pa_kernel_parameters *p, int64_t value) {
  return pa_llvm_constant(&p->builder, p->o->i64, value);
}

static MlirValue insert(pa_kernel_parameters *p, MlirValue descriptor, MlirValue value, int64_t first, int64_t second) {
  int64_t position[] = {first, second};
  return pa_value(&p->builder, "llvm.insertvalue", PA_OPERANDS(descriptor, value),
                  PA_RESULTS(mlirValueGetType(descriptor)),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(p->o->context, second < 0 ? 1 : 2, position)}));
}

// The memref at a pointer, made as the conversion to llvm would. Extents and strides that its type says are constants,
// but have their slots nevertheless.
MlirValue pa_kernel_memref(pa_kernel_parameters *p, MlirType type) {
  pa_outliner *o = p->o;
  int64_t rank = mlirShapedTypeGetRank(type), offset, strides[64];
  const char *text = "!llvm.struct<(ptr, ptr, i64)>";
  if (rank)
    text = pa_arena_format(o->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", (int)rank,
                           (int)rank);
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  MlirType descriptor = mlirTypeParseGet(o->context, pa_ref(text));
  MlirValue data = pa_kernel_slot(p, o->ptr), value = pa_value(&p->builder, "llvm.mlir.poison", PA_RESULTS(descriptor));
  for (int i = 0; i < 2 && !pa_failed(&p->builder); ++i) value = insert(p, value, data, i, -1);
  if (!pa_failed(&p->builder)) value = insert(p, value, pa_kernel_constant(p, 0), 2, -1);
  for (int64_t i = 0; i < 2 * rank && !pa_failed(&p->builder); ++i) {
    int64_t known = i < rank ? mlirShapedTypeGetDimSize(type, i) : strides[i - rank];
    bool dynamic = (p->numbers && i >= rank) ||
                   known == (i < rank ? mlirShapedTypeGetDynamicSize() : mlirShapedTypeGetDynamicStrideOrOffset());
    if (i < rank) note_extent(p, p->count);
    MlirValue slot = pa_kernel_slot(p, o->i64);
    value = insert(p, value, dynamic ? slot : pa_kernel_constant(p, known), i < rank ? 3 : 4, i % rank);
  }
  if (pa_failed(&p->builder)) return value;
  return pa_value(&p->builder, "builtin.unrealized_conversion_cast", PA_OPERANDS(value), PA_RESULTS(type));
}

// The low bits of |slot| as a number.
static MlirValue from_slot(pa_kernel_parameters *p, MlirValue slot, MlirType type) {
  pa_outliner *o = p->o;
  if (mlirTypeEqual(type, o->i64)) return slot;
  if (mlirTypeEqual(type, o->ptr)) return pa_value(&p->builder, "llvm.inttoptr", PA_OPERANDS(slot), PA_RESULTS(type));
  if (mlirTypeIsAInteger(type)) return pa_value(&p->builder, "arith.trunci", PA_OPERANDS(slot), PA_RESULTS(type));
  MlirValue bits = slot;
  unsigned width = mlirFloatTypeGetWidth(type);
  if (width < 64)
    bits = pa_value(&p->builder, "arith.trunci", PA_OPERANDS(slot), PA_RESULTS(mlirIntegerTypeGet(o->context, width)));
  return pa_value(&p->builder, "arith.bitcast", PA_OPERANDS(bits), PA_RESULTS(type));
}

static MlirValue take_complex(pa_kernel_parameters *p, MlirType type) {
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirValue slot = pa_kernel_slot(p, p->o->i64), real = from_slot(p, slot, part), imag;
  if (mlirTypeIsAF32(part)) {
    MlirValue shift = pa_constant_int(&p->builder, p->o->i64, 32);
    imag = from_slot(p, pa_value(&p->builder, "arith.shrui", PA_OPERANDS(slot, shift), PA_RESULTS(p->o->i64)), part);
  } else {
    imag = from_slot(p, pa_kernel_slot(p, p->o->i64), part);
  }
  return pa_value(&p->builder, "complex.create", PA_OPERANDS(real, imag), PA_RESULTS(type));
}

pa_status pa_make_kernel_parameters(pa_kernel_parameters *p) {
  intptr_t old = mlirBlockGetNumArguments(p->block);
  MlirValue *arguments = PA_NEW_ARRAY(p->o->arena, MlirValue, old + 1),
            *made = PA_NEW_ARRAY(p->o->arena, MlirValue, old + 1);
  for (intptr_t i = 0; i < old; ++i) arguments[i] = mlirBlockGetArgument(p->block, i);
  for (intptr_t i = 0; i < old; ++i) {
    MlirType type = mlirValueGetType(arguments[i]);
    if (mlirTypeIsAMemRef(type)) {
      made[i] = pa_kernel_memref(p, type);
      if (++i < old) made[i] = pa_kernel_constant(p, 0); // its owner
    } else if (mlirTypeIsAComplex(type)) {
      made[i] = take_complex(p, type);
    } else {
      made[i] = from_slot(p, pa_kernel_slot(p, p->o->i64), type);
    }
    PA_TRY(p->builder.failure);
  }
  for (intptr_t i = 0; i < old; ++i) mlirValueReplaceAllUsesOfWith(arguments[i], made[i]);
  for (intptr_t i = old; i-- > 0;) mlirBlockEraseArgument(p->block, (unsigned)(p->count + i));
  return PA_OK;
}
