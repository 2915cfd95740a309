// Status, arena and growing strings: what every other folder of lib/ builds on.
#ifndef PYARRAY_LIB_SUPPORT_SUPPORT_H
#define PYARRAY_LIB_SUPPORT_SUPPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

//===-- Status ------------------------------------------------------------------------------------===//

typedef enum pa_code {
  PA_CODE_TYPING,      // the types do not work out: pyarray.TypingError
  PA_CODE_UNSUPPORTED, // a construct outside the compiled subset: pyarray.UnsupportedError
  PA_CODE_INVALID,     // malformed IR, options or signature
  PA_CODE_MEMORY,      // an allocation failed
  PA_CODE_IO,          // a file could not be read or written
  PA_CODE_INTERNAL,    // a defect of pyarray itself
  PA_CODE_PYTHON,      // a Python exception is set in this thread
  PA_CODE_INTERRUPTED, // Ctrl-C
  PA_CODE_OVERFLOW,    // a literal does not fit the type that it has: OverflowError
  PA_CODE_ENDLESS,     // types or calls have no end, and nothing more is looked for: pyarray.errors.NumbaTypeError
  PA_CODE_NO_DEVICE,   // no GPU, or none that can be used: pyarray.cuda.CudaSupportError
  PA_CODE_LINK,        // code to be linked is missing, or does not fit: pyarray.cuda.LinkerError
  PA_CODE_DRIVER,      // a call of the CUDA driver failed: pyarray.cuda.CudaAPIError
} pa_code;

// A place in the user's Python; |line| and |column| count from 1, 0 means unknown. |file| may be NULL.
typedef struct pa_location {
  const char *file;
  int line;
  int column;
} pa_location;

// NULL is success. A non-null status is owned by its receiver, who passes it on or calls pa_status_free.
typedef struct pa_status_s *pa_status;

#define PA_OK ((pa_status)NULL)

#define PA_TRY(expression)                                                                                             \
  do {                                                                                                                 \
    pa_status pa_try_status = (expression);                                                                            \
    if (pa_try_status) return pa_try_status;                                                                           \
  } while (0)

// Makes a failure; the text is formatted as by printf and copied. |location| may be NULL.
pa_status pa_fail(pa_code code, const pa_location *location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

pa_code pa_status_code(pa_status status);
const char *pa_status_message(pa_status status);         // borrowed
const pa_location *pa_status_location(pa_status status); // borrowed, never NULL
void pa_status_free(pa_status status);                   // NULL is allowed

// Failures that have nothing to do with each other can be told together. Takes both over; either may be NULL.
pa_status pa_status_join(pa_status first, pa_status more);
pa_status pa_status_next(pa_status status); // borrowed; NULL after the last
bool pa_status_may_go_on(
    pa_status status); // whether others can be looked for: it is the user's, and there are not many yet

//===-- Work that may be abandoned ----------------------------------------------------------------===//

// Compiling cannot go on where memory is short or LLVM meets a fatal error, and both show deep within libraries that
// know no way back. An attempt is left by a jump then, as LLVM's own crash recovery does it: what was under way is
// abandoned, with what it holds. Attempts nest; the innermost of the thread is left. They must not contain calls of
// Python, whose frames would be jumped over.
// |*out_left|: the result is what the attempt was left with.
pa_status pa_attempt(pa_status (*work)(void *data), void *data, bool *out_left);
bool pa_can_abandon(void);                                   // whether there is an attempt under way
void pa_abandon(pa_status status) __attribute__((noreturn)); // only where there is one
void pa_abandon_for_memory(void) __attribute__((noreturn));  // without one, the process ends: only tools compile so
void *pa_allocate(size_t size);                              // malloc's, or the attempt is left

//===-- Arena -------------------------------------------------------------------------------------===//

// Bump allocator; everything in it dies together. Where memory is short, the attempt under way is left.
typedef struct pa_arena {
  struct pa_arena_chunk *chunks;
} pa_arena;

void pa_arena_init(pa_arena *arena);
void pa_arena_free(pa_arena *arena);
void *pa_arena_alloc(pa_arena *arena, size_t size);                    // zeroed, aligned to 16 bytes
char *pa_arena_copy(pa_arena *arena, const char *text, size_t length); // NUL-terminated
char *pa_arena_format(pa_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define PA_NEW(arena, type) ((type *)pa_arena_alloc((arena), sizeof(type)))
#define PA_NEW_ARRAY(arena, type, count) ((type *)pa_arena_alloc((arena), sizeof(type) * (size_t)(count)))

// Grows |*items| (arena memory, |*capacity| entries of |size| bytes) so that |count| + 1 entries fit.
void *pa_arena_grow(pa_arena *arena, void *items, size_t count, size_t *capacity, size_t size);

//===-- String ------------------------------------------------------------------------------------===//

// A growing, always NUL-terminated byte string. Zero-initialised is a valid empty string (data may be NULL).
typedef struct pa_string {
  char *data;
  size_t length;
  size_t capacity;
  bool failed; // memory was short: it is empty and stays so. Within an attempt, the attempt is left instead
} pa_string;

bool pa_string_reserve(pa_string *string, size_t more); // false where memory is short
void pa_string_fail(pa_string *string);                 // as if memory had been short
void pa_string_append(pa_string *string, const char *text, size_t length);
void pa_string_puts(pa_string *string, const char *text);
void pa_string_unsigned(pa_string *string, uint64_t number); // without printf, which libquadmath makes slow for all
void pa_string_signed(pa_string *string, int64_t number);
void pa_string_format(pa_string *string, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *pa_string_text(const pa_string *string); // borrowed; "" when empty
void pa_string_free(pa_string *string);

#endif // PYARRAY_LIB_SUPPORT_SUPPORT_H
