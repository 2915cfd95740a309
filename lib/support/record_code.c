#include "record_code.h"

#include <stdlib.h>
#include <string.h>

#include "type_code.h"

//===-- Syntax ------------------------------------------------------------------------------------===//

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// number = "0" | nonzero digit*, at most PA_RECORD_MAX_SIZE.
static const char *parse_number(const char *at, int64_t *out_number) {
  if (!is_digit(*at) || (at[0] == '0' && is_digit(at[1]))) return NULL;
  int64_t number = 0;
  for (; is_digit(*at); ++at) {
    number = 10 * number + (*at - '0');
    if (number > PA_RECORD_MAX_SIZE) return NULL;
  }
  *out_number = number;
  return at;
}

static bool is_plain(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static int hex_value(char c) {
  const char *digits = "0123456789ABCDEF", *found = c ? strchr(digits, c) : NULL;
  return found ? (int)(found - digits) : -1;
}

static const char *skip_name(const char *at) {
  for (;; ++at) {
    if (is_plain(*at)) continue;
    if (*at != '%') return at;
    if (hex_value(at[1]) < 0 || hex_value(at[2]) < 0 || (at[1] == '0' && at[2] == '0')) return NULL;
    at += 2;
  }
}

// field = "," name [ "~" title ] "@" offset ":" { extent "x" } ...; gives the place of the item.
static const char *parse_field(const char *at, pa_record_field *field) {
  if (*at++ != ',') return NULL;
  field->name = at;
  at = skip_name(at);
  if (!at) return NULL;
  field->name_length = (size_t)(at - field->name);
  field->title = *at == '~' ? at + 1 : at;
  if (*at == '~') at = skip_name(at + 1);
  if (!at || *at != '@') return NULL;
  field->title_length = (size_t)(at - field->title);
  at = parse_number(at + 1, &field->offset);
  if (!at || *at++ != ':') return NULL;
  for (field->rank = 0; is_digit(*at); ++at) {
    if (field->rank == PA_RECORD_MAX_RANK) return NULL;
    at = parse_number(at, &field->extents[field->rank++]);
    if (!at || *at != 'x') return NULL;
  }
  return field->item = at;
}

static const char *parse_head(const char *at, pa_record *record) {
  if (*at++ != '{') return NULL;
  record->is_record = *at == 'r';
  at += record->is_record;
  record->is_packed = *at == 'p';
  at += record->is_packed;
  return record->fields = parse_number(at, &record->size);
}

static const char *walk_item(const char *at, int depth, int64_t *size);

// The bytes of a field, all elements of a sub-array; -1 where they are too many.
static int64_t field_bytes(const pa_record_field *field, int64_t item_size) {
  int64_t bytes = item_size;
  for (int i = 0; i < field->rank; ++i)
    if (__builtin_mul_overflow(bytes, field->extents[i], &bytes) || bytes > PA_RECORD_MAX_SIZE) return -1;
  return bytes;
}

static const char *walk_record(const char *at, int depth, int64_t *size) {
  pa_record record;
  at = depth < PA_RECORD_MAX_DEPTH ? parse_head(at, &record) : NULL;
  while (at && *at != '}') {
    pa_record_field field;
    int64_t item_size = 0;
    at = parse_field(at, &field);
    if (at) at = walk_item(at, depth + 1, &item_size);
    int64_t bytes = at ? field_bytes(&field, item_size) : 0;
    if (bytes < 0 || (at && field.offset + bytes > record.size)) return NULL;
  }
  if (at) *size = record.size;
  return at ? at + 1 : NULL;
}

// Past the elements of the vector, of which |*out_count| are there; NULL where it is malformed.
static const char *walk_vector(const char *at, int *out_count) {
  at += 1 + (at[1] == 'p');
  if (*at++ != '(' || !pa_code_is_number(*at) || *at == '?' || pa_dtype_kind_of(*at) == PA_DTYPE_COMPLEX) return NULL;
  const char *first = at;
  while (*at == *first) ++at;
  *out_count = (int)(at - first);
  return *at == ')' && *out_count <= PA_VECTOR_MAX_COUNT ? at + 1 : NULL;
}

int pa_vector_count(const char *code, char *out_letter) {
  int count = 0;
  const char *end = *code == 'x' ? walk_vector(code, &count) : NULL;
  if (end && out_letter) *out_letter = end[-2];
  return end ? count : 0;
}

static const char *walk_item(const char *at, int depth, int64_t *size) {
  if (*at == '{') return walk_record(at, depth, size);
  if (*at == 'x') {
    int count;
    const char *end = walk_vector(at, &count);
    if (end) *size = (int64_t)count * pa_dtype_size(end[-2]);
    return end;
  }
  if (*at == 'z' || *at == 'Z') {
    int width = *at == 'Z' ? 4 : 1;
    const char *end = parse_number(at + 1, size);
    return end && (*size *= width) <= PA_RECORD_MAX_SIZE ? end : NULL;
  }
  pa_type type;
  if (!*at || !pa_dtype_is_valid(*at)) return NULL;
  const char *end = pa_type_next(at, &type);
  if (end) *size = pa_dtype_size(type.dtype);
  return end;
}

const char *pa_item_code_end(const char *code, int64_t *out_size) {
  int64_t size;
  const char *end = walk_item(code, 0, &size);
  if (end && out_size) *out_size = size;
  return end;
}

//===-- Fields ------------------------------------------------------------------------------------===//

pa_record pa_record_head(const char *code) {
  pa_record record = {0};
  parse_head(code, &record);
  return record;
}

const char *pa_record_next(const char *at, pa_record_field *out_field) {
  if (*at != ',') return NULL;
  pa_record_field field;
  const char *item = parse_field(at, &field), *end = item ? pa_item_code_end(item, NULL) : NULL;
  if (!end) return NULL;
  field.item_length = (size_t)(end - item);
  *out_field = field;
  return end;
}

static char decode(const char **at) {
  char c = *(*at)++;
  if (c != '%') return c;
  c = (char)(16 * hex_value((*at)[0]) + hex_value((*at)[1]));
  *at += 2;
  return c;
}

void pa_record_name(const char *name, size_t length, char *out) {
  for (const char *at = name; at < name + length;) *out++ = decode(&at);
  *out = '\0';
}

// Whether |at| of |spelt| characters is that name.
static bool is_name(const char *at, size_t spelt, const char *name, size_t length) {
  const char *end = at + spelt;
  for (; length && at < end; --length)
    if (decode(&at) != *name++) return false;
  return !length && at == end;
}

// Element |index| of a vector, as a field.
static bool vector_field(const char *code, int64_t index, pa_record_field *out_field) {
  static const char names[] = "xyzw";
  char letter;
  if (index >= pa_vector_count(code, &letter)) return false;
  *out_field = (pa_record_field){.name = names + index,
                                 .name_length = 1,
                                 .offset = index * pa_dtype_size(letter),
                                 .item = strchr(code, '(') + 1,
                                 .item_length = 1};
  return true;
}

bool pa_record_find(const char *code, const char *name, size_t length, pa_record_field *out_field) {
  if (*code == 'x')
    return length == 1 && *name >= 'w' && *name <= 'z' && vector_field(code, *name == 'w' ? 3 : *name - 'x', out_field);
  pa_record_field field;
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field));)
    if (is_name(field.name, field.name_length, name, length) ||
        (field.title_length && is_name(field.title, field.title_length, name, length)))
      return *out_field = field, true;
  return false;
}

