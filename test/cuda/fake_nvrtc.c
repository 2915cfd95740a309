// Stands in for NVRTC (fake_library.h). A cubin is "cubin of " and the source, PTX "// PTX of " and its name. A line
// "#error text" of the source is what a log says, and the compilation fails. With the option -dlto there is "ltoir of
// " and the source in their place.
//
//   PYARRAY_FAKE_NVRTC_LOG    a file that gets a line for each program: its name, and the options
#include "fake_library.h"

#include <stdbool.h>
#include <stdio.h>

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result symbol parameters;
#include "../../lib/runtime/cuda/nvrtc.def"
#undef PA_LIBRARY_CALL

enum { FAILED = 6 };

typedef struct program {
  char *cubin, *ptx, log[512];
  bool lto;
} program;

EXPORT int nvrtcVersion(int *major, int *minor) { return *major = 13, *minor = 0, 0; }

EXPORT int nvrtcCreateProgram(void **out, const char *source, const char *name, int header_count,
                              const char *const *headers, const char *const *header_names) {
  (void)header_count, (void)headers, (void)header_names;
  FAIL("nvrtcCreateProgram");
  program *made = calloc(1, sizeof *made);
  const char *error = strstr(source, "#error ");
  if (error)
    snprintf(made->log, sizeof made->log, "%s(1): error: %.*s\n\n", name, (int)strcspn(error + 7, "\n"), error + 7);
  made->cubin = malloc(strlen(source) + 16);
  made->ptx = malloc(strlen(name) + 16);
  sprintf(made->cubin, "cubin of %s", source);
  sprintf(made->ptx, "// PTX of %s", name);
  *out = made;
  return 0;
}

EXPORT int nvrtcCompileProgram(void *handle, int count, const char *const *options) {
  program *p = handle;
  const char *path = getenv("PYARRAY_FAKE_NVRTC_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file) fprintf(file, "%s", p->ptx + strlen("// PTX of "));
  for (int i = 0; file && i < count; ++i) fprintf(file, " %s", options[i]);
  for (int i = 0; i < count; ++i) p->lto |= strcmp(options[i], "-dlto") == 0;
  if (file) fprintf(file, "\n"), fclose(file);
  FAIL("nvrtcCompileProgram");
  return *p->log ? FAILED : 0;
}

EXPORT int nvrtcGetProgramLogSize(void *p, size_t *size) { return *size = strlen(((program *)p)->log) + 1, 0; }
EXPORT int nvrtcGetProgramLog(void *p, char *log) { return strcpy(log, ((program *)p)->log), 0; }
EXPORT int nvrtcGetPTXSize(void *p, size_t *size) {
  return *size = ((program *)p)->lto ? 0 : strlen(((program *)p)->ptx) + 1, 0;
}
EXPORT int nvrtcGetPTX(void *p, char *text) { return strcpy(text, ((program *)p)->ptx), 0; }
EXPORT int nvrtcGetCUBINSize(void *p, size_t *size) {
  return *size = ((program *)p)->lto ? 0 : strlen(((program *)p)->cubin), 0;
}

// Optional: not in nvrtc.def.
EXPORT int nvrtcGetLTOIRSize(void *p, size_t *size);
EXPORT int nvrtcGetLTOIR(void *p, char *bytes);
EXPORT int nvrtcGetLTOIRSize(void *p, size_t *size) { return *size = strlen(((program *)p)->cubin), 0; }
EXPORT int nvrtcGetLTOIR(void *p, char *bytes) {
  const program *made = p;
  size_t size = strlen(made->cubin);
  return memcpy(bytes, made->cubin, size), memcpy(bytes, "ltoir", 5), 0;
}
EXPORT int nvrtcGetCUBIN(void *p, char *bytes) {
  return memcpy(bytes, ((program *)p)->cubin, strlen(((program *)p)->cubin)), 0;
}

EXPORT int nvrtcDestroyProgram(void **out) {
  program *p = *out;
  free(p->cubin);
  free(p->ptx);
  free(p);
  return 0;
}
