// Of pyarray-lower: functions of NVIDIA's libdevice (lib/support/libdevice.def).
//
//   %t = pyarray.builtin "cuda.libdevice.frexp"(%x) : (f64) -> tuple<f64, si32>
// becomes
//   %0 = memref.alloca() : memref<1xi32>                (in the entry block)
//   %1 = memref.extract_aligned_pointer_as_index %0     (and llvm.inttoptr)
//   %2 = func.call @__nv_frexp(%x, %1) : (f64, !llvm.ptr) -> f64
//   %3 = memref.load %0[%c0]
#include <string.h>

#include "lower_internal.h"

enum { MOST = 6 };

static MlirType type_of(pa_lowering *lower, char code) {
  return pa_lower_scalar_type(lower, pa_scalar_from_code(code));
}

// Memory of the thread, where the function leaves a result.
static MlirValue place_for(pa_lowering *lower, MlirType type) {
  int64_t shape[] = {1};
  MlirType memref = mlirMemRefTypeContiguousGet(type, 1, shape, mlirAttributeGetNull());
  int32_t segments[] = {0, 0};
  pa_builder builder = pa_entry_builder(lower);
  MlirOperation op = pa_op(&builder, "memref.alloca", PA_RESULTS(memref),
                           PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                                    {"pyarray.local", pa_unit_attr(lower->context)}));
  pa_entry_built(lower, &builder, op);
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

static MlirValue address_of(pa_lowering *lower, MlirValue place) {
  MlirValue index = pa_value(&lower->builder, "memref.extract_aligned_pointer_as_index", PA_OPERANDS(place),
                             PA_RESULTS(lower->index));
  return pa_convert(lower, "llvm.inttoptr", pa_to_i64(lower, index),
                    mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr")));
}

// Declares the function for these operands, and calls it; null where it returns nothing.
static MlirValue call_function(pa_lowering *lower, const char *name, char result_code, const MlirValue *operands,
                               int count, bool pure) {
  MlirType types[MOST], result = {NULL};
  for (int i = 0; i < count; ++i) types[i] = pa_type_or_none(lower, operands[i]);
  bool returns = result_code != '*';
  if (returns) result = type_of(lower, result_code);
  MlirType type = mlirFunctionTypeGet(lower->context, count, types, returns, &result);
  pa_attr attribute = {"llvm.readnone", pa_unit_attr(lower->context)};
  pa_declare(lower, name, type, &attribute, pure);
  return pa_call_declared(lower, name, type, operands, count);
}

static void lower_libdevice(pa_lowering *lower, const pa_builtin_call *call) {
  const char *code = strchr(call->row->target, '>') + 1, *star = strchr(code, '*');
  const char *name = pa_arena_format(lower->arena, "__nv_%s", strrchr(call->row->name, '.') + 1);
  MlirValue operands[MOST], places[MOST], results[MOST];
  int count = 0, place = 0, found = 0;
  for (; count < call->count; ++count) operands[count] = pa_argument(lower, call, count);
  for (const char *at = star; at; at = strchr(at + 1, '*')) {
    places[place] = place_for(lower, type_of(lower, at[1]));
    operands[count++] = address_of(lower, places[place++]);
  }
  MlirValue returned = call_function(lower, name, *code, operands, count, !star);
  if (*code != '*') results[found++] = returned;
  place = 0;
  for (const char *at = star; at; at = strchr(at + 1, '*'))
    results[found++] =
        pa_value(&lower->builder, "memref.load", PA_OPERANDS(places[place++], pa_int(lower, lower->index, 0)),
                 PA_RESULTS(type_of(lower, at[1])));
  pa_set(lower, pa_result(call->op), results, found);
}

const pa_builtin_rule_row pa_libdevice_rules[] = {{PA_LOWERING_LIBDEVICE, lower_libdevice}, {0, NULL}};
