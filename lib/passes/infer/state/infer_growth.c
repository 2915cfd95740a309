// What a failure says of types that grow without an end (typing/typing_growth.c): the variable, result or item whose
// type was joined most often, or the argument that has another type in each call of a function by itself.
#include "infer_internal.h"
#include "support/type_code.h"
#include "typing_growth.h"

// Of several that grow with each other the one that was met first.
static const pa_growth *most_grown(const pa_growths *growths) {
  const pa_growth *most = NULL;
  for (const pa_growth *each = growths->first; each; each = each->next)
    if (each->changes >= 3 && (!most || each->changes + 1 >= most->changes)) most = each;
  return most;
}

static const char *first_types(pa_arena *arena, const MlirType *types) {
  const char *texts[3];
  for (int i = 0; i < 3; ++i) texts[i] = pa_type_text(arena, types[i]);
  return pa_arena_format(arena, "%s, then %s, then %s", texts[0], texts[1], texts[2]);
}

static const char *name_of_place(pa_inference *inference, const pa_growth *grown) {
  const pa_growth_place *place = &grown->place;
  if (place->container == PA_DICT) return place->index ? "the values of this dict" : "the keys of this dict";
  if (place->container)
    return place->container == PA_LIST    ? "the items of this list"
           : place->container == PA_DEQUE ? "the items of this deque"
                                          : "the items of this set";
  const pa_instance *instance = place->instance;
  pa_op_kind kind = pa_kind(&inference->names, place->op);
  const char *function = pa_attr_text(inference->arena, pa_get_attr(instance->function, "sym_name"));
  const char *variable = pa_joined_name(inference, place->op, place->index);
  if (kind == PA_OP_SUSPEND) return pa_arena_format(inference->arena, "what %s() yields", function);
  if (variable && *variable != '$') return pa_arena_format(inference->arena, "variable '%s'", variable);
  return kind == PA_OP_RETURN || variable ? pa_arena_format(inference->arena, "the result of %s()", function)
                                          : "a value";
}

// The operation that made what was too large says more of a result than the statement that returns it.
static MlirLocation place_of(const pa_inference *inference, const pa_growth *grown, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool made_here =
      pa_kind(&inference->names, grown->place.op) == PA_OP_RETURN && grown->place.instance == inference->current;
  return made_here && kind != PA_OP_RETURN && kind != PA_OP_SCF_IF ? mlirOperationGetLocation(op)
                                                                   : grown->place.location;
}

// An overload is made anew for each combination of types.
static bool is_same_function(const pa_instance *a, const pa_instance *b) {
  MlirAttribute name = pa_get_attr(a->function, "pyarray.qualname");
  return mlirOperationEqual(a->function, b->function) ||
         (!mlirAttributeIsNull(name) && mlirAttributeEqual(name, pa_get_attr(b->function, "pyarray.qualname")));
}

// The innermost open instance of the same function, which calls |instance|, maybe through others.
static const pa_instance *last_call(const pa_inference *inference, const pa_instance *instance) {
  const pa_instance *last = NULL;
  for (const pa_instance *each = inference->first; each; each = each->next)
    if (each != instance && each->state == PA_OPEN && is_same_function(each, instance) &&
        (!last || each->depth > last->depth))
      last = each;
  return last;
}

static const char *parameter_name(const pa_inference *inference, const pa_instance *instance, intptr_t i) {
  MlirAttribute names = pa_get_attr(instance->function, "pyarray.params");
  if (mlirAttributeIsNull(names) || i >= mlirArrayAttrGetNumElements(names)) return "?";
  return pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, i));
}

// Three of the outermost calls show best how types grow. Not the very first, if there are enough: defaults may make it
// another one.
static const char *argument_types(const pa_inference *inference, const pa_instance *instance, intptr_t parameter) {
  MlirType types[4];
  int count = 0;
  for (const pa_instance *each = inference->first; each && count < 4; each = each->next)
    if (each->state == PA_OPEN && is_same_function(each, instance) && each->argument_count == instance->argument_count)
      types[count++] = each->arguments[parameter];
  while (count < 4) types[count++] = instance->arguments[parameter];
  return first_types(inference->arena, types + 1);
}

