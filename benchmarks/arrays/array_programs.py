"""Programs on whole arrays, as people write them for NumPy.

Each is a plain function, which NumPy runs as it stands and a decorator compiles. PROGRAMS maps a name to (function,
inputs): `inputs(scale)` makes its arguments, anew at each call since some programs write to them; scale 1 is the size
that is measured, smaller ones are for tests.
"""

import math

import analysis_programs
import data_programs
import grid_programs
import learning_programs
import matrix_programs
import numpy as np
from program_inputs import rng, size, square, vectors

__all__ = ["PROGRAMS"]

# -- Rows and columns


def softmax(x):
    e = np.exp(x - x.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def layer_norm(x, weight, bias):
    mean = x.mean(axis=1)[:, None]
    var = ((x - mean) ** 2).mean(axis=1)[:, None]
    return (x - mean) / np.sqrt(var + 1e-5) * weight + bias


def standardise(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def moving_mean(x, width):
    total = np.cumsum(x)
    out = np.empty(x.size - width + 1)
    out[0] = total[width - 1]
    out[1:] = total[width:] - total[:-width]
    return out / width


# -- Stencils


def heat(u, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] += 0.1 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return u


def jacobi(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
    return a


def hdiff(in_field, coeff):
    lap = 4.0 * in_field[1:-1, 1:-1, :] - (
        in_field[2:, 1:-1, :] + in_field[:-2, 1:-1, :] + in_field[1:-1, 2:, :] + in_field[1:-1, :-2, :]
    )
    flux_x = lap[1:, 1:-1, :] - lap[:-1, 1:-1, :]
    flux_x = np.where(flux_x * (in_field[2:-1, 2:-2, :] - in_field[1:-2, 2:-2, :]) > 0, 0.0, flux_x)
    flux_y = lap[1:-1, 1:, :] - lap[1:-1, :-1, :]
    flux_y = np.where(flux_y * (in_field[2:-2, 2:-1, :] - in_field[2:-2, 1:-2, :]) > 0, 0.0, flux_y)
    change = flux_x[1:, :, :] - flux_x[:-1, :, :] + flux_y[:, 1:, :] - flux_y[:, :-1, :]
    return in_field[2:-2, 2:-2, :] - coeff * change


# -- Long expressions


def black_scholes(price, strike, years, rate, volatility):
    root = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root
    d2 = d1 - root
    k = 1.0 / (1.0 + 0.2316419 * np.abs(d1))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.3989422804014327 * np.exp(-0.5 * d1 * d1) * poly
    cdf1 = np.where(d1 > 0, 1.0 - tail, tail)
    k = 1.0 / (1.0 + 0.2316419 * np.abs(d2))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.3989422804014327 * np.exp(-0.5 * d2 * d2) * poly
    cdf2 = np.where(d2 > 0, 1.0 - tail, tail)
    discounted = strike * np.exp(-rate * years)
    call = price * cdf1 - discounted * cdf2
    put = discounted * (1.0 - cdf2) - price * (1.0 - cdf1)
    return call, put


def pricer(paths, dt, drift, volatility, noise):
    c1 = drift * dt
    c2 = volatility * np.sqrt(dt)
    for j in range(1, paths.shape[1]):
        paths[:, j] = paths[:, j - 1] * np.exp(c1 + c2 * noise[:, j])
    return paths[:, -1].mean()


def haversine(lat, lon):
    dlat = lat[:, None] - lat[None, :]
    dlon = lon[:, None] - lon[None, :]
    a = np.sin(dlat / 2) ** 2 + np.cos(lat)[:, None] * np.cos(lat)[None, :] * np.sin(dlon / 2) ** 2
    return 2 * 6371.0 * np.arcsin(np.sqrt(a))


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def expression(a, b, c, d):
    x = a * b + c
    y = x * 2.0 - d
    z = y * y + x
    return z / (1.0 + y * y)


def plus_transposed(m):
    return m + m.T * 2


# -- Physics, learning


def nbody(pos, mass):
    delta = pos[None, :, :] - pos[:, None, :]
    distance = (delta**2).sum(axis=2) + 0.01
    weight = mass[None, :] / (distance * np.sqrt(distance))
    return (delta * weight[:, :, None]).sum(axis=1)


def kmeans(points, centres, steps):
    labels = np.zeros(points.shape[0], np.int64)
    for _ in range(steps):
        distance = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        labels = distance.argmin(axis=1)
        for k in range(centres.shape[0]):
            chosen = labels == k
            count = chosen.sum()
            if count > 0:
                centres[k] = np.where(chosen[:, None], points, 0.0).sum(axis=0) / count
    return centres, labels


def logistic_regression(x, y, steps):
    w = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-(x @ w)))
        w -= 0.1 * (x.T @ (p - y)) / y.size
    return w


def pca(x, steps):
    centred = x - x.mean(axis=0)
    cov = centred.T @ centred / (x.shape[0] - 1)
    v = np.ones(x.shape[1])
    for _ in range(steps):
        v = cov @ v
        v /= np.sqrt((v * v).sum())
    return v, v @ cov @ v


def kalman(z, q, r):
    x = np.zeros(2)
    p = np.eye(2)
    f = np.array([[1.0, 1.0], [0.0, 1.0]])
    out = np.empty(z.size)
    for i in range(z.size):
        x = f @ x
        p = f @ p @ f.T + q * np.eye(2)
        s = p[0, 0] + r
        gain = p[:, 0] / s
        x = x + gain * (z[i] - x[0])
        p = p - np.outer(gain, p[0])
        out[i] = x[0]
    return out


# -- Matrices


def floyd_warshall(path):
    for k in range(path.shape[0]):
        for i in range(path.shape[0]):
            path[i] = np.minimum(path[i], path[i, k] + path[k])
    return path


def lu(a):
    n = a.shape[0]
    for k in range(n - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k][:, None] * a[k, k + 1 :][None, :]
    return a


def lu_dots(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            a[i, j] -= a[i, :i] @ a[:i, j]
    return a


def correlation(data):
    mean = data.mean(axis=0)
    stddev = data.std(axis=0)
    stddev = np.where(stddev <= 0.1, 1.0, stddev)
    centred = (data - mean) / (np.sqrt(data.shape[0]) * stddev)
    return centred.T @ centred


def covariance(data):
    centred = data - data.mean(axis=0)
    return centred.T @ centred / (data.shape[0] - 1.0)


def gemm(alpha, beta, c, a, b):
    return alpha * a @ b + beta * c


def product(a, b):
    return a @ b


def products_in_a_loop(a, b):
    total = np.zeros(a.shape[1:])
    for i in range(a.shape[0]):
        total += a[i] @ b[i]
    return total


def gesummv(alpha, beta, a, b, x):
    return alpha * a @ x + beta * b @ x


def mvt(x1, x2, y1, y2, a):
    x1 += a @ y1
    x2 += y2 @ a
    return x1, x2


def atax(a, x):
    return (a @ x) @ a


def bicg(a, p, r):
    return r @ a, a @ p


# -- Small ones


def small_vectors(n):
    total = 0.0
    for i in range(n):
        p = np.array([1.0 * i, 2.0, 3.0])
        q = np.zeros(3)
        q += p * 0.5
        total += (p * q).sum()
    return total


def dot_of_products(x, y):
    return (x * y).sum()


def distance(x, y):
    return np.sqrt(((x - y) ** 2).sum())


def count_both(x, y):
    return ((x > 0.25) & (y < 0.5)).sum()


def lu_input(scale):
    a = square(200, scale)
    return (a + a.shape[0] * np.eye(a.shape[0]),)


def options(scale):
    r, n = rng(), size(500_000, scale)
    return 10 + 40 * r.random(n), 10 + 40 * r.random(n), 0.1 + 2 * r.random(n), 0.05, 0.3


def walks(scale):
    n, steps = size(20_000, scale), size(50, math.sqrt(scale))
    paths = np.full((n, steps), 100.0)
    return paths, 1 / 252, 0.05, 0.2, rng().standard_normal((n, steps))


def clusters(scale):
    r, n = rng(), size(5000, scale)
    return r.random((n, 4)), r.random((8, 4)), 5


def labelled(scale):
    r, n = rng(), size(5000, scale)
    x = r.standard_normal((n, 10))
    return x, (x[:, 0] > 0.2).astype(np.float64), 20


PROGRAMS = {
    "softmax": (softmax, lambda s: (4 * square(1000, s),)),
    "layer_norm": (layer_norm, lambda s: (square(1000, s), *vectors(2, 1000, s))),
    "standardise": (standardise, lambda s: (square(1000, s),)),
    "moving_mean": (moving_mean, lambda s: (*vectors(1, 1_000_000, s), 3)),
    "heat": (heat, lambda s: (square(500, s), 10)),
    "jacobi": (jacobi, lambda s: (square(500, s), square(500, s), 5)),
    "hdiff": (hdiff, lambda s: (rng().random((size(68, s), size(68, s), 60)), 0.1)),
    "black_scholes": (black_scholes, options),
    "pricer": (pricer, walks),
    "haversine": (haversine, lambda s: vectors(2, 600, s)),
    "go_fast": (go_fast, lambda s: (square(1000, s),)),
    "expression": (expression, lambda s: vectors(4, 1_000_000, s)),
    "plus_transposed": (plus_transposed, lambda s: (square(1024, s),)),
    "nbody": (nbody, lambda s: (rng().random((size(200, s), 3)), *vectors(1, 200, s))),
    "kmeans": (kmeans, clusters),
    "logistic_regression": (logistic_regression, labelled),
    "pca": (pca, lambda s: (rng().random((size(2000, s), 20)), 20)),
    "kalman": (kalman, lambda s: (*vectors(1, 2000, s), 0.01, 0.5)),
    "floyd_warshall": (floyd_warshall, lambda s: (10 * square(150, s),)),
    "lu": (lu, lu_input),
    "lu_dots": (lu_dots, lu_input),
    "correlation": (correlation, lambda s: (rng().random((size(1200, s), size(200, s))),)),
    "covariance": (covariance, lambda s: (rng().random((size(1200, s), size(200, s))),)),
    "gemm": (gemm, lambda s: (1.5, 1.2, square(300, s), square(300, s), square(300, s))),
    "matmul": (product, lambda s: (square(512, s), square(512, s))),
    "matmul_4": (product, lambda s: (rng().random((size(1000, s), 4, 4)), rng().random((size(1000, s), 4, 4)))),
    "matmul_8": (product, lambda s: (rng().random((size(250, s), 8, 8)), rng().random((size(250, s), 8, 8)))),
    "matmul_16": (product, lambda s: (rng().random((size(60, s), 16, 16)), rng().random((size(60, s), 16, 16)))),
    "matmul_each_4": (
        products_in_a_loop,
        lambda s: (rng().random((size(1000, s), 4, 4)), rng().random((size(1000, s), 4, 4))),
    ),
    "gesummv": (gesummv, lambda s: (1.5, 1.2, square(1000, s), square(1000, s), *vectors(1, 1000, s))),
    "mvt": (mvt, lambda s: (*vectors(4, 1000, s), square(1000, s))),
    "atax": (atax, lambda s: (square(1000, s), *vectors(1, 1000, s))),
    "bicg": (bicg, lambda s: (square(1000, s), *vectors(2, 1000, s))),
    "small_vectors": (small_vectors, lambda s: (size(10_000, s),)),
    "dot_of_products": (dot_of_products, lambda s: vectors(2, 1_000_000, s)),
    "distance": (distance, lambda s: vectors(2, 1_000_000, s)),
    "count_both": (count_both, lambda s: vectors(2, 1_000_000, s)),
}
for part in (grid_programs, matrix_programs, learning_programs, data_programs, analysis_programs):
    PROGRAMS |= part.PROGRAMS
