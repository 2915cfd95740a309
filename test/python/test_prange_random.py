"""Random loop bodies over prange: whatever is taken for a reduction, the result is that of the plain loop."""

import numpy as np
import pytest
from compare import define
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarray import njit, parallel_chunksize, prange

pytestmark = pytest.mark.real

SIMPLE = st.sampled_from([
    "s += a[i]", "s -= 2", "s = a[i] + s", "s = a[i] - s", "s *= 3", "s = min(s, a[i])", "s = max(a[i], s)",
    "s ^= a[i]", "s |= i",
    "s = t", "t += a[i]", "t += s", "t = i", "s, t = t, s", "s = s + s", "u = s", "u = a[i]", "u = i; s += u",
    "t -= u", "pass", "continue",
])  # fmt: skip


def _indented(lines):
    return [f"    {line}" for text in lines for line in text.split("\n")]


def _compound(inner):
    body = st.lists(inner, min_size=1, max_size=3).map(_indented)
    heads = st.sampled_from([
        "if a[i] > 3:", "if i % 3:", "for j in range(i % 3):", "k = 0\nwhile k < i % 4:\n    k += 1", "if s > 4:",
    ])  # fmt: skip
    plain = st.tuples(heads, body).map(lambda parts: "\n".join([parts[0], *parts[1]]))
    other = st.tuples(body, body).map(lambda parts: "\n".join(["if a[i] % 2:", *parts[0], "else:", *parts[1]]))
    return plain | other


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.recursive(SIMPLE, _compound, max_leaves=4), min_size=1, max_size=3), st.integers(0, 5))
def test_any_body(statements, chunk):
    body = "\n".join(f"    {line}" for line in _indented(statements))
    source = f"def f(a):\n    s, t, u = 1, 2, 3\n    for i in prange(len(a)):\n{body}\n    return s, t, u\n"
    f = define(source, decorator=njit(parallel=True), prange=prange)
    plain = define(source, decorator=njit, prange=range)
    with parallel_chunksize(chunk):
        for n in (0, 1, 23):
            a = np.arange(n) * 7 % 11
            assert f(a) == plain(a), f"{source}\n{f.inspect_parallel(f.signatures[0])}"
