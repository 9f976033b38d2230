"""The solver that needs only rules, compared with published values, other solvers of this project, and other ways to
solve the same game."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from onlymove_engines import games
from onlymove_engines.coach.judge import judge
from onlymove_engines.core.analysis import AlternatingAnalyst, Columns, Ranked, Sections, alternating
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import RefusedRules, Unsolvable
from onlymove_engines.core.game import AnyGame, Game, Play
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.repetition import Repetition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Draw, Margin, Outcome, Value, proven
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_engines.search.position_keys import Keys, make_sections, pack
from onlymove_engines.search.rules_graph import Exploration, TooManyPositions
from onlymove_engines.search.rules_solver import RulesSolver
from onlymove_tables.open import LETTERS, open_analyst, open_game

from tests.amounts import limit_values
from tests.literal_game import LITERAL, LiteralRules, Over, literal_game
from tests.reference.purse_game import PurseRules, RankedAnalyst, count_lead, purse_game
from tests.small_games import ALL, MIRROR, QUARTER, TicTacToe, Words, centre_again, game_of, mu_torere, tic_tac_toe

SMALL = [tic_tac_toe(), tic_tac_toe((QUARTER, MIRROR)), mu_torere(), literal_game()]
NAMES = ["integers", "folded", "cycles", "literal"]


def solve_and_open(game: AnyGame, jobs: int = 1) -> tuple[dict[str, Any], AlternatingAnalyst]:
    sections = RulesSolver(game).build(jobs)
    return sections, alternating(open_analyst(game, make_columns(sections)))


def make_columns(sections: Sections) -> Columns:
    """Return the sections as a table returns them."""
    return {name: memoryview(data.tobytes()).cast(LETTERS[data.dtype.str[1:]]) for name, data in sections.items()}


def value_of(game: AnyGame) -> Value | None:
    return solve_and_open(game)[1].probe(game.default_start())


def test_tic_tac_toe_has_its_published_number_of_positions_and_is_drawn() -> None:
    sections, analyst = solve_and_open(tic_tac_toe())
    counts = RulesSolver(tic_tac_toe()).counts(sections)
    assert (counts["positions"], counts["finished"]) == (5478, 958), "T. Bolon, How to Never Lose at Tic-Tac-Toe, 2013"
    assert analyst.probe(0) == Draw()


def test_symmetric_positions_are_one() -> None:
    game = tic_tac_toe((QUARTER, MIRROR))
    counts = RulesSolver(game).counts(solve_and_open(game)[0])
    assert (counts["positions"], counts["classes"]) == (5478, 765)


def mark(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the position of tic-tac-toe with these cells marked."""
    return sum(1 << cell for cell in first) + sum(1 << cell + 9 for cell in second)


