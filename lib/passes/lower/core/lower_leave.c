// Of pyarray-lower: where an error goes from here, and the variables in stack memory that handlers see.
#include <string.h>

#include "lower_internal.h"

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

void pa_leave_to(pa_lowering *lower, int64_t try, int handlers) {
  pa_attr noreturn = {"pyarray.noreturn", pa_unit_attr(lower->context)};
  pa_declare(lower, "pyarray_rt_leave", mlirFunctionTypeGet(lower->context, 0, NULL, 0, NULL), &noreturn, 1);
  pa_op(&lower->builder, PA_OP_NAME(FUNC_CALL),
        PA_ATTRS({"callee", pa_symbol_attr(lower->context, "pyarray_rt_leave")},
                 {"pyarray.try", pa_i64_attr(lower->context, try)},
                 {"pyarray.handlers", handlers ? pa_i64_attr(lower->context, handlers) : mlirAttributeGetNull()}));
}

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
  return pa_value(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(site), PA_RESULTS(lower->i1),
                  PA_ATTRS({"callee", callee}));
}

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

bool pa_raises(const pa_lowering *lower, const pa_builtin_call *call) {
  return lower->python_errors && strncmp(call->row->name, "numpy.", 6) != 0;
}

bool pa_raises_strictly(const pa_lowering *lower, const pa_builtin_call *call) {
  return lower->strict_errors && pa_raises(lower, call);
}

// A raise shows signed values only; so the number is handed over without its last digit, and the digit.
void pa_raise_large_if(pa_lowering *lower, MlirValue value, const char *exception, const char *message,
                       const MlirValue *others, int count) {
  MlirValue large = pa_compare_int(lower, PA_SLT, value, pa_int(lower, lower->i64, 0));
  pa_scope scope = pa_if_begin(lower);
  MlirValue ten = pa_int(lower, lower->i64, 10), digit = pa_binary(lower, "arith.remui", value, ten);
  MlirValue values[4] = {pa_binary(lower, "arith.divui", value, ten), digit};
  for (int i = 0; i < count; ++i) values[2 + i] = others[i];
  pa_raise_many_if(lower, large, exception, message, values, 2 + count);
  pa_if_end(lower, scope, large);
}
