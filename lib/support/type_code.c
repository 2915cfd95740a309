#include "type_code.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "record_code.h"

//===-- Scalars -----------------------------------------------------------------------------------===//

typedef struct dtype_row {
  char letter;
  unsigned char kind;
  unsigned char size;
  const char *name;
} dtype_row;

static const dtype_row dtypes[] = {
    {'?', PA_DTYPE_BOOL, 1, "bool"},
    {'b', PA_DTYPE_SIGNED, 1, "int8"},
    {'h', PA_DTYPE_SIGNED, 2, "int16"},
    {'i', PA_DTYPE_SIGNED, 4, "int32"},
    {'q', PA_DTYPE_SIGNED, 8, "int64"},
    {'B', PA_DTYPE_UNSIGNED, 1, "uint8"},
    {'H', PA_DTYPE_UNSIGNED, 2, "uint16"},
    {'I', PA_DTYPE_UNSIGNED, 4, "uint32"},
    {'Q', PA_DTYPE_UNSIGNED, 8, "uint64"},
    {'e', PA_DTYPE_FLOAT, 2, "float16"},
    {'g', PA_DTYPE_FLOAT, 2, "bfloat16"},
    {'f', PA_DTYPE_FLOAT, 4, "float32"},
    {'d', PA_DTYPE_FLOAT, 8, "float64"},
    {'F', PA_DTYPE_COMPLEX, 8, "complex64"},
    {'D', PA_DTYPE_COMPLEX, 16, "complex128"},
    {'M', PA_DTYPE_DATETIME, 8, "datetime64"},
    {'m', PA_DTYPE_TIMEDELTA, 8, "timedelta64"},
};

static const dtype_row *find_dtype(char letter) {
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; ++i)
    if (dtypes[i].letter == letter) return &dtypes[i];
  return NULL;
}

static const dtype_row *known_dtype(char letter) {
  const dtype_row *row = find_dtype(letter);
  assert(row && "not a scalar letter");
  return row;
}

bool pa_dtype_is_valid(char dtype) { return find_dtype(dtype) != NULL; }
pa_dtype_kind pa_dtype_kind_of(char dtype) { return (pa_dtype_kind)known_dtype(dtype)->kind; }
int pa_dtype_size(char dtype) { return known_dtype(dtype)->size; }
int pa_dtype_slots(char dtype) { return known_dtype(dtype)->size > 8 ? 2 : 1; }
const char *pa_dtype_name(char dtype) { return known_dtype(dtype)->name; }

//===-- Types -------------------------------------------------------------------------------------===//

// rank = "0" | nonzero digit*
static const char *parse_rank(const char *at, int *out_rank) {
  if (*at < '0' || *at > '9') return NULL;
  if (at[0] == '0' && at[1] >= '0' && at[1] <= '9') return NULL;
  int rank = 0;
  for (; *at >= '0' && *at <= '9'; ++at) {
    rank = 10 * rank + (*at - '0');
    if (rank > PA_TYPE_MAX_RANK) return NULL;
  }
  *out_rank = rank;
  return at;
}

// scalar = number | ( "M" | "m" ) "[" unit "]"
static const char *parse_scalar(const char *at, pa_type *type) {
  if (!find_dtype(*at)) return NULL;
  type->dtype = *at++;
  if (!pa_dtype_is_time(type->dtype)) return at;
  size_t length = *at == '[' ? pa_time_unit_parse(at + 1, strlen(at + 1), &type->unit) : 0;
  return length && at[1 + length] == ']' ? at + length + 2 : NULL;
}

// |at|: an item that lies there as bytes.
static const char *parse_bytes(const char *at, pa_type_kind kind, pa_type *type) {
  const char *end = type->rank <= PA_RECORD_MAX_RANK ? pa_item_code_end(at, &type->item_size) : NULL;
  type->kind = kind;
  type->elements = at;
  return end;
}

// array = "[" layout rank item; |at| is past the bracket.
static const char *parse_array(const char *at, pa_type *type) {
  type->kind = PA_TYPE_ARRAY;
  if (!*at || !strchr("CFABcfab", *at)) return NULL;
  type->readonly = *at >= 'a';
  type->layout = type->readonly ? (char)(*at - 'a' + 'A') : *at;
  at = parse_rank(at + 1, &type->rank);
  if (at && *at && (type->layout == 'B' || strchr("{zZx", *at))) return parse_bytes(at, PA_TYPE_RECORDS, type);
  return at ? parse_scalar(at, type) : NULL;
}

bool pa_format_is_valid(char format) { return format && strchr("?bBhHiIlLqQnNefd", format); }

