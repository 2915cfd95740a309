// str and bytes of the runtime: canonical kinds, growth in place, failures, and that nothing leaks.
#include "../../lib/runtime/text/text.h"
#include "test_runtime_check.h"

static int64_t make(const char *text) { return pa_handle_of(pa_str_from_utf8(text, strlen(text))); }

static bool is(int64_t handle, const char *text) {
  pa_string out = {0};
  pa_str_to_utf8(pa_str_of(handle), &out);
  bool same = strcmp(pa_string_text(&out), text) == 0;
  pa_string_free(&out);
  return same;
}

static void check_and_release(int64_t handle, const char *text) {
  CHECK(handle && is(handle, text));
  pyarray_rt_release(handle);
}

static void test_kinds(void) {
  static const struct {
    const char *text;
    int kind;
    bool ascii;
  } rows[] = {
      {"", 1, true},      {"a", 1, true},   {"abcdefghi", 1, true}, {"é", 1, false}, {"abcdefgh\xc3\xa9", 1, false},
      {"日本", 2, false}, {"a😀", 4, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int64_t text = make(rows[i].text);
    CHECK(pa_str_of(text)->kind == rows[i].kind && !(pa_str_of(text)->flags & PA_STR_ASCII) == !rows[i].ascii);
    check_and_release(text, rows[i].text);
  }
  int64_t wide = make("日本abc"), part = pyarray_rt_str_slice(wide, 2, 3, 1), same = make("abc");
  CHECK(pa_str_of(part)->kind == 1 && pyarray_rt_str_equal(part, same) &&
        pyarray_rt_str_hash(part) == pyarray_rt_str_hash(same));
  CHECK(pyarray_rt_str_compare(part, wide) == PA_LESS && pyarray_rt_str_compare(wide, part) == PA_GREATER);
  pyarray_rt_release(wide), pyarray_rt_release(part), pyarray_rt_release(same);
}

// Only the one reference grows in place.
static void test_append(void) {
  int64_t text = make("0123456789abcdef0123456789abcdef"), more = make("xyz"), moves = 0;
  for (int i = 0; i < 10000; ++i) {
    int64_t grown = pyarray_rt_str_append(text, more);
    moves += grown != text;
    text = grown;
  }
  CHECK(pa_str_of(text)->length == 30032 && moves < 40);
  pyarray_rt_retain(text);
  int64_t other = pyarray_rt_str_append(text, more); // takes one of the two
  CHECK(other != text && pa_str_of(text)->length == 30032 && pa_str_of(other)->length == 30035);
  pyarray_rt_release(text);
  int64_t wider = make("é日");
  other = pyarray_rt_str_append(other, wider);
  CHECK(pa_str_of(other)->kind == 2 && pa_str_of(other)->length == 30037 &&
        pa_str_code(pa_str_of(other), 30036) == 0x65e5);
  int64_t before = pyarray_rt_str_hash(other);
  other = pyarray_rt_str_append(other, more);
  CHECK(pyarray_rt_str_hash(other) != before);
  pyarray_rt_release(other), pyarray_rt_release(more), pyarray_rt_release(wider);
}

static int64_t sum_of(const void *data, int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += ((const uint8_t *)data)[i];
  return sum;
}

static int64_t minus_one(const void *data, int64_t count) { return (void)data, -(count > 0); }

// A hash is computed once, and never -1.
static void test_hashes(void) {
  int64_t text = make("ab"), wide = make("\u65e5"), empty = make(""), other = make("xy");
  pa_set_hashes(sum_of, 5);
  CHECK(pyarray_rt_str_hash(text) == 'a' + 'b' && pyarray_rt_str_hash(wide) == 0x65 + 0xe5 &&
        pyarray_rt_str_hash(empty) == 0 && pa_none_hash() == 5);
  pa_set_hashes(minus_one, 5);
  CHECK(pyarray_rt_str_hash(text) == 'a' + 'b' && pyarray_rt_str_hash(other) == -2 && pyarray_rt_str_hash(empty) == 0);
  pyarray_rt_release(text), pyarray_rt_release(wide), pyarray_rt_release(empty), pyarray_rt_release(other);
}

static void test_failures(void) {
  int64_t text = make("abc"), nothing = make(""), out;
  CHECK(!pyarray_rt_str_split(text, nothing, -1) && pyarray_rt_failure_kind() == PA_VALUE_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "empty separator");
  CHECK(pyarray_rt_str_to_int(text, 10, (int64_t)(uintptr_t)&out) == 1 && pyarray_rt_failure_kind() == PA_VALUE_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "invalid literal for int() with base 10: 'abc'");
  CHECK(!pyarray_rt_str_repeat(text, INT64_MAX / 2) && pyarray_rt_failure_kind() == PA_MEMORY_ERROR);
  uint32_t surrogate = 0xd800;
  int64_t lone = pa_handle_of(pa_str_copy(&surrogate, 4, 1, 0));
  CHECK(!pyarray_rt_str_encode(lone, 0, 0) && pyarray_rt_failure_kind() == PA_ENCODE_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "utf-8");
  CHECK(pyarray_rt_failure_value(1) == lone && pyarray_rt_failure_value(2) == 0 && pyarray_rt_failure_value(3) == 1);
  check_and_release(pyarray_rt_failure_value(4), "surrogates not allowed");
  pyarray_rt_release(lone), pyarray_rt_release(lone), pyarray_rt_release(text);
}

static void test_format(void) {
  struct {
    double x;
    int64_t n;
    int64_t text;
  } item = {2.5, -42, make("é")};
  int64_t type = (int64_t)(uintptr_t)pa_item_type_get("(dqU)"), at = (int64_t)(uintptr_t)&item;
  int64_t template = make("{0:>8.3f}|{1:x}|{2!r:^7}|{{}}|{2}"), bad = make("{3}");
  check_and_release(pyarray_rt_str_format(template, 0, type, at), "   2.500|-2a|  'é'  |{}|é");
  CHECK(!pyarray_rt_str_format(bad, 0, type, at) && pyarray_rt_failure_kind() == PA_INDEX_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "Replacement index 3 out of range for positional args tuple");
  int64_t named = make("{0}|{text}|{n}"), names = make("n,text"), unknown = make("{number}");
  check_and_release(pyarray_rt_str_format(named, names, type, at), "2.5|é|-42");
  CHECK(!pyarray_rt_str_format(unknown, names, type, at) && pyarray_rt_failure_kind() == PA_KEY_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "number");
  pyarray_rt_release(named), pyarray_rt_release(names), pyarray_rt_release(unknown);
  pyarray_rt_release(item.text), pyarray_rt_release(template), pyarray_rt_release(bad);
}

static void test_percent(void) {
  struct {
    double x;
    int64_t n;
    int64_t text;
  } item = {-2.5, 42, make("é")};
  int64_t type = (int64_t)(uintptr_t)pa_item_type_get("((dqU))"), at = (int64_t)(uintptr_t)&item;
  int64_t template = make("%+08.2f|%#-6x|%5s|%%"), few = make("%s"), many = make("%d%d%d%d");
  check_and_release(pyarray_rt_str_percent(template, type, at), "-0002.50|0x2a  |    é|%");
  CHECK(!pyarray_rt_str_percent(few, type, at) && pyarray_rt_failure_kind() == PA_TYPE_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "not all arguments converted during string formatting");
  CHECK(!pyarray_rt_str_percent(many, type, at) && pyarray_rt_failure_kind() == PA_TYPE_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "%d format: a real number is required, not str");
  pyarray_rt_release(item.text), pyarray_rt_release(template), pyarray_rt_release(few), pyarray_rt_release(many);
}

// A bytearray stays where it is as long as what owns its exported bytes is held.
static void test_exports(void) {
  int64_t array = pa_handle_of(pa_bytearray_new("spam", 4)), two = pa_handle_of(pa_str_copy("xy", 1, 2, PA_STR_BYTES)),
          first = pyarray_rt_bytearray_export(array), second = pyarray_rt_bytearray_export(array);
  const pa_list *list = pa_object_of(array);
  CHECK(pa_exported_bytearray(first) == array && !pa_exported_bytearray(array) && !pa_exported_bytearray(0) &&
        list->exports == 2);
  CHECK(pyarray_rt_bytearray_insert(array, 0, 1) == 1 && pyarray_rt_failure_kind() == PA_BUFFER_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "Existing exports of data: object cannot be re-sized");
  CHECK(pyarray_rt_bytearray_splice(array, 1, 2, two) == 0 && !memcmp(list->items, "sxym", 4)); // the length stays
  CHECK(pyarray_rt_bytearray_splice(array, 0, 1, two) == 1);
  pyarray_rt_release(pyarray_rt_failure_value(0));
  CHECK(pyarray_rt_bytearray_delete(array, 0, 2, 2) == 1 && list->length == 4);
  pyarray_rt_release(pyarray_rt_failure_value(0));
  pyarray_rt_release(first);
  CHECK(list->exports == 1);
  pyarray_rt_release(second);
  CHECK(pyarray_rt_bytearray_delete(array, 0, 2, 2) == 0 && list->length == 2 && !memcmp(list->items, "xm", 2));
  int64_t last = pyarray_rt_bytearray_export(array);
  pyarray_rt_release(array); // the export holds it
  CHECK(!memcmp(list->items, "xm", 2));
  pyarray_rt_release(last), pyarray_rt_release(two);
}

static void test_descriptions(void) {
  int64_t str = make("C.R"), repr = make("<C.R: 1>"), name = make("C"), none = make("");
  int64_t items[] = {pyarray_rt_described(str, repr, name), pyarray_rt_described(str, repr, none),
                     pyarray_rt_described_number(str, repr, 10)};
  int64_t type = (int64_t)(uintptr_t)pa_item_type_get("(ooo)"), at = (int64_t)(uintptr_t)items;
  int64_t template = make("{0}|{0!r}|{1:>5}|{2}|{2:x}"), bad = make("{:>5}");
  check_and_release(pyarray_rt_str_format(template, 0, type, at), "C.R|<C.R: 1>|  C.R|C.R|a");
  CHECK(!pyarray_rt_str_format(bad, 0, type, at) && pyarray_rt_failure_kind() == PA_TYPE_ERROR);
  check_and_release(pyarray_rt_failure_value(0), "unsupported format string passed to C.__format__");
  for (int i = 0; i < 3; ++i) pyarray_rt_release(items[i]);
  pyarray_rt_release(str), pyarray_rt_release(repr), pyarray_rt_release(name), pyarray_rt_release(none),
      pyarray_rt_release(template), pyarray_rt_release(bad);
}

int main(void) {
  pa_allocation_counts before = pa_allocation_counts_now();
  test_kinds();
  test_append();
  test_failures();
  test_hashes();
  test_format();
  test_percent();
  test_exports();
  test_descriptions();
  pa_allocation_counts after = pa_allocation_counts_now();
  CHECK(after.allocated - after.freed == before.allocated - before.freed);
  return report_checks();
}
