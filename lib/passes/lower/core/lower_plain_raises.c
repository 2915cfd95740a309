// Of pyarray-lower: raises that their own function catches, where the handler asks nothing of the exception. They are
// branches: nobody records them.
//
//   try: ... raise ValueError(x) ...        store %c1, %which; the way to the handler
//   except ValueError: n += 1               the handler: if load %which != 0, its code without pyarray_rt_catch and
//   pyarray_rt_uncatch
//
// That is so where the handler's code, for an exception of that class, can raise nothing and names no exception. The
// handler is there twice: for such raises, whose number says which clause it is, and for all others.
#include <string.h>

#include "ir/exceptions.h"
#include "lower_internal.h"

typedef struct pa_plain_raises {
  MlirBlock handler;
  MlirValue which; // in stack memory: 0, or the number of the class of the raise
  MlirOperation cleared;
  int count;
  struct {
    const char *exception;
    MlirAttribute bases;
  } classes[16];
} pa_plain_raises;

//===-- Which handlers ----------------------------------------------------------------------------===//

// Operations that raise nothing, not even for want of memory, and leave the thread's exceptions alone.
static bool is_quiet(MlirOperation op) {
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  bool raises = (effects.reads | effects.writes) & PYARRAY_RESOURCE_EXCEPTION,
       makes = effects.allocates & ~(uint32_t)PYARRAY_RESOURCE_HEADERS;
  return !mlirOperationGetNumRegions(op) && !raises && !makes;
}

static bool is_quiet_for(pa_lowering *lower, MlirBlock block, const char *exception, MlirAttribute bases) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&lower->names, op);
    if (kind == PA_OP_CAUGHT) continue;
    if (kind != PA_OP_SCF_IF) {
      if (!is_quiet(op)) return false;
      continue;
    }
    MlirOperation test = pa_definition(pa_operand(op, 0));
    bool asks = !mlirOperationIsNull(test) && pa_kind(&lower->names, test) == PA_OP_CAUGHT;
    int known = asks ? !pa_exception_is_any(lower->arena, exception, bases, pa_get_attr(test, "classes")) : -1;
    for (int side = 0; side < 2; ++side) {
      MlirBlock taken = pa_body(op, side);
      if ((known < 0 || known == side) && !mlirBlockIsNull(taken) && !is_quiet_for(lower, taken, exception, bases))
        return false;
    }
  }
  return true;
}

// Whether the handler does nothing with an exception of that class but to raise it again.
static bool passes_on(pa_lowering *lower, MlirBlock block, const char *exception, MlirAttribute bases) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&lower->names, op);
    if (kind == PA_OP_RERAISE) return mlirOperationGetNumOperands(op) == 0;
    if (kind == PA_OP_CAUGHT || kind == PA_OP_LOAD || kind == PA_OP_CONSTANT || kind == PA_OP_UNBOUND) continue;
    MlirOperation test = kind == PA_OP_SCF_IF ? pa_definition(pa_operand(op, 0)) : (MlirOperation){NULL};
    if (mlirOperationIsNull(test) || pa_kind(&lower->names, test) != PA_OP_CAUGHT) return false;
    MlirBlock taken = pa_body(op, !pa_exception_is_any(lower->arena, exception, bases, pa_get_attr(test, "classes")));
    return !mlirBlockIsNull(taken) && passes_on(lower, taken, exception, bases);
  }
  return false;
}

// The number of the class among those that are raised plainly; 0: raises of it are recorded.
static int number_of(pa_lowering *lower, pa_plain_raises *plain, const pa_raised_error *error) {
  enum { MOST = sizeof plain->classes / sizeof *plain->classes };
  for (int i = 0; i < plain->count; ++i)
    if (strcmp(plain->classes[i].exception, error->exception) == 0 &&
        mlirAttributeEqual(plain->classes[i].bases, error->bases))
      return i + 1;
  if (plain->count == MOST || !is_quiet_for(lower, plain->handler, error->exception, error->bases)) return 0;
  plain->classes[plain->count].exception = error->exception;
  plain->classes[plain->count].bases = error->bases;
  return ++plain->count;
}

//===-- Raises ------------------------------------------------------------------------------------===//

bool pa_raise_plainly(pa_lowering *lower, const pa_raised_error *error) {
  const pa_try_scope *scope = pa_catching(lower);
  bool has_cause = lower->has_cause;
  lower->has_cause = false;
  if (has_cause || !*error->exception) return false;
  while (scope && scope->plain && scope->handlers == lower->handlers &&
         passes_on(lower, scope->plain->handler, error->exception, error->bases)) {
    scope = scope->outer;
    while (scope && scope->breakable) scope = scope->outer;
  }
  if (!scope || !scope->plain || lower->handlers != scope->handlers) return false;
  int number = number_of(lower, scope->plain, error);
  if (!number) return false;
  for (int i = 0; i < error->value_count; ++i)
    if (error->handles >> i & 1) pa_runtime(lower, "pyarray_rt_release", error->values[i]);
  MlirValue zero = pa_int(lower, lower->index, 0);
  pa_op(&lower->builder, "memref.store", PA_OPERANDS(pa_int(lower, lower->i64, number), scope->plain->which, zero));
  return pa_leave_to(lower, scope->number, 0), true;
}

pa_plain_raises *pa_plain_begin(pa_lowering *lower, MlirBlock handler) {
  pa_plain_raises *plain = PA_NEW(lower->arena, pa_plain_raises);
  plain->handler = handler;
  plain->which = pa_stack_numbers(lower, 1);
  MlirValue zero = pa_int(lower, lower->index, 0);
  plain->cleared =
      pa_op(&lower->builder, "memref.store", PA_OPERANDS(pa_int(lower, lower->i64, 0), plain->which, zero));
  return plain;
}

MlirValue pa_plain_end(pa_lowering *lower, pa_plain_raises *plain) {
  if (plain->count || pa_failed(&lower->builder)) return plain->which;
  mlirOperationDestroy(plain->cleared);
  return (MlirValue){NULL};
}

MlirValue pa_plain_number(pa_lowering *lower, const pa_plain_raises *plain) {
  return pa_value(&lower->builder, "memref.load", PA_OPERANDS(plain->which, pa_int(lower, lower->index, 0)),
                  PA_RESULTS(lower->i64));
}

MlirValue pa_plain_is_caught(pa_lowering *lower, const pa_plain_raises *plain, MlirAttribute classes) {
  MlirValue is = pa_int(lower, lower->i1, 0), number = pa_plain_number(lower, plain);
  for (int i = 0; i < plain->count; ++i)
    if (pa_exception_is_any(lower->arena, plain->classes[i].exception, plain->classes[i].bases, classes))
      is = pa_or(lower, is, pa_compare_int(lower, PA_EQ, number, pa_int(lower, lower->i64, i + 1)));
  return is;
}
