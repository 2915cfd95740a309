// Of pyarray-lower: loops over items by number (lower_sequence.c).
//
//   %s = pyarray.for (%i: si64, %acc: f64) in %range : !pyarray.range iter(%zero) { ... }
// becomes, where the step is 1,
//   %s = scf.for %i = %start to %stop step %c1 iter_args(%acc = %zero) -> (f64) : i64 { ... }
// an unsigned scf.for where the start is never negative and the step is positive, so that start + step does not wrap,
// and otherwise an scf.for over the number of the item. Loops over arrays count items as well; those over tuples
// unroll, unless that would be much code (lower_tuple_table.c).
#include <string.h>

#include "integer_facts.h"
#include "lower_arrays.h"
#include "lower_containers.h"
#include "lower_flow.h"
#include "lower_items.h"

//===-- Carried values ----------------------------------------------------------------------------===//

typedef struct flat_list {
  MlirValue *values;
  pa_types types;
  int count;
} flat_list;

// The flattened values of operands |first| and on.
static flat_list flatten_operands(pa_lowering *lower, MlirOperation op, intptr_t first) {
  flat_list list = {0};
  intptr_t operands = mlirOperationGetNumOperands(op);
  for (intptr_t i = first; i < operands; ++i) pa_flatten(lower, mlirValueGetType(pa_operand(op, i)), &list.types);
  list.values = PA_NEW_ARRAY(lower->arena, MlirValue, list.types.count + 1);
  for (intptr_t i = first; i < operands; ++i) {
    pa_values values = pa_get(lower, pa_operand(op, i));
    for (int k = 0; k < values.count; ++k) list.values[list.count++] = values.items[k];
  }
  return list;
}

// The flattened carried values of |body|, their owners out of their slots.
static void take_carried(pa_lowering *lower, MlirBlock body, MlirValue *values) {
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); ++i) {
    pa_values taken = pa_get_owned(lower, mlirBlockGetArgument(body, i));
    if (taken.count) memcpy(values, taken.items, (size_t)taken.count * sizeof *values);
    values += taken.count;
  }
}

// Gives the carried values of |body| (all block arguments but the first) the flattened |values|.
static void set_carried(pa_lowering *lower, MlirBlock body, const MlirValue *values) {
  for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    int count = pa_flat_count(lower, mlirValueGetType(argument));
    pa_set(lower, argument, values, count);
    pa_acquire(lower, argument);
    values += count;
  }
}

static void set_results(pa_lowering *lower, MlirOperation op, const MlirValue *values) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    int count = pa_flat_count(lower, mlirValueGetType(result));
    pa_set(lower, result, values, count);
    pa_acquire(lower, result);
    values += count;
  }
}

static void unroll(pa_lowering *lower, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  MlirValue tuple = pa_operand(op, 0);
  flat_list carried = flatten_operands(lower, op, 1);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(mlirValueGetType(tuple)); ++i) {
    pa_set_tuple_element(lower, mlirBlockGetArgument(body, 0), tuple, i);
    set_carried(lower, body, carried.values);
    pa_lower_block(lower, body);
    if (pa_failed(&lower->builder)) return;
    carried = flatten_operands(lower, mlirBlockGetTerminator(body), 0);
  }
  set_results(lower, op, carried.values);
}

//===-- prange ------------------------------------------------------------------------------------===//

static const char partials_message[] = "Unable to allocate the partial results of a parallel loop";

// How the carried value with that word is combined at level 4, where integers have no sign.
static MlirAttribute reduction_at_level_4(pa_lowering *lower, MlirAttribute word, pa_scalar scalar) {
  const char *text = pa_attr_text(lower->arena, word);
  bool ordered = strcmp(text, "min") == 0 || strcmp(text, "max") == 0;
  if (ordered && (pa_is_unsigned(scalar) || scalar == PA_BOOL)) text = pa_arena_format(lower->arena, "u%s", text);
  return pa_string_attr(lower->context, text);
}

static bool has_word_for_each(MlirAttribute words, intptr_t count) {
  if (!mlirAttributeIsAArray(words) || mlirArrayAttrGetNumElements(words) != count) return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(words, i))) return false;
  return true;
}

