"""Run every Python block of documentation pages and compare what the examples print.

usage: python docs/check.py [PAGE.md ...]     (all pages and the README by default)

The blocks of a page share their names, in order. A block with prompts is a doctest; any other is just run.
"""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGES = sorted([HERE.parent / "README.md", *HERE.glob("*.md")])
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def check(page: Path) -> int:
    """Run one page; the number of examples that failed. An error in a block without prompts is raised."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    failed = 0
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    for match in FENCE.finditer(text):
        block, line = match[1], text[: match.start(1)].count("\n")
        if ">>>" in block:
            example = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
            failed += runner.run(example, clear_globs=False).failed
            names = example.globs
        else:
            exec(compile("\n" * line + block, str(page), "exec"), names)
    return failed


def main() -> None:
    """Run the pages named on the command line."""
    failures = sum(check(page) for page in [Path(name) for name in sys.argv[1:]] or PAGES)
    sys.exit(f"{failures} examples failed" if failures else 0)


if __name__ == "__main__":
    main()
