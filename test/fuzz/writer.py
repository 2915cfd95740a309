"""Random programs for programs.py: those of test/python/random_programs.py, with exceptions, recursion and lists.

Every choice comes from a seed. Beside the variables of random_programs there are `xs` and `ws`, lists of ints, `ys`, a
list of floats, and `s0` and `s1`, texts; h calls itself with an r that shrinks. Lists and texts do not grow without
bound: loops over lists end at 20 items.
"""

import random

import random_programs
from random_exceptions import CLASSES, HEADER
from random_programs import forms

CLASS_SOURCE = HEADER[: HEADER.index("@compiled")]
LIST_FORMS = {
    "i": forms("len(xs); len(ys); xs[{s}]; ws[{s}]; xs.count({i}); xs.index({i}); [{i}, {i}][{s}]; xs[{i}:][{s}]")
    + forms("xs[::-1][{s}]; len(xs + ws); len([{i}, {i}] * 2); len([e for e in xs if e {<} {i}])")
    + forms("xs.pop(); xs.pop({s})"),
    "f": forms("ys[{s}]; ys[{s}]; ys[1:][{s}]; [{f}, {f}][{s}]; [e * 0.5 for e in ys][{s}]; ys.pop()"),
    "b": forms("({i} in xs); ({i} not in ws); (xs == ws); (xs {<} ws); (xs is ws); bool(xs); (not ys)"),
}
ITERATION_FORMS = {
    "i": forms("sum(xs); sum([{i}, {i}]); sum([k * e for k, e in enumerate(xs)])")
    + forms("sum([p * q for p, q in zip(xs, ws)])"),
    "f": forms("sum(ys, 0.0); sum([e * {f} for e in ys], 0.0)"),
}
TEXT_FORMS = {
    "i": forms("len(s0); s0.find(s1); s0.count({t}); len({t}); s0.rfind({t}); ord({t}[0]); s0.index({t})"),
    "b": forms("(s0 {<} s1); ({t} == {t}); ({t} in s0); s0.startswith({t}); s1.isdigit(); bool(s0 == '')")
    + forms("({t} {<} {t})"),
    "t": forms("s0; s1; s0; s1; 'a'; 'bcd'; ''; 'x y'; '\xe9'; '\u20ac1'; '0'", 2)
    + forms("({t} + {t}); ({t} * ({i} % 4)); {t}[{s}]; {t}[{s}:]; {t}[::-1]; str({i}); {t}.upper(); {t}.strip()")
    + forms("{t}.replace({t}, {t}); ({t} if {c} else {t}); chr({i} % 300 + 32); {t}.lower(); {t}.title()")
    + forms("{t}[:{i}]; {t}.center({i} % 9)"),
}
TEXT_STATEMENTS = forms("s0 = {t}[:12]; s1 = {t}[:9]; s0, s1 = s1, s0; s1 = (s1 + {t})[:20]; s0 = (s0 + s1)[-9:]")
TEXT_STATEMENTS += forms("s1 = str({i})")
DICT_FORMS = {
    "i": forms("len(ds); len(ss); sum(list(ds)); sum([e for e in ds if e {<} {i}]); len({e % 3 for e in ss})")
    + forms("int(ds.pop({i}) > 1)")
    + forms("len(ss | {1, 2}); len(ss & set(ds)); len({k: {f} for k in ds}); int(ds.get({i}, 0.5) > 1)"),
    "f": forms("ds[{i} % 5]; ds.get({i}, {f}); ds.pop({i}, {f}); ds.setdefault({i} % 9, {f}); sum(ds.values(), 0.0)"),
    "b": forms(
        "({i} in ds); ({i} in ss); (ss == set(ds)); (ss <= {1, 2, 3}); (ss - set([1]) == set([2])); bool(ds); (not ss)"
    ),
}
DICT_STATEMENTS = forms(
    "ds[{i} % 7] = {f}; ds[{i} % 5] += {f}; del ds[{i} % 5]; ds = {0: {f}, 1: {f}}; ds.update({3: {f}})"
)
DICT_STATEMENTS += forms(
    "ss.add({i} % 9); ss.discard({i}); ss.remove({i} % 4); ss = {2, {i}}; ss |= set(ds); ds.clear()"
)
DICT_STATEMENTS += forms("ss = {e for e in range({i} % 5)}; ds = {e: {f} for e in range({i} % 4)}; ss.update([1, {i}])")
CLOSURE_FORMS = {
    "i": forms("(lambda p: p + i0)({i}); (lambda p, q: p * q - i1)({i}, {i}); (lambda: i2 + 1)()"),
    "f": forms("(lambda p: p * f0)({f})"),
}
GENERATOR_FORMS = {
    "i": forms("sum(count({i} % 6)); sum(count(4), {i}); next(count({i} % 3), 9); sum(k * {i} for k in range(4))")
    + forms("len([1 for k in count({i} % 7) if k {<} {i}]); max((k for k in count({i} % 5)), default=7)")
    + forms("sum(itertools.accumulate(count(4))); len(list(itertools.chain(count(2), count(3))))")
    + forms("sum(map(lambda p: p % 7, count(5))); sum(filter(lambda p: p {<} {i}, count(5)))")
    + forms("len([1 for p, q in itertools.combinations([{i}, {i}, {i}], 2) if p {<} q])"),
    "f": forms("sum(halves([{f}, {f}])); sum(k * {f} for k in count(3)); next(halves([{f}]))"),
    "b": forms("any(k {<} {i} for k in count(5)); all(k != {i} for k in count(4)); ({i} in range({i} % 9))"),
}
TUPLE_FORMS = {
    "i": forms("min(({i}, {f}), ({i}, {f}))[0]; max([({i}, {f}), ({i}, {f})])[0]; (({i},) * 3)[{s}]; Pair({i}, {f}).x")
    + forms("sorted([({b}, {i}), ({b}, {i})])[0][1]; len(range({i} % 9, {i} % 7)); range(9)[{s}]"),
    "f": forms("Pair({i}, {f})._replace(y={f}).y; max(({f}, {i}), ({f}, {i}))[0]; Pair(y={f}, x={i})[1]"),
    "b": forms("(({i}, {f}) {<} ({i}, {f})); (({i}, ({b}, {i})) {<} ({i}, ({b}, {i}))); (({i},) == (2,))"),
}
GENERATORS = """import itertools


@njit
def count(n):
    try:
        for k in range(n):
            if k == 3:
                yield 10
            yield k
    finally:
        n = 0


@njit
def halves(items):
    for item in items:
        yield item * 0.5


"""
PAIR = 'import collections\n\nPair = collections.namedtuple("Pair", "x y")\n\n\n'
RECURSION_FORMS = {"i": forms("h({i} % 4, {i}, {f})[0]"), "f": forms("h({i} % 4, {i}, {f})[1]")}
LIST_STATEMENTS = (
    forms("xs.append({i}); ys.append({f}); xs[{s}] = {i}; ys[{s}] = {f}; xs[{s}] += {i}; ys[{s}] *= {f}", 2)
    + forms("xs.insert({s}, {i}); xs.extend(ws[:3]); xs.extend([{i}, {i}]); xs.reverse(); xs.sort()")
    + forms("ws.sort(reverse={b})")
    + forms("xs.remove({i}); xs.clear(); del xs[{s}]; del ys[{s}:]; xs[{s}:{s}] = [{i}]; xs[::2] = ws[:2]; xs += [{i}]")
    + forms("xs = [{i}, {i}]; xs = ws; ws = xs.copy(); ws = (xs * 2)[:6]; xs = (xs + ws)[:5]; ys = [{f}, {f}, {f}]")
    + forms("xs = [{i} for e in range({i} % 4)]; ys = [float(e) for e in xs]; ys = list(ys); xs = list(range({i} % 5))")
    + forms("xs, ws = ws, xs; i0, i1 = xs; xs[0], i2 = {i}, {i}; ws = [e for e in xs if {c}]; ys += ys[:1]; del ys[-1]")
)
RAISED = (
    "ValueError({i}, 2)", "ValueError", "MyError()", "MyError({i})", "Sub(3, ({i}, {f}))", "KeyError('k', {f})",
    "RuntimeError", "IndexError({b})", "ZeroDivisionError('no')",
)  # fmt: skip
FEATURES = (
    "math",
    "arrays",
    "complex",
    "unbound",
    "calls",
    "exceptions",
    "recursion",
    "lists",
    "iteration",
    "text",
    "dicts",
    "closures",
    "generators",
    "tuples",
)
OPTIONS = ('inline="never"', 'inline="always"', 'error_model="strict"', "boundscheck=True", "cache=False")
INTS = "0 1 2 3 -1 -2 7 -9 20 100 -1000".split() + ["2**31", "-(2**31)", "2**62", "-(2**62)"]
FLOATS = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "2.5", "-2.5", "17.25", "-99.5", "1e300", "-1e300", "5e-324"]
FLOATS += ["math.inf", "-math.inf", "math.nan"]
TEXTS = ["''", "'a'", "'abc'", "'x y z'", "'12'", "'\\xe9t\\xe9'", "'\\u20ac \\U0001f600'"]
LAYOUTS = ["{}", "{}", "np.repeat({}, 2)[::2]", "{}[::-1]"]
PLANES = ["{}", "np.asfortranarray({})", "np.repeat({}, 2, axis=1)[:, ::2]", "{}[::-1]", "{}.T.copy().T"]


