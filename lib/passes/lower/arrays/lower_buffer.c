// Of pyarray-lower: the memory of bytes and bytearrays as arrays, and of arrays as bytes.
//
//   %a = pyarray.builtin "pyarray.library._intrinsics.exported"(%b) : (!pyarray.bytearray) -> !pyarray.array<?xui8, C>
// becomes
//   %owner = func.call @pyarray_rt_bytearray_export(%b)       the bytes do not move as long as that is held
//   %a = memref.view of the bytes, %owner
#include "lower_arrays.h"
#include "lower_items.h"
#include "runtime/base/objects.h"

enum { LENGTH = 0, LIST_ITEMS = 2 }; // words at the handle (lib/runtime/base/objects.h)

static void finish_array(pa_lowering *lower, const pa_builtin_call *call, const pa_array *array) {
  pa_set(lower, pa_result(call->op), (MlirValue[]){array->memref, array->owner}, 2);
}

static MlirValue zero(pa_lowering *lower) { return pa_int(lower, lower->i64, 0); }

static bool is_array_of_bytes(MlirType type) {
  return pyarrayArrayTypeGetRank(type) == 1 && pa_scalar_of(pyarrayArrayTypeGetElement(type)) == PA_U8;
}

static void lower_export(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op)), from = mlirValueGetType(pa_operand(call->op, 0));
  bool bytes = pyarrayTypeIsBytes(from);
  if ((!bytes && !pyarrayTypeIsBytearray(from)) || !is_array_of_bytes(type)) {
    pa_lower_fail(lower, "%s makes an array of bytes of bytes or a bytearray", call->row->name);
    return;
  }
  MlirValue handle = pa_argument(lower, call, 0), header = pa_pointer_to(lower, handle), owner = handle, address;
  if (bytes) {
    pa_runtime(lower, "pyarray_rt_retain", handle);
    address = pa_binary(lower, "arith.addi", handle, pa_int(lower, lower->i64, sizeof(pa_str)));
  } else {
    owner = pa_checked_handle(lower, pa_runtime(lower, "pyarray_rt_bytearray_export", handle));
    address = pa_load_word(lower, header, LIST_ITEMS, lower->i64);
  }
  MlirValue length = pa_load_word(lower, header, LENGTH, lower->i64);
  pa_array array = pa_array_at(lower, type, pa_pointer_to(lower, address), &length, owner);
  finish_array(lower, call, &array);
}

// Where the first item lies, as if there were one along each axis.
static MlirValue first_address(pa_lowering *lower, const pa_array *array) {
  MlirValue ones[PA_MAX_RANK], low, high;
  for (int i = 0; i < array->rank; ++i) ones[i] = pa_int(lower, lower->i64, 1);
  pa_address_range(lower, array, ones, &low, &high);
  return low;
}

static void lower_bytes_of_array(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  if (pa_failed(&lower->builder)) return;
  if (pyarrayArrayTypeGetLayout(array.type) != PYARRAY_LAYOUT_C ||
      !pyarrayTypeIsBytes(mlirValueGetType(pa_result(call->op)))) {
    pa_lower_fail(lower, "%s makes bytes of an array in C order", call->row->name);
    return;
  }
  MlirValue length = pa_int(lower, lower->i64, pa_scalar_bytes(array.element));
  for (int axis = 0; axis < array.rank; ++axis)
    length = pa_binary(lower, "arith.muli", length, pa_extent(lower, &array, axis));
  pa_finish(
      lower, call,
      pa_checked_handle(lower, pa_runtime(lower, "pyarray_rt_bytes_of_memory", first_address(lower, &array), length)));
}

// The array's memory lies in one piece, which has room for the items.
static void lower_reinterpret(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op));
  bool fits = pyarrayTypeIsArray(mlirValueGetType(pa_operand(call->op, 0))) && pyarrayArrayTypeGetRank(type) == 1 &&
              pa_scalar_of_value(pa_operand(call->op, 1)) == PA_I64;
  if (!fits) {
    pa_lower_fail(lower, "%s takes an array and a number, and gives an array of one dimension", call->row->name);
    return;
  }
  pa_array source = pa_array_of(lower, pa_operand(call->op, 0));
  if (pa_failed(&lower->builder)) return;
  MlirValue count = pa_argument(lower, call, 1), address = first_address(lower, &source);
  int64_t size = pa_scalar_bytes(pa_scalar_of(pyarrayArrayTypeGetElement(type)));
  MlirValue rest = pa_binary(lower, "arith.remui", address, pa_int(lower, lower->i64, size));
  pa_raise_if(lower, pa_compare_int(lower, PA_NE, rest, zero(lower)), "ValueError",
              "the memory is not aligned for items of that size");
  pa_runtime(lower, "pyarray_rt_retain", source.owner);
  pa_array array = pa_array_at(lower, type, pa_pointer_to(lower, address), &count, source.owner);
  finish_array(lower, call, &array);
}

const pa_builtin_rule_row pa_buffer_rules[] = {
    {PA_LOWERING_BYTES_OF_ARRAY, lower_bytes_of_array},
    {PA_LOWERING_EXPORT, lower_export},
    {PA_LOWERING_REINTERPRET, lower_reinterpret},
    {0, NULL},
};
