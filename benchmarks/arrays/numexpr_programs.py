"""The programs as people write them for numexpr: one expression for what it can compute, NumPy for the rest.

numexpr finds the variables of an expression by their names, among those of its caller.
"""
# ruff: noqa: F841

import numpy as np
from numexpr import evaluate


def softmax(x):
    most = x.max(axis=1)[:, None]
    e = evaluate("exp(x - most)")
    total = e.sum(axis=1)[:, None]
    return evaluate("e / total")


def layer_norm(x, weight, bias):
    mean = x.mean(axis=1)[:, None]
    var = evaluate("sum((x - mean) ** 2, axis=1)")[:, None] / x.shape[1]
    return evaluate("(x - mean) / sqrt(var + 1e-5) * weight + bias")


def standardise(x):
    mean = x.mean(axis=0)
    std = np.sqrt(evaluate("sum((x - mean) ** 2, axis=0)") / len(x))
    return evaluate("(x - mean) / std")


def heat(u, steps):
    for _ in range(steps):
        c, n, s, e, w = u[1:-1, 1:-1], u[2:, 1:-1], u[:-2, 1:-1], u[1:-1, 2:], u[1:-1, :-2]
        u[1:-1, 1:-1] = evaluate("c + 0.1 * (n + s + e + w - 4 * c)")
    return u


def black_scholes(price, strike, years, rate, volatility):
    root = evaluate("volatility * sqrt(years)")
    d1 = evaluate("(log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root")

    def cdf(d):
        k = evaluate("1.0 / (1.0 + 0.2316419 * abs(d))")
        tail = evaluate(
            "0.3989422804014327 * exp(-0.5 * d * d) * k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 "
            "+ k * (-1.821255978 + k * 1.330274429))))"
        )
        return evaluate("where(d > 0, 1.0 - tail, tail)")

    cdf1, cdf2 = cdf(d1), cdf(evaluate("d1 - root"))
    discounted = evaluate("strike * exp(-rate * years)")
    return evaluate("price * cdf1 - discounted * cdf2"), evaluate("discounted * (1.0 - cdf2) - price * (1.0 - cdf1)")


def haversine(lat, lon):
    a, b, c, d = lat[:, None], lat[None, :], lon[:, None], lon[None, :]
    p, q = np.cos(lat)[:, None], np.cos(lat)[None, :]
    return evaluate("2 * 6371.0 * arcsin(sqrt(sin((a - b) / 2) ** 2 + p * q * sin((c - d) / 2) ** 2))")


def go_fast(a):
    trace = np.tanh(np.diagonal(a)).sum()
    return evaluate("a + trace")


def expression(a, b, c, d):
    x = evaluate("a * b + c")
    y = evaluate("x * 2.0 - d")
    return evaluate("(y * y + x) / (1.0 + y * y)")


def plus_transposed(m):
    t = m.T
    return evaluate("m + t * 2")


def dot_of_products(x, y):
    return evaluate("sum(x * y)")


def distance(x, y):
    return np.sqrt(evaluate("sum((x - y) ** 2)"))


def count_both(x, y):
    return np.count_nonzero(evaluate("(x > 0.25) & (y < 0.5)"))
