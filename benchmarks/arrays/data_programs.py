"""Programs on series, samples, text and graphs."""

import numpy as np
from program_inputs import rng, size, vectors

# -- Selections and counts


def nan_compact(table, values):
    """The rows without NaN, and the values that are none."""
    return table[~np.isnan(table).any(axis=1)], values[~np.isnan(values)]


def mask_histogram(x, edges):
    counts = np.zeros(edges.size - 1, np.int64)
    for i in range(counts.size):
        counts[i] = ((x >= edges[i]) & (x < edges[i + 1])).sum()
    return counts


def azimint(data, radius, rings):
    """The mean of the data in each ring."""
    most = radius.max()
    out = np.zeros(rings)
    for i in range(rings):
        chosen = (radius >= most * i / rings) & (radius < most * (i + 1) / rings)
        out[i] = data[chosen].mean()
    return out


def azimint_histogram(data, radius, rings):
    counts = np.histogram(radius, rings)[0]
    return np.histogram(radius, rings, weights=data)[0] / counts


def sieve(n):
    prime = np.ones(n + 1, np.bool_)
    prime[:2] = False
    for i in range(2, int(np.sqrt(n)) + 1):
        if prime[i]:
            prime[i * i :: i] = False
    return np.flatnonzero(prime)


def mandelbrot(real, imaginary, steps):
    c = real[None, :] + 1j * imaginary[:, None]
    z = np.zeros_like(c)
    count = np.zeros(c.shape, np.int64)
    for _ in range(steps):
        inside = np.abs(z) < 2.0
        z[inside] = z[inside] ** 2 + c[inside]
        count[inside] += 1
    return count


# -- Series


def matrix_profile(series, width):
    """Of each window the distance to the other one most like it, both of mean 0 and deviation 1, and where that is."""
    n = series.size - width + 1
    windows = np.lib.stride_tricks.sliding_window_view(series, width)
    z = (windows - windows.mean(axis=1)[:, None]) / windows.std(axis=1)[:, None]
    profile = np.empty(n)
    index = np.empty(n, np.int64)
    for i in range(n):
        distance = np.sqrt(((z - z[i]) ** 2).sum(axis=1))
        distance[max(0, i - width // 2) : i + width // 2 + 1] = np.inf
        index[i] = distance.argmin()
        profile[i] = distance[index[i]]
    return profile, index


def stockham(x):
    """Stockham's Fourier transform of a power of two: no reversal of bits, each step from one array to another."""
    n = x.size
    y = x.reshape(n, 1)
    while n > 1:
        n //= 2
        turn = np.exp(-1j * np.pi * np.arange(n) / n)[:, None]
        z = np.empty((n, 2, y.shape[1]), np.complex128)
        z[:, 0] = y[:n] + y[n:]
        z[:, 1] = (y[:n] - y[n:]) * turn
        y = z.reshape(n, -1)
    return y[0]


def nussinov(bases):
    """The greatest number of pairs in which a strand of RNA can fold, of all parts of it."""
    n = bases.size
    table = np.zeros((n, n), np.int64)
    for i in range(n - 2, -1, -1):
        for j in range(i + 1, n):
            most = max(table[i, j - 1], table[i + 1, j])
            pairs = 1 if bases[i] + bases[j] == 3 else 0
            if i + 1 < j:
                most = max(most, table[i + 1, j - 1] + pairs)
                most = max(most, (table[i, i + 1 : j] + table[i + 2 : j + 1, j]).max())
            table[i, j] = most
    return table


def crc16(data, polynomial):
    crc = 0xFFFF
    for byte in data:
        crc ^= int(byte)
        for _ in range(8):
            if crc & 1:
                crc = (crc >> 1) ^ polynomial
            else:
                crc >>= 1
    crc = ~crc & 0xFFFF
    return ((crc << 8) | (crc >> 8)) & 0xFFFF


# -- Graphs


def components(nodes, a, b):
    """The least node that each one can reach, by labels that go along the edges."""
    labels = np.arange(nodes)
    while True:
        before = labels.copy()
        least = np.minimum(labels[a], labels[b])
        np.minimum.at(labels, a, least)
        np.minimum.at(labels, b, least)
        labels = labels[labels]
        if (labels == before).all():
            return labels


def pagerank(nodes, source, target, steps):
    degree = np.bincount(source, minlength=nodes)
    rank = np.full(nodes, 1.0 / nodes)
    for _ in range(steps):
        share = rank[source] / degree[source]
        loose = rank[degree == 0].sum() / nodes
        rank = 0.15 / nodes + 0.85 * (np.bincount(target, weights=share, minlength=nodes) + loose)
    return rank


def holes(scale):
    r = rng()
    table, values = r.random((size(20_000, scale), 10)), r.random(size(500_000, scale))
    table[r.random(table.shape) < 0.05] = np.nan
    values[r.random(values.shape) < 0.2] = np.nan
    return table, values


def disc(scale):
    return *vectors(2, 200_000, scale), 20


def plane(scale):
    return np.linspace(-2.25, 0.75, size(150, scale)), np.linspace(-1.25, 1.25, size(150, scale)), 30


def edges(count, per_node, scale):
    r, n = rng(), size(count, scale)
    return n, r.integers(0, n, per_node * n), r.integers(0, n, per_node * n)


def power_of_two(scale):
    r, n = rng(), 1 << int(np.log2(size(1 << 16, scale)))
    return (r.random(n) + 1j * r.random(n),)


PROGRAMS = {
    "nan_compact": (nan_compact, holes),
    "mask_histogram": (mask_histogram, lambda s: (*vectors(1, 200_000, s), np.linspace(0.0, 1.0, 33))),
    "azimint": (azimint, disc),
    "azimint_histogram": (azimint_histogram, disc),
    "sieve": (sieve, lambda s: (size(1_000_000, s),)),
    "mandelbrot": (mandelbrot, plane),
    "matrix_profile": (matrix_profile, lambda s: (np.cumsum(rng().standard_normal(size(2000, s))), 16)),
    "stockham": (stockham, power_of_two),
    "nussinov": (nussinov, lambda s: (rng().integers(0, 4, size(100, s)),)),
    "crc16": (crc16, lambda s: (rng().integers(0, 256, size(10_000, s), np.uint8), 0x8408)),
    "components": (components, lambda s: edges(20_000, 2, s)),
    "pagerank": (pagerank, lambda s: (*edges(20_000, 5, s), 10)),
}
