// Of pyarray-lower: try, what its handlers ask, raising anew, and variables in stack memory.
//
//   %failed = func.call @pyarray_try() {pyarray.try = 3 : i64} : () -> i1       // pyarray-lower-raises takes it out
//   %r = scf.if %failed {
//     func.call @pyarray_rt_catch()
//     %site = func.call @pyarray_rt_caught_site()
//     %is = func.call @pyarray_caught0(%site)                                      // a table lookup, for
//     ["ValueError"]
//     ...
//     func.call @pyarray_rt_uncatch(%one)
//   } else { body, whose calls that do not return have pyarray.try = 3 }
#include <string.h>

#include "ir/exceptions.h"
#include "lower_internal.h"

//===-- Ways out ----------------------------------------------------------------------------------===//

int pa_call_depth(MlirLocation location) {
  int depth = 0;
  for (; mlirLocationIsACallSite(location); location = mlirLocationCallSiteGetCaller(location)) ++depth;
  return depth;
}

const pa_try_scope *pa_catching(const pa_lowering *lower) {
  const pa_try_scope *scope = lower->try;
  while (scope && scope->breakable) scope = scope->outer;
  return scope;
}

pa_way_out pa_leave(pa_lowering *lower) {
  pa_way_out way = {{NULL}, {NULL}};
  const pa_try_scope *scope = pa_catching(lower);
  int handlers = lower->handlers - (scope ? scope->handlers : 0);
  if (scope && scope->number >= 0) way.try = pa_i64_attr(lower->context, scope->number);
  if (handlers) way.handlers = pa_i64_attr(lower->context, handlers);
  return way;
}

void pa_thread_begin(pa_lowering *lower, pa_thread_scope *scope) {
  int depth = pa_catching(lower) ? pa_catching(lower)->depth : 0;
  *scope = (pa_thread_scope){{.outer = lower->try, .number = -1, .depth = depth}, lower->try, lower->handlers};
  lower->try = &scope->scope;
  lower->handlers = 0;
}

void pa_thread_end(pa_lowering *lower, const pa_thread_scope *scope) {
  lower->try = scope->outer;
  lower->handlers = scope->handlers;
}

//===-- try ---------------------------------------------------------------------------------------===//

static MlirValue enter_try(pa_lowering *lower, const pa_try_scope *scope) {
  const char *name = "pyarray_try";
  pa_declare(lower, name, mlirFunctionTypeGet(lower->context, 0, NULL, 1, &lower->i1), NULL, 0);
  bool nested = scope->outer && scope->outer->number >= 0;
  return pa_value(&lower->builder, "func.call", PA_RESULTS(lower->i1),
                  PA_ATTRS({"callee", pa_symbol_attr(lower->context, name)},
                           {"pyarray.try", pa_i64_attr(lower->context, scope->number)},
                           {"pyarray.parent",
                            nested ? pa_i64_attr(lower->context, scope->outer->number) : mlirAttributeGetNull()}));
}

static MlirRegion close_region(pa_lowering *lower, pa_scope scope, MlirBlock block) {
  int count;
  MlirValue *values = pa_flatten_operands(lower, mlirBlockGetTerminator(block), 0, &count);
  return pa_close(lower, scope, "scf.yield", values, count);
}

static MlirRegion lower_body(pa_lowering *lower, MlirBlock block, const pa_try_scope *scope) {
  pa_scope region = pa_open(lower, NULL, 0);
  lower->try = scope;
  pa_lower_block(lower, block);
  lower->try = scope->outer;
  return close_region(lower, region, block);
}

static MlirRegion lower_handler(pa_lowering *lower, MlirBlock block) {
  pa_scope region = pa_open(lower, NULL, 0);
  const struct pa_plain_raises *outer = lower->plain;
  ++lower->handlers;
  lower->plain = NULL;
  pa_call_runtime(lower, "pyarray_rt_catch", NULL, 0);
  pa_lower_block(lower, block);
  lower->plain = outer;
  --lower->handlers;
  pa_runtime(lower, "pyarray_rt_uncatch", pa_int(lower, lower->i64, 1));
  return close_region(lower, region, block);
}

