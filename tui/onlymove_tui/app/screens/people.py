"""Lists other users of this machine, with games to join, resume or watch. Also waits for an opponent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from onlymove_engines.core.errors import OnlymoveError, as_sentence
from onlymove_engines.match.clock import read_control
from textual.timer import Timer
from textual.widget import Widget

from onlymove_tui.app.base_screen import LEAST_WIDTH, BaseScreen
from onlymove_tui.app.panels.markdown import paragraph_rows
from onlymove_tui.app.screens.list_screen import ListScreen, PictureBeside, draw_session, draw_start, draw_usual_start
from onlymove_tui.app.services import Services
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import FilledLines, Lines, Panel
from onlymove_tui.app.widgets.board_view import Picture, SmallBoard
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, join_or_wait
from onlymove_tui.lobby.lobby import OLDER, Lobby, LobbyEntry, has_older, list_entries, pin_marked, remove_old_records
from onlymove_tui.lobby.shared_game import LONGEST_NAME, get_shared_game

LIST_SECONDS = 1.0
"""How often the lobby is read while its list is open."""
NAME_WIDTH = 22
CODE = "The code of this challenge"
OPENING = "Press Enter to choose your side and a clock. Then anyone on this machine can join you."


class LobbyRead(NamedTuple):
    """The challenges and shared games in the lobby, and whether anyone there uses an older version."""

    entries: Sequence[LobbyEntry]
    has_older: bool = False


def read_lobby(lobby: Lobby) -> LobbyRead:
    """Read the lobby. Call it in a worker. Raises OnlymoveError."""
    return LobbyRead(list_entries(lobby), has_older(lobby))


def entry_words(one: LobbyEntry) -> str:
    """Return the state of an entry in words, such as `ada is waiting for you`, `ada and bob` or `ada and bob, press
    Enter to watch`."""
    if one.is_gone:
        return "gone"
    if one.is_joining:
        return f"waiting for {one.first} to accept you"
    if not one.has_begun:
        who = (
            "yours, nobody has joined yet"
            if one.is_mine
            else f"{one.first} is waiting{' for you' if one.is_for_me else ''}"
        )
        return who + (", needs a code" if one.opening.has_code and not one.is_mine else "")
    return f"{one.first} and {one.second}" + ("" if one.is_mine else ", press Enter to watch")


def describe_terms(services: Services, one: LobbyEntry) -> str:
    """Return the side that you play, and the options and the clock of a challenge. Empty if the game is not installed
    or the position cannot be read. Call it in a worker."""
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
    match = services.matches.watch(one.challenge_id, one.uid)
    try:
        get_shared_game(match).look()
        match.follow_remote()
        return draw_session(match.session, services.ascii_only)
    finally:
        get_shared_game(match).close()


class PeopleScreen(ListScreen, screen_id="people"):
    """Lists challenges and shared games. Enter joins, resumes or watches the selected one, or sets up a challenge."""

    title_row = (("Play a person", Tone.TITLE), ("  someone logged in to this machine", Tone.DIM))

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[LobbyEntry] = []
        self.has_older = False
        self.is_known = False
        self.asked: LobbyEntry | None = None
        self.terms: dict[str, str] = {}
        """The terms of the challenges that were selected, by their ids."""
        self.reads = 0
        self.picture = PictureBeside(self)

    def compose_beside(self) -> Iterable[Widget]:
        yield Panel(SmallBoard(), FilledLines("facts"), id="picture-panel")

    def on_mount(self) -> None:
        self.set_interval(LIST_SECONDS, self.ask)
        if self.services.lobby is not None:
            remove_old_records(self.services.lobby)

    def ask(self) -> None:
        """Read the lobby. Also draw the selected game again, because moves may have been made."""
        self.reads += 1
        if self.is_built and (one := self.marked_entry()) is not None and one.has_begun:
            self.picture.pictures.clear()
            self.show_marked()
        lobby = self.services.lobby
        if lobby is not None and self.is_current and self.typing is None:
            self.fetch(partial(read_lobby, lobby), self.show_lobby, "tables", keys_wait=not self.is_known)

    def show_lobby(self, found: LobbyRead) -> None:
        """Show the lobby. The same entry stays selected at the same place in the list, whatever is added or removed
        around it."""
        marked, place = self.marked_entry(), self.choices.marked
        entries = list(found.entries)
        if marked is not None:
            entries = pin_marked(entries, marked, place)
            place = next(index for index, one in enumerate(entries) if one.is_same(marked))
        elif self.is_known:
            place += len(entries) - len(self.entries)
        if self.is_known and (entries, found.has_older) == (self.entries, self.has_older):
            return
        self.is_known = True
        self.entries, self.has_older = entries, found.has_older
        self.choices.marked = place
        self.mark_changed()

    def draw(self) -> None:
        old = [[self.row_of(one)] for one in self.entries]
        if old:
            old[-1].append([])
        new: list[list[Row]] = [
            [[("Open a challenge: ", Tone.DIM), (facts.title, Tone.TEXT)]]
            for facts in self.services.library.list_facts()
        ]
        self.choices.show([*old, *new])

    def show_marked(self) -> None:
        panel, one = self.query_one("#picture-panel", Panel), self.marked_entry()
        if not self.is_known:
            return
        all_facts = self.services.library.list_facts()
        game_id = all_facts[self.choices.marked - len(self.entries)].id if one is None else one.opening.game
        facts = next((facts for facts in all_facts if facts.id == game_id), None)
        about = [] if facts is None else [as_sentence(facts.pitch), facts.goal]
        texts = [*about, OPENING] if one is None else [self.find_terms(one), *about]
        self.query_one("#facts", FilledLines).show_filled(
            lambda width: [row for text in texts if text for row in paragraph_rows(text, width)]
        )
        if one is not None:
            panel.set_title(self.services.library.find_title(one.opening.game), entry_words(one))
            moment = f"{one.challenge_id} {self.reads if one.has_begun else ''}"
            self.picture.show(one.opening.game, moment, partial(draw_entry, self.services, one))
        elif facts is not None:
            panel.set_title(facts.title)
            self.picture.show(facts.id, "", partial(draw_usual_start, self.services, facts.id))

    def find_terms(self, one: LobbyEntry) -> str:
        """Return the terms of a challenge. The first time they are empty, and a worker begins to read them."""
        if one.has_begun:
            return ""
        return self.look_up(self.terms, one.challenge_id, "", partial(describe_terms, self.services, one), "terms")

    def row_of(self, one: LobbyEntry) -> Row:
        clock = "" if (control := read_control(one.opening.clock)) is None else f", {control.format_short()}"
        here = "" if one.is_alive or one.is_gone or (one.is_mine and not one.has_begun) else ", away"
        lobby = (self.choices.size.width or LEAST_WIDTH) - NAME_WIDTH - 4
        text = f"{entry_words(one)}{clock}{here}"
        tone = Tone.DIM if one.is_gone else Tone.STRONG if one.is_mine else Tone.KEY if not one.has_begun else Tone.DIM
        return [(self.services.library.find_title(one.opening.game).ljust(NAME_WIDTH), Tone.TEXT), (text[:lobby], tone)]

    def marked_entry(self) -> LobbyEntry | None:
        place = self.choices.marked
        return self.entries[place] if 0 <= place < len(self.entries) else None

    def action_pick(self) -> None:
        one, all_facts = self.marked_entry(), self.services.library.list_facts()
        if one is None:
            self.open("opening", all_facts[self.choices.marked - len(self.entries)].id)
        elif one.is_gone:
            self.say("This game no longer exists.", Tone.ERROR)
        elif one.has_begun:
            self.open_board(one.challenge_id, None if one.is_mine else one.uid)
        elif one.opening.has_code and not one.is_mine:
            self.asked = one
            self.type_text(self.join_with_code)
        else:
            self.join_challenge(one)

    def open_board(self, number: str, opener: int | None) -> None:
        """Resume a game. With `opener`, the account that opened it, watch the game instead."""
        matches = self.services.matches

        find = partial(matches.join, number) if opener is None else partial(matches.watch, number, opener)
        self.fetch(find, partial(self.open, "play"), "open", keys_wait=True)

    def join_with_code(self, text: str) -> str:
        if self.asked is not None and text:
            self.join_challenge(self.asked, text)
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
            return [[(f"{CODE}  ", Tone.KEY), *self.typing.row(20)]]
        return super().message_rows()

    def idle_rows(self) -> Sequence[Row]:
        nobody: list[Row] = [[("No open challenges. Open one, and others will see it.", Tone.DIM)]]
        older: list[Row] = [[(OLDER, Tone.DIM)]]
        return [*(() if self.entries else nobody), *(older if self.has_older else ())]


LOOK_SECONDS = 0.3
MEANWHILE_SECONDS = 2.0
LEAVING: Row = (("Press Esc to leave. The challenge stays open.", Tone.DIM),)


class WaitingScreen(BaseScreen, screen_id="waiting"):
    """Waits until the game of `challenge` has begun, and then opens the board."""

    def __init__(self, challenge: OpenChallenge | JoinedChallenge) -> None:
        super().__init__()
        self.challenge = challenge
        self.looking: Timer | None = None

    def compose_main(self) -> Iterable[Widget]:
        yield Lines("facts")

    def on_mount(self) -> None:
        title = self.services.library.find_title(self.challenge.opening.game)
        self.title_row = [(title, Tone.TITLE), ("  waiting", Tone.DIM)]
        self.looking = self.set_interval(LOOK_SECONDS, self.check_challenge)
        self.set_interval(MEANWHILE_SECONDS, self.ask)

    def on_unmount(self) -> None:
        """Stop waiting, but do not withdraw the challenge."""
        self.challenge.close()

    def draw(self) -> None:
        self.query_one("#facts", Lines).show(self.rows())

    def rows(self) -> Sequence[Row]:
        challenge, opening = self.challenge, self.challenge.opening
        clock = "" if (control := read_control(opening.clock)) is None else f"Clock: {control.format_short()}."
        if isinstance(challenge, JoinedChallenge):
            who: list[Row] = [[(f"Waiting for {opening.name[:LONGEST_NAME]} to accept you.", Tone.STRONG)]]
        elif challenge.code:
            who = [[("Waiting for a player with the code  ", Tone.STRONG), (challenge.code, Tone.KEY)]]
        else:
            who = [[(f"Waiting for {opening.wanted or 'anyone on this machine'}.", Tone.STRONG)]]
        return [*who, [], *([[(clock, Tone.TEXT)], []] if clock else []), LEAVING]

    def check_challenge(self) -> None:
        try:
            has_begun = self.challenge.look()
        except OnlymoveError as refusal:
            self.stop_looking()
            self.say(str(refusal), Tone.ERROR)
            return
        if has_begun:
            self.stop_looking()
            number = self.challenge.challenge_id
            self.challenge.close()
            find = partial(self.services.matches.join, number)
            self.fetch(find, partial(self.open, "play"), "open", keys_wait=True)

    def ask(self) -> None:
        """Check whether the opener of the challenge is still there. If the challenge is your own, check whether another
        player has opened one for the same game. Otherwise both of you would wait for ever."""
        lobby, challenge = self.services.lobby, self.challenge
        if lobby is None or self.looking is None:
            return
        if isinstance(challenge, OpenChallenge):
            self.fetch(partial(read_lobby, lobby), self.handle_lobby, "lobby")
        else:
            self.say(
                "" if challenge.is_alive else f"{challenge.opening.name[:LONGEST_NAME]} is away and may not return."
            )

    def handle_lobby(self, found: LobbyRead) -> None:
        game = self.challenge.opening.game
        who = next((one.first for one in found.entries if one.opening.game == game and one.is_free), "")
        if self.looking is not None:
            self.say(f"{who[:LONGEST_NAME]} is also waiting. Press x, then join them." if who else "")

    def stop_looking(self) -> None:
        if self.looking is not None:
            self.looking.stop()
            self.looking = None

    def action_close_challenge(self) -> None:
        if self.looking is not None:
            self.stop_looking()
            self.challenge.withdraw()
        self.action_leave()
