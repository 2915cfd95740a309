// lib/support: status, arena, string.
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "support/support.h"

static pa_status fails(void) { return pa_fail(PA_CODE_TYPING, &(pa_location){"f.py", 3, 7}, "no %s for %d", "type", 42); }

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

int main(void) {
  test_status();
  test_status_copies_its_file();
  test_arena();
  test_string();
  return CHECK_RESULT();
}
