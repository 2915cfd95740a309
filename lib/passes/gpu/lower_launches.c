// pyarray-lower-launches: calls of kernels, in the host's code, become launches by the runtime.
//
//   func.call @f$0.kernel3(%a, %c0, %s) {pyarray.points = 0 : i64, pyarray.outputs = 0 : i64} : (memref<?xf64,
//   strided<[1], offset: ?>>, i64, f64)
// becomes
//   %g = func.call @pyarray_rt_device_grid(%kernels, %c3, points of %a, %c0)    threads << 32 | blocks
//   data, size and stride of %a, and the bits of %s, to %slots in stack memory
//   func.call @pyarray_rt_device_launch(%kernels, %c3, %g, %slots, %c4, %c1, %c1)     the last: slots of arrays, of
//                                                                                    those that are written
//
// |%kernels| is a word of the module, which holds the address of a table of kernels once it is loaded. Slots are those
// of docs/internals-cuda.md. Enters: level 4. Leaves: the same, without calls of kernels, which go.
#include "ir/ir.h"
#include "pass.h"
#include "runtime/cuda/device_arrays.h"

typedef struct launching {
  pa_arena *arena;
  pa_names names;
  MlirContext context;
  MlirOperation module;
  MlirType index, i64;
  pa_builder at;
  MlirValue slots;
  int64_t count;
  uint64_t arrays, written; // of slots that have addresses: a bit for each of the first 64
  bool has_more;
} launching;

static MlirValue constant(launching *l, MlirType type, int64_t value) { return pa_constant_int(&l->at, type, value); }

static MlirValue to_i64(launching *l, MlirValue value) {
  if (pa_failed(&l->at) || mlirTypeEqual(mlirValueGetType(value), l->i64)) return value;
  return pa_value(&l->at, "arith.index_cast", PA_OPERANDS(value), PA_RESULTS(l->i64));
}

static void put(launching *l, MlirValue value) {
  if (!pa_failed(&l->at)) pa_op(&l->at, "memref.store", PA_OPERANDS(value, l->slots, constant(l, l->index, l->count)));
  ++l->count;
}

//===-- Slots -------------------------------------------------------------------------------------===//

static int64_t bytes_of(MlirType type) {
  if (mlirTypeIsAComplex(type)) return 2 * bytes_of(mlirComplexTypeGetElementType(type));
  return mlirTypeIsAInteger(type) ? (mlirIntegerTypeGetWidth(type) + 7) / 8 : mlirFloatTypeGetWidth(type) / 8;
}

static MlirValue bits_of(launching *l, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAFloat(type)) {
    type = mlirIntegerTypeGet(l->context, mlirFloatTypeGetWidth(type));
    value = pa_value(&l->at, "arith.bitcast", PA_OPERANDS(value), PA_RESULTS(type));
  }
  if (pa_failed(&l->at) || mlirTypeEqual(type, l->i64)) return value;
  return pa_value(&l->at, "arith.extui", PA_OPERANDS(value), PA_RESULTS(l->i64));
}

static void put_complex(launching *l, MlirValue value) {
  MlirType part = mlirComplexTypeGetElementType(mlirValueGetType(value));
  MlirValue real = pa_value(&l->at, "complex.re", PA_OPERANDS(value), PA_RESULTS(part)),
            imag = pa_value(&l->at, "complex.im", PA_OPERANDS(value), PA_RESULTS(part));
  if (pa_failed(&l->at)) return;
  real = bits_of(l, real);
  imag = bits_of(l, imag);
  if (bytes_of(part) == 8) {
    put(l, real);
    put(l, imag);
    return;
  }
  imag = pa_value(&l->at, "arith.shli", PA_OPERANDS(imag, constant(l, l->i64, 32)), PA_RESULTS(l->i64));
  put(l, pa_value(&l->at, "arith.ori", PA_OPERANDS(real, imag), PA_RESULTS(l->i64)));
}

static void put_array(launching *l, MlirValue memref) {
  enum { MOST = 64 };
  MlirType type = mlirValueGetType(memref), element = mlirShapedTypeGetElementType(type), results[2 * MOST + 2];
  intptr_t rank = mlirShapedTypeGetRank(type);
  results[0] = mlirMemRefTypeContiguousGet(element, 0, NULL, mlirAttributeGetNull());
  for (intptr_t i = 1; i < 2 * rank + 2; ++i) results[i] = l->index;
  MlirOperation parts =
      pa_op(&l->at, "memref.extract_strided_metadata", PA_OPERANDS(memref), PA_RESULT_ARRAY(results, 2 * rank + 2));
  MlirValue base =
      pa_value(&l->at, "memref.extract_aligned_pointer_as_index", PA_OPERANDS(memref), PA_RESULTS(l->index));
  if (pa_failed(&l->at)) return;
  MlirValue bytes = constant(l, l->index, bytes_of(element));
  MlirValue offset =
      pa_value(&l->at, "arith.muli", PA_OPERANDS(mlirOperationGetResult(parts, 1), bytes), PA_RESULTS(l->index));
  put(l, to_i64(l, pa_value(&l->at, "arith.addi", PA_OPERANDS(base, offset), PA_RESULTS(l->index))));
  for (intptr_t i = 0; i < 2 * rank; ++i) put(l, to_i64(l, mlirOperationGetResult(parts, 2 + i)));
}

