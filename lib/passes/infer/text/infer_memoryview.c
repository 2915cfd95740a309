// Memoryviews in pyarray-infer-types: what operations on one call of the Python library, and which they do as the array
// that is shown.
//
//   %0 = pyarray.getitem %m[%i]             @memoryview.item with (%m, %i)
//   %0 = pyarray.getattr %m "nbytes"        of the array
//   pyarray.for %x over %m                  over the array, its items as Python's numbers
#include <string.h>

#include "infer_calls.h"
#include "infer_emit.h"
#include "infer_text.h"

static MlirType array_of(MlirType view) { return pyarrayTaggedTypeGetItem(view); }
static intptr_t rank_of(MlirType view) { return pyarrayArrayTypeGetRank(array_of(view)); }
static const char *text_of(const pa_class_operation *o, MlirType type) {
  return pa_type_text(o->inference->arena, type);
}

static pa_status call(pa_class_operation *o, const char *function, const MlirValue *arguments, intptr_t count) {
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, count);
}

// The result is a bool, of what the function says.
static pa_status ask(pa_class_operation *o, const char *function, MlirValue a, MlirValue b, bool negated) {
  o->plan->truth = true;
  o->plan->negated = negated;
  return call(o, function, (MlirValue[]){a, b}, mlirValueIsNull(b) ? 1 : 2);
}

static pa_status plan_constant(pa_class_operation *o, MlirAttribute constant) {
  o->plan->kind = PA_CLASS_CONSTANT;
  return o->plan->constant = constant, PA_OK;
}

//===-- Attributes --------------------------------------------------------------------------------===//

static const char *const of_array[] = {"itemsize", "nbytes", "ndim", "shape", "strides"};
static const struct {
  const char *name, *function;
} computed[] = {{"c_contiguous", "memoryview.c_contiguous"},
                {"contiguous", "memoryview.any_contiguous"},
                {"f_contiguous", "memoryview.f_contiguous"}};

static bool is_of_array(MlirStringRef name) {
  for (size_t i = 0; i < sizeof of_array / sizeof *of_array; ++i)
    if (pa_ref_equal(name, of_array[i])) return true;
  return false;
}

static pa_status no_attribute(pa_class_operation *o, MlirStringRef name) {
  static const struct {
    const char *name, *hint;
  } hints[] = {{"release", "a memoryview is let go after its last use"},
               {"obj", "keep the object itself in a variable"}};
  for (size_t i = 0; i < sizeof hints / sizeof *hints; ++i)
    if (pa_ref_equal(name, hints[i].name))
      return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED, "'%s' of a memoryview is not compiled\nhint: %s",
                            hints[i].name, hints[i].hint);
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "'memoryview' object has no attribute '%.*s' that compiled code knows", (int)name.length,
                        name.data);
}

static pa_status decide_getattr(pa_class_operation *o) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  char format = pa_memoryview_format(pa_operand_type(o, 0));
  if (pa_ref_equal(name, "format"))
    return plan_constant(o, mlirStringAttrGet(o->inference->context, mlirStringRefCreate(&format, 1)));
  if (pa_ref_equal(name, "readonly"))
    return plan_constant(
        o, mlirBoolAttrGet(o->inference->context, pyarrayArrayTypeIsReadonly(array_of(pa_operand_type(o, 0)))));
  MlirValue self = pa_operand_of(o, 0);
  for (size_t i = 0; i < sizeof computed / sizeof *computed; ++i)
    if (pa_ref_equal(name, computed[i].name)) return call(o, computed[i].function, &self, 1);
  if (!is_of_array(name)) PA_TRY(pa_bind_method(o));
  return is_of_array(name) || o->plan->kind != PA_CLASS_NOTHING ? PA_OK
                                                                : no_attribute(o, name); // pa_memoryview_as_array
}

static pa_status decide_method(pa_class_operation *o) {
  static const char *const methods[] = {"cast", "hex", "tobytes", "tolist", "toreadonly"};
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
    if (pa_ref_equal(name, methods[i])) return PA_OK; // a row of builtins.def
  return no_attribute(o, name);
}

//===-- Subscripts --------------------------------------------------------------------------------===//

static bool is_integer(const pa_class_operation *o, MlirType type) {
  return !mlirTypeIsNull(type) && !mlirTypeIsNull(pa_index_type(&o->typing, type));
}

static bool is_tuple_of_integers(const pa_class_operation *o, MlirType type) {
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!is_integer(o, mlirTupleTypeGetType(type, i))) return false;
  return true;
}

static pa_status wrong_index(pa_class_operation *o, const char *what) {
  return pa_typing_fail(
      &o->typing, PA_CODE_UNSUPPORTED,
      "memoryview: %s\nhint: an integer or a slice of one dimension, or an integer for each dimension", what);
}

