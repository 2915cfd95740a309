// Of pyarray-lower: device operations (docs/internals-cuda.md).
//
//   %i = pyarray.builtin "cuda.threadIdx.x"() : () -> si32
// becomes
//   %0 = gpu.thread_id x
//   %i = arith.index_cast %0 : index to i32
//
//   %a = pyarray.builtin "cuda.shared.array"(%c32) : (si64) -> !pyarray.array<?xf32, C>
// becomes, in the entry block,
//   %s = memref.alloca() {pyarray.shared} : memref<32xf32, #gpu.address_space<workgroup>>
//   %a = memref.memory_space_cast %s : memref<32xf32, #gpu.address_space<workgroup>> to memref<32xf32>
#include <math.h>
#include <string.h>

#include "lower_arrays.h"
#include "lower_calls.h"
#include "lower_numbers.h"

static pa_scalar result_scalar(const pa_builtin_call *call) { return pa_scalar_of_value(pa_result(call->op)); }

static MlirAttribute parse(pa_lowering *lower, const char *text) {
  return mlirAttributeParseGet(lower->context, pa_ref(text));
}

//===-- Indices -----------------------------------------------------------------------------------===//

// |what| is "thread_id", |axis| 'x'; lane_id has no axis (0).
static MlirValue device_index(pa_lowering *lower, const char *what, char axis) {
  const char *name = pa_arena_format(lower->arena, "gpu.%s", what);
  pa_attr dimension = {"dimension", {NULL}};
  if (axis) dimension.value = parse(lower, pa_arena_format(lower->arena, "#gpu<dim %c>", axis));
  return pa_value(&lower->builder, name, PA_RESULTS(lower->index), .attrs = &dimension, .attr_count = axis != 0);
}

static void lower_index(pa_lowering *lower, const pa_builtin_call *call) {
  size_t length = strcspn(call->row->target, " ");
  const char *what = pa_arena_copy(lower->arena, call->row->target, length);
  MlirValue index = device_index(lower, what, call->row->target[length] ? call->row->target[length + 1] : '\0');
  pa_finish(lower, call, pa_convert(lower, "arith.index_cast", index, lower->i32));
}

static MlirValue index_i64(pa_lowering *lower, const char *what, char axis) {
  return pa_to_i64(lower, device_index(lower, what, axis));
}

// Blocks and threads are counted in 32 bits, but a grid may have more threads.
static void lower_grid(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op));
  int count = mlirTypeIsATuple(type) ? (int)mlirTupleTypeGetNumTypes(type) : 1;
  bool size = strcmp(call->row->target, "gridsize") == 0;
  MlirValue values[3];
  for (int i = 0; i < count && i < 3; ++i) {
    char axis = "xyz"[i];
    MlirValue threads = index_i64(lower, "block_dim", axis);
    values[i] = pa_binary(lower, "arith.muli", index_i64(lower, size ? "grid_dim" : "block_id", axis), threads);
    if (!size) values[i] = pa_binary(lower, "arith.addi", values[i], index_i64(lower, "thread_id", axis));
  }
  pa_set(lower, pa_result(call->op), values, count);
}

static void lower_lanes_below(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue lane = pa_convert(lower, "arith.index_cast", device_index(lower, "lane_id", '\0'), lower->i32);
  MlirValue one = pa_int(lower, lower->i32, 1);
  pa_finish(lower, call, pa_binary(lower, "arith.subi", pa_binary(lower, "arith.shli", one, lane), one));
}

//===-- Calls of device functions -----------------------------------------------------------------===//

// A number as device functions have it: bool as 0 or 1, floats as their bits.
static MlirValue as_bits(pa_lowering *lower, MlirValue value, pa_scalar scalar) {
  if (scalar == PA_BOOL) return pa_convert(lower, "arith.extui", value, lower->i32);
  if (!pa_is_float(scalar)) return value;
  return pa_convert(lower, "arith.bitcast", value,
                    mlirIntegerTypeGet(lower->context, 8 * (unsigned)pa_scalar_bytes(scalar)));
}

