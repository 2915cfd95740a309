// str(), repr(), format(), str.format and f-strings, print.
#include <stdlib.h>

#include "format_value.h"

static bool format_text(pa_string *text, const pa_str *spec, pa_string *out) {
  pa_format_spec read;
  pa_str *str = pa_str_take(text);
  bool done = str && pa_read_format_spec(spec, "str", &read) && pa_format_str(str, &read, out);
  pyarray_rt_release(pa_handle_of(str));
  return done;
}

//===-- Templates ---------------------------------------------------------------------------------===//

typedef struct template {
  const pa_str *text;
  int64_t at, stop;
  const pa_item_type *type;
  const char *item;
  const pa_str *names;          // "x,y": of the last arguments; NULL: none has one
  const pa_value_part *mapping; // of format_map(), where names mean keys; else NULL
  int64_t next;                 // argument of an empty field
  bool by_hand;
} template;

static bool refuse(const char *message) { return pa_record_failure(PA_VALUE_ERROR, "%s", message), false; }

static uint32_t here(const template *t) { return t->at < t->stop ? pa_str_code(t->text, t->at) : 0; }

static int64_t name_count(const template *t) {
  int64_t count = t->names != NULL;
  for (int64_t i = 0; t->names && i < t->names->length; ++i) count += pa_str_code(t->names, i) == ',';
  return count;
}

static int64_t argument_count(const template *t) {
  int64_t count = 0;
  for (int32_t part = 1; part < t->type->part_count; part = t->type->parts[part].end) ++count;
  return count;
}

static pa_value_part argument_at(const template *t, int64_t number) {
  int32_t part = 1;
  while (number--) part = t->type->parts[part].end;
  return (pa_value_part){t->type, part, t->item};
}

// Number of the name that is |name|, or -1.
static int64_t find_name(const template *t, const pa_str *name) {
  int64_t number = 0;
  for (int64_t start = 0, at = 0; t->names && at <= t->names->length; ++at) {
    if (at < t->names->length && pa_str_code(t->names, at) != ',') continue;
    bool same = at - start == name->length;
    for (int64_t i = 0; same && i < name->length; ++i) same = pa_str_code(t->names, start + i) == pa_str_code(name, i);
    if (same) return number;
    ++number;
    start = at + 1;
  }
  return -1;
}

static bool find_named(const template *t, int64_t start, int64_t stop, pa_value_part *out) {
  for (int64_t i = start; i < stop; ++i)
    if (pa_str_code(t->text, i) == '.' || pa_str_code(t->text, i) == '[')
      return refuse("attributes and indices in the fields of a format string are not compiled");
  pa_str *name = pa_str_part(t->text, start, stop - start);
  if (!name) return false;
  int64_t number = t->mapping ? -1 : find_name(t, name);
  bool found = number >= 0 || (t->mapping && pa_value_lookup(t->mapping, name, out));
  if (number >= 0) *out = argument_at(t, argument_count(t) - name_count(t) + number);
  if (!found) pa_record_key_failure(name);
  pyarray_rt_release(pa_handle_of(name));
  return found;
}

// The argument that the name from |start| to |stop| means.
static bool find_argument(template *t, int64_t start, int64_t stop, pa_value_part *out) {
  int64_t number = 0;
  bool by_hand = stop > start;
  for (int64_t i = start; i < stop; ++i) {
    uint32_t code = pa_str_code(t->text, i);
    if (code < '0' || code > '9') return find_named(t, start, stop, out);
    if (number > INT32_MAX) return refuse("Too many decimal digits in format string");
    number = 10 * number + code - '0';
  }
  if (t->mapping) return refuse("Format string contains positional fields");
  if (by_hand && t->next > 0)
    return refuse("cannot switch from automatic field numbering to manual field specification");
  if (!by_hand && t->by_hand)
    return refuse("cannot switch from manual field specification to automatic field numbering");
  t->by_hand |= by_hand;
  if (!by_hand) number = t->next++;
  if (number >= argument_count(t) - name_count(t))
    return pa_record_failure(PA_INDEX_ERROR, "Replacement index %lld out of range for positional args tuple",
                             (long long)number),
           false;
  return *out = argument_at(t, number), true;
}

static bool put_template(template *t, int depth, pa_string *out);

// The end of a field's specification, whose fields in turn are closed.
static bool find_end(const template *t, int64_t from, int64_t *out_end) {
  int open = 1;
  for (int64_t i = from; i < t->stop; ++i) {
    uint32_t code = pa_str_code(t->text, i);
    open += (code == '{') - (code == '}');
    if (!open) return *out_end = i, true;
  }
  return false;
}

