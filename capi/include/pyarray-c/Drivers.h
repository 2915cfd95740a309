// Upstream's drivers of tools.
#ifndef PYARRAY_C_DRIVERS_H
#define PYARRAY_C_DRIVERS_H

#ifdef __cplusplus
extern "C" {
#endif

// mlir-opt with pyarray's dialects; passes are those that are registered. Returns the exit code.
int pyarrayOptMain(int count, char **arguments);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_C_DRIVERS_H
