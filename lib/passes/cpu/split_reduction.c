// Of pyarray-split-grid: loops that carry reductions.
//
//   %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %init) -> (f64) { ... } {pyarray.threads = ["add"]}
//
// Each part starts from a value that changes nothing and stores what it has at the end; the caller combines them in
// order, so that the result depends on the number of parts alone:
//
//   %parts = call @pyarray_rt_parallel_parts(%n, %grain)
//   %memory = call @pyarray_rt_allocate(...)                 // owned by a slot, released where a part raises
//   scf.if %none { call @pyarray_rt_raise(%site) }           // MemoryError; the site is the loop's pyarray.memory_site
//   %status = call @f$0.launch0(%n, %grain, %memory, ...)
//   %r = scf.for %p = %c0 to %parts iter_args(%sum = %init) { %sum + (load %memory at %p) }
//
// Within a part LLVM may add and multiply floats in another order, in vectors: the same one for parts of one length.
#include <string.h>

#include "mlir-c/Dialect/LLVM.h"
#include "split_internal.h"
#include "support/map.h"

enum { PA_PARTIAL_BYTES = 16 }; // of one value of one part

typedef struct reduction {
  pa_splitting *s;
  MlirOperation loop;
  intptr_t count;
  const char **kinds;
  MlirType *types;
  MlirValue *inits;
  pa_part_memory memory;
  MlirValue parts; // i64
  MlirType i64, ptr;
} reduction;

//===-- Memory of the parts -----------------------------------------------------------------------===//

// The address of value |i| of part |part| (i64), or of the imaginary part there.
static MlirValue address_of(const reduction *r, pa_builder *at, MlirValue memory, MlirValue part, intptr_t i,
                            bool imaginary) {
  MlirValue row =
      pa_value(at, "arith.muli", PA_OPERANDS(part, pa_constant_int(at, r->i64, r->count * PA_PARTIAL_BYTES)),
               PA_RESULTS(r->i64));
  MlirValue offset = pa_value(at, "arith.addi",
                              PA_OPERANDS(row, pa_constant_int(at, r->i64, i * PA_PARTIAL_BYTES + (imaginary ? 8 : 0))),
                              PA_RESULTS(r->i64));
  MlirValue address = pa_value(at, "arith.addi", PA_OPERANDS(memory, offset), PA_RESULTS(r->i64));
  return pa_value(at, "llvm.inttoptr", PA_OPERANDS(address), PA_RESULTS(r->ptr));
}

static void store_partial(const reduction *r, pa_builder *at, MlirValue memory, MlirValue part, intptr_t i,
                          MlirValue value) {
  if (!mlirTypeIsAComplex(r->types[i])) {
    pa_op(at, "llvm.store", PA_OPERANDS(value, address_of(r, at, memory, part, i, false)));
    return;
  }
  MlirType element = mlirComplexTypeGetElementType(r->types[i]);
  for (int k = 0; k < 2; ++k) {
    MlirValue half = pa_value(at, k ? "complex.im" : "complex.re", PA_OPERANDS(value), PA_RESULTS(element));
    pa_op(at, "llvm.store", PA_OPERANDS(half, address_of(r, at, memory, part, i, k)));
  }
}

static MlirValue load_partial(const reduction *r, pa_builder *at, MlirValue part, intptr_t i) {
  if (!mlirTypeIsAComplex(r->types[i]))
    return pa_value(at, "llvm.load", PA_OPERANDS(address_of(r, at, r->memory.address, part, i, false)),
                    PA_RESULTS(r->types[i]));
  MlirType element = mlirComplexTypeGetElementType(r->types[i]);
  MlirValue halves[2];
  for (int k = 0; k < 2; ++k)
    halves[k] =
        pa_value(at, "llvm.load", PA_OPERANDS(address_of(r, at, r->memory.address, part, i, k)), PA_RESULTS(element));
  return pa_value(at, "complex.create", PA_OPERANDS(halves[0], halves[1]), PA_RESULTS(r->types[i]));
}

//===-- Order within a part -----------------------------------------------------------------------===//

static bool is_named(MlirOperation op, const char *const *names) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (; *names; ++names)
    if (mlirStringRefEqual(name, pa_ref(*names))) return true;
  return false;
}

typedef struct any_order {
  const reduction *r;
  MlirAttribute none, flags;
  pa_map seen; // values
} any_order;