// One index: an integer, a slice, or a tuple that names one item. |*out_several|: it is a slice. Indices v[i, j] are
// made a tuple.
static pa_status read_index(pa_class_operation *o, bool stores, MlirValue *out_index, bool *out_several) {
  intptr_t count = mlirOperationGetNumOperands(o->op) - 1 - stores, rank = rank_of(pa_operand_type(o, 0));
  MlirValue *parts = PA_NEW_ARRAY(o->inference->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) parts[i] = pa_operand_of(o, 1 + i);
  *out_index = count == 1 ? parts[0] : pa_make_tuple(o->inference, o->instance, o->op, parts, (int)count);
  MlirType index = pa_fact_get(o->inference, o->instance, *out_index).type;
  *out_several = pyarrayTypeIsSlice(index);
  if (*out_several) return rank == 1 ? PA_OK : wrong_index(o, "multi-dimensional slicing is not implemented");
  if (is_integer(o, index))
    return rank == 1 ? PA_OK
                     : wrong_index(o, rank ? "multi-dimensional sub-views are not implemented"
                                           : "invalid indexing of 0-dim memory");
  if (!is_tuple_of_integers(o, index)) return wrong_index(o, "invalid slice key");
  return mlirTupleTypeGetNumTypes(index) == rank ? PA_OK : wrong_index(o, "sub-views are not implemented");
}

static pa_status decide_getitem(pa_class_operation *o) {
  MlirValue index;
  bool several;
  PA_TRY(read_index(o, false, &index, &several));
  bool tuple = mlirTypeIsATuple(pa_fact_get(o->inference, o->instance, index).type);
  return call(o,
              several ? "memoryview.sliced"
              : tuple ? "memoryview.item_at"
                      : "memoryview.item",
              (MlirValue[]){pa_operand_of(o, 0), index}, 2);
}

static pa_status check_value(pa_class_operation *o, MlirType value, bool several) {
  MlirType view = pa_operand_type(o, 0);
  pa_scalar element = pa_scalar_of(pyarrayArrayTypeGetElement(array_of(view))), given = pa_scalar_of(value);
  if (pyarrayArrayTypeIsReadonly(array_of(view)))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                          "cannot modify read-only memory\nhint: bytes are; a bytearray or an array is not");
  if (several) return PA_OK;
  bool integer = given == PA_BOOL || pa_is_integer(given), fits = element == PA_BOOL ? given != PA_NOT_SCALAR
                                                                  : pa_is_integer(element)
                                                                      ? integer
                                                                      : integer || pa_is_float(given);
  if (fits) return PA_OK;
  return pa_typing_fail(&o->typing, PA_CODE_TYPING, "memoryview: invalid type for format '%c': %s",
                        pa_memoryview_format(view), text_of(o, value));
}

static pa_status decide_setitem(pa_class_operation *o) {
  MlirValue index, value = pa_operand_of(o, mlirOperationGetNumOperands(o->op) - 1);
  MlirType type = pa_fact_get(o->inference, o->instance, value).type;
  bool several, whole = pa_is_integer(pa_scalar_of(pyarrayArrayTypeGetElement(array_of(pa_operand_type(o, 0)))));
  PA_TRY(read_index(o, true, &index, &several));
  PA_TRY(check_value(o, type, several));
  bool tuple = mlirTypeIsATuple(pa_fact_get(o->inference, o->instance, index).type);
  const char *function = several ? "memoryview.set_slice"
                         : tuple ? (whole ? "memoryview.set_integer_at" : "memoryview.set_other_at")
                         : whole ? "memoryview.set_integer"
                                 : "memoryview.set_other";
  return call(o, function, (MlirValue[]){pa_operand_of(o, 0), index, value}, 3);
}

//===-- Operators ---------------------------------------------------------------------------------===//

static bool is_buffer(MlirType type) {
  return pa_is_memoryview(type) || pyarrayTypeIsBytes(type) || pyarrayTypeIsBytearray(type);
}

static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  bool equality = kind == PYARRAY_COMPARE_EQ || kind == PYARRAY_COMPARE_NE,
       membership = kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN;
  if (equality && pyarrayTypeIsBytearray(a))
    return ask(o, "memoryview.equal_memory", pa_operand_of(o, 0), pa_operand_of(o, 1), kind == PYARRAY_COMPARE_NE);
  if (equality && is_buffer(a) && (is_buffer(b) || pyarrayTypeIsArray(b)))
    return ask(o, "memoryview.equal", pa_operand_of(o, 0), pa_operand_of(o, 1), kind == PYARRAY_COMPARE_NE);
  if (membership && pa_is_memoryview(b) && pa_scalar_of(a) != PA_NOT_SCALAR && rank_of(b) == 1)
    return ask(o, "memoryview.contains", pa_operand_of(o, 1), pa_operand_of(o, 0), kind == PYARRAY_COMPARE_NOTIN);
  return PA_OK;
}

// bytes + view, bytearray += view
static pa_status decide_binary(pa_class_operation *o) {
  MlirType a = pa_operand_type(o, 0), b = pa_operand_type(o, 1);
  bool adds = pyarrayBinaryKindAttrGetValue(pa_get_attr(o->op, "kind")) == PYARRAY_BINARY_ADD,
       in_place = !mlirAttributeIsNull(pa_get_attr(o->op, "inplace"));
  if (adds && pa_is_memoryview(b) && (pyarrayTypeIsBytes(a) || pyarrayTypeIsBytearray(a)))
    return call(o, in_place && pyarrayTypeIsBytearray(a) ? "memoryview.extended" : "memoryview.joined",
                (MlirValue[]){pa_operand_of(o, 0), pa_operand_of(o, 1)}, 2);
  return PA_OK;
}

