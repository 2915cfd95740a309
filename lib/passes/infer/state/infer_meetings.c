// Meetings of int64 and uint64, each with a number: infer_whole.c decides what they become.
#include "infer_internal.h"

static int meeting_at(pa_inference *inference, MlirOperation op, intptr_t index) {
  for (size_t i = 0; i < inference->meeting_count; ++i)
    if (inference->meetings[i].op == op.ptr && inference->meetings[i].index == index)
      return (int)i + PA_SITE_OF_BITS + 1;
  inference->meetings = pa_arena_grow(inference->arena, inference->meetings, inference->meeting_count,
                                      &inference->meeting_capacity, sizeof(pa_meeting));
  inference->meetings[inference->meeting_count] = (pa_meeting){.op = op.ptr, .index = index};
  return (int)++inference->meeting_count + PA_SITE_OF_BITS;
}

pa_meeting *pa_meeting_numbered(pa_inference *inference, int site) {
  return &inference->meetings[site - PA_SITE_OF_BITS - 1];
}

int pa_meeting_of(pa_fact fact) { return !pa_is_bottom(fact) && pa_scalar_of(fact.type) == PA_F64 ? fact.site : 0; }

static bool is_whole_number(pa_fact fact) {
  pa_scalar scalar = pa_scalar_of(fact.type);
  return scalar == PA_BOOL || pa_is_integer(scalar) || pa_meeting_of(fact);
}

// For the note of where they meet.
static const char *describe(pa_inference *inference, MlirOperation op, intptr_t index) {
  if (pa_kind(&inference->names, op) == PA_OP_BINARY) {
    pyarray_binary_kind kind = (pyarray_binary_kind)pyarrayBinaryKindAttrGetValue(pa_get_attr(op, "kind"));
    return pa_arena_format(inference->arena, "'%s' of a uint64 and an integer that may be negative",
                           pa_binary_symbol(kind));
  }
  const char *name = pa_joined_name(inference, op, index);
  bool named = name && *name != '$' && pa_kind(&inference->names, op) != PA_OP_RETURN;
  return pa_arena_format(inference->arena, "%s, a uint64 on one path and an integer that may be negative on another,",
                         named ? pa_arena_format(inference->arena, "variable '%s'", name) : "a value");
}

bool pa_meet(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact a, pa_fact b, pa_fact *out_fact) {
  if (pa_is_bottom(a) || pa_is_bottom(b)) return false;
  pa_scalar x = pa_scalar_of(a.type), y = pa_scalar_of(b.type);
  int site = 0;
  if (pa_join_bits(inference->context, a, b, out_fact)) return true;
  bool mixed = pa_are_mixed(x, y);
  if (mixed && !pa_is_sign_unknown(a, b))
    return *out_fact = pa_fact_of(pa_scalar_type(inference->context, PA_U64)), true;
  if (mixed)
    site = meeting_at(inference, op, index);
  else if (is_whole_number(a) && is_whole_number(b))
    site = pa_meeting_of(a) ? pa_meeting_of(a) : pa_meeting_of(b);
  if (!site) return false;
  bool whole = pa_meeting_numbered(inference, site)->whole;
  pa_typing typing = pa_typing_at(inference, op);
  if (mixed) pa_note_unknown_sign(&typing, whole ? NULL : describe(inference, op, index));
  *out_fact = pa_fact_of(pa_scalar_type(inference->context, whole ? PA_U64 : PA_F64));
  out_fact->site = whole ? PA_SITE_OF_BITS : site;
  return true;
}
