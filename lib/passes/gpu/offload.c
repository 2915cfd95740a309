// pyarray-offload: whole arrays, and what is done with them, are a GPU's; all else is the host's.
//
// Enters: level 3 without ownership, with functions that have the option `offload`. Leaves: the same, in which
//
//   pyarray.ufunc, reduce, contract   are launches of kernels (offload_kernels.c, offload_folds.c)
//   views, shapes, control flow       stay as they are: an array of the host's code is an address on the device
//   a[i], a[i] = x                    stay; lowering copies the one element
//   anything else that reads or writes elements is done by the host, with copies:
//
//   %r = pyarray.call @numpy.sorting.sort$0(%a) : (!A) -> !A
// becomes
//   %h = pyarray.builtin "pyarray.library._intrinsics.to_host"(%a)
//   %x = pyarray.call @numpy.sorting.sort$0(%h) : (!A) -> !A
//   pyarray.builtin "pyarray.library._intrinsics.copy_back"(%a, %h)      where it may have been written
//   %r = pyarray.builtin "pyarray.library._intrinsics.to_device"(%x)
//
// pyarray.writes of the entry has the numbers of arguments whose elements may be written.
#include "offload.h"

#include <string.h>

#include "ir/builtins.h"
#include "ir/whole_arrays.h"
#include "pass.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Effects.h"

#define TO_HOST "pyarray.library._intrinsics.to_host"
#define TO_DEVICE "pyarray.library._intrinsics.to_device"
#define COPY_BACK "pyarray.library._intrinsics.copy_back"

//===-- Building ----------------------------------------------------------------------------------===//

pa_builder pa_offload_before(const pa_offloading *o, MlirOperation op) {
  return (pa_builder){.context = o->context,
                      .block = mlirOperationGetBlock(op),
                      .before = op,
                      .location = mlirOperationGetLocation(op)};
}

MlirValue pa_offload_constant(pa_offloading *o, pa_builder *at, int64_t value) {
  return pa_value(at, PA_OP_NAME(CONSTANT), PA_RESULTS(o->si64),
                  PA_ATTRS({"value", mlirIntegerAttrGet(o->si64, value)}));
}

MlirValue pa_offload_builtin(pa_offloading *o, pa_builder *at, const char *name, const MlirValue *operands,
                             intptr_t count, MlirType result) {
  if (mlirTypeIsNull(result)) result = pyarrayNoneTypeGet(o->context);
  return pa_value(at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(result),
                  PA_ATTRS({"name", pa_string_attr(o->context, name)}));
}

MlirValue pa_offload_extent(pa_offloading *o, pa_builder *at, MlirValue array, int axis) {
  MlirValue operands[] = {array, pa_offload_constant(o, at, (int64_t)1 << axis)};
  return pa_offload_builtin(o, at, "pyarray.library._intrinsics.size_over", operands, 2, o->si64);
}

MlirValue pa_offload_empty(pa_offloading *o, pa_builder *at, MlirType type, const MlirValue *extents, intptr_t rank) {
  return pa_offload_builtin(o, at, "numpy.empty", extents, rank, type);
}

//===-- What is written ---------------------------------------------------------------------------===//

enum { DEEP = 16 };

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }

static bool may_write(const pa_offloading *o, MlirValue array, int depth);

static bool callee_may_write(const pa_offloading *o, MlirOperation call, MlirValue array, int depth) {
  MlirAttribute symbol = pa_get_attr(call, "callee");
  MlirOperation callee = {NULL};
  if (!mlirAttributeIsNull(symbol)) callee = pa_lookup(o->module, mlirFlatSymbolRefAttrGetValue(symbol));
  if (mlirOperationIsNull(callee) || mlirBlockIsNull(pa_body(callee, 0))) return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(call, i), array) &&
        may_write(o, mlirBlockGetArgument(pa_body(callee, 0), i), depth + 1))
      return true;
  return false;
}

