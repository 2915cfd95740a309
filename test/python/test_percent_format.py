"""Formatting with '%', str.format with names, and format_map, against CPython."""

import sys

import numpy as np
import pytest
from compare import check_alike, define, expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit

CONVERSIONS = "diouxXeEfFgGcrsa%zq"
VALUES = [
    0,
    7,
    -42,
    2**63 - 1,
    -(2**63),
    True,
    2.5,
    -0.0,
    1e300,
    -1e-7,
    float("inf"),
    float("nan"),
    "text",
    "é",
    "",
    "x",
    b"ab",
    None,
    1 + 2j,
]


@njit
def percent(template, values):
    return template % values


@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_every_conversion_of_every_value(conversion):
    for value in VALUES:
        for middle in "", "5", "-8", "08", "+", " ", "#", ".3", "012.2", "-#10.4", "+.0", "l":
            check_alike(percent, f"<%{middle}{conversion}>", value)


def test_tuples_and_counts():
    for template in (
        "%d %s",
        "%d",
        "%d %s %r",
        "",
        "%%",
        "100%% %s%%",
        "%",
        "%5",
        "%(x)s",
        "%*d",
        "%.*f",
        "%-*d",
        "%s %",
    ):
        for values in (1, "a"), (1,), (), (5, 2.5), (-5, 3), "x", 3, ((1, 2),), [1, 2], {"x": 1}, {1, 2}, ("a", 1):
            check_alike(percent, template, values)


def test_keys():
    for template in "%(a)s %(b)05d", "%(a)s %(a)r %%", "%(c)s", "%(a", "%()s", "%(a(b))s", "%(a)*d", "%d", "none":
        check_alike(percent, template, {"a": 1, "b": 22, "": 3, "a(b)": 4})
    check_alike(percent, "%(t)s|%(t)r", {"t": "é"})
    check_alike(percent, "%(t)s", {"t": (1, 2)})


@pytest.mark.parametrize("conversion", "sbracdiuxXoeEfFgG%zq")
def test_bytes(conversion):
    if conversion == "z" and sys.version_info[:3] < (3, 11, 5):
        pytest.skip("this Python takes 'z' for a flag in bytes")
    for value in [
        0,
        65,
        -42,
        300,
        2.5,
        b"ab",
        b"x",
        b"",
        b"\xff",
        bytearray(b"yz"),
        bytearray(b"y"),
        "é",
        None,
        (1, 2),
    ]:
        for middle in b"", b"5", b"-8", b"08", b"+", b"#", b".1", b"012.2":
            check_alike(percent, b"<%" + middle + conversion.encode() + b"\xff>", value)
    for template in b"%(a)s %(a)d", b"%(b)s", b"%s %s", b"", b"%%":
        for values in {b"a": 1}, {"a": 1}, (1, b"x"), b"x", ():
            check_alike(percent, template, values)


@settings(max_examples=200, deadline=None)
@given(st.text("%sdxfge.*+-# 0123456789(a)é", max_size=12), st.sampled_from([(1, 2.5), (3,), ("a", "b"), (10, 3, 2.5)]))
def test_random_templates(template, values):
    check_alike(percent, template, values)


def test_literal_templates_and_loops():
    table = """
def f(n):
    out = ""
    for i in range(n):
        out += "%3d %6.2f %s\\n" % (i, i / 3, "x" * i)
    out %= ()
    return out
"""
    check_alike(define(table.lstrip()), 30)


def test_refused():
    with pytest.raises(Exception, match="requires a bytes-like object"):
        expression("b'%s' % a", "a")(np.ones(2))


@njit
def named(template, n, t):
    return template.format(n, t, number=n, text=t, other=2.5)


def test_fields_with_names():
    for template in (
        "{number}",
        "{text:>5}|{0}",
        "{other:.3f}{1!r}",
        "{none}",
        "{2}",
        "{}{number}{}",
        "{0}{}",
        "{number:{number}}",
        "{text!a}",
        "{0number}",
        "{ number}",
        "{text",
    ):
        check_alike(named, template, 7, "é")
    check_alike(expression("'{x} {y}'.format(y=x, x=1)"), 5)
    check_alike(expression("'{x} {0}'.format(3, **{'x': x})"), "a")
    with pytest.raises(ValueError, match="attributes and indices"):
        named("{0.real}", 1, "")


@njit
def mapped(template, mapping):
    return template.format_map(mapping)


def test_format_map():
    for template in "{a} {b}", "{a:>{b}}", "{c}", "{}", "{0}", "none", "{a!r}{{}}", "{a":
        check_alike(mapped, template, {"a": 1, "b": 6})
        check_alike(mapped, template, {"a": "x", "b": "y"})
