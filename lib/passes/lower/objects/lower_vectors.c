// Of pyarray-lower: vectors of CUDA's, which are tuples, read and stored by one access where they are aligned; and
// accesses with a cache operator, of numbers and vectors.
//
//   %v = pyarray.builtin "pyarray.vector_load"(%r, %0, %16) : (!pyarray.array<16xui8, C>, si64, si64) -> tuple<f32,
//   f32, f32, f32>
// becomes
//   %0 = llvm.load %p {alignment = 16} : !llvm.ptr -> vector<4xf32>; %v#0 = llvm.extractelement %0[0]; ...
//
//   %x = pyarray.builtin "cuda.ldcg"(%a, %i) : (!pyarray.array<?xf32, C>, si64) -> f32
// becomes
//   %x = llvm.load %p {alignment = 4, pyarray.cache = "cg"} : !llvm.ptr -> f32         lib/codegen/streaming.c makes it
//   ld.global.cg
#include <string.h>

#include "lower_arrays.h"
#include "lower_items.h"
#include "lower_objects.h"

enum { MOST = 4, WIDEST = 16 };

// One to four numbers of one type, one behind the other.
typedef struct place {
  MlirValue pointer;
  pa_scalar element;
  int64_t count, alignment;
  bool tuple;          // as a value
  MlirAttribute cache; // the operator; null: none
} place;

// What is at the place has this type. False after a failure.
static bool set_type(pa_lowering *lower, const pa_builtin_call *call, MlirType type, place *out) {
  out->tuple = !mlirTypeIsNull(type) && mlirTypeIsATuple(type);
  out->count = out->tuple ? mlirTupleTypeGetNumTypes(type) : 1;
  out->element = out->count ? pa_scalar_of(out->tuple ? mlirTupleTypeGetType(type, 0) : type) : PA_NOT_SCALAR;
  bool fits = out->count <= MOST && (pa_is_integer(out->element) || pa_is_float(out->element));
  for (intptr_t i = 1; fits && i < out->count; ++i) fits = pa_scalar_of(mlirTupleTypeGetType(type, i)) == out->element;
  if (!fits) pa_lower_fail(lower, "%s is of one to four numbers of one type", call->row->name);
  return fits;
}

static bool set_alignment(pa_lowering *lower, MlirValue value, place *out) {
  return pa_known_int(lower, value, &out->alignment) && out->alignment >= 1 && out->alignment <= WIDEST &&
         !(out->alignment & (out->alignment - 1));
}

//===-- Accesses ----------------------------------------------------------------------------------===//

static int64_t element_bytes(const place *p) { return pa_scalar_bytes(p->element); }

// How many elements an access takes: all, or 16 bytes of them, of vectors that CUDA aligns so.
static int64_t accessed(const place *p) {
  int64_t bytes = p->count * element_bytes(p), part = bytes < WIDEST ? bytes : WIDEST;
  return p->count != 3 && p->alignment >= part ? part / element_bytes(p) : 1;
}

static MlirType access_type(pa_lowering *lower, const place *p, int64_t count) {
  MlirType element = pa_lower_scalar_type(lower, p->element);
  return count > 1 ? mlirVectorTypeGet(1, &count, element) : element;
}

static MlirAttribute alignment_of(pa_lowering *lower, const place *p, int64_t count) {
  int64_t bytes = count * element_bytes(p);
  return pa_i64_attr(lower->context, p->alignment < bytes ? p->alignment : bytes);
}

// What shall be read each time (cv) is volatile, else LLVM might read it once.
static MlirAttribute volatility_of(pa_lowering *lower, const place *p) {
  bool each_time = !mlirAttributeIsNull(p->cache) && pa_ref_equal(mlirStringAttrGetValue(p->cache), "cv");
  return each_time ? pa_unit_attr(lower->context) : mlirAttributeGetNull();
}

static MlirValue pointer_of(pa_lowering *lower, const place *p, int64_t i) {
  return i ? pa_byte_offset(lower, p->pointer, pa_int(lower, lower->i64, i * element_bytes(p))) : p->pointer;
}

static void load_all(pa_lowering *lower, const pa_builtin_call *call, const place *p) {
  MlirValue values[MOST], read = {NULL};
  int64_t step = accessed(p);
  for (int64_t i = 0; i < p->count; ++i) {
    if (i % step == 0)
      read = pa_value(&lower->builder, "llvm.load", PA_OPERANDS(pointer_of(lower, p, i)),
                      PA_RESULTS(access_type(lower, p, step)),
                      PA_ATTRS({"alignment", alignment_of(lower, p, step)}, {"volatile_", volatility_of(lower, p)},
                               {"pyarray.cache", p->cache}));
    values[i] = step == 1 ? read
                          : pa_value(&lower->builder, "llvm.extractelement",
                                     PA_OPERANDS(read, pa_int(lower, lower->i64, i % step)),
                                     PA_RESULTS(access_type(lower, p, 1)));
  }
  pa_set(lower, pa_result(call->op), values, (int)p->count);
}

static void store_all(pa_lowering *lower, const pa_builtin_call *call, const place *p, pa_values values) {
  int64_t step = accessed(p);
  for (int64_t i = 0; i < p->count; i += step) {
    MlirValue part = step == 1 ? values.items[i]
                               : pa_value(&lower->builder, "llvm.mlir.poison", PA_RESULTS(access_type(lower, p, step)));
    for (int64_t k = 0; step > 1 && k < step; ++k)
      part = pa_value(&lower->builder, "llvm.insertelement",
                      PA_OPERANDS(part, values.items[i + k], pa_int(lower, lower->i64, k)),
                      PA_RESULTS(access_type(lower, p, step)));
    pa_op(&lower->builder, "llvm.store", PA_OPERANDS(part, pointer_of(lower, p, i)),
          PA_ATTRS({"alignment", alignment_of(lower, p, step)}, {"volatile_", volatility_of(lower, p)},
                   {"pyarray.cache", p->cache}));
  }
  pa_finish_none(lower, call);
}

