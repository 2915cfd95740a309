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
// There may be several kernels. An entry without pyarray.kernel is a device function: it stays as it is, and a function
// with the C calling convention, under the Python name, calls it. Functions and globals that are left go into the
// gpu.module too. Other modules are left alone.
#include <ctype.h>
#include <string.h>

#include "cooperative.h"
#include "outline_kernel.h"
#include "support/linked.h"

//===-- Names -------------------------------------------------------------------------------------===//

// Also by a function of other code; not by an entry that the kernel takes the place of.
static bool is_taken(pa_outliner *o, const char *name) {
  static const char *const names[] = {"sym_name", PA_LINKED};
  PA_FOR_EACH_OP(op, o->kernels) {
    if (mlirOperationEqual(op, o->entry) && pa_has_attr(op, "pyarray.kernel")) continue;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
      if (pa_has_attr(op, names[i]) && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, names[i])), name))
        return true;
  }
  return false;
}

// The last part of the Python name, as PTX allows it; behind it "_kernel3" of the fourth one that pyarray-offload made.
static const char *usual_name(pa_outliner *o) {
  const char *name = pa_attr_text(o->arena, pa_get_attr(o->entry, "pyarray.qualname")),
             *symbol = pa_attr_text(o->arena, pa_get_attr(o->entry, "sym_name"));
  if (!name) name = symbol;
  const char *dot = strrchr(name, '.'), *number = strrchr(symbol, '.');
  bool numbered = number && strncmp(number, ".kernel", 7) == 0 && name != symbol;
  if (dot) name = dot + 1;
  char *copy =
      pa_arena_format(o->arena, "%s%s%s", isdigit((unsigned char)*name) ? "_" : "", name, numbered ? number : "");
  for (char *c = copy; *c; ++c)
    if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
  while (is_taken(o, copy)) copy = pa_arena_format(o->arena, "%s_", copy); // a function of libm, say
  return copy;
}

// The name that was asked for is no other: who links the code calls it by that name.
static pa_status exported_name(pa_outliner *o, MlirAttribute *out_name) {
  const char *asked = pa_attr_text(o->arena, pa_get_attr(o->entry, "pyarray.export_name"));
  if (asked && is_taken(o, asked))
    return pa_fail_at(PA_CODE_LINK, mlirOperationGetLocation(o->entry),
                      "abi_name is '%s', which is the name of a function that the code calls: it needs another one",
                      asked);
  *out_name = pa_string_attr(o->context, asked ? asked : usual_name(o));
  return PA_OK;
}

//===-- The kernel --------------------------------------------------------------------------------===//

static MlirWalkResult find_call(MlirOperation op, void *data) {
  MlirAttribute *callee = data;
  if (!pa_op_is(op, PA_OP_NAME(FUNC_CALL)) || !mlirAttributeEqual(pa_get_attr(op, "callee"), *callee))
    return MlirWalkResultAdvance;
  *callee = (MlirAttribute){NULL};
  return MlirWalkResultInterrupt;
}

static bool is_called(pa_outliner *o, MlirOperation function) {
  MlirAttribute callee =
      mlirFlatSymbolRefAttrGet(o->context, mlirStringAttrGetValue(pa_get_attr(function, "sym_name")));
  mlirOperationWalk(o->module, find_call, &callee, MlirWalkPreOrder);
  return mlirAttributeIsNull(callee);
}

static MlirType block_type(pa_outliner *o, MlirBlock block, intptr_t count) {
  MlirType *types = PA_NEW_ARRAY(o->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirValueGetType(mlirBlockGetArgument(block, i));
  return mlirFunctionTypeGet(o->context, count, types, 0, NULL);
}

static pa_status outline_kernel(pa_outliner *o) {
  MlirOperation entry = o->entry;
  MlirLocation location = mlirOperationGetLocation(entry);
  if (mlirFunctionTypeGetNumResults(mlirTypeAttrGetValue(pa_get_attr(entry, "function_type"))) > 1)
    return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(mlirBlockGetTerminator(pa_body(entry, 0))),
                      "a kernel returns nothing\nhint: store the result to an array that is an argument");
  if (is_called(o, entry)) return pa_fail_at(PA_CODE_UNSUPPORTED, location, "a kernel cannot call itself");
  MlirBlock block = pa_body(entry, 0);
  MlirOperation last = mlirBlockGetTerminator(block);
  pa_kernel_parameters p = {.o = o,
                            .numbers = !mlirAttributeIsNull(pa_get_attr(entry, "pyarray.numbers")),
                            .builder = {.context = o->context,
                                        .block = block,
                                        .before = mlirBlockGetFirstOperation(block),
                                        .location = location},
                            .block = block};
  PA_TRY(pa_make_kernel_parameters(&p));
  pa_attributions shared;
  MlirAttribute name;
  PA_TRY(exported_name(o, &name));
  PA_TRY(pa_attribute_shared(o, entry, block, &shared));
  pa_builder end = pa_outline_before(o, last);
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
                  shared.alignment > PA_SHARED_ALIGNMENT ? pa_i64_attr(o->context, shared.alignment) : none},
                 {"pyarray.points", pa_get_attr(entry, "pyarray.points")},
                 {"pyarray.straight", pa_get_attr(entry, "pyarray.straight")},
                 {"pyarray.registers", pa_get_attr(entry, "pyarray.registers")}),
        PA_REGIONS(body));
  mlirOperationDestroy(entry);
  return builder.failure;
}

