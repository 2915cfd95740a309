// A compiler for tests of the dispatcher alone: the machine code of a function comes from C in its docstring.
//
//   def add(x, y):
//       """
//       dd>d: DR(0) = D(0) + D(1);
//       site: ValueError | ('negative',) | 2
//       """
//
// Each line with a type is the body of pyarray_entry for it: D(i) and Q(i) are argument slots as double and int64,
// DR(i) and QR(i) result slots. A site is what RAISE(number) refers to; its line counts from the function's first.
// Selected by PYARRAY_CORE_LIBRARY.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pyarray-c/Core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char prelude[] =
    "#include <stdint.h>\n#include <math.h>\n"
    "void pyarray_rt_raise(int32_t); void pyarray_rt_raise_values(int32_t, int64_t, int64_t, int64_t);\n"
    "void pyarray_rt_propagate(int32_t); int64_t pyarray_rt_allocate(int64_t); void pyarray_rt_release(int64_t);\n"
    "#define D(i) (((double *)a)[i])\n#define Q(i) (((int64_t *)a)[i])\n"
    "#define DR(i) (((double *)r)[i])\n#define QR(i) (((int64_t *)r)[i])\n"
    "#define RAISE(s) do { pyarray_rt_raise(s); return 1; } while (0)\n"
    "int32_t pyarray_entry(const void *a, void *r) {\n";

static void fail(pyarray_compile_result *result, pyarray_outcome outcome, const char *message, PyCodeObject *code) {
  result->outcome = outcome;
  result->message = strdup(message);
  if (code) {
    result->file = strdup(PyUnicode_AsUTF8(code->co_filename));
    result->line = code->co_firstlineno;
    result->column = 1;
  }
}

// A copy of the first line of |text| that starts with |prefix| (after spaces), without the prefix; NULL if none does.
// |*text| moves behind it.
static char *take_line(const char **text, const char *prefix) {
  for (const char *line = *text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    const char *start = line + strspn(line, " \t");
    if (strncmp(start, prefix, strlen(prefix)) != 0) continue;
    *text = start + strcspn(start, "\n");
    start += strlen(prefix);
    return strndup(start, strcspn(start, "\n"));
  }
  return NULL;
}

static char *read_whole(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *out_size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*out_size + 1);
  if (fread(bytes, 1, *out_size, file) != *out_size) *out_size = 0;
  fclose(file);
  return bytes;
}

static char *build_object(const char *body, size_t *out_size) {
  char source[] = "/tmp/fake_core_XXXXXX.c", object[sizeof source + 2], command[256];
  int descriptor = mkstemps(source, 2);
  if (descriptor < 0) return NULL;
  FILE *file = fdopen(descriptor, "w");
  fprintf(file, "%s%s\nreturn 0;\n}\n", prelude, body);
  fclose(file);
  snprintf(object, sizeof object, "%s.o", source);
  snprintf(command, sizeof command,
           "cc -O1 -fPIC -fno-stack-protector -fno-strict-aliasing -fno-asynchronous-unwind-tables -c %s -o %s", source,
           object);
  char *bytes = system(command) == 0 ? read_whole(object, out_size) : NULL;
  unlink(source);
  unlink(object);
  return bytes;
}

static char *trim(char *text) {
  text += strspn(text, " ");
  for (size_t length = strlen(text); length && text[length - 1] == ' ';) text[--length] = '\0';
  return text;
}

static void put_sites(pyarray_compile_result *result, const char *text, PyCodeObject *code) {
  char *line;
  FILE *stream = open_memstream(&result->sites, &result->sites_size);
  while ((line = take_line(&text, "site:"))) {
    char *rest = line;
    char *exception = trim(strsep(&rest, "|")), *arguments = trim(strsep(&rest, "|"));
    // The third field, types of values, is empty: all are int64.
    fprintf(stream, "%s%c%s%c%c%s%c%d%c%s%c", exception, 0, arguments, 0, 0, PyUnicode_AsUTF8(code->co_filename), 0,
            code->co_firstlineno + atoi(rest), 0, PyUnicode_AsUTF8(code->co_name), 0);
    free(line);
  }
  fclose(stream);
}

static void compile_text(const char *text, const pyarray_compile_request *request, PyCodeObject *code,
                         pyarray_compile_result *result) {
  const char *at = text;
  char *line = take_line(&at, request->type_code);
  if (!line || !strchr(line, ':')) {
    free(line);
    fail(result, PYARRAY_TYPING, "fake: no code for these types\nhint: write some", code);
    return;
  }
  char *body = strchr(line, ':');
  // With a declared result, all of the type was matched.
  const char *result_type = strchr(request->type_code, '>')[1] ? "" : line;
  *body++ = '\0';
  if (asprintf(&result->type_code, "%s%s", request->type_code, trim((char *)result_type)) < 0) abort();
  result->object = build_object(body, &result->object_size);
  if (result->object)
    put_sites(result, text, code);
  else
    fail(result, PYARRAY_INTERNAL, "fake: cc failed", code);
  free(line);
}

static void fake_compile(const pyarray_compile_request *request, pyarray_compile_result *out_result) {
  *out_result = (pyarray_compile_result){0};
  PyObject *doc = PyObject_GetAttrString(request->function, "__doc__");
  PyCodeObject *code = (PyCodeObject *)PyFunction_GetCode(request->function);
  if (doc && PyUnicode_Check(doc))
    compile_text(PyUnicode_AsUTF8(doc), request, code, out_result);
  else
    fail(out_result, PYARRAY_UNSUPPORTED, "fake: no docstring", code);
  Py_XDECREF(doc);
}

static void fake_inspect(const pyarray_compile_request *request, const char *level,
                         pyarray_compile_result *out_result) {
  *out_result = (pyarray_compile_result){0};
  int size = asprintf(&out_result->object, "%s of %s", level, request->type_code);
  out_result->object_size = (size_t)size;
}

static void free_result(pyarray_compile_result *result) {
  free(result->object);
  free(result->type_code);
  free(result->sites);
  free(result->message);
  free(result->file);
}

static const char *const *builtin_names(void) {
  static const char *const names[] = {"math.sqrt", "numpy.zeros", "builtins.abs", NULL};
  return names;
}

static const char *host_text(void) { return "fake"; }

const pyarray_core_api *pyarray_core(void) {
  static const pyarray_core_api api = {PYARRAY_CORE_VERSION, fake_compile, fake_inspect, free_result,
                                       builtin_names,        host_text,    host_text};
  return &api;
}