// Follows the running value from |value|, through the branches and loops that carry it, to the end of the part.
static void allow_any_order(any_order *order, MlirValue value) {
  static const char *const steps[] = {"arith.addf", "arith.subf", "arith.mulf", NULL};
  const reduction *r = order->r;
  if (pa_map_get(&order->seen, value.ptr)) return;
  pa_map_put(r->s->arena, &order->seen, value.ptr, order);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use), parent = mlirOperationGetParentOperation(op);
    pa_op_kind kind = pa_kind(&r->s->names, op), outer = pa_kind(&r->s->names, parent);
    intptr_t number = mlirOpOperandGetOperandNumber(use);
    if (is_named(op, steps)) {
      if (mlirAttributeEqual(pa_get_attr(op, "fastmath"), order->none)) pa_set_attr(op, "fastmath", order->flags);
      allow_any_order(order, mlirOperationGetResult(op, 0));
    } else if (kind == PA_OP_SCF_FOR && number >= 3) {
      allow_any_order(order, mlirBlockGetArgument(pa_body(op, 0), number - 2));
    } else if (kind == PA_OP_SCF_YIELD && !mlirOperationEqual(parent, r->loop) &&
               (outer == PA_OP_SCF_FOR || outer == PA_OP_SCF_IF)) {
      allow_any_order(order, mlirOperationGetResult(parent, number));
    }
  }
}

//===-- The part ----------------------------------------------------------------------------------===//

// |values|: the bounds of the whole loop are not among them; the initial values, then the memory.
static void emit_part(const reduction *r, pa_builder *at, const MlirValue *values) {
  MlirBlock entry = at->block;
  MlirValue *operands = PA_NEW_ARRAY(r->s->arena, MlirValue, 3 + r->count);
  operands[0] = mlirBlockGetArgument(entry, PA_CHUNK_BEGIN);
  operands[1] = mlirBlockGetArgument(entry, PA_CHUNK_END);
  operands[2] = pa_constant_int(at, r->i64, 1);
  for (intptr_t i = 0; i < r->count; ++i) operands[3 + i] = pa_neutral(at, r->kinds[i], r->types[i], values[i]);
  any_order order = {.r = r,
                     .none = mlirAttributeParseGet(at->context, pa_ref("#arith.fastmath<none>")),
                     .flags = mlirAttributeParseGet(at->context, pa_ref("#arith.fastmath<reassoc>"))};
  for (intptr_t i = 0; i < r->count; ++i)
    if (!mlirTypeIsAComplex(r->types[i])) allow_any_order(&order, mlirBlockGetArgument(pa_body(r->loop, 0), 1 + i));
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(r->loop, 0));
  MlirOperation loop =
      pa_op(at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, 3 + r->count), PA_RESULT_ARRAY(r->types, r->count),
            PA_REGIONS(body), PA_ATTRS({"loop_annotation", pa_get_attr(r->loop, "loop_annotation")}));
  if (mlirOperationIsNull(loop)) return;
  for (intptr_t i = 0; i < r->count; ++i)
    store_partial(r, at, values[r->count], mlirBlockGetArgument(entry, PA_CHUNK_PART), i,
                  mlirOperationGetResult(loop, i));
}

static void emit_combination(const reduction *r, pa_builder *at) {
  MlirType *types = PA_NEW_ARRAY(r->s->arena, MlirType, 1 + r->count);
  MlirValue *operands = PA_NEW_ARRAY(r->s->arena, MlirValue, 3 + r->count),
            *results = PA_NEW_ARRAY(r->s->arena, MlirValue, r->count);
  types[0] = r->i64;
  memcpy(types + 1, r->types, (size_t)r->count * sizeof *types);
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, types, 1 + r->count, &inside);
  for (intptr_t i = 0; i < r->count; ++i) {
    MlirValue partial = load_partial(r, &inside, mlirBlockGetArgument(inside.block, 0), i);
    results[i] = pa_combine(&inside, r->kinds[i], r->types[i], mlirBlockGetArgument(inside.block, 1 + i), partial);
  }
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(results, r->count));
  pa_take_failure(at, &inside);
  operands[0] = pa_constant_int(at, r->i64, 0);
  operands[1] = r->parts;
  operands[2] = pa_constant_int(at, r->i64, 1);
  memcpy(operands + 3, r->inits, (size_t)r->count * sizeof *operands);
  MlirOperation loop = pa_op(at, PA_OP_NAME(SCF_FOR), PA_OPERAND_ARRAY(operands, 3 + r->count),
                             PA_RESULT_ARRAY(r->types, r->count), PA_REGIONS(region));
  for (intptr_t i = 0; i < r->count && !mlirOperationIsNull(loop); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->loop, i), mlirOperationGetResult(loop, i));
}

//===-- The whole ---------------------------------------------------------------------------------===//

