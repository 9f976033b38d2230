"""Sentences about single moves for which a looser sentence would be false or empty."""

from __future__ import annotations

import onlymove
import pytest


@pytest.mark.parametrize(
    ("game_id", "position", "move", "sentence"),
    [
        # The best of the other ways only draws, and some lose.
        ("tobito", "..B/B.B/.T./..T/..T B", "c4a2+c3", "That jump draws at best wherever the jumped pawn is put."),
        (
            "orbito",
            "B.../.BB./..WW/B.WW W",
            "a4b4c4",
            "Placing a marble on c4 draws at best, whichever marble moves first.",
        ),
        # The move is good if only one of the jumped pieces is put elsewhere.
        (
            "haneto",
            ".T./.T./.N./BBB/T.. T",
            "b5b1+a5*c3",
            "The jump was right, but the neutral pawn belongs elsewhere.",
        ),
        ("haneto", "T../TB./N../BBT/... T", "a4a1+b5*c4", "The jump was right, but Bottom's pawn belongs elsewhere."),
        (
            "tobito",
            ".B./.../T.B/T../BT. B",
            "a1a4+b2+b3",
            "The jump was right, but one of the jumped pawns belongs elsewhere.",
        ),
        # After a pass, the other side could only have drawn.
        ("tobito", "..B/.../.B./BT./T.T T", "b2a3", "Before this move, Bottom could only hope for a draw."),
        # The other side wins in 7 moves.
        (
            "tobito",
            "..B/.BT/..T/.B./T.. B",
            "b4a4",
            "Bottom threatens to win in 5 moves, but Top can stop it and win.",
        ),
        # The marble from b3 would have come to row 2 without the push, too.
        (
            "orbito",
            "B.WB/W.B./W..B/.WBW W",
            "c3b3b4",
            "The shift puts three Black marbles in row 2; a1b1b3 adds the fourth.",
        ),
        ("tobito", ".B./.../TB./.T./.TB T", "b2b4+a5", "Of the 2 replies, only c1c2 does not lose."),
        ("pokemon", "xAC/Abc/BcB 000001 2", "C@A3", "This ends the game in a draw: no piece can be placed."),
        (
            "ayoayo",
            "1,13,2,0,0,1/0,0,0,1,0,2 4-24 0",
            "2",
            "This ends the game, and Second wins: more than half of the seeds.",
        ),
    ],
)
def test_a_sentence_says_no_more_than_is_true(game_id: str, position: str, move: str, sentence: str) -> None:
    game = onlymove.load(game_id)
    assert sentence in game.why(game.parse(position), move)


def test_a_part_that_all_moves_share_is_not_called_right() -> None:
    """Top has only one pawn that can move."""
    game = onlymove.load("tobito")
    assert not any("right pawn" in sentence for sentence in game.why(game.parse(".BB/T../..T/.../B.T B"), "a1b1"))
