"""The methods of ufuncs: reduce, accumulate, reduceat, outer and at, of the greatest common divisor."""

import numpy as np
from pyarray import vectorize


@vectorize(["int64(int64, int64)"], identity=0)
def gcd(a, b):
    """Greatest common divisor, by Euclid's algorithm."""
    while b != 0:
        a, b = b, a % b
    return abs(a)


def results(ufunc, numbers):
    """What each method of a ufunc of two numbers gives for a 1-D array."""
    changed = numbers.copy()
    ufunc.at(changed, [0, 0, -1], [12, 8, 5])  # the first element twice
    return {
        "call": ufunc(numbers, 12),
        "reduce": ufunc.reduce(numbers),
        "reduce of nothing": ufunc.reduce(numbers[:0]),
        "accumulate": ufunc.accumulate(numbers),
        "reduceat": ufunc.reduceat(numbers, [0, numbers.size // 2]),
        "outer": ufunc.outer(numbers[:3], [6, 10, 15]),
        "at": changed,
        "out, where": ufunc(numbers, 12, out=np.zeros_like(numbers), where=numbers > 100),
        "dtype": ufunc.reduce(numbers.astype(np.int16), dtype=np.int64),
    }


def ufunc_methods(numbers):
    """The results of all methods one behind the other."""
    return np.concatenate([np.ravel(result) for result in results(gcd, numbers).values()])


def arguments(size=1000):
    """An array of integers that have 6 in common."""
    return (np.random.default_rng(1).integers(1, 1000, size) * 6,)


def reference(numbers):
    """The same with NumPy's own ufunc."""
    return np.concatenate([np.ravel(result) for result in results(np.gcd, numbers).values()])


def main():
    """Print what each method gives."""
    print(f"{gcd}: {gcd.nin} inputs, {gcd.nout} output, types {gcd.types}, identity {gcd.identity}")
    for method, result in results(gcd, np.array([360, 84, 126, 30])).items():
        print(f"{method:18} {str(result).replace(chr(10), ',')}")


def draw(figure):
    """Pairs of numbers by their greatest common divisor, on a logarithmic scale of colours."""
    numbers = np.arange(1, 121)
    axes = figure.subplots()
    image = axes.imshow(np.log2(gcd.outer(numbers, numbers)), cmap="viridis", origin="lower", extent=(1, 120, 1, 120))
    axes.set(title="gcd.outer(numbers, numbers)")
    figure.colorbar(image, label="log2 of the greatest common divisor")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
