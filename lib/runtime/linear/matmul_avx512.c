// Products of matrices for CPUs with AVX-512 (F, BW, DQ, VL). Built for them, so nothing here may be called on others.
#define PA_LOOPS pa_matmul_avx512
#define PA_VECTOR 64
#include "matmul_loops.h"
