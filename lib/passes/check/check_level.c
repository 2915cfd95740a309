// Of the passes that check a level: walking and reporting.
#include "check_level.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct walk {
  pa_level_check *check;
  pa_level_rule rule;
} walk;

static MlirWalkResult visit(MlirOperation op, void *data) {
  walk *w = data;
  w->rule(w->check, op, pa_kind(&w->check->names, op));
  return MlirWalkResultAdvance;
}

pa_status pa_check_level(pa_arena *arena, MlirOperation module, pa_level_rule rule) {
  pa_level_check check = {.arena = arena};
  walk w = {&check, rule};
  pa_names_init(&check.names, mlirOperationGetContext(module));
  mlirOperationWalk(module, visit, &w, MlirWalkPreOrder);
  return check.failure;
}

void pa_level_error(pa_level_check *check, MlirOperation op, const char *format, ...) {
  enum { MOST = 20 };
  if (check->errors++ >= MOST) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  pa_status error =
      pa_fail_at(PA_CODE_INVALID, mlirOperationGetLocation(op), "'%.*s' %s", (int)name.length, name.data, text);
  check->failure = check->failure ? pa_status_join(check->failure, error) : error;
}

MlirStringRef pa_dialect_name(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const char *dot = memchr(name.data, '.', name.length);
  return mlirStringRefCreate(name.data, dot ? (size_t)(dot - name.data) : name.length);
}

//===-- Types -------------------------------------------------------------------------------------===//

// The types that a type is made of, one level deep.
static bool holds(MlirType type, pa_type_test test) {
  if (test(type)) return true;
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      if (holds(mlirTupleTypeGetType(type, i), test)) return true;
    return false;
  }
  if (pyarrayTypeIsDict(type))
    return holds(pyarrayTypeGetItem(type), test) || holds(pyarrayDictTypeGetValue(type), test);
  if (pyarrayTypeIsVariable(type)) return holds(pyarrayVariableTypeGetItem(type), test);
  bool holder = pyarrayTypeIsList(type) || pyarrayTypeIsSet(type) || pyarrayTypeIsOptional(type) ||
                pyarrayTypeIsCell(type) || pyarrayTypeIsGenerator(type);
  return holder && holds(pyarrayTypeGetItem(type), test);
}

MlirType pa_find_type(MlirOperation op, pa_type_test test) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (holds(mlirValueGetType(mlirOperationGetOperand(op, i)), test))
      return mlirValueGetType(mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (holds(mlirValueGetType(mlirOperationGetResult(op, i)), test))
      return mlirValueGetType(mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = pa_body(op, r); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        if (holds(mlirValueGetType(mlirBlockGetArgument(block, i)), test))
          return mlirValueGetType(mlirBlockGetArgument(block, i));
  return (MlirType){NULL};
}

const char *pa_type_spelled(pa_level_check *check, MlirType type) {
  pa_string text = {0};
  mlirTypePrint(type, pa_append_text, &text);
  const char *copy = pa_arena_copy(check->arena, pa_string_text(&text), text.length);
  pa_string_free(&text);
  return copy;
}
