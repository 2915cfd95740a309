"""The routines of cuBLAS as a table: what parameters they have, and what cuBLAS calls them."""

import re

import numpy as np

from .._pyarray import cuda as _cuda
from ._values import number, real

LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}

# What a letter may be, and its number for cuBLAS.
CHOICES = {
    "trans": {"N": 0, "T": 1, "C": 2},
    "uplo": {"L": 0, "U": 1},
    "side": {"L": 0, "R": 1},
    "diag": {"N": 0, "U": 1},
}
CHOICES["transa"] = CHOICES["transb"] = CHOICES["trans"]

COUNTS = ("m", "n", "k", "kl", "ku", "b")  # b: of matrices in a batch
_STRIDED = ("x", "y")  # vectors with a step

# Where alpha is 0, cuBLAS reads no matrix and no vector in these alone (13.1 on an H100; NaN shows the others).
_HEEDS_ALPHA = ("axpy", "scal", "ger", "geru", "gerc", "gemv", "gemm", "gemm_batched", "geam")


def _extent(text):
    """An extent as ``BlasMethod`` reads it: two counts (-1: none) and a number, whose sum it is; whether a triangle."""
    if text == "n*(n+1)//2":
        return COUNTS.index("n"), -1, 0, True
    parts = text.split("+")
    places = [COUNTS.index(part) for part in parts if not part.isdigit()]
    return (*(*places, -1, -1)[:2], sum(int(part) for part in parts if part.isdigit()), False)


class _Array:
    """A parameter that is an array, such as ``A![m,k|k,m]``.

    ``!``: it is written. After ``|``: its shape where the letter that governs it is not the first one.
    """

    def __init__(self, name, written, shape, letters):
        self.name, self.is_written = name, bool(written)
        self.shapes = [tuple(part.split(",")) for part in shape.split("|")]
        self.rank = len(self.shapes[0])
        own = "trans" + name.lower()
        self.governor = next((letter for letter in (own, "trans", "side") if letter in letters), None)

    def shape(self, values):
        which = len(self.shapes) == 2 and values[self.governor] not in ("N", "L")
        return tuple(eval(extent, {}, values) for extent in self.shapes[which])  # of the table below


def _rounded(value, letter):
    """A number as the library gets it: what is 0 there is 0 here."""
    if letter in "dz":
        return value
    with np.errstate(over="ignore"):
        return (np.complex64(value) if isinstance(value, complex) else np.float32(value)).item()


