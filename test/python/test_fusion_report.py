"""fn.fusion_report(): what became of each operation on whole arrays, in the user's lines."""

import numpy as np
from compare import define
from pyarray import cuda, njit, typeof


def report(text, *values, decorator=njit):
    """Lines of the source, and what is said of each."""
    f = define(text, decorator=decorator)
    f.compile(tuple(typeof(value) for value in values))
    (said,) = f.inspect_fusion().values()
    lines, number = {}, None
    for line in said.splitlines()[1:]:
        if line.startswith("    "):
            lines[number].append(line.strip())
        else:
            number = int(line.split(":")[1])
            lines[number] = []
    return lines


V, M = np.ones(5), np.ones((4, 5))


def test_fused():
    said = report("def f(a, b):\n    t = a * b\n    u = t[1:] + 1\n    return u.sum()\n", V, V)
    assert said == {
        2: ["np.multiply: computed where it is read, in sum (line 4)"],
        3: ["np.add: computed where it is read, in sum (line 4)"],
    }


def test_stores():
    said = report("def f(a, o):\n    t = a * 2\n    o[1:] = t[1:]\n", V, V)
    assert said == {2: ["np.multiply: computed where it is read, in the assignment (line 3)"]}


def test_readers():
    said = report("def f(a):\n    t = np.exp(a)\n    return t.sum(), t.max()\n", V)
    assert said[2][0].startswith("np.exp: written down, since to compute it for each of its readers takes longer")
    said = report("def f(a):\n    t = -a\n    return t.sum(), t.max()\n", V)
    assert said == {2: ["np.negative: computed where it is read, in max (line 3), sum (line 3)"]}
    said = report("def f(a, b):\n    t = np.exp(a)\n    u = t * b\n    return u, t + b\n", V, V)
    assert said[2] == ["np.exp: computed where it is read, in np.add (line 4)"]
    assert "np.multiply: in one loop with np.add (line 4)" in said[3]


def test_memory():
    said = report("def f(a):\n    t = a * 2\n    return t\n", V)
    assert said == {2: ["np.multiply: written down, since it is returned"]}
    said = report("def f(a):\n    t = a * 2\n    l = [t]\n    return len(l)\n", V)
    assert said == {2: ["np.multiply: written down, since it is needed in memory: line 3"]}


def test_overwritten():
    said = report("def f(a, b):\n    t = a * 2\n    b[0] = 3\n    return t.sum()\n", V, V)
    assert said == {
        2: ["np.multiply: written down, since what it is made of may be written to before it is read: sum (line 4)"]
    }


def test_order():
    said = report("def f(a):\n    t = a * 2\n    return t[1:, 1:].sum()\n", M)
    assert said == {
        2: ["np.multiply: written down, since the order in which it is added up is that of its memory: sum (line 3)"]
    }


def test_effects():
    said = report("def f(a, n):\n    t = a ** n\n    return t.sum()\n", np.arange(5), 3)
    assert said == {2: ["np.power: written down, since what it calls has effects"]}


def test_hoisted_shared_and_reused():
    said = report("def f(x):\n    low = x - x.mean(axis=0)\n    return np.exp(low) / x.std(axis=0)\n", M)
    assert "np.divide: hoisted: computed once before np.divide (line 3), which has more elements" in said[2]
    assert "sum: the same as sum (line 2)" in said[3]
    assert "np.sqrt: takes the memory of sum (line 3), which nothing reads afterwards" in said[3]


def test_nothing(capsys):
    f = define("def f(n):\n    return n + 1\n")
    f(1)
    f.fusion_report()
    assert "no operation on whole arrays" in capsys.readouterr().out
    f.fusion_report("int64(int64)")
    assert "no operation on whole arrays" in capsys.readouterr().out


def test_threads():
    """parallel_diagnostics() tells of reductions, too."""
    parallel = njit(parallel=True)
    f = define("def f(a, b):\n    s = (a * b).sum()\n    return s, a.argmax(), b.sum(axis=0)\n", decorator=parallel)
    f(M, M)
    (text,) = f.inspect_parallel().values()
    assert [line.strip() for line in text.splitlines() if line.startswith("    ")] == [
        "reduction of an array: runs on several threads",
        "reduction of an array: runs in order: there is one result",
        "reduction of an array: runs on several threads",
    ]


def test_threads_of_words_in_any_order():
    """Of what is true and of extremes as well; positions are those of the first, and floats are multiplied in order."""
    source = "def f(a):\n    t = (a > 0).any(), (a < 1).all(), a.min()\n    return t, np.abs(a).argmax(), a.prod()\n"
    f = define(source, decorator=njit(parallel=True))
    rng = np.random.default_rng(5)
    for shape in ((7,), (300_000,), (700, 400), (3, 5, 40_000)):
        first = rng.random(shape) * 0.5 - 0.25
        for place, value in ((0, 2.0), (-1, np.nan), (first.size // 3, -3.0)):
            a = first.copy()
            a.flat[place] = value
            ours, theirs = f(a), f.py_func(a)
            assert ours[0][:2] == theirs[0][:2] and ours[1] == theirs[1]
            np.testing.assert_array_equal(ours[0][2], theirs[0][2])
            np.testing.assert_allclose(ours[2], theirs[2], rtol=1e-6)
    for text in f.inspect_parallel().values():
        said = [line.strip() for line in text.splitlines() if line.startswith("    reduction")]
        hows = "on several threads", "in order: there is one result"
        assert said == [f"reduction of an array: runs {how}" for how in hows]


def test_siblings():
    said = report(
        "def f(a, b):\n    l = a.min()\n    h = a.max()\n    t = a * b\n    return l, h, t, a + b * 2\n", V, V
    )
    assert said[2] == ["min: in one loop with max (line 3)"]
    assert "np.multiply: in one loop with np.add (line 5)" in said[4]


def test_rows():
    said = report("def f(m):\n    t = m.max(axis=1)[:, None]\n    return m - t\n", M)
    assert said[2] == ["max: row by row, together with np.subtract (line 3)"]
    assert "np.subtract: row by row, together with max (line 2)" in said[3]


def test_what_numbers_make_wider():
    x = np.ones(5, np.float32)
    said = report("def f(a):\n    return a * np.float64(0.5) + 1\n", x)
    assert said[2][0] == "np.add: written down, since it is returned"
    wider = (
        "np.multiply of a float32 array and a float64 number is computed in float64; "
        "hint: write np.float32(...) around the number"
    )
    assert said[2].count(wider) == 1 and len(said[2]) == 3
    for text in ("a * 0.5 + 1", "a * np.float32(0.5)", "np.sqrt(a) + 2"):
        assert not any("float64" in line for line in report(f"def f(a):\n    return {text}\n", x)[2])
    assert not any("is computed in" in line for line in report("def f(a):\n    return a * np.float64(2)\n", V)[2])


def test_what_literals_make_wider_in_kernels():
    text = "def f(a):\n    i = cuda.grid(1)\n    if i < a.size:\n        a[i] = a[i] * 0.5\n"
    kernel = define(text, decorator=cuda.jit, cuda=cuda)
    kernel[1, 5](np.ones(5, np.float32))
    (said,) = kernel.inspect_fusion().values()
    assert "float32 * float64 is computed in float64; hint: write float32(...) around the literal" in said
