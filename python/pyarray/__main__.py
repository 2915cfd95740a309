"""``python -m pyarray cache info|clear``."""

import argparse

from . import _pyarray


def _size(count):
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.1f} {unit}" if unit != "bytes" else f"{count} bytes"
        count /= 1024
    return f"{count:.1f} GiB"


def _cache_info():
    info = _pyarray.cache_info()
    print(f"directory  {info['directory'] or '-'}")
    if not info["enabled"]:
        print(f"disabled   {info['reason']}")
        return
    print(f"entries    {info['entries']}")
    print(f"size       {_size(info['bytes'])} of {_size(info['limit'])}")


def _cache_clear():
    print(f"{_pyarray.cache_clear()} entries removed")


def main():
    """Run the command that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m pyarray")
    commands = parser.add_subparsers(dest="command", required=True)
    cache = commands.add_parser("cache", help="the disk cache of compiled code")
    cache.add_argument("action", choices=("info", "clear"))
    arguments = parser.parse_args()
    {"info": _cache_info, "clear": _cache_clear}[arguments.action]()


if __name__ == "__main__":
    main()
