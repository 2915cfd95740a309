// Reading statements, and how lists of them can end.
//
//   if c: return 1        PA_IF, completions {FALL, RETURN}
//   while True: f()       PA_WHILE, completions {}
#include <Python.h>

#include "objects.h"
#include "reader.h"

static pa_status read_field(pa_reader *reader, PyObject *node, pa_field field, pa_expression **out_expression) {
  PyObject *value = pa_field_of(reader, node, field);
  return value ? pa_read_expression(reader, value, out_expression) : pa_python_failure();
}

static pa_expression **one(pa_reader *reader, pa_expression *expression) {
  pa_expression **array = PA_NEW(reader->importer->arena, pa_expression *);
  *array = expression;
  return array;
}

//===-- Assignment --------------------------------------------------------------------------------===//

static pa_status read_targets(pa_reader *reader, PyObject *node, pa_statement *statement) {
  PyObject *list = pa_field_of(reader, node, PA_FIELD_targets);
  if (!list) return pa_python_failure();
  statement->count = (int)PyList_Size(list);
  statement->targets = PA_NEW_ARRAY(reader->importer->arena, pa_expression *, statement->count);
  for (int i = 0; i < statement->count; ++i)
    PA_TRY(pa_read_target(reader, PyList_GetItem(list, i), &statement->targets[i]));
  return PA_OK;
}

static pa_status read_one_target(pa_reader *reader, PyObject *node, pa_statement *statement) {
  PyObject *target = pa_field_of(reader, node, PA_FIELD_target);
  if (!target) return pa_python_failure();
  statement->targets = one(reader, NULL);
  statement->count = 1;
  return pa_read_target(reader, target, &statement->targets[0]);
}

static pa_status read_assign(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_ASSIGN;
  PA_TRY(read_field(reader, node, PA_FIELD_value, &statement->value));
  PA_TRY(read_targets(reader, node, statement));
  return pa_note_definition(statement), PA_OK;
}

// `x: int` alone makes x a local variable and does nothing.
static pa_status read_annotated(pa_reader *reader, PyObject *node, pa_statement *statement, bool *out_nothing) {
  statement->kind = PA_ASSIGN;
  PyObject *value = pa_field_of(reader, node, PA_FIELD_value);
  if (!value) return pa_python_failure();
  *out_nothing = Py_IsNone(value);
  if (!*out_nothing) PA_TRY(pa_read_expression(reader, value, &statement->value));
  return read_one_target(reader, node, statement);
}

// `x %= 2**64` is an assignment of x % 2**64, which is no operator.
static pa_status read_low_bits(pa_reader *reader, PyObject *target, pa_statement *statement) {
  statement->kind = PA_ASSIGN;
  statement->value = pa_new_expression(reader, PA_INTERNAL, statement->place, 1);
  statement->value->text = "whole.low_bits";
  return pa_read_expression(reader, target, &statement->value->operands[0]);
}

static pa_status read_augmented(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_AUGMENT;
  PyObject *op = pa_field_of(reader, node, PA_FIELD_op), *target = pa_field_of(reader, node, PA_FIELD_target);
  if (!op || !target) return pa_python_failure();
  pa_class class;
  PA_TRY(pa_class_of(reader, target, &class));
  PA_TRY(pa_read_operator(reader, op, PA_CLASS_Add, PA_CLASS_MatMult, &statement->operation));
  if (statement->operation == PYARRAY_BINARY_MOD && class == PA_CLASS_Name &&
      pa_is_two_to_64(reader, pa_field_of(reader, node, PA_FIELD_value))) {
    PA_TRY(read_low_bits(reader, target, statement));
    return read_one_target(reader, node, statement);
  }
  PA_TRY(read_field(reader, node, PA_FIELD_value, &statement->value));
  return read_one_target(reader, node, statement);
}

static pa_status read_deleted_list(pa_reader *reader, PyObject *node, pa_field field, pa_statement *statement,
                                   size_t *capacity);