//===-- The device function -----------------------------------------------------------------------===//

// In the C calling convention bool is a byte.
static MlirValue convert_bool(pa_kernel_parameters *p, MlirValue value, MlirType to) {
  bool shrinks = mlirTypeEqual(to, p->o->i1);
  return pa_value(&p->builder, shrinks ? "arith.trunci" : "arith.extui", PA_OPERANDS(value), PA_RESULTS(to));
}

// The arguments of the device function, of type |type|, made of what comes by the C calling convention.
static MlirValue *take_c_arguments(pa_kernel_parameters *p, MlirType type) {
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  MlirValue *arguments = PA_NEW_ARRAY(p->o->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count && !pa_failed(&p->builder); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if (mlirTypeIsAMemRef(input)) {
      arguments[i] = pa_kernel_memref(p, input);
      arguments[++i] = pa_kernel_constant(p, 0); // its owner
    } else if (mlirTypeEqual(input, p->o->i1)) {
      arguments[i] = convert_bool(p, pa_kernel_slot(p, p->o->i8), input);
    } else { // a complex number is a struct
      arguments[i] = pa_kernel_slot(p, input);
    }
  }
  return arguments;
}

// Calls |function| and returns its results, of which several are a struct; nobody is there to see the status. The type
// of the function under construction.
static MlirType call_and_return(pa_kernel_parameters *p, MlirOperation function, MlirType type) {
  pa_outliner *o = p->o;
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type), results = mlirFunctionTypeGetNumResults(type);
  MlirValue *arguments = take_c_arguments(p, type);
  MlirType *types = PA_NEW_ARRAY(o->arena, MlirType, results), *given = PA_NEW_ARRAY(o->arena, MlirType, results);
  for (intptr_t i = 0; i < results; ++i) types[i] = mlirFunctionTypeGetResult(type, i);
  MlirStringRef callee = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  MlirOperation call =
      pa_op(&p->builder, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(arguments, inputs), PA_RESULT_ARRAY(types, results),
            PA_ATTRS({"callee", mlirFlatSymbolRefAttrGet(o->context, callee)}));
  if (mlirOperationIsNull(call)) return type;
  MlirValue *values = PA_NEW_ARRAY(o->arena, MlirValue, results);
  for (intptr_t i = 1; i < results; ++i) {
    MlirValue value = mlirOperationGetResult(call, i);
    values[i - 1] = mlirTypeEqual(types[i], o->i1) ? convert_bool(p, value, o->i8) : value;
    given[i - 1] = mlirValueGetType(values[i - 1]);
  }
  pa_op(&p->builder, PA_OP_NAME(RETURN), .operands = values, .operand_count = results - 1);
  MlirType *all = PA_NEW_ARRAY(o->arena, MlirType, p->count + 1);
  for (intptr_t i = 0; i < p->count; ++i) all[i] = mlirValueGetType(mlirBlockGetArgument(p->block, i));
  return mlirFunctionTypeGet(o->context, p->count, all, results - 1, given);
}

