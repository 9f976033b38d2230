"""Playing and coaching: styles, hints, exact flags, and play without a table."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from random import Random
from threading import Event, Timer

import pytest
from onlymove_engines.coach.hint import make_hint
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.threats import find_threat
from onlymove_engines.coach.values import find_best_line
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Turn
from onlymove_engines.core.value import Draw, Estimate, Loss, Outcome, Value, turn_value
from onlymove_engines.games.orbito import GAME
from onlymove_engines.games.orbito.analyst import OrbitoAnalyst
from onlymove_engines.games.orbito.coach import collect_hints
from onlymove_engines.games.orbito.live import OrbitoLiveAnalyst
from onlymove_engines.games.orbito.notation import NOTATION
from onlymove_engines.games.orbito.rules import RULES, START, Move, Position
from onlymove_engines.games.orbito.styles import PRACTICAL, STYLES
from onlymove_engines.play.players import MoveChooser, find_style
from onlymove_engines.play.tree import GameTree
from onlymove_engines.search.deepening import describe_depth
from onlymove_laws.law import parametrize_amount

from tests.games.orbito.claims_law import turn_rings


def turn(
    position: Position, analysis: Analysis[Move], analyst: OrbitoAnalyst | OrbitoLiveAnalyst
) -> Turn[Position, Move]:
    """Return the choice that a style has to make."""
    return Turn(position, RULES.to_move(position), analysis, analyst)


@pytest.mark.parametrize("style", [style.id for style in STYLES])
@pytest.mark.parametrize("seat", [0, 1])
@parametrize_amount("games", 8, 500)  # two styles of 500 games: a thousand a side
def test_at_full_strength_no_value_is_ever_dropped(analyst: OrbitoAnalyst, style: str, seat: int, games: int) -> None:
    engine, chance = MoveChooser(analyst, find_style(GAME, style)), Random(seat)
    for _ in range(games):
        position, won = START, False
        while (moves := RULES.legal_moves(position)) != ():
            if RULES.to_move(position) != seat:
                position = RULES.play(position, chance.choice(moves))
                continue
            before = analyst.probe(position)
            won = won or before.outcome is Outcome.WIN
            position = RULES.play(position, engine.choose(position, RULES.to_move(position), moves, chance))
            assert analyst.probe(position).outcome == -before.outcome
        result = RULES.result(position)
        assert result is not None
        if won or seat == 0:
            assert result.winner == seat


@parametrize_amount("count", 600, 10_000)
def test_a_move_is_flagged_exactly_when_the_result_drops(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...], count: int
) -> None:
    checked = 0
    for position in random_positions:
        analysis = analyst.analyse(position)
        if not analysis.moves or checked >= count:
            continue
        assert isinstance(analysis.value, Value)
        for move in Random(checked).sample(list(analysis.moves), min(12, len(analysis.moves))):
            after = RULES.play(position, move)
            result = RULES.result(after)
            child = analyst.probe(after) if result is None else result.value_for(RULES.to_move(after))
            assert judge(analysis, move).flagged == (-child.outcome < analysis.value.outcome)
            checked += 1
    assert checked >= count


@parametrize_amount("step", 120, 40)
def test_refutations_end_in_the_claimed_result_at_the_claimed_distance(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...], step: int
) -> None:
    """A drawn line has no distance, and ends with the full board."""
    for position in random_positions[::step]:
        for move, value in list(analyst.analyse(position).moves.items())[::17]:
            assert value is not None
            start = GameTree(GAME, position)
            line, end = find_best_line(start, start.root, move, analyst), position
            for played_move in line:
                end = RULES.play(end, played_move)
            result = RULES.result(end)
            assert result is not None
            assert result.outcome_for(RULES.to_move(position)) == value.outcome
            assert value.outcome is Outcome.DRAW or len(line) == value.remoteness


def test_the_practical_style_keeps_the_result_and_maximises_the_measure(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...]
) -> None:
    practical = find_style(GAME, "practical")
    for position in random_positions[::30]:
        analysis = analyst.analyse(position)
        top = analysis.best_value()
        if top is None:
            continue
        liked = practical.choose(turn(position, analysis, analyst))
        assert liked
        assert set(liked) <= set(analysis.list_good_moves())
        if top.outcome is Outcome.WIN:
            assert set(liked) <= set(analysis.list_best_moves())
            continue
        results = {move: mean_of_replies(position, move, analyst) for move in analysis.list_good_moves()}
        ranked = PRACTICAL.chances(turn(position, analysis, analyst))
        assert set(ranked) == set(results)
        for move, value in analysis.moves.items():
            if move in ranked and value is not None:
                replies = 1 if value.outcome is Outcome.DRAW else (value.remoteness or 0) // 2
                assert ranked[move].result == pytest.approx(1 - (1 - results[move]) ** replies)
        assert set(liked) == {move for move in ranked if ranked[move] == max(ranked.values())}


def mean_of_replies(position: Position, move: Move, analyst: OrbitoAnalyst) -> float:
    """Return the mean result of all replies: win 1, draw 1/2, loss 0."""
    seat, after = RULES.to_move(position), RULES.play(position, move)
    ends = [RULES.play(after, reply) for reply in RULES.legal_moves(after)] or [after]
    values = [turn_value(analyst.probe(end), RULES.to_move(end), seat) for end in ends]
    return sum((value.outcome + 1) / 2 for value in values) / len(values)


def test_practical_chances_win_more_drawn_positions_than_any_drawing_move(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...]
) -> None:
    drawn = [position for position in random_positions if analyst.probe(position) == Draw()][:60]
    assert len(drawn) == 60
    weak = MoveChooser(analyst, find_style(GAME, "fastest"), strength=50)
    wins = {}
    for style in ("practical", "fastest"):
        engine, chance, wins[style] = MoveChooser(analyst, find_style(GAME, style)), Random(3), 0
        for position in drawn:
            seat, end = RULES.to_move(position), position
            while moves := RULES.legal_moves(end):
                player = engine if RULES.to_move(end) == seat else weak
                end = RULES.play(end, player.choose(end, RULES.to_move(end), moves, chance))
            result = RULES.result(end)
            assert result is not None
            assert result.winner != 1 - seat, "a draw was lost"
            wins[style] += result.winner == seat
    assert wins["practical"] > wins["fastest"], wins


@parametrize_amount("step", 16, 4)
def test_hints_name_no_cell_before_the_last_stage(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...], step: int
) -> None:
    cell = re.compile(r"\b[a-d][1-4]")
    for position in random_positions[::step]:
        analysis = analyst.analyse(position)
        output = collect_hints(position, analysis, analyst)
        assert not any(cell.search(line) for line in output.area), output.area
        assert set(output.moves) <= set(analysis.list_best_moves())
        first = make_hint(GAME, position, analysis, 1, output)
        assert not any(cell.search(line) for line in first.lines)
        assert first.is_last or not first.targets


@pytest.mark.parametrize(
    ("position", "output"),
    [
        ("..../..../..../.... W", ()),
        (
            "B.W./BW.W/..W./B... B",
            (
                "Both good moves start by moving an opposing marble: otherwise your opponent completes a line next "
                "turn.",
            ),
        ),
        (
            ".WWB/WWWB/B.BW/..B. B",
            (
                "The only good move starts by moving an opposing marble: that completes a line at once.",
                "Place your marble on the inner ring.",
            ),
        ),
        (
            ".WBW/WWWB/WBBB/WBBW B",
            ("The only good move starts by moving an opposing marble: otherwise you only draw.",),
        ),
        (
            "BWBW/BWWW/WBBW/WBB. B",
            ("The only good move starts by moving an opposing marble: otherwise you lose.",),
        ),
        (
            "B.BW/WWBW/BWWW/BWBB B",
            (
                "The only good move starts by moving an opposing marble: otherwise this shift completes a line for "
                "your opponent.",
            ),
        ),
        (
            "BWB./WBBW/WBBW/WB.W W",
            ("Leave your opponent's marbles where they are.",),
        ),
    ],
)
def test_the_coach_says_when_the_push_is_the_point(
    analyst: OrbitoAnalyst, position: str, output: tuple[str, ...]
) -> None:
    there = NOTATION.parse_position(position)
    assert collect_hints(there, analyst.analyse(there), analyst).area[: max(1, len(output))] == output


@parametrize_amount("step", 15, 2)
def test_what_the_second_hint_says_of_other_moves_is_true_of_each(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...], step: int
) -> None:
    output = Counter[str]()
    inner = {"b2", "b3", "c2", "c3"}
    for position in random_positions[::step]:
        analysis = analyst.analyse(position)
        alone = {value.outcome for move, value in analysis.moves.items() if len(move) == 1 and value}
        inward = {m for m in analysis.moves if len(m) == 3 and m[0] not in inner and m[1] in inner}
        doing = inward.intersection(analysis.list_good_moves())
        for line in collect_hints(position, analysis, analyst).area:
            where = f"{NOTATION.format_position(position)}: {line}"
            if found := re.search(r"otherwise you (draw at best|only draw|lose)", line):
                output[found[0]] += 1
                results = {"draw at best": {0, -1}, "only draw": {0}, "lose": {-1}}
                assert alone == results[found[1]], where
            if "marble inwards" in line:
                output["inwards"] += 1
                first, is_denied = line.split(maxsplit=1)[0], line.startswith("No good") or " not " in line
                count = int(first) if first.isdigit() else 0 if is_denied else len(analysis.list_good_moves())
                assert doing == inward if first == "Every" else len(doing) == count, where
    assert {"otherwise you lose", "otherwise you draw at best", "inwards"} <= output.keys(), output


def test_the_last_hint_says_where_marbles_lie_after_all_shifts(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...]
) -> None:
    tried = Counter[int]()
    for position in [position for position in random_positions if position.marbles == 15][:40]:
        for move, words in collect_hints(position, analyst.analyse(position), analyst).moves.items():
            end = RULES.result(RULES.play(position, move))
            assert end is not None, "the board is full"
            found = re.search(r"after (\d)", end.reason)
            extra = int(found[1]) if found else 5 if "six checks" in end.reason else 0
            cells = dict.fromkeys(move[-2:], "")
            for cell in cells:
                there = {cell: ""}
                for _ in range(1 + extra):
                    there = turn_rings(there)
                (cells[cell],) = there
            *pushed, placed = cells.values()
            short = f"ends on {placed}" + "".join(f", theirs on {cell}" for cell in pushed)
            full = f"your marble ends on {placed}" + "".join(f", your opponent's on {cell}" for cell in pushed)
            assert words[:2] == (full, short), f"{NOTATION.format_position(position)} {move}"
            tried[extra] += 1
    assert tried[0] < tried.total(), tried


@parametrize_amount("step", 9, 2)
def test_the_coach_counts_the_pushes_among_the_moves_that_keep_the_value(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...], step: int
) -> None:
    seen = set()
    for position in random_positions[::step]:
        analysis = analyst.analyse(position)
        top = analysis.best_value()
        if top is None or top.outcome is Outcome.LOSS or position.marbles < 2:
            continue
        keeping = analysis.list_good_moves()
        pushes = sum(len(move) == 3 for move in keeping)
        area = collect_hints(position, analysis, analyst).area
        pushable = sum(len(move) == 3 for move in analysis.moves)
        if pushes * len(analysis.moves) == pushable * len(keeping):
            assert not any("start by moving" in line or "starts by moving" in line for line in area), (
                "as common among all moves: nothing to tell"
            )
            continue
        some = "every" if pushes == pushable else "some"
        kind = {0: "none", len(keeping): {1: "one", 2: "both"}.get(pushes, "all")}.get(pushes, some)
        seen.add(kind)
        text = area[0]
        assert text.startswith(
            {
                "none": "Leave your opponent's marbles",
                "some": f"{pushes} of the {len(keeping)} good moves",
                "every": "Every move that starts by moving",
                "one": "The only good move starts by moving",
                "both": "Both good moves start by moving",
                "all": f"All {len(keeping)} good moves start by moving",
            }[kind]
        ), text
        alone = [value for move, value in analysis.moves.items() if len(move) == 1 and value is not None]
        if "otherwise this shift" in text:
            assert max(alone) == Loss(1)
        if "line next turn" in text:
            assert max(alone) == Loss(2)
    assert seen >= {"none", "some", "one", "both", "all"}


@parametrize_amount("step", 240, 40)
def test_without_a_table_what_is_proven_is_true_and_the_rest_unknown(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...], step: int
) -> None:
    live = OrbitoLiveAnalyst(GAME)
    proven = 0
    for position in random_positions[::step]:
        found, exact = live.analyse(position, Budget(nodes=2000)), analyst.analyse(position)
        assert list(found.moves) == list(exact.moves)
        for move, value in found.moves.items():
            assert value is None or value == exact.moves[move]
            assert (value is None) == (move in found.estimates)
            proven += value is not None
        assert isinstance(found.value, Estimate) or found.value == exact.value
        if exact.moves:
            how = (
                "but a search has proven this" if found.is_complete else f"so this was searched to depth {found.depth}"
            )
            assert found.note == f"there is no table, {how}"
            assert all(style.choose(turn(position, found, live)) for style in STYLES)
    assert proven > 4_000 // step


def test_without_a_table_endings_are_proven_by_search(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...]
) -> None:
    live = OrbitoLiveAnalyst(GAME)
    endings = [position for position in random_positions if position.marbles >= 12 and RULES.result(position) is None]
    assert len(endings) >= 20
    for ending in endings[:20]:
        found, exact = live.analyse(ending), analyst.analyse(ending)
        assert (found.value, found.moves) == (exact.value, exact.moves)


def test_a_stop_sign_ends_the_search() -> None:
    live = OrbitoLiveAnalyst(GAME)
    found = live.analyse(START, Budget(stop=lambda: True))
    assert found.note == describe_depth(0)
    assert set(found.moves.values()) == {None}
    stopped = Event()
    Timer(0.2, stopped.set).start()
    found = live.analyse(START, Budget(nodes=1 << 40, stop=stopped.is_set))
    assert int(found.note.split()[-1]) < 16, "it would search for hours"


@pytest.mark.slow
def test_without_a_table_a_batch_is_solved_in_memory(
    analyst: OrbitoAnalyst, random_positions: tuple[Position, ...]
) -> None:
    live = OrbitoLiveAnalyst(GAME)
    assert list(live.summarise(random_positions[:300])) == list(analyst.summarise(random_positions[:300]))


def test_playing_with_a_table_needs_no_compiler() -> None:
    script = """
import sys
import numpy as np
from onlymove_engines import games
from onlymove_engines.core.game import Turn
game = games.load("orbito")
analyst = game.solved.open_analyst({"scores": np.zeros(game.solved.index.size, np.int8)})
position = game.default_start()
analysis = analyst.analyse(position)
game.voice.hints(position, analysis, analyst)
[style.choose(Turn(position, 0, analysis, analyst)) for style in game.play.styles]
list(analyst.summarise([position]))
game.warm()
assert "numba" not in sys.modules, "numba was imported"
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "line"), [(".B../WWWB/.BWB/BWW. B", "the a4-d1 diagonal"), (".B.B/W.W./BWBW/BWW. B", "the a1-d4 diagonal")]
)
def test_a_line_that_cannot_be_stopped_alone_is_named_alone(text: str, line: str) -> None:
    """Some moves complete this line and another one at once."""
    threat = find_threat(GAME, NOTATION.parse_position(text))
    assert threat is not None
    assert (threat.aims, threat.stops) == ((f"four in {line}",), 0)