//===-- Vectors in records ------------------------------------------------------------------------===//

// Operand 0 is the record, 1 and 2 are offset and alignment.
static bool find_in_record(pa_lowering *lower, const pa_builtin_call *call, MlirType type, place *out) {
  pa_array record;
  int64_t offset;
  if (!set_type(lower, call, type, out) || !pa_record_operand(lower, call, 0, &record)) return false;
  bool known = call->count >= 3 && pa_known_int(lower, pa_operand(call->op, 1), &offset) &&
               set_alignment(lower, pa_operand(call->op, 2), out);
  if (!known || offset < 0 || offset > pyarrayArrayTypeGetExtent(record.type, 0) - out->count * element_bytes(out)) {
    pa_lower_fail(lower, "%s of what does not lie in the record", call->row->name);
    return false;
  }
  out->pointer = pa_record_pointer(lower, &record, offset);
  return !pa_failed(&lower->builder);
}

static void lower_vector_load(pa_lowering *lower, const pa_builtin_call *call) {
  place p = {0};
  if (find_in_record(lower, call, mlirValueGetType(pa_result(call->op)), &p)) load_all(lower, call, &p);
}

static void lower_vector_store(pa_lowering *lower, const pa_builtin_call *call) {
  place p = {0};
  MlirType type = call->count == 4 ? mlirValueGetType(pa_operand(call->op, 3)) : (MlirType){NULL};
  if (find_in_record(lower, call, type, &p)) store_all(lower, call, &p, pa_get(lower, pa_operand(call->op, 3)));
}

//===-- Cache operators ---------------------------------------------------------------------------===//

static bool bad_call(pa_lowering *lower, const pa_builtin_call *call) {
  pa_lower_fail(lower, "builtin %s does not have operands and a result of these types", call->row->name);
  return false;
}

// Operands: the array, the indices, |values| more, and for vectors, whose bytes are the last axis, the alignment.
static bool find_element(pa_lowering *lower, const pa_builtin_call *call, MlirType type, int values, place *out) {
  MlirValue first = pa_operand(call->op, 0), positions[PA_MAX_RANK];
  if (!set_type(lower, call, type, out)) return false;
  out->cache = pa_text(lower, call->row->target);
  out->alignment = element_bytes(out);
  if (pyarrayTypeIsPointer(mlirValueGetType(first))) {
    if (call->count != 2 + values || out->tuple ||
        pa_scalar_of(pyarrayPointerTypeGetPointee(mlirValueGetType(first))) != out->element)
      return bad_call(lower, call);
    MlirValue index =
        pa_binary(lower, "arith.muli", pa_argument(lower, call, 1), pa_int(lower, lower->i64, element_bytes(out)));
    out->pointer = pa_byte_offset(lower, pa_get1(lower, first), index);
    return !pa_failed(&lower->builder);
  }
  if (!pyarrayTypeIsArray(mlirValueGetType(first))) return bad_call(lower, call);
  pa_array array = pa_array_of(lower, first);
  int lead = array.rank - out->tuple;
  bool fits = lead >= 0 && call->count == 1 + lead + values + out->tuple &&
              array.element == (out->tuple ? PA_U8 : out->element);
  if (!fits || (out->tuple && (pyarrayArrayTypeGetExtent(array.type, lead) != out->count * element_bytes(out) ||
                               !set_alignment(lower, pa_operand(call->op, call->count - 1), out))))
    return bad_call(lower, call);
  lower->in_bounds = lower->told_axes = mlirAttributeGetNull();
  lower->clamped = false;
  for (int axis = 0; axis < lead; ++axis)
    positions[axis] = pa_position(lower, &array, axis, pa_operand(call->op, axis + 1));
  if (out->tuple) positions[lead] = pa_int(lower, lower->i64, 0);
  out->pointer = pa_element_address(lower, &array, positions);
  return !pa_failed(&lower->builder);
}

static void lower_cache_load(pa_lowering *lower, const pa_builtin_call *call) {
  place p = {0};
  if (find_element(lower, call, mlirValueGetType(pa_result(call->op)), 0, &p)) load_all(lower, call, &p);
}

static void lower_cache_store(pa_lowering *lower, const pa_builtin_call *call) {
  place p = {0};
  MlirType first = mlirValueGetType(pa_operand(call->op, 0));
  int rank = pyarrayTypeIsArray(first) ? (int)pyarrayArrayTypeGetRank(first) : 1, value = call->count - 1;
  if (value > 0 && call->count > rank + 1 && mlirTypeIsATuple(mlirValueGetType(pa_operand(call->op, value - 1))))
    --value; // the last one is the alignment
  if (find_element(lower, call, mlirValueGetType(pa_operand(call->op, value)), 1, &p))
    store_all(lower, call, &p, pa_get(lower, pa_operand(call->op, value)));
}

const pa_builtin_rule_row pa_vector_rules[] = {
    {PA_LOWERING_VECTOR_LOAD, lower_vector_load},
    {PA_LOWERING_VECTOR_STORE, lower_vector_store},
    {PA_LOWERING_CACHE_LOAD, lower_cache_load},
    {PA_LOWERING_CACHE_STORE, lower_cache_store},
    {0, NULL},
};
