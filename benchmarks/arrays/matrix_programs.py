"""Programs on matrices: products, factors, systems of equations, sparse ones."""

import numpy as np
from program_inputs import rng, size, square, vectors

# -- Products


def syrk(alpha, beta, c, a):
    """The lower triangle of `alpha a a^T + beta c`."""
    for i in range(c.shape[0]):
        c[i, : i + 1] = beta * c[i, : i + 1] + alpha * (a[: i + 1] @ a[i])
    return c


def syr2k(alpha, beta, c, a, b):
    """The lower triangle of `alpha (a b^T + b a^T) + beta c`."""
    for i in range(c.shape[0]):
        c[i, : i + 1] = beta * c[i, : i + 1] + alpha * (a[: i + 1] @ b[i] + b[: i + 1] @ a[i])
    return c


def symm(alpha, beta, c, a, b):
    """`alpha a b + beta c`, a symmetric, of which the lower triangle is read."""
    for i in range(c.shape[0]):
        c[i] = beta * c[i] + alpha * (a[i, : i + 1] @ b[: i + 1] + a[i + 1 :, i] @ b[i + 1 :])
    return c


def trmm(alpha, a, b):
    """`alpha a^T b`, a lower triangular with ones on the diagonal."""
    for i in range(b.shape[0]):
        b[i] = alpha * (b[i] + a[i + 1 :, i] @ b[i + 1 :])
    return b


def doitgen(a, weights):
    a[:] = a @ weights
    return a


def spmv(starts, columns, values, x):
    y = np.empty(starts.size - 1)
    for i in range(y.size):
        first, last = starts[i], starts[i + 1]
        y[i] = (values[first:last] * x[columns[first:last]]).sum()
    return y


def self_energies(neighbours, gradients, green, phonons):
    """Self-energies of electrons that phonons scatter, by momentum, energy and atom."""
    sigma = np.zeros_like(green)
    momenta, energies, atoms = green.shape[:3]
    for k in range(momenta):
        for e in range(energies):
            for q in range(phonons.shape[0]):
                for w in range(min(phonons.shape[1], e + 1)):
                    for a in range(atoms):
                        for b in range(neighbours.shape[1]):
                            g = green[k - q, e - w, neighbours[a, b]]
                            for i in range(gradients.shape[2]):
                                moved = g @ gradients[a, b, i]
                                for j in range(gradients.shape[2]):
                                    sigma[k, e, a] += moved @ (gradients[a, b, j] * phonons[q, w, a, b, i, j])
    return sigma


# -- Factors and solutions


def durbin(r):
    """Levinson and Durbin: the solution of Yule and Walker's equations."""
    y = np.empty_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.size):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + (r[:k][::-1] * y[:k]).sum()) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y


def gramschmidt(a):
    """Modified Gram and Schmidt."""
    q = np.zeros_like(a)
    r = np.zeros((a.shape[1], a.shape[1]))
    for k in range(a.shape[1]):
        r[k, k] = np.sqrt((a[:, k] ** 2).sum())
        q[:, k] = a[:, k] / r[k, k]
        r[k, k + 1 :] = q[:, k] @ a[:, k + 1 :]
        a[:, k + 1 :] -= np.outer(q[:, k], r[k, k + 1 :])
    return q, r


def ludcmp(a, b):
    """Crout's factors, then the solution of `a x = b`."""
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[:j, j]) / a[j, j]
        a[i, i:] -= a[i, :i] @ a[:i, i:]
    x = b.copy()
    for i in range(n):
        x[i] -= a[i, :i] @ x[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


def cholesky(a):
    n = a.shape[0]
    for j in range(n):
        a[j, j] = np.sqrt(a[j, j] - a[j, :j] @ a[j, :j])
        a[j + 1 :, j] = (a[j + 1 :, j] - a[j + 1 :, :j] @ a[j, :j]) / a[j, j]
        a[j, j + 1 :] = 0.0
    return a


def trisolv(lower, b):
    x = np.zeros_like(b)
    for i in range(b.size):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def contour_integral(hamiltonians, right, points):
    """Two moments of the resolvent of a polynomial of matrices along a ring of two circles."""
    shape = right.shape
    first = np.zeros(shape, np.complex128)
    second = np.zeros(shape, np.complex128)
    for z in points:
        system = np.zeros(hamiltonians.shape[1:], np.complex128)
        for power in range(hamiltonians.shape[0]):
            system += z ** (power - 1) * hamiltonians[power]
        x = np.linalg.solve(system, right)
        if np.abs(z) < 1.0:
            x = -x
        first += x
        second += z * x
    return first, second


def two(n, scale):
    r, n = rng(), size(n, scale)
    return r.random((n, n)), r.random((n, n))


def system(n, scale):
    a = square(n, scale)
    return a + a.shape[0] * np.eye(a.shape[0]), *vectors(1, n, scale)


def definite(scale):
    a = square(300, scale)
    return (a @ a.T + a.shape[0] * np.eye(a.shape[0]),)


def sparse(scale):
    r, n = rng(), size(4000, scale)
    counts = r.integers(0, 20, n)
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    return starts, r.integers(0, n, starts[-1]), r.random(starts[-1]), r.random(n)


def scattering(scale):
    r = rng()
    energies, atoms, neighbours, orbitals = size(4, scale), size(6, scale), 4, 4
    green = r.random((2, energies, atoms, orbitals, orbitals)) + 1j * r.random((2, energies, atoms, orbitals, orbitals))
    gradients = r.random((atoms, neighbours, 2, orbitals, orbitals)) + 0j
    phonons = r.random((2, 2, atoms, neighbours, 2, 2)) + 1j * r.random((2, 2, atoms, neighbours, 2, 2))
    return r.integers(0, atoms, (atoms, neighbours)), gradients, green, phonons


def ring(scale):
    r, n = rng(), size(50, scale)
    hamiltonians = r.random((3, n, n)) + 1j * r.random((3, n, n))
    angles = np.exp(2j * np.pi * (np.arange(8) + 0.5) / 8)
    return hamiltonians, r.random((n, size(10, scale))) + 0j, np.concatenate((2.0 * angles, 0.5 * angles))


PROGRAMS = {
    "syrk": (syrk, lambda s: (1.5, 1.2, *two(300, s))),
    "syr2k": (syr2k, lambda s: (1.5, 1.2, square(300, s), *two(300, s))),
    "symm": (symm, lambda s: (1.5, 1.2, square(250, s), *two(250, s))),
    "trmm": (trmm, lambda s: (1.5, *two(300, s))),
    "doitgen": (doitgen, lambda s: (rng().random((size(50, s), size(60, s), 64)), rng().random((64, 64)))),
    "spmv": (spmv, sparse),
    "self_energies": (self_energies, scattering),
    "durbin": (durbin, lambda s: (rng().random(size(1000, s)) / size(1000, s),)),
    "gramschmidt": (
        gramschmidt,
        lambda s: (rng().random((size(200, s), size(150, s))) + np.eye(size(200, s), size(150, s)),),
    ),
    "ludcmp": (ludcmp, lambda s: system(150, s)),
    "cholesky": (cholesky, definite),
    "trisolv": (trisolv, lambda s: system(1000, s)),
    "contour_integral": (contour_integral, ring),
}
