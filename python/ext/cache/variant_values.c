// Variants by the values of arguments: what literally() asks for in compiled code.
//
// Where the compilation for a call's types fails since a value is asked for, "dq>" becomes a variant without code that
// says which arguments these are. Calls that come to it go on to a variant whose key has their values: "d=q2;>".
#include "objects.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 256 }; // of one function

pa_variant *pa_variant_by_value(pa_dispatcher *dispatcher, const char *code, const char *wanted) {
  pa_variant *variant = calloc(1, sizeof *variant);
  if (!variant) return NULL;
  variant->code = strdup(code);
  variant->wanted = strdup(wanted);
  variant->dispatcher = dispatcher;
  variant->target = variant;
  variant->arguments_length = strcspn(code, ">");
  if (variant->code && variant->wanted) return variant;
  pa_variants_free(variant);
  return NULL;
}

static bool append_text(pa_string *key, uint64_t slot) {
  PyObject *text = pa_box_text((int64_t)slot),
           *bytes = text ? PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass") : NULL;
  for (Py_ssize_t i = 0; bytes && i < PyBytes_GET_SIZE(bytes); ++i)
    pa_string_format(key, "%02x", (uint8_t)PyBytes_AS_STRING(bytes)[i]);
  Py_XDECREF(text);
  Py_XDECREF(bytes);
  return bytes;
}

// "=q2;" of an argument with the code "q".
static bool append_known(pa_string *key, char letter, uint64_t slot) {
  bool done = true;
  pa_string_format(key, "%c%c", PA_TYPE_KNOWN, letter);
  if (letter == 'U')
    done = append_text(key, slot);
  else
    pa_string_format(key, "%lld", letter == '?' ? (long long)(slot & 1) : (long long)slot);
  pa_string_puts(key, ";");
  return done;
}

static bool append_key(pa_string *key, const pa_variant *variant, const uint64_t *slots) {
  const char *wanted = variant->wanted;
  for (const char *at = variant->code, *next; *at != '>'; at = next, ++wanted) {
    next = pa_argument_next(at);
    bool is_wanted = *wanted == '1', has_value = *at == PA_TYPE_OMITTED || *at == PA_TYPE_KNOWN;
    if (is_wanted && !append_known(key, *at, *slots)) return false;
    if (!is_wanted) pa_string_append(key, at, (size_t)(next - at));
    slots += has_value ? 1 : pa_type_slots(at);
  }
  return true;
}

static const pa_variant *make(pa_dispatcher *self, const char *key, size_t length) {
  if (self->value_count >= MOST_VALUES)
    return pa_raise_instance(pa_call_helper("_report", "too_many_values", "(Oi)", self->function, MOST_VALUES)), NULL;
  const pa_variant *made = pa_variant_for(self, key, length);
  if (made) ++self->value_count;
  return made;
}

const pa_variant *pa_variant_for_values(pa_dispatcher *self, const pa_variant *variant, const uint64_t *slots) {
  pa_string key = {0};
  const pa_variant *found = NULL;
  if (append_key(&key, variant, slots)) {
    const char *text = pa_string_text(&key);
    for (found = self->variants; found && !pa_variant_fits(found, text, key.length);) found = found->next;
    if (!found) found = make(self, text, key.length);
  }
  pa_string_free(&key);
  return found;
}
