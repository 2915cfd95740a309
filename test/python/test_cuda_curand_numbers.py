"""What cuRAND's generators give: published vectors, numbers of cuRAND's own, distributions.

In the emulator, on a GPU, and through stand-ins. Where the package nvidia-curand is installed, its generators for the
host, which need no GPU, are compared with, too.
"""

import ctypes
import zlib

import numpy as np
import pytest
from pyarray import cuda
from pyarray.cuda import _libraries, curand, random
from pyarray.cuda.curand import PRNG, QRNG
from scipy import stats

SKIPPING = {"XORWOW": PRNG.XORWOW, "MRG32K3A": PRNG.MRG32K3A, "PHILOX4_32_10": PRNG.PHILOX4_32_10}
PSEUDO = {**SKIPPING, "MTGP32": PRNG.MTGP32, "MT19937": PRNG.MT19937}
QUASI = {name: getattr(QRNG, name) for name in ("SOBOL32", "SCRAMBLED_SOBOL32", "SOBOL64", "SCRAMBLED_SOBOL64")}
SEED = 12345678901234567890


def filled(method, count, dtype, *arguments):
    array = np.empty(count, dtype)
    assert method(array, *arguments) is array
    return array


# ------------------------------------------------------------------------------------------------
# Known numbers


def test_philox_is_the_published_one():
    """The vector of Random123 for counter 0 and key 0."""
    assert [hex(x) for x in filled(PRNG(PRNG.PHILOX4_32_10).generate, 4, "u4")] == [
        "0x6627e8d5",
        "0xe169c58d",
        "0xbc57ac4c",
        "0x9b00dbd8",
    ]


def test_philox_is_that_of_kernels():
    """Of subsequence k, cuRAND's host interface takes four numbers at a time, for k from 0 to 65535."""
    rng = PRNG(PRNG.PHILOX4_32_10, seed=SEED)
    ours = filled(rng.generate, 2 * 4 * 65536, "u4").reshape(2, 65536, 4)

    @cuda.jit
    def numbers(states, out):
        for i in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            for k in range(8):
                out[k // 4, i, k % 4] = random.philox_next(states, i)

    states, out = random.create_philox_states(1000, SEED), cuda.device_array((2, 1000, 4), np.uint32)
    numbers[10, 64](states, out)
    np.testing.assert_array_equal(ours[:, :1000], out.copy_to_host())


# Of cuRAND 10.4.5: the first numbers, and CRC-32 of the bytes of 100003 (Sobol: 98007) of them, as float32, as float64.
NUMBERS = {
    ("XORWOW", SEED, 98765, None): ([970677109, 836489226], 3733635066, 4256285523, 34982114),
    ("XORWOW", 5, 0, PRNG.ORDERING_LEGACY): ([1388865699, 4190861580], 3876832617, 1173090955, 4139245843),
    ("MRG32K3A", SEED, 98765, None): ([72364224, 1076654808], 3587205226, 2470743524, 1141711266),
    ("MRG32K3A", 5, 0, PRNG.ORDERING_LEGACY): ([3239147919, 3479186626], 2092798924, 678269108, 4040065413),
    ("PHILOX4_32_10", SEED, 98765, None): ([792408608, 1927697980], 4241053220, 860387690, 1250410170),
    ("MTGP32", SEED, None, None): ([2199718909, 1291805576], 3881765610, 1801484849, 2695997050),
    ("MTGP32", 5, None, PRNG.ORDERING_LEGACY): ([3677004114, 1211555017], 617396273, 3056896402, 471572811),
}
NORMAL = {  # of each the first three as float32 and as float64
    ("XORWOW", SEED, 98765, None): ([-1.6843575, 0.37060842, 1.2398124], [-0.233761885, -0.656391959, 1.379703059]),
    ("MRG32K3A", SEED, 98765, None): ([1.3571497, 2.514979, 1.5986559], [1.357149635, 2.514978972, 1.598655926]),
    ("PHILOX4_32_10", SEED, 98765, None): (
        [0.17326804, 1.2478485, -0.2123887],
        [-0.308493033, -0.652958178, -0.704317683],
    ),
    ("MTGP32", SEED, None, None): (
        [0.03049026, -0.52218163, 0.70660096],
        [0.030490260349, -0.522181669252, 0.706600986642],
    ),
}


def generator(name, seed, offset, ordering):
    rng = PRNG(PSEUDO[name], seed=seed, offset=offset)
    if ordering is not None:
        rng.ordering = ordering
    return rng


@pytest.mark.parametrize("key", NUMBERS, ids=lambda key: f"{key[0]}-{key[3]}")
def test_numbers_are_cu_rands(key):
    first, *sums = NUMBERS[key]
    bits = filled(generator(*key).generate, 100_003, "u4")
    assert bits[:2].tolist() == first
    singles = filled(generator(*key).uniform, 100_003, "f4")
    doubles = filled(generator(*key).uniform, 100_003, "f8")
    assert [zlib.crc32(array.tobytes()) for array in (bits, singles, doubles)] == sums


@pytest.mark.parametrize("key", NORMAL, ids=lambda key: key[0])
def test_normal_numbers_are_cu_rands(key):
    for dtype, wanted, tolerance in zip(("f4", "f8"), NORMAL[key], (1e-5, 1e-6 if key[0] == "MTGP32" else 1e-8)):
        found = filled(generator(*key).normal, 3, dtype)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance)
        scaled = filled(generator(*key).normal, 3, dtype, 5, 0.5)
        np.testing.assert_allclose(scaled, 5 + 0.5 * np.array(wanted), rtol=0, atol=tolerance)
        logarithms = np.log(filled(generator(*key).lognormal, 3, dtype, 1, 0.25))
        np.testing.assert_allclose(logarithms, 1 + 0.25 * np.array(wanted), rtol=0, atol=2 * tolerance)


