"""Saved games: every ply is safe, what comes back is what was there, and what the rules reject does not come back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onlymove_engines import games
from onlymove_engines.core.judge import Grade, Judgement, Objective
from onlymove_engines.core.rules import Result
from onlymove_engines.core.session import HUMAN, Chair, Session, Sitter
from onlymove_engines.core.tutor import OnBad
from onlymove_engines.core.value import Outcome, Value
from onlymove_tui.store.database import MIGRATIONS
from onlymove_tui.store.games import Autosave, GameStore, Tally
from onlymove_tui.store.judgements import format_judgements, parse_judgements
from onlymove_tui.store.rows import Filter, Setup
from onlymove_tui.store.snapshot import AnySession, GameRefused, from_snapshot, to_snapshot

GAME_IDS = [card.id for card in games.title_cards()]
ENGINE = Chair(Sitter.ENGINE, "", 70)

values = st.builds(
    Value,
    st.sampled_from(list(Outcome)),
    st.none() | st.integers(0, 40),
    st.none() | st.integers(-48, 48),
)
judgements = st.builds(
    Judgement,
    st.sampled_from(list(Grade)),
    st.none() | values,
    st.none() | values,
    st.booleans(),
    st.booleans(),
    st.integers(0, 20),
    st.integers(0, 48),
    st.floats(0, 1),
    st.none() | st.floats(-1, 1),
    st.booleans(),
)


def random_session(game_id: str, seed: int, steps: int) -> AnySession:
    """A session that has seen everything a player can do: moves, undos, branches, thoughts, an agreement."""
    random = Random(seed)
    game = games.load(game_id)
    rule = random.choice([None, *game.house_rules])
    chairs = (HUMAN, random.choice([HUMAN, ENGINE, Chair(Sitter.ENGINE, "x", 0)]))
    session: AnySession = Session(game, game.start({}, seed), chairs, rule)
    for _ in range(steps):
        _step(session, random)
    if random.random() < 0.3:
        _think(session, random)
    if random.random() < 0.2 and not session.is_over:
        session.resign(random.choice((0, 1)))
    return session


def _step(session: AnySession, random: Random) -> None:
    chance = random.random()
    if chance < 0.7 and not session.is_over:
        if session.to_move is None and random.random() < 0.5:
            seat = random.choice((0, 1))
            session.commit(seat, random.choice(list(session.moves_of(seat))))
        else:
            session.play(random.choice(list(session.legal_moves())))
        _think(session, random)
    elif chance < 0.85:
        session.undo()
    elif chance < 0.95:
        session.redo()
    else:
        session.line.promote(session.node)


def _think(session: AnySession, random: Random) -> None:
    thought = Judgement(
        random.choice(list(Grade)), Value.win(random.randrange(9)), Value.draw(), flagged=random.random() < 0.5
    )
    random.choice((session.node.judgements, session.node.attempts))[random.choice((0, 1))] = thought
    if random.random() < 0.3:
        session.node.hinted.add(random.choice((0, 1)))
        session.node.comment = random.choice(('it\'s "so"\n', "", "é"))


def picture(session: AnySession) -> list[Any]:
    """Everything a session is, in values that compare."""
    line = session.line
    return [
        session.game.id,
        session.chairs,
        session.house_rule,
        session.node.id,
        session.result,
        session.agreed,
        session.pending,
        [node.id for node in session.undone],
        [
            (
                node.position,
                node.move,
                None if node.parent is None else node.parent.id,
                [child.id for child in node.children],
                node.judgements,
                node.attempts,
                node.hinted,
                node.comment,
            )
            for node in map(line.node, range(len(line)))
        ],
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "games.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[GameStore]:
    store = GameStore(path)
    yield store
    store.close()


def reopened(path: Path, number: int) -> AnySession:
    store = GameStore(path)
    try:
        return store.load(number).session
    finally:
        store.close()


@given(st.dictionaries(st.sampled_from((0, 1)), judgements))
def test_judgements_come_back_as_they_were(found: dict[int, Judgement]) -> None:
    assert parse_judgements(format_judgements(found)) == found


@pytest.mark.parametrize("game_id", GAME_IDS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 30))
def test_a_session_comes_back_as_it_was(game_id: str, seed: int, steps: int) -> None:
    session = random_session(game_id, seed, steps)
    assert picture(from_snapshot(to_snapshot(session), session.game)) == picture(session)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_after_every_change_another_process_sees_all_of_it(path: Path, store: GameStore, game_id: str) -> None:
    random = Random(game_id)
    game = games.load(game_id)
    session: AnySession = Session(game, chairs=(HUMAN, ENGINE))
    session.play(random.choice(list(session.legal_moves())))
    saved = Autosave(store, session, Setup())
    for _ in range(25):
        _step(session, random)
        assert saved.save()
        assert saved.number is not None
        assert picture(reopened(path, saved.number)) == picture(session)
    assert store.count() == 1


def test_undone_moves_can_be_redone_after_a_resume(path: Path, store: GameStore) -> None:
    session: AnySession = Session(games.load(GAME_IDS[0]))
    for _ in range(4):
        session.play(session.legal_moves()[0])
    furthest = session.position
    session.undo()
    session.undo()
    resumed = reopened(path, store.save(session, Setup()))
    assert (resumed.undo_depth, resumed.position) == (2, session.position)
    assert resumed.redo()
    assert resumed.redo()
    assert resumed.position == furthest


def test_the_setup_comes_back(store: GameStore) -> None:
    setup = Setup({"size": "8x8"}, 7, False, OnBad.FLAG, Objective.MARGIN, ("Ada", "Bob"), True)
    number = store.save(played(GAME_IDS[0]), setup)
    assert store.load(number).setup == setup


def played(game_id: str, plies: int = 1, chairs: tuple[Chair, Chair] = (HUMAN, ENGINE)) -> AnySession:
    session: AnySession = Session(games.load(game_id), chairs=chairs)
    for _ in range(plies):
        session.play(session.legal_moves()[0])
    return session


def test_a_game_without_a_move_is_not_kept(store: GameStore) -> None:
    assert Autosave(store, played(GAME_IDS[0], 0), Setup()).save()
    assert store.count() == 0


def test_the_latest_unfinished_game_is_the_one_touched_last(path: Path) -> None:
    ticks = count()
    store = GameStore(path, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(ticks)))
    first, second = played(GAME_IDS[0]), played(GAME_IDS[-1])
    numbers = [store.save(session, Setup()) for session in (first, second)]
    over = played(GAME_IDS[0])
    over.resign(0)
    store.save(over, Setup())
    store.save(played(GAME_IDS[0]), Setup(imported=True))
    latest = store.latest_unfinished()
    assert latest is not None
    assert latest.number == numbers[1]
    store.save(first, Setup(), numbers[0])
    again = store.latest_unfinished()
    assert again is not None
    assert (again.number, again.game, again.plies, again.result, again.own) == (numbers[0], GAME_IDS[0], 1, "*", 0)
    only = store.latest_unfinished(GAME_IDS[-1])
    assert only is not None
    assert only.number == numbers[1]
    store.close()


def test_the_record_counts_one_persons_games_against_engines(store: GameStore) -> None:
    for loser, chairs, imported in [
        (1, (HUMAN, ENGINE), False),
        (1, (HUMAN, ENGINE), False),
        (1, (ENGINE, HUMAN), False),
        (None, (ENGINE, HUMAN), False),
        (0, (HUMAN, HUMAN), False),
        (0, (ENGINE, ENGINE), False),
        (0, (HUMAN, ENGINE), True),
    ]:
        session = played(GAME_IDS[0], chairs=chairs)
        if loser is None:
            session.agree_draw()
        else:
            session.resign(loser)
        store.save(session, Setup(imported=imported))
    assert store.record() == {GAME_IDS[0]: Tally(2, 1, 1)}
    assert store.count(Filter(state="won")) == 3 - 1
    assert store.count(Filter(state="drawn")) == 1
    assert store.count(Filter(people=2)) == 1
    assert store.count(Filter(game=GAME_IDS[0])) == 7
    assert len(store.list(3)) == 3
    assert len(store.list(100, Filter(state="lost"))) == store.count(Filter(state="lost"))


def test_a_deleted_game_is_gone_with_all_its_moves(path: Path, store: GameStore) -> None:
    number = store.save(played(GAME_IDS[0], 3), Setup())
    store.delete(number)
    with pytest.raises(KeyError):
        store.load(number)
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT count(*) FROM node").fetchone() == (0,)
    raw.close()


def test_two_processes_in_one_game_lose_nothing_of_either(path: Path, store: GameStore) -> None:
    number = store.save(played(GAME_IDS[0], 2), Setup())
    elsewhere = GameStore(path)
    here, there = store.load(number).session, elsewhere.load(number).session
    here.play(here.legal_moves()[0])
    there.play(there.legal_moves()[-1])
    assert store.save(here, Setup(), number) == number
    forked = elsewhere.save(there, Setup(), number)
    assert forked != number
    assert picture(reopened(path, number)) == picture(here)
    assert picture(reopened(path, forked)) == picture(there)
    elsewhere.close()


def test_a_game_that_was_deleted_meanwhile_is_saved_whole(path: Path, store: GameStore) -> None:
    session = played(GAME_IDS[0], 2)
    number = store.save(session, Setup())
    store.delete(number)
    session.play(session.legal_moves()[0])
    assert picture(reopened(path, store.save(session, Setup(), number))) == picture(session)


def test_looking_at_a_game_keeps_thoughts_and_not_the_place(path: Path, store: GameStore) -> None:
    session = played(GAME_IDS[0], 3)
    number = store.save(session, Setup())
    end = session.node.id
    session.restore(session.line.root)
    session.node.comment = "the start"
    store.annotate(session, number)
    found = reopened(path, number)
    assert (found.node.id, found.line.root.comment) == (end, "the start")


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE node SET move = 'nonsense' WHERE id = 2", "move 2 'nonsense':"),
        ("UPDATE game SET start = 'nonsense'", "game:"),
        ("UPDATE game SET house_rule = 'none-such'", "no house rule 'none-such'"),
        ("UPDATE game SET at = 99", "damaged"),
        ("UPDATE game SET undone = '['", "damaged"),
        ("UPDATE game SET chairs = '{}'", "damaged"),
        ("UPDATE game SET setup = '{}'", "damaged"),
        ("UPDATE node SET judgements = '{\"0\": {}}' WHERE id = 1", "damaged"),
        ("DELETE FROM node WHERE id = 1", "damaged"),
    ],
)
def test_what_the_rules_reject_is_refused_with_one_line(path: Path, store: GameStore, damage: str, why: str) -> None:
    number = store.save(played(GAME_IDS[0], 3), Setup())
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute(damage)
    raw.close()
    with pytest.raises(GameRefused) as caught:
        store.load(number)
    assert str(caught.value).startswith("saved ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_resigned_game_comes_back_resigned(path: Path, store: GameStore) -> None:
    session = played(GAME_IDS[0])
    session.resign(1)
    assert reopened(path, store.save(session, Setup())).result == Result(0, reason=f"{session.game.seats[1]} resigned")


def trouble_of(path: Path) -> str:
    store = GameStore.open(path)
    number = store.save(played(GAME_IDS[0]), Setup())
    assert store.load(number).session.node.ply == 1, "play goes on in memory"
    trouble = store.trouble
    store.close()
    return trouble


def test_a_damaged_file_is_left_alone_and_play_goes_on(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("this is no database, it is a diary " * 100)
    before = path.read_bytes()
    assert trouble_of(path) == f"games are not saved: {path.name}: file is not a database"
    assert path.read_bytes() == before


def test_a_newer_file_is_left_alone_and_play_goes_on(path: Path, store: GameStore) -> None:
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.close()
    assert trouble_of(path) == f"games are not saved: {path.name} was written by a newer onlymove"


def test_where_nothing_can_be_written_play_goes_on(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    assert trouble_of(tmp_path / "blocked" / "games.sqlite3").startswith("games are not saved: ")


def test_a_disk_that_fails_in_the_middle_is_told_and_tried_again(path: Path) -> None:
    store = GameStore(path)
    session = played(GAME_IDS[0])
    saved = Autosave(store, session, Setup())
    assert saved.save()
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    store._connection.execute("PRAGMA busy_timeout = 10")
    session.play(session.legal_moves()[0])
    assert not saved.save()
    assert saved.trouble == f"games are not saved: {path.name}: database is locked"
    blocker.execute("COMMIT")
    blocker.close()
    assert saved.save()
    assert saved.trouble == ""
    assert saved.number is not None
    assert picture(reopened(path, saved.number)) == picture(session)
    assert store.count() == 1
    store.close()


def test_without_shared_memory_the_plain_journal_is_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a home folder over a network: the write-ahead journal is refused, the games are saved all the same."""
    real = sqlite3.connect

    class Elsewhere(sqlite3.Connection):
        def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
            if "= WAL" in sql:
                raise sqlite3.OperationalError("locking protocol")
            return super().execute(sql, *rest)

    monkeypatch.setattr(sqlite3, "connect", lambda *rest, **named: real(*rest, **named, factory=Elsewhere))
    store = GameStore(path)
    number = store.save(played(GAME_IDS[0]), Setup())
    assert store._connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete"
    store.close()
    assert reopened(path, number).node.ply == 1
