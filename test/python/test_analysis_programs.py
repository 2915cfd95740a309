"""Programs over NumPy's library (linear algebra, FFT, order, statistics), compiled, on one thread and on several."""

import pathlib
import sys

import numpy as np
import pytest
from pyarray import njit, prange

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks/arrays"))
from analysis_programs import (  # noqa: E402
    equalised,
    gaussian_process,
    kalman_smoother,
    least_squares,
    mass,
    matched_filter,
    principal_components,
    run_lengths,
    spectral_clustering,
    stump,
    welch,
)

RNG = np.random.default_rng(11)
SIGNAL = RNG.normal(size=700)
SIGNAL[300:332] += 6 * np.sin(np.arange(32))
BLOBS = np.concatenate([RNG.normal(size=(20, 2)) * 0.3 + c for c in ([0, 0], [3, 3], [0, 4])])
TIMES = np.sort(RNG.uniform(0, 10, 25))
STEP = np.array([[1.0, 0.1], [0.0, 1.0]])
DESIGN = RNG.normal(size=(80, 3))

PROGRAMS = {
    matched_filter: (SIGNAL, np.sin(np.arange(32))),
    principal_components: (RNG.normal(size=(60, 5)) @ RNG.normal(size=(5, 5)), 3),
    spectral_clustering: (BLOBS, 0.7, 3, 8),
    gaussian_process: (TIMES, np.sin(TIMES), np.linspace(0, 10, 31), 1.3, 1e-4),
    kalman_smoother: (
        np.cumsum(RNG.normal(size=(40, 1)), axis=0),
        STEP,
        np.array([[1.0, 0.0]]),
        np.eye(2) * 0.01,
        np.array([[0.5]]),
        np.zeros(2),
        np.eye(2),
    ),
    mass: (SIGNAL[300:332], SIGNAL),
    stump: (np.round(SIGNAL[200:420], 3), 16),
    equalised: (np.clip(RNG.normal(90, 20, (40, 30)), 0, 255).astype(np.uint8),),
    run_lengths: (RNG.integers(0, 3, 200),),
    welch: (SIGNAL, 128, 100.0),
    least_squares: (DESIGN, DESIGN @ np.array([1.0, -2.0, 0.5]) + RNG.normal(size=80)),
}


def assert_equal(found, wanted):
    for x, y in zip(found, wanted) if isinstance(wanted, tuple) else [(found, wanted)]:
        x, y = np.asarray(x), np.asarray(y)
        assert x.dtype.kind == y.dtype.kind and x.shape == y.shape
        if x.dtype.kind in "iub":
            np.testing.assert_array_equal(x, y)
        else:
            np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("parallel", [False, True], ids=["cpu", "parallel"])
def test_equal_to_numpy(program, parallel):
    assert_equal(njit(parallel=parallel)(program)(*PROGRAMS[program]), program(*PROGRAMS[program]))


mass_of = njit(mass)


@njit(parallel=True)
def profile_by_mass(series, m):
    """The matrix profile by ``mass`` of each subsequence, which threads share."""
    count = series.size - m + 1
    found, apart = np.empty(count), int(np.ceil(m / 4))
    for i in prange(count):
        distances = mass_of(series[i : i + m], series)
        distances[max(i - apart, 0) : i + apart + 1] = np.inf
        found[i] = distances.min()
    return found


def test_both_matrix_profiles_agree():
    series, m = PROGRAMS[stump]
    np.testing.assert_allclose(profile_by_mass(series, m), njit(stump)(series, m)[0], atol=1e-5)
