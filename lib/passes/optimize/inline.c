// pyarray-inline: puts the bodies of small functions in place of calls.
//
// Enters and leaves: typed functions. A callee is inlined when its option `inline` is "always", or is "auto" and its
// body has at most `threshold` operations (beside those on tuples and constants) and no regions, or only those of
// operations on whole arrays and of loops over tuples, and at most `array-threshold` operations (values are computed
// where they are read within one function alone; what a loop over a tuple does counts once for each item), or is called
// in the body of a pyarray.ufunc and has at most `ufunc-threshold`, or makes an array of few elements of known extents
// and has at most `array-threshold`; never when it is recursive or its option is "never"; for a GPU, and in its
// loops over prange, always unless it is recursive. LLVM inlines what is left. Private functions without uses are
// removed. Locations become call sites, so that tracebacks keep both frames. Where the callee's options that decide how
// an operation is lowered are not the caller's, its operations keep them as an attribute.
//
//   %0 = pyarray.call @square$0(%x) : (f64) -> f64      becomes
//   %0 = pyarray.binary mul %x, %x : (f64, f64) -> f64
//
// A loop over a generator that is made for it becomes the generator's body, with the loop's body in place of each yield
// (inline_generators.c).
#include <string.h>

#include "inline_internal.h"
#include "integer_facts.h"
#include "ir/builtins.h"
#include "pass.h"
#include "pyarray-c/Passes.h"

typedef struct node {
  MlirOperation function;
  enum { NEW, OPEN, DONE } state;
  bool recursive;
  int operations, constants;
  bool regions; // of other operations than those on whole arrays, and loops over tuples
  bool arrays;  // has such
  bool used;    // by what stays
  bool stops;   // a StopIteration may come out of it, which in a generator is a RuntimeError
} node;

typedef struct inlining {
  pa_pass_context *pass;
  pa_names names;
  MlirOperation module;
  node *nodes;
  size_t count;
  int64_t threshold, ufunc_threshold, array_threshold, generator_threshold;
} inlining;

static node *find_node(inlining *p, MlirOperation function) {
  for (size_t i = 0; i < p->count; ++i)
    if (mlirOperationEqual(p->nodes[i].function, function)) return &p->nodes[i];
  return NULL;
}

static bool policy_is(MlirOperation function, const char *policy) {
  MlirAttribute options = pa_get_attr(function, "pyarray.options");
  if (mlirAttributeIsNull(options) || !mlirAttributeIsADictionary(options)) return strcmp(policy, "auto") == 0;
  MlirAttribute value = mlirDictionaryAttrGetElementByName(options, pa_ref("inline"));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value)) return strcmp(policy, "auto") == 0;
  return pa_ref_equal(mlirStringAttrGetValue(value), policy);
}

static bool takes_fresh_generator(const inlining *p, MlirOperation call);
static bool gives_fresh_generator(const inlining *p, MlirOperation call);

enum { PA_MOST_KNOWN_ELEMENTS = 256 };

// The array that |callee| returns it has made, of few elements, and of extents that are constants in this call: what
// the caller does with it is known where both are one function.
static bool makes_small_array(const inlining *p, MlirOperation call, MlirOperation callee) {
  MlirBlock body = pa_body(callee, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  if (pa_kind(&p->names, end) != PA_OP_RETURN || mlirOperationGetNumOperands(end) != 1) return false;
  MlirValue array = mlirOperationGetOperand(end, 0);
  MlirOperation made = mlirValueIsAOpResult(array) ? mlirOpResultGetOwner(array) : (MlirOperation){NULL};
  if (mlirOperationIsNull(made) || pa_kind(&p->names, made) != PA_OP_BUILTIN) return false;
  const pa_builtin *row = pa_builtin_find(mlirStringAttrGetValue(pa_get_attr(made, "name")));
  if (!row || row->lowering != PA_LOWERING_NEW_ARRAY || !pyarrayTypeIsArray(mlirValueGetType(array))) return false;
  int64_t elements = 1, rank = pyarrayArrayTypeGetRank(mlirValueGetType(array));
  for (intptr_t axis = 0; axis < rank; ++axis) {
    MlirValue size = pa_item_of_tuple(&p->names, mlirOperationGetOperand(made, axis));
    int64_t known;
    if (mlirValueIsABlockArgument(size) && mlirBlockEqual(mlirBlockArgumentGetOwner(size), body))
      size = mlirOperationGetOperand(call, mlirBlockArgumentGetArgNumber(size));
    if (!pa_integer_known(&p->names, size, &known) || known < 0 || known > PA_MOST_KNOWN_ELEMENTS) return false;
    elements *= known;
    if (elements > PA_MOST_KNOWN_ELEMENTS) return false;
  }
  return true;
}

// Whose arrays are a GPU's.
static bool is_offloaded(MlirOperation function) {
  return pa_option_bool(function, "pyarray.options", "offload", false);
}

static MlirOperation function_around(const inlining *p, MlirOperation op) {
  while (pa_kind(&p->names, op) != PA_OP_FUNC) op = mlirOperationGetParentOperation(op);
  return op;
}

// In a loop over prange that may become a kernel.
static bool is_in_kernel(const inlining *p, MlirOperation call) {
  MlirOperation op = mlirOperationGetParentOperation(call);
  for (; pa_kind(&p->names, op) != PA_OP_FUNC; op = mlirOperationGetParentOperation(op)) {
    MlirValue range = pa_kind(&p->names, op) == PA_OP_FOR ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
    if (!mlirValueIsNull(range) && mlirValueIsAOpResult(range) &&
        pa_kind(&p->names, mlirOpResultGetOwner(range)) == PA_OP_BUILTIN &&
        pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(mlirOpResultGetOwner(range), "name")), "pyarray.prange"))
      return is_offloaded(function_around(p, call));
  }
  return false;
}

