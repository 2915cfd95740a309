"""Programs that people write with ufuncs: each compiled, and equal to the same in NumPy, for both targets."""

import math

import numpy as np
import pytest
from pyarray import guvectorize, njit, vectorize

pytestmark = pytest.mark.real

TARGETS = pytest.mark.parametrize("target", ["cpu", "parallel"])
RANDOM = np.random.default_rng(7)


@njit
def polar_to_cartesian(rho, theta):
    x = rho * math.cos(theta)
    y = rho * math.sin(theta)
    return x, y


@TARGETS
def test_saxpy(target):
    @vectorize(["float32(float32, float32, float32)"], target=target)
    def saxpy(a, x, y):
        return a * x + y

    x, y = RANDOM.random((2, 300_000), np.float32)
    result = saxpy(np.float32(2.5), x, y)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, np.float32(2.5) * x + y, rtol=1e-6)


@TARGETS
def test_square_of_a_sum_in_two_types(target):
    @vectorize(["int32(int32, int32)", "float32(float32, float32)"], target=target)
    def squared(a, b):
        return (a + b) ** 2

    floats = RANDOM.random((2, 100_000), np.float32)
    integers = RANDOM.integers(-1000, 1000, (2, 100_000), np.int32)
    assert squared(*floats).dtype == np.float32 and squared(*integers).dtype == np.int32
    np.testing.assert_allclose(squared(*floats), (floats[0] + floats[1]) ** 2, rtol=1e-6)
    np.testing.assert_array_equal(squared(*integers), (integers[0] + integers[1]) ** 2)


@TARGETS
def test_add_ten(target):
    @vectorize(["int64(int64)"], target=target)
    def add_ten(number):
        return number + 10

    np.testing.assert_array_equal(add_ten(np.arange(10)), np.arange(10, 20))
    assert add_ten(32) == 42


@TARGETS
def test_gaussian_pdf(target):
    stats = pytest.importorskip("scipy.stats") if target == "cpu" else None
    root = math.sqrt(2 * math.pi)

    @vectorize(["float64(float64, float64, float64)", "float32(float32, float32, float32)"], target=target)
    def gaussian_pdf(x, mean, sigma):
        return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * root)

    x = RANDOM.uniform(-3, 3, 1_000_000)
    expected = stats.norm.pdf(x, 0.5, 1.5) if stats else np.exp(-0.5 * ((x - 0.5) / 1.5) ** 2) / (1.5 * root)
    np.testing.assert_allclose(gaussian_pdf(x, 0.5, 1.5), expected, rtol=1e-14)
    single = gaussian_pdf(x.astype(np.float32), np.float32(0.5), np.float32(1.5))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, expected, rtol=1e-5)


@TARGETS
def test_zero_suppress(target):
    @vectorize(["int16(int16, int16)"], target=target)
    def zero_suppress(value, threshold):
        return value if value > threshold else 0

    waveform = RANDOM.integers(-20, 500, 100_000).astype(np.int16)
    result = zero_suppress(waveform, np.int16(15))
    assert result.dtype == np.int16
    np.testing.assert_array_equal(result, np.where(waveform > 15, waveform, 0))


@TARGETS
def test_pulses_and_noise(target):
    @vectorize(["float32(float32, float32)"], target=target)
    def add_ufunc(x, y):
        return x + y

    @vectorize(["float32(float32, float32, float32)"], target=target)
    def make_pulses(i, period, amplitude):
        return max(math.sin(i / period) - 0.3, 0.0) * amplitude

    n = 100_000
    noise = (RANDOM.normal(size=n) * 3).astype(np.float32)
    t = np.arange(n, dtype=np.float32)
    period = n / 23
    out = np.empty(n, np.float32)
    pulses = make_pulses(t, period, 100.0, out=out)
    assert pulses is out
    waveform = add_ufunc(pulses, noise, out=out)
    expected = np.maximum(np.sin(t / np.float32(period)) - 0.3, 0.0) * 100 + noise
    np.testing.assert_allclose(waveform, expected, atol=2e-4)