// For raises that were recorded, and for those that were not.
static MlirRegion lower_handlers(pa_lowering *lower, MlirBlock block, const struct pa_plain_raises *plain,
                                 const pa_types *types) {
  pa_scope region = pa_open(lower, NULL, 0);
  MlirValue is_plain = pa_compare_int(lower, PA_NE, pa_plain_number(lower, plain), pa_int(lower, lower->i64, 0));
  const struct pa_plain_raises *outer = lower->plain;
  pa_scope quiet = pa_open(lower, NULL, 0);
  lower->plain = plain;
  pa_lower_block(lower, block);
  lower->plain = outer;
  MlirRegion regions[] = {close_region(lower, quiet, block), lower_handler(lower, block)};
  MlirOperation chosen = pa_emit_if(lower, is_plain, regions[0], regions[1], types->items, (intptr_t)types->count);
  MlirValue *results = PA_NEW_ARRAY(lower->arena, MlirValue, types->count + 1);
  for (size_t i = 0; i < types->count && !mlirOperationIsNull(chosen); ++i)
    results[i] = mlirOperationGetResult(chosen, (intptr_t)i);
  return pa_close(lower, region, "scf.yield", results, (intptr_t)types->count);
}

void pa_lower_try(pa_lowering *lower, MlirOperation op) {
  pa_try_scope scope = {.outer = lower->try,
                        .number = lower->tries++,
                        .handlers = lower->handlers,
                        .depth = pa_call_depth(mlirOperationGetLocation(op))};
  if (lower->device) return pa_lower_fail(lower, "'try' is not supported on a GPU");
  pa_types types = pa_flat_result_types(lower, op);
  scope.plain = pa_plain_begin(lower, pa_body(op, 1));
  MlirValue failed = enter_try(lower, &scope);
  MlirRegion body = lower_body(lower, pa_body(op, 0), &scope);
  bool any = !mlirValueIsNull(pa_plain_end(lower, scope.plain));
  MlirRegion handler =
      any ? lower_handlers(lower, pa_body(op, 1), scope.plain, &types) : lower_handler(lower, pa_body(op, 1));
  pa_set_results(lower, op, pa_emit_if(lower, failed, handler, body, types.items, (intptr_t)types.count));
}

void pa_lower_guarded(pa_lowering *lower, MlirBlock body, void (*lower_handler)(pa_lowering *lower)) {
  pa_try_scope scope = {.outer = lower->try, .number = lower->tries++, .handlers = lower->handlers};
  MlirValue failed = enter_try(lower, &scope);
  pa_scope region = pa_open(lower, NULL, 0);
  lower->try = &scope;
  pa_lower_block(lower, body);
  lower->try = scope.outer;
  MlirRegion guarded = pa_close(lower, region, "scf.yield", NULL, 0);
  region = pa_open(lower, NULL, 0);
  ++lower->handlers;
  pa_call_runtime(lower, "pyarray_rt_catch", NULL, 0);
  lower_handler(lower);
  --lower->handlers;
  pa_runtime(lower, "pyarray_rt_uncatch", pa_int(lower, lower->i64, 1));
  pa_emit_if(lower, failed, pa_close(lower, region, "scf.yield", NULL, 0), guarded, NULL, 0);
}

// Nothing is recorded; |handlers| of them end.
static void leave_to(pa_lowering *lower, int64_t try, int handlers) {
  pa_attr noreturn = {"pyarray.noreturn", pa_unit_attr(lower->context)};
  pa_declare(lower, "pyarray_rt_leave", mlirFunctionTypeGet(lower->context, 0, NULL, 0, NULL), &noreturn, 1);
  pa_op(&lower->builder, "func.call",
        PA_ATTRS({"callee", pa_symbol_attr(lower->context, "pyarray_rt_leave")},
                 {"pyarray.try", pa_i64_attr(lower->context, try)},
                 {"pyarray.handlers", handlers ? pa_i64_attr(lower->context, handlers) : mlirAttributeGetNull()}));
}

void pa_leave_to(pa_lowering *lower, int64_t try) { leave_to(lower, try, 0); }

