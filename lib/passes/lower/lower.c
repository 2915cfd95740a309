// pyarray-lower: from whole operations of pyarray to scf, memref, arith, math and complex.
//
// In:  level 3 (docs/internals.md), or level 2 of functions without arrays:
//
//   func.func @f$0(%a: !pyarray.array<?xf64, C>, %i: si64) -> f64 {
//     %0 = pyarray.getitem %a[%i] : (!pyarray.array<?xf64, C>, si64) -> f64
//     return %0 : f64
//   }
//
// Out: level 4. Arrays are a memref and an owner, tuples their elements, and every function returns a status first:
//
//   func.func @f$0(%a: memref<?xf64, strided<[1], offset: ?>>, %owner: i64, %i: i64) -> (i32, f64) {
//     scf.if %bad { func.call @pyarray_rt_raise_values(%site, %i, %n, %axis) : (i32, i64, i64, i64) -> () }
//     %0 = memref.load %a[%k] : memref<?xf64, strided<[1], offset: ?>>
//     return %c0_i32, %0 : i32, f64
//   }
//
// The facts of raises are in the module attribute pyarray.sites.
#include <string.h>

#include "lower_arrays.h"
#include "lower_calls.h"
#include "lower_containers.h"
#include "lower_flow.h"
#include "lower_items.h"
#include "lower_numbers.h"
#include "lower_objects.h"
#include "lower_values.h"
#include "lower_whole_arrays.h"
#include "pass.h"

//===-- Tuples ------------------------------------------------------------------------------------===//

static void lower_nothing(pa_lowering *lower, MlirOperation op) { pa_set(lower, pa_result(op), NULL, 0); }

static void lower_tuple(pa_lowering *lower, MlirOperation op) {
  int count;
  MlirValue *values = pa_flatten_operands(lower, op, 0, &count);
  pa_set(lower, pa_result(op), values, count);
}

//===-- Control flow ------------------------------------------------------------------------------===//

static pa_types flat_argument_types(pa_lowering *lower, MlirBlock block) {
  pa_types types = {0};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    pa_flatten(lower, mlirValueGetType(mlirBlockGetArgument(block, i)), &types);
  return types;
}

// The region that |block| becomes: its arguments flattened and acquired, its terminator's operands flattened.
static MlirRegion lower_region(pa_lowering *lower, MlirBlock block, const char *terminator) {
  if (mlirBlockIsNull(block)) return mlirRegionCreate();
  pa_moved_value *moved = lower->moved_values;
  pa_types types = flat_argument_types(lower, block);
  pa_scope scope = pa_open(lower, types.items, (intptr_t)types.count);
  MlirValue *arguments = PA_NEW_ARRAY(lower->arena, MlirValue, types.count + 1);
  for (size_t i = 0; i < types.count; ++i) arguments[i] = mlirBlockGetArgument(scope.block, (intptr_t)i);
  const MlirValue *at = arguments;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    pa_set_flat(lower, mlirBlockGetArgument(block, i), &at);
  pa_lower_block(lower, block);
  int count;
  MlirValue *values = pa_flatten_operands(lower, mlirBlockGetTerminator(block), 0, &count);
  MlirRegion region = pa_close(lower, scope, terminator, values, count);
  for (; lower->moved_values != moved; lower->moved_values = lower->moved_values->before)
    pa_set(lower, lower->moved_values->value, lower->moved_values->values.items, lower->moved_values->values.count);
  return region;
}

static void lower_if(pa_lowering *lower, MlirOperation op) {
  MlirValue condition = pa_get1(lower, pa_operand(op, 0));
  // Of a hoisted check: a variable that is unbound here is undefined, and the loop says so itself.
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.freeze"))) condition = pa_unary(lower, "llvm.freeze", condition);
  pa_types types = pa_flat_result_types(lower, op);
  MlirRegion then = lower_region(lower, pa_body(op, 0), PA_OP_NAME(SCF_YIELD));
  MlirRegion otherwise = lower_region(lower, pa_body(op, 1), PA_OP_NAME(SCF_YIELD));
  pa_set_results(lower, op, pa_emit_if(lower, condition, then, otherwise, types.items, (intptr_t)types.count));
}

