// lib/support/contraction.c: the text of pyarray.contract.
#include <string.h>

#include "check.h"
#include "support/contraction.h"

static const char *parse(const char *text, pa_contraction *out) {
  return pa_contraction_parse(text, strlen(text), out);
}

static void test_product(void) {
  pa_contraction c;
  CHECK(!parse("...mk,kn->...mn", &c));
  CHECK(c.operands[0].broadcast && !c.operands[1].broadcast && c.operands[2].broadcast);
  CHECK(c.operands[0].rank == 2 && c.operands[0].letters[0] == 'm' && c.operands[0].letters[1] == 'k');
  CHECK(c.summed == 'k' && pa_contraction_is_product(&c));
  CHECK(pa_contracted_find(&c.operands[2], 'n') == 1 && pa_contracted_find(&c.operands[2], 'k') == -1);
}

static void test_which_are_products(void) {
  static const char *const products[] = {"mk,kn->mn", "mk,k->m", "k,kn->n", "k,k->", "...k,...k->...", "ab,bc->ac"};
  static const char *const others[] = {"mk,nk->mn", "km,kn->mn", "mk,kn->nm", "abk,kn->abn", "bmk,bkn->bmn"};
  pa_contraction c;
  for (size_t i = 0; i < sizeof products / sizeof *products; ++i)
    CHECK(!parse(products[i], &c) && pa_contraction_is_product(&c));
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    CHECK(!parse(others[i], &c) && !pa_contraction_is_product(&c));
}

static void test_errors(void) {
  static const struct {
    const char *text, *error;
  } rows[] = {{"", "expected ','"},
              {"mk", "expected ','"},
              {"mk,kn", "expected '->'"},
              {"mk,kn->m n", "expected letters"},
              {"mk,kn->mn,", "expected letters"},
              {"mm,mn->n", "an operand names a dimension twice"},
              {"mk,kn->mm", "an operand names a dimension twice"},
              {"mk,ln->mn", "a dimension of one operand is not in the result"},
              {"mkl,kln->mn", "more than one dimension is summed over"},
              {"m,n->mn", "no dimension is summed over"},
              {"mk,kn->mnp", "the result has a dimension that no operand has"},
              {"...mk,kn->mn", "the result has \"...\" where an operand has it"}};
  pa_contraction c;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const char *error = parse(rows[i].text, &c);
    CHECK(error && strcmp(error, rows[i].error) == 0);
  }
  CHECK(parse("abcdefghijlmnopqrstuvwxyzABCDEFGHIJ", &c) != NULL); // too many
}

int main(void) {
  test_product();
  test_which_are_products();
  test_errors();
  return CHECK_RESULT();
}
