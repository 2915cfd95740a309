"""Rooms hold their direction: no file calls, or includes a header of, a room that docs/rooms.md does not allow it.

    python test/rooms.py [BUILD]

The tables of docs/rooms.md say which rooms a folder has, and which of them each may call. Includes are read in the
sources, calls in the object files of BUILD.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"^\| `(\w+)` \|.*\|(.*)\|$", re.MULTILINE)
SYMBOL = re.compile(r"^(?P<object>.*):(?: |[0-9a-f]+ )(?P<kind>[A-Za-z]) (?P<name>\w+)$", re.MULTILINE)


def read_tables(page):
    """Folder -> room -> the rooms that it may call."""
    tables = {}
    for section in page.split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        if rows := ROW.findall(text):
            tables[title.strip()] = {room: re.findall(r"`(\w+)`", calls) for room, calls in rows}
    return tables


def room_of(folder, path):
    """The room of a file below the folder; None for what lies in the folder itself."""
    parts = path.relative_to(folder).parts
    return parts[0] if len(parts) > 1 else None


def allowed(table, caller, called):
    """Whether a room may use another; what lies in the folder itself is above all."""
    return caller in (None, called) or called in table[caller]


def check_table(folder, table):
    """The table names the rooms that there are, and each calls those above it alone, so that there is no circle."""
    rooms = {path.name for path in folder.iterdir() if path.is_dir() and any(path.rglob("*.[ch]"))}
    yield from (f"{folder / room}: is not in the table" for room in sorted(rooms - table.keys()))
    yield from (f"{folder / room}: is in the table, and does not exist" for room in sorted(table.keys() - rooms))
    above = set()
    for room, calls in table.items():
        yield from (f"{folder / room}: {name} is not above it in the table" for name in calls if name not in above)
        above.add(room)


def find_header(headers, source, name):
    """The header of the folder that an include means, or None."""
    beside = (source.parent / name).resolve()
    if beside in headers:
        return beside
    parts = pathlib.PurePath(name).parts
    return next((header for header in headers if header.parts[-len(parts) :] == parts), None)


def check_includes(folder, table):
    """Each include of a header of a room that the including one may not call."""
    headers = [path.resolve() for path in sorted(folder.rglob("*")) if path.suffix in (".h", ".def")]
    for source in sorted(folder.rglob("*.[ch]")):
        caller = room_of(folder, source)
        for number, line in enumerate(source.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include "([^"]+)"', line)
            header = include and find_header(headers, source, include[1])
            called = header and room_of(folder.resolve(), header)
            if called and not allowed(table, caller, called):  # headers of the folder itself are everybody's
                yield f"{source}:{number}: includes {header.relative_to(folder.resolve())}"


def source_of(build, path):
    """The source of an object file of CMake's: lib/x/CMakeFiles/pa_x.dir/y/z.c.o -> lib/x/y/z.c."""
    before, _, rest = str(path.relative_to(build)).partition("/CMakeFiles/")
    return pathlib.Path(before, rest.partition("/")[2]).with_suffix("")


def read_symbols(build, objects):
    """Names that each source defines, and those that it refers to."""
    text = subprocess.run(["nm", "-A", "-g", *objects], check=True, capture_output=True, text=True).stdout
    defined, used = {}, []
    for match in SYMBOL.finditer(re.sub(r": +", ": ", text)):
        source = source_of(build, pathlib.Path(match["object"]))
        if match["kind"] in "Uw":
            used.append((source, match["name"]))
        else:
            defined[match["name"]] = source
    return defined, used


def check_calls(root, build, folder, table):
    """Each reference to a name of a room that the referring one may not call."""
    relative = folder.relative_to(root)
    sources = {path: source_of(build, path) for path in sorted((build / relative.parts[0]).rglob("*.c.o"))}
    # Others are left from before.
    objects = [path for path, source in sources.items() if relative in source.parents and (root / source).exists()]
    if not objects:
        yield f"{folder}: there are no object files in {build}"
        return
    defined, used = read_symbols(build, objects)
    for source, name in used:
        target = defined.get(name)
        if target and not allowed(table, room_of(relative, source), room_of(relative, target)):
            yield f"{source}: calls {name} of {target}"


def check(root, build, page):
    """All faults, as lines of text."""
    for name, table in read_tables(page).items():
        folder = root / name
        yield from check_table(folder, table)
        if all(called in table for calls in table.values() for called in calls):
            yield from check_includes(folder, table)
            yield from check_calls(root, build, folder, table)


def main():
    """Print the faults."""
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
    faults = list(check(ROOT, build, (ROOT / "docs" / "rooms.md").read_text()))
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
