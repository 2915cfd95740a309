// What the passes that check a level share (check_untyped.c, check_typed.c, check_optimized.c, check_target.c,
// check_llvm.c): a walk over all operations of a module, and one error at the place of each that breaks the level's
// contract (docs/internals.md).
#ifndef PYARRAY_LIB_PASSES_CHECK_LEVEL_H
#define PYARRAY_LIB_PASSES_CHECK_LEVEL_H

#include "ir/ir.h"

typedef struct pa_level_check {
  pa_arena *arena;
  pa_names names;
  pa_status failure; // what was reported
  int errors;
} pa_level_check;

typedef void (*pa_level_rule)(pa_level_check *check, MlirOperation op, pa_op_kind kind);

// Asks |rule| of every operation. Fails with what it reported, if that is anything.
pa_status pa_check_level(pa_arena *arena, MlirOperation module, pa_level_rule rule);

// Reports: "'pyarray.apply' ...".
void pa_level_error(pa_level_check *check, MlirOperation op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The name of the operation's dialect, "scf".
MlirStringRef pa_dialect_name(MlirOperation op);

// The first type among operands, results and block arguments of the operation in which |test| is true of some part;
// null if there is none.
typedef bool (*pa_type_test)(MlirType type);
MlirType pa_find_type(MlirOperation op, pa_type_test test);
const char *pa_type_spelled(pa_level_check *check, MlirType type); // as MLIR prints it

// Shared by levels 2 and 3: an operation of level 1 alone, an untyped or tagged type.
void pa_check_typed_op(pa_level_check *check, MlirOperation op, pa_op_kind kind);

#endif // PYARRAY_LIB_PASSES_CHECK_LEVEL_H
