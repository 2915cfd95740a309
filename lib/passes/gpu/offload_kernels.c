// Of pyarray-offload: an operation on whole arrays as a kernel of its own.
//
//   pyarray.ufunc "(),()->()" ins(%a, %s : !A, f64) outs(%o : !A) expanded { ... }
// becomes
//   pyarray.launch @f$0.kernel0(%a, %s, %o) outputs 2 points 2 : !A, f64, !A
//
//   func.func private @f$0.kernel0(%a: !A, %s: f64, %o: !A) -> !pyarray.none attributes {pyarray.kernel, ...} {
//     pyarray.ufunc "(),()->()" ins(%a, %s : !A, f64) outs(%o : !A) grid expanded { ... }
//   }
// What the body uses from outside becomes a parameter too; constants are made again inside.
//
// So is a number that comes of a reduction on the device, so that nobody waits for it:
//
//   %m = pyarray.getitem %sum[%c0] {pyarray.fetched}; %n = pyarray.builtin "numpy.divide"(%m, %count)
//   pyarray.ufunc ins(%a, %n) ...
// becomes a launch with %sum and %count, and the kernel reads the element and divides.
#include <string.h>

#include "ir/whole_arrays.h"
#include "offload.h"
#include "pyarray-c/Effects.h"
#include "support/core_signature.h"
#include "support/map.h"

typedef struct outlining {
  pa_offloading *o;
  MlirOperation copy; // of the operation, in the kernel
  pa_builder at;      // at the kernel's end, before |copy|
  MlirBlock block;
  MlirValue *operands; // of the launch
  MlirType *types;
  size_t count, capacity;
  pa_map inside; // value outside -> value in the kernel
} outlining;

//===-- What the kernel is given ------------------------------------------------------------------===//

static MlirValue parameter(outlining *k, MlirValue value) {
  size_t types = k->capacity, operands = k->capacity;
  k->types = pa_arena_grow(k->o->arena, k->types, k->count, &types, sizeof *k->types);
  k->operands = pa_arena_grow(k->o->arena, k->operands, k->count, &operands, sizeof *k->operands);
  k->capacity = operands;
  k->operands[k->count] = value;
  k->types[k->count++] = mlirValueGetType(value);
  return mlirBlockAddArgument(k->block, mlirValueGetType(value), k->at.location);
}

static bool is_constant(const outlining *k, MlirValue value) {
  return mlirValueIsAOpResult(value) && pa_kind(&k->o->names, mlirOpResultGetOwner(value)) == PA_OP_CONSTANT;
}

static MlirValue inside(outlining *k, MlirValue value);

//===-- Numbers on the device ---------------------------------------------------------------------===//

enum { DEEP = 16 };

static bool is_fetched(MlirOperation op) { return pa_has_attr(op, "pyarray.fetched"); }

static bool is_number(MlirValue value) { return pa_scalar_of(mlirValueGetType(value)) != PA_NOT_SCALAR; }

// What may be computed anywhere, of numbers.
static bool is_arithmetic(const pa_offloading *o, MlirOperation op) {
  pa_op_kind kind = pa_kind(&o->names, op);
  if (kind == PA_OP_BUILTIN) {
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
    if (name.length < 6 || memcmp(name.data, "numpy.", 6) != 0) return false;
  } else if (kind != PA_OP_CAST && kind != PA_OP_BINARY && kind != PA_OP_UNARY) {
    return false;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!is_number(mlirOperationGetOperand(op, i))) return false;
  return mlirOperationGetNumResults(op) == 1 && is_number(mlirOperationGetResult(op, 0)) &&
         pyarrayOperationOnlyComputes(op) && pyarrayOperationIsSpeculatable(op);
}

// Whether |value| is computed of a number that is on the device.
static bool is_on_device(const pa_offloading *o, MlirValue value, int depth) {
  if (depth > DEEP || !mlirValueIsAOpResult(value) || !is_number(value)) return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (is_fetched(op)) return true;
  if (!is_arithmetic(o, op)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_on_device(o, mlirOperationGetOperand(op, i), depth + 1)) return true;
  return false;
}

