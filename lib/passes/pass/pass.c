#include "pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"
#include "support/stop.h"

//===-- Options -----------------------------------------------------------------------------------===//

static const pa_option_value *option_value(const pa_pass_context *context, const char *name, pa_option_kind kind) {
  const pa_pass_option *options = context->pass->options;
  for (int i = 0; options && options[i].name; i++)
    if (strcmp(options[i].name, name) == 0 && options[i].kind == kind) return &context->values[i];
  fprintf(stderr, "pyarray: pass %s reads option '%s', which it does not declare\n", context->pass->argument, name);
  abort();
}

bool pa_pass_option_bool(const pa_pass_context *context, const char *name) {
  return option_value(context, name, PA_OPTION_BOOL)->boolean;
}

int64_t pa_pass_option_int(const pa_pass_context *context, const char *name) {
  return option_value(context, name, PA_OPTION_INT)->integer;
}

const char *pa_pass_option_string(const pa_pass_context *context, const char *name) {
  return option_value(context, name, PA_OPTION_STRING)->string;
}

//===-- Running -----------------------------------------------------------------------------------===//

static _Thread_local pa_status *failure_sink;

pa_status *pa_pass_capture_failure(pa_status *sink) {
  pa_status *before = failure_sink;
  failure_sink = sink;
  return before;
}

pa_status pa_pass_reported(void) { return pa_fail(PA_CODE_INVALID, NULL, "%s", ""); }

static MlirLocation diagnostic_location(const pa_location *place, MlirOperation module) {
  if (!place->file) return mlirOperationGetLocation(module);
  return mlirLocationFileLineColGet(mlirOperationGetContext(module), mlirStringRefCreateFromCString(place->file),
                                    (unsigned)place->line, (unsigned)place->column);
}

static void report(pa_status failure, MlirOperation module) {
  for (; failure && *pa_status_message(failure); failure = pa_status_next(failure))
    mlirEmitError(diagnostic_location(pa_status_location(failure), module), pa_status_message(failure));
}

typedef struct execution {
  pa_pass_context context;
  MlirOperation module;
} execution;

static pa_status execute(void *data) {
  execution *e = data;
  return e->context.pass->run(&e->context, e->module);
}

bool pa_pass_execute(const pa_pass *pass, const pa_option_value *values, MlirOperation module) {
  pa_arena arena;
  pa_arena_init(&arena);
  execution e = {{mlirOperationGetContext(module), &arena, pass, values}, module};
  bool left;
  pa_status failure = pa_check_stop();
  if (!failure) failure = pa_attempt(execute, &e, &left);
  pa_arena_free(&arena);
  if (!failure) return true;
  if (failure_sink && !*failure_sink) {
    *failure_sink = failure;
  } else {
    report(failure, module);
    pa_status_free(failure);
  }
  return false;
}
