// Reading what Python has short forms for: comprehensions and displays with '*' become statements that leave the value
// in a hidden variable.
//
//   [f(x) for x in a if x]      PA_STEPS $0:   $0 = []
//                                              for x' in a:            x' is a variable of the comprehension alone
//                                                if x': $0.append(f(x'))
//   {k(x): v(x) for x in a}     the same with {} and $0.__setitem__(k(x'), v(x')); a set with add
//   [x, *a]                     PA_STEPS $0:   $0 = [x]; $0.extend(a)
//   {k: v, **d}                 PA_STEPS $0:   $0 = {k: v}; $0.update(d)
//   (x, *t, y)                  (x,) + t + (y,)
#include <Python.h>

#include <string.h>

#include "reader.h"

//===-- Trees -------------------------------------------------------------------------------------===//

pa_expression *pa_name_expression(pa_reader *reader, pa_name *name, pa_place place) {
  pa_expression *x = pa_new_expression(reader, PA_NAME, place, 0);
  return x->name = name, x;
}

// object.method(arguments...)
static pa_expression *method_call(pa_reader *reader, pa_name *object, const char *method,
                                  pa_expression *const *arguments, int count) {
  pa_expression *callee = pa_new_expression(reader, PA_ATTRIBUTE, arguments[0]->place, 1);
  callee->text = method;
  callee->operands[0] = pa_name_expression(reader, object, arguments[0]->place);
  pa_expression *call = pa_new_expression(reader, PA_CALL, arguments[0]->place, 1 + count);
  call->operands[0] = callee;
  for (int i = 0; i < count; ++i) call->binds |= (call->operands[1 + i] = arguments[i])->binds;
  return call;
}

pa_statement *pa_new_statement(pa_reader *reader, pa_statement_kind kind, pa_place place) {
  pa_statement *s = PA_NEW(reader->importer->arena, pa_statement);
  *s = (pa_statement){.kind = kind, .place = place, .completions = PA_CAN(FALL)};
  return s;
}

pa_statement *pa_evaluation(pa_reader *reader, pa_expression *value) {
  pa_statement *s = pa_new_statement(reader, PA_EVALUATE, value->place);
  return s->value = value, s;
}

pa_statement *pa_assignment(pa_reader *reader, pa_name *name, pa_expression *value) {
  pa_statement *s = pa_new_statement(reader, PA_ASSIGN, value->place);
  s->targets = PA_NEW(reader->importer->arena, pa_expression *);
  s->targets[0] = pa_name_expression(reader, name, value->place);
  s->count = 1;
  s->value = value;
  return s;
}

static pa_block block_of(pa_reader *reader, pa_statement *const *statements, int count) {
  pa_block block = {.statements = PA_NEW_ARRAY(reader->importer->arena, pa_statement *, count),
                    .count = count,
                    .completions = PA_CAN(FALL)};
  if (count) memcpy(block.statements, statements, sizeof *statements * (size_t)count);
  return block;
}

pa_statement *pa_loop_over(pa_reader *reader, pa_expression *target, pa_expression *iterable, pa_statement *body,
                           pa_place place) {
  pa_statement *loop = pa_new_statement(reader, PA_FOR, place);
  loop->value = iterable;
  loop->targets = PA_NEW(reader->importer->arena, pa_expression *);
  loop->targets[0] = target;
  loop->count = 1;
  loop->body = block_of(reader, &body, 1);
  loop->orelse = block_of(reader, NULL, 0);
  return pa_set_loop_completions(loop), loop;
}

pa_expression *pa_steps(pa_reader *reader, pa_place place, pa_name *result, pa_statement *const *statements,
                        int count) {
  pa_expression *x = pa_new_expression(reader, PA_STEPS, place, 0);
  x->steps.block = PA_NEW(reader->importer->arena, pa_block);
  *x->steps.block = block_of(reader, statements, count);
  x->steps.result = result;
  x->binds = true;
  return x;
}

//===-- Comprehensions ----------------------------------------------------------------------------===//

pa_status pa_open_clause(pa_reader *reader, PyObject *node, pa_clause *out) {
  PyObject *is_async = pa_field_of(reader, node, PA_FIELD_is_async),
           *target = pa_field_of(reader, node, PA_FIELD_target);
  if (!is_async || !target) return pa_python_failure();
  if (PyObject_IsTrue(is_async)) return pa_refuse(reader, target, "an asynchronous comprehension", "use a plain 'for'");
  PA_TRY(pa_read_place(reader, target, &out->place));
  out->node = node;
  reader->binds_in_scope = reader->scope != NULL;
  pa_status status = pa_read_target(reader, target, &out->target);
  reader->binds_in_scope = false;
  return status;
}

pa_status pa_read_iterable(pa_reader *reader, PyObject *generator, pa_expression **out_iterable) {
  PyObject *node = pa_field_of(reader, generator, PA_FIELD_iter);
  return node ? pa_read_expression(reader, node, out_iterable) : pa_python_failure();
}

