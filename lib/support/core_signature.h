// The signature of a generalised ufunc, "(m,n),(n,p)->(m,p)": which core dimensions each operand has.
// Grammar and meaning are NumPy's (numpy.org/doc/stable/reference/c-api/generalized-ufuncs.html):
//
//   signature ::= arguments "->" arguments        arguments ::= argument ("," argument)*
//   argument  ::= "(" dimensions? ")"             dimensions ::= dimension ("," dimension)*
//   dimension ::= (name | number) "?"?
#ifndef PYARRAY_LIB_SUPPORT_CORE_SIGNATURE_H
#define PYARRAY_LIB_SUPPORT_CORE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// NumPy 2 takes as many operands (NPY_MAXARGS), NumPy 1 takes 32.
enum {
  PA_MAX_OPERANDS = 64,
  PA_MAX_CORE_DIMENSIONS = 32, // of all operands together
  PA_MAX_CORE_RANK = 31,       // of one, which has a loop dimension besides
};

typedef struct pa_core_operand {
  int rank;
  int dimensions[PA_MAX_CORE_DIMENSIONS]; // numbers of dimensions of the signature
} pa_core_operand;

typedef struct pa_core_signature {
  int input_count, output_count;
  pa_core_operand operands[PA_MAX_OPERANDS]; // inputs, then outputs
  int dimension_count;                       // distinct names, and each number once
  struct {
    const char *name; // points into the text; not terminated
    size_t length;
    int64_t size; // of "(3)", or -1
    bool optional;
  } dimensions[PA_MAX_CORE_DIMENSIONS];
  size_t failed_at; // after a failure: where in the text
} pa_core_signature;

// NULL on success, else what is wrong with |text| (static). Of |*out_signature| only |failed_at| is defined after a
// failure.
const char *pa_core_signature_parse(const char *text, size_t length, pa_core_signature *out_signature);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_LIB_SUPPORT_CORE_SIGNATURE_H
