"""Random small programs as source text, for test_differential.py.

Variables keep their type: `i0 i1 i2` are ints, `f0 f1` floats, `b0` a bool, `z0` a complex number, `a` and `v` 1-D arrays of
floats and ints, `m` a 2-D array of floats. Every loop ends. Elements of arrays are read as ``float(a[i])`` and ``int(v[i])``,
because NumPy's scalars have rules of their own.
"""

import ast
import math

from hypothesis import strategies as st

INT, FLOAT, BOOL, COMPLEX = "int", "float", "bool", "complex"
VARIABLES = {INT: ("i0", "i1", "i2"), FLOAT: ("f0", "f1"), BOOL: ("b0",), COMPLEX: ("z0",)}
PARAMETERS = "i0, i1, f0, f1, b0, z0, a, v, m"
RETURNED = "i0, i1, i2, f0, f1, b0, z0"

INTS = st.one_of(st.integers(-9, 9), st.integers(-1000, 1000), st.sampled_from([2**31, -(2**31), 2**62, -(2**62)]))
FLOATS = st.one_of(
    st.floats(-100, 100),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan]),
)
COMPLEXES = st.builds(complex, FLOATS, FLOATS)


class Writer:
    """Writes one program; every choice comes from hypothesis."""

    def __init__(self, draw, with_math=False, with_arrays=False, with_complex=False, with_unbound=False):
        self.draw, self.with_math, self.with_arrays, self.with_unbound = draw, with_math, with_arrays, with_unbound
        self.types = [INT, INT, INT, FLOAT, FLOAT, BOOL] + [COMPLEX] * with_complex
        self.counters = 0  # variables of loops, k0, k1, ...
        self.lines = []

    def choose(self, *options):
        """One of the options; simpler ones come first."""
        return self.draw(st.sampled_from(options))

    def flip(self):
        """A bool."""
        return self.draw(st.booleans())

    # Expressions

    def literal(self, kind):
        if kind == INT:
            return repr(self.draw(st.integers(-9, 20)))
        if kind == FLOAT:
            return repr(self.draw(st.floats(-10, 10)))
        if kind == BOOL:
            return self.choose("False", "True")
        return f"({self.draw(st.integers(-3, 3))}.5+{self.draw(st.integers(0, 3))}j)"

    def leaf(self, kind):
        loop = [f"k{self.draw(st.integers(0, self.counters - 1))}"] if kind == INT and self.counters else []
        return self.choose(*VARIABLES[kind], *loop, self.literal(kind))

    def expression(self, kind, depth=3):
        """Source of an expression of some type."""
        if depth == 0 or self.choose(True, True, False, False, False, False):
            return self.leaf(kind)
        form = self.choose("operator", "operator", "operator", "call", "conditional")
        if form == "conditional":
            return f"({self.expression(kind, depth - 1)} if {self.condition(depth - 1)} else {self.expression(kind, depth - 1)})"
        write = getattr(self, f"{kind}_{form}")
        return write(depth - 1)

    def condition(self, depth=2):
        """Anything with a truth value."""
        kind = self.choose(BOOL, BOOL, BOOL, INT, FLOAT)
        return self.expression(kind, depth)

    def operands(self, kind, depth, count=2):
        return [self.expression(kind, depth) for _ in range(count)]

    def int_operator(self, depth):
        a, b = self.operands(INT, depth)
        form = self.choose(*"+-*", "//", "%", *"&|^", "<<", ">>", "**", "neg", "invert", "and", "or", "bools", "pos")
        if form in ("neg", "invert", "pos"):
            return {"neg": "(-{})", "invert": "(~{})", "pos": "(+{})"}[form].format(a)
        if form == "**":
            return f"({a} ** {self.draw(st.integers(0, 4))})"
        if form == "bools":
            return f"({self.expression(BOOL, depth)} + {a})"
        if form in ("<<", ">>") and self.flip():
            return f"({a} {form} ({b} & 15))"
        return f"({a} {form} {b})"

    def int_call(self, depth):
        a, b = self.operands(INT, depth)
        forms = ["abs({a})", "min({a}, {b})", "max({a}, {b})", "divmod({a}, {b})[0]", "divmod({a}, {b})[1]", "int({f})"]
        forms += ["round({f})", "int({c})", "max({a}, {b}, {a})", "pow({a}, 2)", "({a}, {b})[{t}]", "round({a})"]
        if self.with_arrays:
            forms += ["len({array})", "int(v[{s}])", "{array}.size", "m.shape[1]", "int(v[1:][{s}])", "int(v[::-1][{s}])"]
        f, c, t, s = self.expression(FLOAT, depth), self.condition(depth), self.choose(0, 1), self.index(depth)
        return self.choose(*forms).format(a=a, b=b, f=f, c=f"bool({c})", t=t, s=s, array=self.choose(*"avm"))

    def float_operator(self, depth):
        a, b = self.operands(FLOAT, depth)
        i, j = self.operands(INT, depth)
        forms = ["{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "{a} // {b}", "{a} % {b}", "-{a}", "{i} / {j}"]
        forms += ["{a} + {i}", "{i} - {b}", "{a} * {i}", "{i} % {b}", "{a} // {i}", "{a} ** 2", "{a} and {b}", "{a} or {b}"]
        return "(" + self.choose(*forms).format(a=a, b=b, i=i, j=j) + ")"

    def float_call(self, depth):
        a, b = self.operands(FLOAT, depth)
        i, z, s = self.expression(INT, depth), self.expression(COMPLEX, depth), self.index(depth)
        forms = ["abs({a})", "min({a}, {b})", "max({a}, {b})", "float({i})", "divmod({a}, {b})[0]", "divmod({a}, {b})[1]"]
        forms += ["round({a}, 2)", "math.copysign({a}, {b})", "math.sqrt({a})", "math.fabs({a})", "max({a}, {b}, 1.0)"]
        forms += ["{z}.real", "{z}.imag", "math.trunc({a}) * 1.0"]
        if self.with_arrays:
            forms += ["float(a[{s}])", "float(m[{s}, {t}])", "float(m[{s}][{t}])", "float(m.T[{s}, {t}])", "float(a[1:-1][{s}])"]
            forms += ["float(m[:, 1][{s}])", "float(m[::-1, ::2][{s}, {t}])"]
        if self.with_math:
            forms += ["math.{f}({a})"] * 5 + ["math.atan2({a}, {b})", "math.pow({a}, {b})", "{a} ** 0.5", "math.fmod({a}, {b})"]
            forms += ["math.hypot({a}, {b})", "math.log({a}, {b})", "math.ldexp({a}, {i})"]
        names = "exp log sin cos tan atan tanh floor asin acos log2 log10 log1p expm1 cosh sinh asinh erf".split()
        name, t = self.choose(*names), self.index(depth)
        return self.choose(*forms).format(a=a, b=b, i=i, z=z, s=s, t=t, f=name)

    def bool_operator(self, depth):
        kind = self.choose(INT, FLOAT, BOOL)
        a, b, c = self.operands(kind, depth, 3)
        signs = [self.choose("<", "<=", "==", "!=", ">", ">=") for _ in range(2)]
        p, q = self.expression(BOOL, depth), self.expression(BOOL, depth)
        z, w = self.operands(COMPLEX, depth)
        forms = [f"{a} {signs[0]} {b}", f"{a} {signs[0]} {b} {signs[1]} {c}", f"{p} and {q}", f"{p} or {q}", f"not {p}"]
        forms += [f"{p} & {q}", f"{p} | {q}", f"{p} ^ {q}", f"{z} == {w}", f"{z} != {w}", f"{a} {signs[0]} {p}"]
        return f"({self.choose(*forms)})"

    def bool_call(self, depth):
        return self.choose("bool({c})", "math.isnan({f})", "math.isinf({f})", "math.isfinite({f})", "(not {c})").format(
            c=self.condition(depth), f=self.expression(FLOAT, depth)
        )

    def complex_operator(self, depth):
        a, b = self.operands(COMPLEX, depth)
        f, i = self.expression(FLOAT, depth), self.expression(INT, depth)
        forms = ["{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "-{a}", "{a} * {f}", "{a} + {i}", "{f} - {a}"]
        return "(" + self.choose(*forms).format(a=a, b=b, f=f, i=i) + ")"

    def complex_call(self, depth):
        f, g = self.operands(FLOAT, depth)
        return self.choose("complex({f}, {g})", "{z}.conjugate()", "complex({f})").format(
            f=f, g=g, z=self.expression(COMPLEX, depth)
        )

    def index(self, depth=1):
        """An index, mostly within bounds."""
        return self.choose("0", "1", "-1", "2", "-2", *VARIABLES[INT], f"{self.leaf(INT)} % 3")

    # Statements

    def line(self, indent, text):
        self.lines.append("    " * indent + text)

    def block(self, indent, depth, loop):
        for _ in range(self.choose(1, 2, 3)):
            self.statement(indent, depth, loop)

    def statement(self, indent, depth, loop):
        forms = ["assign"] * 4 + ["augmented"] * 2 + ["several", "annotated"]
        if self.with_arrays:
            forms += ["store", "store"]
        if depth:
            forms += ["if", "if", "for", "for", "while"]
        if loop:
            forms += ["jump", "jump"]
        forms += ["leave"] if depth < 2 else []
        getattr(self, f"write_{self.choose(*forms)}")(indent, depth, loop)

    def write_assign(self, indent, depth, loop):
        kind = self.choose(*self.types)
        self.line(indent, f"{self.choose(*VARIABLES[kind])} = {self.expression(kind)}")

    def write_annotated(self, indent, depth, loop):
        self.line(indent, f"{self.choose(*VARIABLES[FLOAT])}: float = {self.expression(FLOAT)}")

    def write_augmented(self, indent, depth, loop):
        kind = self.choose(INT, FLOAT)
        sign = self.choose("+", "-", "*", "//", "%", *(["|", "^", ">>"] if kind == INT else ["/"]))
        self.line(indent, f"{self.choose(*VARIABLES[kind])} {sign}= {self.expression(kind)}")

    def write_several(self, indent, depth, loop):
        first, second = self.choose(("i0", "i1"), ("f0", "f1"), ("i2", "f1"))
        kinds = [INT if name[0] == "i" else FLOAT for name in (first, second)]
        if first[0] == second[0] and self.flip():
            return self.line(indent, f"{first}, {second} = {second}, {first}")
        if first[0] == second[0] and self.flip():
            return self.line(indent, f"{first} = {second} = {self.expression(kinds[0])}")
        values = ", ".join(self.expression(kind, 2) for kind in kinds)
        self.line(indent, f"{first}, {second} = {values}")

    def write_store(self, indent, depth, loop):
        index = self.index()
        target, kind = self.choose(("a", FLOAT), ("v", INT), ("m", FLOAT), ("a[1:]", FLOAT), ("m.T", FLOAT))
        subscript = f"{target}[{index}, {self.index()}]" if target[0] == "m" else f"{target}[{index}]"
        self.line(indent, f"{subscript} {self.choose('=', '=', '+=', '*=')} {self.expression(kind, 2)}")

    def write_if(self, indent, depth, loop):
        self.line(indent, f"if {self.condition()}:")
        self.block(indent + 1, depth - 1, loop)
        for _ in range(self.choose(0, 0, 1, 2)):
            self.line(indent, f"elif {self.condition()}:")
            self.block(indent + 1, depth - 1, loop)
        if self.flip():
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, loop)

    def loop_variable(self):
        self.counters += 1
        return f"k{self.counters - 1}"

    def write_loop_body(self, indent, depth, loop):
        self.block(indent + 1, depth - 1, True)
        if self.choose(True, False, False):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, loop)

    def write_for(self, indent, depth, loop):
        bounds = self.choose("3", "1, 4", "5, -2, -2", "{i} % 4", "{i}, {i} + 3", "{i} % 7, -1, -3", "0", "2, 9, 3")
        iterable = f"range({bounds.format(i=self.choose(*VARIABLES[INT]))})"
        name = self.loop_variable()
        self.line(indent, f"for {name} in {iterable}:")
        self.write_loop_body(indent, depth, loop)

    def write_while(self, indent, depth, loop):
        name = self.loop_variable()
        limit = self.choose("{name} < 4 and ({c})", "{name} < 3", "not {name} > 2")
        self.line(indent, f"{name} = 0")
        self.line(indent, f"while {limit.format(name=name, c=self.condition(1))}:")
        self.line(indent + 1, f"{name} += 1")
        self.write_loop_body(indent, depth, loop)

    def write_jump(self, indent, depth, loop):
        jump = self.choose("break", "continue")
        self.line(indent, f"if {self.condition(1)}:")
        self.line(indent + 1, jump)

    def write_leave(self, indent, depth, loop):
        self.line(indent, f"if {self.condition(1)}:")
        last = self.choose("return", "return", "assert", "raise")
        if last == "return":
            return self.line(indent + 1, f"return {RETURNED}")
        self.line(indent + 1, f"assert {self.condition(1)}, 'claim'" if last == "assert" else "raise ValueError('no', 3)")

    def program(self):
        """The source of a whole function f."""
        self.block(1, 3, False)
        self.block(1, 2, False)
        loops = "" if self.with_unbound else "".join(f"    k{k} = {k}\n" for k in range(self.counters))
        body = "\n".join(self.lines)
        return f"def f({PARAMETERS}):\n    i2 = 1\n{loops}{body}\n    return {RETURNED}\n"


@st.composite
def programs(draw, **options):
    """Strategy for sources of programs."""
    return Writer(draw, **options).program()


# ------------------------------------------------------------------------------------------------
# CPython with a limit: ints of compiled code have 64 bits


class TooLarge(Exception):
    """An int of the program does not fit into 64 bits."""


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

    def visit_Subscript(self, node):
        node.value = self.visit(node.value)
        return node if isinstance(node.ctx, ast.Store) else self.generic_visit(node)


def with_limits(source, **names):
    """The program as a plain function that raises TooLarge instead of making ints beyond 64 bits."""
    tree = ast.fix_missing_locations(_Limits().visit(ast.parse(source)))
    module = {"math": math, "limited": limited, **names}
    exec(compile(tree, "<limited>", "exec"), module)
    return lambda *arguments: module["f"](*map(limited, arguments))
