"""str and bytes as values of compiled functions, against CPython."""

import collections
import functools
import itertools
import random

import pytest
from compare import arrays_alive, define, expression, outcome
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit, types
from pyarray._pyarray import allocation_counts

pytestmark = pytest.mark.real


def rows(text):
    """The expressions between semicolons."""
    return [row.strip() for row in text.split(";;")]


TEXTS = [
    "",
    " ",
    "a",
    "abc",
    "Hello, World",
    "hello world\tagain\r\nlines\x0bof\x1ctext\x85end",
    "  padded  ",
    "+12_3",
    "-0x1f",
    "UPPER lower Title",
    "ﬁne straße ǅ ŉ",
    "ΑΣ ΌΔΟΣ Σ σς ΑΣ.",
    "İstanbul ıI",
    "naïve café",
    "日本語テキスト",
    "٣٤٥ ² ½ Ⅷ 五",
    "a\u0301\u200db",
    "𝒜stral 😀 text 𐐀𐐨",
    "x" * 300,
    "ab" * 50 + "é",
    "\x00nul\x00",
    "'single'",
    '"double"',
    "both'\"",
    "tab\tin\tit",
    "_id1",
    "1x",
    "\ud800lone",
]
PARTS = ["", "a", "l", "ab", " ", "é", "語", "😀", "lo, W", "\n"]
BYTES = [
    b"",
    b" ",
    b"abc",
    b"Hello, World",
    b"  x\t\n\x1c ",
    b"\x00\xff\xc3\xa9 \x80",
    b"ab" * 60,
    b"UPPER lower",
    b"12",
    b"_'\"\\",
]
NO_ARGUMENTS = """
capitalize casefold expandtabs isalnum isalpha isascii isdecimal isdigit
isidentifier islower isnumeric isprintable isspace istitle isupper lower lstrip
rstrip split rsplit splitlines strip swapcase title upper encode""".split()
OF_BYTES = [name for name in NO_ARGUMENTS if hasattr(bytes, name)]


def agree(text, *arguments, parameters="s"):
    """The expression gives, or raises, what CPython's does."""
    f = expression(text, parameters)
    wanted = outcome(f.py_func, arguments)
    assert outcome(f, arguments) == wanted, (text, arguments)


@pytest.mark.parametrize("name", NO_ARGUMENTS)
def test_methods_without_arguments(name):
    for text in TEXTS:
        agree(f"s.{name}()", text)


@pytest.mark.parametrize("name", OF_BYTES)
def test_methods_of_bytes_without_arguments(name):
    for text in BYTES:
        agree(f"s.{name}()", text)


def test_every_code_point_has_the_case_and_properties_that_python_knows():
    names = [
        name
        for name in NO_ARGUMENTS
        if name.startswith("is") or name in ("upper", "lower", "title", "casefold", "swapcase", "strip")
    ]
    f = define(
        f"def f(s):\n    return {', '.join(f's.{name}()' for name in names)}, "
        "('a' + s).isidentifier(), repr(s), ascii(s)\n"
    )
    for code in itertools.chain(range(0x3400), range(0xA000, 0xAC00, 3), range(0xD7A0, 0x110000, 61)):
        assert f(chr(code)) == f.py_func(chr(code)), hex(code)


@pytest.mark.parametrize("method", ["find", "rfind", "index", "rindex", "count"])
def test_searches(method):
    for text, part in itertools.product(TEXTS, PARTS):
        agree(f"s.{method}(t)", text, part, parameters="s, t")
        agree(f"s.{method}(t, 1)", text, part, parameters="s, t")
        agree(f"s.{method}(t, -5, None)", text, part, parameters="s, t")
        agree(f"s.{method}(t, None, 7)", text, part, parameters="s, t")


@pytest.mark.parametrize(
    "method", ["startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition", "split", "rsplit"]
)
def test_methods_of_two_texts(method):
    for text, part in itertools.product(TEXTS, PARTS):
        agree(f"s.{method}(t)", text, part, parameters="s, t")


