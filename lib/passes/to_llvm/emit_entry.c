// pyarray-emit-entry: the one external function of an object, called with arrays of 8-byte slots.
//
// In:  a module of the llvm dialect, one function of which has the attributes pyarray.entry and pyarray.entry_type (its
//      type before the conversion, from pyarray-lower-raises):
//
//   llvm.func @f$0(%data: !llvm.ptr, ..., %x: f64) -> !llvm.struct<(i32, f64)> attributes {pyarray.entry, ...}
//
// Out: every function is internal; what is known of the runtime's functions is said in attributes; and
//
//   llvm.func @pyarray_entry(%args: !llvm.ptr, %results: !llvm.ptr) -> i32
//
// loads the parameters from |args|, stores the results to |results| and returns the status. It takes over the body of
// the marked function, or calls it where others call it too, so that usually nothing is left for LLVM to inline.
// docs/internals.md (Level 6) fixes the slots. The attribute pyarray.extents of pyarray_entry lists the byte offsets of
// those that hold an array's extents: lib/codegen tells LLVM that they are not negative.
//
// A function that also has pyarray.entry_name = "f" becomes @f instead of @pyarray_entry; a module may have several.
#include <string.h>

#include "ir/fields.h"
#include "ir/ir.h"
#include "mlir-c/Dialect/LLVM.h"
#include "pass.h"

static const char entry_name[] = "pyarray_entry";

typedef struct emitter {
  pa_arena *arena;
  MlirContext context;
  MlirOperation module;
  MlirType ptr, i8, i32, i64;
  MlirType entry_type;   // function type before the conversion
  MlirType lowered_type; // function type of the llvm dialect
  MlirIdentifier call_name, return_name;
  int32_t *extents; // byte offsets of the slots that hold an extent of an array
  size_t extent_count, extent_capacity;
} emitter;

typedef struct value_list {
  MlirValue *items;
  size_t count, capacity;
} value_list;

static void push(emitter *emit, value_list *list, MlirValue value) {
  list->items = pa_arena_grow(emit->arena, list->items, list->count, &list->capacity, sizeof value);
  list->items[list->count++] = value;
}

//===-- Slots -------------------------------------------------------------------------------------===//

// One side of the calling convention: an array of slots, filled or read from its start.
typedef struct slot_cursor {
  emitter *emit;
  pa_builder builder;
  MlirValue base;
  int64_t byte; // of the next slot
} slot_cursor;

static MlirValue address_at(slot_cursor *slots, int64_t byte) {
  if (byte == 0) return slots->base;
  int32_t index = (int32_t)byte;
  return pa_value(&slots->builder, "llvm.getelementptr", PA_OPERANDS(slots->base), PA_RESULTS(slots->emit->ptr),
                  PA_ATTRS({"rawConstantIndices", mlirDenseI32ArrayGet(slots->emit->context, 1, &index)},
                           {"elem_type", mlirTypeAttrGet(slots->emit->i8)}));
}

static bool is_bool(MlirType type) { return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1; }

// Loads a value at |byte|; slots do not change while compiled code runs, hence invariant.
static MlirValue load_at(slot_cursor *slots, int64_t byte, MlirType type, int alignment) {
  emitter *emit = slots->emit;
  MlirValue address = address_at(slots, byte);
  MlirType memory = is_bool(type) ? emit->i8 : type;
  MlirValue loaded = pa_value(
      &slots->builder, "llvm.load", PA_OPERANDS(address), PA_RESULTS(memory),
      PA_ATTRS({"alignment", pa_i64_attr(emit->context, alignment)}, {"invariant", pa_unit_attr(emit->context)}));
  if (!is_bool(type)) return loaded;
  return pa_value(&slots->builder, "llvm.trunc", PA_OPERANDS(loaded), PA_RESULTS(type));
}

static void store_at(slot_cursor *slots, int64_t byte, MlirValue value, int alignment) {
  emitter *emit = slots->emit;
  if (is_bool(mlirValueGetType(value)))
    value = pa_value(&slots->builder, "llvm.zext", PA_OPERANDS(value), PA_RESULTS(emit->i8));
  MlirValue address = address_at(slots, byte);
  pa_op(&slots->builder, "llvm.store", PA_OPERANDS(value, address),
        PA_ATTRS({"alignment", pa_i64_attr(emit->context, alignment)}));
}

