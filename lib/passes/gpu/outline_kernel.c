// pyarray-outline-kernel: what is compiled for a GPU goes into a gpu.module.
//
// In:  level 4, with an entry function whose option target is "cuda".
//
//   func.func @saxpy$0(%a: f32, %x: memref<?xf32, strided<[1], offset: ?>>, %owner: i64) -> (i32)
//       attributes {pyarray.entry, pyarray.kernel, pyarray.options = {target = "cuda"}} {
//     %s = memref.alloca() {pyarray.shared} : memref<32xf32, #gpu.address_space<workgroup>>
//     ...
//     return %c0 : i32
//   }
//
// Out: level 5. Parameters are slots of 8 bytes (docs/internals-cuda.md), of which memrefs and scalars are made again;
// shared arrays are workgroup attributions.
//
//   gpu.module @kernels {
//     gpu.func @saxpy(%a: i64, %x_data: !llvm.ptr, %x_size: i64, %x_stride: i64)
//         workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel attributes {pyarray.extents = array<i32:
//         2>} {
//       ...
//       gpu.return
//     }
//   }
//
// An entry without pyarray.kernel is a device function: it stays as it is, and a function with the C calling
// convention, under the Python name, calls it. Functions and globals that are left go into the gpu.module too. Other
// modules are left alone.
#include <ctype.h>
#include <string.h>

#include "cooperative.h"
#include "ir/ir.h"
#include "pass.h"
#include "support/linked.h"

enum { STATIC_SHARED_LIMIT = 48 * 1024, SHARED_ALIGNMENT = 16 };

typedef struct outliner {
  pa_arena *arena;
  MlirContext context;
  pa_names names;
  MlirOperation module, entry;
  MlirBlock kernels; // body of the gpu.module
  MlirType i1, i8, i32, i64, index, ptr;
} outliner;

static bool has_attr(MlirOperation op, const char *name) { return !mlirAttributeIsNull(pa_get_attr(op, name)); }
static pa_builder builder_before(outliner *o, MlirOperation op) {
  return (pa_builder){.context = o->context,
                      .block = mlirOperationGetBlock(op),
                      .before = op,
                      .location = mlirOperationGetLocation(op)};
}

//===-- Names -------------------------------------------------------------------------------------===//

// Also by a function of other code.
static bool is_taken(outliner *o, const char *name) {
  static const char *const names[] = {"sym_name", PA_LINKED};
  PA_FOR_EACH_OP(op, o->kernels)
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (has_attr(op, names[i]) && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, names[i])), name)) return true;
  return false;
}

// The last part of the Python name, as PTX allows it.
static const char *usual_name(outliner *o) {
  const char *name = pa_attr_text(o->arena, pa_get_attr(o->entry, "pyarray.qualname"));
  if (!name) name = pa_attr_text(o->arena, pa_get_attr(o->entry, "sym_name"));
  const char *dot = strrchr(name, '.');
  if (dot) name = dot + 1;
  char *copy = pa_arena_format(o->arena, "%s%s", isdigit((unsigned char)*name) ? "_" : "", name);
  for (char *c = copy; *c; ++c)
    if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
  while (is_taken(o, copy)) copy = pa_arena_format(o->arena, "%s_", copy); // a function of libm, say
  return copy;
}

// The name that was asked for is no other: who links the code calls it by that name.
static pa_status exported_name(outliner *o, MlirAttribute *out_name) {
  const char *asked = pa_attr_text(o->arena, pa_get_attr(o->entry, "pyarray.export_name"));
  if (asked && is_taken(o, asked))
    return pa_fail_at(PA_CODE_LINK, mlirOperationGetLocation(o->entry),
                      "abi_name is '%s', which is the name of a function that the code calls: it needs another one",
                      asked);
  *out_name = pa_string_attr(o->context, asked ? asked : usual_name(o));
  return PA_OK;
}

//===-- Parameters --------------------------------------------------------------------------------===//

typedef struct parameters {
  outliner *o;
  pa_builder builder; // at the start of the body
  MlirBlock block;
  intptr_t count;   // slots so far: the block's first arguments
  int32_t *extents; // numbers of slots that hold an array's extents
  size_t extent_count, extent_capacity;
  bool numbers; // pyarray.numbers: strides are what the slots say, whatever the type
} parameters;

