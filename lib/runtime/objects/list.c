// Lists and deques: an array of items of one type that grows at its end, and at its beginning, too. Compiled code reads
// length and items itself, and appends where there is room. What is taken from the beginning leaves room there, which
// is used before more memory is asked for, so that a queue takes constant time for each item.
#include "objects.h"

#include <stdlib.h>
#include <string.h>

static pa_list *list_of(int64_t handle) { return pa_object_of(handle); }
static const void *address(int64_t at) { return (const void *)(uintptr_t)at; }
static size_t bytes_of(const pa_list *list, int64_t count) { return (size_t)count * (size_t)list->type->size; }

//===-- The type ----------------------------------------------------------------------------------===//

static void destroy(void *object) {
  pa_list *list = object;
  pa_items_release(list->type, list->items, list->length);
  free(list->memory);
}

static pa_order compare(const void *a, const void *b) {
  const pa_list *left = a, *right = b;
  int64_t shorter = left->length < right->length ? left->length : right->length;
  for (int64_t i = 0; i < shorter; ++i) {
    pa_order order = pa_item_compare(left->type, pa_list_item(left, i), pa_list_item(right, i));
    if (order != PA_EQUAL) return order;
  }
  return left->length == right->length ? PA_EQUAL : left->length < right->length ? PA_LESS : PA_GREATER;
}

static bool equal(const void *a, const void *b) {
  return ((const pa_list *)a)->length == ((const pa_list *)b)->length && compare(a, b) == PA_EQUAL;
}

static void repr(const void *object, pa_string *out) {
  const pa_list *list = object;
  pa_string_puts(out, "[");
  for (int64_t i = 0; i < list->length; ++i) {
    if (i) pa_string_puts(out, ", ");
    pa_item_repr(list->type, pa_list_item(list, i), out);
  }
  pa_string_puts(out, "]");
}

static void repr_deque(const void *object, pa_string *out) {
  const pa_list *list = object;
  pa_string_puts(out, "deque(");
  repr(object, out);
  if (list->limit != INT64_MAX) pa_string_format(out, ", maxlen=%lld", (long long)list->limit);
  pa_string_puts(out, ")");
}

const pa_object_type pa_list_type = {"list", destroy, equal, compare, NULL, repr};
const pa_object_type pa_deque_type = {"collections.deque", destroy, equal, compare, NULL, repr_deque};

//===-- Memory ------------------------------------------------------------------------------------===//

// The length of a list changes: who goes over a deque hears of it. In a bytearray the word says something else.
static void note_change(pa_list *list) {
  if (pa_type_of(list) == &pa_deque_type) ++list->changes;
}

// Items that there is room for before the first one.
static int64_t room_before(const pa_list *list) {
  return list->type->size ? (list->items - list->memory) / list->type->size : 0;
}

// Memory for |capacity| items, in which the first one lies behind room for |before|.
static bool move(pa_list *list, int64_t before, int64_t capacity) {
  int64_t bytes, all, size = list->type->size ? list->type->size : 1;
  if (__builtin_add_overflow(before, capacity, &all) || __builtin_mul_overflow(all, size, &bytes)) return false;
  bool stays = !before && list->items == list->memory;
  char *memory = stays ? realloc(list->memory, (size_t)bytes) : malloc((size_t)bytes);
  if (!memory) return false;
  char *items = memory + before * list->type->size;
  if (!stays && list->length) memcpy(items, list->items, bytes_of(list, list->length));
  if (!stays) free(list->memory);
  list->memory = memory;
  list->items = items;
  list->capacity = capacity;
  return true;
}

bool pa_list_reserve(pa_list *list, int64_t capacity) { return capacity <= list->capacity || move(list, 0, capacity); }

static bool grow(pa_list *list, int64_t length) {
  if (length <= list->capacity) return true;
  int64_t before = room_before(list);
  if (before > list->length && before + list->capacity >= length) { // so seldom that it costs each item but little
    memmove(list->memory, list->items, bytes_of(list, list->length));
    list->items = list->memory;
    list->capacity += before;
    return true;
  }
  int64_t more = list->capacity + list->capacity / 2 + 4;
  return pa_list_reserve(list, more > length ? more : length);
}