static MlirValue from_bits(pa_lowering *lower, MlirValue bits, pa_scalar scalar) {
  if (scalar == PA_BOOL) return pa_compare_int(lower, PA_NE, bits, pa_int(lower, lower->i32, 0));
  return pa_is_float(scalar) ? pa_convert(lower, "arith.bitcast", bits, pa_lower_scalar_type(lower, scalar)) : bits;
}

// The row's target, with '*' replaced by the width of the second operand, the value.
static const char *device_function(pa_lowering *lower, const pa_builtin_call *call) {
  const char *star = strchr(call->row->target, '*');
  if (!star) return call->row->target;
  int bytes = call->count > 1 ? pa_scalar_bytes(pa_scalar_of_value(pa_operand(call->op, 1))) : 4;
  return pa_arena_format(lower->arena, "%.*si%d", (int)(star - call->row->target), call->row->target, 8 * bytes);
}

static MlirValue call_device(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue operands[4];
  for (int i = 0; i < call->count && i < 4; ++i)
    operands[i] = as_bits(lower, pa_argument(lower, call, i), pa_scalar_of_value(pa_operand(call->op, i)));
  return pa_call_runtime(lower, device_function(lower, call), operands, call->count);
}

static void lower_device_call(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue result = call_device(lower, call);
  if (pyarrayTypeIsNone(mlirValueGetType(pa_result(call->op))))
    pa_finish_none(lower, call);
  else
    pa_finish(lower, call, from_bits(lower, result, result_scalar(call)));
}

static void lower_match_all(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue mask = call_device(lower, call);
  MlirValue same = pa_compare_int(lower, PA_NE, mask, pa_int(lower, lower->i32, 0));
  pa_set(lower, pa_result(call->op), (MlirValue[]){mask, same}, 2);
}

static void lower_barrier(pa_lowering *lower, const pa_builtin_call *call) {
  pa_op(&lower->builder, "gpu.barrier");
  pa_finish_none(lower, call);
}

//===-- Bits, selection ---------------------------------------------------------------------------===//

static MlirValue count_zeros(pa_lowering *lower, const char *name, MlirValue x) {
  return pa_value(&lower->builder, name, PA_OPERANDS(x), PA_RESULTS(pa_type_or_none(lower, x)),
                  PA_ATTRS({"is_zero_poison", mlirBoolAttrGet(lower->context, false)}));
}

static void lower_bits(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  bool zeros = strcmp(call->row->target, "llvm.intr.ctlz") == 0;
  pa_finish(lower, call,
            zeros
                ? count_zeros(lower, call->row->target, x)
                : pa_value(&lower->builder, call->row->target, PA_OPERANDS(x), PA_RESULTS(pa_type_or_none(lower, x))));
}

// The position of the lowest bit that is set, from 1; 0 where none is.
static void lower_ffs(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue x = pa_argument(lower, call, 0);
  MlirType type = pa_type_or_none(lower, x);
  MlirValue below = count_zeros(lower, "llvm.intr.cttz", x);
  MlirValue position = pa_binary(lower, "arith.addi", below, pa_int(lower, type, 1));
  MlirValue zero = pa_int(lower, type, 0);
  position = pa_select(lower, pa_compare_int(lower, PA_EQ, x, zero), zero, position);
  pa_finish(lower, call, pa_cast_scalar(lower, position, call->scalar, PA_U32));
}

static void lower_select(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call,
            pa_select(lower, pa_argument(lower, call, 0), pa_argument(lower, call, 1), pa_argument(lower, call, 2)));
}

//===-- Arrays ------------------------------------------------------------------------------------===//

