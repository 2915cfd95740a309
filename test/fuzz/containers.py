"""Random programs that mix containers, text, named tuples, enums, closures, generators and exceptions, for programs.py.

Every choice comes from a seed. Variables keep their type (VARIABLES): several of a type are often the same object.
Loops stop when `fuel` is used up, containers are cut where they are assigned. What CPython leaves open or does
differently (docs/language.md) is not written: the order of sets, dicts changed while they are gone over, generators
that are dropped and seen to be. CHANGES are statements whose iterables, keys and comparisons change the container that
the statement works on.
"""

import random
import re

from random_programs import forms

VARIABLES = {
    "i": ("i0", "i1"),
    "s": ("s0", "s1"),
    "b": ("b0",),
    "I": ("I0", "I1", "I2"),
    "S": ("S0",),
    "N": ("N0",),
    "D": ("D0", "D1"),
    "E": ("E0",),
    "Z": ("Z0",),
    "P": ("p0",),
    "L": ("L0",),
    "O": ("o0",),
    "C": ("c0",),
    "Q": ("q0",),
    "Y": ("y0",),
    "A": ("a0",),
    "F": ("g0",),
}
FORMS = {
    "i": forms("""
        ({i} + {i}); ({i} - {i}); ({i} * {i}); ({i} // {i}); ({i} % {i}); (-{i}); int({b}); ({i} if {b} else {i});
        {E}[{n}][{n}]; len({Z}); sum({Z}); {P}.x; {P}[0]; q0[{n}]; {A}[{n}]; len({Y}); {Y}[{n}]; {C}.value;
        {L}[{n}].x; len({L}); (o0 + 1 if o0 is not None else {i}); (o0 + {i}); ord({s}[{n}]); {s}.find({s});
        int({s}); {s}.index({s}); len({s}.split()); sum(D0.values()); bump({i}); risky({i}); g0({i}); walk({i} % 4);
        sum(items({i} % 5)); next(items({i} % 3), {i}); next(items({i} % 2)); sum(e * {i} for e in {I});
        sum([p * q for p, q in zip({I}, {I})]); max([e.x for e in {L}]); sum([k for k, e in enumerate({S}) if e]);
        (lambda p, *q, r=1: p + len(q) * r)({i}, {i}, r={i}); len({I} + {I}); len([{i}] * 3); ({I} or [{i}])[0];
        I0.pop(); q0.popleft(); N0[{n}].pop(); D0.pop({s}, {i}); {P}._replace(x={i}).x;
        [f({i}) for f in (twice, fail)][{n}]; ({i}).bit_length(); sorted({I}, key=lambda e: -e)[0]; abs({i});
        len('{{:>{{}}}}'.format({i}, {i} % 5 + 1)); functools.reduce(lambda p, q: p - q, {I}); min({P}, {P}).x;
        divmod({i}, 7)[1]
    """)
    + forms(
        """
        {I}[{n}]; {I}[{i}]; len({s}); sum({I}); max({I}); min({I}, default={i}); {I}.count({i}); {I}.index({i});
        {N}[{n}][{n}]; len({N}); sum([len(e) for e in {N}]); {D}[{s}]; {D}.get({s}, {i}); len({E}[{i}])
    """,
        2,
    ),
    "s": forms("""
        ({s} + {s}); {s}[{n}]; {s}[:{i}]; {s}[::-1]; {s}.upper(); {s}.strip(); {s}.replace({s}, {s}); str({i});
        {S}[{n}]; ','.join({S}); ''.join([str(e) for e in {I}]); {P}.y; {P}[1]; {C}.name;
        '{{}}-{{!r}}'.format({i}, {s}); f'{{i0}}:{{s1!r:>4}}{{I0}}'; str({I}); repr({D}); str({P}); f'{{i0:03d}}';
        ('%d|%s' % ({i}, {s})); max({S}); min({S}, default={s}); ({s} if {b} else {s}); str(o0); str({L});
        {s}.split()[{n}]; {s}.partition({s})[2]; [*D0][{n}]; next(iter({S}), {s}); ({s} * ({i} % 3));
        '/'.join(words({i} % 4)); {Y}.decode(); str({N}); str({C}); s0.title(); ({s} and {s} or {s});
        str(sorted({Z}))
    """),
    "b": forms("""
        ({i} {<} {i}); ({s} {<} {s}); ({I} {<} {I}); ({I} is {I}); ({i} in {I}); ({s} in {D}); ({i} in {Z});
        ({s} in {s}); (not {b}); ({b} and {b}); ({b} or {b}); bool({I}); (o0 is None); ({C} is Color.RED);
        ({C} == {C}); ({P} {<} {P}); any(e {<} {i} for e in {I}); all(items({i} % 4)); ({N} == {N}); ({D} == {D});
        ({Z} <= {Z}); ({I} in {N}); ({i} {<} {i} {<} {i}); {s}.isdigit(); ({Q} == {Q}); ({P} in {L});
        isinstance({i}, int); ({i} not in {Q}); (o0 == {i})
    """),
    "I": forms("""
        [{i}, {i}]; [{i} % 50 for e in {I}]; ({I} + {I})[:6]; {I}[{n}:]; {I}[::-1]; {I}[::2]; sorted({I}); list({I});
        {I}.copy(); [e for e in {I} if {b}]; list(items({i} % 5)); list(D0.values()); {N}[{n}]; {E}[{n}];
        E0.get({i}, {I}); list({Q}); ({I} if {b} else {I}); [*{I}[:3], {i}]; list(range({i} % 5));
        [e.x for e in {L}]; list(map(lambda e: e % 7, {I})); sorted({Z}); list(filter(lambda e: e % 2, {I}));
        {E}.setdefault({i} % 5, {I}); list({Y}[:3]); [len(e) for e in {S}];
        [p + q for p in {I}[:3] for q in {I}[:2]]; list(itertools.accumulate({I})); [e for n in {N}[:2] for e in n];
        {I}[{i}:{i}]
    """),
    "S": forms("""
        [{s}, {s}]; {s}.split(); list({s}[:4]); sorted({S}); [str(e) for e in {I}]; list(D0); {S}[1:];
        [e + {s} for e in {S}][:4]; list(words({i} % 4)); ([{s}] * 2); [k for k, v in {D}.items() if v > {i}];
        sorted(D0, key=lambda e: D0[e])
    """),
    "N": forms("""
        [{I}, {I}]; [{I}]; {N}[:]; [e[:2] for e in {N}]; list(E0.values()); [[{i}] for e in {I}][:4];
        ({N} + [{I}])[:5]
    """),
    "D": forms("""
        {{ {s}: {i}, {s}: {i} }}; {{e: len(e) for e in {S} }}; dict(zip({S}, {I})); dict({D}); {D}.copy();
        ({D} | {D}); {D}; {{v.y: v.x for v in {L} }}; {{k: v + 1 for k, v in {D}.items() if {b} }}
    """),
    "E": forms("""
        {{ {i} % 5: {I}, 1: {I} }}; {{e: [e] for e in {I} }}; {{k: v[:1] for k, v in {E}.items()}};
        {{e % 3: {I} for e in {I} }}; {E}
    """),
    "Z": forms("""
        {{ {i}, {i} }}; set({I}); ({Z} | {Z}); ({Z} & {Z}); ({Z} - {Z}); ({Z} ^ {Z}); {{e % 4 for e in {I} }};
        {Z}.union({I}); {Z}
    """),
    "P": forms("""
        Pair({i}, {s}); {P}._replace(y={s}); {L}[{n}]; max({P}, {P}); Pair(y={s}, x={i}); Pair(*({i}, {s}));
        Pair._make(({i}, {s}))
    """),
    "L": forms("""
        [{P}, {P}]; sorted({L}); {L}[::-1]; [Pair(e, {s}) for e in {I}][:4]; sorted({L}, key=lambda e: e.y);
        [e._replace(x={i}) for e in {L}]
    """),
    "O": forms("""
        {i}; ({i} if len({I}) > {n} else None); o0; find({I}, {i}); find([9], {i})
    """),
    "C": forms("""
        Color.RED; Color.BLUE; Color({i} % 4); Color[{C}.name]; list(Color)[{n}]; ({C} if {b} else {C})
    """),
    "Q": forms("""
        collections.deque({I}); collections.deque({I}, maxlen=3); {Q}.copy();
        collections.deque([e + 1 for e in {Q}]); {Q}
    """),
    "Y": forms("""
        b'ab'; {Y}[::-1]; {s}.encode(); bytes({I}); ({Y} + {Y})[:8]; bytes([{i} % 256]); {Y}.upper(); {Y}[1:]
    """),
    "A": forms("""
        bytearray(b'xyz'); bytearray({Y}); {A}[1:]; bytearray([{i} % 256, 7]); {A}
    """),
    "F": forms("""
        (lambda p: p + 1); twice; fail; (lambda p: p * 2); (twice if {b} else fail); [twice, fail][{n}]
    """),
}
STATEMENTS = forms("""
    {I}.insert({n}, {i} % 9); {I}.remove({i} % 9); {I}.reverse(); {I}.sort();
    {I}.sort(key=lambda e: e % 5, reverse={b}); del {I}[{n}]; del {I}[{n}:{i}]; {I}[{n}:{i}] = {I}[:3];
    {I}[::2] = {I}[:2]; {I}[:] = {I}[:5]; {I}.clear(); del {I}[::2]; I0 = I1; I1 = I0; I2 = I0; I0, I1 = I1, I2;
    I0 = I1 = {I}[:6]; i0, i1 = i1, i0; i0, *I0 = {I}[:6]; *I2, i1 = {I}[:6]; N0.append({I}); N0[{n}] = {I};
    N0[{n}].append({i} % 9); N0[{n}][{n}] += 1; N0 += [{I}]; N0 = N0[:4]; N0.sort(); I0 = N0[{n}]; N0 = [I0, I0];
    N0 = [I0, I1, I2]; E0[{i} % 5] = I0; E0 = {{0: I0, 1: I0, 2: I1}}; I1 = E0[{n}]; E0[{i} % 5].append({i} % 9);
    D0[{s}] = {i} % 50; D0[{s}] += 1; del D0[{s}]; D0.update({D}); D0 = D1; D0.clear(); D0 |= {D};
    D1.setdefault({s}, {i} % 9); E0.setdefault({i} % 5, [1]).append({i} % 9); del E0[{i} % 5];
    E0[{i} % 4] += [{i} % 9]; s0, i0 = D0.popitem(); E0.pop({i} % 3); Z0.add({i} % 9); Z0.discard({i} % 9);
    Z0.remove({i} % 9); Z0 |= {Z}; Z0 -= {Z}; Z0.update({I}); Z0 ^= {Z}; Z0 &= {Z}; L0.append({P}); L0[{n}] = {P};
    L0.sort(key=lambda e: e.x); i0, s0 = {P}; L0 = L0[:4]; (i0, s0), b0 = {P}, {b}; L0.remove({P});
    q0.append({i} % 9); q0.appendleft({i} % 9); i0 = q0.pop(); i1 = q0.popleft(); q0.rotate({n}); q0.extend({I}[:3]);
    q0[{n}] = 5; q0.remove({i} % 9); q0.clear(); q0 = collections.deque(list(q0)[:5]); a0.append({i} % 256);
    a0[{n}] = {i}; a0[{n}:{i}] = {Y}; del a0[{n}]; a0 += {Y}; a0 = a0[:6]; a0.extend({I}); S0.append({s});
    S0 = S0[:4]; S0[{n}] += {s}; S0.sort(key=len); del S0[{n}]; bump({i}); i0 = risky({i}); change({I}, {i} % 9);
    I0 = change({I}, {i} % 9); o0 = {O}; log.append({i} % 99); i0 = {i} % 100; c0 = {C};
    for e in range(3): E0.setdefault(e, []).append({i} % 9); I0.append(I0[0]);
    I0 *= 2 - (len(I0) > 9); I0 = I0[-6:]; I1 = I1[:6];
    I2 = I2[:6]; assert {b}, {i} % 9; assert {I}; log.extend(items({i} % 4)); s0 = s0[:9]; s1 = s1[:9];
    s0 += {s}[:5]; b0 = {b}; i1 -= 1; S0 += {S}[:2]; i0 = len([log.append(e) for e in {I}[:3]]);
    D1 = {{ **{D}, 'k': 2}}; I0 = [*{I}[:2], *{I}[:2]]; log += [e for e in items(3) if e]; b0 = (i1 := {i} % 9) > 2;
    i0 = (lambda p: (i2 := p) + i2)({i}) % 100
""") + forms(
    """
    I0.append({i} % 50); {I}.append({i} % 50); {I}[{n}] = {i} % 50; {I}[{n}] += {i} % 9; {I}.extend({I}[:2]);
    I1 += [{i} % 9]
""",
    2,
)
CHANGES = forms("""
    {I}[0:2] = shrinking({I}, {i} % 6); {I}[1:] = shrinking({I}, {i} % 6); {I}[:] = shrinking({I}, {i} % 6);
    {I}.extend(shrinking({I}, {i} % 6)); {I}.extend(clearing({I}, {i} % 6));
    {I}.extend(growing({I}, {i} % 6)); I0 += growing({I}, {i} % 6); I0 += shrinking({I}, {i} % 6);
    {I}[{n}] = sum(clearing({I}, {i} % 6)); {I}[{n}] += len(list(growing({I}, 3))); del {I}[sum(shrinking({I}, 3)) % 3];
    {I}.insert({n}, sum(clearing({I}, 3))); I0 = {I} + list(shrinking({I}, 4)); I0 = [*{I}, *clearing({I}, 3), *{I}];
    i0 = {I}[sum(shrinking({I}, 3)) % 4]; I0 = {I}[:sum(clearing({I}, 4))]; b0 = {I} < list(shrinking({I}, 4));
    {I}.sort(key=lambda e: change(I0, e)[0]); I0 = sorted({I}, key=lambda e: len(change({I}, 1)));
    i0 = max(I0, key=lambda e: drop(I0)); i0 = min(I1, key=lambda e: drop(I1)); i0 = sum(e + drop({I}) for e in {I});
    I0 = [e + drop(I0) for e in I0]; I0 = list(map(lambda e: e + drop(I0), I0)); b0 = any(drop({I}) > 5 for e in {I});
    I0 = list(filter(lambda e: drop(I0), I0)); i0 = functools.reduce(lambda p, q: p + drop({I}), {I});
    a0[0:2] = shrinking(a0, {i} % 6); a0[1:{i}] = growing(a0, {i} % 6); a0[{i}:] = clearing(a0, {i} % 6);
    a0[::2] = shrinking(a0, {i} % 4); a0.extend(shrinking(a0, {i} % 6)); a0.extend(growing(a0, {i} % 6));
    a0.extend(clearing(a0, {i} % 6)); a0[{n}] = sum(clearing(a0, 3)); a0 += bytes(growing(a0, 3));
    a0.insert({n}, sum(shrinking(a0, 3))); del a0[sum(shrinking(a0, 3)):]; i0 = a0[sum(shrinking(a0, 3)) % 4];
    q0.extend(clearing(q0, {i} % 6)); q0.extend(growing(q0, {i} % 6)); q0.extendleft(shrinking(q0, {i} % 6));
    q0.extendleft(clearing(q0, {i} % 6)); q0.extendleft(failing({i} % 6)); q0.extend(failing({i} % 6));
    I0.extend(failing({i} % 6)); I0[:] = failing({i} % 6); a0[:] = failing({i} % 6); a0.extend(failing({i} % 6));
    q0.insert({n}, sum(shrinking(q0, 3))); q0.rotate(sum(clearing(q0, 4))); q0[{n}] = sum(shrinking(q0, 4));
    N0.append(list(clearing(N0, 3))); N0[{n}] = list(shrinking(N0, 3)); N0[{n}].extend(shrinking(N0, 3));
    D0.update(entries(D0, {i} % 6)); D0 |= dict(entries(D0, {i} % 6)); D0['k'] = sum(clearing(D0, {i} % 6));
    D0['k'] += sum(clearing(D0, {i} % 6)); i0 = D0.setdefault({s}, sum(clearing(D0, 3)));
    i0 = D0.pop({s}, sum(clearing(D0, 3))); E0[1] = list(clearing(E0, 3)); E0[1].extend(clearing(E0, 3));
    Z0.update(clearing(Z0, {i} % 6)); Z0.intersection_update(adding(Z0, {i} % 6)); Z0 |= set(adding(Z0, {i} % 6));
    Z0.difference_update(adding(Z0, {i} % 6)); Z0.symmetric_difference_update(clearing(Z0, {i} % 6));
    b0 = Z0.isdisjoint(adding(Z0, {i} % 6)); Z0.add(sum(clearing(Z0, 3)));
    s0 = ','.join([str(e) for e in clearing(S0, 4)]); s0 = ','.join(e + str(drop(I0)) for e in {S});
    i0, *I0 = clearing({I}, {i} % 5); I0 = [len(I1), *shrinking(I1, 3), *I1];
    I0 = [e for n in N0 for e in shrinking(N0, 3)][:6]; I0 = list(itertools.chain(I1, clearing(I1, 3), I1));
    i0 = sum(e + drop(q0) for e in q0); q0.extend(iter(q0)); q0.extend(e for e in q0); q0.extendleft(reversed(q0));
    I0 = [e + drop(q0) for e in q0]; I0 = [p for p, q in zip(I1, q0) if drop(q0)];
    I0 = list(map(lambda e: drop(q0), q0));
    i0 = len([D0.setdefault(e + 'x', 1) for e in D0]); i0 = sum(E0.setdefault(e + 9, I0)[0] for e in reversed(E0));
    i0 = sum(len(E0.setdefault(e + 9, I1)) for e in E0); I0 = [drop(q0) for k, e in enumerate(q0)]
""")
KINDS = "iissbIIISNDEZPLOCQYAF"
CUT = {
    "s": "({})[:12]",
    "I": "({})[:8]",
    "S": "({})[:5]",
    "N": "({})[:5]",
    "L": "({})[:5]",
    "Y": "({})[:9]",
    "i": "({}) % 1000",
}
LOOPS = forms("""
    e, in {I}; e, in {I}[::-1]; e, in list({I}); k, e in enumerate({I}); e, in items({i} % 4); p, e in zip({S}, {I});
    k, e in {D}.copy().items(); k, in {S}; k, in {s}; n, in {N}; e, in range({i} % 5); e, in sorted({Z}); v, in {L};
    e, in {Q}.copy(); e, in {Y}; k, v in sorted({E}.items()); e, in itertools.chain({I}, {I}); e, in reversed({I});
    k, in words({i} % 4)
""")
RAISED = forms("ValueError({i} % 9); KeyError({s}); Mine({i} % 9, {s}); Mine(); IndexError; Mine; RuntimeError('r')")
CLASSES = forms("ValueError; KeyError; Mine; IndexError; LookupError")
CLASSES += forms("(Mine, TypeError); Exception; ZeroDivisionError")
HEADER = """import collections
import enum
import functools
import itertools

Pair = collections.namedtuple("Pair", "x y")


class Color(enum.Enum):
    RED = 1
    BLUE = 2
    GREEN = 3


class Mine(ValueError):
    pass


@njit
def find(xs, x):
    for k in range(len(xs)):
        if xs[k] == x:
            return k
    return None


@njit
def twice(x):
    return x * 2


@njit
def fail(x):
    return [5, 6][x]


@njit
def change(xs, x):
    try:
        xs[x % 3] = x
        if x == 4:
            raise Mine(x, "four")
    finally:
        if len(xs) < 40:
            xs.append(x)
    return xs


"""
HEADER += """@njit
def drop(xs):
    return xs.pop() if len(xs) > 1 else 0


@njit
def shrinking(xs, n):
    for k in range(n):
        if k == 1:
            while len(xs) > 1:
                xs.pop()
        yield k


@njit
def clearing(xs, n):
    for k in range(n):
        if k == 1:
            xs.clear()
        yield k


@njit
def growing(xs, n):
    for k in range(n):
        if k == 1:
            for e in range(20):
                xs.append(e)
        yield k


@njit
def adding(xs, n):
    for k in range(n):
        if k == 1:
            for e in range(20):
                xs.add(e)
        yield k


@njit
def entries(xs, n):
    for k in range(n):
        if k == 1:
            xs.clear()
        if k == 2:
            for e in range(20):
                xs[str(e)] = e
        yield str(k), k


@njit
def failing(n):
    for k in range(n):
        if k == 3:
            raise Mine(k)
        yield k


"""
FIRST = """    fuel = 40
    log = [0]
    b0 = i0 > i1
    I1, I2 = I0, [3, i1]
    S0 = [s0, "b", s1]
    N0 = [I0, [1], I2]
    D0, D1 = {s0: i0, "k": 1}, {"k": 2, s1: 5}
    E0 = {0: I0, 1: [2, 3]}
    Z0 = {i0, 2, 3}
    p0 = Pair(i1, s0)
    L0 = [p0, Pair(2, "q")]
    o0 = None if b0 else i1
    c0 = Color.RED
    q0 = collections.deque(I0)
    y0 = s0.encode()
    a0 = bytearray(b"abc")

    def risky(k):
        if k % 4 == 1:
            raise Mine(k, s0)
        if k % 4 == 2:
            raise KeyError(k)
        return k % 10

    def bump(k):
        nonlocal i1
        i1 = (i1 + k) % 100
        log.append(k % 100)
        return i1

    def items(n):
        for k in range(n):
            try:
                if k == 3:
                    raise Mine(k)
                yield (k * i0) % 10
            except Mine:
                log.append(-3)
                yield 33

    def words(n):
        for k in range(n):
            yield s0[k % 3 : k % 3 + 2]
            yield from S0[:1]

    def walk(n):
        return n if n < 1 else walk(n - 1) + len(N0) + risky(n - 1)

    g0 = twice if b0 else fail
"""
RETURNED = "i0, i1, s0, s1, b0, I0, I1, I2, S0, N0, D0, D1, E0, sorted(Z0), p0, L0, o0, c0, list(q0), y0, a0, log"
RETURNED += ", I0 is I1, I1 is I2"
INTS = "0 1 2 3 -1 -2 7 9 40".split()
TEXTS = ["''", "'a'", "'abc'", "'x y z'", "'12'", "'\\xe9t\\xe9'", "'k'", "'\\u20ac \\U0001f600'"]


