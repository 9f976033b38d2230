"""Moves count for the player who made them: after the players swapped, after a side was taken over, in a branch, and in
games that were read from a record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.drill import make_mistake_drills
from onlymove_engines.coach.figures import choices_by_side, count_figures
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Win
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players
from onlymove_engines.play.session import AnySession, Session, list_persons, start_branch
from onlymove_tui.app.screens.history import outcome_run
from onlymove_tui.play.phrases import summary_lines
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore

from tests.tui.tiny_game import tiny_game

BEST = Judgement(Grade.BEST, Win(3), Win(3))
SLIP = Judgement(Grade.MISSED_WIN, Win(3), Draw(), flagged=True)
ENGINE = Player(PlayerKind.ENGINE, strength=70)
OWN, SWAPPED, FRIENDS, ENGINES = (HUMAN, ENGINE), (ENGINE, HUMAN), (HUMAN, HUMAN), (ENGINE, ENGINE)


def play_judged(*moves: tuple[Players, Judgement]) -> AnySession:
    """Return a game whose moves were made and judged like this. The first side resigns at the end."""
    session: AnySession = Session(tiny_game(), (4, 4, 0))
    for players, judgement in moves:
        session.set_players(players)
        seat = session.to_move or 0
        session.play(session.legal_moves()[0]).judgements[seat] = judgement
    session.resign(0)
    return session


def count_decisions(session: AnySession) -> dict[int, tuple[int, int]]:
    """Return, for each seat, the number of decisions that kept the value and the number of all decisions."""
    found = {seat: count_figures(made) for seat, made in choices_by_side(session.players, session.node.path()).items()}
    return {seat: (side.kept, side.decisions) for seat, side in found.items()}


SWAP = ((OWN, BEST), (OWN, SLIP), (SWAPPED, SLIP), (SWAPPED, BEST))
"""The person takes the second side after each side has moved once. The engine errs once before that and once after
it."""


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (((OWN, SLIP), (OWN, BEST)), {0: (0, 1)}),
        (SWAP, {1: (2, 2)}),
        (((OWN, BEST), (OWN, SLIP), (FRIENDS, BEST), (FRIENDS, BEST)), {0: (2, 2), 1: (1, 1)}),
        (((FRIENDS, SLIP), (FRIENDS, SLIP), (OWN, BEST), (OWN, SLIP)), {0: (1, 1)}),
        (((OWN, BEST), (OWN, BEST), (ENGINES, SLIP), (ENGINES, BEST)), {0: (1, 2), 1: (2, 2)}),
    ],
    ids=["against an engine", "sides swapped", "a friend takes over", "a friend hands over", "engines finish"],
)
def test_decisions_count_for_the_player_who_made_them(
    moves: tuple[tuple[Players, Judgement], ...], expected: dict[int, tuple[int, int]]
) -> None:
    assert count_decisions(play_judged(*moves)) == expected


def test_an_engines_slip_is_no_drill_and_a_slip_before_the_swap_is_one() -> None:
    assert make_mistake_drills(play_judged(*SWAP)) == []
    (drill,) = make_mistake_drills(play_judged((OWN, SLIP), (OWN, BEST), (SWAPPED, SLIP), (SWAPPED, BEST)))
    assert (drill.position, drill.seat) == ("4,4 0", 0)
    assert make_mistake_drills(play_judged(*[(ENGINES, SLIP)] * 2)) == []


def test_line_mode_credits_the_same_moves() -> None:
    assert summary_lines(play_judged(*SWAP))[1:] == ["Right: 2 of 2 moves were good."]


def test_a_move_made_again_is_the_latest_players() -> None:
    session: AnySession = Session(tiny_game(), (4, 4, 0), OWN)
    move = session.legal_moves()[0]
    first = session.play(move)
    session.undo()
    session.set_players(SWAPPED)
    assert session.play(move) is first
    assert (first.players_at_move, list_persons(session, first)) == (SWAPPED, [])


def test_moves_shared_with_a_branch_count_in_the_original_game() -> None:
    game = play_judged((OWN, SLIP), (OWN, BEST), (OWN, BEST))
    new = start_branch(game, game.node.path()[2], OWN)
    assert choices_by_side(new.players, new.node.path()) == {0: []}
    new.play(new.legal_moves()[0]).judgements[0] = BEST
    assert count_decisions(new) == {0: (1, 1)}


def test_a_game_that_was_read_belongs_to_its_sides_until_a_person_plays_on_against_an_engine(store: GameStore) -> None:
    read: AnySession = Session.from_tree(play_judged(*[(OWN, SLIP)] * 2).tree)
    for node in read.node.path():
        node.players_at_move = None
    loaded = store.load(store.save(read, GameDetails(imported=True))).session
    assert count_decisions(loaded) == {0: (0, 1), 1: (0, 1)}
    assert count_decisions(Session.from_tree(loaded.tree, OWN)) == {0: (0, 0)}


def test_the_list_and_the_progress_count_alike(store: GameStore) -> None:
    session = play_judged(*SWAP)
    number = store.save(session, GameDetails())
    (entry,) = store.list()
    assert (entry.kept, entry.decisions, entry.slips) == (2, 2, 0)
    progress = store.progress.read(tiny_game().id)
    assert (progress.kept, progress.mistakes) == ((2, 2), ())
    assert [node.players_at_move for node in store.load(number).session.node.path()] == [
        None,
        OWN,
        OWN,
        SWAPPED,
        SWAPPED,
    ]


def test_a_game_whose_sides_changed_hands_is_neither_won_nor_lost(store: GameStore) -> None:
    session = play_judged(*SWAP)
    assert (session.result and session.result.winner, session.human_seats) == (1, (1,)), "a win by who sits there"
    store.save(session, GameDetails())
    store.save(play_judged((OWN, SLIP), (OWN, BEST)), GameDetails())
    tallies = store.progress.read_tallies()[tiny_game().id], store.progress.read(tiny_game().id).total
    assert list(map(str, tallies)) == ["0 won, 0 drawn, 1 lost"] * 2
    assert [len(store.list(state=state)) for state in ("won", "lost")] == [0, 1]
    assert {outcome_run(entry)[0] for entry in store.list()} == {"second won", "lost"}


def with_store(path: Path, act: Any) -> None:
    """Do something to the store at `path`."""
    store = GameStore(path, lambda _: tiny_game())
    act(store)
    store.close()


@pytest.fixture
def store(tmp_path: Path) -> Any:
    """Yield an empty store of the tiny game."""
    found = GameStore(tmp_path / "games.sqlite3", lambda _: tiny_game())
    yield found
    found.close()
