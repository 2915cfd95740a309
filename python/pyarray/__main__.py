"""``python -m pyarray``: ``-s``, ``cache``, ``explain``."""

import argparse
import os
import sys

# ------------------------------------------------------------------------------------------------
# cache


def _size(count):
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.1f} {unit}" if unit != "bytes" else f"{count} bytes"
        count /= 1024
    return f"{count:.1f} GiB"


_AGES = (("an hour", 3600), ("a day", 86400), ("a week", 7 * 86400), ("30 days", 30 * 86400))


def _age(seconds):
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(seconds, 0):.0f} seconds"


def _entries(directory):
    """(key, size, seconds since it was used) of each entry, the latest first."""
    import pathlib
    import time

    now = time.time()
    found = []
    for path in pathlib.Path(directory).glob("??/*.pac"):
        try:
            state = path.stat()
        except OSError:
            continue  # another process has removed it
        found.append((path.stem, state.st_size, now - state.st_mtime))
    return sorted(found, key=lambda entry: entry[2])


def _table(rows, heads):
    """Rows of text in columns, the first to the left and the others to the right."""
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    for row in (heads, *rows):
        cells = [text.rjust(width) for text, width in zip(row, widths)]
        print("  ".join((row[0].ljust(widths[0]), *cells[1:])).rstrip())


def _cache_info(arguments):
    from . import _pyarray

    info = _pyarray.cache_info()
    print(f"directory  {info['directory'] or '-'}")
    if not info["enabled"]:
        print(f"disabled   {info['reason']}")
        return
    print(f"entries    {info['entries']}")
    print(f"size       {_size(info['bytes'])} of {_size(info['limit'])}")
    entries = _entries(info["directory"])
    if not entries:
        return
    rows, before = [], 0
    for name, limit in (*_AGES, ("", float("inf"))):
        part = [size for _, size, age in entries if before <= age < limit or (before == 0 and age < 0)]
        rows.append((f"within {name}" if name else "longer ago", str(len(part)), _size(sum(part))))
        before = limit
    print()
    _table(rows, ("last used", "entries", "size"))


def _cache_list(arguments):
    from . import _pyarray

    info = _pyarray.cache_info()
    entries = _entries(info["directory"]) if info["enabled"] else []
    rows = [(key, _size(size), _age(age)) for key, size, age in entries[: arguments.count]]
    _table(rows, ("entry", "size", "last used before"))
    if len(entries) > len(rows):
        print(f"... and {len(entries) - len(rows)} more; -n {len(entries)} shows all")


def _cache_clear(arguments):
    from . import _pyarray

    print(f"{_pyarray.cache_clear()} entries removed")


def _cache(arguments):
    {"info": _cache_info, "list": _cache_list, "clear": _cache_clear}[arguments.action](arguments)
    return 0


# ------------------------------------------------------------------------------------------------
# explain


def _write(path, text):
    if path == "-":
        print(text)
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"written: {path}", file=sys.stderr)


def _explain_function(target, name, arguments):
    from . import errors
    from ._survey import function_of

    try:
        function = function_of(target, name)
        made = function.explain(arguments.signature)
    except (errors.PyArrayError, ValueError, TypeError, AttributeError, OSError, ImportError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    if arguments.json is not None:
        import json

        _write(arguments.json, json.dumps(made.data, indent=1))
    if arguments.json is None or arguments.html is not None:
        _write(arguments.html or f"{name}.html", made.html)
    return 0


def _explain_all(arguments):
    from ._survey import as_text, survey

    try:
        found = survey(arguments.target, arguments.run)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    if arguments.json is not None:
        import json

        _write(arguments.json, json.dumps(found, indent=1))
    if arguments.html is not None:
        from ._explain import page

        _write(arguments.html or "report.html", page("report", arguments.target, found))
    if arguments.json is None and arguments.html is None:
        print(as_text(found), end="")
    refused = any(result["state"] == "refused" for one in found["functions"] for result in one["results"])
    return 1 if refused or found["problems"] else 0


def _explain(arguments):
    # Compile times are those of compiling.
    os.environ.setdefault("PYARRAY_CACHE", "0")
    # "file.py:function", where a path may have colons of its own
    target, colon, name = arguments.target.rpartition(":")
    if colon and not os.path.exists(arguments.target) and name.replace(".", "").isidentifier():
        return _explain_function(target, name, arguments)
    return _explain_all(arguments)


# ------------------------------------------------------------------------------------------------


def _system():
    from ._system import as_text, report

    print(as_text(report()), end="")
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m pyarray")
    parser.add_argument("-s", "--sysinfo", action="store_true", help="what a report of a defect needs of the system")
    commands = parser.add_subparsers(dest="command")
    cache = commands.add_parser("cache", help="the disk cache of compiled code")
    cache.add_argument("action", nargs="?", default="info", choices=("info", "list", "clear"))
    cache.add_argument("-n", dest="count", type=int, default=20, help="entries that list shows, the latest first")
    cache.set_defaults(run_command=_cache)
    explain = commands.add_parser(
        "explain",
        help="how a function is compiled, or what of a file or package is",
        description="file.py:function writes an HTML page that shows the function at every level. A file, a folder or "
        "a module alone gives a report of all its compiled functions and of what is refused. The file is imported.",
    )
    explain.add_argument("target", help="file.py:function, module:function, file.py, a folder or a module")
    explain.add_argument("signature", nargs="?", help="of the function: 'float64(float64[:])' or '(float64[:],)'")
    explain.add_argument("--html", "-o", nargs="?", const="", metavar="PATH", help="write HTML; - is standard output")
    explain.add_argument("--json", nargs="?", const="-", metavar="PATH", help="write the same as JSON")
    explain.add_argument(
        "--run", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="run the file with these arguments, and report the "
        "signatures that its calls have"
    )  # fmt: skip
    explain.set_defaults(run_command=_explain)
    return parser


def main():
    """Run the command that the arguments name; gives the exit status."""
    parser = _parser()
    arguments = parser.parse_args()
    if arguments.sysinfo:
        return _system()
    if not arguments.command:
        parser.error("a command is needed: cache, explain, or -s")
    return arguments.run_command(arguments)


if __name__ == "__main__":
    sys.exit(main())
