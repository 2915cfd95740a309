// fn.parallel_diagnostics(): what runs on several threads and what does not, as rows "line<TAB>file<TAB>text", one for
// each loop over prange and each operation on whole arrays of the module at level 3, in order of the source.
//
//   5   /home/ann/norms.py   loop over prange: runs on several threads; reductions: 's' (add)
#include <stdlib.h>
#include <string.h>

#include "compile.h"

typedef struct row {
  pa_location place;
  const char *text;
} row;

typedef struct report {
  pa_arena *arena;
  pa_names names;
  row *rows;
  size_t count, capacity;
  bool parallel; // the option of the function
} report;

static const char loop_title[] = "loop over prange", timed_title[] = "loop over range",
                  timed_text[] = "runs on several threads where its iterations, which touch nothing of each other, "
                                 "take long enough",
                  operation_title[] = "array operation", reduction_title[] = "reduction of an array";

//===-- Rows --------------------------------------------------------------------------------------===//

static bool is_same_place(pa_location a, pa_location b) {
  return a.line == b.line && strcmp(a.file ? a.file : "", b.file ? b.file : "") == 0;
}

// Copies of one loop, which later passes made, say the same.
static void add_row(report *r, MlirOperation op, const char *title, const char *text) {
  row next = {pa_source_location(r->arena, mlirOperationGetLocation(op)),
              pa_arena_format(r->arena, "%s: %s", title, text)};
  for (size_t i = 0; i < r->count; ++i)
    if (is_same_place(r->rows[i].place, next.place) && strcmp(r->rows[i].text, next.text) == 0) return;
  r->rows = pa_arena_grow(r->arena, r->rows, r->count, &r->capacity, sizeof next);
  r->rows[r->count++] = next;
}

static int compare_rows(const void *a, const void *b) {
  const row *x = a, *y = b;
  int files = strcmp(x->place.file ? x->place.file : "", y->place.file ? y->place.file : "");
  return files ? files : (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

//===-- Words -------------------------------------------------------------------------------------===//

// What a variable that the loop carries is: a reduction, or (|last|) the value of the last iteration.
static void describe_carried(report *r, MlirOperation loop, bool last, const char *title, pa_string *out) {
  MlirAttribute words = pa_get_attr(loop, "pyarray.parallel"), names = pa_get_attr(loop, "pyarray.names");
  bool named = !mlirAttributeIsNull(names) && mlirAttributeIsAArray(names), first = true;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(words); ++i) {
    const char *word = pa_attr_text(r->arena, mlirArrayAttrGetElement(words, i)), *name = NULL;
    if (strncmp(word, "nat_", 4) == 0) word += 4; // of timedeltas
    if (named && i < mlirArrayAttrGetNumElements(names))
      name = pa_attr_text(r->arena, mlirArrayAttrGetElement(names, i));
    bool hidden = !name || !*name || *name == '$'; // whether a variable is bound
    if (!word || hidden || (strcmp(word, "last") == 0) != last) continue;
    pa_string_format(out, last ? "%s'%s'" : "%s'%s' (%s)", first ? title : ", ", name, word);
    first = false;
  }
}

// Arrays have no names here.
static void describe_arrays(report *r, MlirOperation loop, pa_string *out) {
  PA_FOR_EACH_OP(op, pa_body(loop, 0)) {
    if (pa_kind(&r->names, op) != PA_OP_PRIVATE) continue;
    pa_string_format(out, "; an array that each thread reduces in a copy (%s)",
                     pa_attr_text(r->arena, pa_get_attr(op, "kind")));
  }
}

static const char *describe_parallel(report *r, MlirOperation loop) {
  pa_string text = {0};
  pa_string_puts(&text, "runs on several threads");
  describe_carried(r, loop, false, "; reductions: ", &text);
  describe_carried(r, loop, true, "; value of the last iteration: ", &text);
  if (!mlirBlockIsNull(pa_body(loop, 0))) describe_arrays(r, loop, &text);
  const char *copy = pa_arena_copy(r->arena, pa_string_text(&text), text.length);
  pa_string_free(&text);
  return copy;
}

// Why something in |outer|, the parallel loop around it or null, stays in order; NULL if nothing is in its way.
static const char *reason_around(report *r, MlirOperation outer) {
  if (!r->parallel) return "runs in order: the function is compiled without parallel=True";
  if (mlirOperationIsNull(outer)) return NULL;
  pa_location place = pa_source_location(r->arena, mlirOperationGetLocation(outer));
  return pa_arena_format(r->arena, "runs in order within each iteration of the parallel loop in line %d", place.line);
}

//===-- Loops -------------------------------------------------------------------------------------===//

static bool is_over_prange(const report *r, MlirOperation op) {
  MlirValue range = mlirOperationGetOperand(op, 0);
  if (!mlirValueIsAOpResult(range)) return false;
  MlirOperation made = mlirOpResultGetOwner(range);
  return pa_kind(&r->names, made) == PA_OP_BUILTIN &&
         pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(made, "name")), "pyarray.prange");
}

static const char *serial_reason(report *r, MlirOperation op) {
  const char *serial = pa_attr_text(r->arena, pa_get_attr(op, "pyarray.serial"));
  return serial ? pa_arena_format(r->arena, "runs in order: %s", serial) : NULL;
}

