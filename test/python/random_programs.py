"""Random small programs as source text, for test_differential.py.

Variables keep their type: `i0 i1 i2` are ints, `f0 f1` floats, `b0` a bool, `z0` a complex number, `a` and `v` 1-D
arrays of floats and ints, `m` a 2-D array of floats. Every loop ends. Elements of arrays are read as ``float(a[i])``
and ``int(v[i])``, because NumPy's scalars have rules of their own. With ``calls`` there is a function g that f calls.
"""

import ast
import functools
import math
import re

import numpy as np
from hypothesis import strategies as st

VARIABLES = {"i": ("i0", "i1", "i2"), "f": ("f0", "f1"), "b": ("b0",), "z": ("z0",)}
PARAMETERS = "i0, i1, f0, f1, b0, z0, a, v, m"
RETURNED = "i0, i1, i2, f0, f1, b0, z0"

INTS = st.one_of(st.integers(-9, 9), st.integers(-1000, 1000), st.sampled_from([2**31, -(2**31), 2**62, -(2**62)]))
FLOATS = st.one_of(
    st.floats(-100, 100),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan]),
)
COMPLEXES = st.builds(complex, FLOATS, FLOATS)


def forms(text, often=1):
    """The forms that a text separates by semicolons, each so many times in the list."""
    return [form.strip() for form in text.split(";")] * often


# Forms of expressions: {i} {f} {b} {z} stand for expressions of a type, {s} for an index, {c} for anything with a truth
# value, {<} for a comparison. A form is as likely as it is often here.
FORMS = {
    "i": forms("({i} + {i}); ({i} - {i}); ({i} * {i}); ({i} // ({i} | 1)); ({i} % ({i} | 1))", 2)
    + forms("({i} // {i}); ({i} % {i}); (-{i}); (~{i}); (+{i}); ({i} & {i}); ({i} | {i}); ({i} ^ {i})")
    + forms("({i} << ({i} & 15)); ({i} >> ({i} & 15)); ({i} << 3); ({i} >> {i}); ({i} ** 2); ({i} ** 3)")
    + forms("({i} ** ({i} & 3)); pow({i}, 2); ({i} and {i}); ({i} or {i}); ({i} if {c} else {i}); ({b} + {i})")
    + forms("abs({i}); min({i}, {i}); max({i}, {i}, {i}); divmod({i}, 7)[0]; divmod({i}, {i} | 1)[1]; round({i})")
    + forms("int({f}); round({f}); int({b}); ({i}, {i})[0]; ({i} // 4); ({i} % 8); ({i} // -3); ({i} % -5)"),
    "f": forms("({f} + {f}); ({f} - {f}); ({f} * {f}); ({f} / ({f} or 0.25))", 2)
    + forms("({f} / {f}); ({f} // {f}); ({f} % {f}); (-{f}); ({i} / ({i} | 1)); ({f} + {i}); ({i} - {f}); ({f} * {i})")
    + forms("({i} % ({f} or 1.5)); ({f} // ({i} or -2)); ({f} / 4.0); ({f} // 0.5); ({f} % 3.0); (1 / ({f} or 4.0))")
    + forms("({f} ** 2); ({f} * 2); ({f} and {f}); ({f} or {f}); ({f} if {c} else {f}); abs({f}); float({i})")
    + forms("min({f}, {f}); max({f}, {f}); max({f}, {f}, 1.0); divmod({f}, {f} or 3.5)[0]; divmod({f}, {f})[1]")
    + forms("round({f}, 2); math.copysign({f}, f0 if f0 == f0 else {i}); math.sqrt(abs({f})); math.fabs({f})")
    + forms("math.trunc({f}) * 1.0"),
    "b": forms("({i} {<} {i}); ({f} {<} {f})", 3)
    + forms("({i} {<} {i} {<} {i}); ({f} {<} {f} {<} {i}); ({i} {<} {f}); ({i} {<} {b}); ({b} == {b})")
    + forms("({b} and {b}); ({b} or {b}); (not {c}); ({b} & {b}); ({b} | {b}); ({b} ^ {b}); ({b} if {c} else {b})")
    + forms("bool({c}); math.isnan({f}); math.isinf({f}); math.isfinite({f})"),
    "z": forms("({z} + {z}); ({z} - {z}); ({z} * {z}); ({z} / ({z} + 2j)); ({z} / {z}); (-{z}); ({z} * {f})")
    + forms("({z} + {i}); ({f} - {z}); ({z} + 1j); ({z} if {c} else {z}); complex({f}, {f}); complex({f})")
    + forms("{z}.conjugate()"),
}
ARRAY_FORMS = {
    "i": forms(
        "len(a); len(v); len(m); a.size; m.shape[1]; int(v[{s}]); int(v[{s}]); int(v[1:][{s}]); int(v[::-1][{s}])"
    ),
    "f": forms("float(a[{s}]); float(m[{s}, {s}])", 3)
    + forms("float(m[{s}][{s}]); float(m.T[{s}, {s}]); float(a[1:-1][{s}]); float(m[:, 1][{s}]); float(a[{i}:][{s}])")
    + forms("float(m[::-1, ::2][{s}, {s}]); float(m[1:, :-1][{s}, {s}])"),
}
CALL_FORMS = {
    "i": forms("g({i}, {f}, {b})[0]; g({i}, {f}, {b})[1]; g(i1=3, f0={f}, i0={i})[0]"),
    "f": forms("g({i}, {f})[2]; g({i}, {f}, {b}, i1={i})[3]; g(f0={f}, i0={i})[2]"),
    "b": forms("g({i}, {f}, {b})[4]"),
}
COMPLEX_FORMS = {"f": forms("{z}.real; {z}.imag; abs({z})"), "b": forms("({z} == {z}); ({z} != {z})")}
MATH_FORMS = {
    "f": [f"math.{name}({{f}})" for name in "exp log sin cos tan atan tanh asinh erf degrees radians sqrt".split()]
    + [f"math.{name}({{f}} % 1.0)" for name in "acos asin atanh acosh".split()]
    + [f"math.{name}({{f}} % 20.0)" for name in "exp exp2 expm1 cosh sinh".split() if hasattr(math, name)]
    + [f"math.{name}(abs({{f}}) + 0.5)" for name in "log log2 log10 log1p sqrt".split()]
    + forms("math.atan2({f}, {f}); math.pow(abs({f}), {f} % 3.0); (abs({f}) ** 0.5); (abs({f}) ** ({i} % 5))")
    + forms("math.fmod({f}, {f}); math.hypot({f}, {f}); math.log(abs({f}) + 1.0, 10.0); math.ldexp({f}, {i} % 9)"),
    "i": forms("math.floor({f}); math.ceil({f}); math.gcd({i}, {i})"),
}
INDICES = ["0", "1", "-1", "{i} % 2", "{i} & 1", "-({i} % 2)", "0", "1", "2", "-2", "i0", "i2 % 4"]
RANGES = ["3", "1, 4", "5, -2, -2", "{i} % 4", "i0, i0 + 3", "{i} % 7, -1, -3", "0", "2, 9, 3", "len(a)"]
ITERABLES = ["a", "a", "a[::-1]", "m.T[0]", "a[1:]", "m[{s}]"]
VIEWS = ["a = a[1:]", "a = a[::-1]", "a = a.copy()", "a = m[{s}]", "a = np.zeros(len(a))", "m = m[1:]", "m = m.copy()"]
VIEWS += ["a = a[:{i}]", "v = v[::-1].copy()", "a, w = a[1:], a", "w = a\n{indent}a = w[::2]"]
STORES = ["a[{s}]", "a[{s}]", "v[{s}]", "m[{s}, {s}]", "m[{s}][{s}]", "a[1:][{s}]", "m.T[{s}, {s}]", "a[::-1][{s}]"]

