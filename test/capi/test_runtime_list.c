// lib/runtime/objects/list.c, list_sort.c, and the destruction of objects in memory.c
#include "../../lib/runtime/base/objects.h"
#include "test_runtime_check.h"

#include <string.h>

static int64_t live(void) {
  pa_allocation_counts counts = pa_allocation_counts_now();
  return counts.allocated - counts.freed;
}

static pa_list *list_of(const int64_t *numbers, int count) {
  pa_list *list = pa_list_new(pa_item_type_get("q"), 0);
  for (int i = 0; list && i < count; ++i) CHECK(pa_list_append(list, &numbers[i]));
  return list;
}

#define LIST(...) list_of((int64_t[]){__VA_ARGS__}, (int)(sizeof((int64_t[]){__VA_ARGS__}) / 8))
#define CHECK_LIST(list, ...)                                                                                          \
  check_list(list, (int64_t[]){__VA_ARGS__}, (int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8), __LINE__)

static void check_list(const pa_list *list, const int64_t *numbers, int64_t count, int line) {
  CHECK(list->length == count);
  bool same = list->length == count && memcmp(list->items, numbers, (size_t)count * 8) == 0;
  if (!same) fprintf(stderr, "line %d\n", line);
  CHECK(same);
}

static void test_slices(void) {
  pa_list *list = LIST(0, 1, 2, 3, 4, 5), *other = LIST(8, 9);
  int64_t handle = pa_handle_of(list), two = pa_handle_of(other), part = pyarray_rt_list_slice(handle, 5, 3, -2);
  CHECK_LIST((pa_list *)pa_object_of(part), 5, 3, 1);
  CHECK(pyarray_rt_list_assign_slice(handle, 1, 3, 1, two) == 0);
  CHECK_LIST(list, 0, 8, 9, 4, 5);
  CHECK(pyarray_rt_list_assign_slice(handle, 1, 0, 1, handle) == 0); // itself
  CHECK_LIST(list, 0, 0, 8, 9, 4, 5, 8, 9, 4, 5);
  CHECK(pyarray_rt_list_delete_slice(handle, 9, 5, -2) == 0);
  CHECK_LIST(list, 0, 8, 4, 8, 4);
  CHECK(pyarray_rt_list_extend(handle, handle) == 0 && list->length == 10);
  CHECK(pyarray_rt_list_multiply(two, 3) == 0);
  CHECK_LIST(other, 8, 9, 8, 9, 8, 9);
  pyarray_rt_release(part);
  pyarray_rt_release(two);
  pyarray_rt_release(handle);
}

static void test_sort(void) {
  enum { COUNT = 1000 };
  pa_list *list = pa_list_new(pa_item_type_get("(qq)"), COUNT);
  for (int64_t i = 0; i < COUNT; ++i) CHECK(pa_list_append(list, (int64_t[]){i * 7919 % 13, i}));
  CHECK(pyarray_rt_list_sort(pa_handle_of(list), 0) == 0);
  bool sorted = true;
  for (int64_t i = 1; i < COUNT; ++i)
    sorted &= pa_item_compare(list->type, pa_list_item(list, i - 1), pa_list_item(list, i)) == PA_LESS;
  CHECK(sorted);
  pyarray_rt_release(pa_handle_of(list));
}

// Each list holds the one before it. Freeing the last one frees all, without as deep a stack.
static void test_chain(void) {
  enum { COUNT = 1000000 };
  int64_t before = live(), last = pa_handle_of(pa_list_new(pa_item_type_get("o"), 0));
  for (int i = 0; i < COUNT; ++i) {
    pa_list *next = pa_list_new(pa_item_type_get("o"), 1);
    REQUIRE(next);
    CHECK(pa_list_append(next, &last));
    pyarray_rt_release(last);
    last = pa_handle_of(next);
  }
  CHECK(live() == before + COUNT + 1);
  pyarray_rt_release(last);
  CHECK(live() == before);
}

static void test_references(void) {
  int64_t before = live(), inner = pa_handle_of(LIST(1, 2));
  pa_list *outer = pa_list_new(pa_item_type_get("o"), 0);
  int64_t handle = pa_handle_of(outer), taken;
  for (int i = 0; i < 3; ++i) CHECK(pa_list_append(outer, &inner));
  CHECK(pa_owner_of(inner)->references == 4);
  pyarray_rt_list_take(handle, 1, (int64_t)(uintptr_t)&taken);
  CHECK(taken == inner && pa_owner_of(inner)->references == 4);
  pyarray_rt_release(taken);
  int64_t copy = pyarray_rt_list_concat(handle, handle);
  CHECK(pa_owner_of(inner)->references == 7 && pyarray_rt_object_equal(copy, copy));
  pyarray_rt_release(copy);
  pyarray_rt_list_clear(handle);
  CHECK(pa_owner_of(inner)->references == 1);
  pyarray_rt_release(handle);
  pyarray_rt_release(inner);
  CHECK(live() == before);
}

// Room at the beginning is used again, and a full deque drops the item at its other end.
static void test_deques(void) {
  int64_t before = live(), out;
  pa_list *list = LIST(1, 2, 3, 4), *queue = pa_deque_new(pa_item_type_get("q"), INT64_MAX),
          *full = pa_deque_new(pa_item_type_get("q"), 2);
  int64_t handle = pa_handle_of(list), waiting = pa_handle_of(queue), few = pa_handle_of(full);
  for (int i = 0; i < 2; ++i) pyarray_rt_list_take(handle, 0, (int64_t)(uintptr_t)&out);
  CHECK(out == 2 && list->items == list->memory + 16);
  CHECK(pyarray_rt_list_insert(handle, 0, (int64_t)(uintptr_t)&(int64_t){9}) == 0 && list->items == list->memory + 8);
  CHECK_LIST(list, 9, 3, 4);
  for (int64_t i = 0; i < 1000; ++i) {
    CHECK(pyarray_rt_deque_put(waiting, (int64_t)(uintptr_t)&i, i % 3 == 0) == 0);
    if (i % 2) pyarray_rt_list_take(waiting, 0, (int64_t)(uintptr_t)&out);
    CHECK(pyarray_rt_deque_put(few, (int64_t)(uintptr_t)&i, 0) == 0 && full->length <= 2);
  }
  CHECK(queue->length == 500);
  CHECK_LIST(full, 998, 999);
  CHECK(pyarray_rt_deque_put(few, (int64_t)(uintptr_t)&(int64_t){7}, 1) == 0);
  CHECK_LIST(full, 7, 998);
  int64_t both = pyarray_rt_list_concat(few, waiting);
  CHECK(((pa_list *)pa_object_of(both))->length == 2 && pa_type_of(pa_object_of(both)) == &pa_deque_type);
  pyarray_rt_list_clear(waiting);
  CHECK(pyarray_rt_deque_put(waiting, (int64_t)(uintptr_t)&(int64_t){5}, 1) == 0);
  CHECK_LIST(queue, 5);
  pyarray_rt_release(both), pyarray_rt_release(few), pyarray_rt_release(waiting), pyarray_rt_release(handle);
  CHECK(live() == before);
}

int main(void) {
  test_slices();
  test_deques();
  test_sort();
  test_chain();
  test_references();
  return report_checks();
}
