// Of pyarray-lower: fields of records, whose memory is an array of bytes.
//
//   %x = pyarray.builtin "pyarray.record_load"(%r, %8, %8) : (!pyarray.array<16xui8, C>, si64, si64) -> f64
// becomes
//   %d = builtin.unrealized_conversion_cast %r : memref<16xi8, ...> to !llvm.struct<(ptr, ptr, i64, ...)>
//   %p = llvm.getelementptr (its pointer) [its offset + 8]; %x = llvm.load %p {alignment = 8}
#include "lower_arrays.h"
#include "lower_items.h"
#include "lower_objects.h"

//===-- Memory ------------------------------------------------------------------------------------===//

static MlirType descriptor_type(pa_lowering *lower, int rank) {
  const char *text =
      rank
          ? pa_arena_format(lower->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", rank, rank)
          : "!llvm.struct<(ptr, ptr, i64)>";
  return mlirTypeParseGet(lower->context, pa_ref(text));
}

static MlirType pointer_type(pa_lowering *lower) { return mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr")); }

// ORDER DESCRIPTOR: fields of what a memref becomes. |axis| < 0: the field is no array.
enum { ALLOCATED, ALIGNED, OFFSET, SIZES, STRIDES };

static MlirValue extract(pa_lowering *lower, MlirValue descriptor, MlirType type, int64_t which, int64_t axis) {
  int64_t position[] = {which, axis};
  return pa_value(&lower->builder, "llvm.extractvalue", PA_OPERANDS(descriptor), PA_RESULTS(type),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(lower->context, axis < 0 ? 1 : 2, position)}));
}

static MlirValue insert(pa_lowering *lower, MlirValue descriptor, MlirValue value, int64_t which, int64_t axis) {
  int64_t position[] = {which, axis};
  return pa_value(&lower->builder, "llvm.insertvalue", PA_OPERANDS(descriptor, value),
                  PA_RESULTS(pa_type_or_none(lower, descriptor)),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(lower->context, axis < 0 ? 1 : 2, position)}));
}

static MlirValue descriptor_of(pa_lowering *lower, const pa_array *array) {
  return pa_convert(lower, "builtin.unrealized_conversion_cast", array->memref, descriptor_type(lower, array->rank));
}

// The pointer |bytes| behind the first byte.
static MlirValue pointer_at(pa_lowering *lower, MlirValue descriptor, int64_t bytes) {
  MlirValue base = extract(lower, descriptor, pointer_type(lower), ALIGNED, -1),
            offset = extract(lower, descriptor, lower->i64, OFFSET, -1);
  return pa_byte_offset(lower, base, pa_binary(lower, "arith.addi", offset, pa_int(lower, lower->i64, bytes)));
}

MlirValue pa_record_pointer(pa_lowering *lower, const pa_array *record, int64_t bytes) {
  return pointer_at(lower, descriptor_of(lower, record), bytes);
}

// Operand |i| of a builtin: a record. False after a failure.
bool pa_record_operand(pa_lowering *lower, const pa_builtin_call *call, int i, pa_array *out_record) {
  MlirType type = i < call->count ? mlirValueGetType(pa_operand(call->op, i)) : (MlirType){NULL};
  if (mlirTypeIsNull(type) || !pyarrayTypeIsArray(type) || pyarrayArrayTypeGetRank(type) != 1 ||
      pa_scalar_of(pyarrayArrayTypeGetElement(type)) != PA_U8 || pyarrayArrayTypeGetExtent(type, 0) < 0) {
    pa_lower_fail(lower, "%s takes an array of bytes of known extent", call->row->name);
    return false;
  }
  *out_record = pa_array_of(lower, pa_operand(call->op, i));
  return !pa_failed(&lower->builder);
}

static int64_t size_of(const pa_array *record) { return pyarrayArrayTypeGetExtent(record->type, 0); }

//===-- Numbers -----------------------------------------------------------------------------------===//

