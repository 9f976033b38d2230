"""Games, reviews, drills and lessons line by line, for screen readers, scripts and simple terminals.

It shows the position, reads a move and gives the verdict. It drives a live game, which knows all the rules. It uses no
files, terminal or clock of its own. Lines come from an iterator and go to a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from onlymove_engines.coach.figures import SeatMove, find_flagged_choices, is_bad, list_choices_at
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.lessons import Task
from onlymove_engines.coach.reasons import Explanation
from onlymove_engines.coach.values import Known
from onlymove_engines.coach.words import SHARE_OF_POINTS, SHARE_OF_TIME, format_move_value, format_share
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import MoveEntry
from onlymove_engines.core.value import Mixed, Move, Seat, other
from onlymove_engines.core.words import format_count, mentions_distance
from onlymove_engines.live.live_game import LiveGame, Verdict, allows_help, is_revealed
from onlymove_engines.play.players import BadPlayer, Player, PlayerKind, Players, read_players
from onlymove_engines.play.session import list_own_judgements
from onlymove_engines.play.tree import AnyNode
from onlymove_engines.play.typed import read_typed, simplify

from onlymove_tui.play.keys import Key, Phrase, choose_line_text, phrase
from onlymove_tui.play.learning_path import list_parts, map_lines
from onlymove_tui.play.line_commands import QUIT, LineCommand, LineCommands, list_words, spell
from onlymove_tui.play.phrases import (
    NO_HINT,
    NO_MOVE_MATTERS,
    NO_REFUTATION,
    NO_VALUES,
    NOT_YET,
    NOTHING_TO_REDO,
    NOTHING_TO_UNDO,
    PLAYS_ON,
    describe_beginning,
    describe_counting,
    describe_judgement,
    describe_lost,
    describe_mistake,
    describe_players,
    describe_refutation,
    ending_text,
    explain_choices,
    figure_lines,
    find_doubtful_choice,
    format_lead,
    goal_text,
    group_by_value,
    hidden_choice_text,
    measure_text,
    move_label,
    mover_name,
    name_move,
    origin_text,
    praise,
    read_rules,
    streak_text,
    summary_lines,
)
from onlymove_tui.play.reasons import select_reasons
from onlymove_tui.play.situations import (
    CONTINUE,
    HOW_TO_ANSWER,
    Answered,
    Effect,
    RoundOver,
    Situation,
    Stepping,
    find_in_drill,
    find_in_lesson,
    find_present,
)
from onlymove_tui.play.training import (
    ASK_REMOVE,
    NOT_STORED,
    NOTHING_TO_TAKE_BACK,
    PUT_ASIDE,
    REMOVED,
    TAKEN_BACK,
    Course,
    Practice,
    return_text,
    round_summary,
)

NO_LINE = "Both sides move at once, so there is no single best reply."
"""The answer to "why" when both sides move at once."""
SEE_RISK = phrase(f"{NO_LINE} Type {{values}} to see what the move risks.")
"""The same while the position is shown in which the move was made."""
WHERE_RULES = phrase("; type {rules} to read the rules.")
"""The end of the sentence about a newcomer's stopped move."""
NOTHING_STOPPED = "There is no move for you to keep or take back."
AFTER = phrase("Type {undo} to go back, or {quit} to leave.")
HELP = phrase("Type {help} for a list of commands.")
FindAnalyst: TypeAlias = Callable[[AnyGame], tuple[AnyAnalyst | None, str]]
"""A function that returns a game's analyst, and what is wrong with its table (empty if nothing is)."""
AFTER_LESSONS = "Next, play a first game (onlymove play), and then harder and harder drills (onlymove drill --fresh)."
SEE_MAP = phrase("Type {learn} to see all parts.")


class Refused(OnlymoveError):
    """Raised when no move can be entered now. The message says why."""


def hint_lines(game: AnyGame, position: AnyPosition, known: Known | None, found: Hint) -> list[str]:
    """Return the lines of one stage of the hint. They name the targets that a board would mark, unless these are all
    the targets there are. Moves with the same description share a line."""
    where = []
    proven = None if known is None or isinstance(known, Mixed) else known.moves
    if found.targets and not found.moves and proven is not None:
        places = MoveEntry(game.paths(position, tuple(proven))).next_targets()
        where = [describe_beginning(game, found.targets)] if len(found.targets) < len(places) else []
    alike: dict[str, list[str]] = {}
    for move, choice in zip(found.moves, found.shown, strict=True):
        value = None if proven is None else proven.get(move)
        worth = choice.value if value is None else format_move_value(game, position, move, value)
        words = choice.shorten_words(0)
        joint = " " if words.startswith(SHARE_OF_TIME) else ", "
        alike.setdefault(f"{worth}{joint}{words}" if words else worth, []).append(choice.move)
    return [*found.lines, *(f"{', '.join(moves)}: {text}." for text, moves in alike.items()), *where]


