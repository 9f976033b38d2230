"""Playing, undoing, agreements and hidden choices, in a game written out as a tree."""

from __future__ import annotations

import pytest
from onlymove_engines.coach.figures import count_figures, list_choices_at
from onlymove_engines.coach.hint import make_hint
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.coach.values import find_best_line
from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.judgement import Grade
from onlymove_engines.live.live_game import LiveGame, Verdict
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session, list_own_judgements
from onlymove_engines.search.deepening import LiveAnalyst

from tests.literal_game import literal_game

GAME = literal_game()
ANALYST = LiveAnalyst(GAME)
ENGINE = Player(PlayerKind.ENGINE)


def make_training_game(on_bad: OnBad) -> LiveGame:
    live = LiveGame(Session(GAME), Coaching(on_bad))
    live.store_values(live.node, ANALYST.analyse("start"))
    return live


def offer(live: LiveGame, move: str) -> Verdict:
    verdict = live.offer(0, move)
    assert verdict is not None, "the values are known"
    return verdict


def test_a_bad_move_is_held_and_nothing_is_played_until_it_is_kept() -> None:
    training = make_training_game(OnBad.ASK)
    verdict = offer(training, "b")
    assert verdict.stopped_move is not None
    assert verdict.judgement.grade is Grade.BLUNDER
    assert training.session.position == "start"
    assert training.play_stopped_move().node is training.session.node
    assert training.session.position == "B"


def test_rethinking_restores_the_position_but_the_first_attempt_counts() -> None:
    training = make_training_game(OnBad.ASK)
    offer(training, "c")
    training.rethink()
    assert training.session.position == "start"
    assert offer(training, "a").judgement.grade is Grade.BEST
    found = count_figures(list_choices_at(training.session.node.path(), 0))
    assert (found.kept, found.decisions) == (0, 1)
    assert found.counts == {Grade.MISSED_WIN: 1}


def test_undo_returns_a_bad_move_once_then_lets_it_stand() -> None:
    training = make_training_game(OnBad.UNDO)
    assert offer(training, "b").is_taken_back
    assert training.session.position == "start"
    assert offer(training, "b").node is not None


@pytest.mark.parametrize("on_bad", [OnBad.MARK, OnBad.OFF])
def test_otherwise_a_bad_move_is_played_and_marked(on_bad: OnBad) -> None:
    training = make_training_game(on_bad)
    node = offer(training, "b").node
    assert node is not None
    assert node.judgements[0].grade is Grade.BLUNDER


def test_an_illegal_move_is_refused_and_not_recorded() -> None:
    training = make_training_game(OnBad.ASK)
    with pytest.raises(IllegalMove):
        offer(training, "q")
    assert training.session.node.attempts == {}


def test_undo_goes_to_the_last_own_decision_and_redo_is_its_inverse() -> None:
    session = Session(GAME, players=(HUMAN, ENGINE))
    for move in ("a", "y", "z"):
        session.play(move)
    places = [session.node]
    while session.undo():
        places.append(session.node)
    assert [node.position for node in places] == ["mated", "C", "start"]
    back = [session.node]
    while session.redo():
        back.append(session.node)
    assert back == places[::-1]


def test_two_people_undo_one_ply_at_a_time() -> None:
    session = Session(GAME)
    session.play("a")
    session.play("y")
    assert session.undo()
    assert session.position == "A"


def test_resigning_ends_the_game_and_can_be_undone() -> None:
    session = Session(GAME)
    session.resign(0)
    assert session.result is not None
    assert session.result.winner == 1
    with pytest.raises(GameOver):
        session.play("a")
    assert session.undo()
    assert session.result is None
    assert session.position == "start"


def test_no_move_can_be_redone_after_resigning() -> None:
    session = Session(GAME)
    session.play("a")
    session.undo()
    session.resign(0)
    assert not session.redo(), "the resignation would stand at a position where nobody resigned"
    assert session.position == "start"


def test_playing_another_move_keeps_the_old_one_as_a_variation() -> None:
    session = Session(GAME)
    session.play("a")
    session.undo()
    session.play("b")
    assert [child.move for child in session.tree.root.children] == ["b", "a"], "what was played is the main line"
    assert session.tree.root.end() is session.node


def test_the_first_hint_names_no_move_and_the_last_all_best_ones() -> None:
    analysis = ANALYST.analyse("start")
    first = make_hint(GAME, "start", analysis, 1, None)
    assert first.lines == ("Win in 3 moves. 1 of 3 moves wins.",)
    assert first.targets == ()
    assert "a" in make_hint(GAME, "start", analysis, 2, None).targets
    assert len(make_hint(GAME, "start", analysis, 2, None).targets) > 1
    assert make_hint(GAME, "start", analysis, 3, None).moves == ("a",)


def test_a_refutation_ends_where_the_judgement_said() -> None:
    game = Session(GAME).tree
    line = find_best_line(game, game.root, "a", ANALYST)
    assert line == ["a", "y", "z"]
    assert len(line) == 3


@pytest.mark.parametrize(
    ("then", "now", "count"),
    [
        ((HUMAN, ENGINE), (HUMAN, ENGINE), 1),
        ((HUMAN, ENGINE), (ENGINE, HUMAN), 1),
        ((ENGINE, HUMAN), (HUMAN, ENGINE), 0),
        ((ENGINE, ENGINE), (ENGINE, ENGINE), 1),
        ((HUMAN, HUMAN), (ENGINE, HUMAN), 1),
    ],
)
def test_a_mistake_is_yours_if_you_made_it_even_if_an_engine_plays_the_side_now(
    then: tuple[Player, Player], now: tuple[Player, Player], count: int
) -> None:
    live = make_training_game(OnBad.MARK)
    live.set_players(then)
    offer(live, "b")
    live.set_players(now)
    assert len(list_own_judgements(live.session, live.node)) == count
