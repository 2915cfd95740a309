// Of pyarray-inline: a loop over a generator that is made for it. The generator's body takes the loop's place, and the
// loop's body that of each yield; what the loop carries is in variables.
//
//   %g = pyarray.call @squares$0(%n) : (si64) -> !pyarray.generator<si64>
//   %s = pyarray.for (%x: si64, %acc: si64) in %g iter(%zero) { %sum = add %acc, %x; pyarray.yield %sum }
// becomes
//   %v = pyarray.variable : !pyarray.variable<si64>
//   pyarray.store %zero, %v
//   pyarray.for (%i: si64) in %range { %x = mul %i, %i; %acc = pyarray.load %v; %sum = add %acc, %x; pyarray.store
//   %sum, %v } %s = pyarray.load %v
//
// A loop that may be left early, an scf.while whose test is a pyarray.iter_next, is a pyarray.breakable: after each
// yield and once more behind the generator's last one its first region runs, and then the second one, or pyarray.break.
//
// Not where a yield lies in a try: what the loop's body raises is nothing to its handlers.
#include "inline_internal.h"

enum { MOST_COPIED = 150 }; // operations of loop bodies that several yields make copies of

//===-- Loops -------------------------------------------------------------------------------------===//

// The pyarray.iter_next that is the test of an scf.while; null where there is none, or several.
static MlirOperation test_of(const pa_names *names, MlirOperation loop) {
  MlirOperation found = {NULL};
  PA_FOR_EACH_OP(op, pa_body(loop, 0)) {
    if (pa_kind(names, op) != PA_OP_ITER_NEXT) continue;
    if (!mlirOperationIsNull(found)) return (MlirOperation){NULL};
    found = op;
  }
  return found;
}

MlirValue pa_generator_of_loop(const pa_names *names, MlirOperation loop) {
  const MlirValue none = {NULL};
  pa_op_kind kind = pa_kind(names, loop);
  if (kind == PA_OP_FOR) return mlirOperationGetOperand(loop, 0);
  if (kind != PA_OP_SCF_WHILE) return none;
  MlirOperation test = test_of(names, loop);
  return mlirOperationIsNull(test) ? none : mlirOperationGetOperand(test, 0);
}

typedef struct shape {
  const pa_names *names;
  int yields, operations;
  bool in_try;
} shape;

static void measure(shape *s, MlirBlock block, bool in_try) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(s->names, op);
    ++s->operations;
    s->yields += kind == PA_OP_SUSPEND;
    s->in_try |= kind == PA_OP_SUSPEND && in_try;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        measure(s, inner, in_try || kind == PA_OP_TRY);
  }
}

// Whether the loop runs at most once for each time that the generator is made.
static bool runs_once(const pa_names *names, MlirOperation loop, MlirOperation call) {
  MlirBlock home = mlirOperationGetBlock(call);
  for (MlirOperation op = loop; !mlirBlockEqual(mlirOperationGetBlock(op), home);
       op = mlirOperationGetParentOperation(op)) {
    pa_op_kind kind = pa_kind(names, mlirOperationGetParentOperation(op));
    if (kind != PA_OP_SCF_IF && kind != PA_OP_BREAKABLE && kind != PA_OP_TRY) return false;
  }
  return true;
}

bool pa_can_fuse_generator(const pa_names *names, MlirOperation loop, MlirOperation call, MlirOperation callee) {
  shape generator = {.names = names}, body = generator;
  if (mlirAttributeIsNull(pa_get_attr(callee, "pyarray.generator")) || !runs_once(names, loop, call)) return false;
  measure(&generator, pa_body(callee, 0), false);
  for (int r = 0; r < mlirOperationGetNumRegions(loop); ++r) measure(&body, pa_body(loop, r), false);
  bool copied = generator.yields > 1 || pa_kind(names, loop) == PA_OP_SCF_WHILE;
  return !generator.in_try && (!copied || body.operations * (generator.yields + 1) <= MOST_COPIED);
}

//===-- Building ----------------------------------------------------------------------------------===//

typedef struct fusion {
  const pa_names *names;
  pa_arena *arena;
  MlirOperation loop;
  bool early;                 // it is an scf.while
  MlirValue *carried, *given; // variables: what enters each round; of an scf.while, its results
  intptr_t carried_count, given_count;
  MlirOperation first;
} fusion;