// |loop|: the pyarray.for, or the pyarray.iter_length of a loop that may be left early.
static void report_loop(report *r, MlirOperation loop, MlirOperation outer) {
  const char *serial = serial_reason(r, loop), *around = reason_around(r, outer);
  if (around)
    add_row(r, loop, loop_title, around);
  else if (serial)
    add_row(r, loop, loop_title, serial);
  else if (!mlirAttributeIsNull(pa_get_attr(loop, "pyarray.parallel")))
    add_row(r, loop, loop_title, describe_parallel(r, loop));
}

//===-- Reductions --------------------------------------------------------------------------------===//

// Of elements whose order in a sum, and so on, is nobody's concern: whole numbers, extremes, what is true
// (pyarray-lower, pa_fold_thread_words).
static bool takes_any_order(MlirStringRef word, pa_scalar element) {
  static const char *const words[] = {"add", "mul", "min", "max", "and", "or", "xor"};
  bool known = false, extreme = pa_ref_equal(word, "min") || pa_ref_equal(word, "max");
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) known = known || pa_ref_equal(word, words[i]);
  bool truth = element == PA_BOOL && (pa_ref_equal(word, "and") || pa_ref_equal(word, "or"));
  return known && (pa_is_integer(element) || truth || (extreme && pa_is_float(element)));
}

// As pyarray-lower does it: threads share the results, the halves of a sum of floats, or the elements.
static bool is_shared(MlirOperation reduce) {
  MlirOperation yield = mlirBlockGetTerminator(pa_body(reduce, 0));
  MlirAttribute words = pa_get_attr(reduce, "words");
  intptr_t rank = 0, folded = mlirDenseArrayGetNumElements(pa_get_attr(reduce, "axes")),
           count = mlirArrayAttrGetNumElements(words);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(reduce); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(reduce, i));
    intptr_t own = pyarrayTypeIsArray(type) ? pyarrayArrayTypeGetRank(type) : 0;
    rank = own > rank ? own : rank;
  }
  if (folded < rank) return true;
  pa_scalar element = pa_scalar_of(mlirValueGetType(mlirOperationGetOperand(yield, 0)));
  MlirStringRef word = mlirStringAttrGetValue(mlirArrayAttrGetElement(words, 0));
  if (count == 1 && pa_ref_equal(word, "add") && (pa_is_float(element) || pa_is_complex(element))) return true;
  for (intptr_t k = 0; k < count; ++k)
    if (!takes_any_order(mlirStringAttrGetValue(mlirArrayAttrGetElement(words, k)),
                         pa_scalar_of(mlirValueGetType(mlirOperationGetOperand(yield, k)))))
      return false;
  return true;
}

static void visit_block(report *r, MlirBlock block, MlirOperation outer) {
  PA_FOR_EACH_OP(op, block) {
    pa_op_kind kind = pa_kind(&r->names, op);
    MlirOperation around = outer;
    if (!mlirAttributeIsNull(pa_get_attr(op, "pyarray.checked"))) continue; // the copy that only raises
    if ((kind == PA_OP_FOR || kind == PA_OP_ITER_LENGTH) && is_over_prange(r, op)) report_loop(r, op, outer);
    if (kind == PA_OP_UFUNC) {
      const char *reason = reason_around(r, outer);
      if (!reason) reason = serial_reason(r, op);
      add_row(r, op, operation_title, reason ? reason : "runs on several threads");
    }
    if (kind == PA_OP_REDUCE) {
      const char *reason = reason_around(r, outer);
      if (!reason) reason = serial_reason(r, op);
      if (!reason) reason = is_shared(op) ? "runs on several threads" : "runs in order: there is one result";
      add_row(r, op, reduction_title, reason);
    }
    const char *timed = pa_attr_text(r->arena, pa_get_attr(op, "pyarray.timed"));
    if (timed && mlirOperationIsNull(outer)) add_row(r, op, timed_title, timed_text);
    bool spreads =
        !mlirAttributeIsNull(pa_get_attr(op, "pyarray.parallel")) && (!timed || strcmp(timed, "points") != 0);
    if (mlirOperationIsNull(outer) && spreads) around = op;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
      if (!mlirBlockIsNull(pa_body(op, i))) visit_block(r, pa_body(op, i), around);
  }
}

pa_status pa_report_parallel(MlirOperation module, pa_arena *arena, pa_string *out_text) {
  report r = {.arena = arena};
  pa_names_init(&r.names, mlirOperationGetContext(module));
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    if (pa_kind(&r.names, op) != PA_OP_FUNC || mlirBlockIsNull(pa_body(op, 0))) continue;
    r.parallel = pa_option_bool(op, "pyarray.options", "parallel", false);
    visit_block(&r, pa_body(op, 0), (MlirOperation){NULL});
  }
  if (r.count) qsort(r.rows, r.count, sizeof *r.rows, compare_rows);
  for (size_t i = 0; i < r.count; ++i)
    pa_string_format(out_text, "%d\t%s\t%s\n", r.rows[i].place.line, r.rows[i].place.file ? r.rows[i].place.file : "?",
                     r.rows[i].text);
  return PA_OK;
}