_integers = functools.lru_cache(st.integers)


class Writer:
    """Writes one program; every choice is hypothesis's."""

    def __init__(self, draw, *, math=False, arrays=False, complex=False, unbound=False, calls=False):
        self.draw, self.arrays, self.unbound, self.calls = draw, arrays, unbound, calls
        self.kinds = "iiifffb" + "z" * complex
        self.forms = {kind: list(forms) for kind, forms in FORMS.items()}
        options = [(math, MATH_FORMS), (arrays, ARRAY_FORMS), (complex, COMPLEX_FORMS), (calls, CALL_FORMS)]
        for wanted, more in options:
            for kind in more if wanted else ():
                self.forms[kind] += more[kind]
        self.ranges = RANGES if arrays else RANGES[:-1]
        self.loops = 0  # their variables are k0, k1, ...
        self.lines = []
        self.returned = RETURNED

    def number(self, low, high):
        """An int; every choice comes from here."""
        return self.draw(_integers(low, high))

    def choose(self, options):
        """One of the options."""
        return options[self.number(0, len(options) - 1)]

    def chance(self, one_in):
        """True once in so many times."""
        return self.number(1, one_in) == one_in

    # Expressions

    def leaf(self, kind):
        """A variable or a literal."""
        which = self.number(0, len(VARIABLES[kind]) + 1)
        if which < len(VARIABLES[kind]):
            return VARIABLES[kind][which]
        if kind == "i" and self.loops and which == len(VARIABLES[kind]):
            return f"k{self.number(0, self.loops - 1)}"
        if kind == "i":
            return str(self.number(-9, 20))
        if kind == "f":
            return self.choose(["0.5", "-2.0", "0.0", "1e-3", "7.25", "-0.1", "3.0", "1e10"])
        return self.choose(["True", "False"]) if kind == "b" else self.choose(["1j", "(2.5-1j)", "(-0.5+0.25j)"])

    def expression(self, kind, depth=3):
        """Source of an expression."""
        if depth <= 0 or self.chance(5):
            return self.leaf(kind)
        return self.fill(self.choose(self.forms[kind]), depth - 1)

    def fill(self, form, depth=2):
        """The form with random expressions in its places."""
        return re.sub(r"\{(.)\}", lambda place: self.part(place[1], depth), form)

    def part(self, kind, depth):
        if kind == "<":
            return self.choose(["<", "<=", "==", "!=", ">", ">="])
        if kind == "s":
            return self.fill(self.choose(INDICES), 0)
        return self.expression(self.choose("bbbif") if kind == "c" else kind, depth)

    # Statements

    def line(self, indent, text, depth=2):
        self.lines.append("    " * indent + self.fill(text, depth))

    def block(self, indent, depth, in_loop):
        for _ in range(self.number(1, 3)):
            self.statement(indent, depth, in_loop)

    def statement(self, indent, depth, in_loop):
        options = [self.write_assign] * 3 + [self.write_augmented] * 2 + [self.write_several]
        options += [self.write_store, self.write_store, self.write_view] * self.arrays + [self.write_jump] * 2 * in_loop
        options += [self.write_if, self.write_if, self.write_for, self.write_for, self.write_while] if depth else []
        options += [self.write_for_each] if depth and self.arrays else []
        options += [self.write_leave] if depth < 3 else []
        self.choose(options)(indent, depth, in_loop)

    def write_assign(self, indent, depth, in_loop):
        kind = self.choose(self.kinds)
        note = ": float" if kind == "f" and self.chance(8) else ""
        self.lines.append("    " * indent + f"{self.choose(VARIABLES[kind])}{note} = {self.expression(kind)}")

    def write_augmented(self, indent, depth, in_loop):
        kind = self.choose("if")
        sign = self.choose(["+", "-", "*", "//", "%", *(["|", "^", ">>"] if kind == "i" else ["/"])])
        self.line(indent, f"{self.choose(VARIABLES[kind])} {sign}= {{{kind}}}")

    def write_several(self, indent, depth, in_loop):
        forms = ["i0, i1 = i1, i0", "f0, f1 = f1, f0", "i0, i1 = {i}, {i}", "f1, i2 = {f}, {i}", "i0 = i2 = {i}"]
        self.line(indent, self.choose([*forms, "(i1, f1), b0 = ({i}, {f}), {b}", "i0, i1 = divmod({i}, {i})"]))

    def write_store(self, indent, depth, in_loop):
        target = self.choose(STORES)
        self.line(indent, f"{target} {self.choose(['=', '=', '+=', '*='])} {'{i}' if target[0] == 'v' else '{f}'}")

    def write_view(self, indent, depth, in_loop):
        self.line(indent, self.choose(VIEWS).replace("{indent}", "    " * indent))

    def write_for_each(self, indent, depth, in_loop):
        element = self.choose(["f0", "f1"])
        self.line(indent, f"for element in {self.choose(ITERABLES)}:")
        self.line(indent + 1, f"{element} = float(element)")
        self.write_loop_body(indent, depth, in_loop)

    def write_if(self, indent, depth, in_loop):
        self.line(indent, "if {c}:")
        self.block(indent + 1, depth - 1, in_loop)
        while self.chance(3):
            self.line(indent, "elif {c}:")
            self.block(indent + 1, depth - 1, in_loop)
        if self.chance(2):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, in_loop)

    def write_for(self, indent, depth, in_loop):
        self.line(indent, f"for k{self.loops} in range({self.choose(self.ranges)}):", 0)
        self.loops += 1
        self.write_loop_body(indent, depth, in_loop)

    def write_while(self, indent, depth, in_loop):
        name = f"k{self.loops}"
        test = self.choose(["{n} < 4 and {c}", "{n} < 3", "not {n} > 2", "{n} < 2 and ({c} or {c})"]).replace(
            "{n}", name
        )
        self.line(indent, f"{name} = 0")
        self.line(indent, f"while {test}:")
        self.line(indent + 1, f"{name} += 1")
        self.loops += 1
        self.write_loop_body(indent, depth, in_loop)

    def write_loop_body(self, indent, depth, in_loop):
        self.block(indent + 1, depth - 1, True)
        if self.chance(3):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, in_loop)

    def write_jump(self, indent, depth, in_loop):
        self.line(indent, "if {c}:")
        self.line(indent + 1, self.choose(["break", "continue"]))

    def write_leave(self, indent, depth, in_loop):
        self.line(indent, "if {b}:")
        self.line(
            indent + 1,
            self.choose([f"return {self.returned}"] * 3 + ["assert {c}, 'claim'", "raise ValueError('no', 3)"]),
        )

    def program(self):
        """The source of a whole function f, and of g before it."""
        before = Writer(self.draw).helper() if self.calls else ""
        self.block(1, 3, False)
        self.block(1, 2, False)
        first = "" if self.unbound else "".join(f"    k{k} = {k}\n" for k in range(self.loops))
        body = "\n".join(self.lines)
        return f"{before}@njit\ndef f({PARAMETERS}):\n    i2 = 1\n{first}{body}\n    return {RETURNED}\n"

    def helper(self):
        """The source of a function g of an int, a float and two parameters with defaults."""
        self.returned = "i0, i2, f0, f1, b0"
        self.block(1, 2, False)
        first = "".join(f"    k{k} = {k}\n" for k in range(self.loops)) + "    i2 = i1\n    f1 = 0.5\n    z0 = 1j\n"
        body = "\n".join(self.lines)
        return f"@njit\ndef g(i0, f0, b0=True, i1=2):\n{first}{body}\n    return {self.returned}\n\n\n"


