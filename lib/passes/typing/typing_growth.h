// How large types are, and where they grow (typing_growth.c).
#ifndef PYARRAY_LIB_PASSES_TYPING_GROWTH_H
#define PYARRAY_LIB_PASSES_TYPING_GROWTH_H

#include "support/map.h"
#include "typing.h"

typedef struct pa_type_extent {
  int depth, parts;
} pa_type_extent;

// Where types are joined: variable |index| of a loop, the result of a function, the items of a container that was made
// by |op|.
typedef struct pa_growth_place {
  MlirOperation op;
  const void *instance;
  MlirLocation location;
  intptr_t index;
  pa_container container; // 0 for no container
} pa_growth_place;

// What grew at one place.
typedef struct pa_growth {
  struct pa_growth *next, *same_pair; // that pa_map_pair does not tell from it
  pa_growth_place place;
  MlirType types[3]; // the first ones
  int changes;
} pa_growth;

struct pa_growths {
  pa_arena *arena;
  MlirOperation module;
  pa_map extents; // of types, a pa_type_extent each
  pa_growth *first;
  pa_map places;      // of pairs of an operation and an instance, a pa_growth each
  MlirType too_large; // the first such type, or null
};

pa_growths *pa_growths_new(pa_arena *arena, MlirOperation module);
void pa_growths_forget(pa_growths *growths);               // before another round: what grew, except in containers
void pa_growths_forgive(pa_growths *growths);              // what was too large was only guessed
void pa_growths_check(pa_growths *growths, MlirType type); // a value has it
void pa_growths_note(pa_growths *growths, const pa_growth_place *place, MlirType before, MlirType after);
pa_type_extent pa_type_extent_of(pa_growths *growths, MlirType type);

#endif // PYARRAY_LIB_PASSES_TYPING_GROWTH_H
