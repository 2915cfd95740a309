#include "pyarray-c/Engine.h"

#include "runtime.h"
#include "vector_math.h"

static void add(MlirExecutionEngine engine, const char *name, void *address) {
  mlirExecutionEngineRegisterSymbol(engine, mlirStringRefCreateFromCString(name), address);
}

void pyarrayRegisterRuntimeSymbols(MlirExecutionEngine engine) {
#define PA_RUNTIME(name, result, parameters) add(engine, #name, pa_runtime_lookup(#name));
#define PA_DEVICE_RUNTIME(name, result, parameters) // of kernels
#include "runtime.def"
#undef PA_RUNTIME
  static const pa_vector_symbol *const tables[] = {pa_vectors_sse2,     pa_vectors_avx2,     pa_vectors_avx512,
                                                   pa_vectors_sse2_f32, pa_vectors_avx2_f32, pa_vectors_avx512_f32};
  for (int i = 0; i < 6; ++i)
    for (const pa_vector_symbol *row = tables[i]; row->name; ++row)
      add(engine, row->name, pa_vector_math_lookup(row->name));
}