static void lower_while(pa_lowering *lower, MlirOperation op) {
  int count;
  MlirValue *inits = pa_flatten_operands(lower, op, 0, &count);
  pa_types types = pa_flat_result_types(lower, op);
  MlirRegion before = lower_region(lower, pa_body(op, 0), PA_OP_NAME(SCF_CONDITION));
  MlirRegion after = lower_region(lower, pa_body(op, 1), PA_OP_NAME(SCF_YIELD));
  pa_set_results(lower, op,
                 pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(inits, count),
                       PA_RESULT_ARRAY(types.items, (intptr_t)types.count), PA_REGIONS(before, after),
                       PA_ATTRS({"loop_annotation", pa_loop_annotation(lower, op)})));
}

static void lower_call(pa_lowering *lower, MlirOperation op) {
  int count;
  MlirValue *arguments = pa_flatten_operands(lower, op, 0, &count);
  pa_types types = pa_flat_result_types(lower, op);
  MlirType *results = PA_NEW_ARRAY(lower->arena, MlirType, types.count + 1);
  results[0] = lower->i32;
  if (types.count) memcpy(results + 1, types.items, types.count * sizeof *results);
  MlirAttribute callee = pa_get_attr(op, "callee");
  if (pa_passes_stack_limit(lower, callee)) {
    arguments[count++] = lower->stack_limit; // pa_flatten_operands leaves room
    callee = pa_guarded_symbol(lower, callee);
  }
  MlirOperation call = pa_op(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(arguments, count),
                             PA_RESULT_ARRAY(results, (intptr_t)types.count + 1), PA_ATTRS({"callee", callee}));
  if (mlirOperationIsNull(call)) return;
  MlirValue failed = pa_compare_int(lower, PA_NE, mlirOperationGetResult(call, 0), pa_int(lower, lower->i32, 0));
  pa_propagate_if(lower, failed);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, types.count + 1);
  for (size_t i = 0; i < types.count; ++i) values[i] = mlirOperationGetResult(call, (intptr_t)i + 1);
  const MlirValue *at = values;
  pa_set_flat(lower, pa_result(op), &at);
}

//===-- Dispatch ----------------------------------------------------------------------------------===//

static void (*const handlers[PA_OP_KIND_COUNT])(pa_lowering *lower, MlirOperation op) = {
    [PA_OP_OTHER] = pa_lower_foreign,
    [PA_OP_CONSTANT] = pa_lower_constant,
    [PA_OP_CALLABLE] = lower_nothing,
    [PA_OP_FROZEN_ARRAY] = pa_lower_frozen_array,
    [PA_OP_FROZEN] = pa_lower_frozen,
    [PA_OP_UNBOUND] = pa_lower_unbound,
    [PA_OP_CAST] = pa_lower_cast,
    [PA_OP_BINARY] = pa_lower_binary,
    [PA_OP_UNARY] = pa_lower_unary,
    [PA_OP_COMPARE] = pa_lower_compare,
    [PA_OP_TRUTH] = pa_lower_truth,
    [PA_OP_TUPLE] = lower_tuple,
    [PA_OP_UNPACK] = pa_lower_unpack,
    [PA_OP_SLICE] = pa_lower_slice,
    [PA_OP_LIST] = pa_lower_list,
    [PA_OP_DICT] = pa_lower_dict,
    [PA_OP_SET] = pa_lower_dict,
    [PA_OP_DELITEM] = pa_lower_delitem,
    [PA_OP_GETITEM] = pa_lower_getitem,
    [PA_OP_SETITEM] = pa_lower_setitem,
    [PA_OP_GETATTR] = pa_lower_getattr,
    [PA_OP_GETFIELD] = pa_lower_getfield,
    [PA_OP_FIELD] = pa_lower_field,
    [PA_OP_SETATTR] = pa_lower_setattr,
    [PA_OP_NEW] = pa_lower_new,
    [PA_OP_CALL] = lower_call,
    [PA_OP_BUILTIN] = pa_lower_builtin,
    [PA_OP_FOR] = pa_lower_for,
    [PA_OP_UFUNC] = pa_lower_ufunc,
    [PA_OP_CONTRACT] = pa_lower_contract,
    [PA_OP_LAUNCH] = pa_lower_launch,
    [PA_OP_REDUCE] = pa_lower_reduce,
    [PA_OP_UFUNC_SHAPE] = pa_lower_ufunc_shape,
    [PA_OP_BROADCAST_TO] = pa_lower_broadcast_to,
    [PA_OP_INSERT_AXES] = pa_lower_insert_axes,
    [PA_OP_TRANSPOSE] = pa_lower_transpose,
    [PA_OP_ORDER_DIMENSIONS] = pa_lower_order_dimensions,
    [PA_OP_INDEPENDENT] = pa_lower_independent,
    [PA_OP_ROWS_APART] = pa_lower_rows_apart,
    [PA_OP_INNER_STRIDES] = pa_lower_inner_strides,
    [PA_OP_PRIVATE] = pa_lower_private,
    [PA_OP_ITER_LENGTH] = pa_lower_iter_length,
    [PA_OP_ITER_ITEM] = pa_lower_iter_item,
    [PA_OP_ITER_NEXT] = pa_lower_iter_next,
    [PA_OP_SUSPEND] = pa_lower_suspend,
    [PA_OP_BREAKABLE] = pa_lower_breakable,
    [PA_OP_BREAK] = pa_lower_break,
    [PA_OP_TRY] = pa_lower_try,
    [PA_OP_CAUGHT] = pa_lower_caught,
    [PA_OP_EXCEPTION] = pa_lower_exception,
    [PA_OP_RERAISE] = pa_lower_reraise,
    [PA_OP_RAISE] = pa_lower_raise,
    [PA_OP_CAUSE] = pa_lower_cause,
    [PA_OP_VARIABLE] = pa_lower_variable,
    [PA_OP_LOAD] = pa_lower_load,
    [PA_OP_STORE] = pa_lower_store,
    [PA_OP_RETAIN] = pa_lower_retain,
    [PA_OP_RELEASE] = pa_lower_release,
    [PA_OP_SCF_IF] = lower_if,
    [PA_OP_SCF_WHILE] = lower_while,
};

