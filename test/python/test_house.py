"""What the sources say of each other: names of operations, and what comments name."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = pathlib.Path(os.environ.get("PYARRAY_TEST_TOOLS") or ROOT / "build" / "bin")
# The name of an operation that is built or asked for, as text: of other dialects, and of ours where no table has it.
OPERATION = re.compile(r'\bpa_(?:op|value|op_is|unary|binary|convert)\(\s*[^",]+,\s*"(\w+\.[\w.]+)"')


def sources(*folders):
    """Path and text of what is written in these folders."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".cpp", ".td", ".def") and path.is_file():
                yield path, path.read_text()


def test_operations_that_are_built_are_registered():
    """One whose name is misspelt would be found only where it is built."""
    names = {name for _, text in sources("lib") for name in OPERATION.findall(text)}
    module = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in sorted(names))
    command = [TOOLS / "pyarray-opt", "--split-input-file", "-"]
    said = subprocess.run(command, input=module, capture_output=True, text=True).stderr
    assert len(names) > 100
    assert not re.findall(
        r"unregistered operation '[\w.]+'|unregistered dialect \('\w+'\)|Dialect `\w+' not found", said
    )


# Of other projects, and of examples.
ELSEWHERE = {
    *("floatobject.c", "mathmodule.c"),  # CPython
    *("mt19937ar.c", "mtgp32dc-param-11213.c", "e_log.c", "kmp.h", "cooperative_groups.h"),
    *("v.c", "self.h", "stats.h"),  # a value, an attribute, a header that is made
}
GENERATED = re.compile(r"pa_nvvm_(add|sub|mul|div|fma)_|pa_k\d")  # names in IR and PTX


def test_comments_name_what_is_there():
    """Functions and types that comments name exist, and files that comments and pages name."""
    written = list(sources("lib", "capi", "dialects", "python/ext"))
    code = "\n".join(re.sub(r"//.*", "", text) for _, text in written)
    known = set(re.findall(r"\bpa_\w+", code))
    folders = ("lib", "capi", "dialects", "python", "test", "docs", "tools", "cmake", "benchmarks", "examples", "build")
    files = {path.name for folder in folders for path in (ROOT / folder).rglob("*")} | ELSEWHERE
    pages = [*ROOT.glob("docs/*.md"), ROOT / "test" / "README.md", ROOT / "CONTRIBUTING.md"]
    missing = []
    for path, text in [*written, *((page, page.read_text()) for page in pages)]:
        for number, line in enumerate(text.splitlines(), 1):
            said = line if path.suffix == ".md" else line.partition("//")[2]
            names = {name for name in re.findall(r"\bpa_\w+\b(?!\*)", said) if path.suffix != ".md"} - known
            paths = set(re.findall(r"(?<![\w*}<.-])([\w-]+\.(?:c|h|cpp|td|def))\b(?![.(])", said)) - files
            names = {name for name in names if not GENERATED.match(name)}
            missing += [f"{path.relative_to(ROOT)}:{number}: {name}" for name in sorted(names | paths)]
    assert not missing, "\n".join(missing)


# What a header defines for each file that includes it; what a macro of that header makes has the macro's prefix.
STATIC = re.compile(r"^(?:static|INLINE)\b[^;={(]*?\b(\w+)\s*[(\[=;]", re.MULTILINE)
PREFIXED = re.compile(r"(?:pa|pyarray)_|[A-Z_]+$")


def unprefixed_statics(text):
    """Functions and variables that a header defines under a name that a file which includes it might use itself."""
    plain = re.sub(r"__attribute__\(\(\w+\)\)", "", text)
    return [name for name in STATIC.findall(plain) if not PREFIXED.match(name)]


def test_headers_define_nothing_without_prefix():
    assert unprefixed_statics("static inline int find(int x) { return x; }\nstatic const int64_t few[] = {1};") == [
        "find",
        "few",
    ]
    assert unprefixed_statics("INLINE __attribute__((cold)) char *at(void);\nstatic int count;") == ["at", "count"]
    assert not unprefixed_statics(
        "static inline int pa_find(int x) {\n  static int calls;\n}\nstatic int PA_NAME(x)(void);"
    )
    headers = [(path, text) for path, text in sources("lib", "capi", "python/ext") if path.suffix == ".h"]
    assert sum(len(STATIC.findall(text)) for _, text in headers) > 100
    bad = [f"{path.relative_to(ROOT)}: {name}" for path, text in headers for name in unprefixed_statics(text)]
    assert not bad, "\n".join(bad)
