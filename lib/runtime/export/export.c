// Functions that C calls by name (lib/passes/to_llvm/wrap_export.c): their arrays, their errors.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_text.h"
#include "pyarray-c/Runtime.h"
#include "runtime.h"
#include "runtime/base/objects.h"

//===-- Errors ------------------------------------------------------------------------------------===//

enum { NAME = 128, MESSAGE = 2048, PLACE = 512 };

// Of the last failure of a thread: on the heap, since memory of threads is scarce where libraries are loaded late.
typedef struct last_error {
  char name[NAME], message[MESSAGE], place[PLACE];
} last_error;

static pthread_key_t key;

static void make_key(void) { pthread_key_create(&key, free); }

// NULL: nothing has failed so far, or there is no memory.
static last_error *last_of_thread(bool make) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_key);
  last_error *last = pthread_getspecific(key);
  if (last || !make) return last;
  last = calloc(1, sizeof *last);
  if (last && pthread_setspecific(key, last) != 0) free(last), last = NULL;
  return last;
}

static void tell(const char *name, const char *message, const char *place) {
  last_error *last = last_of_thread(true);
  if (!last) return;
  snprintf(last->name, sizeof last->name, "%s", name);
  snprintf(last->message, sizeof last->message, "%s", message);
  snprintf(last->place, sizeof last->place, "%s", place);
}

const char *pyarray_error_name(void) {
  const last_error *last = last_of_thread(false);
  return last ? last->name : "";
}
const char *pyarray_error_message(void) {
  const last_error *last = last_of_thread(false);
  return last ? last->message : "";
}
const char *pyarray_error_place(void) {
  const last_error *last = last_of_thread(false);
  return last ? last->place : "";
}

