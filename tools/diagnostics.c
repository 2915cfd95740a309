// Diagnostics as a compiler prints them.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"
#include "tool.h"

static const char *const severity_names[] = {"error", "warning", "note", "remark"};

//===-- Source lines ------------------------------------------------------------------------------===//

static bool same_file(const tool_diagnostics *d, const char *file) {
  return file && d->chunk && strcmp(file, d->chunk->file) == 0;
}

// Line |number| of |text|, without its newline, copied; NULL when there are fewer lines.
static const char *line_of(pa_arena *arena, const char *text, size_t length, int number) {
  const char *end = text + length;
  for (const char *line = text; line < end; number--) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline ? newline : end;
    if (number == 1) return pa_arena_copy(arena, line, (size_t)(stop - line));
    line = stop + 1;
  }
  return NULL;
}

// From the input itself, or from another file that a location names: the user's Python.
static const char *source_line(const tool_diagnostics *d, const pa_location *place) {
  if (!place->file || place->line < 1) return NULL;
  if (same_file(d, place->file)) return line_of(d->arena, d->chunk->text, d->chunk->length, place->line);
  tool_chunk other;
  pa_status failure = tool_read(d->arena, place->file, &other);
  if (!failure) return line_of(d->arena, other.text, other.length, place->line);
  pa_status_free(failure);
  return NULL;
}

static bool printable(const char *line) {
  for (; *line; line++)
    if (iscntrl((unsigned char)*line) && *line != '\t') return false;
  return true;
}

// A line longer than this is shown in part, with what is around the caret.
enum { MAX_WIDTH = 120 };

// Whether a character of UTF-8 begins or ends at |text|.
static bool is_boundary(const char *text) { return ((unsigned char)*text & 0xc0) != 0x80; }

static int character_start(const char *line, int at) {
  while (at > 0 && !is_boundary(line + at)) at--;
  return at;
}

static void print_line(const char *line, int column) {
  int length = (int)strlen(line), caret = column > 0 ? column - 1 : 0, first = 0, last = length;
  if (length > MAX_WIDTH) {
    first = caret < MAX_WIDTH / 2 ? 0 : caret - MAX_WIDTH / 2;
    if (first > length - MAX_WIDTH) first = length - MAX_WIDTH;
    last = character_start(line, first + MAX_WIDTH);
    first = character_start(line, first);
  }
  const char *before = first ? "..." : "", *after = last < length ? "..." : "";
  fprintf(stderr, "%s%.*s%s\n%*s", before, last - first, line + first, after, (int)strlen(before), "");
  for (int i = first; i < caret && line[i]; i++)
    if (is_boundary(line + i)) fputc(line[i] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
}

static void print(const tool_diagnostics *d, MlirDiagnosticSeverity severity, const pa_location *place,
                  const char *text) {
  if (place->file)
    fprintf(stderr, "%s:%d:%d: ", place->file, place->line, place->column);
  else
    fputs("<unknown>:0: ", stderr);
  fprintf(stderr, "%s: %s\n", severity_names[severity], text);
  const char *line = source_line(d, place);
  if (line && printable(line)) print_line(line, place->column);
}

void tool_print_error(pa_arena *arena, const pa_location *place, const char *text) {
  print(&(tool_diagnostics){.arena = arena}, MlirDiagnosticError, place, text);
}

//===-- Handler -----------------------------------------------------------------------------------===//

static void handle(tool_diagnostics *d, MlirDiagnostic diagnostic) {
  pa_string text = {0};
  mlirDiagnosticPrint(diagnostic, tool_append, &text);
  pa_location place = pa_source_location(d->arena, mlirDiagnosticGetLocation(diagnostic));
  print(d, mlirDiagnosticGetSeverity(diagnostic), &place, pa_string_text(&text));
  pa_string_free(&text);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); i++) handle(d, mlirDiagnosticGetNote(diagnostic, i));
}

static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *data) {
  handle(data, diagnostic);
  return mlirLogicalResultSuccess();
}

void tool_diagnostics_attach(tool_diagnostics *d, MlirContext context, pa_arena *arena, const tool_chunk *chunk) {
  *d = (tool_diagnostics){.arena = arena, .chunk = chunk};
  mlirContextAttachDiagnosticHandler(context, on_diagnostic, d, NULL);
}
