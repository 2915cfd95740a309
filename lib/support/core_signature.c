#include "core_signature.h"

#include <string.h>

typedef struct reader {
  const char *at, *end, *begin;
  pa_core_signature *signature;
  const char *error; // the first, NULL while all is well
} reader;

static void fail(reader *r, const char *error) {
  if (!r->error) r->error = error, r->signature->failed_at = (size_t)(r->at - r->begin);
  r->at = r->end;
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The next character that is no space, or NUL at the end.
static char peek(reader *r) {
  while (r->at < r->end && is_space(*r->at)) ++r->at;
  return r->at < r->end ? *r->at : '\0';
}

static bool take(reader *r, char c) {
  if (peek(r) != c) return false;
  ++r->at;
  return true;
}

static int find_dimension(const pa_core_signature *signature, const char *name, size_t length) {
  for (int i = 0; i < signature->dimension_count; ++i)
    if (signature->dimensions[i].length == length && memcmp(signature->dimensions[i].name, name, length) == 0) return i;
  return -1;
}

static int64_t number_in(reader *r, const char *text, size_t length) {
  int64_t value = 0;
  for (size_t i = 0; i < length; ++i) {
    if (!is_digit(text[i])) return fail(r, "a dimension is a name or a number"), -1;
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text[i] - '0', &value))
      return fail(r, "the size of a dimension does not fit int64"), -1;
  }
  if (value == 0) fail(r, "the size of a dimension is not 0");
  return value;
}

static int add_dimension(reader *r, const char *name, size_t length) {
  pa_core_signature *signature = r->signature;
  if (signature->dimension_count == PA_MAX_CORE_DIMENSIONS) return fail(r, "more than 32 core dimensions"), 0;
  int number = signature->dimension_count++;
  signature->dimensions[number].name = name;
  signature->dimensions[number].length = length;
  signature->dimensions[number].size = is_digit(*name) ? number_in(r, name, length) : -1;
  signature->dimensions[number].optional = false;
  return number;
}

static void read_dimension(reader *r, pa_core_operand *operand) {
  peek(r);
  const char *name = r->at;
  while (r->at < r->end && (is_letter(*r->at) || is_digit(*r->at))) ++r->at;
  size_t length = (size_t)(r->at - name);
  if (!length) {
    fail(r, "expect a dimension name or size");
    return;
  }
  bool optional = take(r, '?');
  int known = find_dimension(r->signature, name, length);
  int number = known >= 0 ? known : add_dimension(r, name, length);
  if (known >= 0 && r->signature->dimensions[known].optional != optional) {
    r->at = name;
    fail(r, "a dimension has '?' at every place or at none");
  }
  if (operand->rank == PA_MAX_CORE_RANK) fail(r, "more than 31 core dimensions of one operand");
  if (r->error) return;
  r->signature->dimensions[number].optional = optional;
  operand->dimensions[operand->rank++] = number;
}

static void read_operand(reader *r) {
  pa_core_signature *signature = r->signature;
  int number = signature->input_count + signature->output_count;
  if (number == PA_MAX_OPERANDS) {
    fail(r, "more than 64 operands");
    return;
  }
  pa_core_operand *operand = &signature->operands[number];
  operand->rank = 0;
  if (!take(r, '(')) {
    fail(r, "expect '('");
    return;
  }
  if (take(r, ')')) return;
  do read_dimension(r, operand);
  while (!r->error && take(r, ','));
  if (!take(r, ')')) fail(r, "expect ',' or ')'");
}

static void read_operands(reader *r, int *count) {
  do {
    read_operand(r);
    ++*count;
  } while (!r->error && take(r, ','));
}

const char *pa_core_signature_parse(const char *text, size_t length, pa_core_signature *out_signature) {
  reader r = {.at = text, .end = text + length, .begin = text, .signature = out_signature};
  out_signature->input_count = out_signature->output_count = out_signature->dimension_count = 0;
  if (peek(&r) != '-') read_operands(&r, &out_signature->input_count);
  bool arrow = peek(&r) == '-' && r.end - r.at > 1 && r.at[1] == '>';
  if (arrow)
    r.at += 2;
  else
    fail(&r, "expect '->'");
  if (!r.error) read_operands(&r, &out_signature->output_count);
  if (!r.error && peek(&r)) fail(&r, "expect ','");
  return r.error;
}
