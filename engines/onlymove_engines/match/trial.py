"""Lets a player try moves while reviewing a game, on a copy, so that the game itself does not change; and finds the
mistakes that can be retried.

Headless; knows no screen and stores nothing.
"""

from __future__ import annotations

from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.advice import find_blamed
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyLine, AnyNode, Line
from onlymove_engines.play.players import HUMAN, Player
from onlymove_engines.play.session import AnySession, Session, persons_of


def start_branch(session: AnySession, node: AnyNode, players: tuple[Player, Player]) -> AnySession:
    """Return a new game with the moves to `node`, or with as many of them as can be played before it is over. The
    moves count in the game in which they were made. A person at another keyboard is replaced by a person here."""
    first, second = (HUMAN if player.is_elsewhere else player for player in players)
    new: AnySession = Session(session.game, session.line.root.position, (first, second), session.line.house_rule)
    for step in node.path()[1:]:
        if new.is_over:
            break
        twin = new.play(step.move)
        twin.players = None
        twin.judgements.update(step.judgements)
    return new


def find_blunderer(match: Match, node: AnyNode) -> Seat | None:
    """Return the person who made the mistake that led to `node`, or of two people the near one; `None` if no person
    made it."""
    seats = [seat for _, seat, _ in find_blamed(match.game, node) if seat in persons_of(match.session, node)]
    return match.near_seat if match.near_seat in seats else next(iter(seats), None)


def copy_line(line: AnyLine) -> AnyLine:
    """Copy the tree node by node. The nodes have the same numbers."""
    copy: AnyLine = Line(line.game, line.root.position, line.house_rule)
    for node in line.nodes():
        twin = copy.root if node.parent is None else copy.add(copy.node(node.parent.id), node.move)
        twin.judgements.update(node.judgements)
        twin.attempts.update(node.attempts)
        twin.hinted.update(node.hinted)
        twin.comment, twin.players = node.comment, node.players
    for node in line.nodes():
        copy.node(node.id).children = [copy.node(child.id) for child in node.children]
    copy.here, copy.agreed = copy.node(line.here.id), line.agreed
    return copy


class Trial:
    """A copy of a game for trying moves: `match` is the copy, `table` is where the next move is entered, for either
    side."""

    def __init__(self, reviewed: Match) -> None:
        session = Session.from_line(copy_line(reviewed.session.line), reviewed.session.players)
        self.match = Match(session, reviewed.coaching, reviewed.training)
        self.match.knowledge.known.update(reviewed.knowledge.known)
        for (node, seat, move), found in reviewed.advice.explanations.items():
            self.match.advice.explanations[session.line.node(node.id), seat, move] = found
        self.lay(self.match.node)

    def lay(self, node: AnyNode) -> Match:
        self.node = node
        self.table = Match(start_branch(self.match.session, node, (HUMAN, HUMAN)), self.match.coaching, training=False)
        return self.table

    def play(self, seat: Seat, move: Move) -> AnyNode | None:
        """Try a move. Return the node after it, judged if possible; `None` while the other side has to choose too.
        Raises IllegalMove or GameOver."""
        verdict = self.table.offer(seat, move)
        if verdict is None or verdict.node is None:
            return None
        node = self.match.session.line.add(self.node, verdict.node.move)
        self.match.knowledge.annotate(node, self.match.judge)
        return node
