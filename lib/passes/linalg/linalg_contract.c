// Of pyarray-lower-linalg: products of matrices and vectors, to calls of the runtime.
//
//   linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%c : memref<?x?xf64, strided<[?, 1], offset: ?>>)
//   linalg.matmul {pyarray.contract = "blas"} ins(%a, %b : ...) outs(%c : ...)
// becomes
//   func.call @pyarray_rt_matmul_f64(%1, %0, %0, %0, %m, %n, %k, %a, %a_m, %a_k, %b, %b_k, %b_n, %c, %c_m, %c_n)
//
// or, of one with "adds" or "subtracts", which has no start, @pyarray_rt_matmul_add_f64 or ..._subtract_f64.
// The function multiplies by NumPy's loop, or by loops of the runtime where matrices are small or of integers; so there
// is one switch for all extents, at run time, and no loop to compile, but for short dots of floats:
//
//   scf.if (%k > 4096) { func.call @pyarray_rt_matmul_f64(...) }
//   else { %s = scf.for ... iter_args(%sum) { ... multiply, add ... }     memref.store %s, %c[] }
#include <string.h>

#include "linalg_internal.h"

enum { STEPS = 1, EXTENTS = 4, OPERANDS = 7, ARGUMENTS = 16 }; // ORDER of the runtime's parameters

// Places of the dimensions of each operand: of the batch, and as in a product of matrices; -1 where it has none.
typedef struct product_row {
  const char *name;
  int batch, a_m, a_k, b_k, b_n, c_m, c_n;
} product_row;

static const product_row rows[] = {
    {"linalg.matmul", -1, 0, 1, 0, 1, 0, 1},   {"linalg.batch_matmul", 0, 1, 2, 1, 2, 1, 2},
    {"linalg.matvec", -1, 0, 1, 0, -1, 0, -1}, {"linalg.vecmat", -1, -1, 0, 0, 1, -1, 0},
    {"linalg.dot", -1, -1, 0, 0, -1, -1, -1},
};

static int64_t rank_of(MlirOperation op, int operand) {
  return mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, operand)));
}

static bool is_how(MlirOperation op, const char *how) {
  return pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "pyarray.contract")), how);
}

// A linalg.generic is one of bools, or subtracts; the ranks of its operands say which.
static const product_row *row_of(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 3) return NULL;
  const char *name = NULL;
  if (pa_op_is(op, PA_OP_NAME(LINALG_GENERIC))) {
    bool row = rank_of(op, 0) == 2, column = rank_of(op, 1) == 2;
    name = row && column ? "linalg.matmul" : row ? "linalg.matvec" : column ? "linalg.vecmat" : "linalg.dot";
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (name ? strcmp(rows[i].name, name) == 0 : pa_op_is(op, rows[i].name)) return &rows[i];
  return NULL;
}

// As pyarray_rt_matmul_... is named by it; NULL where there is none.
static const char *type_name(MlirOperation op) {
  static const struct {
    const char *type, *name;
  } names[] = {{"i8", "i8"},   {"i16", "i16"}, {"i32", "i32"},          {"i64", "i64"},
               {"f32", "f32"}, {"f64", "f64"}, {"complex<f32>", "c64"}, {"complex<f64>", "c128"}};
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  if (pa_op_is(op, PA_OP_NAME(LINALG_GENERIC)) && !is_how(op, "subtracts")) return "i1";
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirTypeEqual(mlirTypeParseGet(mlirOperationGetContext(op), pa_ref(names[i].type)), element))
      return names[i].name;
  return NULL;
}

//===-- Memory ------------------------------------------------------------------------------------===//

static int64_t element_bytes(MlirType element) {
  if (mlirTypeIsAComplex(element)) return 2 * element_bytes(mlirComplexTypeGetElementType(element));
  if (mlirTypeIsAFloat(element)) return mlirFloatTypeGetWidth(element) / 8;
  return mlirIntegerTypeGetWidth(element) / 8;
}

typedef struct memory {
  MlirValue address;              // of the first element
  MlirValue sizes[3], strides[3]; // i64, all
} memory;