// Appends the variables of one target; those of `del (a, [b, c])` are deleted one by one.
static pa_status read_deleted(pa_reader *reader, PyObject *node, pa_statement *statement, size_t *capacity) {
  pa_class class;
  PA_TRY(pa_class_of(reader, node, &class));
  if (class == PA_CLASS_Tuple || class == PA_CLASS_List)
    return read_deleted_list(reader, node, PA_FIELD_elts, statement, capacity);
  if (class != PA_CLASS_Name && class != PA_CLASS_Subscript)
    return pa_refuse(reader, node, "'del' of this", "delete variables, or items of a list or dict");
  statement->targets = pa_arena_grow(reader->importer->arena, statement->targets, (size_t)statement->count, capacity,
                                     sizeof *statement->targets);
  return pa_read_target(reader, node, &statement->targets[statement->count++]);
}

static pa_status read_deleted_list(pa_reader *reader, PyObject *node, pa_field field, pa_statement *statement,
                                   size_t *capacity) {
  PyObject *list = pa_field_of(reader, node, field);
  if (!list) return pa_python_failure();
  PA_TRY(pa_enter(reader, node));
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i)
    PA_TRY(read_deleted(reader, PyList_GetItem(list, i), statement, capacity));
  reader->depth--;
  return PA_OK;
}

static pa_status read_delete(pa_reader *reader, PyObject *node, pa_statement *statement) {
  size_t capacity = 0;
  statement->kind = PA_DELETE;
  return read_deleted_list(reader, node, PA_FIELD_targets, statement, &capacity);
}

// `global x` without an assignment to x changes nothing.
static pa_status read_elsewhere(pa_reader *reader, PyObject *node, bool nonlocal) {
  PyObject *names = pa_field_of(reader, node, PA_FIELD_names);
  if (!names) return pa_python_failure();
  for (Py_ssize_t i = 0; i < PyList_Size(names); ++i) {
    pa_name *name;
    PA_TRY(pa_read_name(reader, PyList_GetItem(names, i), &name));
    if (nonlocal && reader->function->outer)
      name->nonlocal = true;
    else
      name->elsewhere = true;
  }
  return PA_OK;
}

// What a name or attribute stands for that is no variable, borrowed; NULL where it is none.
static PyObject *static_object(pa_reader *reader, const pa_expression *x) {
  const pa_function *function = reader->function;
  PyObject *object = NULL;
  while (function->outer) function = function->outer;
  if (x->kind == PA_NAME && x->name->variable < 0)
    pa_status_free(pa_find_object(reader->importer, function, x->name->text, &object));
  PyObject *of = x->kind == PA_ATTRIBUTE ? static_object(reader, x->operands[0]) : NULL;
  if (of && PyModule_Check(of)) object = pa_adopt(reader->importer, PyObject_GetAttrString(of, x->text));
  PyErr_Clear();
  return object;
}

// Whether |decorator| is njit or jit, without options: a nested function is compiled in any case.
static pa_status is_jit(pa_reader *reader, PyObject *decorator, bool *out_is) {
  static const char *const names[] = {"njit", "jit"};
  pa_expression *x;
  PA_TRY(pa_read_expression(reader, decorator, &x));
  if (x->kind == PA_CALL && x->count == 1) x = x->operands[0];
  PyObject *object = static_object(reader, x), *module = object ? PyImport_ImportModule("pyarray") : NULL;
  *out_is = false;
  for (int i = 0; module && i < 2 && !*out_is; ++i) {
    PyObject *jit = PyObject_GetAttrString(module, names[i]);
    *out_is = jit == object;
    Py_XDECREF(jit);
  }
  Py_XDECREF(module);
  PyErr_Clear();
  return PA_OK;
}

