#include "pipeline.h"
const char *pa_llvm_pipeline(int opt_level, bool several) { (void)several; return opt_level ? "default<O3>" : "always-inline"; }
