// Of pyarray-lower: generators. Where one stops is a call that pyarray-make-coroutines gives a meaning.
//
//   pyarray.suspend %x : f64
// becomes
//   %at = func.call @pyarray_generator_item() : () -> i64
//   scf.if %at is 0 { leave the function }                      // it ignored GeneratorExit
//   llvm.store %x, %at
//   %how = func.call @pyarray_suspend() : () -> i64            // waits; then how it is to go on
//   scf.if %how is not 0 { raise GeneratorExit }
//
// and who asks for an item gives stack memory for it:
//
//   %more, %x = pyarray.iter_next %g : (!pyarray.generator<f64>) -> (i1, f64)
// becomes
//   %state = func.call @pyarray_rt_generator_next(%g, %item)
//   scf.if %state is negative { raise }
//
// A recursive generator gives its items to the place where those of the generator around it go
// (pyarray_rt_generator_delegate), which lets the runtime run the innermost one on without all those that wait for it:
//
//   pyarray.for (%x: f64) in %g : !pyarray.generator<f64> { pyarray.suspend %x : f64 }
#include "lower_flow.h"
#include "lower_items.h"

enum { RAISED = -1, EXHAUSTED = -2, RUNNING = -3 }; // what pyarray_rt_generator_next gives

//===-- Within a generator ------------------------------------------------------------------------===//

static MlirValue marker(pa_lowering *lower, const char *name) {
  pa_declare(lower, name, mlirFunctionTypeGet(lower->context, 0, NULL, 1, &lower->i64), NULL, 0);
  return pa_value(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_RESULTS(lower->i64),
                  PA_ATTRS({"callee", pa_symbol_attr(lower->context, name)}));
}

// No handler sees it.
static void leave_if(pa_lowering *lower, MlirValue condition) {
  const pa_try_scope *outer = lower->try;
  pa_scope scope = pa_if_begin(lower);
  lower->try = NULL;
  pa_call_runtime(lower, "pyarray_rt_leave", NULL, 0);
  lower->try = outer;
  pa_if_end(lower, scope, condition);
}

static MlirValue state_is(pa_lowering *lower, MlirValue state, int64_t value) {
  return pa_compare_int(lower, PA_EQ, state, pa_int(lower, lower->i64, value));
}

static MlirValue is_closed(pa_lowering *lower, MlirValue how) {
  return pa_compare_int(lower, PA_NE, how, pa_int(lower, lower->i64, 0));
}

void pa_open_generator(pa_lowering *lower, MlirBlock body, MlirOperation function) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (!pa_is_managed(mlirValueGetType(argument))) continue;
    pa_values kept = pa_keep_value(lower, argument);
    pa_set(lower, argument, kept.items, kept.count);
    pa_acquire(lower, argument);
  }
  pa_set_attr(function, "pyarray.memory_site", pa_raise_site(lower, "MemoryError", ""));
  leave_if(lower, is_closed(lower, marker(lower, "pyarray_suspend")));
}

// Whether a StopIteration that the body does not raise on purpose may come out of it.
static bool may_stop(pa_lowering *lower, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&lower->names, op);
    if (kind == PA_OP_CALL ||
        (kind == PA_OP_RAISE && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "exception")), "StopIteration")))
      return true;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r)) && may_stop(lower, pa_body(op, r))) return true;
  }
  return false;
}

// It would end the loop over the generator (PEP 479). As in CPython, whose interpreter raises what stands for it, the
// generator's frame is in the traceback of the cause alone.
static void raise_for_stop(pa_lowering *lower) {
  MlirAttribute stop = pa_text(lower, "StopIteration"), message = pa_text(lower, "generator raised StopIteration");
  MlirValue stopped = pa_is_caught(lower, mlirArrayAttrGet(lower->context, 1, &stop));
  pa_scope scope = pa_if_begin(lower);
  pa_runtime(lower, "pyarray_rt_cause", pa_call_runtime(lower, "pyarray_rt_exception", NULL, 0));
  bool no_frame = lower->no_frame;
  lower->no_frame = true;
  pa_raise(lower, "RuntimeError", &message, 1);
  lower->no_frame = no_frame;
  pa_if_end(lower, scope, stopped);
  pa_call_runtime(lower, "pyarray_rt_reraise", NULL, 0);
}

void pa_lower_generator(pa_lowering *lower, MlirBlock body) {
  if (may_stop(lower, body))
    pa_lower_guarded(lower, body, raise_for_stop);
  else
    pa_lower_block(lower, body);
}

// The item with a reference of its own: that of a slot which is about to be released, or a new one.
static void give_item(pa_lowering *lower, MlirOperation op, MlirValue pointer) {
  MlirValue item = pa_operand(op, 0), owner;
  if (pa_is_handle(mlirValueGetType(item)) && pa_move_out_of_slot(lower, op, item, &owner)) {
    pa_store_word(lower, pointer, 0, owner);
    return;
  }
  if (pa_is_managed(mlirValueGetType(item))) pa_retain_value(lower, item);
  pa_store_item(lower, pointer, item);
}

// Where the next item goes. A generator that is closed, and yields all the same, has no such place.
static MlirValue item_address(pa_lowering *lower) {
  MlirValue at = marker(lower, "pyarray_generator_item");
  return leave_if(lower, state_is(lower, at, 0)), at;
}

