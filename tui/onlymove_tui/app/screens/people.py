"""Lists other users of this machine, with games to join, resume or watch. Also waits for an opponent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from onlymove.pictures.colours import Tone
from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.core.facts import Facts
from onlymove_engines.live.clock import read_control
from onlymove_engines.live.live_game import LiveGame
from textual.timer import Timer
from textual.widget import Widget

from onlymove_tui.app.base_screen import MIN_WIDTH, BaseScreen
from onlymove_tui.app.finding import look_up
from onlymove_tui.app.screens.list_screen import ListScreen, draw_session, draw_start, show_picture, show_usual_start
from onlymove_tui.app.services import Services
from onlymove_tui.app.widgets.bars import Lines, Panel
from onlymove_tui.app.widgets.board_view import Picture, SmallBoard
from onlymove_tui.app.widgets.canvas import Row, phrase_row
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, join_or_wait
from onlymove_tui.lobby.lobby import LobbyEntry, list_entries, pin_marked, remove_old_records
from onlymove_tui.lobby.shared_game import MAX_NAME_LENGTH, get_shared_game
from onlymove_tui.play.keys import Phrase, phrase

NAME_WIDTH = 22
OPENING = phrase("Press {pick} to choose your side and a clock. Then anyone on this machine can join you.")


def entry_words(one: LobbyEntry) -> Phrase:
    """Return the state of an entry, such as `ada is waiting for you` or `ada and bob, press Enter to watch`."""
    if one.is_gone:
        return "gone"
    if one.is_joining:
        return f"waiting for {one.first} to accept you"
    if one.has_begun:
        watch = () if one.is_mine else phrase(", press {pick} to watch")
        return (f"{one.first} and {one.second}", *watch)
    if one.is_mine:
        return "yours, nobody has joined yet"
    who = f"{one.first} is waiting{' for you' if one.is_for_me else ''}"
    return who + (", needs a code" if one.opening.has_code else "")


def describe_terms(services: Services, one: LobbyEntry) -> str:
    """Return the side that you play, the options and the clock of a challenge. Empty if it cannot be read here."""
    opening = one.opening
    try:
        game = services.library.find_game(opening.game)
        start = game.notation.parse_position(opening.start)
    except OnlymoveError:
        return ""
    seat = opening.seat if one.is_mine and not one.is_joining else 1 - opening.seat
    terms = [f"{option.title}: {option.read(start)}." for option in game.play.options if option.read is not None]
    if (control := read_control(opening.clock)) is not None:
        terms.append(f"Clock: {control.describe()}.")
    return " ".join([f"You play {game.seats[seat]}.", *terms])


def draw_entry(services: Services, one: LobbyEntry) -> Picture:
    """Draw a shared game as it stands, or the start of a challenge. Call it in a worker. Raises OnlymoveError."""
    if not one.has_begun:
        game = services.library.find_game(one.opening.game)
        position = game.notation.parse_position(one.opening.start)
        return draw_start(game, position, 1 - one.opening.seat, services.ascii_only)
    live = services.live_games.watch(one.challenge_id, one.uid)
    try:
        get_shared_game(live).look()
        live.follow_remote()
        return draw_session(live.session, services.ascii_only)
    finally:
        get_shared_game(live).close()


class PeopleScreen(ListScreen[LobbyEntry | Facts], screen_id="people"):
    """Lists challenges and shared games. Enter joins, resumes or watches the selected one, or sets up a challenge."""

    footer_names = ("pick", "leave", "help")
    title_row = (("Play a person", Tone.TITLE), ("  someone logged in to this machine", Tone.DIM))

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[LobbyEntry] = []
        self.lines = self.services.library.list_facts()
        self.is_known = False
        self.terms: dict[str, str] = {}
        """The terms of the challenges that were selected, by their ids."""
        self.reads = 0

    def on_mount(self) -> None:
        self.set_interval(self.services.timers.lobby, self.ask)
        if self.services.lobby is not None:
            remove_old_records(self.services.lobby)

    def ask(self) -> None:
        """Read the lobby. Also draw the selected game again, because moves may have been made."""
        self.reads += 1
        if self.is_built and isinstance(one := self.marked_line, LobbyEntry) and one.has_begun:
            self.query_one(SmallBoard).pictures.clear()
            self.show_marked()
        lobby = self.services.lobby
        if lobby is not None and self.is_current and self.typing is None:
            self.fetch(partial(list_entries, lobby), self.show_lobby, "tables", keys_wait=not self.is_known)

    def show_lobby(self, found: list[LobbyEntry]) -> None:
        """Show the lobby. The same entry stays selected at the same place in the list."""
        marked, place = self.marked_line, self.choices.marked
        entries = found
        if isinstance(marked, LobbyEntry):
            entries = pin_marked(entries, marked, place)
            place = next(index for index, one in enumerate(entries) if one.is_same(marked))
        elif self.is_known:
            place += len(entries) - len(self.entries)
        if self.is_known and entries == self.entries:
            return
        self.is_known = True
        self.entries = entries
        self.lines = [*entries, *self.services.library.list_facts()]
        self.choices.marked = place
        self.mark_changed()

    def show_marked(self) -> None:
        panel, one = self.query_one("#picture-panel", Panel), self.marked_line
        if not self.is_known or one is None:
            return
        if isinstance(one, Facts):
            self.show_texts(as_sentence(one.pitch), one.goal, OPENING)
            panel.set_title(one.title)
            show_usual_start(self, one.id)
            return
        game, terms = one.opening.game, ""
        if not one.has_begun:
            find = partial(describe_terms, self.services, one)
            terms = look_up(self, self.terms, one.challenge_id, "", find, "terms")
        facts = next((facts for facts in self.services.library.list_facts() if facts.id == game), None)
        about = [] if facts is None else [as_sentence(facts.pitch), facts.goal]
        self.show_texts(terms, *about)
        panel.set_title(self.services.library.find_title(game), self.to_text(entry_words(one)))
        moment = f"{one.challenge_id} {self.reads if one.has_begun else ''}"
        show_picture(self, game, moment, partial(draw_entry, self.services, one))

    def group_of(self, line: LobbyEntry | Facts) -> object:
        return isinstance(line, Facts)

    def rows_of(self, line: LobbyEntry | Facts) -> Sequence[Row]:
        if isinstance(line, Facts):
            return [[("Open a challenge: ", Tone.DIM), (line.title, Tone.TEXT)]]
        return [self.row_of(line)]

    def row_of(self, one: LobbyEntry) -> Row:
        clock = "" if (control := read_control(one.opening.clock)) is None else f", {control.format_short()}"
        here = "" if one.is_alive or one.is_gone or (one.is_mine and not one.has_begun) else ", away"
        space = (self.choices.size.width or MIN_WIDTH) - NAME_WIDTH - 4
        text = f"{self.to_text(entry_words(one))}{clock}{here}"[:space]
        tone = Tone.STRONG if one.is_mine else Tone.DIM if one.has_begun else Tone.KEY
        title = self.services.library.find_title(one.opening.game)
        return [(title.ljust(NAME_WIDTH), Tone.TEXT), (text, Tone.DIM if one.is_gone else tone)]

    def action_pick(self) -> None:
        if (one := self.marked_line) is None:
            return
        if isinstance(one, Facts):
            self.open("opening", one.id)
        elif one.is_gone:
            self.say("This game no longer exists.", Tone.ERROR)
        elif one.has_begun:
            live_games, number = self.services.live_games, one.challenge_id
            find = partial(live_games.join, number) if one.is_mine else partial(live_games.watch, number, one.uid)
            self.fetch(find, partial(self.open, "shared_play"), "open", keys_wait=True)
        elif one.opening.has_code and not one.is_mine:
            self.type_text(partial(self.join_with_code, one))
        else:
            self.join_challenge(one)

    def join_with_code(self, one: LobbyEntry, code: str) -> str:
        if code:
            self.join_challenge(one, code)
        return ""

    def join_challenge(self, one: LobbyEntry, code: str = "") -> None:
        """Ask to join a challenge, or continue to wait if it is your own."""
        lobby = self.services.lobby
        if lobby is None:
            return
        try:
            self.open("waiting", join_or_wait(lobby, one.challenge_id, one.uid, code))
        except OnlymoveError as refusal:
            self.say(str(refusal), Tone.ERROR)

    def message_rows(self) -> Sequence[Row]:
        if self.typing is not None:
            return [[("The code of this challenge  ", Tone.KEY), *self.typing.row(20)]]
        return super().message_rows()

    def idle_rows(self) -> Sequence[Row]:
        return [] if self.entries else [[("No open challenges. Open one, and others will see it.", Tone.DIM)]]


class WaitingScreen(BaseScreen, screen_id="waiting"):
    """Waits until the game of `challenge` has begun, and then opens the board."""

    footer_names = ("close_challenge", "leave", "help")

    def __init__(self, challenge: OpenChallenge | JoinedChallenge) -> None:
        super().__init__()
        self.challenge = challenge
        self.looking: Timer | None = None

    def compose_main(self) -> Iterable[Widget]:
        yield Lines("facts")

    def on_mount(self) -> None:
        title = self.services.library.find_title(self.challenge.opening.game)
        self.title_row = [(title, Tone.TITLE), ("  waiting", Tone.DIM)]
        self.looking = self.set_interval(self.services.timers.challenge, self.check_challenge)
        self.set_interval(self.services.timers.meanwhile, self.ask)

    def on_unmount(self) -> None:
        """Stop waiting, but do not withdraw the challenge."""
        self.challenge.close()

    def draw(self) -> None:
        challenge, opening = self.challenge, self.challenge.opening
        if isinstance(challenge, JoinedChallenge):
            who: Row = [(f"Waiting for {opening.name[:MAX_NAME_LENGTH]} to accept you.", Tone.STRONG)]
        elif challenge.code:
            who = [("Waiting for a player with the code  ", Tone.STRONG), (challenge.code, Tone.KEY)]
        else:
            who = [(f"Waiting for {opening.wanted or 'anyone on this machine'}.", Tone.STRONG)]
        rows: list[Row] = [who, []]
        if (control := read_control(opening.clock)) is not None:
            rows += [[(f"Clock: {control.format_short()}.", Tone.TEXT)], []]
        rows.append(phrase_row(phrase("Press {leave} to leave. The challenge stays open."), Tone.DIM))
        self.query_one("#facts", Lines).show([self.name_keys(row) for row in rows])

    def check_challenge(self) -> None:
        try:
            if self.challenge.look():
                self.stop_looking()
                self.challenge.close()
                find = partial(self.services.live_games.join, self.challenge.challenge_id)
                self.fetch(find, self.begin_game, "open", keys_wait=True)
        except OnlymoveError as refusal:
            self.stop_looking()
            self.say(str(refusal), Tone.ERROR)

    def begin_game(self, live: LiveGame) -> None:
        """Show the game that an opponent has joined."""
        self.open("shared_play", live)
        self.services.ring_for_turn(live)

    def ask(self) -> None:
        """Check whether the opener of the challenge is still there. If the challenge is your own, check whether another
        player has opened one for the same game. Otherwise both of you would wait for ever."""
        lobby, challenge = self.services.lobby, self.challenge
        if lobby is None or self.looking is None:
            return

        def take(found: list[LobbyEntry]) -> None:
            game = challenge.opening.game
            who = next((one.first for one in found if one.opening.game == game and one.is_free), "")
            if self.looking is not None:
                words = phrase(
                    "{who} is also waiting. Press {close_challenge}, then join them.", who=who[:MAX_NAME_LENGTH]
                )
                self.say(words if who else "")

        if isinstance(challenge, OpenChallenge):
            self.fetch(partial(list_entries, lobby), take, "lobby")
        else:
            away = f"{challenge.opening.name[:MAX_NAME_LENGTH]} is away and may not return."
            self.say("" if challenge.is_alive else away)

    def stop_looking(self) -> None:
        if self.looking is not None:
            self.looking.stop()
            self.looking = None

    def action_close_challenge(self) -> None:
        if self.looking is not None:
            self.stop_looking()
            self.challenge.withdraw()
        self.action_leave()
