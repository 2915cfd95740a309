// Notes of where integers of unknown sign meet uint64.
#include "sign_notes.h"

void pa_signs_changed(pa_signs *signs) { signs->changed = true; }

void pa_note_unknown_sign(const pa_typing *typing, const char *what) {
  pa_signs *signs = typing->signs;
  if (!signs) return;
  signs->wanted = true;
  if (!what || typing->in_library) return;
  signs->notes =
      pa_arena_grow(signs->arena, signs->notes, signs->note_count, &signs->note_capacity, sizeof(pa_sign_note));
  signs->notes[signs->note_count++] = (pa_sign_note){typing->location, what};
}

void pa_keep_unknown_sign(const pa_typing *typing, const char *what) {
  pa_signs *signs = typing->signs;
  size_t before = signs ? signs->note_count : 0;
  pa_note_unknown_sign(typing, what);
  if (!signs || signs->note_count == before) return;
  pa_sign_note last = signs->notes[signs->note_count - 1];
  signs->notes[signs->note_count - 1] = signs->notes[signs->kept_count];
  signs->notes[signs->kept_count++] = last;
}
