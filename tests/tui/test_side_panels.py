"""The panels beside a board: both sides' moves with their values, who is winning, and what every move leads to."""

from __future__ import annotations

import dataclasses

import pytest
from onlymove.pictures.colours import NAMES
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import Margin, Outcome
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_laws.test_picture_laws import SHAPE, find_contrast
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.panels.game_rows import piece_tone
from onlymove_tui.app.panels.side_panels import review_notes
from onlymove_tui.app.panels.value_rows import move_value_rows, winner_row
from onlymove_tui.app.screens.board_screen import BoardScreen
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.bars import Lines, Panel
from onlymove_tui.app.widgets.board_view import SmallBoard
from onlymove_tui.app.widgets.canvas import row_width
from onlymove_tui.app.widgets.course import TALL, MoveList, ValueStrip
from onlymove_tui.app.widgets.layout import GameLayout
from onlymove_tui.store.games import GameStore
from textual import events

from tests.tui.pilots import FRIENDS, board, make_board_app, make_settings, notice, press, settle
from tests.tui.saved_sessions import fill
from tests.tui.screen_checks import lines_on_screen
from tests.tui.sizes import resize
from tests.tui.tiny_game import TinyAnalyst, tiny_game

GAME = (*"mL1", "enter", *"mL1", "enter", *"mR3", "enter")


def make_friends_app() -> OnlymoveApp:
    """Open the tiny game for two people, without training."""
    return make_board_app(make_settings(training=False), players=FRIENDS)


def lines(app: OnlymoveApp, name: str) -> str:
    """Return what some lines beside the board say. Empty if their panel is not shown."""
    found = app.screen.query_one(f"#{name}", Lines)
    is_shown = all(widget.display for widget in found.ancestors_with_self if hasattr(widget, "display"))
    return found.text() if is_shown else ""


async def test_no_value_is_beside_the_board_before_it_is_asked_for() -> None:
    app = make_board_app()
    async with app.run_test(size=(160, 50)) as pilot:
        await settle(pilot)
        assert lines(app, "standing") == ""
        assert lines(app, "worth") == ""
        await press(pilot, "v")
        assert "Left wins in 7 moves" in lines(app, "standing")
        assert "1 of 7 moves wins" in lines(app, "worth")
        assert "win in 7 moves" in lines(app, "worth")
        assert board(app).live.node.hinted, "values that were shown count"
        await press(pilot, "v")
        assert lines(app, "worth") == ""


async def test_a_wide_screen_shows_the_players_own_games_and_gives_no_value_away(games: GameStore) -> None:
    fill(games, (("R", 1),), players=(HUMAN, Player(PlayerKind.ENGINE, strength=70)))
    games.drills.add([Drill("tiny", "1,3 1", 1, Origin.ONLY_MOVE)])
    app = make_board_app(store=games)
    async with app.run_test(size=(200, 55)) as pilot:
        await settle(pilot)
        shown = lines(app, "background")
        assert "7 moves to choose from" in shown
        assert "Your games here: 0 won, 0 drawn, 1 lost" in " ".join(shown.split())
        assert "2 due" in shown, "one of them is the mistake of that game"
        assert "of 0 right" not in shown
        assert "nly one good move" not in shown, "how narrow it is below is told with the values"
        await press(pilot, "v")
        assert "nly one good move" in lines(app, "background")
        await press(pilot, "v")
        assert "nly one good move" not in lines(app, "background")
        await press(pilot, "R", "R")
        assert "to choose from" not in lines(app, "background"), "the game is over"
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert lines(app, "background") == ""


@pytest.mark.parametrize(
    ("width", "value", "output"),
    [
        (60, Margin(Outcome.LOSS, -4), "-12 for Left  Right wins by 12; now 14-6"),
        (26, Margin(Outcome.LOSS, -4), "Right wins by 12; now 14-6"),
        (25, Margin(Outcome.LOSS, -4), "Right by 12; now 14-6"),
        (60, Margin(Outcome.WIN, 12), "+4 for Left  Left wins by 4; now 6-14"),
        (60, Margin(Outcome.DRAW, 8), "D  a draw with best play; now 6-14"),
        (26, Margin(Outcome.DRAW, 8), "D  a draw; now 6-14"),
    ],
)
def test_with_points_the_expected_winner_is_shown_with_both_scores(width: int, value: Margin, output: str) -> None:
    game = dataclasses.replace(tiny_game(), play=dataclasses.replace(tiny_game().play, points=lambda _: (6, 14)))
    live = LiveGame(Session(game), Coaching())
    live.store_values(live.node, Analysis(value, dict.fromkeys(live.session.legal_moves(), value)))
    row = winner_row(live, live.node, width)
    assert "".join(text for text, _ in row) == output
    assert row_width(row) <= width


