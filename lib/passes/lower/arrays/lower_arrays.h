// Arrays: their elements, views, memory and shapes.
#ifndef PYARRAY_LIB_PASSES_LOWER_ARRAYS_H
#define PYARRAY_LIB_PASSES_LOWER_ARRAYS_H

#include "lower_internal.h"

// lower_array.c
void pa_lower_item(pa_lowering *lower, const pa_builtin_call *call); // a.item(), of an array of one element
// A pointer that LLVM can follow back to the array, which an integer is not (lower_device.c).
MlirValue pa_element_address(pa_lowering *lower, const pa_array *array, const MlirValue *positions);
pa_array pa_array_of(pa_lowering *lower, MlirValue value);
MlirValue pa_extent(pa_lowering *lower, const pa_array *array, int axis);               // i64
MlirValue pa_load(pa_lowering *lower, const pa_array *array, const MlirValue *indices); // index type
void pa_store(pa_lowering *lower, const pa_array *array, const MlirValue *indices, MlirValue value);
// The same of an array that may be on a GPU, where the host's code takes one element, and waits for it.
MlirValue pa_read_element(pa_lowering *lower, const pa_array *array, const MlirValue *indices);
void pa_write_element(pa_lowering *lower, const pa_array *array, const MlirValue *indices, MlirValue value);
void pa_lower_array_attribute(pa_lowering *lower, MlirOperation op, MlirStringRef name);
void pa_lower_frozen_array(pa_lowering *lower, MlirOperation op);
MlirValue pa_stride_of(pa_lowering *lower, const pa_array *array, int axis); // index type, in elements

// lower_subscript.c
// The position (i64) that the level-3 index means on |axis|; raises where it is out of bounds and checks are on.
MlirValue pa_position(pa_lowering *lower, const pa_array *array, int axis, MlirValue index);
// Item |index| (i64, within bounds) of the first axis: an element, or a view of the level-3 type |item|.
void pa_first_axis_item(pa_lowering *lower, const pa_array *array, MlirValue index, MlirType item,
                        MlirValue *out_values);
// |array|[0, ..., 0]: without the first |count| axes; layout A.
pa_array pa_without_first_axes(pa_lowering *lower, const pa_array *array, int count);
// The memref of |count| items of the first axis, from |low| on (i64), of the same type.
MlirValue pa_rows_view(pa_lowering *lower, const pa_array *array, MlirValue low, MlirValue count);
// The view (a memref) of level-3 type |type| that keeps the last axes where the first |count| axes are at |positions|
// (i64). Where |type| has more axes than are left, the last ones at a position are kept with extent 1.
MlirValue pa_core_view(pa_lowering *lower, const pa_array *array, const MlirValue *positions, int count, MlirType type);
// Of arrays.
void pa_lower_array_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_array_setitem(pa_lowering *lower, MlirOperation op);
void pa_lower_slice(pa_lowering *lower, MlirOperation op);
// Where a slice begins and how many elements it takes, as PySlice_AdjustIndices computes it. All i64.
typedef struct pa_slice_extent {
  MlirValue start, count, step;
  bool unit; // the step is known to be 1
} pa_slice_extent;
pa_slice_extent pa_resolve_slice(pa_lowering *lower, MlirValue slice, MlirValue extent);

// lower_memory.c
// A number: of an array on a device that kernels write and only the host reads (device_arrays.h).
typedef enum pa_contents { PA_UNINITIALISED, PA_ZEROED, PA_NUMBER } pa_contents;
// A new array of the level-3 type with those extents (i64), which raises where memory is short.
pa_array pa_new_array(pa_lowering *lower, MlirType type, const MlirValue *extents, pa_contents contents);
// The memory at a pointer as a contiguous array; raises for negative extents.
pa_array pa_array_at(pa_lowering *lower, MlirType type, MlirValue pointer, const MlirValue *extents, MlirValue owner);
// memref.extract_strided_metadata: base, offset, sizes, strides (index type). Null after a failure.
MlirOperation pa_strided_metadata(pa_lowering *lower, const pa_array *array);
// The addresses (i64) between which the elements of an array lie that is not empty.
void pa_address_range(pa_lowering *lower, const pa_array *array, const MlirValue *extents, MlirValue *out_low,
                      MlirValue *out_high);
void pa_fill(pa_lowering *lower, const pa_array *array, MlirValue value); // of the element's type
// Elements of one shape and type, one by one.
void pa_copy_elements(pa_lowering *lower, const pa_array *target, const pa_array *source);
// The same to an array that shares no memory with them: a call.
void pa_copy_apart(pa_lowering *lower, const pa_array *target, const pa_array *source);
// lower_address.c. memref<?xi8>, and one of |bytes| (i64) at a pointer.
MlirType pa_bytes_type(const pa_lowering *lower);
MlirValue pa_bytes_at(pa_lowering *lower, MlirValue data, MlirValue bytes);
// The memory at an address (i64), with extents and strides in elements (i64), as the level-4 type of |type|.
MlirValue pa_memory_at(pa_lowering *lower, MlirType type, MlirValue address, const MlirValue *sizes,
                       const MlirValue *strides);
// Broadcasts |source| into |target|, converting elements; raises where extents do not fit. Overlap is allowed, unless
// |never_overlaps|.
void pa_assign(pa_lowering *lower, const pa_array *target, const pa_array *source, bool never_overlaps);

// |source| as an array in the host's memory, or on the device, of the same type; lower_device_copies.c.
pa_array pa_new_host_array(pa_lowering *lower, MlirType type, const MlirValue *extents);
// The runtime has noted that the device failed: raises what that was.
void pa_raise_device_failure(pa_lowering *lower);
// Memory on the device: its address (i64) and owner.
MlirValue pa_allocate_on_device(pa_lowering *lower, MlirValue bytes, pa_contents contents, MlirValue *out_owner);

// lower_reshape.c
void pa_lower_reshape(pa_lowering *lower, const pa_builtin_call *call);
// The extents that operands 1, 2, ... of |call| give |array|, i64, with what -1 stands for; raises where they do not
// make up its size.
void pa_reshape_extents(pa_lowering *lower, const pa_builtin_call *call, const pa_array *array, MlirValue *out_extents);
// |array|, which is in C order, with these extents: a memref of layout C.
MlirValue pa_view_in_order(pa_lowering *lower, const pa_array *array, MlirType type, const MlirValue *extents,
                           int rank);

// lower_indices.c. Whether the arrays that |op| has as operands, of which the first |inputs| are read and the others
// written point by point, may be so in any order; an output may be an input's own memory unless |apart|.
MlirValue pa_are_independent(pa_lowering *lower, MlirOperation op, intptr_t inputs, bool apart);
// Rows to be computed before the first one of the outputs is stored; 0: none, they are independent.
MlirValue pa_rows_apart(pa_lowering *lower, MlirOperation op, intptr_t inputs);

// lower_views.c
// |array|'s memory with this offset, these sizes and strides (index type); the level-4 type of |type|.
MlirValue pa_view_memory(pa_lowering *lower, const pa_array *array, MlirType type, MlirValue offset,
                         const MlirValue *sizes, const MlirValue *strides);

#endif // PYARRAY_LIB_PASSES_LOWER_ARRAYS_H