ONE, OTHER = mark((2, 3, 4), (0, 1)), mark((1, 2, 4), (0, 3))
"""Two positions on the same cells. The second player loses the first and wins the other."""
EXCHANGED = {
    ONE: MIRROR.position(OTHER),
    OTHER: MIRROR.position(ONE),
    MIRROR.position(ONE): OTHER,
    MIRROR.position(OTHER): ONE,
}
LIES: dict[str, Callable[[int], int]] = {
    "exchanges two mirror images": lambda position: EXCHANGED.get(position, MIRROR.position(position)),
    "has two positions with the same image": lambda position: MIRROR.position(OTHER if position == ONE else position),
    "changes nothing but two positions": lambda position: {ONE: OTHER, OTHER: ONE}.get(position, position),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_symmetry_that_is_wrong_at_a_single_position_is_refused(lie: Callable[[int], int]) -> None:
    """The moves, the side to move and the ends are those of a true mirror image. Only where moves lead shows the lie,
    and values would be wrong."""
    _, true = solve_and_open(tic_tac_toe())
    assert true.probe(ONE) != true.probe(OTHER)
    symmetry = replace(MIRROR, name="mirror", position=lie)
    with pytest.raises(RefusedRules, match=r"by the symmetry 'mirror'|an image of an image is not among the images"):
        RulesSolver(tic_tac_toe((symmetry,))).build()


def test_the_centre_wins_if_it_gives_another_turn() -> None:
    """The centre and a corner leave two lines open, and a second line follows whatever is played."""
    centre = 4
    for analyst in (solve_and_open(centre_again((QUARTER, MIRROR)))[1], LiveAnalyst(centre_again())):
        found = analyst.analyse(0, Budget(nodes=1_000_000))
        assert found.list_best_moves() == (centre,)
        assert found.moves[centre] == find_plainly(centre_again(), 0)
        assert judge(found, centre).grade is Grade.BEST
        corner = judge(found, 0)
        assert (corner.flagged, corner.after) == (found.moves[0] != found.value, found.moves[0])


def find_plainly(game: AnyGame, position: int) -> Value:
    """Return the value of a position by its definition, with a sign for each change of sides."""
    known: dict[int, tuple[int, int]] = {}

    def look(here: int) -> tuple[int, int]:
        """Return the outcome for the first player, and the plies to the end."""
        if here not in known:
            result, seat = game.rules.result(here), game.rules.to_move(here)
            if result is not None:
                known[here] = (0 if result.winner is None else 1 - 2 * result.winner, 0)
            else:
                sign = -1 if seat else 1
                after = [look(game.rules.play(here, move)) for move in game.rules.legal_moves(here)]
                best = max(after, key=lambda one: (sign * one[0], -sign * one[0] * one[1]))
                known[here] = best[0], best[1] + 1
        return known[here]

    outcome, plies = look(position)
    return proven(Outcome(-outcome if game.rules.to_move(position) else outcome), plies)


def test_mu_torere_is_drawn() -> None:
    assert value_of(mu_torere()) == Draw()


def test_nim_is_lost_where_the_nim_sum_is_zero() -> None:
    """Source: C. L. Bouton, "Nim, a Game with a Complete Mathematical Theory", 1901."""
    heaps = {f"{a}{b}{c} {seat}": (a, b, c) for a in range(4) for b in range(4) for c in range(4) for seat in (0, 1)}
    tree: dict[str, Any] = {}
    for text, piles in heaps.items():
        seat = int(text[-1])
        moves = {}
        for place, pile in enumerate(piles):
            for left in range(pile):
                after = [*piles[:place], left, *piles[place + 1 :]]
                moves[f"{'abc'[place]}{left}"] = f"{''.join(map(str, after))} {1 - seat}"
        tree[text] = (seat, moves)
    tree["000 0"], tree["000 1"] = Over(1, 0), Over(0, 1)
    _, analyst = solve_and_open(literal_game(tree, "333 0"))
    for text, (a, b, c) in heaps.items():
        value = analyst.probe(text)
        assert (value is None) == (not analyst.is_reachable(text))
        assert value is None or (value.outcome == 1) == (a ^ b ^ c != 0), text


@pytest.mark.parametrize("game", SMALL, ids=NAMES)
def test_the_value_of_every_move_agrees_with_the_plain_rules(game: AnyGame) -> None:
    sections, analyst = solve_and_open(game)
    keys = Keys(sections)
    for known in keys.read(range(len(keys.words[0]))):
        position = known if isinstance(known, int) else game.notation.parse_position(known)
        analysis = analyst.analyse(position)
        best = analysis.best_value()
        assert best in (None, analysis.value), known
        assert (best is None) == (game.rules.result(position) is not None)


@pytest.mark.parametrize("game", SMALL, ids=NAMES)
def test_another_routine_in_another_order_finds_the_same_table(game: AnyGame) -> None:
    solver = RulesSolver(game)
    built, derived = solver.build(), solver.derive()
    assert built.keys() == derived.keys()
    for name, section in built.items():
        assert section.dtype == derived[name].dtype, name
        assert np.array_equal(section, derived[name]), name


@pytest.mark.parametrize("game", SMALL[1:3], ids=NAMES[1:3])
def test_the_same_positions_are_found_by_any_number_of_processes(game: AnyGame) -> None:
    starts = RulesSolver(game).list_starts()
    one, three = (Exploration(game, starts, None, chunk=50) for _ in range(2))
    for alone, together in zip(vars(one.explore(1)).values(), vars(three.explore(3)).values(), strict=True):
        assert np.array_equal(alone, together)
    assert np.array_equal(one.sorted, three.sorted)
    assert np.array_equal(one.numbers, three.numbers)


@pytest.mark.parametrize("seed", limit_values(range(30), 12))
def test_values_with_points_agree_with_plain_search(seed: int) -> None:
    game = purse_game(Random(seed))
    plain = RankedAnalyst(game, count_lead)
    sections, analyst = solve_and_open(game)
    derived = RulesSolver(game).derive()
    assert all(np.array_equal(sections[name], derived[name]) for name in sections)
    assert isinstance(game.rules, PurseRules)
    assert isinstance(analyst, Ranked)
    for position in game.rules.tree:
        if game.rules.result(position) is None:
            assert analyst.probe(position) == plain.probe(position), position
            assert analyst.analyse(position).moves == plain.analyse(position).moves, position
            assert analyst.rank(position) == plain.rank(position), position


def test_a_position_that_no_game_leads_to_is_searched() -> None:
    _, analyst = solve_and_open(tic_tac_toe())
    both_three = 7 | 448 << 9
    assert not analyst.is_reachable(both_three)
    assert analyst.probe(both_three) is not None, "the game is over there"
    assert not analyst.is_reachable(3)
    assert analyst.analyse(3).value is not None


def test_too_many_positions_stop_the_solver_with_one_line() -> None:
    with pytest.raises(TooManyPositions, match="noughts has more than 5,000 positions"):
        RulesSolver(tic_tac_toe(), most=5000).build()
    assert len(RulesSolver(tic_tac_toe(), most=5478).build()["codes"]) == 5478


@pytest.mark.parametrize("room", [100_000, 915_000])  # the larger one is almost enough
def test_too_little_memory_stops_the_solver_with_one_line(room: int) -> None:
    game = tic_tac_toe()
    exploration = Exploration(game, RulesSolver(game).list_starts(), None, room=room)
    with pytest.raises(TooManyPositions, match="this machine does not have enough memory") as refused:
        exploration.explore(1)
    (named,) = re.findall("more than ([0-9,]+) positions", str(refused.value))
    assert int(named.replace(",", "")) < 5478, "the game has no more positions than that"


def test_an_unsupported_game_is_refused_by_the_solver_in_one_line() -> None:
    won = replace(literal_game(), play=Play(repetition=Repetition(2, lambda _: Result(0))))
    with pytest.raises(Unsolvable, match="literal: at start, repetition is not a draw"):
        RulesSolver(won).build()
    points: Play[str] = Play(points=lambda _: (1, 0), repetition=Repetition(2, lambda _: Result(1, (1, 0))))
    with pytest.raises(Unsolvable, match="literal: at start, the result of repetition does not match its score"):
        RulesSolver(replace(literal_game(), play=points)).build()
    huge: Play[str] = Play(points=lambda _: (1 << 61, 0))
    with pytest.raises(Unsolvable, match="literal: points must be whole numbers of at most 1,152,921,504,606,846,976"):
        RulesSolver(replace(literal_game(), play=huge)).build()


def test_points_may_need_more_than_32_bits() -> None:
    many = 1 << 40
    tree: dict[str, Any] = {"start": (0, {"a": "rich", "b": "poor"}), "rich": Over(0, 0), "poor": Over(1, 1)}
    points = {"start": (0, 0), "rich": (many, 1), "poor": (0, 1)}
    game = replace(literal_game(tree), play=Play(points=points.__getitem__))
    assert value_of(game) == Margin(Outcome.WIN, many - 1)
    sections, derived = RulesSolver(game).build(), RulesSolver(game).derive()
    assert all(np.array_equal(sections[name], derived[name]) for name in sections)


class Broken(LiteralRules):
    """Rules that fail at one position."""

    def legal_moves(self, position: str) -> Sequence[str]:
        assert position != "B", "boo"
        return super().legal_moves(position)


def test_a_failure_of_the_rules_in_another_process_is_reported() -> None:
    broken = replace(literal_game(), rules=Broken(LITERAL))
    with pytest.raises(Unsolvable, match="literal: its rules raised an error: AssertionError"):
        RulesSolver(broken).build(2)


def test_texts_of_any_width_are_packed_and_found() -> None:
    random = Random(7)
    texts = sorted({"".join(random.choices("xyzäo. ", k=random.randint(1, 40))).strip() + "|" for _ in range(500)})
    sections = make_sections(np.sort(pack(texts, are_numbers=False)))
    words = [name for name in sections if name.startswith("keys")]
    assert len(words) > 1
    rows = list(zip(*[sections[name].tolist() for name in words], strict=True))
    assert sorted(set(rows)) == rows, "keys are sorted and differ"
    keys = Keys(make_columns(sections))
    read = keys.read(range(len(texts)))
    assert sorted(read) == texts
    for place, text in enumerate(read):
        assert keys.find(text) == place
    assert keys.find("not among them") is None
    assert keys.find("x" * 200) is None


def test_integers_are_their_own_keys() -> None:
    keys = Keys(make_columns(make_sections(pack([-5, 3, 1 << 62], are_numbers=True))))
    assert keys.read([0, 2]) == [-5, 1 << 62]
    assert [keys.find(number) for number in (-5, 3, 1 << 62, 4)] == [0, 1, 2, None]


class FarApart:
    """Tic-tac-toe with the second player's marks in bits so high that a position does not fit into a word."""

    near = TicTacToe()

    def to_move(self, position: int) -> int:
        return self.near.to_move(bring_near(position))

    def legal_moves(self, position: int) -> Sequence[int]:
        return self.near.legal_moves(bring_near(position))

    def play(self, position: int, move: int) -> int:
        after = self.near.play(bring_near(position), move)
        return after & ALL | after >> 9 << 70

    def result(self, position: int) -> Result | None:
        return self.near.result(bring_near(position))


def bring_near(position: int) -> int:
    return position & ALL | position >> 70 << 9


def test_integers_of_more_than_a_word_are_known_by_their_text() -> None:
    rules = FarApart()
    game = game_of("far", rules, 0, Words(rules, lambda position: f"{position:030d}", int))
    sections, analyst = solve_and_open(game)
    assert RulesSolver(game).counts(sections)["positions"] == 5478
    assert analyst.probe(0) == Draw()
    derived, together = RulesSolver(game).derive(), RulesSolver(game).build(2)
    for name, section in sections.items():
        assert np.array_equal(section, derived[name]), name
        assert np.array_equal(section, together[name]), name


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [facts.id for facts in games.list_own_games() if facts.folder == "tobito"])
def test_every_value_agrees_with_the_shipped_table(game_id: str) -> None:
    game: Game[Any, Any] = games.load(game_id)
    sections, _ = solve_and_open(game)
    shipped = alternating(open_game(game).analyst)
    texts = Keys(sections).read(range(len(sections["codes"])))
    for text, code in zip(texts, sections["codes"].tolist(), strict=True):
        value = shipped.probe(game.notation.parse_position(text))
        assert value is not None
        plies = value.remoteness or 0
        expected = {1: (3 + 2 * plies,), -1: (2 + 2 * plies,), 0: (0, 1)}[int(value.outcome)]
        assert code in expected, text
