// Diagnostics as a compiler prints them, and their comparison with expected-error comments.
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

//===-- Expectations ------------------------------------------------------------------------------===//

// expected-<severity>[-re] [@<where>] {{<text>}}
static const char comment_pattern[] =
    "expected-(error|note|remark|warning)(-re)? *(@([+-][0-9]+|above|below|unknown))? *\\{\\{(.*)\\}\\}$";

// Literal text with pieces {{regex}} as one POSIX regular expression.
static const char *expand_regex(pa_arena *arena, const char *text) {
  pa_string out = {0};
  bool literal = true;
  for (; *text; text++) {
    if (literal ? strncmp(text, "{{", 2) == 0 : strncmp(text, "}}", 2) == 0) {
      pa_string_puts(&out, literal ? "(" : ")");
      literal = !literal;
      text++;
    } else {
      if (literal && strchr("\\^$.[]|()*+?{}", *text)) pa_string_puts(&out, "\\");
      pa_string_append(&out, text, 1);
    }
  }
  const char *pattern = pa_arena_copy(arena, pa_string_text(&out), out.length);
  pa_string_free(&out);
  return pattern;
}

static MlirDiagnosticSeverity severity_of(const char *name) {
  for (int i = 0; i < 4; i++)
    if (strncmp(name, severity_names[i], strlen(severity_names[i])) == 0) return (MlirDiagnosticSeverity)i;
  return MlirDiagnosticError;
}

// The line that "@<where>" names, seen from |line|; -1 for @below, which is known later. |above| is the last line
// before without a comment of this kind.
static int target_line(const char *where, int line, int above) {
  if (!where) return line;
  if (*where == '+' || *where == '-') return line + atoi(where);
  return strncmp(where, "above", 5) == 0 ? above : strncmp(where, "below", 5) == 0 ? -1 : 0;
}

static void add_expectation(tool_diagnostics *d, const char *text, const regmatch_t *match, int line, int above) {
  d->expected = pa_arena_grow(d->arena, d->expected, d->expected_count, &d->expected_capacity, sizeof *d->expected);
  tool_expectation *e = &d->expected[d->expected_count++];
  *e = (tool_expectation){.severity = severity_of(text + match[1].rm_so), .written_at = line};
  e->line = target_line(match[4].rm_so < 0 ? NULL : text + match[4].rm_so, line, above);
  e->text = pa_arena_copy(d->arena, text + match[5].rm_so, (size_t)(match[5].rm_eo - match[5].rm_so));
  if (match[2].rm_so < 0) return;
  e->is_regex = regcomp(&e->regex, expand_regex(d->arena, e->text), REG_EXTENDED | REG_NOSUB) == 0;
}

static void resolve_below(tool_diagnostics *d, int line) {
  for (size_t i = 0; i < d->expected_count; i++)
    if (d->expected[i].line == -1) d->expected[i].line = line;
}

static void read_expectations(tool_diagnostics *d) {
  regex_t comment;
  if (regcomp(&comment, comment_pattern, REG_EXTENDED)) abort();
  int number = 1, above = 0;
  const char *end = d->chunk->text + d->chunk->length;
  for (const char *line = d->chunk->text; line < end; number++) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline ? newline : end;
    const char *text = pa_arena_copy(d->arena, line, (size_t)(stop - line));
    regmatch_t match[6];
    if (strstr(text, "expected-") && regexec(&comment, text, 6, match, 0) == 0) {
      add_expectation(d, text, match, number, above);
    } else {
      resolve_below(d, number);
      above = number;
    }
    line = stop + 1;
  }
  regfree(&comment);
}

static bool matches(const tool_expectation *e, const char *text) {
  return e->is_regex ? regexec(&e->regex, text, 0, NULL, 0) == 0 : strstr(text, e->text) != NULL;
}

static void compare(tool_diagnostics *d, MlirDiagnosticSeverity severity, const pa_location *place, const char *text) {
  int line = same_file(d, place->file) ? place->line : 0;
  for (size_t i = 0; i < d->expected_count; i++) {
    tool_expectation *e = &d->expected[i];
    if (e->met || e->severity != severity || e->line != line || !matches(e, text)) continue;
    e->met = true;
    return;
  }
  if (severity == MlirDiagnosticNote) return; // notes need not be expected
  d->errors++;
  print(d, MlirDiagnosticError, place, pa_arena_format(d->arena, "unexpected %s: %s", severity_names[severity], text));
}

//===-- Handler -----------------------------------------------------------------------------------===//

static void handle(tool_diagnostics *d, MlirDiagnostic diagnostic) {
  pa_string text = {0};
  mlirDiagnosticPrint(diagnostic, tool_append, &text);
  pa_location place = pa_source_location(d->arena, mlirDiagnosticGetLocation(diagnostic));
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  if (d->verify) {
    compare(d, severity, &place, pa_string_text(&text));
  } else {
    print(d, severity, &place, pa_string_text(&text));
    d->errors += severity == MlirDiagnosticError;
  }
  pa_string_free(&text);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); i++) handle(d, mlirDiagnosticGetNote(diagnostic, i));
}

static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *data) {
  handle(data, diagnostic);
  return mlirLogicalResultSuccess();
}

void tool_diagnostics_attach(tool_diagnostics *d, MlirContext context, pa_arena *arena, const tool_chunk *chunk,
                             bool verify) {
  *d = (tool_diagnostics){.arena = arena, .chunk = chunk, .verify = verify};
  if (verify) read_expectations(d);
  mlirContextAttachDiagnosticHandler(context, on_diagnostic, d, NULL);
}

bool tool_diagnostics_finish(tool_diagnostics *d) {
  for (size_t i = 0; i < d->expected_count; i++) {
    tool_expectation *e = &d->expected[i];
    if (!e->met) {
      d->errors++;
      print(d, MlirDiagnosticError, &(pa_location){d->chunk->file, e->written_at, 1},
            pa_arena_format(d->arena, "expected %s \"%s\" was not produced", severity_names[e->severity], e->text));
    }
    if (e->is_regex) regfree(&e->regex);
  }
  return d->errors == 0;
}
