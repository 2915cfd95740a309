// The bound on types in pyarray-infer-types, one for all kinds of them: what a type is made of is at most PA_TYPE_MAX_DEPTH levels deep and has at most
// PA_TYPE_MAX_ELEMENTS parts. So what would go on without an end ends:
//
//   x = None
//   for i in range(n):
//     x = (i, x)      none, OptionalType(Tuple(int64, none)), OptionalType(Tuple(int64, OptionalType(Tuple(int64, none)))), ...
//
// Every type that a value gets is measured once (types are unique). The first that is too large ends inference; the message shows what grew: the variable,
// result or item whose type was joined most often, or the argument that has another type in each call of a function by itself.
#include "infer_internal.h"
#include "ir/classes.h"
#include "support/type_code.h"

typedef struct extent {
  int depth, parts;
} extent;

// What grew at one place.
typedef struct growth {
  struct growth *next;
  pa_growth_place place;
  MlirType types[3]; // the first ones
  int changes;
} growth;

struct pa_growths {
  pa_arena *arena;
  MlirOperation module;
  pa_map extents; // of types
  growth *first;
  MlirType too_large; // the first such type, or null
};

pa_growths *pa_growths_new(pa_arena *arena, MlirOperation module) {
  pa_growths *growths = PA_NEW(arena, pa_growths);
  growths->arena = arena;
  growths->module = module;
  return growths;
}

void pa_growths_forget(pa_growths *growths) {
  growth **link = &growths->first;
  while (*link)
    if ((*link)->place.container) link = &(*link)->next;
    else *link = (*link)->next;
}

//===-- Extents -----------------------------------------------------------------------------------===//

static extent extent_of(pa_growths *growths, MlirType type);

static void add_part(pa_growths *growths, MlirType type, extent *whole) {
  extent part = extent_of(growths, type);
  if (part.depth > whole->depth) whole->depth = part.depth;
  whole->parts += part.parts + 1;
  if (whole->parts > 2 * PA_TYPE_MAX_ELEMENTS) whole->parts = 2 * PA_TYPE_MAX_ELEMENTS; // sums of what is too large stay small
}

static void add_parts(pa_growths *growths, MlirType tuple, extent *whole) {
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(tuple); ++i) add_part(growths, mlirTupleTypeGetType(tuple, i), whole);
}

static bool has_item(MlirType type) {
  return pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsOptional(type) || pyarrayTypeIsCell(type) || pyarrayTypeIsGenerator(type);
}

// A class may have fields of itself: it stands for one part while it is measured.
static extent measure_class(pa_growths *growths, MlirType type, extent *whole) {
  MlirAttribute description = pa_class_of_type(growths->module, type);
  MlirType fields = mlirAttributeIsNull(description) ? (MlirType){NULL} : pa_class_fields(description);
  *whole = (extent){1, 1};
  pa_map_put(growths->arena, &growths->extents, type.ptr, whole);
  extent measured = {0};
  if (!mlirTypeIsNull(fields)) add_parts(growths, fields, &measured);
  return (extent){measured.depth + 1, 1};
}

static extent measure(pa_growths *growths, MlirType type, extent *whole) {
  extent measured = {0};
  if (pyarrayTypeIsObject(type)) return measure_class(growths, type, whole);
  if (mlirTypeIsATuple(type)) add_parts(growths, type, &measured);
  else if (pyarrayTypeIsTagged(type)) add_part(growths, pyarrayTaggedTypeGetItem(type), &measured);
  else add_part(growths, pyarrayTypeGetItem(type), &measured);
  if (pyarrayTypeIsDict(type)) add_part(growths, pyarrayDictTypeGetValue(type), &measured);
  // A named tuple, a function with what it captured; a container of a global variable.
  bool only_names = pyarrayTypeIsTagged(type) && (mlirTypeIsATuple(pyarrayTaggedTypeGetItem(type)) || pa_is_tagged(type, "frozen"));
  if (only_names) return (extent){measured.depth, measured.parts - 1};
  return (extent){measured.depth + 1, measured.parts};
}

