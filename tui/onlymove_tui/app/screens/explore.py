"""The explorer: any position as a node of the solved game. A list of its moves leads down, Backspace back up."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from onlymove_engines.coach.explore import Below, Explored
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyPosition, GameId
from onlymove_engines.core.rules import MoveEntry, MovePath, Target
from onlymove_engines.core.scene import Scene
from onlymove_engines.core.value import Mixed, Move
from onlymove_engines.match.match import Match
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import AnySession
from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.messages import Compiling, Opened
from onlymove_tui.app.panels import explore_rows, status_lines
from onlymove_tui.app.panels.explore_rows import Branch
from onlymove_tui.app.panels.value_rows import value_labels
from onlymove_tui.app.screens.drills import RoundReady
from onlymove_tui.app.screens.node_reading import (
    BelowFound,
    GameFound,
    KnownNode,
    Measured,
    NodeFound,
    OwnFound,
    Reached,
    WhyFound,
    drill_of,
    reach,
    read_below,
    read_game,
    read_node,
    read_own,
    read_why,
)
from onlymove_tui.app.themes import Ink, Tone
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Notice
from onlymove_tui.app.widgets.board import BoardView, Marks
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT
from onlymove_tui.app.widgets.layout import NodeLayout
from onlymove_tui.play.exploring import START, Exploration
from onlymove_tui.store.progress import Tally

MOST_KEPT = 100
"""Nodes that are remembered, some megabytes at most: going back asks nobody."""
TYPED = "a typed position"
SEARCHING, COMPILING = "Working out the values.", "Compiling the search: {:.0%}."
AT_THE_TOP = "This is where you began."


WAY_LINES = 3
OVER_HERE = "By repetition the game is over on the way here."
WHILE_IT_GOES_ON = ("descend", "group", "values", "reasons", "play_from", "drill_this")


class ExploreScreen(BaseScreen, screen_id="explore"):
    """The board on the left, the way here and the moves on the right. `move` is the marked one. With `is_searching`
    there is no table, and no key waits for a value."""

    def __init__(self, game_id: GameId, trail: Exploration | None = None, has_played: bool = False) -> None:
        super().__init__()
        self.game_id = game_id
        self.trail = trail
        self.move: Move | None = None
        self.known: dict[AnyPosition, KnownNode] = {}
        self.lower: dict[AnyPosition, Sequence[Below | None]] = {}
        self.measured: dict[AnyPosition, Measured] = {}
        self.own: Mapping[AnyPosition, Tally] = {}
        self.message: Row = ()
        self.waiting = ""
        self.is_searching = False
        self.flipped = self.overlay = self.values_shown = self.explains = False
        self.has_played = has_played
        self.why: WhyFound | None = None
        self.sought: tuple[AnyPosition, Move] | None = None
        self.table = NodeLayout("The way here", "Moves")

    def begin(self) -> None:
        """Have found what is to be shown."""
        if self.trail is None:
            self.fetch(partial(read_game, self.services, self.game_id), "game", keys_wait=True)
        else:
            self.set_out(self.trail)

    def on_game_found(self, message: GameFound) -> None:
        """Begin at the usual start."""
        self.set_out(Exploration(message.game, message.game.default_start()))

    def set_out(self, trail: Exploration) -> None:
        """From here; the player's own games are gone through meanwhile."""
        self.trail = trail
        self.fetch(partial(read_own, self.services, trail.game), "own")
        self.arrive()

    def on_own_found(self, message: OwnFound) -> None:
        """Where the player has been."""
        self.own = message.own
        self.redraw()

    def content(self) -> Iterable[Widget]:
        yield self.table

    def on_mount(self) -> None:
        """Narrow screens begin with the list: that is what keys act on."""
        self.set_class(True, "-panel")
        self.begin()

    def on_resize(self, event: events.Resize) -> None:
        self.table.share(*event.size)
        self.call_after_refresh(self.redraw)

    # What is shown.

    def redraw(self) -> None:
        """Board, list and line, as soon as it is known what game it is."""
        if not self.is_built or self.trail is None:
            return
        trail, branches, width = self.trail, self.branches(), self.table.width
        place = self.marked(branches)
        self.table.show_title(
            [(trail.game.title, Tone.TITLE), ("  explorer", Tone.DIM)], [(moves_away(trail), Tone.DIM)]
        )
        self.table.show(
            explore_rows.way_rows(trail, width, WAY_LINES),
            explore_rows.standing_rows(trail.game, trail, self.node, width, self.waiting),
            explore_rows.entries(branches, width - INDENT),
            place,
            self.told(trail, branches, place, width),
        )
        path = self.path_of(branches[place].move) if branches else ()
        self.query_one(BoardView).show(partial(self.scene, trail, path), Marks(chosen=path, values=self.labels(trail)))
        self.show_docked()

    def told(self, trail: Exploration, branches: Sequence[Branch], place: int, width: int) -> Sequence[Row]:
        """Under the list why the marked move is good or bad, where that is asked for; else what the game measures after
        it, what stands below, and the player's own games."""
        if self.explains and branches and self.node is not None:
            return explore_rows.why_rows(self.reasons_of(trail, branches[place].move), width)
        both = self.measured.get(trail.position, {}).get(branches[place].move) if branches else None
        return [
            *explore_rows.measured_rows(trail.game, both, width),
            *explore_rows.below_rows(self.lower.get(trail.position, ()), width),
            *explore_rows.own_rows(self.own.get(trail.position, explore_rows.NOWHERE), width),
        ]

    def reasons_of(self, trail: Exploration, move: Move) -> Sequence[str] | None:
        """What is proven of a move; `None` until a worker has found it out."""
        if self.why is not None and (self.why.position, self.why.move) == (trail.position, move):
            return self.why.sentences
        if self.node is not None and self.sought != (trail.position, move):
            self.sought = (trail.position, move)
            self.fetch(partial(read_why, self.services, trail.game, trail.position, self.node, move), "why")
        return None

    def on_why_found(self, message: WhyFound) -> None:
        self.why = message
        self.redraw()

    def path_of(self, move: Move) -> MovePath:
        """What the marked move is entered by; of both sides' at once nothing."""
        trail = self.trail
        if trail is None or trail.game.facts.simultaneous:
            return ()
        path: MovePath = trail.game.notation.paths(trail.position, move)[0]
        return path

    def scene(self, trail: Exploration, path: MovePath, scale: int) -> Scene:
        """The picture, with the marked move on it."""
        options: dict[str, Hashable] = {"seat": trail.game.rules.to_move(trail.position) or 0, "cursor": None}
        view = trail.view(self.flipped, path, self.overlay, self.services.ascii_only, options)
        return trail.game.painter.scene(replace(view, scale=scale))

    def labels(self, trail: Exploration) -> dict[Target, tuple[str, Ink]]:
        """What each target leads to, where that is asked for."""
        node, seat = self.node, trail.game.rules.to_move(trail.position) or 0
        if node is None or not self.values_shown or trail.result is not None:
            return {}
        values = node if isinstance(node, Mixed) else node.analysis
        choices = node.strategies[seat] if isinstance(node, Mixed) else node.analysis.moves
        entry: MoveEntry[Move] = MoveEntry(trail.game.paths(trail.position, choices))
        return value_labels(trail.game, trail.position, values, entry, seat)

    def said(self) -> Sequence[Row]:
        """What the marked move leads to, and what was said last; on a low screen one of them."""
        trail, branches = self.trail, self.branches()
        if trail is None or not branches:
            return [self.message]
        sentence = explore_rows.marked_sentence(trail.game, trail.position, self.node, branches[self.marked(branches)])
        return [self.message or sentence] if self.size.height < FULL_HEIGHT else [sentence, self.message]

    def show_docked(self) -> None:
        """The lines under the board; while something is typed, that."""
        if self.is_built:
            rows = status_lines.typing_lines(self.typing, self.size.width).rows if self.typing else self.said()
            self.query_one(Notice).show(rows)
            self.show_keys()

    def show_typing(self) -> None:
        self.show_docked()

    def say(self, text: str, tone: Tone = Tone.TEXT) -> None:
        self.message = [(text, tone)] if text else ()
        self.redraw()

    # What can be done from here.

    def action_play_from(self) -> None:
        """A game from here, with the moves that led here."""
        if self.trail is None:
            return
        seat = self.trail.game.rules.to_move(self.trail.position)
        session = self.trail.session(self.services.preferences.players(seat))
        if session.is_over:
            self.say(OVER_HERE, Tone.DIM)
        else:
            self.play(session, self.trail)

    def play(self, session: AnySession, trail: Exploration) -> None:
        """A board above the explorer. Of explorers that were opened one from the other's game only the last is kept:
        what is below would grow with every game."""
        services, stack = self.services, self.app.screen_stack
        kept = services.matches.new(session, {}, 0, services.settings.training)
        self.has_played = True
        if sum(isinstance(screen, ExploreScreen) for screen in stack) > 1:
            services.open("menu")
            services.open("explore", trail.game.id, trail, True)
        services.open("play_from", *kept)

    def on_screen_resume(self) -> None:
        """A game that was played from here is one of the player's own."""
        if self.has_played and self.trail is not None:
            self.has_played = False
            self.fetch(partial(read_own, self.services, self.trail.game), "own")

    def action_review(self) -> None:
        """The way here, gone through as a game."""
        if self.trail is not None:
            session = self.trail.session((HUMAN, HUMAN))
            self.open("review", Match(session, self.services.preferences.coaching(), training=False))

    def action_drill_this(self) -> None:
        """The position as a drill."""
        trail, node = self.trail, self.node
        if trail is not None and node is not None:
            self.fetch(partial(drill_of, self.services, trail, node), "round", keys_wait=True)

    def on_round_ready(self, message: RoundReady) -> None:
        if message.practice is not None and self.is_current:
            self.open("drill", message.practice)
        else:
            self.say(message.note or "This drill is not due again yet.", Tone.DIM)

    def action_go_to(self) -> None:
        """What is extreme in the whole table, and positions by lot."""
        self.open("goto", self.game_id, self.jump)

    def action_set_up(self) -> None:
        """A position put together on the board."""
        if self.trail is not None:
            self.open("setup", self.trail.game, self.trail.position, self.jump)

    # Looking differently.

    def action_flip(self) -> None:
        self.flipped = not self.flipped
        self.redraw()

    def action_overlay(self) -> None:
        self.overlay = not self.overlay
        self.redraw()

    def action_values(self) -> None:
        self.values_shown = not self.values_shown
        self.redraw()

    def action_reasons(self) -> None:
        self.explains = not self.explains
        self.sought = None
        self.redraw()

    def action_panel(self) -> None:
        self.toggle_class("-panel")
        self.call_after_refresh(self.redraw)

    def action_rules(self) -> None:
        self.open("rules", self.game_id)

    def is_possible(self, action: str) -> bool:
        """What does not apply is not offered."""
        game = None if self.trail is None else self.trail.game
        if action in WHILE_IT_GOES_ON and self.trail is not None and self.trail.result is not None:
            return False
        applies = {
            "overlay": game is not None and bool(game.overlay_title),
            "panel": self.has_class("-narrow"),
            "set_up": game is not None and game.set_up is not None,
            "reasons": game is not None and not game.facts.simultaneous,
        }
        return applies.get(action, True)

    # What is known.

    def arrive(self, move: Move | None = None) -> None:
        """The walk stands elsewhere, with this move to be marked."""
        self.move, self.message = move, ()
        self.call_off("below", "node")
        if self.trail is None or not self.look(self.trail):
            self.look_below()
            self.hold_mark()
            self.redraw()

    def hold_mark(self) -> None:
        """What is marked now stays marked when its value has come: somebody may be about to choose it."""
        if self.move is None and self.node is None:
            self.move = next((branch.move for branch in self.branches()), None)

    def look(self, trail: Exploration) -> bool:
        """Have the position looked at, if that is to be found out. Returns whether that is a matter of a moment, for
        which keys wait and the screen stays as it is."""
        if trail.result is not None or trail.position in self.known:
            return False
        is_quick, self.waiting = not (trail.game.facts.plays_by_search or self.is_searching), SEARCHING
        self.fetch(
            partial(read_node, self.services, trail.game, trail.position, self.tell_share), "node", keys_wait=is_quick
        )
        return is_quick

    def tell_share(self, _: str, share: float) -> None:
        """From the worker, how far compiling is."""
        self.post_message(Compiling(share))

    def look_below(self) -> None:
        """Have counted what stands below, unless that is known."""
        trail, node = self.trail, self.node
        if trail is not None and isinstance(node, Explored) and trail.position not in self.lower:
            self.fetch(partial(read_below, self.services, trail.game, node), "below")

    def on_compiling(self, message: Compiling) -> None:
        """What the game searches with is being compiled, once on this machine."""
        self.waiting = COMPILING.format(message.share)
        self.redraw()

    def on_node_found(self, message: NodeFound) -> None:
        """The moves are known by what they lead to."""
        self.waiting = ""
        if message.known is not None:
            while len(self.known) >= MOST_KEPT:
                oldest = next(iter(self.known))
                self.known.pop(oldest)
                self.lower.pop(oldest, None)
                self.measured.pop(oldest, None)
            self.known[message.position] = message.known
            self.measured[message.position] = message.measured
        if message.note:
            self.is_searching, self.message = True, [(message.note, Tone.SLIP)]
        self.look_below()
        self.redraw()

    def on_below_found(self, message: BelowFound) -> None:
        self.lower[message.position] = message.lower
        self.redraw()

    @property
    def node(self) -> KnownNode | None:
        """What is known of the position on the board."""
        return None if self.trail is None else self.known.get(self.trail.position)

    def branches(self) -> list[Branch]:
        """The moves of the list."""
        trail = self.trail
        return [] if trail is None else explore_rows.branches_of(trail.game, trail.position, self.node, self.own)

    def marked(self, branches: Sequence[Branch]) -> int:
        """The place of the marked move."""
        return next((place for place, branch in enumerate(branches) if branch.move == self.move), 0)

    # Going.

    def action_step(self, by: int) -> None:
        """Another move."""
        branches = self.branches()
        if branches:
            self.mark((self.marked(branches) + by) % len(branches), branches)

    def action_group(self, by: int) -> None:
        """To the first move that leads to something else."""
        branches = self.branches()
        firsts = [n for n, branch in enumerate(branches) if n == 0 or branch.worth != branches[n - 1].worth]
        here = self.marked(branches)
        ahead = [first for first in firsts if (first > here if by > 0 else first < here)]
        if ahead:
            self.mark(ahead[0] if by > 0 else ahead[-1], branches)

    def mark(self, place: int, branches: Sequence[Branch]) -> None:
        """Mark the move at this place."""
        self.move, self.message = branches[place].move, ()
        self.redraw()

    def on_opened(self, message: Opened) -> None:
        """A click marks a move, and on the marked one goes down; none on the list of a position that was left."""
        if self.is_waiting:
            return
        branches = self.branches()
        if message.index == self.marked(branches):
            self.action_descend()
        else:
            self.mark(message.index, branches)

    def action_descend(self) -> None:
        """Along the marked move."""
        branches = self.branches()
        if self.trail is not None and branches:
            self.trail.down(branches[self.marked(branches)].move)
            self.arrive()

    def action_ascend(self) -> None:
        """Back along the move that led here."""
        if self.trail is None or not self.trail.can_go_back:
            self.say(AT_THE_TOP, Tone.DIM)
            return
        self.arrive(self.trail.back())

    def action_to_start(self) -> None:
        """To where the walk began."""
        if self.trail is not None:
            first = next(iter(self.trail.walk.moves), None)
            self.trail.home()
            self.arrive(first)

    def jump(self, position: AnyPosition, name: str) -> None:
        """To any position, which is called that."""
        if self.trail is not None:
            self.trail.jump(position, name)
            self.arrive()

    def action_type_move(self) -> None:
        self.message = ()
        self.type_text(self.take_text)

    def take_text(self, text: str) -> str:
        """A move was typed, or a position; why it is neither, or nothing."""
        trail = self.trail
        if trail is None or not text:
            return ""
        notation = trail.game.notation
        try:
            trail.down(notation.parse_move(trail.position, text))
        except OnlymoveError as refusal:
            try:
                position = notation.parse_position(text)
            except OnlymoveError:
                return str(refusal)
            self.fetch(partial(reach, self.services, trail.game, position, TYPED), "jump", keys_wait=True)
            return ""
        self.arrive()
        return ""

    def on_reached(self, message: Reached) -> None:
        """A position was typed that the game answers."""
        self.jump(message.position, message.name)


def moves_away(trail: Exploration) -> str:
    """`the start`, `3 moves on`; nothing where a jump has led."""
    count = len(trail.walk.moves)
    return f"{count} move{'s' if count > 1 else ''} on" if count else START if trail.walk.name == START else ""