def value_lines(game: AnyGame, position: AnyPosition, known: Known, seat: Seat) -> list[str]:
    """Return a line for each value with its moves, the best first, or for each simultaneous move of `seat`."""
    if isinstance(known, Mixed):
        theirs = known.strategies[other(seat)]
        lines = [f"{game.seats[seat]}'s {SHARE_OF_POINTS}:"]
        for own in known.strategies[seat]:
            shares = (f"{format_share(known.payoff(seat, own, move))} against {move}" for move in theirs)
            lines.append(f"{own}: {', '.join(shares)}")
        return lines
    groups = group_by_value(
        game, position, known, lambda move, value: format_move_value(game, position, move, value).capitalize()
    )
    return [f"{words}: {', '.join(moves)}" for words, moves in groups.items()]


@dataclass(frozen=True, slots=True)
class Voice:
    """How lines are written. `write` takes a line and `clock` gives seconds. With `draws`, positions are drawn as
    pictures instead of described in words. `lay_out` breaks a page of Markdown into lines."""

    write: Callable[[str], None]
    clock: Callable[[], float]
    draws: bool = False
    ascii_only: bool = False
    lay_out: Callable[[str], Iterable[str]] = str.splitlines


class LineBoard:
    """Shows the position at `node` in lines, and has the commands that games, drills, lessons and reviews share."""

    how_to_enter = phrase("Type a move, or one of")
    """How the help begins, before the words."""

    def __init__(self, live: LiveGame, voice: Voice) -> None:
        self.voice = voice
        self.use_live_game(live)
        self.effects: dict[Effect, Callable[[], None]] = {}
        """What Enter does, by its meaning in the player's situation. An effect that is not here does nothing."""
        self.commands: LineCommands = {
            "": LineCommand("choose", self.press_enter),
            "board": LineCommand("board", self.draw_board),
            "words": LineCommand("words", self.describe_position),
            "moves": LineCommand("moves", self.list_moves),
            "rules": LineCommand("rules", self.show_rules),
            "hint": LineCommand("hint", self.hint),
            "values": LineCommand("values", self.show_values),
            "position": LineCommand("position", self.write_position),
            "help": LineCommand("help", self.write_help),
            QUIT: LineCommand("quit", lambda: None),
        }
        """All that the player can type besides moves, and what sentences and the help take their words from.
        `answer_all` ends at the command `quit`."""

    def select(self, *words: str) -> LineCommands:
        """Return these commands, in this order."""
        return {word: self.commands[word] for word in words}

    def spell(self, words: Phrase) -> str:
        """Return a sentence with the words of the commands that it names."""
        return spell(words, self.commands)

    def use_live_game(self, live: LiveGame) -> None:
        self.live = live
        self.session = live.session
        self.game = live.game
        self.reasons_written: set[tuple[SeatMove, str]] = set()
        self.refuted: SeatMove | None = None
        """The move that was explained last. If it is explained again, all of best play is written."""
        self.has_met_distance = False

    def write(self, words: Phrase) -> None:
        """Write a line. After the first one that says how far away something is, also write how moves are counted."""
        text = self.spell(words)
        self.voice.write(text.replace("→", "->") if self.voice.ascii_only else text)
        if not self.has_met_distance and mentions_distance(text):
            self.has_met_distance = True
            self.voice.write(describe_counting(self.game))

    @property
    def node(self) -> AnyNode:
        return self.live.node

    def answer_all(self, lines: Iterable[str | None], goes_on: Callable[[], bool]) -> None:
        """Answer lines until the player quits, the lines end or `goes_on` returns `False`."""
        reader, leave = iter(lines), self.spell((Key("quit"),))
        while goes_on() and ((line := next(reader, leave)) is None or simplify(line).lower() != leave):
            self.answer(line)

    def answer(self, line: str | None) -> None:
        """Run the command in a line, or handle a line that is not a command. `None` means that no line has come yet."""
        if line is None:
            return
        command = self.commands.get(simplify(line).lower())
        word, _, rest = line.partition(" ")
        reader = self.commands.get(word.lower()) if command is None else None
        try:
            if command is not None:
                self.run_command(command, command.run)
            elif reader is not None and reader.read is not None:
                self.run_command(reader, partial(reader.read, rest))
            else:
                self.take(line)
        except OnlymoveError as refusal:
            is_command = command is not None or reader is not None
            self.write(as_sentence(str(refusal) if is_command else f"Not played: {refusal}"))

    def run_command(self, command: LineCommand, run: Callable[[], None]) -> None:
        """Run a command, or say why it does nothing here."""
        if refusal := self.situation.refuse(command.id):
            self.write(refusal)
        else:
            run()

    def take(self, text: str) -> None:
        """Handle a line that is not a command."""
        raise NotImplementedError

    @property
    def situation(self) -> Situation:
        """What the player is doing."""
        raise NotImplementedError

    def press_enter(self) -> None:
        if (do := self.effects.get(self.situation.enter)) is not None:
            do()

    def show(self) -> None:
        (self.draw_board if self.voice.draws else self.describe_position)()

    def draw_board(self) -> None:
        view = self.session.tree.view(self.node, ascii_only=self.voice.ascii_only)
        self.write(self.game.painter.scene(view).text())
        self.write_mover()

    def describe_position(self) -> None:
        self.write_all(self.game.describe_position(self.node.position))
        self.write_mover()

    def write_mover(self) -> None:
        is_over = self.session.is_over if self.node is self.live.node else self.node.result is not None
        if not is_over:
            seat = self.node.to_move
            self.write("Both sides are to move." if seat is None else f"{self.game.seats[seat]} to move.")

    def chooser(self) -> Seat:
        """Return the seat whose move is read. Raises Refused."""
        seat = self.live.session.choosing_seat
        if seat is None:
            why = self.spell(self.situation.refusal)
            raise Refused(why[:1].lower() + why[1:].removesuffix("."))
        return seat

    def list_moves(self) -> None:
        allowed = self.session.moves_of(self.chooser())
        self.write(" ".join(self.game.describe_move(self.node.position, move) for move in allowed))

    def show_rules(self) -> None:
        self.write_all(self.voice.lay_out(choose_line_text(read_rules(self.game))))

    def hint(self) -> None:
        self.chooser()
        self.find_out()
        if (climb := self.live.prepare_hint()) is None:
            self.write(NO_HINT)
        else:
            self.write_all(hint_lines(self.game, self.node.position, self.node.values, climb()))

    def show_values(self) -> None:
        """Write the value of every move, with its lead if the game measures one: `Heat says who has more ways to win
        (+ for Top, - for Bottom): b3 +1.2, c4 -0.3.` Before a drill is solved, write why not."""
        if refusal := self.situation.no_values:
            self.write(refusal)
            return
        self.find_out()
        game, position, known = self.game, self.node.position, self.node.values
        if known is None:
            self.write(NO_VALUES)
            return
        self.live.mark_values_shown()
        self.write_all(value_lines(game, position, known, self.live.session.speaking_seat))
        find = self.live.prepare_hardest() if self.node is self.live.node else None
        leads = self.live.find_leads(self.node)
        if texts := [f"{game.describe_move(position, move)} {format_lead(lead)}" for move, lead in leads.items()]:
            self.write(f"{measure_text(game, self.node.to_move or 0)}: {', '.join(texts)}.")
        if find is not None and (hardest := find(self.budget())):
            self.write(hardest)

    def explain(self, node: AnyNode, move: Move) -> None:
        search, seat = self.live.prepare_refutation(node, move), node.to_move
        if search is None or seat is None:
            self.write(SEE_RISK if node is self.node and self.live.session.result is None else NO_LINE)
        else:
            choice = (node, seat, move)
            self.write(describe_refutation(self.game, search(self.budget()), is_whole=choice == self.refuted))
            self.refuted = choice
            self.write_reasons(choice, self.allowed_reasons(self.explanation(choice)))

    def write_reasons(self, choice: SeatMove, reasons: Iterable[str]) -> None:
        """Write why a move is bad. No reason is repeated until the next move is made or shown."""
        fresh = [reason for reason in reasons if (choice, reason) not in self.reasons_written]
        self.reasons_written |= {(choice, reason) for reason in fresh}
        self.write_all(fresh)

    def explanation(self, choice: SeatMove) -> Explanation:
        return self.live.explain(choice, self.budget())

    def allowed_reasons(self, found: Explanation) -> Sequence[str]:
        """Return the reasons that do not give away the answer while a move can be taken back."""
        return found.discreet

    def write_position(self) -> None:
        self.write(self.game.notation.format_position(self.node.position))

    @property
    def help_line(self) -> tuple[str | Key, ...]:
        return (*self.how_to_enter, f": {list_words(self.commands)}.")

    def write_help(self) -> None:
        self.write(self.help_line)
        self.write(describe_counting(self.game))

    def write_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def budget(self) -> Budget:
        return Budget.seconds(self.live.question_seconds, self.voice.clock)

    def find_out(self, node: AnyNode | None = None) -> None:
        """Find out the values of the moves at a node, unless they are known. If that is impossible, write why."""
        node = node or self.node
        if (question := self.live.prepare_question(node)) is None:
            return
        try:
            self.live.store_values(node, question(self.budget()))
        except OnlymoveError as refusal:
            self.live.store_values(node, None)
            self.write(as_sentence(str(refusal)))


