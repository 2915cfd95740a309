// Upstream's drivers of tools, and what pyarray's tools need of pass managers.
#ifndef PYARRAY_C_DRIVERS_H
#define PYARRAY_C_DRIVERS_H

#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

// An option that does one thing in place of reading a file.
typedef struct pyarray_opt_action {
  const char *option, *help; // NULL ends a list
  void (*run)(void);
} pyarray_opt_action;

typedef struct pyarray_opt_driver {
  const char *version;               // a line
  const pyarray_opt_action *actions; // besides those of mlir-opt
  // For each module, when the manager has the passes that the options name.
  MlirLogicalResult (*set_up)(MlirPassManager manager);
} pyarray_opt_driver;

// mlir-opt with pyarray's dialects; passes are those that are registered. Returns the exit code.
int pyarrayOptMain(int count, char **arguments, const pyarray_opt_driver *driver);

// Gives |manager| elements of a textual pipeline in place of its passes. What is wrong is written to |error|.
MlirLogicalResult pyarrayReplacePasses(MlirPassManager manager, const char *passes, MlirStringCallback error,
                                       void *error_data);

// Pipelines of which a module decides what it needs. All is called with the value of the pass's one option.
typedef struct pyarray_planner {
  const char *argument, *summary, *option, *help;
  // Elements of a textual pipeline: all that may be run. NULL: there is no such pipeline.
  const char *(*all)(const char *name);
  // Those to run on |module|; "" for none. Valid until |end|, which follows on the same thread.
  const char *(*begin)(const char *name, MlirOperation module);
  void (*end)(void);
} pyarray_planner;

// Registers a pass that runs them, "--ARGUMENT=NAME" as an option, "ARGUMENT{OPTION=NAME}" in a pipeline. |planner|
// must live as long as the process.
void pyarrayRegisterPlanner(const pyarray_planner *planner);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_DRIVERS_H