static bool is_wanted(const inlining *p, MlirOperation call, const node *callee) {
  if (!callee || callee->recursive || callee->state != DONE) return false;
  if (!mlirAttributeIsNull(pa_get_attr(callee->function, "pyarray.generator"))) return false;
  if (is_in_kernel(p, call)) return !policy_is(callee->function, "never");
  if (is_offloaded(callee->function) != is_offloaded(function_around(p, call))) return false;
  if (policy_is(callee->function, "always") || pa_is_device_function(callee->function)) return true;
  if (!policy_is(callee->function, "auto")) return false;
  pa_op_kind around = pa_kind(&p->names, mlirOperationGetParentOperation(call));
  if (around == PA_OP_UFUNC || around == PA_OP_REDUCE) return callee->operations <= p->ufunc_threshold;
  if (takes_fresh_generator(p, call) || gives_fresh_generator(p, call))
    return callee->operations <= p->generator_threshold;
  if (callee->operations <= p->array_threshold && makes_small_array(p, call, callee->function)) return true;
  if (callee->arrays) return !callee->regions && callee->operations <= p->array_threshold;
  return !callee->regions && callee->operations - callee->constants <= p->threshold; // constants are operands
}

//===-- Locations ---------------------------------------------------------------------------------===//

// The location of an operation of |name| at |inner|, called from |caller|. The innermost frame comes first:
// callsite("h" at callsite("g" at f)).
static MlirLocation call_site(MlirLocation inner, MlirIdentifier name, MlirLocation caller) {
  if (mlirLocationIsACallSite(inner))
    return mlirLocationCallSiteGet(mlirLocationCallSiteGetCallee(inner),
                                   call_site(mlirLocationCallSiteGetCaller(inner), name, caller));
  MlirContext context = mlirLocationGetContext(inner);
  return mlirLocationCallSiteGet(mlirLocationNameGet(context, mlirIdentifierStr(name), inner), caller);
}

static void set_call_site(MlirOperation op, MlirIdentifier name, MlirLocation caller) {
  mlirOperationSetLocation(op, call_site(mlirOperationGetLocation(op), name, caller));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = pa_body(op, r); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      PA_FOR_EACH_OP(inner, block) set_call_site(inner, name, caller);
}

//===-- Options -----------------------------------------------------------------------------------===//

static MlirAttribute option(MlirAttribute options, const char *name) {
  bool is_dictionary = !mlirAttributeIsNull(options) && mlirAttributeIsADictionary(options);
  return is_dictionary ? mlirDictionaryAttrGetElementByName(options, pa_ref(name)) : mlirAttributeGetNull();
}

// The options of |callee| that lowering asks for at each operation; null where |caller| has the same.
static MlirAttribute differing_options(MlirOperation callee, MlirOperation caller) {
  static const char *const names[] = {"boundscheck", "error_model", "fastmath"};
  enum { COUNT = sizeof names / sizeof *names };
  MlirAttribute own = pa_get_attr(callee, "pyarray.options"), others = pa_get_attr(caller, "pyarray.options");
  MlirNamedAttribute kept[COUNT];
  intptr_t count = 0;
  bool differ = false;
  for (int i = 0; i < COUNT; ++i) {
    MlirAttribute value = option(own, names[i]);
    differ = differ || value.ptr != option(others, names[i]).ptr;
    if (!mlirAttributeIsNull(value))
      kept[count++] =
          mlirNamedAttributeGet(mlirIdentifierGet(mlirOperationGetContext(callee), pa_ref(names[i])), value);
  }
  return differ ? mlirDictionaryAttrGet(mlirOperationGetContext(callee), count, kept) : mlirAttributeGetNull();
}