static MlirAttribute fastmath_of(pa_lowering *lower, const char *flags) {
  if (!flags) return mlirAttributeGetNull();
  return mlirAttributeParseGet(lower->context, pa_ref(pa_arena_format(lower->arena, "#arith.fastmath<%s>", flags)));
}

// The options of a function, or of an operation that was inlined from one with others.
static void set_options(pa_lowering *lower, MlirOperation op) {
  lower->boundscheck = pa_option_bool(op, "pyarray.options", "boundscheck", true);
  lower->python_errors = !pa_option_is(op, "pyarray.options", "error_model", "numpy");
  lower->strict_errors = pa_option_is(op, "pyarray.options", "error_model", "strict");
  lower->is_fast = pa_option_bool(op, "pyarray.options", "fastmath", false);
  lower->fastmath =
      fastmath_of(lower, lower->is_fast ? "fast" : pa_option_text(op, "pyarray.options", "fastmath", lower->arena));
}

// Fails where |op| makes what a GPU has no memory for. Literals of text are known, and need none.
static bool is_possible_on_device(pa_lowering *lower, MlirOperation op) {
  pa_op_kind kind = pa_kind(&lower->names, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    const char *missing = pa_missing_on_device(type);
    if (!missing || (pa_is_text(type) && kind != PA_OP_BUILTIN && kind != PA_OP_BINARY)) continue;
    return pa_lower_fail(lower, "%s", missing), false;
  }
  return true;
}

static void lower_operation(pa_lowering *lower, MlirOperation op) {
  if (lower->device && !is_possible_on_device(lower, op)) return;
  void (*handler)(pa_lowering *, MlirOperation) = handlers[pa_kind(&lower->names, op)];
  (handler ? handler : pa_lower_foreign)(lower, op);
}

static void lower_with_own_options(pa_lowering *lower, MlirOperation op) {
  bool boundscheck = lower->boundscheck, python_errors = lower->python_errors, strict_errors = lower->strict_errors;
  bool is_fast = lower->is_fast;
  MlirAttribute fastmath = lower->fastmath;
  set_options(lower, op);
  lower_operation(lower, op);
  lower->boundscheck = boundscheck;
  lower->python_errors = python_errors;
  lower->strict_errors = strict_errors;
  lower->is_fast = is_fast;
  lower->fastmath = fastmath;
}

