// The kernels of kernels.py in CUDA C++, as nvcc -O3 compiles them: what ours are measured against.
#include <stdint.h>

#define TILE 16
#define BLOCK 256

extern "C" __global__ void vector_add(const float *x, const float *y, float *out, int64_t n) {
  int64_t start = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, step = gridDim.x * (int64_t)blockDim.x;
  for (int64_t i = start; i < n; i += step) out[i] = x[i] + y[i];
}

extern "C" __global__ void transpose(const float *a, float *out, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (y + j < rows && x < columns) tile[threadIdx.y + j][threadIdx.x] = a[(int64_t)(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (y + j < columns && x < rows) out[(int64_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void reduce(const float *x, float *out, int64_t n) {
  __shared__ float partial[BLOCK];
  int t = threadIdx.x;
  float sum = 0;
  for (int64_t i = blockIdx.x * (int64_t)BLOCK + t; i < n; i += (int64_t)BLOCK * gridDim.x) sum += x[i];
  partial[t] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, partial[0]);
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n / TILE; ++k) {
    ta[threadIdx.y][threadIdx.x] = a[(int64_t)y * n + k * TILE + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(int64_t)(k * TILE + threadIdx.y) * n + x];
    __syncthreads();
    for (int j = 0; j < TILE; ++j) sum += ta[threadIdx.y][j] * tb[j][threadIdx.x];
    __syncthreads();
  }
  c[(int64_t)y * n + x] = sum;
}

__device__ float normal_cdf(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float value = 0.39894228f * expf(-0.5f * d * d) *
                (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - value : value;
}

extern "C" __global__ void black_scholes(const float *price, const float *strike, const float *years, float *call,
                                         float *put, float rate, float volatility, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
  float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root, c1 = normal_cdf(d1), c2 = normal_cdf(d2), discount = expf(-rate * t);
  call[i] = s * c1 - x * discount * c2;
  put[i] = x * discount * (1.0f - c2) - s * (1.0f - c1);
}

extern "C" __global__ void mandelbrot(int32_t *out, int width, int height, double left, double top, double step,
                                      int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double cr = left + x * step, ci = top - y * step, zr = 0, zi = 0;
  int count = 0;
  while (count < limit && zr * zr + zi * zi <= 4.0) {
    double next = zr * zr - zi * zi + cr;
    zi = 2.0 * zr * zi + ci;
    zr = next;
    ++count;
  }
  out[(int64_t)y * width + x] = count;
}

extern "C" __global__ void nothing(void) {}
