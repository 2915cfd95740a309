// Products of matrices and vectors: what infer_contract.c plans and emits.
#ifndef PYARRAY_LIB_PASSES_INFER_CONTRACT_H
#define PYARRAY_LIB_PASSES_INFER_CONTRACT_H

#include "infer_emit.h"

typedef struct pa_product {
  const char *name;         // of NumPy's function: "matmul"
  MlirValue operands[2];    // untyped: arrays of one dimension or more
  MlirValue out;            // the array that is written, or null
  const char *contraction;  // of pyarray.contract
  const char *mismatch;     // pyarray.mismatch of it
  MlirType computed;        // elements of what is multiplied and added up
  MlirType element, result; // of the product; the value's type: a new array, a number, or that of |out|
} pa_product;

// |op|, a binary; |*out_fits|: it is a @ b of arrays.
pa_status pa_plan_matmul(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_product *out,
                         bool *out_fits);
// A call of |builtin|, of the rule PRODUCT, with its two arguments and out. |*out| is NULL where it is a product of
// numbers, else |*out_result| is the type of its value.
pa_status pa_plan_product(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          const MlirValue *arguments, int count, pa_product **out, MlirType *out_result);
pa_status pa_emit_product(pa_instance_emitter *e, MlirOperation op, const pa_product *product);

#endif // PYARRAY_LIB_PASSES_INFER_CONTRACT_H
