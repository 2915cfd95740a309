// What is learnt of signs in the rounds of type inference (infer/state/infer_signs.c), and notes of where they are not
// known.
#ifndef PYARRAY_LIB_PASSES_SIGN_NOTES_H
#define PYARRAY_LIB_PASSES_SIGN_NOTES_H

#include "typing.h"

typedef struct pa_unknown_sign {
  const void *place, *instance;
  intptr_t index;
} pa_unknown_sign;

typedef struct pa_sign_note {
  MlirLocation location;
  const char *what;
} pa_sign_note;

struct pa_signs {
  pa_arena *arena;
  bool known;  // they are asked for
  bool wanted; // in this round: integers of unknown sign met uint64
  bool changed;
  int rounds;
  pa_unknown_sign *unknown;
  size_t unknown_count, unknown_capacity;
  pa_sign_note *notes; // of this round, behind those of containers, which know what is in them from rounds before
  size_t note_count, kept_count, note_capacity;
};

void pa_signs_changed(pa_signs *signs);

#endif // PYARRAY_LIB_PASSES_SIGN_NOTES_H
