"""Compare cuRAND's numbers with those that the CPU gives in its place: one run tells all that differs, and how.

    python benchmarks/gpu/check_random.py [WORD ...]

With words, only generators whose names have one of them. Needs a GPU and cuRAND. Prints for each generator the first 16
numbers of both, and for each kind of number how far the two agree: all, or the first place where they differ, both
numbers there, how many differ and by how much. Where raw numbers differ it says at which places of the CPU's sequence
those of the GPU are. The exit status is 1 where numbers differ that docs/cuda.md promises to be equal. check.py has the
same as checks. (--numbers FILE: write the numbers of this process's device, for the comparison.)
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
from functools import partial

import numpy as np
from checking import CHECKS, need_gpu

SEED, OFFSET = 12345678901234567890, 98765
MANY = 1_000_003
PLACES = [0, 1, 2, 3, 4, 5, 4095, 4096, 8192, 16384, 65536, 81920, 262144]

PSEUDO = ("XORWOW", "MRG32K3A", "PHILOX4_32_10", "MTGP32", "MT19937")
QUASI = ("SOBOL32", "SOBOL64", "SCRAMBLED_SOBOL32", "SCRAMBLED_SOBOL64")
PROMISED = ("XORWOW", "MRG32K3A", "PHILOX4_32_10", "MTGP32", "SOBOL32", "SOBOL64")
ORDERINGS = ("DEFAULT", "BEST", "LEGACY", "SEEDED", "DYNAMIC")
UNPROMISED_ORDERINGS = ("SEEDED", "DYNAMIC")

# Kind of number: method, dtype, arguments, how far apart equal numbers may be.
KINDS = {
    "bits": ("generate", "u4", (), 0),
    "wide bits": ("generate", "u8", (), 0),
    "uniform f4": ("uniform", "f4", (), 0),
    "uniform f8": ("uniform", "f8", (), 0),
    "normal f4": ("normal", "f4", (), 2e-5),
    "normal f8": ("normal", "f8", (), 1e-12),
    "lognormal f4": ("lognormal", "f4", (0.5, 0.25), 2e-5),
    "lognormal f8": ("lognormal", "f8", (0.5, 0.25), 1e-12),
    "poisson": ("poisson", "u4", (7.5,), None),  # the same distribution, not the same numbers
}


def tolerance(step):
    """How far apart the numbers of a row may be."""
    return KINDS[next((kind for kind in KINDS if step.startswith((kind + ",",)) or step == kind), "bits")][3]


# --- Numbers of one device -------------------------------------------------------------------------------------------


def drawn(rng, kind, count):
    """``count`` numbers, made on the device; ``rng``: a generator, or what makes it."""
    from pyarray import cuda

    method, dtype, arguments, _ = KINDS[kind]
    array = cuda.device_array(count, dtype)
    getattr(rng() if callable(rng) else rng, method)(array, *arguments)
    return array.copy_to_host()


def attempt(numbers, key, rng, kind, count):
    """Keep the numbers, or the text of an error."""
    try:
        numbers[key] = drawn(rng, kind, count)
    except Exception as error:
        numbers[key] = np.array(f"{type(error).__name__}: {error}"[:200])


def pseudo_numbers(numbers, name):
    from pyarray.cuda.curand import PRNG

    def make(ordering=None, **settings):
        rng = PRNG(getattr(PRNG, name), seed=SEED, **settings)
        if ordering:
            rng.ordering = getattr(PRNG, "ORDERING_" + ordering)
        return rng

    even = MANY - MANY % 2
    for ordering in ORDERINGS:
        attempt(numbers, f"{name} {ordering}|bits", partial(make, ordering), "bits", MANY)
    for kind in KINDS:
        attempt(numbers, f"{name}|{kind}", make, kind, even)
        attempt(numbers, f"{name}|{kind}, odd", make, kind, 1001)
        attempt(numbers, f"{name}|{kind}, offset", partial(make, offset=OFFSET), kind, even)
        for count in (100, 4096, 300_000):  # where the sequence goes on
            rng = make()
            attempt(numbers, f"{name}|{kind}, {count}", rng, kind, count)
            attempt(numbers, f"{name}|bits after {count} {kind}", rng, "bits", 64)
    rng = make()
    for i, (kind, count) in enumerate(zip([*KINDS][:8] * 3, (1003, 77, 501, 5, 1000, 2002, 90_002, 6) * 3)):
        attempt(numbers, f"{name} in a row|{kind}, call {i}", rng, kind, count)
    rng = make()
    attempt(numbers, f"{name}|bits before a seed", rng, "bits", 100)
    rng.seed = 7
    attempt(numbers, f"{name}|bits after a seed", rng, "bits", 100)


def quasi_numbers(numbers, name):
    from pyarray.cuda.curand import QRNG

    rndtype = getattr(QRNG, name)
    for ndim in (1, 3, 1111):
        for kind in KINDS:
            if kind == ("bits" if name.endswith("64") else "wide bits"):
                continue
            for offset in (0, OFFSET, 2**32 - 500):
                key = f"{name} ndim {ndim}|{kind}, offset {offset}"
                attempt(numbers, key, partial(QRNG, rndtype, ndim, offset), kind, 1001 * ndim)
            rng = QRNG(rndtype, ndim)
            for part, points in (("first part", 10), ("second part", 1001)):
                attempt(numbers, f"{name} ndim {ndim}|{kind}, {part}", rng, kind, points * ndim)


def write_numbers(path, names):
    """The numbers of this process's device."""
    numbers = {}
    for name in names:
        (pseudo_numbers if name in PSEUDO else quasi_numbers)(numbers, name)
    np.savez(path, **numbers)


