"""fn.explain(): the page, what it says of lines, and how it behaves in a browser."""

import html
import html.parser
import json
import re
import shutil
import subprocess

import pytest
from compare import define
from pyarray import _explain, _explain_places, cuda, njit, prange, types

pytestmark = pytest.mark.real

F8 = types.float64[::1]

TEXT = """
@njit
def helper(x):
    return x * 2 + 1

@njit(inline="never")
def apart(x):
    return x - 1

@njit
def f(a, k):
    o = np.empty(len(a))
    small = np.zeros(3)
    for i in range(len(a)):
        o[i] = helper(a[i]) + small[0]
    total = 0.0
    for x in a:
        total += x
    t = a * 2 + 1
    l = [1.0]
    l.append(apart(total))
    return o, t.sum(), l
"""


def made(text, name="f", **names):
    return define(text, name, lambda function: function, njit=njit, prange=prange, **names)


def notes_of(function, *signature):
    """Kinds and texts of what is said of each line."""
    (variant,) = function.explain(signature).data["variants"]
    found = {}
    for note in variant["notes"]:
        found.setdefault(note["line"], []).append(((note["kind"], note["done"]), note["text"]))
    return found


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.fixture(scope="module")
def f():
    return made(TEXT)


def test_notes(f):
    notes = notes_of(f, F8, types.int64)

    def said(part, kind, done=True):
        return [text for what, text in notes[line_of(TEXT, part)] if what == (kind, done)]

    assert "helper() inlined" in said("helper(a[i])", "inlined")
    assert any("apart() stays a call" in text for text in said("apart(total)", "inlined", False))
    assert "memory for an array" in said("np.empty", "allocated", False)
    assert "memory for a list" in said("[1.0]", "allocated", False)
    assert "an array on the stack" in said("np.zeros(3)", "allocated")
    assert any(text.startswith("bounds are checked once") for text in said("helper(a[i])", "hoisted"))
    assert any("np.add: computed where it is read" in text for text in said("a * 2 + 1", "fused"))
    assert any("fastmath=True allows that" in text for text in said("total += x", "vectorised", False) + said(
        "for x in a", "vectorised", False
    ))  # fmt: skip
    assert "add: float64" in said("return x * 2 + 1", "typed")


def test_vectorised_and_parallel():
    text = (
        "@njit(parallel=True, boundscheck=False)\ndef f(a, o):\n    for i in prange(len(a)):\n"
        "        o[i] = a[i] * 2 + 1\n"
    )
    notes = notes_of(made(text), F8, F8)
    assert ("parallel", True) in [what for what, _ in notes[3]]
    said = [text for rows in notes.values() for (kind, done), text in rows if kind == "vectorised" and done]
    assert any("elements at a time" in text for text in said)


def test_lines_are_linked(f):
    (variant,) = f.explain((F8, types.int64)).data["variants"]
    line = line_of(TEXT, "helper(a[i])")
    (number,) = [i for i, (_, at) in enumerate(variant["places"]) if at == line]
    linked = {}
    for level in variant["levels"]:
        linked[level["name"]] = [text for text, at in zip(level["lines"], level["at"]) if number in at]
    assert list(linked) == "untyped typed optimized linalg target llvm llvm-ir llvm-ir-optimized asm".split()
    assert any("pyarray.call @helper$0" in text for text in linked["typed"])
    assert any("memref.load" in text for text in linked["linalg"])
    assert any("fmul" in text or "fadd" in text for text in linked["llvm-ir-optimized"])
    assert any("mov" in text for text in linked["asm"])
    # What was inlined comes from two lines.
    inner = line_of(TEXT, "return x * 2 + 1")
    (other,) = [i for i, (_, at) in enumerate(variant["places"]) if at == inner]
    optimized = next(level for level in variant["levels"] if level["name"] == "optimized")
    assert any({number, other} <= set(at) for at in optimized["at"])
    for level in variant["levels"]:
        assert len(level["lines"]) == len(level["at"])
        assert not any(re.search(r"\bloc\(", text) or "!dbg" in text or ".loc\t" in text for text in level["lines"])
    # Python: the functions that have such places, in order.
    (source,) = variant["sources"]
    assert [part["lines"][0] for part in source["parts"]] == ["@njit", '@njit(inline="never")', "@njit"]