static memory measure(pa_linalg *l, MlirValue operand) {
  memory m = {.address = {NULL}};
  if (pa_failed(&l->at)) return m;
  MlirType type = mlirValueGetType(operand), element = mlirShapedTypeGetElementType(type), results[8];
  intptr_t rank = mlirShapedTypeGetRank(type);
  results[0] = mlirMemRefTypeGet(element, 0, NULL, mlirAttributeGetNull(), mlirMemRefTypeGetMemorySpace(type));
  for (intptr_t i = 1; i < 2 + 2 * rank; ++i) results[i] = l->index;
  MlirOperation parts =
      pa_op(&l->at, "memref.extract_strided_metadata", PA_OPERANDS(operand), PA_RESULT_ARRAY(results, 2 + 2 * rank));
  MlirValue base =
      pa_value(&l->at, "memref.extract_aligned_pointer_as_index", PA_OPERANDS(operand), PA_RESULTS(l->index));
  if (pa_failed(&l->at)) return m;
  MlirValue offset =
      pa_loop_binary(l, "arith.muli", mlirOperationGetResult(parts, 1), pa_loop_int(l, element_bytes(element)));
  m.address = pa_loop_cast(l, pa_loop_binary(l, "arith.addi", base, offset), l->i64);
  for (intptr_t i = 0; i < rank; ++i) {
    m.sizes[i] = pa_loop_cast(l, mlirOperationGetResult(parts, 2 + i), l->i64);
    m.strides[i] = pa_loop_cast(l, mlirOperationGetResult(parts, 2 + rank + i), l->i64);
  }
  return m;
}

//===-- Products ----------------------------------------------------------------------------------===//

bool pa_is_contraction(MlirOperation op) { return !mlirAttributeIsNull(pa_get_attr(op, "pyarray.contract")); }

// The operation right before |op| that fills its output with what a sum starts from; null where there is none.
static MlirOperation start_of(MlirOperation op) {
  MlirValue output = mlirOperationGetOperand(op, 2);
  for (MlirOpOperand use = mlirValueGetFirstUse(output); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pa_is_contraction(user) && pa_op_is(user, "linalg.fill") &&
        mlirOperationEqual(mlirOperationGetNextInBlock(user), op))
      return user;
  }
  return (MlirOperation){NULL};
}

//===-- Dots --------------------------------------------------------------------------------------===//

// Products and sums are one operation, in any order; without nsz LLVM leaves it as it is.
static MlirValue multiply_add(pa_linalg *l, MlirValue sum, MlirValue a, MlirValue b) {
  if (pa_failed(&l->at)) return sum;
  MlirAttribute flags = mlirAttributeParseGet(l->at.context, pa_ref("#arith.fastmath<reassoc, nsz, contract>"));
  MlirType type = mlirValueGetType(a);
  MlirValue product =
      pa_value(&l->at, "arith.mulf", PA_OPERANDS(a, b), PA_RESULTS(type), PA_ATTRS({"fastmath", flags}));
  return pa_value(&l->at, "arith.addf", PA_OPERANDS(sum, product), PA_RESULTS(type), PA_ATTRS({"fastmath", flags}));
}

static bool has_unit_stride(MlirValue operand) {
  int64_t stride, offset;
  MlirType type = mlirValueGetType(operand);
  return mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, &stride, &offset)) && stride == 1;
}

static MlirAttribute scalar_loop(const pa_linalg *l) {
  return mlirAttributeParseGet(l->at.context, pa_ref("#llvm.loop_annotation<vectorize = <disable = true>>"));
}

// LLVM makes vectors of it.
static MlirValue add_contiguous(pa_linalg *l, MlirOperation op, MlirValue count, MlirValue zero) {
  MlirType element = mlirValueGetType(zero), carried[] = {l->index, element};
  pa_inside inside = pa_inside_open(l, carried, 2);
  MlirValue index = mlirBlockGetArgument(inside.block, 0), sum = mlirBlockGetArgument(inside.block, 1);
  MlirValue x = pa_loop_load(l, mlirOperationGetOperand(op, 0), &index, 1),
            y = pa_loop_load(l, mlirOperationGetOperand(op, 1), &index, 1);
  sum = multiply_add(l, sum, x, y);
  MlirRegion region = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), &sum, 1);
  return pa_value(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERANDS(pa_loop_int(l, 0), count, pa_loop_int(l, 1), zero),
                  PA_RESULTS(element), PA_REGIONS(region));
}

enum { SIDE_BY_SIDE = 4, APART = 2 };

