"""The laws of the coach, for every game: hints reveal nothing too early, claims are true, and styles choose well."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.coach.hint import LAST_STAGE, WIDEST, Hint, is_open, make_hint, make_mixed_hint
from onlymove_engines.coach.judge import find_sound_moves, judge, judge_mixed
from onlymove_engines.coach.reasons import build_moment, find_claims
from onlymove_engines.coach.values import find_best_line, find_values
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, Style, Turn, alike
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import moves_of
from onlymove_engines.core.value import Outcome
from onlymove_engines.play.players import find_style
from onlymove_engines.play.tree import Conventions, GameTree

from .claims import Case, is_true
from .law import (
    Law,
    Sample,
    alternating_games,
    analyse_once,
    find_shared_analyst,
    games_with_styles,
    parametrize_amount,
    seat_of,
    simultaneous_games,
    solved_games,
    to_text,
    to_value,
)

SIGNED = re.compile(r"(?<![\w-])[+-]\.?\d")
"""Matches a number without a unit, such as `+0.76`. The margin of a move is in its own column and is not matched."""

LOSING = re.compile(r"(\d+) of (\d+) replies")


def list_ladders(game: AnyGame, positions: Sample) -> Iterator[tuple[Any, Analysis[Any], tuple[Hint, ...]]]:
    """Yield some of these positions, each with its analysis and its three hints."""
    return ((position, *make_ladder(game.id, position)) for position in positions[:20])


@cache
def make_ladder(game_id: str, position: Any) -> tuple[Analysis[Any], tuple[Hint, ...]]:
    """Return the analysis of a position and its three hints. All laws share them."""
    game, analyst, analysis = games.load(game_id), find_shared_analyst(game_id), analyse_once(game_id, position)
    remarks = None if game.voice.hints is None else game.voice.hints(position, analysis, analyst)
    return analysis, tuple(make_hint(game, position, analysis, stage, remarks) for stage in (1, 2, 3))


@alternating_games
def test_the_first_two_hints_help_and_name_no_move(game: AnyGame, unfinished_positions: Sample, law: Law) -> None:
    for position, analysis, (first, second, _) in list_ladders(game, unfinished_positions):
        if is_open(analysis):
            continue
        assert first.targets == first.moves == second.moves == (), to_text(game, position)
        spelled = {game.notation.format_move(position, move) for move in analysis.moves}
        spelled |= {game.describe_move(position, move) for move in analysis.moves}
        for line in law.each((*first.lines, *second.lines)):
            words = {word for word in re.split(r"[\s,.;:()]+", line) if not word.isdigit()}
            assert not words & spelled, f"{to_text(game, position)}: {line}"
        if analysis.list_best_moves():
            assert second.lines, to_text(game, position)
            assert not set(second.lines) & set(first.lines), f"{to_text(game, position)}: {second.lines}"
            assert second.targets, f"{to_text(game, position)}: nothing is marked"


@alternating_games
def test_every_threat_in_a_hint_is_real(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished_positions: Sample, law: Law
) -> None:
    for position, _, (_, second, _) in law.each(list_ladders(game, unfinished_positions)):
        for side, plies in re.findall(r"(\S+) threatens to win (?:in (\d+) moves|at once)", " ".join(second.lines)):
            there = game.voice.reasons.passed(position)
            best = max(value for value in analyst.analyse(there).moves.values() if value)
            assert game.seats[game.rules.to_move(there) or 0] == side, to_text(game, position)
            assert (best.outcome, best.remoteness) == (1, int(plies or 1)), f"{to_text(game, position)}: {second.lines}"


@alternating_games
def test_the_last_hint_has_one_line_for_each_best_move_the_hardest_to_answer_first(
    game: AnyGame, unfinished_positions: Sample, law: Law
) -> None:
    for position, analysis, (*_, last) in law.each(list_ladders(game, unfinished_positions)):
        assert set(last.moves) == set(analysis.list_best_moves()), to_text(game, position)
        for move, choice in zip(last.moves, last.shown, strict=True):
            assert choice.move == game.describe_move(position, move), to_text(game, position)
            assert re.fullmatch(r"[WL]\d+|D|[+-]\d+|0|won|lost", choice.value), f"{to_text(game, position)}: {choice}"
        for line in last.format_lines()[-len(last.shown) :] if last.shown else []:
            assert len(line) <= WIDEST, f"{to_text(game, position)}: {line}"
        counted = [LOSING.match(choice.shorten_words(0)) for choice in last.shown]
        shares = [int(found[1]) / int(found[2]) for found in counted if found is not None]
        assert shares == sorted(shares, reverse=True), f"{to_text(game, position)}: {last.format_lines()}"


@alternating_games
def test_hints_come_in_three_stages_or_one_and_every_number_has_a_unit(
    game: AnyGame, unfinished_positions: Sample, law: Law
) -> None:
    """There is only one stage if nothing is hidden."""
    for position, analysis, hints in law.each(list_ladders(game, unfinished_positions)):
        for stage, hint in enumerate(hints, 1):
            for line in (*hint.lines, *(words for choice in hint.shown for words in choice.words)):
                assert not SIGNED.search(line), f"{to_text(game, position)}: {line}"
            if is_open(analysis):
                assert (hint.stage, hint.stages, hint.is_last) == (1, 1, True), to_text(game, position)
                assert "very move" in hint.lines[0] or "only one move" in hint.lines[0], hint.lines
                assert set(hint.moves) == set(analysis.list_best_moves()), to_text(game, position)
            else:
                assert (hint.stage, hint.is_last) == (stage, stage == LAST_STAGE), to_text(game, position)


@simultaneous_games
def test_hints_for_simultaneous_moves_give_shares_and_name_no_move_too_early(
    game: AnyGame, mixer: SimultaneousAnalyst[Any], unfinished_positions: Sample, law: Law
) -> None:
    for position in unfinished_positions[:10]:
        mixed, outlook = mixer.mixed(position, Budget(depth=2)), game.voice.outlook
        for seat in law.each((0, 1)):
            area = outlook(position, seat, find_sound_moves(mixed, seat))
            first, second, last = (make_mixed_hint(mixed, seat, stage, area) for stage in (1, 2, 3))
            judged = {move: judge_mixed(mixed, seat, move).grade for move in mixed.strategies[seat]}
            unblamed = {move for move, grade in judged.items() if grade.gravity <= Grade.SOUND.gravity}
            assert set(last.moves) == unblamed, f"{to_text(game, position)}, {seat}: {judged}"
            assert all(choice.value.endswith(" %") for choice in last.shown), to_text(game, position)
            assert not any(SIGNED.search(line) for line in (*first.lines, *second.lines)), first.lines
            if is_open(mixed, seat):
                assert (first.is_last, second.is_last) == (True, True), to_text(game, position)
            else:
                assert first.moves == second.moves == (), to_text(game, position)
                steps = {str(move) for move in moves_of(game.rules, position, seat)}
                said = {word for line in (*first.lines, *second.lines) for word in re.split(r"[\s,.;:()]+", line)}
                assert not said & steps, f"{to_text(game, position)}: {second.lines}"
                assert second.lines, to_text(game, position)


MAX_PLIES = 60


def analyse_in_play(game: AnyGame, position: Any) -> Analysis[Any]:
    """Return the analysis of a position, including the moves that end the game as a win."""
    ends_won = Case(game, find_shared_analyst(game.id), position, None).ends_won((position,))
    return replace(analyse_once(game.id, position), ends_won=ends_won)


def list_judged_moves(game: AnyGame, many: int, random: Random) -> Iterator[tuple[list[Any], Any, Judgement]]:
    """Yield `many` moves from games in which about every second move is good: the positions before each, the move, and
    its judgement."""
    law, seen = Conventions(game), 0
    while True:
        past = [game.default_start()]
        while law.result(past) is None and len(past) < MAX_PLIES:
            if seen == many:
                return
            known = analyse_in_play(game, past[-1])
            move = random.choice(list(known.moves))
            yield past, move, judge(known, move)
            seen += 1
            follow = random.choice(known.list_best_moves() or [move]) if random.random() < 0.5 else move
            past = [*past, game.rules.play(past[-1], follow)]


def check_claims(game: AnyGame, analyst: AlternatingAnalyst, many: int, law: Law, least: float) -> str:
    """Check that no claim is false, and that at least the share `least` of the flagged moves gets a reason. Return a
    summary of the kinds of claims."""
    kinds, flagged, explained = Counter[str](), 0, 0
    for past, move, judgement in list_judged_moves(game, many, Random(many)):
        moment = build_moment(Conventions(game), past[-1:], move, analyse_in_play(game, past[-1]), analyst)
        found = () if moment is None else find_claims(moment, judgement)
        case = Case(game, analyst, past[-1], move)
        for claim in law.each(found):
            where = f"{game.notation.format_position(past[-1])} {game.notation.format_move(past[-1], move)}"
            assert is_true(case, claim), f"{game.id} {where}: {claim.sentence}"
        flagged += judgement.flagged
        telling = {claim.kind for claim in found if judgement.flagged and not claim.is_count}
        explained += bool(telling)
        kinds.update(telling)
    assert explained >= least * flagged, f"{game.id}: only {explained} of {flagged} flagged moves get a reason"
    shares = ", ".join(f"{kind} {count / flagged:.1%}" for kind, count in kinds.most_common())
    return (
        f"{game.id}: {explained} of {flagged} flagged moves have a reason, {explained / max(flagged, 1):.1%}: {shares}"
    )


@alternating_games
def test_sentences_about_a_move_are_true(game: AnyGame, analyst: AlternatingAnalyst, law: Law) -> None:
    check_claims(game, analyst, 60, law, 0.0)


@alternating_games
def test_what_all_winning_moves_achieve_is_what_each_of_them_achieves(
    game: AnyGame, unfinished_positions: Sample, law: Law
) -> None:
    reasons, rules = game.voice.reasons, game.rules
    law.excuse = "" if reasons.all_aims else "the game does not tell what several moves achieve"
    for position in law.each(unfinished_positions if reasons.all_aims else ()):
        assert reasons.all_aims is not None
        ends = {move: rules.result(rules.play(position, move)) for move in rules.legal_moves(position)}
        wins = [move for move, end in ends.items() if end is not None and end.winner == rules.to_move(position)]
        each = {aim for move in wins for aim in reasons.aims(position, move)}
        assert set(reasons.all_aims(position)) == each, to_text(game, position)


@pytest.mark.slow
@alternating_games
def test_sentences_about_many_moves_are_true(
    game: AnyGame,
    analyst: AlternatingAnalyst,
    law: Law,
    facts: dict[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    record_property("told_why", check_claims(game, analyst, 4_000, law, facts["told_why"]))


def count_not_winning(game: AnyGame, position: Any, move: Any, analyst: AlternatingAnalyst) -> float:
    """Return the share of the replies to a move that do not win. A reply that draws counts half."""
    values = [to_value(value) for value in analyst.analyse(game.rules.play(position, move)).moves.values()]
    return sum(1 - value.outcome for value in values) / 2 / len(values) if values else -1.0


@solved_games
@alternating_games
@games_with_styles
@parametrize_amount("count", 12, 400)
def test_the_first_style_takes_the_moves_that_are_hardest_to_answer(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished_positions: Sample, count: int, law: Law
) -> None:
    """It does so in lost positions too, but there only among moves that hold out equally long."""
    lost = 0
    for number, position in enumerate(unfinished_positions):
        tree = GameTree(game, position)
        analysis = find_values(tree, tree.root, analyst)
        assert isinstance(analysis, Analysis)
        top = to_value(analysis.best_value())
        if number >= count and top.outcome is not Outcome.LOSS:
            continue
        chosen = set(find_style(game, "").choose(Turn(position, seat_of(game, position), analysis, analyst)))
        shares = {move: count_not_winning(game, position, move, analyst) for move in analysis.list_best_moves()}
        assert chosen <= set(analysis.list_good_moves()), to_text(game, position)
        if top.outcome is Outcome.WIN:
            assert chosen <= shares.keys(), f"{to_text(game, position)}: there was a quicker win"
        elif top.outcome is Outcome.DRAW or top.remoteness is None:
            assert {shares[move] for move in chosen} == {max(shares.values())}, f"{to_text(game, position)}: {shares}"
        if top.outcome is Outcome.LOSS:
            lost += 1
            plies = {move: to_value(value).remoteness for move, value in analysis.moves.items()}
            for move, share in shares.items():
                rivals = [one for one in chosen if plies[one] == plies[move] and one in shares]
                assert all(share <= shares[one] for one in rivals), f"{to_text(game, position)}: {move}"
        law.count_case()
    assert lost, f"{game.id}: no position of the sample is lost"


@alternating_games
@games_with_styles
def test_the_punishment_that_is_shown_is_no_engines_taste(
    game: AnyGame, analyst: AlternatingAnalyst, unfinished_positions: Sample, law: Law
) -> None:
    worst: Style[Any, Any] = Style("worst", "Worst", "", lambda turn: alike([min(turn.analysis.moves, key=str)]))
    other_taste = replace(game, play=replace(game.play, styles=(worst,)))
    for position in law.each(unfinished_positions[:3]):
        move = Random(4).choice(list(game.rules.legal_moves(position)))
        lines = [GameTree(one, position) for one in (game, game, other_taste)]
        shown = [find_best_line(tree, tree.root, move, analyst) for tree in lines]
        assert shown[0] == shown[1] == shown[2], f"{to_text(game, position)}: {shown}"