static bool depends_on_options(pa_op_kind kind) {
  static const pa_op_kind kinds[] = {PA_OP_BINARY,  PA_OP_UNARY, PA_OP_BUILTIN,  PA_OP_GETITEM,
                                     PA_OP_SETITEM, PA_OP_FOR,   PA_OP_ITER_ITEM};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kind == kinds[i]) return true;
  return false;
}

// What was inlined into the callee before has options of its own already, if it is to have any.
static void keep_options(const pa_names *names, MlirOperation op, MlirAttribute options) {
  if (depends_on_options(pa_kind(names, op)) && mlirAttributeIsNull(pa_get_attr(op, "pyarray.options")))
    pa_set_attr(op, "pyarray.options", options);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = pa_body(op, r); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      PA_FOR_EACH_OP(inner, block) keep_options(names, inner, options);
}

//===-- Splicing ----------------------------------------------------------------------------------===//

// Of a frame in tracebacks; "" where the function has none.
static MlirIdentifier frame_name(MlirOperation function) {
  if (!mlirAttributeIsNull(pa_get_attr(function, "pyarray.no_frame")))
    return mlirIdentifierGet(mlirOperationGetContext(function), pa_ref(""));
  MlirAttribute name = pa_get_attr(function, "pyarray.qualname");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name)) name = pa_get_attr(function, "sym_name");
  return mlirIdentifierGet(mlirOperationGetContext(function), mlirStringAttrGetValue(name));
}

MlirOperation pa_inlined_copy(const pa_names *names, MlirOperation callee, MlirOperation function, MlirOperation call,
                              MlirLocation caller) {
  MlirAttribute options = differing_options(callee, function);
  MlirOperation copy = mlirOperationClone(callee);
  MlirBlock body = pa_body(copy, 0);
  MlirIdentifier name = frame_name(callee);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i), mlirOperationGetOperand(call, i));
  PA_FOR_EACH_OP(op, body) {
    set_call_site(op, name, caller);
    if (!mlirAttributeIsNull(options)) keep_options(names, op, options);
  }
  return copy;
}

void pa_move_before(MlirBlock block, MlirOperation end, MlirOperation place) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationEqual(op, end)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, place);
    op = next;
  }
}

// Gives the first operation of those that are now in the call's place.
static MlirOperation splice(inlining *p, MlirOperation call, MlirOperation callee, MlirOperation function) {
  MlirOperation copy = pa_inlined_copy(&p->names, callee, function, call, mlirOperationGetLocation(call));
  MlirBlock body = pa_body(copy, 0);
  MlirOperation end = mlirBlockGetTerminator(body), first = mlirBlockGetFirstOperation(body);
  if (mlirOperationEqual(first, end)) first = mlirOperationGetNextInBlock(call);
  pa_move_before(body, end, call);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, 0), mlirOperationGetOperand(end, 0));
  mlirOperationDestroy(call);
  mlirOperationDestroy(copy);
  return first;
}

//===-- Generators --------------------------------------------------------------------------------===//

// The call that makes the generator |value|, which nothing else uses; a null operation where it is something else.
static MlirOperation fresh_generator(const inlining *p, MlirValue value) {
  const MlirOperation none = {NULL};
  if (!pyarrayTypeIsGenerator(mlirValueGetType(value)) || !mlirValueIsAOpResult(value)) return none;
  MlirOperation call = mlirOpResultGetOwner(value);
  MlirOpOperand use = mlirValueGetFirstUse(value);
  bool once = !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
  return once && pa_kind(&p->names, call) == PA_OP_CALL ? call : none;
}

// It goes over a generator of its own by a loop that might have its body in place of the yield.
static bool takes_fresh_generator(const inlining *p, MlirOperation call) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    if (!mlirOperationIsNull(fresh_generator(p, mlirOperationGetOperand(call, i)))) return true;
  return false;
}

// What it gives is a generator that a loop goes over, and nothing else uses: made here, it may be put around the loop.
static bool gives_fresh_generator(const inlining *p, MlirOperation call) {
  if (mlirOperationGetNumResults(call) != 1) return false;
  MlirValue made = mlirOperationGetResult(call, 0);
  if (mlirOperationIsNull(fresh_generator(p, made))) return false;
  MlirOperation user = mlirOpOperandGetOwner(mlirValueGetFirstUse(made));
  pa_op_kind kind = pa_kind(&p->names, user);
  return kind == PA_OP_FOR || kind == PA_OP_ITER_NEXT;
}

