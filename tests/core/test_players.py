"""Players as text: what is read, what is written back, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from onlymove_engines.core.facts import Level, parse_facts
from onlymove_engines.core.game import Style, alike
from onlymove_engines.play.players import BadPlayer, Player, PlayerKind, format_player, get_level, read_player

from tests.heap_game import heap_game

BOLD: Style[tuple[int, int], int] = Style("bold", "Bold", "takes much", lambda turn: alike(turn.analysis.moves))
NOVICE = Level("novice", "Novice", "bold", 20, 0, 0)
MASTER = Level("master", "Master", "exact", 100, 410, 25)
PLAIN = heap_game()
GAME = replace(
    PLAIN,
    play=replace(PLAIN.play, styles=(*PLAIN.play.styles, BOLD)),
    facts=replace(PLAIN.facts, levels=(NOVICE, MASTER)),
)


@pytest.mark.parametrize(
    ("text", "style", "strength"),
    [
        ("exact", "exact", 100),
        ("bold@80", "bold", 80),
        ("bold@0", "bold", 0),
        ("bold@100", "bold", 100),
        ("random", "exact", 0),
        ("novice", "bold", 20),
        ("Novice", "bold", 20),
        ("master", "exact", 100),
    ],
)
def test_a_player_is_read_and_spelled_so_that_it_plays_the_same(text: str, style: str, strength: int) -> None:
    player = read_player(GAME, text)
    assert player == Player(PlayerKind.ENGINE, style, strength)
    again = read_player(GAME, format_player(GAME, player))
    assert (again.style, again.strength) == (style, strength) or again.strength == strength == 0


def test_equal_players_have_the_same_text() -> None:
    assert (
        format_player(GAME, Player(PlayerKind.ENGINE)) == format_player(GAME, read_player(GAME, "exact@100")) == "exact"
    )
    assert format_player(GAME, read_player(GAME, "bold@0")) == "random"
    assert (
        format_player(replace(GAME, play=replace(GAME.play, styles=())), Player(PlayerKind.ENGINE, "", 40))
        == "exact@40"
    )


def test_an_engine_knows_its_level() -> None:
    assert get_level(GAME, Player(PlayerKind.ENGINE)) == MASTER
    assert get_level(GAME, read_player(GAME, "bold@20")) == NOVICE
    assert get_level(GAME, read_player(GAME, "bold@21")) is None


@pytest.mark.parametrize(
    "text", ["", "wild", "bold@", "bold@101", "bold@-1", "bold@²", "bold@5.0", "@50", "novice@50", "random@5"]
)
def test_an_unknown_player_is_refused_in_one_line_with_the_choices(text: str) -> None:
    with pytest.raises(BadPlayer) as refused:
        read_player(GAME, text)
    assert str(refused.value) == (
        f"Heap has no player '{text}'; choose from exact, bold (add @0 to @100 for its strength), random, "
        "and the levels novice, master"
    )
    with pytest.raises(BadPlayer, match=r"random$"):
        read_player(PLAIN, text)


def test_levels_are_read_from_the_facts() -> None:
    entry = {"id": "heap", "title": "Heap", "pitch": "", "solved": "", "order": 1}
    assert parse_facts(entry, "heap").levels == ()
    level = {"id": "novice", "title": "Novice", "style": "bold", "strength": 20, "elo": 0, "error": 0}
    assert parse_facts({**entry, "level": [level]}, "heap").levels == (NOVICE,)
