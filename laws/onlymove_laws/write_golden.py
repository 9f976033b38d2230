"""Writes the golden start pictures of games. Run it after looking at what changed, and then commit the files.

python -m onlymove_laws.write_golden [GAME ...]

The pictures of another package's game go into the folder `tests/golden` of the current folder.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import LARGEST, View

from .law import ADDED_TESTS, find_test_folder

CHARACTERS = (("unicode", False), ("ascii", True))


def find_golden_folder(game: AnyGame) -> Path:
    return find_test_folder(game) / "golden"


def draw_starts(game: AnyGame) -> dict[str, str]:
    """Draw the start position in Unicode and in ASCII, at scale 1 and at each scale at which the picture is larger.
    Return the pictures by file name."""
    pictures: dict[str, str] = {}
    for name, ascii_only in CHARACTERS:
        size = (0, 0)
        for scale in range(1, LARGEST + 1):
            scene = game.painter.scene(View((game.default_start(),), ascii_only=ascii_only, scale=scale))
            if (scene.width, scene.height) != size:
                size = (scene.width, scene.height)
                suffix = "" if scale == 1 else f".{scale}"
                pictures[f"{game.id}.start.{name}{suffix}.txt"] = scene.text()
    return pictures


def main(chosen: Sequence[str]) -> None:
    """Write the pictures of all games, or of the named games, and remove pictures that are no longer drawn."""
    ADDED_TESTS.append(Path.cwd() / "tests")
    for game in map(games.load, chosen or [facts.id for facts in games.list_own_games()]):
        folder = find_golden_folder(game)
        folder.mkdir(parents=True, exist_ok=True)
        pictures = draw_starts(game)
        for stale in set(folder.glob(f"{game.id}.start.*.txt")) - {folder / name for name in pictures}:
            stale.unlink()
        for name, text in pictures.items():
            (folder / name).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
