// pyarray-place-functions: in a module whose entry has the option `offload`, which functions are the host's after all,
// and what is done to whole arrays as operations on whole arrays.
//
// Enters and leaves: level 2, without times. All functions get the option, but a function of the library that goes over
// elements one by one, and one of the user's with a loop that does, lose it: pyarray-offload gives them copies in the
// host's memory, and they call versions for the host (@f.host, pyarray.hosts). The entry keeps it. In the others,
//
//   pyarray.setitem %a[%s] = %x                   becomes a ufunc that assigns to a view
//   numpy.ones, numpy.full, numpy.copy            become ufuncs too
//   pyarray.contract of float16, cast to float32  takes float16, which a library has products of
//   pyarray.call @device.kernels.scan$0(...)      becomes a launch, whose first operands are its grid
//
// In all functions pyarray.library._intrinsics.on_device says which they are, and branches that are not taken go.
#include <string.h>

#include "ir/builtins.h"
#include "ir/whole_arrays.h"
#include "offload.h"
#include "pass.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Effects.h"

typedef struct placing {
  pa_arena *arena;
  pa_names names;
  MlirContext context;
  MlirOperation module;
} placing;

static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static bool is_number(MlirValue value) { return pa_scalar_of(mlirValueGetType(value)) != PA_NOT_SCALAR; }

//===-- Which functions ---------------------------------------------------------------------------===//

static bool is_whole(pa_op_kind kind) { return kind == PA_OP_UFUNC || kind == PA_OP_REDUCE || kind == PA_OP_CONTRACT; }

static const pa_builtin *row_of(const placing *p, MlirOperation op) {
  if (pa_kind(&p->names, op) != PA_OP_BUILTIN) return NULL;
  return pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(op, "name")));
}

// New arrays, copies, assignments to parts: done by the device.
static bool is_offloaded(const placing *p, MlirOperation op) {
  pa_op_kind kind = pa_kind(&p->names, op);
  if (kind == PA_OP_SETITEM) {
    intptr_t last = mlirOperationGetNumOperands(op) - 1;
    if (!is_array(mlirOperationGetOperand(op, 0))) return true;
    for (intptr_t i = 1; i < last; ++i)
      if (!is_number(mlirOperationGetOperand(op, i))) return true;
    return is_array(mlirOperationGetOperand(op, last));
  }
  const pa_builtin *row = row_of(p, op);
  return row && (row->lowering == PA_LOWERING_NEW_ARRAY || row->lowering == PA_LOWERING_NEW_ARRAY_LIKE ||
                 row->lowering == PA_LOWERING_COPY);
}

static bool asks(MlirOperation op) {
  return pa_op_is(op, PA_OP_NAME(BUILTIN)) &&
         pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), "pyarray.library._intrinsics.on_device");
}

// A branch on where the arrays are: its second region is the host's.
static bool is_question(const placing *p, MlirOperation op) {
  if (pa_kind(&p->names, op) != PA_OP_SCF_IF) return false;
  MlirValue asked = mlirOperationGetOperand(op, 0);
  for (int i = 0; i < 2 && mlirValueIsAOpResult(asked); ++i) {
    MlirOperation of = mlirOpResultGetOwner(asked);
    if (asks(of)) return true;
    if (pa_kind(&p->names, of) != PA_OP_TRUTH) return false;
    asked = mlirOperationGetOperand(of, 0);
  }
  return false;
}

// Something in |block| reads or writes elements one by one; only within loops where |in_loops|, and not in those that
// become kernels.
static bool touches_elements(const placing *p, MlirBlock block, bool in_loops, bool inside) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&p->names, op);
    if (is_whole(kind) || (in_loops && kind == PA_OP_FOR && pa_may_be_kernel(&p->names, op))) continue;
    bool looping = inside || kind == PA_OP_FOR || kind == PA_OP_SCF_WHILE || kind == PA_OP_SCF_FOR;
    intptr_t regions = is_question(p, op) ? 1 : mlirOperationGetNumRegions(op);
    for (intptr_t r = 0; r < regions; ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        if (touches_elements(p, inner, in_loops, looping)) return true;
    if (mlirOperationGetNumRegions(op) || kind == PA_OP_CALL || (in_loops && !inside) || is_offloaded(p, op)) continue;
    pyarray_effects effects = pyarrayOperationGetEffects(op);
    if ((effects.reads | effects.writes) & PYARRAY_RESOURCE_ELEMENTS) return true;
  }
  return false;
}

