"""Programs on grids: cellular automata, finite differences, flows, filters."""

import numpy as np
from program_inputs import rng, size, square


def life(board, steps):
    for _ in range(steps):
        around = np.zeros_like(board)
        for down in range(-1, 2):
            for right in range(-1, 2):
                if down != 0 or right != 0:
                    around += np.roll(board, (down, right), axis=(0, 1))
        board = ((around == 3) | ((board == 1) & (around == 2))).astype(np.int64)
    return board


def jacobi_1d(a, b, steps):
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
    return a


def heat_3d(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        a[1:-1, 1:-1, 1:-1] = (
            0.125 * (b[2:, 1:-1, 1:-1] - 2 * b[1:-1, 1:-1, 1:-1] + b[:-2, 1:-1, 1:-1])
            + 0.125 * (b[1:-1, 2:, 1:-1] - 2 * b[1:-1, 1:-1, 1:-1] + b[1:-1, :-2, 1:-1])
            + 0.125 * (b[1:-1, 1:-1, 2:] - 2 * b[1:-1, 1:-1, 1:-1] + b[1:-1, 1:-1, :-2])
            + b[1:-1, 1:-1, 1:-1]
        )
    return a


def seidel(a, steps):
    """Gauss and Seidel over nine points: those before a point in its row are new already."""
    for _ in range(steps):
        for i in range(1, a.shape[0] - 1):
            row = a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:] + a[i, 1:-1] + a[i, 2:]
            row += a[i + 1, :-2] + a[i + 1, 1:-1] + a[i + 1, 2:]
            for j in range(1, a.shape[1] - 1):
                a[i, j] = (row[j - 1] + a[i, j - 1]) / 9
    return a


def fdtd_2d(ex, ey, hz, pulse):
    """Maxwell's equations on Yee's grid."""
    for value in pulse:
        ey[0, :] = value
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return ex, ey, hz


def adi(u, steps):
    """Diffusion, implicit along one axis, explicit along the other, by turns: Thomas's algorithm for all lines."""
    n = u.shape[0]
    half = 0.5 * n * n / (steps * n)
    diagonal = 1.0 + 2.0 * half
    c = np.zeros((n, n))
    d = np.zeros((n, n))
    for _ in range(steps):
        right = u[:, 1:-1] + half * (u[:, 2:] - 2.0 * u[:, 1:-1] + u[:, :-2])
        c[0] = 0.0
        d[0, 1:-1] = u[0, 1:-1]
        for i in range(1, n - 1):
            pivot = diagonal - half * c[i - 1, 1:-1]
            c[i, 1:-1] = half / pivot
            d[i, 1:-1] = (right[i] + half * d[i - 1, 1:-1]) / pivot
        for i in range(n - 2, 0, -1):
            u[i, 1:-1] = c[i, 1:-1] * u[i + 1, 1:-1] + d[i, 1:-1]
        right = u[1:-1, :] + half * (u[2:, :] - 2.0 * u[1:-1, :] + u[:-2, :])
        c[:, 0] = 0.0
        d[1:-1, 0] = u[1:-1, 0]
        for j in range(1, n - 1):
            pivot = diagonal - half * c[1:-1, j - 1]
            c[1:-1, j] = half / pivot
            d[1:-1, j] = (right[:, j] + half * d[1:-1, j - 1]) / pivot
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = c[1:-1, j] * u[1:-1, j + 1] + d[1:-1, j]
    return u


