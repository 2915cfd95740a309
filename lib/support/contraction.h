// The text of a pyarray.contract, "...mk,...kn->...mn": which dimensions each operand has, by letters.
//
//   contraction ::= operand "," operand "->" operand        operand ::= "..."? letter*
//
// The letter that both inputs have and the result lacks is summed over; there is one. All others are in the result.
// "..." stands for any number of dimensions before the named ones, which broadcast.
#ifndef PYARRAY_LIB_SUPPORT_CONTRACTION_H
#define PYARRAY_LIB_SUPPORT_CONTRACTION_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PA_MAX_CONTRACTED = 32 }; // named dimensions of one operand

typedef struct pa_contracted {
  bool broadcast; // has "..."
  int rank;
  char letters[PA_MAX_CONTRACTED];
} pa_contracted;

typedef struct pa_contraction {
  pa_contracted operands[3]; // two inputs, the result
  char summed;
} pa_contraction;

// NULL on success, else what is wrong with |text| (static).
const char *pa_contraction_parse(const char *text, size_t length, pa_contraction *out_contraction);
// The place of |letter| among those of |operand|, or -1.
int pa_contracted_find(const pa_contracted *operand, char letter);
// Whether the operands are those of a product of matrices or vectors: "mk,kn->mn", "mk,k->m", "k,kn->n", "k,k->".
bool pa_contraction_is_product(const pa_contraction *contraction);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_LIB_SUPPORT_CONTRACTION_H