// Whether anything that is done with |value|, or with a view of it, may write to its elements.
static bool may_write(const pa_offloading *o, MlirValue value, int depth) {
  if (depth > DEEP) return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    pa_op_kind kind = pa_kind(&o->names, user);
    if (kind == PA_OP_CALL) {
      if (callee_may_write(o, user, value, depth)) return true;
    } else if (pyarrayOperationGetEffectsOn(user, value).writes & PYARRAY_RESOURCE_ELEMENTS) {
      return true;
    }
    if (mlirOperationGetNumRegions(user) || kind == PA_OP_YIELD || kind == PA_OP_SCF_YIELD ||
        kind == PA_OP_SCF_CONDITION || kind == PA_OP_STORE || kind == PA_OP_LIST || kind == PA_OP_SETATTR)
      if (kind != PA_OP_UFUNC && kind != PA_OP_REDUCE) return true; // under another name from here on
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); ++r) {
      MlirValue result = mlirOperationGetResult(user, r);
      if (pa_is_managed(mlirValueGetType(result)) && kind != PA_OP_UFUNC && may_write(o, result, depth + 1))
        return true;
    }
  }
  return false;
}

static bool holds_array(MlirType type) {
  if (pyarrayTypeIsArray(type)) return true;
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (holds_array(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

// A list of arrays, say.
static bool is_container_of_arrays(const pa_offloading *o, MlirType type) {
  return pa_is_managed(type) && !holds_array(type) && strstr(pa_type_text(o->arena, type), "array");
}

// Arrays in a list that is an argument would be the host's.
static pa_status refuse_containers(pa_offloading *o, MlirOperation entry) {
  MlirBlock body = pa_body(entry, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    if (is_container_of_arrays(o, mlirValueGetType(mlirBlockGetArgument(body, i))))
      return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(entry),
                        "parameter %d is a container of arrays, which are on the host, in a function with "
                        "target=\"cuda\"\nhint: pass arrays one by one, or in a tuple",
                        (int)i + 1);
  return PA_OK;
}

static pa_status note_written(pa_offloading *o, MlirOperation entry) {
  MlirBlock body = pa_body(entry, 0);
  int64_t *written = PA_NEW_ARRAY(o->arena, int64_t, mlirBlockGetNumArguments(body) + 1);
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i);
    if (pa_is_managed(mlirValueGetType(argument)) && may_write(o, argument, 0)) written[count++] = i;
  }
  pa_set_attr(o->module, "pyarray.writes", mlirDenseI64ArrayGet(o->context, count, written));
  return PA_OK;
}

//===-- On the host -------------------------------------------------------------------------------===//

static pa_status refuse(MlirOperation op, const char *what) {
  return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(op),
                    "%s in a function with target=\"cuda\"\nhint: do it in a function without that option, on NumPy's "
                    "arrays, or write a kernel with cuda.jit",
                    what);
}

// |value| through |name|; a tuple element by element.
static MlirValue copied(pa_offloading *o, pa_builder *at, const char *name, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (pyarrayTypeIsArray(type)) return pa_offload_builtin(o, at, name, &value, 1, type);
  if (!holds_array(type)) return value;
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = PA_NEW_ARRAY(o->arena, MlirType, count);
  MlirValue *items = PA_NEW_ARRAY(o->arena, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirTupleTypeGetType(type, i);
  MlirOperation parts = pa_op(at, PA_OP_NAME(UNPACK), PA_OPERANDS(value), PA_RESULT_ARRAY(types, count));
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i)
    items[i] = copied(o, at, name, mlirOperationGetResult(parts, i));
  return pa_value(at, PA_OP_NAME(TUPLE), PA_OPERAND_ARRAY(items, count), PA_RESULTS(type));
}

// All that uses |result| uses a copy on the device.
static pa_status move_result(pa_offloading *o, pa_builder *at, MlirValue result) {
  pa_op_list users = {.arena = o->arena};
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    pa_op_list_add(&users, mlirOpOperandGetOwner(use));
  MlirValue copy = copied(o, at, TO_DEVICE, result);
  PA_TRY(at->failure);
  for (size_t u = 0; u < users.count; ++u)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(users.items[u]); ++i)
      if (mlirValueEqual(mlirOperationGetOperand(users.items[u], i), result))
        mlirOperationSetOperand(users.items[u], i, copy);
  return PA_OK;
}

