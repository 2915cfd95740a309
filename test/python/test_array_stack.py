"""How much stack memory a function of many array operations takes at most."""

import linecache
import re

import numpy as np
import pytest
from pyarray import njit


def compiled(name, lines, result, **options):
    text = "def f(a):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {result}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {"np": np}
    exec(compile(text, name, "exec"), names)
    return njit(**options)(names["f"])


def stack_bytes(function):
    """Of the function's first block, by its LLVM IR."""
    (text,) = function.inspect_llvm().values()
    sizes = {"double": 8, "i64": 8, "i8": 1, "ptr": 8}
    arrays = re.findall(r"= alloca \[(\d+) x (\w+)\]", text.split("define")[1])
    return sum(int(count) * sizes[kind] for count, kind in arrays)


SUMS = [f"s{k} = (a * {k}.0).sum()" for k in range(40)]
STRIDES = [f"s{k} = np.sin(a[::2]) * np.cos(a[1::2] + {k}.0)" for k in range(40)]


@pytest.mark.parametrize("lines", [SUMS, STRIDES], ids=["sums", "strides"])
def test_many_take_no_more_than_64_kilobytes(lines):
    a = np.linspace(0.0, 1.0, 4000)
    result = " + ".join(f"s{k}" for k in range(len(lines)))
    many = compiled("<many>", lines, result)
    np.testing.assert_allclose(many(a), many.py_func(a), rtol=1e-9, atol=1e-12)
    assert 0 < stack_bytes(many) <= 65536