static pa_status check_decorators(pa_reader *reader, PyObject *node, PyObject *decorators) {
  for (Py_ssize_t i = 0; i < PyList_Size(decorators); ++i) {
    bool jit;
    PA_TRY(is_jit(reader, PyList_GetItem(decorators, i), &jit));
    if (!jit)
      return pa_refuse(reader, node, "a decorated nested function",
                       "define it outside, or leave the decorator out: it is compiled with its function");
  }
  return PA_OK;
}

// def f(): ... is f = a closure.
static pa_status read_definition(pa_reader *reader, PyObject *node, pa_statement *statement) {
  PyObject *decorators = pa_field_of(reader, node, PA_FIELD_decorator_list),
           *text = pa_field_of(reader, node, PA_FIELD_name);
  if (!decorators || !text) return pa_python_failure();
  PA_TRY(check_decorators(reader, node, decorators));
  statement->kind = PA_ASSIGN;
  pa_expression *target = pa_new_expression(reader, PA_NAME, statement->place, 0);
  PA_TRY(pa_read_name(reader, text, &target->name));
  PA_TRY(pa_declare_local(reader, node, target->name));
  statement->targets = one(reader, target);
  statement->count = 1;
  PA_TRY(pa_read_closure(reader, node, target->name->text, target->name, statement->place, &statement->value));
  return pa_note_definition(statement), PA_OK;
}

//===-- Control flow ------------------------------------------------------------------------------===//

static pa_status read_blocks(pa_reader *reader, PyObject *node, pa_statement *statement) {
  PyObject *body = pa_field_of(reader, node, PA_FIELD_body);
  PyObject *orelse = body ? pa_field_of(reader, node, PA_FIELD_orelse) : NULL;
  if (!orelse) return pa_python_failure();
  PA_TRY(pa_read_block(reader, body, &statement->body));
  return pa_read_block(reader, orelse, &statement->orelse);
}

static pa_status read_if(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_IF;
  PA_TRY(read_field(reader, node, PA_FIELD_test, &statement->value));
  PA_TRY(read_blocks(reader, node, statement));
  statement->completions = statement->body.completions | statement->orelse.completions;
  return PA_OK;
}

void pa_set_loop_completions(pa_statement *loop) {
  loop->completions = loop->body.completions & PA_CAN(RETURN);
  if (loop->body.completions & PA_CAN(BREAK)) loop->completions |= PA_CAN(FALL);
  if (!pa_is_endless(loop)) loop->completions |= loop->orelse.completions;
}

static pa_status read_while(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_WHILE;
  PA_TRY(read_field(reader, node, PA_FIELD_test, &statement->value));
  PA_TRY(read_blocks(reader, node, statement));
  pa_set_loop_completions(statement);
  return PA_OK;
}

static pa_status read_for(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_FOR;
  PA_TRY(read_field(reader, node, PA_FIELD_iter, &statement->value));
  PA_TRY(read_one_target(reader, node, statement));
  PA_TRY(read_blocks(reader, node, statement));
  pa_set_loop_completions(statement);
  return PA_OK;
}

static pa_status read_return(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_RETURN_;
  statement->completions = PA_CAN(RETURN);
  PyObject *value = pa_field_of(reader, node, PA_FIELD_value);
  if (!value) return pa_python_failure();
  if (!Py_IsNone(value)) return pa_read_expression(reader, value, &statement->value);
  statement->value = pa_none(reader, statement->place);
  return PA_OK;
}

//===-- Exceptions --------------------------------------------------------------------------------===//

// An exception: a class, or a call of one, |*out_class|, with arguments; or a variable.
static pa_status read_exception(pa_reader *reader, PyObject *node, pa_expression **out_exception) {
  PA_TRY(pa_read_expression(reader, node, out_exception));
  if ((*out_exception)->kind == PA_CALL && (*out_exception)->keywords.count)
    return pa_refuse(reader, node, "an exception with keyword arguments", "give positional arguments");
  return PA_OK;
}

