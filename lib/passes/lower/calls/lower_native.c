// Of pyarray-lower: calls of native functions by their addresses.
//
//   %y = pyarray.builtin "pyarray.c_call"(%f, %x) : (!pyarray.pointer<!pyarray.none>, f64) -> f64
// becomes
//   %y = llvm.call %f(%x) : !llvm.ptr, (f64) -> f64
//
// "pyarray.function_call" of a value of a FunctionType puts the arguments into slots, as an entry has them, and lets
// the runtime call it.
#include <stdlib.h>
#include <string.h>

#include "lower_arrays.h"
#include "lower_calls.h"
#include "lower_containers.h"
#include "lower_items.h"
#include "runtime/runtime.h"

static MlirType pointer_type(pa_lowering *lower) { return mlirTypeParseGet(lower->context, pa_ref("!llvm.ptr")); }

static void lower_c_function(pa_lowering *lower, const pa_builtin_call *call) {
  if (!pyarrayTypeIsPointer(mlirValueGetType(pa_result(call->op)))) {
    pa_lower_fail(lower, "%s gives a pointer", call->row->name);
    return;
  }
  pa_finish(lower, call, pa_pointer_to(lower, pa_argument(lower, call, 0)));
}

// Of the first element, as an i64.
static MlirValue data_address(pa_lowering *lower, MlirValue value) {
  pa_array array = pa_array_of(lower, value);
  MlirValue zeros[PA_MAX_RANK], low, high;
  for (int i = 0; i < array.rank; ++i)
    zeros[i] = pa_int(lower, lower->i64, 1); // as if it had one element along each axis
  pa_address_range(lower, &array, zeros, &low, &high);
  return low;
}

static void lower_data_address(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue address = data_address(lower, pa_operand(call->op, 0));
  bool pointer = pyarrayTypeIsPointer(mlirValueGetType(pa_result(call->op)));
  pa_finish(lower, call, pointer ? pa_pointer_to(lower, address) : address);
}

MlirValue pa_c_argument(pa_lowering *lower, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  pa_scalar scalar = pa_scalar_of(type);
  if (pyarrayTypeIsArray(type)) return pa_pointer_to(lower, data_address(lower, value));
  MlirValue x = pa_get1(lower, value);
  if (scalar == PA_NOT_SCALAR || !(scalar == PA_BOOL || pa_is_integer(scalar)) || pa_scalar_bytes(scalar) >= 4)
    return x;
  return pa_convert(lower, pa_is_signed(scalar) ? "arith.extsi" : "arith.extui", x, lower->i32);
}

// The type that C's result has; null for void.
static MlirType c_result(pa_lowering *lower, MlirType type) {
  pa_scalar scalar = pa_scalar_of(type);
  if (pyarrayTypeIsPointer(type)) return pointer_type(lower);
  if (scalar == PA_NOT_SCALAR) return (MlirType){NULL};
  return scalar == PA_BOOL ? lower->i8 : pa_lower_scalar_type(lower, scalar);
}

// The parameters that integers are given to as addresses are pointers in C: in registers they are the same.
static void lower_c_call(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = mlirValueGetType(pa_result(call->op)), result = c_result(lower, type);
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, call->count + 1);
  bool fits = pyarrayTypeIsPointer(mlirValueGetType(pa_operand(call->op, 0))) &&
              (!mlirTypeIsNull(result) || pyarrayTypeIsNone(type)) && !lower->device;
  for (int i = 0; fits && i < call->count; ++i) {
    MlirType given = mlirValueGetType(pa_operand(call->op, i));
    pa_scalar scalar = pa_scalar_of(given);
    fits =
        pyarrayTypeIsPointer(given) || pyarrayTypeIsArray(given) || (scalar != PA_NOT_SCALAR && !pa_is_complex(scalar));
    if (!fits) break;
    operands[i] = pa_c_argument(lower, pa_operand(call->op, i));
  }
  if (!fits) {
    pa_lower_fail(lower, "%s cannot be lowered here", call->row->name);
    return;
  }
  if (pa_failed(&lower->builder)) return;
  int32_t segments[] = {call->count, 0};
  MlirOperation made = pa_op(&lower->builder, "llvm.call", PA_OPERAND_ARRAY(operands, call->count),
                             PA_RESULT_ARRAY(&result, mlirTypeIsNull(result) ? 0 : 1),
                             PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 2, segments)},
                                      {"op_bundle_sizes", mlirDenseI32ArrayGet(lower->context, 0, NULL)}));
  if (mlirOperationIsNull(made)) return;
  if (mlirTypeIsNull(result)) {
    pa_finish_none(lower, call);
    return;
  }
  MlirValue value = mlirOperationGetResult(made, 0);
  if (pa_scalar_of(type) == PA_BOOL) value = pa_compare_int(lower, PA_NE, value, pa_int(lower, lower->i8, 0));
  pa_finish(lower, call, value);
}