static void lower_block(pa_lowering *lower, MlirBlock block) {
  MlirOperation terminator = mlirBlockGetTerminator(block);
  PA_FOR_EACH_OP(op, block) {
    if (pa_failed(&lower->builder) || mlirOperationEqual(op, terminator)) break;
    MlirLocation outer = lower->builder.location;
    lower->builder.location = mlirOperationGetLocation(op);
    bool has_options = !mlirAttributeIsNull(pa_get_attr(op, "pyarray.options")), offload = lower->offload;
    lower->offload = offload && mlirAttributeIsNull(pa_get_attr(op, "pyarray.on_host"));
    (has_options ? lower_with_own_options : lower_operation)(lower, op);
    lower->offload = offload;
    lower->builder.location = outer;
  }
  if (!mlirOperationIsNull(terminator)) lower->builder.location = mlirOperationGetLocation(terminator);
}

//===-- Functions ---------------------------------------------------------------------------------===//

static void start_function(pa_lowering *lower, MlirOperation function) {
  lower->shown = lower->values = lower->slots = lower->tables = lower->constants = lower->moved = (pa_map){0};
  lower->last_entry = (MlirOperation){NULL};
  lower->fold_buffer_count = 0;
  lower->moved_values = NULL;
  lower->try = NULL;
  lower->handlers = 0;
  lower->complex_result = lower->stack_limit = (MlirValue){NULL};
  lower->device = pa_is_device_function(function);
  lower->offload = pa_option_bool(function, "pyarray.options", "offload", false);
  lower->parallel = pa_option_bool(function, "pyarray.options", "parallel", false);
  set_options(lower, function);
  lower->function_name = pa_traceback_name(lower, function);
  lower->no_frame = !mlirAttributeIsNull(pa_get_attr(function, "pyarray.no_frame"));
  lower->builder.location = mlirOperationGetLocation(function);
  lower->builder.before = (MlirOperation){NULL};
}

static MlirType lowered_function_type(pa_lowering *lower, const pa_types *inputs, MlirType type) {
  pa_types results = {0};
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    pa_flatten(lower, mlirFunctionTypeGetResult(type, i), &results);
  MlirType *all = PA_NEW_ARRAY(lower->arena, MlirType, results.count + 1);
  all[0] = lower->i32;
  if (results.count) memcpy(all + 1, results.items, results.count * sizeof *all);
  return mlirFunctionTypeGet(lower->context, (intptr_t)inputs->count, inputs->items, (intptr_t)results.count + 1, all);
}

// Attributes that later passes read; what names types of pyarray stays behind.
static const char *const
    kept_attributes[] = {"sym_visibility",      "pyarray.options",   "pyarray.qualname",   "pyarray.cfunc",
                         "pyarray.kernel",      "pyarray.numbers",   "pyarray.straight",   "pyarray.registers",
                         "pyarray.export_name", "pyarray.generator", "pyarray.entry_name", "pyarray.memory_site",
                         "pyarray.precompiled", "pyarray.entry"}; // the last: not of a guarded function

static void make_function(pa_lowering *lower, MlirOperation old, MlirAttribute symbol, MlirType type, MlirRegion body) {
  enum { KEPT = sizeof kept_attributes / sizeof *kept_attributes };
  MlirAttribute name = mlirStringAttrGet(lower->context, mlirFlatSymbolRefAttrGetValue(symbol));
  pa_attr attributes[KEPT + 2] = {{"sym_name", name}, {"function_type", mlirTypeAttrGet(type)}};
  for (int i = 0; i < KEPT; ++i)
    attributes[i + 2] = (pa_attr){kept_attributes[i], pa_get_attr(old, kept_attributes[i])};
  pa_builder builder = lower->builder;
  builder.location = mlirOperationGetLocation(old);
  builder.block = pa_module_body(lower->module);
  builder.before = old;
  bool guarded = !mlirAttributeEqual(name, pa_get_attr(old, "sym_name"));
  pa_op(&builder, PA_OP_NAME(FUNC), .attrs = attributes, .attr_count = KEPT + 2 - guarded, PA_REGIONS(body));
  lower->builder.failure = builder.failure;
}

