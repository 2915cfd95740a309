// lib/support/precompiled.h: a file of two instances, and damaged ones.
#include "../../lib/support/precompiled.h"
#include "check.h"

#include <string.h>

typedef struct library {
  pa_precompiled_header header;
  pa_precompiled_entry entries[2];
  char text[32];
} library;

enum { TEXT = offsetof(library, text) };

static library whole(void) {
  library made = {.header = {.magic = "PALIB001", .count = 2, .size = sizeof made, .digest = 7},
                  .entries = {{{TEXT, 4}, {TEXT + 8, 3}, {TEXT + 12, 0}, {TEXT + 16, 8}},
                              {{TEXT, 5}, {TEXT + 8, 3}, {TEXT + 12, 2}, {TEXT + 24, 8}}}};
  memcpy(made.text, "f(x)g\0\0\0f64\0ab\0\0objects1objects2", sizeof made.text);
  return made;
}

static bool is_taken(const library *bytes, size_t size) { return pa_precompiled_offer(bytes, size); }

// Nothing of these may be taken: the first that is stays.
static void test_damaged(void) {
  library good = whole(), bad;
  for (size_t size = 0; size < sizeof good; ++size) CHECK(!is_taken(&good, size));
  bad = good, bad.header.magic[0] = 'X';
  CHECK(!is_taken(&bad, sizeof bad));
  bad = good, ++bad.header.size;
  CHECK(!is_taken(&bad, sizeof bad));
  bad = good, bad.header.count = UINT32_MAX;
  CHECK(!is_taken(&bad, sizeof bad));
  for (int part = 0; part < 4; ++part) {
    bad = good, (&bad.entries[1].key)[part].start = sizeof bad + 1;
    CHECK(!is_taken(&bad, sizeof bad));
    bad = good, (&bad.entries[1].key)[part].size = UINT32_MAX;
    CHECK(!is_taken(&bad, sizeof bad));
  }
  CHECK(pa_precompiled_count() == 0 && pa_precompiled_digest() == 0);
  CHECK(pa_precompiled_find("f(x)", 4) == -1 && !pa_precompiled_has("f(", 2));
  CHECK(pa_precompiled_numbered("pyarray.library.0") == -1 && pa_precompiled_at(0).object == NULL);
}

static void test_whole(void) {
  static library good, other;
  good = other = whole();
  CHECK(is_taken(&good, sizeof good) && is_taken(&good, sizeof good) && !is_taken(&other, sizeof other));
  CHECK(pa_precompiled_count() == 2 && pa_precompiled_digest() == 7);
  CHECK(pa_precompiled_find("f(x)", 4) == 0 && pa_precompiled_find("f(x)g", 5) == 1);
  CHECK(pa_precompiled_find("f(x", 3) == -1 && pa_precompiled_find("g(x)", 4) == -1);
  CHECK(pa_precompiled_has("f(", 2) && !pa_precompiled_has("g(", 2) && !pa_precompiled_has("f(x)g2", 6));
  CHECK(pa_precompiled_numbered("pyarray.library.1") == 1 && pa_precompiled_numbered("pyarray.library.2") == -1);
  CHECK(pa_precompiled_numbered("pyarray.library.") == -1 && pa_precompiled_numbered("pyarray.library.1x") == -1 &&
        pa_precompiled_numbered("pyarray_rt_raise") == -1);
  pa_precompiled second = pa_precompiled_at(1);
  CHECK(second.object_size == 8 && memcmp(second.object, "objects2", 8) == 0);
  CHECK(second.sites_size == 2 && memcmp(second.sites, "ab", 2) == 0);
  CHECK(second.result_size == 3 && memcmp(second.result, "f64", 3) == 0);
  CHECK(pa_precompiled_at(2).object == NULL);
  CHECK(pa_precompiled_first_site(1) == PA_FIRST_PRECOMPILED_SITE + PA_PRECOMPILED_SITES);
}

int main(void) {
  test_damaged();
  test_whole();
  return CHECK_RESULT();
}
