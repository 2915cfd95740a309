#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

void tool_append(MlirStringRef part, void *string) { pa_string_append(string, part.data, part.length); }

int tool_fail(const char *tool, pa_status failure) {
  fprintf(stderr, "%s: %s\n", tool, pa_status_message(failure));
  pa_status_free(failure);
  return 1;
}

//===-- Reading -----------------------------------------------------------------------------------===//

static pa_status read_stream(FILE *stream, const char *name, pa_string *out_text) {
  char buffer[1 << 16];
  size_t count;
  while ((count = fread(buffer, 1, sizeof buffer, stream)) > 0) pa_string_append(out_text, buffer, count);
  if (ferror(stream)) return pa_fail(PA_CODE_IO, NULL, "cannot read '%s': %s", name, strerror(errno));
  return PA_OK;
}

// Bytecode wants its sections aligned in memory.
static char *copy_aligned(pa_arena *arena, const pa_string *text) {
  enum { alignment = 64 };
  char *memory = pa_arena_alloc(arena, text->length + 1 + alignment);
  memory += alignment - (uintptr_t)memory % alignment;
  memcpy(memory, pa_string_text(text), text->length + 1);
  return memory;
}

pa_status tool_read(pa_arena *arena, const char *path, tool_chunk *out_chunk) {
  bool standard = strcmp(path, "-") == 0;
  FILE *stream = standard ? stdin : fopen(path, "rb");
  if (!stream) return pa_fail(PA_CODE_IO, NULL, "cannot open '%s': %s", path, strerror(errno));
  pa_string text = {0};
  pa_status failure = read_stream(stream, path, &text);
  if (!standard) fclose(stream);
  if (!failure) *out_chunk = (tool_chunk){standard ? "<stdin>" : path, copy_aligned(arena, &text), text.length};
  pa_string_free(&text);
  return failure;
}

//===-- Writing -----------------------------------------------------------------------------------===//

pa_status tool_write(const char *path, const char *data, size_t length) {
  bool standard = !path || strcmp(path, "-") == 0;
  FILE *stream = standard ? stdout : fopen(path, "wb");
  if (!stream) return pa_fail(PA_CODE_IO, NULL, "cannot open '%s': %s", path, strerror(errno));
  bool written = fwrite(data, 1, length, stream) == length;
  written = (standard ? fflush(stream) : fclose(stream)) == 0 && written;
  return written ? PA_OK
                 : pa_fail(PA_CODE_IO, NULL, "cannot write '%s': %s", standard ? "<stdout>" : path, strerror(errno));
}