// The reductions of a loop that is to run on several threads, else null.
static MlirAttribute threads_wanted(pa_lowering *lower, MlirOperation op) {
  MlirAttribute words = pa_get_attr(op, "pyarray.parallel");
  if (!lower->parallel || mlirAttributeIsNull(words) || !mlirAttributeIsNull(pa_get_attr(op, "pyarray.checked")))
    return mlirAttributeGetNull();
  intptr_t count = mlirOperationGetNumResults(op);
  if (!has_word_for_each(words, count)) {
    pa_lower_fail(lower, "pyarray.parallel has a word for each value that the loop carries");
    return mlirAttributeGetNull();
  }
  MlirAttribute *kinds = PA_NEW_ARRAY(lower->arena, MlirAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    kinds[i] = reduction_at_level_4(lower, mlirArrayAttrGetElement(words, i),
                                    pa_scalar_of_value(mlirOperationGetResult(op, i)));
  return mlirArrayAttrGet(lower->context, count, kinds);
}

// pyarray-split-grid makes the copies, since it has the parts: until then a function stands for each.
void pa_lower_private(pa_lowering *lower, MlirOperation op) {
  pa_array array = pa_array_of(lower, pa_operand(op, 0));
  MlirValue copy = array.memref;
  if (mlirOperationEqual(mlirOperationGetParentOperation(op), lower->spread) && !pa_failed(&lower->builder)) {
    const char *name = pa_arena_format(lower->arena, "pyarray_private%d", lower->private_copies++);
    MlirType type = mlirValueGetType(copy);
    pa_declare(lower, name, mlirFunctionTypeGet(lower->context, 1, &type, 1, &type), NULL, 0);
    copy = pa_value(&lower->builder, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(copy), PA_RESULTS(type),
                    PA_ATTRS({"callee", pa_symbol_attr(lower->context, name)},
                             {"pyarray.private", reduction_at_level_4(lower, pa_get_attr(op, "kind"), array.element)},
                             {"pyarray.memory_site", pa_raise_site(lower, "MemoryError", partials_message)}));
  }
  pa_set(lower, pa_result(op), (MlirValue[]){copy, pa_int(lower, lower->i64, 0)}, 2);
}

static void lower_parallel(pa_lowering *lower, MlirOperation op, MlirValue count) {
  MlirBlock body = pa_body(op, 0);
  pa_scope scope = pa_open(lower, &lower->index, 1);
  const char *timed = pa_attr_text(lower->arena, pa_get_attr(op, "pyarray.timed"));
  lower->parallel = timed && strcmp(timed, "points") == 0; // what is within may take the threads, too
  lower->spread = op;
  pa_thread_scope thread;
  pa_thread_begin(lower, &thread);
  pa_set_item(lower, mlirBlockGetArgument(body, 0), pa_operand(op, 0),
              pa_to_i64(lower, mlirBlockGetArgument(scope.block, 0)));
  pa_lower_block(lower, body);
  pa_thread_end(lower, &thread);
  lower->parallel = true;
  lower->spread = (MlirOperation){NULL};
  MlirRegion region = pa_close(lower, scope, "scf.reduce", NULL, 0);
  int32_t segments[] = {1, 1, 1, 0};
  MlirValue zero = pa_int(lower, lower->index, 0), one = pa_int(lower, lower->index, 1);
  pa_way_out way = pa_leave(lower);
  pa_op(&lower->builder, PA_OP_NAME(SCF_PARALLEL), PA_OPERANDS(zero, pa_to_index(lower, count), one),
        PA_REGIONS(region),
        PA_ATTRS({"operandSegmentSizes", mlirDenseI32ArrayGet(lower->context, 4, segments)},
                 {"pyarray.threads", mlirArrayAttrGet(lower->context, 0, NULL)}, {"pyarray.try", way.try},
                 {"pyarray.handlers", way.handlers},
                 {"pyarray.grain", timed ? pa_i64_attr(lower->context, INT64_MIN) : mlirAttributeGetNull()}));
}

//===-- Lists -------------------------------------------------------------------------------------===//

// Of a list that the body may change: the length is read before each item. A deque may not change.
static void lower_for_list(pa_lowering *lower, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  MlirValue list = pa_operand(op, 0);
  flat_list inits = flatten_operands(lower, op, 1);
  if (pa_failed(&lower->builder)) return;
  bool deque = pyarrayTypeIsDeque(mlirValueGetType(list));
  MlirValue begun = deque ? pa_deque_changes(lower, list) : (MlirValue){NULL};
  MlirType *types = PA_NEW_ARRAY(lower->arena, MlirType, inits.count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, inits.count + 2);
  types[0] = lower->i64;
  if (inits.count) memcpy(types + 1, inits.types.items, (size_t)inits.count * sizeof *types);

  pa_scope scope = pa_open(lower, types, inits.count + 1);
  for (int i = 0; i <= inits.count; ++i) values[i + 1] = mlirBlockGetArgument(scope.block, i);
  if (deque) {
    set_carried(lower, body, values + 2);
    pa_raise_if(lower, pa_compare_int(lower, PA_NE, pa_deque_changes(lower, list), begun), "RuntimeError",
                PA_DEQUE_CHANGED);
    take_carried(lower, body, values + 2);
  }
  values[0] = pa_compare_int(lower, PA_SLT, values[1], pa_list_length(lower, list));
  MlirRegion before = pa_close(lower, scope, PA_OP_NAME(SCF_CONDITION), values, inits.count + 2);

  scope = pa_open(lower, types, inits.count + 1);
  MlirValue number = mlirBlockGetArgument(scope.block, 0);
  for (int i = 0; i < inits.count; ++i) values[i] = mlirBlockGetArgument(scope.block, i + 1);
  pa_set_item(lower, mlirBlockGetArgument(body, 0), list, number);
  set_carried(lower, body, values);
  pa_lower_block(lower, body);
  flat_list yielded = flatten_operands(lower, mlirBlockGetTerminator(body), 0);
  values[0] = pa_binary(lower, "arith.addi", number, pa_int(lower, lower->i64, 1));
  for (int i = 0; i < yielded.count; ++i) values[i + 1] = yielded.values[i];
  MlirRegion after = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), values, yielded.count + 1);

  values[0] = pa_int(lower, lower->i64, 0);
  for (int i = 0; i < inits.count; ++i) values[i + 1] = inits.values[i];
  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(values, inits.count + 1),
                             PA_RESULT_ARRAY(types, inits.count + 1), PA_REGIONS(before, after));
  if (mlirOperationIsNull(loop)) return;
  for (int i = 0; i < inits.count; ++i) values[i] = mlirOperationGetResult(loop, i + 1);
  set_results(lower, op, values);
}