class LineMode(LineBoard):
    def __init__(
        self,
        live: LiveGame,
        voice: Voice,
        trouble: str = "",
        is_task: bool = False,
    ) -> None:
        """`trouble` is what the player has been told about saving. With `is_task`, the game is a task of a lesson,
        which goes on after the end of the game."""
        super().__init__(live, voice)
        self.trouble = trouble
        self.is_task = is_task
        self.commands = {
            **self.select("", "board", "words", "moves", "rules", "hint", "values"),
            "why": LineCommand("why", self.why),
            "undo": LineCommand("undo", self.undo),
            "redo": LineCommand("redo", self.redo),
            "keep": LineCommand("keep", self.play_stopped_move),
            "rethink": LineCommand("back", self.rethink),
            **self.select("position"),
            "rest": LineCommand("play_out", self.play_rest),
            "resign": LineCommand("resign", self.resign),
            "draw": LineCommand("draw", self.draw),
            "players": LineCommand("players", self.write_players, "A,B", self.read_players),
            "swap": LineCommand("swap", self.swap),
            **self.select("help", QUIT),
        }
        self.effects[Effect.SAY_HOW_TO_ANSWER] = lambda: self.write(HOW_TO_ANSWER)
        self.effects[Effect.REVIEW] = lambda: self.write(AFTER)

    @property
    def situation(self) -> Situation:
        return find_present(self.live, is_task=self.is_task)

    def run(self, lines: Iterable[str | None]) -> None:
        """Play until the player quits or the lines end. Even a finished game can be taken back."""
        self.introduce()
        analyst = self.live.analyst
        if analyst is not None and not analyst.is_reachable(self.session.position):
            self.write("No game can reach this position, but you can play it anyway.")
        self.go_on()
        self.answer_all(lines, lambda: bool(self.session.human_seats))

    def introduce(self) -> None:
        title, goal = f"{self.game.facts.title}.", self.game.facts.goal
        rated = "Rated: there is no help before the end." if self.live.is_rated else ""
        sentences = (title, goal, rated, describe_players(self.game, self.session.players), self.spell(HELP))
        self.write(" ".join(filter(None, sentences)))

    def answer(self, line: str | None) -> None:
        super().answer(line)
        self.write_trouble()

    def write_trouble(self) -> None:
        if self.live.trouble and self.live.trouble != self.trouble:
            self.write(as_sentence(self.live.trouble))
        self.trouble = self.live.trouble

    def take(self, text: str) -> None:
        seat = self.chooser()
        move = read_typed(self.session, seat, text, names_near=not (self.is_task or self.live.is_rated))
        spelled = self.game.describe_move(self.session.position, move)
        self.find_out()
        verdict = self.live.offer(seat, move)
        if verdict is None:
            # The player has thought again about a choice that was stopped. The engine then chooses again too, before
            # the new choice counts.
            self.move_engines()
            verdict = self.live.retry_waiting_move()
        assert verdict is not None, "nothing else is waited for"
        self.report(spelled, seat, verdict)

    def report(self, text: str, seat: Seat, verdict: Verdict) -> None:
        """Write the verdict on a move. If the move was played, the engines then reply."""
        judgement = verdict.judgement
        if verdict.stopped_move is not None or verdict.is_taken_back:
            is_stopped = verdict.stopped_move is not None
            not_played = f"Your move is not played yet. {self.spell(HOW_TO_ANSWER)}"
            what_now = not_played if is_stopped else "Taken back. Try again."
            rules = self.spell(WHERE_RULES) if self.live.coaching.for_newcomer else "."
            warning = f"{judgement.warning().removesuffix('.')}{rules}"
            self.write(f"{text} {judgement.glyph} {warning} {describe_lost(judgement)}. {what_now}")
            self.write_reasons_of_offer()
            return
        if self.live.session.is_blind:
            self.write(hidden_choice_text(self.session, seat))
        elif is_revealed(self.live) and self.live.coaching.tells(judgement):
            self.write(f"{text} {describe_judgement(judgement, line=self.game.voice.reasons.line)}")
            self.write_reasons_of_offer()
        else:
            self.write(text)
        self.write_trouble()
        if verdict.node is not None:
            self.reveal(verdict.node)
            self.go_on()

    def write_reasons_of_offer(self) -> None:
        """Write why the last move that the player tried is bad, without its replies once it was played."""
        choice = self.live.offered
        self.reasons_written.clear()
        if choice is not None and allows_help(self.live):
            self.write_reasons(choice, select_reasons(self.live, choice, self.explanation(choice)))

    def allowed_reasons(self, found: Explanation) -> Sequence[str]:
        return found.discreet if allows_help(self.live) else ()

    def reveal(self, node: AnyNode) -> None:
        """Write what both sides chose in a simultaneous round, with judgements if two people play."""
        if not self.live.is_simultaneous or node.parent is None:
            return
        assert isinstance(node.move, tuple), "a round is a pair of moves"
        steps = (f"{name} {move}" for name, move in zip(self.game.seats, node.move, strict=True))
        self.write(f"Round {node.ply}: {', '.join(steps)}.")
        if self.live.session.is_blind and is_revealed(self.live):
            for seat, judgement in sorted(node.judgements.items()):
                self.write(f"{self.game.seats[seat]}: {describe_judgement(judgement)}")

    def go_on(self) -> None:
        """Let engines move until a person has to move or the game is over. Then show the position."""
        self.move_engines()
        self.show()
        if self.session.is_over:
            self.finish()
        elif self.find_rest():
            self.write((NO_MOVE_MATTERS, *phrase("type {play_out} to play the rest out.")))

    def find_rest(self) -> bool:
        """Find out whether the game can be played out. Return whether it can."""
        if self.live.is_simultaneous or self.session.choosing_seat is None:
            return False
        self.find_out()
        if (search := self.live.prepare_rest()) is not None:
            self.live.store_rest(self.node, search(self.budget()))
        return bool(self.live.rest)

    def play_rest(self) -> None:
        """Play the game out, if no move makes a difference any more."""
        if not self.find_rest():
            self.write("This game cannot be played out here.")
            return
        self.live.play_rest()
        for node in self.node.path():
            self.find_out(node)
        self.go_on()

    def finish(self) -> None:
        self.write_all(summary_lines(self.session))
        if self.session.human_seats and not self.is_task:
            self.write(AFTER)

    def move_engines(self) -> None:
        while owing := self.live.list_choosing_engines():
            self.find_out()
            seat, position = owing[0], self.session.position
            move = self.live.prepare_thought(seat)(self.budget())
            node = self.live.play_reply(seat, move)
            self.write_trouble()
            if self.live.is_simultaneous and node is not None:
                self.reveal(node)
            elif node is not None:
                self.write(f"{self.game.seats[seat]} plays {self.game.describe_move(position, move)}")

    def why(self) -> None:
        """Show best play after the stopped move, or after the last move if it was bad."""
        refuted = self.live.find_refuted()
        if self.live.is_simultaneous and not self.session.is_over:
            self.explain_choices()
        elif refuted is None:
            self.write(NO_REFUTATION)
        else:
            self.explain(*refuted)

    def explain_choices(self) -> None:
        """Say which moves are good where both sides move at once, and why another one is worse."""
        self.find_out()
        values = self.live.node.values
        if not isinstance(values, Mixed):
            self.write(NO_VALUES)
            return
        self.live.mark_values_shown()
        if (choice := find_doubtful_choice(self.live, values)) is not None:
            self.explanation(choice)
        self.write_all(explain_choices(self.live, values))

    def write_players(self) -> None:
        self.write(describe_players(self.game, self.session.players))

    def read_players(self, text: str) -> None:
        """Change who plays from here on, as on the command line. A plain `engine` is the engine that plays now."""
        engines = [player for player in self.session.players if not player.is_human]
        try:
            self.set_players(read_players(self.game, text, engines[0] if engines else Player(PlayerKind.ENGINE)))
        except BadPlayer as refusal:
            self.write(as_sentence(str(refusal)))

    def set_players(self, players: Players) -> None:
        self.live.set_players(players)
        self.write_players()
        self.go_on()

    def swap(self) -> None:
        self.set_players(self.session.players[::-1])

    def undo(self) -> None:
        self.report_step(self.live.undo(), NOTHING_TO_UNDO)

    def redo(self) -> None:
        self.report_step(self.live.redo(), NOTHING_TO_REDO)

    def report_step(self, is_done: bool, otherwise: str) -> None:
        if is_done:
            self.go_on()
        else:
            self.write(otherwise)

    def play_stopped_move(self) -> None:
        stopped_move = self.live.stopped_move
        if stopped_move is None:
            self.write(NOTHING_STOPPED)
            return
        text = self.game.describe_move(self.session.position, stopped_move.move)
        self.report(text, stopped_move.seat, self.live.play_stopped_move())

    def rethink(self) -> None:
        if self.situation.back is not Effect.RETHINK:
            self.write(NOTHING_STOPPED)
            return
        self.live.rethink()
        self.go_on()

    def resign(self) -> None:
        self.live.resign(self.live.session.speaking_seat)
        self.finish()

    def draw(self) -> None:
        self.find_out()
        if self.live.offer_draw(self.live.session.speaking_seat):
            self.finish()
        else:
            self.write(PLAYS_ON)


