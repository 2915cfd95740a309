// pyarray-lower-contractions: products of matrices and vectors, to calls of the runtime.
//
// Enters:
//
//   linalg.fill {pyarray.contract = "start"} ins(%zero : f64) outs(%c : memref<?x?xf64, strided<[?, 1], offset: ?>>)
//   linalg.matmul {pyarray.contract = "blas"} ins(%a, %b : ...) outs(%c : ...)
//
// Leaves, with steps 0 for the product, the extents, and address and strides of each operand:
//
//   func.call @pyarray_rt_matmul_f64(%1, %0, %0, %0, %m, %n, %k, %a, %a_m, %a_k, %b, %b_k, %b_n, %c, %c_m, %c_n)
//
// The function multiplies by NumPy's loop, or by loops of the runtime where matrices are small or of integers; so there
// is one switch for all extents, at run time, and no loop to compile.
#include <string.h>

#include "ir/ir.h"
#include "pass.h"

enum { STEPS = 1, EXTENTS = 4, OPERANDS = 7, ARGUMENTS = 16 }; // ORDER of the runtime's parameters

// Places of the dimensions of each operand: of the batch, and as in a product of matrices; -1 where it has none.
typedef struct product_row {
  const char *name;
  int a_batch, a_m, a_k, b_batch, b_k, b_n, c_batch, c_m, c_n;
} product_row;

static const product_row rows[] = {
    {"linalg.matmul", -1, 0, 1, -1, 0, 1, -1, 0, 1},   {"linalg.batch_matmul", 0, 1, 2, 0, 1, 2, 0, 1, 2},
    {"linalg.matvec", -1, 0, 1, -1, 0, -1, -1, 0, -1}, {"linalg.vecmat", -1, -1, 0, -1, 0, 1, -1, -1, 0},
    {"linalg.dot", -1, -1, 0, -1, 0, -1, -1, -1, -1},
};

typedef struct lowering {
  pa_arena *arena;
  MlirOperation module;
  MlirContext context;
  MlirType i64, index;
} lowering;

//===-- Numbers -----------------------------------------------------------------------------------===//

static MlirValue to_i64(const lowering *l, pa_builder *at, MlirValue value) {
  return pa_value(at, "arith.index_cast", PA_OPERANDS(value), PA_RESULTS(l->i64));
}

static int64_t element_bytes(MlirType element) {
  if (mlirTypeIsAComplex(element)) return 2 * element_bytes(mlirComplexTypeGetElementType(element));
  if (mlirTypeIsAFloat(element)) return mlirFloatTypeGetWidth(element) / 8;
  return mlirIntegerTypeGetWidth(element) / 8;
}

typedef struct memory {
  MlirValue address;              // i64, of the first element
  MlirValue sizes[3], strides[3]; // i64
} memory;

static memory measure(const lowering *l, pa_builder *at, MlirValue operand) {
  memory m = {.address = {NULL}};
  MlirType type = mlirValueGetType(operand), element = mlirShapedTypeGetElementType(type), results[8];
  intptr_t rank = mlirShapedTypeGetRank(type);
  results[0] = mlirMemRefTypeGet(element, 0, NULL, mlirAttributeGetNull(), mlirMemRefTypeGetMemorySpace(type));
  for (intptr_t i = 1; i < 2 + 2 * rank; ++i) results[i] = l->index;
  MlirOperation parts =
      pa_op(at, "memref.extract_strided_metadata", PA_OPERANDS(operand), PA_RESULT_ARRAY(results, 2 + 2 * rank));
  if (mlirOperationIsNull(parts)) return m;
  MlirValue base = to_i64(
                l, at,
                pa_value(at, "memref.extract_aligned_pointer_as_index", PA_OPERANDS(operand), PA_RESULTS(l->index))),
            offset = to_i64(l, at, mlirOperationGetResult(parts, 1)),
            bytes = pa_constant_int(at, l->i64, element_bytes(element));
  offset = pa_value(at, "arith.muli", PA_OPERANDS(offset, bytes), PA_RESULTS(l->i64));
  m.address = pa_value(at, "arith.addi", PA_OPERANDS(base, offset), PA_RESULTS(l->i64));
  for (intptr_t i = 0; i < rank; ++i) {
    m.sizes[i] = to_i64(l, at, mlirOperationGetResult(parts, 2 + i));
    m.strides[i] = to_i64(l, at, mlirOperationGetResult(parts, 2 + rank + i));
  }
  return m;
}

//===-- Operations --------------------------------------------------------------------------------===//

static const product_row *row_named(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

// A linalg.generic of bools, by the ranks of its operands.
static const product_row *row_of(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirOperationGetNumOperands(op) != 3) return NULL;
  if (pa_ref_equal(name, "linalg.generic")) {
    bool row = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 0))) == 2,
         column = mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 1))) == 2;
    return row_named(row && column ? "linalg.matmul" : row ? "linalg.matvec" : column ? "linalg.vecmat" : "linalg.dot");
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (pa_ref_equal(name, rows[i].name)) return &rows[i];
  return NULL;
}

