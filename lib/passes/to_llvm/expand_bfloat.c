// pyarray-expand-bfloat: bfloat16 on a CPU, by float32 and integers. x86-64's own conversions, where there are any,
// take subnormal numbers for zero, and others are calls.
//
// In:  level 4 or 5.
//
//   %0 = arith.addf %x, %y : bf16
//
// Out: operations on float32 between conversions, which are made of integers; nothing but bits is left of bf16:
//
//   %1 = (%x as i16, extended to i32) << 16, as f32; %2 the same of %y
//   %3 = arith.addf %1, %2 : f32
//   %0 = the upper half of (%3 as i32) + 0x7fff + its bit 16, or of a NaN its upper half with the quiet bit
//
// Sums, products, quotients and square roots of two bfloat16 are rounded to the nearest by that: float32 has more than
// twice the digits. math.fma is computed in float64, and rounded to odd on the way.
#include <string.h>

#include "ir/ir.h"
#include "pass.h"

typedef struct expansion {
  MlirContext context;
  MlirType bf16, f32, f64, i1, i16, i32, i64;
} expansion;

static MlirValue convert(pa_builder *at, const char *name, MlirValue value, MlirType type) {
  return pa_value(at, name, PA_OPERANDS(value), PA_RESULTS(type));
}
static MlirValue binary(pa_builder *at, const char *name, MlirValue a, MlirValue b) {
  return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirValueGetType(a)));
}

// ORDER PREDICATES: those of arith.cmpf and arith.cmpi that are needed.
enum { EQ = 0, OGT = 2, ONE = 6, UNO = 14 };

static MlirValue compare(const expansion *x, pa_builder *at, const char *name, int predicate, MlirValue a,
                         MlirValue b) {
  return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(x->i1),
                  PA_ATTRS({"predicate", mlirIntegerAttrGet(x->i64, predicate)}));
}

static MlirValue choose(pa_builder *at, MlirValue condition, MlirValue a, MlirValue b) {
  return pa_value(at, "arith.select", PA_OPERANDS(condition, a, b), PA_RESULTS(mlirValueGetType(a)));
}

//===-- Conversions -------------------------------------------------------------------------------===//

static MlirValue to_f32(const expansion *x, pa_builder *at, MlirValue value) {
  MlirValue bits = convert(at, "arith.extui", convert(at, "arith.bitcast", value, x->i16), x->i32);
  return convert(at, "arith.bitcast", binary(at, "arith.shli", bits, pa_constant_int(at, x->i32, 16)), x->f32);
}

static MlirValue from_f32(const expansion *x, pa_builder *at, MlirValue value) {
  enum { HALF_MINUS_ONE = 0x7fff, QUIET = 0x40 };
  MlirValue bits = convert(at, "arith.bitcast", value, x->i32), width = pa_constant_int(at, x->i32, 16);
  MlirValue high = binary(at, "arith.shrui", bits, width),
            odd = binary(at, "arith.andi", high, pa_constant_int(at, x->i32, 1));
  MlirValue sum =
      binary(at, "arith.addi", binary(at, "arith.addi", bits, pa_constant_int(at, x->i32, HALF_MINUS_ONE)), odd);
  MlirValue quiet = binary(at, "arith.ori", high, pa_constant_int(at, x->i32, QUIET));
  MlirValue nan = compare(x, at, "arith.cmpf", UNO, value, value);
  MlirValue result = choose(at, nan, quiet, binary(at, "arith.shrui", sum, width));
  return convert(at, "arith.bitcast", convert(at, "arith.trunci", result, x->i16), x->bf16);
}

//===-- a * b + c ---------------------------------------------------------------------------------===//

static MlirValue zero_of(const expansion *x, pa_builder *at, MlirType type) {
  return pa_value(at, "arith.constant", PA_RESULTS(type),
                  PA_ATTRS({"value", mlirFloatAttrDoubleGet(x->context, type, 0)}));
}

// |value|, rounded to the nearest, of which |rest| is what it lacks: rounded to odd instead. Of infinity that is the
// greatest number, unless |rest| is NaN.
static MlirValue made_odd(const expansion *x, pa_builder *at, MlirValue value, MlirValue rest, MlirType integer) {
  MlirType type = mlirValueGetType(value);
  MlirValue zero = zero_of(x, at, type), nothing = zero_of(x, at, mlirValueGetType(rest));
  MlirValue bits = convert(at, "arith.bitcast", value, integer), one = pa_constant_int(at, integer, 1),
            none = pa_constant_int(at, integer, 0);
  MlirValue inexact = compare(x, at, "arith.cmpf", ONE, rest, nothing);
  MlirValue even = compare(x, at, "arith.cmpi", EQ, binary(at, "arith.andi", bits, one), none);
  MlirValue outwards = compare(x, at, "arith.cmpi", EQ, compare(x, at, "arith.cmpf", OGT, rest, nothing),
                               compare(x, at, "arith.cmpf", OGT, value, zero));
  MlirValue moved = binary(at, "arith.addi", bits, choose(at, outwards, one, pa_constant_int(at, integer, -1)));
  return convert(at, "arith.bitcast", choose(at, binary(at, "arith.andi", inexact, even), moved, bits), type);
}