def test_mt19937_is_numpys():
    """On the CPU; cuRAND's begins so, and goes on with other sequences."""
    wanted = np.random.RandomState(3).randint(0, 2**32, 1000, np.uint32)
    found = filled(PRNG(PRNG.MT19937, seed=2**32 + 3).generate, 1000, "u4")
    count = 1 if cuda.is_available() else 1000
    np.testing.assert_array_equal(found[:count], wanted[:count])


@pytest.mark.parametrize("ndim", [1, 2, 7, 1111])
def test_sobol_is_joes_and_kuos(ndim):
    points = stats.qmc.Sobol(ndim, scramble=False, bits=32).fast_forward(5).random(100).T
    wanted = (points * 2**32).astype(np.uint32)
    found = filled(QRNG(ndim=ndim, offset=5).generate, (ndim, 100), "u4")
    np.testing.assert_array_equal(found, wanted)
    wide = filled(QRNG(QRNG.SOBOL64, ndim=ndim, offset=5).generate, (ndim, 100), "u8")
    np.testing.assert_array_equal(wide >> np.uint64(32), wanted)
    uniform = filled(QRNG(ndim=ndim, offset=5).uniform, (ndim, 100), "f8")
    np.testing.assert_array_equal(uniform, wanted * 2.0**-32 + 2.0**-32)
    normal = filled(QRNG(ndim=ndim, offset=5).normal, (ndim, 100), "f8", 1, 2)
    np.testing.assert_allclose(normal, 1 + 2 * stats.norm.ppf(wanted * 2.0**-32 + 2.0**-33), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    "name, dtype, sums",
    [("SOBOL32", "u4", [2101516851, 2142166574, 922345777]), ("SOBOL64", "u8", [2820852780, 2142166574, 900928539])],
)
def test_sobols_numbers_are_cu_rands(name, dtype, sums):
    rngs = [QRNG(QUASI[name], ndim=7, offset=1001) for _ in range(3)]
    methods = rngs[0].generate, rngs[1].uniform, rngs[2].uniform
    arrays = [filled(method, 98_007, kind) for method, kind in zip(methods, (dtype, "f4", "f8"))]
    assert [zlib.crc32(array.tobytes()) for array in arrays] == sums


# ------------------------------------------------------------------------------------------------
# cuRAND's generators for the host


class Host:
    """A generator of the library that computes on the host."""

    CALLS = {
        ("generate", "u4"): "curandGenerate",
        ("generate", "u8"): "curandGenerateLongLong",
        ("uniform", "f4"): "curandGenerateUniform",
        ("uniform", "f8"): "curandGenerateUniformDouble",
        ("normal", "f4"): "curandGenerateNormal",
        ("normal", "f8"): "curandGenerateNormalDouble",
    }

    def __init__(self, rndtype, seed=None, offset=None, ndim=None):
        found = [path for path in _libraries._paths("curand") if "/" in path]
        try:
            self.library = ctypes.CDLL(found[0])
        except (IndexError, OSError):
            pytest.skip("no package nvidia-curand")
        if not hasattr(self.library, "curandCreateGeneratorHost"):
            pytest.skip("a stand-in for the library")
        self.handle = ctypes.c_void_p()
        self.call("curandCreateGeneratorHost", rndtype, handle=ctypes.byref(self.handle))
        if seed is not None:
            self.call("curandSetPseudoRandomGeneratorSeed", ctypes.c_ulonglong(seed))
        if offset is not None:
            self.call("curandSetGeneratorOffset", ctypes.c_ulonglong(offset))
        if ndim is not None:
            self.call("curandSetQuasiRandomGeneratorDimensions", ctypes.c_uint(ndim))

    def __del__(self):
        if getattr(self, "handle", None):
            self.call("curandDestroyGenerator")

    def call(self, name, *arguments, handle=None):
        status = getattr(self.library, name)(handle or self.handle, *arguments)
        assert status == 0, (name, status)

    def fill(self, method, count, dtype):
        array = np.empty(count, dtype)
        real = {"f4": ctypes.c_float, "f8": ctypes.c_double}.get(dtype)
        scale = (real(0), real(1)) if method == "normal" else ()
        self.call(self.CALLS[method, dtype], array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(count), *scale)
        return array


