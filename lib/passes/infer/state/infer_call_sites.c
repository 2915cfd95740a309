// Where the function that failed is called, in the message of the failure.
#include <string.h>

#include "infer_internal.h"

// How many of the innermost, and of the outermost, calls on the way to a failure are named.
enum { PA_CALLS_NAMED = 3 };

// The note of one call; empty for those in the middle of a long way, "... N more" before the first after them.
static const char *call_note(pa_inference *inference, pa_instance *callee, const pa_instance *caller,
                             MlirOperation op) {
  if (inference->notes++ >= PA_CALLS_NAMED && caller->depth >= PA_CALLS_NAMED) return ++inference->notes_left_out, "";
  const char *more = "";
  if (inference->notes_left_out)
    more = pa_arena_format(inference->arena, "\n... %d more calls", inference->notes_left_out);
  inference->notes_left_out = 0;
  pa_location place = pa_source_location(inference->arena, mlirOperationGetLocation(op));
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(callee->function, "sym_name"));
  return pa_arena_format(inference->arena, "%s\nwhile compiling %.*s, called from %s:%d", more, (int)name.length,
                         name.data, place.file ? place.file : "?", place.line);
}

// "bytes(): ", of the function of the library that a user called by that name; "" of one that does what an operator or
// another function needs.
static const char *library_prefix(pa_inference *inference, const pa_instance *callee, const pa_instance *caller) {
  const char *symbol = pa_attr_text(inference->arena, pa_get_attr(callee->function, "sym_name")), *name = NULL;
  if (pa_is_library_function(caller->function)) return "";
  for (int i = 0; i < pa_builtin_count && !name; ++i) {
    const pa_builtin *row = &pa_builtins[i];
    if (row->lowering == PA_LOWERING_LIBRARY && strcmp(*row->target ? row->target : row->name, symbol) == 0)
      name = row->name;
  }
  if (!name && pa_builtin_find(pa_ref(symbol))) name = symbol; // what its own rule does not do
  if (!name) return "";
  return pa_arena_format(inference->arena, "%s(): ", strncmp(name, "builtins.", 9) == 0 ? name + 9 : name);
}

pa_status pa_add_call_site(pa_inference *inference, pa_status status, pa_instance *callee, const pa_instance *caller,
                           MlirOperation op) {
  if (pa_is_library_function(callee->function)) { // what the user did not write is as if built in
    pa_location place = pa_source_location(inference->arena, mlirOperationGetLocation(op));
    pa_status moved = pa_fail(pa_status_code(status), &place, "%s%s", library_prefix(inference, callee, caller),
                              pa_status_message(status));
    return pa_status_free(status), moved;
  }
  const char *note = call_note(inference, callee, caller, op);
  if (!*note) return status;
  pa_status longer = PA_OK;
  for (pa_status each = status; each; each = pa_status_next(each)) {
    const char *message = pa_status_message(each), *hint = strstr(message, "\nhint: ");
    int length = hint ? (int)(hint - message) : (int)strlen(message);
    longer = pa_status_join(longer, pa_fail(pa_status_code(each), pa_status_location(each), "%.*s%s%s", length, message,
                                            note, hint ? hint : ""));
  }
  return pa_status_free(status), longer;
}
