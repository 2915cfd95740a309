// The bound on types in pyarray-infer-types, one for all kinds of them: what a type is made of is at most
// PA_TYPE_MAX_DEPTH levels deep and has at most PA_TYPE_MAX_ELEMENTS parts. So what would go on without an end ends:
//
//   x = None
//   for i in range(n):
//     x = (i, x)      none, OptionalType(Tuple(int64, none)), OptionalType(Tuple(int64, OptionalType(Tuple(int64,
//     none)))), ...
//
// Every type that a value gets is measured once (types are unique). The first that is too large ends inference; the
// message shows what grew: the variable, result or item whose type was joined most often, or the argument that has
// another type in each call of a function by itself.
#include "typing_growth.h"

#include "ir/classes.h"
#include "support/type_code.h"

pa_growths *pa_growths_new(pa_arena *arena, MlirOperation module) {
  pa_growths *growths = PA_NEW(arena, pa_growths);
  growths->arena = arena;
  growths->module = module;
  return growths;
}

static void place_growth(pa_growths *growths, pa_growth *grown) {
  const void *pair = pa_map_pair(grown->place.op.ptr, grown->place.instance);
  grown->same_pair = pa_map_get(&growths->places, pair);
  pa_map_put(growths->arena, &growths->places, pair, grown);
}

void pa_growths_forget(pa_growths *growths) {
  pa_growth **link = &growths->first;
  growths->places = (pa_map){0};
  while (*link) {
    pa_growth *grown = *link;
    if (grown->place.container) {
      place_growth(growths, grown);
      link = &grown->next;
    } else {
      *link = grown->next;
    }
  }
}

//===-- Extents -----------------------------------------------------------------------------------===//

static pa_type_extent measure(pa_growths *growths, MlirType type, pa_type_extent *whole);

static void add_part(pa_growths *growths, MlirType type, pa_type_extent *whole) {
  pa_type_extent part = pa_type_extent_of(growths, type);
  if (part.depth > whole->depth) whole->depth = part.depth;
  whole->parts += part.parts + 1;
  if (whole->parts > 2 * PA_TYPE_MAX_ELEMENTS)
    whole->parts = 2 * PA_TYPE_MAX_ELEMENTS; // sums of what is too large stay small
}

static void add_parts(pa_growths *growths, MlirType tuple, pa_type_extent *whole) {
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(tuple); ++i)
    add_part(growths, mlirTupleTypeGetType(tuple, i), whole);
}

static bool has_item(MlirType type) {
  return pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsDict(type) || pyarrayTypeIsOptional(type) ||
         pyarrayTypeIsCell(type) || pyarrayTypeIsGenerator(type);
}

// A class may have fields of itself: it stands for one part while it is measured.
static pa_type_extent measure_class(pa_growths *growths, MlirType type, pa_type_extent *whole) {
  MlirAttribute description = pa_class_of_type(growths->module, type);
  MlirType fields = mlirAttributeIsNull(description) ? (MlirType){NULL} : pa_class_fields(description);
  *whole = (pa_type_extent){1, 1};
  pa_map_put(growths->arena, &growths->extents, type.ptr, whole);
  pa_type_extent measured = {0};
  if (!mlirTypeIsNull(fields)) add_parts(growths, fields, &measured);
  return (pa_type_extent){measured.depth + 1, 1};
}

static pa_type_extent measure(pa_growths *growths, MlirType type, pa_type_extent *whole) {
  pa_type_extent measured = {0};
  if (pyarrayTypeIsObject(type)) return measure_class(growths, type, whole);
  if (mlirTypeIsATuple(type))
    add_parts(growths, type, &measured);
  else if (pyarrayTypeIsTagged(type))
    add_part(growths, pyarrayTaggedTypeGetItem(type), &measured);
  else
    add_part(growths, pyarrayTypeGetItem(type), &measured);
  if (pyarrayTypeIsDict(type)) add_part(growths, pyarrayDictTypeGetValue(type), &measured);
  // A named tuple, a function with what it captured; a container of a global variable.
  bool only_names =
      pyarrayTypeIsTagged(type) && (mlirTypeIsATuple(pyarrayTaggedTypeGetItem(type)) || pa_is_tagged(type, "frozen"));
  if (only_names) return (pa_type_extent){measured.depth, measured.parts - 1};
  return (pa_type_extent){measured.depth + 1, measured.parts};
}

pa_type_extent pa_type_extent_of(pa_growths *growths, MlirType type) {
  if (mlirTypeIsNull(type) ||
      !(mlirTypeIsATuple(type) || pyarrayTypeIsTagged(type) || has_item(type) || pyarrayTypeIsObject(type)))
    return (pa_type_extent){0};
  pa_type_extent *known = pa_map_get(&growths->extents, type.ptr);
  if (known) return *known;
  known = PA_NEW(growths->arena, pa_type_extent);
  *known = measure(growths, type, known);
  pa_map_put(growths->arena, &growths->extents, type.ptr, known);
  return *known;
}

void pa_growths_check(pa_growths *growths, MlirType type) {
  pa_type_extent whole = pa_type_extent_of(growths, type);
  bool fits = whole.depth <= PA_TYPE_MAX_DEPTH && whole.parts <= PA_TYPE_MAX_ELEMENTS;
  if (!fits && mlirTypeIsNull(growths->too_large)) growths->too_large = type;
}

//===-- What grows --------------------------------------------------------------------------------===//

static pa_growth *growth_at(pa_growths *growths, const pa_growth_place *place, MlirType first) {
  pa_growth *each = pa_map_get(&growths->places, pa_map_pair(place->op.ptr, place->instance));
  while (each && (each->place.op.ptr != place->op.ptr || each->place.instance != place->instance ||
                  each->place.index != place->index))
    each = each->same_pair;
  if (each) return each;
  each = PA_NEW(growths->arena, pa_growth);
  *each = (pa_growth){.next = growths->first, .place = *place, .types = {first}};
  place_growth(growths, each);
  return growths->first = each;
}

void pa_growths_note(pa_growths *growths, const pa_growth_place *place, MlirType before, MlirType after) {
  pa_type_extent from = pa_type_extent_of(growths, before), to = pa_type_extent_of(growths, after);
  if (mlirTypeIsNull(before) || (to.depth <= from.depth && to.parts <= from.parts)) return;
  pa_growth *grown = growth_at(growths, place, before);
  if (++grown->changes < 3) grown->types[grown->changes] = after;
  pa_growths_check(growths, after);
}

void pa_growths_forgive(pa_growths *growths) { growths->too_large = (MlirType){NULL}; }
