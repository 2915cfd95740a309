// What kernels in Python call of cuRAND: with the convention of Numba, a status as result and the value through the first pointer.
#include <curand_kernel.h>

extern "C" __device__ int shim_curand_init(void *, unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandState *states,
                                           unsigned long long index)
{
    curand_init(seed, sequence, offset, &states[index]);
    return 0;
}

extern "C" __device__ int shim_curand(unsigned int *result, curandState *states, unsigned long long index)
{
    *result = curand(&states[index]);
    return 0;
}
