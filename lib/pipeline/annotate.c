// fn.inspect_types(): the source of each typed function, and under each line its operations with the types that were
// inferred.
#include <Python.h>

#include <string.h>

#include "compile.h"

typedef struct annotation {
  int line;
  const char *text;
} annotation;

typedef struct annotator {
  pa_arena *arena;
  pa_names names;
  MlirAsmState state;
  annotation *lines;
  size_t count, capacity;
  const char *file;
} annotator;

static void add_line(annotator *a, int line, const char *text) {
  a->lines = pa_arena_grow(a->arena, a->lines, a->count, &a->capacity, sizeof *a->lines);
  a->lines[a->count++] = (annotation){line, text};
}

// "%3 = pyarray.binary add %1, %2  :: float64": the printed operation up to its types, and the name of its result
// types.
static const char *describe(annotator *a, MlirOperation op) {
  pa_string text = {0};
  mlirOperationPrintWithState(op, a->state, pa_append_text, &text);
  size_t length = strcspn(pa_string_text(&text), "\n{");
  const char *colon = text.data ? memmem(text.data, length, " : ", 3) : NULL;
  if (colon) length = (size_t)(colon - text.data);
  pa_string out = {0};
  pa_string_append(&out, pa_string_text(&text), length);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    pa_string_puts(&out, i ? ", " : "  :: ");
    pa_type_name(&out, mlirValueGetType(mlirOperationGetResult(op, i)));
  }
  const char *copy = pa_arena_copy(a->arena, pa_string_text(&out), out.length);
  pa_string_free(&text);
  pa_string_free(&out);
  return copy;
}

static void visit_block(annotator *a, MlirBlock block) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&a->names, op);
    pa_location place = pa_source_location(a->arena, mlirOperationGetLocation(op));
    if (kind != PA_OP_SCF_YIELD && kind != PA_OP_YIELD && kind != PA_OP_SCF_CONDITION)
      add_line(a, place.line, describe(a, op));
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      if (!mlirBlockIsNull(pa_body(op, r))) visit_block(a, pa_body(op, r));
  }
}

// A line of the source, without its end; NULL when the source cannot be had.
static const char *source_line(pa_arena *arena, const char *file, int line) {
  const char *copy = NULL;
  PyObject *linecache = PyImport_ImportModule("linecache");
  PyObject *text = linecache ? PyObject_CallMethod(linecache, "getline", "si", file, line) : NULL;
  Py_ssize_t length = 0;
  const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, &length) : NULL;
  if (bytes && length) copy = pa_arena_copy(arena, bytes, strcspn(bytes, "\r\n"));
  Py_XDECREF(text);
  Py_XDECREF(linecache);
  PyErr_Clear();
  return copy;
}

static void print_header(annotator *a, MlirOperation function, pa_string *out) {
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  const char *dollar = memchr(name.data, '$', name.length);
  pa_string_append(out, name.data, dollar ? (size_t)(dollar - name.data) : name.length);
  pa_string_puts(out, " (");
  MlirType type = mlirTypeAttrGetValue(pa_get_attr(function, "function_type"));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    if (i) pa_string_puts(out, ", ");
    pa_type_name(out, mlirFunctionTypeGetInput(type, i));
  }
  pa_string_puts(out, ") -> ");
  pa_type_name(out, mlirFunctionTypeGetResult(type, 0));
  pa_string_format(out, "\n%s\n# File: %s\n",
                   "--------------------------------------------------------------------------------",
                   a->file ? a->file : "?");
}

static void print_lines(annotator *a, int first, pa_string *out) {
  int last = first;
  for (size_t i = 0; i < a->count; ++i) last = a->lines[i].line > last ? a->lines[i].line : last;
  for (int line = first; line > 0 && line <= last; ++line) {
    const char *source = a->file ? source_line(a->arena, a->file, line) : NULL;
    pa_string_format(out, "# --- LINE %d ---\n", line);
    for (size_t i = 0; i < a->count; ++i)
      if (a->lines[i].line == line) pa_string_format(out, "#   %s\n", a->lines[i].text);
    if (source) pa_string_format(out, "\n%s\n\n", source);
  }
}

pa_status pa_annotate_types(MlirOperation module, pa_arena *arena, pa_string *out_text) {
  annotator a = {.arena = arena};
  pa_names_init(&a.names, mlirOperationGetContext(module));
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (pa_kind(&a.names, op) != PA_OP_FUNC) continue;
    pa_location place = pa_source_location(arena, mlirOperationGetLocation(op));
    a.count = 0;
    a.file = place.file;
    a.state = mlirAsmStateCreateForOperation(op, flags);
    visit_block(&a, pa_body(op, 0));
    print_header(&a, op, out_text);
    print_lines(&a, place.line, out_text);
    pa_string_puts(out_text, "================================================================================\n");
    mlirAsmStateDestroy(a.state);
  }
  mlirOpPrintingFlagsDestroy(flags);
  return PA_OK;
}
