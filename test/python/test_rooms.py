"""No room calls one that docs/rooms.md does not allow it: test/rooms.py."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test"))

import rooms  # noqa: E402

pytestmark = pytest.mark.skipif(not (shutil.which("nm") and shutil.which("cc")), reason="there is no nm or cc")

PAGE = """# Rooms

## lib/house

| room | what it does | may call |
|---|---|---|
| `low` | what all need | |
| `high` | the rest | `low` |
"""

FILES = {
    "low/low.h": "int low(void);\n",
    "low/low.c": '#include "low.h"\nint low(void) { return 1; }\n',
    "high/high.h": "int high(void);\n",
    "high/high.c": '#include "high.h"\n#include "low.h"\nint high(void) { return low(); }\n',
    "house.c": '#include "high.h"\n#include "low.h"\nint house(void);\nint house(void) { return high() + low(); }\n',
}


@pytest.mark.skipif(not (ROOT / "build" / "lib").is_dir(), reason="nothing is built")
def test_rooms_hold_their_direction():
    assert list(rooms.check(ROOT, ROOT / "build", (ROOT / "docs" / "rooms.md").read_text())) == []


@pytest.mark.parametrize("name", ["data-path.md", "rooms.md"])
def test_files_that_a_page_names_exist(name):
    """The rooms that the function of the README goes through, and the files in them."""
    page = (ROOT / "docs" / name).read_text()
    named = set(re.findall(r"`((?:\w+/)*\w+\.(?:c|h|def|py))`", page))
    files = [path.as_posix() for folder in ("lib", "python", "docs", "test") for path in (ROOT / folder).rglob("*.*")]
    assert named
    assert [path for path in named if sum(file.endswith("/" + path) for file in files) != 1] == []


def faults_of(tmp_path, page=PAGE, **changed):
    """The faults of a small house, without the path of its folder."""
    build, folder = tmp_path / "build", tmp_path / "lib" / "house"
    given = {name.replace("__", "/").replace("_c", ".c"): text for name, text in changed.items()}
    for name, text in {**FILES, **given}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in folder.rglob("*.c"):
        target = build / "lib" / "house" / "CMakeFiles" / "house.dir" / (str(path.relative_to(folder)) + ".o")
        target.parent.mkdir(parents=True, exist_ok=True)
        command = ["cc", "-c", f"-I{folder}/low", f"-I{folder}/high", path, "-o", target]
        subprocess.run(command, check=True)
    return [fault.replace(f"{tmp_path}/", "") for fault in rooms.check(tmp_path, build, page)]


def test_calls_of_rooms_above_are_no_faults(tmp_path):
    assert faults_of(tmp_path) == []


def test_an_include_that_runs_back(tmp_path):
    text = '#include "high.h"\nint low(void);\nint low(void) { return 1; }\n'
    assert faults_of(tmp_path, low__low_c=text) == ["lib/house/low/low.c:1: includes high/high.h"]


def test_a_call_that_runs_back(tmp_path):
    text = "int high(void);\nint low(void);\nint low(void) { return high(); }\n"
    assert faults_of(tmp_path, low__low_c=text) == ["lib/house/low/low.c: calls high of lib/house/high/high.c"]


def test_a_call_of_the_folder_itself_by_a_room(tmp_path):
    text = "int house(void);\nint low(void);\nint low(void) { return house(); }\n"
    assert faults_of(tmp_path, low__low_c=text) == ["lib/house/low/low.c: calls house of lib/house/house.c"]


def test_the_table_names_the_rooms_in_order(tmp_path):
    assert faults_of(tmp_path, PAGE.replace("| the rest | `low` |", "| the rest | `attic` |")) == [
        "lib/house/high: attic is not above it in the table"
    ]
    assert faults_of(tmp_path, PAGE + "| `cellar` | nothing | |\n") == [
        "lib/house/cellar: is in the table, and does not exist"
    ]


def test_nothing_built_is_a_fault(tmp_path):
    faults_of(tmp_path)
    faults = list(rooms.check(tmp_path, tmp_path / "elsewhere", PAGE))
    assert faults == [f"{tmp_path}/lib/house: there are no object files in {tmp_path}/elsewhere"]