# --- Comparing -------------------------------------------------------------------------------------------------------


def compared(gpu, cpu, allowed):
    """Whether they agree, and how they do."""
    if gpu.dtype.kind == "U" or cpu.dtype.kind == "U":
        same = gpu.dtype == cpu.dtype or (gpu.dtype.kind == cpu.dtype.kind and str(gpu) == str(cpu))
        said = [f"{where}: {array if array.dtype.kind == 'U' else f'{array.size} numbers'}"
                for where, array in (("GPU", gpu), ("CPU", cpu))]  # fmt: skip
        return same and gpu.dtype.kind == "U", "; ".join(said)
    equal = (gpu == cpu) | ((gpu != gpu) & (cpu != cpu))
    if equal.all():
        return True, f"{gpu.size} equal"
    apart = np.abs(gpu.astype("f8") - cpu.astype("f8"))
    apart[equal] = 0
    where = int(np.argmax(~equal))
    said = f"{(~equal).sum()} of {gpu.size} differ, by up to {np.nanmax(apart):.3g}; the first at {where}: "
    said += f"GPU {gpu[where]!r}, CPU {cpu[where]!r}"
    if allowed is None:
        means = [(float(array.mean()), float(array.var())) for array in (gpu, cpu)]
        return np.allclose(*means, rtol=0.2), f"mean and variance: GPU {means[0]}, CPU {means[1]}"
    far = apart > allowed * np.maximum(1, np.abs(cpu.astype("f8")))
    if allowed and far.any():
        where = int(np.argmax(far))
        said += f"; {far.sum()} by more than {allowed:g}, at {where}: GPU {gpu[where]!r}, CPU {cpu[where]!r}"
    return not far.any(), said


def found_at(gpu, cpu):
    """For places of the GPU's sequence, where the CPU's has these numbers."""
    places = [i for i in PLACES if i < gpu.size]
    said = []
    for place in places:
        at = np.flatnonzero(cpu == gpu[place])[:2].tolist()
        said.append(f"{place}: {at[0] if at else 'nowhere'}")
    return "GPU's numbers in the CPU's sequence: " + ", ".join(said)


def is_promised(key):
    group, step = key.split("|")
    words = group.split()
    return words[0] in PROMISED and words[-1] not in UNPROMISED_ORDERINGS and "poisson" not in step