// The first array on the device of which |value| is computed.
static MlirValue array_behind(const pa_offloading *o, MlirValue value) {
  MlirOperation op = mlirOpResultGetOwner(value);
  if (is_fetched(op)) return mlirOperationGetOperand(op, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_on_device(o, mlirOperationGetOperand(op, i), 1)) return array_behind(o, mlirOperationGetOperand(op, i));
  return value;
}

static MlirValue compute_inside(outlining *k, MlirValue value) {
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, inside(k, mlirOperationGetOperand(copy, i)));
  mlirBlockInsertOwnedOperationBefore(k->block, k->copy, copy);
  return mlirOperationGetResult(copy, 0);
}

// Of the result of a kernel that is one number: whether the host alone reads it.
static bool is_read_by_host(const pa_offloading *o, MlirValue array) {
  int launches = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(array); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    pa_op_kind kind = pa_kind(&o->names, mlirOpOperandGetOwner(use));
    launches += kind == PA_OP_LAUNCH;
    if (kind != PA_OP_LAUNCH && kind != PA_OP_GETITEM) return false;
  }
  return launches == 1;
}

void pa_offload_drop_fetched(const pa_offloading *o, MlirBlock block) {
  pa_op_list all = {.arena = o->arena};
  PA_FOR_EACH_OP(op, block) pa_op_list_add(&all, op);
  for (size_t i = all.count; i-- > 0;) {
    MlirOperation op = all.items[i];
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        pa_offload_drop_fetched(o, inner);
    bool unused =
        mlirOperationGetNumResults(op) == 1 && mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0)));
    if (unused && (is_fetched(op) || is_arithmetic(o, op)))
      mlirOperationDestroy(op);
    else if (pa_has_attr(op, "pyarray.number") && !is_read_by_host(o, mlirOperationGetResult(op, 0)))
      mlirOperationRemoveAttributeByName(op, pa_ref("pyarray.number"));
  }
}

//===-- Values inside -----------------------------------------------------------------------------===//

static MlirValue inside(outlining *k, MlirValue value) {
  void *known = pa_map_get(&k->inside, value.ptr);
  if (known) return (MlirValue){known};
  MlirValue made;
  if (is_on_device(k->o, value, 0)) {
    made = compute_inside(k, value);
  } else if (is_constant(k, value)) {
    MlirOperation constant = mlirOperationClone(mlirOpResultGetOwner(value));
    mlirBlockInsertOwnedOperationBefore(k->block, k->copy, constant);
    made = mlirOperationGetResult(constant, 0);
  } else {
    made = parameter(k, value);
  }
  pa_map_put(k->o->arena, &k->inside, value.ptr, (void *)made.ptr);
  return made;
}

// Values that |op|, within the copy, uses and that the copy does not make.
static bool is_made_within(const outlining *k, MlirValue value) {
  MlirOperation op;
  if (mlirValueIsAOpResult(value))
    op = mlirOpResultGetOwner(value);
  else
    op = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, k->copy)) op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

static MlirWalkResult capture(MlirOperation op, void *data) {
  outlining *k = data;
  if (mlirOperationEqual(op, k->copy)) return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_made_within(k, value)) mlirOperationSetOperand(op, i, inside(k, value));
  }
  return MlirWalkResultAdvance;
}

//===-- The kernel --------------------------------------------------------------------------------===//

pa_offloading pa_offloading_begin(pa_pass_context *context, MlirOperation module, pa_op_list *out_functions) {
  pa_offloading o = {.arena = context->arena,
                     .context = context->context,
                     .module = module,
                     .si64 = mlirIntegerTypeSignedGet(context->context, 64)};
  *out_functions = (pa_op_list){.arena = o.arena};
  pa_names_init(&o.names, o.context);
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (pa_kind(&o.names, op) == PA_OP_FUNC && !mlirBlockIsNull(pa_body(op, 0)) &&
      pa_option_bool(op, "pyarray.options", "offload", false))
    pa_op_list_add(out_functions, op);
  return o;
}

