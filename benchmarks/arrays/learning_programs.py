"""Programs of neural networks, in single precision, channels last."""

import numpy as np
from program_inputs import rng, size


def mlp(x, w1, b1, w2, b2, w3, b3):
    hidden = np.maximum(x @ w1 + b1, 0)
    hidden = np.maximum(hidden @ w2 + b2, 0)
    scores = hidden @ w3 + b3
    e = np.exp(scores - scores.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def conv2d(image, weights, bias):
    k = weights.shape[0]
    rows, columns = image.shape[1] - k + 1, image.shape[2] - k + 1
    out = np.empty((image.shape[0], rows, columns, weights.shape[3]), np.float32)
    for i in range(rows):
        for j in range(columns):
            window = image[:, i : i + k, j : j + k, :]
            out[:, i, j] = (window[:, :, :, :, None] * weights).sum(axis=(1, 2, 3)) + bias
    return out


def resnet_block(x, w1, w2, w3):
    """1 x 1, 3 x 3 with a border of zeros, 1 x 1, each normalised over the batch, and the input added."""

    def normalised(a):
        flat = a.reshape(-1, a.shape[3])
        mean, variance = flat.mean(axis=0), flat.var(axis=0)
        return (a - mean) / np.sqrt(variance + np.float32(1e-5))

    images, rows, columns = x.shape[:3]
    y = np.maximum(normalised(x @ w1), 0)
    padded = np.zeros((images, rows + 2, columns + 2, w1.shape[1]), np.float32)
    padded[:, 1:-1, 1:-1] = y
    y = np.zeros((images, rows, columns, w2.shape[3]), np.float32)
    for i in range(3):
        for j in range(3):
            y += padded[:, i : i + rows, j : j + columns] @ w2[i, j]
    y = np.maximum(normalised(y), 0)
    return np.maximum(normalised(y @ w3) + x, 0)


def single(r, *shape):
    return r.standard_normal(shape).astype(np.float32)


def layers(scale):
    r = rng()
    n, a, b, c, d = size(256, scale), size(500, scale), size(400, scale), size(200, scale), size(100, scale)
    return single(r, n, a), single(r, a, b), single(r, b), single(r, b, c), single(r, c), single(r, c, d), single(r, d)


def images(scale):
    r, n = rng(), size(28, scale)
    return single(r, 4, n, n, 3), single(r, 3, 3, 3, 16), single(r, 16)


def block(scale):
    r, n = rng(), size(28, scale)
    return single(r, 4, n, n, 32), single(r, 32, 8), single(r, 3, 3, 8, 8), single(r, 8, 32)


PROGRAMS = {"mlp": (mlp, layers), "conv2d": (conv2d, images), "resnet_block": (resnet_block, block)}