@pytest.mark.parametrize(
    "text",
    rows(r"""s.startswith((t, 'a'), 2) ;; s.endswith((t, 'd', ''), 1, -1) ;; s.startswith(()) ;; s.strip(t) ;;
s.lstrip(t + 'H') ;; s.rstrip(t) ;; s.split(t, 2) ;; s.rsplit(t, maxsplit=1) ;; s.split(None, 1) ;;
s.rsplit(None, 1) ;; s.split(maxsplit=0) ;; s.rsplit(maxsplit=0) ;; s.splitlines(True) ;;
s.splitlines(keepends=True) ;; s.replace(t, 'é') ;; s.replace(t, '', 2) ;; s.replace('a', t, -1) ;; t in s ;;
t not in s ;; s + t ;; t.join([s, t, s]) ;; t.join((s, 'x')) ;; t.join([s]) ;; s.ljust(9) ;; s.rjust(9, 'é') ;;
s.center(8, '*') ;; s.center(9) ;; s.zfill(7) ;; s.ljust(20, t) ;; s.expandtabs(3) ;; s.expandtabs(tabsize=0) ;;
s == t ;; s != t ;; s < t ;; s <= t ;; s > t ;; s >= t ;; s * 3 ;; 2 * s ;; s * 0 ;; s * -1 ;; len(s) ;;
bool(s) ;; not s ;; 1 if s else 2 ;; s or t ;; str(s) ;; repr(s) ;; ascii(s) ;; format(s, '>12') ;;
s.encode('latin-1', 'replace') ;; s.encode('ascii') ;; s.encode('latin1') ;;
s.encode('ASCII', errors='ignore') ;; s.encode('utf8', 'backslashreplace') ;; s.encode('nonsense') ;;
s.encode('ascii', 'x') ;; (s, 1) == (t, 1) ;; s in (t, 'abc', 2) ;; s is not None ;; s in [t, 'abc']
"""),
)
def test_expressions(text):
    for s, t in itertools.product(TEXTS, PARTS):
        agree(text, s, t, parameters="s, t")


@pytest.mark.parametrize(
    "text",
    rows(r"""s + b'\x00' ;; s * 2 ;; s[0] ;; s[-1] ;; s[1:-1] ;; s[::-2] ;; 65 in s ;; b'l' in s ;; s.decode() ;;
s.decode('latin-1') ;; s.decode('ascii') ;; s.decode('utf-8', 'replace') ;; s.decode('utf-8', 'ignore') ;;
s.decode('ascii', 'backslashreplace') ;; s.find(b'l') ;; s.index(b'Q') ;; s.count(b'a') ;;
s.replace(b'a', b'xyz') ;; s.split(b'b') ;; b'-'.join([s, s]) ;; s.startswith((b'a', b'H')) ;; s.strip(b' x') ;;
s.partition(b',') ;; s.center(9, b'-') ;; s.zfill(6) ;; len(s) ;; s == b'abc' ;; s < b'abc' ;; repr(s) ;;
str(s) ;; f'{s}' ;; sum_of(s) ;; bool(s)
"""),
)
def test_expressions_of_bytes(text):
    total = define("def total(s):\n    n = 0\n    for c in s:\n        n += c\n    return n\n", "total")
    f = define(f"def f(s):\n    return {text}\n", sum_of=total)
    g = define(f"def f(s):\n    return {text}\n", sum_of=total.py_func).py_func
    for s in BYTES:
        assert outcome(f, [s]) == outcome(g, [s]), (text, s)


def test_subscripts():
    f = define("def f(s, a, b, c):\n    return s[a:b:c], s[a:], s[:b], s[::c], s[a:b]\n")
    g = expression("s[i]", "s, i")
    for s in TEXTS:
        for a, b, c in itertools.product((-400, -3, 0, 2, 500), (-2, 1, 4, 300), (-2, -1, 1, 3)):
            assert f(s, a, b, c) == f.py_func(s, a, b, c)
        for i in (-301, -3, -1, 0, 1, 5, 300):
            assert outcome(g, (s, i)) == outcome(g.py_func, (s, i))


def test_iteration_and_unpacking():
    f = define(
        "def f(s):\n    out = ''\n    n = 0\n"
        "    for c in s:\n        out = c + out\n        n += ord(c)\n    return out, n\n"
    )
    g = define("def g(s):\n    a, b, c = s\n    return b + a + c\n", "g")
    for s in TEXTS:
        assert f(s) == f.py_func(s)
        assert outcome(g, [s])[:2] == outcome(g.py_func, [s])[:2]


def test_hash_and_equality_agree():
    f = expression("hash(s) == hash(t), s == t, hash((s, 1)) == hash((t, 1))", "s, t")
    for a, b in itertools.product(TEXTS, TEXTS):
        assert f(a, b) == (a == b,) * 3


