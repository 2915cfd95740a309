"""Random programs of generators, as source text, for test_generator_programs.py.

`sub(n, log)` and `gen(n, log)` are generator functions, `f(n, stop, log)` goes over them. `log` is a trace of what ran,
in order; `x`, `y` and `t`, a text, are always bound, the numbers small. Every loop ends. Nothing is raised in finally
blocks: what a generator raises when it is dropped is lost, and one that yields then gives up sooner than CPython's.
"""

import random

HEADER = """\
@compiled
def note(log, k):
    log[0] += 1
    log[log[0] % 60 + 1] = log[log[0] % 60 + 1] * 31 + k

"""


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.indent, self.marks, self.budget = [], 1, 0, 18
        self.subs, self.quiet = [], False

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def chance(self, probability):
        return self.random.random() < probability

    def mark(self):
        self.marks += 1
        self.line(f"note(log, {self.marks})")

    def value(self):
        values = ["x", "y", "(x + y) % 1000", "x * 3 % 1000", "n - x", "len(t)", "x % 5", "n", "y // (x - 2)"]
        return self.random.choice(values[: -1 if self.quiet else None])

    def iterable(self):
        choices = ["range(x % 4)", "[1, 2, x]", "(v * 2 for v in range(n))", "range(3)"]
        choices.append("(v for v in [x, y, 3] if v % 2)")
        choices += [f"{name}(x % 4, log)" for name in self.subs if not self.quiet] * 2
        return self.random.choice(choices)

    def consume(self):
        source = self.iterable()
        self.line(
            self.random.choice(
                [
                    f"x = (x + sum(v for v in {source})) % 1000",
                    f"y = max([v for v in {source}] + [0])",
                    f"y += 1 if any(v > 2 for v in {source}) else 0",
                    f"t += ','.join(str(v) for v in {source})",
                    f"x = next(iter({source}), 7)",
                    f"y += len(list(map(lambda v: v + 1, {source})))",
                ]
            )
        )

    def block(self, yields, loops, handlers):
        self.indent += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement(yields, loops, handlers)
        self.indent -= 1

    def statement(self, yields, loops, handlers):
        self.budget -= 1
        kind = self.random.random()
        if self.budget < 0 or self.indent > 6 or kind < 0.3:
            return self.simple(yields, loops, handlers)
        if kind < 0.45:
            self.line(f"if {self.random.choice(['x % 2', 'x < y', 'n > 2', 'y % 3 == 1'])}:")
            self.block(yields, loops, handlers)
            if self.chance(0.5):
                self.line("else:")
                self.block(yields, loops, handlers)
        elif kind < 0.65:
            self.line(f"for i{self.indent} in {self.iterable()}:")
            self.indent += 1
            self.line(f"x = (x + i{self.indent - 1}) % 100")
            self.indent -= 1
            self.block(yields, True, handlers)
        elif kind < 0.85:
            self.line("try:")
            self.block(yields, loops, handlers)
            caught = self.chance(0.6)
            if caught:
                classes = self.random.choice(["ZeroDivisionError", "ValueError", "(ValueError, ZeroDivisionError)"])
                self.line(f"except {classes}:")
                self.indent += 1
                self.mark()
                self.indent -= 1
                self.block(yields, loops, True)
            if self.chance(0.4) or not caught:
                self.line("finally:")
                self.indent += 1
                self.mark()
                self.indent -= 1
                outer, self.quiet = self.quiet, True
                self.block(False, False, handlers)
                self.quiet = outer
        else:
            self.consume()
        return None

    def simple(self, yields, loops, handlers):
        kind = self.random.random()
        if yields and kind < 0.4:
            item = f"yield {self.value()}"
            self.line(self.random.choice([item, item, f"yield from {self.iterable()}"]))
        elif kind < 0.55:
            self.mark()
        elif kind < 0.7:
            self.line(f"{self.random.choice('xy')} = {self.value()}")
        elif kind < 0.76:
            self.line("t = t + str(x % 10)")
        elif kind < 0.82 and loops:
            self.line(f"if {self.random.choice(['x > 5', 'y % 2'])}:")
            self.line(f"    {self.random.choice(['break', 'continue'])}")
        elif kind < 0.88 and not self.quiet:
            self.line("if x % 7 == 3:")
            self.line(f"    raise ValueError({self.random.choice(['x', 'y', '1'])})")
        elif kind < 0.92 and yields:
            self.line("if x > 30:")
            self.line("    return")
        elif kind < 0.95 and handlers and not self.quiet:
            self.line("if y > 4:")
            self.line("    raise")
        else:
            self.mark()

    def function(self, name, parameters, yields):
        self.budget = 18
        self.lines.append("@compiled")
        self.lines.append(f"def {name}({parameters}):")
        self.line("x = n")
        self.line("y = 1")
        self.line("t = 'a'")
        if yields:
            for _ in range(self.random.randint(2, 4)):
                self.statement(True, False, False)
            self.line(f"yield {self.value()}")
            return self.subs.append(name)
        self.line("for v in gen(n, log):")
        self.line("    x = (x * 3 + v) % 1000")
        self.line("    stop -= 1")
        self.line("    note(log, v)")
        self.block(False, True, False)
        self.line("    if stop == 0:")
        self.line("        break")
        self.line("return x, y, t")
        return None


def program(seed):
    """The source of a program, the same for each seed."""
    writer = Writer(seed)
    writer.function("sub", "n, log", True)
    writer.function("gen", "n, log", True)
    writer.function("f", "n, stop, log", False)
    return HEADER + "\n".join(writer.lines) + "\n"
