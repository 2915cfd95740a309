// Values of several types in one container: the type that all of them have then, and their slots in it.
//
//   q and d           d           an int and a float
//   d and n           Od          a float and None
//   [C1d and [A1d     [A1d        arrays of several layouts
//   (qd) and (qn)     (qOd)       tuples, by their elements
#include "objects.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

//===-- One type for two --------------------------------------------------------------------------===//

static void put_type(const char *code, const char *end, pa_string *out) {
  pa_string_append(out, code, (size_t)(end - code));
}

// Both are named tuples of one class, or both are members of one enum.
static bool is_same_class(const pa_type *a, const pa_type *b) {
  size_t length = a->name && b->name ? strcspn(a->name, "]") + 1 : 0;
  return length && strncmp(a->name, b->name, length) == 0;
}

// Of two classes: no tuple, since that has no class. Beside a tuple a named tuple is one.
static bool join_tuples(const pa_type *a, const pa_type *b, pa_string *out) {
  const char *left = a->elements, *right = b->elements;
  bool same = is_same_class(a, b);
  if (a->name && b->name && !same) return false;
  if (same) pa_string_format(out, "N[%.*s]", (int)strcspn(a->name, "]"), a->name);
  pa_string_puts(out, "(");
  for (; *left != ')' && *right != ')'; left = pa_type_next(left, NULL), right = pa_type_next(right, NULL))
    if (!pa_join_codes(left, right, out)) return false;
  pa_string_puts(out, ")");
  return *left == *right;
}

static bool join_arrays(const char *code, const pa_type *a, const pa_type *b, pa_string *out) {
  bool alike = a->rank == b->rank && a->dtype == b->dtype &&
               (!pa_dtype_is_time(a->dtype) || pa_time_unit_equal(a->unit, b->unit));
  if (!alike) return false;
  char layout = a->layout == b->layout ? a->layout : 'A';
  pa_string_format(out, "[%c", a->readonly || b->readonly ? layout | 0x20 : layout);
  return put_type(code + 2, pa_type_next(code, NULL), out), true; // rank and element
}

// Members of an IntEnum are ints.
static bool is_int_or_float(const char *code, const pa_type *type) {
  return type->kind == PA_TYPE_SCALAR && (type->dtype == 'q' || type->dtype == 'd') && (!type->name || code[1] == '+');
}

// Of functions, in the order of their numbers.
static void join_functions(const pa_type *a, const pa_type *b, pa_string *out) {
  const char *left = a->name, *right = b->name, *between = "p[";
  while (*left != ']' || *right != ']') {
    long long x = *left != ']' ? strtoll(left, NULL, 10) : LLONG_MAX,
              y = *right != ']' ? strtoll(right, NULL, 10) : LLONG_MAX;
    pa_string_format(out, "%s%lld", between, x < y ? x : y);
    between = ",";
    if (x <= y) left += strcspn(left, ",]"), left += *left == ',';
    if (y <= x) right += strcspn(right, ",]"), right += *right == ',';
  }
  pa_string_puts(out, "]");
}

bool pa_join_codes(const char *a, const char *b, pa_string *out) {
  pa_type left, right;
  const char *left_end = pa_type_next(a, &left), *right_end = pa_type_next(b, &right);
  if (left_end - a == right_end - b && strncmp(a, b, (size_t)(left_end - a)) == 0)
    return put_type(a, left_end, out), true;
  if (*a == 'p' && *b == 'p') return join_functions(&left, &right, out), true;
  if (right.kind == PA_TYPE_OPTIONAL) return pa_join_codes(b, a, out);
  if (left.kind == PA_TYPE_OPTIONAL) {
    pa_string_puts(out, "O");
    return right.kind == PA_TYPE_NONE ? (put_type(left.elements, left_end, out), true)
                                      : pa_join_codes(left.elements, b, out);
  }
  if (right.kind == PA_TYPE_NONE) return pa_string_puts(out, "O"), put_type(a, left_end, out), true;
  if (left.kind == PA_TYPE_NONE) return pa_join_codes(b, a, out);
  if (left.kind == PA_TYPE_TUPLE && right.kind == PA_TYPE_TUPLE) return join_tuples(&left, &right, out);
  if (left.random || right.random) return false;
  if (left.kind == PA_TYPE_ARRAY && right.kind == PA_TYPE_ARRAY) return join_arrays(a, &left, &right, out);
  if (is_int_or_float(a, &left) && is_int_or_float(b, &right) && !(left.name && right.name))
    return pa_string_puts(out, left.dtype == 'd' || right.dtype == 'd' ? "d" : "q"), true;
  return false;
}

//===-- Slots -------------------------------------------------------------------------------------===//

bool pa_fit_slots(const char **from, const uint64_t **slots, const char **to, uint64_t **out) {
  pa_type source, target;
  const char *from_end = pa_type_next(*from, &source), *to_end = pa_type_next(*to, &target), *inner = target.elements;
  int64_t target_slots = pa_type_slots(*to), source_slots = pa_type_slots(*from);
  bool fits = true;
  if (!from_end || !to_end) return false;
  if (target.kind == PA_TYPE_OPTIONAL && source.kind != PA_TYPE_OPTIONAL) {
    bool some = source.kind != PA_TYPE_NONE;
    *(*out)++ = some;
    fits = !some || pa_fit_slots(from, slots, &inner, out);
    if (!some) memset(*out, 0, (size_t)(target_slots - 1) * sizeof **out), *out += target_slots - 1;
  } else if (target.kind == PA_TYPE_TUPLE && source.kind == PA_TYPE_TUPLE) {
    const char *a = source.elements, *b = target.elements;
    fits = !target.name || is_same_class(&source, &target);
    while (fits && *a != ')' && *b != ')') fits = pa_fit_slots(&a, slots, &b, out);
    fits = fits && *a == *b;
  } else if (**from == 'p' && **to == 'p') {
    *(*out)++ = *(*slots)++;
  } else {
    pa_string text[2] = {{0}};
    if (is_int_or_float(*from, &source) && source.name && !target.name)
      pa_string_puts(&text[0], "q>"); // a member of an IntEnum
    else
      pa_string_format(&text[0], "%.*s>", (int)(from_end - *from), *from);
    pa_string_format(&text[1], "%.*s>", (int)(to_end - *to), *to);
    fits = pa_conversion_distance(pa_string_text(&text[0]), text[0].length - 1, pa_string_text(&text[1])) >= 0 &&
           pa_convert_slots(pa_string_text(&text[0]), *slots, pa_string_text(&text[1]), *out);
    pa_string_free(&text[0]);
    pa_string_free(&text[1]);
    *slots += source_slots;
    *out += target_slots;
  }
  *from = from_end;
  *to = to_end;
  return fits;
}
