// lib/support: signatures of gufuncs.
#include <string.h>

#include "check.h"
#include "support/core_signature.h"

static const char *parse(const char *text, pa_core_signature *out_signature) {
  return pa_core_signature_parse(text, strlen(text), out_signature);
}

static void test_matmul(void) {
  pa_core_signature s;
  CHECK(!parse(" (m,n) , (n,p)->(m,p)", &s));
  CHECK(s.input_count == 2 && s.output_count == 1 && s.dimension_count == 3);
  CHECK(s.operands[0].rank == 2 && s.operands[0].dimensions[0] == 0 && s.operands[0].dimensions[1] == 1);
  CHECK(s.operands[1].dimensions[0] == 1 && s.operands[1].dimensions[1] == 2);
  CHECK(s.operands[2].dimensions[0] == 0 && s.operands[2].dimensions[1] == 2);
  CHECK(s.dimensions[1].length == 1 && s.dimensions[1].name[0] == 'n' && s.dimensions[1].size == -1);
}

static void test_sizes_and_options(void) {
  pa_core_signature s;
  CHECK(!parse("(3),(m?,n)->(),(12)", &s));
  CHECK(s.input_count == 2 && s.output_count == 2 && s.dimension_count == 4);
  CHECK(s.dimensions[0].size == 3 && s.dimensions[3].size == 12);
  CHECK(s.dimensions[1].optional && !s.dimensions[2].optional);
  CHECK(s.operands[2].rank == 0);
  CHECK(!parse("->(n)", &s) && s.input_count == 0 && s.output_count == 1);
}

static void test_malformed(void) {
  static const char *const texts[] = {"",
                                      "()",
                                      "()->",
                                      "(->()",
                                      "(m,)->()",
                                      "(m)()->()",
                                      "()->() x",
                                      "(m?),(m)->()",
                                      "(0)->()",
                                      "(3x)->()",
                                      "(99999999999999999999)->()",
                                      "(m n)->()",
                                      "()->()->()",
                                      "(),->()"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    pa_core_signature s;
    CHECK(parse(texts[i], &s) != NULL);
  }
}

static void test_limits(void) {
  char text[512] = "";
  pa_core_signature s;
  for (int i = 0; i < PA_MAX_OPERANDS - 1; ++i) strcat(text, i ? ",()" : "()");
  strcat(text, "->()");
  CHECK(!parse(text, &s) && s.input_count == PA_MAX_OPERANDS - 1);
  strcat(text, ",()");
  CHECK(parse(text, &s) && s.failed_at == strlen(text) - 2);
  text[0] = '(', text[1] = '\0';
  for (int i = 0; i < 40; ++i) strcat(text, i ? ",m" : "m");
  strcat(text, ")->()");
  CHECK(parse(text, &s) != NULL);
}

// Where something is wrong.
static void test_positions(void) {
  static const struct {
    const char *text, *error;
    size_t at;
  } rows[] = {
      {"(n)-(n)", "expect '->'", 3},
      {"n->n", "expect '('", 0},
      {"(n)->(n)x", "expect ','", 8},
      {"(n m)->()", "expect ',' or ')'", 3},
      {"(n,)->()", "expect a dimension name or size", 3},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    pa_core_signature s;
    const char *error = parse(rows[i].text, &s);
    CHECK(error && !strcmp(error, rows[i].error) && s.failed_at == rows[i].at);
  }
}

int main(void) {
  test_positions();
  test_matmul();
  test_sizes_and_options();
  test_malformed();
  test_limits();
  return CHECK_RESULT();
}
