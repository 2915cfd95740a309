// str(), repr(), format(), str.format and f-strings, print: values are parts of an item, a tuple of all arguments.
#include <stdlib.h>

#include "format_spec.h"

//===-- A part of an item -------------------------------------------------------------------------===//

typedef struct value {
  const pa_item_type *type;
  int32_t part;
  const char *item;
} value;

#define LOAD(type, at) (*(const type *)(const void *)(at))

static const pa_item_part *part_of(const value *v) { return &v->type->parts[v->part]; }
static const char *place_of(const value *v) { return v->item + part_of(v)->offset; }

// An optional value stands for what it holds, or for None, whose part is -1.
static value present(value v) {
  if (part_of(&v)->code != 'O') return v;
  bool some = *place_of(&v) & 1;
  return (value){v.type, some ? v.part + 1 : -1, v.item};
}

static bool as_int(const value *v, uint64_t *out_magnitude, bool *out_negative) {
  const char *at = place_of(v);
  int64_t number;
  switch (part_of(v)->code) {
  case '?': number = *at & 1; break;
  case 'b': number = LOAD(int8_t, at); break;
  case 'h': number = LOAD(int16_t, at); break;
  case 'i': number = LOAD(int32_t, at); break;
  case 'q': number = LOAD(int64_t, at); break;
  case 'B': number = LOAD(uint8_t, at); break;
  case 'H': number = LOAD(uint16_t, at); break;
  case 'I': number = LOAD(uint32_t, at); break;
  case 'Q': return *out_magnitude = LOAD(uint64_t, at), *out_negative = false, true;
  default: return false;
  }
  *out_negative = number < 0;
  *out_magnitude = number < 0 ? -(uint64_t)number : (uint64_t)number;
  return true;
}

static bool as_float(const value *v, double *out) {
  const char *at = place_of(v);
  switch (part_of(v)->code) {
  case 'e': return *out = (double)LOAD(_Float16, at), true;
  case 'f': return *out = LOAD(float, at), true;
  case 'd': return *out = LOAD(double, at), true;
  default: return false;
  }
}

static bool as_complex(const value *v, double out[2]) {
  const char *at = place_of(v);
  switch (part_of(v)->code) {
  case 'F': return out[0] = LOAD(float, at), out[1] = LOAD(float, at + 4), true;
  case 'D': return out[0] = LOAD(double, at), out[1] = LOAD(double, at + 8), true;
  default: return false;
  }
}

static const pa_str *as_str(const value *v) {
  return part_of(v)->code == 'U' ? pa_object_of(LOAD(int64_t, place_of(v))) : NULL;
}

//===-- Conversions -------------------------------------------------------------------------------===//

static void put_repr(value v, pa_string *out) {
  v = present(v);
  if (v.part < 0)
    pa_string_puts(out, "None");
  else
    pa_item_part_repr(v.type, v.part, v.item, out);
}

static void put_str(value v, pa_string *out) {
  v = present(v);
  const pa_str *str = v.part < 0 ? NULL : as_str(&v);
  if (str)
    pa_str_to_utf8(str, out);
  else
    put_repr(v, out);
}