static extent extent_of(pa_growths *growths, MlirType type) {
  if (mlirTypeIsNull(type) || !(mlirTypeIsATuple(type) || pyarrayTypeIsTagged(type) || has_item(type) || pyarrayTypeIsObject(type))) return (extent){0};
  extent *known = pa_map_get(&growths->extents, type.ptr);
  if (known) return *known;
  known = PA_NEW(growths->arena, extent);
  *known = measure(growths, type, known);
  pa_map_put(growths->arena, &growths->extents, type.ptr, known);
  return *known;
}

void pa_growths_check(pa_growths *growths, MlirType type) {
  extent whole = extent_of(growths, type);
  bool fits = whole.depth <= PA_TYPE_MAX_DEPTH && whole.parts <= PA_TYPE_MAX_ELEMENTS;
  if (!fits && mlirTypeIsNull(growths->too_large)) growths->too_large = type;
}

//===-- What grows --------------------------------------------------------------------------------===//

static growth *growth_at(pa_growths *growths, const pa_growth_place *place, MlirType first) {
  growth *each = growths->first;
  while (each && (each->place.op.ptr != place->op.ptr || each->place.instance != place->instance || each->place.index != place->index)) each = each->next;
  if (each) return each;
  each = PA_NEW(growths->arena, growth);
  *each = (growth){growths->first, *place, {first}, 0};
  return growths->first = each;
}

void pa_growths_note(pa_growths *growths, const pa_growth_place *place, MlirType before, MlirType after) {
  extent from = extent_of(growths, before), to = extent_of(growths, after);
  if (mlirTypeIsNull(before) || (to.depth <= from.depth && to.parts <= from.parts)) return;
  growth *grown = growth_at(growths, place, before);
  if (++grown->changes < 3) grown->types[grown->changes] = after;
  pa_growths_check(growths, after);
}

// Of several that grow with each other the one that was met first.
static const growth *most_grown(const pa_growths *growths) {
  const growth *most = NULL;
  for (const growth *each = growths->first; each; each = each->next)
    if (each->changes >= 3 && (!most || each->changes + 1 >= most->changes)) most = each;
  return most;
}

static const char *first_types(pa_arena *arena, const MlirType *types) {
  const char *texts[3];
  for (int i = 0; i < 3; ++i) texts[i] = pa_type_text(arena, types[i]);
  return pa_arena_format(arena, "%s, then %s, then %s", texts[0], texts[1], texts[2]);
}

static const char *name_of_place(pa_inference *inference, const growth *grown) {
  const pa_growth_place *place = &grown->place;
  if (place->container == PA_DICT) return place->index ? "the values of this dict" : "the keys of this dict";
  if (place->container) return place->container == PA_LIST ? "the items of this list" : place->container == PA_DEQUE ? "the items of this deque" : "the items of this set";
  const pa_instance *instance = place->instance;
  pa_op_kind kind = pa_kind(&inference->names, place->op);
  const char *function = pa_attr_text(inference->arena, pa_get_attr(instance->function, "sym_name"));
  const char *variable = pa_joined_name(inference, place->op, place->index);
  if (kind == PA_OP_SUSPEND) return pa_arena_format(inference->arena, "what %s() yields", function);
  if (variable && *variable != '$') return pa_arena_format(inference->arena, "variable '%s'", variable);
  return kind == PA_OP_RETURN || variable ? pa_arena_format(inference->arena, "the result of %s()", function) : "a value";
}

// The operation that made what was too large says more of a result than the statement that returns it.
static MlirLocation place_of(const pa_inference *inference, const growth *grown, MlirOperation op) {
  pa_op_kind kind = pa_kind(&inference->names, op);
  bool made_here = pa_kind(&inference->names, grown->place.op) == PA_OP_RETURN && grown->place.instance == inference->current;
  return made_here && kind != PA_OP_RETURN && kind != PA_OP_SCF_IF ? mlirOperationGetLocation(op) : grown->place.location;
}

// An overload is made anew for each combination of types.
static bool is_same_function(const pa_instance *a, const pa_instance *b) {
  MlirAttribute name = pa_get_attr(a->function, "pyarray.qualname");
  return mlirOperationEqual(a->function, b->function) || (!mlirAttributeIsNull(name) && mlirAttributeEqual(name, pa_get_attr(b->function, "pyarray.qualname")));
}

// The innermost open instance of the same function, which calls |instance|, maybe through others.
static const pa_instance *last_call(const pa_inference *inference, const pa_instance *instance) {
  const pa_instance *last = NULL;
  for (const pa_instance *each = inference->first; each; each = each->next)
    if (each != instance && each->state == PA_OPEN && is_same_function(each, instance) && (!last || each->depth > last->depth)) last = each;
  return last;
}