// |value| through a tuple that was made here; inlining leaves constants behind such.
static bool constant_extent(pa_lowering *lower, MlirValue value, int64_t *out_extent) {
  if (pa_known_int(lower, value, out_extent)) return true;
  MlirOperation op = pa_definition(value);
  if (mlirOperationIsNull(op)) return false;
  if (pa_kind(&lower->names, op) == PA_OP_CAST) return constant_extent(lower, pa_operand(op, 0), out_extent);
  if (pa_kind(&lower->names, op) != PA_OP_UNPACK) return false;
  MlirOperation tuple = pa_definition(pa_operand(op, 0));
  if (mlirOperationIsNull(tuple) || pa_kind(&lower->names, tuple) != PA_OP_TUPLE) return false;
  return constant_extent(lower, pa_operand(tuple, mlirOpResultGetResultNumber(value)), out_extent);
}

static MlirAttribute workgroup_space(pa_lowering *lower) { return parse(lower, "#gpu.address_space<workgroup>"); }

// Of this memory, where nothing else is asked for: fields of records are at multiples of their size.
enum { ROOM_ALIGNMENT = 16, LEAST_ALIGNMENT = 8, MOST_ALIGNMENT = 1024 };

static MlirType memref_in(MlirType element, int rank, const int64_t *shape, MlirAttribute space) {
  return mlirMemRefTypeContiguousGet(element, rank, shape, space);
}

// A block of memory made once, at the top of the entry block, and seen from the generic address space.
static MlirValue allocate_in_entry(pa_lowering *lower, MlirType element, int rank, const int64_t *shape,
                                   int64_t alignment, bool shared) {
  MlirAttribute none = mlirAttributeGetNull();
  MlirType type = memref_in(element, rank, shape, shared ? workgroup_space(lower) : none);
  int32_t segments[] = {0, 0};
  pa_builder builder = pa_entry_builder(lower);
  MlirOperation op =
      pa_op(&builder, "memref.alloca", PA_RESULTS(type),
            PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                     {"alignment", shared && alignment == ROOM_ALIGNMENT ? mlirAttributeGetNull()
                                                                         : pa_i64_attr(lower->context, alignment)},
                     {shared ? "pyarray.shared" : "pyarray.local", pa_unit_attr(lower->context)}));
  if (shared && !mlirOperationIsNull(op))
    op = pa_op(&builder, "memref.memory_space_cast", PA_OPERANDS(mlirOperationGetResult(op, 0)),
               PA_RESULTS(memref_in(element, rank, shape, none)));
  pa_entry_built(lower, &builder, op);
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

// A device function that is called in several places has its shared arrays once, as in CUDA: they are known by their
// place in the source.
static MlirValue shared_memory(pa_lowering *lower, MlirType element, int rank, const int64_t *shape,
                               int64_t alignment) {
  pa_location place = pa_source_location(lower->arena, lower->builder.location);
  MlirType type = memref_in(element, rank, shape, mlirAttributeGetNull());
  if (!place.file) return allocate_in_entry(lower, element, rank, shape, alignment, true);
  MlirLocation location =
      mlirLocationFileLineColGet(lower->context, pa_ref(place.file), (unsigned)place.line, (unsigned)place.column);
  MlirLocation key = mlirLocationFusedGet(lower->context, 1, &location, mlirTypeAttrGet(type));
  MlirValue found = {pa_map_get(&lower->constants, key.ptr)};
  if (!mlirValueIsNull(found)) return found;
  found = allocate_in_entry(lower, element, rank, shape, alignment, true);
  pa_map_put(lower->arena, &lower->constants, key.ptr, (void *)found.ptr);
  return found;
}

// As many elements as fit into what the launch gives. Every such array begins at its start.
static MlirValue dynamic_memory(pa_lowering *lower, MlirType element, int64_t item, int64_t alignment, bool records) {
  int64_t shape[] = {mlirShapedTypeGetDynamicSize(), item};
  MlirAttribute space = workgroup_space(lower);
  MlirValue bytes = pa_call_runtime(lower, "pyarray_dev_dynamic_shared_bytes", NULL, 0);
  MlirValue count = pa_binary(lower, "arith.divui", bytes, pa_int(lower, lower->i64, item));
  MlirValue all =
      pa_value(&lower->builder, "gpu.dynamic_shared_memory", PA_RESULTS(memref_in(lower->i8, 1, shape, space)),
               PA_ATTRS({"pyarray.alignment", alignment == ROOM_ALIGNMENT ? mlirAttributeGetNull()
                                                                          : pa_i64_attr(lower->context, alignment)}));
  int rank = 1 + records;
  MlirValue view = pa_value(&lower->builder, "memref.view",
                            PA_OPERANDS(all, pa_int(lower, lower->index, 0), pa_to_index(lower, count)),
                            PA_RESULTS(memref_in(element, rank, shape, space)));
  return pa_convert(lower, "memref.memory_space_cast", view, memref_in(element, rank, shape, mlirAttributeGetNull()));
}