// A try whose handler does nothing, and that only pyarray.break reaches.
void pa_lower_breakable(pa_lowering *lower, MlirOperation op) {
  pa_try_scope scope = {.outer = lower->try, .number = lower->tries++, .handlers = lower->handlers, .breakable = true};
  MlirValue left = enter_try(lower, &scope);
  MlirRegion body = lower_body(lower, pa_body(op, 0), &scope);
  pa_scope nothing = pa_open(lower, NULL, 0);
  pa_emit_if(lower, left, pa_close(lower, nothing, "scf.yield", NULL, 0), body, NULL, 0);
}

void pa_lower_break(pa_lowering *lower, MlirOperation op) {
  const pa_try_scope *scope = lower->try;
  while (scope && !scope->breakable) scope = scope->outer;
  if (!scope) return pa_lower_fail(lower, "pyarray.break is outside of any pyarray.breakable");
  (void)op;
  leave_to(lower, scope->number, lower->handlers - scope->handlers);
}

//===-- Classes -----------------------------------------------------------------------------------===//

// Declares the function that tells of a site whether its exception is one of |classes|, once for each set of classes.
static MlirAttribute caught_function(pa_lowering *lower, MlirAttribute classes) {
  for (size_t i = 0; i < lower->caught.count; ++i)
    if (mlirAttributeEqual(pa_get_attr(lower->caught.items[i], "pyarray.classes"), classes))
      return pa_symbol_of(lower, lower->caught.items[i]);
  const char *name;
  int number = (int)lower->caught.count;
  do name = pa_arena_format(lower->arena, "pyarray_caught%d", number++);
  while (!mlirOperationIsNull(pa_lookup(lower->module, pa_ref(name)))); // of functions that were lowered before
  pa_attr attribute = {"pyarray.classes", classes};
  pa_declare(lower, name, mlirFunctionTypeGet(lower->context, 1, &lower->i32, 1, &lower->i1), &attribute, 1);
  MlirOperation function = pa_lookup(lower->module, pa_ref(name));
  if (!mlirOperationIsNull(function)) pa_op_list_add(&lower->caught, function);
  return pa_symbol_attr(lower->context, name);
}

MlirValue pa_is_caught(pa_lowering *lower, MlirAttribute classes) {
  return pa_is_caught_at(lower, pa_call_runtime(lower, "pyarray_rt_caught_site", NULL, 0), classes);
}

MlirValue pa_is_caught_at(pa_lowering *lower, MlirValue site, MlirAttribute classes) {
  MlirAttribute callee = caught_function(lower, classes);
  return pa_value(&lower->builder, "func.call", PA_OPERANDS(site), PA_RESULTS(lower->i1), PA_ATTRS({"callee", callee}));
}

void pa_lower_caught(pa_lowering *lower, MlirOperation op) {
  MlirAttribute classes = pa_get_attr(op, "classes");
  pa_set1(lower, pa_result(op),
          lower->plain ? pa_plain_is_caught(lower, lower->plain, classes) : pa_is_caught(lower, classes));
}

static bool is_one_of(pa_lowering *lower, MlirAttribute site, MlirAttribute classes) {
  const char *name = pa_attr_text(lower->arena, mlirDictionaryAttrGetElementByName(site, pa_ref("exception")));
  return pa_exception_is_any(lower->arena, name, mlirDictionaryAttrGetElementByName(site, pa_ref("bases")), classes);
}

// An elements attribute, a byte for each site.
static MlirAttribute site_table(pa_lowering *lower, MlirAttribute classes) {
  int64_t count = (int64_t)lower->site_count;
  int8_t *bytes = PA_NEW_ARRAY(lower->arena, int8_t, count + 1);
  for (int64_t i = 0; i < count; ++i) bytes[i] = is_one_of(lower, lower->site_list[i], classes);
  return mlirDenseElementsAttrInt8Get(mlirRankedTensorTypeGet(1, &count, lower->i8, mlirAttributeGetNull()), count,
                                      bytes);
}

