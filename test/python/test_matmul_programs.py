"""Programs that multiply matrices, on one core and on all, against NumPy."""

import numpy as np
import pytest
from pyarray import njit

N, M = 37, 52


@pytest.fixture(params=[False, True], ids=["serial", "parallel"])
def compiled(request):
    return lambda function: njit(parallel=request.param)(function)


def check(compiled, function, *arguments):
    ours, theirs = compiled(function)(*arguments), function(*arguments)
    for mine, expected in zip(ours, theirs) if isinstance(theirs, tuple) else [(ours, theirs)]:
        np.testing.assert_allclose(mine, expected, rtol=1e-11, atol=1e-11)


def gemm(alpha, a, b, beta, c):
    return alpha * a @ b + beta * c


def gesummv(alpha, beta, a, b, x):
    return alpha * a @ x + beta * b @ x


def mvt(a, x1, x2, y1, y2):
    return x1 + a @ y1, x2 + y2 @ a


def atax(a, x):
    return (a @ x) @ a


def bicg(a, p, r):
    return r @ a, a @ p


def covariance(x):
    n = x.shape[0]
    centred = x - np.ones(n) @ x / n
    return centred.T @ centred / (n - 1)


def power_iteration(a, steps):
    v = np.ones(a.shape[0])
    for _ in range(steps):
        w = a @ v
        v = w / np.sqrt(w @ w)
    return v @ (a @ v)


def logistic_regression(x, y, rate, steps):
    w = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(x @ w)))
        w -= rate * ((p - y) @ x)
    return w


def kalman(z, f, h, q, r):
    x = np.zeros(f.shape[0])
    p = np.zeros(f.shape)
    for i in range(f.shape[0]):
        p[i, i] = 1.0
    for k in range(len(z)):
        x = f @ x
        p = f @ p @ f.T + q
        s = h @ p @ h + r
        gain = p @ h / s
        x += gain * (z[k] - h @ x)
        p -= np.outer(gain, h @ p)
    return x, p


def chain(rotations):
    total = rotations[0]
    for i in range(1, len(rotations)):
        total = total @ rotations[i]
    return total


def data(seed=0):
    return np.random.default_rng(seed)


def test_gemm(compiled):
    rng = data()
    check(compiled, gemm, 1.5, rng.random((N, M)), rng.random((M, 20)), 0.5, rng.random((N, 20)))


def test_gesummv(compiled):
    rng = data()
    check(compiled, gesummv, 1.5, 0.5, rng.random((N, N)), rng.random((N, N)), rng.random(N))


def test_mvt(compiled):
    rng = data()
    check(compiled, mvt, rng.random((N, N)), *(rng.random(N) for _ in range(4)))


def test_atax(compiled):
    rng = data()
    check(compiled, atax, rng.random((N, M)), rng.random(M))


def test_bicg(compiled):
    rng = data()
    check(compiled, bicg, rng.random((N, M)), rng.random(M), rng.random(N))


def test_covariance(compiled):
    check(compiled, covariance, data().random((200, 8)))


def test_power_iteration(compiled):
    a = data().random((N, N))
    check(compiled, power_iteration, a + a.T, 50)


def test_logistic_regression(compiled):
    rng = data()
    check(compiled, logistic_regression, rng.standard_normal((100, 5)), rng.integers(0, 2, 100) * 1.0, 0.01, 30)


def test_kalman(compiled):
    f = np.array([[1.0, 0.1], [0.0, 1.0]])
    check(compiled, kalman, data().random(50), f, np.array([1.0, 0.0]), 0.01 * np.eye(2), 0.1)


def test_chain_of_small_matrices(compiled):
    angles = data().random(30)
    rotations = np.array([[[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]] for t in angles])
    check(compiled, chain, rotations)
