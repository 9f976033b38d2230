"""`python -m onlymove` is the command `onlymove`."""

from __future__ import annotations

from onlymove_tui.__main__ import main

if __name__ == "__main__":
    main()