static node *callee_of(inlining *p, MlirOperation call) {
  return find_node(p, pa_lookup(p->module, mlirFlatSymbolRefAttrGetValue(pa_get_attr(call, "callee"))));
}

// Puts the body of the generator that |loop| goes over around the loop's body, if it can be. Gives the first operation
// of what is new.
static MlirOperation fuse(inlining *p, node *caller, MlirOperation loop) {
  const MlirOperation none = {NULL};
  MlirValue generator = pa_generator_of_loop(&p->names, loop);
  MlirOperation call = mlirValueIsNull(generator) ? none : fresh_generator(p, generator);
  node *callee = mlirOperationIsNull(call) ? NULL : callee_of(p, call);
  bool wanted =
      callee && callee->state == DONE && !callee->recursive && !callee->stops && !policy_is(callee->function, "never");
  if (!wanted || !pa_can_fuse_generator(&p->names, loop, call, callee->function)) return none;
  caller->operations += callee->operations;
  caller->regions = true;
  return pa_fuse_generator(p->pass->arena, &p->names, loop, call, callee->function, caller->function);
}

//===-- Call graph --------------------------------------------------------------------------------===//

static void visit_function(inlining *p, node *caller);

// Raised outside of a try, and by a generator that is run on if the operation goes over it.
static bool may_stop(inlining *p, MlirOperation op) {
  pa_op_kind kind = pa_kind(&p->names, op);
  node *callee = kind == PA_OP_CALL ? callee_of(p, op) : NULL;
  bool raises =
      kind == PA_OP_RAISE && pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "exception")), "StopIteration");
  return raises || (callee && callee->stops);
}

// Its body is that of a point: what has such operations alone is inlined for their producers and consumers.
static bool is_whole_array(const inlining *p, MlirOperation op) {
  pa_op_kind kind = pa_kind(&p->names, op);
  return kind == PA_OP_UFUNC || kind == PA_OP_REDUCE;
}

// How often the body of a loop over a tuple runs; 0 of other operations.
static int tuple_rounds(const inlining *p, MlirOperation op) {
  if (pa_kind(&p->names, op) != PA_OP_FOR) return 0;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  return mlirTypeIsATuple(type) ? (int)mlirTupleTypeGetNumTypes(type) : 0;
}

// Tuples are taken apart before there is code.
static bool is_of_tuples(const inlining *p, MlirOperation op) {
  pa_op_kind kind = pa_kind(&p->names, op);
  return kind == PA_OP_TUPLE || kind == PA_OP_UNPACK ||
         (kind == PA_OP_GETITEM && mlirTypeIsATuple(mlirValueGetType(mlirOperationGetOperand(op, 0))));
}

static bool is_straight(const inlining *p, MlirOperation op) { return is_whole_array(p, op) || tuple_rounds(p, op); }

static void count_inlined(node *caller, const node *callee) {
  caller->operations += callee->operations - 2;
  caller->constants += callee->constants;
  caller->regions = caller->regions || callee->regions;
  caller->arrays = caller->arrays || callee->arrays;
}

// Among the operations from |first| to |end|, which were inlined: their arguments may be constants now.
static void inline_small_arrays(inlining *p, node *caller, MlirOperation first, MlirOperation end) {
  for (MlirOperation op = first; !mlirOperationIsNull(op) && !mlirOperationEqual(op, end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    node *callee = pa_kind(&p->names, op) == PA_OP_CALL ? callee_of(p, op) : NULL;
    if (callee && is_wanted(p, op, callee) && makes_small_array(p, op, callee->function)) {
      splice(p, op, callee->function, caller->function);
      count_inlined(caller, callee);
    }
    op = next;
  }
}

static void visit_block(inlining *p, node *caller, MlirBlock block, bool in_try) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    caller->operations += !is_of_tuples(p, op);
    caller->constants += pa_kind(&p->names, op) == PA_OP_CONSTANT;
    caller->arrays = caller->arrays || is_straight(p, op);
    int before = caller->operations, rounds = tuple_rounds(p, op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
      caller->regions = caller->regions || !is_straight(p, op);
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        visit_block(p, caller, inner, in_try || (r == 0 && pa_kind(&p->names, op) == PA_OP_TRY));
    }
    if (rounds) caller->operations += (rounds - 1) * (caller->operations - before);
    if (pa_kind(&p->names, op) == PA_OP_CALL) {
      node *callee = callee_of(p, op);
      if (callee && callee->state == NEW) visit_function(p, callee);
      if (callee && callee->state == OPEN) callee->recursive = true;
      caller->stops |= !in_try && may_stop(p, op);
      if (is_wanted(p, op, callee)) {
        bool again = takes_fresh_generator(p, op) || gives_fresh_generator(p, op);
        MlirOperation first = splice(p, op, callee->function, caller->function);
        count_inlined(caller, callee);
        if (again)
          next = first;
        else
          inline_small_arrays(p, caller, first, next);
      }
    } else {
      caller->stops |= !in_try && may_stop(p, op);
      MlirOperation first = fuse(p, caller, op);
      if (!mlirOperationIsNull(first)) next = first; // it may go over a generator that was an argument
    }
    op = next;
  }
}