// view = "V" format array; |at| is past the letter.
static const char *parse_view(const char *at, pa_type *type) {
  type->format = *at;
  if (!pa_format_is_valid(*at) || at[1] != '[') return NULL;
  at = parse_array(at + 2, type);
  return type->kind == PA_TYPE_ARRAY ? at : NULL;
}

// random = "r" ( "g" | "b" ); |at| is past the letter. It has the slots of "[C1Q", the words of NumPy's bitgen_t.
static const char *parse_random(const char *at, pa_type *type) {
  type->random = *at;
  return *at == 'g' || *at == 'b' ? parse_array("C1Q", type), at + 1 : NULL;
}

// pointer = "*" pointee; |at| is past the star.
static const char *parse_pointer(const char *at, pa_type *type);

// What a C function takes or gives.
static const char *parse_c_type(const char *at, bool result) {
  pa_type type = {0};
  if (*at == 'n') return result ? at + 1 : NULL;
  if (*at != '*') return find_dtype(*at) && !pa_dtype_is_time(*at) ? at + 1 : NULL;
  return at[1] == '(' ? NULL : parse_pointer(at + 1, &type);
}

// "(" type* ")" type; |at| is past the bracket.
static const char *parse_c_function(const char *at, pa_type *type) {
  type->kind = PA_TYPE_POINTER;
  type->dtype = '(';
  while (at && *at != ')') at = parse_c_type(at, false);
  return at ? parse_c_type(at + 1, true) : NULL;
}

static const char *parse_pointer(const char *at, pa_type *type) {
  if (*at == '(') return parse_c_function(at + 1, type);
  type->kind = PA_TYPE_POINTER;
  type->dtype = *at;
  if (*at == '{') return pa_item_code_end(at, NULL);
  if (*at != 'n' && (!find_dtype(*at) || pa_dtype_is_time(*at))) return NULL;
  return at + 1;
}

// instance = "J[" name "]"; |at| is past the letter.
static const char *parse_instance(const char *at, pa_type *type) {
  const char *end = *at == '[' ? strchr(at, ']') : NULL;
  if (!end || end == at + 1) return NULL;
  type->kind = PA_TYPE_INSTANCE;
  type->elements = at + 1;
  return end + 1;
}

// function = "P[" number "]"; |at| is past the letter.
static const char *parse_function(const char *at, pa_type *type) {
  if (*at++ != '[' || *at < '0' || *at > '9') return NULL;
  type->kind = PA_TYPE_FUNCTION;
  type->elements = at;
  while (*at >= '0' && *at <= '9') ++at;
  return *at == ']' ? at + 1 : NULL;
}

// "[" name "]"; |at| is the bracket. Returns what follows.
static const char *parse_name(const char *at, pa_type *type) {
  const char *end = *at == '[' ? strchr(at, ']') : NULL;
  if (!end) return NULL;
  type->name = at + 1;
  return end + 1;
}

// enum = "E" [ "+" | "|" ] "[" name "]"; |at| is past the letter.
static const char *parse_enum(const char *at, pa_type *type) {
  type->kind = PA_TYPE_SCALAR;
  type->dtype = 'q';
  return parse_name(at + (*at == '+' || *at == '|'), type);
}

// functions = "p[" number { "," number } "]"; |at| is past the letter.
static const char *parse_functions(const char *at, pa_type *type) {
  type->kind = PA_TYPE_SCALAR;
  type->dtype = 'q';
  const char *end = parse_name(at, type);
  size_t length = end ? (size_t)(end - 1 - type->name) : 0;
  return length && strspn(type->name, "0123456789,") == length ? end : NULL;
}

// slice = "l" part part part; |at| is past the letter.
static const char *parse_slice(const char *at, pa_type *type) {
  type->kind = PA_TYPE_SLICE;
  type->elements = at;
  for (int i = 0; i < 3; ++i, ++at)
    if (*at != 'q' && *at != 'n') return NULL;
  return at;
}

// dtype = "t" item, or a class of Python's or the ellipsis, "t[float]"; |at| is past the letter.
static const char *parse_dtype(const char *at, pa_type *type) {
  pa_type item = {0};
  type->kind = PA_TYPE_DTYPE;
  type->elements = at;
  if (*at == '[') return at[strcspn(at, "]")] ? at + strcspn(at, "]") + 1 : NULL;
  return *at == '{' || *at == 'x' ? pa_item_code_end(at, NULL) : parse_scalar(at, &item);
}

