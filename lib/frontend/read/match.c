// Reading `match`: the subject goes into a hidden variable, and the cases become if, elif and else.
//
//   match p:                       if ($0 := p,) and match_length($0, 2, False) and $0[0] == 0:
//     case (0, y): f(y)              y = $0[1]; f(y)
//     case (x, _) if x > 1: g()    elif match_length($0, 2, False) and (x := $0[0],) and x > 1: g()
//     case _: h()                  else: h()
//
//   case Point(0, y=v):   isinstance($0, Point) and match_argument($0, Point, 0) == 0; v = $0.y
//   case {"k": v, **r}:   match_mapping($0) and "k" in $0; v = $0["k"]; r = match_rest($0, ("k",))
#include <Python.h>

#include <string.h>

#include "reader.h"

typedef struct expression_list {
  pa_expression **items;
  size_t count, capacity;
} expression_list;

// What a pattern asks for, and what it binds: assignment expressions.
typedef struct pattern_parts {
  expression_list tests, captures;
} pattern_parts;

static void append(pa_reader *reader, expression_list *list, pa_expression *x) {
  list->items = pa_arena_grow(reader->importer->arena, list->items, list->count, &list->capacity, sizeof *list->items);
  list->items[list->count++] = x;
}

static pa_expression *make(pa_reader *reader, pa_expression_kind kind, pa_place place, pa_expression *const *operands,
                           int count) {
  pa_expression *x = pa_new_expression(reader, kind, place, count);
  for (int i = 0; i < count; ++i) x->binds |= (x->operands[i] = operands[i])->binds;
  return x;
}

static pa_expression *integer(pa_reader *reader, pa_place place, int64_t value) {
  pa_expression *x = pa_new_expression(reader, PA_CONSTANT, place, 0);
  x->constant.value = mlirIntegerAttrGet(pa_scalar_type(reader->importer->context, PA_I64), value);
  x->constant.truth = value != 0;
  return x;
}

static pa_expression *internal(pa_reader *reader, const char *name, pa_place place, pa_expression *const *operands,
                               int count) {
  pa_expression *x = make(reader, PA_INTERNAL, place, operands, count);
  return x->text = name, x;
}

static pa_expression *compare(pa_reader *reader, pyarray_compare_kind kind, pa_expression *left, pa_expression *right) {
  pa_expression *x = make(reader, PA_COMPARE, right->place, (pa_expression *[]){left, right}, 2);
  x->operations = PA_NEW(reader->importer->arena, int);
  return *x->operations = kind, x;
}

static pa_status read_pattern(pa_reader *reader, PyObject *node, pa_expression *subject, pattern_parts *out);

static pa_status capture(pa_reader *reader, PyObject *node, PyObject *text, pa_expression *value, pattern_parts *out) {
  pa_expression *walrus = pa_new_expression(reader, PA_WALRUS, value->place, 1);
  PA_TRY(pa_read_name(reader, text, &walrus->name));
  PA_TRY(pa_declare_local(reader, node, walrus->name));
  walrus->binds = true;
  walrus->operands[0] = value;
  return append(reader, &out->captures, walrus), PA_OK;
}

static pa_expression *constant_true(pa_reader *reader, pa_place place) {
  pa_expression *x = pa_new_expression(reader, PA_CONSTANT, place, 0);
  x->constant.value = mlirBoolAttrGet(reader->importer->context, 1);
  return x->constant.truth = true, x;
}

// The captures within a condition: a tuple of assignment expressions, which is true.
static pa_expression *captures_of(pa_reader *reader, const pattern_parts *parts, pa_place place) {
  for (size_t i = 0; i < parts->captures.count; ++i) parts->captures.items[i]->name->by_walrus = true;
  return make(reader, PA_TUPLE, place, parts->captures.items, (int)parts->captures.count);
}

static pa_expression *conjunction(pa_reader *reader, const expression_list *tests, pa_place place) {
  if (tests->count == 0) return constant_true(reader, place);
  return tests->count == 1 ? tests->items[0] : make(reader, PA_AND, place, tests->items, (int)tests->count);
}

