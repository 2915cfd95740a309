// pyarray-expand-contractions: makes a product of matrices or vectors of every contraction, and its output.
//
// Enters and leaves: level 2.
//
//   %r = pyarray.contract "abk,ckn->abcn" ins(%a, %b : !pyarray.array<?x?x?xf64, C>, !pyarray.array<?x?x?xf64, C>)
// becomes
//   %n:5 = pyarray.ufunc_shape "(a,b,k),(c,k,n)->(a,b,c,n)" ins(%a, %b : ...)
//   %r = pyarray.builtin "numpy.empty"(%n#0, %n#1, %n#3, %n#4)
//   %x = %a as [a, 1, b, k], and %y = %b as [1, c, k, n], broadcast to the loop dimensions (a, c); %o = %r as [a, c, b,
//   n] pyarray.contract "...bk,...kn->...bn" ins(%x, %y : ...) outs(%o : ...) expanded
//
// The last dimensions that are an input's own are those of the product; all others are loop dimensions. Outputs that
// were given and share memory with inputs are computed apart and then stored.
#include <string.h>

#include "expand.h"
#include "pass.h"
#include "support/contraction.h"

typedef struct expansion {
  pa_arena *arena;
  pa_names names;
  MlirOperation op;
  pa_contraction contraction;
  int dots;                     // dimensions that "..." stands for
  char loop[PA_MAX_CONTRACTED]; // other loop dimensions, in the order of the result
  int loop_count;
  char row, column; // of the product; 0 where it has none
  MlirValue *sizes; // of "...", then of each letter in the order of |letters|
  char letters[3 * PA_MAX_CONTRACTED + 1];
} expansion;

static MlirValue operand(const expansion *x, int i) { return mlirOperationGetOperand(x->op, i); }
static bool is_given(const expansion *x) { return mlirOperationGetNumOperands(x->op) > 2; }

//===-- Reading -----------------------------------------------------------------------------------===//

// The last letter of input |i| that the other one lacks.
static char own_letter(const expansion *x, int i) {
  const pa_contracted *own = &x->contraction.operands[i], *other = &x->contraction.operands[1 - i];
  for (int k = own->rank; k-- > 0;)
    if (pa_contracted_find(other, own->letters[k]) < 0) return own->letters[k];
  return 0;
}

static void note_letters(expansion *x) {
  int count = 0;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < x->contraction.operands[i].rank; ++k) {
      char letter = x->contraction.operands[i].letters[k];
      if (!memchr(x->letters, letter, (size_t)count)) x->letters[count++] = letter;
    }
}

static pa_status read_contraction(expansion *x) {
  MlirStringRef text = mlirStringAttrGetValue(pa_get_attr(x->op, "contraction"));
  if (pa_contraction_parse(text.data, text.length, &x->contraction))
    return pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(x->op), "malformed contraction");
  for (int i = 0; i < (int)mlirOperationGetNumOperands(x->op); ++i) {
    int dots = (int)pyarrayArrayTypeGetRank(mlirValueGetType(operand(x, i))) - x->contraction.operands[i].rank;
    if (dots > x->dots) x->dots = dots;
  }
  x->row = own_letter(x, 0);
  x->column = own_letter(x, 1);
  const pa_contracted *result = &x->contraction.operands[2];
  for (int k = 0; k < result->rank; ++k)
    if (result->letters[k] != x->row && result->letters[k] != x->column) x->loop[x->loop_count++] = result->letters[k];
  note_letters(x);
  if (x->dots + x->loop_count + 2 > PA_MAX_VIEW_RANK)
    return pa_fail_at(PA_CODE_UNSUPPORTED, mlirOperationGetLocation(x->op),
                      "a product of arrays with more than %d dimensions", PA_MAX_VIEW_RANK - 2);
  return PA_OK;
}

// "(m,k),(k,n)->(m,n)"
static const char *core_signature(const expansion *x) {
  const char *text = "";
  for (int i = 0; i < 3; ++i) {
    text = pa_arena_format(x->arena, "%s%s(", text, i == 0 ? "" : i == 1 ? "," : "->");
    for (int k = 0; k < x->contraction.operands[i].rank; ++k)
      text = pa_arena_format(x->arena, "%s%s%c", text, k ? "," : "", x->contraction.operands[i].letters[k]);
    text = pa_arena_format(x->arena, "%s)", text);
  }
  return text;
}

//===-- Emission ----------------------------------------------------------------------------------===//

static MlirAttribute segments(const pa_builder *at, int inputs, int outputs) {
  int32_t sizes[] = {inputs, outputs};
  return mlirDenseI32ArrayGet(at->context, 2, sizes);
}

