// pyarray-interchange-loops: a loop over planes of arrays becomes a loop over columns, with the loop within it.
//
// Enters and leaves: level 2, fused.
//
//   pyarray.for (%k) in %range {                          for k in range(1, n):
//     %x = pyarray.getitem %a[%all, %k - 1]                   t = b[:, k] * 2
//     %y = pyarray.getitem %b[%all, %k]                       a[:, k] = a[:, k - 1] + t
//     %o = pyarray.getitem %a[%all, %k]
//     pyarray.ufunc "(),()->()" ins(%x, %y) outs(%o) { ... }
//   }
// becomes
//   %fits = (planes of the same extents, no memory in common)
//   %possible = pyarray.for (%k) in %range iter(%fits) { (whether all indices are in bounds) }
//   scf.if %possible {
//     pyarray.ufunc "(m,n0)->(m,n1)" ins(%b) outs(%a) expanded {
//     ^bb0(%p: !pyarray.array<?x?xf64, C>, %q: !pyarray.array<?x?xf64, C>):
//       pyarray.for (%j) in range(m) { pyarray.for (%k) in %range { ... %q[%j, %k] = ... %q[%j, %k - 1] ... } }
//     }
//   } else { (the loop as it was) }
//
// The last axis of an array is mostly the one along which its elements lie, so that a plane, one place of that axis, is
// one number of each cache line. A column is computed of the same column of other planes alone; so the order of columns
// is nobody's concern, and arrays that hold a plane for the time of an iteration are numbers. What the loop does beside
// that, its conditions and its indices, must not depend on elements: then it is gone through once before, without the
// arrays, to see whether anything would be raised. Functions that are called for vectors (exp) are better left in
// planes; so they are (pyarray-strip-loops). Loops that follow each other are one operation: forth and back again, say.
#include "fuse_internal.h"
#include "integer_facts.h"
#include "interchange.h"
#include "loop_checks.h"
#include "pass.h"
#include "pyarray-c/Effects.h"
#include "ufunc_cost.h"

static MlirValue operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static MlirValue result(MlirOperation op, intptr_t i) { return mlirOperationGetResult(op, i); }
static bool is_array(MlirValue value) { return pyarrayTypeIsArray(mlirValueGetType(value)); }
static intptr_t rank_of(MlirValue array) { return pyarrayArrayTypeGetRank(mlirValueGetType(array)); }
static MlirType element_of(MlirValue array) { return pyarrayArrayTypeGetElement(mlirValueGetType(array)); }

//===-- Values ------------------------------------------------------------------------------------===//

pa_column_value *pa_column_value_of(const pa_interchange *x, MlirValue value) {
  return pa_map_get(&x->values, value.ptr);
}

static pa_column_value *add_value(pa_interchange *x, MlirValue value, pa_value_kind kind) {
  pa_column_value *added = PA_NEW(x->arena, pa_column_value);
  added->kind = kind;
  added->type = is_array(value) ? element_of(value) : mlirValueGetType(value);
  pa_map_put(x->arena, &x->values, value.ptr, added);
  return added;
}

bool pa_is_foreseen(const pa_interchange *x, MlirValue value) {
  const pa_column_value *known = pa_column_value_of(x, value);
  return known ? known->kind == PA_VALUE_NUMBER : !is_array(value);
}

static bool is_outside(const pa_interchange *x, MlirValue array) { return !pa_column_value_of(x, array); }

static bool is_number(const pa_interchange *x, MlirValue value) {
  const pa_column_value *known = pa_column_value_of(x, value);
  return known ? known->kind == PA_VALUE_NUMBER || known->kind == PA_VALUE_ELEMENT : !is_array(value);
}

static const pa_column_value *plane_or_view(const pa_interchange *x, MlirValue value) {
  const pa_column_value *known = pa_column_value_of(x, value);
  return known && (known->kind == PA_VALUE_PLANE || known->kind == PA_VALUE_VIEW) ? known : NULL;
}

static bool has_plane_rank(pa_interchange *x, MlirValue array) {
  if (!x->rank) x->rank = rank_of(array);
  return x->rank == rank_of(array) && x->rank > 0;
}

static pa_column_value *add_plane(pa_interchange *x, MlirValue array) {
  return has_plane_rank(x, array) ? add_value(x, array, PA_VALUE_PLANE) : NULL;
}

