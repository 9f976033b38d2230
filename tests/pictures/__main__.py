"""Renders the pictures of README and docs: look at them, then commit them.

`make pictures` runs it, `python -m tests.pictures [NAME ...]` by hand; `--to FOLDER` leaves docs/pictures alone.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from onlymove_tables.kernels import prepare

from .shots import GALLERY, list_shots, picture


def main() -> None:
    """Write all pictures, or the named ones. Without names, remove pictures that are no longer listed."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("names", nargs="*", metavar="NAME")
    ask.add_argument("--to", type=Path, default=GALLERY, metavar="FOLDER")
    wanted = ask.parse_args()
    prepare()
    wanted.to.mkdir(parents=True, exist_ok=True)
    listed = {shot.name: shot for shot in list_shots()}
    for name in wanted.names or listed:
        (wanted.to / f"{name}.svg").write_text(asyncio.run(picture(listed[name])), "utf-8")
    if not wanted.names:
        for stale in {file.stem for file in wanted.to.glob("*.svg")} - listed.keys():
            (wanted.to / f"{stale}.svg").unlink()


if __name__ == "__main__":
    main()
