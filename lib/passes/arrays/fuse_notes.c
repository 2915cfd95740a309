// Of pyarray-fuse: what fn.fusion_report() says, rows "line<TAB>file<TAB>text" in the attribute pyarray.fusion of the
// module, which has it where they are wanted.
//
//   5   /home/ann/norms.py   np.multiply: computed where it is read, in sum (line 6)
#include <stdlib.h>
#include <string.h>

#include "fuse_internal.h"

static const char *const reasons[] = {
    [PA_HAS_EFFECTS] = "what it calls has effects",
    [PA_HAS_COMPUTED_INDICES] = "its indices are computed in its loop",
    [PA_IS_MEMORY] = "it is needed in memory",
    [PA_IS_TOO_LONG] = "what reads it would have too many operations or inputs",
    [PA_IS_OVERWRITTEN] = "what it is made of may be written to before it is read",
    [PA_HAS_ORDER] = "the order in which it is added up is that of its memory",
    [PA_IS_DEAR] = "to compute it for each of its readers takes longer than to write it down",
};

//===-- Words -------------------------------------------------------------------------------------===//

static const char *name_of(pa_fusing *f, MlirOperation op) {
  static const char *const words[][2] = {{"add", "sum"}, {"mul", "prod"}, {"and", "all"}, {"or", "any"}};
  if (pa_kind(&f->names, op) == PA_OP_SETITEM) return "the assignment";
  if (pa_kind(&f->names, op) == PA_OP_REDUCE) {
    const char *word = pa_attr_text(f->arena, mlirArrayAttrGetElement(pa_get_attr(op, "words"), 0));
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
      if (strcmp(word, words[i][0]) == 0) return words[i][1];
    return word;
  }
  const char *name = pa_attr_text(f->arena, pa_get_attr(op, "pyarray.name"));
  if (name) return pa_arena_format(f->arena, "np.%s", name);
  return pa_kind(&f->names, op) == PA_OP_UFUNC ? "expression" : NULL;
}

// Of the user's line: functions of the library have no frame.
static pa_location place_of(pa_fusing *f, MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  while (mlirLocationIsACallSite(location)) {
    MlirLocation callee = mlirLocationCallSiteGetCallee(location);
    if (!mlirLocationIsAName(callee) || mlirIdentifierStr(mlirLocationNameGetName(callee)).length) break;
    location = mlirLocationCallSiteGetCaller(location);
  }
  return pa_source_location(f->arena, location);
}

// " in sum (line 6)"; what has no name is its line.
static const char *mention(pa_fusing *f, MlirOperation op) {
  const char *name = name_of(f, op);
  return name ? pa_arena_format(f->arena, "%s (line %d)", name, place_of(f, op).line)
              : pa_arena_format(f->arena, "line %d", place_of(f, op).line);
}

static void add(pa_fusing *f, MlirOperation op, const char *text) {
  pa_notes *notes = f->notes;
  notes->items = pa_arena_grow(f->arena, notes->items, notes->count, &notes->capacity, sizeof *notes->items);
  notes->items[notes->count] =
      (pa_note){place_of(f, op), pa_arena_format(f->arena, "%s: %s", name_of(f, op), text), notes->count};
  ++notes->count;
}

//===-- Notes -------------------------------------------------------------------------------------===//

static const char *readers_of(pa_fusing *f, const pa_producer *producer) {
  const char *text = "";
  for (size_t k = 0; k < producer->count; ++k)
    for (size_t i = 0; i < producer->nodes[k].consumer_count; ++i)
      text =
          pa_arena_format(f->arena, "%s%s%s", text, *text ? ", " : "", mention(f, producer->nodes[k].consumers[i].op));
  return text;
}

static const char *why(pa_fusing *f, const pa_producer *producer, pa_decision decision) {
  MlirOperation blocker = producer->blocker;
  if (mlirOperationIsNull(blocker)) return reasons[decision];
  if (pa_kind(&f->names, blocker) == PA_OP_RETURN) return "it is returned";
  return pa_arena_format(f->arena, "%s: %s", reasons[decision], mention(f, blocker));
}

void pa_note_decision(pa_fusing *f, const pa_producer *producer, pa_decision decision) {
  MlirBlock body = pa_body(producer->op, 0);
  bool computes = !mlirOperationEqual(mlirBlockGetFirstOperation(body), mlirBlockGetTerminator(body));
  if (!f->notes->wanted || !computes) return;
  const char *readers = decision == PA_IS_FUSED ? readers_of(f, producer) : "";
  if (decision == PA_IS_STRETCHED)
    add(f, producer->op,
        pa_arena_format(f->arena, "hoisted: computed once before %s, which has more elements",
                        mention(f, producer->blocker)));
  else if (decision != PA_IS_FUSED)
    add(f, producer->op, pa_arena_format(f->arena, "written down, since %s", why(f, producer, decision)));
  else if (*readers)
    add(f, producer->op, pa_arena_format(f->arena, "computed where it is read, in %s", readers));
  else
    add(f, producer->op, "not computed: nothing reads it");
}

void pa_note_new_array(pa_fusing *f, MlirOperation op) {
  if (f->notes->wanted) add(f, op, "a new array");
}

void pa_note_reuse(pa_fusing *f, MlirOperation op, MlirOperation value) {
  if (f->notes->wanted)
    add(f, op, pa_arena_format(f->arena, "takes the memory of %s, which nothing reads afterwards", mention(f, value)));
}

void pa_note_same(pa_fusing *f, MlirOperation op, MlirOperation before) {
  if (f->notes->wanted) add(f, op, pa_arena_format(f->arena, "the same as %s", mention(f, before)));
}

void pa_note_rows(pa_fusing *f, MlirOperation op, const MlirOperation *all, size_t count) {
  const char *text = "";
  for (size_t i = 0; f->notes->wanted && i < count; ++i)
    if (!mlirOperationEqual(all[i], op))
      text = pa_arena_format(f->arena, "%s%s%s", text, *text ? ", " : "", mention(f, all[i]));
  if (f->notes->wanted) add(f, op, pa_arena_format(f->arena, "row by row, together with %s", text));
}

void pa_note_siblings(pa_fusing *f, MlirOperation op, MlirOperation other) {
  if (f->notes->wanted) add(f, op, pa_arena_format(f->arena, "in one loop with %s", mention(f, other)));
}

static int compare_notes(const void *a, const void *b) {
  const pa_note *x = a, *y = b;
  int files = strcmp(x->place.file ? x->place.file : "", y->place.file ? y->place.file : "");
  if (files || x->place.line != y->place.line) return files ? files : x->place.line < y->place.line ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

void pa_write_notes(pa_arena *arena, pa_notes *notes, MlirOperation module) {
  MlirContext context = mlirOperationGetContext(module);
  MlirAttribute *rows = PA_NEW_ARRAY(arena, MlirAttribute, notes->count + 1);
  if (notes->count) qsort(notes->items, notes->count, sizeof *notes->items, compare_notes);
  for (size_t i = 0; i < notes->count; ++i) {
    const pa_note *note = &notes->items[i];
    rows[i] = pa_string_attr(context, pa_arena_format(arena, "%d\t%s\t%s", note->place.line,
                                                      note->place.file ? note->place.file : "?", note->text));
  }
  pa_set_attr(module, "pyarray.fusion", mlirArrayAttrGet(context, (intptr_t)notes->count, rows));
}