static void wait(pa_lowering *lower) {
  MlirValue handlers = pa_int(lower, lower->i64, lower->handlers), aside = {NULL};
  if (lower->handlers) aside = pa_runtime(lower, "pyarray_rt_handlers_aside", handlers);
  MlirValue how = marker(lower, "pyarray_suspend");
  if (lower->handlers) pa_runtime(lower, "pyarray_rt_handlers_back", aside, handlers);
  MlirValue closed = is_closed(lower, how);
  pa_scope scope = pa_if_begin(lower);
  pa_raise(lower, "GeneratorExit", NULL, 0);
  pa_if_end(lower, scope, closed);
}

void pa_lower_suspend(pa_lowering *lower, MlirOperation op) {
  if (lower->device) return pa_lower_fail(lower, "generators are not supported on a GPU");
  give_item(lower, op, pa_pointer_to(lower, item_address(lower)));
  wait(lower);
}

//===-- Its items ---------------------------------------------------------------------------------===//

// |state|: what a function of the runtime said that ran a generator on.
static MlirValue is_item(pa_lowering *lower, MlirValue state) {
  MlirValue failed = pa_compare_int(lower, PA_SLT, state, pa_int(lower, lower->i64, 0));
  pa_scope scope = pa_if_begin(lower);
  pa_propagate_if(lower, state_is(lower, state, RAISED));
  pa_raise_if(lower, state_is(lower, state, EXHAUSTED), "RecursionError", "maximum recursion depth exceeded");
  pa_raise_if(lower, state_is(lower, state, RUNNING), "ValueError", "generator already executing");
  pa_if_end(lower, scope, failed);
  return state_is(lower, state, 1);
}

MlirValue pa_generator_next(pa_lowering *lower, MlirValue generator, MlirValue address) {
  return is_item(lower, pa_runtime(lower, "pyarray_rt_generator_next", pa_get1(lower, generator), address));
}

// `yield from` of a recursive generator: the loop does nothing but to hand on its items.
static MlirOperation find_delegation(pa_lowering *lower, MlirOperation op) {
  MlirOperation none = {NULL}, made = pa_definition(pa_operand(op, 0)),
                first = mlirBlockGetFirstOperation(pa_body(op, 0));
  if (lower->handlers || lower->device || mlirOperationGetNumOperands(op) != 1 || mlirOperationIsNull(made) ||
      pa_kind(&lower->names, made) != PA_OP_CALL)
    return none;
  MlirValue item = mlirBlockGetArgument(pa_body(op, 0), 0);
  if (!pa_remakes_itself(lower, pa_get_attr(made, "callee")) || pa_kind(&lower->names, first) != PA_OP_SUSPEND ||
      !mlirValueEqual(pa_operand(first, 0), item))
    return none;
  MlirOperation next = mlirOperationGetNextInBlock(first);
  if (pa_kind(&lower->names, next) == PA_OP_RELEASE && mlirValueEqual(pa_operand(next, 0), item))
    next = mlirOperationGetNextInBlock(next);
  return pa_kind(&lower->names, next) == PA_OP_YIELD ? first : none;
}

bool pa_lower_delegation(pa_lowering *lower, MlirOperation op) {
  MlirOperation suspend = find_delegation(lower, op);
  if (mlirOperationIsNull(suspend)) return false;
  pa_scope scope = pa_open(lower, NULL, 0);
  MlirValue more = is_item(lower, pa_runtime(lower, "pyarray_rt_generator_delegate", pa_get1(lower, pa_operand(op, 0)),
                                             item_address(lower)));
  MlirRegion regions[2] = {pa_close(lower, scope, PA_OP_NAME(SCF_CONDITION), &more, 1)};
  scope = pa_open(lower, NULL, 0);
  lower->builder.location = mlirOperationGetLocation(suspend);
  wait(lower);
  lower->builder.location = mlirOperationGetLocation(op);
  regions[1] = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), NULL, 0);
  return pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_REGIONS(regions[0], regions[1])), true;
}

// Where there is no item its owners are 0.
static pa_values item_or_nothing(pa_lowering *lower, MlirType type, MlirValue more, MlirValue at) {
  pa_values item = pa_load_item(lower, pa_pointer_to(lower, at), type);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, item.count + 1), zero = pa_int(lower, lower->i64, 0);
  int count, *owners = pa_owner_places(lower, type, &count);
  for (int i = 0; i < item.count; ++i) values[i] = item.items[i];
  for (int i = 0; i < count; ++i) values[owners[i]] = pa_select(lower, more, values[owners[i]], zero);
  return (pa_values){values, item.count};
}

void pa_lower_iter_next(pa_lowering *lower, MlirOperation op) {
  MlirValue item = mlirOperationGetResult(op, 1), at = pa_item_space(lower, mlirValueGetType(item));
  MlirValue more = pa_generator_next(lower, pa_operand(op, 0), at);
  pa_values values = item_or_nothing(lower, mlirValueGetType(item), more, at);
  pa_set1(lower, mlirOperationGetResult(op, 0), more);
  pa_set(lower, item, values.items, values.count);
  pa_acquire(lower, item);
}
