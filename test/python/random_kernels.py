"""Random CUDA kernels as source text, and an interpreter of the same kernels, for test_cuda_random.py.

A kernel computes with variables of each thread (`i0 i1` ints, `f0 f1` floats, `b0` a bool, `z0` a complex number, `q` a
tuple, `view` a view of an array, `own` a local array) and of the block (`u0`), has barriers in uniform control flow,
warp operations anywhere, jumps, and atomics; at its end each thread stores what it has. Two threads touch the same
memory only with a barrier between, or by atomics, so results do not depend on order.

In the model of the kernel each thread is a generator that yields where threads wait for each other: (place, what,
operands). A place is ordered as lockstep goes: lines, and within loops the number of the iteration first.
"""

import math
import os

import numpy as np
from hypothesis import strategies as st

SHARED = 96  # elements of the shared arrays; at least the threads of a block
BLOCKS = [(1,), (7,), (32,), (33,), (64,), (4, 3), (8, 8), (17, 3), (2, 3, 5), (3, 1, 11), (4, 4, 4)]
# On a GPU all lanes that a mask names must come; the emulator knows what happens where some do not.
WHOLE_WARPS = os.environ.get("PYARRAY_CUDA") == "gpu"
if WHOLE_WARPS:
    BLOCKS = [block for block in BLOCKS if math.prod(block) % 32 == 0]
GRIDS = [(1,), (2,), (3,), (2, 2), (1, 2, 2)]
WARP = 32
EVERY_LANE = 0xFFFFFFFF

HEADER = """\
def kernel(data, n, ints, floats, complexes, sums):
    shared = cuda.shared.array(96, float64)
    flags = cuda.shared.array((2, 48), int32)
    own = cuda.local.array(4, float64)
    t = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
    nt = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
    block = cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
    lane = t % 32
"""
MODEL_HEADER = """\
def kernel(t, nt, block, shared, flags, data, n, ints, floats, complexes, sums):
    own = [0.0] * 4
    lane = t % 32
"""
START = """\
    u0 = n + block
    i0, i1 = t + n, block - 3
    f0, f1 = t * 0.5, 1.5 - block
    b0 = t % 3 == 1
    z0 = complex(f0, 1.0)
    q = (i0, f1)
    view = data[t % 4:]
    shared[t] = 0.0
    flags[t // 48, t % 48] = 0
    for e in range(4):
        own[e] = e * 0.25
"""
END = """\
    place = t + nt * block
    ints[0, place], ints[1, place], ints[2, place] = i0, i1, u0
    ints[3, place], ints[4, place] = int(b0), q[0]
    floats[0, place], floats[1, place], floats[2, place] = f0, f1, q[1]
    floats[3, place] = view[0] + own[0] + 2 * own[1] + 4 * own[2] + 8 * own[3]
    complexes[place] = z0
"""

# {i} {f} {b} {z} {u} {v}: expressions; u and v are an int and a condition that all threads of the block have alike.
# Ints stay small, so that nothing depends on their width.
FORMS = {
    "i": "i0;i1;t;lane;{u};({i} + {i}) % 1000;({i} - {i}) % 1000;({i} * {i}) % 1000;{i} ^ {i};{i} // 3;int({b})"
    ";q[0];{i} & 15",
    "f": "f0;f1;({f} + {f}) * 0.5;{f} - {f};{f} * 0.25;float({i});own[{i} % 4];view[{i} % 4];z0.real * 0.5;q[1]"
    ";{f} if {b} else {f}",
    "b": "b0;{i} < {i};{i} % 2 == 0;{f} < {f};not {b};{b} and {b};{b} or {b};t < {u};i0 > 20",
    "z": "z0;z0 * 0.5 + {f};complex({f}, {f});z0 * 0.25j;-z0",
    "u": "u0;n;block;3;({u} + {u}) % 50;({u} * 3) % 7;nt;{u} // 2",
    "v": "{u} % 2 == 0;{u} > 4;{u} < n;u0 != 3",
}
LEAVES = {"i": "i0;i1;t;2", "f": "f0;f1;0.5", "b": "b0;t < 5", "z": "z0", "u": "u0;n;3", "v": "u0 > 2"}
# Of warps: result, call, operands.
WARP_FORMS = [
    ("i0", "shfl_sync", "{i}, {i} % 32"),
    ("i1", "shfl_up_sync", "{i}, {u} % 5"),
    ("i0", "shfl_down_sync", "{i}, {u} % 5"),
    ("f0", "shfl_xor_sync", "{f}, {u} % 4"),
    ("f1", "shfl_down_sync", "{f}, 1"),
    ("b0", "any_sync", "{b}"),
    ("b0", "all_sync", "{b}"),
    ("b0", "eq_sync", "{b}"),
    ("i0", "ballot_sync", "{b}"),
    ("i1", "match_any_sync", "{i} % 3"),
    ("i0", "match_all_sync", "{i} % 2"),
]
BLOCK_FORMS = ["syncthreads_count", "syncthreads_and", "syncthreads_or"]
ATOMICS = ["add", "sub", "max", "min", "and_", "or_", "xor", "add"]  # row of |sums| for each but the last, on floats