@st.composite
def programs(draw, **options):
    """Strategy for sources of programs."""
    return Writer(draw, **options).program()


# ------------------------------------------------------------------------------------------------
# CPython with a limit: ints of compiled code have 64 bits


class TooLarge(Exception):
    """An int of the program does not fit into 64 bits."""

    made = 0  # how many so far: programs may catch them

    def __init__(self):
        TooLarge.made += 1


def limited(value):
    """The value; TooLarge where it is an int beyond 64 bits."""
    if type(value) in (int, Int) and not -(2**63) <= value < 2**63:
        raise TooLarge
    return Int(value) if type(value) is int else value


class Int(int):
    """An int whose operators raise TooLarge; such operands make other ints do so, too."""

    def __lshift__(self, other):
        return limited(int(self) << int(other)) if other < 64 else _too_large(self)

    def __rlshift__(self, other):
        return Int(other) << self

    # Compiled code converts both operands of these to float64.
    def __truediv__(self, other):
        return int(self) / _exact(other, self)

    def __rtruediv__(self, other):
        return other / int(_exact(self, other))


def _exact(value, *others):
    """The value; TooLarge where float64 does not hold it and the others."""
    if any(isinstance(one, int) and abs(int(one)) > 2**53 for one in (value, *others)):
        raise TooLarge
    return int(value) if isinstance(value, int) else value


