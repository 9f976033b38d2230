"""The game being played: what keys and engines do to the match, and what of it is shown.

All law and judgement is the match's; this screen only asks, waits and draws.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.hint import LAST_STAGE, Hint, die_ranges
from onlymove_engines.core.line import Node
from onlymove_engines.core.path import NO_ENTRY
from onlymove_engines.core.tutor import Verdict
from onlymove_engines.core.value import Mixed, Seat
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import get_current_worker

from onlymove_tui import telling
from onlymove_tui.match import AnyNode, Match
from onlymove_tui.messages import Jumped, Looked, Pointed, Replied, Seated
from onlymove_tui.paint import Marks, nearest, neighbour
from onlymove_tui.tones import Tone
from onlymove_tui.widgets.bars import Notice, TitleBar
from onlymove_tui.widgets.canvas import Row, Run
from onlymove_tui.widgets.panel import Lines

from .board_screen import BoardScreen

WHY_SECONDS = 2.0
BETWEEN_ENGINES = 0.5
"""Seconds that two engines leave between their moves, so that one can follow."""
ARROWS = {(-1, 0): "left", (1, 0): "right", (0, -1): "up", (0, 1): "down"}
HELD_KEYS: Row = (
    ("Enter", Tone.KEY), (" keep   ", Tone.TEXT), ("u", Tone.KEY), (" rethink   ", Tone.TEXT),
    ("h", Tone.KEY), (" hint   ", Tone.TEXT), ("w", Tone.KEY), (" why", Tone.TEXT),
)  # fmt: skip
OVER_KEYS: Row = (
    ("e", Tone.KEY), (" review   ", Tone.TEXT), ("c", Tone.KEY), (" new game   ", Tone.TEXT),
    ("u", Tone.KEY), (" undo   ", Tone.TEXT), ("g", Tone.KEY), (" games", Tone.TEXT),
)  # fmt: skip
WHY_KEYS: Row = (
    ("w", Tone.KEY), (" next   ", Tone.TEXT), ("[", Tone.KEY), (" back   ", Tone.TEXT),
    ("u", Tone.KEY), (" to the game", Tone.TEXT),
)  # fmt: skip
PAST_KEYS: Row = (
    ("[", Tone.KEY), (" earlier   ", Tone.TEXT), ("]", Tone.KEY), (" later   ", Tone.TEXT),
    ("End", Tone.KEY), (" to the game", Tone.TEXT),
)  # fmt: skip


class MoveInput(Input):
    """A typed move. Its cursor does not blink, so that an idle screen stays silent."""

    def __init__(self) -> None:
        super().__init__(id="typed", compact=True, select_on_focus=False)
        self.cursor_blink = False

    def key_escape(self) -> None:
        """Give the keys back to the board."""
        self.screen.set_class(False, "-typing")
        self.screen.set_focus(None)


class PlayScreen(BoardScreen, room="play"):
    """A board, somebody to play against, and a tutor."""

    def __init__(self, match: Match, autosave: Any = None) -> None:
        super().__init__(match)
        self.autosave = autosave
        self.hint: Hint | None = None
        self.message: Row = ()
        self.asked = ""
        self.viewed: AnyNode | None = None
        self.paused = False
        self.thinking: set[Seat] = set()
        self.replies: list[Replied] = []
        self.clock: Timer | None = None
        self.die = ""
        self.collected = match.session.is_over
        self.new_drills = 0

    def content(self) -> Iterable[Widget]:
        """The board and, docked, a line for typed moves."""
        yield from super().content()
        yield MoveInput()

    def on_mount(self) -> None:
        """Fetch the authority on values, and begin at once without waiting for it."""
        self.begin()
        self.run_worker(partial(self._seat, self.house.authority(self.match.game)), thread=True, group="seat")

    def _seat(self, fetch: Callable[[], tuple[Any, str]]) -> None:
        analyst, note = fetch()
        self.post_message(Seated(analyst, note))

    def on_seated(self, message: Seated) -> None:
        """From now on values can be asked for."""
        self.match.analyst, self.match.note = message.analyst, message.note
        if message.note:
            self.message = [(message.note, Tone.SLIP)]
        self.look()
        self.engines()
        self.refresh_all()

    # The course of the game.

    def begin(self) -> None:
        """The position has changed: forget what belonged to the last one, save, ask whoever is to move."""
        self.match.void_thoughts()
        self.workers.cancel_group(self, "engine")
        self.thinking.clear()
        self.replies.clear()
        self.hint = self.why = self.viewed = None
        self.asked = self.die = ""
        self.take_entry()
        self.save()
        self.collect()
        self.look()
        self.engines()
        self.refresh_all()

    def collect(self) -> None:
        """When the game is over, its mistakes become drills, once."""
        if self.match.session.is_over and not self.collected:
            self.collected = True
            self.new_drills = self.house.collect_drills(self.match)

    def take_entry(self) -> None:
        """A fresh entry for whoever chooses here."""
        seat = self.match.seat
        self.entry = NO_ENTRY if seat is None else self.match.session.entry(seat)
        self.place_cursor()

    def place_cursor(self) -> None:
        """The cursor stays where it is if that can be picked, else goes to the nearest target that can."""
        scene = self.match.game.painter.scene(self.view())
        targets = [target for target in self.entry.next_targets() if scene.place(target) is not None]
        self.cursor = nearest(scene, self.cursor, targets) or self.cursor

    def save(self) -> None:
        """Keep the game as it stands. When the disk fails, play goes on and the line says so."""
        if self.autosave is not None and not self.autosave.save():
            self.message = [(self.autosave.trouble, Tone.ERROR)]

    def keep(self) -> None:
        """The app is about to end."""
        self.save()

    def look(self) -> None:
        """Have the values of the moves here found, if they are not known yet."""
        node = self.match.node
        if self.match.analyst is None or self.match.session.is_over or node.id in self.match.known:
            return
        self.run_worker(partial(self._look, node.id, node.position), thread=True, group="look", exclusive=True)

    def _look(self, node_id: int, position: Any) -> None:
        worker, analyst = get_current_worker(), self.match.analyst
        budget = Budget.seconds(self.match.patience, monotonic, lambda: worker.is_cancelled)
        try:
            find = analyst.mixed if self.match.is_simultaneous else analyst.analyse
            found = Looked(node_id, find(position, budget))
        except OnlymoveError as refusal:
            found = Looked(node_id, None, str(refusal))
        if not worker.is_cancelled:
            self.post_message(found)

    def on_looked(self, message: Looked) -> None:
        """Values are known: judge what was played there, and the move that waited for them."""
        if message.values is None:
            self.say(message.failure, Tone.ERROR)
            return
        self.match.learn(message.node_id, message.values)
        self.release_waiting()
        self.refresh_all()

    def release_waiting(self) -> None:
        """Offer again what a person chose before it could be taken."""
        if self.match.waiting is not None and not self.match.must_wait():
            self.offer(*self.match.waiting)

    def engines(self) -> None:
        """Set every engine thinking that owes a move."""
        if self.match.analyst is None and self.match.game.load_solver is not None:
            return
        between_engines = not self.match.session.human_seats()
        for seat in self.match.engines_to_choose():
            if seat in self.thinking or (between_engines and self.paused):
                continue
            self.thinking.add(seat)
            think = partial(self._think, self.match.thought(seat), self.match.node.id, seat, self.match.turn)
            if between_engines:
                self.set_timer(BETWEEN_ENGINES, partial(self.start_engine, think, self.match.turn))
            else:
                self.start_engine(think, self.match.turn)

    def start_engine(self, think: Callable[[], None], turn: int) -> None:
        """Let an engine think unless the game has gone another way meanwhile."""
        if turn == self.match.turn:
            self.run_worker(think, thread=True, group="engine")

    def _think(self, thought: Callable[[Budget], Any], node_id: int, seat: Seat, turn: int) -> None:
        worker = get_current_worker()
        move = thought(Budget.seconds(self.match.patience, monotonic, lambda: worker.is_cancelled))
        if not worker.is_cancelled:
            self.post_message(Replied(node_id, seat, move, turn))

    def on_replied(self, message: Replied) -> None:
        """An engine has chosen; dropped when the game has gone another way."""
        if message.turn != self.match.turn or message.node_id != self.match.node.id:
            return
        if self.frames:
            self.replies.append(message)
            return
        self.thinking.discard(message.seat)
        if self.match.take_reply(message.seat, message.move) is not None:
            self.moved()
        else:
            self.release_waiting()
            self.refresh_all()

    def offer(self, seat: Seat, move: Any) -> None:
        """A person's move: played, held, returned, or kept waiting until it can be judged."""
        self.message = ()
        try:
            verdict = self.match.offer(seat, move)
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)
            self.take_entry()
            self.refresh_all()
            return
        if verdict is not None:
            self.answer(verdict)
        self.refresh_all()

    def answer(self, verdict: Verdict) -> None:
        """What comes of a move that was offered."""
        if verdict.held is not None:
            self.hint = None
        elif verdict.returned:
            self.take_entry()
            self.say(f"Taken back: {verdict.judgement.lost()}. Try again.", Tone.LOSS)
        elif verdict.node is None:
            self.say(f"{self.waiting_name()} has chosen.", Tone.DIM)
            self.take_entry()
            self.engines()
        else:
            if self.match.training and verdict.judgement.grade.is_graded:
                self.message = [(verdict.judgement.verdict(), telling.tone_of(verdict.judgement))]
            self.moved()

    def waiting_name(self) -> str:
        """The side that has made its hidden choice."""
        seats = [seat for seat in self.match.session.human_seats() if seat in self.match.session.pending]
        return telling.seat_name(self.match, seats[-1]) if seats else "Your side"

    def moved(self) -> None:
        """A move is on the board: show it on its way, and go on."""
        frames = self.house.animated and list(self.match.game.painter.between(self.match.session.view(
            flipped=self.flipped, ascii_only=self.house.ascii_only)))  # fmt: skip
        self.begin()
        if frames:
            self.frames = frames
            self.clock = self.set_interval(self.house.frame_seconds, self.next_frame)
            self.show_board()

    def next_frame(self) -> None:
        """One picture on; after the last one the board stands still and waiting replies are taken."""
        self.frames = self.frames[1:]
        if not self.frames:
            self.stand_still()
        else:
            self.show_board()

    def stand_still(self) -> None:
        """End an animation now."""
        self.frames = []
        if self.clock is not None:
            self.clock.stop()
            self.clock = None
        self.refresh_all()
        replies, self.replies = self.replies, []
        for reply in replies:
            self.on_replied(reply)

    def before_key(self, key: str) -> bool:
        """Any key skips an animation, and any key but the same again withdraws a question."""
        if self.frames and key not in ("q", "ctrl+q"):
            self.stand_still()
            return True
        if self.asked and key != self.asked:
            self.asked = ""
            self.message = ()
            self.show_notice()
        return False

    # What is shown.

    def refresh_all(self) -> None:
        """Board, side, notes, docked lines, keys."""
        if not self.is_mounted:
            return
        self.show_board()
        self.show_side()
        self.query_one("#note", Lines).show(self.notes())
        self.show_notice()
        self.show_keys()
        training = "training on" if self.match.training else "training off"
        objective = f", {self.match.coaching.objective.value}" if self.match.game.facts.has_margin else ""
        left: list[Run] = [(self.match.game.title, Tone.TITLE), (f"  {self.match.game.solved}", Tone.DIM)]
        rule = self.match.session.house_rule
        house_rule = "" if rule is None else f"{rule.title.lower()}  "
        self.query_one(TitleBar).show(left, [(f"{house_rule}{training}{objective}", Tone.DIM)])

    def shown_node(self) -> AnyNode:
        """The game's node, or an earlier one that is looked at."""
        return self.viewed or self.match.node

    @property
    def is_live(self) -> bool:
        """Whether the board shows the position that is played from, ready to be played on."""
        return self.viewed is None and self.why is None and not self.frames

    def marks(self) -> Marks:
        """Cursor, choices and whatever was asked to be shown."""
        held = self.match.tutor.held
        if not self.is_live or self.match.session.is_over:
            return Marks(last=self.last_targets())
        if held is not None:
            # Not where its pieces would end up: the board still shows the position before it.
            threat = self.match.game.notation.paths(self.match.node.position, held.move)[0]
            hint = self.hint.targets if self.hint is not None else ()
            return Marks(chosen=tuple(t for t in self.entry.prefix if t not in threat), threat=threat, hint=hint)
        seat, values = self.match.seat, self.match.values()
        labels = {}
        if self.values_shown and values is not None and seat is not None:
            labels = telling.value_labels(values, self.entry, seat)
        return Marks(
            cursor=self.cursor if seat is not None and not self.is_steered else None,
            chosen=self.entry.prefix,
            legal=self.entry.next_targets(),
            last=self.last_targets() if not self.entry.prefix else (),
            hint=self.hint.targets if self.hint is not None else (),
            values=labels,
        )

    @property
    def is_steered(self) -> bool:
        """Whether the arrows choose at once, so that there is nothing to move a cursor over."""
        return any(arrow in self.match.game.direct_keys for arrow in ARROWS.values())

    def notes(self) -> list[Row]:
        """What there is to read at the side: the reason, the summary, the hint, the matrix."""
        if self.why is not None:
            return self.show_why()
        if self.match.session.is_over:
            return telling.summary(self.match, self.shown_path())
        rows: list[Row] = []
        if self.hint is not None:
            rows.append([(f"Hint {self.hint.stage} of {LAST_STAGE}", Tone.HINT)])
            numbered = self.hint.stage == LAST_STAGE and len(self.hint.lines) > 1
            for number, line in enumerate(self.hint.lines or ("Look at what is marked.",), 1):
                prefix = f"{number} " if numbered and number < 10 else ""
                rows += wrapped(prefix + line, 26)
        values = self.match.values()
        if isinstance(values, Mixed) and (self.values_shown or (self.hint and self.hint.stage == LAST_STAGE)):
            seat = self.match.seat if self.match.seat is not None else self.match.near_seat
            rows += telling.matrix_rows(values, seat)
            rows.append([("proven" if values.exact else f"estimate, depth {values.depth}", Tone.DIM)])
            rows.append([("die " + ", ".join(f"{m} {a}-{b}" for m, a, b in die_ranges(values, seat)), Tone.DIM)])
        return rows[:12]

    def show_notice(self) -> None:
        """The two docked lines."""
        held = self.match.tutor.held
        notice = self.query_one(Notice)
        if held is not None and self.why is None:
            glyph = f"{held.judgement.glyph}  "
            first: Row = [(glyph, Tone.LOSS), (held.judgement.lost(), Tone.STRONG)]
            notice.show([first, HELD_KEYS], is_banner=True)
        elif self.why is not None:
            notice.show([self.why_line(), WHY_KEYS], is_banner=True)
        elif self.viewed is not None:
            ply = self.viewed.ply
            notice.show([[(f"After move {ply} of {self.match.node.ply}", Tone.STRONG)], PAST_KEYS])
        elif (result := self.match.session.result) is not None:
            drills = f"  {self.new_drills} new drill{'s' if self.new_drills > 1 else ''}" if self.new_drills else ""
            ending: Row = [(telling.ending(self.match, result), Tone.STRONG), (drills, Tone.HINT)]
            notice.show([ending, OVER_KEYS], is_banner=True)
        else:
            notice.show([self.status(), self.message])

    def why_line(self) -> Row:
        """What the shown step of the reason is."""
        assert self.why is not None
        step, count = self.why.step, len(self.why.moves)
        text = self.why.texts[step - 1] if step else "before the move"
        end = ""
        if step == count and (result := self.match.game.rules.result(self.why.positions[-1])) is not None:
            end = f": {telling.ending(self.match, result)}"
        return [("Why  ", Tone.STRONG), (f"{step} of {count}  {text}{end}", Tone.TEXT)]

    def status(self) -> Row:
        """Whose turn it is, and what has been entered so far."""
        seat, session = self.match.seat, self.match.session
        if self.match.waiting is not None:
            return [
                ("One moment: finding out what that is worth. ", Tone.DIM),
                ("Backspace", Tone.KEY),
                (" takes it back", Tone.DIM),
            ]
        if seat is None:
            if not session.human_seats() and self.paused:
                return [("Paused: ", Tone.STRONG), ("p", Tone.KEY), (" goes on", Tone.DIM)]
            mover = session.to_move
            who = "The engines" if mover is None else telling.seat_name(self.match, mover)
            return [(f"{who} {'are' if mover is None else 'is'} thinking", Tone.DIM)]
        name = telling.seat_name(self.match, seat)
        row: list[Run] = [(name, telling.SEAT_TONES[seat]), (" to move", Tone.TEXT)]
        if self.entry.prefix:
            row.append((f"   {' - '.join(self.entry.prefix)} - ?", Tone.CURSOR))
        if self.die:
            row.append((f"   {self.die}", Tone.STRONG))
        return row

    def say(self, text: str, tone: Tone = Tone.TEXT) -> None:
        """One line under the status."""
        self.message = [(text, tone)]
        if self.is_mounted:
            self.show_notice()

    # Entering a move.

    def action_cursor(self, dx: int, dy: int) -> None:
        """Move the cursor among the targets; in games steered by arrows, steer."""
        if not self.is_live or self.match.tutor.held is not None or self.match.waiting is not None:
            return
        direct = self.match.game.direct_keys.get(ARROWS[dx, dy])
        if direct is not None:
            self.pick(direct)
            return
        scene = self.match.game.painter.scene(self.view())
        self.cursor = neighbour(scene, self.cursor, self.entry.next_targets(), dx, dy)
        self.show_board()

    def action_choose(self) -> None:
        """Pick the target under the cursor, keep a held move, or go back to the game."""
        if self.why is not None:
            self.step_why(1)
        elif self.viewed is not None:
            self.action_walk_to(1)
        elif self.match.tutor.held is not None:
            self.answer(self.match.keep())
            self.refresh_all()
        elif self.cursor is not None:
            self.pick(self.cursor)

    def pick(self, target: str) -> None:
        """One more target of the move; the last one plays it."""
        seat = self.match.seat
        if seat is None or not self.is_live or self.match.tutor.held is not None or self.match.waiting is not None:
            return
        entry = self.entry.pick(target)
        if entry is None:
            self.say(f"{target} cannot be chosen now.", Tone.ERROR)
            return
        self.entry = entry
        if entry.move is not None:
            self.offer(seat, entry.move)
            return
        self.message = ()
        self.place_cursor()
        self.refresh_all()

    def on_pointed(self, message: Pointed) -> None:
        """A click chooses, as Enter does."""
        if self.frames:
            self.stand_still()
            return
        self.cursor = message.target
        self.pick(message.target)

    def on_key(self, event: Any) -> None:
        """Digits and the game's own keys pick what they name."""
        if self.is_gated or not self.is_live:
            return
        target = self.match.game.direct_keys.get(event.key)
        if target is not None and target in self.entry.next_targets():
            event.stop()
            self.pick(target)
        elif event.key.isdigit() and self.hint is not None and 0 < int(event.key) <= len(self.hint.moves):
            event.stop()
            seat = self.match.seat
            if seat is not None and self.match.tutor.held is None:
                self.offer(seat, self.hint.moves[int(event.key) - 1])

    def action_back(self) -> None:
        """One step back: out of the reason, out of the past, out of a held move, or one target less."""
        if self.why is not None or self.viewed is not None:
            self.why = self.viewed = None
        elif self.match.tutor.held is not None:
            self.rethink()
            return
        elif self.match.waiting is not None:
            self.match.waiting = None
            self.take_entry()
        else:
            self.entry = self.entry.back()
            self.place_cursor()
        self.refresh_all()

    def rethink(self) -> None:
        """Forget the held move; the position is as it was before."""
        self.match.tutor.rethink()
        self.hint = None
        self.begin()

    def action_type_move(self) -> None:
        """Open the line for a typed move."""
        typed = self.query_one(MoveInput)
        typed.value = ""
        typed.placeholder = "a move in the game's notation, Enter plays it"
        self.set_class(True, "-typing")
        typed.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Play what was typed, or say why not; nothing changes then."""
        self.query_one(MoveInput).key_escape()
        seat = self.match.seat
        if seat is None or self.match.tutor.held is not None:
            self.say("It is not your turn.", Tone.ERROR)
            return
        try:
            move = self.match.parse_choice(seat, message.value.strip())
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)
            return
        self.offer(seat, move)

    # Asking.

    def action_hint(self) -> None:
        """The next rung of the hint ladder."""
        found = self.match.next_hint() if self.is_live else None
        if found is None:
            self.say("No hint: nothing is known yet." if self.match.seat is not None else "No hint now.", Tone.DIM)
            return
        self.hint, self.message = found, ()
        if self.has_class("-narrow") and found.lines:
            self.message = [(found.lines[0], Tone.HINT)]
        self.save()
        self.refresh_all()

    def action_why(self) -> None:
        """Play through best play after the held move or the last own one; again: the next step."""
        if self.why is not None:
            self.step_why(1)
            return
        if self.match.is_simultaneous:
            self.values_shown = True
            self.say("Both move at once: the payoffs say what each move risks.", Tone.DIM)
            self.refresh_all()
            return
        self.why = self.match.why(Budget.seconds(WHY_SECONDS, monotonic))
        if self.why is None:
            self.say("There is no move of yours to explain yet.", Tone.DIM)
        self.refresh_all()

    def action_undo(self) -> None:
        """Back to the last own decision."""
        if self.why is not None or self.viewed is not None:
            self.action_back()
        elif self.match.tutor.held is not None:
            self.rethink()
        elif self.match.undo():
            self.message = ()
            self.paused = not self.match.session.human_seats()
            self.begin()

    def action_redo(self) -> None:
        """Undo the last undo."""
        if self.match.redo():
            self.message = ()
            self.begin()

    def action_training(self) -> None:
        """Training on or off; a held move is let go."""
        self.match.training = not self.match.training
        if self.match.tutor.held is not None:
            self.match.tutor.rethink()
            self.take_entry()
        self.say("Training on: bad moves are held." if self.match.training else "Training off.", Tone.DIM)
        self.keep_setup()
        self.release_waiting()
        self.refresh_all()

    def keep_setup(self) -> None:
        """Training and objective belong to the saved game."""
        if self.autosave is not None:
            coaching = self.match.coaching
            setup = replace(self.autosave.setup, training=self.match.training, objective=coaching.objective)
            self.autosave.setup = setup
            self.save()

    def action_objective(self) -> None:
        """Result or margin, in games that count points."""
        self.match.toggle_objective()
        self.say(f"Playing for the {self.match.coaching.objective.value}.", Tone.DIM)
        self.keep_setup()
        self.refresh_all()

    def action_swap(self) -> None:
        """The other side, from here."""
        self.match.swap_sides()
        self.flipped = self.match.is_turned
        self.message = ()
        self.begin()

    def action_die(self) -> None:
        """A throw of 1 to 100 and the move that the mix has there."""
        values, seat = self.match.values(), self.match.seat
        if isinstance(values, Mixed) and seat is not None:
            throw = self.match.random.randint(1, 100)
            move = next((m for m, low, high in die_ranges(values, seat) if low <= throw <= high), None)
            self.match.node.hinted.add(seat)
            self.die = f"die {throw}: {move}"
            self.refresh_all()

    def confirm(self, key: str, question: str) -> bool:
        """Whether the same key has been pressed twice; the first time the question is put."""
        if self.asked == key:
            self.asked = ""
            return True
        self.asked = key
        self.say(question, Tone.STRONG)
        return False

    def action_resign(self) -> None:
        """Give up, after asking once."""
        people = self.match.session.human_seats()
        if not people or self.match.session.is_over:
            return
        if self.confirm("R", "Resign? R again gives the game up, any other key goes on."):
            seat = self.match.seat if self.match.seat is not None else people[0]
            self.match.tutor.rethink()
            self.match.session.resign(seat)
            self.begin()

    def action_draw(self) -> None:
        """A draw by agreement, after asking once."""
        session = self.match.session
        if session.is_over or not session.human_seats():
            return
        if not self.confirm("D", "A draw? D again offers it, any other key goes on."):
            return
        if len(session.human_seats()) == 2 or self.match.engine_accepts_draw():
            self.match.tutor.rethink()
            session.agree_draw()
            self.begin()
        else:
            self.say("The engine plays on.", Tone.DIM)

    def action_pause(self) -> None:
        """Hold two engines, or let them go on."""
        if not self.match.session.human_seats():
            self.paused = not self.paused
            self.match.void_thoughts()
            self.thinking.clear()
            self.engines()
            self.refresh_all()

    # Looking back.

    def action_walk(self, by: int) -> None:
        """Along the moves so far, without changing the game; along the reason while one is shown."""
        if self.why is not None:
            self.step_why(by)
            return
        path = self.match.node.path()
        at = path.index(self.shown_node()) + by
        self.look_at(at)

    def action_walk_to(self, end: int) -> None:
        """To the start or back to the game."""
        self.look_at(0 if end < 0 else self.match.node.ply)

    def on_jumped(self, message: Jumped) -> None:
        """A ply was clicked."""
        self.look_at(message.ply)

    def look_at(self, ply: int) -> None:
        """Show the position after so many moves."""
        path: list[Node[Any, Any]] = self.match.node.path()
        ply = max(0, min(len(path) - 1, ply))
        self.why = None
        self.viewed = None if ply == len(path) - 1 else path[ply]
        self.refresh_all()

    def shown_path(self) -> list[AnyNode]:
        """The moves of the game so far."""
        return self.match.node.path()

    def action_mistake(self, by: int) -> None:
        """To the next or previous move that was flagged and may be seen."""
        path = self.match.node.path()
        at = path.index(self.shown_node())
        plies = [
            ply
            for ply, node in enumerate(path)
            if (worst := node.worst_judgement()) is not None
            and worst.flagged
            and telling.is_revealed(self.match)
            and self.match.is_disclosed(node)
            and (ply - at) * by > 0
        ]
        if plies:
            self.look_at(plies[0] if by > 0 else plies[-1])
        else:
            self.say("No mistake that way.", Tone.DIM)

    def action_review(self) -> None:
        """The game so far with all its judgements."""
        self.house.review(self.match, self.autosave)

    def action_settings(self) -> None:
        """Change how the app behaves."""
        self.house.show_settings()

    def is_possible(self, action: str) -> bool:
        """What does not apply to this game is not offered."""
        game = self.match.game
        engines_only = not self.match.session.human_seats()
        return {
            "overlay": bool(game.overlay_title),
            "objective": game.facts.has_margin,
            "die": game.facts.simultaneous,
            "pause": engines_only,
            "resign": not engines_only,
            "draw": not engines_only,
            "swap": len(self.match.session.human_seats()) == 1,
            "panel": self.has_class("-narrow"),
        }.get(action, True)


def wrapped(text: str, width: int) -> list[Row]:
    """Text cut at blanks into lines of so many columns."""
    return [[(line, Tone.TEXT)] for line in textwrap.wrap(text, width, subsequent_indent="  ")]