// The types that hold no others.
static const char *parse_leaf(const char *at, pa_type *type) {
  if (*at == 'E') return parse_enum(at + 1, type);
  if (*at == 'l') return parse_slice(at + 1, type);
  if (*at == 'J') return parse_instance(at + 1, type);
  if (*at == 'P') return parse_function(at + 1, type);
  if (*at == 'p') return parse_functions(at + 1, type);
  if (*at == 't') return parse_dtype(at + 1, type);
  if (*at == '[') return parse_array(at + 1, type);
  if (*at == 'V') return parse_view(at + 1, type);
  if (*at == 'r') return parse_random(at + 1, type);
  if (at[0] == 'v' && at[1] == '{') type->readonly = true, ++at;
  if (*at == '{') return parse_bytes(at, PA_TYPE_RECORD, type);
  if (*at == '*') return parse_pointer(at + 1, type);
  if (*at && strchr("nUYWR", *at)) {
    type->kind = *at == 'n'   ? PA_TYPE_NONE
                 : *at == 'U' ? PA_TYPE_STR
                 : *at == 'Y' ? PA_TYPE_BYTES
                 : *at == 'W' ? PA_TYPE_BYTEARRAY
                              : PA_TYPE_RANGE;
    return at + 1;
  }
  type->kind = PA_TYPE_SCALAR;
  return parse_scalar(at, type);
}

static int64_t leaf_slots(const pa_type *type) {
  switch (type->kind) {
  case PA_TYPE_SCALAR: return pa_dtype_slots(type->dtype);
  case PA_TYPE_ARRAY: return 4 + 2 * type->rank;
  case PA_TYPE_RECORD:
  case PA_TYPE_RECORDS: return 4 + 2 * (type->rank + 1); // of their bytes
  case PA_TYPE_RANGE: return 3;
  case PA_TYPE_SLICE: return (type->elements[0] == 'q') + (type->elements[1] == 'q') + (type->elements[2] == 'q');
  case PA_TYPE_POINTER:
  case PA_TYPE_STR:
  case PA_TYPE_BYTES:
  case PA_TYPE_BYTEARRAY:
  case PA_TYPE_INSTANCE: return 1;
  default: return 0;
  }
}

static const char *walk(const char *at, int depth, int64_t *slots);

static const char *walk_tuple(const char *at, int depth, int64_t *slots) {
  while (at && *at != ')') at = walk(at, depth + 1, slots);
  return at ? at + 1 : NULL;
}

// Of a list, set, dict or generator, |at| its letter: a handle, whatever it holds.
static const char *walk_container(const char *at, int depth, int64_t *slots) {
  int64_t ignored = 0;
  const char *rest = walk(at + 1, depth + 1, &ignored);
  if (rest && *at == 'K') rest = walk(rest, depth + 1, &ignored);
  ++*slots;
  return rest;
}

// Of a named tuple, |at| its letter.
static const char *walk_named(const char *at, int depth, int64_t *slots) {
  pa_type ignored;
  const char *rest = parse_name(at + 1, &ignored);
  return rest && *rest == '(' ? walk_tuple(rest + 1, depth, slots) : NULL;
}

// Of a dict with a class, |at| its letter.
static const char *walk_dict_class(const char *at, int depth, int64_t *slots) {
  pa_type ignored;
  const char *rest = parse_name(at + 1, &ignored);
  return rest && *rest == 'K' ? walk_container(rest, depth, slots) : NULL;
}

// Of a vector, |at| its letter: its elements are slots of their own.
static const char *walk_vector(const char *at, int64_t *slots) {
  const char *end = at[1] == '(' ? pa_item_code_end(at, NULL) : NULL;
  if (end) *slots += end - at - 3;
  return end;
}

static bool is_function_value(const char *at) { return at[0] == '*' && at[1] == ':'; }

// "*:(" type* ")" type
static const char *walk_function_value(const char *at, int depth, int64_t *slots) {
  int64_t ignored = 0;
  if (at[2] != '(') return NULL;
  at = walk_tuple(at + 3, depth, &ignored);
  ++*slots;
  return at ? walk(at, depth + 1, &ignored) : NULL;
}

// Walks one type and counts its slots; returns what follows, or NULL.
static const char *walk(const char *at, int depth, int64_t *slots) {
  if (depth > PA_TYPE_MAX_DEPTH) return NULL;
  if (pa_code_is_number(*at)) return *slots += *at == 'D' ? 2 : 1, at + 1;
  if (is_function_value(at)) return walk_function_value(at, depth, slots);
  switch (*at) {
  case '(': return walk_tuple(at + 1, depth, slots);
  case 'x': return walk_vector(at, slots);
  case 'k':
  case 'N': return walk_named(at, depth, slots);
  case 'c': return walk_dict_class(at, depth, slots);
  case 'G':
  case 'L':
  case 'S':
  case 'X':
  case 'T':
  case 'K': return walk_container(at, depth, slots);
  case 'O': ++*slots; return walk(at + 1, depth + 1, slots);
  default: {
    pa_type leaf = {0};
    at = parse_leaf(at, &leaf);
    if (at) *slots += leaf_slots(&leaf);
    return at;
  }
  }
}