static pa_status read_alternatives(pa_reader *reader, PyObject *patterns, pa_expression *subject, pa_place place,
                                   pattern_parts *out) {
  expression_list alternatives = {0};
  for (Py_ssize_t i = 0; i < PyList_Size(patterns); ++i) {
    pattern_parts parts = {0};
    PA_TRY(read_pattern(reader, PyList_GetItem(patterns, i), subject, &parts));
    if (parts.captures.count) append(reader, &parts.tests, captures_of(reader, &parts, place));
    append(reader, &alternatives, conjunction(reader, &parts.tests, place));
  }
  return append(reader, &out->tests, make(reader, PA_OR, place, alternatives.items, (int)alternatives.count)), PA_OK;
}

static pa_expression *element(pa_reader *reader, pa_expression *subject, pa_place place, int64_t index) {
  return make(reader, PA_SUBSCRIPT, place, (pa_expression *[]){subject, integer(reader, place, index)}, 2);
}

// *name: the elements from |first| on but for the last |behind|.
static pa_status read_star(pa_reader *reader, PyObject *node, pa_expression *subject, pa_place place, int first,
                           int behind, pattern_parts *out) {
  PyObject *name = pa_field_of(reader, node, PA_FIELD_name);
  if (!name) return pa_python_failure();
  if (Py_IsNone(name)) return PA_OK;
  pa_expression *none = pa_none(reader, place), *stop = behind ? integer(reader, place, -behind) : none;
  pa_expression *slice =
      make(reader, PA_SLICE, place, (pa_expression *[]){integer(reader, place, first), stop, none}, 3);
  pa_expression *rest = make(reader, PA_SUBSCRIPT, place, (pa_expression *[]){subject, slice}, 2);
  return capture(reader, node, name, internal(reader, "builtins.list", place, &rest, 1), out);
}

static pa_status read_sequence(pa_reader *reader, PyObject *patterns, pa_expression *subject, pa_place place,
                               pattern_parts *out) {
  int count = (int)PyList_Size(patterns), star = -1;
  pa_class class;
  for (int i = 0; i < count; ++i) {
    PA_TRY(pa_class_of(reader, PyList_GetItem(patterns, i), &class));
    if (class == PA_CLASS_MatchStar) star = i;
  }
  pa_expression *operands[] = {subject, integer(reader, place, star < 0 ? count : count - 1),
                               integer(reader, place, star >= 0)};
  append(reader, &out->tests, internal(reader, "pyarray.match_length", place, operands, 3));
  for (int i = 0; i < count; ++i) {
    PyObject *pattern = PyList_GetItem(patterns, i);
    if (i == star)
      PA_TRY(read_star(reader, pattern, subject, place, star, count - 1 - star, out));
    else
      PA_TRY(read_pattern(reader, pattern, element(reader, subject, place, star < 0 || i < star ? i : i - count), out));
  }
  return PA_OK;
}

static pa_status read_as(pa_reader *reader, PyObject *node, pa_expression *subject, pattern_parts *out) {
  PyObject *pattern = pa_field_of(reader, node, PA_FIELD_pattern), *name = pa_field_of(reader, node, PA_FIELD_name);
  if (!pattern || !name) return pa_python_failure();
  if (!Py_IsNone(pattern)) PA_TRY(read_pattern(reader, pattern, subject, out));
  return Py_IsNone(name) ? PA_OK : capture(reader, node, name, subject, out);
}

static pa_status read_value(pa_reader *reader, PyObject *node, pa_expression *subject, pa_place place, bool singleton,
                            pattern_parts *out) {
  pa_expression *value;
  if (singleton) {
    PyObject *object = pa_field_of(reader, node, PA_FIELD_value);
    value = Py_IsNone(object) ? pa_none(reader, place) : constant_true(reader, place);
    if (object == Py_False)
      value->constant.value = mlirBoolAttrGet(reader->importer->context, 0), value->constant.truth = false;
  } else {
    PA_TRY(pa_read_expression(reader, pa_field_of(reader, node, PA_FIELD_value), &value));
  }
  return append(reader, &out->tests,
                compare(reader, singleton ? PYARRAY_COMPARE_IS : PYARRAY_COMPARE_EQ, subject, value)),
         PA_OK;
}