pa_list *pa_list_new(const pa_item_type *type, int64_t capacity) {
  pa_list *list = type ? pa_object_new(&pa_list_type, sizeof *list) : NULL;
  if (!list) return NULL;
  list->type = type;
  list->limit = INT64_MAX;
  if (pa_list_reserve(list, capacity)) return list;
  pyarray_rt_release(pa_handle_of(list));
  return NULL;
}

pa_list *pa_deque_new(const pa_item_type *type, int64_t limit) {
  pa_list *list = pa_list_new(type, 0);
  if (!list) return NULL;
  pa_owner_of(pa_handle_of(list))->type = &pa_deque_type;
  list->limit = limit;
  return list;
}

// A list, or a deque, as |other| is; typed where that is.
static pa_list *new_like(const pa_list *other, int64_t capacity) {
  pa_list *list = pa_list_new(other->type, capacity);
  if (!list) return NULL;
  pa_set_typed(list, pa_is_typed(other));
  pa_owner_of(pa_handle_of(list))->type = pa_type_of(other);
  list->limit = other->limit;
  return list;
}

int64_t pyarray_rt_list_new(int64_t type, int64_t capacity) {
  return pa_handle_of(pa_list_new(address(type), capacity));
}

void pyarray_rt_set_typed(int64_t handle, int32_t typed) { pa_set_typed(pa_object_of(handle), typed); }

int32_t pyarray_rt_list_grow(int64_t handle) {
  pa_list *list = list_of(handle);
  return !grow(list, list->length + 1);
}

// Room for |count| items from |index| on, whose contents are not defined. The length counts them already. At the
// beginning of a deque there is as much room then as it has items.
static bool open_gap(pa_list *list, int64_t index, int64_t count) {
  note_change(list);
  bool at_front = index == 0 && pa_type_of(list) == &pa_deque_type;
  if (at_front && room_before(list) < count && !move(list, list->length + count + 4, list->length + 4)) return false;
  if (index == 0 && room_before(list) >= count) {
    list->items -= bytes_of(list, count);
    list->capacity += count;
    list->length += count;
    return true;
  }
  if (!grow(list, list->length + count)) return false;
  memmove(pa_list_item(list, index + count), pa_list_item(list, index), bytes_of(list, list->length - index));
  list->length += count;
  return true;
}

// Nobody holds the |count| items from |index| on any more.
static void close_gap(pa_list *list, int64_t index, int64_t count) {
  note_change(list);
  int64_t rest = list->length - index - count;
  list->length -= count;
  if (!index) {
    list->items += bytes_of(list, count);
    list->capacity -= count;
    return;
  }
  memmove(pa_list_item(list, index), pa_list_item(list, index + count), bytes_of(list, rest));
}

bool pa_list_append_owned(pa_list *list, const void *item) {
  if (!grow(list, list->length + 1)) return false;
  memcpy(pa_list_item(list, list->length++), item, (size_t)list->type->size);
  return true;
}

bool pa_list_append(pa_list *list, const void *item) {
  bool done = pa_list_append_owned(list, item);
  if (done) pa_items_retain(list->type, item, 1);
  return done;
}

//===-- Items -------------------------------------------------------------------------------------===//

int32_t pyarray_rt_list_insert(int64_t handle, int64_t index, int64_t item) {
  pa_list *list = list_of(handle);
  if (index < 0) index += list->length;
  index = index < 0 ? 0 : index > list->length ? list->length : index;
  if (!open_gap(list, index, 1)) return 1;
  memcpy(pa_list_item(list, index), address(item), (size_t)list->type->size);
  pa_items_retain(list->type, address(item), 1);
  return 0;
}

void pyarray_rt_list_take(int64_t handle, int64_t index, int64_t out) {
  pa_list *list = list_of(handle);
  memcpy((void *)(uintptr_t)out, pa_list_item(list, index), (size_t)list->type->size);
  close_gap(list, index, 1);
}