static pa_status wrap_device_function(pa_outliner *o) {
  MlirOperation entry = o->entry;
  MlirLocation location = mlirOperationGetLocation(entry);
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(entry, "function_type"));
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  for (intptr_t i = 1; i < results; ++i) {
    MlirType result = mlirFunctionTypeGetResult(type, i);
    if (mlirTypeIsAInteger(result) || mlirTypeIsAFloat(result) || mlirTypeIsAComplex(result)) continue;
    return pa_fail_at(PA_CODE_UNSUPPORTED, location,
                      "a device function with the C calling convention returns numbers, tuples of numbers or "
                      "nothing\nhint: store other results to an array that is an argument");
  }
  MlirAttribute name;
  PA_TRY(exported_name(o, &name));
  PA_TRY(pa_globalize_shared(o, entry));
  pa_kernel_parameters p = {.o = o, .builder = {.context = o->context, .location = location}};
  MlirRegion body = pa_region(location, NULL, 0, &p.block);
  p.builder.block = p.block;
  MlirType wrapper = call_and_return(&p, entry, type);
  if (pa_failed(&p.builder)) return mlirRegionDestroy(body), p.builder.failure;
  pa_set_attr(entry, "sym_visibility", pa_string_attr(o->context, "private"));
  mlirOperationRemoveAttributeByName(entry, pa_ref("pyarray.entry"));
  p.builder.block = o->kernels;
  pa_op(&p.builder, PA_OP_NAME(FUNC),
        PA_ATTRS({"sym_name", name}, {"function_type", mlirTypeAttrGet(wrapper)},
                 {"pyarray.exported", pa_unit_attr(o->context)},
                 {"pyarray.qualname", pa_get_attr(entry, "pyarray.qualname")}),
        PA_REGIONS(body));
  return p.builder.failure;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static MlirOperation find_entry(pa_outliner *o, MlirBlock block) {
  PA_FOR_EACH_OP(op, block)
  if (pa_kind(&o->names, op) == PA_OP_FUNC && pa_has_attr(op, "pyarray.entry") && pa_is_device_function(op)) return op;
  return (MlirOperation){NULL};
}

static pa_status make_gpu_module(pa_outliner *o) {
  MlirLocation location = mlirOperationGetLocation(o->module);
  pa_builder builder = {.context = o->context, .block = pa_module_body(o->module), .location = location};
  MlirRegion region = pa_region(location, NULL, 0, &o->kernels);
  pa_op(&builder, "gpu.module", PA_ATTRS({"sym_name", pa_string_attr(o->context, "kernels")}), PA_REGIONS(region));
  pa_set_attr(o->module, "gpu.container_module", pa_unit_attr(o->context));
  return builder.failure;
}

// All but the gpu.module go into it.
static void move_in(pa_outliner *o) {
  MlirOperation op = mlirBlockGetFirstOperation(pa_module_body(o->module));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (!pa_op_is(op, "gpu.module")) {
      mlirOperationRemoveFromParent(op);
      mlirBlockAppendOwnedOperation(o->kernels, op);
    }
    op = next;
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  MlirContext ctx = context->context;
  pa_outliner o = {.arena = context->arena,
                   .context = ctx,
                   .module = module,
                   .i1 = mlirIntegerTypeGet(ctx, 1),
                   .i8 = mlirIntegerTypeGet(ctx, 8),
                   .i32 = mlirIntegerTypeGet(ctx, 32),
                   .i64 = mlirIntegerTypeGet(ctx, 64),
                   .index = mlirIndexTypeGet(ctx),
                   .ptr = mlirTypeParseGet(ctx, pa_ref("!llvm.ptr"))};
  pa_names_init(&o.names, ctx);
  o.entry = find_entry(&o, pa_module_body(module));
  if (mlirOperationIsNull(o.entry)) return PA_OK;
  bool kernel = pa_has_attr(o.entry, "pyarray.kernel");
  if (kernel) pa_note_cooperative(module);
  PA_TRY(make_gpu_module(&o));
  move_in(&o);
  PA_FOR_EACH_OP(op, o.kernels)
  if (pa_kind(&o.names, op) == PA_OP_FUNC && !pa_has_attr(op, "pyarray.entry")) PA_TRY(pa_globalize_shared(&o, op));
  if (!kernel) return wrap_device_function(&o);
  for (; !mlirOperationIsNull(o.entry); o.entry = find_entry(&o, o.kernels)) PA_TRY(outline_kernel(&o));
  return PA_OK;
}

const pa_pass pa_pass_outline_kernel = {
    .argument = "pyarray-outline-kernel",
    .summary = "Move what is compiled for a GPU into a gpu.module, the kernel as gpu.func",
    .dependent_dialects = (const char *const[]){"arith", "complex", "func", "gpu", "llvm", "memref", NULL},
    .run = run,
};
