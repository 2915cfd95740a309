"""Linear algebra on a device, by NVIDIA's cuBLAS; where the CPU plays the device, by NumPy.

Routines have the names and parameters of BLAS, without leading dimensions and increments, which arrays know themselves.
Source of the definitions: C. L. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage" (1979), J. Dongarra
et al. (1988, 1990), and the documentation of cuBLAS for ``geam`` and ``dgmm``.
"""

import numpy as np

from .._pyarray import cuda as _cuda
from . import _blas_host
from ._arrays import device_array
from ._blas_table import CHOICES, GEMM_BATCHED, LETTERS, TABLE
from ._libraries import is_there
from ._operands import Operand, copied, on_host, overlap
from ._values import number, real, whole

__all__ = ["Blas"]


def _choice(name, value):
    letter = value.upper() if isinstance(value, str) else None
    if letter not in CHOICES[name]:
        allowed = ", ".join(repr(key) for key in CHOICES[name])
        raise ValueError(f"{name} is one of {allowed}, not {value!r}")
    return letter


class Blas(_cuda.BlasHandle):
    """Routines of BLAS on one device and in one stream.

    Arrays are float32, float64, complex64 or complex128, all of one routine of one dtype, on the device or the host
    (which are copied there and back). Vectors may have any positive step and matrices, in Fortran order, any distance
    of columns; all others are copied. Letters are ``trans``: "N" (as it is), "T" (transposed), "C" (transposed and
    conjugated); ``uplo``: "U" or "L" (which triangle of a matrix is used); ``side``: "L" or "R"; ``diag``: "U" (ones,
    which are not read) or "N". An array that is written is also the result, save where the routine gives a number.

    Parameters
    ----------
    stream : Stream, optional

    Raises
    ------
    CudaSupportError
        There is a GPU and no cuBLAS; the text names the package to install.
    """

    def __init__(self, stream=0):
        self._make(stream, is_there("cublas"))

    def _dtype(self, routine, given):
        """The dtype of the arrays, which must be one."""
        dtypes = {}
        for name in routine.arrays:
            dtypes.setdefault(np.dtype(getattr(given[name], "dtype", None) or np.asarray(given[name]).dtype), name)
        if len(dtypes) > 1:
            each = ", ".join(f"{name} {dtype}" for dtype, name in dtypes.items())
            raise TypeError(f"{routine.name}: the arrays have several dtypes: {each}")
        (dtype,) = dtypes
        if LETTERS.get(dtype.name) not in tuple(routine.letters) or not dtype.isnative:
            allowed = ", ".join(name for name, letter in LETTERS.items() if letter in routine.letters)
            raise TypeError(f"{routine.name} is for arrays of {allowed}, not of {dtype}")
        return dtype

    def _operands(self, routine, given, dtype, beta):
        """Arrays on the device by name, in an order that the routine takes."""
        made = {}
        for name, array in routine.arrays.items():
            order = "columns" if array.rank == 2 else "strided" if name in ("x", "y") else "C"
            made[name] = Operand(
                given[name],
                dtype,
                self.stream,
                order="rows or columns" if routine.name == "gemm" else order,
                reads=beta != 0 or name != routine.governed_by_beta,
                writes=array.is_written,
                what=f"{routine.name}: {name}",
            )
        return made

    def _apart(self, routine, operands):
        """The arrays by name: copies of those that share memory with one that is written."""
        written = [key for key, array in routine.arrays.items() if array.is_written]
        if len(written) == 2:
            first, second = (operands[key] for key in written)
            if first.shares_with(second):
                raise ValueError(f"{routine.name}: {written[0]} and {written[1]} share memory, and both are written")
            if overlap(first.array, second.array):  # one lies between the elements of the other
                second.set_apart()
        arrays = {key: operand.array for key, operand in operands.items()}
        for key in arrays:
            if key not in written and any(overlap(arrays[key], arrays[other]) for other in written):
                arrays[key] = copied(arrays[key], self.stream)
        return arrays

    def _check_shapes(self, routine, values, operands):
        if not routine.counts:
            x = operands["x"].array
            if x.ndim != 1:
                raise ValueError(f"{routine.name}: x has shape {x.shape}, not (n,)")
            values["n"] = x.shape[0]
        for name, array in routine.arrays.items():
            found, wanted = operands[name].array.shape, array.shape(values)
            if found != wanted:
                raise ValueError(f"{routine.name}: {name} has shape {found}, not {wanted}")

    def _call(self, name, given):
        routine = TABLE[name]
        values = dict(given)
        for key in given:
            if key in CHOICES:
                values[key] = _choice(key, given[key])
            elif key in routine.counts:
                values[key] = whole(given[key], f"{name}: {key}", most=2**31 - 1)
        dtype = self._dtype(routine, given)
        for key in ("alpha", "beta", "c", "s", "param"):
            if key in values:
                values[key] = routine.scalar(key, given[key], LETTERS[dtype.name])
        operands = self._operands(routine, given, dtype, values.get("beta"))
        self._check_shapes(routine, values, operands)
        arrays = self._apart(routine, operands)
        if is_there("cublas"):
            result = self._on_device(routine, {**values, **arrays})
        else:
            result = self._on_host(routine, values, arrays)
        written = [operands[key].give_back() for key, array in routine.arrays.items() if array.is_written]
        return result if not written else written[0] if len(written) == 1 else tuple(written)

    def _on_host(self, routine, values, arrays):
        host = {**{key: values[key] for key in routine.names}, **{key: on_host(array) for key, array in arrays.items()}}
        with np.errstate(all="ignore"):  # cuBLAS says nothing either
            return getattr(_blas_host, routine.name)(*host.values())

    def _on_device(self, routine, values):
        """By C, which takes all arrays now. Gives the number."""
        if any(values[key] == 0 for key in routine.unheeded):
            routine, values = _without_product(routine, values)
            if routine is None:
                return None
        if routine.name.startswith("gemm"):
            self._turn_conjugates(values)
        result = _METHODS[routine.name].run(self, *(values[key] for key in routine.names))
        if result is NotImplemented:
            raise ValueError(f"{routine.name}: a size or a step is more than cuBLAS takes, 2**31 - 1")
        return result

    def _turn_conjugates(self, values):
        """cuBLAS knows matrices in columns alone; those in rows are transposed ones. It conjugates transposed ones."""
        order = "columns" if _is_in(values["C"], "columns") else "rows"
        for key, trans in (("A", "transa"), ("B", "transb")):
            if values[trans] == "C" and not _is_in(values[key], order):
                values[key] = _copy_in(order, values[key], self.stream)