// Over a generator: each round begins by running it on. That may raise, so what the loop carries is in its slots
// meanwhile.
static void lower_for_generator(pa_lowering *lower, MlirOperation op) {
  if (pa_lower_delegation(lower, op)) return;
  MlirBlock body = pa_body(op, 0);
  MlirValue generator = pa_operand(op, 0), item = mlirBlockGetArgument(body, 0),
            at = pa_item_space(lower, mlirValueGetType(item));
  flat_list inits = flatten_operands(lower, op, 1);
  if (pa_failed(&lower->builder)) return;
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, inits.count + 1);

  pa_scope scope = pa_open(lower, inits.types.items, inits.count);
  for (int i = 0; i < inits.count; ++i) values[i] = mlirBlockGetArgument(scope.block, i);
  set_carried(lower, body, values);
  values[0] = pa_generator_next(lower, generator, at);
  take_carried(lower, body, values + 1);
  MlirRegion before = pa_close(lower, scope, PA_OP_NAME(SCF_CONDITION), values, inits.count + 1);

  scope = pa_open(lower, inits.types.items, inits.count);
  for (int i = 0; i < inits.count; ++i) values[i] = mlirBlockGetArgument(scope.block, i);
  pa_item_from_memory(lower, item, pa_pointer_to(lower, at), true);
  set_carried(lower, body, values);
  pa_lower_block(lower, body);
  flat_list yielded = flatten_operands(lower, mlirBlockGetTerminator(body), 0);
  MlirRegion after = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), yielded.values, yielded.count);

  MlirOperation loop = pa_op(&lower->builder, PA_OP_NAME(SCF_WHILE), PA_OPERAND_ARRAY(inits.values, inits.count),
                             PA_RESULT_ARRAY(inits.types.items, inits.count), PA_REGIONS(before, after));
  if (mlirOperationIsNull(loop)) return;
  for (int i = 0; i < inits.count; ++i) values[i] = mlirOperationGetResult(loop, i);
  set_results(lower, op, values);
}

// Whether an operation can change how long a list is or where its items lie: any list, for another name may stand for
// it.
static bool may_move_items(MlirOperation op) {
  if (pyarrayOperationGetEffectsOn(op, (MlirValue){NULL}).writes & PYARRAY_RESOURCE_LENGTHS) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!pyarrayTypeIsList(mlirValueGetType(operand))) continue;
    if (pyarrayOperationGetEffectsOn(op, operand).writes & PYARRAY_RESOURCE_LENGTHS) return true;
  }
  return false;
}

static bool keeps_lists(MlirBlock body) {
  PA_FOR_EACH_OP(op, body) {
    if (may_move_items(op)) return false;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      MlirBlock inner = pa_body(op, r);
      if (!mlirBlockIsNull(inner) && !keeps_lists(inner)) return false;
    }
  }
  return true;
}

//===-- for ---------------------------------------------------------------------------------------===//