static MlirValue load_slot(slot_cursor *slots, MlirType type) {
  MlirValue value = load_at(slots, slots->byte, type, 8);
  slots->byte += 8;
  return value;
}

static void store_slot(slot_cursor *slots, MlirValue value) {
  store_at(slots, slots->byte, value, 8);
  slots->byte += 8;
}

// Both parts of a complex64 share a slot.
static int64_t part_bytes(MlirType part) { return mlirTypeIsAF32(part) ? 4 : 8; }

static MlirValue extract(slot_cursor *slots, MlirValue aggregate, MlirType type, const int64_t *position,
                         intptr_t depth) {
  return pa_value(&slots->builder, "llvm.extractvalue", PA_OPERANDS(aggregate), PA_RESULTS(type),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(slots->emit->context, depth, position)}));
}

//===-- Parameters --------------------------------------------------------------------------------===//

static void note_extent(emitter *emit, int64_t byte) {
  emit->extents =
      pa_arena_grow(emit->arena, emit->extents, emit->extent_count, &emit->extent_capacity, sizeof *emit->extents);
  emit->extents[emit->extent_count++] = (int32_t)byte;
}

// allocated, data, offset, sizes, strides: each an argument of its own after the conversion. Offsets of arguments are
// 0.
static void load_memref(slot_cursor *slots, MlirType memref, value_list *values) {
  emitter *emit = slots->emit;
  for (int i = 0; i < 2; i++) push(emit, values, load_slot(slots, emit->ptr));
  push(emit, values, pa_llvm_constant(&slots->builder, emit->i64, 0));
  slots->byte += 8;
  int64_t rank = mlirShapedTypeGetRank(memref);
  for (int64_t i = 0; i < 2 * rank; i++) {
    if (i < rank) note_extent(emit, slots->byte);
    push(emit, values, load_slot(slots, emit->i64));
  }
}

static void load_complex(slot_cursor *slots, MlirType lowered, value_list *values) {
  emitter *emit = slots->emit;
  MlirType part = mlirLLVMStructTypeGetElementType(lowered, 0);
  MlirValue result = pa_value(&slots->builder, "llvm.mlir.poison", PA_RESULTS(lowered));
  for (int64_t i = 0; i < 2; i++) {
    int64_t bytes = part_bytes(part);
    MlirValue loaded = load_at(slots, slots->byte + i * bytes, part, (int)bytes);
    result = pa_value(&slots->builder, "llvm.insertvalue", PA_OPERANDS(result, loaded), PA_RESULTS(lowered),
                      PA_ATTRS({"position", mlirDenseI64ArrayGet(emit->context, 1, &i)}));
  }
  slots->byte += 2 * part_bytes(part);
  push(emit, values, result);
}

static pa_status load_parameters(slot_cursor *slots, value_list *values) {
  emitter *emit = slots->emit;
  intptr_t lowered_count = mlirLLVMFunctionTypeGetNumInputs(emit->lowered_type);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(emit->entry_type); i++) {
    MlirType type = mlirFunctionTypeGetInput(emit->entry_type, i);
    if (mlirTypeIsAMemRef(type)) {
      load_memref(slots, type, values);
      continue;
    }
    if ((intptr_t)values->count >= lowered_count) break;
    MlirType lowered = mlirLLVMFunctionTypeGetInput(emit->lowered_type, (intptr_t)values->count);
    if (mlirTypeIsALLVMStructType(lowered))
      load_complex(slots, lowered, values);
    else
      push(emit, values, load_slot(slots, lowered));
  }
  if ((intptr_t)values->count == lowered_count) return slots->builder.failure;
  return pa_fail(PA_CODE_INVALID, NULL, "pyarray.entry_type does not fit the parameters of the entry function");
}

//===-- Results -----------------------------------------------------------------------------------===//

static void store_memref(slot_cursor *slots, MlirType memref, MlirValue descriptor) {
  emitter *emit = slots->emit;
  for (int64_t i = 0; i < 3; i++) store_slot(slots, extract(slots, descriptor, i < 2 ? emit->ptr : emit->i64, &i, 1));
  int64_t rank = mlirShapedTypeGetRank(memref);
  for (int64_t i = 0; i < 2 * rank; i++)
    store_slot(slots, extract(slots, descriptor, emit->i64, (int64_t[]){3 + i / rank, i % rank}, 2));
}

