"""How the examples draw: ``python examples/<name>.py --plot FILE``, with matplotlib, which nothing else here needs."""

import argparse
import sys


def save_plot(draw, file, dpi=120):
    """Let ``draw(figure)`` fill a matplotlib figure, and write it; the file's name says whether as PNG, SVG or PDF."""
    try:
        from matplotlib.figure import Figure  # as pyplot is not used, no display is needed
    except ImportError:
        sys.exit("--plot needs matplotlib, which is not installed: python -m pip install matplotlib")
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    draw(figure)
    figure.savefig(file, dpi=dpi)
    print(f"Picture written to {file}")


def run(main, draw):
    """Run an example as a program: print what it has to show, and draw it if the command line says so."""
    parser = argparse.ArgumentParser(description=main.__globals__["__doc__"])
    parser.add_argument("--plot", metavar="FILE", help="draw a picture (.png, .svg, .pdf); needs matplotlib")
    file = parser.parse_args().plot
    main()
    if file:
        save_plot(draw, file)
