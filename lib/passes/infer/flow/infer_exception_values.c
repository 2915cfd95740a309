// The exception that a handler has, in pyarray-infer-types: its arguments and its class.
//
//   %e = pyarray.exception ["ValueError"]       !pyarray.exception<tuple<!pyarray.str, si64>>: as the raises in sight
//   have them %0 = pyarray.getattr %e "args"              pyarray.builtin "exception.args", which raises where another
//   exception came type(e), e.__class__                        tagged<"exception class", unit, !pyarray.exception<...>>
//   type(e) is ValueError                       pyarray.builtin "exception.isinstance" {callee = "=ValueError"}
//
// In sight are the raise statements in the body of the try, and in the functions that it calls, whose class the handler
// catches, and no handler between; and the KeyError of dicts and sets, and the StopIteration of next(). Where there is
// none, the exception is one of an operation, whose argument is a message.
#include <string.h>

#include "infer_flow.h"
#include "ir/exceptions.h"

//===-- Raises in sight ---------------------------------------------------------------------------===//

void pa_note_call(pa_inference *inference, pa_instance *caller, MlirOperation op, pa_instance *callee) {
  pa_map_put(inference->arena, &caller->calls, op.ptr, callee);
}

// The calls through which a search came from the body of the try.
typedef struct path {
  const struct path *outer;
  MlirOperation call;
  int length;
} path;

typedef struct sight {
  pa_inference *inference;
  MlirOperation around, exception; // the try, and the operation in its handler
  MlirAttribute classes;           // that the handler catches
  unsigned number;                 // of the search
  MlirType types[2];               // tuples: the first one found, and one that differs from it
  MlirOperation places[2];
} sight;

static void see(sight *s, MlirType type, MlirOperation place) {
  int which = mlirTypeIsNull(s->types[0]) ? 0 : 1;
  if (which && (mlirTypeEqual(type, s->types[0]) || !mlirTypeIsNull(s->types[1]))) return;
  s->types[which] = type;
  s->places[which] = place;
}

// The block of the handler that an exception of the class comes to, from |block|, its beginning.
static MlirBlock clause_for(sight *s, MlirBlock block, const char *class, MlirAttribute bases) {
  PA_FOR_EACH_OP(op, block) {
    bool chooses =
        pa_kind(&s->inference->names, op) == PA_OP_SCF_IF && mlirValueIsAOpResult(mlirOperationGetOperand(op, 0));
    MlirOperation test = chooses ? mlirOpResultGetOwner(mlirOperationGetOperand(op, 0)) : (MlirOperation){NULL};
    if (!chooses || pa_kind(&s->inference->names, test) != PA_OP_CAUGHT) continue;
    MlirBlock taken =
        pa_body(op, !pa_exception_is_any(s->inference->arena, class, bases, pa_get_attr(test, "classes")));
    return mlirBlockIsNull(taken) ? taken : clause_for(s, taken, class, bases);
  }
  return block;
}

// Whether the exception may be raised again there; a try within has an exception of its own.
static bool raises_again(sight *s, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&s->inference->names, op);
    if (kind == PA_OP_RERAISE) return true;
    for (intptr_t i = 0; kind != PA_OP_TRY && i < mlirOperationGetNumRegions(op); ++i)
      for (MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)); !mlirBlockIsNull(inner);
           inner = mlirBlockGetNextInRegion(inner))
        if (raises_again(s, inner)) return true;
  }
  return false;
}

// The try in whose body |*at| is, in its function and below |s->around|; |*at| becomes that try. Null: there is none.
static bool next_try(sight *s, MlirOperation *at) {
  for (MlirOperation within = *at, up = mlirOperationGetParentOperation(within);
       !mlirOperationIsNull(up) && !mlirOperationEqual(up, s->around);
       within = up, up = mlirOperationGetParentOperation(up))
    if (pa_kind(&s->inference->names, up) == PA_OP_TRY && mlirBlockEqual(mlirOperationGetBlock(within), pa_body(up, 0)))
      return *at = up, true;
  return false;
}

static bool is_within(MlirOperation op, MlirBlock block) {
  for (; !mlirOperationIsNull(op); op = mlirOperationGetParentOperation(op))
    if (mlirBlockEqual(mlirOperationGetBlock(op), block)) return true;
  return false;
}

// Whether an exception that |op| raises comes to the handler that asks.
static bool arrives(sight *s, MlirOperation op, const path *from, const char *class, MlirAttribute bases) {
  if (!pa_exception_is_any(s->inference->arena, class, bases, s->classes)) return false;
  for (;; op = from->call, from = from->outer) {
    while (next_try(s, &op)) {
      MlirBlock taken = clause_for(s, pa_body(op, 1), class, bases);
      if (!mlirBlockIsNull(taken) && !raises_again(s, taken)) return false;
    }
    if (!from) break;
  }
  return is_within(s->exception, clause_for(s, pa_body(s->around, 1), class, bases));
}

