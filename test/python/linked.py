"""CUDA C++ that the tests of linking call."""

TWICE = r"""
extern "C" __device__ int twice(float *result, float x)
{
    *result = 2 * x;
    return 0;
}
"""

ALL = (
    TWICE
    + r"""
struct point { float x; short y; };

extern "C" __device__ int fails(int *result, int x) { *result = 1; return x; }
extern "C" __device__ int nothing(void *, int *where, int x) { *where = x; return 0; }
extern "C" __device__ int sum(double *result, const double *x, long long n)
{
    *result = 0;
    for (long long i = 0; i < n; ++i) *result += x[i];
    return 0;
}
extern "C" __device__ int swap(float *result, float re, float im) { result[0] = im; result[1] = re; return 0; }
extern "C" __device__ int move(void *, point *p, float by) { p->x += by; ++p->y; return 0; }
extern "C" __device__ double half(double x) { return x / 2; }
extern "C" __device__ void store(long long *where, long long x) { *where = x; }
extern "C" __device__ bool is_odd(signed char x) { return x & 1; }
extern "C" __device__ unsigned char narrow(bool a, short b, unsigned char c) { return a + b + c; }
extern "C" __device__ double *after(double *x, int n) { return x + n; }
static __device__ double helper(double x) { return sqrt(x) + sin(0.0); }
extern "C" __device__ double root(double x) { return helper(x); }
"""
)