// Operand |i|. False after a failure; the words are Numba's.
static bool find_alignment(pa_lowering *lower, const pa_builtin_call *call, int i, int64_t *out_alignment) {
  int64_t alignment;
  const char *problem = NULL;
  if (!constant_extent(lower, pa_operand(call->op, i), &alignment))
    problem = "alignment must be a constant integer\nhint: write it out, or name a global variable";
  else if (alignment <= 0)
    problem = "Alignment must be positive";
  else if (alignment & (alignment - 1))
    problem = "Alignment must be a power of 2";
  else if (alignment < LEAST_ALIGNMENT)
    problem = "Alignment must be a multiple of 8";
  else if (alignment > MOST_ALIGNMENT)
    problem = "Alignment must be at most 1024";
  if (problem)
    pa_lower_fail(lower, "%s: %s", call->row->name, problem);
  else
    *out_alignment = alignment;
  return !problem;
}

// No memory of a thread or block has as many bytes, and addresses behind them would wrap.
static bool check_bytes(pa_lowering *lower, const pa_builtin_call *call, int rank, const int64_t *shape,
                        int64_t bytes) {
  bool fits = true;
  for (int axis = 0; axis < rank && fits; ++axis) fits = !__builtin_mul_overflow(bytes, shape[axis], &bytes);
  if (!fits || bytes > INT32_MAX)
    pa_lower_fail(lower, "%s is larger than any memory of a thread or a block", call->row->name);
  return fits && bytes <= INT32_MAX;
}

static void lower_device_array(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType array = mlirValueGetType(pa_result(call->op));
  pa_scalar scalar = pa_scalar_of(pyarrayArrayTypeGetElement(array));
  bool shared = strcmp(call->row->target, "shared") == 0;
  int64_t shape[PA_MAX_RANK], alignment = ROOM_ALIGNMENT;
  int rank = (int)pyarrayArrayTypeGetRank(array);
  if (scalar == PA_NOT_SCALAR || call->count < rank) {
    pa_lower_fail(lower, "%s does not have elements of this type", call->row->name);
    return;
  }
  if (call->count > rank && !find_alignment(lower, call, rank, &alignment)) return;
  int64_t bytes = pyarrayArrayTypeGetExtent(array, rank - 1); // of a record, whose bytes are the last axis
  bool records = bytes >= 0;
  for (int axis = 0; axis < rank; ++axis) {
    int64_t least = (shared && rank == 1 + records) || (records && axis == rank - 1) ? 0 : 1;
    if (constant_extent(lower, pa_operand(call->op, axis), &shape[axis]) && shape[axis] >= least) continue;
    pa_lower_fail(lower,
                  "the shape of %s must be made of positive ints that are known when it is compiled\n"
                  "hint: write them out, or name a global variable%s",
                  call->row->name, shared ? "; the shape 0 stands for dynamic shared memory" : "");
    return;
  }
  if (!check_bytes(lower, call, rank, shape, pa_scalar_bytes(scalar))) return;
  MlirType element = pa_element_memory(lower, scalar);
  bool dynamic = shared && shape[0] == 0;
  if (alignment < pa_scalar_bytes(scalar)) alignment = pa_scalar_bytes(scalar);
  if (records && alignment < ROOM_ALIGNMENT) alignment = ROOM_ALIGNMENT;
  MlirValue memory = dynamic
                         ? dynamic_memory(lower, element, records ? bytes : pa_scalar_bytes(scalar), alignment, records)
                     : shared ? shared_memory(lower, element, rank, shape, alignment)
                              : allocate_in_entry(lower, element, rank, shape, alignment, false);
  MlirValue values[] = {pa_cast_memref(lower, memory, pa_lower_array_type(lower, array)), pa_int(lower, lower->i64, 0)};
  pa_set(lower, pa_result(call->op), values, 2);
}

