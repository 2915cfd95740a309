"""Lists and tuples where np.linalg, np.fft and np.linspace take arrays, against NumPy."""

import numpy as np
import pytest
from compare import expression

CALLS = [
    "np.linalg.solve(a, [1, 2])", "np.linalg.solve(x, a[:, 0])", "np.linalg.solve([[2, 1], [1, 3]], [1.0, 2.0])",
    "np.linalg.inv([[2.0, 1], [1, 3]])", "np.linalg.det(x)", "np.linalg.slogdet(((2, 1), (1, 3)))",
    "np.linalg.cholesky(x)", "np.linalg.eigvalsh(x)", "np.linalg.lstsq(a, [1, 2])[0]", "np.linalg.svd(x)[1]",
    "np.linalg.eigh(x)[0]", "np.linalg.qr(x)[1]", "np.linalg.norm([3, 4])", "np.linalg.matrix_rank(x)",
    "np.fft.fft([1, 2, 3])", "np.fft.ifft((1.0, 2.0))", "np.fft.rfft([1, 2, 3, 4])", "np.fft.irfft([1, 2, 3])",
    "np.fft.fft2(x)", "np.fft.rfftn(x)", "np.fft.irfftn(x)", "np.linspace([0, 1], [2, 3], 3)",
    "np.linspace((0, 1), 5, 3, retstep=True)",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_lists_where_arrays_are_taken(call):
    function = expression(call, "a, x")
    a, x = np.array([[2.0, 1.0], [1.0, 3.0]]), [[2.0, 1.0], [1.0, 3.0]]
    ours, theirs = function(a, x), function.py_func(a, x)
    for one, two in zip(*(value if isinstance(value, tuple) else (value,) for value in (ours, theirs))):
        assert np.asarray(one).dtype == np.asarray(two).dtype and np.allclose(one, two)