// The other way; of a tuple the arrays.
static void copy_back(pa_offloading *o, pa_builder *at, MlirValue value, MlirValue copy) {
  MlirType type = mlirValueGetType(value);
  if (pyarrayTypeIsArray(type)) pa_offload_builtin(o, at, COPY_BACK, (MlirValue[]){value, copy}, 2, (MlirType){NULL});
  if (!mlirTypeIsATuple(type) || !holds_array(type)) return;
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = PA_NEW_ARRAY(o->arena, MlirType, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirTupleTypeGetType(type, i);
  MlirOperation own = pa_op(at, PA_OP_NAME(UNPACK), PA_OPERANDS(value), PA_RESULT_ARRAY(types, count)),
                copied = pa_op(at, PA_OP_NAME(UNPACK), PA_OPERANDS(copy), PA_RESULT_ARRAY(types, count));
  for (intptr_t i = 0; i < count && !pa_failed(at); ++i)
    copy_back(o, at, mlirOperationGetResult(own, i), mlirOperationGetResult(copied, i));
}

static bool is_on_host(MlirOperation op) { return pa_has_attr(op, "pyarray.on_host"); }

// |op| works on copies in the host's memory.
static pa_status do_on_host(pa_offloading *o, MlirOperation op) {
  if (is_on_host(op)) return PA_OK;
  pa_set_attr(op, "pyarray.on_host", pa_unit_attr(o->context)); // what lowering makes for it
  intptr_t count = mlirOperationGetNumOperands(op);
  bool call = pa_kind(&o->names, op) == PA_OP_CALL;
  MlirValue *given = PA_NEW_ARRAY(o->arena, MlirValue, count + 1);
  pa_builder before = pa_offload_before(o, op), behind = before;
  behind.before = mlirOperationGetNextInBlock(op);
  for (intptr_t i = 0; i < count; ++i) {
    given[i] = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(given[i]);
    if (is_container_of_arrays(o, type)) return refuse(op, "a container of arrays is given to code of the host");
    if (!holds_array(type)) continue;
    MlirValue copy = copied(o, &before, TO_HOST, given[i]);
    PA_TRY(before.failure);
    bool written = call ? callee_may_write(o, op, given[i], 0)
                        : pyarrayOperationGetEffectsOn(op, given[i]).writes & PYARRAY_RESOURCE_ELEMENTS;
    mlirOperationSetOperand(op, i, copy);
    if (written) copy_back(o, &behind, given[i], copy);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r) {
    MlirValue result = mlirOperationGetResult(op, r);
    if (holds_array(mlirValueGetType(result))) PA_TRY(move_result(o, &behind, result));
  }
  return behind.failure;
}

//===-- Where operations are done -----------------------------------------------------------------===//

static bool is_number(MlirType type) { return pa_scalar_of(type) != PA_NOT_SCALAR; }

static bool word_is_done(MlirOperation op, MlirType element) {
  MlirAttribute words = pa_get_attr(op, "words");
  for (intptr_t k = 0; k < mlirArrayAttrGetNumElements(words); ++k) {
    MlirStringRef word = mlirStringAttrGetValue(mlirArrayAttrGetElement(words, k));
    bool sums = pa_ref_equal(word, "add") || pa_ref_equal(word, "mul");
    if (pa_is_complex(pa_scalar_of(element)) && !sums) return false;
    if (word.length > 4 && memcmp(word.data, "nat_", 4) == 0) return false;
  }
  return true;
}

// The kernels that there are do all but extremes of complex numbers and times.
bool pa_is_reduction_done(MlirOperation op) {
  MlirOperation yield = mlirBlockGetTerminator(pa_body(op, 0));
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(yield); ++k)
    if (!word_is_done(op, mlirValueGetType(mlirOperationGetOperand(yield, k)))) return false;
  return true;
}