typedef struct apart { // two operands whose elements lie apart
  MlirValue items[APART], strides[APART], multiples[APART][SIDE_BY_SIDE];
} apart;

static apart read_apart(pa_linalg *l, MlirOperation op, const memory *m) {
  apart x;
  for (int i = 0; i < APART; ++i) {
    x.items[i] = pa_loop_memref_at(l, m[i].address, mlirOperationGetOperand(op, i));
    x.strides[i] = pa_loop_cast(l, m[i].strides[0], l->index);
    for (int r = 1; r < SIDE_BY_SIDE; ++r)
      x.multiples[i][r] = pa_loop_binary(l, "arith.muli", x.strides[i], pa_loop_int(l, r));
  }
  return x;
}

// |sums| and |positions| after |rounds|, each of which adds up the next |width| products side by side.
static void add_rounds(pa_linalg *l, const apart *x, MlirValue rounds, int width, MlirValue *sums,
                       MlirValue *positions) {
  MlirType types[1 + SIDE_BY_SIDE + APART] = {l->index};
  MlirValue operands[3 + SIDE_BY_SIDE + APART] = {pa_loop_int(l, 0), rounds, pa_loop_int(l, 1)},
                                        next[SIDE_BY_SIDE + APART];
  for (int k = 0; k < width + APART; ++k) {
    operands[3 + k] = k < width ? sums[k] : positions[k - width];
    types[1 + k] = mlirValueGetType(operands[3 + k]);
  }
  if (pa_failed(&l->at)) return;
  pa_inside inside = pa_inside_open(l, types, 1 + width + APART);
  for (int r = 0; r < width; ++r) {
    MlirValue loaded[APART];
    for (int i = 0; i < APART; ++i) {
      MlirValue at = mlirBlockGetArgument(inside.block, 1 + width + i);
      if (r) at = pa_loop_binary(l, "arith.addi", at, x->multiples[i][r]);
      loaded[i] = pa_loop_load(l, x->items[i], &at, 1);
    }
    next[r] = multiply_add(l, mlirBlockGetArgument(inside.block, 1 + r), loaded[0], loaded[1]);
  }
  for (int i = 0; i < APART; ++i) {
    MlirValue step = pa_loop_binary(l, "arith.muli", x->strides[i], pa_loop_int(l, width));
    next[width + i] = pa_loop_binary(l, "arith.addi", mlirBlockGetArgument(inside.block, 1 + width + i), step);
  }
  MlirRegion region = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), next, width + APART);
  MlirOperation loop = pa_op(&l->at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, 3 + width + APART),
                             PA_RESULT_ARRAY(types + 1, width + APART), PA_REGIONS(region),
                             PA_ATTRS({"loop_annotation", scalar_loop(l)}));
  for (int k = 0; k < width + APART && !mlirOperationIsNull(loop); ++k)
    *(k < width ? &sums[k] : &positions[k - width]) = mlirOperationGetResult(loop, k);
}

// Four sums, so that an addition need not wait for the one before. Vectors would take longer to gather.
static MlirValue add_apart(pa_linalg *l, MlirOperation op, const memory *m, MlirValue count, MlirValue zero) {
  apart x = read_apart(l, op, m);
  MlirValue sums[SIDE_BY_SIDE] = {zero, zero, zero, zero}, positions[APART] = {pa_loop_int(l, 0), pa_loop_int(l, 0)},
            four = pa_loop_int(l, SIDE_BY_SIDE);
  add_rounds(l, &x, pa_loop_binary(l, "arith.divui", count, four), SIDE_BY_SIDE, sums, positions);
  if (pa_failed(&l->at)) return zero;
  sums[0] = pa_loop_binary(l, "arith.addf", pa_loop_binary(l, "arith.addf", sums[0], sums[1]),
                           pa_loop_binary(l, "arith.addf", sums[2], sums[3]));
  add_rounds(l, &x, pa_loop_binary(l, "arith.remui", count, four), 1, sums, positions);
  return sums[0];
}

static void add_products(pa_linalg *l, MlirOperation op, const memory *m, MlirValue count) {
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1), c = mlirOperationGetOperand(op, 2);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(a));
  MlirValue zero = pa_value(&l->at, "arith.constant", PA_RESULTS(element),
                            PA_ATTRS({"value", mlirFloatAttrDoubleGet(l->at.context, element, 0.0)}));
  if (pa_failed(&l->at)) return;
  bool contiguous = has_unit_stride(a) && has_unit_stride(b);
  MlirValue sum = contiguous ? add_contiguous(l, op, count, zero) : add_apart(l, op, m, count, zero);
  if (!pa_failed(&l->at)) pa_loop_store(l, sum, c, NULL, 0);
}