def test_times(f):
    (variant,) = f.explain((F8, types.int64)).data["variants"]
    stages = list(dict.fromkeys(stage for stage, _, _ in variant["times"]))
    assert stages == "untyped typed optimized linalg target llvm llvm-ir llvm-ir-optimized asm".split()
    names = {name for _, name, _ in variant["times"]}
    assert {"pyarray-infer-types", "pyarray-lower", "InstCombinePass", "instructions"} <= names
    assert all(0 <= seconds < 60 for _, _, seconds in variant["times"])


def test_code_is_what_it_was(f):
    """Places are in no code, and what is compiled afterwards is what it was before."""
    signature = (F8, types.int64)
    before = f.inspect_asm(signature), f.inspect_llvm(signature)
    f.explain(signature)
    assert before == (f.inspect_asm(signature), f.inspect_llvm(signature)) and "!dbg" not in before[1]


def test_signatures():
    f = njit(lambda x: x + 1)
    with pytest.raises(ValueError, match="is not compiled for any signature yet"):
        f.explain()
    f(1)
    f(2.5)
    assert [one["signature"] for one in f.explain().data["variants"]] == [
        "(int64,) -> int64",
        "(float64,) -> float64",
    ]
    (one,) = f.explain("float32(float32)").data["variants"]
    assert one["signature"].startswith("(float32,)") and one["seconds"] is None
    assert len(f.signatures) == 2


def test_kernels():
    text = "@cuda.jit\ndef k(a):\n    i = cuda.grid(1)\n    if i < a.size:\n        a[i] = a[i] * 2\n"
    kernel = made(text, "k", cuda=cuda)
    (variant,) = kernel.explain((F8,)).data["variants"]
    ptx = next(level for level in variant["levels"] if level["name"] == "ptx")
    linked = [text for text, at in zip(ptx["lines"], ptx["at"]) if any(variant["places"][p][1] == 5 for p in at)]
    assert any("ld.global" in line for line in linked) and any("st.global" in line for line in linked)


# ------------------------------------------------------------------------------------------------
# The page


