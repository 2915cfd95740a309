"""Programs over NumPy's library: linear algebra, FFT, order, statistics, random numbers."""

import math

import numpy as np
from program_inputs import rng, size

prange = range  # peers that have one set their own


def matched_filter(signal, template):
    """Where a template occurs: its normalised correlation, by FFT."""
    n = signal.size + template.size - 1
    size = 1 << int(math.ceil(math.log2(n)))
    spectrum = np.fft.rfft(signal - signal.mean(), size)
    wanted = np.fft.rfft((template - template.mean())[::-1], size)
    found = np.fft.irfft(spectrum * wanted, size)[template.size - 1 : signal.size]
    found /= np.sqrt(np.sum((template - template.mean()) ** 2))
    return found, np.argmax(np.abs(found))


def principal_components(samples, count):
    """Scores, axes and shares of variance, by a singular value decomposition."""
    centred = samples - samples.mean(axis=0)
    u, s, vt = np.linalg.svd(centred, full_matrices=False)
    largest = np.argmax(np.abs(vt), axis=1)
    signs = np.ones(vt.shape[0])
    for i in range(vt.shape[0]):
        signs[i] = np.sign(vt[i, largest[i]])
    variance = s**2 / (samples.shape[0] - 1)
    return (u * s * signs)[:, :count], (vt * signs[:, None])[:count], variance[:count] / variance.sum()


def spectral_clustering(points, width, clusters, rounds):
    """Groups of points, by the eigenvectors of their graph's normalised Laplacian, and means."""
    distance = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    affinity = np.exp(-distance / (2 * width * width))
    np.fill_diagonal(affinity, 0.0)
    scale = 1 / np.sqrt(affinity.sum(axis=1))
    laplacian = np.eye(points.shape[0]) - affinity * scale[:, None] * scale
    values, vectors = np.linalg.eigh(laplacian)
    rows = vectors[:, :clusters].copy()
    rows /= np.sqrt((rows**2).sum(axis=1))[:, None]
    centres = np.empty((clusters, clusters))
    centres[0] = rows[0]
    nearest = ((rows - centres[0]) ** 2).sum(axis=1)
    for k in range(1, clusters):
        centres[k] = rows[np.argmax(nearest)]
        nearest = np.minimum(nearest, ((rows - centres[k]) ** 2).sum(axis=1))
    labels = np.zeros(rows.shape[0], np.int64)
    for _ in range(rounds):
        labels = np.argmin(((rows[:, None, :] - centres[None]) ** 2).sum(axis=2), axis=1)
        for k in range(clusters):
            if np.any(labels == k):
                centres[k] = rows[labels == k].mean(axis=0)
    return labels, values[: clusters + 1]


def gaussian_process(x, y, at, length, noise):
    """Mean and variance of the posterior, and the log of the marginal likelihood, by Cholesky's decomposition."""
    kernel = np.exp(-0.5 * ((x[:, None] - x) / length) ** 2) + noise * np.eye(x.size)
    lower = np.linalg.cholesky(kernel)
    weights = np.linalg.solve(lower.T, np.linalg.solve(lower, y))
    cross = np.exp(-0.5 * ((x[:, None] - at) / length) ** 2)
    half = np.linalg.solve(lower, cross)
    variance = 1.0 - (half**2).sum(axis=0)
    likelihood = -0.5 * y @ weights - np.log(np.diag(lower)).sum() - 0.5 * x.size * math.log(2 * math.pi)
    return cross.T @ weights, variance, likelihood


def kalman_smoother(measured, transition, observation, process, noise, state, covariance):
    """Filtered and smoothed states (Rauch, Tung and Striebel 1965)."""
    count, size = measured.shape[0], state.size
    states, covariances = np.empty((count, size)), np.empty((count, size, size))
    guesses, guessed = np.empty((count, size)), np.empty((count, size, size))
    for t in range(count):
        guesses[t] = transition @ state
        guessed[t] = transition @ covariance @ transition.T + process
        innovation = observation @ guessed[t] @ observation.T + noise
        gain = np.linalg.solve(innovation, observation @ guessed[t]).T
        state = guesses[t] + gain @ (measured[t] - observation @ guesses[t])
        covariance = (np.eye(size) - gain @ observation) @ guessed[t]
        states[t], covariances[t] = state, covariance
    smooth = states.copy()
    for t in range(count - 2, -1, -1):
        gain = covariances[t] @ transition.T @ np.linalg.inv(guessed[t + 1])
        smooth[t] = states[t] + gain @ (smooth[t + 1] - guesses[t + 1])
    return states, smooth