class Writer:
    """Writes one kernel and its model; every choice is hypothesis's."""

    def __init__(self, draw):
        self.draw = draw
        self.kernel, self.model = [], []
        self.loops = []  # (line, name of its counter, whether all threads of the block take part)
        self.counters = 0

    def number(self, low, high):
        return self.draw(st.integers(low, high))

    def choose(self, options):
        return options[self.number(0, len(options) - 1)]

    def chance(self, one_in):
        return self.number(1, one_in) == one_in

    def expression(self, kind, depth=2):
        if depth <= 0:
            return self.choose(LEAVES[kind].split(";"))
        return "(" + self.fill(self.choose(FORMS[kind].split(";")), depth - 1) + ")"

    def fill(self, form, depth=2):
        for kind in "ifbzuv":
            while "{" + kind + "}" in form:
                form = form.replace("{" + kind + "}", self.expression(kind, depth), 1)
        return form

    # Lines

    def line(self, indent, text, model=None):
        self.kernel.append("    " * indent + text)
        self.model.append("    " * indent + (text if model is None else model))

    def wait(self, indent, target, call, operands):
        """A call in which threads wait for each other."""
        place = "".join(f"{line}, {counter}, " for line, counter, _ in self.loops) + f"{len(self.model)},"
        kept = f"{target} = " if target else ""
        full = ", ".join(filter(None, ["0xFFFFFFFF" if call.endswith("_sync") else "", operands]))
        after = "[0]" if call.startswith("match_all") else ""
        int_of = ("int(", ")") if target and target[0] == "i" else ("", "")
        self.line(indent, f"{kept}{int_of[0]}cuda.{call}({full}){after}{int_of[1]}",
                  f'{kept}yield ({place}), "{call}", ({operands}{"," if operands else ""})')  # fmt: skip
        if call in ("ballot_sync", "match_any_sync", "match_all_sync"):
            self.line(indent, f"{target} = ({target} ^ ({target} >> 16)) & 1023")

    # Statements. |together|: every thread of the block that has not returned is here.

    def block(self, indent, depth, together):
        for _ in range(self.number(1, 4)):
            self.statement(indent, depth, together)

    def statement(self, indent, depth, together):
        options = [self.write_assign] * 3 + [self.write_atomic, self.write_own, self.write_several]
        options += [self.write_warp] if together or not WHOLE_WARPS else []
        options += [self.write_exchange] * 3 + [self.write_vote, self.write_flags] if together else []
        uniform = [self.write_uniform_if, self.write_uniform_for, self.write_uniform_while]
        options += uniform * (1 + together) if depth else []
        options += [self.write_if, self.write_if, self.write_for, self.write_while] if depth else []
        options += [self.write_uniform_jump] if self.loops and together == self.loops[-1][2] else []
        self.choose(options)(indent, depth, together)

    def write_assign(self, indent, depth, together):
        kind, names = self.choose([("i", "i0 i1"), ("f", "f0 f1"), ("b", "b0"), ("z", "z0")] + [("u", "u0")] * together)
        self.line(indent, f"{self.choose(names.split())} = {self.expression(kind)}")

    def write_several(self, indent, depth, together):
        forms = ["i0, i1 = i1, i0", "f0, f1 = f1, f0", "q = ({i}, {f})", "i1, f0 = q"]
        self.line(indent, self.fill(self.choose([*forms, "view = data[{i} % 4:]", "view = view[0:8]"])))

    def write_own(self, indent, depth, together):
        self.line(indent, self.fill("own[{i} % 4] = {f}"))

    def write_atomic(self, indent, depth, together):
        row = self.number(0, len(ATOMICS) - 1)
        value = "float({i} % 8)" if row == len(ATOMICS) - 1 else "{i}"
        array = "floats[4]" if row == len(ATOMICS) - 1 else f"sums[{row}]"
        index, value = self.fill("({i} % 4)"), self.fill(value)
        self.line(indent, f"cuda.atomic.{ATOMICS[row]}({array}, {index}, {value})",
                  f'atomic("{ATOMICS[row]}", {array}, {index}, {value})')  # fmt: skip

    def write_warp(self, indent, depth, together):
        target, call, operands = self.choose(WARP_FORMS)
        self.wait(indent, target, call, self.fill(operands))

    def write_vote(self, indent, depth, together):
        self.wait(indent, "u0", self.choose(BLOCK_FORMS), self.expression("b"))
        self.line(indent, "u0 = int(u0)")

    def write_exchange(self, indent, depth, together):
        """A value from another thread through shared memory."""
        self.line(indent, "shared[t] = " + self.expression("f"))
        self.wait(indent, "", "syncthreads", "")
        self.line(indent, self.fill("f1 = shared[(t + {u}) % nt] + 0.25 * shared[{i} % nt]"))
        self.wait(indent, "", "syncthreads", "")

    def write_flags(self, indent, depth, together):
        self.line(indent, self.fill("flags[t // 48, t % 48] = {i}"))
        self.wait(indent, "", "syncthreads", "")
        self.line(indent, "i1 = int(flags[((t + 1) % nt) // 48, ((t + 1) % nt) % 48])")
        self.wait(indent, "", "syncthreads", "")

    def write_branches(self, indent, depth, condition, together):
        self.line(indent, f"if {condition}:")
        self.block(indent + 1, depth - 1, together)
        if self.chance(2):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, together)

    def write_uniform_if(self, indent, depth, together):
        self.write_branches(indent, depth, self.expression("v"), together)

    def write_if(self, indent, depth, together):
        self.write_branches(indent, depth, self.expression("b"), False)

    def write_loop(self, indent, depth, first, condition, together):
        """|condition| leaves the loop before an iteration; "" for a loop that is counted."""
        counter = f"k{self.counters}"
        self.counters += 1
        if condition:
            self.line(indent, f"{counter} = 0")
            self.line(indent, f"while {counter} < {first} and {condition}:")
            self.loops.append((len(self.model), counter, together))
            self.line(indent + 1, f"{counter} += 1")
        else:
            self.line(indent, f"for {counter} in range({first}):")
            self.loops.append((len(self.model), counter, together))
        self.block(indent + 1, depth - 1, together)
        if not together and self.chance(2):
            self.line(indent + 1, f"if {self.expression('b')}:")
            self.line(indent + 2, self.choose(["break", "continue"]))
            self.block(indent + 1, depth - 1, False)
        self.loops.pop()

    def write_uniform_for(self, indent, depth, together):
        self.write_loop(indent, depth, self.fill("{u} % 4"), "", together)

    def write_uniform_while(self, indent, depth, together):
        self.write_loop(indent, depth, "3", self.expression("v"), together)

    def write_for(self, indent, depth, together):
        self.write_loop(indent, depth, self.fill("{i} % 4"), "", False)

    def write_while(self, indent, depth, together):
        self.write_loop(indent, depth, "4", self.expression("b"), False)

    def write_uniform_jump(self, indent, depth, together):
        self.line(indent, f"if {self.expression('v')}:")
        self.line(indent + 1, self.choose(["break", "continue"]))

    def program(self):
        self.block(1, 3, True)
        if not WHOLE_WARPS and self.chance(3):  # threads that have returned are not waited for
            self.line(1, f"if {self.expression('b')}:")
            self.line(2, "ints[5, t + nt * block] = 1")
            self.line(2, "return")
        self.block(1, 2, True)
        kernel, model = ("\n".join(lines) + "\n" for lines in (self.kernel, self.model))
        return HEADER + START + kernel + END, MODEL_HEADER + START + model + END + "    yield None, None, None\n"