static void define_caught(pa_lowering *lower, MlirOperation function) {
  int64_t count = (int64_t)lower->site_count;
  MlirType memory = mlirMemRefTypeContiguousGet(lower->i8, 1, &count, mlirAttributeGetNull());
  MlirAttribute classes = pa_get_attr(function, "pyarray.classes");
  const char *table =
      pa_arena_format(lower->arena, "%s.table", pa_attr_text(lower->arena, pa_get_attr(function, "sym_name")));
  pa_builder at = {.context = lower->context,
                   .block = pa_module_body(lower->module),
                   .before = function,
                   .location = mlirOperationGetLocation(function)};
  pa_op(&at, "memref.global",
        PA_ATTRS({"sym_name", pa_text(lower, table)}, {"sym_visibility", pa_text(lower, "private")},
                 {"type", mlirTypeAttrGet(memory)}, {"initial_value", site_table(lower, classes)},
                 {"constant", pa_unit_attr(lower->context)}));
  MlirBlock body;
  MlirRegion region = pa_region(at.location, &lower->i32, 1, &body);
  pa_builder in = {.context = lower->context, .block = body, .location = at.location, .failure = at.failure};
  MlirValue site = mlirBlockGetArgument(body, 0);
  MlirValue bytes =
      pa_value(&in, "memref.get_global", PA_RESULTS(memory), PA_ATTRS({"name", pa_symbol_attr(lower->context, table)}));
  MlirValue index = pa_value(&in, "arith.index_cast", PA_OPERANDS(site), PA_RESULTS(lower->index));
  MlirValue byte = pa_value(&in, "memref.load", PA_OPERANDS(bytes, index), PA_RESULTS(lower->i8));
  MlirValue is = pa_value(&in, "arith.trunci", PA_OPERANDS(byte), PA_RESULTS(lower->i1));
  pa_op(&in, "func.return", PA_OPERANDS(is));
  MlirRegion old = mlirOperationGetRegion(function, 0);
  mlirRegionTakeBody(old, region);
  mlirRegionDestroy(region);
  mlirOperationRemoveAttributeByName(function, pa_ref("pyarray.classes"));
  lower->builder.failure = in.failure;
}

void pa_define_caught(pa_lowering *lower) {
  for (size_t i = 0; i < lower->caught.count && !pa_failed(&lower->builder); ++i)
    define_caught(lower, lower->caught.items[i]);
}

//===-- Raises ------------------------------------------------------------------------------------===//

void pa_lower_exception(pa_lowering *lower, MlirOperation op) {
  pa_set1(lower, pa_result(op), pa_call_runtime(lower, "pyarray_rt_exception", NULL, 0));
}

// A bare raise outside of any handler raises what a caller is handling, if one is.
static void raise_nothing(pa_lowering *lower) {
  MlirValue handling = pa_compare_int(lower, PA_NE, pa_call_runtime(lower, "pyarray_rt_exception", NULL, 0),
                                      pa_int(lower, lower->i64, 0));
  pa_raise_if(lower, pa_not(lower, handling), "RuntimeError", "No active exception to reraise");
}

// `raise` leaves the traceback as it is; `raise e` adds this place to it.
void pa_lower_reraise(pa_lowering *lower, MlirOperation op) {
  MlirLocation location = lower->builder.location;
  if (mlirOperationGetNumOperands(op)) {
    pa_raised_error passing = {.exception = ""};
    pa_runtime(lower, "pyarray_rt_raise_again", pa_get1(lower, pa_operand(op, 0)), pa_error_site(lower, &passing));
  } else {
    if (!lower->handlers) raise_nothing(lower);
    pa_call_runtime(lower, "pyarray_rt_reraise", NULL, 0);
  }
  pa_propagate_out(lower, pa_caller_of(location));
}

// The literal that |value| is, seen through casts that leave a number as it is; null if it is none.
static MlirAttribute literal_of(pa_lowering *lower, MlirValue value) {
  MlirOperation op = pa_definition(value);
  pa_op_kind kind = mlirOperationIsNull(op) ? PA_OP_OTHER : pa_kind(&lower->names, op);
  if (kind == PA_OP_CONSTANT) return pa_get_attr(op, "value");
  if (kind != PA_OP_CAST) return mlirAttributeGetNull();
  pa_scalar to = pa_scalar_of_value(value), from = pa_scalar_of_value(pa_operand(op, 0));
  return to == PA_NOT_SCALAR || to == from ? literal_of(lower, pa_operand(op, 0)) : mlirAttributeGetNull();
}

typedef struct value_list {
  MlirValue items[PA_MAX_ERROR_VALUES];
  int count;
  uint64_t handles; // as in pa_raised_error
} value_list;