// Where a number of |element| lies: operand 0 is the record, 1 and 2 are offset and alignment. False after a failure.
static bool number_place(pa_lowering *lower, const pa_builtin_call *call, pa_scalar element, MlirValue *out_pointer,
                         int64_t *out_alignment) {
  pa_array record;
  int64_t offset;
  if (!pa_record_operand(lower, call, 0, &record)) return false;
  bool known = call->count >= 3 && pa_known_int(lower, pa_operand(call->op, 1), &offset) &&
               pa_known_int(lower, pa_operand(call->op, 2), out_alignment);
  if (!known || element == PA_NOT_SCALAR || offset < 0 || offset > size_of(&record) - pa_scalar_bytes(element) ||
      *out_alignment < 1 || *out_alignment > 16 || (*out_alignment & (*out_alignment - 1))) {
    pa_lower_fail(lower, "%s of what does not lie in the record", call->row->name);
    return false;
  }
  *out_pointer = pointer_at(lower, descriptor_of(lower, &record), offset);
  return !pa_failed(&lower->builder);
}

static void lower_record_load(pa_lowering *lower, const pa_builtin_call *call) {
  pa_scalar element = pa_scalar_of_value(pa_result(call->op));
  MlirValue pointer;
  int64_t alignment;
  if (number_place(lower, call, element, &pointer, &alignment))
    pa_finish(lower, call, pa_load_number(lower, pointer, element, alignment));
}

static void lower_record_store(pa_lowering *lower, const pa_builtin_call *call) {
  pa_scalar element = call->count == 4 ? pa_scalar_of_value(pa_operand(call->op, 3)) : PA_NOT_SCALAR;
  MlirValue pointer;
  int64_t alignment;
  if (!number_place(lower, call, element, &pointer, &alignment)) return;
  pa_store_number(lower, pointer, element, alignment, pa_argument(lower, call, 3));
  pa_finish_none(lower, call);
}

//===-- Records and text --------------------------------------------------------------------------===//

// They may overlap.
static void lower_record_copy(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array target, source;
  if (!pa_record_operand(lower, call, 0, &target) || !pa_record_operand(lower, call, 1, &source)) return;
  if (size_of(&target) != size_of(&source)) {
    pa_lower_fail(lower, "%s of records that differ in size", call->row->name);
    return;
  }
  MlirValue to = pointer_at(lower, descriptor_of(lower, &target), 0),
            from = pointer_at(lower, descriptor_of(lower, &source), 0);
  pa_op(&lower->builder, "llvm.intr.memmove", PA_OPERANDS(to, from, pa_int(lower, lower->i64, size_of(&target))),
        PA_ATTRS({"isVolatile", mlirBoolAttrGet(lower->context, false)}));
  pa_finish_none(lower, call);
}

// Whether text can be read or stored there; a code point of str takes four bytes, one of bytes one.
static bool text_place(pa_lowering *lower, const pa_builtin_call *call, MlirType type, MlirValue *out_address,
                       int64_t *out_count) {
  pa_array record;
  if (!pa_record_operand(lower, call, 0, &record)) return false;
  if (!pa_is_text(type) || lower->device) {
    pa_lower_fail(lower, lower->device ? "text in records is not compiled for a GPU" : "%s is of str and bytes",
                  call->row->name);
    return false;
  }
  *out_count = size_of(&record) / (pyarrayTypeIsStr(type) ? 4 : 1);
  *out_address = pa_address_at(lower, pointer_at(lower, descriptor_of(lower, &record), 0));
  return !pa_failed(&lower->builder);
}

static void lower_record_text(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op));
  MlirValue address;
  int64_t count;
  if (!text_place(lower, call, type, &address, &count)) return;
  MlirValue handle =
      pa_runtime(lower, pyarrayTypeIsStr(type) ? "pyarray_rt_str_from_field" : "pyarray_rt_bytes_from_field", address,
                 pa_int(lower, lower->i64, count));
  pa_finish(lower, call, pa_checked_handle(lower, handle));
}

