// pyarray-infer-types: gives every value a concrete type.
//
// Enters: untyped functions, one or more with `pyarray.instantiate`. Leaves: one typed function per combination of
// argument types that is reached from those (an instance); the untyped functions are gone.
//
//   func.func @f(%x: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(f64) -> ()]} {
//     %0 = pyarray.constant 1 : si64 -> !pyarray.any
//     %1 = pyarray.binary add %x, %0 : (!pyarray.any, !pyarray.any) -> !pyarray.any
// becomes
//   func.func @f$0(%x: f64) -> f64 attributes {pyarray.entry} {
//     %0 = pyarray.constant 1 : si64 -> si64
//     %1 = pyarray.cast %0 : si64 to f64
//     %2 = pyarray.binary add %x, %1 : (f64, f64) -> f64
//
// First the facts of all values are found by abstract interpretation (infer_facts.c), instances of callees on the way,
// to a fixpoint over loops and recursion; then each instance is emitted from its facts (infer_emit.c).
#include <string.h>

#include "infer_classes.h"
#include "infer_containers.h"
#include "infer_contract.h"
#include "infer_elementwise.h"
#include "infer_emit.h"
#include "infer_emit_parts.h"
#include "infer_flow.h"
#include "infer_reduce.h"
#include "infer_signs.h"
#include "infer_text.h"
#include "infer_ufunc.h"
#include "infer_walk.h"
#include "pass.h"

//===-- Instances ---------------------------------------------------------------------------------===//

//===-- Driver ------------------------------------------------------------------------------------===//

// The value that the caller told, or the default of a parameter that the call left out.
static pa_status read_default(MlirOperation function, intptr_t count, intptr_t index, pa_fact *out_fact) {
  MlirAttribute known = pa_get_attr(function, "pyarray.known"),
                told = mlirAttributeIsNull(known) ? known : mlirArrayAttrGetElement(known, index);
  if (!mlirAttributeIsNull(told) && !mlirAttributeIsAUnit(told))
    return *out_fact = pa_literal_fact(mlirTypeGetContext(out_fact->type), told), PA_OK;
  MlirAttribute defaults = pa_get_attr(function, "pyarray.defaults");
  intptr_t optional = mlirAttributeIsNull(defaults) ? 0 : mlirArrayAttrGetNumElements(defaults);
  intptr_t at = index - (count - optional);
  MlirAttribute value = at < 0 ? mlirAttributeGetNull() : mlirArrayAttrGetElement(defaults, at);
  if (mlirAttributeIsNull(value) || !(mlirAttributeIsAString(value) || mlirAttributeIsAInteger(value)))
    return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(function),
                      "argument %d cannot be left out: its parameter has no default that is a str or an int",
                      (int)index);
  return *out_fact = pa_literal_fact(mlirTypeGetContext(out_fact->type), value), PA_OK;
}

static pa_status request_instance(pa_inference *inference, MlirOperation function, MlirAttribute signature) {
  MlirLocation location = mlirOperationGetLocation(function);
  MlirType type = mlirAttributeIsAType(signature) ? mlirTypeAttrGetValue(signature) : (MlirType){NULL};
  if (mlirTypeIsNull(type) || !mlirTypeIsAFunction(type))
    return pa_fail_at(PA_CODE_INVALID, location, "pyarray.instantiate holds function types");
  intptr_t count = mlirFunctionTypeGetNumInputs(type);
  MlirBlock body = pa_body(function, 0);
  if (mlirBlockIsNull(body) || mlirBlockGetNumArguments(body) != count)
    return pa_fail_at(PA_CODE_INVALID, location,
                      "pyarray.instantiate has %d argument types for a function with another number of parameters",
                      (int)count);
  pa_fact *arguments = PA_NEW_ARRAY(inference->arena, pa_fact, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    arguments[i] = pa_fact_of(mlirFunctionTypeGetInput(type, i));
    if (pyarrayTypeIsAny(arguments[i].type)) PA_TRY(read_default(function, count, i, &arguments[i]));
  }
  inference->offload = inference->offload || pa_option_bool(function, "pyarray.options", "offload", false);
  inference->is_entry = true;
  pa_instance *instance = pa_instance_get(inference, function, arguments, count);
  inference->is_entry = false;
  instance->entry = true;
  if (mlirFunctionTypeGetNumResults(type) == 1) instance->declared = mlirFunctionTypeGetResult(type, 0);
  return pa_infer_instance(inference, instance);
}