@st.composite
def kernels(draw):
    """Strategy for (source of a kernel, source of its model, grid, block, n)."""
    return *Writer(draw).program(), draw(st.sampled_from(GRIDS)), draw(st.sampled_from(BLOCKS)), draw(st.integers(0, 9))


def arguments(grid, block, n):
    """Arrays that a kernel is called with."""
    threads = math.prod(grid) * math.prod(block)
    sums = np.full((7, 4), 5, np.int64)
    return [np.arange(12) * 0.75 - 2, n, np.zeros((6, threads), np.int64), np.zeros((5, max(threads, 4))),
            np.zeros(threads, complex), sums]  # fmt: skip


# ------------------------------------------------------------------------------------------------
# The interpreter

UPDATES = {
    "add": lambda old, value: old + value,
    "sub": lambda old, value: old - value,
    "max": max,
    "min": min,
    "and_": lambda old, value: old & value,
    "or_": lambda old, value: old | value,
    "xor": lambda old, value: old ^ value,
}


def atomic(name, array, index, value):
    array[index] = UPDATES[name](array[index], value)


def lanes_of(threads):
    return sum(1 << thread % WARP for thread in threads)


def as_int32(lanes):
    return lanes - (1 << 32) if lanes >> 31 else lanes


def shuffled(source):
    """What each thread gets that reads the lane source(lane, operand), or its own where that one is not here."""

    def run(operands):
        results = {}
        for thread, (value, operand) in operands.items():
            lane = source(thread % WARP, operand)
            other = thread - thread % WARP + lane
            results[thread] = operands[other][0] if 0 <= lane < WARP and other in operands else value
        return results

    return run


