"""What compiled code has the interpreter do with NumPy's Generators: making them."""

from numpy import random


def _bits(name):
    def make(seed):
        return getattr(random, name)(seed)

    return make


def _generator(bits):
    return random.Generator(bits)


def _spawn(generator, count):
    return generator.spawn(count)


def _jumped(bits, jumps):
    return bits.jumped(jumps)


def _bit_generator(generator):
    return generator.bit_generator


#: ORDER PYTHON FUNCTIONS: ``library/numpy/generator.py`` calls them by number; ``library/text.py`` those behind them.
FUNCTIONS = (
    random.default_rng, _generator, _spawn, _jumped, _bit_generator,
    _bits("PCG64"), _bits("PCG64DXSM"), _bits("MT19937"), _bits("Philox"), _bits("SFC64"),
)  # fmt: skip
