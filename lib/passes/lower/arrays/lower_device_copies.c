// Of pyarray-lower: arrays on a GPU in the host's code (pyarray-offload).
//
//   %x = pyarray.getitem %a[%i]                                    with %a on the device
// becomes
//   call @pyarray_rt_device_read(address of the element, address of %slot, %c8); %x = memref.load %slot[]
//   %e = call @pyarray_rt_device_failure(); raises where %e is not 0
//
//   %h = pyarray.builtin "pyarray.library._intrinsics.to_host"(%a)
// becomes memory of the host and a call of pyarray_rt_device_copy.
#include "lower_arrays.h"
#include "runtime/cuda/device_arrays.h"

enum { TO_HOST, TO_DEVICE };

void pa_raise_device_failure(pa_lowering *lower) {
  pa_raise_of_interpreter(lower, pa_call_runtime(lower, "pyarray_rt_device_failure", NULL, 0));
}

static const int32_t on_device[] = {
    [PA_UNINITIALISED] = PA_DEVICE_ANYTHING, [PA_ZEROED] = PA_DEVICE_ZEROED, [PA_NUMBER] = PA_DEVICE_NUMBER};

MlirValue pa_allocate_on_device(pa_lowering *lower, MlirValue bytes, pa_contents contents, MlirValue *out_owner) {
  *out_owner = pa_runtime(lower, "pyarray_rt_device_allocate", bytes, pa_int(lower, lower->i32, on_device[contents]));
  pa_raise_device_failure(lower);
  return pa_runtime(lower, "pyarray_rt_device_address", *out_owner);
}

static MlirValue address_of_memref(pa_lowering *lower, MlirValue memref) {
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", memref, lower->index));
}

//===-- Elements ----------------------------------------------------------------------------------===//

static void move_element(pa_lowering *lower, const char *function, const pa_array *array, const MlirValue *indices,
                         const pa_array *slot) {
  MlirValue positions[PA_MAX_RANK];
  for (int axis = 0; axis < array->rank; ++axis) positions[axis] = pa_to_i64(lower, indices[axis]);
  MlirValue address = pa_convert(lower, "llvm.ptrtoint", pa_element_address(lower, array, positions), lower->i64);
  pa_runtime(lower, function, address, address_of_memref(lower, slot->memref),
             pa_int(lower, lower->i64, pa_scalar_bytes(array->element)));
  pa_raise_device_failure(lower);
}

static pa_array stack_element(pa_lowering *lower, const pa_array *array) {
  return (pa_array){.element = array->element,
                    .memref = pa_stack_slot(lower, pa_element_memory(lower, array->element), false)};
}

MlirValue pa_read_element(pa_lowering *lower, const pa_array *array, const MlirValue *indices) {
  if (!lower->offload) return pa_load(lower, array, indices);
  pa_array slot = stack_element(lower, array);
  move_element(lower, "pyarray_rt_device_read", array, indices, &slot);
  return pa_load(lower, &slot, indices);
}

void pa_write_element(pa_lowering *lower, const pa_array *array, const MlirValue *indices, MlirValue value) {
  if (!lower->offload) {
    pa_store(lower, array, indices, value);
    return;
  }
  pa_array slot = stack_element(lower, array);
  pa_store(lower, &slot, indices, value);
  move_element(lower, "pyarray_rt_device_write", array, indices, &slot);
}

//===-- Arrays ------------------------------------------------------------------------------------===//

// Addresses and strides are in bytes from the first element on.
static MlirValue first_byte(pa_lowering *lower, const pa_array *array, MlirOperation parts) {
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(array->element));
  MlirValue offset = pa_binary(lower, "arith.muli", pa_to_i64(lower, mlirOperationGetResult(parts, 1)), bytes);
  return pa_binary(lower, "arith.addi", address_of_memref(lower, array->memref), offset);
}

