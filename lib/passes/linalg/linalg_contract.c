// Of pyarray-lower-linalg: products of matrices and vectors, to calls of the runtime.
//
//   linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%c : memref<?x?xf64, strided<[?, 1], offset: ?>>)
//   linalg.matmul {pyarray.contract = "blas"} ins(%a, %b : ...) outs(%c : ...)
// becomes
//   func.call @pyarray_rt_matmul_f64(%1, %0, %0, %0, %m, %n, %k, %a, %a_m, %a_k, %b, %b_k, %b_n, %c, %c_m, %c_n)
//
// The function multiplies by NumPy's loop, or by loops of the runtime where matrices are small or of integers; so there
// is one switch for all extents, at run time, and no loop to compile.
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

// A linalg.generic is one of bools; the ranks of its operands say which.
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
  if (pa_op_is(op, PA_OP_NAME(LINALG_GENERIC))) return "i1";
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

pa_status pa_lower_contraction(pa_linalg *l, MlirOperation op) {
  if (pa_op_is(op, "linalg.fill")) return PA_OK;
  const product_row *row = row_of(op);
  const char *type = row ? type_name(op) : NULL;
  MlirOperation start = row ? start_of(op) : (MlirOperation){NULL};
  if (!type || mlirOperationIsNull(start))
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
  pa_loop_call(l, pa_arena_format(l->arena, "pyarray_rt_matmul_%s", type), (MlirType){NULL}, arguments, ARGUMENTS);
  if (pa_failed(&l->at)) return l->at.failure;
  mlirOperationDestroy(op);
  mlirOperationDestroy(start);
  return PA_OK;
}
