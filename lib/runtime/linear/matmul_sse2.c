// Products of matrices for every x86-64 processor.
#define PA_LOOPS pa_matmul_sse2
#define PA_VECTOR 16
#include "matmul_loops.h"
