// Of pyarray-split-grid: what the words of reductions mean, and the memory in which the parts of a loop keep what they
// have.
#include <string.h>

#include "split_internal.h"

//===-- Words -------------------------------------------------------------------------------------===//

static bool is_kind(const char *kind, const char *text) { return strcmp(kind, text) == 0; }

// Combining the initial value again changes nothing.
static bool is_idempotent(const char *kind) {
  return !is_kind(kind, "add") && !is_kind(kind, "mul") && !is_kind(kind, "xor") && !is_kind(kind, "nat_add");
}

static MlirValue constant(pa_builder *at, MlirType type, double value) {
  if (mlirTypeIsAFloat(type)) return pa_constant_float(at, type, value);
  if (!mlirTypeIsAComplex(type)) return pa_constant_int(at, type, (int64_t)value);
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirAttribute parts[] = {mlirFloatAttrDoubleGet(at->context, part, value),
                           mlirFloatAttrDoubleGet(at->context, part, value == 1 ? 0.0 : value)};
  return pa_value(at, "complex.constant", PA_RESULTS(type),
                  PA_ATTRS({"value", mlirArrayAttrGet(at->context, 2, parts)}));
}

// -0.0 + x is x for every x, 0.0 + -0.0 is not.
MlirValue pa_neutral(pa_builder *at, const char *kind, MlirType type, MlirValue init) {
  if (is_idempotent(kind)) return init;
  return constant(at, type, is_kind(kind, "mul") ? 1.0 : -0.0);
}

static MlirValue compare(pa_builder *at, const char *name, int64_t predicate, MlirValue a, MlirValue b) {
  return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirIntegerTypeGet(at->context, 1)),
                  PA_ATTRS({"predicate", pa_i64_attr(at->context, predicate)}));
}

// Python's min and max: the later value, where it compares less or greater.
static MlirValue select_extreme(pa_builder *at, const char *kind, MlirType type, MlirValue a, MlirValue b) {
  enum { OGT = 2, OLT = 4, SLT = 2, SGT = 4, ULT = 6, UGT = 8 }; // predicates of arith
  bool greater = strstr(kind, "max") != NULL;
  MlirValue better;
  if (mlirTypeIsAFloat(type))
    better = compare(at, "arith.cmpf", greater ? OGT : OLT, b, a);
  else
    better = compare(at, "arith.cmpi", *kind == 'u' ? (greater ? UGT : ULT) : (greater ? SGT : SLT), b, a);
  return pa_value(at, "arith.select", PA_OPERANDS(better, b, a), PA_RESULTS(type));
}

static MlirValue or_nat(pa_builder *at, MlirType type, MlirValue tested, MlirValue nat, MlirValue then,
                        MlirValue otherwise) {
  MlirValue unknown = compare(at, "arith.cmpi", 0, tested, nat);
  return pa_value(at, "arith.select", PA_OPERANDS(unknown, then, otherwise), PA_RESULTS(type));
}

// As pyarray-lower does nat.add, nat.max and nat.min.
static MlirValue combine_times(pa_builder *at, const char *kind, MlirType type, MlirValue a, MlirValue b) {
  MlirValue nat = pa_constant_int(at, type, PA_NAT);
  if (!is_kind(kind, "nat_add")) {
    MlirValue extreme = select_extreme(at, kind, type, a, b);
    return or_nat(at, type, is_kind(kind, "nat_max") ? a : b, nat, a, extreme);
  }
  MlirValue sum = pa_value(at, "arith.addi", PA_OPERANDS(a, b), PA_RESULTS(type));
  return or_nat(at, type, a, nat, nat, or_nat(at, type, b, nat, nat, sum));
}

MlirValue pa_combine(pa_builder *at, const char *kind, MlirType type, MlirValue a, MlirValue b) {
  static const struct {
    const char *kind, *integer, *real, *complex;
  } names[] = {
      {"add", "arith.addi", "arith.addf", "complex.add"},
      {"mul", "arith.muli", "arith.mulf", "complex.mul"},
      {"and", "arith.andi", NULL, NULL},
      {"or", "arith.ori", NULL, NULL},
      {"xor", "arith.xori", NULL, NULL},
      {"fmin", NULL, "arith.minimumf", NULL},
      {"fmax", NULL, "arith.maximumf", NULL},
  };
  if (is_kind(kind, "last")) return b;
  if (strncmp(kind, "nat_", 4) == 0) return combine_times(at, kind, type, a, b);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!is_kind(kind, names[i].kind)) continue;
    const char *name = mlirTypeIsAFloat(type)     ? names[i].real
                       : mlirTypeIsAComplex(type) ? names[i].complex
                                                  : names[i].integer;
    return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(type));
  }
  return select_extreme(at, kind, type, a, b);
}

