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
#include <string.h>

#include "mlir-c/Dialect/LLVM.h"
#include "split_internal.h"

enum { PA_PARTIAL_BYTES = 16 }; // of one value of one part

typedef struct reduction {
  pa_splitting *s;
  MlirOperation loop;
  intptr_t count;
  const char **kinds;
  MlirType *types;
  MlirValue *inits;
  MlirValue memory, parts; // i64
  MlirType i32, i64, ptr;
} reduction;

//===-- What the words mean -----------------------------------------------------------------------===//

static bool is_kind(const char *kind, const char *text) { return strcmp(kind, text) == 0; }

// Combining the initial value again changes nothing.
static bool is_idempotent(const char *kind) { return !is_kind(kind, "add") && !is_kind(kind, "mul") && !is_kind(kind, "xor"); }

static MlirValue constant(pa_builder *at, MlirType type, double value) {
  if (mlirTypeIsAFloat(type)) return pa_constant_float(at, type, value);
  if (!mlirTypeIsAComplex(type)) return pa_constant_int(at, type, (int64_t)value);
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirAttribute parts[] = {mlirFloatAttrDoubleGet(at->context, part, value), mlirFloatAttrDoubleGet(at->context, part, value == 1 ? 0.0 : value)};
  return pa_value(at, "complex.constant", PA_RESULTS(type), PA_ATTRS({"value", mlirArrayAttrGet(at->context, 2, parts)}));
}

// -0.0 + x is x for every x, 0.0 + -0.0 is not.
static MlirValue neutral(const reduction *r, pa_builder *at, intptr_t i, MlirValue init) {
  if (is_idempotent(r->kinds[i])) return init;
  return constant(at, r->types[i], is_kind(r->kinds[i], "mul") ? 1.0 : -0.0);
}

static MlirValue compare(pa_builder *at, const char *name, int64_t predicate, MlirValue a, MlirValue b) {
  return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirIntegerTypeGet(at->context, 1)), PA_ATTRS({"predicate", pa_i64_attr(at->context, predicate)}));
}

// Python's min and max: the later value, where it compares less or greater.
static MlirValue select_extreme(pa_builder *at, const char *kind, MlirType type, MlirValue a, MlirValue b) {
  enum { OGT = 2, OLT = 4, SLT = 2, SGT = 4, ULT = 6, UGT = 8 }; // predicates of arith
  bool greater = strstr(kind, "max") != NULL;
  MlirValue better;
  if (mlirTypeIsAFloat(type))
    better = compare(at, "arith.cmpf", greater ? OGT : OLT, b, a);
  else
    better = compare(at, "arith.cmpi", *kind == 'u' ? (greater ? UGT : ULT) : (greater ? SGT : SLT), b, a);
  return pa_value(at, "arith.select", PA_OPERANDS(better, b, a), PA_RESULTS(type));
}

static MlirValue combine(pa_builder *at, const char *kind, MlirType type, MlirValue a, MlirValue b) {
  static const struct { const char *kind, *integer, *real, *complex; } names[] = {
      {"add", "arith.addi", "arith.addf", "complex.add"}, {"mul", "arith.muli", "arith.mulf", "complex.mul"},
      {"and", "arith.andi", NULL, NULL}, {"or", "arith.ori", NULL, NULL}, {"xor", "arith.xori", NULL, NULL},
  };
  if (is_kind(kind, "last")) return b;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!is_kind(kind, names[i].kind)) continue;
    const char *name = mlirTypeIsAFloat(type) ? names[i].real : mlirTypeIsAComplex(type) ? names[i].complex : names[i].integer;
    return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(type));
  }
  return select_extreme(at, kind, type, a, b);
}

static bool is_known(const char *kind, MlirType type) {
  static const char *const kinds[] = {"add", "mul", "last", "min", "max", "umin", "umax", "and", "or", "xor"};
  size_t i = 0;
  while (i < sizeof kinds / sizeof *kinds && !is_kind(kind, kinds[i])) ++i;
  if (i == sizeof kinds / sizeof *kinds) return false;
  if (mlirTypeIsAInteger(type)) return true;
  return mlirTypeIsAComplex(type) ? i < 3 : mlirTypeIsAFloat(type) && i < 5;
}