class Page(html.parser.HTMLParser):
    """Elements of a page, with their attributes and texts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open = [], {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.setdefault(self.open[-1] if self.open else None, []).append(data)


HOSTILE = "</script><img src=x onerror=alert(1)><!--\u2028 ]]> & \"quoted\" 'x'"


@pytest.fixture(scope="module")
def hostile():
    """A function whose file, name and texts try to be elements."""
    import linecache

    file = f"<{HOSTILE}>"
    text = f'def f(x):\n    s = """{HOSTILE.replace(chr(34), "")}"""\n    return x + len(s)  # {HOSTILE}\n'
    linecache.cache[file] = len(text), None, [line + "\n" for line in text.split("\n")], file
    space = {}
    exec(compile(text, file, "exec"), space)
    space["f"].__qualname__ = HOSTILE
    return njit(space["f"])


def test_one_file(f):
    explained = f.explain((F8, types.int64))
    page = Page(explained.html)
    assert not page.open or page.open == []
    for tag, attributes in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "base")
        assert not {"src", "href", "srcset"} & attributes.keys()
    (policy,) = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    own = explained.html.partition('<script type="application/json"')[0]
    assert not re.findall(r"https?:|//\w+\.\w+|@import|url\(", own)
    assert json.loads(page.texts["script"][0]) == explained.data


def test_hostile_texts(hostile):
    explained = hostile.explain((types.int64,))
    page = Page(explained.html)
    assert [tag for tag, _ in page.elements].count("script") == 2 and "img" not in [tag for tag, _ in page.elements]
    assert page.texts["title"] == [f"{HOSTILE}()"]
    data = json.loads(page.texts["script"][0])
    assert data == explained.data and data["name"] == HOSTILE and data["file"] == f"<{HOSTILE}>"
    (variant,) = data["variants"]
    assert any(HOSTILE in line for part in variant["sources"][0]["parts"] for line in part["lines"])
    (frame,) = Page(explained._repr_html_()).elements
    assert frame[0] == "iframe" and frame[1]["srcdoc"] == explained.html and frame[1]["sandbox"] == "allow-scripts"


def test_saved(f, tmp_path):
    explained = f.explain((F8, types.int64))
    assert (tmp_path / "page.html").exists() is False
    assert explained.save(tmp_path / "page.html") == tmp_path / "page.html"
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == explained.html
    assert repr(explained).startswith("<explanation of f()")


def browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


CHECK = """
<script>
const results = {}, event = k => new KeyboardEvent("keydown", {key: k, bubbles: true, cancelable: true});
const key = (k, target) => (target || document.body).dispatchEvent(event(k));
const rows = id => [...document.querySelectorAll("#" + id + " .row")];
const on = id => rows(id).filter(r => r.classList.contains("on"));
const text = row => row.children[1].textContent, pick = (id, part) => rows(id).find(r => text(r).includes(part));
try {
  results.name = document.getElementById("name").textContent;
  results.python = rows("python").map(text);
  pick("python", PART).click();
  results.forward = on("text1").map(text);
  results.code = on("text2").length;
  results.notes = document.getElementById("below").textContent;
  on("text1")[0].click();
  results.back = on("python").map(text);
  results.chips = [...document.querySelectorAll(".chip")].map(c => c.textContent);
  key("Escape");
  results.cleared = on("python").length + on("text1").length;
  key("j"); key("j"); key("k");
  results.moved = on("python").length;
  const before = document.getElementById("level1").value;
  key("]");
  results.level = [before, document.getElementById("level1").value];
  const dark = document.documentElement.classList.contains("dark");
  key("d");
  results.dark = document.documentElement.classList.contains("dark") !== dark;
  key("/");
  results.focus = document.activeElement.id;
  const search = document.getElementById("search");
  search.value = "func";
  search.dispatchEvent(new Event("input"));
  key("Enter", search);
  results.count = document.getElementById("count").textContent;
  search.blur();
  key("3");
  results.blocks = document.querySelectorAll(".block").length;
  const wide = () => Math.max(...[...document.querySelectorAll(".block")].slice(1).map(b => parseFloat(b.style.width)));
  [...document.querySelectorAll(".block")][1].click();
  results.zoomed = wide();
  key("2");
  results.all = document.getElementById("below").textContent;
  results.images = document.images.length;
  results.overflow = document.body.scrollWidth <= innerWidth;
} catch (error) { results.error = String(error.stack || error); }
const shown = document.createElement("pre");
shown.id = "results";
shown.textContent = JSON.stringify(results);
document.body.replaceChildren(shown);
</script>
"""


def in_browser(page, part, folder):
    checked = page.replace("</body>", CHECK.replace("PART", _explain._as_script(part)) + "</body>")
    (folder / "page.html").write_text(checked, encoding="utf-8")
    command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900", "--dump-dom",
               f"--user-data-dir={folder / 'profile'}", (folder / "page.html").as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = re.search(r'<pre id="results">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2000:] + done.stderr[-2000:]
    results = json.loads(html.unescape(found[1]))
    assert "error" not in results, results["error"]
    return results


@pytest.mark.skipif(browser() is None, reason="no Chromium")
def test_in_a_browser(f, tmp_path):
    results = in_browser(f.explain((F8, types.int64)).html, "helper(a[i])", tmp_path)
    assert results["name"] == "f()" and "def f(a, k):" in results["python"]
    assert any("pyarray.call @helper$0" in text for text in results["forward"]) and results["code"] > 0
    assert "helper() inlined" in results["notes"]
    assert results["back"] == [line for line in results["python"] if "helper(a[i])" in line]
    assert {"inlined", "allocated", "hoisted"} <= set(results["chips"])
    assert results["cleared"] == 0 and results["moved"] >= 1
    assert results["level"] == ["typed", "optimized"] and results["dark"] and results["focus"] == "search"
    assert re.fullmatch(r"1 of \d+", results["count"])
    assert results["blocks"] > 20 and results["zoomed"] > 99
    assert "memory for an array" in results["all"] and results["overflow"]


@pytest.mark.skipif(browser() is None, reason="no Chromium")
def test_hostile_texts_in_a_browser(hostile, tmp_path):
    results = in_browser(hostile.explain((types.int64,)).html, "return x", tmp_path)
    assert results["images"] == 0 and results["name"] == f"{HOSTILE}()"
    assert any(HOSTILE in line for line in results["python"])


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_script_is_javascript(f, tmp_path):
    script = f.explain((F8, types.int64)).html.rpartition("<script>")[2].partition("</script>")[0]
    (tmp_path / "page.js").write_text(script)
    subprocess.run(["node", "--check", str(tmp_path / "page.js")], check=True)


# ------------------------------------------------------------------------------------------------
# Places in texts


def test_places_of_mlir():
    lines, places = _explain_places.mlir("""#loc1 = loc("a \\22b\\22\\\\.py":3:1)
