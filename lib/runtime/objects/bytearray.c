// bytearray: laid out as a list of bytes, with an object type of its own.
#include "text.h"

static pa_list *array_of(int64_t handle) { return pa_object_of(handle); }
static int64_t refuse(void) { return pa_record_failure(PA_VALUE_ERROR, "byte must be in range(0, 256)"); }

static void destroy(void *object) { pa_list_type.destroy(object); }

static pa_order compare(const void *a, const void *b) {
  const pa_list *left = a, *right = b;
  int64_t shorter = left->length < right->length ? left->length : right->length;
  int order = shorter ? memcmp(left->items, right->items, (size_t)shorter) : 0;
  if (order) return order < 0 ? PA_LESS : PA_GREATER;
  return left->length == right->length ? PA_EQUAL : left->length < right->length ? PA_LESS : PA_GREATER;
}

static bool equal(const void *a, const void *b) { return compare(a, b) == PA_EQUAL; }

static void repr(const void *object, pa_string *out) {
  const pa_list *list = object;
  pa_str *bytes = pa_str_copy(list->items, 1, list->length, PA_STR_BYTES);
  pa_string_puts(out, "bytearray(");
  if (bytes)
    pa_str_repr(bytes, out);
  else
    pa_string_fail(out);
  pa_string_puts(out, ")");
  pyarray_rt_release(pa_handle_of(bytes));
}

const pa_object_type pa_bytearray_type = {"bytearray", destroy, equal, compare, NULL, repr};

pa_list *pa_bytearray_new(const void *data, int64_t length) {
  pa_list *list = pa_list_new(pa_item_type_get("B"), length);
  if (!list) return NULL;
  pa_owner_of(pa_handle_of(list))->type = &pa_bytearray_type;
  if (length) memcpy(list->items, data, (size_t)length);
  list->length = length;
  return list;
}

int64_t pyarray_rt_bytearray_of(int64_t bytes) {
  const pa_str *from = pa_str_of(bytes);
  pa_list *made = pa_bytearray_new(pa_str_data(from), from->length);
  return made ? pa_handle_of(made) : pa_record_memory_failure();
}

int64_t pyarray_rt_bytearray_bytes(int64_t handle) {
  const pa_list *list = array_of(handle);
  return pa_handle_of(pa_str_copy(list->items, 1, list->length, PA_STR_BYTES));
}

int64_t pyarray_rt_bytearray_item(int64_t handle, int64_t index) { return (uint8_t)array_of(handle)->items[index]; }

int32_t pyarray_rt_bytearray_put(int64_t handle, int64_t index, int64_t code) {
  if (code < 0 || code > 255) return refuse(), 1;
  array_of(handle)->items[index] = (char)code;
  return 0;
}

// Whether its length may change; records the failure where it may not.
static bool can_resize(const pa_list *list) {
  if (!__atomic_load_n(&list->exports, __ATOMIC_ACQUIRE)) return true;
  pa_record_failure(PA_BUFFER_ERROR, "Existing exports of data: object cannot be re-sized");
  return false;
}

int32_t pyarray_rt_bytearray_insert(int64_t handle, int64_t index, int64_t code) {
  uint8_t byte = (uint8_t)code;
  if (code < 0 || code > 255) return refuse(), 1;
  if (!can_resize(array_of(handle))) return 1;
  if (!pyarray_rt_list_insert(handle, index, (int64_t)(uintptr_t)&byte)) return 0;
  return pa_record_memory_failure(), 1;
}

// Replaces |count| bytes from |start| on.
int32_t pyarray_rt_bytearray_splice(int64_t handle, int64_t start, int64_t count, int64_t bytes) {
  pa_list *list = array_of(handle);
  if (pa_str_of(bytes)->length == count) { // nothing moves
    if (count) memmove(list->items + start, pa_str_data(pa_str_of(bytes)), (size_t)count);
    return 0;
  }
  if (!can_resize(list)) return 1;
  int64_t other = pyarray_rt_bytearray_of(bytes);
  if (!other) return 1;
  int32_t failed = pyarray_rt_list_assign_slice(handle, start, count, 1, other);
  pyarray_rt_release(other);
  if (failed) pa_record_memory_failure();
  return failed;
}

// |count| bytes from |start| on go, |step| apart.
int32_t pyarray_rt_bytearray_delete(int64_t handle, int64_t start, int64_t count, int64_t step) {
  if (count <= 0) return 0;
  if (!can_resize(array_of(handle))) return 1;
  if (!pyarray_rt_list_delete_slice(handle, start, count, step)) return 0;
  return pa_record_memory_failure(), 1;
}

//===-- Exports -----------------------------------------------------------------------------------===//

// What owns the memory that a memoryview of a bytearray shows: the bytearray keeps its bytes where they are as long as
// there is one.
typedef struct export {
  int64_t array;
} export;

static void end_export(void *object) {
  int64_t array = ((export *)object)->array;
  __atomic_fetch_sub(&array_of(array)->exports, 1, __ATOMIC_RELEASE);
  pyarray_rt_release(array);
}

static const pa_object_type export_type = {"export", end_export, NULL, NULL, NULL, NULL};

int64_t pyarray_rt_bytearray_export(int64_t handle) {
  export *made = pa_object_new(&export_type, sizeof *made);
  if (!made) return 0;
  pyarray_rt_retain(made->array = handle);
  __atomic_fetch_add(&array_of(handle)->exports, 1, __ATOMIC_RELAXED);
  return pa_handle_of(made);
}

int64_t pa_exported_bytearray(int64_t handle) {
  if (!handle || pa_owner_of(handle)->type != &export_type) return 0;
  return ((export *)pa_object_of(handle))->array;
}

int64_t pyarray_rt_bytes_of_memory(int64_t address, int64_t length) {
  return pa_handle_of(pa_str_copy((const void *)(uintptr_t)address, 1, length, PA_STR_BYTES));
}
