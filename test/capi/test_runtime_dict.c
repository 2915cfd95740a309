// lib/runtime/objects/dict.c
#include "../../lib/runtime/base/objects.h"
#include "test_runtime_check.h"

#include <string.h>

static int64_t live(void) {
  pa_allocation_counts counts = pa_allocation_counts_now();
  return counts.allocated - counts.freed;
}

// Against a plain array: random insertions and deletions of few keys, and the order of iteration.
static void test_random(void) {
  enum { KEYS = 50, STEPS = 20000 };
  double values[KEYS];
  int64_t order[KEYS], count = 0;
  uint32_t state = 1;
  pa_dict *dict = pa_dict_new(pa_item_type_get("q"), pa_item_type_get("d"), 0);
  for (int step = 0; step < STEPS; ++step) {
    state = state * 1664525 + 1013904223;
    int64_t key = state >> 16 & 31, at = 0;
    double value = step;
    while (at < count && order[at] != key) ++at;
    if (state >> 8 & 1) {
      REQUIRE(pa_dict_set(dict, &key, &value));
      values[key] = value;
      if (at == count) order[count++] = key;
    } else {
      CHECK(pa_dict_delete(dict, &key) == (at < count));
      if (at < count) memmove(&order[at], &order[at + 1], (size_t)(--count - at) * sizeof *order);
    }
    CHECK(dict->length == count);
  }
  int64_t seen = 0;
  for (int64_t i = pa_dict_next(dict, 0); i >= 0; i = pa_dict_next(dict, i + 1), ++seen) {
    CHECK(memcmp(pa_dict_key(dict, i), &order[seen], 8) == 0);
    CHECK(memcmp(pa_dict_value(dict, i), &values[order[seen]], 8) == 0);
    CHECK(pa_dict_find(dict, &order[seen]) == i);
  }
  CHECK(seen == count);
  pyarray_rt_release(pa_handle_of(dict));
}

static void test_keys_of_tuples(void) {
  pa_dict *set = pa_dict_new(pa_item_type_get("(qd)"), NULL, 0);
  for (int64_t i = 0; i < 1000; ++i) {
    struct {
      int64_t a;
      double b;
    } key = {i % 100, (double)(i % 7)};
    CHECK(pa_dict_set(set, &key, NULL));
    CHECK(pa_dict_find(set, &key) >= 0);
  }
  CHECK(set->length == 700);
  pyarray_rt_release(pa_handle_of(set));
}

static void test_references(void) {
  int64_t before = live(), key = 1;
  int64_t value = pa_handle_of(pa_list_new(pa_item_type_get("q"), 0));
  pa_dict *dict = pa_dict_new(pa_item_type_get("q"), pa_item_type_get("o"), 0),
          *other = pa_dict_new(pa_item_type_get("q"), pa_item_type_get("o"), 4);
  for (int i = 0; i < 5; ++i) CHECK(pa_dict_set(dict, &key, &value)); // replaced by itself
  CHECK(pa_owner_of(value)->references == 2 && dict->length == 1 && dict->version == 1);
  CHECK(pa_dict_set(other, &key, &value));
  CHECK(pyarray_rt_object_equal(pa_handle_of(dict), pa_handle_of(other)));
  CHECK(pa_dict_delete(dict, &key) && pa_owner_of(value)->references == 2 && !pa_dict_delete(dict, &key));
  pa_string text = {0};
  pa_dict_type.repr(other, &text);
  CHECK(strcmp(pa_string_text(&text), "{1: []}") == 0);
  pa_string_free(&text);
  pyarray_rt_release(pa_handle_of(dict));
  pyarray_rt_release(pa_handle_of(other));
  pyarray_rt_release(value);
  CHECK(live() == before);
}

