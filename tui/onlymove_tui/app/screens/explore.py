"""The explorer, which shows any position of a solved game. Choosing a move from the list goes deeper, and Backspace
goes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from onlymove_engines.coach.drill import THEMES, Drill, Origin, fits, is_too_easy
from onlymove_engines.coach.explore import AnyExplored, Below, Explored, explore, find_alike
from onlymove_engines.coach.values import JUDGED_NODES, measure_moves
from onlymove_engines.core.analysis import Report, SimultaneousAnalyst, alternating, ignore_report
from onlymove_engines.core.errors import OnlymoveError, Unreachable, as_sentence
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import MovePath, Target
from onlymove_engines.core.scene import Scene
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.match.limits import POSITION_SECONDS
from onlymove_engines.match.match import Match
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import AnySession, Session
from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.board.background import read_below, read_own
from onlymove_tui.app.board.workers import make_budget
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.panels import explore_rows, status_lines
from onlymove_tui.app.panels.explore_rows import Branch
from onlymove_tui.app.panels.game_rows import FINDING_VALUES
from onlymove_tui.app.panels.value_rows import move_labels
from onlymove_tui.app.screens.drills import Round, begin_round, make_due_round
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import Ink, Tone
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, KeyBar, Notice
from onlymove_tui.app.widgets.board_view import BoardView, Marks
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT
from onlymove_tui.app.widgets.layout import NodeLayout
from onlymove_tui.play.exploring import START, Exploration
from onlymove_tui.play.phrases import describe_preparation
from onlymove_tui.store.progress import Tally

TOO_EASY = "This position is too easy for a drill: most moves are right."

KnownNode: TypeAlias = AnyExplored | Mixed
Measured: TypeAlias = Mapping[Move, tuple[float, float]]


class NodeFound(NamedTuple):
    """What is known about a position. `note` names the source if it is not the table, or says why nothing is known.
    `measured` holds the game's other measures after each move, for both sides. `alike` maps the first of several
    symmetric moves to all of them. `below` says in how many positions of the next two plies only one move keeps the
    result, once that was counted."""

    known: KnownNode | None
    note: str
    measured: Measured = MappingProxyType({})
    alike: Mapping[Move, Sequence[Move]] = MappingProxyType({})
    below: Sequence[Below | None] = ()


def read_node(services: Services, game: AnyGame, position: AnyPosition, report: Report = ignore_report) -> NodeFound:
    """Find the node of a position in which the game goes on. Raises OnlymoveError if a search has to give up."""
    analyst, note = services.find_analyst(game, report)
    if analyst is None:
        return NodeFound(None, note)
    if isinstance(analyst, SimultaneousAnalyst):
        return NodeFound(analyst.mixed(position, replace(make_budget(POSITION_SECONDS), nodes=JUDGED_NODES)), note)
    node = explore(game.rules, position, analyst, make_budget(POSITION_SECONDS))
    measured = measure_moves(game, position, node.analysis.moves, analyst)
    return NodeFound(node, note, measured, find_alike(game, position))


def read_why(services: Services, game: AnyGame, position: AnyPosition, known: KnownNode, move: Move) -> Sequence[str]:
    """Return sentences that say why a move is good or bad, as far as that is proven. There are none if both sides move
    at once."""
    analyst, _ = services.find_analyst(game)
    seat = game.rules.to_move(position)
    if analyst is None or isinstance(known, Mixed) or seat is None or not known.analysis.is_complete:
        return ()
    match = Match(Session(game, position), services.preferences.coaching(), training=False)
    match.set_analyst(analyst, "")
    match.store_values(match.node, known.analysis)
    find = match.prepare_sentences((match.node, seat, move))
    return () if find is None else find(make_budget(POSITION_SECONDS)).full


def check_reachable(services: Services, game: AnyGame, position: AnyPosition) -> None:
    """Raise Unreachable for a position that no game leads to. Call it in a worker."""
    analyst, _ = services.find_analyst(game)
    if analyst is not None and not analyst.is_reachable(position):
        raise Unreachable("unreachable: no game leads here")


def count_below(services: Services, game: AnyGame, node: AnyExplored) -> Sequence[Below | None]:
    analyst, _ = services.find_analyst(game)
    assert analyst is not None, "it found the node"
    return read_below(game, node.position, alternating(analyst), make_budget(POSITION_SECONDS), node)


def make_drill(services: Services, trail: Exploration, node: KnownNode) -> Round:
    """Make a drill of the position on the board, for the side to move. If there is no drill, the round says why. Raises
    OnlymoveError."""
    game, position = trail.game, trail.position
    seat, values = game.rules.to_move(position) or 0, node if isinstance(node, Mixed) else node.analysis
    theme = Origin.ONLY_MOVE
    if not isinstance(values, Mixed):
        theme = next((theme for theme in THEMES if fits(theme, values, seat)), Origin.HOLD)
    if trail.result is not None or is_too_easy(values, seat):
        return Round(None, TOO_EASY)
    drill = Drill(game.id, game.notation.format_position(position), seat, theme)
    return make_due_round(services, game.id, [drill])


NOTHING_FOUND = NodeFound(None, "")
MOST_KEPT = 100
"""How many nodes are remembered, so that going back needs no worker. They take a few megabytes at most."""
TYPED = "a typed position"
AT_THE_TOP = "This is the first position."


LINE = "line"
"""The part of the screen that shows the text being typed."""
WAY_LINES = 3
OVER_HERE = "On the way here a position was repeated, which ends the game."
WHILE_IT_GOES_ON = ("descend", "group", "values", "reasons", "play_from", "drill_this")


class NodeScreen(BaseScreen):
    """A screen with a board on the left, a list beside it, and lines under it. No game is played on it."""

    def __init__(self, above: str, below: str) -> None:
        super().__init__()
        self.node_layout = NodeLayout(above, below)
        self.flipped = False

    @property
    def is_framed(self) -> bool:
        """Return `False`, because the layout draws its own borders."""
        return False

    def compose_content(self) -> Iterable[Widget]:
        yield self.node_layout

    def on_resize(self, event: events.Resize) -> None:
        self.node_layout.share(*event.size)

    def action_flip(self) -> None:
        self.flipped = not self.flipped
        self.mark_changed()


class ExploreScreen(NodeScreen, screen_id="explore"):
    """The explorer, with the board on the left, and the moves so far and the next moves on the right. `move` is the
    selected one. If `is_searching`, there is no table, and keys do not wait for values."""

    def __init__(self, trail: Exploration, has_played: bool = False) -> None:
        super().__init__("Moves so far", "Moves")
        self.trail = trail
        self.move: Move | None = None
        self.known: dict[AnyPosition, NodeFound] = {}
        self.own: Mapping[AnyPosition, Tally] = {}
        self.waiting = ""
        self.is_searching = False
        self.values_shown = self.explains = False
        self.has_played = has_played
        self.why: dict[tuple[AnyPosition, Move], Sequence[str] | None] = {}

    def read_own_games(self) -> None:
        self.fetch(partial(read_own, self.services.store, self.trail.game), self.show_own_games, "own")

    def show_own_games(self, own: Mapping[AnyPosition, Tally]) -> None:
        self.own = own
        self.mark_changed()

    def on_mount(self) -> None:
        """Show the list first on a narrow screen, because the keys act on it."""
        self.set_class(True, "-panel")
        self.read_own_games()
        self.show_position_after()

    def paint(self, stale: AbstractSet[str]) -> None:
        """Paint the board, the list and the lines. While the player types, repaint only the line."""
        branches = self.branches()
        if stale - {LINE}:
            self.paint_node(branches, self.find_marked(branches))
        if self.typing:
            game, position = self.trail.game, self.trail.position
            rows = status_lines.typing_lines(self.typing, self.size.width, game, position, self.seat).rows
        else:
            rows = self.rows_below(branches[self.find_marked(branches)] if branches else None)
        self.query_one(Notice).show(rows)
        self.query_one(KeyBar).repaint()

    @property
    def seat(self) -> Seat:
        """The side to move, or the first player if both sides move at once."""
        return self.trail.game.rules.to_move(self.trail.position) or 0

    def paint_node(self, branches: Sequence[Branch], place: int) -> None:
        trail, game, width = self.trail, self.trail.game, self.node_layout.width
        branch = branches[place] if branches else None
        self.node_layout.title_bar.show(
            [(game.facts.title, Tone.TITLE), ("  explorer", Tone.DIM)], [(moves_away(trail), Tone.DIM)]
        )
        self.node_layout.show(
            explore_rows.path_rows(trail, width, WAY_LINES),
            explore_rows.position_rows(game, trail, self.node, width, self.waiting),
            explore_rows.branch_entries(branches, width - INDENT),
            place,
            self.detail_rows(branch, width),
        )
        path: MovePath = ()
        if branch is not None and not game.facts.simultaneous:
            path = game.notation.paths(trail.position, branch.move)[0]
        self.query_one(BoardView).show(partial(self.scene, path), Marks(chosen=path, values=self.labels()))

    def detail_rows(self, branch: Branch | None, width: int) -> Sequence[Row]:
        """Return the text under the list. If the player asked for reasons, it says why the selected move is good or
        bad. Otherwise it gives the game's measures after the move, how often only one move keeps the result in the next
        plies, and the player's own games."""
        game, position = self.trail.game, self.trail.position
        if self.explains and branch is not None and self.node is not None:
            find = partial(read_why, self.services, game, position, self.node, branch.move)
            return explore_rows.why_rows(self.look_up(self.why, (position, branch.move), None, find, "why"), width)
        both = None if branch is None else self.found.measured.get(branch.move)
        return [
            *explore_rows.measure_rows(game, both, width),
            *explore_rows.below_rows(self.found.below, width),
            *explore_rows.own_games_rows(self.own.get(position, explore_rows.NOWHERE), width),
        ]

    def scene(self, path: MovePath, scale: int) -> Scene:
        overlay, ascii_only = self.services.shows_overlay, self.services.ascii_only
        view = self.trail.view(
            flipped=self.flipped, chosen=path, overlay=overlay, ascii_only=ascii_only, scale=scale, seat=self.seat
        )
        return self.trail.game.painter.scene(view)

    def labels(self) -> dict[Target, tuple[str, Ink]]:
        trail, node = self.trail, self.node
        if node is None or not self.values_shown or trail.result is not None:
            return {}
        return move_labels(trail.game, trail.position, node if isinstance(node, Mixed) else node.analysis, self.seat)

    def rows_below(self, branch: Branch | None) -> Sequence[Row]:
        if branch is None:
            return [self.message]
        game, position, width = self.trail.game, self.trail.position, self.size.width - 1
        sentence = explore_rows.describe_branch(game, position, self.node, branch, width)
        return [self.message or sentence] if self.size.height < FULL_HEIGHT else [sentence, self.message]

    def show_typing(self) -> None:
        self.mark_changed(LINE)

    def action_play_from(self) -> None:
        seat = self.trail.game.rules.to_move(self.trail.position)
        session = self.trail.session(self.services.preferences.players(seat))
        if session.is_over:
            self.say(OVER_HERE, Tone.DIM)
        else:
            self.play(session)

    def play(self, session: AnySession) -> None:
        """Open a board on top of the explorer. If this explorer was opened from a game that was itself started in an
        explorer, only the last explorer stays open. Otherwise the stack of screens would grow with every game."""
        services, stack = self.services, self.app.screen_stack
        match = services.matches.make(session, {}, 0, services.preferences.settings.training)
        self.has_played = True
        if sum(isinstance(screen, ExploreScreen) for screen in stack) > 1:
            services.open("menu")
            services.open("explore", self.trail, True)
        services.open("play_from", match)

    def on_screen_resume(self) -> None:
        if self.has_played:
            self.has_played = False
            self.read_own_games()

    def action_review(self) -> None:
        session = self.trail.session((HUMAN, HUMAN))
        self.open("review", Match(session, self.services.preferences.coaching(), training=False))

    def action_drill_this(self) -> None:
        if (node := self.node) is not None:
            find = partial(make_drill, self.services, self.trail, node)
            begin_round(self, find, nothing="This position is not due for practice yet.")

    def action_go_to(self) -> None:
        self.open("goto", self.trail.game, self.jump)

    def action_set_up(self) -> None:
        self.open("setup", self.trail.game, self.trail.position, self.jump)

    def action_overlay(self) -> None:
        self.services.shows_overlay = not self.services.shows_overlay
        self.mark_changed()

    def action_values(self) -> None:
        self.values_shown = not self.values_shown
        self.mark_changed()

    def action_reasons(self) -> None:
        self.explains = not self.explains
        self.mark_changed()

    def game_to_read(self) -> GameId:
        return self.trail.game.id

    def check_actions(self) -> dict[str, bool]:
        game = self.trail.game
        return {
            "overlay": bool(game.play.overlay_title),
            "flip": not game.play.is_steered,
            "panel": self.has_class("-narrow"),
            "set_up": game.play.set_up is not None,
            "reasons": not game.facts.simultaneous,
            **(dict.fromkeys(WHILE_IT_GOES_ON, False) if self.trail.result else {}),
        }

    def show_position_after(self, move: Move | None = None) -> None:
        self.move, self.message = move, ()
        self.cancel_workers("below", "node")
        if not self.find_node():
            self.find_below()
            if self.move is None and self.node is None:
                # The first move stays selected when values reorder the list: the player may be about to choose it.
                self.move = next((branch.move for branch in self.branches()), None)
            self.mark_changed()

    def find_node(self) -> bool:
        """Have a worker look the position up, unless it is known. Returns whether the answer will come soon. In that
        case keys wait, and the screen does not change."""
        trail = self.trail
        if trail.result is not None or trail.position in self.known:
            return False
        is_quick, self.waiting = not (trail.game.facts.plays_by_search or self.is_searching), FINDING_VALUES
        report = partial(self.call_later, self.show_preparation)
        find = partial(read_node, self.services, trail.game, trail.position, report)
        self.fetch(find, partial(self.show_node, trail.position), "node", keys_wait=is_quick)
        return is_quick

    def find_below(self) -> None:
        """Have a worker count in how many positions of the next plies only one move keeps the result, unless that is
        known."""
        trail, node = self.trail, self.node
        if isinstance(node, Explored) and not self.found.below:
            find, take = partial(count_below, self.services, trail.game, node), partial(self.show_below, node.position)
            self.fetch(find, take, "below")

    def show_preparation(self, what: str, share: float) -> None:
        self.waiting = f"{describe_preparation(what, share)}."
        self.mark_changed()

    def show_node(self, position: AnyPosition, found: NodeFound) -> None:
        self.waiting = ""
        if found.known is not None:
            while len(self.known) >= MOST_KEPT:
                del self.known[next(iter(self.known))]
            self.known[position] = found
        if found.note:
            self.is_searching, self.message = True, [(found.note, Tone.SLIP)]
        self.find_below()
        self.mark_changed()

    def show_below(self, position: AnyPosition, lower: Sequence[Below | None]) -> None:
        if position in self.known:
            self.known[position] = self.known[position]._replace(below=lower)
        self.mark_changed()

    @property
    def node(self) -> KnownNode | None:
        return self.found.known

    @property
    def found(self) -> NodeFound:
        return self.known.get(self.trail.position, NOTHING_FOUND)

    def branches(self) -> list[Branch]:
        trail = self.trail
        return explore_rows.list_branches(trail.game, trail.position, self.node, self.own, self.found.alike)

    def find_marked(self, branches: Sequence[Branch]) -> int:
        return next((place for place, branch in enumerate(branches) if self.move in branch.moves), 0)

    def action_step(self, by: int) -> None:
        branches = self.branches()
        if branches:
            self.mark((self.find_marked(branches) + by) % len(branches), branches)

    def action_group(self, by: int) -> None:
        branches = self.branches()
        firsts = [n for n, branch in enumerate(branches) if n == 0 or branch.worth != branches[n - 1].worth]
        here = self.find_marked(branches)
        ahead = [first for first in firsts if (first > here if by > 0 else first < here)]
        if ahead:
            self.mark(ahead[0] if by > 0 else ahead[-1], branches)

    def mark(self, place: int, branches: Sequence[Branch]) -> None:
        self.move, self.message = branches[place].move, ()
        self.mark_changed()

    def on_opened(self, message: Opened) -> None:
        """Select the clicked move, or play it if it is selected already. Clicks are ignored while the list still shows
        the last position."""
        if self.is_waiting:
            return
        branches = self.branches()
        if message.index == self.find_marked(branches):
            self.action_descend()
        else:
            self.mark(message.index, branches)

    def action_descend(self) -> None:
        branches = self.branches()
        if branches:
            self.trail.play(branches[self.find_marked(branches)].move)
            self.show_position_after()

    def action_ascend(self) -> None:
        if self.trail.can_go_back:
            self.show_position_after(self.trail.go_back())
        else:
            self.say(AT_THE_TOP, Tone.DIM)

    def action_to_start(self) -> None:
        first = next(iter(self.trail.moves), None)
        del self.trail.moves[:], self.trail.positions[1:]
        self.show_position_after(first)

    def jump(self, position: AnyPosition, name: str) -> None:
        self.trail.jump(position, name)
        self.show_position_after()

    def action_type_move(self) -> None:
        self.message = ()
        self.type_text(self.play_typed)

    def play_typed(self, text: str) -> str:
        """Play the typed move, or jump to the typed position. If the text is neither, return the reason."""
        trail = self.trail
        if not text:
            return ""
        notation = trail.game.notation
        try:
            trail.play(notation.parse_move(trail.position, text))
        except OnlymoveError as refusal:
            try:
                position = notation.parse_position(text)
            except OnlymoveError:
                return as_sentence(str(refusal))
            find = partial(check_reachable, self.services, trail.game, position)
            self.fetch(find, lambda _: self.jump(position, TYPED), "jump", keys_wait=True)
            return ""
        self.show_position_after()
        return ""


def moves_away(trail: Exploration) -> str:
    """Return how far the position is from its start, such as `after 3 moves`. At the start itself, return its name.
    Empty after a jump."""
    count = len(trail.moves)
    return f"after {count} move{'s' if count > 1 else ''}" if count else START if trail.name == START else ""
