"""Writes the golden start pictures of every game: run it after looking at what changed, then commit the files.

python -m tests.laws.write_golden
"""

from __future__ import annotations

from pathlib import Path

from onlymove_engines import games
from onlymove_engines.core.scene import View


def main() -> None:
    """Two files a game: Unicode and ASCII."""
    for card in games.title_cards():
        game = games.load(card.id)
        folder = Path(__file__).parents[1] / "games" / card.drawer / "golden"
        folder.mkdir(exist_ok=True)
        for name, ascii_only in (("unicode", False), ("ascii", True)):
            text = game.painter.scene(View((game.default_start(),), ascii_only=ascii_only)).text()
            (folder / f"{game.id}.start.{name}.txt").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