// What compiled code calls: entries by their addresses, for each kind of key, while the last ones come and go.
static void test_entries(void) {
  int64_t before = live(), dict = pyarray_rt_dict_new((int64_t)(uintptr_t)pa_item_type_get("d"),
                                                      (int64_t)(uintptr_t)pa_item_type_get("q"), 0);
  for (int64_t round = 0; round < 1000; ++round) {
    int64_t entry = pyarray_rt_dict_place_f64(dict, (double)round + 0.5);
    REQUIRE(entry);
    memcpy((void *)(uintptr_t)(entry + 16), &round, sizeof round);
    CHECK(pyarray_rt_dict_find_f64(dict, (double)round + 0.5) == entry && pyarray_rt_dict_last(dict) == entry);
    if (round > 10) pyarray_rt_dict_erase(dict, pyarray_rt_dict_last(dict)); // as popitem does
  }
  CHECK(((pa_dict *)pa_object_of(dict))->length == 11 && ((pa_dict *)pa_object_of(dict))->used == 11);
  CHECK(!pyarray_rt_dict_find_f64(dict, 900.5));
  pyarray_rt_dict_erase(dict, pyarray_rt_dict_find_f64(dict, 3.5));
  int64_t version = pyarray_rt_dict_begin(dict);
  CHECK(version == ((pa_dict *)pa_object_of(dict))->version && ((pa_dict *)pa_object_of(dict))->used == 10);
  for (int64_t i = 0; i < 11; ++i) CHECK(!pyarray_rt_dict_find_f64(dict, (double)i + 0.5) == (i == 3));
  pyarray_rt_dict_clear(dict);
  CHECK(!pyarray_rt_dict_last(dict) && !pyarray_rt_dict_find_f64(dict, 0.5) &&
        pyarray_rt_dict_place_f64(dict, -0.0) == pyarray_rt_dict_find_f64(dict, 0.0));
  pyarray_rt_release(dict);
  CHECK(live() == before);
}

static int64_t set_of(int64_t first, int64_t last) {
  int64_t set = pyarray_rt_dict_new((int64_t)(uintptr_t)pa_item_type_get("q"), 0, 0);
  for (int64_t i = first; i < last; ++i) CHECK(!pyarray_rt_set_add_number(set, i));
  return set;
}

static bool is_set_of(int64_t set, int64_t first, int64_t last) {
  int64_t wanted = set_of(first, last);
  bool same = pyarray_rt_object_equal(set, wanted);
  pyarray_rt_release(wanted);
  pyarray_rt_release(set);
  return same;
}

static void test_sets(void) {
  int64_t before = live(), a = set_of(0, 6), b = set_of(4, 9), part = set_of(4, 6);
  CHECK(is_set_of(pyarray_rt_dict_merge(a, b), 0, 9));
  CHECK(is_set_of(pyarray_rt_set_intersection(a, b), 4, 6));
  CHECK(is_set_of(pyarray_rt_set_difference(a, b), 0, 4));
  int64_t both = pyarray_rt_set_symmetric_difference(a, b);
  CHECK(((pa_dict *)pa_object_of(both))->length == 7 && pyarray_rt_set_isdisjoint(both, part) &&
        !pyarray_rt_set_isdisjoint(a, b));
  CHECK(pyarray_rt_set_issubset(part, a) && pyarray_rt_set_issuperset(b, part) && !pyarray_rt_set_issubset(a, b));
  CHECK(pyarray_rt_set_is_proper_subset(part, a) && !pyarray_rt_set_is_proper_subset(a, a) &&
        pyarray_rt_set_issubset(a, a));
  CHECK(pyarray_rt_dict_update(part, a) == 0 && pyarray_rt_dict_update(part, part) == 0);
  pyarray_rt_set_assign(b, both);
  CHECK(is_set_of(both, 4, 9) && is_set_of(part, 0, 6));
  pyarray_rt_release(a);
  pyarray_rt_release(b);
  CHECK(live() == before);
}