//===-- Branches that are taken -------------------------------------------------------------------===//

// What is in the region that is taken stands before |branch|, which goes.
static void take_region(MlirOperation branch, int region) {
  MlirBlock block = pa_body(branch, region);
  if (!mlirBlockIsNull(block)) {
    MlirOperation yield = mlirBlockGetTerminator(block), op = mlirBlockGetFirstOperation(block);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(branch); ++r)
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(branch, r), mlirOperationGetOperand(yield, r));
    while (!mlirOperationEqual(op, yield)) {
      MlirOperation next = mlirOperationGetNextInBlock(op);
      mlirOperationMoveBefore(op, branch);
      op = next;
    }
  }
  mlirOperationDestroy(branch);
}

static MlirWalkResult list_questions(MlirOperation op, void *data) {
  if (asks(op)) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

// Branches on |asked|, or on its truth, are taken; false where something else asks too.
static bool take_branches(const placing *p, MlirValue asked, bool on_device) {
  MlirOpOperand use = mlirValueGetFirstUse(asked);
  while (!mlirOpOperandIsNull(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    pa_op_kind kind = pa_kind(&p->names, user);
    use = mlirOpOperandGetNextUse(use);
    if (kind == PA_OP_TRUTH) take_branches(p, mlirOperationGetResult(user, 0), on_device);
    if (kind == PA_OP_SCF_IF) take_region(user, !on_device);
  }
  if (!mlirOpOperandIsNull(mlirValueGetFirstUse(asked))) return false;
  return mlirOperationDestroy(mlirOpResultGetOwner(asked)), true;
}

// What asks where it is is told so; elsewhere lowering answers. A branch that goes may have had questions too.
static void answer(placing *p, MlirOperation function, bool on_device) {
  for (size_t left = 0;;) {
    pa_op_list questions = {.arena = p->arena};
    mlirOperationWalk(function, list_questions, &questions, MlirWalkPreOrder);
    if (left >= questions.count) return;
    if (!take_branches(p, mlirOperationGetResult(questions.items[left], 0), on_device)) ++left;
  }
}

//===-- The host's --------------------------------------------------------------------------------===//

static bool starts_with(MlirStringRef name, const char *start) {
  size_t length = strlen(start);
  return name.length > length && memcmp(name.data, start, length) == 0;
}

// What is written for a device: it reads an element here and there.
static bool is_of_device(MlirOperation function) {
  return starts_with(mlirStringAttrGetValue(pa_get_attr(function, "sym_name")), "device.");
}

static void set_option(placing *p, MlirOperation function, bool offload) {
  MlirAttribute options = pa_get_attr(function, "pyarray.options");
  intptr_t count = mlirAttributeIsNull(options) ? 0 : mlirDictionaryAttrGetNumElements(options), kept = 0;
  MlirNamedAttribute *entries = PA_NEW_ARRAY(p->arena, MlirNamedAttribute, count + 1);
  MlirIdentifier name = mlirIdentifierGet(p->context, pa_ref("offload"));
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(options, i);
    if (!mlirIdentifierEqual(entry.name, name)) entries[kept++] = entry;
  }
  if (offload) entries[kept++] = mlirNamedAttributeGet(name, mlirBoolAttrGet(p->context, true));
  pa_set_attr(function, "pyarray.options", mlirDictionaryAttrGet(p->context, kept, entries));
}

static MlirWalkResult list_callees(MlirOperation op, void *data) {
  if (pa_op_is(op, PA_OP_NAME(CALL))) pa_op_list_add(data, op);
  return MlirWalkResultAdvance;
}

static bool is_hosts_own(const placing *p, MlirOperation function) {
  bool library = pa_has_attr(function, "pyarray.no_frame") && !is_of_device(function);
  return touches_elements(p, pa_body(function, 0), !library, false);
}

static void move_to_host(placing *p, MlirOperation function);

// What a function of the host calls works in the host's memory too. A function that need not is there twice: where
// others call it, its results may be views of what lies on the device.
static MlirOperation hosts_version(placing *p, MlirOperation function) {
  if (!pa_option_bool(function, "pyarray.options", "offload", false) || pa_has_attr(function, "pyarray.entry") ||
      mlirBlockIsNull(pa_body(function, 0)))
    return function;
  if (is_hosts_own(p, function)) return move_to_host(p, function), function;
  MlirStringRef own = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  const char *name = pa_arena_format(p->arena, "%.*s.host", (int)own.length, own.data);
  MlirOperation copy = pa_lookup(p->module, pa_ref(name));
  if (!mlirOperationIsNull(copy)) return copy;
  copy = mlirOperationClone(function);
  pa_set_attr(copy, "sym_name", pa_string_attr(p->context, name));
  pa_set_attr(copy, "pyarray.hosts", pa_unit_attr(p->context));
  mlirBlockInsertOwnedOperationAfter(pa_module_body(p->module), function, copy);
  move_to_host(p, copy);
  return copy;
}

static void move_to_host(placing *p, MlirOperation function) {
  if (!pa_option_bool(function, "pyarray.options", "offload", false) || pa_has_attr(function, "pyarray.entry")) return;
  pa_op_list calls = {.arena = p->arena};
  set_option(p, function, false);
  answer(p, function, false);
  mlirOperationWalk(function, list_callees, &calls, MlirWalkPreOrder);
  for (size_t i = 0; i < calls.count; ++i) {
    MlirAttribute symbol = pa_get_attr(calls.items[i], "callee");
    MlirOperation callee = pa_lookup(p->module, mlirFlatSymbolRefAttrGetValue(symbol));
    if (mlirOperationIsNull(callee)) continue;
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(hosts_version(p, callee), "sym_name"));
    pa_set_attr(calls.items[i], "callee", mlirFlatSymbolRefAttrGet(p->context, name));
  }
}