MlirAttribute pa_kernel_options(const pa_offloading *o) {
  MlirAttribute own = pa_get_attr(o->function, "pyarray.options");
  static const char *const kept[] = {"boundscheck", "error_model", "fastmath", "inline"};
  enum { KEPT = sizeof kept / sizeof *kept };
  MlirNamedAttribute entries[KEPT + 1];
  intptr_t count = 0;
  for (int i = 0; i < KEPT; ++i) {
    MlirAttribute value = mlirDictionaryAttrGetElementByName(own, pa_ref(kept[i]));
    if (!mlirAttributeIsNull(value))
      entries[count++] = mlirNamedAttributeGet(mlirIdentifierGet(o->context, pa_ref(kept[i])), value);
  }
  entries[count++] =
      mlirNamedAttributeGet(mlirIdentifierGet(o->context, pa_ref("target")), pa_string_attr(o->context, "cuda"));
  return mlirDictionaryAttrGet(o->context, count, entries);
}

// Whether what is done to an element has no loops of its own: code generation may leave out most of LLVM's passes.
static bool is_straight(const pa_offloading *o, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&o->names, op);
    if (kind == PA_OP_CALL) return false;
    if (!mlirOperationGetNumRegions(op)) continue;
    if ((kind != PA_OP_UFUNC && kind != PA_OP_REDUCE) || !is_straight(o, pa_body(op, 0))) return false;
  }
  return true;
}

// A block of rows may have 1024 threads. With fewer registers they are spilled, and softmax takes twice as long.
enum { MOST_REGISTERS = 64 };

// A kernel that there is already under another name: the parts of a sum are folded as what they are parts of.
static const char *same_kernel(pa_offloading *o, MlirOperation kernel) {
  pa_string text = {0};
  mlirOperationPrint(kernel, pa_append_text, &text);
  const char *own = pa_arena_format(o->arena, "%s", pa_string_text(&text));
  pa_string_free(&text);
  for (int i = 0; i < o->made; ++i)
    if (strcmp(o->texts[i], own) == 0) return o->kernel_names[i];
  size_t texts = o->capacity, names = o->capacity;
  o->texts = pa_arena_grow(o->arena, o->texts, (size_t)o->made, &texts, sizeof *o->texts);
  o->kernel_names = pa_arena_grow(o->arena, o->kernel_names, (size_t)o->made, &names, sizeof *o->kernel_names);
  o->capacity = names;
  o->texts[o->made] = own;
  return NULL;
}

static const char *add_kernel(outlining *k, MlirRegion body, const pa_kernel_form *form) {
  pa_offloading *o = k->o;
  MlirAttribute straight = is_straight(o, pa_body(k->copy, 0)) ? pa_i64_attr(o->context, 1) : (MlirAttribute){NULL};
  const char *host = pa_attr_text(o->arena, pa_get_attr(o->function, "sym_name"));
  MlirType none = pyarrayNoneTypeGet(o->context);
  MlirValue nothing =
      pa_value(&k->at, PA_OP_NAME(CONSTANT), PA_RESULTS(none), PA_ATTRS({"value", pa_unit_attr(o->context)}));
  pa_op(&k->at, PA_OP_NAME(RETURN), PA_OPERANDS(nothing));
  pa_builder module = {
      .context = o->context, .block = pa_module_body(o->module), .location = k->at.location, .failure = k->at.failure};
  MlirOperation made = pa_op(
      &module, PA_OP_NAME(FUNC), PA_REGIONS(body),
      PA_ATTRS(
          {"sym_name", pa_string_attr(o->context, "kernel")},
          {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(o->context, (intptr_t)k->count, k->types, 1, &none))},
          {"sym_visibility", pa_string_attr(o->context, "private")}, {"pyarray.kernel", pa_unit_attr(o->context)},
          {"pyarray.options", pa_kernel_options(o)}, {"pyarray.straight", straight},
          {"pyarray.registers", form->fold ? pa_i64_attr(o->context, MOST_REGISTERS) : mlirAttributeGetNull()},
          {"pyarray.qualname", pa_get_attr(o->function, "pyarray.qualname")}));
  k->at.failure = module.failure;
  if (k->at.failure) return "";
  const char *name = same_kernel(o, made);
  if (name) return mlirOperationDestroy(made), name;
  name = o->kernel_names[o->made++] = pa_arena_format(o->arena, "%s.kernel%d", host, o->kernels++);
  pa_set_attr(made, "sym_name", pa_string_attr(o->context, name));
  return name;
}

