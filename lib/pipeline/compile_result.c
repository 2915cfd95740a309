// Of compile.c: what a request is given back, in memory of malloc.
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "compilation.h"

char *pa_take_result_text(pa_string *text, size_t *out_size) {
  if (out_size) *out_size = text->length;
  if (!text->data) pa_string_puts(text, "");
  char *data = text->data;
  *text = (pa_string){0};
  return data;
}

void pa_tell_failure(pyarray_compile_result *result, pa_status status) {
  result->outcome = (pyarray_outcome)(pa_status_code(status) + 1);
  const pa_location *place = pa_status_location(status);
  result->message = strdup(pa_status_message(status));
  result->file = place->file ? strdup(place->file) : NULL;
  result->line = place->line;
  result->column = place->column;
  pa_string more = {0};
  for (pa_status next = pa_status_next(status); next; next = pa_status_next(next)) {
    place = pa_status_location(next);
    const char *file = place->file ? place->file : "";
    pa_append_field(&more, pa_status_message(next), strlen(pa_status_message(next)));
    pa_append_field(&more, file, strlen(file));
    for (int k = 0; k < 2; ++k) {
      pa_string_format(&more, "%d", k ? place->column : place->line);
      pa_append_field(&more, "", 0);
    }
  }
  result->more = pa_take_result_text(&more, &result->more_size);
}

void pa_free_result(pyarray_compile_result *result) {
  free(result->object);
  free(result->entry);
  free(result->type_code);
  free(result->sites);
  free(result->linked);
  free(result->kernels);
  free(result->warnings);
  free(result->more);
  free(result->wanted);
  free(result->key);
  free(result->result_type);
  free(result->message);
  free(result->file);
  memset(result, 0, sizeof *result);
}
