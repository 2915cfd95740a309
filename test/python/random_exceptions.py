"""Random programs with nested try, finally, loops and raises, as source text, for test_exceptions.py.

`f(a, n)` works on the floats of `a`: a[0] is a trace of what ran, in order. `x` and `y` are ints that may be unbound,
`b` an array that may be; `h` and `k` are functions that raise, of which one is never inlined. Every loop ends.
"""

import random

HEADER = """\
class MyError(ValueError):
    def __init__(self, a=1, b=2):
        super().__init__(a, b)

class Sub(MyError):
    pass

@compiled
def h(a, n):
    if n == 1:
        raise MyError(n)
    return 7 // n

@never_inlined
def k(a, n):
    b = np.ones(3)
    try:
        b[n] = 2.0
        return h(a, n) + int(b[0])
    except MyError:
        a[1] += 1.0
        raise
    finally:
        a[2] += 1.0

@compiled
def f(a, n):
    if n > 90:
        x = y = n
        b = np.ones(2)
"""
CLASSES = (
    "ValueError", "MyError", "Sub", "IndexError", "ZeroDivisionError", "LookupError", "ArithmeticError", "Exception",
    "(IndexError, Sub)", "(KeyError, ZeroDivisionError, UnboundLocalError)", "UnboundLocalError", "RuntimeError",
)  # fmt: skip
RAISED = (
    "ValueError(x, 2)", "ValueError", "MyError()", "MyError(n)", "Sub(3, (n, y))", "KeyError('k', 1.5)", "RuntimeError",
)  # fmt: skip


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.indent, self.marks, self.budget = [], 1, 0, 30

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def chance(self, probability):
        return self.random.random() < probability

    def value(self):
        return self.random.choice(("x", "y", "n", "x + y", "n - 1", "x - n", "n % 3", str(self.random.randrange(4))))

    def mark(self):
        self.marks += 1
        self.line(f"a[0] = (a[0] * 31.0 + {self.marks}.0) % 1009.0")

    def block(self, depth, loop, names):
        self.indent += 1
        self.mark()
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth, loop, names)
        self.indent -= 1

    def statement(self, depth, loop, names):
        self.budget -= 1
        compound = (self.try_statement,) * 4 + (self.if_statement, self.if_statement, self.loop)
        choices = (self.simple,) * 5 + (self.leave,) * 2 + (compound if depth < 5 and self.budget > 0 else ())
        self.random.choice(choices)(depth, loop, names)

    def simple(self, depth, loop, names):
        value, variable = self.value(), self.random.choice("xy")
        forms = (
            f"{variable} = {value}", f"{variable} = {value}", f"{variable} = 6 // ({value})", f"a[{value}] += 1.0",
            f"{variable} += {value}", f"{variable} = h(a, {value})", f"{variable} = k(a, {value})",
            f"b = np.ones(abs({value}) + 1)", "b = b[::-1]",
            f"b[{value}] += 1.0", "y = b.size", f"del {variable}", f"assert {value}, ({value}, 'no')", "del b",
        )  # fmt: skip
        self.line(self.random.choice(forms))

    def leave(self, depth, loop, names):
        forms = [f"return float({self.value()})", f"raise {self.random.choice(RAISED)}"]
        forms += ["break", "continue"] if loop else []
        if names:
            forms += ["raise", f"raise {names[-1]}"]
            forms += [f"raise {self.random.choice(RAISED)} from {self.random.choice(names)}"]
            forms += [f"raise {self.random.choice(RAISED)} from None", "raise Sub from TypeError(n, 1)"]
        self.line(f"if {self.value()} > {self.random.randrange(3)}:")
        self.line("    " + self.random.choice(forms))

    def if_statement(self, depth, loop, names):
        self.line(f"if {self.value()} > {self.random.randrange(3)}:")
        self.block(depth + 1, loop, names)
        if self.chance(0.5):
            self.line("else:")
            self.block(depth + 1, loop, names)

    def loop(self, depth, loop, names):
        count, variable = self.random.randrange(1, 4), f"i{depth}"
        if self.chance(0.7):
            self.line(f"for {variable} in range({count}):")
            self.block(depth + 1, True, names)
        else:
            self.line(f"{variable} = 0")
            self.line(f"while {variable} < {count}:")
            self.line(f"    {variable} += 1")
            self.block(depth + 1, True, names)
        if self.chance(0.3):
            self.line("else:")
            self.block(depth + 1, loop, names)

    def try_statement(self, depth, loop, names):
        handlers = self.random.randrange(3)
        self.line("try:")
        self.block(depth + 1, loop, names)
        for number in range(handlers):
            name = f"e{depth}{number}" if self.chance(0.5) else None
            bare = number + 1 == handlers and name is None and self.chance(0.2)
            classes = "" if bare else " " + self.random.choice(CLASSES)
            self.line(f"except{classes}" + (f" as {name}:" if name else ":"))
            self.block(depth + 1, loop, names + [name] if name else names)
        if handlers and self.chance(0.4):
            self.line("else:")
            self.block(depth + 1, loop, names)
        if not handlers or self.chance(0.4):
            self.line("finally:")
            self.block(depth + 1, loop, names)


def program(seed):
    """A program's source: the functions h, k and f."""
    writer = Writer(seed)
    for _ in range(3):
        writer.statement(0, False, [])
    writer.try_statement(0, False, [])
    writer.line("return -0.5")
    return HEADER + "\n".join(writer.lines) + "\n"