def voted(vote):
    return lambda operands: dict.fromkeys(operands, vote([bool(predicate) for (predicate,) in operands.values()]))


def match_any(operands):
    return {t: lanes_of(o for o in operands if operands[o] == operands[t]) for t in operands}


def match_all(operands):
    same = len(set(operands.values())) == 1
    return dict.fromkeys(operands, lanes_of(operands) if same else 0)


# What threads of a warp do together: {thread: operands} to {thread: result}.
WARP_CALLS = {
    "shfl_sync": shuffled(lambda lane, operand: operand % WARP),
    "shfl_up_sync": shuffled(lambda lane, operand: lane - operand),
    "shfl_down_sync": shuffled(lambda lane, operand: lane + operand),
    "shfl_xor_sync": shuffled(lambda lane, operand: lane ^ operand),
    "any_sync": voted(any),
    "all_sync": voted(all),
    "eq_sync": voted(lambda values: len(set(values)) == 1),
    "ballot_sync": lambda operands: dict.fromkeys(operands, lanes_of(t for t in operands if operands[t][0])),
    "match_any_sync": match_any,
    "match_all_sync": match_all,
}
BLOCK_CALLS = {
    "syncthreads": lambda predicates: None,
    "syncthreads_count": sum,
    "syncthreads_and": all,
    "syncthreads_or": any,
}


class Missing(Exception):
    """A barrier that not all threads reach."""


def run_block(model, block, threads, operands):
    shared, flags = [0.0] * SHARED, np.zeros((2, SHARED // 2), np.int32)
    running = {t: model(t, threads, block, shared, flags, *operands) for t in range(threads)}
    waiting, answers = {}, dict.fromkeys(running)
    while running:
        for thread, answer in answers.items():
            try:
                waiting[thread] = running[thread].send(answer)
            except StopIteration:
                waiting[thread] = (None, None, None)
            if waiting[thread][1] is None:
                del running[thread], waiting[thread]
        if not running:
            return
        first = min(place for place, _, _ in waiting.values())
        here = {thread: values for thread, (place, _, values) in waiting.items() if place == first}
        call = waiting[next(iter(here))][1]
        answers = {}
        if call in BLOCK_CALLS:
            if len(here) != len(running):
                raise Missing
            answers = dict.fromkeys(here, BLOCK_CALLS[call]([bool(values[0]) for values in here.values() if values]))
        else:
            for warp in {thread // WARP for thread in here}:
                answers |= WARP_CALLS[call]({t: values for t, values in here.items() if t // WARP == warp})


def interpret(source, grid, block, operands):
    """Runs the model of a kernel."""
    module = {"atomic": atomic}
    exec(compile(source, "<model>", "exec"), module)
    for number in range(math.prod(grid)):
        run_block(module["kernel"], number, math.prod(block), operands)
