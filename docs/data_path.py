"""The function that docs/data-path.md follows, and a check that the page shows what the compiler makes of it.

    python docs/data_path.py          # the page is up to date, or exit code 1
    python docs/data_path.py --write  # brings it up to date
"""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).with_name("data-path.md")
SIGNATURE = "float64(float64[::1], int64)"


def scaled_sum(a, factor):  # noqa: D103
    total = 0.0
    for i in range(len(a)):
        total += a[i] * factor
    return total


def level_text(level):
    """IR of one level as the page shows it: without attributes of module and function and this file's folder."""
    source = ["--import-python", f"{__file__}:scaled_sum", "--signature", SIGNATURE]
    command = ["pyarray-translate", *source, "--to", level]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = text.replace(str(Path(__file__).parent) + "/", "")
    text = re.sub(r" attributes \{[^\n]*\} \{$", " {", text, flags=re.M)
    text = re.sub(r"^(module )attributes \{.*\} \{$", r"\1{", text, flags=re.M)
    return text.strip()


def current_page():
    """Return the page with every block that names a level made anew."""

    def block(match):
        return f"```mlir level={match[1]}\n{level_text(match[1])}\n```"

    return re.sub(r"```mlir level=([\w-]+)\n.*?```", block, PAGE.read_text(), flags=re.S)


def main():
    """Check or rewrite the page."""
    page = current_page()
    if "--write" in sys.argv:
        PAGE.write_text(page)
    elif page != PAGE.read_text():
        sys.exit(f"{PAGE} is not what the compiler does; run {Path(__file__).name} --write and look at the difference")
    else:
        print("data-path.md is up to date")


if __name__ == "__main__":
    main()
