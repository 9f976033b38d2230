"""What the app tells a player who has never finished a game of this kind."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from threading import Event

import pytest
from onlymove.pictures.colours import Tone
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.reasons import Explanation
from onlymove_engines.coach.values import Search
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import Level
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Loss, Outcome, Win, proven
from onlymove_engines.games import list_own_games, load
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.app.commands import MAX_NAMED
from onlymove_tui.app.panels.side_panels import list_plies
from onlymove_tui.app.panels.status_lines import describe_next_pick, turn_line
from onlymove_tui.app.widgets.course import MoveList, Ply, ValueStrip
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Learned, Milestone, adapt_coaching

from tests.tui.pilots import (
    board,
    make_board_app,
    make_key,
    make_menu_app,
    notice,
    press,
    press_at_once,
    settle,
    text,
    wait_until,
)
from tests.tui.tiny_game import tiny_game

BAD = ("right", "enter", "3")
EIGHT_UP, FOUR_UP = (proven(Outcome.WIN, margin=margin) for margin in (8, 4))
FINISHED = frozenset({Milestone.FIRST_GAME})


async def test_the_goal_is_shown_on_the_board_until_a_game_is_finished(games: GameStore) -> None:
    for is_first in (True, False):
        app = make_board_app(
            store=games, games=(replace(tiny_game(), facts=replace(tiny_game().facts, goal="Take the last one.")),)
        )
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            assert ("Take the last one." in text(app)) is is_first, "beside the board"
            await pilot.resize_terminal(60, 20)
            await settle(pilot)
            assert ("Take the last one.   F1 rules" in notice(app)) is is_first, "under it, if nothing is beside it"
            await press(pilot, "m", *"R1", "enter", "R", "R")


async def test_the_chart_explains_itself_until_it_has_a_bar_or_a_game_is_finished(games: GameStore) -> None:
    for is_new in (True, False):
        app = make_board_app(store=games)
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            chart = app.screen.query_one(ValueStrip)
            assert ("Bars show who is winning.\nUp: Left\n" in chart.text()) is is_new
            await press(pilot, *"mR1", "enter")
            assert "Bars show" not in chart.text()
        finish_a_game(games)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=str)
async def test_the_very_first_bad_move_is_stopped_and_one_sentence_says_why_and_where_the_rules_are(
    games: GameStore, size: tuple[int, int]
) -> None:
    app = make_board_app(store=games)
    async with app.run_test(size=size) as pilot:
        await press_at_once(pilot, *BAD)
        await settle(pilot)
        assert board(app).live.stopped_move is not None
        assert not board(app).live.session.list_moves()
        what = "This move would throw away a win in 7 moves" if size[0] == 80 else "Win in 7 moves → Loss"
        assert f"{what}; F1 shows the rules." in " ".join(notice(app).split())
        await press(pilot, "f1")
        assert "Press F1" not in text(app)
        await press(pilot, "escape", "u")
        assert board(app).live.stopped_move is None


async def test_who_has_finished_a_game_is_not_told_where_the_rules_are(games: GameStore) -> None:
    finish_a_game(games)
    app = make_board_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *BAD)
        assert board(app).live.stopped_move is not None
        assert "shows the rules" not in notice(app)


async def test_the_goal_is_shown_before_the_progress_of_compiling(games: GameStore) -> None:
    app = make_board_app(
        store=games, games=(replace(tiny_game(), facts=replace(tiny_game().facts, goal="Take the last one.")),)
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen = board(app)
        screen.state.preparation = "Compiling the engine (first run only): 50%"
        screen.mark_changed()
        await settle(pilot)
        assert "Take the last one." in text(app)


@pytest.mark.parametrize("is_new", [True, False], ids=["newcomer", "has played"])
async def test_newcomers_read_values_in_words(games: GameStore, is_new: bool) -> None:
    if not is_new:
        finish_a_game(games)
    app = make_board_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "v")
        shown = text(app)
        assert ("W7 " in shown) is not is_new
        assert ("Win in 7 moves" in shown) is is_new
        await press(pilot, "v", "h", "h", "h")
        assert ("R1 win" in text(app)) is is_new
        assert ("R1 W7" in text(app)) is not is_new
        await press(pilot, "m", *"R1", "enter", "e", "right", "v")
        assert ("W7" in text(app)) is not is_new


async def test_newcomers_get_the_reason_for_a_bad_move_without_asking(games: GameStore) -> None:
    weak = Level("weak", "Weak", "best", 80, 0, 0)
    players = HUMAN, Player(PlayerKind.ENGINE, "best", 80)
    app = make_board_app(
        store=games, games=(replace(tiny_game(), facts=replace(tiny_game().facts, levels=(weak,))),), players=players
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *BAD)
        assert "Now Right wins in 3 moves," in "\n".join(map(str, board(app).notes().rows))


def finish_a_game(games: GameStore) -> None:
    """Save a game that a person played to its end."""
    played: AnySession = Session(tiny_game(), (1, 0, 0), (HUMAN, Player(PlayerKind.ENGINE)))
    played.play(("L", 1))
    games.save(played, GameDetails())


def test_the_next_step_of_a_move_is_described() -> None:
    def describe_pick(game: AnyGame, *prefix: str, position: str = "") -> str:
        start = game.notation.parse_position(position) if position else game.start({}, 0)
        return describe_next_pick(Session(game, start), prefix)

    jumped, neutral = "Choose where you put the jumped pawn.", "Choose where you put the neutral pawn."
    assert describe_pick(load("orbito"), "d2", "c2") == "d2 - c2: Now place your own marble."
    assert describe_pick(load("tobito"), "a5", "c3", position="T.T/.B./.../BTB/... T") == "a5 - c3: " + jumped
    assert describe_pick(tiny_game(), "L") == "L - ?", "a game may say nothing of it"
    haneto = partial(describe_pick, load("haneto"), position="TTT/.B./.N./.../B.B T")
    assert haneto("b5") == "b5: Choose where it lands."
    assert haneto("b5", "b2") == "b5 - b2: " + jumped
    assert haneto("b5", "b2", "a4") == "b5 - b2 - a4: " + neutral


def test_a_newcomer_is_told_what_to_pick_first() -> None:
    session = Session(load("orbito"), load("orbito").start({}, 0), (HUMAN, HUMAN))
    first = "Place your marble, or first move an opposing one."
    assert first in "".join(text for text, _ in turn_line(LiveGame(session, Coaching()), (), is_newcomer=True))
    assert first not in "".join(text for text, _ in turn_line(LiveGame(session, Coaching()), ()))


def test_every_game_names_its_goal() -> None:
    assert all(facts.goal for facts in list_own_games())


async def test_the_offer_to_learn_tells_the_goal_until_a_game_is_finished(games: GameStore) -> None:
    game = replace(tiny_game(), facts=replace(tiny_game().facts, goal="Take the last one."))
    for is_first in (True, False):
        app = make_menu_app(store=games, games=(game,))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "end", "enter")
            assert ("Take the last one. New to Two Heaps?" in " ".join(text(app).split())) is is_first
        finish_a_game(games)


@pytest.mark.parametrize(("goal", "is_told"), [("Take the last one.", True), ("Take the last one. " * 4, False)])
@pytest.mark.parametrize("is_finished", [True, False])
async def test_the_lines_of_the_menu_are_of_one_kind_whatever_was_played(
    games: GameStore, goal: str, is_told: bool, is_finished: bool
) -> None:
    if is_finished:
        finish_a_game(games)
    app = make_menu_app(store=games, games=(replace(tiny_game(), facts=replace(tiny_game().facts, goal=goal)),))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "home")
        lines = text(app).splitlines()
        for facts in app.services.library.list_facts():
            line = next(line for line in lines if f" {facts.title} " in f"{line} ")
            assert (facts.goal in line) is is_told, "the goals of all games, or of none"


async def test_each_game_has_one_line_in_a_narrow_menu(games: GameStore) -> None:
    goal = "Take the last one from the last heap of the two."
    game = replace(tiny_game(), facts=replace(tiny_game().facts, goal=goal))
    app = make_menu_app(store=games, games=(game,))
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "home")
        lines = [line.strip(" ▸") for line in text(app).splitlines()]
        titles = [facts.title for facts in app.services.library.list_facts()]
        first = lines.index(titles[0])
        assert lines[first : first + len(titles)] == titles
        assert "Solved:" in text(app), "how the selected game is solved is below the list"


async def test_the_menu_counts_no_steps_of_lessons_that_are_gone(games: GameStore) -> None:
    games.lessons.save("tiny", range(2))
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "end")
        assert "Learning: 0 of 4 done, next: a first game." in text(app)


async def test_every_game_of_the_menu_has_its_number_of_games_and_the_marked_one_its_record(games: GameStore) -> None:
    finish_a_game(games)
    for goal in ("", "Take the last one."):
        app = make_menu_app(store=games, games=(replace(tiny_game(), facts=replace(tiny_game().facts, goal=goal)),))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "end")
            (line,) = [line for line in text(app).splitlines() if "Two Heaps" in line and "game" in line]
            assert line.split("  ")[-1].strip(" │") == "1 game"
            assert "Your record: 1 won, 0 drawn, 0 lost." in text(app)


async def test_the_menu_says_in_which_games_drills_are_due(games: GameStore) -> None:
    games.drills.add([Drill("tobito", "..B/T../T../.B./.BT B", 1, Origin.MISTAKE)])
    app = make_menu_app(store=games, games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "1 drill due now in Tobito" in text(app)
        games.drills.add([Drill("pokemon", "xxx/xcB/xxx 222112 1", 0, Origin.MISTAKE)])
        await press(pilot, "d", "escape")
        assert "2 drills due now in 2 kinds of game" in text(app)
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        assert "2 drills due now" in text(app)
        assert "in 2 games" not in text(app), "each line of the list says it"


async def test_newcomers_read_points_in_words_in_the_last_hint(games: GameStore) -> None:
    app = make_board_app(game="ayoayo", games=(), store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "h", "h", "h")
        assert "Hint 3 of 3: best moves" in text(app)
        assert "3 lose by 4  no capture" in text(app)


def test_newcomers_read_points_in_words_in_the_list_of_moves() -> None:
    game = load("ayoayo")
    live = LiveGame(Session(game, game.notation.parse_position("0,1,2,1,1,0/2,0,0,0,0,1 20-20 0")), Coaching())
    node = live.session.play(live.session.legal_moves()[-1])
    node.judgements[0] = Judgement(Grade.BLUNDER, EIGHT_UP, proven(Outcome.LOSS, margin=-4), flagged=True)
    for is_new, value in ((True, "lose 4"), (False, "-4")):
        (ply,) = list_plies(live, node.path(), True, is_new)
        assert ply.value == value


def make_slower_win(by: int, distance: int) -> Judgement:
    """Return the judgement of a move that wins later than it could."""
    return Judgement(Grade.INACCURACY, Win(distance), Win(distance + 2 * by), slower=by)


def test_newcomers_hear_of_lost_results_and_missed_short_wins_only() -> None:
    points = Judgement(Grade.MISTAKE, EIGHT_UP, FOUR_UP, flagged=True, points_lost=4)
    lost = Judgement(Grade.BLUNDER, Win(5), Loss(4), flagged=True)
    new, old = adapt_coaching(Coaching(), Learned()), adapt_coaching(Coaching(), Learned(reached=FINISHED))
    output = [new.tells(each) for each in (make_slower_win(4, 11), points, make_slower_win(1, 3), lost)]
    assert output == [False, False, True, True]
    assert old.tells(make_slower_win(4, 11))


def test_no_move_that_holds_the_result_is_held_before_a_game_is_finished() -> None:
    known = Analysis(EIGHT_UP, {("L", 1): FOUR_UP, ("R", 1): EIGHT_UP, ("R", 2): EIGHT_UP})
    for reached in (frozenset[Milestone](), FINISHED):
        coaching = adapt_coaching(Coaching(), Learned(reached=frozenset(reached)))
        live = LiveGame(Session(tiny_game(), (1, 2, 0), (HUMAN, HUMAN)), coaching)
        live.set_analyst(None)
        live.store_values(live.node, known)
        verdict = live.offer(0, ("L", 1))
        assert verdict is not None
        assert verdict.judgement.points_lost == 4
        assert (verdict.stopped_move is not None) is (reached == FINISHED)


async def test_the_footer_offers_a_newcomer_to_see_why_a_move_was_bad(games: GameStore) -> None:
    weak, players = Level("weak", "Weak", "best", 80, 0, 0), (HUMAN, Player(PlayerKind.ENGINE, "best", 80))
    game = replace(tiny_game(), facts=replace(tiny_game().facts, levels=(weak,)))
    app = make_board_app(store=games, games=(game,), players=players)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "w why" not in text(app)
        await press(pilot, *BAD, "y")
        assert board(app).live.stopped_move is None
        assert "w why" in text(app)
        named = board(app).footer_commands()
        assert named.index("undo") < named.index("overlay"), "a line that is too long must keep the way to take it back"
        assert text(app).count("You threw away") == 1, "the verdict stands only in the line at the bottom"


async def test_the_reason_beside_the_board_comes_after_a_quick_reply_and_goes_with_the_verdict(
    games: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, has_replied = LiveGame.prepare_sentences, Event()

    def prepare_later(live: LiveGame, choice: SeatMove) -> Search[Explanation]:
        search = prepare(live, choice)
        assert search is not None

        def wait_and_search(budget: Budget) -> Explanation:
            has_replied.wait()
            return search(budget)

        return wait_and_search

    monkeypatch.setattr(LiveGame, "prepare_sentences", prepare_later)
    app = make_board_app(game="pokemon", games=(), store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("2", "enter"):
            app.post_message(make_key(key))
        await wait_until(pilot, lambda: board(app).live.stopped_move is not None and not board(app).is_fresh)
        app.post_message(make_key("y"))
        await wait_until(pilot, lambda: board(app).live.node.ply == 2)
        has_replied.set()
        await settle(pilot)
        assert "moves held the draw" in " ".join(text(app).split())
        await press(pilot, "left")
        assert "You threw away" not in text(app)
        assert "moves held the draw" not in " ".join(text(app).split())


async def test_the_offer_to_learn_is_not_cut_on_a_narrow_screen(games: GameStore) -> None:
    app = make_menu_app(store=games, games=())
    async with app.run_test(size=(60, 20)) as pilot:
        for _ in app.services.library.list_facts():
            await press(pilot, "enter")
            assert "New to" in " ".join(text(app).split())
            assert "…" not in text(app)
            await press(pilot, "escape", "down")


async def test_the_footer_names_the_rules_before_the_hint_until_a_game_is_finished(games: GameStore) -> None:
    app = make_board_app(game="ayoayo", store=games, games=(), position="1,3,0,3,0,2/1,3,1,2,1,3 20-8 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for reached in (frozenset[Milestone](), FINISHED):
            board(app).show_learned(Learned(reached=reached))
            words = dict(board(app).footer())
            assert "rules" in words
            named = list(words)
            assert (named.index("rules") < named.index("hint")) is (reached != FINISHED)
            assert len(words) <= MAX_NAMED
            assert (words["menu"], words["help"]) == ("menu", "keys")
        assert board(app).title_rows()[1] == [("training: keep the result", Tone.DIM)]


async def test_the_way_out_of_a_lessons_game_is_named_lesson(games: GameStore) -> None:
    app = make_board_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.open("lesson_game", board(app).live)
        await settle(pilot)
        assert dict(board(app).footer())["menu"] == "lesson"


@pytest.mark.parametrize(("size", "fits"), [((80, 24), False), ((120, 40), True)], ids=str)
async def test_no_value_in_words_is_cut_in_the_list_of_moves(
    size: tuple[int, int], fits: bool, games: GameStore
) -> None:
    app = make_board_app(game="ayoayo", games=(), store=games, position="0,1,2,1,1,0/2,0,0,0,0,1 20-20 0")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        moves = app.screen.query_one(MoveList)
        moves.show([Ply(1, is_second, "4", "??", value="lose 4") for is_second in (False, True)], 2)
        assert "…" not in moves.text()
        assert ("lose 4" in moves.text()) is fits, "values that do not fit are left out"
