"""``np.linalg`` and ``np.fft`` in functions whose arrays are a GPU's: by the host, and by libraries that stand in for
cuSOLVER, cuBLAS and cuFFT on emulated devices, whose memory is the host's."""

import numpy as np
import pyarray
import pytest
from pyarray import cuda
from test_cuda_cufft import STAND_INS, needs_stand_ins

pytestmark = pytest.mark.real
RNG = np.random.default_rng(7)


def spd(*shape):
    a = RNG.normal(size=shape)
    return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1])


HOST = {
    "solve": (lambda a: np.linalg.solve(a, a[:, 0]), spd(6, 6)),
    "inv": (lambda a: np.linalg.inv(a), spd(3, 4, 4)),
    "det": (lambda a: np.linalg.det(a), spd(5, 5)),
    "slogdet": (lambda a: np.linalg.slogdet(a)[1], spd(2, 5, 5)),
    "cholesky": (lambda a: np.linalg.cholesky(a), spd(5, 5)),
    "eigh": (lambda a: np.linalg.eigh(a)[0], spd(5, 5)),
    "svd": (lambda a: np.linalg.svd(a, False)[1], RNG.normal(size=(5, 3))),
    "qr": (lambda a: np.linalg.qr(a)[1], RNG.normal(size=(5, 3))),
    "empty": (lambda a: np.linalg.inv(a), np.empty((0, 4, 4))),
}


@pytest.mark.parametrize("name", HOST)
def test_the_host_does_what_is_small_or_has_no_library(name):
    function, a = HOST[name]
    got = pyarray.njit(target="cuda")(function)(cuda.to_device(a))
    np.testing.assert_allclose(np.asarray(got), function(a), rtol=1e-9, atol=1e-12)


def test_errors_are_numpys():
    inverse = pyarray.njit(target="cuda")(lambda a: np.linalg.inv(a))
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        inverse(np.zeros((3, 3)))
    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        inverse(np.zeros((3, 2)))


BY_CUSOLVER = """
import sys
import fake_solver
import numpy as np
from pyarray import cuda, njit

rng = np.random.default_rng(1)


def normal(char, *shape):
    a = rng.normal(size=shape)
    return (a + 1j * rng.normal(size=shape) if char in "FD" else a).astype(char)


def hermitian(char, *shape):
    a = normal(char, *shape)
    return a @ np.swapaxes(a, -1, -2).conj() + np.eye(shape[-1], dtype=char) * shape[-1]


made_of = {}


def run(function, *arguments):
    compiled = made_of.setdefault(function.__code__, njit(target="cuda")(function))
    return compiled(*[cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments])


def check(function, wanted, *arguments, expected=None):
    before = len(fake_solver.calls)
    got = run(function, *arguments)
    made = [name for name, _ in fake_solver.calls[before:] if not name.endswith("_bufferSize")]
    assert made == wanted, (made, wanted)
    expected = function(*arguments) if expected is None else expected
    for one, other in zip(*[x if isinstance(x, tuple) else (x,) for x in (got, expected)]):
        if np.ndim(other):  # numbers are Python's
            assert one.dtype == other.dtype, (one.dtype, other.dtype)
        single = np.asarray(other).dtype.char in "fF"
        np.testing.assert_allclose(np.asarray(one), other, rtol=2e-3 if single else 1e-8, atol=2e-3 if single else 1e-9)
    return got


def rebuilt(parts):
    return [np.asarray(part) for part in parts]


for char in "dF":
    a, stack = hermitian(char, 40, 40), hermitian(char, 6, 20, 20)
    for m in (a, stack, hermitian(char, 2, 70, 70)) if char == "d" else (a,):
        several = m.ndim > 2 and len(m) >= 4
        lu, solve = ("getrfBatched", "getrsBatched") if several else ("getrf", "getrs")
        many = 1 if several or m.ndim == 2 else len(m)
        b, v = normal(char, *m.shape[:-1], 3), normal(char, m.shape[-1])
        check(lambda a: np.linalg.inv(a), [lu] * many + [solve] * many, m)
        check(lambda a, b: np.linalg.solve(a, b), [lu] * many + [solve] * many, m, b)
        check(lambda a, b: np.linalg.solve(a, b), [lu] * many + [solve] * many, m, v)
        check(lambda a: np.linalg.slogdet(a), [lu] * many, m)
        for upper in (False, True):
            check(lambda a, upper: np.linalg.cholesky(a, upper=upper),
                  ["potrfBatched" if several else "potrf"] * many, m, upper)
        turned = m.copy()
        turned[..., 0, :], turned[..., 3, :] = m[..., 3, :], m[..., 0, :]
        check(lambda a: np.linalg.det(a / 100), [lu] * many, turned)
    # one matrix for a stack of right sides, and the other way round
    check(lambda a, b: np.linalg.solve(a, b), ["getrf"] + ["getrs"] * 5, a, normal(char, 5, 40, 2))
    check(lambda a, b: np.linalg.solve(a, b), ["getrfBatched", "getrsBatched"], stack, normal(char, 20, 2))

    for m in (a, hermitian(char, 3, 30, 30)) if char == "d" else (a,):
        eigh = ["syevd" if m.ndim == 2 else "syevBatched"]
        lower, upper = np.tril(m), np.triu(m)
        check(lambda a, part: np.linalg.eigvalsh(a, part), eigh, lower, "L")
        check(lambda a, part: np.linalg.eigvalsh(a, part), eigh, upper, "U")
        for uplo, part in (("L", lower), ("U", upper)):
            w, v = rebuilt(check(lambda a, part: np.linalg.eigh(a, part), eigh, part, uplo,
                                 expected=(np.linalg.eigvalsh(m),)))
            np.testing.assert_allclose(m @ v, w[..., None, :] * v, rtol=2e-3, atol=2e-2 if char in "fF" else 1e-9)

    for shape in ((40, 30), (30, 40), (40, 40), (2, 70, 64)) if char == "d" else ((40, 30), (30, 40)):
        m = normal(char, *shape)
        many = 1 if m.ndim == 2 else len(m)
        check(lambda a: np.linalg.svd(a, compute_uv=False), ["gesvd"] * many, m)
        for full in (True, False):
            function = (lambda a: np.linalg.svd(a, True)) if full else (lambda a: np.linalg.svd(a, False))
            u, s, vh = rebuilt(run(function, m))
            assert [x.shape for x in (u, s, vh)] == [x.shape for x in np.linalg.svd(m, full)]
            k = s.shape[-1]
            np.testing.assert_allclose((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], m, rtol=1e-3,
                                       atol=1e-3 if char in "fF" else 1e-9)
            same = np.swapaxes(u, -1, -2).conj() @ u
            np.testing.assert_allclose(same, np.broadcast_to(np.eye(same.shape[-1]), same.shape), atol=1e-3)
        check(lambda a: np.linalg.qr(a, "r"), ["geqrf"] * many, m)
        check(lambda a: np.linalg.qr(a), ["geqrf"] * many + ["orgqr"] * many, m)
        check(lambda a: np.linalg.qr(a, "complete"), ["geqrf"] * many + ["orgqr"] * many, m)
        check(lambda a: np.linalg.qr(a, "raw"), ["geqrf"] * many, m)

# Exceptions are NumPy's, and what is small is the host's.
for function, a, text in [
    (lambda a: np.linalg.inv(a), np.zeros((40, 40)), "Singular matrix"),
    (lambda a: np.linalg.solve(a, a), np.zeros((5, 20, 20)), "Singular matrix"),
    (lambda a: np.linalg.cholesky(a), -np.eye(40), "Matrix is not positive definite"),
]:
    try:
        run(function, a)
    except np.linalg.LinAlgError as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
zero = np.ones((40, 40))
check(lambda a: np.linalg.det(a), ["getrf"], zero, expected=0.0)
check(lambda a: np.linalg.inv(a), [], np.eye(3) * 2)
check(lambda a: np.linalg.svd(a, compute_uv=False), [], rng.normal(size=(50, 8, 8)))
print("done")
"""


