"""Put faults into gradarray, one at a time, and see our own conformance tests fail.

    python conformance/blind_spots.py                the faults that the official suite lets pass
    python conformance/blind_spots.py --everything   a wrong value of every function, and every keyword ignored
    python conformance/blind_spots.py fft det:value  those whose text contains one of the words

For each fault the tests that are marked to cover the function run, until one fails; tests that fail without the fault
do not count. Prints a line for each fault, and exits with 1 if one survives.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import defaultdict
from pathlib import Path

# Before the tests are imported: the same examples in every run, and no search for small ones.
os.environ.setdefault("CI", "1")
os.environ["GRADARRAY_NO_SHRINK"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"

import pytest
from _pytest.runner import runtestprotocol


class Faults:
    """pytest plugin that runs the collected tests once for each fault in place of once."""

    def __init__(self, words: list[str], *, everything: bool) -> None:
        self.words = words
        self.everything = everything
        self.survivors: list[str] = []
        self.broken: list[str] = []
        self.tried = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        from conformance import _faults

        faults = _faults.everything() if self.everything else _faults.listed()
        faults = [fault for fault in faults if not self.words or any(word in str(fault) for word in self.words)]
        tests = defaultdict(list)
        for item in session.items:
            for name in {name for mark in item.iter_markers("covers") for name in mark.args}:
                tests[name].append(item)
        sound = {}
        for fault in faults:
            for item in tests[fault.function]:
                if item not in sound:
                    sound[item] = not self.fails(item)
                    if not sound[item]:
                        self.broken.append(item.nodeid)
        for fault in faults:
            started = time.monotonic()
            with _faults.put_in(fault):
                killer = next((item for item in tests[fault.function] if sound[item] and self.fails(item)), None)
            self.tried += 1
            if killer is None:
                self.survivors.append(str(fault))
            by = f"by {killer.nodeid.rpartition('/')[2]}" if killer else f"{len(tests[fault.function])} tests passed"
            print(f"{'killed  ' if killer else 'SURVIVED'} {fault!s:<40} {time.monotonic() - started:5.1f} s  {by}")
        return True

    @staticmethod
    def fails(item: pytest.Item) -> bool:
        # A test item can run again when its fixtures have been asked for again.
        if hasattr(item, "_initrequest"):
            item._initrequest()
        reports = runtestprotocol(item, nextitem=None, log=False)
        return any(report.failed for report in reports)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--everything", action="store_true", help="every function and keyword of the standard")
    parser.add_argument("words", nargs="*", help="only faults that contain one of these")
    options = parser.parse_args(arguments)
    plugin = Faults(options.words, everything=options.everything)
    here = Path(__file__).resolve().parent
    started = time.monotonic()
    options_of_pytest = [str(here), "-q", "-s", "-p", "no:cacheprovider", "--rootdir", str(here.parent)]
    code = pytest.main(options_of_pytest, plugins=[plugin])
    print(f"\n{plugin.tried} faults, {len(plugin.survivors)} survived ({time.monotonic() - started:.0f} s)")
    for name in plugin.survivors:
        print(f"  survived: {name}")
    for name in plugin.broken:
        print(f"  fails without a fault, and so does not count: {name}")
    return 0 if plugin.tried and not plugin.survivors and code == pytest.ExitCode.OK else 1


if __name__ == "__main__":
    sys.exit(main())
