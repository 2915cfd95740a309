// The text of a record is NumPy's: who embeds the runtime makes it.
#include "text.h"

static int64_t (*make_text)(const char *code, const void *data, bool repr);

void pa_set_record_text(int64_t (*make)(const char *code, const void *data, bool repr)) { make_text = make; }

int64_t pyarray_rt_record_shown(int64_t address, int64_t code, int64_t repr) {
  pa_string text = {0};
  pa_str_to_utf8(pa_str_of(code), &text);
  int64_t made = make_text ? make_text(pa_string_text(&text), (const void *)(uintptr_t)address, repr & 1)
                           : pa_handle_of(pa_str_from_utf8("<record>", 8));
  pa_string_free(&text);
  return made;
}