static void see_raise(sight *s, pa_instance *instance, MlirOperation op, const path *from) {
  intptr_t count = mlirOperationGetNumOperands(op);
  const char *class = pa_attr_text(s->inference->arena, pa_get_attr(op, "exception"));
  if (pa_has_bottom_operand(s->inference, instance, op) || !arrives(s, op, from, class, pa_get_attr(op, "bases")))
    return;
  MlirType *types = PA_NEW_ARRAY(s->inference->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    types[i] = pa_fact_get(s->inference, instance, mlirOperationGetOperand(op, i)).type;
  see(s, mlirTupleTypeGet(s->inference->context, count, types), op);
}

// A dict's or set's KeyError has the key.
static void see_lookup(sight *s, pa_instance *instance, MlirOperation op, const path *from) {
  pa_fact object = pa_fact_get(s->inference, instance, mlirOperationGetOperand(op, 0));
  if (pa_is_bottom(object)) return;
  if (pa_is_tagged(object.type, "frozen")) object.type = pyarrayTaggedTypeGetItem(object.type);
  pa_container kind = pa_container_of(object.type);
  if (pa_kind(&s->inference->names, op) == PA_OP_METHOD) {
    MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
    bool raises = (kind == PA_DICT && pa_ref_equal(name, "pop")) || (kind == PA_SET && pa_ref_equal(name, "remove"));
    if (!raises || mlirOperationGetNumOperands(op) != 2) return;
  } else if (kind != PA_DICT) {
    return;
  }
  pa_typing typing = pa_typing_at(s->inference, op);
  MlirType key = pa_container_item(&typing, object, 0).type;
  if (!mlirTypeIsNull(key) && arrives(s, op, from, "KeyError", mlirAttributeGetNull()))
    see(s, mlirTupleTypeGet(s->inference->context, 1, &key), op);
}

// next(x) raises StopIteration(). |op|: a call.
static void see_next(sight *s, pa_instance *instance, MlirOperation op, const path *from) {
  MlirType callee = pa_fact_get(s->inference, instance, mlirOperationGetOperand(op, 0)).type;
  bool next = pa_ref_equal(pa_builtin_called(callee), "builtins.next");
  if (next && mlirOperationGetNumOperands(op) == 2 && arrives(s, op, from, "StopIteration", mlirAttributeGetNull()))
    see(s, mlirTupleTypeGet(s->inference->context, 0, NULL), op);
}

enum { LONGEST_PATH = 50 };

// Whether the search goes on into |callee|: anew where other handlers are between.
static bool goes_into(sight *s, pa_instance *callee, MlirOperation call, const path *from) {
  const void *between = NULL;
  for (MlirOperation at = call; !between; at = from->call, from = from->outer) {
    if (next_try(s, &at)) between = at.ptr;
    if (!from) break;
  }
  bool done = callee->searched == s->number && (!callee->searched_within || callee->searched_within == between);
  callee->searched = s->number;
  callee->searched_within = between;
  return !done;
}

static void search(sight *s, pa_instance *instance, MlirOperation root, const path *from) {
  pa_op_list ops = pa_ops_within(s->inference->arena, root, MlirWalkPreOrder);
  for (size_t i = 0; i < ops.count; ++i) {
    MlirOperation op = ops.items[i];
    switch (pa_kind(&s->inference->names, op)) {
    case PA_OP_RAISE: see_raise(s, instance, op, from); break;
    case PA_OP_GETITEM:
    case PA_OP_DELITEM:
    case PA_OP_METHOD: see_lookup(s, instance, op, from); break;
    case PA_OP_APPLY: see_next(s, instance, op, from); break;
    default: break;
    }
    pa_instance *callee = pa_map_get(&instance->calls, op.ptr);
    path into = {.outer = from, .call = op, .length = from ? from->length + 1 : 1};
    if (!callee || into.length > LONGEST_PATH ||
        !mlirAttributeIsNull(pa_get_attr(callee->function, "pyarray.no_frame")))
      continue;
    if (goes_into(s, callee, op, from)) search(s, callee, callee->function, &into);
  }
}

// Whether all that the handler catches has no arguments where no raise statement made it.
static bool are_without_arguments(MlirAttribute classes) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(classes); ++i) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(classes, i));
    if (!pa_ref_equal(name, "StopIteration") && !pa_ref_equal(name, "GeneratorExit")) return false;
  }
  return mlirArrayAttrGetNumElements(classes) > 0;
}