//===-- Operations on whole arrays ----------------------------------------------------------------===//

static pa_builder before(const placing *p, MlirOperation op) {
  return (pa_builder){.context = p->context,
                      .block = mlirOperationGetBlock(op),
                      .before = op,
                      .location = mlirOperationGetLocation(op)};
}

static void assign(placing *p, pa_builder *at, MlirValue value, MlirValue view) {
  int32_t segments[] = {1, 1};
  MlirType from = pa_element_of(mlirValueGetType(value)), to = pa_element_of(mlirValueGetType(view));
  pa_op(at, PA_OP_NAME(UFUNC), PA_OPERANDS(value, view), PA_REGIONS(pa_cast_body(at, from, to)),
        PA_ATTRS({"signature", pa_string_attr(p->context, "()->()")}, {"assigns", pa_unit_attr(p->context)},
                 {"operandSegmentSizes", mlirDenseI32ArrayGet(p->context, 2, segments)}));
}

// What is left of |type| by the indices: ints take an axis away, None adds one.
static MlirType view_type(const placing *p, MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  intptr_t rank = pyarrayArrayTypeGetRank(type);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op) - 1; ++i) {
    MlirValue index = mlirOperationGetOperand(op, i);
    rank += is_number(index) ? -1 : pyarrayTypeIsNone(mlirValueGetType(index)) ? 1 : 0;
  }
  return pa_array_type(p->context, rank, pyarrayArrayTypeGetElement(type), PYARRAY_LAYOUT_A, false);
}

static bool is_plain(MlirType type) { return pa_scalar_of(pa_element_of(type)) != PA_NOT_SCALAR; }