class _Routine:
    """A row of the table: parameters, the dtypes that it is for, the text of its help."""

    def __init__(self, name, letters, parameters, text):
        self.name, self.letters, self.text = name, letters, text
        found = re.findall(r"(\w+)(!?)(?:\[([^\]]*)\])?", parameters)
        self.names = [part[0] for part in found]
        self.arrays = {part[0]: _Array(*part, self.names) for part in found if part[2]}
        self.counts = [name for name in self.names if name in COUNTS]
        alpha = () if "alpha" not in self.names or name in _HEEDS_ALPHA else ("alpha",)
        self.unheeded = ("beta",) if name == "geam" else alpha  # factors that cuBLAS is not given as 0
        # Whose elements are not read where beta is 0, and all written.
        is_triangle = self.names[0] == "uplo" and self.names[-1] == "C"
        self.governed_by_beta = self.names[-1] if "beta" in self.names and name != "geam" and not is_triangle else None

    def scalar(self, name, value, letter):
        """``value`` as a number of the kind that the parameter has."""
        what = f"{self.name}: {name}"
        if name == "param":
            try:
                numbers = tuple(value)
            except TypeError:
                raise TypeError(f"{what} is five numbers, not {type(value).__name__}") from None
            if len(numbers) != 5:
                raise ValueError(f"{what} has 5 numbers, not {len(numbers)}")
            return tuple(_rounded(real(part, f"{what}[{i}]"), letter) for i, part in enumerate(numbers))
        is_real = letter in "sd" or self._kind(name) == "r"
        return _rounded((real if is_real else number)(value, what), letter)

    def symbol(self, letter):
        if self.name == "gemm_batched":
            return f"cublas{letter.upper()}gemmStridedBatched"
        return (
            "cublas"
            + _SYMBOLS.get((self.name, letter), letter.upper() + self.name)
            + ("" if self.name in ("geam", "dgmm") else "_v2")
        )

    def _kind(self, name):
        """The letter of a parameter's kind (python/ext/cuda_blas.h)."""
        if name in self.arrays:
            rank = self.arrays[name].rank
            if self.name in ("gemm", "gemm_batched"):
                return "g" if rank == 2 else "b"
            return "m" if rank == 2 else "v" if name in _STRIDED else "a"
        if name in CHOICES or name in COUNTS:
            return "o" if name in CHOICES else "n"
        if name == "param":
            return "p"
        real = {"c": True, "alpha": self.name in ("her", "hpr", "herk"), "beta": self.name in ("herk", "her2k")}
        return "r" if real.get(name) else "s"

    def _result(self, letter):
        """The letter of the number that the routine gives: S D C Z, I an index; "" for none."""
        real = _REAL[letter].upper()
        named = {"amax": "I", "amin": "I", "nrm2": real, "asum": real}
        return named.get(self.name, letter.upper() if self.name.startswith("dot") else "")

    def method(self, function):
        """The method of ``Blas`` whose Python is ``function``."""
        rows = []
        for name in self.names:
            array = self.arrays.get(name)
            letters = "".join(CHOICES.get(name, ()))  # in the order of their numbers
            count = COUNTS.index(name) if name in COUNTS else -1
            governor = self.names.index(array.governor) if array and array.governor else -1
            shapes = tuple(tuple(map(_extent, shape)) for shape in array.shapes) if array else ()
            is_written, is_unheeded = bool(array and array.is_written), name in self.unheeded
            rows.append((self._kind(name), letters, count, is_written, is_unheeded, governor, shapes))
        order = list(range(len(rows)))
        if self.name == "gemm_batched":  # m n k behind the letters, the number of matrices last
            order[2:2] = [~COUNTS.index(name) for name in "mnk"]
            order.append(~COUNTS.index("b"))
        elif not self.counts:
            order.insert(0, ~COUNTS.index("n"))
        natives = {letter: (self.symbol(letter), self._result(letter)) for letter in self.letters}
        return _cuda.BlasMethod(function, tuple(rows), tuple(order), natives)


_REAL = {"s": "s", "d": "d", "c": "s", "z": "d"}
_SYMBOLS = {
    **{(name, letter): "I" + letter + name for name in ("amax", "amin") for letter in "sdcz"},
    **{(name, letter): prefix + name for name in ("nrm2", "asum") for letter, prefix in (("c", "Sc"), ("z", "Dz"))},
    ("dot", "c"): "Cdotu",
    ("dot", "z"): "Zdotu",
    ("ger", "c"): "Cgeru",
    ("ger", "z"): "Zgeru",
}