// |made|: the owner of a target that nobody has yet, which goes where the copy fails; or null.
static void copy(pa_lowering *lower, const pa_array *target, const pa_array *source, int direction, MlirValue made) {
  int rank = target->rank;
  MlirOperation to = pa_strided_metadata(lower, target), from = pa_strided_metadata(lower, source);
  if (mlirOperationIsNull(to) || mlirOperationIsNull(from)) return;
  MlirValue numbers = pa_stack_numbers(lower, 3 * rank + 1);
  for (int i = 0; i < 3 * rank; ++i) {
    MlirValue number = i < 2 * rank ? mlirOperationGetResult(to, 2 + i) : mlirOperationGetResult(from, 2 + i - rank);
    pa_op(&lower->builder, "memref.store",
          PA_OPERANDS(pa_to_i64(lower, number), numbers, pa_int(lower, lower->index, i)));
  }
  pa_runtime(lower, "pyarray_rt_device_copy", pa_int(lower, lower->i32, direction), pa_int(lower, lower->i64, rank),
             pa_int(lower, lower->i64, pa_scalar_bytes(target->element)), address_of_memref(lower, numbers),
             first_byte(lower, target, to), first_byte(lower, source, from));
  MlirValue failure = pa_call_runtime(lower, "pyarray_rt_device_failure", NULL, 0);
  if (!mlirValueIsNull(made)) {
    MlirValue failed = pa_compare_int(lower, PA_NE, failure, pa_int(lower, lower->i64, 0));
    pa_scope scope = pa_if_begin(lower);
    pa_runtime(lower, "pyarray_rt_release", made);
    pa_if_end(lower, scope, failed);
  }
  pa_raise_of_interpreter(lower, failure);
}

static MlirType contiguous_type(pa_lowering *lower, MlirType type) {
  if (pyarrayArrayTypeGetLayout(type) != PYARRAY_LAYOUT_A) return type;
  return pa_array_type(lower->context, pyarrayArrayTypeGetRank(type), pyarrayArrayTypeGetElement(type),
                       PYARRAY_LAYOUT_C, false);
}

static void move_array(pa_lowering *lower, const pa_builtin_call *call, int direction) {
  MlirValue extents[PA_MAX_RANK];
  MlirType type = mlirValueGetType(pa_result(call->op)), contiguous = contiguous_type(lower, type);
  pa_array source = pa_array_of(lower, pa_operand(call->op, 0));
  for (int axis = 0; axis < source.rank; ++axis) extents[axis] = pa_extent(lower, &source, axis);
  pa_array made = direction == TO_HOST ? pa_new_host_array(lower, contiguous, extents)
                                       : pa_new_array(lower, contiguous, extents, PA_UNINITIALISED);
  copy(lower, &made, &source, direction, made.owner);
  MlirValue view = pa_cast_memref(lower, made.memref, pa_lower_array_type(lower, type));
  pa_set(lower, pa_result(call->op), (MlirValue[]){view, made.owner}, 2);
}

static void lower_to_host(pa_lowering *lower, const pa_builtin_call *call) { move_array(lower, call, TO_HOST); }
static void lower_to_device(pa_lowering *lower, const pa_builtin_call *call) { move_array(lower, call, TO_DEVICE); }

static void lower_copy_back(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array target = pa_array_of(lower, pa_operand(call->op, 0)), source = pa_array_of(lower, pa_operand(call->op, 1));
  copy(lower, &target, &source, TO_DEVICE, (MlirValue){NULL});
  pa_finish_none(lower, call);
}

static void lower_on_device(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_int(lower, lower->i1, lower->offload));
}

const pa_builtin_rule_row pa_device_copy_rules[] = {{PA_LOWERING_TO_HOST, lower_to_host},
                                                    {PA_LOWERING_TO_DEVICE, lower_to_device},
                                                    {PA_LOWERING_COPY_BACK, lower_copy_back},
                                                    {PA_LOWERING_ON_DEVICE, lower_on_device},
                                                    {0, NULL}};
