// Operators on containers and text (typing_containers.c, typing_text_operators.c).
#ifndef PYARRAY_LIB_PASSES_TYPING_CONTAINERS_H
#define PYARRAY_LIB_PASSES_TYPING_CONTAINERS_H

#include "typing.h"

// What an operator on containers becomes: a builtin, or a pyarray.compare where |builtin| is NULL.
typedef struct pa_container_operator {
  const char *builtin;
  pa_fact result;
  MlirType operands[2]; // types that the operands are cast to; null: as they are
  bool fits;            // it is such an operator
  bool swapped, negated;
  bool in_place; // the result is the left operand itself
} pa_container_operator;
pa_status pa_type_container_operator(const pa_typing *typing, MlirOperation op, pa_op_kind kind, pa_fact lhs,
                                     pa_fact rhs, pa_container_operator *out_operator);
// Whether |op|, a pyarray.binary, is the call of list.extend or deque.extend; |own_iterator|: the right operand's class
// says what is iterated over.
pa_status pa_type_extension(const pa_typing *typing, MlirOperation op, pa_fact lhs, pa_fact rhs, bool own_iterator,
                            bool *out_is);
pa_status pa_type_text_operator(const pa_typing *typing, MlirOperation op, pa_op_kind kind, pa_fact lhs, pa_fact rhs,
                                pa_container_operator *out_operator);

#endif // PYARRAY_LIB_PASSES_TYPING_CONTAINERS_H