// As pyarray_rt_matmul_... is named by it; NULL where there is none.
static const char *type_name(MlirOperation op, MlirType element) {
  if (pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "linalg.generic")) return "i1";
  static const struct {
    const char *type, *name;
  } names[] = {{"i8", "i8"},   {"i16", "i16"}, {"i32", "i32"},          {"i64", "i64"},
               {"f32", "f32"}, {"f64", "f64"}, {"complex<f32>", "c64"}, {"complex<f64>", "c128"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirTypeEqual(mlirTypeParseGet(mlirTypeGetContext(element), pa_ref(names[i].type)), element))
      return names[i].name;
  return NULL;
}

static void declare(const lowering *l, const char *name) {
  if (!mlirOperationIsNull(pa_lookup(l->module, pa_ref(name)))) return;
  MlirType inputs[ARGUMENTS];
  for (int i = 0; i < ARGUMENTS; ++i) inputs[i] = l->i64;
  MlirType type = mlirFunctionTypeGet(l->context, ARGUMENTS, inputs, 0, NULL);
  pa_builder at = {
      .context = l->context, .block = pa_module_body(l->module), .location = mlirLocationUnknownGet(l->context)};
  pa_op(&at, "func.func", PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(l->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                 {"sym_visibility", pa_string_attr(l->context, "private")}));
}

// The operation before |op| that fills its output with what a sum starts from; null where the sum goes on.
static MlirOperation start_of(MlirOperation op) {
  MlirValue output = mlirOperationGetOperand(op, 2);
  for (MlirOpOperand use = mlirValueGetFirstUse(output); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    const bool marked = !mlirAttributeIsNull(pa_get_attr(user, "pyarray.contract"));
    if (marked && pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(user)), "linalg.fill") &&
        mlirOperationEqual(mlirOperationGetNextInBlock(user), op))
      return user;
  }
  return (MlirOperation){NULL};
}

static pa_status lower(const lowering *l, MlirOperation op) {
  const product_row *row = row_of(op);
  MlirType element = row ? mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, 0))) : l->i64;
  const char *type = row ? type_name(op, element) : NULL;
  MlirOperation start = row ? start_of(op) : (MlirOperation){NULL};
  if (!type || mlirOperationIsNull(start))
    return pa_fail_at(
        PA_CODE_INVALID, mlirOperationGetLocation(op),
        "pyarray.contract is a product of linalg that the runtime knows, right after the fill of its output");
  pa_builder at = {.context = l->context,
                   .block = mlirOperationGetBlock(op),
                   .before = op,
                   .location = mlirOperationGetLocation(op)};
  MlirValue zero = pa_constant_int(&at, l->i64, 0), one = pa_constant_int(&at, l->i64, 1), arguments[ARGUMENTS];
  memory m[3];
  for (int i = 0; i < 3; ++i) m[i] = measure(l, &at, mlirOperationGetOperand(op, i));
  const int batch[] = {row->a_batch, row->b_batch, row->c_batch}, first[] = {row->a_m, row->b_k, row->c_m},
            second[] = {row->a_k, row->b_n, row->c_n};
  arguments[0] = batch[0] < 0 ? one : m[0].sizes[batch[0]];
  arguments[EXTENTS] = row->a_m < 0 ? one : m[0].sizes[row->a_m];
  arguments[EXTENTS + 1] = row->b_n < 0 ? one : m[1].sizes[row->b_n];
  arguments[EXTENTS + 2] = m[0].sizes[row->a_k];
  for (int i = 0; i < 3; ++i) {
    arguments[STEPS + i] = batch[i] < 0 ? zero : m[i].strides[batch[i]];
    arguments[OPERANDS + 3 * i] = m[i].address;
    arguments[OPERANDS + 3 * i + 1] = first[i] < 0 ? one : m[i].strides[first[i]];
    arguments[OPERANDS + 3 * i + 2] = second[i] < 0 ? one : m[i].strides[second[i]];
  }
  const char *name = pa_arena_format(l->arena, "pyarray_rt_matmul_%s", type);
  declare(l, name);
  pa_op(&at, "func.call", PA_OPERAND_ARRAY(arguments, ARGUMENTS),
        PA_ATTRS({"callee", pa_symbol_attr(l->context, name)}));
  if (pa_failed(&at)) return at.failure;
  mlirOperationDestroy(op);
  mlirOperationDestroy(start);
  return PA_OK;
}

//===-- The pass ----------------------------------------------------------------------------------===//

typedef struct found {
  pa_arena *arena;
  MlirOperation *items;
  size_t count, capacity;
} found;

static MlirWalkResult visit(MlirOperation op, void *data) {
  found *list = data;
  MlirAttribute how = pa_get_attr(op, "pyarray.contract");
  if (mlirAttributeIsNull(how) || pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), "linalg.fill"))
    return MlirWalkResultAdvance;
  list->items = pa_arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = op;
  return MlirWalkResultAdvance;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  lowering l = {.arena = context->arena,
                .module = module,
                .context = context->context,
                .i64 = mlirIntegerTypeGet(context->context, 64),
                .index = mlirIndexTypeGet(context->context)};
  found list = {.arena = context->arena};
  mlirOperationWalk(module, visit, &list, MlirWalkPreOrder);
  for (size_t i = 0; i < list.count; ++i) PA_TRY(lower(&l, list.items[i]));
  return PA_OK;
}

const pa_pass pa_pass_lower_contractions = {
    .argument = "pyarray-lower-contractions",
    .summary = "Make calls of the runtime of products of matrices and vectors",
    .dependent_dialects = (const char *const[]){"arith", "func", "memref", NULL},
    .run = run,
};