class Writer(random_programs.Writer):
    """Writes one program and the arguments that it is called with."""

    def __init__(self, seed, features=None):
        self.random = random.Random(seed)
        self.features = {feature for feature in FEATURES if self.chance(2)} if features is None else set(features)
        known = {name: name in self.features for name in ("math", "arrays", "complex", "unbound", "calls")}
        super().__init__(None, **known)
        self.names = []  # of the exceptions that are being handled
        self.handlers = 0
        self.recursive = False  # within h
        if "lists" not in self.features:
            self.features.discard("iteration")
        more = [
            ("lists", LIST_FORMS),
            ("recursion", RECURSION_FORMS),
            ("iteration", ITERATION_FORMS),
            ("text", TEXT_FORMS),
            ("dicts", DICT_FORMS),
            ("closures", CLOSURE_FORMS),
            ("generators", GENERATOR_FORMS),
            ("tuples", TUPLE_FORMS),
        ]
        for feature, table in more:
            for kind in table if feature in self.features else ():
                self.forms[kind] = self.forms.get(kind, []) + table[kind]
        self.returned += ", xs, ys" * ("lists" in self.features) + ", s0, s1" * ("text" in self.features)

    def number(self, low, high):
        return self.random.randint(low, high)

    def leaf(self, kind):
        return self.choose(["s0", "s1", "'ab'"]) if kind == "t" else super().leaf(kind)

    # Statements

    def statement(self, indent, depth, in_loop):
        if "exceptions" in self.features and depth and self.chance(5):
            return self.write_try(indent, depth, in_loop)
        if "exceptions" in self.features and self.chance(10):
            return self.write_raise(indent)
        if "lists" in self.features and self.chance(4):
            return self.line(indent, self.choose(LIST_STATEMENTS))
        if "dicts" in self.features and self.chance(5):
            return self.line(indent, self.choose(DICT_STATEMENTS))
        if "text" in self.features and self.chance(5):
            return self.line(indent, self.choose(TEXT_STATEMENTS))
        if "lists" in self.features and depth and self.chance(12):
            return self.write_for_items(indent, depth, in_loop)
        return super().statement(indent, depth, in_loop)

    def write_for_items(self, indent, depth, in_loop):
        self.line(indent, f"for item in {self.choose(['xs', 'xs', 'ws', '[{i}, {i}, {i}]', 'xs[::-1]'])}:")
        self.line(indent + 1, "if len(xs) > 20:")
        self.line(indent + 2, "break")
        self.line(indent + 1, "i1 = item")
        self.write_loop_body(indent, depth, in_loop)

    def write_raise(self, indent):
        raised = self.choose(RAISED)
        options = [f"raise {raised}"] * 2 + ["assert {c}, ({i}, 'no')", f"raise {raised} from None"]
        if self.names:
            options += ["raise", f"raise {self.names[-1]}", f"raise {raised} from {self.choose(self.names)}"]
        self.line(indent, "if {c}:")
        self.line(indent + 1, self.choose(options))

    def write_try(self, indent, depth, in_loop):
        handlers = self.number(0, 2)
        self.lines.append("    " * indent + "try:")
        self.block(indent + 1, depth - 1, in_loop)
        for number in range(handlers):
            self.write_handler(indent, depth, in_loop, number + 1 == handlers)
        if handlers and self.chance(3):
            self.lines.append("    " * indent + "else:")
            self.block(indent + 1, depth - 1, in_loop)
        if not handlers or self.chance(3):
            self.lines.append("    " * indent + "finally:")
            self.block(indent + 1, depth - 1, in_loop)

    def write_handler(self, indent, depth, in_loop, last):
        name = f"e{self.handlers}" if self.chance(2) else None
        self.handlers += 1
        classes = "" if last and not name and self.chance(4) else " " + self.choose(CLASSES)
        self.lines.append("    " * indent + f"except{classes}" + (f" as {name}:" if name else ":"))
        self.names += [name] if name else []
        self.block(indent + 1, depth - 1, in_loop)
        self.names = self.names[:-1] if name else self.names

    # Programs

    def decorator(self):
        return "@njit\n" if self.chance(2) else f"@njit({self.choose(OPTIONS)})\n"

    def inner(self, *features):
        """A writer of another function of this program."""
        return Writer(self.number(0, 2**60), self.features & set(features))

    def recursive_function(self):
        """The source of h, which calls itself once or twice."""
        self.returned = "i0, f0"
        self.block(1, 2, False)
        loops = "".join(f"    k{k} = {k}\n" for k in range(self.loops))
        lines = [f"    i2, f1 = {self.fill('h(r - 1, {i}, {f})')}"]
        lines += [f"    i1, f0 = {self.fill('h(r - 1, {i}, {f})')}"] if self.chance(2) else []
        first = "    if r <= 0:\n        return i0, f0\n    i1 = i2 = r\n    f1 = 0.5\n    b0 = True\n    z0 = 1j\n"
        body = "\n".join(self.lines + lines)
        return f"{self.decorator()}def h(r, i0, f0):\n{first}{loops}{body}\n    return i0 + i1 - i2, f0 + f1\n\n\n"

    def program(self):
        before = CLASS_SOURCE if "exceptions" in self.features else ""
        before += GENERATORS if "generators" in self.features else ""
        before += PAIR if "tuples" in self.features else ""
        if "recursion" in self.features:
            before += self.inner("math", "exceptions").recursive_function()
        if "calls" in self.features:
            before += self.decorator() + self.inner("math", "exceptions").helper().removeprefix("@njit\n")
        parameters = random_programs.PARAMETERS + self.returned.removeprefix(random_programs.RETURNED)
        self.returned += ", ds, len(ss)" * ("dicts" in self.features)
        self.block(1, 3, False)
        self.block(1, 2, False)
        first = "" if self.unbound else "".join(f"    k{k} = {k}\n" for k in range(self.loops))
        first += "    ws = [i0, 2, 1]\n" if "lists" in self.features else ""
        first += "    ds, ss = {1: 0.5, i1: f0}, {1, 4}\n" if "dicts" in self.features else ""
        body = "\n".join(self.lines)
        head = f"{before}{self.decorator()}def f({parameters}):\n    i2 = 1\n{first}"
        return f"{head}{body}\n    return {self.returned}\n"

    # Arguments, as source text: each evaluation makes new ones

    def sequence(self, values, low, high):
        return "[" + ", ".join(self.choose(values) for _ in range(self.number(low, high))) + "]"

    def arguments(self):
        short = self.chance(8)
        a = f"np.array({self.sequence(FLOATS, 0 if short else 3, 1 if short else 6)}, float)"
        v = f"np.array([int(x) for x in {self.sequence(INTS[:9], 3, 6)}])"
        shape = self.choose(["(3, 4)", "(4, 3)", "(3, 3)", "(5, 4)", "(2, 3)", "(0, 3)"])
        m = f"np.resize(np.array({self.sequence(FLOATS, 2, 6)}), {shape})"
        scalars = [self.choose(INTS), self.choose(INTS), self.choose(FLOATS), self.choose(FLOATS)]
        scalars += [self.choose(["True", "False"]), f"complex({self.choose(FLOATS)}, {self.choose(FLOATS)})"]
        arrays = [self.choose(LAYOUTS).format(a), self.choose(LAYOUTS).format(v), self.choose(PLANES).format(m)]
        lists = [self.sequence(INTS[:9], 1, 5), self.sequence(FLOATS[:-1], 1, 5)] if "lists" in self.features else []
        texts = [self.choose(TEXTS), self.choose(TEXTS)] if "text" in self.features else []
        return "(" + ", ".join(scalars + arrays + lists + texts) + ")"


def program(seed, features=None):
    """(source of a program, texts of arguments) for a seed."""
    writer = Writer(seed, features)
    return writer.program(), [writer.arguments() for _ in range(3)]