module {
  func.func @f(%arg0: f64 loc("a.py":3:1)) {
    %0 = x.for {
      %1 = x.y "loc(#loc1)" loc(#loc4)
    } loc(#loc2)
    x.z loc("b.py":7:2)
  } loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("name"(#loc1))
#loc3 = loc("c.py":9:9)
#loc4 = loc(callsite(#loc3 at #loc2))
#di_file = #llvm.di_file<"x" in "">
""")
    quoted = 'a "b"\\.py', 3
    assert lines[2] == "    %0 = x.for {" and lines[1] == "  func.func @f(%arg0: f64) {"
    assert places[2] == (quoted,) and places[4] == (quoted,)
    assert places[3] == (("c.py", 9), quoted)
    assert places[5] == (("b.py", 7),) and places[0] == ()
    assert len(lines) == 8


def test_places_of_llvm():
    lines, places = _explain_places.llvm("""define void @f() !dbg !4 {
  %1 = add i64 1, 2, !dbg !6
  ret void, !dbg !8
}
!1 = !DIFile(filename: "a.py", directory: "/x")
!4 = distinct !DISubprogram(name: "f, line: 7", scope: !1, file: !1, line: 2, unit: !0)
!5 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 0, unit: !0)
!6 = !DILocation(line: 5, column: 1, scope: !5, inlinedAt: !7)
!7 = distinct !DILocation(line: 3, column: 1, scope: !4)
!8 = !DILocation(line: 0, scope: !4)
""")
    assert lines == ["define void @f() {", "  %1 = add i64 1, 2", "  ret void", "}"]
    assert places == [(("/x/a.py", 2),), (("/x/a.py", 5), ("/x/a.py", 3)), (), ()]


def test_places_of_assembly():
    lines, places = _explain_places.assembly("""\t.text
f:
.Lfunc_begin0:
\t.cfi_startproc
\t.file\t1 "/x" "a.py"
\t.loc\t1 3 5 prologue_end
\tmovq\t%rax, %rbx
.LBB0_1:
\t.loc\t1 0 5
\taddq\t$1, %rax
g:
\tretq
""")
    shown = [line.split() for line in lines]
    assert shown == [
        [".text"],
        ["f:"],
        ["movq", "%rax,", "%rbx"],
        [".LBB0_1:"],
        ["addq", "$1,", "%rax"],
        ["g:"],
        ["retq"],
    ]
    assert [len(at) for at in places] == [0, 0, 1, 0, 1, 0, 0] and places[2] == (("/x/a.py", 3),)


# ------------------------------------------------------------------------------------------------
# Texts of inspect_mlir and inspect_types


def test_texts_show_as_they_are():
    f = njit(lambda x: x + 1)
    assert f.inspect_mlir() == {} and repr(f.inspect_mlir()) == "{}"
    f(1)
    text = f.inspect_mlir(2, (types.int64,))
    assert isinstance(text, str) and repr(text) == str(text) and text.startswith("module")
    found = f.inspect_mlir()
    assert found == {(types.int64,): text} and repr(found) == f"(int64)\n{'-' * 80}\n{text}"
    page = Page(found._repr_html_())
    assert not page.open and {tag for tag, _ in page.elements} == {"details", "summary", "code", "pre", "span"}
    shown = "".join(html.unescape("".join(Page(text._repr_html_()).texts[tag])) for tag in ("pre",))
    assert shown and "<" not in re.sub(r"</?(?:pre|span)[^>]*>", "", text._repr_html_())
    assert html.unescape(re.sub(r"</?(?:pre|span)[^>]*>", "", text._repr_html_())) == text


def test_pretty_types(hostile, capsys):
    f = njit(lambda x: x + 1)
    f(1)
    pretty = f.inspect_types(pretty=True)
    assert not capsys.readouterr().out and "x + 1" in repr(pretty)
    page = Page(pretty._repr_html_())
    assert not page.open and any("int64" in text for texts in page.texts.values() for text in texts)
    with pytest.raises(ValueError, match="`file` must be None"):
        f.inspect_types(file=capsys, pretty=True)
    shown = hostile.inspect_types(pretty=True, signature=(types.int64,))._repr_html_()
    assert "<img" not in shown and "img" not in [tag for tag, _ in Page(shown).elements]