static MlirValue take_slot(parameters *p, MlirType type) {
  return mlirBlockInsertArgument(p->block, p->count++, type, p->builder.location);
}

static void note_extent(parameters *p, intptr_t slot) {
  p->extents = pa_arena_grow(p->o->arena, p->extents, p->extent_count, &p->extent_capacity, sizeof *p->extents);
  p->extents[p->extent_count++] = (int32_t)slot;
}

static MlirValue constant(parameters *p, int64_t value) { return pa_llvm_constant(&p->builder, p->o->i64, value); }

static MlirValue insert(parameters *p, MlirValue descriptor, MlirValue value, int64_t first, int64_t second) {
  int64_t position[] = {first, second};
  return pa_value(&p->builder, "llvm.insertvalue", PA_OPERANDS(descriptor, value),
                  PA_RESULTS(mlirValueGetType(descriptor)),
                  PA_ATTRS({"position", mlirDenseI64ArrayGet(p->o->context, second < 0 ? 1 : 2, position)}));
}

// The memref at a pointer, made as the conversion to llvm would. Extents and strides that its type says are constants,
// but have their slots nevertheless.
static MlirValue take_memref(parameters *p, MlirType type) {
  outliner *o = p->o;
  int64_t rank = mlirShapedTypeGetRank(type), offset, strides[64];
  const char *text = "!llvm.struct<(ptr, ptr, i64)>";
  if (rank)
    text = pa_arena_format(o->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", (int)rank,
                           (int)rank);
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  MlirType descriptor = mlirTypeParseGet(o->context, pa_ref(text));
  MlirValue data = take_slot(p, o->ptr), value = pa_value(&p->builder, "llvm.mlir.poison", PA_RESULTS(descriptor));
  for (int i = 0; i < 2 && !pa_failed(&p->builder); ++i) value = insert(p, value, data, i, -1);
  if (!pa_failed(&p->builder)) value = insert(p, value, constant(p, 0), 2, -1);
  for (int64_t i = 0; i < 2 * rank && !pa_failed(&p->builder); ++i) {
    int64_t known = i < rank ? mlirShapedTypeGetDimSize(type, i) : strides[i - rank];
    bool dynamic = (p->numbers && i >= rank) ||
                   known == (i < rank ? mlirShapedTypeGetDynamicSize() : mlirShapedTypeGetDynamicStrideOrOffset());
    if (i < rank) note_extent(p, p->count);
    MlirValue slot = take_slot(p, o->i64);
    value = insert(p, value, dynamic ? slot : constant(p, known), i < rank ? 3 : 4, i % rank);
  }
  if (pa_failed(&p->builder)) return value;
  return pa_value(&p->builder, "builtin.unrealized_conversion_cast", PA_OPERANDS(value), PA_RESULTS(type));
}

// The low bits of |slot| as a number.
static MlirValue from_slot(parameters *p, MlirValue slot, MlirType type) {
  outliner *o = p->o;
  if (mlirTypeEqual(type, o->i64)) return slot;
  if (mlirTypeEqual(type, o->ptr)) return pa_value(&p->builder, "llvm.inttoptr", PA_OPERANDS(slot), PA_RESULTS(type));
  if (mlirTypeIsAInteger(type)) return pa_value(&p->builder, "arith.trunci", PA_OPERANDS(slot), PA_RESULTS(type));
  MlirValue bits = slot;
  unsigned width = mlirFloatTypeGetWidth(type);
  if (width < 64)
    bits = pa_value(&p->builder, "arith.trunci", PA_OPERANDS(slot), PA_RESULTS(mlirIntegerTypeGet(o->context, width)));
  return pa_value(&p->builder, "arith.bitcast", PA_OPERANDS(bits), PA_RESULTS(type));
}

static MlirValue take_complex(parameters *p, MlirType type) {
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirValue slot = take_slot(p, p->o->i64), real = from_slot(p, slot, part), imag;
  if (mlirTypeIsAF32(part)) {
    MlirValue shift = pa_constant_int(&p->builder, p->o->i64, 32);
    imag = from_slot(p, pa_value(&p->builder, "arith.shrui", PA_OPERANDS(slot, shift), PA_RESULTS(p->o->i64)), part);
  } else {
    imag = from_slot(p, take_slot(p, p->o->i64), part);
  }
  return pa_value(&p->builder, "complex.create", PA_OPERANDS(real, imag), PA_RESULTS(type));
}