@needs_stand_ins
def test_linear_algebra_goes_to_cusolver(run):
    pytest.importorskip("scipy")
    assert "done" in run(BY_CUSOLVER, **{**STAND_INS, "PYARRAY_CUDA": "cpu"})


MATRIX = RNG.normal(size=(6, 10)) + 1j * RNG.normal(size=(6, 10))
STACK = (RNG.normal(size=(2, 3, 8)) * (1 + 2j)).astype(np.complex64)
TRANSFORMS = [
    (lambda a: np.fft.fft(a), MATRIX),
    (lambda a: np.fft.irfft(a, 7), MATRIX),
    (lambda a: np.fft.ifft(a, norm="ortho"), MATRIX.T),
    (lambda a: np.fft.fft(a, 5), STACK),
    (lambda a: np.fft.fft(a, 40), MATRIX[::-2, ::2]),
    (lambda a: np.fft.fft(a, axis=0, norm="forward"), STACK),
    (lambda a: np.fft.rfft(a.real), STACK),
    (lambda a: np.fft.rfft(a, 7, norm="ortho"), MATRIX.real),
    (lambda a: np.fft.irfft2(np.fft.rfft2(a) * 2), MATRIX.real),
]


def check_transforms(transforms, calls=None):
    """Each against NumPy's; with ``calls`` all by the library."""
    for number, (function, a) in enumerate(transforms):
        before = len(calls()) if calls else 0
        expected, got = function(a), np.asarray(pyarray.njit(target="cuda")(function)(cuda.to_device(a)))
        assert got.dtype == expected.dtype and got.shape == expected.shape, number
        least = 1e-5 if expected.dtype.char in "fF" else 1e-12
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=least, err_msg=str(number))
        assert not calls or len(calls()) > before, number
    lengths = pyarray.njit(target="cuda")(lambda a: np.fft.fft(a, 0))
    with pytest.raises(ValueError, match="Invalid number of FFT data points"):
        lengths(np.ones(3))
    with pytest.raises(ValueError, match="Invalid norm value"):
        pyarray.njit(target="cuda")(lambda a: np.fft.fft(a, norm="other"))(np.ones(3))
    with pytest.raises((TypeError, pyarray.errors.TypingError), match="not supported for the input types"):
        pyarray.njit(target="cuda")(lambda a: np.fft.rfft(a))(np.ones(3, complex))


def test_transforms_by_the_host():
    check_transforms(TRANSFORMS[:3])


BY_CUFFT = """
import os, pathlib, test_cuda_whole_array_linalg as tests
from pyarray._pyarray import cuda
cuda.open_library("cufft", [os.path.join(os.environ["PYARRAY_CUDA_LIBRARIES"], "libcufft.so")])
log = pathlib.Path(os.environ["PYARRAY_FAKE_CUFFT_LOG"])
log.touch()
runs = lambda: [line for line in log.read_text().splitlines() if line.startswith("run ")]
tests.check_transforms(tests.TRANSFORMS, runs)
print("done", len(runs()))
"""


@needs_stand_ins
def test_transforms_by_cufft(run, tmp_path):
    log = str(tmp_path / "cufft.log")
    assert "done" in run(BY_CUFFT, **{**STAND_INS, "PYARRAY_CUDA": "cpu", "PYARRAY_FAKE_CUFFT_LOG": log})