def deriche(image, alpha):
    """Deriche's smoothing: a causal and an anticausal filter of order two, along rows, then along columns."""
    rows, columns = image.shape
    e = np.exp(-alpha)
    k = (1.0 - e) ** 2 / (1.0 + 2.0 * alpha * e - e * e)
    k1, k2, k3, k4 = k, k * e * (alpha - 1.0), k * e * (alpha + 1.0), -k * e * e
    f1, f2 = 2.0 * e, -e * e
    forth = np.empty_like(image)
    forth[:, 0] = k1 * image[:, 0]
    forth[:, 1] = k1 * image[:, 1] + k2 * image[:, 0] + f1 * forth[:, 0]
    for j in range(2, columns):
        forth[:, j] = k1 * image[:, j] + k2 * image[:, j - 1] + f1 * forth[:, j - 1] + f2 * forth[:, j - 2]
    back = np.empty_like(image)
    back[:, -1] = 0.0
    back[:, -2] = k3 * image[:, -1]
    for j in range(columns - 3, -1, -1):
        back[:, j] = k3 * image[:, j + 1] + k4 * image[:, j + 2] + f1 * back[:, j + 1] + f2 * back[:, j + 2]
    image = forth + back
    forth[0] = k1 * image[0]
    forth[1] = k1 * image[1] + k2 * image[0] + f1 * forth[0]
    for i in range(2, rows):
        forth[i] = k1 * image[i] + k2 * image[i - 1] + f1 * forth[i - 1] + f2 * forth[i - 2]
    back[-1] = 0.0
    back[-2] = k3 * image[-1]
    for i in range(rows - 3, -1, -1):
        back[i] = k3 * image[i + 1] + k4 * image[i + 2] + f1 * back[i + 1] + f2 * back[i + 2]
    return forth + back


def vadv(tendency_stage, u_stage, wcon, u_pos, tendency, rate):
    """Vertical advection as in COSMO: implicit, a tridiagonal system for each column."""
    levels = u_stage.shape[2]
    speed = 0.25 * (wcon[1:] + wcon[:-1])
    above = np.empty_like(u_stage)
    right = np.empty_like(u_stage)
    for k in range(levels):
        diagonal = np.full(u_stage.shape[:2], rate)
        change = np.zeros(u_stage.shape[:2])
        value = rate * u_pos[:, :, k] + tendency[:, :, k] + tendency_stage[:, :, k]
        if k > 0:
            below = -0.5 * speed[:, :, k]
            change += below * (u_stage[:, :, k - 1] - u_stage[:, :, k])
            diagonal -= below
        if k < levels - 1:
            upper = 0.5 * speed[:, :, k + 1]
            change += upper * (u_stage[:, :, k + 1] - u_stage[:, :, k])
            diagonal -= upper
        value -= change
        if k > 0:
            diagonal -= below * above[:, :, k - 1]
            value -= below * right[:, :, k - 1]
        if k < levels - 1:
            above[:, :, k] = upper / diagonal
        right[:, :, k] = value / diagonal
    for k in range(levels - 1, -1, -1):
        if k < levels - 1:
            right[:, :, k] -= above[:, :, k] * right[:, :, k + 1]
        tendency_stage[:, :, k] = rate * (right[:, :, k] - u_pos[:, :, k])
    return tendency_stage


def cavity(u, v, p, steps, sweeps, dt, rho, nu):
    """A lid that moves over a box of fluid: Navier and Stokes, the pressure by sweeps of Poisson's equation."""
    d = 2.0 / (u.shape[0] - 1)
    source = np.zeros_like(p)
    for _ in range(steps):
        ux = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * d)
        uy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * d)
        vx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * d)
        vy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * d)
        source[1:-1, 1:-1] = rho * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)
        for _ in range(sweeps):
            last = p.copy()
            around = last[1:-1, 2:] + last[1:-1, :-2] + last[2:, 1:-1] + last[:-2, 1:-1]
            p[1:-1, 1:-1] = (around - d * d * source[1:-1, 1:-1]) / 4
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0.0
        before, across = u.copy(), v.copy()
        c, s = before[1:-1, 1:-1], across[1:-1, 1:-1]
        u[1:-1, 1:-1] = (
            c
            - c * dt / d * (c - before[1:-1, :-2])
            - s * dt / d * (c - before[:-2, 1:-1])
            - dt / (2 * rho * d) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * dt / d**2 * (before[1:-1, 2:] + before[1:-1, :-2] + before[2:, 1:-1] + before[:-2, 1:-1] - 4 * c)
        )
        v[1:-1, 1:-1] = (
            s
            - c * dt / d * (s - across[1:-1, :-2])
            - s * dt / d * (s - across[:-2, 1:-1])
            - dt / (2 * rho * d) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * dt / d**2 * (across[1:-1, 2:] + across[1:-1, :-2] + across[2:, 1:-1] + across[:-2, 1:-1] - 4 * s)
        )
        u[0, :], u[:, 0], u[:, -1], u[-1, :] = 0.0, 0.0, 0.0, 1.0
        v[0, :], v[-1, :], v[:, 0], v[:, -1] = 0.0, 0.0, 0.0, 0.0
    return u, v, p