// The statement that fills the result: clauses from number |index| on.
pa_status pa_read_clauses(pa_reader *reader, pa_clause *clauses, int index, int count,
                          pa_statement *(*finish)(pa_reader *, void *), pa_status (*read_element)(pa_reader *, void *),
                          void *data, pa_statement **out_statement) {
  if (index == count) {
    PA_TRY(read_element(reader, data));
    return *out_statement = finish(reader, data), PA_OK;
  }
  pa_clause *c = &clauses[index];
  if (index) PA_TRY(pa_read_iterable(reader, c->node, &c->iterable));
  PyObject *tests = pa_field_of(reader, c->node, PA_FIELD_ifs);
  Py_ssize_t test_count = tests ? PyList_Size(tests) : -1;
  if (test_count < 0) return pa_python_failure();
  pa_expression **conditions = PA_NEW_ARRAY(reader->importer->arena, pa_expression *, test_count);
  for (Py_ssize_t i = 0; i < test_count; ++i)
    PA_TRY(pa_read_expression(reader, PyList_GetItem(tests, i), &conditions[i]));
  pa_statement *inner;
  PA_TRY(pa_read_clauses(reader, clauses, index + 1, count, finish, read_element, data, &inner));
  for (Py_ssize_t i = test_count; i-- > 0;) {
    pa_statement *test = pa_new_statement(reader, PA_IF, conditions[i]->place);
    test->value = conditions[i];
    test->filters = true;
    test->body = block_of(reader, &inner, 1);
    test->orelse = block_of(reader, NULL, 0);
    inner = test;
  }
  return *out_statement = pa_loop_over(reader, c->target, c->iterable, inner, c->place), PA_OK;
}

// What a comprehension makes, and how an element is put in.
typedef struct filling {
  pa_class class;
  pa_expression_kind display;
  const char *method;
  int count;
  pa_field fields[2];
} filling;

static const filling fillings[] = {
    {PA_CLASS_ListComp, PA_LIST, "append", 1, {PA_FIELD_elt}},
    {PA_CLASS_SetComp, PA_SET_DISPLAY, "add", 1, {PA_FIELD_elt}},
    {PA_CLASS_DictComp, PA_DICT_DISPLAY, "__setitem__", 2, {PA_FIELD_key, PA_FIELD_value}},
};

typedef struct filler {
  const filling *with;
  PyObject *node;
  pa_name *result;
  pa_expression *elements[2];
} filler;

static pa_status read_element(pa_reader *reader, void *data) {
  filler *f = data;
  for (int i = 0; i < f->with->count; ++i) {
    PyObject *element = pa_field_of(reader, f->node, f->with->fields[i]);
    if (!element) return pa_python_failure();
    PA_TRY(pa_read_expression(reader, element, &f->elements[i]));
  }
  return PA_OK;
}

static pa_statement *put_element(pa_reader *reader, void *data) {
  filler *f = data;
  return pa_evaluation(reader, method_call(reader, f->result, f->with->method, f->elements, f->with->count));
}

static pa_status read_filled(pa_reader *reader, PyObject *node, const filling *with, pa_clause *clauses, int count,
                             pa_place place, pa_expression **out_expression) {
  filler f = {.with = with, .node = node};
  pa_statement *statements[2];
  PA_TRY(pa_declare_hidden(reader, node, NULL, &f.result));
  statements[0] = pa_assignment(reader, f.result, pa_new_expression(reader, with->display, place, 0));
  PA_TRY(pa_read_clauses(reader, clauses, 0, count, put_element, read_element, &f, &statements[1]));
  return *out_expression = pa_steps(reader, place, f.result, statements, 2), PA_OK;
}

// The first iterable is evaluated outside; all targets are variables of the comprehension from the start.
pa_status pa_read_comprehension(pa_reader *reader, PyObject *node, pa_class class, pa_place place,
                                pa_expression **out_expression) {
  PyObject *generators = pa_field_of(reader, node, PA_FIELD_generators);
  int count = generators ? (int)PyList_Size(generators) : -1;
  if (count < 0) return pa_python_failure();
  const filling *with = fillings;
  for (size_t i = 0; i < sizeof fillings / sizeof *fillings; ++i)
    if (fillings[i].class == class) with = &fillings[i];
  pa_clause *clauses = PA_NEW_ARRAY(reader->importer->arena, pa_clause, count);
  PA_TRY(pa_read_iterable(reader, PyList_GetItem(generators, 0), &clauses[0].iterable));
  pa_name_scope scope = {.outer = reader->scope};
  reader->scope = &scope;
  pa_status status = PA_OK;
  for (int i = 0; i < count && !status; ++i)
    status = pa_open_clause(reader, PyList_GetItem(generators, i), &clauses[i]);
  if (!status) status = read_filled(reader, node, with, clauses, count, place, out_expression);
  if (!status) (*out_expression)->steps.targets = scope.names, (*out_expression)->steps.target_count = scope.count;
  reader->scope = scope.outer;
  return status;
}