static void lower_record_set_text(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = call->count == 2 ? mlirValueGetType(pa_operand(call->op, 1)) : lower->i64;
  MlirValue address;
  int64_t count;
  if (!text_place(lower, call, type, &address, &count)) return;
  pa_runtime(lower, "pyarray_rt_text_to_field", pa_argument(lower, call, 1), address, pa_int(lower, lower->i64, count));
  pa_finish_none(lower, call);
}

const pa_builtin_rule_row pa_record_rules[] = {
    {PA_LOWERING_RECORD_LOAD, lower_record_load},         {PA_LOWERING_RECORD_STORE, lower_record_store},
    {PA_LOWERING_RECORD_COPY, lower_record_copy},         {PA_LOWERING_RECORD_TEXT, lower_record_text},
    {PA_LOWERING_RECORD_SET_TEXT, lower_record_set_text}, {0, NULL},
};

//===-- Views -------------------------------------------------------------------------------------===//

// A field's axes: those of the records, those of a sub-array, and the bytes of an item that is no number. Strides of
// records, in bytes, are multiples of the size of such numbers.
void pa_lower_field(pa_lowering *lower, MlirOperation op) {
  pa_array record = pa_array_of(lower, pa_operand(op, 0));
  MlirType type = mlirValueGetType(pa_result(op));
  MlirAttribute extents = pa_get_attr(op, "extents");
  int lead = record.rank - 1, own = mlirAttributeIsNull(extents) ? 0 : (int)mlirDenseArrayGetNumElements(extents),
      rank = (int)pyarrayArrayTypeGetRank(type);
  pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(type));
  if (pa_failed(&lower->builder) || rank > PA_MAX_RANK || element == PA_NOT_SCALAR) {
    pa_lower_fail(lower, "a field of type %s cannot be lowered", pa_type_text(lower->arena, type));
    return;
  }
  int64_t item = rank > lead + own ? pyarrayArrayTypeGetExtent(type, rank - 1) : 1, step = item,
          bytes = pa_scalar_bytes(element);
  MlirValue source = descriptor_of(lower, &record),
            pointer = pointer_at(lower, source, mlirIntegerAttrGetValueInt(pa_get_attr(op, "offset")));
  MlirValue view = pa_value(&lower->builder, "llvm.mlir.poison", PA_RESULTS(descriptor_type(lower, rank)));
  view = insert(lower, insert(lower, view, pointer, ALLOCATED, -1), pointer, ALIGNED, -1);
  view = insert(lower, view, pa_int(lower, lower->i64, 0), OFFSET, -1);
  for (int axis = 0; axis < lead; ++axis) {
    MlirValue stride = extract(lower, source, lower->i64, STRIDES, axis);
    int shift = __builtin_ctzll((unsigned long long)bytes);
    if (shift) stride = pa_binary(lower, "arith.shrsi", stride, pa_int(lower, lower->i64, shift));
    view = insert(lower, view, extract(lower, source, lower->i64, SIZES, axis), SIZES, axis);
    view = insert(lower, view, stride, STRIDES, axis);
  }
  if (rank > lead + own) {
    view = insert(lower, view, pa_int(lower, lower->i64, item), SIZES, rank - 1);
    view = insert(lower, view, pa_int(lower, lower->i64, 1), STRIDES, rank - 1);
  }
  for (int axis = own - 1; axis >= 0; --axis) {
    int64_t extent = mlirDenseI64ArrayGetElement(extents, axis);
    view = insert(lower, view, pa_int(lower, lower->i64, extent), SIZES, lead + axis);
    view = insert(lower, view, pa_int(lower, lower->i64, step), STRIDES, lead + axis);
    step *= extent;
  }
  MlirValue memref = pa_convert(lower, "builtin.unrealized_conversion_cast", view, pa_lower_array_type(lower, type));
  pa_set(lower, pa_result(op), (MlirValue[]){memref, record.owner}, 2);
}
