"""Position and velocity from noisy positions: a Kalman filter that is a class."""

import numpy as np
from pyarray import jitclass, njit


@jitclass
class KalmanFilter:
    """Position and velocity from noisy positions at equal times."""

    position: float
    velocity: float
    p00: float
    p01: float
    p11: float
    process_noise: float
    noise: float

    def __init__(self, process_noise, noise):
        self.p00 = self.p11 = 100.0
        self.process_noise = process_noise
        self.noise = noise

    def step(self, measured):
        """Predict the next position, then correct it by the one that was measured."""
        q = self.process_noise
        self.position += self.velocity
        self.p00 += 2 * self.p01 + self.p11 + q / 4
        self.p01 += self.p11 + q / 2
        self.p11 += q
        innovation, total = measured - self.position, self.p00 + self.noise
        k0, k1 = self.p00 / total, self.p01 / total
        self.position += k0 * innovation
        self.velocity += k1 * innovation
        self.p11 -= k1 * self.p01
        self.p00, self.p01 = (1 - k0) * self.p00, (1 - k0) * self.p01
        return self.position


@njit
def kalman_filter(measured):
    """Positions filtered one after the other."""
    state = KalmanFilter(1e-4, 1.0)
    filtered = np.empty(measured.size)
    for i in range(measured.size):
        filtered[i] = state.step(measured[i])
    return filtered


def arguments(size=500):
    """Positions of a body at constant velocity, with noise of 1."""
    return (0.05 * np.arange(size) + np.random.default_rng(1).normal(size=size),)


def reference(measured):
    """The same in terms of matrices."""
    q, f, h = 1e-4, np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([1.0, 0.0])
    noise = q * np.array([[0.25, 0.5], [0.5, 1.0]])
    x, p, filtered = np.zeros(2), np.diag([100.0, 100.0]), []
    for z in measured:
        x, p = f @ x, f @ p @ f.T + noise
        gain = p @ h / (h @ p @ h + 1.0)
        x, p = x + gain * (z - x[0]), p - np.outer(gain, h @ p)
        filtered.append(x[0])
    return np.array(filtered)


def main():
    """Print how much of its noise a filtered signal keeps."""
    (measured,) = arguments(2000)
    true = 0.05 * np.arange(measured.size)
    error = np.std((kalman_filter(measured) - true)[200:])
    print(f"noise of {np.std(measured - true):.2f} becomes {error:.2f}")


if __name__ == "__main__":
    main()