//===-- Memory of the parts -----------------------------------------------------------------------===//

// The address of value |i| of part |part| (i64), or of the imaginary part there.
static MlirValue address_of(const reduction *r, pa_builder *at, MlirValue memory, MlirValue part, intptr_t i, bool imaginary) {
  MlirValue row = pa_value(at, "arith.muli", PA_OPERANDS(part, pa_constant_int(at, r->i64, r->count * PA_PARTIAL_BYTES)), PA_RESULTS(r->i64));
  MlirValue offset = pa_value(at, "arith.addi", PA_OPERANDS(row, pa_constant_int(at, r->i64, i * PA_PARTIAL_BYTES + (imaginary ? 8 : 0))), PA_RESULTS(r->i64));
  MlirValue address = pa_value(at, "arith.addi", PA_OPERANDS(memory, offset), PA_RESULTS(r->i64));
  return pa_value(at, "llvm.inttoptr", PA_OPERANDS(address), PA_RESULTS(r->ptr));
}

static void store_partial(const reduction *r, pa_builder *at, MlirValue memory, MlirValue part, intptr_t i, MlirValue value) {
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
    return pa_value(at, "llvm.load", PA_OPERANDS(address_of(r, at, r->memory, part, i, false)), PA_RESULTS(r->types[i]));
  MlirType element = mlirComplexTypeGetElementType(r->types[i]);
  MlirValue halves[2];
  for (int k = 0; k < 2; ++k) halves[k] = pa_value(at, "llvm.load", PA_OPERANDS(address_of(r, at, r->memory, part, i, k)), PA_RESULTS(element));
  return pa_value(at, "complex.create", PA_OPERANDS(halves[0], halves[1]), PA_RESULTS(r->types[i]));
}

static void declare(const reduction *r, pa_builder *at, const char *name, const MlirType *inputs, intptr_t count, bool result) {
  if (!mlirOperationIsNull(pa_lookup(r->s->module, pa_ref(name)))) return;
  pa_builder builder = *at;
  builder.block = pa_module_body(r->s->module);
  builder.before = r->s->function;
  pa_op(&builder, "func.func", PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(at->context, name)},
                 {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(at->context, count, inputs, result, &r->i64))},
                 {"sym_visibility", pa_string_attr(at->context, "private")}));
  pa_take_failure(at, &builder);
}

static MlirValue call(const reduction *r, pa_builder *at, const char *name, MlirValue *operands, intptr_t count) {
  MlirType inputs[] = {r->i64, r->i64};
  declare(r, at, name, inputs, count, true);
  return pa_value(at, "func.call", PA_OPERAND_ARRAY(operands, count), PA_RESULTS(r->i64), PA_ATTRS({"callee", pa_symbol_attr(at->context, name)}));
}