def _without_product(routine, values):
    """What stands for a routine, and its arguments, where a factor is 0 and cuBLAS would read what it is of all the
    same. (None, None): nothing is to be done."""
    name, out = routine.names[-1], values[routine.names[-1]]
    if routine.name == "geam":  # whose first factor is heeded
        turned = {"transa": "transb", "A": "B", "alpha": "beta"}
        return routine, {
            **values,
            **{a: values[b] for a, b in turned.items()},
            **{b: values[a] for a, b in turned.items()},
        }
    if "beta" not in routine.names and routine.name not in ("trmm", "trsm") or values.get("beta") == 1:
        return None, None
    beta, rows = values.get("beta", 0.0), out.shape[0]
    if name == "y":
        zero = {"trans": "N", "m": rows, "n": 1, "alpha": 0.0, "beta": beta, "y": out}
        nothing = {"A": _unset((rows, 1), out), "x": _unset((1,), out)}
        return TABLE["gemv"], {**zero, **nothing}
    if routine.names[0] == "uplo":
        sides = {key: _unset((rows, 0) if values["trans"] == "N" else (0, rows), out) for key in "AB"}
        return routine, {**values, "k": 0, **sides}
    columns = out.shape[1]
    sizes = {"transa": "N", "transb": "N", "m": rows, "n": columns, "k": 0, "alpha": 0.0, "beta": beta, "C": out}
    return TABLE["gemm"], {**sizes, "A": _unset((rows, 0), out), "B": _unset((0, columns), out)}


def _unset(shape, like):
    """An array that is not read."""
    return device_array(shape, like.dtype, order="F")


def _turned(array):
    """The transposed matrix, or batch of matrices: a view."""
    return array.transpose((0, 2, 1) if array.ndim == 3 else (1, 0))


def _is_in(array, order):
    rows, columns = array.shape[-2:]
    first, second = array.strides[-2:]
    if order == "rows":
        rows, columns, first, second = columns, rows, second, first
    step = max(rows, 1) * array.itemsize
    return (rows <= 1 or first == array.itemsize) and (columns <= 1 or second >= step)


def _copy_in(order, array, stream):
    shape = array.shape if order == "rows" else _turned(array).shape
    copy = device_array(shape, array.dtype)
    copy = copy if order == "rows" else _turned(copy)
    copy.copy_to_device(array, stream=stream)
    return copy