@TARGETS
def test_polar_distance(target):
    @vectorize(["float32(float32, float32, float32, float32)"], target=target)
    def polar_distance(rho1, theta1, rho2, theta2):
        x1, y1 = polar_to_cartesian(rho1, theta1)
        x2, y2 = polar_to_cartesian(rho2, theta2)
        return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5

    rho1, rho2 = RANDOM.uniform(0.5, 1.5, (2, 1_000_000)).astype(np.float32)
    theta1, theta2 = RANDOM.uniform(-np.pi, np.pi, (2, 1_000_000)).astype(np.float32)
    expected = np.abs(rho1 * np.exp(1j * theta1) - rho2 * np.exp(1j * theta2))
    np.testing.assert_allclose(polar_distance(rho1, theta1, rho2, theta2), expected, atol=1e-5)


@TARGETS
def test_batched_matmul(target):
    @guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)", target=target)
    def matmul(a, b, c):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                total = 0.0
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                c[i, j] = total

    a, b = RANDOM.random((1000, 2, 4)), RANDOM.random((1000, 4, 5))
    np.testing.assert_allclose(matmul(a, b), a @ b)
    np.testing.assert_allclose(matmul(a[0], b), a[0] @ b)


@TARGETS
def test_l2_norm(target):
    @guvectorize(["void(float64[:], float64[:])"], "(n)->()", target=target)
    def l2_norm(vector, result):
        total = 0.0
        for i in range(vector.shape[0]):
            total += vector[i] ** 2
        result[0] = math.sqrt(total)

    vectors = RANDOM.random((200_000, 16))
    np.testing.assert_allclose(l2_norm(vectors), np.linalg.norm(vectors, axis=1))
    np.testing.assert_allclose(l2_norm(vectors.T.copy().T), np.linalg.norm(vectors, axis=1))
    np.testing.assert_allclose(l2_norm(vectors[:100], axis=0), np.linalg.norm(vectors[:100], axis=0))


@TARGETS
def test_haversine(target):
    @vectorize(["float64(float64, float64, float64, float64)"], target=target)
    def haversine(lat1, lon1, lat2, lon2):
        a = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
        return 2 * 6371.0 * math.asin(math.sqrt(a))

    lat1, lon1, lat2, lon2 = RANDOM.uniform(-1.5, 1.5, (4, 3_000_000))
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    np.testing.assert_allclose(haversine(lat1, lon1, lat2, lon2), 2 * 6371.0 * np.arcsin(np.sqrt(a)), rtol=1e-11)


@TARGETS
def test_black_scholes(target):
    @vectorize(["float64(float64, float64, float64, float64, float64)"], target=target)
    def call_price(spot, strike, years, rate, volatility):
        spread = volatility * math.sqrt(years)
        d1 = (math.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
        d2 = d1 - spread
        n1 = 0.5 * (1.0 + math.erf(d1 * 0.7071067811865476))
        n2 = 0.5 * (1.0 + math.erf(d2 * 0.7071067811865476))
        return spot * n1 - strike * math.exp(-rate * years) * n2

    spot, strike = RANDOM.uniform(5, 30, 50_000), RANDOM.uniform(1, 100, 50_000)
    years = RANDOM.uniform(0.25, 10, 50_000)
    erf = np.vectorize(math.erf)
    spread = 0.3 * np.sqrt(years)
    d1 = (np.log(spot / strike) + (0.02 + 0.5 * 0.3 * 0.3) * years) / spread
    cumulative = lambda d: 0.5 * (1 + erf(d * 0.7071067811865476))
    expected = spot * cumulative(d1) - strike * np.exp(-0.02 * years) * cumulative(d1 - spread)
    np.testing.assert_allclose(call_price(spot, strike, years, 0.02, 0.3), expected, rtol=1e-9, atol=1e-12)