static pa_builder before(const fusion *f, MlirOperation place) {
  return (pa_builder){.context = f->names->context,
                      .block = mlirOperationGetBlock(place),
                      .before = place,
                      .location = mlirOperationGetLocation(f->loop)};
}

static MlirValue *make_variables(fusion *f, intptr_t count, const MlirType *types) {
  pa_builder builder = before(f, f->loop);
  MlirValue *variables = PA_NEW_ARRAY(f->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    variables[i] = pa_value(&builder, PA_OP_NAME(VARIABLE), PA_RESULTS(pyarrayVariableTypeGet(types[i])));
    if (mlirOperationIsNull(f->first)) f->first = mlirOpResultGetOwner(variables[i]);
  }
  return variables;
}

static MlirValue load(pa_builder *builder, MlirValue variable) {
  return pa_value(builder, PA_OP_NAME(LOAD), PA_OPERANDS(variable),
                  PA_RESULTS(pyarrayVariableTypeGetItem(mlirValueGetType(variable))));
}

// Stores the operands of |from| from number |first| on.
static void store_operands(pa_builder *builder, MlirOperation from, intptr_t first, const MlirValue *variables,
                           intptr_t count) {
  for (intptr_t i = 0; i < count; ++i)
    pa_op(builder, PA_OP_NAME(STORE), PA_OPERANDS(mlirOperationGetOperand(from, first + i), variables[i]));
}

static void load_arguments(pa_builder *builder, MlirBlock block, intptr_t first, const MlirValue *variables,
                           intptr_t count) {
  for (intptr_t i = 0; i < count; ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, first + i), load(builder, variables[i]));
}

static MlirValue truth(pa_builder *builder, bool value) {
  MlirType type = mlirIntegerTypeGet(builder->context, 1);
  return pa_value(builder, PA_OP_NAME(CONSTANT), PA_RESULTS(type),
                  PA_ATTRS({"value", mlirBoolAttrGet(builder->context, value)}));
}

//===-- Rounds ------------------------------------------------------------------------------------===//

// One round of a pyarray.for, before |place|.
static void put_round(fusion *f, MlirOperation place, MlirValue item) {
  MlirOperation copy = mlirOperationClone(f->loop);
  MlirBlock body = pa_body(copy, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  pa_builder builder = before(f, place);
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, 0), item);
  load_arguments(&builder, body, 1, f->carried, f->carried_count);
  pa_move_before(body, end, place);
  store_operands(&builder, end, 0, f->carried, f->carried_count);
  mlirOperationDestroy(copy);
}

// One round of an scf.while; behind the last item, |item| is null and nothing follows.
static void put_early_round(fusion *f, MlirOperation place, MlirValue item) {
  MlirOperation copy = mlirOperationClone(f->loop);
  MlirBlock test = pa_body(copy, 0), next = pa_body(copy, 1);
  MlirOperation condition = mlirBlockGetTerminator(test), more = test_of(f->names, copy),
                yield = mlirBlockGetTerminator(next);
  pa_builder builder = before(f, place);
  bool last = mlirValueIsNull(item);
  if (last)
    item = pa_value(&builder, PA_OP_NAME(UNBOUND), PA_RESULTS(mlirValueGetType(mlirOperationGetResult(more, 1))));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(more, 0), truth(&builder, !last));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(more, 1), item);
  mlirOperationDestroy(more);
  load_arguments(&builder, test, 0, f->carried, f->carried_count);
  pa_move_before(test, condition, place);
  store_operands(&builder, condition, 1, f->given, f->given_count);
  if (!last) {
    MlirBlock blocks[2];
    MlirRegion regions[] = {pa_region(builder.location, NULL, 0, &blocks[0]),
                            pa_region(builder.location, NULL, 0, &blocks[1])};
    pa_builder goes_on = {.context = builder.context, .block = blocks[0], .location = builder.location},
               leaves = goes_on;
    leaves.block = blocks[1];
    MlirOperation end = pa_op(&goes_on, PA_OP_NAME(SCF_YIELD), .operand_count = 0);
    goes_on.before = end;
    for (intptr_t i = 0; i < f->given_count; ++i)
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(next, i), mlirOperationGetOperand(condition, 1 + i));
    pa_move_before(next, yield, end);
    store_operands(&goes_on, yield, 0, f->carried, f->carried_count);
    pa_op(&leaves, PA_OP_NAME(BREAK), .operand_count = 0);
    pa_op(&leaves, PA_OP_NAME(SCF_YIELD), .operand_count = 0);
    pa_op(&builder, PA_OP_NAME(SCF_IF), PA_OPERANDS(mlirOperationGetOperand(condition, 0)),
          PA_REGIONS(regions[0], regions[1]));
  }
  mlirOperationDestroy(copy);
}