// The argument that is another one in each call of a function by itself; PA_OK where there is none.
static pa_status fail_of_argument(const pa_inference *inference, const pa_instance *instance) {
  MlirLocation location = mlirOperationGetLocation(instance->function);
  const char *name = pa_attr_text(inference->arena, pa_get_attr(instance->function, "sym_name"));
  const pa_instance *last = last_call(inference, instance);
  for (intptr_t i = 0; last && last->argument_count == instance->argument_count && i < instance->argument_count; ++i) {
    const char *parameter = parameter_name(inference, instance, i);
    if (!mlirTypeEqual(last->arguments[i], instance->arguments[i]))
      return pa_fail_at(PA_CODE_ENDLESS, location,
                        "each call of %s() by itself has another type of its argument '%s', without an end: %s\nhint: "
                        "give '%s' one type in all calls",
                        name, parameter, argument_types(inference, instance, i), parameter);
    if (last->sites[i] != instance->sites[i] && pa_container_of(instance->arguments[i]) != PA_NO_CONTAINER)
      return pa_fail_at(PA_CODE_ENDLESS, location,
                        "each call of %s() by itself makes another list, dict or set for its argument '%s', so that "
                        "the types of its items are not known"
                        "\nhint: make it before the first call, and pass it in all calls",
                        name, parameter);
    if (!mlirAttributeEqual(last->literals[i], instance->literals[i]))
      return pa_fail_at(PA_CODE_ENDLESS, location,
                        "each call of %s() by itself has another constant as its argument '%s', without an end\nhint: "
                        "pass a variable",
                        name, parameter);
  }
  return PA_OK;
}

// Of the innermost function that is called again and again, not by others alone.
static pa_status fail_of_arguments(const pa_inference *inference) {
  pa_status failure = PA_OK;
  for (const pa_instance *each = inference->first; each && !failure; each = each->next)
    if (each->state == PA_OPEN && each->depth + PA_TYPE_MAX_DEPTH / 4 > inference->depth)
      failure = fail_of_argument(inference, each);
  return failure;
}

pa_status pa_check_growth(pa_inference *inference, MlirOperation op) {
  pa_growths *growths = inference->growths;
  if (mlirTypeIsNull(growths->too_large)) return PA_OK;
  const pa_growth *grown = most_grown(growths);
  if (grown)
    return pa_fail_at(PA_CODE_ENDLESS, place_of(inference, grown, op),
                      "the type of %s grows without an end: %s\nhint: give it one type on every path; a list or an "
                      "array holds any number of values of one type",
                      name_of_place(inference, grown), first_types(inference->arena, grown->types));
  PA_TRY(fail_of_arguments(inference));
  bool deep = pa_type_extent_of(growths, growths->too_large).depth > PA_TYPE_MAX_DEPTH;
  if (deep)
    return pa_fail_at(PA_CODE_ENDLESS, mlirOperationGetLocation(op),
                      "types nested more than %d levels deep are not compiled", PA_TYPE_MAX_DEPTH);
  return pa_fail_at(PA_CODE_ENDLESS, mlirOperationGetLocation(op),
                    "a %s of more than %d elements, nested ones included, is too long\nhint: use an array",
                    mlirTypeIsATuple(growths->too_large) ? "tuple" : "type", PA_TYPE_MAX_ELEMENTS);
}

pa_status pa_too_many_instances(const pa_instance *instance, int most) {
  return pa_fail_at(
      PA_CODE_ENDLESS, mlirOperationGetLocation(instance->function),
      "more than %d combinations of functions and types of their arguments\nhint: call them with fewer different types",
      most);
}

pa_status pa_too_many_calls(const pa_inference *inference, const pa_instance *instance, int most) {
  if (!inference->guesses) { // nobody reads what is wrong with a guess, and there may be thousands
    PA_TRY(fail_of_argument(inference, instance));
    PA_TRY(fail_of_arguments(inference));
  }
  return pa_fail_at(PA_CODE_ENDLESS, mlirOperationGetLocation(instance->function),
                    "more than %d nested calls of different functions or argument types", most);
}