enum { SHORT_DOT = 4096 }; // multiplications: to call and to choose takes as long as 100 or 200

// Of floats on the CPU: a short one takes less than to call and to choose.
static bool is_dot_of_floats(const pa_linalg *l, MlirOperation op) {
  return pa_op_is(op, "linalg.dot") && !pa_is_device_function(l->function) &&
         mlirTypeIsAFloat(mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, 0))));
}

static void choose_dot(pa_linalg *l, MlirOperation op, const memory *m, const char *name, const MlirValue *arguments) {
  MlirValue count = pa_loop_extent(l, mlirOperationGetOperand(op, 0), 0),
            is_long = pa_loop_compare(l, PA_SIGNED_GREATER, count, pa_loop_int(l, SHORT_DOT));
  pa_inside inside = pa_inside_open(l, NULL, 0);
  pa_loop_call(l, name, (MlirType){NULL}, arguments, ARGUMENTS);
  MlirRegion call = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), NULL, 0);
  inside = pa_inside_open(l, NULL, 0);
  add_products(l, op, m, count);
  MlirRegion loop = pa_inside_close(l, inside, PA_OP_NAME(SCF_YIELD), NULL, 0);
  pa_op(&l->at, PA_OP_NAME(SCF_IF), PA_OPERANDS(is_long), PA_REGIONS(call, loop));
}

//===-- Lowering ----------------------------------------------------------------------------------===//

pa_status pa_lower_contraction(pa_linalg *l, MlirOperation op) {
  if (pa_op_is(op, "linalg.fill")) return PA_OK;
  const product_row *row = row_of(op);
  const char *type = row ? type_name(op) : NULL;
  bool subtracts = is_how(op, "subtracts"), adds = (subtracts || is_how(op, "adds")) && type && *type == 'f';
  MlirOperation start = row && !adds ? start_of(op) : (MlirOperation){NULL};
  if (!type || (mlirOperationIsNull(start) && !adds))
    return pa_fail_at(
        PA_CODE_INVALID, mlirOperationGetLocation(op),
        "pyarray.contract is a product of linalg that the runtime knows, right after the fill of its output");
  MlirValue zero = pa_loop_cast(l, pa_loop_int(l, 0), l->i64), one = pa_loop_cast(l, pa_loop_int(l, 1), l->i64),
            arguments[ARGUMENTS];
  memory m[3];
  for (int i = 0; i < 3; ++i) m[i] = measure(l, mlirOperationGetOperand(op, i));
  const int first[] = {row->a_m, row->b_k, row->c_m}, second[] = {row->a_k, row->b_n, row->c_n};
  arguments[0] = row->batch < 0 ? one : m[0].sizes[row->batch];
  arguments[EXTENTS] = row->a_m < 0 ? one : m[0].sizes[row->a_m];
  arguments[EXTENTS + 1] = row->b_n < 0 ? one : m[1].sizes[row->b_n];
  arguments[EXTENTS + 2] = m[0].sizes[row->a_k];
  for (int i = 0; i < 3; ++i) {
    arguments[STEPS + i] = row->batch < 0 ? zero : m[i].strides[row->batch];
    arguments[OPERANDS + 3 * i] = m[i].address;
    arguments[OPERANDS + 3 * i + 1] = first[i] < 0 ? one : m[i].strides[first[i]];
    arguments[OPERANDS + 3 * i + 2] = second[i] < 0 ? one : m[i].strides[second[i]];
  }
  const char *name = pa_arena_format(l->arena, "pyarray_rt_matmul_%s%s",
                                     !adds       ? ""
                                     : subtracts ? "subtract_"
                                                 : "add_",
                                     type);
  if (!adds && is_dot_of_floats(l, op))
    choose_dot(l, op, m, name, arguments);
  else
    pa_loop_call(l, name, (MlirType){NULL}, arguments, ARGUMENTS);
  if (pa_failed(&l->at)) return l->at.failure;
  mlirOperationDestroy(op);
  if (!adds) mlirOperationDestroy(start);
  return PA_OK;
}