static void emit_shape(expansion *x, pa_builder *at) {
  int count = x->dots + (int)strlen(x->letters), operands = (int)mlirOperationGetNumOperands(x->op);
  MlirType *types = PA_NEW_ARRAY(x->arena, MlirType, count + 1);
  MlirValue values[3];
  for (int i = 0; i < count; ++i) types[i] = mlirIntegerTypeSignedGet(at->context, 64);
  for (int i = 0; i < operands; ++i) values[i] = operand(x, i);
  MlirOperation shape =
      pa_op(at, PA_OP_NAME(UFUNC_SHAPE), PA_OPERAND_ARRAY(values, operands), PA_RESULT_ARRAY(types, count),
            PA_ATTRS({"signature", pa_string_attr(at->context, core_signature(x))},
                     {"operandSegmentSizes", segments(at, 2, operands - 2)},
                     {"pyarray.name", pa_get_attr(x->op, "pyarray.name")},
                     {"pyarray.mismatch", pa_get_attr(x->op, "pyarray.mismatch")}));
  x->sizes = PA_NEW_ARRAY(x->arena, MlirValue, count + 1);
  for (int i = 0; i < count && !mlirOperationIsNull(shape); ++i) x->sizes[i] = mlirOperationGetResult(shape, i);
}

static MlirValue size_of(const expansion *x, char letter) {
  return x->sizes[x->dots + (int)(strchr(x->letters, letter) - x->letters)];
}

static MlirType view_type(pa_builder *at, MlirValue array, intptr_t rank) {
  MlirType type = mlirValueGetType(array);
  return pa_array_type(at->context, rank, pyarrayArrayTypeGetElement(type), PYARRAY_LAYOUT_A,
                       pyarrayArrayTypeIsReadonly(type));
}

// |array|, of operand |number|, with its dimensions for "...", then those of |loop| that it has, then those of the
// product.
static MlirValue sort_dimensions(expansion *x, pa_builder *at, int number, MlirValue array) {
  const pa_contracted *own = &x->contraction.operands[number];
  char product[3][2] = {{x->row, x->contraction.summed}, {x->contraction.summed, x->column}, {x->row, x->column}};
  int rank = (int)pyarrayArrayTypeGetRank(mlirValueGetType(array)), dots = rank - own->rank, count = 0;
  int64_t axes[PA_MAX_VIEW_RANK];
  bool moved = false;
  for (int d = 0; d < dots; ++d) axes[count++] = d;
  for (int k = 0; k < x->loop_count + 2; ++k) {
    char letter = k < x->loop_count ? x->loop[k] : product[number][k - x->loop_count];
    int place = letter ? pa_contracted_find(own, letter) : -1;
    if (place < 0) continue;
    moved = moved || dots + place != count;
    axes[count++] = dots + place;
  }
  if (!moved) return array;
  return pa_value(at, PA_OP_NAME(TRANSPOSE), PA_OPERANDS(array), PA_RESULTS(view_type(at, array, rank)),
                  PA_ATTRS({"axes", mlirDenseI64ArrayGet(at->context, count, axes)}));
}

// With all loop dimensions.
static MlirValue broadcast(expansion *x, pa_builder *at, int number, MlirValue array) {
  const pa_contracted *own = &x->contraction.operands[number];
  int rank = (int)pyarrayArrayTypeGetRank(mlirValueGetType(array)), dots = rank - own->rank,
      loop = x->dots + x->loop_count;
  int64_t missing[PA_MAX_VIEW_RANK];
  int count = 0, shared = 0;
  for (int k = 0; k < x->loop_count; ++k)
    if (pa_contracted_find(own, x->loop[k]) < 0)
      missing[count++] = dots + k;
    else
      ++shared;
  if (dots == x->dots && !x->dots && !count) return array;
  int core = own->rank - shared;
  if (count)
    array = pa_value(at, PA_OP_NAME(INSERT_AXES), PA_OPERANDS(array), PA_RESULTS(view_type(at, array, rank + count)),
                     PA_ATTRS({"axes", mlirDenseI64ArrayGet(at->context, count, missing)}));
  MlirValue operands[PA_MAX_VIEW_RANK + 1];
  operands[0] = array;
  for (int d = 0; d < x->dots; ++d) operands[1 + d] = x->sizes[d];
  for (int k = 0; k < x->loop_count; ++k) operands[1 + x->dots + k] = size_of(x, x->loop[k]);
  if (pa_failed(at)) return array;
  return pa_value(at, PA_OP_NAME(BROADCAST_TO), PA_OPERAND_ARRAY(operands, loop + 1),
                  PA_RESULTS(view_type(at, array, loop + core)));
}

// The text of the product.
static const char *product_text(const expansion *x) {
  const char *dots = x->dots + x->loop_count ? "..." : "";
  char row[2] = {x->row}, column[2] = {x->column};
  return pa_arena_format(x->arena, "%s%s%c,%s%c%s->%s%s%s", dots, row, x->contraction.summed, dots,
                         x->contraction.summed, column, dots, row, column);
}

static MlirValue new_output(expansion *x, pa_builder *at, MlirType type) {
  const pa_contracted *result = &x->contraction.operands[2];
  MlirValue extents[PA_MAX_VIEW_RANK];
  for (int d = 0; d < x->dots; ++d) extents[d] = x->sizes[d];
  for (int k = 0; k < result->rank; ++k) extents[x->dots + k] = size_of(x, result->letters[k]);
  return pa_value(at, PA_OP_NAME(BUILTIN), PA_OPERAND_ARRAY(extents, x->dots + result->rank), PA_RESULTS(type),
                  PA_ATTRS({"name", pa_string_attr(at->context, "numpy.empty")}));
}