static const struct {
  char letter;
  pa_type_kind kind;
} holders[] = {{'(', PA_TYPE_TUPLE},     {'x', PA_TYPE_TUPLE}, {'N', PA_TYPE_TUPLE}, {'k', PA_TYPE_TUPLE},
               {'G', PA_TYPE_GENERATOR}, {'L', PA_TYPE_LIST},  {'S', PA_TYPE_SET},   {'X', PA_TYPE_DEQUE},
               {'T', PA_TYPE_FROZENSET}, {'K', PA_TYPE_DICT},  {'c', PA_TYPE_DICT},  {'O', PA_TYPE_OPTIONAL}};

const char *pa_type_next(const char *code, pa_type *out_type) {
  if (pa_code_is_number(*code)) {
    if (out_type) *out_type = (pa_type){.kind = PA_TYPE_SCALAR, .dtype = *code};
    return code + 1;
  }
  pa_type type = {0};
  const char *end = NULL;
  bool holds = false;
  for (size_t i = 0; i < sizeof holders / sizeof *holders; ++i) {
    if (*code != holders[i].letter) continue;
    int64_t slots = 0;
    type.kind = holders[i].kind;
    type.elements = code + 1;
    end = walk(code, 0, &slots);
    if (end && (*code == 'N' || *code == 'k' || *code == 'c')) type.elements = parse_name(code + 1, &type) + 1;
    if (*code == 'x') type.vector = true, ++type.elements;
    holds = true;
  }
  if (is_function_value(code)) {
    int64_t slots = 0;
    type = (pa_type){.kind = PA_TYPE_POINTER, .dtype = ':', .elements = code + 3};
    end = walk_function_value(code, 0, &slots);
    holds = true;
  }
  if (!holds) end = parse_leaf(code, &type);
  if (end && out_type) *out_type = type;
  return end;
}

bool pa_type_is_valid(const char *code) {
  const char *end = pa_type_next(code, NULL);
  return end && !*end;
}

int pa_type_element_count(const pa_type *type) {
  int count = 0;
  if (type->kind == PA_TYPE_TUPLE)
    for (const char *at = type->elements; *at != ')'; ++count) at = pa_type_next(at, NULL);
  return count;
}

int64_t pa_type_slots(const char *code) {
  int64_t slots = 0;
  return walk(code, 0, &slots) ? slots : -1;
}

//===-- Signatures --------------------------------------------------------------------------------===//

// Past the "=".
static const char *skip_known(const char *at) {
  static const char *const digits[] = {"0123456789", "01", "0123456789abcdef"};
  const char *letter = *at ? strchr("q?U", *at) : NULL;
  if (!letter) return NULL;
  at += 1 + (*letter == 'q' && at[1] == '-');
  size_t count = strspn(at, digits[*letter == '?' ? 1 : *letter == 'U' ? 2 : 0]);
  bool fits = *letter == 'U' ? count % 2 == 0 : *letter == '?' ? count == 1 : count && count < 20;
  return fits && at[count] == ';' ? at + count + 1 : NULL;
}

static const char *walk_argument(const char *at, int64_t *slots) {
  if (*at != PA_TYPE_OMITTED && *at != PA_TYPE_KNOWN) return walk(at, 0, slots);
  ++*slots;
  return *at == PA_TYPE_OMITTED ? at + 1 : skip_known(at + 1);
}

const char *pa_argument_next(const char *code) {
  int64_t slots = 0;
  return walk_argument(code, &slots);
}

// Returns what follows the '>', or NULL where the code is malformed.
static const char *walk_arguments(const char *at, int *count, int64_t *slots) {
  for (; *at != '>'; ++*count) {
    at = walk_argument(at, slots);
    if (!at) return NULL;
  }
  return at + 1;
}

// The same for a whole signature.
static const char *walk_signature(const char *code, int *count, int64_t *slots) {
  const char *result = walk_arguments(code, count, slots);
  return result && (!*result || pa_type_is_valid(result)) ? result : NULL;
}

bool pa_signature_is_valid(const char *code) {
  int count = 0;
  int64_t slots = 0;
  return walk_signature(code, &count, &slots) != NULL;
}

int pa_signature_argument_count(const char *code) {
  int count = 0;
  int64_t slots = 0;
  return walk_signature(code, &count, &slots) ? count : -1;
}

int64_t pa_signature_argument_slots(const char *code) {
  int count = 0;
  int64_t slots = 0;
  return walk_signature(code, &count, &slots) ? slots : -1;
}

const char *pa_signature_result(const char *code) {
  int count = 0;
  int64_t slots = 0;
  const char *result = walk_signature(code, &count, &slots);
  return result && *result ? result : NULL;
}