def channel(u, v, p, sweeps, dt, rho, nu, force, tolerance):
    """Flow between two plates, periodic along them, until it changes no more."""
    d = 2.0 / (u.shape[0] - 1)
    steps, change = 0, 1.0
    while change > tolerance:
        before, across = u.copy(), v.copy()
        east, west = np.roll(before, -1, axis=1)[1:-1], np.roll(before, 1, axis=1)[1:-1]
        right, left = np.roll(across, -1, axis=1)[1:-1], np.roll(across, 1, axis=1)[1:-1]
        ux, vx = (east - west) / (2 * d), (right - left) / (2 * d)
        uy, vy = (before[2:] - before[:-2]) / (2 * d), (across[2:] - across[:-2]) / (2 * d)
        source = rho * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)
        for _ in range(sweeps):
            around = np.roll(p, -1, axis=1)[1:-1] + np.roll(p, 1, axis=1)[1:-1] + p[2:] + p[:-2]
            p[1:-1] = (around - d * d * source) / 4
            p[0] = p[1]
            p[-1] = p[-2]
        c, s = before[1:-1], across[1:-1]
        px = (np.roll(p, -1, axis=1)[1:-1] - np.roll(p, 1, axis=1)[1:-1]) / (2 * rho * d)
        py = (p[2:] - p[:-2]) / (2 * rho * d)
        u[1:-1] = (
            c
            - dt * (c * (c - west) / d + s * (c - before[:-2]) / d + px - force)
            + nu * dt / d**2 * (east + west + before[2:] + before[:-2] - 4 * c)
        )
        v[1:-1] = (
            s
            - dt * (c * (s - left) / d + s * (s - across[:-2]) / d + py)
            + nu * dt / d**2 * (right + left + across[2:] + across[:-2] - 4 * s)
        )
        u[0], u[-1], v[0], v[-1] = 0.0, 0.0, 0.0, 0.0
        change = (u.sum() - before.sum()) / u.sum()
        steps += 1
    return u, v, p, steps


def three(n, scale):
    r, n = rng(), size(n, scale)
    return tuple(r.random((n, n)) for _ in range(3))


def columns(scale):
    r, n = rng(), size(64, scale)
    u_stage, u_pos, tendency, tendency_stage = (r.random((n, n, 60)) for _ in range(4))
    return tendency_stage, u_stage, r.random((n + 1, n, 60)) - 0.5, u_pos, tendency, 3.0 / 20.0


def still(n, scale):
    n = size(n, scale)
    return tuple(np.zeros((n, n)) for _ in range(3))


def cubes(scale):
    a = rng().random((size(60, scale),) * 3)
    return a, a.copy(), 3


def line(scale):
    a = rng().random(size(100_000, scale))
    return a, a.copy(), 10


PROGRAMS = {
    "life": (life, lambda s: (rng().integers(0, 2, (size(200, s), size(200, s))), 5)),
    "jacobi_1d": (jacobi_1d, line),
    "heat_3d": (heat_3d, cubes),
    "seidel": (seidel, lambda s: (square(120, s), 3)),
    "fdtd_2d": (fdtd_2d, lambda s: (*three(300, s), np.arange(5.0))),
    "adi": (adi, lambda s: (square(200, s), 5)),
    "deriche": (deriche, lambda s: (square(500, s), 0.25)),
    "vadv": (vadv, columns),
    "cavity": (cavity, lambda s: (*still(101, s), 5, 20, 0.001, 1.0, 0.1)),
    "channel": (channel, lambda s: (*still(61, s), 20, 0.0005, 1.0, 0.1, 1.0, 0.05)),
}
