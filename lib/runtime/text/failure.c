// Failures of runtime functions: kind and values of the exception that compiled code then raises.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "text.h"

typedef struct failure {
  int32_t kind;
  int64_t values[5]; // of the exception's arguments; handles are held
} failure;

static __thread failure last;

static int64_t record(failure made) {
  last = made;
  return 0;
}

int64_t pa_record_memory_failure(void) { return record((failure){.kind = PA_MEMORY_ERROR}); }

static int64_t record_message(pa_failure_kind kind, const char *text, size_t length) {
  pa_str *message = pa_str_from_utf8(text, length);
  return message ? record((failure){kind, {pa_handle_of(message)}}) : 0;
}

int64_t pa_record_text_failure(pa_failure_kind kind, const pa_string *message) {
  return record_message(kind, pa_string_text(message), message->length);
}

int64_t pa_record_failure(pa_failure_kind kind, const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0) return pa_record_memory_failure();
  int64_t result = record_message(kind, text, (size_t)length);
  free(text);
  return result;
}

int64_t pa_record_codec_failure(pa_failure_kind kind, const char *codec, const pa_str *object, int64_t start,
                                int64_t end, const char *reason) {
  pa_str *name = pa_str_from_utf8(codec, strlen(codec)), *why = pa_str_from_utf8(reason, strlen(reason));
  if (!name || !why) return pa_record_memory_failure();
  return record(
      (failure){kind, {pa_handle_of(name), pa_str_share(pa_handle_of(object)), start, end, pa_handle_of(why)}});
}

int64_t pa_record_key_failure(const pa_str *key) {
  return record((failure){PA_KEY_ERROR, {pa_str_share(pa_handle_of(key))}});
}

int32_t pyarray_rt_failure_kind(void) { return last.kind; }

int64_t pyarray_rt_failure_value(int32_t index) { return last.values[index]; }