def _add_comparison(name):
    plain = getattr(int, name)

    def compare(self, other):
        return plain(int(self), other) if isinstance(other, int) else plain(_exact(self), other)

    setattr(Int, name, compare)


def _too_large(value):
    if value:
        raise TooLarge
    return 0


def _add_operator(name):
    plain = getattr(int, name)
    setattr(Int, name, lambda self, *others: limited(plain(self, *others)))


for _name in "add sub mul floordiv mod pow rshift and or xor".split():
    _add_operator(f"__{_name}__")
    _add_operator(f"__r{_name}__")
for _name in "neg pos abs invert round".split():
    _add_operator(f"__{_name}__")
for _name in "eq ne lt le gt ge".split():
    _add_comparison(f"__{_name}__")
Int.__hash__ = int.__hash__


class _Limits(ast.NodeTransformer):
    """Makes every int of a program an Int."""

    def visit_Constant(self, node):
        if type(node.value) is not int:
            return node
        return ast.Call(ast.Name("limited", ast.Load()), [node], [])

    def visit_Call(self, node):
        self.generic_visit(node)
        return ast.Call(ast.Name("limited", ast.Load()), [node], [])

    def visit_Name(self, node):  # the items of a range are plain ints
        return ast.Call(ast.Name("limited", ast.Load()), [node], []) if isinstance(node.ctx, ast.Load) else node

    def visit_MatchClass(self, node):
        node.patterns = [self.visit(pattern) for pattern in node.patterns]
        node.kwd_patterns = [self.visit(pattern) for pattern in node.kwd_patterns]
        return node

    def visit_MatchValue(self, node):
        return node


def plain(function=None, **options):
    """In place of njit: leaves functions to CPython."""
    return function or plain


def with_limits(source):
    """The program as a plain function that raises TooLarge instead of making ints beyond 64 bits."""
    tree = ast.fix_missing_locations(_Limits().visit(ast.parse(source)))
    module = {"math": math, "np": np, "limited": limited, "njit": plain, "__name__": "limited"}
    exec(compile(tree, "<limited>", "exec"), module)

    def run(*arguments):
        before = TooLarge.made
        try:
            return module["f"](*map(limited, arguments))
        finally:
            if TooLarge.made != before:
                raise TooLarge

    return run