static bool is_constant(MlirValue value, int64_t expected) {
  int64_t number;
  return pa_is_constant_int(value, &number) && number == expected;
}

// From 0 by 1, counted by an i64, with a place to raise MemoryError at.
static bool is_counted(const reduction *r) {
  MlirAttribute site = pa_get_attr(r->loop, "pyarray.memory_site");
  return mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(r->loop, 0)), r->i64) &&
         is_constant(mlirOperationGetOperand(r->loop, 0), 0) && is_constant(mlirOperationGetOperand(r->loop, 2), 1) &&
         pa_is_memory_site(site);
}

static pa_status read_loop(reduction *r) {
  MlirAttribute words = pa_get_attr(r->loop, "pyarray.threads");
  MlirLocation location = mlirOperationGetLocation(r->loop);
  r->count = mlirOperationGetNumResults(r->loop);
  if (!is_counted(r))
    return pa_fail_at(PA_CODE_INVALID, location,
                      "a scf.for with pyarray.threads counts from 0 by 1 in i64 and has a pyarray.memory_site");
  bool fits = mlirAttributeIsAArray(words) && mlirArrayAttrGetNumElements(words) == r->count && r->count;
  r->kinds = PA_NEW_ARRAY(r->s->arena, const char *, r->count + 1);
  r->types = PA_NEW_ARRAY(r->s->arena, MlirType, r->count + 1);
  r->inits = PA_NEW_ARRAY(r->s->arena, MlirValue, r->count + 1);
  for (intptr_t i = 0; fits && i < r->count; ++i) {
    r->kinds[i] = pa_attr_text(r->s->arena, mlirArrayAttrGetElement(words, i));
    r->types[i] = mlirValueGetType(mlirOperationGetResult(r->loop, i));
    r->inits[i] = mlirOperationGetOperand(r->loop, 3 + i);
    fits = r->kinds[i] && pa_is_reduction(r->kinds[i], r->types[i]);
  }
  if (fits) return PA_OK;
  return pa_fail_at(PA_CODE_INVALID, location,
                    "pyarray.threads of a scf.for has a reduction for each value that the loop carries");
}

pa_status pa_split_reduction(pa_splitting *s, MlirOperation loop) {
  MlirContext context = s->names.context;
  reduction r = {
      .s = s, .loop = loop, .i64 = mlirIntegerTypeGet(context, 64), .ptr = mlirLLVMPointerTypeGet(context, 0)};
  PA_TRY(read_loop(&r));
  pa_builder at = {.context = context,
                   .location = mlirOperationGetLocation(loop),
                   .block = mlirOperationGetBlock(loop),
                   .before = loop};
  MlirValue count = mlirOperationGetOperand(loop, 1);
  pa_private_copies copies = {0};
  PA_TRY(pa_find_private(s, loop, &copies));
  MlirValue grain = pa_private_grain(s, &at, &copies, count, pa_emit_grain(s, &at, loop));
  r.parts = pa_call_integers(s, &at, "pyarray_rt_parallel_parts", (MlirValue[]){count, grain}, 2);
  MlirValue bytes =
      pa_value(&at, "arith.muli", PA_OPERANDS(r.parts, pa_constant_int(&at, r.i64, r.count * PA_PARTIAL_BYTES)),
               PA_RESULTS(r.i64));
  r.memory = pa_allocate_parts(s, &at, bytes, pa_get_attr(loop, "pyarray.memory_site"));
  pa_allocate_private(s, &at, &copies, r.parts);
  if (pa_failed(&at)) return at.failure;
  // The initial values, the memory, and what the copies need.
  MlirValue *values = PA_NEW_ARRAY(s->arena, MlirValue, r.count + 1 + pa_private_capacity(&copies));
  memcpy(values, r.inits, (size_t)r.count * sizeof *values);
  values[r.count] = r.memory.address;
  intptr_t extra = r.count + 1 + pa_private_values(&copies, values + r.count + 1);
  pa_chunk chunk = pa_chunk_begin(s, loop, values, (size_t)extra);
  chunk.grain = grain;
  pa_builder inside;
  MlirRegion region = pa_chunk_open(s, &at, &chunk, values, extra, &inside);
  pa_open_private(s, &inside, &copies, values + r.count + 1);
  emit_part(&r, &inside, values);
  pa_chunk_close(s, &at, &chunk, &inside, region);
  pa_chunk_launch(s, &at, &chunk, count);
  pa_combine_private(s, &at, &copies);
  emit_combination(&r, &at);
  pa_release_parts(s, &at, r.memory);
  if (pa_failed(&at)) return at.failure;
  mlirOperationDestroy(loop);
  return PA_OK;
}
