"""The explorer, which shows any position of a solved game, and two screens to choose one: a list of notable positions,
and a board to set up a position piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from onlymove.pictures.colours import Tone
from onlymove.pictures.painting import Marks
from onlymove_engines.coach.drill import (
    THEMES,
    WANTED,
    Drill,
    Origin,
    Wanted,
    find_random_position,
    fits,
    is_too_easy,
    list_wanted,
)
from onlymove_engines.coach.explore import AnyExplored, Explored, OnlyMoveStats, explore, find_alike
from onlymove_engines.coach.values import JUDGED_NODES, measure_moves
from onlymove_engines.core.analysis import Report, SimultaneousAnalyst, alternating, ignore_report
from onlymove_engines.core.errors import OnlymoveError, Unreachable, as_sentence
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, AnyPosition, SetUp, find_objection
from onlymove_engines.core.rules import MovePath, Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.core.solution import ExtremePositions, Kind
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.core.words import format_count
from onlymove_engines.live.limits import POSITION_SECONDS
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import Session
from onlymove_engines.play.typed import read_position, read_typed_at
from textual import events
from textual.keys import key_to_character
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.board.background import read_only_move_stats, read_own
from onlymove_tui.app.board.workers import make_budget
from onlymove_tui.app.finding import look_up
from onlymove_tui.app.messages import Opened, Pointed
from onlymove_tui.app.panels import explore_rows, status_lines
from onlymove_tui.app.panels.explore_rows import Branch
from onlymove_tui.app.panels.game_rows import FINDING_VALUES, mover_row, wrap
from onlymove_tui.app.panels.value_rows import move_labels
from onlymove_tui.app.screens.drills import Round, begin_round, make_due_round
from onlymove_tui.app.screens.list_screen import ListScreen
from onlymove_tui.app.services import Services
from onlymove_tui.app.situated import SituatedScreen
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, KeyBar, Notice
from onlymove_tui.app.widgets.board_view import BoardView, find_neighbour
from onlymove_tui.app.widgets.canvas import Row, fold
from onlymove_tui.app.widgets.choices import INDENT
from onlymove_tui.app.widgets.layout import NodeLayout
from onlymove_tui.play.exploring import START, Exploration
from onlymove_tui.play.phrases import describe_preparation
from onlymove_tui.play.situations import Effect, Situation, find_in_explorer
from onlymove_tui.store.progress import Tally

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
    below: Sequence[OnlyMoveStats | None] = ()


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
    """Return sentences that say why a move is good or bad, as far as that is proven and one side moves."""
    analyst, _ = services.find_analyst(game)
    seat = game.rules.to_move(position)
    if analyst is None or isinstance(known, Mixed) or seat is None or not known.analysis.is_complete:
        return ()
    live = LiveGame(Session(game, position), services.preferences.coaching(), training=False)
    live.set_analyst(analyst, "")
    live.store_values(live.node, known.analysis)
    find = live.prepare_sentences((live.node, seat, move))
    return () if find is None else find(make_budget(POSITION_SECONDS)).full


def check_reachable(services: Services, game: AnyGame, position: AnyPosition) -> None:
    """Raise Unreachable for a position that no game leads to. Call it in a worker."""
    analyst, _ = services.find_analyst(game)
    if analyst is not None and not analyst.is_reachable(position):
        raise Unreachable("unreachable: no game leads here")


def make_drill(services: Services, trail: Exploration, node: KnownNode) -> Round:
    """Make a drill of the position for the side to move, or say why there is none. Raises OnlymoveError."""
    game, position = trail.game, trail.position
    seat, values = game.rules.to_move(position) or 0, node if isinstance(node, Mixed) else node.analysis
    theme = Origin.ONLY_MOVE
    if not isinstance(values, Mixed):
        theme = next((theme for theme in THEMES if fits(theme, values, seat)), Origin.HOLD)
    if trail.result is not None or is_too_easy(values, seat):
        return "This position is too easy for a drill: most moves are right."
    drill = Drill(game.id, game.notation.format_position(position), seat, theme)
    return make_due_round(services, game.id, [drill])


NOTHING_FOUND = NodeFound(None, "")
MAX_KEPT = 100
"""How many nodes are remembered, so that going back needs no worker. They take a few megabytes at most."""
LINE = "line"
"""The part of the screen that shows the text being typed."""


class NodeScreen(BaseScreen):
    """A screen with a board on the left, a list beside it, and lines under it. No game is played on it."""

    def __init__(self, above: str, below: str) -> None:
        super().__init__()
        self.node_layout = NodeLayout(above, below)
        self.flipped = False

    is_framed = False
    """The layout draws its own borders."""

    def compose_content(self) -> Iterable[Widget]:
        yield self.node_layout

    def on_resize(self, event: events.Resize) -> None:
        self.node_layout.share(*event.size)

    def action_flip(self) -> None:
        self.flipped = not self.flipped
        self.mark_changed()


class ExploreScreen(NodeScreen, SituatedScreen):
    """The explorer, with the board, the moves so far, and the next moves, of which `move` is selected. If it
    `is_searching`, there is no table, and keys do not wait for values."""

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
        def take(own: Mapping[AnyPosition, Tally]) -> None:
            self.own = own
            self.mark_changed()

        self.fetch(partial(read_own, self.services.store, self.trail.game), take, "own")

    def on_mount(self) -> None:
        """Show the list first on a narrow screen, because the keys act on it."""
        self.set_class(True, "-panel")
        self.read_own_games()
        self.show_position_after()

    def paint(self, stale: AbstractSet[str]) -> None:
        """Paint the board, the list and the lines. While the player types, repaint only the line."""
        branches = self.branches()
        game, position, width = self.trail.game, self.trail.position, self.size.width
        place = self.find_marked(branches)
        branch = branches[place] if branches else None
        if stale - {LINE}:
            self.paint_node(branches, place, branch)
        rows: Sequence[Row] = [self.message]
        if self.typing:
            rows = status_lines.typing_lines(self.typing, width, game, position, self.seat).rows
        elif branch is not None:
            sentence = explore_rows.describe_branch(game, position, self.node, branch, width - 1)
            is_low = self.size.height < FULL_HEIGHT
            rows = [self.message or sentence] if is_low else [sentence, self.message]
        self.query_one(Notice).show(rows)
        self.query_one(KeyBar).repaint()

    @property
    def seat(self) -> Seat:
        """The side to move, or the first player if both sides move at once."""
        return self.trail.game.rules.to_move(self.trail.position) or 0

    def paint_node(self, branches: Sequence[Branch], place: int, branch: Branch | None) -> None:
        """Paint the board and the panels. The title says how far the position is from the usual start."""
        trail, game, width = self.trail, self.trail.game, self.node_layout.width
        count, where = len(trail.moves), START if trail.name == START else ""
        if count:
            where = f"after {format_count(count, 'move')}"
        title = (game.facts.title, Tone.TITLE), ("  explorer", Tone.DIM)
        self.node_layout.title_bar.show(title, [(where, Tone.DIM)])
        self.node_layout.show(
            explore_rows.path_rows(trail, width, 3),
            [
                *explore_rows.position_rows(game, trail, self.node, width, self.waiting),
                *explore_rows.explain_numbers(branches, width - INDENT),
            ],
            explore_rows.branch_entries(branches, width - INDENT),
            place,
            self.detail_rows(branch, width),
        )
        path: MovePath = ()
        if branch is not None and not game.facts.simultaneous:
            path = game.notation.paths(trail.position, branch.move)[0]
        labels, node = {}, self.node
        if node is not None and self.values_shown and trail.result is None:
            values = node if isinstance(node, Mixed) else node.analysis
            labels = move_labels(game, trail.position, values, self.seat)
        self.query_one(BoardView).show(partial(self.scene, path), Marks(chosen=path, values=labels))

    def detail_rows(self, branch: Branch | None, width: int) -> Sequence[Row]:
        """Return the text under the list: why the selected move is good or bad, if the player asked for that."""
        game, position = self.trail.game, self.trail.position
        if self.explains and branch is not None and self.node is not None:
            find = partial(read_why, self.services, game, position, self.node, branch.move)
            return explore_rows.why_rows(look_up(self, self.why, (position, branch.move), None, find, "why"), width)
        both = None if branch is None else self.found.measured.get(branch.move)
        return [
            *explore_rows.measure_rows(game, both, width),
            *explore_rows.below_rows(self.found.below, width),
            *explore_rows.own_games_rows(self.own.get(position, explore_rows.NOWHERE), width),
        ]

    def scene(self, path: MovePath, scale: int) -> Scene:
        overlay, ascii_only = bool(self.services.shows_overlay), self.services.ascii_only
        how = {"flipped": self.flipped, "chosen": path, "overlay": overlay, "ascii_only": ascii_only}
        return self.trail.game.painter.scene(self.trail.view(**how, scale=scale, seat=self.seat))

    def show_typing(self) -> None:
        self.mark_changed(LINE)

    def action_play_from(self) -> None:
        seat = self.trail.game.rules.to_move(self.trail.position)
        session = self.trail.session(self.services.preferences.players(seat))
        if session.is_over:
            self.say("On the way here a position was repeated, which ends the game.", Tone.DIM)
            return
        # If this explorer was opened from a game that was itself started in an explorer, only the last explorer stays
        # open. Otherwise the stack of screens would grow with every game.
        services, stack = self.services, self.app.screen_stack
        live = services.live_games.make(session, {}, 0, services.preferences.settings.training)
        self.has_played = True
        if sum(isinstance(screen, ExploreScreen) for screen in stack) > 1:
            services.open("menu")
            services.open("explore", self.trail, True)
        services.open("play_from", live)

    def on_screen_resume(self) -> None:
        if self.has_played:
            self.has_played = False
            self.read_own_games()

    def action_review(self) -> None:
        session = self.trail.session((HUMAN, HUMAN))
        self.open("review", LiveGame(session, self.services.preferences.coaching(), training=False))

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
            "overlay": bool(game.play.overlay_title) and self.trail.result is None,
            "flip": not game.play.is_steered,
            "panel": self.has_class("-narrow"),
            "set_up": game.play.set_up is not None,
            "reasons": not game.facts.simultaneous,
            **dict.fromkeys(self.situation.lacks, False),
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
        """Have a worker look up the position, unless it is known. Returns whether keys wait for the answer."""
        trail = self.trail
        if trail.result is not None or trail.position in self.known:
            return False
        is_quick, self.waiting = not (trail.game.facts.plays_by_search or self.is_searching), FINDING_VALUES

        def show_preparation(what: str, share: float) -> None:
            self.waiting = f"{describe_preparation(what, share)}."
            self.mark_changed()

        report = partial(self.call_later, show_preparation)
        find = partial(read_node, self.services, trail.game, trail.position, report)
        self.fetch(find, partial(self.show_node, trail.position), "node", keys_wait=is_quick)
        return is_quick

    def find_below(self) -> None:
        """Have a worker count positions of the next plies with only one good move, unless that is known."""
        services, game, position, node = self.services, self.trail.game, self.trail.position, self.node
        if not isinstance(node, Explored) or self.found.below:
            return

        def count() -> Sequence[OnlyMoveStats | None]:
            analyst, _ = services.find_analyst(game)
            assert analyst is not None, "it found the node"
            return read_only_move_stats(game, position, alternating(analyst), make_budget(POSITION_SECONDS), node)

        def take(below: Sequence[OnlyMoveStats | None]) -> None:
            if position in self.known:
                self.known[position] = self.known[position]._replace(below=below)
            self.mark_changed()

        self.fetch(count, take, "below")

    def show_node(self, position: AnyPosition, found: NodeFound) -> None:
        self.waiting = ""
        if found.known is not None:
            while len(self.known) >= MAX_KEPT:
                del self.known[next(iter(self.known))]
            self.known[position] = found
        if found.note:
            self.is_searching, self.message = True, [(found.note, Tone.SLIP)]
        self.find_below()
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
        if branches := self.branches():
            self.mark((self.find_marked(branches) + by) % len(branches), branches)

    def action_group(self, by: int) -> None:
        branches = self.branches()
        here = self.find_marked(branches)
        firsts = [n for n, branch in enumerate(branches) if n == 0 or branch.worth != branches[n - 1].worth]
        if ahead := [first for first in firsts if (first - here) * by > 0]:
            self.mark(ahead[0] if by > 0 else ahead[-1], branches)

    def mark(self, place: int, branches: Sequence[Branch]) -> None:
        self.move, self.message = branches[place].move, ()
        self.mark_changed()

    def on_opened(self, message: Opened) -> None:
        """Select the clicked move, or play it if it is selected. The list must not show the last position."""
        if self.is_waiting:
            return
        branches = self.branches()
        if message.index == self.find_marked(branches):
            self.action_descend()
        else:
            self.mark(message.index, branches)

    @property
    def situation(self) -> Situation:
        return find_in_explorer(self.trail.can_go_back, is_over=self.trail.result is not None)

    @property
    def effects(self) -> Mapping[Effect, Callable[[], object]]:
        return {
            **super().effects,
            Effect.GO_ON: self.play_selected,
            Effect.TAKE_BACK: self.take_back,
            Effect.SAY_FIRST: partial(self.say, "This is the first position.", Tone.DIM),
        }

    def action_descend(self) -> None:
        self.carry_out(self.situation.enter)

    def action_ascend(self) -> None:
        self.carry_out(self.situation.back)

    def play_selected(self) -> None:
        if branches := self.branches():
            self.trail.play(branches[self.find_marked(branches)].move)
            self.show_position_after()

    def take_back(self) -> None:
        self.show_position_after(self.trail.go_back())

    def action_to_start(self) -> None:
        self.show_position_after(self.trail.go_to_start())

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
        try:
            trail.play(read_typed_at(trail.game, trail.position, text))
        except OnlymoveError as refusal:
            try:
                position = read_position(trail.game, text)
            except OnlymoveError:
                return as_sentence(str(refusal))
            find = partial(check_reachable, self.services, trail.game, position)
            self.fetch(find, lambda _: self.jump(position, "a typed position"), "jump", keys_wait=True)
            return ""
        self.show_position_after()
        return ""


Place = Kind | str | None
"""A position to go to: an extreme, the name of a random one, or `None` for the standard start."""
Extremes: TypeAlias = Mapping[Kind, ExtremePositions]
WORDS: Mapping[Kind, tuple[str, str]] = {
    Kind.LONGEST_WIN: ("Longest win", "in {} moves"),
    Kind.NARROWEST_DRAW: ("Narrowest draw", "only one of {} moves draws"),
    Kind.MAX_MISLEADING: ("Most misleading", "a win, but {} moves lose"),
}


def find_position(services: Services, game: AnyGame, wanted: Wanted) -> tuple[AnyPosition | None, str]:
    """Return a random position of a kind, or `None` and the reason why there is none. Call it in a worker."""
    analyst, note = services.find_analyst(game)
    if analyst is None:
        return None, note
    return find_random_position(game, analyst, services.random, wanted, make_budget(POSITION_SECONDS)), ""


class GoToScreen(ListScreen[Place], screen_id="goto"):
    """Lists positions: the start, extremes of the table, and random ones. Enter passes the selected one to `go_to`."""

    footer_names = ("pick", "leave", "help")
    title_row = (("Go to", Tone.TITLE), ("  positions of the solved game", Tone.DIM))

    def __init__(self, game: AnyGame, go_to: Callable[[AnyPosition, str], None]) -> None:
        super().__init__()
        self.game = game
        self.go_to = go_to
        self.named: Extremes = {}

    def compose_beside(self) -> Iterable[Widget]:
        return ()

    def ask(self) -> None:
        game = self.game

        def read() -> Extremes:
            from onlymove_tables.open import find_counted  # noqa: PLC0415 - numpy and the tables wait for a board

            solution = find_counted(game)
            return {} if solution is None else solution.named

        def take(named: Extremes) -> None:
            self.named, self.lines = named, (None, *named, *list_wanted(game))
            self.mark_changed()

        if not self.lines:
            self.fetch(read, take, "read", keys_wait=True)

    def group_of(self, line: Place) -> object:
        return type(line)

    def rows_of(self, line: Place) -> Sequence[Row]:
        if line is None:
            return [[("Standard opening position", Tone.TEXT)]]
        if isinstance(line, str):
            return [[(f"Random: {line}", Tone.TEXT)]]
        title, words = WORDS[line]
        if line is Kind.LONGEST_WIN and self.game.facts.has_margin:
            words = "next capture in {} moves"
        return [[(f"{title:<18}", Tone.TEXT), (words.format(self.named[line].figure), Tone.DIM)]]

    def idle_rows(self) -> Sequence[Row]:
        place = self.marked_line
        if not isinstance(place, Kind):
            return ()
        count = self.named[place].count
        such = "No other position in the game is like this" if count == 1 else f"The game has {count:,} such positions"
        return [[(f"{such}, not counting symmetric ones.", Tone.DIM)]]

    def action_step(self, by: int) -> None:
        super().action_step(by)
        self.say("")

    def action_pick(self) -> None:
        if not self.lines:
            return
        place, game = self.marked_line, self.game
        if isinstance(place, str):
            self.say("Drawing ...", Tone.DIM)
            take = partial(self.show_drawn, place)
            self.fetch(partial(find_position, self.services, game, WANTED[place]), take, "lot", keys_wait=True)
        elif place is None:
            self.arrive(game.default_start(), START)
        else:
            text = self.services.random.choice(self.named[place].positions)
            self.arrive(game.notation.parse_position(text), WORDS[place][0].lower())

    def show_drawn(self, name: str, drawn: tuple[AnyPosition | None, str]) -> None:
        position, note = drawn
        if position is None:
            self.say(note or "No position found. Try again.", Tone.SLIP)
        else:
            self.arrive(position, name)

    def arrive(self, position: AnyPosition, name: str) -> None:
        self.action_leave()
        self.go_to(position, name)


def look_at_draft(services: Services, game: AnyGame, draft: AnyPosition) -> str:
    """Return what is wrong with a draft. Empty if it is legal and a game can lead to it. Call it in a worker."""
    wrong = find_objection(game.notation, draft)
    try:
        if not wrong:
            check_reachable(services, game, draft)
    except OnlymoveError as refusal:
        wrong = str(refusal)
    return as_sentence(wrong)


class SetUpScreen(NodeScreen, screen_id="setup"):
    """Sets up a position for `take`. `wrong` says what is wrong with it, and is `None` until that is known."""

    footer_names = ("next_piece", "panel", "turn", "clear", "use", "leave_setup", "help")

    def __init__(self, game: AnyGame, draft: AnyPosition, take: Callable[[AnyPosition, str], None]) -> None:
        super().__init__("As text", "Pieces")
        assert game.play.set_up is not None, "it is offered where it can be done"
        self.game = game
        self.pieces: SetUp[AnyPosition] = game.play.set_up
        self.draft = self.begun = draft
        self.take_position = take
        self.wrong: str | None = None
        self.cursor: Target = self.scene(1).places[0].target

    def on_mount(self) -> None:
        self.change(self.draft)

    def change(self, draft: AnyPosition) -> None:
        self.draft, self.wrong = draft, None

        def take(wrong: str) -> None:
            if draft == self.draft:
                self.wrong = wrong
                self.mark_changed()

        self.fetch(partial(look_at_draft, self.services, self.game, draft), take, "check", keys_wait=True)
        self.mark_changed()

    def scene(self, scale: int) -> Scene:
        """Draw the draft without showing what the side to move could pick."""
        seat, ascii_only = self.game.rules.to_move(self.draft) or 0, self.is_attached and self.services.ascii_only
        return self.game.painter.scene(
            View((self.draft,), (), self.flipped, ascii_only=ascii_only, scale=scale, seat=seat)
        )

    def paint(self, stale: AbstractSet[str]) -> None:
        width, text = self.node_layout.width, self.game.notation.format_position(self.draft)
        there, signs = self.pieces.there(self.draft, self.cursor), list(self.pieces.pieces)
        self.node_layout.title_bar.show([(self.game.facts.title, Tone.TITLE), ("  set up a position", Tone.DIM)])
        pieces, indent = self.pieces.pieces.items(), (" " * len("+  "), Tone.TEXT)
        rows = [fold([(f"{sign}  ", Tone.KEY), (words, Tone.TEXT)], width - INDENT, [indent]) for sign, words in pieces]
        marked = signs.index(there) if there in signs else 0
        mover = mover_row(self.game, self.game.rules.to_move(self.draft) or 0)
        self.node_layout.show(wrap(text, width), [mover], rows, marked)
        self.query_one(BoardView).show(self.scene, Marks(cursor=self.cursor))
        fault: Row = [(self.wrong, Tone.ERROR) if self.wrong else ("This position is legal.", Tone.WIN)]
        self.query_one(Notice).show([() if self.wrong is None else fault])
        self.query_one(KeyBar).repaint()

    def find_own_keys(self) -> Callable[[str], bool]:
        return lambda key: key_to_character(key) in self.pieces.pieces

    def takes_key(self, key: str, character: str | None) -> bool:
        if character in self.pieces.pieces and character is not None and not self.services.is_gated:
            self.put(character)
            return True
        return super().takes_key(key, character)

    def put(self, piece: str) -> None:
        self.change(self.pieces.put(self.draft, self.cursor, piece))

    def on_opened(self, message: Opened) -> None:
        self.put(list(self.pieces.pieces)[message.index])

    def on_pointed(self, message: Pointed) -> None:
        """Move the cursor to the clicked cell. If the cursor is there already, put the next piece on it."""
        if message.target == self.cursor:
            self.action_next_piece()
        self.cursor = message.target
        self.mark_changed()

    def action_cursor(self, dx: int, dy: int) -> None:
        scene = self.scene(self.query_one(BoardView).scale)
        targets = [place.target for place in scene.places]
        self.cursor = find_neighbour(scene, self.cursor, targets, dx, dy) or self.cursor
        self.mark_changed()

    def action_next_piece(self) -> None:
        self.change(self.pieces.cycle_piece(self.draft, self.cursor))

    def action_turn(self) -> None:
        if self.pieces.turned is not None:
            self.change(self.pieces.turned(self.draft))

    def action_clear(self) -> None:
        self.change(self.pieces.empty)

    def action_use(self) -> None:
        """Explore the position, if nothing is wrong with it. If it was not changed, just go back."""
        if self.wrong == "":
            self.action_leave()
            if self.draft != self.begun:
                self.take_position(self.draft, "a position you set up")

    def check_actions(self) -> dict[str, bool]:
        """Allow Enter only if the position is legal, and changing the turn only if the pieces do not determine it."""
        has_turn = self.pieces.turned is not None
        return {"use": self.wrong == "", "turn": has_turn, "panel": self.has_class("-narrow")}
