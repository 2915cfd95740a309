// Descriptions: what templates show of values whose representation does not say how they are written, such as members
// of enums. They hold the texts that compiled code made, and, of a member that is a number, that.
#include "text.h"

typedef struct description {
  int64_t str, repr, name; // texts; |name|: the type's, "" where format() takes the text
  int64_t number;
  bool is_number;
} description;

static void destroy(void *object) {
  const description *d = object;
  pyarray_rt_release(d->str);
  pyarray_rt_release(d->repr);
  pyarray_rt_release(d->name);
}

static void repr(const void *object, pa_string *out) {
  pa_str_to_utf8(pa_str_of(((const description *)object)->repr), out);
}

static const pa_object_type type = {"object", destroy, NULL, NULL, NULL, repr};

static int64_t make(int64_t str, int64_t repr_text, int64_t name, int64_t number, bool is_number) {
  description *made = pa_object_new(&type, sizeof *made);
  if (!made) return pa_record_memory_failure();
  *made = (description){pa_str_share(str), pa_str_share(repr_text), pa_str_share(name), number, is_number};
  return pa_handle_of(made);
}

int64_t pyarray_rt_described(int64_t str, int64_t repr_text, int64_t name) {
  return make(str, repr_text, name, 0, false);
}
int64_t pyarray_rt_described_number(int64_t str, int64_t repr_text, int64_t number) {
  return make(str, repr_text, pa_str_empty(pa_str_of(str)), number, true);
}

const void *pa_description_of(const void *object) { return object && pa_type_of(object) == &type ? object : NULL; }
const pa_str *pa_description_text(const void *object) { return pa_str_of(((const description *)object)->str); }
const pa_str *pa_description_name(const void *object) { return pa_str_of(((const description *)object)->name); }

bool pa_description_number(const void *object, int64_t *out) {
  const description *d = object;
  if (d->is_number) *out = d->number;
  return d->is_number;
}