// A call of the function that the user gave: numbers, pointers, and memrefs without their owners.
static void lower_intrinsic(pa_lowering *lower, const pa_builtin_call *call) {
  MlirAttribute callee = pa_get_attr(call->op, "callee");
  MlirOperation function = mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee)
                               ? (MlirOperation){NULL}
                               : pa_lookup(lower->module, mlirFlatSymbolRefAttrGetValue(callee));
  if (mlirOperationIsNull(function) || mlirAttributeIsNull(pa_get_attr(function, "pyarray.intrinsic"))) {
    pa_lower_fail(lower, "%s names no intrinsic of the module", call->row->name);
    return;
  }
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  MlirValue *operands = PA_NEW_ARRAY(lower->arena, MlirValue, call->count + 1);
  pa_types results = {0};
  pa_flatten(lower, mlirValueGetType(pa_result(call->op)), &results);
  bool fits = mlirFunctionTypeGetNumInputs(type) == call->count &&
              mlirFunctionTypeGetNumResults(type) == (intptr_t)results.count;
  for (int i = 0; fits && i < call->count; ++i) {
    pa_values values = pa_get(lower, pa_operand(call->op, i));
    operands[i] = values.count ? values.items[0] : (MlirValue){NULL};
    fits = mlirTypeEqual(pa_type_or_none(lower, operands[i]), mlirFunctionTypeGetInput(type, i));
  }
  for (size_t i = 0; fits && i < results.count; ++i)
    fits = mlirTypeEqual(results.items[i], mlirFunctionTypeGetResult(type, (intptr_t)i));
  if (!fits) {
    pa_lower_fail(lower, "the intrinsic does not have the types of this call");
    return;
  }
  MlirOperation made = pa_op(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, call->count),
                             PA_RESULT_ARRAY(results.items, (intptr_t)results.count), PA_ATTRS({"callee", callee}));
  if (!mlirOperationIsNull(made)) pa_set_results(lower, call->op, made);
}

//===-- Blocks of objmode -------------------------------------------------------------------------===//

static int descriptor_words(MlirType type) { return 3 + 2 * (int)mlirShapedTypeGetRank(type); }

// 8-byte slots that a level-4 value takes in the entry convention.
static int slots_of(MlirType type) {
  if (mlirTypeIsAMemRef(type)) return descriptor_words(type);
  return mlirTypeIsAComplex(type) && mlirTypeIsAF64(mlirComplexTypeGetElementType(type)) ? 2 : 1;
}

static MlirType memory_type(pa_lowering *lower, MlirType type) {
  if (mlirTypeIsAMemRef(type)) {
    int rank = (int)mlirShapedTypeGetRank(type);
    return mlirTypeParseGet(
        lower->context,
        pa_ref(rank ? pa_arena_format(lower->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>",
                                      rank, rank)
                    : "!llvm.struct<(ptr, ptr, i64)>"));
  }
  if (mlirTypeIsAComplex(type))
    return mlirTypeParseGet(lower->context,
                            pa_ref(slots_of(type) == 2 ? "!llvm.struct<(f64, f64)>" : "!llvm.struct<(f32, f32)>"));
  return mlirTypeEqual(type, lower->i1) ? lower->i8 : type;
}