static MlirOperation try_of(pa_inference *inference, MlirOperation op) {
  for (MlirOperation at = mlirOperationGetParentOperation(op), within = op; !mlirOperationIsNull(at);
       within = at, at = mlirOperationGetParentOperation(at))
    if (pa_kind(&inference->names, at) == PA_OP_TRY && mlirBlockEqual(mlirOperationGetBlock(within), pa_body(at, 1)))
      return at;
  return (MlirOperation){NULL};
}

// |op|: a pyarray.exception.
static sight look_around(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  sight s = {.inference = inference,
             .around = try_of(inference, op),
             .exception = op,
             .classes = pa_get_attr(op, "classes"),
             .number = ++inference->searches};
  if (!mlirOperationIsNull(s.around)) PA_FOR_EACH_OP(each, pa_body(s.around, 0)) search(&s, instance, each, NULL);
  MlirType message = pyarrayStrTypeGet(inference->context);
  if (mlirTypeIsNull(s.types[0]))
    s.types[0] = mlirTupleTypeGet(inference->context, !are_without_arguments(s.classes), &message);
  return s;
}

// Whether the arguments may be asked for: here, or in a function that gets the exception.
static bool is_asked(pa_inference *inference, MlirValue exception) {
  for (MlirOpOperand use = mlirValueGetFirstUse(exception); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    pa_op_kind kind = pa_kind(&inference->names, user);
    if (kind == PA_OP_GETATTR || kind == PA_OP_METHOD || kind == PA_OP_CLOSURE || kind == PA_OP_TUPLE) return true;
    MlirOperation callee = kind == PA_OP_APPLY && mlirValueIsAOpResult(mlirOperationGetOperand(user, 0))
                               ? mlirOpResultGetOwner(mlirOperationGetOperand(user, 0))
                               : (MlirOperation){NULL};
    bool builtin = !mlirOperationIsNull(callee) && pa_kind(&inference->names, callee) == PA_OP_CALLABLE &&
                   mlirAttributeIsAString(pa_get_attr(callee, "name"));
    if (kind == PA_OP_APPLY && !builtin) return true;
  }
  return false;
}

pa_fact pa_exception_fact(pa_inference *inference, pa_instance *instance, MlirOperation op) {
  MlirType unknown = pyarrayNoneTypeGet(inference->context);
  if (!is_asked(inference, mlirOperationGetResult(op, 0))) return pa_fact_of(pyarrayExceptionTypeGet(unknown));
  sight s = look_around(inference, instance, op);
  bool known = mlirTypeIsNull(s.types[1]) && pa_exception_can_hold(s.types[0]);
  return pa_fact_of(pyarrayExceptionTypeGet(known ? s.types[0] : unknown));
}

//===-- Operations --------------------------------------------------------------------------------===//

static pa_status plan_builtin(pa_class_operation *o, const char *builtin, MlirType result) {
  o->plan->kind = PA_CLASS_BUILTIN;
  o->plan->builtin = builtin;
  o->plan->operands[0] = mlirOperationGetOperand(o->op, 0);
  return o->plan->result = result, PA_OK;
}

// The class of |value|, an exception: known by its site.
static pa_status plan_class(pa_class_operation *o, MlirValue value) {
  MlirType type = pa_fact_get(o->inference, o->instance, value).type;
  o->plan->kind = PA_CLASS_VALUE;
  o->plan->object = value;
  return o->plan->result = pyarrayTaggedTypeGet(pa_ref("exception class"), pa_unit_attr(o->inference->context), type),
         PA_OK;
}

static pa_status unknown_arguments(pa_class_operation *o) {
  static const char hint[] = "\nhint: handle each class of exception in a clause of its own, raise with arguments of "
                             "the same types, or use str(e)";
  MlirValue exception = mlirOperationGetOperand(o->op, 0);
  MlirOperation made = mlirValueIsAOpResult(exception) ? mlirOpResultGetOwner(exception) : (MlirOperation){NULL};
  if (mlirOperationIsNull(made) || pa_kind(&o->inference->names, made) != PA_OP_EXCEPTION)
    return pa_typing_fail(&o->typing, PA_CODE_TYPING, "the types of the exception's arguments are not known here%s",
                          hint);
  sight s = look_around(o->inference, o->instance, made);
  pa_arena *arena = o->inference->arena;
  int lines[2] = {0};
  for (int i = 0; i < 2; ++i)
    if (!mlirOperationIsNull(s.places[i]))
      lines[i] = pa_source_location(arena, mlirOperationGetLocation(s.places[i])).line;
  if (mlirTypeIsNull(s.types[1]))
    return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED,
                          "the exception's arguments %s, of line %d, cannot be read in compiled code%s",
                          pa_type_text(arena, s.types[0]), lines[0], hint);
  return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                        "the exception's arguments have several types: %s in line %d, %s in line %d%s",
                        pa_type_text(arena, s.types[0]), lines[0], pa_type_text(arena, s.types[1]), lines[1], hint);
}