static void add_value(pa_lowering *lower, value_list *list, MlirValue value) {
  if (list->count < PA_MAX_ERROR_VALUES)
    list->items[list->count++] = value;
  else
    pa_lower_fail(lower, "an exception with more than %d computed numbers cannot be compiled", PA_MAX_ERROR_VALUES);
}

static MlirValue bits_of(pa_lowering *lower, MlirValue value, pa_scalar scalar) {
  if (pa_is_float(scalar)) {
    MlirValue wide = scalar == PA_F64 ? value : pa_convert(lower, "arith.extf", value, lower->f64);
    return pa_convert(lower, "arith.bitcast", wide, lower->i64);
  }
  if (pa_scalar_bytes(scalar) == 8) return value;
  return pa_convert(lower, pa_is_signed(scalar) ? "arith.extsi" : "arith.extui", value, lower->i64);
}

// Appends the scalars of a value whose flattened ones begin at |*items|.
static void add_scalars(pa_lowering *lower, value_list *list, MlirType type, const MlirValue **items) {
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      add_scalars(lower, list, mlirTupleTypeGetType(type, i), items);
    return;
  }
  pa_scalar scalar = pa_scalar_of(type);
  if (pa_is_text(type)) {
    if (list->count < 64)
      list->handles |= (uint64_t)1 << list->count;
    else
      pa_lower_fail(lower, "an exception with str after more than 64 computed numbers cannot be compiled");
    MlirValue handle = *(*items)++;
    pa_runtime(lower, "pyarray_rt_retain", handle);
    return add_value(lower, list, handle);
  }
  if (scalar == PA_NOT_SCALAR) { // None; type inference has refused the rest
    if (!pyarrayTypeIsNone(type))
      pa_lower_fail(lower, "an exception's argument of type %s cannot be lowered", pa_type_text(lower->arena, type));
    return;
  }
  MlirValue value = *(*items)++;
  if (!pa_is_complex(scalar)) return add_value(lower, list, bits_of(lower, value, scalar));
  pa_scalar part = scalar == PA_C64 ? PA_F32 : PA_F64;
  add_value(lower, list, bits_of(lower, pa_real_part(lower, value), part));
  add_value(lower, list, bits_of(lower, pa_imag_part(lower, value), part));
}

// A literal; a type, for a value that is computed, whose scalars are appended; an array of these, for a tuple made in
// place.
static MlirAttribute argument_of(pa_lowering *lower, MlirValue value, value_list *values) {
  MlirAttribute literal = literal_of(lower, value);
  MlirOperation made = pa_definition(value);
  if (!mlirAttributeIsNull(literal)) return literal;
  if (!mlirOperationIsNull(made) && pa_kind(&lower->names, made) == PA_OP_TUPLE) {
    intptr_t count = mlirOperationGetNumOperands(made);
    MlirAttribute *elements = PA_NEW_ARRAY(lower->arena, MlirAttribute, count + 1);
    for (intptr_t i = 0; i < count; ++i) elements[i] = argument_of(lower, pa_operand(made, i), values);
    return mlirArrayAttrGet(lower->context, count, elements);
  }
  const MlirValue *items = pa_get(lower, value).items;
  add_scalars(lower, values, mlirValueGetType(value), &items);
  return mlirTypeAttrGet(mlirValueGetType(value));
}

static pa_raised_error error_of(pa_lowering *lower, MlirOperation op, value_list *values) {
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirAttribute *arguments = PA_NEW_ARRAY(lower->arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i) arguments[i] = argument_of(lower, pa_operand(op, i), values);
  const char *exception = pa_attr_text(lower->arena, pa_get_attr(op, "exception"));
  return (pa_raised_error){exception,     pa_get_attr(op, "bases"), arguments, (int)count, values->items,
                           values->count, values->handles};
}

void pa_lower_raise(pa_lowering *lower, MlirOperation op) {
  value_list values = {.count = 0};
  pa_raised_error error = error_of(lower, op, &values);
  pa_raise_error(lower, &error);
}