// Replaces the arguments of the body by slots, in order, and what is made of them.
static pa_status make_parameters(parameters *p) {
  intptr_t old = mlirBlockGetNumArguments(p->block);
  MlirValue *arguments = PA_NEW_ARRAY(p->o->arena, MlirValue, old + 1),
            *made = PA_NEW_ARRAY(p->o->arena, MlirValue, old + 1);
  for (intptr_t i = 0; i < old; ++i) arguments[i] = mlirBlockGetArgument(p->block, i);
  for (intptr_t i = 0; i < old; ++i) {
    MlirType type = mlirValueGetType(arguments[i]);
    if (mlirTypeIsAMemRef(type)) {
      made[i] = take_memref(p, type);
      if (++i < old) made[i] = constant(p, 0); // its owner
    } else if (mlirTypeIsAComplex(type)) {
      made[i] = take_complex(p, type);
    } else {
      made[i] = from_slot(p, take_slot(p, p->o->i64), type);
    }
    PA_TRY(p->builder.failure);
  }
  for (intptr_t i = 0; i < old; ++i) mlirValueReplaceAllUsesOfWith(arguments[i], made[i]);
  for (intptr_t i = old; i-- > 0;) mlirBlockEraseArgument(p->block, (unsigned)(p->count + i));
  return PA_OK;
}

//===-- Shared memory -----------------------------------------------------------------------------===//

typedef struct shared_search {
  pa_op_list arrays, dynamic, sizes;
} shared_search;

static MlirWalkResult find_shared(MlirOperation op, void *data) {
  shared_search *search = data;
  if (has_attr(op, "pyarray.shared")) pa_op_list_add(&search->arrays, op);
  if (pa_op_is(op, "gpu.dynamic_shared_memory")) pa_op_list_add(&search->dynamic, op);
  MlirAttribute callee = pa_op_is(op, "func.call") ? pa_get_attr(op, "callee") : (MlirAttribute){NULL};
  if (!mlirAttributeIsNull(callee) &&
      pa_ref_equal(mlirFlatSymbolRefAttrGetValue(callee), "pyarray_dev_dynamic_shared_bytes"))
    pa_op_list_add(&search->sizes, op);
  return MlirWalkResultAdvance;
}

static shared_search search_shared(outliner *o, MlirOperation function) {
  shared_search search = {{.arena = o->arena}, {.arena = o->arena}, {.arena = o->arena}};
  mlirOperationWalk(function, find_shared, &search, MlirWalkPreOrder);
  return search;
}

static int64_t bytes_of(MlirType element) {
  if (mlirTypeIsAComplex(element)) return 2 * bytes_of(mlirComplexTypeGetElementType(element));
  if (mlirTypeIsAInteger(element)) return (mlirIntegerTypeGetWidth(element) + 7) / 8;
  return mlirTypeIsAF64(element) ? 8 : mlirTypeIsAF32(element) ? 4 : 2;
}

static int64_t alignment_of(MlirOperation op, const char *name) {
  MlirAttribute alignment = pa_get_attr(op, name);
  int64_t value = mlirAttributeIsNull(alignment) ? SHARED_ALIGNMENT : mlirIntegerAttrGetValueInt(alignment);
  return value < SHARED_ALIGNMENT ? SHARED_ALIGNMENT : value;
}

// Where the array begins that has what is before |at| in front of it.
static int64_t aligned(int64_t at, MlirOperation alloca) {
  int64_t alignment = alignment_of(alloca, "alignment");
  return (at + alignment - 1) / alignment * alignment;
}

// Saturates, so that absurd shapes are told from others below.
static int64_t shared_bytes(MlirOperation alloca) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloca, 0));
  int64_t bytes = bytes_of(mlirShapedTypeGetElementType(type));
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, i), &bytes) || bytes > INT32_MAX) return INT32_MAX;
  return (bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
}

