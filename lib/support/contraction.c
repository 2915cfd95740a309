#include "contraction.h"

#include <string.h>

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int pa_contracted_find(const pa_contracted *operand, char letter) {
  for (int i = 0; i < operand->rank; ++i)
    if (operand->letters[i] == letter) return i;
  return -1;
}

// Reads one operand up to |end| or what is no letter; |*text| is then there.
static const char *read_operand(const char **text, const char *end, pa_contracted *out) {
  *out = (pa_contracted){0};
  if (end - *text >= 3 && memcmp(*text, "...", 3) == 0) out->broadcast = true, *text += 3;
  for (; *text < end && is_letter(**text); ++*text) {
    if (out->rank == PA_MAX_CONTRACTED) return "an operand has too many dimensions";
    if (pa_contracted_find(out, **text) >= 0) return "an operand names a dimension twice";
    out->letters[out->rank++] = **text;
  }
  return NULL;
}

static bool take(const char **text, const char *end, const char *expected) {
  size_t length = strlen(expected);
  if ((size_t)(end - *text) < length || memcmp(*text, expected, length) != 0) return false;
  *text += length;
  return true;
}

static const char *check_letters(pa_contraction *c) {
  const pa_contracted *result = &c->operands[2];
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < c->operands[i].rank; ++k) {
      char letter = c->operands[i].letters[k];
      if (pa_contracted_find(result, letter) >= 0) continue;
      if (pa_contracted_find(&c->operands[1 - i], letter) < 0) return "a dimension of one operand is not in the result";
      if (c->summed && c->summed != letter) return "more than one dimension is summed over";
      c->summed = letter;
    }
  if (!c->summed) return "no dimension is summed over";
  for (int k = 0; k < result->rank; ++k)
    if (pa_contracted_find(&c->operands[0], result->letters[k]) < 0 &&
        pa_contracted_find(&c->operands[1], result->letters[k]) < 0)
      return "the result has a dimension that no operand has";
  if (result->broadcast != (c->operands[0].broadcast || c->operands[1].broadcast))
    return "the result has \"...\" where an operand has it";
  return NULL;
}

const char *pa_contraction_parse(const char *text, size_t length, pa_contraction *out_contraction) {
  const char *at = text, *end = text + length;
  *out_contraction = (pa_contraction){0};
  static const char *const ends[] = {",", "->", ""};
  for (int i = 0; i < 3; ++i) {
    const char *error = read_operand(&at, end, &out_contraction->operands[i]);
    if (error) return error;
    if (!take(&at, end, ends[i])) return i == 0 ? "expected ','" : "expected '->'";
  }
  return at < end ? "expected letters" : check_letters(out_contraction);
}

bool pa_contraction_is_product(const pa_contraction *c) {
  const pa_contracted *a = &c->operands[0], *b = &c->operands[1], *result = &c->operands[2];
  if (a->rank < 1 || a->rank > 2 || b->rank < 1 || b->rank > 2 || result->rank != a->rank + b->rank - 2) return false;
  if (a->letters[a->rank - 1] != c->summed || b->letters[0] != c->summed) return false;
  return (a->rank == 1 || result->letters[0] == a->letters[0]) &&
         (b->rank == 1 || result->letters[result->rank - 1] == b->letters[1]);
}