// bool(view)
static pa_status decide_apply(pa_class_operation *o) {
  MlirType callee = pa_operand_type(o, 0);
  bool boolean = pa_ref_equal(pa_builtin_called(callee), "builtins.bool");
  return boolean && mlirOperationGetNumOperands(o->op) == 2 && pa_is_memoryview(pa_operand_type(o, 1))
             ? ask(o, "memoryview.truth", pa_operand_of(o, 1), (MlirValue){NULL}, false)
             : PA_OK;
}

pa_status pa_plan_memoryview_operation(pa_class_operation *o) {
  bool first = pa_is_memoryview(pa_operand_type(o, 0)),
       second = mlirOperationGetNumOperands(o->op) > 1 && pa_is_memoryview(pa_operand_type(o, 1));
  if (!first && !second) return PA_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(o->op); ++i)
    if (mlirTypeIsNull(pa_operand_type(o, i))) return PA_OK;
  switch (o->kind) {
  case PA_OP_COMPARE: return decide_compare(o);
  case PA_OP_BINARY: return decide_binary(o);
  case PA_OP_APPLY: return decide_apply(o);
  case PA_OP_GETATTR: return first ? decide_getattr(o) : PA_OK;
  case PA_OP_METHOD: return first ? decide_method(o) : PA_OK;
  case PA_OP_GETITEM: return first ? decide_getitem(o) : PA_OK;
  case PA_OP_SETITEM: return first ? decide_setitem(o) : PA_OK;
  case PA_OP_DELITEM: return first ? pa_typing_fail(&o->typing, PA_CODE_TYPING, "cannot delete memory") : PA_OK;
  case PA_OP_TRUTH: return ask(o, "memoryview.truth", pa_operand_of(o, 0), (MlirValue){NULL}, false);
  case PA_OP_UNARY:
    if (pyarrayUnaryKindAttrGetValue(pa_get_attr(o->op, "kind")) != PYARRAY_UNARY_NOT) return PA_OK;
    return ask(o, "memoryview.truth", pa_operand_of(o, 0), (MlirValue){NULL}, true);
  default: return PA_OK;
  }
}

//===-- The array that is shown -------------------------------------------------------------------===//

MlirType pa_memoryview_as_array(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                                intptr_t i) {
  MlirType view = pa_fact_get(inference, instance, mlirOperationGetOperand(op, i)).type, none = {NULL};
  if (kind == PA_OP_GETATTR)
    return is_of_array(mlirStringAttrGetValue(pa_get_attr(op, "name"))) ? array_of(view) : none;
  if (kind != PA_OP_APPLY || i == 0) return none;
  MlirType callee = pa_fact_get(inference, instance, mlirOperationGetOperand(op, 0)).type;
  MlirStringRef text = pa_builtin_called(callee);
  bool numpy = text.length > 6 && memcmp(text.data, "numpy.", 6) == 0;
  return numpy || pa_ref_equal(text, "builtins.len") ? array_of(view) : none;
}

MlirValue pa_emit_memoryview_item(pa_instance_emitter *e, MlirValue array, MlirType view, MlirValue position) {
  MlirValue item = pa_value(e->builder, PA_OP_NAME(ITER_ITEM), PA_OPERANDS(array, position),
                            PA_RESULTS(pyarrayArrayTypeGetElement(array_of(view))));
  return pa_emit_cast(e, item, pa_memoryview_item(view));
}

//===-- Methods of bytes --------------------------------------------------------------------------===//

// Methods of bytes that look for bytes, or for a number.
static const char *const finders[] = {"bytes.count", "bytes.find", "bytes.index", "bytes.rfind", "bytes.rindex"};

pa_status pa_take_buffers(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          intptr_t skip, bool self, bool *out_bottom) {
  bool method = strncmp(builtin->name, "bytes.", 6) == 0 && pa_family_of(builtin->lowering) == PA_FAMILY_TEXT,
       finds = false;
  for (size_t i = 0; i < sizeof finders / sizeof *finders; ++i) finds = finds || strcmp(builtin->name, finders[i]) == 0;
  for (intptr_t i = skip; method && i < inference->given_count; ++i) {
    MlirValue *value = &inference->given[i];
    MlirType type = pa_fact_get(inference, instance, *value).type;
    bool number = finds && i == skip + !self && (pa_scalar_of(type) == PA_BOOL || pa_is_integer(pa_scalar_of(type)));
    if (!number && !pa_is_memoryview(type)) continue;
    PA_TRY(pa_make_call(inference, instance, op, number ? "bytes.of_code" : "bytes.of_memoryview", *value, value));
    *out_bottom = *out_bottom || pa_is_bottom(pa_fact_get(inference, instance, *value));
  }
  return PA_OK;
}
