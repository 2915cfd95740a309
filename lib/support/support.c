#include "support.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

//===-- Status ------------------------------------------------------------------------------------===//

struct pa_status_s {
  pa_code code;
  pa_location location;
  char *file; // owned copy behind location.file
  char *message;
  struct pa_status_s *next; // told with this one
};

enum { MOST_TOLD_TOGETHER = 20 };

// What is returned where there is no memory for another one. Never written to, never freed.
static struct pa_status_s no_memory = {.code = PA_CODE_MEMORY, .message = "out of memory"};

// NULL where memory is short.
static char *format_text(const char *format, va_list arguments) {
  char *text = NULL;
  return vasprintf(&text, format, arguments) < 0 ? NULL : text;
}

pa_status pa_fail(pa_code code, const pa_location *location, const char *format, ...) {
  pa_status status = calloc(1, sizeof *status);
  if (!status) return &no_memory;
  status->code = code;
  if (location) {
    status->location = *location;
    status->location.file = status->file = location->file ? strdup(location->file) : NULL;
  }
  va_list arguments;
  va_start(arguments, format);
  status->message = format_text(format, arguments);
  va_end(arguments);
  if (status->message && (!location || !location->file || status->file)) return status;
  pa_status_free(status);
  return &no_memory;
}

pa_code pa_status_code(pa_status status) { return status->code; }
const char *pa_status_message(pa_status status) { return status->message; }
const pa_location *pa_status_location(pa_status status) { return &status->location; }

void pa_status_free(pa_status status) {
  while (status && status != &no_memory) {
    pa_status next = status->next;
    free(status->file);
    free(status->message);
    free(status);
    status = next;
  }
}

pa_status pa_status_join(pa_status first, pa_status more) {
  if (!first) return more;
  if (first == &no_memory || more == &no_memory) {
    pa_status_free(first);
    pa_status_free(more);
    return &no_memory;
  }
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

//===-- Work that may be abandoned ----------------------------------------------------------------===//

static __thread jmp_buf *way_back;
static __thread pa_status abandoned_with;

pa_status pa_attempt(pa_status (*work)(void *data), void *data, bool *out_left) {
  jmp_buf here, *outer = way_back;
  *out_left = setjmp(here) != 0;
  pa_status status;
  if (!*out_left) {
    way_back = &here;
    status = work(data);
  } else {
    status = abandoned_with;
  }
  way_back = outer;
  return status;
}

bool pa_can_abandon(void) { return way_back; }

void pa_abandon(pa_status status) {
  abandoned_with = status;
  longjmp(*way_back, 1);
}

void pa_abandon_for_memory(void) {
  if (way_back) pa_abandon(&no_memory);
  static const char message[] = "pyarray: out of memory\n"; // of a tool
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0) {
  }
  _exit(EXIT_FAILURE);
}

// Of memory that compiling cannot do without.
static void *checked(void *memory) {
  if (!memory) pa_abandon_for_memory();
  return memory;
}

void *pa_allocate(size_t size) { return checked(malloc(size ? size : 1)); }

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
  char *text = checked(format_text(format, arguments));
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

bool pa_string_reserve(pa_string *string, size_t more) {
  size_t least, capacity = string->capacity ? string->capacity : 64;
  if (string->failed) return false;
  bool huge = __builtin_add_overflow(string->length, more, &least) || __builtin_add_overflow(least, 1, &least);
  if (!huge && least <= string->capacity) return true;
  while (!huge && capacity < least) huge = __builtin_mul_overflow(capacity, 2, &capacity);
  char *data = huge ? NULL : realloc(string->data, capacity);
  if (!data) return pa_string_fail(string), false;
  string->data = data;
  string->capacity = capacity;
  return true;
}

void pa_string_append(pa_string *string, const char *text, size_t length) {
  if (!pa_string_reserve(string, length)) return;
  if (length) memcpy(string->data + string->length, text, length);
  string->length += length;
  string->data[string->length] = '\0';
}

void pa_string_puts(pa_string *string, const char *text) { pa_string_append(string, text, strlen(text)); }

static void append_decimal(pa_string *string, uint64_t magnitude, bool negative) {
  char digits[24], *at = digits + sizeof digits;
  do *--at = (char)('0' + magnitude % 10);
  while (magnitude /= 10);
  if (negative) *--at = '-';
  pa_string_append(string, at, (size_t)(digits + sizeof digits - at));
}

void pa_string_unsigned(pa_string *string, uint64_t number) { append_decimal(string, number, false); }
void pa_string_signed(pa_string *string, int64_t number) {
  append_decimal(string, number < 0 ? -(uint64_t)number : (uint64_t)number, number < 0);
}

void pa_string_format(pa_string *string, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = format_text(format, arguments);
  va_end(arguments);
  if (text)
    pa_string_puts(string, text);
  else
    pa_string_fail(string);
  free(text);
}

void pa_string_fail(pa_string *string) {
  free(string->data);
  *string = (pa_string){.failed = true};
  if (pa_can_abandon()) pa_abandon_for_memory();
}

const char *pa_string_text(const pa_string *string) { return string->data ? string->data : ""; }

void pa_string_free(pa_string *string) {
  free(string->data);
  *string = (pa_string){0};
}
