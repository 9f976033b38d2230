"""How heat is shown to players: beside which moves, in which order, what it means, and whether it fits."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.analysis import Analysis, Measuring
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Outcome
from onlymove_engines.games.tobito.analyst import HEAT
from onlymove_engines.games.tobito.rules import Move, Position
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import AnySession, Session
from onlymove_laws.law import find_shared_analyst
from onlymove_tui.app.panels.value_rows import MAX_LEADS, WORDY, move_value_rows
from onlymove_tui.play.line_mode import LineMode, Voice

CROWDED = "T.T/T.B/B../..B/... T"
"""A position in which all 29 moves keep the value."""
OUT = "b5b4", "b1b2"
TO_AND_FRO = "b4a4", "b2a2", "a4b4", "a2b2"
"""Moves of both sides that lead back to the same position."""


def live_of(game: AnyGame, start: str = "", moves: Iterable[str] = ()) -> LiveGame:
    """Return a game with these moves, in which the values at the current position are known."""
    position = game.notation.parse_position(start) if start else game.default_start()
    session: AnySession = Session(game, position, (HUMAN, HUMAN))
    for text in moves:
        session.play(game.notation.parse_move(session.position, text))
    live = LiveGame(session, Coaching(), training=False)
    live.set_analyst(find_shared_analyst(game.id))
    find_values(live)
    return live


def find_values(live: LiveGame) -> Analysis[Move]:
    """Find the values at the current position."""
    question = live.prepare_question()
    assert question is not None
    live.store_values(live.node, question(LineMode(live, Voice(print, lambda: 0.0)).budget()))
    values = live.node.values
    assert isinstance(values, Analysis)
    return values


def measure_heats(game: AnyGame, position: Position) -> tuple[float, float]:
    """Return both sides' heat as players see it."""
    found = HEAT.of(find_shared_analyst(game.id), position)
    assert found is not None, game.notation.format_position(position)
    return found


def rows(live: LiveGame, width: int) -> list[str]:
    """Return the table of all moves in this many columns."""
    return ["".join(text for text, _ in row) for row in move_value_rows(live, live.node, live.node.values, width, None)]


def test_what_is_shown_is_what_json_has(tobito: AnyGame) -> None:
    analyst, position = find_shared_analyst(tobito.id), tobito.notation.parse_position(CROWDED)
    assert isinstance(analyst, Measuring)
    assert (
        dict(zip(("top", "bottom"), measure_heats(tobito, position), strict=True)) == analyst.measures(position)["heat"]
    )


def test_heat_is_the_same_in_every_image(game: AnyGame) -> None:
    index, random = game.solved.index, Random(16)
    assert index is not None
    for number in random.sample(range(index.size), 40):
        try:
            position = index.position(number)
        except ValueError:
            continue
        for symmetry in game.solved.symmetries:
            image = measure_heats(game, symmetry.position(position))
            assert image == measure_heats(game, position)[:: -1 if symmetry.swaps_seats else 1], symmetry.name


def test_moves_that_hold_a_draw_stand_by_heat_and_no_others(game: AnyGame) -> None:
    random, drawn, others = Random(16), 0, 0
    live = live_of(game)
    for _ in range(40):
        values, seat = (
            find_values(live) if live.node.values is None else live.node.values,
            live.session.position.to_move,
        )
        assert isinstance(values, Analysis)
        leads, top, keeping = live.find_leads(live.node), values.best_value(), values.list_good_moves()
        if top is not None and top.outcome is Outcome.DRAW and len(keeping) > 1:
            children = {move: game.rules.play(live.session.position, move) for move in keeping}
            expected = {
                move: both[seat] - both[1 - seat]
                for move, child in children.items()
                if (both := measure_heats(game, child))
            }
            assert leads == expected
            assert [*leads.values()] == sorted(leads.values(), reverse=True)
            drawn += 1
        else:
            assert not leads
            others += 1
        live.session.play(random.choice(list(values.moves)))
        if live.session.is_over:
            live = live_of(game)
    assert drawn
    assert others


def test_a_move_that_ends_the_game_by_repetition_leads_to_no_wins(tobito: AnyGame) -> None:
    live = live_of(tobito, moves=[*OUT, *TO_AND_FRO, *TO_AND_FRO[:-1]])
    closing = tobito.notation.parse_move(live.session.position, TO_AND_FRO[-1])
    values = live.node.values
    assert isinstance(values, Analysis)
    assert closing in values.list_good_moves()
    assert closing not in live.find_leads(live.node)
    assert TO_AND_FRO[-1] in " ".join(rows(live, WORDY)).split()[-1], "it is named all the same, behind the others"


@pytest.mark.parametrize("width", [26, 34, 38, 58])
def test_heat_is_explained_beside_the_moves_and_given_for_each(game: AnyGame, width: int) -> None:
    live = live_of(game)
    output = rows(live, width)
    meant = " ".join(" ".join(output).split())
    assert "Heat says who has more ways to win (+ for Top, - for Bottom)." in meant
    assert all(len(row) <= width for row in output), output
    for move, lead in [*live.find_leads(live.node).items()][: MAX_LEADS if width < WORDY else None]:
        assert f"{game.describe_move(live.session.position, move)} {lead:+.1f}" in meant


def test_in_a_narrow_table_most_moves_do_without_and_stand_closer(tobito: AnyGame) -> None:
    live = live_of(tobito, CROWDED)
    narrow, wide = ("\n".join(rows(live, width)) for width in (26, 58))
    assert [output.count(".") - 1 for output in (narrow, wide)] == [MAX_LEADS, 29]
    for move in tobito.rules.legal_moves(live.session.position):
        assert tobito.describe_move(live.session.position, move) in narrow.split()


def test_line_mode_prints_heat_with_the_values(tobito: AnyGame) -> None:
    output: list[str] = []
    LineMode(live_of(tobito), Voice(output.append, lambda: 0.0)).run(["values", "quit"])
    assert (
        "Heat says who has more ways to win (+ for Top, - for Bottom): b5b4 -0.6, a5a4 -0.7, c5c4 -0.7, b5c4 -0.8,"
        " b5a4 -0.8, a5b4 -0.9, c5b4 -0.9." in output
    ), output