def test_white_and_black_are_visible_beside_the_board_without_its_background() -> None:
    roles = (Role.WHITE, Role.BLACK)
    game = dataclasses.replace(tiny_game(), play=dataclasses.replace(tiny_game().play, seat_roles=roles))
    assert [piece_tone(game, seat) for seat in (0, 1)] == [Role.WHITE_SIGN, Role.BLACK_SIGN]
    assert [piece_tone(tiny_game(), seat) for seat in (0, 1)] == [*tiny_game().play.seat_roles]
    for theme in NAMES:
        for sign in (Role.WHITE_SIGN, Role.BLACK_SIGN):
            assert find_contrast(sign, "background", theme) >= SHAPE, f"{theme}: {sign}"


@pytest.mark.parametrize(("theme", "signs"), [("dark", ["●", "○"]), ("light", ["○", "●"])])
async def test_white_is_a_disc_on_a_dark_ground_and_a_ring_on_a_light_one(theme: str, signs: list[str]) -> None:
    roles = (Role.WHITE, Role.BLACK)
    game = dataclasses.replace(tiny_game(), play=dataclasses.replace(tiny_game().play, seat_roles=roles))
    app = make_board_app(make_settings(theme=theme), games=(game,))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        players = app.screen.query_one("#players", Lines)
        assert [next(sign for sign in players.render_line(y).text if sign in "●○") for y in (0, 1)] == signs


async def test_no_values_are_offered_while_a_move_is_stopped() -> None:
    app = make_board_app()
    async with app.run_test(size=(200, 55)) as pilot:
        await settle(pilot)
        assert "v shows" in lines(app, "worth")
        await press(pilot, "right", "enter", "3")
        assert board(app).live.stopped_move is not None
        assert "v shows" not in lines(app, "worth"), "the key does nothing now"


async def test_the_values_of_moves_replace_the_coach_if_both_do_not_fit() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        for size in ((80, 24), (100, 30), (120, 40)):
            await resize(pilot, size)
            await press(pilot, "v")
            assert app.screen.query_one("#coach-panel", Panel).title == "Every move"
            assert "moves wins" in lines(app, "note")
            await press(pilot, "v")
            assert "Hint 1 of 3" in lines(app, "note")


async def test_above_a_hundred_columns_moves_stand_with_their_values() -> None:
    app = make_friends_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, *GAME, "e", "right")
        first = app.screen.query_one(MoveList).text().splitlines()[0].split()
        assert first[:4] == ["1", "▸L1", "L6", "??"], "the move, what it is worth to who made it, its sign"
        assert len(first) >= 6, "both sides' in one line"


async def test_the_value_strip_says_what_up_and_down_mean_and_which_ply_it_points_at() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GAME, "e", "right", "right")
        assert app.screen.query_one("#value-panel", Panel).title == "Value  ↑ Left  ↓ Right"
        assert app.screen.query_one("#value-panel", Panel).facts == "taller bar: a faster win"
        assert "▲ 2. L1" in app.screen.query_one(ValueStrip).text()


async def test_a_review_says_who_is_winning_and_what_else_could_have_been_played() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GAME, "e", "right")
        assert lines(app, "standing").strip().startswith("Right wins in"), "no sign of the other side before it"
        assert app.screen.query_one("#coach-panel", Panel).title == "Moves instead of 1. L1"
        assert "Which move is better?" in lines(app, "note")
        assert "▸L1" not in lines(app, "note"), "the better moves are a puzzle until they are asked for"
        await press(pilot, "v")
        assert app.screen.query_one("#coach-panel", Panel).title == "Moves instead of 1. L1"
        assert "▸L1" in lines(app, "note")
        await press(pilot, "v")
        assert app.screen.query_one("#coach-panel", Panel).title == "Every move"
        screen = app.screen
        assert isinstance(screen, BoardScreen)
        at, path = screen.state.playback.node, screen.path()
        titles = [review_notes(screen.live, at, path, width, is_brief=True).title for width in (22, 21, 15)]
        assert titles == ["Moves instead of 1. L1", "Instead of 1. L1", "Other moves"], "no title is cut"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_a_stopped_move_has_a_panel_that_says_what_it_loses(
    size: tuple[int, int],
) -> None:
    for keys in (("right", "enter", "3"), (*"mR3", "enter")):
        app = make_board_app()
        async with app.run_test(size=size) as pilot:
            await press(pilot, *keys)
            panel = app.screen.query_one("#coach-panel", Panel)
            assert panel.title == "Not played yet"
            assert panel.has_class("-alarm")
            assert "Win in 7 moves → Loss" in lines(app, "note")
            assert "→" not in notice(app), "it is said once"
            assert board(app).marks().threat == ("R", "3"), "the move is on the board"
            await press(pilot, "u")
            assert not panel.has_class("-alarm")


def read_best_reply(app: OnlymoveApp) -> str:
    """Return the title above the small board beside the board. Empty if there is none."""
    panel = app.screen.query_one("#reply-panel", Panel)
    assert not panel.display or panel.query_one(SmallBoard).text().strip(), "a title has a board"
    return panel.title if panel.display else ""


