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
#include "ir/whole_arrays.h"
#include "offload.h"
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

static MlirValue inside(outlining *k, MlirValue value) {
  void *known = pa_map_get(&k->inside, value.ptr);
  if (known) return (MlirValue){known};
  MlirValue made;
  if (is_constant(k, value)) {
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

// Those of the function, for a GPU.
static MlirAttribute kernel_options(const pa_offloading *o) {
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
static bool is_straight(const outlining *k) {
  PA_FOR_EACH_OP(op, pa_body(k->copy, 0))
  if (mlirOperationGetNumRegions(op) || pa_kind(&k->o->names, op) == PA_OP_CALL) return false;
  return true;
}

static const char *add_kernel(outlining *k, MlirRegion body) {
  pa_offloading *o = k->o;
  MlirAttribute straight = is_straight(k) ? pa_i64_attr(o->context, 1) : (MlirAttribute){NULL};
  const char *host = pa_attr_text(o->arena, pa_get_attr(o->function, "sym_name")),
             *name = pa_arena_format(o->arena, "%s.kernel%d", host, o->kernels++);
  MlirType none = pyarrayNoneTypeGet(o->context);
  MlirValue nothing =
      pa_value(&k->at, PA_OP_NAME(CONSTANT), PA_RESULTS(none), PA_ATTRS({"value", pa_unit_attr(o->context)}));
  pa_op(&k->at, PA_OP_NAME(RETURN), PA_OPERANDS(nothing));
  pa_builder module = {
      .context = o->context, .block = pa_module_body(o->module), .location = k->at.location, .failure = k->at.failure};
  pa_op(&module, PA_OP_NAME(FUNC), PA_REGIONS(body),
        PA_ATTRS(
            {"sym_name", pa_string_attr(o->context, name)},
            {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(o->context, (intptr_t)k->count, k->types, 1, &none))},
            {"sym_visibility", pa_string_attr(o->context, "private")}, {"pyarray.kernel", pa_unit_attr(o->context)},
            {"pyarray.options", kernel_options(o)}, {"pyarray.straight", straight},
            {"pyarray.qualname", pa_get_attr(o->function, "pyarray.qualname")}));
  k->at.failure = module.failure;
  return name;
}

pa_status pa_offload_operation(pa_offloading *o, MlirOperation op, const pa_kernel_form *form) {
  outlining k = {.o = o, .at = {.context = o->context, .location = mlirOperationGetLocation(op)}};
  MlirRegion body = pa_region(k.at.location, NULL, 0, &k.block);
  k.copy = mlirOperationClone(op);
  k.at.block = k.block;
  mlirBlockAppendOwnedOperation(k.block, k.copy);
  // Operands in their order, as the numbers of |form| are; one array twice is two parameters.
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(k.copy, i, parameter(&k, mlirOperationGetOperand(op, i)));
  mlirOperationWalk(k.copy, capture, &k, MlirWalkPreOrder);
  pa_set_attr(k.copy, "grid", pa_unit_attr(o->context));
  const char *name = add_kernel(&k, body);
  pa_builder at = pa_offload_before(o, op);
  at.failure = k.at.failure;
  pa_op(&at, PA_OP_NAME(LAUNCH), PA_OPERAND_ARRAY(k.operands, (intptr_t)k.count),
        PA_ATTRS({"kernel", pa_symbol_attr(o->context, name)}, {"outputs", pa_i64_attr(o->context, form->outputs)},
                 {"points", pa_i64_attr(o->context, form->points)},
                 {"fold", form->fold ? pa_unit_attr(o->context) : mlirAttributeGetNull()}));
  mlirOperationDestroy(op);
  return at.failure;
}

//===-- Ufuncs ------------------------------------------------------------------------------------===//

pa_status pa_offload_ufunc(pa_offloading *o, MlirOperation op) {
  pa_core_signature core;
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  if (pa_core_signature_parse(text.data, text.length, &core))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "a malformed signature of a ufunc");
  MlirType output = mlirValueGetType(mlirOperationGetOperand(op, core.input_count));
  intptr_t rank = pyarrayArrayTypeGetRank(output) - core.operands[core.input_count].rank;
  bool elementwise = true;
  for (int i = 0; i < core.input_count + core.output_count; ++i) elementwise &= !core.operands[i].rank;
  if (rank > 1 && elementwise) PA_TRY(pa_order_operands(o->arena, op, rank));
  return pa_offload_operation(o, op, &(pa_kernel_form){core.input_count, core.input_count, false});
}
