// lib/support/time_unit.c
#include "../../lib/support/time_unit.h"
#include "check.h"

#include <string.h>

static pa_time_unit unit(const char *text) {
  pa_time_unit parsed = {PA_TIME_GENERIC, 0};
  CHECK(pa_time_unit_parse(text, strlen(text), &parsed) == strlen(text));
  return parsed;
}

static void test_text(void) {
  static const char *const good[] = {"Y",  "M",  "W",  "D",  "h",  "m",       "s",   "ms",
                                     "us", "ns", "ps", "fs", "as", "generic", "25s", "2147483647as"};
  static const char *const bad[] = {"", "0s", "1s", "025s", "x", "25", "2generic", "2147483648s", "D2"};
  pa_time_unit parsed;
  char text[PA_TIME_UNIT_SIZE];
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    pa_time_unit_print(unit(good[i]), text);
    CHECK(strcmp(text, good[i]) == 0);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    CHECK(!*bad[i] || pa_time_unit_parse(bad[i], strlen(bad[i]), &parsed) != strlen(bad[i]));
  CHECK(pa_time_unit_parse("", 0, &parsed) == 0 && pa_time_unit_parse("ms]", 3, &parsed) == 2 &&
        pa_time_unit_parse("ms", 1, &parsed) == 1);
}

static void test_common(void) {
  static const struct {
    const char *a, *b, *common;
    bool fixed;
  } rows[] = {
      {"D", "h", "h", true},     {"25s", "10s", "5s", true}, {"Y", "3M", "3M", true},   {"generic", "Y", "Y", true},
      {"7s", "3ms", "ms", true}, {"Y", "D", "D", false},     {"2Y", "4D", "2D", false}, {"10M", "25s", "25s", false},
      {"Y", "D", NULL, true},    {"M", "W", NULL, true},     {"W", "as", NULL, true},   {"Y", "as", NULL, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    pa_time_unit common;
    for (int swapped = 0; swapped < 2; ++swapped) {
      const char *reason = pa_time_unit_common(unit(swapped ? rows[i].b : rows[i].a), rows[i].fixed,
                                               unit(swapped ? rows[i].a : rows[i].b), rows[i].fixed, &common);
      CHECK(!reason == !!rows[i].common && (reason || pa_time_unit_equal(common, unit(rows[i].common))));
    }
  }
}

static void test_factors(void) {
  int64_t num, den;
  CHECK(pa_time_unit_factor(unit("W"), unit("s"), &num, &den) && num == 604800 && den == 1);
  CHECK(pa_time_unit_factor(unit("s"), unit("25m"), &num, &den) && num == 1 && den == 1500);
  CHECK(pa_time_unit_factor(unit("10s"), unit("25s"), &num, &den) && num == 2 && den == 5);
  CHECK(pa_time_unit_factor(unit("Y"), unit("M"), &num, &den) && num == 12 && den == 1);
  CHECK(!pa_time_unit_factor(unit("Y"), unit("D"), &num, &den) &&
        !pa_time_unit_factor(unit("W"), unit("as"), &num, &den));
  CHECK(!pa_time_unit_factor(unit("D"), unit("generic"), &num, &den) &&
        pa_time_unit_factor(unit("generic"), unit("D"), &num, &den) && num == 1);
  CHECK(pa_time_unit_can_convert(unit("2Y"), unit("h"), false) &&
        !pa_time_unit_can_convert(unit("Y"), unit("h"), true));
  CHECK(pa_time_unit_can_cast(unit("Y"), unit("D"), false) && !pa_time_unit_can_cast(unit("D"), unit("M"), false));
  CHECK(!pa_time_unit_can_cast(unit("s"), unit("25s"), true) && pa_time_unit_can_cast(unit("50s"), unit("25s"), true));
}

int main(void) {
  test_text();
  test_common();
  test_factors();
  return CHECK_RESULT();
}