static int find_array(pa_interchange *x, MlirValue array) {
  for (int i = 0; i < x->array_count; ++i)
    if (mlirValueEqual(x->arrays[i].array, array)) return i;
  if (x->array_count == PA_MOST_INTERCHANGED) return -1;
  x->arrays[x->array_count].array = array;
  x->arrays[x->array_count].has_columns = x->arrays[x->array_count].has_elements = false;
  x->arrays[x->array_count].read = x->arrays[x->array_count].written = false;
  return x->array_count++;
}

//===-- Operations --------------------------------------------------------------------------------===//

static bool read_block(pa_interchange *x, MlirBlock block);

// The array number, or -1: all of the first axes, and one place of the last.
static int read_place(pa_interchange *x, MlirOperation op, intptr_t indices) {
  MlirValue array = operand(op, 0);
  if (!is_outside(x, array) || indices < 2 || indices > PA_MOST_PLANE_AXES + 1 || indices != rank_of(array) ||
      pyarrayArrayTypeGetLayout(mlirValueGetType(array)) == PYARRAY_LAYOUT_F)
    return -1;
  for (intptr_t i = 1; i < indices; ++i)
    if (!pa_is_full_slice(mlirValueGetType(operand(op, i)))) return -1;
  MlirValue index = operand(op, indices);
  if (pa_scalar_of(mlirValueGetType(index)) != PA_I64 || !pa_is_foreseen(x, index)) return -1;
  int found = find_array(x, array);
  if (found >= 0) x->arrays[found].has_columns = true;
  return found;
}

static bool read_element(pa_interchange *x, MlirOperation op) {
  MlirValue array = operand(op, 0);
  intptr_t indices = mlirOperationGetNumOperands(op) - 1;
  if (!is_outside(x, array) || indices > PA_MOST_PLANE_AXES + 1 || indices != rank_of(array)) return false;
  for (intptr_t i = 1; i <= indices; ++i)
    if (pa_scalar_of(mlirValueGetType(operand(op, i))) != PA_I64 || !pa_is_foreseen(x, operand(op, i))) return false;
  add_value(x, result(op, 0), PA_VALUE_ELEMENT);
  int found = find_array(x, array);
  if (found >= 0) x->arrays[found].has_elements = true;
  return found >= 0;
}

static bool read_getitem(pa_interchange *x, MlirOperation op) {
  intptr_t indices = mlirOperationGetNumOperands(op) - 1;
  if (!is_array(result(op, 0))) return read_element(x, op);
  int array = read_place(x, op, indices);
  if (array < 0 || !has_plane_rank(x, result(op, 0))) return false;
  pa_column_value *view = add_value(x, result(op, 0), PA_VALUE_VIEW);
  view->array = array;
  view->index = operand(op, indices);
  return true;
}

static bool read_setitem(pa_interchange *x, MlirOperation op) {
  intptr_t indices = mlirOperationGetNumOperands(op) - 2;
  int array = read_place(x, op, indices);
  MlirValue value = operand(op, indices + 1);
  const pa_column_value *stored = pa_column_value_of(x, value);
  if (array < 0 || x->rank + 1 != indices || (!stored && is_array(value))) return false;
  if (stored && stored->kind == PA_VALUE_VIEW) x->arrays[stored->array].read = true;
  x->stores = x->arrays[array].written = true;
  return mlirTypeEqual(stored ? stored->type : mlirValueGetType(value), element_of(operand(op, 0)));
}

// Elements of other columns: a[x] computed where it is read.
static bool only_computes(MlirBlock body) {
  MlirOperation end = mlirBlockGetTerminator(body);
  PA_FOR_EACH_OP(op, body) {
    if (mlirOperationEqual(op, end)) break;
    if (mlirOperationGetNumRegions(op) || !pyarrayOperationOnlyComputes(op)) return false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      if (is_array(operand(op, i))) return false;
  }
  return true;
}

static bool read_output(pa_interchange *x, MlirValue output) {
  pa_column_value *known = pa_column_value_of(x, output);
  if (!known || known->kind < PA_VALUE_VIEW) return false;
  if (known->kind == PA_VALUE_VIEW) x->stores = x->arrays[known->array].written = true;
  known->changed = true;
  return true;
}

