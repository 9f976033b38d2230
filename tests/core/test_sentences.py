"""Messages become full sentences. Quotations from the game or the system stay as they are."""

from __future__ import annotations

import pytest
from onlymove_engines.core.errors import as_sentence


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("the game is over", "The game is over."),
        ("unreachable: no game leads here", "Unreachable: no game leads here."),
        ("unknown game 'ches'. Did you mean 'chess'?", "Unknown game 'ches'. Did you mean 'chess'?"),
        ("saved to /home/ada/games.txt", "Saved to /home/ada/games.txt"),
        ("games are not saved: disk full (sorry)", "Games are not saved: disk full (sorry)."),
        ("b3 is empty: move one of your pawns", "b3 is empty: move one of your pawns."),
        ("old.txt: this game has no moves", "old.txt: this game has no moves."),
        ("--fresh needs a GAME", "--fresh needs a GAME."),
        ("onlymove needs Linux", "onlymove needs Linux."),
        ("open http://localhost:8000", "Open http://localhost:8000"),
        ("Solving the game...", "Solving the game..."),
        ("no such option. (Did you mean --seed?)", "No such option. (Did you mean --seed?)"),
        ("", ""),
    ],
)
def test_a_message_is_a_full_sentence(message: str, sentence: str) -> None:
    assert as_sentence(message) == sentence
    assert as_sentence(sentence) == sentence
