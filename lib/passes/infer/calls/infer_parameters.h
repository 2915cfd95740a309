// Parameters of builtins and compiled functions, and the arguments of a call in their order.
#ifndef PYARRAY_LIB_PASSES_INFER_PARAMETERS_H
#define PYARRAY_LIB_PASSES_INFER_PARAMETERS_H

#include "infer_internal.h"

typedef struct pa_parameter {
  const char *name;
  size_t length;
  bool optional, by_name;
  bool captured;
  bool rest, by_position; // *args; cannot be given by name
  bool read;              // what *rest takes is neither kept nor changed
  bool mapping;           // **kwargs
  MlirAttribute otherwise;
} pa_parameter;

// "x,base=" to parameters, at most |capacity|; "*base=" is given by its name only; "@" is no function. Returns the
// number.
int pa_parse_parameters(const char *text, pa_parameter *out, int capacity);

// Those of a function of the module. Returns the number.
intptr_t pa_function_parameters(pa_inference *inference, MlirOperation function, const pa_parameter **out);

// Puts the arguments of |op| (after |skip| operands) into the order of |parameters|; |self|: the first operand is the
// first argument.
pa_status pa_bind_arguments(pa_inference *inference, MlirOperation op, const char *callee,
                            const pa_parameter *parameters, int count, intptr_t skip, bool self, MlirValue *out_values);

// The same of "...,sep=": any number of positional arguments, and then those that are given by name.
pa_status pa_bind_any_number(pa_inference *inference, MlirOperation op, const char *callee, const pa_parameter *named,
                             int named_count, intptr_t skip, bool self, MlirValue *out_values, int *out_count);

#endif // PYARRAY_LIB_PASSES_INFER_PARAMETERS_H
