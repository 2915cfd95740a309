// What calls and operations on instances of classes become; asked by both phases, with the same answer once facts are
// final.
#ifndef PYARRAY_LIB_PASSES_INFER_RESOLVED_H
#define PYARRAY_LIB_PASSES_INFER_RESOLVED_H

#include "infer_internal.h"

// What a call becomes; asked by both phases, with the same answer once facts are final.
typedef struct pa_resolved_call {
  pa_instance *instance; // of a compiled function, or NULL: |plan|
  pa_call_plan plan;
  const MlirValue *arguments; // untyped values in parameter order; null: |constants|
  const MlirAttribute *constants;
  int count;
  bool bottom;                      // an argument is not known yet
  const struct pa_made_value *made; // what is to be made for it first
  size_t made_count;
  bool typed;                 // it makes a container of pyarray.typed
  pa_ufunc_call *ufunc;       // of a ufunc, whose kernel |instance| is, or NULL; |arguments| are inputs and outputs
  struct pa_product *product; // of matrices and vectors, or NULL (infer_contract.h)
  struct pa_elementwise *elementwise; // of one of NumPy's functions with arrays, or NULL (infer_elementwise.h)
  struct pa_reduction *reduction;     // of a reduction of an array, or NULL (infer_reduce.h)
  struct pa_array_view *view;         // of one that gives a view, or NULL (infer_array_views.h)
} pa_resolved_call;

// What an operation on an instance of a class, or on a class, becomes; asked by both phases.
typedef struct pa_class_plan {
  enum {
    PA_CLASS_NOTHING,       // it is no such operation
    PA_CLASS_CALL,          // of a function: |call|
    PA_CLASS_CONSTANT,      // |constant|, of type |result| if that is not null
    PA_CLASS_FIELD,         // |field| of |object|, of type |result|
    PA_CLASS_SET_FIELD,     // the same, set to |value|
    PA_CLASS_ELEMENT,       // element |element| of the tuple |object|
    PA_CLASS_TUPLE,         // of |element| |values|, of type |result|
    PA_CLASS_VALUE,         // |object| itself, as |result|
    PA_CLASS_KEYWORD_NAMES, // of |object|, a mapping of keyword arguments: a tuple
    PA_CLASS_KEYWORD_ITEMS, // the same of pairs
    PA_CLASS_BUILTIN, // |builtin| of |operands|, as |operand_type| if that is not null: of type |result|, or a bool
  } kind;
  pa_resolved_call call;
  MlirAttribute constant, field;
  MlirType result, operand_type;
  MlirValue object, value, operands[2];
  intptr_t element;
  int site; // of |result|
  const MlirValue *values;
  const char *builtin;
  MlirAttribute callee;      // of the builtin; null for most
  bool truth, negated;       // the result is made a bool; its negation is meant
  const pa_made_value *made; // what is to be made first
  size_t made_count;
} pa_class_plan;

typedef struct pa_class_operation {
  pa_inference *inference;
  pa_instance *instance;
  MlirOperation op;
  pa_op_kind kind;
  pa_typing typing;
  pa_class_plan *plan;
} pa_class_operation;

// The types of values, and of operands of the operation; null where they are not known yet.
static inline MlirType pa_value_type(const pa_class_operation *o, MlirValue value) {
  return pa_fact_get(o->inference, o->instance, value).type;
}
static inline MlirValue pa_operand_of(const pa_class_operation *o, intptr_t i) {
  return mlirOperationGetOperand(o->op, i);
}
static inline MlirType pa_operand_type(const pa_class_operation *o, intptr_t i) {
  return pa_value_type(o, pa_operand_of(o, i));
}
// Of an attribute or method.
static inline MlirStringRef pa_name_of(const pa_class_operation *o) {
  return mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
}

#endif // PYARRAY_LIB_PASSES_INFER_RESOLVED_H