static void store_complex(slot_cursor *slots, MlirValue number) {
  MlirType part = mlirLLVMStructTypeGetElementType(mlirValueGetType(number), 0);
  for (int64_t i = 0; i < 2; i++) {
    int64_t bytes = part_bytes(part);
    store_at(slots, slots->byte + i * bytes, extract(slots, number, part, &i, 1), (int)bytes);
  }
  slots->byte += 2 * part_bytes(part);
}

// Stores all but the status of what the function returns, |returned|; gives the status. What is known of the fields is
// stored as it is: LLVM takes time in the square of the fields of a struct.
static MlirValue store_results(slot_cursor *slots, MlirValue returned) {
  emitter *emit = slots->emit;
  intptr_t count = mlirFunctionTypeGetNumResults(emit->entry_type);
  if (count == 1) return returned;
  MlirType aggregate = mlirValueGetType(returned);
  MlirValue *fields = pa_fields_of(emit->arena, returned, count);
  for (int64_t i = 0; i < count; i++)
    if (mlirValueIsNull(fields[i]))
      fields[i] = extract(slots, returned, mlirLLVMStructTypeGetElementType(aggregate, i), &i, 1);
  for (int64_t i = 1; i < count; i++) {
    MlirType type = mlirFunctionTypeGetResult(emit->entry_type, i);
    if (mlirTypeIsAMemRef(type))
      store_memref(slots, type, fields[i]);
    else if (mlirTypeIsALLVMStructType(mlirValueGetType(fields[i])))
      store_complex(slots, fields[i]);
    else
      store_slot(slots, fields[i]);
  }
  return fields[0];
}

//===-- The entry function ------------------------------------------------------------------------===//

// The dispatcher's slots are reached by nothing else.
static MlirAttribute pointer_attributes(const emitter *emit, bool readonly) {
  MlirAttribute unit = pa_unit_attr(emit->context);
  MlirNamedAttribute attributes[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(emit->context, pa_ref("llvm.noalias")), unit),
      mlirNamedAttributeGet(mlirIdentifierGet(emit->context, pa_ref("llvm.readonly")), unit),
  };
  return mlirDictionaryAttrGet(emit->context, readonly ? 2 : 1, attributes);
}

static MlirOperation declare_entry(emitter *emit, pa_builder *builder, const char *name) {
  MlirType type = mlirLLVMFunctionTypeGet(emit->i32, 2, (MlirType[]){emit->ptr, emit->ptr}, false);
  MlirAttribute arguments[] = {pointer_attributes(emit, true), pointer_attributes(emit, false)};
  return pa_op(builder, "llvm.func",
               PA_ATTRS({"sym_name", pa_string_attr(emit->context, name)}, {"function_type", mlirTypeAttrGet(type)},
                        {"linkage", mlirLLVMLinkageAttrGet(emit->context, MlirLLVMLinkageExternal)},
                        {"CConv", mlirLLVMCConvAttrGet(emit->context, MlirLLVMCConvC)},
                        {"arg_attrs", mlirArrayAttrGet(emit->context, 2, arguments)},
                        {"no_unwind", pa_unit_attr(emit->context)}),
               PA_REGIONS(mlirRegionCreate()));
}

static slot_cursor cursor(emitter *emit, MlirBlock block, MlirOperation before, MlirLocation location, MlirValue base) {
  return (slot_cursor){
      .emit = emit,
      .builder = {.context = emit->context, .block = block, .before = before, .location = location},
      .base = base,
  };
}

// Stores what |returns|, a return of the body taken over, gives back; it returns the status then.
static pa_status rewrite_return(emitter *emit, MlirOperation returns, MlirValue results) {
  slot_cursor slots = cursor(emit, mlirOperationGetBlock(returns), returns, mlirOperationGetLocation(returns), results);
  MlirValue returned = mlirOperationGetOperand(returns, 0), status = store_results(&slots, returned);
  PA_TRY(slots.builder.failure);
  mlirOperationSetOperand(returns, 0, status);
  pa_erase_chain(returned);
  return PA_OK;
}