static void lower_const_array(pa_lowering *lower, const pa_builtin_call *call) {
  pa_values values = pa_get(lower, pa_operand(call->op, 0));
  pa_set(lower, pa_result(call->op), values.items, values.count);
}

//===-- Atomics -----------------------------------------------------------------------------------===//

// Operands 1 to the array's rank are indices.
static MlirValue operand_address(pa_lowering *lower, const pa_builtin_call *call, const pa_array *array) {
  MlirValue positions[PA_MAX_RANK];
  lower->in_bounds = lower->told_axes = mlirAttributeGetNull();
  lower->clamped = false;
  for (int axis = 0; axis < array->rank; ++axis)
    positions[axis] = pa_position(lower, array, axis, pa_operand(call->op, axis + 1));
  return pa_element_address(lower, array, positions);
}

// ORDER ATOMICS: LLVM's AtomicBinOp.
static const char *const atomic_operations[] = {
    "xchg", "add",  "sub",  "_and", "nand",      "_or",       "_xor",      "max",      "min",      "umax",    "umin",
    "fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat", "fmaximum", "fminimum"};
enum { MONOTONIC = 2 };

// The number of the row's operation on elements of that type; |*out_mark|: what is done to the value before, '\0' where
// nothing is.
static int64_t atomic_operation(const pa_builtin *row, pa_scalar scalar, char *out_mark) {
  const char *word = row->target;
  for (int family = pa_is_float(scalar) ? 2 : pa_is_unsigned(scalar); family > 0; --family)
    word = strchr(word, ' ') + 1;
  *out_mark = *word == '~' || *word == '<' || *word == '>' ? *word++ : '\0';
  size_t length = strcspn(word, " ");
  for (size_t i = 0; i < sizeof atomic_operations / sizeof *atomic_operations; ++i)
    if (strlen(atomic_operations[i]) == length && memcmp(atomic_operations[i], word, length) == 0) return (int64_t)i;
  return -1;
}

// The value that the operation takes: with its sign turned, or for NaN the infinity that changes no element.
static MlirValue marked_value(pa_lowering *lower, char mark, MlirValue value) {
  if (!mark) return value;
  if (mark == '~') return pa_unary(lower, "arith.negf", value);
  MlirValue neutral = pa_real(lower, mlirValueGetType(value), mark == '<' ? -INFINITY : INFINITY);
  return pa_select(lower, pa_compare_real(lower, PA_UNO, value, value), neutral, value);
}

// Handwritten IR may have any number of indices and any elements.
static bool is_update(pa_lowering *lower, const pa_builtin_call *call, const pa_array *array, int values) {
  bool fits = call->count == 1 + array->rank + values && result_scalar(call) == array->element &&
              (pa_is_float(array->element) || pa_scalar_bytes(array->element) >= 4) && !pa_is_complex(array->element);
  if (!fits) pa_lower_fail(lower, "builtin %s does not have operands and a result of these types", call->row->name);
  return fits;
}

static void lower_atomic(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  char mark;
  if (!is_update(lower, call, &array, 1)) return;
  int64_t operation = atomic_operation(call->row, array.element, &mark);
  if (operation < 0) {
    pa_lower_fail(lower, "%s does not work on elements of type %s", call->row->name, pa_scalar_name(array.element));
    return;
  }
  MlirValue address = operand_address(lower, call, &array),
            value = marked_value(lower, mark, pa_argument(lower, call, 1 + array.rank));
  MlirContext context = lower->context;
  pa_finish(lower, call,
            pa_value(&lower->builder, "llvm.atomicrmw", PA_OPERANDS(address, value),
                     PA_RESULTS(pa_lower_scalar_type(lower, array.element)),
                     PA_ATTRS({"bin_op", pa_i64_attr(context, operation)},
                              {"ordering", pa_i64_attr(context, MONOTONIC)}, {"syncscope", pa_text(lower, "device")})));
}