static void put_operand(launching *l, MlirValue value, bool written) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAMemRef(type)) {
    if (l->count < 64) {
      l->arrays |= (uint64_t)1 << l->count;
      l->written |= (uint64_t)written << l->count;
    } else {
      l->has_more = true;
    }
    put_array(l, value);
  } else if (mlirTypeIsAComplex(type))
    put_complex(l, value);
  else
    put(l, mlirTypeIsAIndex(type) ? to_i64(l, value) : bits_of(l, value));
}

static int64_t slot_count(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAMemRef(type)) return 1 + 2 * mlirShapedTypeGetRank(type);
  return mlirTypeIsAComplex(type) && bytes_of(type) > 8 ? 2 : 1;
}

//===-- Calls -------------------------------------------------------------------------------------===//

// The kernel's number ends its name.
static int64_t number_of(MlirStringRef name) {
  size_t start = name.length;
  while (start > 0 && name.data[start - 1] >= '0' && name.data[start - 1] <= '9') --start;
  int64_t number = 0;
  for (; start < name.length; ++start) number = 10 * number + (name.data[start] - '0');
  return number;
}

// A function of the runtime with these operands.
static MlirValue call(launching *l, const char *name, const MlirValue *operands, intptr_t count, intptr_t results) {
  MlirType types[8];
  for (intptr_t i = 0; i < count && !pa_failed(&l->at); ++i) types[i] = mlirValueGetType(operands[i]);
  if (pa_failed(&l->at)) return (MlirValue){NULL};
  if (mlirOperationIsNull(pa_lookup(l->module, pa_ref(name)))) {
    pa_builder module = {.context = l->context, .block = pa_module_body(l->module), .location = l->at.location};
    MlirType type = mlirFunctionTypeGet(l->context, count, types, results, &l->i64);
    pa_op(&module, PA_OP_NAME(FUNC), PA_REGIONS(mlirRegionCreate()),
          PA_ATTRS({"sym_name", pa_string_attr(l->context, name)},
                   {"sym_visibility", pa_string_attr(l->context, "private")},
                   {"function_type", mlirTypeAttrGet(type)}));
    l->at.failure = module.failure;
  }
  MlirOperation made = pa_op(&l->at, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, count),
                             PA_RESULT_ARRAY(&l->i64, results), PA_ATTRS({"callee", pa_symbol_attr(l->context, name)}));
  return results && !mlirOperationIsNull(made) ? mlirOperationGetResult(made, 0) : (MlirValue){NULL};
}

static MlirValue kernels(launching *l) {
  int64_t size = 8, one = 1;
  MlirType i8 = mlirIntegerTypeGet(l->context, 8),
           bytes = mlirMemRefTypeContiguousGet(i8, 1, &size, mlirAttributeGetNull()),
           words = mlirMemRefTypeContiguousGet(l->i64, 1, &one, mlirAttributeGetNull());
  MlirValue word = pa_value(&l->at, "memref.get_global", PA_RESULTS(bytes),
                            PA_ATTRS({"name", pa_symbol_attr(l->context, PA_KERNELS_SYMBOL)}));
  MlirValue zero = constant(l, l->index, 0);
  MlirValue view = pa_value(&l->at, "memref.view", PA_OPERANDS(word, zero), PA_RESULTS(words));
  return pa_value(&l->at, "memref.load", PA_OPERANDS(view, zero), PA_RESULTS(l->i64));
}

static MlirBlock entry_of(launching *l, MlirOperation op) {
  while (pa_kind(&l->names, op) != PA_OP_FUNC) op = mlirOperationGetParentOperation(op);
  return pa_body(op, 0);
}

static void make_slots(launching *l, MlirOperation op, int64_t count) {
  MlirBlock entry = entry_of(l, op);
  pa_builder first = {
      .context = l->context, .block = entry, .before = mlirBlockGetFirstOperation(entry), .location = l->at.location};
  int32_t segments[] = {0, 0};
  l->slots = pa_value(&first, "memref.alloca",
                      PA_RESULTS(mlirMemRefTypeContiguousGet(l->i64, 1, &count, mlirAttributeGetNull())),
                      PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(l->context, 2, segments)}));
  l->at.failure = first.failure;
}