static pa_status take_over(emitter *emit, MlirOperation function, MlirOperation entry) {
  MlirRegion region = mlirOperationGetRegion(entry, 0);
  mlirRegionTakeBody(region, mlirOperationGetRegion(function, 0));
  MlirLocation location = mlirOperationGetLocation(function);
  MlirBlock first = mlirRegionGetFirstBlock(region);
  MlirValue args = mlirBlockInsertArgument(first, 0, emit->ptr, location);
  MlirValue results = mlirBlockInsertArgument(first, 1, emit->ptr, location);
  slot_cursor slots = cursor(emit, first, mlirBlockGetFirstOperation(first), location, args);
  value_list values = {0};
  PA_TRY(load_parameters(&slots, &values));
  for (size_t i = values.count; i-- > 0;) {
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(first, (intptr_t)i + 2), values.items[i]);
    mlirBlockEraseArgument(first, (unsigned)i + 2);
  }
  for (MlirBlock block = first; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation terminator = mlirBlockGetTerminator(block);
    if (mlirIdentifierEqual(mlirOperationGetName(terminator), emit->return_name))
      PA_TRY(rewrite_return(emit, terminator, results));
  }
  mlirOperationDestroy(function);
  return PA_OK;
}

static pa_status call_from_entry(emitter *emit, MlirOperation function, MlirOperation entry) {
  MlirLocation location = mlirOperationGetLocation(function);
  MlirBlock block = mlirBlockCreate(2, (MlirType[]){emit->ptr, emit->ptr}, (MlirLocation[]){location, location});
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(entry, 0), block);
  const MlirOperation end = {NULL};
  slot_cursor slots = cursor(emit, block, end, location, mlirBlockGetArgument(block, 0));
  value_list values = {0};
  PA_TRY(load_parameters(&slots, &values));
  int32_t segments[] = {(int32_t)values.count, 0};
  MlirStringRef callee = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  MlirValue returned = pa_value(&slots.builder, "llvm.call", PA_OPERAND_ARRAY(values.items, (intptr_t)values.count),
                                PA_RESULTS(mlirLLVMFunctionTypeGetReturnType(emit->lowered_type)),
                                PA_ATTRS({"callee", mlirFlatSymbolRefAttrGet(emit->context, callee)},
                                         {"operandSegmentSizes", mlirDenseI32ArrayGet(emit->context, 2, segments)},
                                         {"op_bundle_sizes", mlirDenseI32ArrayGet(emit->context, 0, NULL)}));
  PA_TRY(slots.builder.failure);
  slot_cursor results = cursor(emit, block, end, location, mlirBlockGetArgument(block, 1));
  MlirValue status = store_results(&results, returned);
  pa_op(&results.builder, "llvm.return", PA_OPERANDS(status));
  mlirOperationRemoveAttributeByName(function, pa_ref("pyarray.entry"));
  mlirOperationRemoveAttributeByName(function, pa_ref("pyarray.entry_name"));
  mlirOperationRemoveAttributeByName(function, pa_ref("pyarray.entry_type"));
  return results.builder.failure;
}

typedef struct call_search {
  const emitter *emit;
  MlirAttribute callee;
  bool found;
} call_search;

static MlirWalkResult find_call(MlirOperation op, void *data) {
  call_search *search = data;
  if (!mlirIdentifierEqual(mlirOperationGetName(op), search->emit->call_name)) return MlirWalkResultAdvance;
  if (!mlirAttributeEqual(pa_get_attr(op, "callee"), search->callee)) return MlirWalkResultAdvance;
  search->found = true;
  return MlirWalkResultInterrupt;
}

static bool is_called(const emitter *emit, MlirOperation function) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  call_search search = {emit, mlirFlatSymbolRefAttrGet(emit->context, name), false};
  mlirOperationWalk(emit->module, find_call, &search, MlirWalkPreOrder);
  return search.found;
}

// Of the entry that a marked function becomes.
static const char *name_of_entry(const emitter *emit, MlirOperation function) {
  const char *name = pa_attr_text(emit->arena, pa_get_attr(function, "pyarray.entry_name"));
  return name ? name : entry_name;
}