void pa_lower_for(pa_lowering *lower, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  MlirValue iterable = pa_operand(op, 0), item = mlirBlockGetArgument(body, 0);
  bool tuple = mlirTypeIsATuple(mlirValueGetType(iterable));
  if (tuple && pa_is_unrolled(lower, op)) {
    unroll(lower, op);
    return;
  }
  if (pyarrayTypeIsGenerator(mlirValueGetType(iterable))) {
    lower_for_generator(lower, op);
    return;
  }
  bool list = pyarrayTypeIsList(mlirValueGetType(iterable));
  if (pyarrayTypeIsBytearray(mlirValueGetType(iterable)) || (list && !keeps_lists(body))) {
    lower_for_list(lower, op);
    return;
  }
  MlirValue items = list ? pa_list_items(lower, iterable) : (MlirValue){NULL};
  int64_t step;
  bool range = pyarrayTypeIsRange(mlirValueGetType(iterable));
  bool no_wrap = !mlirAttributeIsNull(pa_get_attr(op, "pyarray.no_wrap")); // pyarray-hoist-checks has seen to it
  MlirAttribute reductions = threads_wanted(lower, op);
  bool threads = !mlirAttributeIsNull(reductions);
  bool by_one = range && pa_known_step(lower, iterable, &step) && step == 1;
  bool without_sign = !threads && range && !by_one && !no_wrap && pa_ascends_unsigned(lower, iterable);
  bool direct = !threads && range && (no_wrap || by_one || without_sign);
  MlirValue one = direct && !by_one ? pa_get(lower, iterable).items[2] : pa_int(lower, lower->i64, 1);
  MlirValue first = direct ? pa_get(lower, iterable).items[0] : pa_int(lower, lower->i64, 0);
  MlirValue last = direct ? pa_get(lower, iterable).items[1] : pa_item_count(lower, iterable);
  if (without_sign) last = pa_binary(lower, "arith.maxsi", last, pa_int(lower, lower->i64, 0));
  flat_list inits = flatten_operands(lower, op, 1);
  const pa_table *table = tuple ? pa_table_of(lower, iterable) : NULL;
  if (pa_failed(&lower->builder)) return;
  if (threads && !inits.count) {
    lower_parallel(lower, op, last);
    return;
  }

  MlirType *arguments = PA_NEW_ARRAY(lower->arena, MlirType, inits.count + 1);
  MlirValue *values = PA_NEW_ARRAY(lower->arena, MlirValue, inits.count + 3);
  arguments[0] = lower->i64;
  if (inits.count) memcpy(arguments + 1, inits.types.items, (size_t)inits.count * sizeof *arguments);
  pa_scope scope = pa_open(lower, arguments, inits.count + 1);
  MlirValue number = mlirBlockGetArgument(scope.block, 0);
  for (int i = 0; i < inits.count; ++i) values[i] = mlirBlockGetArgument(scope.block, i + 1);
  if (direct)
    pa_set1(lower, item, number);
  else if (list)
    pa_list_item_in(lower, item, iterable, items, number);
  else if (tuple)
    pa_set_table_item(lower, item, table, number);
  else
    pa_set_item(lower, item, iterable, number);
  set_carried(lower, body, values);
  bool outer = lower->parallel;
  lower->parallel = outer && !threads; // within an iteration, nothing is spread further
  if (threads) lower->spread = op;
  pa_thread_scope thread;
  if (threads) pa_thread_begin(lower, &thread);
  pa_lower_block(lower, body);
  if (threads) pa_thread_end(lower, &thread);
  lower->parallel = outer;
  if (threads) lower->spread = (MlirOperation){NULL};
  flat_list yielded = flatten_operands(lower, mlirBlockGetTerminator(body), 0);
  MlirRegion region = pa_close(lower, scope, PA_OP_NAME(SCF_YIELD), yielded.values, yielded.count);

  values[0] = first, values[1] = last, values[2] = one;
  for (int i = 0; i < inits.count; ++i) values[3 + i] = inits.values[i];
  pa_way_out way = threads ? pa_leave(lower) : (pa_way_out){{NULL}, {NULL}};
  MlirOperation loop =
      pa_op(&lower->builder, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(values, inits.count + 3),
            PA_RESULT_ARRAY(inits.types.items, inits.count), PA_REGIONS(region),
            PA_ATTRS({"loop_annotation", pa_loop_annotation(lower, op)}, {"pyarray.threads", reductions},
                     {"pyarray.try", way.try}, {"pyarray.handlers", way.handlers},
                     {"unsignedCmp", without_sign ? mlirUnitAttrGet(lower->context) : mlirAttributeGetNull()},
                     {"pyarray.memory_site",
                      threads ? pa_raise_site(lower, "MemoryError", partials_message) : mlirAttributeGetNull()}));
  if (mlirOperationIsNull(loop)) return;
  for (int i = 0; i < inits.count; ++i) values[i] = mlirOperationGetResult(loop, i);
  set_results(lower, op, values);
}