def mass(query, series):
    """Distances of z-normalised subsequences from a query (Mueen's algorithm for similarity search)."""
    m, n = query.size, series.size
    products = np.fft.irfft(np.fft.rfft(series, 2 * n) * np.fft.rfft(query[::-1], 2 * n), 2 * n)[m - 1 : n]
    sums, squares = np.zeros(n + 1), np.zeros(n + 1)
    sums[1:], squares[1:] = np.cumsum(series), np.cumsum(series**2)
    means = (sums[m:] - sums[:-m]) / m
    deviations = np.sqrt((squares[m:] - squares[:-m]) / m - means**2)
    correlation = (products - m * means * query.mean()) / (m * deviations * query.std())
    return np.sqrt(np.maximum(2 * m * (1 - correlation), 0.0))


def stump(series, m):
    """The matrix profile of a series and its indices (STOMP: Zhu et al. 2016), one diagonal after the other."""
    count = series.size - m + 1
    means, deviations = np.empty(count), np.empty(count)
    for i in range(count):
        means[i], deviations[i] = series[i : i + m].mean(), series[i : i + m].std()
    best, index = np.full(count, -np.inf), np.full(count, -1)
    for shift in range(int(np.ceil(m / 4)) + 1, count):
        product = np.dot(series[:m], series[shift : shift + m])
        for i in range(count - shift):
            k = i + shift
            if i > 0:
                product += series[i + m - 1] * series[k + m - 1] - series[i - 1] * series[k - 1]
            correlation = (product - m * means[i] * means[k]) / (m * deviations[i] * deviations[k])
            if correlation > best[i]:
                best[i], index[i] = correlation, k
            if correlation > best[k]:
                best[k], index[k] = correlation, i
    return np.sqrt(np.maximum(2 * m * (1 - best), 0.0)), index


def equalised(image):
    """An image of bytes whose histogram is as even as it can be."""
    counts = np.bincount(image.ravel(), minlength=256)
    below = np.cumsum(counts)
    least = below[np.nonzero(counts)[0][0]]
    table = np.clip(np.round((below - least) * 255.0 / (image.size - least)), 0, 255).astype(np.uint8)
    return table[image], np.histogram(table[image], bins=16, range=(0, 256))[0]


def run_lengths(values):
    """The runs of a series, and for each value how many there are, and the longest."""
    starts = np.concatenate((np.array([0]), np.nonzero(values[1:] != values[:-1])[0] + 1))
    lengths = np.diff(np.append(starts, values.size))
    kinds, which, counts = np.unique(values[starts], return_inverse=True, return_counts=True)
    longest = np.zeros(kinds.size, np.int64)
    np.maximum.at(longest, which, lengths)
    return kinds, counts, longest, lengths