static bool is_converted(MlirType type) { return mlirTypeIsAMemRef(type) || mlirTypeIsAComplex(type); }

static MlirValue slot_address(pa_lowering *lower, MlirValue slots, int slot) {
  return pa_byte_offset(lower, slots, pa_int(lower, lower->i64, 8 * slot));
}

static void store_slot(pa_lowering *lower, MlirValue slots, int slot, MlirValue value) {
  MlirType type = pa_type_or_none(lower, value);
  if (mlirTypeEqual(type, lower->i1)) value = pa_convert(lower, "arith.extui", value, lower->i8);
  if (is_converted(type))
    value = pa_convert(lower, "builtin.unrealized_conversion_cast", value, memory_type(lower, type));
  pa_op(&lower->builder, "llvm.store", PA_OPERANDS(value, slot_address(lower, slots, slot)),
        PA_ATTRS({"alignment", pa_i64_attr(lower->context, 8)}));
}

static MlirValue load_slot(pa_lowering *lower, MlirValue slots, int slot, MlirType type) {
  MlirValue value =
      pa_value(&lower->builder, "llvm.load", PA_OPERANDS(slot_address(lower, slots, slot)),
               PA_RESULTS(memory_type(lower, type)), PA_ATTRS({"alignment", pa_i64_attr(lower->context, 8)}));
  if (mlirTypeEqual(type, lower->i1)) return pa_compare_int(lower, PA_NE, value, pa_int(lower, lower->i8, 0));
  return is_converted(type) ? pa_convert(lower, "builtin.unrealized_conversion_cast", value, type) : value;
}

static MlirValue slots_on_stack(pa_lowering *lower, int count) {
  MlirValue numbers = pa_stack_numbers(lower, count ? count : 1);
  return pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", numbers, lower->index));
}

static MlirValue slots_for(pa_lowering *lower, MlirType type) {
  pa_types types = {0};
  pa_flatten(lower, type, &types);
  int count = 0;
  for (size_t i = 0; i < types.count; ++i) count += slots_of(types.items[i]);
  return slots_on_stack(lower, count);
}

// What |results|, of slots_for, hold becomes |value|.
static void take_slots(pa_lowering *lower, MlirValue value, MlirValue results) {
  pa_types types = {0};
  pa_flatten(lower, mlirValueGetType(value), &types);
  MlirValue *made = PA_NEW_ARRAY(lower->arena, MlirValue, types.count + 1), taken = pa_pointer_to(lower, results);
  int slot = 0;
  for (size_t i = 0; i < types.count; ++i) {
    made[i] = load_slot(lower, taken, slot, types.items[i]);
    slot += slots_of(types.items[i]);
  }
  pa_set(lower, value, made, (int)types.count);
}

// Blocks, the text of arrays and records, and what makes Generators. Text is made in exception handlers, too: that runs
// no compiled code.
static void refuse_where_nobody_runs_it(pa_lowering *lower, const pa_builtin_call *call) {
  bool is_block = strcmp(call->row->name, "pyarray.library._intrinsics.python_function"),
       is_text = !is_block && pyarrayTypeIsStr(mlirValueGetType(pa_result(call->op)));
  MlirValue runs = pa_runtime(lower, is_text ? "pyarray_rt_texts_made" : "pyarray_rt_blocks_run");
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, runs, pa_int(lower, lower->i64, 0)), "RuntimeError",
              is_text    ? "in parallel loops and in code made ahead of time there is no text of arrays, records and "
                           "times, which NumPy makes: print the elements"
              : is_block ? "an objmode block runs neither in a parallel loop nor in an exception handler"
                         : "a Generator is made neither in a parallel loop nor in an exception handler: make one for "
                           "each iteration before the loop, rngs = rng.spawn(n), and take rngs[i]");
}