static int32_t code_of(const char *name) {
  static const char *const names[] = {
      [PYARRAY_ZERO_DIVISION_ERROR] = "ZeroDivisionError",
      [PYARRAY_INDEX_ERROR] = "IndexError",
      [PYARRAY_VALUE_ERROR] = "ValueError",
      [PYARRAY_OVERFLOW_ERROR] = "OverflowError",
      [PYARRAY_MEMORY_ERROR] = "MemoryError",
      [PYARRAY_KEY_ERROR] = "KeyError",
      [PYARRAY_TYPE_ERROR] = "TypeError",
      [PYARRAY_ASSERTION_ERROR] = "AssertionError",
      [PYARRAY_RUNTIME_ERROR] = "RuntimeError",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (names[i] && strcmp(names[i], name) == 0) return (int32_t)i;
  return PYARRAY_EXCEPTION;
}

// Fields of a site, as lib/ir/sites.c writes them.
enum { EXCEPTION, ARGUMENTS, VALUES, FILE_NAME, LINE, FUNCTION, FIELDS };

static void find_site(const char *sites, size_t size, int32_t number, const char *out_fields[FIELDS]) {
  const char *at = sites, *end = sites + size;
  for (int64_t i = 0; i < ((int64_t)number + 1) * FIELDS; ++i) {
    bool there = at < end;
    if (i >= (int64_t)number * FIELDS) out_fields[i % FIELDS] = there ? at : "";
    if (there) at += strlen(at) + 1;
  }
}

int32_t pyarray_rt_export_failed(int64_t sites, int64_t size) {
  pa_raised raised = pa_raised_take();
  const char *fields[FIELDS] = {"RuntimeError", "('compiled code failed without saying why',)", "", "", "", ""};
  if (raised.count) find_site((const char *)(uintptr_t)sites, (size_t)size, raised.site[0], fields);
  const char *colon = strchr(fields[EXCEPTION], ':'), *name = colon ? colon + 1 : fields[EXCEPTION];
  pa_string text = {0}, place = {0};
  pa_put_exception_text(&text, fields[ARGUMENTS], fields[VALUES], &raised);
  if (*fields[FILE_NAME]) pa_string_format(&place, "%s:%s", fields[FILE_NAME], fields[LINE]);
  if (*fields[FUNCTION]) pa_string_format(&place, ", in %s", fields[FUNCTION]);
  tell(name, pa_string_text(&text), pa_string_text(&place));
  pa_string_free(&text);
  pa_string_free(&place);
  pa_raised_drop(&raised);
  return code_of(name);
}

//===-- Arrays ------------------------------------------------------------------------------------===//

// |what| is "C2:3:name". Gives the name.
static const char *read_layout(const char *what, char *out_layout, int *out_rank, int *out_log2) {
  char *end;
  *out_layout = *what;
  *out_rank = (int)strtol(what + 1, &end, 10);
  *out_log2 = (int)strtol(end + 1, &end, 10);
  return end + 1;
}

static int32_t refuse(const char *name, const char *why) {
  char message[256];
  snprintf(message, sizeof message, "the array '%.64s' %s", name, why);
  tell("ArgumentError", message, "");
  return PYARRAY_ARGUMENT_ERROR;
}

// As NumPy has it: strides of extents of 1 count for nothing, nor do those of an array without elements.
static bool is_contiguous(const int64_t *shape, const int64_t *strides, int rank, char layout) {
  int64_t expected = 1;
  for (int i = 0; i < rank; ++i)
    if (!shape[i]) return true;
  for (int i = 0; i < rank; ++i) {
    int axis = layout == 'C' ? rank - 1 - i : i;
    if (shape[axis] != 1 && strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

int32_t pyarray_rt_export_array(int64_t array, int64_t slots, int64_t record, int64_t what) {
  const int64_t *from = (const int64_t *)(uintptr_t)array;
  int64_t *to = (int64_t *)(uintptr_t)slots;
  char layout;
  int rank, log2;
  const char *name = read_layout((const char *)(uintptr_t)what, &layout, &rank, &log2);
  if (!from) return refuse(name, "is NULL");
  const int64_t *shape = from + 1, *strides = shape + rank;
  int64_t size = 1;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] < 0) return refuse(name, "has a negative extent");
    size = pyarray_rt_checked_multiply(size, shape[i]);
    if (size < 0) return refuse(name, "has more elements than there is memory");
  }
  if (size && !from[0]) return refuse(name, "has no data");
  if (from[0] & ((1 << log2) - 1)) return refuse(name, "is not aligned to its elements");
  if (layout == 'C' && !is_contiguous(shape, strides, rank, 'C'))
    return refuse(name, "is not contiguous in C order, as its type says");
  if (layout == 'F' && !is_contiguous(shape, strides, rank, 'F'))
    return refuse(name, "is not contiguous in Fortran order, as its type says");
  to[0] = to[1] = from[0];
  to[2] = 0;
  memcpy(to + 3, shape, 2 * (size_t)rank * sizeof *to);
  to[3 + 2 * rank] = pa_owner_borrow((pa_owner *)(uintptr_t)record, NULL);
  return PYARRAY_NO_ERROR;
}

void pyarray_rt_export_result(int64_t slots, int64_t array, int64_t rank, int64_t bytes) {
  const int64_t *from = (const int64_t *)(uintptr_t)slots;
  int64_t *to = (int64_t *)(uintptr_t)array, owner = from[3 + 2 * rank];
  to[0] = from[1] + from[2] * bytes;
  memcpy(to + 1, from + 3, 2 * (size_t)rank * sizeof *to);
  bool borrowed = owner && pa_owner_of(owner)->kind == PA_OWNER_BORROWED; // its record is gone soon
  to[1 + 2 * rank] = borrowed ? 0 : owner;
}

void pyarray_release(void *owner) { pyarray_rt_release((int64_t)(uintptr_t)owner); }
void pyarray_retain(void *owner) { pyarray_rt_retain((int64_t)(uintptr_t)owner); }

//===-- Output ------------------------------------------------------------------------------------===//

static bool print(const char *text, size_t length, bool flush) {
  bool done = fwrite(text, 1, length, stdout) == length && (!flush || fflush(stdout) == 0);
  if (!done) pa_print_failed(false, "standard output cannot be written to");
  return done;
}

// Before whatever embeds the runtime sets its own.
__attribute__((constructor)) static void print_to_stdout(void) { pa_set_print(print); }