def welch(signal, size, rate):
    """A power spectrum (Welch 1967): periodograms of windowed segments that overlap by a half."""
    window = np.hanning(size)
    step = size // 2
    count = (signal.size - size) // step + 1
    power = np.zeros(size // 2 + 1)
    for i in range(count):
        segment = signal[i * step : i * step + size]
        spectrum = np.fft.rfft((segment - segment.mean()) * window)
        power += spectrum.real**2 + spectrum.imag**2
    power /= count * rate * (window**2).sum()
    power[1:-1] *= 2
    return np.fft.rfftfreq(size, 1 / rate), power


def least_squares(x, y):
    """Ordinary least squares, and what tells of its fit."""
    design = np.column_stack((np.ones(x.shape[0]), x))
    n, k = design.shape
    weights, _, rank, singular = np.linalg.lstsq(design, y)
    residuals = y - design @ weights
    inverse = np.linalg.inv(design.T @ design)
    variance = residuals @ residuals / (n - k)
    errors = np.sqrt(variance * np.diag(inverse))
    leverage = ((design @ inverse) * design).sum(axis=1)
    studentised = residuals / np.sqrt(variance * (1 - leverage))
    cook = studentised**2 * leverage / ((1 - leverage) * k)
    fit = 1 - residuals @ residuals / ((y - y.mean()) ** 2).sum()
    watson = (np.diff(residuals) ** 2).sum() / (residuals @ residuals)
    return weights, errors, weights / errors, cook, fit, watson, int(rank), singular[0] / singular[-1]


def particle_filter(seen, count, rng):
    """A random walk seen through noise: bootstrap filter with systematic resampling (Gordon et al. 1993)."""
    places, means = rng.normal(0.0, 1.0, count), np.empty(len(seen))
    for t in range(len(seen)):
        places = places + rng.normal(0.0, 0.5, count)
        weights = np.exp(-0.5 * ((seen[t] - places) / 0.8) ** 2)
        weights /= weights.sum()
        means[t] = (weights * places).sum()
        ends = np.cumsum(weights)
        ends[-1] = 1.0
        places = places[np.searchsorted(ends, (rng.random() + np.arange(count)) / count)]
    return means


def bootstrap(values, rngs, rounds):
    """Bounds of the mean by resampling (Efron 1979); each iteration has a Generator of its own."""
    means = np.empty((len(rngs), rounds))
    for i in prange(len(rngs)):
        rng = rngs[i]
        for k in range(rounds):
            means[i, k] = values[rng.integers(0, values.size, values.size)].mean()
    return np.quantile(means, np.array([0.025, 0.5, 0.975])), means


def waves(scale):
    r = rng()
    signal = r.normal(size=size(100_000, scale))
    signal[signal.size // 3 :][:64] += 6 * np.sin(np.arange(64))[: signal.size - signal.size // 3]
    return signal


def blobs(scale):
    corners = np.array([[0.0, 0.0], [3.0, 3.0], [0.0, 4.0]])
    return (np.concatenate([rng().normal(size=(size(100, scale), 2)) * 0.3 + c for c in corners]), 0.7, 3, 8)


def times(scale):
    x = np.sort(rng().uniform(0, 10, size(300, scale)))
    return x, np.sin(x), np.linspace(0, 10, size(400, scale)), 1.3, 1e-3


def track(scale):
    step = np.array([[1.0, 0.1], [0.0, 1.0]])
    seen = np.cumsum(rng().normal(size=(size(2000, scale), 1)), axis=0)
    return seen, step, np.array([[1.0, 0.0]]), np.eye(2) * 0.01, np.array([[0.5]]), np.zeros(2), np.eye(2)


def regression(scale):
    r = rng()
    design = r.normal(size=(size(20_000, scale), 5))
    return design, design @ np.array([1.0, -2.0, 0.5, 0.0, 3.0]) + r.normal(size=design.shape[0])


def generators(scale):
    return rng().gamma(2.0, size=size(1000, scale)), tuple(rng().spawn(8)), size(50, scale)


PROGRAMS = {
    "matched_filter": (matched_filter, lambda s: (waves(s), np.sin(np.arange(64)))),
    "principal_components": (principal_components, lambda s: (rng().random((size(5000, s), 20)), 3)),
    "spectral_clustering": (spectral_clustering, blobs),
    "gaussian_process": (gaussian_process, times),
    "kalman_smoother": (kalman_smoother, track),
    "mass": (mass, lambda s: (waves(s / 10)[20:80], waves(s / 10))),
    "stump": (stump, lambda s: (waves(max(s / 100, 0.002)), 50)),
    "equalised": (equalised, lambda s: (np.clip(rng().normal(90, 20, (size(1000, s), 800)), 0, 255).astype(np.uint8),)),
    "run_lengths": (run_lengths, lambda s: (rng().integers(0, 5, size(200_000, s)),)),
    "welch": (welch, lambda s: (waves(s), 256, 100.0)),
    "least_squares": (least_squares, regression),
    "particle_filter": (particle_filter, lambda s: (np.cumsum(waves(s / 1000)), size(2000, s), rng())),
    "bootstrap": (bootstrap, generators),
}
