"""A side may move twice in a row: in games under way, records, matches, protocols, clocks and lists."""

from __future__ import annotations

from random import Random

import pytest
from onlymove.tournament.referee import Plan, conduct
from onlymove_engines.coach.figures import list_choices_at
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.values import find_refutation
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.value import Loss, Win
from onlymove_engines.live.clock import GameClock, TimeControl
from onlymove_engines.live.live_game import LiveGame, is_disclosed
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_engines.play.tree import AnyTree, GameTree
from onlymove_engines.protocols.ugi import Ugi
from onlymove_engines.records.record import Record, format_record, parse_records
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_tui.app.widgets.course import Ply, share_lines
from onlymove_tui.play.exploring import Exploration
from onlymove_tui.play.phrases import move_label

from tests.literal_game import Over, Tree, literal_game
from tests.reference.random_game import draw_game
from tests.tournament.contestants import Scripted

# First moves twice, then Second moves twice, then First wins with z. With c, Second moves only once and wins.
TREE: Tree = {
    "start": (0, {"a": "A", "c": "lost"}),
    "A": (0, {"b": "B", "c": "C"}),
    "B": (1, {"x": "X"}),
    "X": (1, {"y": "Y"}),
    "Y": (0, {"z": "won"}),
    "C": (1, {"x": "lost"}),
    "won": Over(0, 1),
    "lost": Over(1, 0),
}
GAME = literal_game(TREE)
ANALYST = LiveAnalyst(GAME)
ENGINE = Player(PlayerKind.ENGINE)
WHOLE = "abxyz"


def play_line(moves: str) -> AnyTree:
    tree: AnyTree = GameTree(GAME)
    for move in moves:
        tree.go_to(tree.add(tree.here, move))
    return tree


def test_values_count_plies_whoever_moves() -> None:
    assert ANALYST.analyse("start").moves == {"a": Win(5), "c": Loss(1)}
    assert ANALYST.analyse("A").moves == {"b": Win(4), "c": Loss(2)}
    assert ANALYST.analyse("B").value == Loss(3)


def test_a_record_repeats_the_number_of_a_side_that_moves_again() -> None:
    tree = play_line(WHOLE)
    text = format_record(Record(tree))
    assert "1. a 1. b x 1... y 2. z 1-0" in text
    (again,) = parse_records(text, lambda _: GAME)
    assert again.tree.here.positions() == tree.here.positions()
    assert format_record(again) == text


def test_moves_are_numbered_by_turns_everywhere() -> None:
    labels = [move_label(GAME, node) for node in play_line(WHOLE).here.path()[1:]]
    assert labels == ["1. a", "2. b", "3. x", "4. y", "5. z"]
    assert Exploration(GAME, play_line(WHOLE).here).format_steps() == ["1. a", "2. b", "x", "4. y", "5. z"]


def test_the_list_of_moves_has_the_first_players_moves_on_the_left() -> None:
    plies = [Ply(node.number, node.is_second, node.text) for node in play_line(WHOLE).here.path()[1:]]
    assert share_lines(plies) == [[0], [1, 2], [None, 3], [4]]
    assert share_lines(plies[2:]) == [[None, 0], [None, 1], [2]]


@pytest.mark.parametrize(("seats", "undone"), [((HUMAN, ENGINE), "A"), ((ENGINE, HUMAN), "X"), ((HUMAN, HUMAN), "X")])
def test_undo_goes_back_to_the_last_decision_of_the_person(seats: tuple[Player, Player], undone: str) -> None:
    session = Session.from_tree(play_line("abxy"), seats)
    assert session.undo()
    assert session.position == undone


def test_an_engines_moves_in_a_row_are_judged_openly_only_after_the_persons_next_move() -> None:
    live = LiveGame(Session(GAME, players=(ENGINE, HUMAN)), Coaching())
    first = live.play_reply(0, "a")
    second = live.play_reply(0, "b")
    assert first is not None
    assert second is not None
    assert not is_disclosed(live, first)
    live.offer(1, "x") or live.session.commit(1, "x")
    assert is_disclosed(live, first)
    assert is_disclosed(live, second)


def test_the_choices_of_a_side_are_those_it_made() -> None:
    tree = play_line(WHOLE)
    made = [
        [node.text for node, seat in list_choices_at(tree.here.path(), seat) if seat in node.choices] for seat in (0, 1)
    ]
    assert made == [["a", "b", "z"], ["x", "y"]]


def test_a_best_line_without_a_reply_names_none() -> None:
    start = GameTree(GAME).root
    alone = find_refutation(GameTree(GAME), start, "a", ANALYST, UNLIMITED)
    assert (alone.texts, alone.reply) == (tuple(WHOLE), "")
    tree = play_line("a")
    assert find_refutation(tree, tree.here, "c", ANALYST, UNLIMITED).reply == "x"


def test_a_move_that_keeps_the_turn_is_judged_by_what_follows() -> None:
    live = LiveGame(Session(GAME), Coaching())
    live.set_analyst(ANALYST)
    values = live.get_values(live.node, UNLIMITED)
    grades = {move: match_grade(live, move) for move in ("a", "c")}
    assert values.moves == {"a": Win(5), "c": Loss(1)}  # type: ignore[union-attr]
    assert grades == {"a": Grade.BEST, "c": Grade.BLUNDER}


def match_grade(live: LiveGame, move: str) -> Grade:
    verdict = live.offer(0, move)
    assert verdict is not None
    live.session.go_to(live.session.tree.root)
    return verdict.judgement.grade


def test_an_engine_is_asked_twice_for_one_side() -> None:
    speaker = Ugi(GAME, ANALYST, lambda: 0.0, lambda: False)
    for moves, best, is_first in (("", "a", True), ("a", "b", True), ("a b", "x", False), ("a b x", "y", False)):
        list(speaker.replies(f"position startpos moves {moves}".removesuffix(" moves ")))
        assert list(speaker.replies("query p1turn")) == [f"response {str(is_first).lower()}"]
        assert list(speaker.replies("go depth 9"))[-1] == f"bestmove {best}"


def test_a_match_between_programs_asks_who_is_to_move() -> None:
    first, second = Scripted("a", "b", "z"), Scripted("x", "y")
    finished = conduct(Plan("literal", ("first", "second")), GAME, "start", (first, second), (1, 2))
    assert [node.text for node in finished.tree.here.path()[1:]] == list(WHOLE)
    assert finished.result.winner == 0
    assert not finished.faults


def test_every_move_of_a_turn_earns_its_increment() -> None:
    now = [0.0]
    clock = GameClock(TimeControl(60.0, 5.0), lambda: now[0], None)
    clock.start(0, 0)
    now[0] += 10
    clock.start(0, 1)
    assert clock.seconds_left == (55.0, 60.0)
    now[0] += 20
    clock.start(1, 2)
    assert clock.seconds_left == (40.0, 60.0)
    each = GameClock(TimeControl(30.0), lambda: now[0], None)
    each.start(1, 4)
    now[0] += 20
    each.start(1, 5)
    assert each.seconds_left == (30.0, 30.0)


def test_random_games_of_such_a_kind_are_read_back_from_records() -> None:
    for seed in range(40):
        game, random = draw_game(seed).game, Random(seed)
        tree: AnyTree = GameTree(game)
        while tree.result is None and tree.here.ply < 30:
            tree.go_to(tree.add(tree.here, random.choice(tree.list_allowed(tree.here))))
        (again,) = parse_records(format_record(Record(tree)), lambda _, game=game: game)  # type: ignore[misc]
        assert again.tree.here.positions() == tree.here.positions()