static pa_status read_raise(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_RAISE;
  statement->completions = 0;
  PyObject *exception = pa_field_of(reader, node, PA_FIELD_exc), *cause = pa_field_of(reader, node, PA_FIELD_cause);
  if (!exception || !cause) return pa_python_failure();
  if (Py_IsNone(exception)) return PA_OK;
  PA_TRY(read_exception(reader, exception, &statement->value));
  if (!Py_IsNone(cause)) PA_TRY(read_exception(reader, cause, &statement->cause));
  pa_expression *call = statement->value;
  if (call->kind != PA_CALL) return PA_OK;
  statement->value = call->operands[0];
  statement->targets = call->operands + 1;
  statement->count = call->count - 1;
  return PA_OK;
}

static pa_status read_assert(pa_reader *reader, PyObject *node, pa_statement *statement) {
  statement->kind = PA_ASSERT;
  PA_TRY(read_field(reader, node, PA_FIELD_test, &statement->value));
  PyObject *message = pa_field_of(reader, node, PA_FIELD_msg);
  if (!message) return pa_python_failure();
  if (statement->value->kind == PA_CONSTANT && !statement->value->constant.truth) statement->completions = 0;
  if (Py_IsNone(message)) return PA_OK;
  statement->targets = one(reader, NULL);
  statement->count = 1;
  return pa_read_expression(reader, message, &statement->targets[0]);
}

static pa_status read_handler(pa_reader *reader, PyObject *node, pa_handler *out_handler) {
  PyObject *classes = pa_field_of(reader, node, PA_FIELD_type), *name = pa_field_of(reader, node, PA_FIELD_name);
  PyObject *body = pa_field_of(reader, node, PA_FIELD_body);
  if (!classes || !name || !body) return pa_python_failure();
  PA_TRY(pa_read_place(reader, node, &out_handler->place));
  if (!Py_IsNone(classes)) PA_TRY(pa_read_expression(reader, classes, &out_handler->classes));
  if (!Py_IsNone(name)) {
    PA_TRY(pa_read_name(reader, name, &out_handler->name));
    PA_TRY(pa_declare_local(reader, node, out_handler->name));
  }
  return pa_read_block(reader, body, &out_handler->body);
}

// The else runs after the try where its body fell through: where a handler can fall through as well, a variable says
// which it was.
static pa_status finish_else(pa_reader *reader, PyObject *node, pa_statement *statement) {
  unsigned handled = 0;
  for (int i = 0; i < statement->handler_count; ++i) handled |= statement->handlers[i].body.completions;
  bool goes_on = statement->body.completions & PA_CAN(FALL);
  statement->completions = statement->body.completions | handled;
  if (!goes_on) statement->orelse.count = 0;
  if (!statement->orelse.count) return PA_OK;
  statement->completions = (statement->completions & ~PA_CAN(FALL)) | statement->orelse.completions;
  if (!(handled & PA_CAN(FALL))) return PA_OK;
  statement->completions |= PA_CAN(FALL);
  return pa_declare_hidden(reader, node, NULL, &statement->completed);
}

static pa_status read_handlers(pa_reader *reader, PyObject *node, pa_statement *statement) {
  PyObject *handlers = pa_field_of(reader, node, PA_FIELD_handlers);
  if (!handlers) return pa_python_failure();
  statement->kind = PA_TRY_;
  PA_TRY(read_blocks(reader, node, statement));
  statement->handler_count = (int)PyList_Size(handlers);
  statement->handlers = PA_NEW_ARRAY(reader->importer->arena, pa_handler, statement->handler_count);
  for (int i = 0; i < statement->handler_count; ++i)
    PA_TRY(read_handler(reader, PyList_GetItem(handlers, i), &statement->handlers[i]));
  return finish_else(reader, node, statement);
}

static pa_block block_of(pa_reader *reader, pa_statement *statement) {
  pa_statement **statements = PA_NEW(reader->importer->arena, pa_statement *);
  *statements = statement;
  return (pa_block){.statements = statements, .count = 1, .completions = statement->completions};
}