static pa_status replace_assignment(placing *p, MlirOperation op) {
  intptr_t last = mlirOperationGetNumOperands(op) - 1;
  MlirValue array = mlirOperationGetOperand(op, 0), value = mlirOperationGetOperand(op, last), view = array;
  if (!is_array(array) || !is_plain(mlirValueGetType(array)) || !is_plain(mlirValueGetType(value))) return PA_OK;
  MlirType type = view_type(p, op);
  intptr_t rank = pyarrayArrayTypeGetRank(type);
  if (!rank || (is_array(value) && pyarrayArrayTypeGetRank(mlirValueGetType(value)) > rank)) return PA_OK;
  pa_builder at = before(p, op);
  MlirValue *operands = PA_NEW_ARRAY(p->arena, MlirValue, last);
  for (intptr_t i = 0; i < last; ++i) operands[i] = mlirOperationGetOperand(op, i);
  if (last > 1)
    view = pa_value(&at, PA_OP_NAME(GETITEM), PA_OPERAND_ARRAY(operands, last), PA_RESULTS(type),
                    PA_ATTRS({"pyarray.axes", pa_get_attr(op, "pyarray.axes")},
                             {"pyarray.options", pa_get_attr(op, "pyarray.options")}));
  if (!pa_failed(&at)) assign(p, &at, value, view);
  if (!at.failure) mlirOperationDestroy(op);
  return at.failure;
}

// np.full and np.ones are np.empty, filled.
static pa_status replace_filled(placing *p, MlirOperation op, const pa_builtin *row) {
  bool like = row->lowering == PA_LOWERING_NEW_ARRAY_LIKE, full = strcmp(row->target, "full") == 0;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0)), element = pyarrayArrayTypeGetElement(type);
  intptr_t count = like ? 1 : pyarrayArrayTypeGetRank(type);
  if ((!full && strcmp(row->target, "ones") != 0) || !is_plain(type)) return PA_OK;
  pa_builder at = before(p, op);
  MlirValue *operands = PA_NEW_ARRAY(p->arena, MlirValue, count + 1), value;
  for (intptr_t i = 0; i < count; ++i) operands[i] = mlirOperationGetOperand(op, i);
  MlirType number = full ? element : mlirIntegerTypeSignedGet(p->context, 64);
  value = full ? mlirOperationGetOperand(op, count)
               : pa_value(&at, PA_OP_NAME(CONSTANT), PA_RESULTS(number),
                          PA_ATTRS({"value", mlirIntegerAttrGet(number, 1)}));
  MlirValue made = pa_value(&at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(operands, count), PA_RESULTS(type),
                            PA_ATTRS({"name", pa_string_attr(p->context, like ? "numpy.empty_like" : "numpy.empty")}));
  if (!pa_failed(&at)) assign(p, &at, value, made);
  if (at.failure) return at.failure;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), made);
  return mlirOperationDestroy(op), PA_OK;
}

static pa_status replace_copy(placing *p, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0)), element = pyarrayArrayTypeGetElement(type);
  if (!is_array(source) || !is_plain(type) || pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_A) return PA_OK;
  pa_builder at = before(p, op);
  int32_t segments[] = {1, 0};
  MlirValue made = pa_value(&at, PA_OP_NAME(UFUNC), PA_OPERANDS(source), PA_RESULTS(type),
                            PA_REGIONS(pa_cast_body(&at, pa_element_of(mlirValueGetType(source)), element)),
                            PA_ATTRS({"signature", pa_string_attr(p->context, "()->()")},
                                     {"operandSegmentSizes", mlirDenseI32ArrayGet(p->context, 2, segments)}));
  if (at.failure) return at.failure;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), made);
  return mlirOperationDestroy(op), PA_OK;
}

//===-- Products of 16 bits -----------------------------------------------------------------------===//

static bool has_half_elements(MlirValue value) {
  pa_scalar scalar = pa_scalar_of(pa_element_of(mlirValueGetType(value)));
  return is_array(value) && (scalar == PA_F16 || scalar == PA_BF16);
}

// The array that |op|, which type inference has made for a product, casts; null where it is something else.
static MlirValue cast_for_product(const placing *p, MlirOperation op) {
  if (pa_kind(&p->names, op) != PA_OP_UFUNC || !pa_has_attr(op, "pyarray.name")) return (MlirValue){NULL};
  bool named = pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "pyarray.name")), "matmul");
  return named ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

static MlirOperation maker_of(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

static bool is_used(MlirOperation op) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0)));
}

