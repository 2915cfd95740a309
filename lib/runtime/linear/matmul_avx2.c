// Products of matrices for CPUs with AVX2 and FMA. Built for them, so nothing here may be called on others.
#define PA_LOOPS pa_matmul_avx2
#define PA_VECTOR 32
#include "matmul_loops.h"