static bool read_ufunc(pa_interchange *x, MlirOperation op) {
  MlirBlock body = pa_body(op, 0);
  intptr_t inputs = pa_input_count(op), outputs = mlirOperationGetNumOperands(op) - inputs;
  if (!pa_is_elementwise(&x->names, op) || !only_computes(body) || pa_calls_functions(&x->names, body)) return false;
  for (intptr_t i = 0; i < inputs; ++i) {
    const pa_column_value *known = pa_column_value_of(x, operand(op, i));
    MlirType type = known ? known->type : mlirValueGetType(operand(op, i));
    if (known && known->kind == PA_VALUE_VIEW) x->arrays[known->array].read = true;
    if ((!known && is_array(operand(op, i))) || !mlirTypeEqual(type, mlirValueGetType(mlirBlockGetArgument(body, i))))
      return false;
  }
  MlirOperation end = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    MlirValue output = outputs ? operand(op, inputs + i) : result(op, i);
    if (!is_array(output) || !mlirTypeEqual(element_of(output), mlirValueGetType(operand(end, i)))) return false;
    if (outputs ? !read_output(x, output) : !add_plane(x, output)) return false;
  }
  return true;
}

// Of planes: their extents.
static bool read_shape(pa_interchange *x, MlirOperation op) {
  MlirStringRef signature = mlirStringAttrGetValue(pa_get_attr(op, "signature"));
  for (size_t i = 0; i < signature.length; ++i) // of core dimensions
    if (signature.data[i] >= 'a') return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!plane_or_view(x, operand(op, i)) && !is_number(x, operand(op, i))) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) add_value(x, result(op, i), PA_VALUE_NUMBER);
  pa_map_put(x->arena, &x->extents, op.ptr, x);
  return mlirOperationGetNumResults(op) == x->rank;
}

static bool read_broadcast(pa_interchange *x, MlirOperation op) {
  pa_column_value *known = pa_column_value_of(x, operand(op, 0));
  if (!known || known->kind < PA_VALUE_VIEW || mlirOperationGetNumOperands(op) - 1 != x->rank) return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue extent = operand(op, i);
    if (!mlirValueIsAOpResult(extent) || !pa_map_get(&x->extents, mlirOpResultGetOwner(extent).ptr)) return false;
  }
  pa_map_put(x->arena, &x->values, result(op, 0).ptr, known);
  return true;
}

static bool is_named(MlirOperation op, const char *name) {
  return pa_ref_equal(mlirStringAttrGetValue(pa_get_attr(op, "name")), name);
}

// np.full((m, n), x) and kin, whose type is that of the number.
static bool read_new(pa_interchange *x, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op), extents = is_named(op, "numpy.full") ? count - 1 : count;
  pa_scalar scalar = pa_scalar_of(element_of(result(op, 0)));
  if (extents != rank_of(result(op, 0)) || !add_plane(x, result(op, 0))) return false;
  for (intptr_t i = 0; i < extents; ++i)
    if (pa_scalar_of(mlirValueGetType(operand(op, i))) != PA_I64 || !pa_is_foreseen(x, operand(op, i))) return false;
  if (extents < count)
    return is_number(x, operand(op, extents)) &&
           mlirTypeEqual(mlirValueGetType(operand(op, extents)), element_of(result(op, 0)));
  return is_named(op, "numpy.empty") || (is_named(op, "numpy.zeros") && (pa_is_float(scalar) || pa_is_integer(scalar)));
}

// What others call it from now on.
static bool read_yielded(pa_interchange *x, MlirValue value) {
  pa_column_value *known = pa_column_value_of(x, value);
  if (!known) return !is_array(value);
  if (known->kind == PA_VALUE_PLANE) known->joined = true;
  return known->kind != PA_VALUE_VIEW;
}

static bool read_if(pa_interchange *x, MlirOperation op) {
  if (!pa_is_foreseen(x, operand(op, 0))) return false;
  bool foreseen[PA_MOST_YIELDED];
  intptr_t results = mlirOperationGetNumResults(op);
  if (results > PA_COUNT(foreseen)) return false;
  for (intptr_t i = 0; i < results; ++i) foreseen[i] = true;
  for (intptr_t r = 0; r < 2; ++r) {
    MlirBlock block = pa_body(op, r);
    if (mlirBlockIsNull(block)) continue;
    if (!read_block(x, block)) return false;
    MlirOperation end = mlirBlockGetTerminator(block);
    for (intptr_t i = 0; i < results; ++i) {
      if (!read_yielded(x, operand(end, i))) return false;
      foreseen[i] = foreseen[i] && pa_is_foreseen(x, operand(end, i));
    }
  }
  for (intptr_t i = 0; i < results; ++i) {
    MlirValue given = result(op, i);
    if (!is_array(given)) {
      add_value(x, given, foreseen[i] ? PA_VALUE_NUMBER : PA_VALUE_ELEMENT);
      continue;
    }
    pa_column_value *plane = add_plane(x, given);
    if (!plane) return false;
    plane->joined = true;
  }
  return true;
}