async def test_a_wide_review_shows_the_best_reply_to_a_mistake_on_a_small_board() -> None:
    app = make_friends_app()
    async with app.run_test(size=(200, 55)) as pilot:
        await press(pilot, *GAME, "e")
        await settle(pilot)
        assert read_best_reply(app) == "", "no move was made yet"
        await press(pilot, "right")
        await settle(pilot)
        assert read_best_reply(app) == "", "the reply was also a mistake, which can still be retried"
        await press(pilot, "right", "v", "left")
        await settle(pilot)
        assert read_best_reply(app) == "Best reply: R2"
        await press(pilot, "w")
        await settle(pilot)
        assert read_best_reply(app) == "After best play"
        await press(pilot, "backspace", "right", "right")
        await settle(pilot)
        assert read_best_reply(app) == ""
        assert app.screen.query_one(ValueStrip).height == TALL
        await press(pilot, "left", "left")
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert read_best_reply(app) == ""


async def test_the_small_board_is_flipped_together_with_the_board() -> None:
    app = make_board_app(game="tobito", games=(), position="..B/T../T../.B./.BT B")
    async with app.run_test(size=(200, 55)) as pilot:
        await press(pilot, "m", *"b1b3", "enter", "w")
        assert read_best_reply(app) == "After best play"
        board(app).on_resize(events.Resize(app.size, app.size))
        await settle(pilot)
        assert read_best_reply(app) == "After best play", "Textual also reports sizes that have not changed"
        await press(pilot, "f")
        flipped = lines_on_screen(app)
        board(app).mark_changed()
        await settle(pilot)
        assert lines_on_screen(app) == flipped


async def test_panels_that_are_shared_out_after_the_screen_was_left_do_no_harm() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        layout = app.screen.query_one(GameLayout)
        await press(pilot, "q")
        layout.share_lines()


async def test_a_stopped_move_has_its_best_reply_beside_it_only_once_the_player_has_asked_why() -> None:
    app = make_board_app()
    async with app.run_test(size=(200, 55)) as pilot:
        await press(pilot, "right", "enter", "3")
        await settle(pilot)
        assert read_best_reply(app) == ""
        await press(pilot, "w", "u")
        await settle(pilot)
        assert board(app).live.stopped_move is not None
        assert read_best_reply(app) == "Best reply: L2"
        await press(pilot, "u")
        assert read_best_reply(app) == ""


async def test_values_still_being_computed_are_not_shown_as_missing() -> None:
    app = make_friends_app()
    async with app.run_test(size=(200, 55)) as pilot:
        await press(pilot, *GAME, "e", "v")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        screen.state.playback.node.values = None
        screen.mark_changed()
        await settle(pilot)
        assert "Working out the values" in lines(app, "worth")


async def test_the_end_of_a_game_has_a_summary_with_a_bar_and_the_first_slip() -> None:
    app = make_board_app(make_settings(training=False))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, *"mL1", "enter", "R", "R")
        summary = lines(app, "note")
        assert "You lose: you resigned." in summary
        assert "0 of 1 move was good" in summary
        assert "Blunder    ██████████ 1" in summary or "Blunder    █ 1" in summary
        assert "first slip: move 1" in app.screen.query_one(ValueStrip).text()
        under = notice(app)
        for key in ("d drills", "Enter review", "a again", "q menu"):
            assert key in under


async def test_the_mistakes_of_a_game_are_drilled_by_one_key_at_its_end(games: GameStore) -> None:
    app = make_board_app(make_settings(training=False), store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *"mL1", "enter", "R", "R", "d")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.practice.total == 1
        await press(pilot, "q")
        assert board(app).live.session.is_over, "and back to the end of the game"


async def test_every_move_is_there_once_a_drill_is_solved_and_not_before(games: GameStore) -> None:
    app = make_board_app(make_settings(training=False), store=games)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, *"mL1", "enter", "R", "R", "d")
        assert lines(app, "worth") == ""
        assert lines(app, "standing") == ""
        await press(pilot, *"mR1", "enter")
        assert "1 of 7 moves wins" in lines(app, "worth")


async def test_a_position_without_possible_mistakes_says_so() -> None:
    app = make_board_app(position="1,1 0")
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "v")
        assert "Every move loses" in lines(app, "note")


async def test_the_shown_moment_is_marked_in_a_list_of_moves_of_any_height() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GAME)
        listed = app.screen.query_one(MoveList)
        for height in (1, 2, 3):
            listed.styles.height = height
            for current in range(1, len(listed.plies) + 1):
                listed.show(listed.plies, current, False)
                await settle(pilot)
                assert "▸" in listed.text(), f"move {current} in {height} lines:\n{listed.text()}"


def test_how_many_moves_hold_is_whole_in_a_narrow_panel() -> None:
    game = tiny_game()
    live = LiveGame(Session(game), Coaching())
    live.store_values(live.node, TinyAnalyst().analyse(live.node.position))
    rows = move_value_rows(live, live.node, live.node.values, 22, None)
    assert all(row_width(row) <= 22 for row in rows[:2])
    assert " ".join("".join(text for text, _ in row).strip() for row in rows).startswith("1 of 7 moves wins")