static void lower_objmode_call(pa_lowering *lower, const pa_builtin_call *call) {
  const char *text = pa_attr_text(lower->arena, pa_get_attr(call->op, "callee"));
  const char *codes = text ? strchr(text, ':') : NULL;
  if (!codes || lower->device) {
    pa_lower_fail(lower, "%s names no block", call->row->name);
    return;
  }
  int count = 0, slot = 0;
  MlirType type = mlirValueGetType(pa_result(call->op));
  for (int i = 0; i < call->count; ++i) {
    pa_values values = pa_get(lower, pa_operand(call->op, i));
    for (int k = 0; k < values.count; ++k) count += slots_of(pa_type_or_none(lower, values.items[k]));
  }
  refuse_where_nobody_runs_it(lower, call);
  MlirValue arguments = slots_on_stack(lower, count), given = pa_pointer_to(lower, arguments);
  for (int i = 0; i < call->count; ++i) {
    pa_values values = pa_get(lower, pa_operand(call->op, i));
    if (pa_is_managed(mlirValueGetType(pa_operand(call->op, i))))
      pa_retain_value(lower, pa_operand(call->op, i)); // what Python gets holds it
    for (int k = 0; k < values.count; ++k) {
      store_slot(lower, given, slot, values.items[k]);
      slot += slots_of(pa_type_or_none(lower, values.items[k]));
    }
  }
  MlirValue results = slots_for(lower, type), number = pa_int(lower, lower->i64, strtoll(text, NULL, 10));
  pa_raise_of_interpreter(
      lower, pa_runtime(lower, "pyarray_rt_call_block", number, pa_text_address(lower, codes + 1), arguments, results));
  take_slots(lower, pa_result(call->op), results);
}

// An array as an entry takes it: its offset is 0. Returns the slot behind it.
static int store_array(pa_lowering *lower, MlirValue slots, int slot, MlirValue value) {
  pa_array array = pa_array_of(lower, value);
  MlirValue address = data_address(lower, value);
  for (int i = 0; i < 2; ++i) store_slot(lower, slots, slot++, address);
  store_slot(lower, slots, slot++, pa_int(lower, lower->i64, 0));
  for (int i = 0; i < array.rank; ++i) store_slot(lower, slots, slot++, pa_extent(lower, &array, i));
  for (int i = 0; i < array.rank; ++i)
    store_slot(lower, slots, slot++, pa_to_i64(lower, pa_stride_of(lower, &array, i)));
  store_slot(lower, slots, slot++, array.owner);
  return slot;
}

// Slots of the arguments behind the first; -1 where one cannot be given.
static int argument_slots(pa_lowering *lower, const pa_builtin_call *call) {
  int count = 0;
  for (int i = 1; i < call->count; ++i) {
    bool array = pyarrayTypeIsArray(mlirValueGetType(pa_operand(call->op, i)));
    pa_values values = pa_get(lower, pa_operand(call->op, i));
    for (int k = 0; k < values.count; ++k) {
      MlirType type = pa_type_or_none(lower, values.items[k]);
      if (mlirTypeIsAMemRef(type) && !array) return -1; // part of a tuple
      count += slots_of(type);
    }
  }
  return count;
}

static void lower_function_call(pa_lowering *lower, const pa_builtin_call *call) {
  int count = argument_slots(lower, call), slot = 0;
  if (lower->device || count < 0 || !pyarrayTypeIsPointer(mlirValueGetType(pa_operand(call->op, 0)))) {
    pa_lower_fail(lower, "%s cannot be lowered here", call->row->name);
    return;
  }
  MlirValue arguments = slots_on_stack(lower, count), given = pa_pointer_to(lower, arguments);
  for (int i = 1; i < call->count; ++i) {
    if (pyarrayTypeIsArray(mlirValueGetType(pa_operand(call->op, i)))) {
      slot = store_array(lower, given, slot, pa_operand(call->op, i));
      continue;
    }
    pa_values values = pa_get(lower, pa_operand(call->op, i));
    for (int k = 0; k < values.count; ++k) {
      store_slot(lower, given, slot, values.items[k]);
      slot += slots_of(pa_type_or_none(lower, values.items[k]));
    }
  }
  MlirValue results = slots_for(lower, mlirValueGetType(pa_result(call->op)));
  MlirValue handle =
      pa_runtime(lower, "pyarray_rt_call_function", pa_get1(lower, pa_operand(call->op, 0)), arguments, results);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, handle, pa_int(lower, lower->i64, -1)), "RuntimeError",
              "a function given as a FunctionType raised an exception in a parallel loop");
  pa_raise_of_interpreter(lower, handle);
  take_slots(lower, pa_result(call->op), results);
}