// Of numbers, and of the shapes of arrays from outside.
static bool read_numbers(pa_interchange *x, MlirOperation op) {
  bool foreseen = true, shape = pa_kind(&x->names, op) == PA_OP_GETATTR && is_array(operand(op, 0));
  if (shape) {
    if (!is_outside(x, operand(op, 0)) || !is_named(op, "shape")) return false;
    pa_op_list_add(&x->shapes, op);
  } else if (mlirOperationGetNumRegions(op) || !pyarrayOperationOnlyComputes(op)) {
    return false;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !shape; ++i) {
    if (!is_number(x, operand(op, i))) return false;
    foreseen = foreseen && pa_is_foreseen(x, operand(op, i));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    bool array = is_array(result(op, i));
    if (array && pa_kind(&x->names, op) != PA_OP_UNBOUND) return false;
    if (array) {
      pa_column_value *plane = add_plane(x, result(op, i));
      if (!plane) return false;
      plane->joined = true;
    } else {
      add_value(x, result(op, i), foreseen ? PA_VALUE_NUMBER : PA_VALUE_ELEMENT);
    }
  }
  return true;
}

static bool read_operation(pa_interchange *x, MlirOperation op) {
  switch (pa_kind(&x->names, op)) {
  case PA_OP_GETITEM: return is_array(operand(op, 0)) ? read_getitem(x, op) : read_numbers(x, op);
  case PA_OP_SETITEM: return is_array(operand(op, 0)) && read_setitem(x, op);
  case PA_OP_UFUNC: return read_ufunc(x, op);
  case PA_OP_UFUNC_SHAPE: return read_shape(x, op);
  case PA_OP_BROADCAST_TO: return read_broadcast(x, op);
  case PA_OP_SCF_IF: return read_if(x, op);
  case PA_OP_RAISE: return true; // which ends what was possible
  case PA_OP_BUILTIN:
    if (mlirOperationGetNumResults(op) == 1 && is_array(result(op, 0))) return read_new(x, op);
    return read_numbers(x, op);
  default: return read_numbers(x, op);
  }
}

static bool read_block(pa_interchange *x, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  PA_FOR_EACH_OP(op, block) {
    if (mlirOperationEqual(op, end)) break;
    if (!read_operation(x, op)) return false;
  }
  return true;
}

//===-- Loops -------------------------------------------------------------------------------------===//

static bool is_unbound(const pa_interchange *x, MlirValue value) {
  return mlirValueIsAOpResult(value) && pa_kind(&x->names, mlirOpResultGetOwner(value)) == PA_OP_UNBOUND;
}

// What it carries is known without the arrays, or a plane that an iteration leaves for the next.
static bool read_carried(pa_interchange *x, MlirOperation loop) {
  MlirBlock body = pa_body(loop, 0);
  MlirValue item = mlirBlockGetArgument(body, 0);
  if (mlirOperationGetNumResults(loop) > PA_MOST_YIELDED || is_array(operand(loop, 0)) ||
      pa_scalar_of(mlirValueGetType(item)) != PA_I64)
    return false;
  add_value(x, item, PA_VALUE_NUMBER);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(loop); ++i) {
    MlirValue carried = mlirBlockGetArgument(body, i);
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(result(loop, i - 1)))) return false;
    if (!is_array(carried)) {
      add_value(x, carried, PA_VALUE_NUMBER);
      continue;
    }
    pa_column_value *plane = is_unbound(x, operand(loop, i)) ? add_plane(x, carried) : NULL;
    if (!plane) return false;
    plane->joined = x->carries = true;
  }
  return true;
}