// Puts the arrays at the start of the dynamic shared memory, and what the user has there behind them.
static pa_status move_to_dynamic(outliner *o, shared_search *search, int64_t total) {
  int64_t shape[] = {mlirShapedTypeGetDynamicSize()};
  int64_t at = 0;
  for (size_t i = 0; i < search->arrays.count; ++i) {
    MlirOperation alloca = search->arrays.items[i];
    MlirValue array = mlirOperationGetResult(alloca, 0);
    pa_builder builder = builder_before(o, alloca);
    MlirAttribute space = mlirMemRefTypeGetMemorySpace(mlirValueGetType(array));
    MlirType all = mlirMemRefTypeContiguousGet(o->i8, 1, shape, space);
    MlirValue memory = pa_value(&builder, "gpu.dynamic_shared_memory", PA_RESULTS(all));
    at = aligned(at, alloca);
    MlirValue offset = pa_constant_int(&builder, o->index, at);
    MlirValue view =
        pa_value(&builder, "memref.view", PA_OPERANDS(memory, offset), PA_RESULTS(mlirValueGetType(array)));
    PA_TRY(builder.failure);
    at += shared_bytes(alloca);
    mlirValueReplaceAllUsesOfWith(array, view);
    mlirOperationDestroy(alloca);
  }
  for (size_t i = 0; i < search->dynamic.count; ++i) {
    MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(search->dynamic.items[i], 0));
    for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation view = mlirOpOperandGetOwner(use);
      pa_builder builder = builder_before(o, view);
      mlirOperationSetOperand(view, 1, pa_constant_int(&builder, o->index, total));
      PA_TRY(builder.failure);
    }
  }
  for (size_t i = 0; i < search->sizes.count; ++i) {
    MlirValue bytes = mlirOperationGetResult(search->sizes.items[i], 0);
    pa_builder builder = builder_before(o, search->sizes.items[i]);
    MlirValue taken = pa_constant_int(&builder, o->i64, total);
    builder.before = mlirOperationGetNextInBlock(search->sizes.items[i]);
    MlirValue rest = pa_value(&builder, "arith.subi", PA_OPERANDS(bytes, taken), PA_RESULTS(o->i64));
    PA_TRY(builder.failure);
    mlirValueReplaceAllUsesExcept(bytes, rest, 1, (MlirOperation[]){mlirOpResultGetOwner(rest)});
  }
  return PA_OK;
}

typedef struct attributions {
  intptr_t count;            // the last arguments of the kernel's block
  MlirAttribute *attributes; // a dictionary for each
  int64_t moved;             // bytes that became dynamic
  int64_t alignment;         // of the dynamic memory
} attributions;

static pa_status attribute_shared(outliner *o, MlirOperation function, MlirBlock block, attributions *out) {
  shared_search search = search_shared(o, function);
  int64_t total = 0, alignment = SHARED_ALIGNMENT, most = SHARED_ALIGNMENT;
  for (size_t i = 0; i < search.arrays.count; ++i) {
    total = aligned(total, search.arrays.items[i]) + shared_bytes(search.arrays.items[i]);
    if (alignment_of(search.arrays.items[i], "alignment") > most)
      most = alignment_of(search.arrays.items[i], "alignment");
  }
  for (size_t i = 0; i < search.dynamic.count; ++i) {
    if (alignment_of(search.dynamic.items[i], "pyarray.alignment") > alignment)
      alignment = alignment_of(search.dynamic.items[i], "pyarray.alignment");
    mlirOperationRemoveDiscardableAttributeByName(search.dynamic.items[i], pa_ref("pyarray.alignment"));
  }
  bool behind =
      total &&
      alignment >
          SHARED_ALIGNMENT; // drivers put the dynamic memory right behind the static, at a multiple of SHARED_ALIGNMENT
  *out = (attributions){.moved = total > STATIC_SHARED_LIMIT || behind ? (total + alignment - 1) / alignment * alignment
                                                                       : 0};
  out->alignment = out->moved && most > alignment ? most : alignment;
  if (out->moved) return move_to_dynamic(o, &search, out->moved);
  out->attributes = PA_NEW_ARRAY(o->arena, MlirAttribute, search.arrays.count + 1);
  for (size_t i = 0; i < search.arrays.count; ++i) {
    MlirOperation alloca = search.arrays.items[i];
    MlirValue array = mlirOperationGetResult(alloca, 0);
    MlirValue argument = mlirBlockAddArgument(block, mlirValueGetType(array), mlirOperationGetLocation(alloca));
    mlirValueReplaceAllUsesOfWith(array, argument);
    MlirNamedAttribute named = mlirNamedAttributeGet(mlirIdentifierGet(o->context, pa_ref("llvm.align")),
                                                     pa_i64_attr(o->context, alignment_of(alloca, "alignment")));
    out->attributes[out->count++] =
        mlirDictionaryAttrGet(o->context, alignment_of(alloca, "alignment") > SHARED_ALIGNMENT, &named);
    mlirOperationDestroy(alloca);
  }
  return PA_OK;
}

