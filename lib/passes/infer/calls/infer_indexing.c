// Subscripts of arrays by lists, masks and arrays of integers that are functions of the Python library, in
// pyarray-infer-types. An array of integers alone, or beside numbers and slices, is one that is read by an operation
// (infer_gather.c); the library makes such a subscript of all others.
//
//   %r = pyarray.getitem %a[%list]            @numpy.indexing.get_of_arrays with (%a, (%list,))
//   pyarray.setitem %a[%x, %none] = %v        @numpy.scattering.scatter with (%a, (%x, %none), %v)
#include "infer_calls.h"
#include "typing_index.h"

static bool is_sequence(MlirType type) {
  return mlirTypeIsATuple(type) || pa_container_of(type) == PA_LIST || pyarrayTypeIsRange(type);
}

// What an index is, in the order in which the library turns one kind into the next.
typedef enum index_kind {
  PA_INDEX_BASIC,    // a number, a slice, ... or None
  PA_INDEX_GATHERED, // an array of integers
  PA_INDEX_MASK,
  PA_INDEX_TRUTH,  // one bool
  PA_INDEX_NUMBER, // an array without dimensions
  PA_INDEX_SEQUENCE,
} index_kind;

static index_kind kind_of(MlirType index) {
  if (is_sequence(index)) return PA_INDEX_SEQUENCE;
  if (pa_scalar_of(index) == PA_BOOL) return PA_INDEX_TRUTH;
  if (!pyarrayTypeIsArray(index)) return PA_INDEX_BASIC;
  if (pyarrayArrayTypeGetRank(index) == 0) return PA_INDEX_NUMBER;
  return pa_scalar_of(pyarrayArrayTypeGetElement(index)) == PA_BOOL ? PA_INDEX_MASK : PA_INDEX_GATHERED;
}

static const struct {
  const char *get, *set;
} functions[] = {
    [PA_INDEX_GATHERED] = {NULL, "numpy.scattering.scatter"},
    [PA_INDEX_MASK] = {"numpy.indexing.get_of_masks", "numpy.scattering.set_of_masks"},
    [PA_INDEX_TRUTH] = {"numpy.indexing.get_of_truths", "numpy.scattering.set_of_truths"},
    [PA_INDEX_NUMBER] = {"numpy.indexing.get_of_numbers", "numpy.scattering.set_of_arrays"},
    [PA_INDEX_SEQUENCE] = {"numpy.indexing.get_of_arrays", "numpy.scattering.set_of_arrays"},
};

typedef struct subscript {
  MlirType array;
  bool is_tuple; // the one operand has all indices
  intptr_t count;
  index_kind kind; // the last one of them
  bool is_whole;   // one mask of all axes
} subscript;

static int rank_of(MlirType array) {
  return (int)(pa_is_records(array) ? pa_records_rank(array) : pyarrayArrayTypeGetRank(array));
}

static subscript read_subscript(const pa_class_operation *o, intptr_t operands) {
  subscript s = {.array = pa_operand_type(o, 0), .count = operands};
  MlirType first = operands == 1 ? pa_operand_type(o, 1) : (MlirType){NULL};
  s.is_tuple = operands == 1 && mlirTypeIsATuple(first);
  if (s.is_tuple) s.count = mlirTupleTypeGetNumTypes(first);
  for (intptr_t i = 0; i < s.count; ++i) {
    MlirType index = s.is_tuple ? mlirTupleTypeGetType(first, i) : pa_operand_type(o, 1 + i);
    index_kind kind = kind_of(index);
    if (kind > s.kind) s.kind = kind;
    s.is_whole = s.count == 1 && kind == PA_INDEX_MASK && pyarrayArrayTypeGetRank(index) == rank_of(s.array);
  }
  return s;
}

static MlirValue make_index(pa_class_operation *o, intptr_t count) {
  MlirValue *indices = PA_NEW_ARRAY(o->inference->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirType type = pa_operand_type(o, 1 + i);
    bool empty = pyarrayTypeIsList(type) && pyarrayTypeIsNone(pyarrayTypeGetItem(type)); // nothing says of what
    indices[i] = empty ? pa_make_read_tuple(o->inference, o->instance, o->op, indices, 0)
                       : pa_make_displayed(o->inference, o->instance, o->op, mlirOperationGetOperand(o->op, 1 + i));
  }
  return pa_make_read_tuple(o->inference, o->instance, o->op, indices, (int)count);
}

pa_status pa_plan_indexing(pa_class_operation *o) {
  bool stores = o->kind == PA_OP_SETITEM;
  intptr_t operands = mlirOperationGetNumOperands(o->op);
  MlirType array = pa_operand_type(o, 0);
  if (mlirTypeIsNull(array) || !(pyarrayTypeIsArray(array) || pa_is_records(array))) return PA_OK;
  for (intptr_t i = 1; i < operands; ++i)
    if (mlirTypeIsNull(pa_operand_type(o, i))) return PA_OK;
  subscript s = read_subscript(o, operands - 1 - stores);
  bool in_kernel = pa_is_device_function(o->instance->function);
  if (in_kernel && s.kind == PA_INDEX_NUMBER) return PA_OK; // what it gives is a view there
  if (in_kernel && s.kind != PA_INDEX_BASIC)                // it makes arrays
    return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED,
                          "indexing %s by an array or a list is not compiled in kernels\nhint: loop over the indices",
                          pa_type_text(o->inference->arena, array));
  if (stores && s.kind != PA_INDEX_BASIC) PA_TRY(pa_need_writable(&o->typing, array));
  const char *function = stores ? functions[s.kind].set : functions[s.kind].get;
  if (s.is_whole) function = stores ? "numpy.scattering.set_masked" : "numpy.indexing.get_masked";
  if (!function) return PA_OK;
  MlirValue index = s.is_tuple ? mlirOperationGetOperand(o->op, 1) : make_index(o, s.count),
            arguments[] = {mlirOperationGetOperand(o->op, 0), index, mlirOperationGetOperand(o->op, operands - 1)};
  return pa_plan_function(o, pa_symbol_attr(o->inference->context, function), arguments, 2 + stores);
}