def test_literals_globals_and_defaults():
    f = define(
        "def f(s, t='é', *, u='日本'):\n    return s + t + u + G + 'ü\\U0001f600\\x00', B + b'\\xff'\n",
        G="global",
        B=b"\x00g",
    )
    assert (
        f("a") == f.py_func("a")
        and f("a", "b") == f.py_func("a", "b")
        and f("a", t="c", u="d") == f.py_func("a", t="c", u="d")
    )
    assert f.signatures[0] == (types.unicode_type, types.omitted, types.omitted)
    assert f.signatures[1] == (types.unicode_type, types.unicode_type, types.omitted)


def test_declared_signatures():
    f = njit("unicode_type(unicode_type, int64)")(lambda s, n: s * n)
    assert f("ab", 2) == "abab"


def test_calls_between_compiled_functions():
    reverse = define("def reverse(s):\n    return s if len(s) < 2 else reverse(s[1:]) + s[0]\n", "reverse")
    reverse.py_func.__globals__["reverse"] = reverse
    f = define(
        "def f(s):\n    return reverse(s), reverse('lit'), pick(s, 'a'), pick('b', s)\n",
        reverse=reverse,
        pick=njit(lambda a, b: a if len(a) > len(b) else b),
    )
    assert f("é日c") == ("c日é", "til", "é日c", "é日c")


def test_lists_of_text():
    source = """
def f(xs):
    out = [x.upper() for x in xs]
    out.append('Z')
    out.sort()
    return out, xs.index('b'), 'c' in xs, ' '.join(xs), f'{xs}'
"""
    f = define(source.lstrip())
    assert f(["b", "a", "é'"]) == f.py_func(["b", "a", "é'"])


def test_concatenation_under_a_condition_is_linear():
    source = """
def f(s, n):
    out = ''
    for i in range(n):
        if i % 3 != 1:
            out += s
        elif i % 5 == 0:
            out = out + 'é'
    return out
"""
    f = define(source.lstrip())
    assert f("xy", 3000) == f.py_func("xy", 3000)
    before = allocation_counts()[0]
    f("xy", 3000)
    assert allocation_counts()[0] - before < 100


def test_appending_leaves_other_references_alone():
    source = """
def f(s, n):
    a = s + 'x' * 40
    kept = a
    pair = (a, 1)
    for i in range(n):
        a += 'y'
        if i == 1:
            middle = a
        a += a[:1]
    return a, kept, pair, middle, s
"""
    f = define(source.lstrip())
    assert f("q", 5) == f.py_func("q", 5)


@njit
def parts(text, separator, n):
    """The parts of a text, taken apart in each way, with what they are as keys, and one that has grown."""
    found = [text.split(), text.split(separator), text.rsplit(separator), text.splitlines(), text.rsplit()]
    counts = {}
    for part in found[0]:
        counts[part] = counts.get(part, 0) + 1
    grown = found[0][n]
    for _ in range(3):
        grown += separator
    return found, counts, grown, found[0][n]


# Parts of up to 16 bytes that were made lately are shared.
@pytest.mark.parametrize("letters", ["ab", "abcdefgh \t", "aé", "aé日", "a😀"])
def test_parts_that_come_again(letters):
    draw = random.Random(3)
    for words in (1, 17, 100, 1000):
        known = ["".join(draw.choice(letters) for _ in range(draw.randrange(20))) for _ in range(40)]
        text = " ,".join(draw.choice([*known, f"w{i}", "x" * (i % 20)]) for i in range(words)) + " end"
        with_ends = text + "\n" + text
        for s in (text, with_ends):
            assert parts(s, ",", 0) == parts.py_func(s, ",", 0)
            assert parts(s, ",", -1) == parts.py_func(s, ",", -1)
    split = define("def f(text, separator):\n    return text.split(separator), text.split()\n")
    data = text.encode()
    assert split(data, b",") == split.py_func(data, b",")


def test_sets_of_characters_to_strip():
    strip = define("def f(s, c):\n    return s.strip(c), s.lstrip(c), s.rstrip(c), s.strip()\n")
    draw = random.Random(4)
    letters = ".,;:!?\"'()-ab @Zé\xff日"
    for _ in range(3000):
        text = "".join(draw.choice(letters) for _ in range(draw.randrange(12)))
        characters = "".join(draw.choice(letters[: draw.choice([11, 16, 21])]) for _ in range(draw.randrange(1, 40)))
        assert strip(text, characters) == strip.py_func(text, characters)
        if text.isascii() and characters.isascii():
            assert strip(text.encode(), characters.encode()) == strip.py_func(text.encode(), characters.encode())


