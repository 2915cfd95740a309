// Of pyarray-lower: math.fsum, math.prod and math.sumprod, over 1-D arrays and over the elements of tuples.
//
//   %0 = pyarray.builtin "math.prod"(%a, %start) : (!pyarray.array<?xf64, C>, f64) -> f64
// becomes an scf.for that carries the product. Sums that are kept in more than float64 are calls of the runtime, which
// takes the address of the numbers; the elements of a tuple are stored on the stack for it.
#include "lower_arrays.h"
#include "lower_numbers.h"

static bool is_array(const pa_builtin_call *call, int i) {
  return pyarrayTypeIsArray(mlirValueGetType(pa_operand(call->op, i)));
}

static pa_scalar result_scalar(const pa_builtin_call *call) { return pa_scalar_of_value(pa_result(call->op)); }

// Operand |i|, a number, in the type of the result.
static MlirValue number_argument(pa_lowering *lower, const pa_builtin_call *call, int i) {
  pa_scalar scalar = pa_scalar_of_value(pa_operand(call->op, i));
  return pa_cast_scalar(lower, pa_argument(lower, call, i), scalar, result_scalar(call));
}

// Handwritten IR may mix arrays and numbers.
static bool are_alike(const pa_builtin_call *call, int first, int count, bool arrays) {
  for (int i = first; i < first + count; ++i)
    if (is_array(call, i) != arrays) return false;
  return true;
}

static void refuse(pa_lowering *lower, const pa_builtin_call *call) {
  pa_lower_fail(lower, "builtin %s does not have operands and a result of these types", call->row->name);
}

//===-- Numbers in memory -------------------------------------------------------------------------===//

// As the runtime takes them: all i64, the address first; |code| is the type code.
typedef struct numbers {
  MlirValue count, data, stride, code;
} numbers;

static MlirValue address_of(pa_lowering *lower, MlirValue memref) {
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", memref, lower->index));
}

static numbers numbers_of_array(pa_lowering *lower, MlirValue value) {
  pa_array array = pa_array_of(lower, value);
  MlirType base = mlirMemRefTypeContiguousGet(pa_element_memory(lower, array.element), 0, NULL, mlirAttributeGetNull());
  MlirOperation op = pa_op(&lower->builder, "memref.extract_strided_metadata", PA_OPERANDS(array.memref),
                           PA_RESULTS(base, lower->index, lower->index, lower->index));
  if (mlirOperationIsNull(op)) return (numbers){0};
  MlirValue bytes = pa_int(lower, lower->i64, pa_scalar_bytes(array.element));
  MlirValue offset = pa_to_i64(lower, mlirOperationGetResult(op, 1)),
            stride = pa_to_i64(lower, mlirOperationGetResult(op, 3));
  offset = pa_binary(lower, "arith.muli", offset, bytes);
  return (numbers){.count = pa_extent(lower, &array, 0),
                   .data = pa_binary(lower, "arith.addi", address_of(lower, array.memref), offset),
                   .stride = pa_binary(lower, "arith.muli", stride, bytes),
                   .code = pa_int(lower, lower->i64, pa_scalar_code(array.element))};
}

// |count| float64 on the stack.
static MlirValue stack_memory(pa_lowering *lower, int64_t count) {
  int32_t segments[] = {0, 0};
  MlirType type = mlirMemRefTypeContiguousGet(lower->f64, 1, &count, mlirAttributeGetNull());
  pa_builder builder = pa_entry_builder(lower);
  MlirOperation op = pa_op(&builder, "memref.alloca", PA_RESULTS(type),
                           PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)}));
  pa_entry_built(lower, &builder, op);
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

static numbers numbers_of_operands(pa_lowering *lower, const pa_builtin_call *call, int first, int count) {
  MlirValue memory = stack_memory(lower, count);
  for (int i = 0; i < count; ++i)
    pa_op(&lower->builder, "memref.store",
          PA_OPERANDS(number_argument(lower, call, first + i), memory, pa_int(lower, lower->index, i)));
  return (numbers){.count = pa_int(lower, lower->i64, count),
                   .data = address_of(lower, memory),
                   .stride = pa_int(lower, lower->i64, (int64_t)sizeof(double)),
                   .code = pa_int(lower, lower->i64, pa_scalar_code(PA_F64))};
}