// A slot in the function's first block, from which the error path releases the memory.
static MlirValue owner_slot(const reduction *r, pa_builder *at) {
  pa_builder builder = *at;
  builder.block = pa_body(r->s->function, 0);
  builder.before = mlirBlockGetFirstOperation(builder.block);
  int32_t segments[] = {0, 0};
  MlirType type = mlirMemRefTypeContiguousGet(r->i64, 0, NULL, mlirAttributeGetNull());
  MlirValue slot = pa_value(&builder, "memref.alloca", PA_RESULTS(type),
                            PA_ATTRS({"pyarray.owner_slot", pa_unit_attr(at->context)}, {"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, segments)}));
  MlirValue none = pa_constant_int(&builder, r->i64, 0);
  pa_op(&builder, "memref.store", PA_OPERANDS(none, slot));
  pa_take_failure(at, &builder);
  return slot;
}

static MlirValue allocate(reduction *r, pa_builder *at) {
  MlirValue slot = owner_slot(r, at);
  MlirValue bytes = pa_value(at, "arith.muli", PA_OPERANDS(r->parts, pa_constant_int(at, r->i64, r->count * PA_PARTIAL_BYTES)), PA_RESULTS(r->i64));
  r->memory = call(r, at, "pyarray_rt_allocate", &bytes, 1);
  pa_op(at, "memref.store", PA_OPERANDS(r->memory, slot));
  return slot;
}

static void raise_without_memory(const reduction *r, pa_builder *at) {
  pa_declare_noreturn(r->s, at, "pyarray_rt_raise", &r->i32, 1);
  MlirValue none = compare(at, "arith.cmpi", 0, r->memory, pa_constant_int(at, r->i64, 0));
  pa_builder inside;
  MlirRegion then = pa_inner_region(at, NULL, 0, &inside);
  MlirValue site = pa_constant_int(&inside, r->i32, mlirIntegerAttrGetValueInt(pa_get_attr(r->loop, "pyarray.memory_site")));
  pa_op(&inside, "func.call", PA_OPERANDS(site), PA_ATTRS({"callee", pa_symbol_attr(at->context, "pyarray_rt_raise")}));
  pa_op(&inside, "scf.yield", PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  pa_op(at, "scf.if", PA_OPERANDS(none), PA_REGIONS(then, mlirRegionCreate()));
}

static void release(const reduction *r, pa_builder *at, MlirValue slot) {
  declare(r, at, "pyarray_rt_release", &r->i64, 1, false);
  MlirValue none = pa_constant_int(at, r->i64, 0);
  pa_op(at, "memref.store", PA_OPERANDS(none, slot));
  pa_op(at, "func.call", PA_OPERANDS(r->memory), PA_ATTRS({"callee", pa_symbol_attr(at->context, "pyarray_rt_release")}));
}

//===-- The part ----------------------------------------------------------------------------------===//

// |values|: the bounds of the whole loop are not among them; the initial values, then the memory.
static void emit_part(const reduction *r, pa_builder *at, const MlirValue *values) {
  MlirBlock entry = at->block;
  MlirValue *operands = PA_NEW_ARRAY(r->s->arena, MlirValue, 3 + r->count);
  operands[0] = mlirBlockGetArgument(entry, PA_CHUNK_BEGIN);
  operands[1] = mlirBlockGetArgument(entry, PA_CHUNK_END);
  operands[2] = pa_constant_int(at, r->i64, 1);
  for (intptr_t i = 0; i < r->count; ++i) operands[3 + i] = neutral(r, at, i, values[i]);
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(r->loop, 0));
  MlirOperation loop = pa_op(at, "scf.for", PA_OPERAND_ARRAY(operands, 3 + r->count), PA_RESULT_ARRAY(r->types, r->count), PA_REGIONS(body),
                             PA_ATTRS({"loop_annotation", pa_get_attr(r->loop, "loop_annotation")}));
  if (mlirOperationIsNull(loop)) return;
  for (intptr_t i = 0; i < r->count; ++i)
    store_partial(r, at, values[r->count], mlirBlockGetArgument(entry, PA_CHUNK_PART), i, mlirOperationGetResult(loop, i));
}

static void emit_combination(const reduction *r, pa_builder *at) {
  MlirType *types = PA_NEW_ARRAY(r->s->arena, MlirType, 1 + r->count);
  MlirValue *operands = PA_NEW_ARRAY(r->s->arena, MlirValue, 3 + r->count), *results = PA_NEW_ARRAY(r->s->arena, MlirValue, r->count);
  types[0] = r->i64;
  memcpy(types + 1, r->types, (size_t)r->count * sizeof *types);
  pa_builder inside;
  MlirRegion region = pa_inner_region(at, types, 1 + r->count, &inside);
  for (intptr_t i = 0; i < r->count; ++i) {
    MlirValue partial = load_partial(r, &inside, mlirBlockGetArgument(inside.block, 0), i);
    results[i] = combine(&inside, r->kinds[i], r->types[i], mlirBlockGetArgument(inside.block, 1 + i), partial);
  }
  pa_op(&inside, "scf.yield", PA_OPERAND_ARRAY(results, r->count));
  pa_take_failure(at, &inside);
  operands[0] = pa_constant_int(at, r->i64, 0);
  operands[1] = r->parts;
  operands[2] = pa_constant_int(at, r->i64, 1);
  memcpy(operands + 3, r->inits, (size_t)r->count * sizeof *operands);
  MlirOperation loop = pa_op(at, "scf.for", PA_OPERAND_ARRAY(operands, 3 + r->count), PA_RESULT_ARRAY(r->types, r->count), PA_REGIONS(region));
  for (intptr_t i = 0; i < r->count && !mlirOperationIsNull(loop); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->loop, i), mlirOperationGetResult(loop, i));
}

//===-- The whole ---------------------------------------------------------------------------------===//

static bool is_constant(MlirValue value, int64_t expected) {
  if (!pa_defined_by(value, "arith.constant")) return false;
  MlirAttribute constant = pa_get_attr(mlirOpResultGetOwner(value), "value");
  return mlirAttributeIsAInteger(constant) && mlirIntegerAttrGetValueInt(constant) == expected;
}

// From 0 by 1, counted by an i64, with a place to raise MemoryError at.
static bool is_counted(const reduction *r) {
  MlirAttribute site = pa_get_attr(r->loop, "pyarray.memory_site");
  return mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(r->loop, 0)), r->i64) && is_constant(mlirOperationGetOperand(r->loop, 0), 0) &&
         is_constant(mlirOperationGetOperand(r->loop, 2), 1) && !mlirAttributeIsNull(site) && mlirAttributeIsAInteger(site);
}