_TRIANGLE = "Of ``A`` the triangle ``uplo`` is read."
_SOLVES = "Nothing looks whether there is a solution."
_ROUTINES = """
amax   sdcz  x[n]                                                     | The index, from 0, of the first element with the greatest abs(real) + abs(imag); -1 for none.
amin   sdcz  x[n]                                                     | The index, from 0, of the first element with the least abs(real) + abs(imag); -1 for none.
asum   sdcz  x[n]                                                     | The sum of abs(real) + abs(imag).
axpy   sdcz  alpha x[n] y![n]                                         | y += alpha * x.
copy   sdcz  x[n] y![n]                                               | y = x.
dot    sdcz  x[n] y[n]                                                | The sum of x * y.
dotu   cz    x[n] y[n]                                                | The sum of x * y.
dotc   cz    x[n] y[n]                                                | The sum of conj(x) * y.
nrm2   sdcz  x[n]                                                     | The Euclidean norm of x.
rotm   sd    x![n] y![n] param                                        | x, y = H @ (x, y) with the modified Givens rotation that the five numbers ``param`` of ``rotmg`` stand for.
rot    sdcz  x![n] y![n] c s                                          | x, y = c * x + s * y, c * y - conj(s) * x; c is real.
scal   sdcz  alpha x![n]                                              | x *= alpha.
swap   sdcz  x![n] y![n]                                              | Exchange x and y.
gbmv   sdcz  trans m n kl ku alpha A[kl+ku+1,n] x[n|m] beta y![m|n]   | y = alpha * op(A) @ x + beta * y of a matrix with kl diagonals below and ku above the main one: row i of A has diagonal ku - i.
gemv   sdcz  trans m n alpha A[m,n] x[n|m] beta y![m|n]               | y = alpha * op(A) @ x + beta * y.
ger    sdcz  m n alpha x[m] y[n] A![m,n]                              | A += alpha * outer(x, y).
geru   cz    m n alpha x[m] y[n] A![m,n]                              | A += alpha * outer(x, y).
gerc   cz    m n alpha x[m] y[n] A![m,n]                              | A += alpha * outer(x, conj(y)).
sbmv   sd    uplo n k alpha A[k+1,n] x[n] beta y![n]                  | y = alpha * A @ x + beta * y of a symmetric band matrix with k diagonals beside the main one.
hbmv   cz    uplo n k alpha A[k+1,n] x[n] beta y![n]                  | y = alpha * A @ x + beta * y of a Hermitian band matrix with k diagonals beside the main one.
spmv   sd    uplo n alpha AP[n*(n+1)//2] x[n] beta y![n]              | y = alpha * A @ x + beta * y of a symmetric matrix, one triangle packed by columns.
hpmv   cz    uplo n alpha AP[n*(n+1)//2] x[n] beta y![n]              | y = alpha * A @ x + beta * y of a Hermitian matrix, one triangle packed by columns.
spr    sd    uplo n alpha x[n] AP![n*(n+1)//2]                        | A += alpha * outer(x, x) in a packed triangle.
hpr    cz    uplo n alpha x[n] AP![n*(n+1)//2]                        | A += alpha * outer(x, conj(x)) in a packed triangle; alpha is real.
spr2   sd    uplo n alpha x[n] y[n] AP![n*(n+1)//2]                   | A += alpha * (outer(x, y) + outer(y, x)) in a packed triangle.
hpr2   cz    uplo n alpha x[n] y[n] AP![n*(n+1)//2]                   | A += alpha * outer(x, conj(y)) + conj(alpha) * outer(y, conj(x)) in a packed triangle.
symv   sdcz  uplo n alpha A[n,n] x[n] beta y![n]                      | y = alpha * A @ x + beta * y of a symmetric matrix. {triangle}
hemv   cz    uplo n alpha A[n,n] x[n] beta y![n]                      | y = alpha * A @ x + beta * y of a Hermitian matrix. {triangle}
syr    sdcz  uplo n alpha x[n] A![n,n]                                | A += alpha * outer(x, x) in the triangle ``uplo``.
her    cz    uplo n alpha x[n] A![n,n]                                | A += alpha * outer(x, conj(x)) in the triangle ``uplo``; alpha is real.
syr2   sdcz  uplo n alpha x[n] y[n] A![n,n]                           | A += alpha * (outer(x, y) + outer(y, x)) in the triangle ``uplo``.
her2   cz    uplo n alpha x[n] y[n] A![n,n]                           | A += alpha * outer(x, conj(y)) + conj(alpha) * outer(y, conj(x)) in the triangle ``uplo``.
tbmv   sdcz  uplo trans diag n k A[k+1,n] x![n]                       | x = op(A) @ x of a triangular band matrix with k diagonals beside the main one.
tbsv   sdcz  uplo trans diag n k A[k+1,n] x![n]                       | Solve op(A) @ x' = x of a triangular band matrix. {solves}
tpmv   sdcz  uplo trans diag n AP[n*(n+1)//2] x![n]                   | x = op(A) @ x of a triangular matrix, packed by columns.
tpsv   sdcz  uplo trans diag n AP[n*(n+1)//2] x![n]                   | Solve op(A) @ x' = x of a triangular matrix, packed by columns. {solves}
trmv   sdcz  uplo trans diag n A[n,n] x![n]                           | x = op(A) @ x of a triangular matrix. {triangle}
trsv   sdcz  uplo trans diag n A[n,n] x![n]                           | Solve op(A) @ x' = x of a triangular matrix. {triangle} {solves}
gemm   sdcz  transa transb m n k alpha A[m,k|k,m] B[k,n|n,k] beta C![m,n] | C = alpha * op(A) @ op(B) + beta * C. Each matrix may be in C or Fortran order, without copies.
symm   sdcz  side uplo m n alpha A[m,m|n,n] B[m,n] beta C![m,n]       | C = alpha * A @ B + beta * C (side "L") or alpha * B @ A + beta * C of a symmetric A. {triangle}
hemm   cz    side uplo m n alpha A[m,m|n,n] B[m,n] beta C![m,n]       | C = alpha * A @ B + beta * C (side "L") or alpha * B @ A + beta * C of a Hermitian A. {triangle}
syrk   sdcz  uplo trans n k alpha A[n,k|k,n] beta C![n,n]             | C = alpha * op(A) @ op(A).T + beta * C in the triangle ``uplo``.
herk   cz    uplo trans n k alpha A[n,k|k,n] beta C![n,n]             | C = alpha * op(A) @ op(A).conj().T + beta * C in the triangle ``uplo``; alpha and beta are real.
syr2k  sdcz  uplo trans n k alpha A[n,k|k,n] B[n,k|k,n] beta C![n,n]  | C = alpha * (op(A) @ op(B).T + op(B) @ op(A).T) + beta * C in the triangle ``uplo``.
her2k  cz    uplo trans n k alpha A[n,k|k,n] B[n,k|k,n] beta C![n,n]  | C = alpha * op(A) @ op(B).conj().T + its conjugate transpose + beta * C in the triangle ``uplo``; beta is real.
trmm   sdcz  side uplo trans diag m n alpha A[m,m|n,n] B[m,n] C![m,n] | C = alpha * op(A) @ B (side "L") or alpha * B @ op(A) of a triangular A. {triangle}
trsm   sdcz  side uplo trans diag m n alpha A[m,m|n,n] B![m,n]        | Solve op(A) @ X = alpha * B (side "L") or X @ op(A) = alpha * B of a triangular A; B becomes X. {triangle} {solves}
dgmm   sdcz  side m n A[m,n] x[m|n] C![m,n]                           | C = diag(x) @ A (side "L") or A @ diag(x).
geam   sdcz  transa transb m n alpha A[m,n|n,m] beta B[m,n|n,m] C![m,n] | C = alpha * op(A) + beta * op(B).
"""  # noqa: E501


def _read_table():
    rows = {}
    for line in _ROUTINES.strip().splitlines():
        head, text = line.rsplit(" | ", 1)
        name, letters, parameters = head.split(None, 2)
        text = text.strip().format(triangle=_TRIANGLE, solves=_SOLVES)
        rows[name] = _Routine(name, letters, parameters, text)
    # trmm's and trsm's op is that of the triangular matrix, whose extent follows from side.
    for name in ("trmm", "trsm"):
        rows[name].arrays["A"].governor = "side"
    return rows


TABLE = _read_table()
GEMM_BATCHED = _Routine("gemm_batched", "sdcz", "transa transb alpha A[b,m,k|b,k,m] B[b,k,n|b,n,k] beta C![b,m,n]", "")