static pa_status emit_entry(emitter *emit, MlirOperation function) {
  const char *entry_symbol = name_of_entry(emit, function);
  emit->extents = NULL;
  emit->extent_count = emit->extent_capacity = 0;
  MlirAttribute type = pa_get_attr(function, "pyarray.entry_type");
  MlirLocation location = mlirOperationGetLocation(function);
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) || !mlirTypeIsAFunction(mlirTypeAttrGetValue(type)))
    return pa_fail_at(
        PA_CODE_INVALID, location,
        "the entry function has no pyarray.entry_type; run pyarray-lower-raises before the conversion to llvm");
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0))))
    return pa_fail_at(PA_CODE_INVALID, location, "the entry function is a declaration; give it a body");
  emit->entry_type = mlirTypeAttrGetValue(type);
  emit->lowered_type = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  pa_builder builder = {
      .context = emit->context, .block = pa_module_body(emit->module), .before = function, .location = location};
  MlirOperation entry = declare_entry(emit, &builder, entry_symbol);
  MlirAttribute name = pa_get_attr(function, "pyarray.qualname"); // for debug information
  PA_TRY(builder.failure);
  bool called =
      is_called(emit, function) || pa_has_attr(function, "pyarray.generator"); // a coroutine's frame is its own
  PA_TRY(called ? call_from_entry(emit, function, entry) : take_over(emit, function, entry));
  if (!mlirAttributeIsNull(name)) pa_set_attr(entry, "pyarray.qualname", name);
  if (strcmp(entry_symbol, entry_name) != 0) pa_set_attr(entry, "pyarray.by_name", pa_unit_attr(emit->context));
  MlirAttribute extents = mlirDenseI32ArrayGet(emit->context, (intptr_t)emit->extent_count, emit->extents);
  if (emit->extent_count) pa_set_attr(entry, "pyarray.extents", extents);
  return PA_OK;
}

//===-- What is known of functions ----------------------------------------------------------------===//

// What a declared function does to memory that compiled code sees.
typedef enum effect {
  EFFECT_ANY,
  EFFECT_HIDDEN, // only to memory of the runtime's own
  EFFECT_READ,   // it is read
  EFFECT_NONE,   // a function of its arguments
} effect;

typedef struct known_function {
  const char *prefix; // of the name
  effect effect;
} known_function;

// The first row that fits. Functions that give back addresses of memory, allocate or free stay EFFECT_ANY.
static const known_function known_functions[] = {
    {"pyarray_rt_raise_many", EFFECT_ANY}, // these read their values
    {"pyarray_rt_raise_objects", EFFECT_ANY},
    {"pyarray_rt_raise", EFFECT_HIDDEN},
    {"pyarray_rt_propagate", EFFECT_HIDDEN},
    {"pyarray_rt_leave", EFFECT_HIDDEN},
    {"pyarray_rt_retain", EFFECT_HIDDEN},
    {"pyarray_rt_stack_limit", EFFECT_HIDDEN},
    {"pyarray_rt_checked_multiply", EFFECT_NONE},
    {"pyarray_rt_ipow_", EFFECT_NONE},
    {"pyarray_rt_float_", EFFECT_NONE},
    {"pyarray_rt_set_has", EFFECT_READ},
    {"pyarray_rt_gcd", EFFECT_NONE},
    {"pyarray_rt_lcm", EFFECT_NONE},
    {"pyarray_rt_isqrt", EFFECT_NONE},
    {"pyarray_rt_comb", EFFECT_NONE},
    {"pyarray_rt_perm", EFFECT_NONE},
    {"pyarray_rt_factorial", EFFECT_NONE},
    {"pyarray_rt_round_digits_", EFFECT_NONE},
};

static effect effect_of(MlirStringRef name) {
  for (size_t i = 0; i < sizeof known_functions / sizeof *known_functions; i++) {
    size_t length = strlen(known_functions[i].prefix);
    if (name.length >= length && memcmp(name.data, known_functions[i].prefix, length) == 0)
      return known_functions[i].effect;
  }
  return EFFECT_ANY;
}

static const char *effect_text(effect effect) {
  if (effect == EFFECT_READ)
    return "#llvm.memory_effects<other = read, argMem = read, inaccessibleMem = none, errnoMem = none, "
           "targetMem0 = none, targetMem1 = none>";
  if (effect == EFFECT_NONE)
    return "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, "
           "targetMem0 = none, targetMem1 = none>";
  return "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite, errnoMem = none, "
         "targetMem0 = none, targetMem1 = none>";
}