static void replace_yields(fusion *f, MlirOperation within) {
  pa_op_list ops = pa_ops_within(f->arena, within, MlirWalkPreOrder);
  for (size_t i = 0; i < ops.count; ++i) {
    if (pa_kind(f->names, ops.items[i]) != PA_OP_SUSPEND) continue;
    MlirValue item = mlirOperationGetOperand(ops.items[i], 0);
    (f->early ? put_early_round : put_round)(f, ops.items[i], item);
    mlirOperationDestroy(ops.items[i]);
  }
}

//===-- The whole ---------------------------------------------------------------------------------===//

static void make_all_variables(fusion *f) {
  intptr_t skipped = f->early ? 0 : 1, results = mlirOperationGetNumResults(f->loop);
  f->carried_count = mlirOperationGetNumOperands(f->loop) - skipped;
  f->given_count = f->early ? results : 0;
  MlirType *types = PA_NEW_ARRAY(f->arena, MlirType, f->carried_count + results + 1);
  for (intptr_t i = 0; i < f->carried_count; ++i)
    types[i] = mlirValueGetType(mlirOperationGetOperand(f->loop, skipped + i));
  f->carried = make_variables(f, f->carried_count, types);
  for (intptr_t i = 0; i < f->given_count; ++i) types[i] = mlirValueGetType(mlirOperationGetResult(f->loop, i));
  f->given = make_variables(f, f->given_count, types);
  pa_builder builder = before(f, f->loop);
  store_operands(&builder, f->loop, skipped, f->carried, f->carried_count);
}

static void replace_results(fusion *f) {
  pa_builder builder = before(f, f->loop);
  const MlirValue *variables = f->early ? f->given : f->carried;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(f->loop); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(f->loop, i), load(&builder, variables[i]));
}

// The body, whose last operation ends it, as a pyarray.breakable before the loop.
static void put_breakable(fusion *f, MlirBlock body) {
  MlirBlock block;
  pa_builder builder = before(f, f->loop), inner = builder;
  MlirRegion region = pa_region(builder.location, NULL, 0, &block);
  inner.block = block;
  inner.before = (MlirOperation){NULL};
  MlirOperation end = pa_op(&inner, PA_OP_NAME(YIELD), .operand_count = 0);
  pa_move_before(body, mlirBlockGetTerminator(body), end);
  MlirOperation made = pa_op(&builder, PA_OP_NAME(BREAKABLE), PA_REGIONS(region));
  if (mlirOperationIsNull(f->first)) f->first = made;
}

MlirOperation pa_fuse_generator(pa_arena *arena, const pa_names *names, MlirOperation loop, MlirOperation call,
                                MlirOperation callee, MlirOperation function) {
  fusion f = {.names = names, .arena = arena, .loop = loop, .early = pa_kind(names, loop) == PA_OP_SCF_WHILE};
  MlirOperation copy = pa_inlined_copy(names, callee, function, call, mlirOperationGetLocation(loop)),
                next = mlirOperationGetNextInBlock(loop);
  MlirBlock body = pa_body(copy, 0);
  make_all_variables(&f);
  replace_yields(&f, copy);
  MlirOperation end = mlirBlockGetTerminator(body), first = mlirBlockGetFirstOperation(body);
  if (f.early) {
    put_early_round(&f, end, (MlirValue){NULL});
    put_breakable(&f, body);
  } else {
    if (mlirOperationIsNull(f.first) && !mlirOperationEqual(first, end)) f.first = first;
    pa_move_before(body, end, loop);
  }
  replace_results(&f);
  mlirOperationDestroy(loop);
  mlirOperationDestroy(call);
  mlirOperationDestroy(copy);
  return mlirOperationIsNull(f.first) ? next : f.first;
}
