"""Each side has its own player: in the form, during a game, in the palette, in line mode, in words and in tags."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from onlymove_engines.core.facts import Level
from onlymove_engines.core.game import AnyGame, Style, alike
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tui.app.screens.list_screen import FormScreen
from onlymove_tui.app.screens.new_game import NewGameScreen
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.play.line_mode import LineMode, Voice
from onlymove_tui.store.exchange import name_players
from textual.pilot import Pilot

from tests.tui.live_games import AGAINST, make_heap_game
from tests.tui.pilots import make_board_app, make_menu_app, press, press_at_once, session, settle, text
from tests.tui.tiny_game import tiny_game

NEW_GAME = ("up", "enter")
(BEST,) = tiny_game().play.styles
IDLE: Style[Any, Any] = Style("idle", "Idle", "Waits.", lambda turn: alike(turn.analysis.moves))
STYLED: AnyGame = replace(tiny_game(), play=replace(tiny_game().play, styles=(BEST, IDLE)))
LEVELS = (Level("novice", "Novice", "idle", 20, 0, 0), Level("master", "Master", "best", 100, 412.6, 20))
LEVELLED: AnyGame = replace(STYLED, facts=replace(STYLED.facts, levels=LEVELS))
WEAK, STRONG = Player(PlayerKind.ENGINE, "idle", 20), Player(PlayerKind.ENGINE, "best", 100)


def form_of(pilot: Pilot[int]) -> FormScreen:
    """Return the open form."""
    assert isinstance(pilot.app.screen, FormScreen)
    return pilot.app.screen


def lines(pilot: Pilot[int]) -> list[str]:
    """Return the ids of the lines about the sides, from the top."""
    return [field.id for field in form_of(pilot).fields if field.id.startswith(("kind", "engine", "strength"))]


async def choose(pilot: Pilot[int], name: str, value: str) -> None:
    """Change a line until it has this value, going through all values at most once."""
    form = form_of(pilot)
    place = [field.id for field in form.fields].index(name) + form.first_place
    form.query_one(Choices).mark(place)
    for _ in form.all_fields[name].choices:
        if form.all_fields[name].value != value:
            await press(pilot, "right")
    assert form.all_fields[name].value == value, f"{name} has no {value}"


async def test_people_are_asked_nothing_about_engines_and_two_engines_have_lines_of_their_own() -> None:
    app = make_menu_app(games=(STYLED,))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *NEW_GAME)
        assert lines(pilot) == ["kind.0", "kind.1", "engine.1", "strength.1"]
        await choose(pilot, "kind.1", "human")
        assert lines(pilot) == ["kind.0", "kind.1"]
        for seat in (0, 1):
            await choose(pilot, f"kind.{seat}", "engine")
        assert len(lines(pilot)) == 6
        await choose(pilot, "engine.0", "idle")
        await choose(pilot, "strength.0", "20")
        await press(pilot, "enter")
        assert session(app).players == (WEAK, STRONG)


async def test_levels_come_before_styles_with_their_strength() -> None:
    app = make_menu_app(games=(LEVELLED,))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *NEW_GAME)
        assert "Novice" in text(app), "the lowest level is offered to whom nothing is known of"
        assert lines(pilot) == ["kind.0", "kind.1", "engine.1"]
        assert [value for value, _ in form_of(pilot).all_fields["engine.1"].choices] == [
            "novice", "master", "best", "idle",
        ]  # fmt: skip
        await choose(pilot, "engine.1", "master")
        assert "Never gives the result away. Rating 1413." in text(app)
        await choose(pilot, "engine.1", "novice")
        assert "Sees 2 moves ahead, and is careless. Rating 1000. Suggested for you." in text(app)
        await choose(pilot, "engine.1", "idle")
        assert "strength.1" in lines(pilot)
        await choose(pilot, "engine.1", "novice")
        await press(pilot, "x", "enter")
        assert session(app).players == (WEAK, HUMAN)
        assert "Novice" in text(app)


async def test_the_sides_are_swapped_in_the_form_with_all_that_was_chosen() -> None:
    app = make_board_app(games=(STYLED,), players=(WEAK, STRONG))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "P", "x", "enter")
        assert session(app).players == (STRONG, WEAK)


async def test_the_palette_changes_who_plays() -> None:
    app = make_board_app(games=(STYLED,), players=(HUMAN, STRONG))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for offer, player in (
            ("right strength 50", replace(STRONG, strength=50)),
            ("right play it", HUMAN),
            ("right hand over", STRONG),
        ):
            await press(pilot, "ctrl+p")
            await press_at_once(pilot, *offer, "enter")
            assert session(app).players == (HUMAN, player), offer
        assert "Right: engine, Best 100." in text(app), "it is said who plays"
        await press(pilot, "R", "R", "ctrl+p")
        await press_at_once(pilot, *"from now on")
        assert "strength" not in text(app), "nobody plays on when it is over"


async def test_the_palette_offers_levels_where_there_are_any() -> None:
    app = make_board_app(games=(LEVELLED,), players=(HUMAN, STRONG))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "ctrl+p")
        await press_at_once(pilot, *"right novice", "enter")
        assert session(app).players == (HUMAN, WEAK)


async def test_each_side_is_shown_beside_the_board_with_its_strength() -> None:
    app = make_board_app(games=(LEVELLED,), players=(WEAK, replace(STRONG, strength=70)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Left  Novice" in text(app)
        assert "Right  Best 70" in text(app)


def test_in_line_mode_players_are_shown_swapped_and_changed() -> None:
    live, output = make_heap_game(players=AGAINST), list[str]()
    mode = LineMode(live, Voice(output.append, lambda: 0.0))
    mode.answer("players")
    assert output.pop() == "First: you. Second: engine, Exact 100."
    mode.answer("Players human, engine:exact@40")
    assert live.session.players == (HUMAN, Player(PlayerKind.ENGINE, "exact", 40))
    assert "First: you. Second: engine, Exact 40." in output
    mode.answer("swap")
    assert "First: engine, Exact 40. Second: you." in output
    assert live.session.list_moves(), "the engine has moved at once"
    mode.answer("players human,engine")
    assert live.session.players[1].strength == 40, "a plain engine is the one that plays already"
    for text_, why in (("human", "names 1 player instead of two"), ("human,wild", "Heap has no player 'wild'")):
        mode.answer(f"players {text_}")
        assert why in output[-1]


def test_tags_name_every_player_of_a_side() -> None:
    game: Session[Any, Any] = Session(STYLED, (4, 4, 0), (HUMAN, WEAK))
    assert name_players(game) == ("you", "engine idle@20")
    for players in ((HUMAN, WEAK), (HUMAN, STRONG), (STRONG, HUMAN)):
        game.set_players(players)
        game.play(game.legal_moves()[0])
    assert name_players(game) == ("you then engine best", "engine idle@20 then engine best then you")


async def test_a_form_of_two_engines_is_whole_on_a_small_screen() -> None:
    app = make_menu_app(games=(LEVELLED,))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, *NEW_GAME)
        assert isinstance(app.screen, NewGameScreen)
        for seat in (0, 1):
            await choose(pilot, f"kind.{seat}", "engine")
            await choose(pilot, f"engine.{seat}", "idle")
        for _ in app.screen.query_one(Choices).entries:
            assert "…" not in text(app)
            await press(pilot, "down")
