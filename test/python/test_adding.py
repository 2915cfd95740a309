"""docs/adding-an-op.md and docs/adding-a-pass.md: what they say is done to a copy of the sources, which compiles."""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build"
sys.path.insert(0, str(ROOT / "docs"))

import page_code  # noqa: E402

PAGES = {name: (ROOT / "docs" / name).read_text() for name in ("adding-an-op.md", "adding-a-pass.md")}
COMMANDS = BUILD / "compile_commands.json"
needs_build = pytest.mark.skipif(not COMMANDS.exists(), reason="nothing is built")


@pytest.mark.parametrize("name", PAGES)
def test_files_that_a_page_names_exist(name):
    new = [path for path, line, _ in page_code.blocks(PAGES[name]) if not line]
    named = re.findall(r"`((?:lib|dialects|docs|test|python|capi)/[\w./-]+)`", PAGES[name])
    assert named
    assert [path for path in named if path not in new and not (ROOT / path).exists()] == []


def test_the_row_of_a_builtin_is_the_table_s():
    (row,) = re.findall(r"^PA_BUILTIN.*$", PAGES["adding-an-op.md"], re.MULTILINE)
    assert row in (ROOT / "lib" / "ir" / "builtins.def").read_text().splitlines()


@pytest.fixture(scope="module", params=PAGES)
def copy(request, tmp_path_factory):
    """A copy of the sources after the page, and the files that it changed."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("lib", "dialects"):
        shutil.copytree(ROOT / name, folder / name)
    blocks = page_code.blocks(PAGES[request.param])
    for path, line, code in blocks:
        text = page_code.insert((folder / path).read_text(), line, code) if line else code
        (folder / path).write_text(text)
    return folder, sorted({path for path, _, _ in blocks})


def check_syntax(folder, path):
    """Compile a file of the copy as the build compiles it, or one beside it."""
    entries = {entry["file"]: entry for entry in json.loads(COMMANDS.read_text())}
    beside = next(file for file in entries if pathlib.Path(file).parent == (ROOT / path).parent and file.endswith(".c"))
    source = str(ROOT / path) if str(ROOT / path) in entries else beside
    words = shlex.split(entries[source]["command"])
    left_out = ("-c", "-o", "-MF", "-MD", "-MT", source)
    flags = [word for word in words if word not in left_out and not word.endswith(("ccache", ".o", ".o.d"))]
    flags = [flag.replace(f"-I{ROOT}/lib", f"-I{folder}/lib") for flag in flags]
    command = [flags[0], f"-I{folder}/lib", *flags[1:], "-Werror", "-fsyntax-only", folder / path]
    done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@needs_build
def test_what_a_page_adds_compiles(copy):
    folder, changed = copy
    sources = [path for path in changed if path.endswith(".c")]
    assert sources
    if "lib/ir/ops.def" in changed:
        sources.append("lib/ir/build.c")
    for path in sources:
        check_syntax(folder, path)


@needs_build
def test_an_operation_is_defined(copy):
    folder, changed = copy
    if not any(path.endswith(".td") for path in changed):
        pytest.skip("the page defines no operation")
    tools = pathlib.Path((BUILD / "llvm-tools.txt").read_text().strip())
    headers = subprocess.run([tools / "llvm-config", "--includedir"], check=True, capture_output=True, text=True)
    dialect = folder / "dialects" / "pyarray"
    command = [tools / "mlir-tblgen", "-gen-op-decls", "-I", headers.stdout.strip(), "-I", dialect]
    command.append(dialect / "PyArrayOps.td")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "class IsNanOp" in done.stdout
    assert '"pyarray.is_nan"' in done.stdout


def test_a_pass_is_a_row(copy):
    folder, changed = copy
    if "lib/passes/passes.def" not in changed:
        pytest.skip("the page adds no pass")
    rows = re.findall(r"^PA_PASS\((\w+), (\w+)\)$", (folder / "lib/passes/passes.def").read_text(), re.MULTILINE)
    assert ("optimize", "limit_loops") in rows
    assert [row for row in rows if not (folder / "lib/passes" / row[0] / f"{row[1]}.c").exists()] == []