// Functions that are no kernels have no attributions: their shared arrays are globals.
static pa_status globalize_shared(outliner *o, MlirOperation function) {
  shared_search search = search_shared(o, function);
  for (size_t i = 0; i < search.arrays.count; ++i) {
    MlirOperation alloca = search.arrays.items[i];
    MlirValue array = mlirOperationGetResult(alloca, 0);
    MlirStringRef owner = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
    const char *name = pa_arena_format(o->arena, "%.*s.shared%zu", (int)owner.length, owner.data, i);
    pa_builder at_module = {.context = o->context, .block = o->kernels, .location = mlirOperationGetLocation(alloca)};
    pa_op(&at_module, "memref.global",
          PA_ATTRS({"sym_name", pa_string_attr(o->context, name)},
                   {"sym_visibility", pa_string_attr(o->context, "private")},
                   {"type", mlirTypeAttrGet(mlirValueGetType(array))}, {"initial_value", pa_unit_attr(o->context)},
                   {"alignment", pa_get_attr(alloca, "alignment")}));
    PA_TRY(at_module.failure);
    pa_builder builder = builder_before(o, alloca);
    MlirValue global = pa_value(&builder, "memref.get_global", PA_RESULTS(mlirValueGetType(array)),
                                PA_ATTRS({"name", pa_symbol_attr(o->context, name)}));
    PA_TRY(builder.failure);
    mlirValueReplaceAllUsesOfWith(array, global);
    mlirOperationDestroy(alloca);
  }
  return PA_OK;
}

//===-- The kernel --------------------------------------------------------------------------------===//

static MlirWalkResult find_call(MlirOperation op, void *data) {
  MlirAttribute *callee = data;
  if (!pa_op_is(op, "func.call") || !mlirAttributeEqual(pa_get_attr(op, "callee"), *callee))
    return MlirWalkResultAdvance;
  *callee = (MlirAttribute){NULL};
  return MlirWalkResultInterrupt;
}

static bool is_called(outliner *o, MlirOperation function) {
  MlirAttribute callee =
      mlirFlatSymbolRefAttrGet(o->context, mlirStringAttrGetValue(pa_get_attr(function, "sym_name")));
  mlirOperationWalk(o->module, find_call, &callee, MlirWalkPreOrder);
  return mlirAttributeIsNull(callee);
}

static MlirType block_type(outliner *o, MlirBlock block, intptr_t count) {
  MlirType *types = PA_NEW_ARRAY(o->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  return mlirFunctionTypeGet(o->context, count, types, 0, NULL);
}

static pa_status outline_kernel(outliner *o) {
  MlirOperation entry = o->entry;
  MlirLocation location = mlirOperationGetLocation(entry);
  if (mlirFunctionTypeGetNumResults(mlirTypeAttrGetValue(pa_get_attr(entry, "function_type"))) > 1)
    return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(mlirBlockGetTerminator(pa_body(entry, 0))),
                      "a kernel returns nothing\nhint: store the result to an array that is an argument");
  if (is_called(o, entry)) return pa_fail_at(PA_CODE_UNSUPPORTED, location, "a kernel cannot call itself");
  MlirBlock block = pa_body(entry, 0);
  MlirOperation last = mlirBlockGetTerminator(block);
  parameters p = {.o = o,
                  .numbers = !mlirAttributeIsNull(pa_get_attr(entry, "pyarray.numbers")),
                  .builder = {.context = o->context,
                              .block = block,
                              .before = mlirBlockGetFirstOperation(block),
                              .location = location},
                  .block = block};
  PA_TRY(make_parameters(&p));
  attributions shared;
  MlirAttribute name;
  PA_TRY(exported_name(o, &name));
  PA_TRY(attribute_shared(o, entry, block, &shared));
  pa_builder end = builder_before(o, last);
  pa_op(&end, "gpu.return");
  PA_TRY(end.failure);
  mlirOperationDestroy(last);
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(entry, 0));
  pa_builder builder = {.context = o->context, .block = o->kernels, .location = location};
  MlirAttribute extents = mlirDenseI32ArrayGet(o->context, (intptr_t)p.extent_count, p.extents), none = {NULL};
  pa_op(&builder, "gpu.func",
        PA_ATTRS({"sym_name", name}, {"function_type", mlirTypeAttrGet(block_type(o, block, p.count))},
                 {"gpu.kernel", pa_unit_attr(o->context)}, {"pyarray.exported", pa_unit_attr(o->context)},
                 {"workgroup_attributions", pa_i64_attr(o->context, shared.count)},
                 {"workgroup_attrib_attrs",
                  shared.count ? mlirArrayAttrGet(o->context, shared.count, shared.attributes) : none},
                 {"pyarray.qualname", pa_get_attr(entry, "pyarray.qualname")},
                 {"pyarray.extents", p.extent_count ? extents : none},
                 {"pyarray.dynamic_shared", shared.moved ? pa_i64_attr(o->context, shared.moved) : none},
                 {"pyarray.dynamic_alignment",
                  shared.alignment > SHARED_ALIGNMENT ? pa_i64_attr(o->context, shared.alignment) : none},
                 {"pyarray.points", pa_get_attr(entry, "pyarray.points")},
                 {"pyarray.registers", pa_get_attr(entry, "pyarray.registers")}),
        PA_REGIONS(body));
  mlirOperationDestroy(entry);
  return builder.failure;
}