// `try ... except ... finally` is a finally around a try.
static pa_status read_try(pa_reader *reader, PyObject *node, pa_statement *statement) {
  if (reader->function->options.target)
    return pa_refuse(reader, node, "'try' on a GPU",
                     "test for the error's cause with 'if' first, or catch the exception in the caller");
  PyObject *handlers = pa_field_of(reader, node, PA_FIELD_handlers),
           *last = pa_field_of(reader, node, PA_FIELD_finalbody);
  if (!handlers || !last) return pa_python_failure();
  bool has_handlers = PyList_Size(handlers) > 0;
  if (PyList_Size(last) == 0) return read_handlers(reader, node, statement);
  statement->kind = PA_FINALLY;
  pa_statement *inner = PA_NEW(reader->importer->arena, pa_statement);
  inner->place = statement->place;
  if (has_handlers)
    PA_TRY(read_handlers(reader, node, inner));
  else
    PA_TRY(pa_read_block(reader, pa_field_of(reader, node, PA_FIELD_body), &statement->body));
  if (has_handlers) statement->body = block_of(reader, inner);
  PA_TRY(pa_read_block(reader, last, &statement->orelse));
  unsigned left = statement->orelse.completions;
  statement->completions = left & PA_CAN(FALL) ? statement->body.completions | (left & ~PA_CAN(FALL)) : left;
  return left & ~PA_CAN(FALL) ? pa_declare_hidden(reader, node, NULL, &statement->completed) : PA_OK;
}

//===-- Lists -------------------------------------------------------------------------------------===//

static pa_status read_evaluate(pa_reader *reader, PyObject *node, pa_statement *statement, bool *out_nothing) {
  statement->kind = PA_EVALUATE;
  PyObject *value = pa_field_of(reader, node, PA_FIELD_value);
  if (!value) return pa_python_failure();
  pa_class class;
  PA_TRY(pa_class_of(reader, value, &class));
  *out_nothing = class == PA_CLASS_Constant; // a docstring, or `...`
  return *out_nothing ? PA_OK : pa_read_expression(reader, value, &statement->value);
}

static void read_jump(pa_statement *statement, unsigned completions) {
  statement->kind = PA_JUMP;
  statement->completions = completions;
}

static pa_status read_statement(pa_reader *reader, PyObject *node, pa_statement *statement, bool *out_nothing);

// with objmode(y="float64"): ... is y = block(x), which Python makes of it, as of parallel_chunksize
// (pyarray/_objmode.py).
static pa_status read_with(pa_reader *reader, PyObject *node, pa_statement *statement, bool *out_nothing) {
  const char *hint = reader->function->options.target
                         ? "open and close the resource in the caller"
                         : "open and close the resource in the caller, or in a block of objmode";
  if (reader->function->outer) return pa_refuse(reader, node, "'with' in a nested function", hint);
  pa_place place; // read before an exception is set, which a look-up of an attribute may clear
  PA_TRY(pa_read_place(reader, node, &place));
  PyObject *module = PyImport_ImportModule("pyarray._objmode");
  PyObject *made =
      module ? pa_adopt(reader->importer, PyObject_CallMethod(module, "rewrite", "OO", node, reader->function->object))
             : NULL;
  Py_XDECREF(module);
  if (made && made != Py_None) return read_statement(reader, made, statement, out_nothing);
  if (made) return pa_refuse(reader, node, "'with'", hint);
  if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_SyntaxError) &&
      !PyErr_ExceptionMatches(PyExc_NameError))
    return pa_python_failure();
  pa_location location = pa_locate(reader->function, place);
  return pa_python_refusal(reader->importer, &location);
}