bool pa_is_reduction(const char *kind, MlirType type) {
  static const char *const kinds[] = {"add",  "mul", "last", "min", "max",     "fmin",    "fmax",   "umin",
                                      "umax", "and", "or",   "xor", "nat_add", "nat_min", "nat_max"};
  size_t i = 0;
  while (i < sizeof kinds / sizeof *kinds && !is_kind(kind, kinds[i])) ++i;
  if (i == sizeof kinds / sizeof *kinds) return false;
  if (mlirTypeIsAInteger(type)) return *kind != 'f';
  return mlirTypeIsAComplex(type) ? i < 3 : mlirTypeIsAFloat(type) && i < 7;
}

//===-- The runtime -------------------------------------------------------------------------------===//

static void declare(pa_splitting *s, pa_builder *at, const char *name, intptr_t count, bool result) {
  if (!mlirOperationIsNull(pa_lookup(s->module, pa_ref(name)))) return;
  MlirType i64 = mlirIntegerTypeGet(at->context, 64), inputs[] = {i64, i64, i64};
  pa_builder builder = *at;
  builder.block = pa_module_body(s->module);
  builder.before = s->function;
  pa_op(&builder, PA_OP_NAME(FUNC), PA_REGIONS(mlirRegionCreate()),
        PA_ATTRS({"sym_name", pa_string_attr(at->context, name)},
                 {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(at->context, count, inputs, result, &i64))},
                 {"sym_visibility", pa_string_attr(at->context, "private")}));
  pa_take_failure(at, &builder);
}

MlirValue pa_call_integers(pa_splitting *s, pa_builder *at, const char *name, MlirValue *operands, intptr_t count) {
  declare(s, at, name, count, true);
  return pa_value(at, PA_OP_NAME(FUNC_CALL), PA_OPERAND_ARRAY(operands, count),
                  PA_RESULTS(mlirIntegerTypeGet(at->context, 64)),
                  PA_ATTRS({"callee", pa_symbol_attr(at->context, name)}));
}

// A slot in the function's first block, from which the error path releases the memory.
static MlirValue owner_slot(pa_splitting *s, pa_builder *at) {
  pa_builder builder = *at;
  builder.block = pa_body(s->function, 0);
  builder.before = mlirBlockGetFirstOperation(builder.block);
  int32_t segments[] = {0, 0};
  MlirType i64 = mlirIntegerTypeGet(at->context, 64),
           type = mlirMemRefTypeContiguousGet(i64, 0, NULL, mlirAttributeGetNull());
  MlirValue slot = pa_value(&builder, "memref.alloca", PA_RESULTS(type),
                            PA_ATTRS({"pyarray.owner_slot", pa_unit_attr(at->context)},
                                     {"operandSegmentSizes", mlirDenseI32ArrayGet(at->context, 2, segments)}));
  MlirValue none = pa_constant_int(&builder, i64, 0);
  pa_op(&builder, "memref.store", PA_OPERANDS(none, slot));
  pa_take_failure(at, &builder);
  return slot;
}

static void raise_without_memory(pa_splitting *s, pa_builder *at, MlirValue address, MlirAttribute site) {
  MlirType i32 = mlirIntegerTypeGet(at->context, 32), i64 = mlirIntegerTypeGet(at->context, 64);
  pa_declare_noreturn(s, at, "pyarray_rt_raise", &i32, 1);
  MlirValue none = compare(at, "arith.cmpi", 0, address, pa_constant_int(at, i64, 0));
  pa_builder inside;
  MlirRegion then = pa_inner_region(at, NULL, 0, &inside);
  MlirValue number = pa_constant_int(&inside, i32, mlirIntegerAttrGetValueInt(site));
  pa_op(&inside, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(number),
        PA_ATTRS({"callee", pa_symbol_attr(at->context, "pyarray_rt_raise")}));
  pa_op(&inside, PA_OP_NAME(SCF_YIELD), PA_OPERAND_ARRAY(NULL, 0));
  pa_take_failure(at, &inside);
  pa_op(at, PA_OP_NAME(SCF_IF), PA_OPERANDS(none), PA_REGIONS(then, mlirRegionCreate()));
}

pa_part_memory pa_allocate_parts(pa_splitting *s, pa_builder *at, MlirValue bytes, MlirAttribute site) {
  pa_part_memory memory = {.slot = owner_slot(s, at)};
  memory.address = pa_call_integers(s, at, "pyarray_rt_allocate", &bytes, 1);
  pa_op(at, "memref.store", PA_OPERANDS(memory.address, memory.slot));
  raise_without_memory(s, at, memory.address, site);
  return memory;
}

void pa_release_parts(pa_splitting *s, pa_builder *at, pa_part_memory memory) {
  declare(s, at, "pyarray_rt_release", 1, false);
  MlirValue none = pa_constant_int(at, mlirIntegerTypeGet(at->context, 64), 0);
  pa_op(at, "memref.store", PA_OPERANDS(none, memory.slot));
  pa_op(at, PA_OP_NAME(FUNC_CALL), PA_OPERANDS(memory.address),
        PA_ATTRS({"callee", pa_symbol_attr(at->context, "pyarray_rt_release")}));
}

bool pa_is_memory_site(MlirAttribute site) { return !mlirAttributeIsNull(site) && mlirAttributeIsAInteger(site); }
