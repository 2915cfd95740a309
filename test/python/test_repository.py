"""The top of the repository: one version, the licences of what is passed on, links that lead somewhere."""

import os
import pathlib
import re
import subprocess
import sys
import tomllib
import zipfile

import pyarray
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = pathlib.Path(os.environ.get("PYARRAY_TEST_TOOLS") or ROOT / "build" / "bin")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_version_is_that_of_cmake():
    written = re.search(r"project\(pyarray VERSION ([0-9.]+) ", (ROOT / "CMakeLists.txt").read_text()).group(1)
    assert pyarray.__version__ == written
    shown = subprocess.check_output([TOOLS / "pyarray-opt", "--version"], text=True)
    assert shown.startswith(f"pyarray-opt {written} ")


def test_a_wheel_reads_it_there():
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    source = PROJECT["tool"]["scikit-build"]["metadata"]["version"]
    found = re.search(source["regex"], (ROOT / source["input"]).read_text(), re.MULTILINE)
    assert found.group("value") == pyarray.__version__


@pytest.mark.parametrize("file", ["python/pyarray/__init__.py", "CITATION.cff", "README.md", "pyproject.toml"])
def test_it_is_written_once(file):
    assert pyarray.__version__ not in (ROOT / file).read_text()


def test_licence_files():
    files = [path for pattern in PROJECT["project"]["license-files"] for path in ROOT.glob(pattern)]
    assert {path.name for path in files} == {"LICENSE", "THIRD-PARTY-NOTICES.txt", "NVIDIA-CUDA-EULA.txt"}
    licence = (ROOT / "LICENSE").read_text()
    assert "Apache License" in licence and "LLVM Exceptions to the Apache 2.0 License" in licence


@pytest.mark.parametrize(
    "name", ["LLVM", "Sobol", "MTGP32", "libomp", "Zstandard", "zlib", "xxHash", "libdevice", "libstdc++", "Unicode"]
)
def test_what_is_passed_on_has_its_notice(name):
    assert name in (ROOT / "THIRD-PARTY-NOTICES.txt").read_text()


def test_the_public_ci_runs_the_same():
    assert "run: .ci/run" in (ROOT / ".github" / "workflows" / "ci.yml").read_text()


def anchors(page):
    """The names of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "test" / "README.md"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target, anchor in re.findall(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)", text):
        other = page.parent / target if target else page
        assert other.exists(), target
        assert not anchor or anchor in anchors(other), (target, anchor)


def test_slow_files_are_there():
    for name in (ROOT / "test" / "python" / "slow_files.txt").read_text().split():
        assert (ROOT / "test" / "python" / name).exists(), name


def test_effects_of_every_builtin():
    """Each rule that lowers builtins has its row of effects: one without may do everything."""
    builtins = (ROOT / "lib/ir/builtins.def").read_text()
    rules = {rule for _, rule in re.findall(r", (\w+|CAST_##rule), ([A-Z_0-9]+), [\"ts]", builtins)}
    effects = (ROOT / "lib/ir/builtin_effects.def").read_text()
    listed = set(re.findall(r"^PA_LOWERING_EFFECTS\((\w+),", effects, re.MULTILINE))
    assert rules > {"MATH", "LIST_APPEND", "TEXT", "CAST"}
    assert rules - listed == {"LIBRARY", "NONE"}  # of these no operation is left behind type inference
    assert listed <= rules
    names = set(re.findall(r"^PA_BUILTIN_EFFECTS\(\"([\w.]+)\"", effects, re.MULTILINE))
    assert all(f'"{name}"' in builtins or f'PA_INTRINSIC("{name.rsplit(".", 1)[1]}"' in builtins for name in names)


def test_rules_of_builtins():
    """Each rule of builtin_rules.def has its function in one of the tables, or is among those that need none."""
    text = (ROOT / "lib/ir/builtin_rules.def").read_text()
    for kind, folder in (("TYPING", "typing"), ("LOWERING", "lower")):
        rules = set(re.findall(rf"^PA_{kind}\((?:\w+, )?(\w+)\)", text, re.MULTILINE))
        sources = [path.read_text() for path in (ROOT / "lib/passes" / folder).rglob("*.c")]
        there = [rule for source in sources for rule in re.findall(rf"\{{PA_{kind}_(\w+), \w+\}}", source)]
        needless = re.search(rf"^// Of these .*: (.*)\.\nPA_{kind}\(", text, re.MULTILINE)[1].split(", ")
        assert sorted(rules) == sorted([*there, *needless]), kind


def test_wheel_of_the_tools(tmp_path):
    """Of two programs that stand for them: pip installs it, and its commands run them with their arguments."""
    (tmp_path / "bin").mkdir()
    for tool in ("pyarray-opt", "pyarray-translate"):
        (tmp_path / "bin" / tool).write_bytes(pathlib.Path("/bin/echo").read_bytes())
    making = [sys.executable, ROOT / "tools" / "make_tools_wheel.py", tmp_path, tmp_path / "dist"]
    subprocess.run(making, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob(f"pyarray_tools-{pyarray.__version__}-py3-none-linux_*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        names = archive.namelist()
    record = (tmp_path / "site" / f"pyarray_tools-{pyarray.__version__}.dist-info" / "RECORD").read_text()
    assert sorted(line.split(",")[0] for line in record.splitlines()) == sorted(names)
    for tool in (tmp_path / "site" / "pyarray_tools" / "bin").iterdir():
        tool.chmod(0o755)
    code = "import sys; sys.argv[1:] = ['--version', 'x']; import pyarray_tools; pyarray_tools.opt()"
    shown = subprocess.check_output([sys.executable, "-c", code], env={"PYTHONPATH": str(tmp_path / "site")}, text=True)
    assert shown.startswith(("--version x", "echo"))
