// Generators: yield, and generator expressions, which are nested generator functions called on the spot.
//
//   yield x                     pyarray.suspend %x; its value is None
//   yield from a                PA_STEPS $0:   for $1 in a: yield $1
//                                              $0 = None
//   (f(x) for x in a if x)      def <genexpr>(.0):             called with a, which is evaluated outside
//                                 for x in .0:
//                                   if x: yield f(x)
#include <Python.h>

#include "reader.h"

//===-- yield -------------------------------------------------------------------------------------===//

static pa_expression *yield_of(pa_reader *reader, pa_expression *value, pa_place place) {
  pa_expression *x = pa_new_expression(reader, PA_YIELD, place, 1);
  x->operands[0] = value;
  x->binds = value->binds;
  return reader->function->is_generator = true, x;
}

static pa_status read_yield_from(pa_reader *reader, PyObject *node, pa_place place, pa_expression *iterable,
                                 pa_expression **out_expression) {
  pa_name *item, *result;
  PA_TRY(pa_declare_hidden(reader, node, NULL, &item));
  PA_TRY(pa_declare_hidden(reader, node, NULL, &result));
  pa_statement *yields = pa_evaluation(reader, yield_of(reader, pa_name_expression(reader, item, place), place));
  pa_statement *statements[] = {pa_loop_over(reader, pa_name_expression(reader, item, place), iterable, yields, place),
                                pa_assignment(reader, result, pa_none(reader, place))};
  return *out_expression = pa_steps(reader, place, result, statements, 2), PA_OK;
}

pa_status pa_read_yield(pa_reader *reader, PyObject *node, pa_class class, pa_place place,
                        pa_expression **out_expression) {
  PyObject *value = pa_field_of(reader, node, PA_FIELD_value);
  pa_expression *operand;
  if (!value) return pa_python_failure();
  if (reader->function->is_lambda) return pa_refuse(reader, node, "'yield' in a lambda", "write a nested function");
  if (reader->function->options.target) return pa_refuse(reader, node, "'yield' on a GPU", "fill an array");
  if (Py_IsNone(value))
    operand = pa_none(reader, place);
  else
    PA_TRY(pa_read_expression(reader, value, &operand));
  if (class == PA_CLASS_YieldFrom) return read_yield_from(reader, node, place, operand, out_expression);
  return *out_expression = yield_of(reader, operand, place), PA_OK;
}

//===-- Generator expressions ---------------------------------------------------------------------===//

typedef struct element {
  PyObject *node;
  pa_expression *value;
} element;

static pa_status read_element(pa_reader *reader, void *data) {
  element *e = data;
  PyObject *node = pa_field_of(reader, e->node, PA_FIELD_elt);
  return node ? pa_read_expression(reader, node, &e->value) : pa_python_failure();
}

static pa_statement *yield_element(pa_reader *reader, void *data) {
  element *e = data;
  return pa_evaluation(reader, yield_of(reader, e->value, e->value->place));
}

// Its only parameter is what the first clause goes over.
static pa_status declare_iterable(pa_reader *reader, PyObject *node, pa_name **out_name) {
  pa_function *function = reader->function;
  function->parameter_places = PA_NEW(reader->importer->arena, pa_place);
  function->parameter_kinds = PA_NEW_ARRAY(reader->importer->arena, char, 2);
  function->parameter_kinds[0] = 'p';
  function->parameter_count = 1;
  function->place = function->parameter_places[0];
  PA_TRY(pa_read_place(reader, node, &function->place));
  function->parameter_places[0] = function->place;
  return pa_declare_hidden(reader, node, ".0", out_name);
}

static pa_status read_body(pa_reader *reader, PyObject *node, PyObject *generators, int count) {
  pa_name *iterable;
  PA_TRY(declare_iterable(reader, node, &iterable));
  pa_place place = reader->function->place;
  pa_clause *clauses = PA_NEW_ARRAY(reader->importer->arena, pa_clause, count);
  for (int i = 0; i < count; ++i) PA_TRY(pa_open_clause(reader, PyList_GetItem(generators, i), &clauses[i]));
  clauses[0].iterable = pa_name_expression(reader, iterable, clauses[0].place);
  element e = {node, NULL};
  pa_block *body = &reader->function->body;
  body->statements = PA_NEW(reader->importer->arena, pa_statement *);
  PA_TRY(pa_read_clauses(reader, clauses, 0, count, yield_element, read_element, &e, &body->statements[0]));
  body->count = 1;
  body->completions = PA_CAN(FALL);
  return pa_append_return(reader, body, pa_none(reader, place)), PA_OK;
}

pa_status pa_read_generator(pa_reader *reader, PyObject *node, pa_place place, pa_expression **out_expression) {
  PyObject *generators = pa_field_of(reader, node, PA_FIELD_generators);
  int count = generators ? (int)PyList_Size(generators) : -1;
  if (count < 0) return pa_python_failure();
  pa_function *nested;
  if (reader->function->options.target)
    return pa_read_comprehension(reader, node, PA_CLASS_ListComp, place, out_expression);
  pa_expression *call = *out_expression = pa_new_expression(reader, PA_CALL, place, 2);
  PA_TRY(pa_read_iterable(reader, PyList_GetItem(generators, 0), &call->operands[1]));
  PA_TRY(pa_add_nested(reader->importer, reader->function, "<genexpr>", &nested));
  pa_reader inner = {.importer = reader->importer, .function = nested, .depth = reader->depth, .around = reader};
  PA_TRY(read_body(&inner, node, generators, count));
  call->operands[0] = pa_close_function(reader, nested, NULL, place);
  call->binds = call->operands[1]->binds;
  return PA_OK;
}
