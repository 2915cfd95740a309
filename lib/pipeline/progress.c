#include <Python.h>

#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double QUIET = 1, STEP = 0.2; // seconds

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_wanted(void) {
  const char *progress = getenv("PYARRAY_PROGRESS"), *terminal = getenv("TERM");
  return (!progress || strcmp(progress, "0") != 0) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

static bool is_terminal(PyObject *file) {
  PyObject *answer = file && file != Py_None ? PyObject_CallMethod(file, "isatty", NULL) : NULL;
  bool is = answer && PyObject_IsTrue(answer) == 1;
  Py_XDECREF(answer);
  return is;
}

// What stands there may be long; a line that is wrapped could not be taken away.
static PyObject *line_of(const pa_progress *progress) {
  enum { LONGEST = 40 };
  const char *towards = atomic_load(&progress->towards);
  PyObject *name = PyObject_GetAttrString(progress->function, "__qualname__");
  PyObject *begin = name ? PyUnicode_Substring(name, 0, LONGEST) : NULL;
  PyObject *line = begin ? PyUnicode_FromFormat("\r\033[Kcompiling %U, %d s: %s", begin, (int)(now() - progress->start),
                                                towards ? towards : "")
                         : NULL;
  Py_XDECREF(name);
  Py_XDECREF(begin);
  return line;
}

// Takes |text|, which may be NULL.
static bool write_text(PyObject *file, PyObject *text) {
  PyObject *written = text ? PyObject_CallMethod(file, "write", "O", text) : NULL;
  PyObject *flushed = written ? PyObject_CallMethod(file, "flush", NULL) : NULL;
  bool done = flushed;
  Py_XDECREF(text);
  Py_XDECREF(written);
  Py_XDECREF(flushed);
  return done;
}

void pa_progress_show(pa_progress *progress) {
  double time = now();
  if (!progress->next) progress->next = progress->start + QUIET;
  if (time < progress->next || PyErr_Occurred()) return;
  progress->next = time + STEP;
  PyObject *file = PySys_GetObject("stderr");
  Py_XINCREF(file);
  if (is_wanted() && is_terminal(file)) progress->shown |= write_text(file, line_of(progress));
  PyErr_Clear();
  Py_XDECREF(file);
}

void pa_progress_end(pa_progress *progress) {
  if (!progress->shown) return;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *file = PySys_GetObject("stderr");
  Py_XINCREF(file);
  if (file && file != Py_None) write_text(file, PyUnicode_FromString("\r\033[K"));
  Py_XDECREF(file);
  PyErr_Restore(type, value, traceback);
  progress->shown = false;
}