pa_status pa_offload_operation(pa_offloading *o, MlirOperation op, const pa_kernel_form *form) {
  outlining k = {.o = o, .at = {.context = o->context, .location = mlirOperationGetLocation(op)}};
  MlirRegion body = pa_region(k.at.location, NULL, 0, &k.block);
  k.copy = mlirOperationClone(op);
  k.at.block = k.block;
  mlirBlockAppendOwnedOperation(k.block, k.copy);
  // Operands in their order, as the numbers of |form| are; one array twice is two parameters. In place of a number that
  // is computed inside there is an array that it is computed of.
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    bool computed = is_on_device(o, value, 0);
    MlirValue array = computed ? array_behind(o, value) : value, made = parameter(&k, array);
    if (computed)
      pa_map_put(o->arena, &k.inside, array.ptr, (void *)made.ptr);
    else
      mlirOperationSetOperand(k.copy, i, made);
  }
  for (intptr_t i = 0; i < count; ++i)
    if (is_on_device(o, mlirOperationGetOperand(op, i), 0))
      mlirOperationSetOperand(k.copy, i, inside(&k, mlirOperationGetOperand(op, i)));
  mlirOperationWalk(k.copy, capture, &k, MlirWalkPreOrder);
  pa_set_attr(k.copy, "grid", pa_unit_attr(o->context));
  const char *name = add_kernel(&k, body, form);
  pa_builder at = pa_offload_before(o, op);
  at.failure = k.at.failure;
  pa_op(&at, PA_OP_NAME(LAUNCH), PA_OPERAND_ARRAY(k.operands, (intptr_t)k.count),
        PA_ATTRS({"kernel", pa_symbol_attr(o->context, name)}, {"outputs", pa_i64_attr(o->context, form->outputs)},
                 {"points", pa_i64_attr(o->context, form->points)},
                 {"fold", form->fold ? pa_unit_attr(o->context) : mlirAttributeGetNull()},
                 {"pyarray.rows", pa_get_attr(op, "pyarray.rows")}));
  mlirOperationDestroy(op);
  return at.failure;
}

//===-- Ufuncs ------------------------------------------------------------------------------------===//

// What has no loop is one point of a loop, which one thread of many has.
static pa_status add_point(pa_offloading *o, MlirOperation op) {
  pa_builder at = pa_offload_before(o, op);
  int64_t first = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !pa_failed(&at); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(value);
    if (!pyarrayTypeIsArray(type)) continue;
    MlirType made = pa_array_type(o->context, pyarrayArrayTypeGetRank(type) + 1, pyarrayArrayTypeGetElement(type),
                                  PYARRAY_LAYOUT_A, pyarrayArrayTypeIsReadonly(type));
    value = pa_value(&at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(value), PA_RESULTS(made),
                     PA_ATTRS({"axes", mlirDenseI64ArrayGet(o->context, 1, &first)}));
    if (!pa_failed(&at)) mlirOperationSetOperand(op, i, value);
  }
  return at.failure;
}

pa_status pa_offload_ufunc(pa_offloading *o, MlirOperation op) {
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  if (pa_core_signature_parse(text.data, text.length, &core))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "a malformed signature of a ufunc");
  MlirType output = mlirValueGetType(mlirOperationGetOperand(op, core.input_count));
  intptr_t rank = pyarrayArrayTypeGetRank(output) - core.operands[core.input_count].rank;
  bool elementwise = true;
  if (rank == 0) PA_TRY(add_point(o, op));
  for (int i = 0; i < core.input_count + core.output_count; ++i) elementwise &= !core.operands[i].rank;
  if (rank > 1 && elementwise) PA_TRY(pa_order_operands(o->arena, op, rank));
  return pa_offload_operation(o, op, &(pa_kernel_form){core.input_count, core.input_count, false});
}