static void lower_atomic_cas(pa_lowering *lower, const pa_builtin_call *call) {
  pa_array array = pa_array_of(lower, pa_operand(call->op, 0));
  if (!is_update(lower, call, &array, 2)) return;
  MlirValue address = operand_address(lower, call, &array);
  MlirValue old = as_bits(lower, pa_argument(lower, call, 1 + array.rank), array.element);
  MlirValue value = as_bits(lower, pa_argument(lower, call, 2 + array.rank), array.element);
  MlirContext context = lower->context;
  const char *text = pa_arena_format(lower->arena, "!llvm.struct<(i%d, i1)>", 8 * pa_scalar_bytes(array.element));
  MlirValue both = pa_value(&lower->builder, "llvm.cmpxchg", PA_OPERANDS(address, old, value),
                            PA_RESULTS(mlirTypeParseGet(context, pa_ref(text))),
                            PA_ATTRS({"success_ordering", pa_i64_attr(context, MONOTONIC)},
                                     {"failure_ordering", pa_i64_attr(context, MONOTONIC)},
                                     {"syncscope", pa_text(lower, "device")}));
  MlirValue found = pa_memref_field(lower, both, pa_type_or_none(lower, old), 0, -1);
  pa_finish(lower, call, from_bits(lower, found, array.element));
}

//===-- print -------------------------------------------------------------------------------------===//

// The address of a NUL-terminated text in memory that never changes.
static MlirValue text_address(pa_lowering *lower, const char *bytes, size_t length) {
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  const char *name = "";
  for (int i = 0; i == 0 || !mlirOperationIsNull(pa_lookup(lower->module, pa_ref(name))); ++i)
    name = pa_arena_format(lower->arena, "pyarray.text_%d", i);
  pa_builder builder = lower->builder;
  builder.block = pa_module_body(lower->module);
  MlirType type =
      mlirTypeParseGet(lower->context, pa_ref(pa_arena_format(lower->arena, "!llvm.array<%zu x i8>", length + 1)));
  const char *copy = pa_arena_copy(lower->arena, bytes, length); // with a NUL
  pa_op(&builder, "llvm.mlir.global",
        PA_ATTRS({"sym_name", pa_text(lower, name)}, {"global_type", mlirTypeAttrGet(type)},
                 {"linkage", parse(lower, "#llvm.linkage<internal>")}, {"constant", pa_unit_attr(lower->context)},
                 {"addr_space", pa_i32_attr(lower->context, 0)},
                 {"value", mlirStringAttrGet(lower->context, mlirStringRefCreate(copy, length + 1))}),
        PA_REGIONS(mlirRegionCreate()));
  lower->builder.failure = builder.failure;
  return pa_value(&lower->builder, "llvm.mlir.addressof", PA_RESULTS(pointer),
                  PA_ATTRS({"global_name", pa_symbol_attr(lower->context, name)}));
}

static void append_literal(pa_string *format, MlirAttribute text) {
  MlirStringRef ref = mlirStringAttrGetValue(text);
  for (size_t i = 0; i < ref.length; ++i)
    pa_string_append(format, ref.data[i] == '%' ? "%%" : &ref.data[i], ref.data[i] == '%' ? 2 : 1);
}