int64_t pyarray_rt_list_find(int64_t handle, int64_t item, int64_t start, int64_t stop) {
  const pa_list *list = list_of(handle);
  if (start < 0) start = start + list->length < 0 ? 0 : start + list->length;
  if (stop < 0) stop += list->length;
  if (stop > list->length) stop = list->length;
  for (int64_t i = start; i < stop; ++i)
    if (pa_item_equal(list->type, pa_list_item(list, i), address(item))) return i;
  return -1;
}

int64_t pyarray_rt_list_count(int64_t handle, int64_t item) {
  const pa_list *list = list_of(handle);
  int64_t count = 0;
  for (int64_t i = 0; i < list->length; ++i) count += pa_item_equal(list->type, pa_list_item(list, i), address(item));
  return count;
}

//===-- Slices ------------------------------------------------------------------------------------===//

// Appends |count| items of |source| from |start| on, |step| apart. There is room.
static void append_items(pa_list *list, const pa_list *source, int64_t start, int64_t count, int64_t step) {
  size_t size = (size_t)list->type->size;
  if (count <= 0) return;
  note_change(list);
  if (step == 1)
    memcpy(pa_list_item(list, list->length), pa_list_item(source, start), bytes_of(list, count));
  else
    for (int64_t i = 0; i < count; ++i)
      memcpy(pa_list_item(list, list->length + i), pa_list_item(source, start + i * step), size);
  pa_items_retain(list->type, pa_list_item(list, list->length), count);
  list->length += count;
}

// Of a deque that has become too long, the first items go. 1 where memory is short.
static int32_t keep_limit(pa_list *list) {
  int64_t excess = list->length - list->limit;
  return excess > 0 ? pyarray_rt_list_delete_slice(pa_handle_of(list), 0, excess, 1) : 0;
}

int64_t pyarray_rt_list_slice(int64_t handle, int64_t start, int64_t count, int64_t step) {
  const pa_list *source = list_of(handle);
  pa_list *list = new_like(source, count);
  if (list) append_items(list, source, start, count, step);
  return pa_handle_of(list);
}

int32_t pyarray_rt_list_extend(int64_t handle, int64_t other) {
  pa_list *list = list_of(handle);
  const pa_list *source = list_of(other);
  int64_t count = source->length;
  if (!grow(list, list->length + count)) return 1;
  append_items(list, source, 0, count, 1);
  return keep_limit(list);
}

int64_t pyarray_rt_list_concat(int64_t a, int64_t b) {
  const pa_list *left = list_of(a), *right = list_of(b);
  pa_list *list = new_like(left, left->length + right->length);
  if (!list) return 0;
  append_items(list, left, 0, left->length, 1);
  append_items(list, right, 0, right->length, 1);
  if (!keep_limit(list)) return pa_handle_of(list);
  pyarray_rt_release(pa_handle_of(list));
  return 0;
}

// The list becomes |count| times itself.
int32_t pyarray_rt_list_multiply(int64_t handle, int64_t count) {
  pa_list *list = list_of(handle);
  int64_t length = list->length, total;
  if (count <= 0) {
    pyarray_rt_list_clear(handle);
    return 0;
  }
  if (__builtin_mul_overflow(length, count, &total) || !pa_list_reserve(list, total)) return 1;
  for (int64_t i = 1; i < count; ++i) append_items(list, list, 0, length, 1);
  return keep_limit(list);
}

int64_t pyarray_rt_list_repeat(int64_t handle, int64_t count) {
  const pa_list *source = list_of(handle);
  int64_t copy = pyarray_rt_list_slice(handle, 0, count > 0 ? source->length : 0, 1);
  if (!copy || !pyarray_rt_list_multiply(copy, count)) return copy;
  pyarray_rt_release(copy);
  return 0;
}

// Items that leave the list are released when it is whole again: their owners' death may run anything.
static pa_list *take_out(pa_list *list, int64_t start, int64_t count, int64_t step) {
  pa_list *old = pa_list_new(list->type, count);
  if (!old) return NULL;
  for (int64_t i = 0; i < count; ++i)
    memcpy(pa_list_item(old, i), pa_list_item(list, start + i * step), (size_t)list->type->size);
  old->length = count;
  return old;
}