// Functions that were not inlined are the host's, and so is what makes arrays, or goes over cores by NumPy's own loops.
static MlirWalkResult find_hosts_code(MlirOperation op, void *found) {
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  bool builtin = pa_op_is(op, PA_OP_NAME(BUILTIN)),
       call = pa_op_is(op, PA_OP_NAME(CALL)) ||
              (builtin && effects.reads & (PYARRAY_RESOURCE_ELEMENTS | PYARRAY_RESOURCE_ITEMS)) ||
              effects.allocates & PYARRAY_RESOURCE_ELEMENTS;
  *(bool *)found = *(bool *)found || call;
  return call ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool pa_has_hosts_code(MlirOperation op) {
  bool found = false;
  PA_FOR_EACH_OP(inner, pa_body(op, 0))
  if (!found) mlirOperationWalk(inner, find_hosts_code, &found, MlirWalkPreOrder);
  return found;
}

static bool touches_elements(MlirOperation op) {
  pyarray_effects effects = pyarrayOperationGetEffects(op);
  return (effects.reads | effects.writes) & PYARRAY_RESOURCE_ELEMENTS;
}

static bool has_array_operand(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (holds_array(mlirValueGetType(mlirOperationGetOperand(op, i)))) return true;
  return false;
}

static pa_status offload_call(pa_offloading *o, MlirOperation op) {
  MlirOperation callee = pa_lookup(o->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee")));
  if (mlirOperationIsNull(callee) || pa_option_bool(callee, "pyarray.options", "offload", false)) return PA_OK;
  return do_on_host(o, op);
}

// Of builtins of arrays on the device.
static bool is_of_device(MlirOperation op) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
  return row && (row->lowering == PA_LOWERING_TO_HOST || row->lowering == PA_LOWERING_TO_DEVICE ||
                 row->lowering == PA_LOWERING_COPY_BACK || row->lowering == PA_LOWERING_LIBRARY_CALL);
}

// Of elements, which lowering copies.
static bool is_element_access(MlirOperation op, pa_op_kind kind) {
  if (kind == PA_OP_GETITEM) return is_number(mlirValueGetType(mlirOperationGetResult(op, 0)));
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  if (kind != PA_OP_SETITEM || !is_number(mlirValueGetType(mlirOperationGetOperand(op, last)))) return false;
  for (intptr_t i = 1; i < last; ++i)
    if (!is_number(mlirValueGetType(mlirOperationGetOperand(op, i)))) return false;
  return last - 1 == pyarrayArrayTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}

// What was computed apart, since it shares memory with what it is computed of.
static pa_status offload_store(pa_offloading *o, MlirOperation op) {
  MlirValue target = mlirOperationGetOperand(op, 0), value = mlirOperationGetOperand(op, 1);
  MlirType element = pyarrayArrayTypeGetElement(mlirValueGetType(value));
  pa_builder at = pa_offload_before(o, op);
  int32_t segments[] = {1, 1};
  MlirOperation made =
      pa_op(&at, PA_OP_NAME(UFUNC), PA_OPERANDS(value, target), PA_REGIONS(pa_cast_body(&at, element, element)),
            PA_ATTRS({"signature", pa_string_attr(o->context, "()->()")}, {"expanded", pa_unit_attr(o->context)},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(o->context, 2, segments)}));
  PA_TRY(at.failure);
  mlirOperationDestroy(op);
  return pa_offload_ufunc(o, made);
}

static bool is_store(const pa_offloading *o, MlirOperation op) {
  if (pa_kind(&o->names, op) != PA_OP_SETITEM || mlirOperationGetNumOperands(op) != 2) return false;
  MlirValue target = mlirOperationGetOperand(op, 0), value = mlirOperationGetOperand(op, 1);
  if (!is_array(target) || !is_array(value)) return false;
  MlirType a = mlirValueGetType(target), b = mlirValueGetType(value);
  return pyarrayArrayTypeGetRank(a) == pyarrayArrayTypeGetRank(b) &&
         mlirTypeEqual(pyarrayArrayTypeGetElement(a), pyarrayArrayTypeGetElement(b));
}

// A builtin that makes an array with something in it.
static bool makes_elements(MlirOperation op) {
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
  if (!row || row->lowering == PA_LOWERING_NEW_ARRAY || row->lowering == PA_LOWERING_NEW_ARRAY_LIKE) return false;
  return pyarrayOperationGetEffects(op).allocates & PYARRAY_RESOURCE_ELEMENTS;
}

static bool is_ours(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return name.length > 8 && memcmp(name.data, "pyarray.", 8) == 0;
}

