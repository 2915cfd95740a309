// A bounded record of what was compiled in this process and is in no file: by exec(), eval() and compile().
// Python tells its audit hooks of each text and syntax tree before it compiles it, and keeps none itself.
#include <sys/stat.h>

#include "ext.h"

enum {
  MOST_BYTES = 8 << 20, // of texts; the oldest go first
  MOST_TEXTS = 1 << 14,
  MOST_TREES = 256,
  MOST_STATEMENTS = 16 // at the top of a tree: larger ones are those of files that a test runner or a notebook rewrote
};

static PyObject *texts; // {(file name, bytes): None}, the oldest first
static PyObject *trees; // {tree: None}; the event does not have their file names
static Py_ssize_t text_bytes;
static PyInterpreterState *owner;

static Py_ssize_t bytes_of(PyObject *key) { return PyBytes_GET_SIZE(PyTuple_GET_ITEM(key, 1)); }

// Files are read again when they are needed; names without an end are what ast.parse() and this package parse under.
static bool is_no_file(PyObject *file) {
  Py_ssize_t length;
  const char *name = PyUnicode_Check(file) ? PyUnicode_AsUTF8AndSize(file, &length) : NULL;
  if (!name || !length) return false;
  if (*name == '<') return strcmp(name, "<unknown>") != 0 && strcmp(name, "<pyarray>") != 0;
  struct stat facts;
  return stat(name, &facts) < 0;
}

static bool is_small(PyObject *tree) {
  PyObject *body = PyObject_GetAttrString(tree, "body");
  bool small = body && (!PyList_Check(body) || PyList_GET_SIZE(body) <= MOST_STATEMENTS);
  Py_XDECREF(body);
  return small;
}

// Makes |key| the last one; 1: it is new.
static int put_last(PyObject *record, PyObject *key) {
  int known = PyDict_Contains(record, key);
  if (known < 0 || (known && PyDict_DelItem(record, key) < 0)) return -1;
  return PyDict_SetItem(record, key, Py_None) < 0 ? -1 : !known;
}

// Takes out the oldest one: a new reference, or NULL.
static PyObject *take_oldest(PyObject *record) {
  Py_ssize_t position = 0;
  PyObject *key;
  if (!PyDict_Next(record, &position, &key, NULL)) return NULL;
  Py_INCREF(key);
  if (PyDict_DelItem(record, key) < 0) Py_CLEAR(key);
  return key;
}

static void keep_text(PyObject *file, PyObject *text) {
  if (PyBytes_GET_SIZE(text) > MOST_BYTES || !is_no_file(file)) return;
  PyObject *key = PyTuple_Pack(2, file, text);
  if (key && put_last(texts, key) == 1) text_bytes += bytes_of(key);
  Py_XDECREF(key);
  while (text_bytes > MOST_BYTES || PyDict_GET_SIZE(texts) > MOST_TEXTS) {
    PyObject *oldest = take_oldest(texts);
    if (!oldest) break;
    text_bytes -= bytes_of(oldest);
    Py_DECREF(oldest);
  }
}

static void keep_tree(PyObject *tree) {
  if (!is_small(tree) || put_last(trees, tree) != 1 || PyDict_GET_SIZE(trees) <= MOST_TREES) return;
  Py_XDECREF(take_oldest(trees));
}

static int listen(const char *event, PyObject *arguments, void *unused) {
  (void)unused;
  if (strcmp(event, "compile") != 0) return 0;
  if (!texts || PyInterpreterState_Get() != owner || PyTuple_GET_SIZE(arguments) < 2) return 0;
  PyObject *source = PyTuple_GET_ITEM(arguments, 0), *file = PyTuple_GET_ITEM(arguments, 1);
  if (PyBytes_Check(source))
    keep_text(file, source);
  else if (file == Py_None && source != Py_None)
    keep_tree(source);
  PyErr_Clear(); // what cannot be kept is compiled all the same
  return 0;
}

bool pa_hold_source(PyObject *function) {
  PyObject *code = PyFunction_GET_CODE(function);
  if (!trees || !PyDict_GET_SIZE(trees)) return true;
  if (PyUnicode_READ_CHAR(((PyCodeObject *)code)->co_filename, 0) != '<') return true;
  PyObject *done = pa_call_helper("_origins", "hold", "(O)", code);
  Py_XDECREF(done);
  return done;
}

PyObject *pa_sources_seen(PyObject *module, PyObject *file) {
  (void)module;
  PyObject *keys = PyDict_Keys(texts), *found = PyDict_Keys(trees);
  for (Py_ssize_t i = 0; keys && found && i < PyList_GET_SIZE(keys); ++i) {
    PyObject *key = PyList_GET_ITEM(keys, i);
    int same = PyObject_RichCompareBool(PyTuple_GET_ITEM(key, 0), file, Py_EQ);
    if (same < 0 || (same && PyList_Append(found, PyTuple_GET_ITEM(key, 1)) < 0)) Py_CLEAR(found);
  }
  if (!keys || (found && PyList_Reverse(found) < 0)) Py_CLEAR(found);
  Py_XDECREF(keys);
  return found;
}

// What the C library read last of standard input, which stays in its buffer: a short script that came through a pipe,
// and what lies behind it. Nothing else has such a text once Python has compiled it.
PyObject *pa_standard_input(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
#ifdef __GLIBC__
  if (stdin->_IO_buf_base && stdin->_IO_buf_end > stdin->_IO_buf_base)
    return PyBytes_FromStringAndSize(stdin->_IO_buf_base, stdin->_IO_buf_end - stdin->_IO_buf_base);
#endif
  return PyBytes_FromStringAndSize("", 0);
}

int pa_sources_initialize(void) {
  if (texts) return 0; // a hook cannot be taken away
  owner = PyInterpreterState_Get();
  texts = PyDict_New();
  trees = PyDict_New();
  return texts && trees ? PySys_AddAuditHook(listen, NULL) : -1;
}