static void lower_return(pa_lowering *lower, MlirOperation terminator, pa_scope scope, bool generator) {
  int count = 1;
  lower->builder.location = mlirOperationGetLocation(terminator);
  MlirValue nothing = pa_int(lower, lower->i64, 0),
            *results = generator ? &nothing : pa_flatten_operands(lower, terminator, 0, &count);
  MlirValue *all = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  all[0] = pa_int(lower, lower->i32, 0);
  if (count) memcpy(all + 1, results, (size_t)count * sizeof *all);
  pa_close(lower, scope, PA_OP_NAME(RETURN), all, count + 1);
}

// The body's arguments in |block|: borrowed, no owner slots.
static void set_arguments(pa_lowering *lower, MlirBlock body, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  MlirValue *arguments = PA_NEW_ARRAY(lower->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) arguments[i] = mlirBlockGetArgument(block, i);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    int flat = pa_flat_count(lower, mlirValueGetType(argument));
    pa_set(lower, argument, arguments, flat);
    arguments += flat;
  }
}

static pa_status lower_declaration(pa_lowering *lower, MlirOperation old) {
  MlirType written = mlirTypeAttrGetValue(pa_get_attr(old, "function_type"));
  pa_types inputs = {0};
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(written); ++i)
    pa_flatten(lower, mlirFunctionTypeGetInput(written, i), &inputs);
  MlirType type = lowered_function_type(lower, &inputs, written);
  make_function(lower, old, pa_symbol_of(lower, old), type, mlirRegionCreate());
  return lower->builder.failure;
}

static pa_status lower_function(pa_lowering *lower, MlirOperation old) {
  MlirBlock body = pa_body(old, 0);
  if (mlirBlockIsNull(body)) return lower_declaration(lower, old);
  start_function(lower, old);
  MlirType written = mlirTypeAttrGetValue(pa_get_attr(old, "function_type"));
  pa_types inputs = flat_argument_types(lower, body);
  MlirType type = lowered_function_type(lower, &inputs, written);
  PA_TRY(lower->builder.failure);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(body)))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(old), "a function at this level has one block");
  MlirAttribute symbol = pa_symbol_of(lower, old);
  bool recursive = pa_is_recursive(lower, symbol);
  if (recursive) {
    make_function(lower, old, symbol, type, pa_call_guarded(lower, symbol, &inputs, type));
    pa_flatten(lower, lower->i64, &inputs);
    type = lowered_function_type(lower, &inputs, written);
    symbol = pa_guarded_symbol(lower, symbol);
  }
  pa_scope scope = pa_open(lower, inputs.items, (intptr_t)inputs.count);
  lower->entry = scope.block;
  set_arguments(lower, body, scope.block);
  bool generator = !mlirAttributeIsNull(pa_get_attr(old, "pyarray.generator"));
  if (generator) pa_open_generator(lower, body, old);
  if (recursive) pa_guard_stack(lower, mlirBlockGetArgument(scope.block, (intptr_t)inputs.count - 1));
  if (generator)
    pa_lower_generator(lower, body);
  else
    pa_lower_block(lower, body);
  lower_return(lower, mlirBlockGetTerminator(body), scope, generator);
  if (pa_failed(&lower->builder))
    mlirRegionDestroy(scope.region);
  else
    make_function(lower, old, symbol, type, scope.region);
  return lower->builder.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static bool is_of_dialect(MlirOperation op, const char *dialect) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  size_t length = strlen(dialect);
  return name.length > length && memcmp(name.data, dialect, length) == 0 && name.data[length] == '.';
}

// Types of level 3 that no value of level 4 has.
static bool is_typed(MlirType type) {
  if (mlirTypeIsATuple(type) || (mlirTypeIsAInteger(type) && !mlirIntegerTypeIsSignless(type))) return true;
  return mlirStringRefEqual(mlirDialectGetNamespace(mlirTypeGetDialect(type)), pa_ref("pyarray"));
}

// |*out_other|: there are operations of dialects that level 4 alone has.
static bool holds_typed(MlirRegion region, bool *out_other) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
      if (is_typed(mlirValueGetType(mlirBlockGetArgument(block, i)))) return true;
    PA_FOR_EACH_OP(op, block) {
      if (is_of_dialect(op, "pyarray")) return true;
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
        if (is_typed(mlirValueGetType(mlirOperationGetResult(op, i)))) return true;
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
        if (holds_typed(mlirOperationGetRegion(op, r), out_other)) return true;
      *out_other = *out_other || (!is_of_dialect(op, "scf") && !is_of_dialect(op, "func"));
    }
  }
  return false;
}