static bool put_field(template *t, int depth, pa_string *out) {
  int64_t start = t->at, end;
  if (t->at == t->stop) return refuse("Single '{' encountered in format string");
  while (t->at < t->stop && !pa_is_one_of(here(t), "!:}{")) ++t->at;
  if (here(t) == '{') return refuse("unexpected '{' in field name");
  if (t->at == t->stop) return refuse("expected '}' before end of string");
  pa_value_part argument;
  int64_t name_end = t->at;
  uint32_t conversion = 0;
  if (here(t) == '!') {
    if (++t->at == t->stop) return refuse("end of string while looking for conversion specifier");
    conversion = here(t);
    if (++t->at == t->stop) return refuse("unmatched '{' in format spec");
    if (here(t) != ':' && here(t) != '}') return refuse("expected ':' after conversion specifier");
  }
  bool has_spec = here(t) == ':';
  if (has_spec) ++t->at;
  if (!find_end(t, t->at, &end)) return refuse("unmatched '{' in format spec");
  if (!find_argument(t, start, name_end, &argument)) return false;
  if (has_spec && depth == 1) return refuse("Max string recursion exceeded");
  if (!has_spec && !conversion) return t->at = end + 1, pa_value_format(argument, NULL, out);
  template inner = *t;
  inner.stop = end;
  pa_string spec = {0}, text = {0};
  bool done = put_template(&inner, depth + 1, &spec);
  t->at = end + 1;
  t->next = inner.next;
  t->by_hand = inner.by_hand;
  pa_str *read = done ? pa_str_take(&spec) : NULL;
  if (!read) return pa_string_free(&spec), false;
  if (!conversion) {
    done = pa_value_format(argument, read, out);
  } else if (!pa_is_one_of(conversion, "sra")) {
    char shown[PA_SHOWN_CODE];
    pa_record_failure(PA_VALUE_ERROR, "Unknown conversion specifier %s", pa_show_code(conversion, shown));
    done = false;
  } else {
    (conversion == 's' ? pa_value_to_str : conversion == 'r' ? pa_value_repr : pa_value_ascii)(argument, &text);
    done = format_text(&text, read, out);
  }
  pyarray_rt_release(pa_handle_of(read));
  return done;
}

static bool put_template(template *t, int depth, pa_string *out) {
  while (t->at < t->stop) {
    uint32_t code = here(t);
    ++t->at;
    bool brace = code == '{' || code == '}';
    if (brace && here(t) == code) {
      ++t->at;
    } else if (code == '{') {
      if (!put_field(t, depth, out)) return false;
      continue;
    } else if (code == '}') {
      return refuse("Single '}' encountered in format string");
    }
    pa_put_utf8(code, out);
  }
  return true;
}

static const pa_item_type *type_at(int64_t address) { return (const pa_item_type *)(uintptr_t)address; }
static const char *item_at(int64_t address) { return (const char *)(uintptr_t)address; }
static int64_t finish(pa_string *text) { return pa_handle_of(pa_str_take(text)); }

// Of one value, the only element of the tuple.
static pa_value_part only(int64_t type, int64_t item) { return (pa_value_part){type_at(type), 1, item_at(item)}; }

static int64_t put_whole(template *t) {
  pa_string out = {0};
  t->stop = t->text->length;
  if (put_template(t, 0, &out)) return finish(&out);
  pa_string_free(&out);
  return 0;
}

int64_t pyarray_rt_str_format(int64_t format, int64_t names, int64_t type, int64_t item) {
  return put_whole(&(template){.text = pa_str_of(format),
                               .type = type_at(type),
                               .item = item_at(item),
                               .names = names ? pa_str_of(names) : NULL});
}

int64_t pyarray_rt_str_format_map(int64_t format, int64_t type, int64_t item) {
  pa_value_part mapping = only(type, item);
  return put_whole(
      &(template){.text = pa_str_of(format), .type = type_at(type), .item = item_at(item), .mapping = &mapping});
}

int64_t pyarray_rt_format(int64_t type, int64_t item, int64_t spec) {
  pa_string out = {0};
  if (pa_value_format(only(type, item), spec ? pa_str_of(spec) : NULL, &out)) return finish(&out);
  pa_string_free(&out);
  return 0;
}

int64_t pyarray_rt_repr(int64_t type, int64_t item) {
  pa_string out = {0};
  pa_value_repr(only(type, item), &out);
  return finish(&out);
}

int64_t pyarray_rt_ascii(int64_t type, int64_t item) {
  pa_string out = {0};
  pa_value_ascii(only(type, item), &out);
  return finish(&out);
}

int64_t pyarray_rt_hash(int64_t type, int64_t item) {
  const pa_item_type *tuple = type_at(type);
  return pa_item_part_hash(tuple, 1, item_at(item));
}

//===-- print -------------------------------------------------------------------------------------===//

// The arguments are parts of a tuple; |separator| and |end| may be 0.
int32_t pyarray_rt_print(int64_t type, int64_t item, int64_t separator, int64_t end, int64_t flush) {
  const pa_item_type *tuple = type_at(type);
  pa_string out = {0};
  for (int32_t part = 1; part < tuple->part_count; part = tuple->parts[part].end) {
    if (part > 1 && separator) pa_str_to_utf8(pa_str_of(separator), &out);
    if (part > 1 && !separator) pa_string_puts(&out, " ");
    pa_value_to_str((pa_value_part){tuple, part, item_at(item)}, &out);
  }
  if (end)
    pa_str_to_utf8(pa_str_of(end), &out);
  else
    pa_string_puts(&out, "\n");
  bool done = pa_print(&out, flush & 1);
  pa_string_free(&out);
  return !done;
}
