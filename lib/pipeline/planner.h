// The pass pyarray-pipeline{name=...}: a pipeline of the compiler, less what the module has been through.
#ifndef PYARRAY_LIB_PIPELINE_PLANNER_H
#define PYARRAY_LIB_PIPELINE_PLANNER_H

#include "mlir-c/IR.h"

// Registers it. Once in a process.
void pa_register_planner(void);

// Behind each pass, of which |op| is what it was run on: while the pass above runs, the module says how far it is.
void pa_planner_note(const char *pass, MlirOperation op, void *unused);

#endif // PYARRAY_LIB_PIPELINE_PLANNER_H