def _rotg(self, a, b):
    """The Givens rotation that turns (a, b) into (r, 0).

    Returns
    -------
    tuple
        ``r``, ``z``, ``c``, ``s``: floats; for complex ``a`` or ``b``, ``r`` and ``s`` are complex, and ``z`` is None.
        ``z`` is ``s``, ``1 / c`` or 1, from which both can be had again.
    """
    is_complex = any(np.iscomplexobj(value) for value in (a, b))
    return _blas_host.rotg(*((number if is_complex else real)(value, what) for value, what in ((a, "a"), (b, "b"))))


def _rotmg(self, d1, d2, x1, y1):
    """The modified Givens rotation that makes the second component of (sqrt(d1) * x1, sqrt(d2) * y1) zero.

    Returns
    -------
    tuple
        ``d1``, ``d2``, ``x1`` afterwards, and ``param``, an array of five float64 for ``rotm``.
    """
    return _blas_host.rotmg(real(d1, "d1"), real(d2, "d2"), real(x1, "x1"), real(y1, "y1"))


def _gemm_batched(self, transa, transb, alpha, A, B, beta, C):  # noqa: N803
    """C[i] = alpha * op(A[i]) @ op(B[i]) + beta * C[i] for all i, in one call.

    Parameters
    ----------
    A, B, C : array, shape (batch, rows, columns)
        Each matrix may be in C or Fortran order, without copies. ``C`` is written, and is the result.
    """
    routine = GEMM_BATCHED
    dtype = self._dtype(routine, {"A": A, "B": B, "C": C})
    letters = {"transa": _choice("transa", transa), "transb": _choice("transb", transb)}
    scalars = {"alpha": alpha, "beta": beta}
    alpha, beta = (routine.scalar(key, value, LETTERS[dtype.name]) for key, value in scalars.items())
    operands = {
        key: Operand(
            array,
            dtype,
            self.stream,
            order="batch",
            reads=key != "C" or beta != 0,
            writes=key == "C",
            what=f"gemm_batched: {key}",
        )
        for key, array in (("A", A), ("B", B), ("C", C))
    }
    arrays = self._apart(routine, operands)
    if any(array.ndim != 3 for array in arrays.values()):
        raise ValueError("gemm_batched: the arrays have 3 dimensions: batch, rows, columns")
    batch, m, n = arrays["C"].shape
    k = arrays["A"].shape[1 if letters["transa"] != "N" else 2]
    for key, shape in (("A", (m, k)), ("B", (k, n))):
        wanted = (batch, *(shape if letters["trans" + key.lower()] == "N" else shape[::-1]))
        if arrays[key].shape != wanted:
            raise ValueError(f"gemm_batched: {key} has shape {arrays[key].shape}, not {wanted}")
    if not is_there("cublas"):
        with np.errstate(all="ignore"):
            for i in range(batch):
                matrices = [on_host(arrays[key])[i] for key in "ABC"]
                _blas_host.gemm(*letters.values(), m, n, k, alpha, *matrices[:2], beta, matrices[2])
    elif batch:
        self._on_device(routine, {**letters, "alpha": alpha, "beta": beta, **arrays})
    return operands["C"].give_back()


def _shape_text(extents):
    return f"({', '.join(extents)}{',' * (len(extents) == 1)})"


def _method(routine):
    """A method of the row's parameters, with its help."""
    parameters = ", ".join(routine.names)
    scope = {}
    given = ", ".join(f"{name!r}: {name}" for name in routine.names)
    exec(f"def {routine.name}(self, {parameters}):\n    return self._call({routine.name!r}, {{{given}}})", scope)
    method = scope[routine.name]
    shapes = "".join(
        f"{name} : array, shape {' or '.join(map(_shape_text, array.shapes))}{', written' * array.is_written}\n"
        for name, array in routine.arrays.items()
    )
    dtypes = ", ".join(name for name, letter in LETTERS.items() if letter in routine.letters)
    method.__doc__ = f"{routine.text}\n\nParameters\n----------\n{shapes}\nDtypes: {dtypes}.\n"
    method.__module__ = __name__
    return method


_METHODS = {_row.name: _row.method(_method(_row)) for _row in TABLE.values()}
_METHODS["gemm_batched"] = GEMM_BATCHED.method(_gemm_batched)
for _name, _made in (*_METHODS.items(), ("rotg", _rotg), ("rotmg", _rotmg)):
    _function = getattr(_made, "__wrapped__", _made)
    _function.__name__, _function.__qualname__ = _name, f"Blas.{_name}"
    setattr(Blas, _name, _made)
del _name, _made, _function