//===-- The device function -----------------------------------------------------------------------===//

// In the C calling convention bool is a byte.
static MlirValue convert_bool(parameters *p, MlirValue value, MlirType to) {
  bool shrinks = mlirTypeEqual(to, p->o->i1);
  return pa_value(&p->builder, shrinks ? "arith.trunci" : "arith.extui", PA_OPERANDS(value), PA_RESULTS(to));
}

// The arguments of the device function, of type |type|, made of what comes by the C calling convention.
static MlirValue *take_c_arguments(parameters *p, MlirType type) {
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  MlirValue *arguments = PA_NEW_ARRAY(p->o->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count && !pa_failed(&p->builder); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if (mlirTypeIsAMemRef(input)) {
      arguments[i] = take_memref(p, input);
      arguments[++i] = constant(p, 0); // its owner
    } else if (mlirTypeEqual(input, p->o->i1)) {
      arguments[i] = convert_bool(p, take_slot(p, p->o->i8), input);
    } else if (mlirTypeIsAComplex(input)) {
      p->builder.failure = pa_fail_at(PA_CODE_UNSUPPORTED, p->builder.location,
                                      "a device function with the C calling convention takes no complex numbers");
    } else {
      arguments[i] = take_slot(p, input);
    }
  }
  return arguments;
}

// Calls |function| and returns its result; nobody is there to see the status. The type of the function under
// construction.
static MlirType call_and_return(parameters *p, MlirOperation function, MlirType type) {
  outliner *o = p->o;
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type), results = mlirFunctionTypeGetNumResults(type);
  MlirValue *arguments = take_c_arguments(p, type);
  MlirType types[2] = {o->i32, results > 1 ? mlirFunctionTypeGetResult(type, 1) : o->i32};
  MlirStringRef callee = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  MlirOperation call =
      pa_op(&p->builder, "func.call", PA_OPERAND_ARRAY(arguments, inputs), PA_RESULT_ARRAY(types, results),
            PA_ATTRS({"callee", mlirFlatSymbolRefAttrGet(o->context, callee)}));
  if (mlirOperationIsNull(call)) return type;
  MlirValue value = results > 1 ? mlirOperationGetResult(call, 1) : (MlirValue){NULL};
  if (results > 1 && mlirTypeEqual(types[1], o->i1)) value = convert_bool(p, value, o->i8);
  pa_op(&p->builder, "func.return", .operands = &value, .operand_count = results - 1);
  MlirType result = results > 1 ? mlirValueGetType(value) : o->i32,
           *all = PA_NEW_ARRAY(o->arena, MlirType, p->count + 1);
  for (intptr_t i = 0; i < p->count; ++i) all[i] = mlirValueGetType(mlirBlockGetArgument(p->block, i));
  return mlirFunctionTypeGet(o->context, p->count, all, results - 1, &result);
}

