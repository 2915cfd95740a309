// Attributes of arrays that are functions of the Python library, and flags, in pyarray-infer-types.
//
//   %r = pyarray.getattr %a "real"                    @numpy.views.real with (%a)
//   %f = pyarray.getattr %a "flags"                   the array itself, as flags
//   %c = pyarray.getattr %f "c_contiguous"            @numpy.views.c_contiguous_flag with (%f)
#include <string.h>

#include "infer_calls.h"

static const struct {
  const char *name, *function, *setter;
} attributes[] = {{"imag", "numpy.views.imag", "numpy.views.set_imag"},
                  {"mT", "numpy.views.matrix_transpose", NULL},
                  {"real", "numpy.views.real", "numpy.views.set_real"}};

// As attributes, and as items.
static const struct {
  const char *name, *item, *function;
} flags[] = {{"aligned", "ALIGNED", "numpy.views.aligned_flag"},
             {"c_contiguous", "C_CONTIGUOUS", "numpy.views.c_contiguous_flag"},
             {"contiguous", "CONTIGUOUS", "numpy.views.c_contiguous_flag"},
             {"f_contiguous", "F_CONTIGUOUS", "numpy.views.f_contiguous_flag"},
             {"fnc", "FNC", "numpy.views.fnc_flag"},
             {"forc", "FORC", "numpy.views.forc_flag"},
             {"fortran", "FORTRAN", "numpy.views.f_contiguous_flag"},
             {"writeable", "WRITEABLE", "numpy.views.writeable_flag"}};

static pa_status call(pa_class_operation *o, const char *function, const MlirValue *arguments, intptr_t count) {
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, count);
}

static pa_status plan_flag(pa_class_operation *o, MlirStringRef name, bool item) {
  MlirValue object = mlirOperationGetOperand(o->op, 0);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    if (pa_ref_equal(name, item ? flags[i].item : flags[i].name)) return call(o, flags[i].function, &object, 1);
  return pa_typing_fail(&o->typing, PA_CODE_TYPING, "the flags of an array have no '%.*s' in compiled code",
                        (int)name.length, name.data);
}

static pa_status plan_of_array(pa_class_operation *o, MlirType type, MlirStringRef name) {
  MlirValue operands[2] = {mlirOperationGetOperand(o->op, 0)};
  bool stores = o->kind == PA_OP_SETATTR;
  if (stores) operands[1] = mlirOperationGetOperand(o->op, 1);
  if (!stores && pa_ref_equal(name, "flags")) {
    o->plan->kind = PA_CLASS_VALUE;
    o->plan->object = operands[0];
    o->plan->result = pyarrayTaggedTypeGet(pa_ref("array flags"), pa_unit_attr(o->inference->context), type);
    return PA_OK;
  }
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i) {
    if (!pa_ref_equal(name, attributes[i].name)) continue;
    const char *function = stores ? attributes[i].setter : attributes[i].function;
    return function ? call(o, function, operands, 1 + stores) : PA_OK;
  }
  return PA_OK;
}

pa_status pa_plan_array_attribute(pa_class_operation *o) {
  if (o->kind != PA_OP_GETATTR && o->kind != PA_OP_SETATTR && o->kind != PA_OP_GETITEM) return PA_OK;
  MlirType type = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 0)).type;
  if (mlirTypeIsNull(type)) return PA_OK;
  bool is_flags = pa_is_tagged(type, "array flags");
  if (o->kind == PA_OP_GETITEM) {
    if (!is_flags || mlirOperationGetNumOperands(o->op) != 2) return PA_OK;
    MlirAttribute literal = pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 1)).literal;
    bool named = !mlirAttributeIsNull(literal) && mlirAttributeIsAString(literal);
    return plan_flag(o, named ? mlirStringAttrGetValue(literal) : pa_ref(""), true);
  }
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  if (is_flags) return plan_flag(o, name, false);
  if (o->kind == PA_OP_SETATTR &&
      mlirTypeIsNull(pa_fact_get(o->inference, o->instance, mlirOperationGetOperand(o->op, 1)).type))
    return PA_OK;
  bool is_array =
      pyarrayTypeIsArray(type) || (pa_is_records(type) && (pa_ref_equal(name, "flags") || pa_ref_equal(name, "mT")));
  return is_array ? plan_of_array(o, type, name) : PA_OK;
}