bool pa_record_field_at(const char *code, int64_t index, pa_record_field *out_field) {
  pa_record_field field;
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field)); --index)
    if (index == 0) return *out_field = field, true;
  return false;
}

int64_t pa_record_field_count(const char *code) {
  pa_record_field field;
  int64_t count = 0;
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field));) ++count;
  return count;
}

//===-- Alignment ---------------------------------------------------------------------------------===//

// Of what lies at natural addresses; 0 where something does not. |whole|: vectors lie at addresses of their own, not of
// their elements.
static int natural_alignment(const char *code, bool whole) {
  if (*code == 'z') return 1;
  if (*code == 'Z') return 4;
  if (*code == 'x') {
    char letter = 'b';
    int count = pa_vector_count(code, &letter), size = pa_dtype_size(letter), all = count * size;
    return code[1] == 'p' ? 0 : count == 3 || !whole ? size : all < 16 ? all : 16;
  }
  if (*code != '{') return pa_dtype_size(*code) / (pa_dtype_kind_of(*code) == PA_DTYPE_COMPLEX ? 2 : 1);
  pa_record record = pa_record_head(code);
  pa_record_field field;
  int alignment = 1;
  if (record.is_packed) return 0;
  for (const char *at = record.fields; (at = pa_record_next(at, &field));) {
    int own = natural_alignment(field.item, whole);
    if (own == 0 || field.offset % own) return 0;
    if (own > alignment) alignment = own;
  }
  return record.size % alignment ? 0 : alignment;
}

int pa_item_code_alignment(const char *code) {
  int alignment = natural_alignment(code, true);
  if (!alignment && *code == '{')
    alignment = natural_alignment(code, false); // NumPy puts vectors in aligned records where elements may lie
  return alignment ? alignment : 1;
}

bool pa_item_codes_fit(const char *from, size_t from_length, const char *to, size_t to_length) {
  const char *from_end = from + from_length, *to_end = to + to_length;
  while (from < from_end && to < to_end) {
    if (*from++ != *to++) return false;
    bool record = from[-1] == '{', vector = from[-1] == 'x' && to[*to == 'p'] == '('; // which no name has
    from += record && *from == 'r';
    to += record && *to == 'r';
    if ((record || vector) && *to == 'p') ++to, from += *from == 'p';
  }
  return from == from_end && to == to_end;
}

int64_t pa_item_code_size(const char *code) {
  int64_t size = 0;
  pa_item_code_end(code, &size);
  return size;
}