// The interpreter makes the object, and reads the part of it. Whose sites the error names, it knows by a word of the
// compiled object.
static void lower_exception_part(pa_lowering *lower, const pa_builtin_call *call) {
  static const char *const parts[] = {[PA_EXCEPTION_STR] = "str",
                                      [PA_EXCEPTION_REPR] = "repr",
                                      [PA_EXCEPTION_NAME] = "name",
                                      [PA_EXCEPTION_ARGUMENTS] = "args"};
  MlirType type = mlirValueGetType(pa_result(call->op));
  int64_t part = 0;
  pa_string code = {0};
  while (part < PA_EXCEPTION_ARGUMENTS && strcmp(call->row->target, parts[part]) != 0) ++part;
  bool arguments = part == PA_EXCEPTION_ARGUMENTS,
       fits = arguments ? mlirTypeIsATuple(type) && pa_type_to_code(&code, type) : pyarrayTypeIsStr(type);
  if (lower->device || !fits || !pyarrayTypeIsException(mlirValueGetType(pa_operand(call->op, 0)))) {
    pa_string_free(&code);
    return pa_lower_fail(lower, "%s cannot be lowered here", call->row->name);
  }
  MlirValue error = pa_get1(lower, pa_operand(call->op, 0)),
            owner = pa_load_word(lower, pa_pointer_to(lower, pa_module_word(lower, PA_OWNER_SYMBOL)), 0, lower->i64);
  MlirValue codes = arguments ? pa_text_address(lower, pa_string_text(&code)) : pa_int(lower, lower->i64, 0),
            slots = slots_for(lower, type);
  pa_string_free(&code);
  pa_raise_if(lower,
              pa_compare_int(lower, PA_EQ, pa_runtime(lower, "pyarray_rt_has_exception_parts", owner),
                             pa_int(lower, lower->i64, 0)),
              "RuntimeError", "the text and the arguments of an exception cannot be read in a parallel loop");
  pa_raise_of_interpreter(lower, pa_runtime(lower, "pyarray_rt_exception_part", error, owner,
                                            pa_int(lower, lower->i64, part), codes, slots));
  take_slots(lower, pa_result(call->op), slots);
}

static void lower_exception_is(pa_lowering *lower, const pa_builtin_call *call) {
  const char *names = pa_attr_text(lower->arena, pa_get_attr(call->op, "callee"));
  if (!names || lower->device) {
    pa_lower_fail(lower, "%s names no classes", call->row->name);
    return;
  }
  MlirAttribute *classes = PA_NEW_ARRAY(lower->arena, MlirAttribute, strlen(names) + 1);
  intptr_t count = 0;
  for (size_t length; *names; names += length + (names[length] == ',')) {
    length = strcspn(names, ",");
    classes[count++] = mlirStringAttrGet(lower->context, mlirStringRefCreate(names, length));
  }
  MlirValue site = pa_runtime(lower, "pyarray_rt_exception_site", pa_get1(lower, pa_operand(call->op, 0)));
  pa_set1(lower, pa_result(call->op), pa_is_caught_at(lower, site, mlirArrayAttrGet(lower->context, count, classes)));
}

const pa_builtin_rule_row pa_native_rules[] = {
    {PA_LOWERING_OBJMODE_CALL, lower_objmode_call},
    {PA_LOWERING_EXCEPTION_PART, lower_exception_part},
    {PA_LOWERING_EXCEPTION_IS, lower_exception_is},
    {PA_LOWERING_INTRINSIC, lower_intrinsic},
    {PA_LOWERING_C_FUNCTION, lower_c_function},
    {PA_LOWERING_DATA_ADDRESS, lower_data_address},
    {PA_LOWERING_C_CALL, lower_c_call},
    {PA_LOWERING_FUNCTION_CALL, lower_function_call},
    {0, NULL},
};
