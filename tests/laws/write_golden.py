"""Writes the golden start pictures of games: run it after looking at what changed, then commit the files.

python -m tests.laws.write_golden [GAME ...]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from onlymove_engines import games
from onlymove_engines.core.scene import View


def main(chosen: Sequence[str]) -> None:
    """Two files a game, Unicode and ASCII; for every game unless some are named."""
    for game_id in chosen or [card.id for card in games.title_cards()]:
        game = games.load(game_id)
        folder = Path(__file__).parents[1] / "games" / games.title_card(game_id).drawer / "golden"
        folder.mkdir(exist_ok=True)
        for name, ascii_only in (("unicode", False), ("ascii", True)):
            text = game.painter.scene(View((game.default_start(),), ascii_only=ascii_only)).text()
            (folder / f"{game.id}.start.{name}.txt").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