// Sets of whole numbers against a plain list: keys that share their lowest bits, their highest ones, or groups of the
// table, and those that no table has; |code| of its items.
static void check_numbers(const char *code, int64_t factor, int64_t offset) {
  enum { KEYS = 400, STEPS = 20000 };
  int64_t before = live(), order[KEYS], count = 0, entry;
  int64_t handle = pyarray_rt_dict_new((int64_t)(uintptr_t)pa_item_type_get(code), 0, 0);
  const pa_dict *set = pa_object_of(handle);
  uint32_t state = 7;
  for (int step = 0; step < STEPS; ++step) {
    state = state * 1664525 + 1013904223;
    int64_t number = state >> 8 & 255, at = 0;
    int64_t key = number == 0 ? 0 : number == 1 && *code == 'q' ? INT64_MIN : (number - 128) * factor + offset;
    if (*code == 'i') key = (int32_t)key;
    while (at < count && order[at] != key) ++at;
    CHECK(pyarray_rt_set_has(handle, key) == (at < count));
    // Times of growth, and others in which most keys go.
    if ((state >> 20 & 7) < (step / 2000 % 2 ? 3 : 5)) {
      CHECK(!pyarray_rt_set_add_number(handle, key));
      if (at == count) order[count++] = key;
    } else if (step % 11 == 0 && count) {
      pyarray_rt_dict_erase(handle, pyarray_rt_dict_last(handle));
      --count;
    } else {
      entry = pyarray_rt_set_find_number(handle, key);
      CHECK((entry != 0) == (at < count));
      if (entry) pyarray_rt_dict_erase(handle, entry);
      if (at < count) memmove(&order[at], &order[at + 1], (size_t)(--count - at) * sizeof *order);
    }
    CHECK(set->length == count);
    if (step % 501 == 0) pyarray_rt_dict_begin(handle);
    if (step == STEPS / 2) pyarray_rt_dict_clear(handle), count = 0;
  }
  int64_t seen = 0;
  for (int64_t i = pa_dict_next(set, 0); i >= 0; i = pa_dict_next(set, i + 1), ++seen)
    CHECK(memcmp(pa_dict_key(set, i), &order[seen], (size_t)set->key->size) == 0);
  CHECK(seen == count && count > 10);
  pyarray_rt_release(handle);
  CHECK(live() == before);
}

static void test_numbers(void) {
  static const struct {
    int64_t factor, offset;
  } rows[] = {{1, 0}, {1, 1 << 20}, {4, 0}, {4096, 0}, {(int64_t)1 << 40, 5}, {(int64_t)1 << 56, 0}, {10946, -7}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    check_numbers("q", rows[i].factor, rows[i].offset);
    if (rows[i].factor < 10000) check_numbers("i", rows[i].factor, rows[i].offset);
  }
}

// Of numbers that share their lowest bits, products name the groups before many are in the way of others.
static void test_crowded(void) {
  int64_t before = live(), set = set_of(0, 1000);
  CHECK(((pa_dict *)pa_object_of(set))->multiplier == 1 && ((pa_dict *)pa_object_of(set))->away == 0);
  for (int64_t i = 1; i <= 1000; ++i) CHECK(!pyarray_rt_set_add_number(set, i << 12));
  CHECK(((pa_dict *)pa_object_of(set))->multiplier != 1 && ((pa_dict *)pa_object_of(set))->away < 250);
  for (int64_t i = 0; i <= 1001 << 2; ++i)
    CHECK(pyarray_rt_set_has(set, i << 10) == (i == 0 || (i % 4 == 0 && i <= 4000)));
  pyarray_rt_release(set);
  for (int shift = 4; shift < 40; shift += 3) {
    set = pyarray_rt_dict_new((int64_t)(uintptr_t)pa_item_type_get("q"), 0, 0);
    for (int64_t i = 0; i < 30000; ++i) CHECK(!pyarray_rt_set_add_number(set, i << shift));
    CHECK(((pa_dict *)pa_object_of(set))->length == 30000 && ((pa_dict *)pa_object_of(set))->away < 6000);
    pyarray_rt_release(set);
  }
  CHECK(live() == before);
}

static int64_t frozen(const int64_t *items, int count) {
  int64_t set = pyarray_rt_frozenset_new((int64_t)(uintptr_t)pa_item_type_get("q"), 0);
  for (int i = 0; i < count; ++i) CHECK(!pyarray_rt_set_add_number(set, items[i]));
  return set;
}

// The hash is CPython's, and does not tell the order.
static void test_frozensets(void) {
  int64_t before = live(), a = frozen((int64_t[]){1, 2, 300}, 3), b = frozen((int64_t[]){300, 1, 2}, 3);
  CHECK(pa_frozenset_type.hash(pa_object_of(a)) == pa_frozenset_type.hash(pa_object_of(b)) &&
        pyarray_rt_object_equal(a, b));
  CHECK(pa_frozenset_type.hash(pa_object_of(a)) == -1391273711564157077);
  int64_t merged = pyarray_rt_dict_merge(a, b);
  CHECK(pa_type_of(pa_object_of(merged)) == &pa_frozenset_type);
  pyarray_rt_release(merged), pyarray_rt_release(a), pyarray_rt_release(b);
  CHECK(live() == before);
}

int main(void) {
  test_frozensets();
  test_random();
  test_keys_of_tuples();
  test_references();
  test_entries();
  test_sets();
  test_numbers();
  test_crowded();
  return report_checks();
}