// Of |cast|, which rounds the product of two arrays of its own element type that were cast to float32: that product,
// and the arrays.
static bool find_half_product(const placing *p, MlirOperation cast, MlirOperation *out_product, MlirValue *out_arrays) {
  MlirValue value = cast_for_product(p, cast), result;
  MlirOperation product = mlirValueIsNull(value) ? (MlirOperation){NULL} : maker_of(value);
  if (mlirOperationIsNull(product) || pa_kind(&p->names, product) != PA_OP_CONTRACT) return false;
  result = mlirOperationGetNumResults(cast) ? mlirOperationGetResult(cast, 0) : mlirOperationGetOperand(cast, 1);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (!has_half_elements(result) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use))) return false;
  for (int i = 0; i < 2; ++i) {
    MlirOperation maker = maker_of(mlirOperationGetOperand(product, i));
    out_arrays[i] = mlirOperationIsNull(maker) ? (MlirValue){NULL} : cast_for_product(p, maker);
    if (mlirValueIsNull(out_arrays[i]) || !has_half_elements(out_arrays[i])) return false;
    if (!mlirTypeEqual(pa_element_of(mlirValueGetType(out_arrays[i])), pa_element_of(mlirValueGetType(result))))
      return false;
  }
  return *out_product = product, true;
}

// Products are added up in float32 and rounded once all the same: by cuBLAS, or by a kernel (offload_products.c).
static pa_status replace_half_product(placing *p, MlirOperation cast) {
  MlirOperation product, makers[2];
  MlirValue operands[3];
  if (!find_half_product(p, cast, &product, operands)) return PA_OK;
  bool given = !mlirOperationGetNumResults(cast);
  MlirType type = given ? (MlirType){NULL} : mlirValueGetType(mlirOperationGetResult(cast, 0));
  int32_t segments[] = {2, given};
  pa_builder at = before(p, cast);
  if (given) operands[2] = mlirOperationGetOperand(cast, 1);
  for (int i = 0; i < 2; ++i) makers[i] = maker_of(mlirOperationGetOperand(product, i));
  MlirOperation made =
      pa_op(&at, PA_OP_NAME(CONTRACT), PA_OPERAND_ARRAY(operands, 2 + given), PA_RESULT_ARRAY(&type, !given),
            PA_ATTRS({"contraction", pa_get_attr(product, "contraction")},
                     {"operandSegmentSizes", mlirDenseI32ArrayGet(p->context, 2, segments)},
                     {"pyarray.name", pa_get_attr(product, "pyarray.name")},
                     {"pyarray.mismatch", pa_get_attr(product, "pyarray.mismatch")}));
  PA_TRY(at.failure);
  if (!given) mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(cast, 0), mlirOperationGetResult(made, 0));
  mlirOperationDestroy(cast);
  mlirOperationDestroy(product);
  if (!is_used(makers[0])) mlirOperationDestroy(makers[0]);
  if (!mlirOperationEqual(makers[0], makers[1]) && !is_used(makers[1])) mlirOperationDestroy(makers[1]);
  return PA_OK;
}

//===-- Launches ----------------------------------------------------------------------------------===//

static MlirOperation kernel_of(const placing *p, MlirOperation op) {
  MlirOperation none = {NULL};
  if (pa_kind(&p->names, op) != PA_OP_CALL || !pa_has_attr(op, "callee")) return none;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(pa_get_attr(op, "callee"));
  return starts_with(name, "device.kernels") ? pa_lookup(p->module, name) : none;
}

static bool is_written(MlirValue array, int depth) {
  enum { DEEP = 8 };
  if (depth > DEEP) return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (pyarrayOperationGetEffectsOn(user, array).writes & PYARRAY_RESOURCE_ELEMENTS) return true;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); ++r)
      if (is_array(mlirOperationGetResult(user, r)) && is_written(mlirOperationGetResult(user, r), depth + 1))
        return true;
  }
  return false;
}

// The first parameter that the kernel writes to.
static intptr_t first_written(MlirOperation kernel) {
  MlirBlock body = pa_body(kernel, 0);
  intptr_t i = 0, count = mlirBlockGetNumArguments(body);
  while (i < count && !(is_array(mlirBlockGetArgument(body, i)) && is_written(mlirBlockGetArgument(body, i), 0))) ++i;
  return i;
}

