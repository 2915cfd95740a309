// Attributes of arrays that are functions of the Python library, flags, ``in`` and ``is``, in pyarray-infer-types.
//
//   %r = pyarray.getattr %a "real"                    @numpy.views.real with (%a)
//   %f = pyarray.getattr %a "flags"                   the array itself, as flags
//   %c = pyarray.getattr %f "c_contiguous"            @numpy.views.c_contiguous_flag with (%f)
//   %b = pyarray.compare in %x, %a                    @array.contains with (%a, %x)
//   %b = pyarray.compare is %a, %b                    @array.is_same with (%a, %b)
#include <string.h>

#include "infer_calls.h"

static const struct {
  const char *name, *function, *setter;
} attributes[] = {{"flat", "numpy.selection.flat", "numpy.selection.set_flat"},
                  {"imag", "numpy.views.imag", "numpy.views.set_imag"},
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

// The array of which |value| is the attribute "flat"; null where it is not.
static MlirValue flat_of(const pa_class_operation *o, MlirValue value) {
  const MlirValue none = {NULL};
  if (!mlirValueIsAOpResult(value)) return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (pa_kind(&o->inference->names, op) != PA_OP_GETATTR ||
      !pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "flat"))
    return none;
  MlirType type = pa_value_type(o, mlirOperationGetOperand(op, 0));
  return !mlirTypeIsNull(type) && pyarrayTypeIsArray(type) ? mlirOperationGetOperand(op, 0) : none;
}

// Whether it is subscripted and nothing else, so that it need not be made.
static bool is_only_subscripted(const pa_class_operation *o, MlirValue flat) {
  for (MlirOpOperand use = mlirValueGetFirstUse(flat); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    pa_op_kind kind = pa_kind(&o->inference->names, user);
    bool subscript = kind == PA_OP_GETITEM || kind == PA_OP_SETITEM;
    if (!subscript || mlirOpOperandGetOperandNumber(use) ||
        mlirOperationGetNumOperands(user) != 2 + (kind == PA_OP_SETITEM))
      return false;
  }
  return true;
}

static pa_status plan_flat_item(pa_class_operation *o, MlirValue array) {
  bool stores = o->kind == PA_OP_SETITEM;
  MlirValue operands[3] = {array};
  if (mlirOperationGetNumOperands(o->op) != 2 + stores) return PA_OK;
  for (int i = 1; i < 2 + stores; ++i) {
    operands[i] = mlirOperationGetOperand(o->op, i);
    if (mlirTypeIsNull(pa_value_type(o, operands[i]))) return PA_OK;
  }
  return call(o, stores ? "numpy.selection.set_flat_item" : "numpy.selection.flat_item", operands, 2 + stores);
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
    if (i == 0 && !stores && is_only_subscripted(o, mlirOperationGetResult(o->op, 0))) {
      o->plan->kind = PA_CLASS_VALUE;
      o->plan->object = operands[0];
      return o->plan->result = type, PA_OK;
    }
    return function ? call(o, function, operands, 1 + stores) : PA_OK;
  }
  return PA_OK;
}

// value in array
static pa_status plan_contains(pa_class_operation *o, bool negated) {
  MlirType value = pa_erased_type(pa_operand_type(o, 0)), array = pa_operand_type(o, 1);
  if (mlirTypeIsNull(array) || !pyarrayTypeIsArray(array) || mlirTypeIsNull(value)) return PA_OK;
  if (pa_scalar_of(value) == PA_NOT_SCALAR && !pa_is_time(value) && !pyarrayTypeIsArray(value)) return PA_OK;
  o->plan->truth = true;
  o->plan->negated = negated;
  return call(o, "array.contains", (MlirValue[]){mlirOperationGetOperand(o->op, 1), mlirOperationGetOperand(o->op, 0)},
              2);
}

static bool may_be_one(MlirType a, MlirType b) {
  bool records = pa_is_records(a) && pa_is_records(b);
  if (records) a = pyarrayTaggedTypeGetItem(a), b = pyarrayTaggedTypeGetItem(b);
  return (records || (pyarrayTypeIsArray(a) && pyarrayTypeIsArray(b))) &&
         pyarrayArrayTypeGetRank(a) == pyarrayArrayTypeGetRank(b) &&
         mlirTypeEqual(pyarrayArrayTypeGetElement(a), pyarrayArrayTypeGetElement(b));
}

// array is array: others than such types decide.
static pa_status plan_identity(pa_class_operation *o, bool negated) {
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  if (mlirTypeIsNull(a) || mlirTypeIsNull(b) || !may_be_one(a, b) || pa_is_device_function(o->instance->function))
    return PA_OK;
  o->plan->truth = true;
  o->plan->negated = negated;
  return call(o, "array.is_same", (MlirValue[]){mlirOperationGetOperand(o->op, 0), mlirOperationGetOperand(o->op, 1)},
              2);
}

static pa_status plan_comparison(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  if (kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN)
    return plan_contains(o, kind == PYARRAY_COMPARE_NOTIN);
  if (kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_ISNOT)
    return plan_identity(o, kind == PYARRAY_COMPARE_ISNOT);
  return PA_OK;
}

pa_status pa_plan_array_attribute(pa_class_operation *o) {
  if (o->kind == PA_OP_COMPARE) return plan_comparison(o);
  MlirValue flat = o->kind == PA_OP_GETITEM || o->kind == PA_OP_SETITEM ? flat_of(o, mlirOperationGetOperand(o->op, 0))
                                                                        : (MlirValue){NULL};
  if (!mlirValueIsNull(flat)) return plan_flat_item(o, flat);
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
