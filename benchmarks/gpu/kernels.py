"""The kernels of kernels.cu in Python, for any package with Numba's API; and how both are launched.

Each entry of ``kernels(cuda)`` has the same name as the CUDA C++ kernel.
"""

import math

import numpy as np

TILE = 16
BLOCK = 256
TRANSPOSED = 32
PITCH = 33  # of a tile, so that a column is in different banks


def kernels(cuda, float32):
    """Decorated with cuda.jit: a dict of name to kernel."""

    @cuda.jit
    def vector_add(x, y, out):
        start = cuda.grid(1)
        step = cuda.gridsize(1)
        for i in range(start, out.size, step):
            out[i] = x[i] + y[i]

    @cuda.jit
    def transpose(a, out):
        tile = cuda.shared.array((TRANSPOSED, PITCH), float32)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        x = cuda.blockIdx.x * TRANSPOSED + tx
        y = cuda.blockIdx.y * TRANSPOSED + ty
        for j in range(0, TRANSPOSED, 8):
            if y + j < a.shape[0] and x < a.shape[1]:
                tile[ty + j, tx] = a[y + j, x]
        cuda.syncthreads()
        x = cuda.blockIdx.y * TRANSPOSED + tx
        y = cuda.blockIdx.x * TRANSPOSED + ty
        for j in range(0, TRANSPOSED, 8):
            if y + j < a.shape[1] and x < a.shape[0]:
                out[y + j, x] = tile[tx, ty + j]

    @cuda.jit
    def reduce(x, out):
        partial = cuda.shared.array(BLOCK, float32)
        t = cuda.threadIdx.x
        total = float32(0.0)
        for i in range(cuda.blockIdx.x * BLOCK + t, x.size, BLOCK * cuda.gridDim.x):
            total += x[i]
        partial[t] = total
        cuda.syncthreads()
        half = BLOCK // 2
        while half > 0:
            if t < half:
                partial[t] += partial[t + half]
            cuda.syncthreads()
            half //= 2
        if t == 0:
            cuda.atomic.add(out, 0, partial[0])

    @cuda.jit
    def matmul(a, b, c):
        ta = cuda.shared.array((TILE, TILE), float32)
        tb = cuda.shared.array((TILE, TILE), float32)
        x, y = cuda.grid(2)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        total = float32(0.0)
        for k in range(a.shape[1] // TILE):
            ta[ty, tx] = a[y, k * TILE + tx]
            tb[ty, tx] = b[k * TILE + ty, x]
            cuda.syncthreads()
            for j in range(TILE):
                total += ta[ty, j] * tb[j, tx]
            cuda.syncthreads()
        c[y, x] = total

    @cuda.jit(device=True)
    def normal_cdf(d):
        k = float32(1.0) / (float32(1.0) + float32(0.2316419) * abs(d))
        tail = float32(1.781477937) + k * (float32(-1.821255978) + k * float32(1.330274429))
        value = (
            float32(0.39894228)
            * math.exp(float32(-0.5) * d * d)
            * (k * (float32(0.31938153) + k * (float32(-0.356563782) + k * tail)))
        )
        if d > 0:
            return float32(1.0) - value
        return value

    @cuda.jit
    def black_scholes(price, strike, years, call, put, rate, volatility):
        i = cuda.grid(1)
        if i >= price.size:
            return
        s = price[i]
        x = strike[i]
        t = years[i]
        root = math.sqrt(t)
        d1 = (math.log(s / x) + (rate + float32(0.5) * volatility * volatility) * t) / (volatility * root)
        d2 = d1 - volatility * root
        c1 = normal_cdf(d1)
        c2 = normal_cdf(d2)
        discount = math.exp(-rate * t)
        call[i] = s * c1 - x * discount * c2
        put[i] = x * discount * (float32(1.0) - c2) - s * (float32(1.0) - c1)

    @cuda.jit
    def mandelbrot(out, left, top, step, limit):
        x, y = cuda.grid(2)
        if x >= out.shape[1] or y >= out.shape[0]:
            return
        cr = left + x * step
        ci = top - y * step
        zr = 0.0
        zi = 0.0
        count = 0
        while count < limit and zr * zr + zi * zi <= 4.0:
            zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
            count += 1
        out[y, x] = count

    return {f.__name__: f for f in (vector_add, transpose, reduce, matmul, black_scholes, mandelbrot)}


def problems(scale=1):
    """Name to (grid, block, host arguments in Python's order, arguments of CUDA C++ behind those)."""
    random = np.random.default_rng(0)

    def floats(*shape, low=0.0, high=1.0):
        return random.uniform(low, high, shape).astype(np.float32)

    n = 100_000_000 // scale
    x, y = floats(n), floats(n)
    side = 8192 if scale == 1 else 512
    a = floats(side, side)
    m = 3200 if scale == 1 else 320
    b, c = floats(m, m), floats(m, m)
    options = 20_000_000 // scale
    price, strike = floats(options, low=5, high=30), floats(options, low=1, high=100)
    years = floats(options, low=0.25, high=10)
    size = 4096 if scale == 1 else 256
    f4, f8, i4 = np.float32, np.float64, np.int32
    flat = (-(-options // BLOCK),)
    parameters = [f4(0.02), f4(0.3)]
    image = np.zeros((size, size), i4)
    return {
        "vector_add": ((132 * 16,), (BLOCK,), [x, y, np.zeros_like(x)], [np.int64(n)]),
        "transpose": ((side // 32, side // 32), (32, 8), [a, np.zeros_like(a)], [i4(side), i4(side)]),
        "reduce": ((132 * 8,), (BLOCK,), [x, np.zeros(1, f4)], [np.int64(n)]),
        "matmul": ((m // TILE, m // TILE), (TILE, TILE), [b, c, np.zeros_like(b)], [i4(m)]),
        "black_scholes": (
            flat,
            (BLOCK,),
            [price, strike, years, np.zeros_like(price), np.zeros_like(price), *parameters],
            [np.int64(options)],
        ),
        "mandelbrot": ((size // 16, size // 16), (16, 16), [image, f8(-2.0), f8(1.25), f8(2.5 / size), 300], None),
    }