//===-- fsum --------------------------------------------------------------------------------------===//

static void lower_fsum(pa_lowering *lower, const pa_builtin_call *call) {
  bool array = is_array(call, 0);
  if (result_scalar(call) != PA_F64 || (array && call->count != 1) || !are_alike(call, 0, call->count, array)) {
    refuse(lower, call);
    return;
  }
  numbers list =
      array ? numbers_of_array(lower, pa_operand(call->op, 0)) : numbers_of_operands(lower, call, 0, call->count);
  MlirValue out = stack_memory(lower, 1), zero = pa_int(lower, lower->i32, 0);
  MlirValue status =
      pa_runtime(lower, "pyarray_rt_fsum", list.count, list.data, list.stride, list.code, address_of(lower, out));
  MlirValue failed = pa_compare_int(lower, PA_NE, status, zero);
  pa_scope scope = pa_if_begin(lower);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, status, pa_int(lower, lower->i32, 1)), "OverflowError",
              "intermediate overflow in fsum");
  MlirAttribute message = pa_text(lower, "-inf + inf in fsum");
  pa_raise(lower, "ValueError", &message, 1);
  pa_if_end(lower, scope, failed);
  MlirValue first = pa_int(lower, lower->index, 0);
  pa_finish(lower, call, pa_value(&lower->builder, "memref.load", PA_OPERANDS(out, first), PA_RESULTS(lower->f64)));
}

//===-- Folds -------------------------------------------------------------------------------------===//

typedef struct operation_names {
  const char *integer, *real, *complex;
} operation_names;

static const operation_names multiply = {"arith.muli", "arith.mulf", "complex.mul"};
static const operation_names add = {"arith.addi", "arith.addf", "complex.add"};

static MlirValue combine(pa_lowering *lower, operation_names names, pa_scalar scalar, MlirValue a, MlirValue b) {
  const char *name = pa_is_complex(scalar) ? names.complex : pa_is_float(scalar) ? names.real : names.integer;
  return pa_binary(lower, name, a, b);
}

static MlirValue number_at(pa_lowering *lower, MlirValue value, MlirValue index, pa_scalar scalar) {
  pa_array array = pa_array_of(lower, value);
  return pa_cast_scalar(lower, pa_load(lower, &array, &index), array.element, scalar);
}

// |start|, combined with each element of the array |p|, or with its product with that of |q|, if that is not null.
static MlirValue fold_array(pa_lowering *lower, operation_names names, pa_scalar scalar, MlirValue start, MlirValue p,
                            MlirValue q) {
  pa_array array = pa_array_of(lower, p);
  MlirType type = pa_lower_scalar_type(lower, scalar), arguments[] = {lower->index, type};
  MlirValue count = pa_to_index(lower, pa_extent(lower, &array, 0));
  pa_scope scope = pa_open(lower, arguments, 2);
  MlirValue index = mlirBlockGetArgument(scope.block, 0), item = number_at(lower, p, index, scalar);
  if (!mlirValueIsNull(q)) item = combine(lower, multiply, scalar, item, number_at(lower, q, index, scalar));
  MlirValue next = combine(lower, names, scalar, mlirBlockGetArgument(scope.block, 1), item);
  MlirRegion body = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), &next, 1);
  MlirValue zero = pa_int(lower, lower->index, 0), one = pa_int(lower, lower->index, 1);
  return pa_value(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERANDS(zero, count, one, start), PA_RESULTS(type),
                  PA_REGIONS(body));
}

static void lower_prod(pa_lowering *lower, const pa_builtin_call *call) {
  pa_scalar scalar = result_scalar(call);
  bool array = is_array(call, 0);
  int last = call->count - 1;
  if ((array && last != 1) || !are_alike(call, array, call->count - array, false)) {
    refuse(lower, call);
    return;
  }
  MlirValue product = number_argument(lower, call, last);
  if (array) product = fold_array(lower, multiply, scalar, product, pa_operand(call->op, 0), (MlirValue){NULL});
  for (int i = 0; i < last && !array; ++i)
    product = combine(lower, multiply, scalar, product, number_argument(lower, call, i));
  pa_finish(lower, call, product);
}