class ReviewLines(LineBoard):
    """The commands for going through a finished game."""

    how_to_enter = phrase("Press {choose} for the next move, or type one of")

    def __init__(self, live: LiveGame, voice: Voice) -> None:
        super().__init__(live, voice)
        self.path = live.node.path()
        self.at = 0
        self.commands = {
            **self.select(""),
            "next": LineCommand("next_move", self.step_on),
            "back": LineCommand("previous_move", lambda: self.go_to(self.at - 1)),
            "start": LineCommand("first", lambda: self.go_to(0)),
            "end": LineCommand("last", lambda: self.go_to(len(self.path) - 1)),
            "mistake": LineCommand("next_mistake", self.find_mistake),
            **self.select("board", "words", "rules", "values"),
            "why": LineCommand("why", self.why),
            **self.select("position", "help", QUIT),
        }
        self.effects[Effect.GO_ON] = self.step_on

    @property
    def situation(self) -> Situation:
        return Stepping(self.live, self.node, self.path[-1])

    @property
    def node(self) -> AnyNode:
        return self.path[self.at]

    def run(self, lines: Iterable[str]) -> None:
        moves = format_count(self.path[-1].ply, "move")
        self.write(f"{self.game.facts.title}, {moves}. {self.spell(HELP)}")
        if self.session.result is not None:
            self.write(ending_text(self.game, self.session.result))
            self.write_all(figure_lines(self.game, {seat: list_choices_at(self.path, seat) for seat in (0, 1)}))
        self.show()
        self.answer_all(lines, lambda: True)

    def take(self, text: str) -> None:
        self.write((f"Unknown command '{text}'. ", *self.help_line))

    def step_on(self) -> None:
        self.go_to(self.at + 1)

    def go_to(self, place: int) -> None:
        if not 0 <= place < len(self.path):
            self.write("This is the end of the game." if self.at else "This is the start of the game.")
            return
        self.at = place
        self.describe_move()
        self.show()

    def describe_move(self) -> None:
        if self.node.parent is None:
            return
        judgements = [
            (f"{self.game.seats[seat]}: " if len(self.node.judgements) > 1 else "")
            + describe_judgement(found, mover_name(self.session, self.node, seat), self.game.voice.reasons.line)
            for seat, found in sorted(self.node.judgements.items())
        ]
        self.write(" ".join([move_label(self.game, self.node), *judgements]))
        self.reasons_written.clear()
        for choice in find_flagged_choices(self.node):
            self.find_out(choice[0])
            self.reasons_written |= {(choice, reason) for reason in self.explanation(choice).full}
        self.write_all(self.live.list_reasons(self.node))

    def allowed_reasons(self, found: Explanation) -> Sequence[str]:
        return found.full

    def find_mistake(self) -> None:
        for place in range(self.at + 1, len(self.path)):
            if any(map(is_bad, list_own_judgements(self.session, self.path[place]))):
                self.go_to(place)
                return
        self.write("There are no more mistakes.")

    def why(self) -> None:
        if self.node.parent is None:
            self.write("There is no move to explain at the start.")
        else:
            self.explain(self.node.parent, self.node.move)