static pa_status wrap_device_function(outliner *o) {
  MlirOperation entry = o->entry;
  MlirLocation location = mlirOperationGetLocation(entry);
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(entry, "function_type"));
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  if (results > 2 || (results == 2 && mlirTypeIsAComplex(mlirFunctionTypeGetResult(type, 1))))
    return pa_fail_at(PA_CODE_UNSUPPORTED, location,
                      "a device function with the C calling convention returns one real number or nothing");
  MlirAttribute name;
  PA_TRY(exported_name(o, &name));
  PA_TRY(globalize_shared(o, entry));
  parameters p = {.o = o, .builder = {.context = o->context, .location = location}};
  MlirRegion body = pa_region(location, NULL, 0, &p.block);
  p.builder.block = p.block;
  MlirType wrapper = call_and_return(&p, entry, type);
  if (pa_failed(&p.builder)) return mlirRegionDestroy(body), p.builder.failure;
  pa_set_attr(entry, "sym_visibility", pa_string_attr(o->context, "private"));
  mlirOperationRemoveAttributeByName(entry, pa_ref("pyarray.entry"));
  p.builder.block = o->kernels;
  pa_op(&p.builder, "func.func",
        PA_ATTRS({"sym_name", name}, {"function_type", mlirTypeAttrGet(wrapper)},
                 {"pyarray.exported", pa_unit_attr(o->context)},
                 {"pyarray.qualname", pa_get_attr(entry, "pyarray.qualname")}),
        PA_REGIONS(body));
  return p.builder.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static MlirOperation find_entry(outliner *o) {
  PA_FOR_EACH_OP(op, pa_module_body(o->module))
  if (pa_kind(&o->names, op) == PA_OP_FUNC && has_attr(op, "pyarray.entry") && pa_is_device_function(op)) return op;
  return (MlirOperation){NULL};
}

static pa_status make_gpu_module(outliner *o) {
  MlirLocation location = mlirOperationGetLocation(o->module);
  pa_builder builder = {.context = o->context, .block = pa_module_body(o->module), .location = location};
  MlirRegion region = pa_region(location, NULL, 0, &o->kernels);
  pa_op(&builder, "gpu.module", PA_ATTRS({"sym_name", pa_string_attr(o->context, "kernels")}), PA_REGIONS(region));
  pa_set_attr(o->module, "gpu.container_module", pa_unit_attr(o->context));
  return builder.failure;
}

// All but the gpu.module, and the entry if |without_entry|, go into it.
static void move_in(outliner *o, bool without_entry) {
  MlirOperation op = mlirBlockGetFirstOperation(pa_module_body(o->module));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!pa_op_is(op, "gpu.module") && !(without_entry && mlirOperationEqual(op, o->entry))) {
      mlirOperationRemoveFromParent(op);
      mlirBlockAppendOwnedOperation(o->kernels, op);
    }
    op = next;
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirContext ctx = context->context;
  outliner o = {.arena = context->arena,
                .context = ctx,
                .module = module,
                .i1 = mlirIntegerTypeGet(ctx, 1),
                .i8 = mlirIntegerTypeGet(ctx, 8),
                .i32 = mlirIntegerTypeGet(ctx, 32),
                .i64 = mlirIntegerTypeGet(ctx, 64),
                .index = mlirIndexTypeGet(ctx),
                .ptr = mlirTypeParseGet(ctx, pa_ref("!llvm.ptr"))};
  pa_names_init(&o.names, ctx);
  o.entry = find_entry(&o);
  if (mlirOperationIsNull(o.entry)) return PA_OK;
  bool kernel = has_attr(o.entry, "pyarray.kernel");
  if (kernel) pa_note_cooperative(module);
  PA_TRY(make_gpu_module(&o));
  move_in(&o, kernel);
  PA_FOR_EACH_OP(op, o.kernels)
  if (pa_kind(&o.names, op) == PA_OP_FUNC && !mlirOperationEqual(op, o.entry)) PA_TRY(globalize_shared(&o, op));
  return kernel ? outline_kernel(&o) : wrap_device_function(&o);
}

const pa_pass pa_pass_outline_kernel = {
    .argument = "pyarray-outline-kernel",
    .summary = "Move what is compiled for a GPU into a gpu.module, the kernel as gpu.func",
    .dependent_dialects = (const char *const[]){"arith", "complex", "func", "gpu", "llvm", "memref", NULL},
    .run = run,
};