def compare(gpu, cpu, write):
    """Tell of each row of numbers; gives the keys of those that differ and should not."""
    failed = []
    for key in cpu:
        allowed = tolerance(key.split("|")[1])
        if key.startswith("MTGP32") and allowed:
            allowed = max(allowed, 1e-6)  # versions of cuRAND differ
        agrees, said = compared(gpu[key], cpu[key], allowed)
        mark = "same" if agrees else "DIFFERS" if is_promised(key) else "other"
        if mark == "DIFFERS":
            failed.append(key)
        write(f"{mark:8} {key:55} {said}")
        arrays = [array for array in (gpu[key], cpu[key]) if array.dtype.kind != "U"]
        if not agrees or key.endswith(("DEFAULT|bits", "|bits, offset 0", "|wide bits, offset 0")):
            for where, array in (("GPU", gpu[key]), ("CPU", cpu[key])):
                write(f"         {where} {array[:16].tolist() if array.ndim else array}")
        if not agrees and len(arrays) == 2 and tolerance(key.split("|")[1]) == 0:
            write("         " + found_at(*arrays))
    return failed


def numbers_of(kind, name, folder):
    """What a process of its own writes, on the GPU or the CPU."""
    path = pathlib.Path(folder) / f"{kind}.npz"
    command = [sys.executable, __file__, "--numbers", path, name]
    done = subprocess.run(command, env={**os.environ, "PYARRAY_CUDA": kind}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    with np.load(path) as file:
        return dict(file)


def both(name, write):
    with tempfile.TemporaryDirectory() as folder:
        return compare(numbers_of("gpu", name, folder), numbers_of("cpu", name, folder), write)


def check_generator(name):
    """A check of check.py."""
    need_gpu()
    lines = []
    failed = both(name, lines.append)
    print(*lines, sep="\n", file=sys.stderr)
    print(*lines, sep="\n")
    assert not failed, f"{len(failed)} of {len(lines)} rows differ: " + "; ".join(
        line for line in lines if line.startswith("DIFFERS")
    )
    counts = [sum(line.startswith(mark) for line in lines) for mark in ("same", "other")]
    return f"{counts[0]} rows of numbers as the CPU's, {counts[1]} that need not be"


for _name in (*PSEUDO, *QUASI):
    CHECKS["random " + _name] = lambda name=_name: check_generator(name)


def philox_of_kernels():
    """cuda.random's Philox against cuRAND's."""
    from pyarray import cuda
    from pyarray.cuda import random
    from pyarray.cuda.curand import PRNG

    lanes, rounds = 65536, 3

    @cuda.jit
    def numbers(states, out):
        for i in range(cuda.grid(1), len(states), cuda.gridsize(1)):
            for k in range(4 * rounds):
                out[k // 4, i, k % 4] = random.philox_next(states, i)

    ours = cuda.device_array((rounds, lanes, 4), np.uint32)
    numbers[256, 256](random.create_philox_states(lanes, SEED), ours)
    theirs = cuda.device_array((rounds, lanes, 4), np.uint32)
    PRNG(PRNG.PHILOX4_32_10, seed=SEED).generate(theirs)
    agrees, said = compared(theirs.copy_to_host().ravel(), ours.copy_to_host().ravel(), 0)
    assert agrees, "cuRAND (GPU) and cuda.random (CPU): " + said
    return said


CHECKS["random philox of kernels is cuRAND's"] = philox_of_kernels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only generators whose names have one of these")
    parser.add_argument("--numbers", metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = [name for name in (*PSEUDO, *QUASI) if not options.words or any(word in name for word in options.words)]
    if options.numbers:
        write_numbers(options.numbers, options.words)
        return 0
    names = [name for name in (*PSEUDO, *QUASI) if not options.words or any(word in name for word in options.words)]
    # Processes of their own: a kernel that fails spoils a context.
    failed = [key for name in names for key in both(name, lambda line: print(line, flush=True))]
    try:
        print("cuda.random's Philox and cuRAND's:", philox_of_kernels())
    except Exception as error:
        print(f"DIFFERS  cuda.random's Philox: {type(error).__name__} {error}")
        failed.append("cuda.random's Philox")
    print(f"{len(failed)} rows differ that should not", *failed, sep="\n    ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