class Writer:
    """Writes one program and the arguments that it is called with."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.names, self.count = [], [], 0
        self.changes = self.chance(2)  # whether containers change while they are worked on

    def choose(self, options):
        return self.random.choice(options)

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    # Expressions

    def leaf(self, kind):
        if kind == "i" and self.chance(2):
            return self.choose(["0", "1", "2", "3", "-1", "5", "9"])
        if kind == "s" and self.chance(2):
            return self.choose(["'k'", "'b'", "''", "'a b'", "'7'", "'\\xe9'"])
        return self.choose(VARIABLES[kind])

    def part(self, kind, depth):
        if kind == "<":
            return self.choose(["<", "<=", "==", "!=", ">", ">="])
        if kind == "n":
            return self.choose(["0", "1", "-1", "2", "0", "i0", "-2", "i1 % 3"])
        if depth <= 0 or self.chance(2):
            return self.leaf(kind)
        return self.fill(self.choose(FORMS[kind]), depth - 1)

    def fill(self, form, depth=2):
        text = re.sub(r"(?<!\{)\{(.)\}(?!\})", lambda place: self.part(place[1], depth), form)
        return text.replace("{{", "{").replace("}}", "}")

    # Statements

    def line(self, indent, text, depth=2):
        self.lines.append("    " * indent + self.fill(text, depth))

    def block(self, indent, depth, in_loop):
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, depth, in_loop)

    def statement(self, indent, depth, in_loop):
        options = [self.write_simple] * 5 + [self.write_assign] * 3 + [self.write_leave]
        options += [self.write_change] * 3 * self.changes
        options += [self.write_if, self.write_loop, self.write_loop, self.write_try, self.write_match] if depth else []
        options += [self.write_jump] * in_loop
        self.choose(options)(indent, depth, in_loop)

    def write_simple(self, indent, depth, in_loop):
        self.line(indent, self.choose(STATEMENTS))

    def write_change(self, indent, depth, in_loop):
        self.line(indent, self.choose(CHANGES), 1)

    def write_assign(self, indent, depth, in_loop):
        kind = self.choose(KINDS)
        self.line(
            indent,
            f"{self.choose(VARIABLES[kind])} = "
            + CUT.get(kind, "{}").format(self.fill(self.choose(FORMS[kind]))).replace("{", "{{").replace("}", "}}"),
        )

    def write_if(self, indent, depth, in_loop):
        self.line(indent, "if {b}:")
        self.block(indent + 1, depth - 1, in_loop)
        if self.chance(2):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, in_loop)

    def write_loop(self, indent, depth, in_loop):
        targets, _, source = self.choose(LOOPS).partition(" in ")
        self.line(indent, f"for {targets.rstrip(',')} in {source}:")
        self.line(indent + 1, "fuel -= 1")
        self.line(indent + 1, "if fuel < 0:")
        self.line(indent + 2, "break")
        if "e" in targets:
            self.line(
                indent + 1,
                self.choose(["i0 = e % 100", "log.append(e)" if "v" not in targets else "i1 += 1", "i1 = e"]),
            )
        self.block(indent + 1, depth - 1, True)
        if self.chance(4):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, in_loop)

    def write_jump(self, indent, depth, in_loop):
        self.line(indent, "if {b}:")
        self.line(indent + 1, self.choose(["break", "continue"]))

    def write_leave(self, indent, depth, in_loop):
        self.line(indent, "if {b}:")
        raised = self.choose(RAISED)
        options = [f"return {RETURNED}", f"raise {raised}"]
        if self.names:
            options += ["raise", f"raise {self.names[-1]}", f"raise {raised} from {self.choose(self.names)}"]
        self.line(indent + 1, self.choose(options))

    def write_try(self, indent, depth, in_loop):
        handlers = self.random.randint(0, 2)
        self.line(indent, "try:")
        self.block(indent + 1, depth - 1, in_loop)
        for _ in range(handlers):
            name = f"x{self.count}" if self.chance(2) else None
            self.count += 1
            self.line(indent, f"except {self.choose(CLASSES)}{f' as {name}' if name else ''}:")
            self.names += [name] if name else []
            self.block(indent + 1, depth - 1, in_loop)
            self.names = self.names[:-1] if name else self.names
        if handlers and self.chance(4):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1, in_loop)
        if not handlers or self.chance(3):
            self.line(indent, "finally:")
            self.block(indent + 1, depth - 1, in_loop)

    def write_match(self, indent, depth, in_loop):
        subject, cases = self.choose(
            [
                ("{I}", ["[i0, i1]", "[i0, *I2]", "[]", "[1, *_]", "[_, _, i0]"]),
                ("{P}", ["Pair(0, s0)", "Pair(x=i0)", "(1, s1)", "Pair(y='k')"]),
                ("({i}, {s})", ["(0, s0)", "(i0, 'k')", "(1 | 2, _)", "(_, s1) if {b}"]),
                ("{C}", ["Color.RED", "Color.BLUE | Color.GREEN"]),
                ("{D}", ["{{'k': i0}}", "{{'b': 1, 'k': i1}}", "{{}}"]),
                ("{i} % 4", ["0", "1 | 2", "3 if {b}"]),
                ("{s}", ["''", "'k' | 'b'", "'a' if {b}"]),
            ]
        )
        self.line(indent, f"match {subject}:")
        for case in self.random.sample(cases, min(len(cases), self.random.randint(1, 3))):
            self.line(indent + 1, f"case {case}:")
            self.block(indent + 2, depth - 1, in_loop)
        if self.chance(2):
            self.line(indent + 1, "case _:")
            self.block(indent + 2, depth - 1, in_loop)

    def program(self):
        for _ in range(self.random.randint(2, 6)):
            self.statement(1, 3, False)
        body = "\n".join(self.lines)
        return f"{HEADER}@njit\ndef f(i0, i1, s0, s1, I0):\n{FIRST}{body}\n    return {RETURNED}\n"

    def arguments(self):
        some = ", ".join(self.choose(INTS) for _ in range(self.random.randint(1, 5)))
        return f"({self.choose(INTS)}, {self.choose(INTS)}, {self.choose(TEXTS)}, {self.choose(TEXTS)}, [{some}])"


def program(seed):
    """(source of a program, texts of arguments) for a seed."""
    writer = Writer(seed)
    return writer.program(), [writer.arguments() for _ in range(3)]
