"""The texts beside a board fit there, in every game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from onlymove.pictures.colours import Tone
from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Outcome, proven
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, get_level, read_player
from onlymove_engines.play.session import Session
from onlymove_tui.app.panels.drill_rows import question_row
from onlymove_tui.app.panels.game_rows import player_rows, wrap
from onlymove_tui.app.panels.side_panels import game_end_note
from onlymove_tui.app.widgets.canvas import row_width
from onlymove_tui.app.widgets.layout import SIDE_WIDTH, break_pages
from onlymove_tui.play.phrases import ending_text, engine_name, opponent_name

from tests.tui.tiny_game import tiny_game

PANEL = 28
"""How many columns there are beside a board on a screen of 80."""


def names_of(live: LiveGame, result: Result | None) -> str:
    """Return both lines about the players as one text."""
    return "".join(text for row in player_rows(live, result, live.session.to_move) for text, _ in row)


@pytest.mark.parametrize("game_id", [facts.id for facts in games.list_games()])
def test_who_plays_and_who_won_is_never_cut(game_id: str) -> None:
    game = games.load(game_id)
    for style in game.play.styles:
        engine = Player(PlayerKind.ENGINE, style.id, 100)
        level = get_level(game, engine)
        known_by = {" 100", " 100" if level is None else level.title}
        for players in ((HUMAN, engine), (engine, HUMAN), (engine, engine)):
            live = LiveGame(Session(game, players=players), Coaching())
            for winner in (None, 0, 1):
                result = None if winner is None else Result(winner)
                for row in player_rows(live, result, live.session.to_move):
                    shown = "".join(text for text, _ in row)
                    assert row_width(row) <= PANEL, shown
                output = names_of(live, result)
                assert sum(map(output.count, known_by)) == players.count(engine)
                names = names_of(live, result)
                assert names.count("won") == (winner is not None)
                assert all(seat in names for seat in game.seats)


@pytest.mark.parametrize("game_id", [facts.id for facts in games.list_games() if facts.levels])
def test_a_level_goes_by_its_name_in_the_narrowest_panel_too(game_id: str) -> None:
    game = games.load(game_id)
    for level in game.facts.levels:
        engine = read_player(game, level.id)
        for seat, players in enumerate(((engine, HUMAN), (HUMAN, engine))):
            live = LiveGame(Session(game, players=players), Coaching())
            for result in (None, Result(seat)):
                assert f" {level.title}" in names_of(live, result), f"{game.seats[seat]}, {result}"


@pytest.mark.parametrize("game_id", [facts.id for facts in games.list_games()])
def test_a_level_has_one_name_beside_the_board_and_in_lists(game_id: str) -> None:
    game = games.load(game_id)
    for style in ("", *(style.id for style in game.play.styles)):
        for strength in (0, 50, 100, *(level.strength for level in game.facts.levels)):
            engine = Player(PlayerKind.ENGINE, style, strength)
            level = get_level(game, engine)
            if level is not None:
                assert engine_name(game, engine) == opponent_name(engine, game.facts.levels) == level.title
            else:
                assert opponent_name(engine, game.facts.levels) not in [each.title for each in game.facts.levels]


def test_the_strength_is_shown_if_it_fits() -> None:
    live = LiveGame(Session(tiny_game(), players=(HUMAN, Player(PlayerKind.ENGINE, "", 70))), Coaching())
    shown = ["".join(text for text, _ in row) for row in player_rows(live, None, live.session.to_move)]
    assert shown == ["▸ ● Left  you", "  ○ Right  Best 70"]


@pytest.mark.parametrize(("result", "words"), [
    (Result(0, (24, 20)), "Left wins 24-20."),
    (Result(1, (4, 28)), "Right wins 28-4."),
    (Result(None, (24, 24)), "Drawn 24-24."),
])  # fmt: skip
def test_the_winners_points_come_first(result: Result, words: str) -> None:
    assert ending_text(tiny_game(), result) == words


@pytest.mark.parametrize(("outcomes", "task"), [
    ((Outcome.LOSS, Outcome.LOSS), "give no points away"),
    ((Outcome.WIN, Outcome.WIN), "give no points away"),
    ((Outcome.WIN, Outcome.LOSS), "keep the win"),
    ((Outcome.DRAW, Outcome.LOSS), "hold the draw"),
])  # fmt: skip
def test_a_drill_asks_for_points_where_the_result_is_decided(outcomes: tuple[Outcome, Outcome], task: str) -> None:
    game = replace(tiny_game(), facts=replace(tiny_game().facts, has_margin=True))
    live = LiveGame(Session(game), Coaching())
    margins = {Outcome.WIN: 8, Outcome.DRAW: 0, Outcome.LOSS: -8}
    values = {move: proven(o, None, margins[o]) for move, o in zip((("L", 1), ("R", 1)), outcomes, strict=True)}
    live.store_values(live.node, Analysis(None, values))
    drill = Drill(game.id, "3,4 0", 0, Origin.MISTAKE)
    assert "".join(text for text, _ in question_row(live, drill, (), names_goal=True)) == f"Left to move: {task}."


def test_a_game_of_two_people_without_decisions_has_no_figures() -> None:
    live = LiveGame(Session(tiny_game(), players=(HUMAN, HUMAN)), Coaching())
    output = [
        "".join(text for text, _ in row)
        for row in game_end_note(live, live.node.path(), SIDE_WIDTH, is_brief=True).rows
    ]
    assert output == ["Left", "No decisions to judge", "Right", "No decisions to judge"]


def test_no_sentence_is_cut_in_half_where_a_panel_is_too_low() -> None:
    rows = [row for text in ("Nine moves made no difference.", "One move was not judged.") for row in wrap(text, 20)]
    first, second, more = ["Nine moves made no", "  difference."], ["One move was not", "  judged."], "more"
    in_halves = [[line, more] for line in (*first, second[0])]
    expected = {
        4: [[*first, *second]], 3: [[*first, more], second], 2: [*in_halves[:2], second], 1: [[more]], 0: [[]],
    }  # fmt: skip
    for space, texts in expected.items():
        pages = break_pages(rows, space, ((more, Tone.DIM),))
        assert [["".join(text for text, _ in row) for row in page] for page in pages] == texts