// Callees first, so that what is spliced has had its own calls inlined.
static void visit_function(inlining *p, node *caller) {
  caller->state = OPEN;
  visit_block(p, caller, pa_body(caller->function, 0), false);
  caller->state = DONE;
}

//===-- Unused functions --------------------------------------------------------------------------===//

static void mark_used(MlirStringRef name, void *data);

// Operations that there are many of, and that name no function.
static bool names_nothing(pa_op_kind kind) {
  return kind == PA_OP_BINARY || kind == PA_OP_UNARY || kind == PA_OP_COMPARE || kind == PA_OP_CAST ||
         kind == PA_OP_GETITEM || kind == PA_OP_SETITEM || (kind >= PA_OP_SCF_IF && kind <= PA_OP_SCF_YIELD) ||
         kind == PA_OP_YIELD || kind == PA_OP_RETURN;
}

static void mark_users(inlining *p, MlirOperation op) {
  if (!names_nothing(pa_kind(&p->names, op))) pyarrayForEachSymbol(op, mark_used, p);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
      PA_FOR_EACH_OP(each, inner) mark_users(p, each);
}

static void mark_used(MlirStringRef name, void *data) {
  inlining *p = data;
  node *used = find_node(p, pa_lookup(p->module, name));
  if (!used || used->used) return;
  used->used = true;
  mark_users(p, used->function);
}

static bool is_private(MlirOperation function) {
  MlirAttribute visibility = pa_get_attr(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) && pa_ref_equal(mlirStringAttrGetValue(visibility), "private");
}

// A call is not the only use: functions are values, and attributes name them. Declarations and whatever else is in the
// module stay, and so does what they name.
static void erase_unused(inlining *p) {
  pyarrayForEachSymbol(p->module, mark_used, p);
  PA_FOR_EACH_OP(op, pa_module_body(p->module)) {
    node *function = find_node(p, op);
    if (!function)
      mark_users(p, op);
    else if (!is_private(op))
      mark_used(mlirStringAttrGetValue(pa_get_attr(op, "sym_name")), p);
  }
  for (size_t i = 0; i < p->count; ++i)
    if (!p->nodes[i].used) mlirOperationDestroy(p->nodes[i].function);
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  inlining p = {.pass = context,
                .module = module,
                .threshold = pa_pass_option_int(context, "threshold"),
                .ufunc_threshold = pa_pass_option_int(context, "ufunc-threshold"),
                .array_threshold = pa_pass_option_int(context, "array-threshold"),
                .generator_threshold = pa_pass_option_int(context, "generator-threshold")};
  pa_names_init(&p.names, context->context);
  size_t capacity = 0;
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (pa_kind(&p.names, op) != PA_OP_FUNC || mlirBlockIsNull(pa_body(op, 0))) continue;
    p.nodes = pa_arena_grow(context->arena, p.nodes, p.count, &capacity, sizeof *p.nodes);
    p.nodes[p.count++] = (node){.function = op};
  }
  if (p.count < 2) return PA_OK;
  for (size_t i = 0; i < p.count; ++i)
    if (p.nodes[i].state == NEW) visit_function(&p, &p.nodes[i]);
  erase_unused(&p);
  return PA_OK;
}

const pa_pass pa_pass_inline = {
    .argument = "pyarray-inline",
    .summary = "Put the bodies of small typed functions in place of calls",
    .options =
        (const pa_pass_option[]){
            {"threshold", PA_OPTION_INT, "8",
             "Operations beside constants a body may have to be inlined without being asked for"},
            {"ufunc-threshold", PA_OPTION_INT, "300", "The same in the body of a pyarray.ufunc"},
            {"array-threshold", PA_OPTION_INT, "80", "The same of a body with operations on whole arrays"},
            {"generator-threshold", PA_OPTION_INT, "100",
             "The same where an argument is a generator made for the call, or the result one that a loop goes over"},
            {0}},
    .run = run,
};