def test_texts_of_a_few_bytes_are_equal_or_not():
    equal = define(
        "def f(a, b):\n    return [[x == y for x in a] for y in b], {x: 1 for x in a}, [x in set(a) for x in b]\n"
    )
    letters = "abcdefghijklmnopq"
    texts = [letters[:n] for n in range(18)] + [
        letters[:i] + "X" + letters[i + 1 : n] for n in (2, 3, 5, 8, 9, 16, 17) for i in range(n)
    ]
    others = [t + "" for t in texts] + [t.replace("a", "é") for t in texts]
    assert equal(texts, others) == equal.py_func(texts, others)


def test_refused_with_a_hint():
    for text, message in [
        ("s.translate(3)", "in"),
        ("s + 1", "no operator"),
        ("s[1.5]", "string indices"),
        ("print(s, file=3)", "sys.stdout"),
        ("s.find(3)", "a str"),
        ("''.join([1])", "list or tuple of str"),
        ("''.join(3)", "list or tuple of str"),
    ]:
        with pytest.raises(Exception, match=message):
            expression(text, "s")("abc")


EVERYTHING = """
def f(s, t, n):
    out = s.upper() + t * 3
    parts = (s + t).split(t) if t else s.split()
    a, b, c = (s + ',').partition(',')
    for p in parts:
        out += p.strip().title()
    text = f'{out:>{n}} {parts} {a!r}' + '|'.join(parts) + str(n) + c.join((a, b))
    return text, parts, out[::-1], text.encode('utf-8', 'replace').decode(), a if n > 2 else b
"""
FAILING = """
def f(s, n):
    out = s + 'x'
    for i in range(n):
        out += s
        if i == 3:
            return int(out), s.index(out), out
    raise ValueError(out, f'{n}')
"""


@functools.cache
def compiled(source):
    return define(source.lstrip())


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=30), st.text(max_size=3), st.integers(0, 40))
def test_random_texts_and_leaks(s, t, n):
    f, g = compiled(EVERYTHING), compiled(FAILING)
    before = arrays_alive()
    assert f(s, t, n) == f.py_func(s, t, n)
    assert outcome(g, (s, n % 6)) == outcome(g.py_func, (s, n % 6))
    assert arrays_alive() == before


def test_texts_of_exceptions_do_not_leak():
    source = """
def f(s, n):
    total = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError(s + 'x', i)
            total += int(s + str(i))
        except ValueError:
            try:
                total += s.index('q' + s)
            except ValueError:
                total += 1
        for c in s:
            if c == '7':
                break
            total += len(c + s)
    return total
"""
    f = define(source.lstrip())
    assert f("1", 20) == f.py_func("1", 20)
    before = arrays_alive()
    for s in ("12", "x7", "é", ""):
        assert f(s, 50) == f.py_func(s, 50)
    assert arrays_alive() == before


@pytest.mark.parametrize(
    "text", ["list(s)", "len([*s])", "list(s + s)[2:]", "{c: len(c) for c in list(s)}", "sorted(list(s))"]
)
@pytest.mark.parametrize("s", ["\u20ac \U0001f600", "abc", ""])
def test_lists_of_characters_are_freed(text, s):
    f = expression(text, "s")
    f(s)
    before = allocation_counts()
    assert f(s) == f.py_func(s)
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def test_characters_that_a_deque_and_a_list_take_in():
    @njit
    def f(s, error):
        items = collections.deque(s, maxlen=3)
        items.extend(s)
        more = [s]
        more.extend(s)
        more += s
        if error:
            raise ValueError(len(more))
        return list(items), more

    assert f("\u20ac\U0001f600x", False) == f.py_func("\u20ac\U0001f600x", False)
    with pytest.raises(ValueError, match="7"):
        f("\u20ac\U0001f600x", True)


def test_what_does_not_fit_into_memory_is_known_at_once(run):
    run("""
import resource
from pyarray import njit

@njit
def f(which, n):
    if which == 0:
        return len("ab".rjust(n))
    if which == 1:
        return len("ab".center(n, "\u20ac"))
    if which == 2:
        return len("-1".zfill(n))
    if which == 3:
        return len("a\tb".expandtabs(n))
    return len(list(range(n)))

f(0, 9)
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
for which in range(5):
    for n in (1 << 42, 1 << 60, 2**63 - 1):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            f(which, n)
            raise AssertionError(which, n)
        except MemoryError:
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # KiB
            assert grown < 100_000, (which, n, grown)
""")