static pa_status offload(pa_offloading *o, MlirOperation op) {
  pa_op_kind kind = pa_kind(&o->names, op);
  switch (kind) {
  case PA_OP_UFUNC:
    if (pa_has_attr(op, "pyarray.rows")) return pa_are_rows_done(o, op) ? pa_offload_rows(o, op) : do_on_host(o, op);
    return pa_has_attr(op, "carried") || pa_has_hosts_code(op) ? do_on_host(o, op) : pa_offload_ufunc(o, op);
  case PA_OP_REDUCE:
    if (!has_array_operand(op)) return PA_OK; // of a number
    return pa_is_reduction_done(op) && !pa_has_hosts_code(op) ? pa_offload_reduce(o, op) : do_on_host(o, op);
  case PA_OP_CONTRACT: return pa_offload_contract(o, op);
  case PA_OP_CALL: return offload_call(o, op);
  case PA_OP_SETITEM:
    if (is_store(o, op)) return offload_store(o, op);
    break;
  case PA_OP_LAUNCH:
  case PA_OP_RETAIN:
  case PA_OP_RELEASE: return PA_OK;
  default: break;
  }
  if (mlirOperationGetNumRegions(op) || !is_ours(op)) return PA_OK;
  bool builtin = kind == PA_OP_BUILTIN && !is_of_device(op);
  if (kind == PA_OP_FROZEN_ARRAY ||
      (builtin && ((has_array_operand(op) && touches_elements(op)) || makes_elements(op))))
    return do_on_host(o, op);
  bool container = (kind == PA_OP_GETITEM || kind == PA_OP_SETITEM) && !is_array(mlirOperationGetOperand(op, 0));
  if (kind == PA_OP_BUILTIN || container || !has_array_operand(op) || !touches_elements(op) ||
      is_element_access(op, kind))
    return PA_OK;
  if (kind == PA_OP_SETITEM) return refuse(op, "this assignment to part of an array is not done on a GPU");
  return do_on_host(o, op);
}

//===-- The pass ----------------------------------------------------------------------------------===//

// Those of kernels' bodies are not the host's.
static void collect(pa_offloading *o, MlirBlock block, pa_op_list *out) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&o->names, op);
    pa_op_list_add(out, op);
    if (kind == PA_OP_UFUNC || kind == PA_OP_REDUCE) continue;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        collect(o, inner, out);
  }
}

// Kernels that were there get numbers too, in their order.
static MlirWalkResult rename_kernel(MlirOperation op, void *data) {
  const MlirAttribute *names = data;
  if (pa_op_is(op, PA_OP_NAME(LAUNCH)) && mlirAttributeEqual(pa_get_attr(op, "kernel"), names[0]))
    pa_set_attr(op, "kernel", names[1]);
  return MlirWalkResultAdvance;
}

static void number_kernels(pa_offloading *o) {
  PA_FOR_EACH_OP(op, pa_module_body(o->module)) {
    if (!pa_has_attr(op, "pyarray.kernel")) continue;
    const char *name = pa_attr_text(o->arena, pa_get_attr(op, "sym_name")), *last = strrchr(name, '.');
    int number = o->kernels++;
    if (last && strncmp(last, ".kernel", 7) == 0 && last[7] >= '0' && last[7] <= '9') continue; // it has been here
    const char *numbered = pa_arena_format(o->arena, "%s.kernel%d", name, number);
    MlirAttribute names[] = {pa_symbol_attr(o->context, name), pa_symbol_attr(o->context, numbered)};
    mlirOperationWalk(o->module, rename_kernel, names, MlirWalkPreOrder);
    pa_set_attr(op, "sym_name", pa_string_attr(o->context, numbered));
  }
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_op_list functions;
  pa_offloading o = pa_offloading_begin(context, module, &functions);
  for (size_t f = 0; f < functions.count; ++f)
    if (pa_has_attr(functions.items[f], "pyarray.entry")) {
      PA_TRY(refuse_containers(&o, functions.items[f]));
      PA_TRY(note_written(&o, functions.items[f]));
    }
  if (functions.count) number_kernels(&o);
  for (size_t f = 0; f < functions.count; ++f) {
    pa_op_list all = {.arena = o.arena};
    o.function = functions.items[f];
    collect(&o, pa_body(o.function, 0), &all);
    for (size_t i = 0; i < all.count; ++i) PA_TRY(offload(&o, all.items[i]));
    pa_offload_drop_fetched(&o, pa_body(o.function, 0));
  }
  return PA_OK;
}

const pa_pass pa_pass_offload = {
    .argument = "pyarray-offload",
    .summary = "Make kernels of what is done with whole arrays, in functions whose arrays are a GPU's",
    .dependent_dialects = (const char *const[]){"func", "pyarray", NULL},
    .run = run,
};