int32_t pyarray_rt_list_delete_slice(int64_t handle, int64_t start, int64_t count, int64_t step) {
  pa_list *list = list_of(handle);
  if (count <= 0) return 0;
  if (step < 0) start += (count - 1) * step, step = -step;
  pa_list *old = list->type->handle_count ? take_out(list, start, count, step) : NULL;
  if (!old && list->type->handle_count) return 1;
  if (step == 1) {
    close_gap(list, start, count);
  } else {
    note_change(list);
    int64_t to = start;
    for (int64_t from = start; from < list->length; ++from) {
      bool goes = (from - start) % step == 0 && (from - start) / step < count;
      if (!goes) memcpy(pa_list_item(list, to++), pa_list_item(list, from), (size_t)list->type->size);
    }
    list->length = to;
  }
  pyarray_rt_release(pa_handle_of(old));
  return 0;
}

// Replaces |count| items by those of |other|; with another step than 1 as many.
int32_t pyarray_rt_list_assign_slice(int64_t handle, int64_t start, int64_t count, int64_t step, int64_t other) {
  pa_list *list = list_of(handle);
  int64_t source_handle = handle == other ? pyarray_rt_list_slice(other, 0, list->length, 1) : other;
  if (!source_handle) return 1;
  if (handle != other) pyarray_rt_retain(other);
  pa_list *source = list_of(source_handle), *old = take_out(list, start, count, step);
  int64_t more = source->length - count;
  bool done = old && (more <= 0 || open_gap(list, start + count, more));
  if (done) {
    if (more < 0) close_gap(list, start + count + more, -more);
    for (int64_t i = 0; i < source->length; ++i)
      memcpy(pa_list_item(list, start + i * step), pa_list_item(source, i), (size_t)list->type->size);
    pa_items_retain(list->type, source->items, source->length);
  } else if (old) {
    old->length = 0; // the items are the list's still
  }
  pyarray_rt_release(source_handle);
  pyarray_rt_release(pa_handle_of(old));
  return !done;
}

void pyarray_rt_list_clear(int64_t handle) {
  pa_list *list = list_of(handle), old = *list;
  if (old.length) note_change(list);
  list->items = list->memory = NULL;
  list->length = list->capacity = 0;
  pa_items_release(old.type, old.items, old.length);
  free(old.memory);
}

static void swap_items(char *a, char *b, int64_t size) {
  for (int64_t i = 0; i < size; ++i) {
    char byte = a[i];
    a[i] = b[i];
    b[i] = byte;
  }
}

void pyarray_rt_list_reverse(int64_t handle) {
  pa_list *list = list_of(handle);
  for (int64_t i = 0, k = list->length - 1; i < k; ++i, --k)
    swap_items(pa_list_item(list, i), pa_list_item(list, k), list->type->size);
}

//===-- Deques ------------------------------------------------------------------------------------===//

int64_t pyarray_rt_deque_new(int64_t type, int64_t limit) { return pa_handle_of(pa_deque_new(address(type), limit)); }

// Puts an item at the end, or the beginning; where the deque is full, that at the other end goes.
int32_t pyarray_rt_deque_put(int64_t handle, int64_t item, int32_t left) {
  pa_list *list = list_of(handle);
  if (!list->limit) return note_change(list), 0;
  if (list->length == list->limit && pyarray_rt_list_delete_slice(handle, left ? list->length - 1 : 0, 1, 1)) return 1;
  if (!open_gap(list, left ? 0 : list->length, 1)) return 1;
  memcpy(pa_list_item(list, left ? 0 : list->length - 1), address(item), (size_t)list->type->size);
  pa_items_retain(list->type, address(item), 1);
  return 0;
}

//===-- Comparison --------------------------------------------------------------------------------===//

int32_t pyarray_rt_object_compare(int64_t a, int64_t b) {
  if (a == b) return PA_EQUAL;
  const pa_object_type *type = pa_type_of(pa_object_of(a));
  if (type->compare) return type->compare(pa_object_of(a), pa_object_of(b));
  return type->equal(pa_object_of(a), pa_object_of(b)) ? PA_EQUAL : PA_UNORDERED;
}

int32_t pyarray_rt_object_equal(int64_t a, int64_t b) {
  return a == b || pa_type_of(pa_object_of(a))->equal(pa_object_of(a), pa_object_of(b));
}