// repr() with everything beyond ASCII escaped.
static void put_ascii(value v, pa_string *out) {
  pa_string shown = {0};
  put_repr(v, &shown);
  pa_str *text = pa_str_take(&shown);
  for (int64_t i = 0; text && i < text->length; ++i) {
    uint32_t code = pa_str_code(text, i);
    pa_string_format(out, code < 128 ? "%c" : code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
  }
  pyarray_rt_release(pa_handle_of(text));
}

static bool format_text(pa_string *text, const pa_str *spec, pa_string *out) {
  pa_format_spec read;
  pa_str *str = pa_str_take(text);
  bool done = str && pa_read_format_spec(spec, "str", &read) && pa_format_str(str, &read, out);
  pyarray_rt_release(pa_handle_of(str));
  return done;
}

static const char *name_of(const value *v) {
  char code = v->part < 0 ? 'n' : part_of(v)->code;
  if (code == 'n') return "NoneType";
  if (code == '(') return "tuple";
  if (code == 'Y') return "bytes";
  if (code == '[') return "numpy.ndarray";
  return code == 'o' ? pa_type_of(pa_object_of(LOAD(int64_t, place_of(v))))->name : "object";
}

static bool put_formatted(value v, const pa_str *spec, pa_string *out) {
  pa_format_spec read;
  uint64_t magnitude;
  bool negative;
  double number, parts[2];
  if (!spec || !spec->length) return put_str(v, out), true;
  v = present(v);
  if (v.part >= 0 && as_str(&v)) return pa_read_format_spec(spec, "str", &read) && pa_format_str(as_str(&v), &read, out);
  if (v.part >= 0 && as_int(&v, &magnitude, &negative)) {
    const char *name = part_of(&v)->code == '?' ? "bool" : "int";
    return pa_read_format_spec(spec, name, &read) && pa_format_int(magnitude, negative, &read, name, out);
  }
  if (v.part >= 0 && as_float(&v, &number)) return pa_read_format_spec(spec, "float", &read) && pa_format_float(number, &read, "float", out);
  if (v.part >= 0 && as_complex(&v, parts))
    return pa_read_format_spec(spec, "complex", &read) && pa_format_complex(parts[0], parts[1], &read, out);
  return pa_record_failure(PA_TYPE_ERROR, "unsupported format string passed to %s.__format__", name_of(&v)), false;
}

//===-- Templates ---------------------------------------------------------------------------------===//

typedef struct template {
  const pa_str *text;
  int64_t at, stop;
  const pa_item_type *type;
  const char *item;
  int64_t next; // argument of an empty field; -1: fields are numbered
  bool by_hand;
} template;

static bool refuse(const char *message) { return pa_record_failure(PA_VALUE_ERROR, "%s", message), false; }

static uint32_t here(const template *t) { return t->at < t->stop ? pa_str_code(t->text, t->at) : 0; }

// The argument that the name from |start| to |stop| means.
static bool find_argument(template *t, int64_t start, int64_t stop, value *out) {
  int64_t number = 0;
  bool by_hand = stop > start;
  for (int64_t i = start; i < stop; ++i) {
    uint32_t code = pa_str_code(t->text, i);
    if (code < '0' || code > '9' || number > INT32_MAX)
      return refuse("fields of a format string have numbers or nothing as names in compiled code");
    number = 10 * number + code - '0';
  }
  if (by_hand && t->next > 0) return refuse("cannot switch from automatic field numbering to manual field specification");
  if (!by_hand && t->by_hand) return refuse("cannot switch from manual field specification to automatic field numbering");
  t->by_hand |= by_hand;
  if (!by_hand) number = t->next++;
  int32_t part = 1;
  for (int64_t i = 0; i < number && part < t->type->part_count; ++i) part = t->type->parts[part].end;
  if (part >= t->type->part_count)
    return pa_record_failure(PA_INDEX_ERROR, "Replacement index %lld out of range for positional args tuple", (long long)number), false;
  return *out = (value){t->type, part, t->item}, true;
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
  while (t->at < t->stop && !strchr("!:}{", (int)(here(t) < 128 ? here(t) : 'x'))) ++t->at;
  if (here(t) == '{') return refuse("unexpected '{' in field name");
  if (t->at == t->stop) return refuse("expected '}' before end of string");
  value argument;
  int64_t name_end = t->at;
  uint32_t conversion = 0;
  if (here(t) == '!') {
    ++t->at;
    conversion = here(t);
    ++t->at;
    if (!conversion || conversion == '}' || t->at >= t->stop) return refuse("unmatched '{' in format spec");
    if (here(t) != ':' && here(t) != '}') return refuse("expected ':' after conversion specifier");
  }
  if (!find_argument(t, start, name_end, &argument)) return false;
  bool has_spec = here(t) == ':';
  if (has_spec) ++t->at;
  if (!find_end(t, t->at, &end)) return refuse("unmatched '{' in format spec");
  if (has_spec && depth == 1) return refuse("Max string recursion exceeded");
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
    done = put_formatted(argument, read, out);
  } else if (!strchr("sra", (int)(conversion < 128 ? conversion : 'x'))) {
    pa_put_utf8(conversion, &text);
    pa_record_failure(PA_VALUE_ERROR, "Unknown conversion specifier %s", pa_string_text(&text));
    pa_string_free(&text);
    done = false;
  } else {
    (conversion == 's' ? put_str : conversion == 'r' ? put_repr : put_ascii)(argument, &text);
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

int64_t pyarray_rt_str_format(int64_t format, int64_t type, int64_t item) {
  const pa_str *str = pa_str_of(format);
  template t = {.text = str, .stop = str->length, .type = type_at(type), .item = item_at(item)};
  pa_string out = {0};
  if (put_template(&t, 0, &out)) return finish(&out);
  pa_string_free(&out);
  return 0;
}

// Of one value, the only element of the tuple.
static value only(int64_t type, int64_t item) { return (value){type_at(type), 1, item_at(item)}; }

int64_t pyarray_rt_format(int64_t type, int64_t item, int64_t spec) {
  pa_string out = {0};
  if (put_formatted(only(type, item), spec ? pa_str_of(spec) : NULL, &out)) return finish(&out);
  pa_string_free(&out);
  return 0;
}

int64_t pyarray_rt_repr(int64_t type, int64_t item) {
  pa_string out = {0};
  put_repr(only(type, item), &out);
  return finish(&out);
}

int64_t pyarray_rt_ascii(int64_t type, int64_t item) {
  pa_string out = {0};
  put_ascii(only(type, item), &out);
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
    put_str((value){tuple, part, item_at(item)}, &out);
  }
  if (end)
    pa_str_to_utf8(pa_str_of(end), &out);
  else
    pa_string_puts(&out, "\n");
  bool done = pa_print(&out, flush & 1);
  pa_string_free(&out);
  return !done;
}