STEPS = [("generate", "u4", 1003), ("uniform", "f4", 777), ("uniform", "f8", 501), ("normal", "f4", 1000),
         ("generate", "u4", 90_001), ("normal", "f8", 2002), ("uniform", "f8", 5), ("normal", "f4", 6)]  # fmt: skip


def same(method, dtype, found, wanted, exact=1e-13):
    if method == "normal":  # mathematical functions differ in the last place; on a GPU, sines of float32 more
        tolerance = 1e-5 if dtype == "f4" else exact
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "name, offset", [("MTGP32", None), *((name, at) for name in SKIPPING for at in (0, 1, 3, 81_921, 2**40 + 7))]
)
def test_against_the_host_generators(name, offset):
    theirs, ours = Host(PSEUDO[name], SEED, offset), PRNG(PSEUDO[name], SEED, offset)
    for method, dtype, count in STEPS:
        exact = 1e-6 if name == "MTGP32" else 1e-13  # quantiles of float32 in version 10.4.0
        same(method, dtype, filled(getattr(ours, method), count, dtype), theirs.fill(method, count, dtype), exact)


@pytest.mark.parametrize("offset", [0, 5, 2**31 + 3, 2**32 - 5])
@pytest.mark.parametrize("name", ["SOBOL32", "SOBOL64"])
def test_against_the_host_generators_of_sobols_sequences(name, offset):
    theirs, ours = Host(QUASI[name], None, offset, 40), QRNG(QUASI[name], 40, offset)
    for method, dtype, count in STEPS:
        dtype = "u8" if name == "SOBOL64" and dtype == "u4" else dtype
        count = 40 * (count // 20)
        same(method, dtype, filled(getattr(ours, method), count, dtype), theirs.fill(method, count, dtype))


# ------------------------------------------------------------------------------------------------
# Properties


@pytest.mark.parametrize("name", SKIPPING)
@pytest.mark.parametrize("offset", [1, 4, 5, 4096, 81_920, 262_145])
def test_an_offset_skips_numbers(name, offset):
    whole = filled(PRNG(SKIPPING[name], seed=3).generate, offset + 500, "u4")
    found = filled(PRNG(SKIPPING[name], seed=3, offset=offset).generate, 500, "u4")
    np.testing.assert_array_equal(found, whole[offset:])


@pytest.mark.parametrize("name", QUASI)
def test_an_offset_skips_points(name):
    dtype = "u8" if "64" in name else "u4"
    whole = filled(QRNG(QUASI[name], 3).generate, (3, 200), dtype)
    rng = QRNG(QUASI[name], 3, offset=77)
    np.testing.assert_array_equal(filled(rng.generate, (3, 100), dtype), whole[:, 77:177])
    np.testing.assert_array_equal(filled(rng.generate, (3, 23), dtype), whole[:, 177:])


@pytest.mark.parametrize("name", PSEUDO)
@pytest.mark.parametrize("method, dtype", [("generate", "u4"), ("uniform", "f4"), ("uniform", "f8"), ("normal", "f4")])
def test_calls_continue(name, method, dtype):
    whole = filled(getattr(PRNG(PSEUDO[name], seed=3), method), 9000, dtype)
    rng = PRNG(PSEUDO[name], seed=3)
    parts = [filled(getattr(rng, method), count, dtype) for count in (2, 1000, 4, 5000, 2994)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize("name", PSEUDO)
def test_a_seed_begins_anew(name):
    rng = PRNG(PSEUDO[name], seed=3)
    first = filled(rng.generate, 100, "u4")
    rng.seed = 4
    assert rng.seed == 4 and (filled(rng.generate, 100, "u4") != first).any()
    rng.seed = 3
    np.testing.assert_array_equal(filled(rng.generate, 100, "u4"), first)


@pytest.mark.parametrize("name", PSEUDO)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_odd_counts_of_normal_numbers(name, dtype):
    """They are the first ones of one more."""
    for count in (1, 3, 1001):
        found = filled(PRNG(PSEUDO[name], seed=3).normal, count, dtype)
        wanted = filled(PRNG(PSEUDO[name], seed=3).normal, count + 1, dtype)
        np.testing.assert_array_equal(found, wanted[:-1])
        again = filled(PRNG(PSEUDO[name], seed=3).lognormal, count, dtype)
        np.testing.assert_allclose(np.log(again), found, rtol=1e-4, atol=1e-5)


def test_wide_numbers_are_pairs():
    for rndtype in PSEUDO.values():
        narrow = filled(PRNG(rndtype, seed=3).generate, 202, "u4")
        np.testing.assert_array_equal(filled(PRNG(rndtype, seed=3).generate, 101, "u8"), narrow.view("u8"))


def test_scrambled_points_are_a_net():
    """Of 2**m points from 0 on, each interval of length 2**-m has one, in each dimension."""
    for name, dtype, bits in (("SCRAMBLED_SOBOL32", "u4", 32), ("SCRAMBLED_SOBOL64", "u8", 64)):
        points = filled(QRNG(QUASI[name], 40).generate, (40, 256), dtype) >> np.array(bits - 8, dtype)
        np.testing.assert_array_equal(np.sort(points, axis=1), np.tile(np.arange(256), (40, 1)))
        assert len({tuple(row) for row in points.tolist()}) == 40


# ------------------------------------------------------------------------------------------------
# Distributions, of fixed seeds

DISTRIBUTIONS = {
    "uniform": ((), stats.uniform()),
    "normal": ((3, 0.5), stats.norm(3, 0.5)),
    "lognormal": ((0.5, 0.25), stats.lognorm(0.25, scale=np.exp(0.5))),
}
GENERATORS = {**PSEUDO, **QUASI}


def make(name):
    return PRNG(PSEUDO[name], seed=1) if name in PSEUDO else QRNG(QUASI[name], offset=1)


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("method", DISTRIBUTIONS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_distributions(name, method, dtype):
    arguments, wanted = DISTRIBUTIONS[method]
    found = filled(getattr(make(name), method), 20_000, dtype, *arguments).astype("f8")
    assert stats.kstest(found, wanted.cdf).pvalue > 1e-3
    np.testing.assert_allclose(found.mean(), wanted.mean(), atol=5 * wanted.std() / np.sqrt(found.size))
    np.testing.assert_allclose(found.std(), wanted.std(), rtol=0.05)
    if method == "uniform":
        assert 0 < found.min() and found.max() <= 1
        assert name in QUASI or abs(np.corrcoef(found[:-1], found[1:])[0, 1]) < 0.03


@pytest.mark.parametrize("name", PSEUDO)
@pytest.mark.parametrize("lmbd", [1e-30, 0.5, 10, 63.9, 1000, 4000.5, 400_000])
def test_poisson(name, lmbd):
    found = filled(make(name).poisson, 20_000, "u4", lmbd).astype("f8")
    deviation = np.sqrt(lmbd)
    np.testing.assert_allclose(found.mean(), lmbd, atol=5 * deviation / np.sqrt(found.size))
    if lmbd < 0.1:
        assert not found.any()
        return
    np.testing.assert_allclose(found.var(), lmbd, rtol=0.06)
    edges = np.unique(stats.poisson.ppf([0.1, 0.25, 0.5, 0.75, 0.9], lmbd))
    counts = np.histogram(found, [-1, *(edges + 0.5), np.inf])[0]
    chances = np.diff([0, *stats.poisson.cdf(edges, lmbd), 1])
    assert stats.chisquare(counts, chances * found.size).pvalue > 1e-3


def test_functions_of_the_module():
    for device in (False, True):
        made = [
            curand.uniform(10_000, device=device),
            curand.uniform((100, 100), np.float32, device=device),
            curand.normal(5, 2, 10_001, device=device),
            curand.lognormal(0, 0.5, 10_000, np.float32, device=device),
            curand.poisson(7, 10_000, device=device),
        ]
        assert all(isinstance(array, cuda.DeviceNDArray if device else np.ndarray) for array in made)
        assert [array.dtype for array in made] == ["f8", "f4", "f8", "f4", "u4"]
        means = [np.asarray(array.copy_to_host() if device else array, "f8").mean() for array in made]
        np.testing.assert_allclose(means, [0.5, 0.5, 5, np.exp(0.125), 7], rtol=0.05)
    assert (curand.uniform(5) != curand.uniform(5)).all()  # it goes on
    points = np.concatenate([curand.quasi(4, nd=2), curand.quasi(4, nd=2)])
    np.testing.assert_array_equal(points[:2], [0, 1 << 31])
    assert curand.quasi(4, bits=64, device=True).dtype == "u8"
