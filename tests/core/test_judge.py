"""The table that maps values to judgements, row by row."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
from onlymove_engines.coach.figures import count_figures, list_choices_at
from onlymove_engines.coach.judge import Coaching, OnBad, find_regret, is_certain, judge, judge_mixed, measure_luck
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.judgement import Grade, Judgement, Objective
from onlymove_engines.core.value import Draw, Loss, Mixed, Move, Outcome, Value, Win, proven
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import Session

from tests.literal_game import literal_game

W, D, L = Win, Draw, Loss


def judge_first(played: Value, *others: Value, objective: Objective = Objective.RESULT) -> tuple[str, str, bool]:
    analysis = Analysis(None, dict(enumerate([played, *others])))
    judgement = judge(analysis, 0, Coaching(objective=objective))
    return judgement.grade.word, judgement.glyph, judgement.flagged


@pytest.mark.parametrize(
    ("played", "others", "expected"),
    [
        (W(5), [], ("forced", "", False)),
        (W(5), [W(5)], ("forced", "", False)),
        (D(), [D(), D()], ("forced", "", False)),
        (W(5), [W(5), W(9)], ("forced", "", False)),
        (W(9), [W(5)], ("forced", "", False)),
        (W(11), [W(5)], ("inaccuracy", "?!", False)),
        (L(8), [L(6)], ("forced", "", False)),
        (L(2), [L(8)], ("inaccuracy", "?!", False)),
        (W(5), [W(5), W(9), D()], ("best", "", False)),
        (D(), [L(4), L(2)], ("best", "!", False)),
        (W(5), [D(), L(2)], ("best", "!", False)),
        (W(9), [W(5), D()], ("good", ".", False)),
        (W(11), [W(5), D()], ("inaccuracy", "?!", False)),
        (D(), [W(7)], ("missed-win", "?", True)),
        (L(4), [W(7), D()], ("blunder", "??", True)),
        (L(4), [D()], ("blunder", "??", True)),
    ],
)
def test_moves_of_sequential_games_are_graded(
    played: Value, others: list[Value], expected: tuple[str, str, bool]
) -> None:
    assert judge_first(played, *others) == expected


def points(margin: int, outcome: Outcome = Outcome.WIN) -> Value:
    return proven(outcome, None, margin)


@pytest.mark.parametrize(
    ("played", "best", "objective", "expected"),
    [
        (points(8), points(12), Objective.RESULT, ("inaccuracy", "?!", False)),
        (points(4), points(12), Objective.RESULT, ("inaccuracy", "?!", False)),
        (points(8), points(12), Objective.MARGIN, ("inaccuracy", "?!", True)),
        (points(4), points(12), Objective.MARGIN, ("mistake", "?", True)),
        (points(4, Outcome.DRAW), points(12), Objective.RESULT, ("missed-win", "?", True)),
        (points(-4, Outcome.LOSS), points(12), Objective.RESULT, ("blunder", "??", True)),
    ],
)
def test_in_games_with_points_the_result_comes_first(
    played: Value, best: Value, objective: Objective, expected: tuple[str, str, bool]
) -> None:
    assert judge_first(played, best, points(-8, Outcome.LOSS), objective=objective) == expected


@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize("objective", list(Objective))
@pytest.mark.parametrize(
    ("margin", "expected"),
    [(-4, ("best", "", False)), (-8, ("inaccuracy", "?!", True)), (-12, ("mistake", "?", True))],
)
def test_points_are_judged_if_no_move_changes_the_result(
    outcome: Outcome, objective: Objective, margin: int, expected: tuple[str, str, bool]
) -> None:
    assert (
        judge_first(points(margin, outcome), points(-4, outcome), points(-16, outcome), objective=objective) == expected
    )


def test_a_defeat_in_which_every_move_gave_points_away_is_not_a_value_kept() -> None:
    game = literal_game()
    live = LiveGame(Session(game), Coaching(OnBad.MARK))
    lost = {move: points(margin, Outcome.LOSS) for move, margin in {"a": -24, "b": -4, "c": -12}.items()}
    live.store_values(live.node, Analysis(None, lost))
    live.offer(0, "a")
    found = count_figures(list_choices_at(live.session.node.path(), 0))
    assert found.format_headline() == "0 of 1 move was good."
    assert found.accuracy is not None
    assert found.accuracy < 50, "20 points of 24 given away, and nothing said of it"


def test_the_headline_follows_from_the_classes_that_are_counted() -> None:
    game = literal_game()
    for objective in Objective:
        live = LiveGame(Session(game), Coaching(OnBad.MARK, objective))
        live.store_values(live.node, Analysis(None, {"a": points(4), "b": points(12), "c": points(0, Outcome.DRAW)}))
        live.offer(0, "a")
        found = count_figures(list_choices_at(live.session.node.path(), 0))
        assert found.counts == {Grade.INACCURACY if objective is Objective.RESULT else Grade.MISTAKE: 1}
        assert found.format_headline() == f"{int(objective is Objective.RESULT)} of 1 move was good."


def test_a_move_that_wins_at_once_gives_nothing_away() -> None:
    values = {"ends": points(4), "goes on": points(12), "slips": points(8)}
    analysis = Analysis(points(12), values, ends_won=frozenset({"ends"}))
    for objective in Objective:
        judgement = judge(analysis, "ends", Coaching(objective=objective))
        assert (judgement.grade, judgement.flagged, judgement.points_lost) == (Grade.BEST, False, 0)
        assert judge(analysis, "slips", Coaching(objective=objective)).flagged


@pytest.mark.parametrize(
    ("played", "objective", "keeps"),
    [
        (points(8), Objective.RESULT, (True, True)),
        (points(8), Objective.MARGIN, (True, False)),
        (points(12), Objective.MARGIN, (True, True)),
        (points(0, Outcome.DRAW), Objective.RESULT, (False, False)),
    ],
)
def test_in_games_for_points_a_lost_point_is_lost_value(
    played: Value, objective: Objective, keeps: tuple[bool, bool]
) -> None:
    judgement = judge(
        Analysis(None, {"played": played, "best": points(12), "worst": points(-8, Outcome.LOSS)}),
        "played",
        Coaching(objective=objective),
    )
    assert (judgement.keeps_result, judgement.keeps_value) == keeps


def test_unknown_values_are_never_flagged() -> None:
    assert judge(Analysis[str](None, {"a": None, "b": W(3)}), "a").grade is Grade.UNKNOWN
    assert judge(Analysis[str](None, {"a": L(2), "b": None}), "a").grade is Grade.UNKNOWN


def test_flagged_exactly_when_the_result_drops_and_never_a_best_move() -> None:
    ladder: list[Value] = [W(1), W(3), W(9), D(), L(8), L(2)]
    for values in itertools.product(ladder, repeat=3):
        analysis = Analysis(None, dict(enumerate(values)))
        top = max(values)
        for move, value in enumerate(values):
            judgement = judge(analysis, move)
            assert judgement.flagged == (value.outcome < top.outcome), (values, move)
            assert judgement.is_best == (value.preference == top.preference), (values, move)
            assert judgement.changes_nothing == (len({each.outcome for each in values}) == 1), (values, move)
            if judgement.changes_nothing:
                assert judgement.grade in (Grade.FORCED, Grade.INACCURACY), (values, move)


@pytest.mark.parametrize(
    ("played", "others", "sentence"),
    [
        (W(5), [], "There was nothing to decide."),
        (W(5), [W(9)], "Every move kept the win. No other move was faster."),
        (W(9), [W(5)], "Every move kept the win. The win takes 4 moves longer."),
        (W(11), [W(5)], "Inaccuracy: the win takes 6 moves longer."),
        (D(), [D()], "Every move held the draw."),
        (L(8), [L(6), L(8)], "Already lost. No other move held out longer."),
        (L(6), [L(8)], "Already lost. The loss comes 2 moves sooner."),
        (L(2), [L(8)], "Inaccuracy: the loss comes 6 moves sooner."),
        (proven(Outcome.WIN, None), [W(5)], "Every move kept the win."),
        (proven(Outcome.LOSS, None), [proven(Outcome.LOSS, None)], "Already lost."),
        (proven(Outcome.LOSS, None, -8), [proven(Outcome.LOSS, None, -8)], "Already lost. No move changed the points."),
    ],
)
def test_where_nothing_can_change_nobody_is_praised(played: Value, others: list[Value], sentence: str) -> None:
    assert judge(Analysis(None, dict(enumerate([played, *others]))), 0).verdict() == sentence


def test_moves_that_change_nothing_are_in_no_figure() -> None:
    live = LiveGame(Session(literal_game()), Coaching(OnBad.MARK))
    live.store_values(live.node, Analysis(None, {"a": L(2), "b": L(8), "c": L(4)}))
    live.offer(0, "a")
    found = count_figures(list_choices_at(live.session.node.path(), 0))
    assert (found.kept, found.decisions, found.accuracy, found.turning_point) == (0, 0, None, None)
    assert found.counts == {Grade.FORCED: 1}
    assert found.format_headline() == "No decisions to judge."
    assert found.describe_left_out() == ["Not counted: 1 with nothing to decide (1 slow)."]


@pytest.mark.parametrize(("value", "sentence"), [(-0.95, "lost"), (0.95, "won")])
def test_in_a_simultaneous_game_that_is_as_good_as_over_nobody_is_praised(value: float, sentence: str) -> None:
    for certain, start in ((False, "As good as"), (True, "Already")):
        shared = round(value) if certain else value
        same: Mapping[Move, Mapping[Move, float]] = {"u": {"l": shared}, "d": {"l": shared}}
        judgement = judge_mixed(Mixed(shared, ({"u": 1.0, "d": 0.0}, {"l": 1.0}), same, certain), 0, "d")
        assert (judgement.grade, judgement.changes_nothing, judgement.glyph) == (Grade.FORCED, True, "")
        assert judgement.verdict() == f"{start} {sentence}, whatever is played."
    assert not judge_mixed(slip(0.1, exact=False), 0, "u").changes_nothing
    assert not judge_mixed(slip(0.01), 0, "u").changes_nothing, "one move gives a proven win away now and then"


PENNIES = Mixed(
    0.0, ({"u": 0.5, "d": 0.5}, {"l": 0.5, "r": 0.5}), {"u": {"l": 1, "r": -1}, "d": {"l": -1, "r": 1}}, True
)


def slip(regret: float, best: float = 1.0, exact: bool = True, earlier: Mixed | None = None) -> Mixed:
    matrix: Mapping[Move, Mapping[Move, float]] = {"u": {"l": best}, "d": {"l": best - 2 * regret}}
    return Mixed(best, ({"u": 1.0, "d": 0.0}, {"l": 1.0}), matrix, exact, earlier=earlier)


def judge_estimate(now: float, before: float) -> Judgement:
    """Return the judgement of a move by an estimate with this regret, after one with another regret at a smaller
    depth."""
    return judge_mixed(slip(now, exact=False, earlier=slip(before, exact=False)), 0, "d")


@pytest.mark.parametrize(
    ("regret", "word"),
    [(0.0, "forced"), (0.049, "inaccuracy"), (0.05, "mistake"), (0.199, "mistake"), (0.2, "blunder")],
)
def test_simultaneous_moves_are_judged_by_regret(regret: float, word: str) -> None:
    assert judge_mixed(slip(regret), 0, "d").grade.word == word


def test_no_move_of_an_equilibrium_is_ever_blamed() -> None:
    for seat, move in ((0, "u"), (0, "d"), (1, "l"), (1, "r")):
        assert judge_mixed(PENNIES, seat, move).grade is Grade.BEST
    assert measure_luck(PENNIES, 0, "u", "l") == 0.5
    assert measure_luck(PENNIES, 1, "l", "u") == -0.5


def test_estimates_have_wider_bands() -> None:
    assert judge_mixed(slip(0.03), 0, "d").grade is Grade.INACCURACY
    assert judge_mixed(slip(0.03, 0.5, exact=False), 0, "d").grade is Grade.SOUND
    assert judge_estimate(0.25, 0.25).grade is Grade.MISTAKE
    assert judge_estimate(0.35, 0.35).grade is Grade.BLUNDER


@pytest.mark.parametrize(("now", "before"), [(0.35, 0.01), (0.35, 0.15), (0.15, 0.35), (0.15, 0.15)])
def test_a_verdict_on_which_two_depths_differ_is_uncertain_and_blames_nobody(now: float, before: float) -> None:
    judgement = judge_estimate(now, before)
    assert (judgement.grade, judgement.flagged, judgement.uncertain) == (Grade.INACCURACY, False, True)
    assert judgement.verdict() == "Inaccuracy, possibly a mistake: the search is not certain."
    assert judge_mixed(slip(now, exact=False), 0, "d").uncertain, "one depth alone is never sure"


@pytest.mark.parametrize(
    ("now", "before", "certain"), [(0.0, 0.1, True), (0.0, 0.13, False), (0.2, 0.2, True), (0.2, 0.15, False)]
)
def test_a_verdict_is_certain_if_two_depths_agree(now: float, before: float, certain: bool) -> None:
    assert is_certain(slip(now, exact=False, earlier=slip(before, exact=False)), 0, "d") == certain


def test_near_equal_equilibria_of_estimates_do_not_decide_what_is_a_mistake() -> None:
    """Both replies are almost equally good. Against the reply that was found, `d` looks bad."""
    matrix: Mapping[Move, Mapping[Move, float]] = {"u": {"l": 0.0, "r": 0.01}, "d": {"l": -0.6, "r": 0.01}}
    mixes: tuple[Mapping[Move, float], Mapping[Move, float]] = ({"u": 1.0, "d": 0.0}, {"l": 1.0, "r": 0.0})
    for exact, regret in ((True, 0.3), (False, 0.0)):
        assert find_regret(Mixed(0.0, mixes, matrix, exact), 0, "d") == pytest.approx(regret)


def judge_beside_win(*payoffs: float | None) -> Judgement:
    """Return the judgement of a move with these payoffs, beside one that is proven to win. `None` is an estimate."""
    replies: tuple[Move, ...] = ("l", "r")[: len(payoffs)]
    row = {reply: 0.9 if payoff is None else payoff for reply, payoff in zip(replies, payoffs, strict=True)}
    estimated = frozenset(("d", reply) for reply, payoff in zip(replies, payoffs, strict=True) if payoff is None)
    matrix: Mapping[Move, Mapping[Move, float]] = {"u": dict.fromkeys(replies, 1.0), "d": row, "x": {**row, "l": 0.9}}
    mixes: tuple[Mapping[Move, float], ...] = ({"u": 1.0, "d": 0.0, "x": 0.0}, {r: float(r == "l") for r in replies})
    mixed = Mixed(1.0, (mixes[0], mixes[1]), matrix, exact=True, estimated=estimated | {("x", "l")})
    return judge_mixed(mixed, 0, "d")


def test_one_estimate_beside_a_proven_win_does_not_excuse_a_move_that_loses_it() -> None:
    judgement = judge_beside_win(1.0, -1.0)
    assert (judgement.grade, judgement.flagged, judgement.estimate) == (Grade.BLUNDER, True, False)
    assert judgement.lost() == "This gives up a certain win"
    assert judge_beside_win(1.0, 1.0).grade is Grade.SOUND


@pytest.mark.parametrize("payoffs", [(None, 1.0), (None, None)])
def test_a_move_that_is_not_proven_beside_a_proven_win_is_neither_praised_nor_blamed(
    payoffs: tuple[float | None],
) -> None:
    judgement = judge_beside_win(*payoffs)
    assert (judgement.grade, judgement.flagged) == (Grade.UNKNOWN, False)
    assert judgement.verdict() == "Another move was sure to win. Whether this one does is not known."


def test_a_move_that_surely_costs_much_is_flagged_whatever_else_is_estimated() -> None:
    assert judge_beside_win(None, 0.0).flagged
    assert is_certain(slip(0.0), 0, "d")


def test_a_verdict_says_how_much_slower_or_sooner() -> None:
    verdicts = [
        Judgement(Grade.INACCURACY, before, after, slower=slower).verdict()
        for before, after, slower in ((Win(5), Win(11), 3), (Loss(8), Loss(6), 1))
    ]
    assert verdicts == ["Inaccuracy: the win takes 6 moves longer.", "Inaccuracy: the loss comes 2 moves sooner."]


def test_a_losing_move_is_not_called_good() -> None:
    sooner = judge(Analysis[str](None, {"later": L(8), "sooner": L(7)}), "sooner")
    assert (sooner.grade, sooner.verdict()) == (Grade.FORCED, "Already lost. The loss comes 1 move sooner.")


def test_a_missed_win_is_mentioned() -> None:
    passed_over = judge(Analysis[str](None, {"now": W(1), "later": W(5)}), "later")
    assert (passed_over.grade, passed_over.flagged) == (Grade.INACCURACY, False)
    assert passed_over.verdict() == "You could have won at once."
    assert passed_over.verdict(line="three in a row") == "You could have won at once with three in a row."
    assert passed_over.verdict("Bottom", "three in a row") == "Bottom could have won at once with three in a row."
    assert (
        judge(Analysis[str](None, {"soon": W(3), "later": W(7)}), "later").verdict() == "You could have won in 3 moves."
    )
    assert (
        judge(Analysis[str](None, {"soon": W(5), "later": W(9), "draws": D()}), "later").verdict()
        == "A good move, but the win takes 4 moves longer."
    )


def test_a_verdict_on_the_other_sides_move_names_that_side() -> None:
    assert judge(Analysis[str](None, {"a": W(7), "b": L(8)}), "b").verdict("Top") == "Top threw away a win in 7 moves."


def test_counts_of_grades_use_singular_and_plural() -> None:
    counted = [
        grade.format_count(count) for grade in (Grade.BEST, Grade.INACCURACY, Grade.MISSED_WIN) for count in (1, 4)
    ]
    assert counted == ["1 best", "4 best", "1 inaccuracy", "4 inaccuracies", "1 missed win", "4 missed wins"]


def test_a_verdict_never_names_a_move() -> None:
    judgement = judge(Analysis[str](None, {"e4": W(7), "z9": L(8)}), "z9")
    assert judgement.verdict() == "You threw away a win in 7 moves."
    assert judgement.lost() == "Win in 7 moves -> Loss"
    assert Judgement(Grade.BLUNDER, regret=0.5, expected=1.0).lost() == "This gives up a certain win"
    assert Judgement(Grade.BLUNDER, regret=1.0, estimate=True).lost() == "Average cost: about 100 %"
    assert Judgement(Grade.BLUNDER, regret=0.99).lost() == "Average cost: 99 %"


@pytest.mark.parametrize(
    ("expected", "sentence"), [(-0.76, "No other move was better."), (0.0, "A good choice: it gives nothing away.")]
)
def test_a_sound_move_in_a_nearly_lost_position_is_not_praised(expected: float, sentence: str) -> None:
    assert Judgement(Grade.SOUND, expected=expected).verdict() == sentence


def test_a_move_that_is_not_played_yet_is_warned_of_and_not_blamed() -> None:
    warnings = {
        judge(Analysis[str](None, {"best": best, "this": this}), "this").warning()
        for best, this in ((W(7), L(8)), (W(7), D()), (D(), L(8)))
    }
    assert warnings == {
        "This move would throw away a win in 7 moves.",
        "This move would miss a win in 7 moves.",
        "This move would throw away the draw.",
    }
    lost = [Judgement(grade, regret=0.3, flagged=True).warning() for grade in (Grade.BLUNDER, Grade.INACCURACY)]
    assert lost == ["This move would be a blunder.", "This move would be an inaccuracy."]


def test_an_unsettled_move_keeps_no_other_from_being_judged_unless_it_may_be_better() -> None:
    values = {"wins": W(7), "unknown": None, "draws": D()}
    slower = Analysis[str](None, values, limits={"unknown": W(9)})
    judged = {move: judge(slower, move) for move in values}
    assert (judged["wins"].grade, judged["wins"].only) == (Grade.BEST, False)
    assert judged["draws"].grade is Grade.MISSED_WIN
    assert judged["unknown"].grade is Grade.UNKNOWN
    assert slower.list_best_moves() == ("wins",)
    for limits in ({"unknown": W(5)}, {}):
        assert all(judge(Analysis[str](None, values, limits=limits), move).grade is Grade.UNKNOWN for move in values)
