// What the kernel in jit_linking.py calls. The first parameter is for the result; what is returned is a status, 0 for success.
#include "jit_linking.h"

// The height at x of a damped wave.
extern "C" __device__ int wave(float *result, float x, float frequency)
{
    if (frequency <= 0) return NO_FREQUENCY;
    *result = expf(-DAMPING * x) * cosf(TURN * frequency * x);
    return 0;
}

// The sum of n waves at x; of each, its frequency is in memory.
extern "C" __device__ int waves(float *result, const float *frequencies, int n, float x)
{
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        float height;
        int status = wave(&height, x, frequencies[i]);
        if (status) return status;
        sum += height;
    }
    *result = sum;
    return 0;
}
