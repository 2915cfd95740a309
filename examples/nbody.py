"""The Sun and the four large planets attracting each other, by the symplectic Euler method."""

import math

import numpy as np
from pyarray import njit

SOLAR_MASS = 4 * math.pi * math.pi
DAYS = 365.24

# Position in astronomical units, velocity in units per day, mass in solar masses: Jupiter, Saturn, Uranus, Neptune. The
# values are those of the n-body program of the Computer Language Benchmarks Game.
PLANETS = np.array(
    [
        [4.84143144246472090, -1.16032004402742839, -0.103622044471123109]
        + [0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609],
        [8.34336671824457987, 4.12479856412430479, -0.403523417114321381]
        + [-0.00276742510726411151, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812],
        [12.8943695621391310, -15.1111514016986312, -0.223307578892655734]
        + [0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298],
        [15.3796971148509165, -25.9193146099879641, 0.179258772950371181]
        + [0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451],
    ]
)


@njit
def advance(positions, velocities, masses, dt):
    """One step, in place."""
    n = masses.size
    for i in range(n):
        for j in range(i + 1, n):
            dx = positions[i, 0] - positions[j, 0]
            dy = positions[i, 1] - positions[j, 1]
            dz = positions[i, 2] - positions[j, 2]
            square = dx * dx + dy * dy + dz * dz
            magnitude = dt / (square * math.sqrt(square))
            velocities[i, 0] -= dx * masses[j] * magnitude
            velocities[i, 1] -= dy * masses[j] * magnitude
            velocities[i, 2] -= dz * masses[j] * magnitude
            velocities[j, 0] += dx * masses[i] * magnitude
            velocities[j, 1] += dy * masses[i] * magnitude
            velocities[j, 2] += dz * masses[i] * magnitude
    for i in range(n):
        for axis in range(3):
            positions[i, axis] += dt * velocities[i, axis]


@njit
def energy(positions, velocities, masses):
    """Kinetic and potential energy of the system."""
    n = masses.size
    total = 0.0
    for i in range(n):
        speed = 0.0
        for axis in range(3):
            speed += velocities[i, axis] ** 2
        total += 0.5 * masses[i] * speed
        for j in range(i + 1, n):
            square = 0.0
            for axis in range(3):
                square += (positions[i, axis] - positions[j, axis]) ** 2
            total -= masses[i] * masses[j] / math.sqrt(square)
    return total


@njit
def nbody(positions, velocities, masses, steps, dt):
    """Advance the bodies by some steps, in place, and return the energy of the system.

    positions, velocities : (n, 3) float64 arrays in units of length and of length per year; masses : (n,)
    """
    for _ in range(steps):
        advance(positions, velocities, masses, dt)
    return energy(positions, velocities, masses)


def arguments(size=2000):
    """The solar system, with the Sun moving so that the whole rests; a number of steps and their length in years."""
    positions = np.zeros((5, 3))
    velocities = np.zeros((5, 3))
    masses = np.full(5, SOLAR_MASS)
    positions[1:] = PLANETS[:, :3]
    velocities[1:] = PLANETS[:, 3:6] * DAYS
    masses[1:] *= PLANETS[:, 6]
    velocities[0] = -(velocities[1:] * masses[1:, None]).sum(axis=0) / masses[0]
    return positions, velocities, masses, size, 0.01


def reference(positions, velocities, masses, steps, dt):
    """The same with NumPy, all pairs at a time."""
    n = len(masses)
    first, second = np.triu_indices(n, 1)
    for _ in range(steps):
        distance = positions[first] - positions[second]
        square = (distance**2).sum(axis=1)
        pull = distance * (dt / (square * np.sqrt(square)))[:, None]
        np.subtract.at(velocities, first, pull * masses[second, None])
        np.add.at(velocities, second, pull * masses[first, None])
        positions += dt * velocities
    distance = positions[first] - positions[second]
    potential = (masses[first] * masses[second] / np.sqrt((distance**2).sum(axis=1))).sum()
    return 0.5 * (masses * (velocities**2).sum(axis=1)).sum() - potential


def main():
    """Print the energy, which should hardly change."""
    for steps in (0, 1000, 100_000):
        print(f"energy after {steps:6} steps: {nbody(*arguments(steps)):.9f}")


if __name__ == "__main__":
    main()
