"""Runs the command `onlymove` for `python -m onlymove`, which trusts the folder in which it is started."""

from __future__ import annotations

from onlymove_tui.__main__ import main

if __name__ == "__main__":
    main()
