"""The console script: `onlymove`, or `python -m onlymove_tui`."""

from __future__ import annotations

import sys

from onlymove_tables import kernel_cache


def main() -> None:
    """Run the command line and leave with its exit code."""
    kernel_cache.prepare()
    from onlymove_tui.cli import run  # noqa: PLC0415 - kernels must have a folder before anything imports one

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