// What one argument adds to the format, and its value as 8 bytes; null for text that is in the format.
static MlirValue print_value(pa_lowering *lower, MlirValue argument, pa_string *format) {
  pa_scalar scalar = pa_scalar_of_value(argument);
  if (scalar == PA_NOT_SCALAR) {
    MlirOperation op = pa_definition(argument);
    MlirAttribute text = mlirOperationIsNull(op) ? (MlirAttribute){NULL} : pa_get_attr(op, "value");
    if (mlirAttributeIsNull(text) || !mlirAttributeIsAString(text))
      pa_lower_fail(lower, "print takes numbers and strings that are written out");
    else
      append_literal(format, text);
    return (MlirValue){NULL};
  }
  MlirValue value = pa_get1(lower, argument);
  if (scalar == PA_BOOL) {
    pa_string_puts(format, "%s");
    MlirValue yes = text_address(lower, "True", 4), no = text_address(lower, "False", 5);
    return pa_select(lower, value, yes, no);
  }
  pa_string_puts(format, pa_is_float(scalar) ? "%f" : pa_is_unsigned(scalar) ? "%llu" : "%lld");
  return pa_cast_scalar(lower, value, scalar, pa_is_float(scalar) ? PA_F64 : pa_is_unsigned(scalar) ? PA_U64 : PA_I64);
}

// |count| slots of 8 bytes in the thread's own memory.
static MlirValue print_buffer(pa_lowering *lower, int count) {
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  MlirValue size = pa_int(lower, lower->i64, count ? count : 1);
  pa_builder builder = pa_entry_builder(lower);
  MlirOperation op = pa_op(&builder, "llvm.alloca", PA_OPERANDS(size), PA_RESULTS(pointer),
                           PA_ATTRS({"elem_type", mlirTypeAttrGet(lower->i64)}));
  pa_entry_built(lower, &builder, op);
  return mlirOperationIsNull(op) ? (MlirValue){NULL} : mlirOperationGetResult(op, 0);
}

static void lower_print(pa_lowering *lower, const pa_builtin_call *call) {
  pa_string format = {0};
  MlirType pointer = mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr"));
  MlirValue buffer = print_buffer(lower, call->count);
  int32_t slot = 0;
  for (int i = 0; i < call->count; ++i) {
    if (i) pa_string_puts(&format, " ");
    MlirValue value = print_value(lower, pa_operand(call->op, i), &format);
    if (mlirValueIsNull(value)) continue;
    MlirValue address = pa_value(&lower->builder, "llvm.getelementptr", PA_OPERANDS(buffer), PA_RESULTS(pointer),
                                 PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(lower->context, 1, &slot)},
                                          {"elem_type", mlirTypeAttrGet(lower->i64)}));
    pa_op(&lower->builder, "llvm.store", PA_OPERANDS(value, address));
    ++slot;
  }
  pa_string_puts(&format, "\n");
  MlirValue text = text_address(lower, pa_string_text(&format), format.length);
  pa_string_free(&format);
  pa_runtime(lower, "pyarray_dev_print", text, buffer);
  pa_finish_none(lower, call);
}

//===-- Table -------------------------------------------------------------------------------------===//

const pa_builtin_rule_row pa_device_rules[] = {
    {PA_LOWERING_DEVICE_INDEX, lower_index},
    {PA_LOWERING_GRID, lower_grid},
    {PA_LOWERING_LANES_BELOW, lower_lanes_below},
    {PA_LOWERING_DEVICE_CALL, lower_device_call},
    {PA_LOWERING_MATCH_ALL, lower_match_all},
    {PA_LOWERING_BARRIER, lower_barrier},
    {PA_LOWERING_BITS, lower_bits},
    {PA_LOWERING_FFS, lower_ffs},
    {PA_LOWERING_SELECT, lower_select},
    {PA_LOWERING_DEVICE_ARRAY, lower_device_array},
    {PA_LOWERING_RESHAPE, pa_lower_reshape},
    {PA_LOWERING_CONST_ARRAY, lower_const_array},
    {PA_LOWERING_GLOBAL_ARRAY, pa_lower_global_array},
    {PA_LOWERING_MAP_SHARED, pa_lower_map_shared},
    {PA_LOWERING_ATOMIC, lower_atomic},
    {PA_LOWERING_ATOMIC_CAS, lower_atomic_cas},
    {PA_LOWERING_PRINT, lower_print},
    {PA_LOWERING_VARIABLE_SHOWN, pa_lower_shown},
    {0, NULL},
};
