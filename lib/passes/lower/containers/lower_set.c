// Of pyarray-lower: whether a set of whole numbers of four or eight bytes has one. The first group of its table
// (lib/runtime/objects/set_table.h) says it inline; only where that is full, or the number is one that a table does not
// have, the runtime is asked.
//
//   %there = pyarray.contains %s[%k] : !pyarray.set<si64>
// becomes
//   %at = (%k * %multiplier >> %shift) & %mask
//   %group = llvm.load %table[%at] : vector<4xi64>
//   %has = any of llvm.icmp "eq" %group, %k
//   %there = scf.if (%has | %group[3] == 0) & %k << 1 != 0 { %has } else { func.call @pyarray_rt_set_has(%s, %k) }
#include "lower_arrays.h"
#include "lower_containers.h"
#include "lower_items.h"
#include "lower_numbers.h"

enum { MASK = 4, SHIFT = 11, TABLE, MULTIPLIER, GROUP = 4 }; // words at the handle (lib/runtime/base/objects.h)

bool pa_has_table(MlirType key) {
  pa_scalar scalar = pa_scalar_of(key);
  return scalar == PA_I64 || scalar == PA_U64 || scalar == PA_I32 || scalar == PA_U32;
}

// As the table has it.
MlirValue pa_table_number(pa_lowering *lower, MlirValue key) {
  MlirValue number = pa_get1(lower, key);
  pa_scalar scalar = pa_scalar_of(mlirValueGetType(key));
  return scalar == PA_I32 || scalar == PA_U32 ? pa_convert(lower, "arith.extsi", number, lower->i64) : number;
}

static MlirValue word(pa_lowering *lower, MlirValue set, int number) {
  return pa_load_word(lower, pa_pointer_to(lower, set), number, lower->i64);
}

static MlirType group_type(MlirType element) {
  int64_t count = GROUP;
  return mlirVectorTypeGet(1, &count, element);
}

static MlirValue group_of(pa_lowering *lower, MlirValue set, MlirValue number) {
  MlirValue at = pa_binary(lower, "arith.muli", number, word(lower, set, MULTIPLIER));
  at = pa_binary(lower, "arith.andi", pa_binary(lower, "arith.shrui", at, word(lower, set, SHIFT)),
                 word(lower, set, MASK));
  MlirValue table = pa_pointer_to(lower, word(lower, set, TABLE)),
            place = pa_byte_offset(lower, table, pa_binary(lower, "arith.muli", at, pa_int(lower, lower->i64, 8)));
  return pa_value(&lower->builder, "llvm.load", PA_OPERANDS(place), PA_RESULTS(group_type(lower->i64)),
                  PA_ATTRS({"alignment", pa_i64_attr(lower->context, 8 * GROUP)}));
}

static MlirValue any_equal(pa_lowering *lower, MlirValue group, MlirValue number) {
  int32_t zeros[GROUP] = {0};
  MlirType type = group_type(lower->i64), bits = mlirIntegerTypeGet(lower->context, GROUP);
  MlirValue none = pa_value(&lower->builder, "llvm.mlir.poison", PA_RESULTS(type));
  MlirValue first = pa_value(&lower->builder, "llvm.insertelement",
                             PA_OPERANDS(none, number, pa_int(lower, lower->i64, 0)), PA_RESULTS(type));
  MlirValue all = pa_value(&lower->builder, "llvm.shufflevector", PA_OPERANDS(first, first), PA_RESULTS(type),
                           PA_ATTRS({"mask", mlirDenseI32ArrayGet(lower->context, GROUP, zeros)}));
  MlirValue equal = pa_value(&lower->builder, "llvm.icmp", PA_OPERANDS(group, all), PA_RESULTS(group_type(lower->i1)),
                             PA_ATTRS({"predicate", pa_i64_attr(lower->context, PA_EQ)}));
  return pa_compare_int(lower, PA_NE, pa_convert(lower, "llvm.bitcast", equal, bits), pa_int(lower, bits, 0));
}

MlirValue pa_set_has_number(pa_lowering *lower, MlirValue set, MlirValue number) {
  MlirValue zero = pa_int(lower, lower->i64, 0), group = group_of(lower, set, number),
            has = any_equal(lower, group, number);
  MlirValue last = pa_value(&lower->builder, "llvm.extractelement",
                            PA_OPERANDS(group, pa_int(lower, lower->i64, GROUP - 1)), PA_RESULTS(lower->i64));
  MlirValue rest = pa_binary(lower, "arith.shli", number, pa_int(lower, lower->i64, 1));
  MlirValue known = pa_and(lower, pa_or(lower, has, pa_compare_int(lower, PA_EQ, last, zero)),
                           pa_compare_int(lower, PA_NE, rest, zero));
  pa_scope scope = pa_open(lower, NULL, 0);
  MlirRegion said = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), &has, 1);
  scope = pa_open(lower, NULL, 0);
  MlirValue asked =
      pa_compare_int(lower, PA_NE, pa_runtime(lower, "pyarray_rt_set_has", set, number), pa_int(lower, lower->i32, 0));
  MlirRegion unsaid = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), &asked, 1);
  MlirOperation choice = pa_emit_if(lower, known, said, unsaid, &lower->i1, 1);
  return mlirOperationIsNull(choice) ? has : mlirOperationGetResult(choice, 0);
}