static bool keeps_carried(pa_interchange *x, MlirOperation loop) {
  MlirOperation end = mlirBlockGetTerminator(pa_body(loop, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    MlirValue next = operand(end, i);
    if (!read_yielded(x, next)) return false;
    if (!is_array(next) && !pa_is_foreseen(x, next)) return false;
  }
  return true;
}

// A plane that has several names is one number for each of them only as long as nobody changes it.
static bool is_plain(const pa_interchange *x) {
  int changed = 0;
  for (size_t i = 0; i < x->values.capacity; ++i) {
    const pa_column_value *value = x->values.entries[i].key ? x->values.entries[i].value : NULL;
    if (!value || !value->changed || value->kind != PA_VALUE_PLANE) continue;
    if (value->joined || ++changed > PA_MOST_CHANGED) return false;
  }
  return true;
}

// An element of another column must not change.
static bool fits(const pa_interchange *x, int array) {
  MlirType type = mlirValueGetType(x->arrays[array].array);
  if (x->arrays[array].has_columns && rank_of(x->arrays[array].array) != x->rank + 1) return false;
  if (!x->arrays[array].written) return true;
  return !x->arrays[array].has_elements && !pyarrayArrayTypeIsReadonly(type) &&
         pyarrayArrayTypeGetLayout(type) == PYARRAY_LAYOUT_C; // columns of another layout may share memory
}

// Adds |loop| to those of |x|.
static bool read_loop(pa_interchange *x, MlirOperation loop) {
  if (mlirOperationGetNumAttributes(loop) || !read_carried(x, loop) || !read_block(x, pa_body(loop, 0)) ||
      !keeps_carried(x, loop))
    return false;
  bool columns = false;
  for (int i = 0; i < x->array_count; ++i) {
    columns = columns || x->arrays[i].has_columns;
    if (!fits(x, i)) return false;
  }
  x->loops[x->loop_count++] = loop;
  return columns && x->stores && is_plain(x);
}

//===-- Several loops -----------------------------------------------------------------------------===//

static pa_interchange new_interchange(pa_arena *arena, const pa_names *names) {
  return (pa_interchange){.arena = arena, .names = *names, .shapes = {.arena = arena}};
}

// A range raises where its step is 0, or where a number was too large for int64, of which it has an operand more.
static bool is_safe_range(const pa_names *names, MlirOperation op) {
  int64_t step;
  return pa_kind(names, op) == PA_OP_BUILTIN && is_named(op, "builtins.range") &&
         mlirOperationGetNumOperands(op) == 3 && pa_integer_known(names, operand(op, 2), &step) && step;
}

// Numbers that may be computed before the loops.
static bool is_moved(const pa_names *names, MlirOperation op) {
  if (mlirOperationGetNumRegions(op) || !(pyarrayOperationOnlyComputes(op) || is_safe_range(names, op))) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_array(operand(op, i))) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_array(result(op, i))) return false;
  return true;
}

// The loop that follows, if all in between may be computed before.
static MlirOperation next_loop(const pa_names *names, MlirOperation loop) {
  MlirOperation op = mlirOperationGetNextInBlock(loop);
  while (!mlirOperationIsNull(op) && is_moved(names, op)) op = mlirOperationGetNextInBlock(op);
  return pa_kind_or_other(names, op) == PA_OP_FOR ? op : (MlirOperation){NULL};
}

// Loops over planes of the same arrays that follow each other are one, so that a column stays in the cache.
static bool add_following(pa_interchange *x) {
  MlirOperation first = x->loops[0], last = x->loops[x->loop_count - 1], next = next_loop(&x->names, last);
  if (mlirOperationIsNull(next) || x->loop_count == PA_MOST_INTERCHANGED_LOOPS) return false;
  pa_interchange both = new_interchange(x->arena, &x->names);
  for (int i = 0; i < x->loop_count; ++i)
    if (!read_loop(&both, x->loops[i])) return false;
  int arrays = both.array_count;
  if (!read_loop(&both, next) || both.array_count - arrays > arrays) return false;
  for (MlirOperation op = mlirOperationGetNextInBlock(last), behind; !mlirOperationEqual(op, next); op = behind) {
    behind = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, first);
  }
  *x = both;
  return true;
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status run(pa_pass_context *context, MlirOperation module) {
  pa_names names;
  pa_names_init(&names, context->context);
  if (!mlirAttributeIsNull(pa_get_attr(module, "pyarray.debug"))) return PA_OK;
  PA_FOR_EACH_OP(function, pa_module_body(module)) {
    pa_op_list loops = pa_loops_on_one_core(context->arena, &names, function);
    for (size_t i = 0; i < loops.count; ++i) {
      pa_interchange x = new_interchange(context->arena, &names);
      if (!read_loop(&x, loops.items[i])) continue;
      while (add_following(&x)) {
      }
      PA_TRY(pa_emit_interchanged(&x));
    }
  }
  return PA_OK;
}

const pa_pass pa_pass_interchange_loops = {
    .argument = "pyarray-interchange-loops",
    .summary = "Have loops over planes go over columns",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", NULL},
    .run = run,
};