static const char *parameter_name(const pa_inference *inference, const pa_instance *instance, intptr_t i) {
  MlirAttribute names = pa_get_attr(instance->function, "pyarray.params");
  if (mlirAttributeIsNull(names) || i >= mlirArrayAttrGetNumElements(names)) return "?";
  return pa_attr_text(inference->arena, mlirArrayAttrGetElement(names, i));
}

// Three of the outermost calls show best how types grow. Not the very first, if there are enough: defaults may make it another one.
static const char *argument_types(const pa_inference *inference, const pa_instance *instance, intptr_t parameter) {
  MlirType types[4];
  int count = 0;
  for (const pa_instance *each = inference->first; each && count < 4; each = each->next)
    if (each->state == PA_OPEN && is_same_function(each, instance) && each->argument_count == instance->argument_count) types[count++] = each->arguments[parameter];
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
      return pa_fail_at(PA_CODE_ENDLESS, location, "each call of %s() by itself has another type of its argument '%s', without an end: %s\nhint: give '%s' one type in all calls",
                        name, parameter, argument_types(inference, instance, i), parameter);
    if (last->sites[i] != instance->sites[i] && pa_container_of(instance->arguments[i]) != PA_NO_CONTAINER)
      return pa_fail_at(PA_CODE_ENDLESS, location, "each call of %s() by itself makes another list, dict or set for its argument '%s', so that the types of its items are not known"
                        "\nhint: make it before the first call, and pass it in all calls", name, parameter);
    if (!mlirAttributeEqual(last->literals[i], instance->literals[i]))
      return pa_fail_at(PA_CODE_ENDLESS, location, "each call of %s() by itself has another constant as its argument '%s', without an end\nhint: pass a variable", name, parameter);
  }
  return PA_OK;
}

// Of the innermost function that is called again and again, not by others alone.
static pa_status fail_of_arguments(const pa_inference *inference) {
  pa_status failure = PA_OK;
  for (const pa_instance *each = inference->first; each && !failure; each = each->next)
    if (each->state == PA_OPEN && each->depth + PA_TYPE_MAX_DEPTH / 4 > inference->depth) failure = fail_of_argument(inference, each);
  return failure;
}

void pa_growths_forgive(pa_growths *growths) { growths->too_large = (MlirType){NULL}; }

pa_status pa_check_growth(pa_inference *inference, MlirOperation op) {
  pa_growths *growths = inference->growths;
  if (mlirTypeIsNull(growths->too_large)) return PA_OK;
  const growth *grown = most_grown(growths);
  if (grown)
    return pa_fail_at(PA_CODE_ENDLESS, place_of(inference, grown, op), "the type of %s grows without an end: %s\nhint: give it one type on every path; a list or an array holds any number of values of one type",
                      name_of_place(inference, grown), first_types(inference->arena, grown->types));
  PA_TRY(fail_of_arguments(inference));
  bool deep = extent_of(growths, growths->too_large).depth > PA_TYPE_MAX_DEPTH;
  if (deep)
    return pa_fail_at(PA_CODE_ENDLESS, mlirOperationGetLocation(op), "types nested more than %d levels deep are not compiled", PA_TYPE_MAX_DEPTH);
  return pa_fail_at(PA_CODE_ENDLESS, mlirOperationGetLocation(op), "a %s of more than %d elements, nested ones included, is too long\nhint: use an array",
                    mlirTypeIsATuple(growths->too_large) ? "tuple" : "type", PA_TYPE_MAX_ELEMENTS);
}

pa_status pa_too_many_instances(const pa_instance *instance, int most) {
  return pa_fail_at(PA_CODE_ENDLESS, mlirOperationGetLocation(instance->function), "more than %d combinations of functions and types of their arguments\nhint: call them with fewer different types", most);
}

pa_status pa_too_many_calls(const pa_inference *inference, const pa_instance *instance, int most) {
  PA_TRY(fail_of_argument(inference, instance));
  PA_TRY(fail_of_arguments(inference));
  return pa_fail_at(PA_CODE_ENDLESS, mlirOperationGetLocation(instance->function), "more than %d nested calls of different functions or argument types", most);
}
