// What tools share: input, diagnostics, registration. pyarray-opt, which is mlir-opt, needs little of it.
#ifndef PYARRAY_TOOLS_TOOL_H
#define PYARRAY_TOOLS_TOOL_H

#include <stdio.h>

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "support/support.h"

//===-- Input and output (files.c) ----------------------------------------------------------------===//

// An input file, in one piece of memory followed by a NUL.
typedef struct tool_chunk {
  const char *file; // name in locations; "<stdin>" for standard input
  const char *text;
  size_t length;
} tool_chunk;

// Reads |path|, or standard input for "-". The text lives in |arena|.
pa_status tool_read(pa_arena *arena, const char *path, tool_chunk *out_chunk);

// Writes to |path|, or standard output for NULL and "-".
pa_status tool_write(const char *path, const char *data, size_t length);

// An MlirStringCallback that appends to a pa_string.
void tool_append(MlirStringRef part, void *string);

// Prints "<tool>: <message>" to standard error and frees the status. Returns 1, the exit code.
int tool_fail(const char *tool, pa_status failure);

//===-- Diagnostics (diagnostics.c) ---------------------------------------------------------------===//

// Prints diagnostics with their source line.
typedef struct tool_diagnostics {
  pa_arena *arena;
  const tool_chunk *chunk;
} tool_diagnostics;

// Attaches to |context|, which must die before |diagnostics| does.
void tool_diagnostics_attach(tool_diagnostics *diagnostics, MlirContext context, pa_arena *arena,
                             const tool_chunk *chunk);

// Prints one error as diagnostics are printed: place, text, source line with a caret. |place->file| may be NULL.
void tool_print_error(pa_arena *arena, const pa_location *place, const char *text);

//===-- Registration (upstream.c) -----------------------------------------------------------------===//

// A context with pyarray's dialects and the upstream ones, single-threaded.
MlirContext tool_context(void);
// All passes and named pipelines of pyarray, and upstream's passes on those dialects.
void tool_register_passes(void);

#endif // PYARRAY_TOOLS_TOOL_H