class TaskLines(LineBoard):
    """Shows one task after another. Enter continues after a task that is solved, and `next` after any task."""

    def __init__(self, tasks: Practice | Course, find_analyst: FindAnalyst, voice: Voice) -> None:
        super().__init__(tasks.live_game(), voice)
        self.tasks = tasks
        self.find_analyst = find_analyst
        self.effects[Effect.NEXT_TASK] = self.next

    def begin_task(self) -> None:
        self.use_live_game(self.tasks.live_game())
        self.live.set_analyst(*self.find_analyst(self.game))

    def take(self, text: str) -> None:
        if refusal := self.situation.refusal:
            self.write(refusal)
            return
        move = read_typed(self.session, self.chooser(), text)
        self.find_out()
        answer = self.check_answer(move)
        self.write("The value of this move is not known." if answer is None else answer)

    def check_answer(self, move: Move) -> str | None:
        """Return what to tell the player about this answer, or `None` while its value is not known."""
        raise NotImplementedError

    def next(self) -> None:
        raise NotImplementedError


class DrillLines(TaskLines):
    """A round of drills. Without `names_goal`, the player is not told what result to aim for."""

    def __init__(self, practice: Practice, find_analyst: FindAnalyst, voice: Voice, names_goal: bool = True) -> None:
        super().__init__(practice, find_analyst, voice)
        self.practice = practice
        self.names_goal = names_goal
        self.answered: Move | None = None
        self.asked_to_remove = False
        """Whether the last line asked to remove the drill, so that the same word confirms it."""
        self.commands = {
            **self.select("", "board", "words", "moves", "rules", "hint"),
            "solution": LineCommand("solution", self.show_solution),
            **self.select("values"),
            "why": LineCommand("why", self.why),
            "next": LineCommand("next_drill", self.next),
            "undo": LineCommand("unanswer", self.take_back),
            "aside": LineCommand("put_aside", self.put_aside),
            "remove": LineCommand("remove_drill", self.remove),
            **self.select("position", "help", QUIT),
        }
        self.effects[Effect.ROUND_AGAIN] = self.repeat

    def run(self, lines: Iterable[str]) -> None:
        """Ask the drills of the round. After a round that went badly, Enter asks the missed ones again."""
        self.ask()
        self.answer_all(lines, lambda: self.practice.drill is not None or self.may_repeat)
        if self.practice.drill is not None:
            self.write_all(round_summary(self.practice))

    def answer(self, line: str | None) -> None:
        command, situation = self.commands.get((line or "").lower()), self.situation
        if self.asked_to_remove and (command is None or command.id != "remove_drill"):
            self.asked_to_remove = False
        if line is not None and command is not None and command.id in situation.lacks and situation.refusal:
            self.write(situation.refusal)
        else:
            super().answer(line)

    @property
    def may_repeat(self) -> bool:
        return self.situation.enter is Effect.ROUND_AGAIN

    def repeat(self) -> None:
        self.tasks = self.practice = self.practice.repeat()
        self.go_on(self.practice.begin())

    def go_on(self, has_more: bool) -> None:
        """Ask the next drill, or end the round if there is none."""
        if has_more:
            self.ask()
            return
        if self.practice.trouble:
            self.write(self.practice.trouble)
        self.write_all(round_summary(self.practice))
        if self.may_repeat:
            self.write(phrase("Press {choose} to try the missed ones again, or type {quit}."))

    def ask(self) -> None:
        drill = self.practice.drill
        assert drill is not None, "there is one to ask"
        self.begin_task()
        self.answered = None
        self.find_out()
        place = f"Drill {self.practice.place + 1} of {self.practice.total}"
        heading = ", ".join(filter(None, (place, streak_text(self.practice.streak), self.game.facts.title)))
        self.write(f"{heading}. {origin_text(self.live, drill, self.names_goal)}".strip())
        self.show()
        if self.names_goal:
            self.write(f"{self.game.seats[drill.seat]}: {goal_text(self.live, drill)}.")

    @property
    def situation(self) -> Situation:
        practice = self.practice
        over = RoundOver(practice.was_hard, practice.daily is not None) if practice.drill is None else None
        is_solved, is_given = practice.is_solved, practice.is_given
        return find_in_drill(self.live, (), Answered(), over, is_solved=is_solved, is_given=is_given)

    def check_answer(self, move: Move) -> str | None:
        judgement = self.practice.answer(self.live, move)
        if judgement is None:
            return None
        self.answered = move
        self.save()
        spelled = name_move(self.game, self.node.position, move)
        if self.practice.is_solved:
            return f"{spelled} is correct. {praise(judgement)} {self.return_line()}"
        reply, search = "", self.live.prepare_refutation(self.node, move)
        with suppress(OnlymoveError):
            if search is not None and (best := search(self.budget()).reply):
                reply = self.game.voice.reasons.noun + best
        found = self.explanation((self.node, self.chooser(), move))
        why = " ".join(found.select_by_reply(reply))
        return f"{spelled}: {describe_mistake(describe_lost(judgement), reply, why)} Try again."

    def return_line(self) -> str:
        return f"{return_text(self.practice)} {self.spell(CONTINUE)}".strip()

    def show_solution(self) -> None:
        """Show the best moves. The drill counts as missed."""
        self.practice.give_up(self.live)
        self.show_values()
        self.save()
        self.write(self.return_line())

    def why(self) -> None:
        if self.answered is None:
            self.write("Type a move first.")
        else:
            self.explain(self.node, self.answered)

    def save(self) -> None:
        if trouble := self.practice.save():
            self.write(trouble)

    def next(self) -> None:
        self.go_on(self.practice.advance())

    def take_back(self) -> None:
        if not self.practice.may_be_taken_back:
            self.write(NOTHING_TO_TAKE_BACK)
            return
        self.practice.take_back()
        self.answered = None
        self.write(TAKEN_BACK)

    def put_aside(self) -> None:
        if self.practice.may_be_changed:
            has_more = self.practice.put_aside()
            self.write(PUT_ASIDE)
            self.go_on(has_more)
        else:
            self.write(NOT_STORED)

    def remove(self) -> None:
        """Remove the drill, once the player has typed the word twice."""
        if not self.practice.may_be_changed:
            self.write(NOT_STORED)
        elif not self.asked_to_remove:
            self.asked_to_remove = True
            self.write(ASK_REMOVE)
        else:
            self.asked_to_remove = False
            has_more = self.practice.remove()
            self.write(REMOVED)
            self.go_on(has_more)