// Two blocks of 512 threads share a multiprocessor's.
enum { REGISTERS = 64 };

static pa_status replace_kernel_call(placing *p, MlirOperation op, MlirOperation kernel) {
  pa_builder at = before(p, op);
  intptr_t count = mlirOperationGetNumOperands(op);
  MlirValue *operands = PA_NEW_ARRAY(p->arena, MlirValue, count + 1), result = mlirOperationGetResult(op, 0);
  for (intptr_t i = 0; i < count; ++i) operands[i] = mlirOperationGetOperand(op, i);
  pa_set_attr(kernel, "pyarray.kernel", pa_unit_attr(p->context));
  pa_set_attr(kernel, "pyarray.registers", pa_i64_attr(p->context, REGISTERS));
  pa_op(&at, PA_OP_NAME(LAUNCH), PA_OPERAND_ARRAY(operands, count),
        PA_ATTRS({"kernel", pa_get_attr(op, "callee")}, {"outputs", pa_i64_attr(p->context, first_written(kernel))},
                 {"points", pa_i64_attr(p->context, 0)}, {"sized", pa_unit_attr(p->context)}));
  MlirValue none = pa_value(&at, PA_OP_NAME(CONSTANT), PA_RESULTS(mlirValueGetType(result)),
                            PA_ATTRS({"value", pa_unit_attr(p->context)}));
  if (at.failure) return at.failure;
  mlirValueReplaceAllUsesOfWith(result, none);
  return mlirOperationDestroy(op), PA_OK;
}

static pa_status replace(void *data, MlirOperation op) {
  placing *p = data;
  MlirOperation kernel = kernel_of(p, op);
  if (!mlirOperationIsNull(kernel)) return replace_kernel_call(p, op, kernel);
  if (pa_kind(&p->names, op) == PA_OP_SETITEM) return replace_assignment(p, op);
  if (pa_kind(&p->names, op) == PA_OP_UFUNC) return replace_half_product(p, op);
  const pa_builtin *row = row_of(p, op);
  if (!row || mlirOperationGetNumResults(op) != 1 || !is_array(mlirOperationGetResult(op, 0))) return PA_OK;
  if (row->lowering == PA_LOWERING_COPY) return replace_copy(p, op);
  bool makes = row->lowering == PA_LOWERING_NEW_ARRAY || row->lowering == PA_LOWERING_NEW_ARRAY_LIKE;
  return makes ? replace_filled(p, op, row) : PA_OK;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status run(pa_pass_context *context, MlirOperation module) {
  placing p = {.arena = context->arena, .context = context->context, .module = module};
  pa_op_list functions = {.arena = p.arena};
  pa_names_init(&p.names, p.context);
  bool wanted = false;
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (pa_kind(&p.names, op) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(op, 0)) && !pa_is_device_function(op) &&
      !pa_has_attr(op, "pyarray.hosts")) {
    wanted = wanted || pa_option_bool(op, "pyarray.options", "offload", false);
    pa_op_list_add(&functions, op);
  }
  if (!wanted) return PA_OK;
  for (size_t f = 0; f < functions.count; ++f) set_option(&p, functions.items[f], true); // the library's too
  for (size_t f = 0; f < functions.count; ++f)
    if (is_hosts_own(&p, functions.items[f])) move_to_host(&p, functions.items[f]);
  for (size_t f = 0; f < functions.count; ++f)
    if (pa_option_bool(functions.items[f], "pyarray.options", "offload", false)) answer(&p, functions.items[f], true);
  for (size_t f = 0; f < functions.count; ++f)
    if (pa_option_bool(functions.items[f], "pyarray.options", "offload", false))
      PA_TRY(pa_walk(pa_body(functions.items[f], 0), replace, &p));
  return PA_OK;
}

const pa_pass pa_pass_place_functions = {
    .argument = "pyarray-place-functions",
    .summary = "Decide which functions are the host's where whole arrays are a GPU's",
    .dependent_dialects = (const char *const[]){"func", "pyarray", NULL},
    .run = run,
};
