// cuRAND's device functions from a kernel in CUDA C++: what examples/seeds/count_low_bits_native.py does from Python.
//   count_low_bits <threads> <numbers in a launch> <launches> <file>: the counts and the states' words go to the file; prints milliseconds of a launch.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <curand_kernel.h>

__global__ void set_up(curandState *states, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) curand_init(1234, i, 0, &states[i]);
}

__global__ void count_low_bits(curandState *states, int count, int samples, long long *results)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    long long found = 0;
    for (int k = 0; k < samples; ++k) found += curand(&states[i]) & 1;
    results[i] += found;
}

static void check(cudaError_t result)
{
    if (result != cudaSuccess) exit((fprintf(stderr, "%s\n", cudaGetErrorString(result)), 1));
}

int main(int count, char **arguments)
{
    if (count < 5) return 1;
    int threads = atoi(arguments[1]), samples = atoi(arguments[2]), launches = atoi(arguments[3]), blocks = (threads + 63) / 64;
    curandState *states;
    long long *results;
    check(cudaMalloc(&states, threads * sizeof *states));
    check(cudaMalloc(&results, threads * sizeof *results));
    check(cudaMemset(results, 0, threads * sizeof *results));
    set_up<<<blocks, 64>>>(states, threads);
    cudaEvent_t start, end;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    float best = 1e9;
    for (int i = 0; i < launches; ++i) {
        float milliseconds;
        check(cudaEventRecord(start));
        count_low_bits<<<blocks, 64>>>(states, threads, samples, results);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&milliseconds, start, end));
        if (milliseconds < best) best = milliseconds;
    }
    std::vector<long long> counts(threads);
    std::vector<curandState> left(threads);
    check(cudaMemcpy(counts.data(), results, threads * sizeof *results, cudaMemcpyDeviceToHost));
    check(cudaMemcpy(left.data(), states, threads * sizeof *states, cudaMemcpyDeviceToHost));
    FILE *file = fopen(arguments[4], "wb");
    fwrite(counts.data(), sizeof counts[0], counts.size(), file);
    for (const curandState &state : left) fwrite(state.v, sizeof state.v, 1, file);
    fclose(file);
    printf("%.6f\n", best);
}