//===-- Displays with '*' -------------------------------------------------------------------------===//

// The elements [first, last) as a display.
static pa_expression *run_of(pa_reader *reader, const pa_expression *display, int first, int last) {
  pa_expression *run = pa_new_expression(reader, display->kind, display->place, last - first);
  for (int i = first; i < last; ++i) run->binds |= (run->operands[i - first] = display->operands[i])->binds;
  return run;
}

static int end_of_run(const pa_expression *display, int first) {
  while (first < display->count && display->operands[first]->kind != PA_STARRED) ++first;
  return first;
}

static pa_expression *concatenate(pa_reader *reader, pa_expression *left, pa_expression *right) {
  pa_expression *sum = pa_new_expression(reader, PA_BINARY, left->place, 2);
  sum->operation = PYARRAY_BINARY_ADD;
  sum->operands[0] = left;
  sum->operands[1] = right;
  sum->binds = left->binds || right->binds;
  return sum;
}

// The operand of a '*' as a tuple: type inference says what has none.
static pa_expression *tuple_of(pa_reader *reader, const pa_expression *starred) {
  pa_expression *tuple = pa_new_expression(reader, PA_INTERNAL, starred->place, 1);
  tuple->text = "builtins.tuple";
  tuple->operands[0] = starred->operands[0];
  tuple->binds = starred->operands[0]->binds;
  return tuple;
}

static pa_expression *spread_tuple(pa_reader *reader, const pa_expression *display) {
  int end = end_of_run(display, 0);
  pa_expression *sum = run_of(reader, display, 0, end);
  while (end < display->count) {
    sum = concatenate(reader, sum, tuple_of(reader, display->operands[end]));
    int first = end + 1;
    end = end_of_run(display, first);
    if (end > first) sum = concatenate(reader, sum, run_of(reader, display, first, end));
  }
  return sum;
}

// Of a list or set.
static pa_status spread_items(pa_reader *reader, PyObject *node, const pa_expression *display,
                              pa_expression **out_expression) {
  pa_name *result;
  bool list = display->kind == PA_LIST;
  PA_TRY(pa_declare_hidden(reader, node, NULL, &result));
  pa_statement **statements = PA_NEW_ARRAY(reader->importer->arena, pa_statement *, display->count + 1);
  int end = end_of_run(display, 0), count = 0;
  statements[count++] = pa_assignment(reader, result, run_of(reader, display, 0, end));
  for (int i = end; i < display->count; ++i) {
    bool starred = display->operands[i]->kind == PA_STARRED;
    pa_expression *item = starred ? display->operands[i]->operands[0] : display->operands[i];
    const char *method = starred ? list ? "extend" : "update" : list ? "append" : "add";
    statements[count++] = pa_evaluation(reader, method_call(reader, result, method, &item, 1));
  }
  return *out_expression = pa_steps(reader, display->place, result, statements, count), PA_OK;
}

// Keys of ** are None.
pa_status pa_read_dict(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PyObject *keys = pa_field_of(reader, node, PA_FIELD_keys), *values = pa_field_of(reader, node, PA_FIELD_values);
  int count = keys && values ? (int)PyList_Size(keys) : -1, first = 0, made = 0;
  if (count < 0) return pa_python_failure();
  pa_expression **items = PA_NEW_ARRAY(reader->importer->arena, pa_expression *, 2 * count + 1);
  while (first < count && !Py_IsNone(PyList_GetItem(keys, first))) ++first;
  for (int i = 0; i < count; ++i) {
    if (!Py_IsNone(PyList_GetItem(keys, i))) PA_TRY(pa_read_expression(reader, PyList_GetItem(keys, i), &items[2 * i]));
    PA_TRY(pa_read_expression(reader, PyList_GetItem(values, i), &items[2 * i + 1]));
  }
  pa_expression *display = *out_expression = pa_new_expression(reader, PA_DICT_DISPLAY, place, 2 * first);
  for (int i = 0; i < 2 * first; ++i) display->binds |= (display->operands[i] = items[i])->binds;
  if (first == count) return PA_OK;
  pa_name *result;
  PA_TRY(pa_declare_hidden(reader, node, NULL, &result));
  pa_statement **statements = PA_NEW_ARRAY(reader->importer->arena, pa_statement *, count - first + 1);
  statements[made++] = pa_assignment(reader, result, display);
  for (int i = first; i < count; ++i) {
    bool all = Py_IsNone(PyList_GetItem(keys, i));
    statements[made++] = pa_evaluation(
        reader, method_call(reader, result, all ? "update" : "__setitem__", &items[2 * i + all], 2 - all));
  }
  return *out_expression = pa_steps(reader, place, result, statements, made), PA_OK;
}

pa_status pa_spread_display(pa_reader *reader, PyObject *node, pa_expression *display, pa_expression **out_expression) {
  if (display->kind != PA_TUPLE) return spread_items(reader, node, display, out_expression);
  return *out_expression = spread_tuple(reader, display), PA_OK;
}
