"""How the engine plays: exact and minimax styles, judging, refutations, the coach and the proof."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
from onlymove_engines.coach.hint import LAST_STAGE, make_hint
from onlymove_engines.coach.judge import Coaching, judge
from onlymove_engines.coach.values import analyse_after, find_best_line
from onlymove_engines.core.analysis import Analysis, Sections
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Turn
from onlymove_engines.core.judgement import Objective
from onlymove_engines.core.value import Outcome, Value, other
from onlymove_engines.games.ayoayo import GAME, coach, rules, styles
from onlymove_engines.games.ayoayo._kernel.search import MAX_PLY
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.codes import lead
from onlymove_engines.games.ayoayo.index import seen_by
from onlymove_engines.games.ayoayo.live import MarginSearch
from onlymove_engines.games.ayoayo.notation import format_position, parse_position
from onlymove_engines.games.ayoayo.prove import prove
from onlymove_engines.games.ayoayo.rules import START, Pits, Position
from onlymove_engines.play.tree import Conventions, GameTree
from onlymove_laws.law import parametrize_amount
from onlymove_tui.cli import run
from onlymove_tui.play.line_mode import hint_lines, value_lines

from tests.games.ayoayo.claims_law import count_captures

LAW = Conventions(GAME)
Playouts: TypeAlias = Callable[[int, int], Iterator[tuple[Position, int, Position]]]


def game(first: Any, second: Any, position: Position = START) -> list[Position]:
    """Return a game that is played to its end, by the rules or by repetition."""
    line = [position]
    while LAW.result(line) is None:
        line.append(rules.play(line[-1], (first, second)[line[-1].to_move](line[-1])))
        assert len(line) < 2000, "the game does not end"
    return line


def final_lead(line: list[Position]) -> int:
    """Return player 0's captures minus player 1's at the end of a line."""
    outcome = LAW.result(line)
    assert outcome is not None
    assert outcome.score is not None
    return outcome.score[0] - outcome.score[1]


def engine(analyst: AyoayoAnalyst, random: Random) -> Callable[[Position], int]:
    return lambda p: random.choice(styles.find_exact_moves(p, analyst.analyse(p), analyst))


def beats_random(games: int, analyst: AyoayoAnalyst, seed: int) -> None:
    random = Random(seed)
    exact, anyone = engine(analyst, random), lambda p: random.choice(rules.legal_moves(p))
    for _ in range(games):
        line = game(anyone, exact)
        assert final_lead(line) < 0, [format_position(p) for p in line]
        kept = -100
        for position in line:
            if rules.result(position) is None and position.to_move == 1:
                value = analyst.analyse(position).value
                assert isinstance(value, Value)
                assert value.margin is not None
                ahead = lead(position.captured, 1) + value.margin
                assert ahead >= kept, format_position(position)
                kept = ahead


def test_exact_play_as_second_beats_random(analyst: AyoayoAnalyst) -> None:
    beats_random(60, analyst, 31)


@pytest.mark.slow
def test_exact_play_as_second_beats_random_every_time(analyst: AyoayoAnalyst) -> None:
    beats_random(1000, analyst, 32)


def test_exact_play_never_loses_to_depth_7_from_a_position_that_is_not_lost(analyst: AyoayoAnalyst) -> None:
    random = Random(33)
    exact, deepest = engine(analyst, random), GAME.play.styles[-1]
    assert deepest.id == "minimax-7"
    openings: set[Position] = set()
    while len(openings) < 20:
        opening = START
        for _ in range(random.randint(2, 6)):
            opening = rules.play(opening, random.choice(rules.legal_moves(opening)))
        value = analyst.analyse(opening).value
        assert isinstance(value, Value)
        if opening in openings or value.outcome is Outcome.LOSS:
            continue
        openings.add(opening)
        seats = [exact, lambda p: next(iter(deepest.choose(Turn(p, p.to_move, Analysis(None, {}), analyst))))]
        first, second = seats if opening.to_move == 0 else seats[::-1]
        line = game(first, second, opening)
        outcome = final_lead(line) if opening.to_move == 0 else -final_lead(line)
        assert outcome >= 0, [format_position(p) for p in line]


def test_exact_against_itself_ends_as_proven(analyst: AyoayoAnalyst, facts: dict[str, Any]) -> None:
    for seed in range(20):
        both = engine(analyst, Random(seed))
        line = game(both, both)
        assert final_lead(line) == facts["values"]["start"], [format_position(p) for p in line]


def flags_exactly(pairs: int, playouts: Playouts, analyst: AyoayoAnalyst, sections: Sections, seed: int) -> None:
    """Check that exactly the moves that lower the value are flagged. The value is found in a second way, by boards and
    by deepening."""
    second, deepened = MarginSearch(sections["margin"]), Budget(depth=MAX_PLY)

    def margin(pits: Pits, seat: int) -> int:
        known = analyst.margin(pits, seat)
        if known is not None:
            return known
        return second.intervals([seen_by(pits, seat)], deepened)[0].low

    for before, _, _ in playouts(pairs, seed):
        seat, ahead = before.to_move, lead(before.captured, before.to_move)
        analysis, best = analyst.analyse(before), margin(before.pits, before.to_move)
        worths = {}
        for move in rules.legal_moves(before):
            sown = rules.sow(before.pits, seat, move)
            assert sown is not None
            worths[move] = lead(sown.captured, seat) - margin(sown.pits, other(seat))
        is_decided = len({sign(ahead + worth) for worth in worths.values()}) == 1
        for move, worth in worths.items():
            drops = worth < best if is_decided else sign(ahead + worth) < sign(ahead + best)
            where = f"{format_position(before)}, pit {move + 1}"
            assert judge(analysis, move, Coaching(objective=Objective.RESULT)).flagged == drops, where
            assert judge(analysis, move, Coaching(objective=Objective.MARGIN)).flagged == (worth < best), where
            pairs -= 1
        if pairs <= 0:
            return


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@parametrize_amount("pairs", 150, 10_000)
def test_flagged_exactly_when_value_or_margin_drops(
    playouts: Playouts, analyst: AyoayoAnalyst, sections: Sections, pairs: int
) -> None:
    flags_exactly(pairs, playouts, analyst, sections, 36)


@parametrize_amount("plies", 20, 400)
def test_a_refutation_ends_as_claimed(playouts: Playouts, analyst: AyoayoAnalyst, plies: int) -> None:
    for before, _, _ in islice(playouts(plies, 37), 0, None, 8):
        seat = before.to_move
        for move, value in analyse_after(LAW, [before], analyst).moves.items():
            line = [before]
            game = GameTree(GAME, before)
            for step in find_best_line(game, game.root, move, analyst):
                line.append(rules.play(line[-1], step))
            outcome = LAW.result(line)
            assert outcome is not None, format_position(before)
            assert value is not None
            assert outcome.outcome_for(seat) is value.outcome, format_position(before)


def test_the_coach_names_no_pit_before_the_last_stage(playouts: Playouts, analyst: AyoayoAnalyst) -> None:
    for before, _, _ in islice(playouts(700, 34), 0, None, 7):
        analysis = analyst.analyse(before)
        remarks = coach.describe_moves(before, analysis, analyst)
        assert set(remarks.ranked) == set(analysis.list_best_moves())
        assert set(remarks.moves) == set(analysis.moves)
        assert not re.search(r"\bpit\b", " ".join(remarks.area)), "a half of the row is no single pit"


def is_true_of(sentence: str, best: list[list[int]], every: list[list[int]]) -> bool:
    """Whether the first line of the second hint is true, given what the best moves and all moves capture and give."""
    seeds = [int(number) for number in re.findall(r"\d+", sentence)]
    capturing, giving = [own for own, _ in best if own], [theirs for _, theirs in best if theirs]
    ahead = [(own, theirs) for own, theirs in best if own > theirs]
    match sentence.split(str(seeds[0]), maxsplit=1)[0] if seeds else sentence:
        case "The best move captures " | "One of the best moves captures " as start:
            is_one = start.startswith("The") == (len(best) == 1)
            return is_one and (seeds[0], seeds[1] if seeds[1:] else 0) in ahead
        case "Even the best move lets your opponent capture " | "Even the best move captures ":
            return best == [[seeds[0] if seeds[1:] else 0, seeds[-1]]] and not ahead
        case "Even the best moves let your opponent capture ":
            return len(best) == len(giving) > 1 and min(giving) == seeds[0] and not ahead
        case "No best move captures more than it lets your opponent capture.":
            return bool(capturing) and not ahead
        case "No best move captures anything.":
            return not capturing and any(own for own, _ in every)
        case "No move captures anything yet.":
            return not any(own for own, _ in every)
    return False


def test_the_second_hint_is_true_of_every_best_move(playouts: Playouts, analyst: AyoayoAnalyst) -> None:
    output = Counter[str]()
    positions = [parse_position("2,2,1,2,1,1/1,1,11,0,0,2 8-16 0"), *(before for before, _, _ in playouts(700, 34))]
    for position in positions:
        analysis, (captured_by, given_to) = analyst.analyse(position), (position.to_move, other(position.to_move))
        gains = {}
        for move in analysis.moves:
            taken = count_captures(position.pits, position.to_move, move)
            gains[move] = [taken[captured_by], taken[given_to]]
        first, *others = coach.describe_moves(position, analysis, analyst).area
        assert is_true_of(first, [gains[move] for move in analysis.list_best_moves()], list(gains.values())), (
            f"{format_position(position)}: {first} {[gains[move] for move in analysis.list_best_moves()]}"
        )
        assert first not in others
        output[re.sub(r"\d+", "N", first)] += 1
    assert len(output) >= 7, output


@pytest.mark.parametrize(
    ("position", "word", "line"),
    [
        ("0,1,0,1,0,0/1,0,1,1,3,0 16-24 1", "won", "4: win at once, captures 4, ends in your own row."),
        ("0,1,2,1,0,2/1,3,0,0,0,2 12-24 0", "lost", "4: loss at once, gives 4, ends in the other row."),
    ],
)
def test_a_move_that_ends_the_game_does_not_win_or_lose_the_remaining_points(
    analyst: AyoayoAnalyst, position: str, word: str, line: str
) -> None:
    there = parse_position(position)
    known = analyse_after(LAW, [there], analyst)
    last = make_hint(GAME, there, known, LAST_STAGE, coach.describe_moves(there, known, analyst))
    assert dict(zip(last.moves, last.shown, strict=True))[3].value == word
    assert line in hint_lines(GAME, there, known, last)
    valued = value_lines(GAME, there, known, there.to_move)
    assert any(re.match(r"(Win|Loss) at once: 4", each) for each in valued), valued


@pytest.mark.slow
def test_the_proof(facts: dict[str, Any]) -> None:
    ticks = iter(range(100))
    lines = list(prove(lambda: float(next(ticks))))
    text = "\n".join(lines)
    assert text.count(": proven, ") == 2
    boards = [int(found.replace(",", "")) for found in re.findall(r"proven, ([0-9,]+) boards", text)]
    assert sum(boards) < facts["values"]["most_boards"], boards
    first, second = facts["values"]["final"]
    assert f"The second player wins {second}-{first}." in lines[-1]


def test_a_review_sees_that_a_win_was_given_up_by_letting_the_position_come_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.txt"
    position = "2,0,0,0,0,0/1,2,1,1,1,0 20-20 1"
    record.write_text(
        f'[Game "ayoayo"]\n[Position "{position}"]\n\n1. 2 1 2. 6 6 3. 5 5 4. 6 5 5. 3 4 6. 1 2 *\n', "utf-8"
    )
    assert run(["review", str(record)]) == 0
    output = capsys.readouterr().out.replace("→", "->")
    assert (
        "11. 1              ?  Second had a win. Win, +4 points to come -> Draw, +0 points to come. Best: 2" in output
    )
    assert "Second: 3 of 4 moves were good." in output
