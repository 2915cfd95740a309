"""Readonly arrays are not stored to, in whatever way: refused when compiled, or NumPy's ValueError."""

import numpy as np
import pytest
from compare import define
from pyarray.errors import TypingError

VALUES = {"f8": "1", "i4": "1", "?": "1", "M8[D]": "np.datetime64('2020-01-01')", "U3": "'x'"}
STORES = """a[0] = V
a[...] = V
a[a == a] = V
a[[0, 1]] = V
a[np.array([0])] = V
a[[True, False, True]] = V
a[::2] = V
a.flat[0] = V
a.fill(V)
a.T[0] = V
np.put(a, [0], [V])
np.place(a, a == a, [V])
np.putmask(a, a == a, V)
np.put_along_axis(a, np.zeros((1,) * a.ndim, np.int64), V, 0)
np.random.shuffle(a)
a[[0]] += b[[0]]
a += b""".split("\n")


@pytest.mark.parametrize("dtype", VALUES)
@pytest.mark.parametrize("shape", [(3,), (3, 3)], ids=str)
@pytest.mark.parametrize("store", STORES)
def test_stores_to_readonly_arrays(store, shape, dtype):
    function = define(f"def f(a, b):\n    {store.replace('V', VALUES[dtype])}\n")
    a, b = np.zeros(shape, dtype), np.zeros(shape, "m8[D]" if dtype == "M8[D]" else dtype)
    a.flags.writeable = False
    before = a.tobytes()
    with pytest.raises((TypingError, ValueError, TypeError)):
        function(a, b)
    assert a.tobytes() == before
