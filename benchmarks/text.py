"""Text against Numba and CPython: first compilation of s.upper(), loops that concatenate, upper()."""

import time

import numba
import pyarray

ROUNDS = 7


def upper(s):
    return s.upper()


def concatenate(s, n):
    out = ""
    for _ in range(n):
        out += s
    return len(out)


def filter_characters(s, n):
    out = ""
    for c in s * n:
        if c != "b":
            out += c
    return len(out)


def first_call(jit, function, *arguments):
    """The compiled function, and the seconds that compiling and calling it took."""
    compiled = jit(function)
    start = time.perf_counter()
    compiled(*arguments)
    return compiled, time.perf_counter() - start


def best_times(functions, arguments):
    """The least time of each function by name; they take turns."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(ROUNDS):
        for name, function in functions.items():
            start = time.perf_counter()
            function(*arguments)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main():
    """Print a line for each measurement."""
    for jit in (pyarray.njit, numba.njit):  # what is loaded once is not measured
        first_call(jit, lambda x: x + 1, 1)
    _, ours = first_call(pyarray.njit, upper, "abc")
    _, theirs = first_call(numba.njit, upper, "abc")
    print(f"first call of upper: pyarray {ours:.4f} s, Numba {theirs:.2f} s: {theirs / ours:.0f} times faster")
    cases = [
        (concatenate, ("ab", 20000)),
        (filter_characters, ("abcd", 5000)),
        (upper, ("abc def" * 1000,)),
        (upper, ("abc d\u00e9f" * 1000,)),
    ]
    for function, arguments in cases:
        functions = {"pyarray": pyarray.njit(function), "Numba": numba.njit(function), "CPython": function}
        results = {compiled(*arguments) for compiled in functions.values()}
        assert len(results) == 1, function.__name__
        times = best_times(functions, arguments)
        shown = ", ".join(f"{name} {seconds * 1e6:.0f} us" for name, seconds in times.items())
        print(f"{function.__name__}: {shown}: {times['Numba'] / times['pyarray']:.1f} times faster than Numba")


if __name__ == "__main__":
    main()
