// lib/support: status, arena, string.
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "support/support.h"

static pa_status fails(void) {
  return pa_fail(PA_CODE_TYPING, &(pa_location){"f.py", 3, 7}, "no %s for %d", "type", 42);
}

static pa_status passes_it_on(int *out_value) {
  PA_TRY(fails());
  *out_value = 1;
  return PA_OK;
}

static void test_status(void) {
  int value = 0;
  char file[] = "f.py";
  pa_status status = passes_it_on(&value);
  CHECK(status && value == 0);
  CHECK(pa_status_code(status) == PA_CODE_TYPING);
  CHECK(strcmp(pa_status_message(status), "no type for 42") == 0);
  CHECK(strcmp(pa_status_location(status)->file, file) == 0);
  CHECK(pa_status_location(status)->line == 3 && pa_status_location(status)->column == 7);
  pa_status_free(status);
  pa_status_free(PA_OK);
}

static void test_status_copies_its_file(void) {
  char file[] = "a.py";
  pa_status status = pa_fail(PA_CODE_IO, &(pa_location){file, 1, 1}, "x");
  file[0] = 'b';
  CHECK(strcmp(pa_status_location(status)->file, "a.py") == 0);
  pa_status_free(status);
  status = pa_fail(PA_CODE_IO, NULL, "x");
  CHECK(pa_status_location(status) && !pa_status_location(status)->file);
  pa_status_free(status);
}

static void test_arena(void) {
  pa_arena arena;
  pa_arena_init(&arena);
  for (size_t size = 1; size < 1 << 20; size *= 3) {
    char *memory = pa_arena_alloc(&arena, size);
    CHECK((uintptr_t)memory % 16 == 0);
    CHECK(memory[0] == 0 && memory[size - 1] == 0);
    memset(memory, 0xff, size);
  }
  CHECK(strcmp(pa_arena_copy(&arena, "abcdef", 3), "abc") == 0);
  CHECK(strcmp(pa_arena_format(&arena, "%d-%s", 7, "x"), "7-x") == 0);
  int *items = NULL;
  size_t capacity = 0;
  for (int i = 0; i < 1000; i++) {
    items = pa_arena_grow(&arena, items, (size_t)i, &capacity, sizeof *items);
    items[i] = i;
  }
  for (int i = 0; i < 1000; i++) CHECK(items[i] == i);
  pa_arena_free(&arena);
}

static void test_string(void) {
  pa_string string = {0};
  CHECK(strcmp(pa_string_text(&string), "") == 0);
  for (int i = 0; i < 1000; i++) pa_string_format(&string, "%d,", i % 10);
  CHECK(string.length == 2000 && strlen(pa_string_text(&string)) == 2000);
  pa_string_append(&string, "\0z", 2);
  CHECK(string.length == 2002 && string.data[2001] == 'z' && string.data[2002] == 0);
  pa_string_free(&string);
}

static void test_a_string_that_fails(void) {
  pa_string string = {0};
  pa_string_puts(&string, "abc");
  CHECK(!pa_string_reserve(&string, SIZE_MAX - 1) && string.failed);
  pa_string_puts(&string, "more");
  pa_string_format(&string, "%d", 7);
  CHECK(string.failed && string.length == 0 && strcmp(pa_string_text(&string), "") == 0);
  pa_string_free(&string);
  CHECK(!string.failed && pa_string_reserve(&string, 100) && string.capacity > 100);
  pa_string_free(&string);
}

static pa_status fine(void *data) { return ++*(int *)data, PA_OK; }
static pa_status refuses(void *data) { return (void)data, pa_fail(PA_CODE_TYPING, NULL, "no"); }
static pa_status without_memory(void *data) { return (void)data, pa_abandon_for_memory(), PA_OK; }

static pa_status grows(void *data) {
  pa_string_reserve(data, SIZE_MAX - 1);
  return PA_OK;
}

static pa_status leaves(void *data) {
  bool left;
  CHECK(pa_can_abandon() && pa_attempt(fine, data, &left) == PA_OK && !left && pa_can_abandon());
  pa_abandon(pa_fail(PA_CODE_INVALID, NULL, "left"));
}

static void test_attempts(void) {
  int count = 0;
  bool left;
  pa_string string = {0};
  CHECK(!pa_can_abandon() && pa_attempt(fine, &count, &left) == PA_OK && count == 1 && !left);
  pa_status status = pa_attempt(refuses, NULL, &left);
  CHECK(!left && pa_status_code(status) == PA_CODE_TYPING);
  pa_status left_with = pa_attempt(leaves, &count, &left);
  CHECK(left && count == 2 && strcmp(pa_status_message(left_with), "left") == 0 && !pa_can_abandon());
  pa_status no_memory = pa_attempt(without_memory, NULL, &left);
  CHECK(left && pa_status_code(no_memory) == PA_CODE_MEMORY);
  CHECK(pa_status_code(pa_attempt(grows, &string, &left)) == PA_CODE_MEMORY && left);
  CHECK(pa_status_join(pa_status_join(status, left_with), no_memory) == no_memory && !pa_status_next(no_memory));
  pa_status_free(no_memory);
  CHECK(pa_status_code(pa_attempt(without_memory, NULL, &left)) == PA_CODE_MEMORY);
}

static void test_integers(void) {
  pa_string text = {0};
  static const int64_t numbers[] = {0, -1, 10, 123456789, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    pa_string_signed(&text, numbers[i]);
    pa_string_puts(&text, " ");
  }
  pa_string_unsigned(&text, UINT64_MAX);
  CHECK(!strcmp(pa_string_text(&text),
                "0 -1 10 123456789 9223372036854775807 -9223372036854775808 18446744073709551615"));
  pa_string_free(&text);
}

int main(void) {
  test_integers();
  test_status();
  test_status_copies_its_file();
  test_arena();
  test_string();
  test_a_string_that_fails();
  test_attempts();
  return CHECK_RESULT();
}
