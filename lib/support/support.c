#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory) {
  if (memory) return memory;
  fputs("pyarray: out of memory while compiling\n", stderr);
  abort();
}

//===-- Status ------------------------------------------------------------------------------------===//

struct pa_status_s {
  pa_code code;
  pa_location location;
  char *file;  // owned copy behind location.file
  char *message;
  struct pa_status_s *next; // told with this one
};

enum { MOST_TOLD_TOGETHER = 5 };

static char *format_text(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return checked(strdup("unformattable message"));
  char *text = checked(malloc((size_t)length + 1));
  vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

pa_status pa_fail(pa_code code, const pa_location *location, const char *format, ...) {
  pa_status status = checked(calloc(1, sizeof *status));
  status->code = code;
  if (location) {
    status->location = *location;
    if (location->file) status->location.file = status->file = checked(strdup(location->file));
  }
  va_list arguments;
  va_start(arguments, format);
  status->message = format_text(format, arguments);
  va_end(arguments);
  return status;
}

pa_code pa_status_code(pa_status status) { return status->code; }
const char *pa_status_message(pa_status status) { return status->message; }
const pa_location *pa_status_location(pa_status status) { return &status->location; }

void pa_status_free(pa_status status) {
  while (status) {
    pa_status next = status->next;
    free(status->file);
    free(status->message);
    free(status);
    status = next;
  }
}

pa_status pa_status_join(pa_status first, pa_status more) {
  if (!first) return more;
  pa_status last = first;
  while (last->next) last = last->next;
  last->next = more;
  return first;
}

pa_status pa_status_next(pa_status status) { return status->next; }

bool pa_status_may_go_on(pa_status status) {
  int count = 0;
  for (; status; status = status->next, ++count)
    if (status->code != PA_CODE_TYPING && status->code != PA_CODE_UNSUPPORTED) return false;
  return count < MOST_TOLD_TOGETHER;
}

//===-- Arena -------------------------------------------------------------------------------------===//

struct pa_arena_chunk {
  struct pa_arena_chunk *next;
  size_t used;
  size_t size;
  _Alignas(16) unsigned char bytes[];
};

enum { PA_ARENA_CHUNK = 64 * 1024 };

void pa_arena_init(pa_arena *arena) { arena->chunks = NULL; }

void pa_arena_free(pa_arena *arena) {
  for (struct pa_arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  arena->chunks = NULL;
}

void *pa_arena_alloc(pa_arena *arena, size_t size) {
  size = (size + 15) & ~(size_t)15;
  struct pa_arena_chunk *chunk = arena->chunks;
  if (!chunk || chunk->size - chunk->used < size) {
    size_t capacity = size > PA_ARENA_CHUNK ? size : PA_ARENA_CHUNK;
    chunk = checked(malloc(sizeof *chunk + capacity));
    chunk->next = arena->chunks;
    chunk->used = 0;
    chunk->size = capacity;
    arena->chunks = chunk;
  }
  void *memory = chunk->bytes + chunk->used;
  chunk->used += size;
  return memset(memory, 0, size);
}

char *pa_arena_copy(pa_arena *arena, const char *text, size_t length) {
  char *copy = pa_arena_alloc(arena, length + 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

char *pa_arena_format(pa_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = format_text(format, arguments);
  va_end(arguments);
  char *copy = pa_arena_copy(arena, text, strlen(text));
  free(text);
  return copy;
}

void *pa_arena_grow(pa_arena *arena, void *items, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return items;
  size_t grown = *capacity ? 2 * *capacity : 8;
  void *memory = pa_arena_alloc(arena, grown * size);
  if (count) memcpy(memory, items, count * size);
  *capacity = grown;
  return memory;
}

//===-- String ------------------------------------------------------------------------------------===//

void pa_string_append(pa_string *string, const char *text, size_t length) {
  if (string->length + length + 1 > string->capacity) {
    size_t capacity = string->capacity ? string->capacity : 64;
    while (capacity < string->length + length + 1) capacity *= 2;
    string->data = checked(realloc(string->data, capacity));
    string->capacity = capacity;
  }
  if (length) memcpy(string->data + string->length, text, length);
  string->length += length;
  string->data[string->length] = '\0';
}

void pa_string_puts(pa_string *string, const char *text) { pa_string_append(string, text, strlen(text)); }

void pa_string_format(pa_string *string, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = format_text(format, arguments);
  va_end(arguments);
  pa_string_puts(string, text);
  free(text);
}

const char *pa_string_text(const pa_string *string) { return string->data ? string->data : ""; }

void pa_string_free(pa_string *string) {
  free(string->data);
  *string = (pa_string){0};
}
