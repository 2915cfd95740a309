// lib/runtime/objects/items.c
#include "../../lib/runtime/base/objects.h"
#include "test_runtime_check.h"

#include <math.h>
#include <string.h>

static const char *repr_of(const char *code, const void *item) {
  static char text[200];
  pa_string out = {0};
  pa_item_repr(pa_item_type_get(code), item, &out);
  snprintf(text, sizeof text, "%s", pa_string_text(&out));
  pa_string_free(&out);
  return text;
}

static void test_layout(void) {
  const pa_item_type *type = pa_item_type_get("(q?(Ud))");
  REQUIRE(type);
  CHECK(type->size == 32 && type->alignment == 8);
  CHECK(type->handle_count == 1 && type->handles[0] == 16);
  CHECK(type == pa_item_type_get("(q?(Ud))"));
  CHECK(pa_item_type_get("[C2d")->size == 64 && pa_item_type_get("[C2d")->handles[0] == 56);
  CHECK(pa_item_type_get("(?f)")->size == 8 && pa_item_type_get("F")->alignment == 4);
  CHECK(pa_item_type_get("()")->size == 0);
  CHECK(pa_item_type_get("d")->number == 'd' && pa_item_type_get("(d)")->number == 0);
  CHECK(!pa_item_type_get("(q") && !pa_item_type_get("x") && !pa_item_type_get("qq") && !pa_item_type_get(""));
}

static void test_order(void) {
  struct {
    int64_t a;
    double b;
  } x = {1, 2.5}, y = {1, 3.5}, z = {1, NAN};
  const pa_item_type *type = pa_item_type_get("(qd)");
  CHECK(pa_item_compare(type, &x, &y) == PA_LESS && pa_item_compare(type, &y, &x) == PA_GREATER);
  CHECK(pa_item_equal(type, &x, &x) && !pa_item_equal(type, &z, &z));
  CHECK(pa_item_compare(type, &x, &z) == PA_UNORDERED);
  uint64_t large = UINT64_MAX, one = 1;
  CHECK(pa_item_compare(pa_item_type_get("Q"), &large, &one) == PA_GREATER);
  CHECK(pa_item_compare(pa_item_type_get("q"), &large, &one) == PA_LESS);
  struct {
    char some;
    int64_t value;
  } none = {0, 5}, other = {0, 6}, five = {1, 5};
  CHECK(pa_item_equal(pa_item_type_get("Oq"), &none, &other) && !pa_item_equal(pa_item_type_get("Oq"), &none, &five));
}

// The values are CPython's.
static void test_hashes(void) {
  CHECK(pa_hash_int(0) == 0 && pa_hash_int(-1) == -2 && pa_hash_int(INT64_MAX) == 3 && pa_hash_int(INT64_MIN) == -4);
  CHECK(pa_hash_double(1.0) == 1 && pa_hash_double(-0.0) == 0 && pa_hash_double(0.5) == 1152921504606846976);
  CHECK(pa_hash_double(0.1) == 230584300921369408 && pa_hash_double(1e300) == 1224995262755759164);
  CHECK(pa_hash_double(INFINITY) == 314159 && pa_hash_double(-1.0) == -2);
  int64_t pair[] = {1, 2};
  CHECK(pa_item_hash(pa_item_type_get("(qq)"), pair) == -3550055125485641917);
  CHECK(pa_item_hash(pa_item_type_get("()"), pair) == 5740354900026072187);
  double two[] = {1.0, 2.0};
  CHECK(pa_item_hash(pa_item_type_get("(dd)"), two) == -3550055125485641917);
}

static void test_repr(void) {
  double numbers[] = {0.1, 1e16, 123456789012345680.0, 1e-5, 0.0001, 100.0, -0.0, 5e-324, 1.7976931348623157e308};
  const char *texts[] = {"0.1",  "1e+16",  "1.2345678901234568e+17", "1e-05", "0.0001", "100.0",
                         "-0.0", "5e-324", "1.7976931348623157e+308"};
  for (int i = 0; i < 9; ++i) CHECK(strcmp(repr_of("d", &numbers[i]), texts[i]) == 0);
  struct {
    int64_t a;
    char b;
  } item = {-3, 1};
  CHECK(strcmp(repr_of("(q?)", &item), "(-3, True)") == 0);
  CHECK(strcmp(repr_of("(q)", &item), "(-3,)") == 0);
  double z[] = {0.0, 2.0}, w[] = {1.5, -2.0};
  CHECK(strcmp(repr_of("D", z), "2j") == 0 && strcmp(repr_of("D", w), "(1.5-2j)") == 0);
}

// A tuple lies where its first part does; fields are told apart by that.
static void test_instances(void) {
  const pa_instance_type *type = pa_instance_type_get("m:outer.C#1=(?Oo(?d)n)");
  CHECK(type && type == pa_instance_type_get("m:outer.C#1=(?Oo(?d)n)") &&
        type != pa_instance_type_get("m:outer.C#2=(?Oo(?d)n)"));
  CHECK(!strcmp(type->type.name, "outer.C") && type->code_length == 14 && !strncmp(type->code, "J[m:outer.C#1]", 14));
  const pa_item_part *parts = type->fields->parts;
  CHECK(parts[1].offset == 0 && parts[2].offset == 1 && parts[4].code == '(' && parts[4].offset == 16 &&
        parts[7].offset == 32);
  pa_allocation_counts before = pa_allocation_counts_now();
  void *outer = pa_instance_new(type), *inner = pa_instance_new(type);
  memcpy((char *)outer + 8, &(int64_t){pa_handle_of(inner)}, 8);
  pyarray_rt_release(pa_handle_of(outer));
  pa_allocation_counts after = pa_allocation_counts_now();
  CHECK(after.allocated - before.allocated == 2 && after.freed - before.freed == 2);
  CHECK(!pa_instance_type_get("m:C#0") && !pa_instance_type_get("m:C#0=(x)"));
}

int main(void) {
  test_instances();
  test_layout();
  test_order();
  test_hashes();
  test_repr();
  return report_checks();
}