// Along the first |rank| dimensions.
static MlirValue points_of(launching *l, MlirValue memref, intptr_t rank) {
  MlirValue points = constant(l, l->index, 1);
  for (intptr_t d = 0; d < rank && !pa_failed(&l->at); ++d) {
    MlirValue extent =
        pa_value(&l->at, "memref.dim", PA_OPERANDS(memref, constant(l, l->index, d)), PA_RESULTS(l->index));
    points = pa_value(&l->at, "arith.muli", PA_OPERANDS(points, extent), PA_RESULTS(l->index));
  }
  return to_i64(l, points);
}

// An array's owner comes behind it, and is no slot.
static bool is_owner(MlirOperation op, intptr_t i) {
  return i && mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, i - 1)));
}

// For the points of an operand.
static MlirValue grid_of(launching *l, MlirOperation op, MlirValue table, MlirValue number) {
  MlirValue point = mlirOperationGetOperand(op, mlirIntegerAttrGetValueInt(pa_get_attr(op, "pyarray.points")));
  MlirAttribute rows = pa_get_attr(op, "pyarray.rows");
  MlirValue fold = constant(l, l->i64, mlirAttributeIsNull(rows) ? pa_has_attr(op, "pyarray.fold") : PA_LAUNCH_ROWS),
            all = points_of(l, point,
                            mlirAttributeIsNull(rows) ? mlirShapedTypeGetRank(mlirValueGetType(point))
                                                      : mlirIntegerAttrGetValueInt(rows));
  return call(l, "pyarray_rt_device_grid", (MlirValue[]){table, number, all, fold}, 4, 1);
}

static MlirValue given_grid(launching *l, MlirOperation op) {
  MlirValue blocks = mlirOperationGetOperand(op, 0), threads = mlirOperationGetOperand(op, 1);
  threads = pa_value(&l->at, "arith.shli", PA_OPERANDS(threads, constant(l, l->i64, 32)), PA_RESULTS(l->i64));
  return pa_value(&l->at, "arith.ori", PA_OPERANDS(threads, blocks), PA_RESULTS(l->i64));
}

static pa_status lower_launch(void *data, MlirOperation op) {
  launching *l = data;
  MlirAttribute points = pa_get_attr(op, "pyarray.points"), callee = pa_get_attr(op, "callee");
  if (pa_kind(&l->names, op) != PA_OP_FUNC_CALL || mlirAttributeIsNull(points)) return PA_OK;
  l->at = (pa_builder){.context = l->context,
                       .block = mlirOperationGetBlock(op),
                       .before = op,
                       .location = mlirOperationGetLocation(op)};
  int64_t slots = 0;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (!is_owner(op, i)) slots += slot_count(mlirOperationGetOperand(op, i));
  make_slots(l, op, slots + 1);
  PA_TRY(l->at.failure);
  bool sized = pa_has_attr(op, "pyarray.sized"); // a kernel of the library, which may write to any of its arrays
  int64_t outputs = sized ? 0 : mlirIntegerAttrGetValueInt(pa_get_attr(op, "pyarray.outputs"));
  l->count = 0;
  l->arrays = l->written = 0;
  l->has_more = false;
  for (intptr_t i = 0; i < count; ++i)
    if (!is_owner(op, i)) put_operand(l, mlirOperationGetOperand(op, i), i >= outputs);
  if (l->has_more) l->arrays = 0; // nothing is known
  MlirValue address =
      pa_value(&l->at, "memref.extract_aligned_pointer_as_index", PA_OPERANDS(l->slots), PA_RESULTS(l->index));
  MlirValue table = kernels(l), number = constant(l, l->i64, number_of(mlirFlatSymbolRefAttrGetValue(callee)));
  MlirValue grid = sized ? given_grid(l, op) : grid_of(l, op, table, number);
  MlirValue launch[] = {table,
                        number,
                        grid,
                        to_i64(l, address),
                        constant(l, l->i64, slots),
                        constant(l, l->i64, (int64_t)l->arrays),
                        constant(l, l->i64, (int64_t)l->written)};
  call(l, "pyarray_rt_device_launch", launch, 7, 0);
  PA_TRY(l->at.failure);
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
    return pa_fail_at(PA_CODE_INVALID, l->at.location, "the status of a kernel, which is only enqueued, is used");
  mlirOperationDestroy(op);
  return PA_OK;
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  launching l = {.arena = context->arena,
                 .context = context->context,
                 .module = module,
                 .index = mlirIndexTypeGet(context->context),
                 .i64 = mlirIntegerTypeGet(context->context, 64)};
  pa_names_init(&l.names, l.context);
  return pa_walk(pa_module_body(module), lower_launch, &l);
}

const pa_pass pa_pass_lower_launches = {
    .argument = "pyarray-lower-launches",
    .summary = "Make calls of the runtime of launches of kernels",
    .dependent_dialects = (const char *const[]){"arith", "complex", "func", "memref", NULL},
    .run = run,
};