def task_line(text: str) -> str:
    """Return a sentence of a lesson as line mode says it."""
    return " ".join(choose_line_text(text).split())


class LessonLines(TaskLines):
    def __init__(self, course: Course, find_analyst: FindAnalyst, voice: Voice) -> None:
        found = find_analyst(course.game)
        super().__init__(course, lambda _: found, voice)
        self.course = course
        self.is_over = False
        self.is_at_end = False
        """Whether the player has gone past the last task."""
        self.hinted: Task | None = None
        """The last task for which a hint was given."""
        self.commands = {
            **self.select("", "board", "words", "moves", "rules", "hint"),
            "next": LineCommand("next_task", self.next),
            "map": LineCommand("learn", self.write_map, "N", self.go_to_lesson),
            **self.select("position", "help", QUIT),
        }

    def run(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        # A game that is played out has commands of its own.
        self.write((self.read_map()[0], *([] if self.course.is_played_out else [" ", *SEE_MAP])))
        self.ask()
        self.answer_all(self.lines, lambda: not self.is_over)

    def ask(self) -> None:
        """Show the task. A game against the engine is played until it ends as the task asks."""
        is_asked = False
        while not is_asked:
            self.begin_task()
            if self.course.task is self.course.step.tasks[0]:
                self.write(f"{self.course.headline}. {task_line(self.course.step.text)}")
            if not self.course.is_played_out:
                self.show()
            self.write(task_line(self.course.task.ask))
            is_asked = not self.course.is_played_out or self.play_out()

    def read_map(self) -> Sequence[str]:
        course = self.course
        return map_lines(self.game, list_parts(self.game, course.learned), course.learned)

    def write_map(self) -> None:
        self.write_all(self.read_map())
        self.write(phrase("Type {learn} and the number of a lesson to go to it."))

    def go_to_lesson(self, text: str) -> None:
        """Go to the lesson with this number, as the map counts them. Raises Refused."""
        if not (text.isdecimal() and 0 < int(text[:9]) <= len(self.course.steps)):
            raise Refused(f"the lessons have the numbers 1 to {len(self.course.steps)}")
        self.course.go_to(int(text) - 1)
        self.ask()

    def play_out(self) -> bool:
        """Play a game against the engine. Returns whether the task is done or the player has given up."""
        game = LineMode(self.live, self.voice, is_task=True)
        game.run(iter(lambda: QUIT if self.session.is_over else next(self.lines, QUIT), None))
        if self.course.finish(self.live):
            self.write(f"{task_line(self.course.task.right)} {self.spell(CONTINUE)}")
        elif self.session.is_over:
            self.write(NOT_YET)
            return False
        else:
            self.is_over = True
        return True

    def hint(self) -> None:
        self.find_out()
        self.write(self.course.describe_hint(self.live, is_shown=self.hinted is self.course.task))
        self.hinted = self.course.task if self.course.find_answers(self.live) else None

    @property
    def situation(self) -> Situation:
        course = self.course
        return find_in_lesson(
            self.live, (), Answered(), is_over=self.is_over, is_solved=course.is_solved, is_played=course.is_played_out
        )

    def check_answer(self, move: Move) -> str | None:
        is_right = self.course.answer(self.live, move)
        if is_right is None:
            return None
        spelled, task = self.game.describe_move(self.node.position, move), self.course.task
        if is_right:
            return f"{spelled} is correct. {task_line(task.right)} {self.spell(CONTINUE)}"
        return f"{spelled}: not yet. {task_line(task.wrong)} Try again."

    def next(self) -> None:
        if answers := self.course.find_answers(self.live):
            self.write(self.course.describe_answer(self.live, answers, "was"))
        if self.course.advance():
            self.ask()
        else:
            self.write(f"{self.course.describe_end()} {AFTER_LESSONS}")
            self.is_over = self.is_at_end = True