// Into |output|; where that is null the result is a number.
static MlirValue emit_product(expansion *x, pa_builder *at, MlirValue output) {
  bool given = !mlirValueIsNull(output);
  MlirValue operands[3];
  for (int i = 0; i < 2; ++i) operands[i] = broadcast(x, at, i, sort_dimensions(x, at, i, operand(x, i)));
  if (given) operands[2] = sort_dimensions(x, at, 2, output);
  if (pa_failed(at)) return output;
  MlirType number = given ? (MlirType){NULL} : mlirValueGetType(mlirOperationGetResult(x->op, 0));
  MlirOperation product =
      pa_op(at, PA_OP_NAME(CONTRACT), PA_OPERAND_ARRAY(operands, 2 + given), PA_RESULT_ARRAY(&number, given ? 0 : 1),
            PA_ATTRS({"contraction", pa_string_attr(at->context, product_text(x))},
                     {"operandSegmentSizes", segments(at, 2, given)}, {"expanded", pa_unit_attr(at->context)}));
  return given || mlirOperationIsNull(product) ? output : mlirOperationGetResult(product, 0);
}

// Where the output shares memory with an input, into memory of its own, then stored.
static void emit_into_given(expansion *x, pa_builder *at) {
  MlirValue output = operand(x, 2), operands[] = {operand(x, 0), operand(x, 1), output};
  MlirType type = mlirValueGetType(output);
  bool in_kernel = pa_is_in_kernel(&x->names, x->op);
  MlirAttribute unit = pa_unit_attr(at->context);
  MlirValue apart = pa_value(at, PA_OP_NAME(INDEPENDENT), PA_OPERAND_ARRAY(operands, 3),
                             PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
                             PA_ATTRS({"operandSegmentSizes", segments(at, 2, 1)}, {"apart", unit},
                                      {"pyarray.required", in_kernel ? unit : mlirAttributeGetNull()}));
  if (in_kernel) { // which has no memory to compute apart in
    emit_product(x, at, output);
    return;
  }
  MlirRegion then, otherwise;
  pa_builder inside = pa_open_branch(at, &then);
  emit_product(x, &inside, output);
  pa_close_branch(at, &inside);
  inside = pa_open_branch(at, &otherwise);
  MlirValue own = new_output(x, &inside,
                             pa_array_type(at->context, pyarrayArrayTypeGetRank(type), pyarrayArrayTypeGetElement(type),
                                           PYARRAY_LAYOUT_C, false));
  if (!pa_failed(&inside)) emit_product(x, &inside, own);
  pa_op(&inside, PA_OP_NAME(SETITEM), PA_OPERANDS(output, own));
  pa_close_branch(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(apart), PA_REGIONS(then, otherwise));
}

//===-- The pass ----------------------------------------------------------------------------------===//

static pa_status expand(expansion *x) {
  PA_TRY(read_contraction(x));
  pa_builder builder = {.context = x->names.context,
                        .location = mlirOperationGetLocation(x->op),
                        .block = mlirOperationGetBlock(x->op),
                        .before = x->op};
  emit_shape(x, &builder);
  if (pa_failed(&builder)) return builder.failure;
  if (is_given(x)) {
    emit_into_given(x, &builder);
  } else {
    MlirValue result = mlirOperationGetResult(x->op, 0), made = {NULL};
    MlirType type = mlirValueGetType(result);
    if (pyarrayTypeIsArray(type)) made = new_output(x, &builder, type);
    if (pa_failed(&builder)) return builder.failure;
    made = emit_product(x, &builder, made);
    if (pa_failed(&builder)) return builder.failure;
    mlirValueReplaceAllUsesOfWith(result, made);
  }
  if (pa_failed(&builder)) return builder.failure;
  mlirOperationDestroy(x->op);
  return PA_OK;
}

static pa_status visit(void *data, MlirOperation op) {
  const expansion *pass = data;
  if (pa_kind(&pass->names, op) != PA_OP_CONTRACT || !mlirAttributeIsNull(pa_get_attr(op, "expanded"))) return PA_OK;
  expansion *x = PA_NEW(pass->arena, expansion);
  *x = (expansion){.arena = pass->arena, .names = pass->names, .op = op};
  return expand(x);
}

static pa_status run(pa_pass_context *context, MlirOperation module) {
  expansion x = {.arena = context->arena};
  pa_names_init(&x.names, context->context);
  return pa_walk(pa_module_body(module), visit, &x);
}

const pa_pass pa_pass_expand_contractions = {
    .argument = "pyarray-expand-contractions",
    .summary = "Make a product of matrices or vectors of every contraction, and its output",
    .dependent_dialects = (const char *const[]){"pyarray", "scf", NULL},
    .run = run,
};