static bool stays_inside(MlirType type) {
  if (pyarrayTypeIsTagged(type))
    return pa_is_iterable_tag(type) || pa_is_tagged(type, "function") || pa_is_tagged(type, "passed") ||
           pa_is_tagged(type, "choice") || stays_inside(pyarrayTaggedTypeGetItem(type));
  if (pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsGenerator(type))
    return stays_inside(pyarrayTypeGetItem(type));
  if (!mlirTypeIsATuple(type)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (stays_inside(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

// Nested functions and what is iterated over have no object of Python.
static pa_status check_results(pa_inference *inference) {
  for (pa_instance *instance = inference->first; instance; instance = instance->next) {
    if (!instance->entry || pa_is_bottom(instance->result) || !stays_inside(instance->result.type)) continue;
    return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(instance->function),
                      "a value of type %s cannot be returned to Python\n"
                      "hint: call the function, or make a list of the items, in compiled code",
                      pa_type_text(inference->arena, instance->result.type));
  }
  return PA_OK;
}

// It is of level 4, and stays as it is.
static bool is_intrinsic(MlirOperation function) {
  return !mlirAttributeIsNull(pa_get_attr(function, "pyarray.intrinsic"));
}

static pa_status check_untyped(const pa_inference *inference, MlirOperation function) {
  MlirAttribute type_attr = pa_get_attr(function, "function_type");
  MlirType type = mlirTypeAttrGetValue(type_attr);
  MlirRegion region = mlirOperationGetRegion(function, 0);
  MlirBlock body = mlirRegionGetFirstBlock(region);
  bool single = !mlirBlockIsNull(body) && mlirBlockIsNull(mlirBlockGetNextInRegion(body));
  bool any = mlirFunctionTypeGetNumResults(type) == 1 && pyarrayTypeIsAny(mlirFunctionTypeGetResult(type, 0));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    any = any && pyarrayTypeIsAny(mlirFunctionTypeGetInput(type, i));
  if (single && any && pa_kind(&inference->names, mlirBlockGetTerminator(body)) == PA_OP_RETURN) return PA_OK;
  return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(function),
                    "an untyped function has one block and !pyarray.any arguments and result");
}

static bool is_requested(MlirOperation module) {
  PA_FOR_EACH_OP(op, pa_module_body(module))
  if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.instantiate"))) return true;
  return false;
}

static pa_status infer_module(pa_inference *inference) {
  MlirBlock body = pa_module_body(inference->module);
  if (!is_requested(inference->module)) return PA_OK; // typed already
  PA_FOR_EACH_OP(op, body) {
    if (pa_kind(&inference->names, op) == PA_OP_FUNC && !is_intrinsic(op)) PA_TRY(check_untyped(inference, op));
  }
  PA_FOR_EACH_OP(op, body) {
    MlirAttribute requests = pa_get_attr(op, "pyarray.instantiate");
    if (mlirAttributeIsNull(requests)) continue;
    if (!mlirAttributeIsAArray(requests))
      return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op),
                        "pyarray.instantiate is an array of function types");
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(requests); ++i)
      PA_TRY(request_instance(inference, op, mlirArrayAttrGetElement(requests, i)));
  }
  return PA_OK;
}

static void forget_facts(pa_inference *inference) {
  ++inference->epoch;
  pa_growths_forget(inference->growths);
  for (pa_instance *instance = inference->first; instance; instance = instance->next) {
    if (instance->value_capacity) memset(instance->values, 0, instance->value_capacity * sizeof *instance->values);
    instance->value_count = 0;
    instance->result = (pa_fact){0};
    instance->state = PA_FRESH;
  }
}

// Of a round that failed: what it did not come back from.
static void leave_calls(pa_inference *inference) {
  inference->depth = inference->notes = inference->notes_left_out = 0;
  inference->current = NULL;
}

// Whether something was learned in this round that the next one knows from its beginning.
static bool take_change(pa_inference *inference) {
  bool made_whole = inference->made_whole;
  inference->made_whole = false;
  return pa_sites_take_change(inference->sites) || made_whole;
}

// A round in which branches that are not taken say what they would put into containers that nothing fills. |dtypes|:
// and arrays of such have some dtype, too. Whether something was learned.
static bool guess(pa_inference *inference, bool dtypes) {
  forget_facts(inference);
  inference->guesses = true;
  inference->guesses_dtypes = dtypes;
  pa_status_free(infer_module(inference));
  pa_growths_forgive(inference->growths);
  leave_calls(inference);
  inference->guesses = inference->guesses_dtypes = false;
  return take_change(inference);
}

static bool guess_items(pa_inference *inference) { return guess(inference, false) || guess(inference, true); }

static pa_status keep_first(pa_status first, pa_status status) {
  if (!first) return status;
  return pa_status_free(status), first;
}

// More is known of signs, or of what has to be known: what was concluded before, and failed, is forgotten.
static void begin_anew(pa_inference *inference, pa_status status) {
  pa_status_free(status);
  leave_calls(inference);
  take_change(inference);
  forget_facts(inference);
  inference->meeting_count = 0;
}