// The product is exact in float64. What its sum with |c| lacks is known exactly (Knuth's two-sum).
static MlirValue fused(const expansion *x, pa_builder *at, MlirOperation op) {
  MlirValue wide[3];
  for (int i = 0; i < 3; ++i)
    wide[i] = convert(at, "arith.extf", to_f32(x, at, mlirOperationGetOperand(op, i)), x->f64);
  MlirValue product = binary(at, "arith.mulf", wide[0], wide[1]), sum = binary(at, "arith.addf", product, wide[2]);
  MlirValue second = binary(at, "arith.subf", sum, product), first = binary(at, "arith.subf", sum, second);
  MlirValue rest =
      binary(at, "arith.addf", binary(at, "arith.subf", product, first), binary(at, "arith.subf", wide[2], second));
  MlirValue odd = made_odd(x, at, sum, rest, x->i64), single = convert(at, "arith.truncf", odd, x->f32);
  MlirValue lost = binary(at, "arith.subf", odd, convert(at, "arith.extf", single, x->f64));
  return from_f32(x, at, made_odd(x, at, single, lost, x->i32));
}

//===-- Others ------------------------------------------------------------------------------------===//

// The same operation on float32.
static MlirOperation widened(const expansion *x, pa_builder *at, MlirOperation op, MlirStringRef name) {
  MlirValue operands[4];
  intptr_t count = mlirOperationGetNumOperands(op), attributes = mlirOperationGetNumAttributes(op);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirTypeEqual(type, x->bf16)) type = x->f32;
  for (intptr_t i = 0; i < count; ++i) {
    operands[i] = mlirOperationGetOperand(op, i);
    if (mlirTypeEqual(mlirValueGetType(operands[i]), x->bf16)) operands[i] = to_f32(x, at, operands[i]);
  }
  MlirOperationState state = mlirOperationStateGet(name, at->location);
  mlirOperationStateAddOperands(&state, count, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  for (intptr_t i = 0; i < attributes; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  MlirOperation made = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(at->block, at->before, made);
  return made;
}

static bool is_any(MlirStringRef name, const char *const *names) {
  for (; *names; ++names)
    if (pa_ref_equal(name, *names)) return true;
  return false;
}

static bool has_bfloat(const expansion *x, MlirOperation op) {
  bool found = mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), x->bf16);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    found |= mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)), x->bf16);
  return found;
}

static pa_status visit(void *data, MlirOperation op) {
  static const char *const of_bits[] = {"arith.constant", "arith.select", "arith.bitcast", NULL};
  const expansion *x = data;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool of_numbers = name.length > 6 && (memcmp(name.data, "arith.", 6) == 0 || memcmp(name.data, "math.", 5) == 0);
  if (!of_numbers || mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumOperands(op) > 4 ||
      is_any(name, of_bits) || !has_bfloat(x, op))
    return PA_OK;
  pa_builder at = {.context = x->context,
                   .block = mlirOperationGetBlock(op),
                   .before = op,
                   .location = mlirOperationGetLocation(op)};
  MlirValue result = mlirOperationGetResult(op, 0), made;
  if (pa_ref_equal(name, "arith.extf")) {
    made = to_f32(x, &at, mlirOperationGetOperand(op, 0));
    if (!mlirTypeEqual(mlirValueGetType(result), x->f32))
      made = convert(&at, "arith.extf", made, mlirValueGetType(result));
  } else if (pa_ref_equal(name, "arith.truncf")) {
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)), x->f32))
      return pa_fail_at(PA_CODE_INTERNAL, at.location, "bfloat16 is rounded from float32 alone");
    made = from_f32(x, &at, mlirOperationGetOperand(op, 0));
  } else if (pa_ref_equal(name, "math.fma")) {
    made = fused(x, &at, op);
  } else {
    made = mlirOperationGetResult(widened(x, &at, op, name), 0);
    if (mlirTypeEqual(mlirValueGetType(result), x->bf16)) made = from_f32(x, &at, made);
  }
  PA_TRY(at.failure);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(op);
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirContext c = context->context;
  expansion x = {c,
                 mlirBF16TypeGet(c),
                 mlirF32TypeGet(c),
                 mlirF64TypeGet(c),
                 mlirIntegerTypeGet(c, 1),
                 mlirIntegerTypeGet(c, 16),
                 mlirIntegerTypeGet(c, 32),
                 mlirIntegerTypeGet(c, 64)};
  return pa_walk(pa_module_body(module), visit, &x);
}

const pa_pass pa_pass_expand_bfloat = {
    .argument = "pyarray-expand-bfloat",
    .summary = "Compute bfloat16 by float32 and integers",
    .dependent_dialects = (const char *const[]){"arith", "math", NULL},
    .run = run,
};