// Upstream's lowering of memref.alloc declares these: like malloc, they give back memory that nothing else reaches.
static bool is_allocator(MlirStringRef name) {
  return pa_ref_equal(name, "_mlir_memref_to_llvm_alloc") || pa_ref_equal(name, "_mlir_memref_to_llvm_aligned_alloc");
}

static void describe_declaration(const emitter *emit, MlirOperation function) {
  MlirAttribute unit = pa_unit_attr(emit->context);
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  pa_set_attr(function, "no_unwind", unit);
  if (pa_has_attr(function, "pyarray.noreturn")) {
    MlirAttribute cold = pa_string_attr(emit->context, "cold");
    pa_set_attr(function, "passthrough", mlirArrayAttrGet(emit->context, 1, &cold));
    mlirOperationRemoveAttributeByName(function, pa_ref("pyarray.noreturn"));
  }
  if (is_allocator(name)) {
    MlirNamedAttribute noalias = mlirNamedAttributeGet(mlirIdentifierGet(emit->context, pa_ref("llvm.noalias")), unit);
    MlirAttribute result = mlirDictionaryAttrGet(emit->context, 1, &noalias);
    pa_set_attr(function, "res_attrs", mlirArrayAttrGet(emit->context, 1, &result));
  }
  effect effect = effect_of(name);
  if (effect == EFFECT_ANY) return;
  pa_set_attr(function, "memory_effects", mlirAttributeParseGet(emit->context, pa_ref(effect_text(effect))));
  pa_set_attr(function, "will_return", unit);
}

static void describe_function(const emitter *emit, MlirOperation function) {
  if (mlirBlockIsNull(pa_body(function, 0))) {
    describe_declaration(emit, function);
    return;
  }
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  // The pass has run before; the functions of pyarray-wrap-cfunc, -wrap-export and -gpu-to-cpu are called from outside
  // as well.
  if (pa_ref_equal(name, entry_name) || pa_ref_equal(name, "pyarray_cfunc") || pa_has_attr(function, "pyarray.block") ||
      pa_has_attr(function, "pyarray.by_name"))
    return;
  if (pa_has_attr(function, "pyarray.precompiled"))
    return (void)pa_set_attr(function, "no_unwind", pa_unit_attr(emit->context));
  pa_set_attr(function, "linkage", mlirLLVMLinkageAttrGet(emit->context, MlirLLVMLinkageInternal));
  pa_set_attr(function, "no_unwind", pa_unit_attr(emit->context));
}

//===-- The pass ----------------------------------------------------------------------------------===//

static emitter make_emitter(pa_pass_context *context, MlirOperation module) {
  MlirContext ctx = context->context;
  return (emitter){.arena = context->arena,
                   .context = ctx,
                   .module = module,
                   .ptr = mlirLLVMPointerTypeGet(ctx, 0),
                   .i8 = mlirIntegerTypeGet(ctx, 8),
                   .i32 = mlirIntegerTypeGet(ctx, 32),
                   .i64 = mlirIntegerTypeGet(ctx, 64),
                   .call_name = mlirIdentifierGet(ctx, pa_ref("llvm.call")),
                   .return_name = mlirIdentifierGet(ctx, pa_ref("llvm.return"))};
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  emitter emit = make_emitter(context, module);
  MlirIdentifier function_name = mlirIdentifierGet(context->context, pa_ref("llvm.func"));
  MlirOperation *marked = NULL;
  size_t count = 0, capacity = 0;
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (!mlirIdentifierEqual(mlirOperationGetName(op), function_name)) continue;
    describe_function(&emit, op);
    if (!pa_has_attr(op, "pyarray.entry")) continue;
    for (size_t i = 0; i < count; ++i)
      if (strcmp(name_of_entry(&emit, marked[i]), name_of_entry(&emit, op)) == 0)
        return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "a second function is marked pyarray.entry");
    marked = pa_arena_grow(context->arena, marked, count, &capacity, sizeof *marked);
    marked[count++] = op;
  }
  for (size_t i = 0; i < count; ++i) PA_TRY(emit_entry(&emit, marked[i]));
  return PA_OK;
}

const pa_pass pa_pass_emit_entry = {
    .argument = "pyarray-emit-entry",
    .summary = "Add the function that is called from outside, and make all others internal",
    .dependent_dialects = (const char *const[]){"llvm", NULL},
    .run = run,
};
