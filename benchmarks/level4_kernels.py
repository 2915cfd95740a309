"""Write representative level-4 modules for benchmarks/compile_pipeline.c.

    python benchmarks/level4_kernels.py FOLDER

Each module has the shape that `pyarray-lower` gives (docs/internals.md, level 4). Names ending in ``_checked`` have
bounds checks. The first line of a file, ``// args: ...``, tells the benchmark what to pass: ``i8`` an int64, ``f2.5`` a
float64, ``a1000`` or ``a30x30`` a C-ordered float64 array.
"""

import pathlib
import sys

ERROR = """  func.func private @pyarray_rt_raise_values(i32, i64, i64, i64) attributes {pyarray.noreturn}
  func.func private @pyarray_rt_raise(i32) attributes {pyarray.noreturn}
  func.func private @pyarray_rt_propagate(i32) attributes {pyarray.noreturn}
  func.func private @pyarray_rt_release(i64)
"""


def array_type(rank):
    sizes = "x".join("?" * rank)
    strides = ", ".join("?" * (rank - 1) + "1")
    return f"memref<{sizes}xf64, strided<[{strides}], offset: ?>>"


class Function:
    """Text of one function; methods append operations and return the SSA name of their result."""

    def __init__(self, name, parameters, results, arguments, checked):
        self.lines, self.count, self.checked = [], 0, checked
        self.name, self.results, self.arguments = name, results, arguments
        self.rank = {f"%{p}": int(t[1:]) for p, t in parameters if t[0] == "a"}
        signature = []
        for parameter, kind in parameters:
            if kind[0] == "a":
                signature += [f"%{parameter}: {array_type(int(kind[1:]))}", f"%{parameter}_owner: i64"]
            else:
                signature.append(f"%{parameter}: {kind}")
        result = ", ".join(["i32"] + results)
        self.head = f"  func.func private @{name}({', '.join(signature)}) -> ({result}) attributes {{pyarray.entry}} {{"
        for value in (0, 1, 2, 3):
            self.line(f"%i{value} = arith.constant {value} : i64")
        self.line("%ok = arith.constant 0 : i32")
        self.line("%site = arith.constant 7 : i32")
        self.size = {}
        for array, rank in self.rank.items():
            for axis in range(rank):
                self.line(f"{array}_axis{axis} = arith.constant {axis} : index")
                extent = self.op(f"memref.dim {array}, {array}_axis{axis} : {array_type(rank)}")
                self.size[array, axis] = self.op(f"arith.index_cast {extent} : index to i64")

    def line(self, text):
        self.lines.append("    " + text)

    def op(self, text):
        self.count += 1
        self.line(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def number(self, value):
        return self.op(f"arith.constant {value:.17e} : f64")

    def binary(self, op, a, b, type="f64"):
        return self.op(f"arith.{op} {a}, {b} : {type}")

    def indices(self, array, indices):
        result = []
        for axis, i in enumerate(indices):
            size = self.size[array, axis]
            negative = self.op(f"arith.cmpi slt, {i}, %i0 : i64")
            wrapped = self.binary("addi", i, size, "i64")
            j = self.op(f"arith.select {negative}, {wrapped}, {i} : i64")
            if self.checked:
                bad = self.op(f"arith.cmpi uge, {j}, {size} : i64")
                self.line(f"scf.if {bad} {{")
                self.line(
                    f"  func.call @pyarray_rt_raise_values(%site, {i}, %i{axis}, {size}) : (i32, i64, i64, i64) -> ()"
                )
                self.line("}")
            result.append(self.op(f"arith.index_cast {j} : i64 to index"))
        return ", ".join(result)

    def load(self, array, *indices):
        return self.op(f"memref.load {array}[{self.indices(array, indices)}] : {array_type(self.rank[array])}")

    def store(self, value, array, *indices):
        self.line(f"memref.store {value}, {array}[{self.indices(array, indices)}] : {array_type(self.rank[array])}")

    def loop(self, start, stop, body, carried=(), type="f64", step="%i1"):
        """scf.for; body(i, *values) returns the next values."""
        self.count += 1
        i, result = f"%k{self.count}", f"%r{self.count}"
        names = [f"{result}_{n}" for n in range(len(carried))]
        types = ", ".join([type] * len(carried))
        if carried:
            inits = ", ".join(f"{n} = {v}" for n, v in zip(names, carried))
            self.line(
                f"{result}:{len(carried)} = scf.for {i} = {start} to {stop} step {step} "
                f"iter_args({inits}) -> ({types}) : i64 {{"
            )
            self.line(f"  scf.yield {', '.join(body(i, *names))} : {types}")
        else:
            self.line(f"scf.for {i} = {start} to {stop} step {step} : i64 {{")
            body(i)
        self.line("}")
        return [f"{result}#{n}" for n in range(len(carried))]

    def text(self, returned):
        values = ", ".join(["%ok"] + returned)
        types = ", ".join(["i32"] + self.results)
        lines = [self.head, *self.lines, f"    return {values} : {types}", "  }"]
        return f"// args: {self.arguments}\nmodule {{\n{ERROR}" + "\n".join(lines) + "\n}\n"


def scalar_sum(checked):
    f = Function("scalar_sum", [("n", "i64")], ["f64"], "i1000000", checked)

    def body(i, total):
        x = f.op(f"arith.sitofp {i} : i64 to f64")
        return [f.binary("addf", total, f.binary("mulf", x, f.number(0.5)))]

    return f.text(f.loop("%i0", "%n", body, [f.number(0)]))


def integer_sum(checked):
    """total ^= i * i: LLVM knows no closed form."""
    f = Function("integer_sum", [("n", "i64")], ["i64"], "i1000000", checked)
    body = lambda i, total: [f.binary("xori", total, f.binary("muli", i, i, "i64"), "i64")]
    return f.text(f.loop("%i0", "%n", body, ["%i0"], "i64"))


def stepped(checked):
    """for i in range(0, n, 2): out[i] = a[i] * s"""
    f = Function("stepped", [("a", "a1"), ("out", "a1"), ("s", "f64")], [], "a100000 a100000 f2", checked)
    f.loop("%i0", f.size["%a", 0], lambda i: f.store(f.binary("mulf", f.load("%a", i), "%s"), "%out", i), step="%i2")
    return f.text([])


def dot(checked):
    f = Function("dot", [("a", "a1"), ("b", "a1")], ["f64"], "a100000 a100000", checked)
    body = lambda i, total: [f.binary("addf", total, f.binary("mulf", f.load("%a", i), f.load("%b", i)))]
    return f.text(f.loop("%i0", f.size["%a", 0], body, [f.number(0)]))


def saxpy(checked):
    f = Function(
        "saxpy", [("s", "f64"), ("x", "a1"), ("y", "a1"), ("out", "a1")], [], "f2 a10000 a10000 a10000", checked
    )
    f.loop(
        "%i0",
        f.size["%x", 0],
        lambda i: f.store(f.binary("addf", f.binary("mulf", "%s", f.load("%x", i)), f.load("%y", i)), "%out", i),
    )
    return f.text([])


def matmul(checked):
    f = Function("matmul", [("a", "a2"), ("b", "a2"), ("c", "a2")], [], "a200x200 a200x200 a200x200", checked)

    def inner(i, k):
        def body(j):
            product = f.binary("mulf", f.load("%a", i, k), f.load("%b", k, j))
            f.store(f.binary("addf", f.load("%c", i, j), product), "%c", i, j)

        f.loop("%i0", f.size["%b", 1], body)

    f.loop("%i0", f.size["%a", 0], lambda i: f.loop("%i0", f.size["%a", 1], lambda k: inner(i, k)))
    return f.text([])


def matmul_sum(checked):
    """The sum in a variable, the inner loop over k."""
    f = Function("matmul_sum", [("a", "a2"), ("b", "a2"), ("c", "a2")], [], "a200x200 a200x200 a200x200", checked)

    def inner(i, j):
        body = lambda k, total: [f.binary("addf", total, f.binary("mulf", f.load("%a", i, k), f.load("%b", k, j)))]
        f.store(f.loop("%i0", f.size["%a", 1], body, [f.number(0)])[0], "%c", i, j)

    f.loop("%i0", f.size["%a", 0], lambda i: f.loop("%i0", f.size["%b", 1], lambda j: inner(i, j)))
    return f.text([])


def laplace(checked):
    f = Function("laplace", [("u", "a2"), ("out", "a2")], [], "a300x300 a300x300", checked)
    rows, columns = (f.binary("subi", f.size["%u", axis], "%i1", "i64") for axis in (0, 1))

    def point(i, j):
        up, down = f.binary("subi", i, "%i1", "i64"), f.binary("addi", i, "%i1", "i64")
        left, right = f.binary("subi", j, "%i1", "i64"), f.binary("addi", j, "%i1", "i64")
        total = f.binary("addf", f.load("%u", up, j), f.load("%u", down, j))
        total = f.binary("addf", f.binary("addf", total, f.load("%u", i, left)), f.load("%u", i, right))
        f.store(f.binary("mulf", total, f.number(0.25)), "%out", i, j)

    f.loop("%i1", rows, lambda i: f.loop("%i1", columns, lambda j: point(i, j)))
    return f.text([])


def mandelbrot(checked):
    f = Function("mandelbrot", [("out", "a2"), ("limit", "i64")], [], "a60x60 i200", checked)
    height, width = f.size["%out", 0], f.size["%out", 1]

    def scaled(i, extent, low):
        ratio = f.binary("divf", f.op(f"arith.sitofp {i} : i64 to f64"), f.op(f"arith.sitofp {extent} : i64 to f64"))
        return f.binary("addf", f.binary("mulf", ratio, f.number(3)), f.number(low))

    def pixel(i, j):
        cr, ci, zero = scaled(j, width, -2), scaled(i, height, -1.5), f.number(0)
        four, two = f.number(4), f.number(2)
        f.count += 1
        n = f.count
        f.line(
            f"%w{n}:3 = scf.while (%zr{n} = {zero}, %zi{n} = {zero}, %n{n} = %i0) "
            ": (f64, f64, i64) -> (f64, f64, i64) {"
        )
        more = f.op(f"arith.cmpi slt, %n{n}, %limit : i64")
        f.line(f"%go{n} = scf.if {more} -> (i1) {{")
        norm = f.binary("addf", f.binary("mulf", f"%zr{n}", f"%zr{n}"), f.binary("mulf", f"%zi{n}", f"%zi{n}"))
        f.line(f"scf.yield {f.op(f'arith.cmpf ole, {norm}, {four} : f64')} : i1")
        f.line("} else {")
        f.line(f"scf.yield {more} : i1")
        f.line("}")
        f.line(f"scf.condition(%go{n}) %zr{n}, %zi{n}, %n{n} : f64, f64, i64")
        f.line("} do {")
        f.line(f"^bb0(%br{n}: f64, %bi{n}: f64, %bn{n}: i64):")
        r, i2 = f"%br{n}", f"%bi{n}"
        real = f.binary("addf", f.binary("subf", f.binary("mulf", r, r), f.binary("mulf", i2, i2)), cr)
        imag = f.binary("addf", f.binary("mulf", f.binary("mulf", two, r), i2), ci)
        f.line(f"scf.yield {real}, {imag}, {f.binary('addi', f'%bn{n}', '%i1', 'i64')} : f64, f64, i64")
        f.line("}")
        f.store(f.op(f"arith.sitofp %w{n}#2 : i64 to f64"), "%out", i, j)

    f.loop("%i0", height, lambda i: f.loop("%i0", width, lambda j: pixel(i, j)))
    return f.text([])


def nbody(checked):
    f = Function(
        "nbody",
        [("p", "a2"), ("v", "a2"), ("m", "a1"), ("steps", "i64"), ("dt", "f64")],
        [],
        "a5x3 a5x3 a5 i100 f0.001",
        checked,
    )
    n = f.size["%p", 0]
    axes = ["%i0", "%i1", "%i2"]

    def pair(i, j):
        d = [f.binary("subf", f.load("%p", i, axis), f.load("%p", j, axis)) for axis in axes]
        square = f.binary(
            "addf",
            f.binary("addf", f.binary("mulf", d[0], d[0]), f.binary("mulf", d[1], d[1])),
            f.binary("mulf", d[2], d[2]),
        )
        square = f.binary("addf", square, f.number(0.01))
        magnitude = f.binary("divf", "%dt", f.binary("mulf", square, f.op(f"math.sqrt {square} : f64")))
        for axis in range(3):
            pull = f.binary("mulf", f.binary("mulf", d[axis], f.load("%m", j)), magnitude)
            f.store(f.binary("subf", f.load("%v", i, axes[axis]), pull), "%v", i, axes[axis])
            pull = f.binary("mulf", f.binary("mulf", d[axis], f.load("%m", i)), magnitude)
            f.store(f.binary("addf", f.load("%v", j, axes[axis]), pull), "%v", j, axes[axis])

    def move(i):
        for axis in axes:
            moved = f.binary("addf", f.load("%p", i, axis), f.binary("mulf", "%dt", f.load("%v", i, axis)))
            f.store(moved, "%p", i, axis)

    def step(_):
        f.loop("%i0", n, lambda i: f.loop(f.binary("addi", i, "%i1", "i64"), n, lambda j: pair(i, j)))
        f.loop("%i0", n, move)

    f.loop("%i0", "%steps", step)
    return f.text([])


def find(checked):
    """A loop that is left early: for x in a: if x > t: return i  (else -1), with the $state of level 1."""
    f = Function("find", [("a", "a1"), ("t", "f64")], ["i64"], "a100000 f1e9", checked)
    n = f.size["%a", 0]
    f.line("%none = arith.constant -1 : i64")
    f.line("%w:2 = scf.while (%k = %i0, %found = %none) : (i64, i64) -> (i64, i64) {")
    more = f.op(f"arith.cmpi slt, %k, {n} : i64")
    f.line(f"%s:2 = scf.if {more} -> (i64, i64) {{")
    x = f.load("%a", "%k")
    f.line(f"%hit = arith.cmpf ogt, {x}, %t : f64")
    f.line(
        "%in:2 = scf.if %hit -> (i64, i64) {\n scf.yield %i3, %k : i64, i64\n } else {\n"
        "scf.yield %i0, %found : i64, i64\n }"
    )
    f.line("scf.yield %in#0, %in#1 : i64, i64\n } else {\n scf.yield %i1, %found : i64, i64\n }")
    f.line("%stay = arith.cmpi eq, %s#0, %i0 : i64")
    f.line("%next = arith.addi %k, %i1 : i64")
    f.line("scf.condition(%stay) %next, %s#1 : i64, i64")
    f.line("} do {\n ^bb0(%k2: i64, %f2: i64):\n scf.yield %k2, %f2 : i64, i64\n }")
    return f.text(["%w#1"])


def primes(checked):
    """Counts primes: an inner loop with break and a flag, a state in the outer one."""
    f = Function("primes", [("n", "i64")], ["i64"], "i3000", checked)
    f.line("%true = arith.constant true\n %false = arith.constant false")

    def candidate(i, count):
        f.line("%w:2 = scf.while (%d = %i2, %p = %true) : (i64, i1) -> (i64, i1) {")
        square = f.binary("muli", "%d", "%d", "i64")
        more = f.op(f"arith.cmpi sle, {square}, {i} : i64")
        f.line(f"%s:2 = scf.if {more} -> (i64, i1) {{")
        f.line(f"%rem = arith.remsi {i}, %d : i64\n %zero = arith.cmpi eq, %rem, %i0 : i64")
        f.line(
            "%in:2 = scf.if %zero -> (i64, i1) {\n scf.yield %i1, %false : i64, i1\n"
            "} else {\n scf.yield %i0, %p : i64, i1\n }"
        )
        f.line("scf.yield %in#0, %in#1 : i64, i1\n } else {\n scf.yield %i1, %p : i64, i1\n }")
        f.line("%stay = arith.cmpi eq, %s#0, %i0 : i64\n %next = arith.addi %d, %i1 : i64")
        f.line("scf.condition(%stay) %next, %s#1 : i64, i1")
        f.line("} do {\n ^bb0(%k2: i64, %f2: i1):\n scf.yield %k2, %f2 : i64, i1\n }")
        return [f.binary("addi", count, f.op("arith.extui %w#1 : i1 to i64"), "i64")]

    return f.text(f.loop("%i2", "%n", candidate, ["%i0"], "i64"))


def sieve(checked):
    """for i in range(2, n): if flags[i] >= 1: for j in range(2 * i, n, i): flags[j] = 1.5; trip count first."""
    f = Function("sieve", [("flags", "a1"), ("n", "i64")], [], "a3000 i3000", checked)

    def strike(i):
        start = f.binary("muli", i, "%i2", "i64")
        room = f.binary("addi", f.binary("subi", "%n", start, "i64"), f.binary("subi", i, "%i1", "i64"), "i64")
        trips = f.binary("divsi", room, i, "i64")
        value = f.number(1.5)
        f.loop(
            "%i0",
            trips,
            lambda k: f.store(value, "%flags", f.binary("addi", start, f.binary("muli", k, i, "i64"), "i64")),
        )

    def candidate(i):
        f.line(f"%c = arith.cmpf oge, {f.load('%flags', i)}, {f.number(1)} : f64\n scf.if %c {{")
        strike(i)
        f.line("}")

    f.loop("%i2", "%n", candidate)
    return f.text([])


def bubble(checked):
    f = Function("bubble", [("a", "a1")], [], "a200", checked)
    n = f.size["%a", 0]

    def swap(j):
        k = f.binary("addi", j, "%i1", "i64")
        f.line(f"%c = arith.cmpf ogt, {f.load('%a', j)}, {f.load('%a', k)} : f64\n scf.if %c {{")
        a, b = f.load("%a", j), f.load("%a", k)
        f.store(b, "%a", j)
        f.store(a, "%a", k)
        f.line("}")

    def outer(i):
        f.loop("%i0", f.binary("subi", f.binary("subi", n, i, "i64"), "%i1", "i64"), swap)

    f.loop("%i0", n, outer)
    return f.text([])


def levenshtein(checked):
    """Rows of the distance table of two arrays, by running minima."""
    f = Function("levenshtein", [("a", "a1"), ("b", "a1"), ("row", "a1")], [], "a200 a150 a151", checked)
    one, zero = f.number(1), f.number(0)

    def column(i, j, diagonal, left):
        k = f.binary("addi", j, "%i1", "i64")
        above = f.load("%row", k)
        same = f.op(f"arith.cmpf oeq, {f.load('%a', i)}, {f.load('%b', j)} : f64")
        cost = f.op(f"arith.select {same}, {zero}, {one} : f64")
        best = f.binary("addf", diagonal, cost)
        for other in (f.binary("addf", left, one), f.binary("addf", above, one)):
            less = f.op(f"arith.cmpf olt, {other}, {best} : f64")
            best = f.op(f"arith.select {less}, {other}, {best} : f64")
        f.store(best, "%row", k)
        return [above, best]

    def line(i):
        first = f.op(f"arith.sitofp {i} : i64 to f64")
        next_first = f.binary("addf", first, one)
        f.store(next_first, "%row", "%i0")
        f.loop("%i0", f.size["%b", 0], lambda j, diagonal, left: column(i, j, diagonal, left), [first, next_first])

    f.loop("%i0", f.size["%a", 0], line)
    return f.text([])


def straight(statements):
    f = Function(f"straight{statements}", [("x", "f64"), ("y", "f64")], ["f64"], "f1.5 f0.25", False)
    x, y = "%x", "%y"
    for n in range(statements):
        x, y = f.binary("addf", f.binary("mulf", x, f.number(1 + n / 7)), y), f.binary("subf", x, y)
    return f.text([f.binary("addf", x, y)])


def branches(statements):
    """A straight line of `if x > c: x = x * a + y`."""
    f = Function(f"branches{statements}", [("x", "f64"), ("y", "f64")], ["f64"], "f1.5 f0.25", False)
    x = "%x"
    for n in range(statements):
        f.line(f"%c{n} = arith.cmpf ogt, {x}, %y : f64\n %b{n} = scf.if %c{n} -> (f64) {{")
        f.line(f"scf.yield {f.binary('addf', f.binary('mulf', x, f.number(1 + n / 7)), '%y')} : f64")
        f.line(f"}} else {{\n scf.yield {x} : f64\n }}")
        x = f"%b{n}"
    return f.text([x])


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in (scalar_sum, integer_sum, mandelbrot, primes):
        (folder / f"{kernel.__name__}.mlir").write_text(kernel(True))
    for kernel in (dot, saxpy, stepped, matmul, matmul_sum, laplace, nbody, find, sieve, bubble, levenshtein):
        (folder / f"{kernel.__name__}.mlir").write_text(kernel(False))
        (folder / f"{kernel.__name__}_checked.mlir").write_text(kernel(True))
    for statements in (10, 100, 1000):
        (folder / f"straight{statements}.mlir").write_text(straight(statements))
        (folder / f"branches{statements}.mlir").write_text(branches(statements))


if __name__ == "__main__":
    main()