static pa_status decide_attribute(pa_class_operation *o, MlirType type) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
  if (pa_is_tagged(type, "exception class")) {
    if (pa_ref_equal(name, "__name__"))
      return plan_builtin(o, "exception.name", pyarrayStrTypeGet(o->inference->context));
    return pa_typing_fail(&o->typing, PA_CODE_UNSUPPORTED,
                          "the attribute '%.*s' of an exception's class is not compiled\nhint: __name__ is",
                          (int)name.length, name.data);
  }
  if (pa_ref_equal(name, "__class__")) return plan_class(o, mlirOperationGetOperand(o->op, 0));
  if (!pa_ref_equal(name, "args")) return PA_OK; // the usual message follows
  MlirType arguments = pyarrayExceptionTypeGetArguments(type);
  return pyarrayTypeIsNone(arguments) ? unknown_arguments(o) : plan_builtin(o, "exception.args", arguments);
}

static pa_status decide_call(pa_class_operation *o) {
  MlirType callee = pa_operand_type(o, 0);
  bool asks = pa_ref_equal(pa_builtin_called(callee), "builtins.type");
  bool one = asks && mlirOperationGetNumOperands(o->op) == 2 && pyarrayTypeIsException(pa_operand_type(o, 1));
  return one ? plan_class(o, mlirOperationGetOperand(o->op, 1)) : PA_OK;
}

// "=ValueError,=m:Own": the classes themselves that operand |i| names; null where it names none.
static MlirAttribute exact_classes(pa_class_operation *o, intptr_t i) {
  MlirType type = pa_operand_type(o, i);
  MlirAttribute name =
      !mlirTypeIsNull(type) && pyarrayTypeIsCallable(type) ? pyarrayCallableTypeGetName(type) : mlirAttributeGetNull();
  const char *text =
      mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) ? "" : pa_attr_text(o->inference->arena, name);
  if (strncmp(text, PA_EXCEPTION_CLASSES, strlen(PA_EXCEPTION_CLASSES)) != 0) return mlirAttributeGetNull();
  pa_string exact = {0};
  for (text += strlen(PA_EXCEPTION_CLASSES); *text; text += strcspn(text, ",") + (text[strcspn(text, ",")] == ','))
    pa_string_format(&exact, "%s=%.*s", exact.length ? "," : "", (int)strcspn(text, ","), text);
  MlirAttribute classes = pa_string_attr(o->inference->context, pa_string_text(&exact));
  return pa_string_free(&exact), classes;
}

// Of a class that is known by its site, with classes that are named.
static pa_status decide_compare(pa_class_operation *o) {
  pyarray_compare_kind kind = (pyarray_compare_kind)pyarrayCompareKindAttrGetValue(pa_get_attr(o->op, "kind"));
  bool in = kind == PYARRAY_COMPARE_IN || kind == PYARRAY_COMPARE_NOTIN,
       equal = kind == PYARRAY_COMPARE_IS || kind == PYARRAY_COMPARE_EQ;
  bool differ = kind == PYARRAY_COMPARE_ISNOT || kind == PYARRAY_COMPARE_NE;
  int known = pa_is_tagged(pa_operand_type(o, 0), "exception class") ? 0 : 1;
  MlirAttribute classes = exact_classes(o, 1 - known);
  if (mlirAttributeIsNull(classes) || !(in || equal || differ) || (in && known))
    return pa_typing_fail(&o->typing, PA_CODE_TYPING,
                          "the class of an exception is only compared with exception classes: type(e) is ValueError, "
                          "type(e) in (ValueError, KeyError)");
  o->plan->callee = classes;
  o->plan->negated = differ || kind == PYARRAY_COMPARE_NOTIN;
  PA_TRY(plan_builtin(o, "exception.isinstance", (MlirType){NULL}));
  return o->plan->operands[0] = mlirOperationGetOperand(o->op, known), PA_OK;
}

pa_status pa_plan_exception_operation(pa_class_operation *o) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(o->op) && i < 2; ++i) {
    MlirType type = pa_operand_type(o, i);
    if (mlirTypeIsNull(type) || !(pyarrayTypeIsException(type) || pa_is_tagged(type, "exception class"))) continue;
    if (o->kind == PA_OP_GETATTR) return decide_attribute(o, type);
    if (o->kind == PA_OP_APPLY && i == 1) return decide_call(o);
    if (o->kind == PA_OP_COMPARE && pa_is_tagged(type, "exception class")) return decide_compare(o);
  }
  return PA_OK;
}