static pa_status read_loop(reduction *r) {
  MlirAttribute words = pa_get_attr(r->loop, "pyarray.threads");
  MlirLocation location = mlirOperationGetLocation(r->loop);
  r->count = mlirOperationGetNumResults(r->loop);
  if (!is_counted(r))
    return pa_fail_at(PA_CODE_INVALID, location, "a scf.for with pyarray.threads counts from 0 by 1 in i64 and has a pyarray.memory_site");
  bool fits = mlirAttributeIsAArray(words) && mlirArrayAttrGetNumElements(words) == r->count && r->count;
  r->kinds = PA_NEW_ARRAY(r->s->arena, const char *, r->count + 1);
  r->types = PA_NEW_ARRAY(r->s->arena, MlirType, r->count + 1);
  r->inits = PA_NEW_ARRAY(r->s->arena, MlirValue, r->count + 1);
  for (intptr_t i = 0; fits && i < r->count; ++i) {
    r->kinds[i] = pa_attr_text(r->s->arena, mlirArrayAttrGetElement(words, i));
    r->types[i] = mlirValueGetType(mlirOperationGetResult(r->loop, i));
    r->inits[i] = mlirOperationGetOperand(r->loop, 3 + i);
    fits = r->kinds[i] && is_known(r->kinds[i], r->types[i]);
  }
  if (fits) return PA_OK;
  return pa_fail_at(PA_CODE_INVALID, location, "pyarray.threads of a scf.for has a reduction for each value that the loop carries");
}

pa_status pa_split_reduction(pa_splitting *s, MlirOperation loop) {
  MlirContext context = s->names.context;
  reduction r = {.s = s, .loop = loop, .i32 = mlirIntegerTypeGet(context, 32), .i64 = mlirIntegerTypeGet(context, 64), .ptr = mlirLLVMPointerTypeGet(context, 0)};
  PA_TRY(read_loop(&r));
  pa_builder at = {.context = context, .location = mlirOperationGetLocation(loop), .block = mlirOperationGetBlock(loop), .before = loop};
  MlirValue count = mlirOperationGetOperand(loop, 1), grain = pa_constant_int(&at, r.i64, pa_grain_of(s, loop));
  r.parts = call(&r, &at, "pyarray_rt_parallel_parts", (MlirValue[]){count, grain}, 2);
  MlirValue slot = allocate(&r, &at), *values = PA_NEW_ARRAY(s->arena, MlirValue, r.count + 1);
  raise_without_memory(&r, &at);
  if (pa_failed(&at)) return at.failure;
  memcpy(values, r.inits, (size_t)r.count * sizeof *values);
  values[r.count] = r.memory;
  pa_chunk chunk = pa_chunk_begin(s, loop, values, (size_t)r.count + 1);
  chunk.grain = grain;
  pa_builder inside;
  MlirRegion region = pa_chunk_open(s, &at, &chunk, values, r.count + 1, &inside);
  emit_part(&r, &inside, values);
  pa_chunk_close(s, &at, &chunk, &inside, region);
  pa_chunk_launch(s, &at, &chunk, count);
  emit_combination(&r, &at);
  release(&r, &at, slot);
  if (pa_failed(&at)) return at.failure;
  mlirOperationDestroy(loop);
  return PA_OK;
}