//===-- sumprod -----------------------------------------------------------------------------------===//

static void raise_lengths(pa_lowering *lower, MlirValue condition) {
  pa_raise_if(lower, condition, "ValueError", "Inputs are not the same length");
}

static MlirValue extended_sum(pa_lowering *lower, numbers p, numbers q) {
  return pa_runtime(lower, "pyarray_rt_sumprod", p.count, p.data, p.stride, p.code, q.data, q.stride, q.code);
}

static MlirValue zero_of(pa_lowering *lower, pa_scalar scalar) {
  return pa_cast_scalar(lower, pa_int(lower, lower->i64, 0), PA_I64, scalar);
}

static MlirValue sum_arrays(pa_lowering *lower, const pa_builtin_call *call, pa_scalar scalar) {
  MlirValue p = pa_operand(call->op, 0), q = pa_operand(call->op, 1);
  pa_array first = pa_array_of(lower, p), second = pa_array_of(lower, q);
  raise_lengths(lower, pa_compare_int(lower, PA_NE, pa_extent(lower, &first, 0), pa_extent(lower, &second, 0)));
  if (scalar == PA_F64) return extended_sum(lower, numbers_of_array(lower, p), numbers_of_array(lower, q));
  return fold_array(lower, add, scalar, zero_of(lower, scalar), p, q);
}

// Operands: the length of one tuple, its elements, those of the other.
static MlirValue sum_operands(pa_lowering *lower, const pa_builtin_call *call, pa_scalar scalar, int64_t length) {
  if (2 * length != call->count - 1) {
    raise_lengths(lower, pa_int(lower, lower->i1, 1));
    return zero_of(lower, scalar);
  }
  int count = (int)length;
  if (scalar == PA_F64)
    return extended_sum(lower, numbers_of_operands(lower, call, 1, count),
                        numbers_of_operands(lower, call, 1 + count, count));
  MlirValue sum = zero_of(lower, scalar);
  for (int i = 1; i <= count; ++i) {
    MlirValue a = number_argument(lower, call, i), b = number_argument(lower, call, i + count);
    sum = combine(lower, add, scalar, sum, combine(lower, multiply, scalar, a, b));
  }
  return sum;
}

static void lower_sumprod(pa_lowering *lower, const pa_builtin_call *call) {
  pa_scalar scalar = result_scalar(call);
  int64_t length;
  if (call->count == 2 && are_alike(call, 0, 2, true))
    pa_finish(lower, call, sum_arrays(lower, call, scalar));
  else if (are_alike(call, 0, call->count, false) && pa_known_int(lower, pa_operand(call->op, 0), &length))
    pa_finish(lower, call, sum_operands(lower, call, scalar, length));
  else
    refuse(lower, call);
}

//===-- Sizes -------------------------------------------------------------------------------------===//

// Of the axes of which operand 1 has a bit; -1: of the last.
static void lower_size_over(pa_lowering *lower, const pa_builtin_call *call) {
  int64_t axes;
  if (call->count != 2 || !is_array(call, 0) || !pa_known_int(lower, pa_operand(call->op, 1), &axes)) {
    refuse(lower, call);
    return;
  }
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  MlirValue size = pa_int(lower, lower->i64, 1);
  for (int d = 0; d < array.rank; ++d)
    if (axes < 0 ? d >= array.rank + axes : axes >> d & 1)
      size = pa_binary(lower, "arith.muli", size, pa_extent(lower, &array, d));
  pa_finish(lower, call, size);
}

const pa_builtin_rule_row pa_reduction_rules[] = {
    {PA_LOWERING_FSUM, lower_fsum},
    {PA_LOWERING_PROD, lower_prod},
    {PA_LOWERING_SUMPROD, lower_sumprod},
    {PA_LOWERING_SIZE_OVER, lower_size_over},
    {0, NULL},
};
