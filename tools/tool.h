// What pyarray-opt and pyarray-translate share: input, diagnostics, registration.
#ifndef PYARRAY_TOOLS_TOOL_H
#define PYARRAY_TOOLS_TOOL_H

#include <regex.h>
#include <stdio.h>

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "support/support.h"

//===-- Input and output (files.c) ----------------------------------------------------------------===//

// A part of an input file, in one piece of memory followed by a NUL.
typedef struct tool_chunk {
  const char *file; // name in locations; "<stdin>" for standard input
  const char *text;
  size_t length;
} tool_chunk;

// Reads |path|, or standard input for "-". The text lives in |arena|.
pa_status tool_read(pa_arena *arena, const char *path, tool_chunk *out_chunk);

// Cuts at lines that begin with "// -----". Each chunk but the first starts with as many empty lines as come before it
// in the file, so that line numbers stay those of the file. Returns the chunks, in |arena|.
tool_chunk *tool_split(pa_arena *arena, const tool_chunk *whole, size_t *out_count);

// Writes to |path|, or standard output for NULL and "-".
pa_status tool_write(const char *path, const char *data, size_t length);

// An MlirStringCallback that appends to a pa_string.
void tool_append(MlirStringRef part, void *string);

// Prints "<tool>: <message>" to standard error and frees the status. Returns 1, the exit code.
int tool_fail(const char *tool, pa_status failure);

//===-- Diagnostics (diagnostics.c) ---------------------------------------------------------------===//

typedef struct tool_expectation {
  MlirDiagnosticSeverity severity;
  int line;       // 0: a place unknown
  int written_at; // the line of the comment itself
  bool is_regex;
  regex_t regex; // where is_regex
  const char *text;
  bool met;
} tool_expectation;

// Prints diagnostics with their source line, or, where |verify| is set, compares them with the comments
// "expected-error@+1 {{text}}" of the input (also -warning, -remark, -note; -error-re; @-1, @above, @below, @unknown).
typedef struct tool_diagnostics {
  pa_arena *arena;
  const tool_chunk *chunk;
  bool verify;
  tool_expectation *expected;
  size_t expected_count, expected_capacity;
  int errors; // printed errors, or mismatches
} tool_diagnostics;

// Attaches to |context|, which must die before |diagnostics| does.
void tool_diagnostics_attach(tool_diagnostics *diagnostics, MlirContext context, pa_arena *arena,
                             const tool_chunk *chunk, bool verify);
// Reports what was expected and has not come; frees the expectations. True if everything matched.
bool tool_diagnostics_finish(tool_diagnostics *diagnostics);

// Prints one error as diagnostics are printed: place, text, source line with a caret. |place->file| may be NULL.
void tool_print_error(pa_arena *arena, const pa_location *place, const char *text);

//===-- Registration (upstream.c) -----------------------------------------------------------------===//

// A context with pyarray's dialects and the upstream ones, single-threaded.
MlirContext tool_context(bool allow_unregistered);
// All passes and named pipelines of pyarray, and upstream's passes on those dialects.
void tool_register_passes(void);

#endif // PYARRAY_TOOLS_TOOL_H