// Until the types of items stay as they are. In the end what nothing was put into has items of type none. What is wrong
// in a round may be right in the next one, where more is known of what containers hold: `sorted(xs)` before
// `xs.append(...)`.
static pa_status infer_in_rounds(pa_inference *inference) {
  enum { PA_MOST_ROUNDS = 100 };
  MlirType none = pyarrayNoneTypeGet(inference->context);
  pa_status first = PA_OK; // that was wrong where nothing new was learned
  bool guessed = false;
  for (int round = 0; round < PA_MOST_ROUNDS; ++round) {
    pa_signs_begin_round(inference->signs);
    pa_status status = infer_module(inference);
    bool demanded = inference->demanded;
    inference->demanded = false;
    if (pa_signs_take_change(inference) || demanded) {
      begin_anew(inference, status), --round;
      pa_status_free(first), first = PA_OK, guessed = false;
      continue;
    }
    bool changed = take_change(inference), guesses = !changed && !guessed && !pa_sites_are_known(inference->sites);
    if (status && ((first && !changed) || pa_status_code(status) != PA_CODE_TYPING)) return keep_first(first, status);
    if (status) leave_calls(inference);
    if (!changed)
      pa_status_free(first), first = status;
    else
      pa_status_free(status);
    bool found = guesses && guess_items(inference);
    bool settled = !changed && !guesses && pa_sites_fill_empty(inference->sites, none);
    if (!changed && !guesses && !settled && (first || !pa_type_empty_generators(inference))) return first;
    bool learned = take_change(inference) || found;
    if (guesses) guessed = !learned; // what was learned may decide what else is not taken
    forget_facts(inference);
  }
  pa_status_free(first);
  return pa_fail_at(PA_CODE_TYPING, mlirOperationGetLocation(inference->module),
                    "a list, dict or set holds itself: its items have no type");
}

static void erase_untyped(pa_inference *inference, MlirOperation end) {
  MlirOperation op = mlirBlockGetFirstOperation(pa_module_body(inference->module));
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, end)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (pa_kind(&inference->names, op) == PA_OP_FUNC && !is_intrinsic(op)) mlirOperationDestroy(op);
    op = next;
  }
}

static pa_status emit_all(pa_inference *inference) {
  MlirOperation last_untyped = {NULL};
  PA_FOR_EACH_OP(op, pa_module_body(inference->module)) last_untyped = op;
  inference->emitting = true;
  for (pa_instance *instance = inference->first; instance; instance = instance->next)
    if (instance->state == PA_DONE) PA_TRY(pa_emit_instance(inference, instance));
  erase_untyped(inference, mlirOperationGetNextInBlock(last_untyped));
  return PA_OK;
}

static const pa_infer_forward forward = {
    .infer_instance = pa_walk_instance,
    .take_iterators = pa_take_iterators,
    .take_numbers = pa_take_numbers,
    .take_texts = pa_take_texts,
    .take_buffers = pa_take_buffers,
    .text_builtin = pa_text_builtin,
    .text_function = pa_text_function,
    .dict_class_has_method = pa_dict_class_has_method,
    .resolve_ufunc = pa_resolve_ufunc,
    .plan_elementwise_call = pa_plan_elementwise_call,
    .plan_product = pa_plan_product,
    .resolve_reduction = pa_resolve_reduction,
    .emit_record_item = pa_emit_record_item,
    .emit_memoryview_item = pa_emit_memoryview_item,
};

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_inference inference = {
      .forward = &forward, .context = context->context, .module = module, .arena = context->arena};
  pa_names_init(&inference.names, context->context);
  inference.last = &inference.first;
  inference.growths = pa_growths_new(context->arena, module);
  inference.sites = pa_sites_new(context->arena, inference.growths);
  inference.signs = pa_signs_new(context->arena);
  inference.made_block = mlirBlockCreate(0, NULL, NULL);
  pa_precompiled_begin(&inference);
  pa_status status = infer_in_rounds(&inference);
  if (!status && pa_give_up_precompiled(&inference)) forget_facts(&inference), status = infer_in_rounds(&inference);
  if (!status) status = check_results(&inference);
  if (!status && inference.first) pa_warn_of_signs(&inference), status = emit_all(&inference);
  mlirBlockDestroy(inference.made_block);
  if (!inference.notes_precompiled) mlirOperationRemoveAttributeByName(module, pa_ref("pyarray.precompiled"));
  return status;
}

const pa_pass pa_pass_infer_types = {
    .argument = "pyarray-infer-types",
    .summary = "Give every value a concrete type, instantiating functions per argument types",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", "func", NULL},
    .run = run,
};
