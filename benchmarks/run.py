"""Every benchmark in one run, as ratios.

usage: python benchmarks/run.py [--write] [NAME ...]

NAME is one of operations, overhead, chain, network, large, lengths, imports; all of them by default. Libraries that
are not installed are left out. With --write the tables go into benchmarks/results.md too.
"""

from __future__ import annotations

import argparse
import os
import platform
from datetime import date
from importlib import metadata
from pathlib import Path

import backends
import large
import small
import startup

BENCHMARKS = {
    "operations": small.operations,
    "overhead": backends.overhead,
    "chain": small.chain,
    "network": small.network,
    "large": large.large,
    "lengths": large.lengths,
    "imports": startup.imports,
}
LIBRARIES = ("numpy", "torch", "autograd", "jax")


def versions() -> str:
    """What the figures were measured with."""
    found = [f"Python {platform.python_version()}"]
    for name in ("gradarray", *LIBRARIES):
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name} not installed, left out")
    return ", ".join([*found, f"{platform.machine()}, {os.cpu_count()} cores"])


def main() -> None:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results.md")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    print(versions() + "\n", flush=True)
    tables = []
    for name in options.names or BENCHMARKS:
        tables.append(BENCHMARKS[name]())
        print(tables[-1].text() + "\n", flush=True)
    if options.write:
        head = f"# Benchmarks\n\n{date.today()}: {versions()}. Made by `make bench BENCH=--write`."
        path = Path(__file__).with_name("results.md")
        path.write_text("\n\n".join([head, *[table.markdown() for table in tables]]) + "\n")


if __name__ == "__main__":
    main()
