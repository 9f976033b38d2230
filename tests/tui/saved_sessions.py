"""Sessions for the tests of the store: random ones, short ones, and their contents as values that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from onlymove_engines import games
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Move, Win
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore

from tests.tui.tiny_game import tiny_game

GAME_IDS = [facts.id for facts in games.list_games()]
ENGINE = Player(PlayerKind.ENGINE, "", 70)


def random_session(game_id: str, seed: int, steps: int) -> AnySession:
    """Return a session with everything that players can do: moves, undos, branches, judgements, an agreement."""
    random = Random(seed)
    game = games.load(game_id)
    rule = random.choice([None, *game.play.house_rules])
    players = (HUMAN, random.choice([HUMAN, ENGINE, Player(PlayerKind.ENGINE, "x", 0)]))
    session: AnySession = Session(game, game.start({}, seed), players, rule)
    for _ in range(steps):
        step(session, random)
    if random.random() < 0.3:
        _think(session, random)
    if random.random() < 0.2 and not session.is_over:
        session.resign(random.choice((0, 1)))
    return session


def step(session: AnySession, random: Random) -> None:
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
    elif chance < 0.97:
        session.set_players(session.players[::-1])
    else:
        session.go_to(session.node)


def _think(session: AnySession, random: Random) -> None:
    thought = Judgement(random.choice(list(Grade)), Win(random.randrange(9)), Draw(), flagged=random.random() < 0.5)
    random.choice((session.node.judgements, session.node.attempts))[random.choice((0, 1))] = thought
    if random.random() < 0.3:
        session.node.hinted.add(random.choice((0, 1)))
        session.node.comment = random.choice(('it\'s "so"', "", "é"))
        session.node.symbols = random.choice(("", "!? $10"))


def picture(session: AnySession) -> list[Any]:
    """Return everything in a session as values that can be compared."""
    tree = session.tree
    return [
        session.game.id,
        session.players,
        session.tree.house_rule,
        session.node.id,
        session.result,
        session.tree.agreed,
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
                node.players_at_move,
                node.hinted,
                node.comment,
                node.symbols,
            )
            for node in tree.nodes
        ],
    ]


def load_session(path: Path, number: int) -> AnySession:
    store = GameStore(path)
    try:
        return store.load(number).session
    finally:
        store.close()


def play_session(game_id: str, plies: int = 1, players: tuple[Player, Player] = (HUMAN, ENGINE)) -> AnySession:
    session: AnySession = Session(games.load(game_id), players=players)
    for _ in range(plies):
        session.play(session.legal_moves()[0])
    return session


def fill(store: GameStore, *waiting: Sequence[Move], players: Players = (HUMAN, HUMAN)) -> None:
    """Store a tiny game that is over, unfinished games with these moves, and a drill."""
    for moves in ((("R", 3),), *waiting):
        session: AnySession = Session(tiny_game(), players=players)
        for move in moves:
            session.play(move)
        if moves not in waiting:
            session.resign(0)
        store.save(session, GameDetails())
    store.drills.add([Drill("tiny", "3,4 0", 0, Origin.MISTAKE, "R3")])
