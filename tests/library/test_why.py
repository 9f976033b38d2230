"""What is said of single moves where a looser sentence would be false or empty."""

from __future__ import annotations

import onlymove
import pytest


@pytest.mark.parametrize(
    ("game_id", "position", "move", "sentence"),
    [
        # The best of the other ways draws, and some of them lose.
        ("tobito", "..B/B.B/.T./..T/..T B", "c4a2+c3", "That jump draws at best wherever the jumped pawn is put."),
        ("orbito", "B.../.BB./..WW/B.WW W", "a4b4c4", "A marble on c4 draws at best, whatever is pushed."),
    ],
)
def test_a_sentence_says_no_more_than_is_true(game_id: str, position: str, move: str, sentence: str) -> None:
    game = onlymove.load(game_id)
    assert sentence in game.why(game.parse(position), move)