// Level 4 already: a status comes first, and no typed function has a signless i32. What the compiler makes of functions
// at that level, such as the one that tells which exception was raised, may have no status.
static bool is_lowered(const pa_lowering *lower, MlirOperation function) {
  if (!mlirAttributeIsNull(pa_get_attr(function, "pyarray.intrinsic"))) return true;
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  if (mlirFunctionTypeGetNumResults(type) && mlirTypeEqual(mlirFunctionTypeGetResult(type, 0), lower->i32)) return true;
  bool other = false;
  return !holds_typed(mlirOperationGetRegion(function, 0), &other) && other;
}

static pa_op_list collect_functions(pa_lowering *lower) {
  pa_op_list functions = {.arena = lower->arena};
  PA_FOR_EACH_OP(op, pa_module_body(lower->module)) {
    if (pa_kind(&lower->names, op) != PA_OP_FUNC || is_lowered(lower, op)) continue;
    if (mlirBlockIsNull(pa_body(op, 0)) && !pa_has_attr(op, "pyarray.precompiled")) continue;
    pa_op_list_add(&functions, op);
  }
  return functions;
}

// Sites of an earlier run keep their numbers.
static void read_sites(pa_lowering *lower) {
  MlirAttribute sites = pa_get_attr(lower->module, "pyarray.sites"),
                first = pa_get_attr(lower->module, "pyarray.first_site");
  lower->first_site = mlirAttributeIsNull(first) ? 0 : mlirIntegerAttrGetValueInt(first);
  if (mlirAttributeIsNull(sites) || !mlirAttributeIsAArray(sites)) return;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(sites); ++i) {
    MlirAttribute site = mlirArrayAttrGetElement(sites, i);
    lower->site_list =
        pa_arena_grow(lower->arena, lower->site_list, lower->site_count, &lower->site_capacity, sizeof site);
    lower->site_list[lower->site_count++] = site;
    pa_map_put(lower->arena, &lower->sites, site.ptr, (void *)lower->site_count);
  }
}

static void write_sites(pa_lowering *lower) {
  if (lower->site_count)
    pa_set_attr(lower->module, "pyarray.sites",
                mlirArrayAttrGet(lower->context, (intptr_t)lower->site_count, lower->site_list));
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirContext ctx = context->context;
  pa_lowering lower = {.lower_block = lower_block,
                       .arena = context->arena,
                       .context = ctx,
                       .module = module,
                       .builder = {.context = ctx, .location = mlirOperationGetLocation(module)},
                       .i1 = mlirIntegerTypeGet(ctx, 1),
                       .i8 = mlirIntegerTypeGet(ctx, 8),
                       .i32 = mlirIntegerTypeGet(ctx, 32),
                       .i64 = mlirIntegerTypeGet(ctx, 64),
                       .f32 = mlirF32TypeGet(ctx),
                       .f64 = mlirF64TypeGet(ctx),
                       .index = mlirIndexTypeGet(ctx)};
  lower.caught.arena = context->arena;
  pa_names_init(&lower.names, ctx);
  read_sites(&lower);
  pa_op_list functions = collect_functions(&lower);
  pa_find_recursive(&lower, functions.items, functions.count);
  for (size_t i = 0; i < functions.count; ++i) {
    PA_TRY(lower_function(&lower, functions.items[i]));
    mlirOperationDestroy(functions.items[i]);
  }
  pa_define_caught(&lower);
  write_sites(&lower);
  PA_FOR_EACH_OP(op, pa_module_body(module)) // their types of level 2 have served
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.intrinsic")))
    pa_set_attr(op, "pyarray.intrinsic", pa_unit_attr(ctx));
  return lower.builder.failure;
}

const pa_pass pa_pass_lower = {
    .argument = "pyarray-lower",
    .summary = "Lower typed functions to scf, memref, arith, math and complex",
    .dependent_dialects = (const char *const[]){"arith", "bufferization", "complex", "func", "gpu", "linalg", "llvm",
                                                "math", "memref", "scf", "tensor", "ub", NULL},
    .run = run,
};