// Class(p, ..., name=q, ...)
static pa_status read_class(pa_reader *reader, PyObject *node, pa_expression *subject, pa_place place,
                            pattern_parts *out) {
  PyObject *cls = pa_field_of(reader, node, PA_FIELD_cls), *patterns = pa_field_of(reader, node, PA_FIELD_patterns);
  PyObject *names = pa_field_of(reader, node, PA_FIELD_kwd_attrs),
           *named = pa_field_of(reader, node, PA_FIELD_kwd_patterns);
  if (!cls || !patterns || !names || !named) return pa_python_failure();
  pa_expression *class;
  PA_TRY(pa_read_expression(reader, cls, &class));
  append(reader, &out->tests, internal(reader, "builtins.isinstance", place, (pa_expression *[]){subject, class}, 2));
  for (Py_ssize_t i = 0; i < PyList_Size(patterns); ++i) {
    pa_expression *operands[] = {subject, class, integer(reader, place, i)};
    PA_TRY(read_pattern(reader, PyList_GetItem(patterns, i),
                        internal(reader, "pyarray.match_argument", place, operands, 3), out));
  }
  for (Py_ssize_t i = 0; i < PyList_Size(names); ++i) {
    pa_expression *attribute = make(reader, PA_ATTRIBUTE, place, &subject, 1);
    if (!(attribute->text = pa_python_text(reader->importer, PyList_GetItem(names, i)))) return pa_python_failure();
    PA_TRY(read_pattern(reader, PyList_GetItem(named, i), attribute, out));
  }
  return PA_OK;
}

// {key: p, ..., **rest}
static pa_status read_mapping(pa_reader *reader, PyObject *node, pa_expression *subject, pa_place place,
                              pattern_parts *out) {
  PyObject *keys = pa_field_of(reader, node, PA_FIELD_keys), *patterns = pa_field_of(reader, node, PA_FIELD_patterns),
           *rest = pa_field_of(reader, node, PA_FIELD_rest);
  if (!keys || !patterns || !rest) return pa_python_failure();
  int count = (int)PyList_Size(keys);
  pa_expression **read = PA_NEW_ARRAY(reader->importer->arena, pa_expression *, count + 1);
  append(reader, &out->tests, internal(reader, "pyarray.match_mapping", place, &subject, 1));
  for (int i = 0; i < count; ++i) {
    PA_TRY(pa_read_expression(reader, PyList_GetItem(keys, i), &read[i]));
    append(reader, &out->tests, compare(reader, PYARRAY_COMPARE_IN, read[i], subject));
    PA_TRY(read_pattern(reader, PyList_GetItem(patterns, i),
                        make(reader, PA_SUBSCRIPT, place, (pa_expression *[]){subject, read[i]}, 2), out));
  }
  if (Py_IsNone(rest)) return PA_OK;
  pa_expression *operands[] = {subject, make(reader, PA_TUPLE, place, read, count)};
  return capture(reader, node, rest, internal(reader, "pyarray.match_rest", place, operands, 2), out);
}

static pa_status read_pattern(pa_reader *reader, PyObject *node, pa_expression *subject, pattern_parts *out) {
  pa_class class;
  pa_place place;
  PA_TRY(pa_class_of(reader, node, &class));
  PA_TRY(pa_read_place(reader, node, &place));
  PyObject *patterns = class == PA_CLASS_MatchOr || class == PA_CLASS_MatchSequence
                           ? pa_field_of(reader, node, PA_FIELD_patterns)
                           : Py_None;
  if (!patterns) return pa_python_failure();
  switch (class) {
  case PA_CLASS_MatchAs: return read_as(reader, node, subject, out);
  case PA_CLASS_MatchOr: return read_alternatives(reader, patterns, subject, place, out);
  case PA_CLASS_MatchClass: return read_class(reader, node, subject, place, out);
  case PA_CLASS_MatchMapping: return read_mapping(reader, node, subject, place, out);
  case PA_CLASS_MatchSequence: return read_sequence(reader, patterns, subject, place, out);
  case PA_CLASS_MatchSingleton: return read_value(reader, node, subject, place, true, out);
  case PA_CLASS_MatchValue: return read_value(reader, node, subject, place, false, out);
  default: return pa_refuse_class(reader, node, class);
  }
}

