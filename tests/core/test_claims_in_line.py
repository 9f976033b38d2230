"""Sentences about a move are true under the history of its game. This is tested on every line of small games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

import pytest
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.reasons import build_moment, find_claims
from onlymove_engines.coach.values import analyse_after, find_hardest
from onlymove_engines.core.game import AnyGame, Claim, GameReasons, RelatedMoves
from onlymove_engines.core.repetition import THREEFOLD
from onlymove_engines.core.value import Outcome, Value
from onlymove_engines.play.tree import Conventions
from onlymove_laws.claims import Case, Line, are_words_true, is_fact
from onlymove_laws.law import parametrize_amount

from tests.core.test_in_line import random_line, round_tree
from tests.literal_game import Over, Tree, literal_game
from tests.reference.every_line import EveryLine, PlainAnalyst


@dataclass
class Lived(Case):
    """A move of a game in progress. Its values come from following every line with all earlier positions."""

    def worth(self, line: Line) -> Value:
        return EveryLine(Conventions(self.game)).value(line)

    def values(self, line: Line) -> Mapping[str, Value]:
        return EveryLine(Conventions(self.game)).moves(line)


def round_game(times: int, tree: Tree) -> AnyGame:
    """Return a small game that can go round in circles. Every position has a twin with the other side to move, some
    moves share a part, and a win has a name."""
    game = literal_game(tree, "a0")

    def pass_turn(position: str) -> str | None:
        return None if game.rules.result(position) else "ba"["ab".index(position[0])] + position[1:]

    def kin(position: str, move: str, _keeping: Collection[str]) -> Iterator[RelatedMoves[str]]:
        others = tuple(other for other in game.rules.legal_moves(position) if other != move)
        yield RelatedMoves(
            tuple(other for other in others if (other in "xy") == (move in "xy")), "right", "{does}", "{move}"
        )

    def aims(position: str, move: str) -> list[str]:
        return [game.rules.play(position, move)]

    output = GameReasons(passed=pass_turn, related_moves=kin, aims=aims)
    return replace(
        game,
        play=replace(game.play, repetition=replace(THREEFOLD, times=times)),
        voice=replace(game.voice, reasons=output),
    )


def is_true(case: Case, claim: Claim) -> bool:
    """Whether a claim is true, and its sentence says no more."""
    holds = is_fact(case, claim)
    assert holds is not None, "the game has no claims of its own"
    return holds and are_words_true(case, claim)


@pytest.mark.parametrize(("times", "size"), [(2, 4), (3, 3)])
@parametrize_amount("games", 20, 1500)
def test_sentences_about_a_move_agree_with_a_search_of_all_lines(times: int, size: int, games: int) -> None:
    random, output = Random(times), Counter[str]()
    for _ in range(games):
        game = round_game(times, round_tree(random, size))
        law, analyst = Conventions(game), PlainAnalyst(game)
        past = random_line(law, "a0", random, 20)
        before = analyse_after(law, past, analyst)
        for move in before.moves:
            moment = build_moment(law, past, move, before, analyst)
            assert moment is not None, "all is known of so small a game"
            case = Lived(game, analyst, past[-1], move, past[:-1])
            for claim in find_claims(moment, judge(before, move)):
                assert is_true(case, claim), f"{game.rules}: {past}, {move}: {claim}"
                output[claim.kind] += bool(moment.closed)
                if claim.kind == "Alike" and not claim.facts["is_right"]:
                    for lie in {"loses", "only draws", "draws at best"} - {claim.sentence}:
                        assert not is_true(case, replace(claim, sentence=lie)), f"{game.rules}: {past}, {move}: {lie}"
    assert output.total() > games // 4, output


@pytest.mark.parametrize(("times", "size"), [(2, 4), (3, 3)])
@parametrize_amount("games", 100, 600)
def test_how_many_replies_lose_is_counted_in_the_game_under_way(times: int, size: int, games: int) -> None:
    random, counted = Random(times), 0
    for _ in range(games):
        game = round_game(times, round_tree(random, size))
        law, analyst = Conventions(game), PlainAnalyst(game)
        past = random_line(law, "a0", random, 20)
        found = find_hardest(law, past, list(law.list_allowed(past)), analyst)
        if found is not None:
            move, tally = found
            after = [*past, game.rules.play(past[-1], move)]
            worth = [value.outcome for value in EveryLine(law).moves(after).values()]
            assert (worth.count(Outcome.LOSS), len(worth)) == (tally.losses, tally.moves), (
                f"{game.rules}: {past}, {move}"
            )
            counted += 1
    assert counted > games // 20


def test_nothing_was_threatened_by_a_way_through_a_position_that_has_stood() -> None:
    """If b0 had passed, a0 would occur again: y, which wins in the end, can be answered by going back to it."""
    tree: Tree = {
        "a0": (0, {"x": "b0", "y": "b2", "z": "b1", "c": "won"}),
        "b0": (1, {"x": "a1", "y": "a2", "z": "a0"}),
        "a1": (0, {"x": "b0", "y": "b2", "z": "b1"}),
        "b1": (1, {"x": "a2", "y": "a1", "z": "a0"}),
        "a2": (0, {"x": "b1"}),
        "b2": (1, {"x": "a0", "c": "won0"}),
        "won": Over(0, 1),
        "won0": Over(0, 0),
    }
    game = round_game(3, tree)
    law, analyst, past = Conventions(game), PlainAnalyst(game), ["a0", "b0"]
    before = analyse_after(law, past, analyst)
    moment = build_moment(law, past, "x", before, analyst)
    assert moment is not None
    found = find_claims(moment, judge(before, "x"))
    assert any(claim.kind == "Punished" and claim.facts["reply"] == "y" for claim in found)
    assert not any(claim.kind in ("Ignored", "Opened") for claim in found)