// |*out_nothing|: the statement does nothing when it runs.
static pa_status read_statement(pa_reader *reader, PyObject *node, pa_statement *statement, bool *out_nothing) {
  pa_class class;
  PA_TRY(pa_class_of(reader, node, &class));
  PA_TRY(pa_read_place(reader, node, &statement->place));
  statement->completions = PA_CAN(FALL);
  *out_nothing = false;
  switch (class) {
  case PA_CLASS_AnnAssign: return read_annotated(reader, node, statement, out_nothing);
  case PA_CLASS_Assert:
    *out_nothing = reader->importer->optimize;
    return *out_nothing ? PA_OK : read_assert(reader, node, statement);
  case PA_CLASS_Assign: return read_assign(reader, node, statement);
  case PA_CLASS_AugAssign: return read_augmented(reader, node, statement);
  case PA_CLASS_Break: return read_jump(statement, PA_CAN(BREAK)), PA_OK;
  case PA_CLASS_Continue: return read_jump(statement, PA_CAN(CONTINUE)), PA_OK;
  case PA_CLASS_Delete: return read_delete(reader, node, statement);
  case PA_CLASS_Expr: return read_evaluate(reader, node, statement, out_nothing);
  case PA_CLASS_For: return read_for(reader, node, statement);
  case PA_CLASS_FunctionDef: return read_definition(reader, node, statement);
  case PA_CLASS_Global:
  case PA_CLASS_Nonlocal: *out_nothing = true; return read_elsewhere(reader, node, class == PA_CLASS_Nonlocal);
  case PA_CLASS_If: return read_if(reader, node, statement);
  case PA_CLASS_Import:
  case PA_CLASS_ImportFrom: return pa_read_import(reader, node, class == PA_CLASS_ImportFrom, statement);
  case PA_CLASS_Match: return pa_read_match(reader, node, statement);
  case PA_CLASS_Pass: *out_nothing = true; return PA_OK;
  case PA_CLASS_Raise: return read_raise(reader, node, statement);
  case PA_CLASS_Return: return read_return(reader, node, statement);
  case PA_CLASS_Try: return read_try(reader, node, statement);
  case PA_CLASS_While: return read_while(reader, node, statement);
  case PA_CLASS_With: return read_with(reader, node, statement, out_nothing);
  default: return pa_refuse_class(reader, node, class);
  }
}

// Not of a yield, which may stand there to make the function a generator.
static void warn_unreached(pa_reader *reader, const pa_statement *statement) {
  if (reader->importer->aside || (statement->kind == PA_EVALUATE && statement->value->kind == PA_YIELD)) return;
  pa_warn(reader->importer->module, pa_locate(reader->function, statement->place), "unreachable",
          "this statement is never executed");
}

pa_status pa_read_block(pa_reader *reader, PyObject *list, pa_block *out_block) {
  pa_arena *arena = reader->importer->arena;
  Py_ssize_t count = PyList_Size(list);
  if (count < 0) return pa_python_failure();
  pa_block block = {.statements = PA_NEW_ARRAY(arena, pa_statement *, count), .completions = PA_CAN(FALL)};
  bool is_warned = false;
  pa_status failures = PA_OK;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *node = PyList_GetItem(list, i);
    pa_statement *statement = PA_NEW(arena, pa_statement);
    bool nothing;
    pa_reader before = *reader;
    pa_status failure = pa_enter(reader, node);
    if (!failure) failure = read_statement(reader, node, statement, &nothing);
    *reader = before;
    failures = pa_status_join(failures, failure);
    if (failures && !pa_status_may_go_on(failures)) return failures;
    if (failures) continue;
    bool unreached = !(block.completions & PA_CAN(FALL)); // read for its names and refusals only
    if (unreached && !nothing && !is_warned) is_warned = true, warn_unreached(reader, statement);
    if (nothing || unreached) continue;
    block.statements[block.count++] = statement;
    block.completions = (block.completions & ~PA_CAN(FALL)) | statement->completions;
  }
  *out_block = block;
  return failures;
}