//===-- Cases -------------------------------------------------------------------------------------===//

// In front of a block: what the pattern binds.
static void assign_captures(pa_reader *reader, const pattern_parts *parts, pa_block *block) {
  pa_arena *arena = reader->importer->arena;
  int count = (int)parts->captures.count;
  pa_statement **statements = PA_NEW_ARRAY(arena, pa_statement *, block->count + count);
  for (int i = 0; i < count; ++i) {
    pa_expression *walrus = parts->captures.items[i];
    pa_statement *s = statements[i] = PA_NEW(arena, pa_statement);
    *s = (pa_statement){.kind = PA_ASSIGN,
                        .place = walrus->place,
                        .completions = PA_CAN(FALL),
                        .value = walrus->operands[0],
                        .count = 1};
    s->targets = PA_NEW(arena, pa_expression *);
    s->targets[0] = pa_new_expression(reader, PA_NAME, walrus->place, 0);
    s->targets[0]->name = walrus->name;
  }
  if (block->count) memcpy(statements + count, block->statements, sizeof *statements * (size_t)block->count);
  block->statements = statements;
  block->count += count;
}

static pa_status read_cases(pa_reader *reader, PyObject *cases, Py_ssize_t index, pa_expression *first,
                            pa_expression *subject, pa_statement *out) {
  PyObject *node = PyList_GetItem(cases, index), *pattern = pa_field_of(reader, node, PA_FIELD_pattern);
  PyObject *guard = pa_field_of(reader, node, PA_FIELD_guard), *body = pa_field_of(reader, node, PA_FIELD_body);
  pattern_parts parts = {0};
  if (!pattern || !guard || !body) return pa_python_failure();
  PA_TRY(pa_enter(reader, pattern));
  if (first) append(reader, &parts.tests, first);
  PA_TRY(pa_read_place(reader, pattern, &out->place));
  PA_TRY(read_pattern(reader, pattern, subject, &parts));
  if (!Py_IsNone(guard)) {
    pa_expression *test;
    if (parts.captures.count) append(reader, &parts.tests, captures_of(reader, &parts, out->place));
    parts.captures.count = 0;
    PA_TRY(pa_read_expression(reader, guard, &test));
    append(reader, &parts.tests, test);
  }
  *out = (pa_statement){.kind = PA_IF, .place = out->place, .value = conjunction(reader, &parts.tests, out->place)};
  PA_TRY(pa_read_block(reader, body, &out->body));
  assign_captures(reader, &parts, &out->body);
  out->orelse = (pa_block){.completions = PA_CAN(FALL)};
  bool irrefutable = parts.tests.count == (first != NULL);
  if (irrefutable && !first) out->orelse.completions = 0;
  if (!irrefutable && index + 1 < PyList_Size(cases)) {
    pa_statement *next = PA_NEW(reader->importer->arena, pa_statement);
    PA_TRY(read_cases(reader, cases, index + 1, NULL, subject, next));
    out->orelse =
        next->value->kind == PA_CONSTANT ? next->body : (pa_block){.count = 1, .completions = next->completions};
    if (!out->orelse.statements)
      out->orelse.statements = PA_NEW(reader->importer->arena, pa_statement *), out->orelse.statements[0] = next;
  }
  reader->depth--;
  out->completions = out->body.completions | out->orelse.completions;
  return PA_OK;
}

pa_status pa_read_match(pa_reader *reader, PyObject *node, pa_statement *statement) {
  PyObject *value = pa_field_of(reader, node, PA_FIELD_subject), *cases = pa_field_of(reader, node, PA_FIELD_cases);
  if (!value || !cases) return pa_python_failure();
  pa_place place = statement->place;
  pa_expression *walrus = pa_new_expression(reader, PA_WALRUS, place, 1),
                *subject = pa_new_expression(reader, PA_NAME, place, 0);
  PA_TRY(pa_declare_hidden(reader, node, NULL, &walrus->name));
  PA_TRY(pa_read_expression(reader, value, &walrus->operands[0]));
  walrus->name->by_walrus = walrus->binds = true;
  subject->name = walrus->name;
  return read_cases(reader, cases, 0, make(reader, PA_TUPLE, place, &walrus, 1), subject, statement);
}
