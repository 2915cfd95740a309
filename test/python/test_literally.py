"""literally(): variants by the values of arguments."""

import numpy as np
import pytest
from pyarray import errors, extending, literally, njit, types
from pyarray.extending import overload


def kind_of(x, n):
    raise NotImplementedError


@overload(kind_of)
def kind_of_value(x, n):
    if isinstance(n, types.Literal):
        text = f"{type(n.literal_value).__name__} {n.literal_value}"
        return lambda x, n: text
    return lambda x, n: extending.literally(n)


def make():
    @njit
    def f(x, n):
        return kind_of(x, n)

    return f


VALUES = [0, 2, -3, 2**63 - 1, -(2**63), True, False, "", "one", "\u00e9\u4e2d\U0001f600\0;=>", "'"]


def test_each_value_has_a_variant():
    f = make()
    for _ in range(2):
        for value in VALUES:
            assert f(1.5, value) == f"{type(value).__name__} {value}"
    assert len(f.signatures) == len(VALUES) == len(set(f.signatures)) == len(f.overloads)
    assert f.signatures[1] == (types.float64, types.from_code("=q2;")) and "Literal[int](2)" in str(f.signatures[1])
    assert f(1, 2) == f(1, n=2) == "int 2" and len(f.signatures) == len(VALUES) + 1


def test_the_parameter_is_found_through_functions():
    @njit
    def inner(n, x):
        return kind_of(x, n)

    @njit(inline="never")
    def middle(x, k):
        return inner(k, x) + "!"

    @njit
    def outer(a, x, *, k=2):
        return middle(x, k) * a

    assert outer(2, 1.0) == "int 2!int 2!" and outer(1, 1.0, k=3) == outer(1, 1, k=3) == "int 3!"
    assert njit(lambda x: middle(x, 5))(1.0) == "int 5!"
    assert outer.signatures[1] == (types.int64, types.float64, types.from_code("=q3;"))


def test_two_parameters_of_one_function():
    @njit
    def f(a, b, c):
        return kind_of(c, a) + " " + kind_of(c, b)

    assert f(1, "x", 2.0) == "int 1 str x" and f(2, "x", 2.0) == "int 2 str x" and f(2, True, 2.0) == "int 2 bool True"
    assert all(str(signature[2]) == "float64" for signature in f.signatures)


def test_types_that_need_no_value_have_none():
    def shape(x, n):
        raise NotImplementedError

    @overload(shape)
    def shape_of(x, n):
        if isinstance(x, types.Array):
            return lambda x, n: n
        if isinstance(n, types.Literal):
            return lambda x, n: -n
        return lambda x, n: literally(n)

    @njit
    def f(x, n):
        return shape(x, n)

    a = np.zeros(1)
    assert [f(x, n) for n in range(3) for x in (a, 1.0)] == [0, 0, 1, -1, 2, -2]
    assert len(f.signatures) == 4


def test_in_the_function_itself():
    @njit
    def item(n):
        t = (1, 2.5, "x")
        return t[literally(n)]

    assert (item(0), item(1), item(2), item(-1)) == (1, 2.5, "x", "x")
    with pytest.raises(errors.TypingError, match="out of range"):
        item(3)
    assert item(1) == 2.5

    @njit
    def named(record, name):
        return record[literally(name)]

    record = np.array([(1, 2.5)], dtype=[("a", np.int64), ("b", np.float64)])[0]
    assert named(record, "a") == 1 and named(record, "b") == 2.5


def test_calls_beside_each_other(run):
    program = """
import threading
from test_literally import make

f, found = make(), []
threads = [threading.Thread(target=lambda n=n: found.append(f(1.0, n % 3))) for n in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(found) == sorted(f"int {n % 3}" for n in range(12)), len(f.signatures))
"""
    assert run(program) == "True 3\n"


def test_the_disk_cache_keeps_values_apart(run):
    program = """
from pyarray import literally, njit

@njit
def f(n):
    t = (1, 2.5)
    return t[literally(n)]

print(f(0), f(1), sum(f.stats.cache_hits.values()), sum(f.stats.cache_misses.values()))
"""
    assert run(program) == "1 2.5 0 2\n"
    assert run(program) == "1 2.5 2 0\n"
    assert run(program.replace("2.5", "3.5")) == "1 3.5 0 2\n"


def test_what_has_no_value_is_refused():
    f = make()
    for value in (1.5, None, (1, 2), np.zeros(1), 2**63):
        with pytest.raises(errors.TypingError, match=r"kind_of_value\(\) asks by literally\(\) for the value of 'n'"):
            f(1.0, value)

    @njit
    def loop(n):
        text = ""
        for i in range(n):
            text += kind_of(n, i)
        return text

    with pytest.raises(errors.TypingError, match="asks by literally"):
        loop(2)
    with pytest.raises(errors.TypingError, match="asks by literally"):
        make().compile((types.int64, types.int64))
    with pytest.raises(errors.TypingError, match="asks by literally"):
        njit("unicode_type(int64, int64)")(lambda x, n: kind_of(x, n))
    assert f(1.0, 2) == "int 2"


def test_variants_are_made_again():
    f = make()
    assert f(1, 2) == "int 2"
    f.recompile()
    assert f(1, 2) == "int 2" and f(1, 3) == "int 3"
    assert all("2" in str(signature) or "3" in str(signature) for signature in f.inspect_llvm())


def test_declared_functions_take_the_value_as_it_is():
    assert njit("int64(int64)")(lambda n: literally(n) + 1)(2) == 3


def scaled(x, factor=2, *, name="double"):
    raise NotImplementedError


@overload(scaled)
def scaled_by_literal(x, factor=2, *, name="double"):
    return lambda x, factor=2, *, name="double": (x * literally(factor), literally(name))


def test_defaults_are_known():
    @njit
    def calls(x):
        return scaled(x), scaled(x, 3), scaled(x, name="own"), scaled(x, factor=5, name="both")

    assert calls(4) == ((8, "double"), (12, "double"), (8, "own"), (20, "both"))

    @njit
    def by_default(x, factor=3):
        return scaled(x, literally(factor))

    assert by_default(4) == (12, "double") and by_default(4, 7) == (28, "double")