void pa_raise_value_if(pa_lowering *lower, MlirValue condition, const char *exception, MlirValue value) {
  value_list values = {.count = 0};
  pa_scope scope = pa_if_begin(lower);
  MlirAttribute argument = argument_of(lower, value, &values);
  pa_raise_error(lower,
                 &(pa_raised_error){exception, {NULL}, &argument, 1, values.items, values.count, values.handles});
  pa_if_end(lower, scope, condition);
}

void pa_lower_cause(pa_lowering *lower, MlirOperation op) {
  lower->has_cause = true;
  value_list values = {.count = 0};
  MlirValue zero = pa_int(lower, lower->i64, 0);
  if (mlirAttributeIsNull(pa_get_attr(op, "exception"))) {
    pa_runtime(lower, "pyarray_rt_cause", mlirOperationGetNumOperands(op) ? pa_get1(lower, pa_operand(op, 0)) : zero);
    return;
  }
  pa_raised_error error = error_of(lower, op, &values);
  MlirValue address = values.count ? pa_put_on_stack(lower, values.items, values.count) : zero;
  pa_runtime(lower, "pyarray_rt_new_cause", pa_error_site(lower, &error), address,
             pa_int(lower, lower->i64, values.count), pa_int(lower, lower->i64, (int64_t)values.handles));
}

//===-- Variables ---------------------------------------------------------------------------------===//

static MlirType held_type(MlirValue variable) { return pyarrayVariableTypeGetItem(mlirValueGetType(variable)); }

// Whether the value at |place| is one of the owners.
static bool is_owner(const int *owners, int count, int place) {
  for (int i = 0; i < count; ++i)
    if (owners[i] == place) return true;
  return false;
}

void pa_lower_variable(pa_lowering *lower, MlirOperation op) {
  pa_types types = {0};
  MlirType held = held_type(pa_result(op));
  pa_flatten(lower, held, &types);
  MlirValue *slots = PA_NEW_ARRAY(lower->arena, MlirValue, types.count + 1);
  int count, *owners = pa_owner_places(lower, held, &count);
  for (size_t i = 0; i < types.count; ++i)
    slots[i] = pa_stack_slot(lower, types.items[i], is_owner(owners, count, (int)i));
  pa_set(lower, pa_result(op), slots, (int)types.count);
}

static MlirValue load(pa_lowering *lower, MlirValue slot) {
  if (mlirValueIsNull(slot)) return slot;
  return pa_value(&lower->builder, "memref.load", PA_OPERANDS(slot),
                  PA_RESULTS(mlirShapedTypeGetElementType(mlirValueGetType(slot))));
}

static void store(pa_lowering *lower, MlirValue value, MlirValue slot) {
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(value, slot));
}

void pa_lower_load(pa_lowering *lower, MlirOperation op) {
  pa_values slots = pa_get(lower, pa_operand(op, 0));
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, slots.count + 1);
  for (int i = 0; i < slots.count; ++i) values[i] = load(lower, slots.items[i]);
  int count, *owners = pa_owner_places(lower, mlirValueGetType(pa_result(op)), &count);
  for (int i = 0; i < count; ++i) pa_runtime(lower, "pyarray_rt_retain", values[owners[i]]);
  pa_set(lower, pa_result(op), values, slots.count);
  pa_acquire(lower, pa_result(op));
}

void pa_lower_store(pa_lowering *lower, MlirOperation op) {
  pa_values values = pa_get(lower, pa_operand(op, 0)), slots = pa_get(lower, pa_operand(op, 1));
  int count, *owners = pa_owner_places(lower, held_type(pa_operand(op, 1)), &count);
  for (int i = 0; i < count; ++i) pa_runtime(lower, "pyarray_rt_retain", values.items[owners[i]]);
  for (int i = 0; i < count; ++i) pa_runtime(lower, "pyarray_rt_release", load(lower, slots.items[owners[i]]));
  for (int i = 0; i < values.count; ++i) store(lower, values.items[i], slots.items[i]);
}

void pa_release_variable(pa_lowering *lower, MlirValue variable) {
  pa_values slots = pa_get(lower, variable);
  int count, *owners = pa_owner_places(lower, held_type(variable), &count);
  for (int i = 0; i < count; ++i) {
    pa_runtime(lower, "pyarray_rt_release", load(lower, slots.items[owners[i]]));
    store(lower, pa_int(lower, lower->i64, 0), slots.items[owners[i]]);
  }
}
