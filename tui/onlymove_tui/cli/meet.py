"""The command `meet`: a game with another user of this host, line by line. It never says what moves are worth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing

import click
from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.live.clock import describe_time, read_control
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.tree import AnyNode
from onlymove_engines.play.typed import read_typed

from onlymove_tui.app.launch import Preferences
from onlymove_tui.app.live_games import LiveGames
from onlymove_tui.lobby.accounts import NoLobby, find_own_person
from onlymove_tui.lobby.challenges import JoinedChallenge, OpenChallenge, Terms, join_or_wait
from onlymove_tui.lobby.lobby import Lobby, LobbyEntry, find_lobby_folder, list_entries
from onlymove_tui.lobby.record_file import RecordTrouble, SecretsFolder
from onlymove_tui.lobby.replay import Request
from onlymove_tui.lobby.shared_game import get_shared_game
from onlymove_tui.play.keys import Key, phrase
from onlymove_tui.play.line_commands import QUIT, LineCommand
from onlymove_tui.play.line_mode import LineMode, Voice
from onlymove_tui.play.phrases import NOTHING_TO_UNDO, ending_text, hidden_choice_text
from onlymove_tui.store.profiles import find_places

from .console import GAME, Caller, board_option, end_session, read_batches

LOOK_SECONDS = 0.1
LIST_SECONDS = 1.0
"""How often a waiting player looks for others who wait."""
PATIENCE_SECONDS = 5.0
"""After this long, a waiting player joins one who waits on a screen, and leaves an opener who does not answer."""


ASKED = "ask"
"""The value of `--code` if the option is given without a value."""
MAX_FAILURES = 2
"""How many challenges of another account may lead to no game before the account is left out."""
CODE_IN_COMMAND = (
    "other users of this machine can read your command, so it must not contain a code. Write"
    " --code alone, at the end. Then type the code when you are asked, or send it as the first line of the input"
)


class NoChallenge(OnlymoveError):
    """There is no game to join."""


def refuse_code(_: click.Context, __: click.Parameter, value: str) -> bool:
    """Return whether the player wants to type a code. Raises UsageError if the command itself contains a code."""
    if value not in ("", ASKED):
        raise click.UsageError(CODE_IN_COMMAND)
    return value == ASKED


@click.command("meet")
@click.argument("game", type=GAME)
@click.option(
    "--code", "has_code", is_flag=False, flag_value=ASKED, default="", metavar="", callback=refuse_code,
    help="Join a challenge that needs a code. Type the code when you are asked, or send it as the first line.",
)  # fmt: skip
@board_option
@click.pass_obj
def meet_command(caller: Caller, /, game: AnyGame, has_code: bool, draws: bool) -> int:
    """Play GAME with a person who is logged in to this machine, line by line.

    You continue your unfinished game, join a player who is waiting, or wait for one.
    """
    settings, profile = caller.read_settings(), caller.find_profile()
    found, lines = find_places(profile), poll_lines()
    lobby = Lobby(find_lobby_folder(found.lobby), SecretsFolder(found.secrets), find_own_person(profile), games.load)
    code = ask_for_code(lines) if has_code else ""
    number = find_own_game(lobby, game) or Waiter(lobby, game, code).wait(lines)
    if number is None:
        return 1
    with closing(caller.open_store()) as store:
        live_games = LiveGames(Preferences(settings), random.Random(), store, lobby=lobby)
        live = live_games.join(number)
        with closing(get_shared_game(live)):
            SharedLineMode(live, caller.make_voice(settings, draws)).run(lines)
        return end_session(store.save_at_last())


def ask_for_code(lines: Iterable[str | None]) -> str:
    """Ask the player for a code and return it. Raises NoChallenge if the player types none."""
    click.echo("Type the code of the challenge.")
    code = next((line for line in lines if line is not None), "")
    if not code or code == QUIT:
        raise NoChallenge("you did not type a code")
    return code


class Waiter:
    """A player who wants to play this game. The player waits at a challenge of their own, or asks to join another
    player's. `tried` are other players' challenges that led to no game."""

    def __init__(self, lobby: Lobby, game: AnyGame, code: str = "") -> None:
        self.lobby = lobby
        self.game = game
        self.code = code
        self.tried: set[tuple[int, str]] = set()
        self.listed = 0.0
        self.place = self.find_place()

    def list_challenges(self) -> list[LobbyEntry]:
        """Return the challenges and games of this kind, your own first. Accounts with many challenges come after those
        with few. An account is left out after MAX_FAILURES challenges that led to no game. Your own account is never
        left out, because several players may share it."""
        self.listed = self.lobby.clock()
        found = [one for one in list_entries(self.lobby) if one.opening.game == self.game.id]
        of_account, failures = Counter(one.uid for one in found), Counter(uid for uid, _ in self.tried)
        given_up = {uid for uid, count in failures.items() if count >= MAX_FAILURES} - {self.lobby.who.uid}
        found = [one for one in found if (one.uid, one.challenge_id) not in self.tried and one.uid not in given_up]
        return sorted(found, key=lambda one: (not one.is_mine, of_account[one.uid]))

    def can_join(self, one: LobbyEntry) -> bool:
        """Whether this player can join a challenge. A player with a code can join only challenges that need one. A
        player without a code can join only the others."""
        return one.is_open and one.opening.has_code == bool(self.code)

    def find_place(self) -> OpenChallenge | JoinedChallenge:
        """Return the challenge where this player should wait. Raises OnlymoveError."""
        found = self.list_challenges()
        for one in found:
            if one.is_mine and not one.has_begun and (one.is_joining or not one.opening.wanted):
                return join_or_wait(self.lobby, one.challenge_id, one.uid)
        for one in filter(self.can_join, found):
            try:
                return JoinedChallenge.join(self.lobby, one.challenge_id, one.uid, self.code)
            except NoLobby:
                raise
            except OnlymoveError:
                self.tried.add((one.uid, one.challenge_id))
        if self.code:
            is_wrong = "no open challenge has that code"
            raise NoChallenge(is_wrong if self.tried else "there is no open challenge with a code")
        start = self.game.notation.format_position(self.game.start({}, random.randrange(2**31)))
        return OpenChallenge.open(self.lobby, Terms(self.game.id, start, random.randrange(2)))

    def wait(self, lines: Iterable[str | None]) -> str | None:
        """Wait until the game begins. Returns its id, or `None` if the player quits. The challenge is then withdrawn.
        Raises OnlymoveError."""
        try:
            self.announce()
            for line in lines:
                if self.look():
                    return self.place.challenge_id
                if line is not None and line.lower() == QUIT:
                    break
                if line:
                    self.announce()
            self.place.withdraw()
        except KeyboardInterrupt:
            self.place.withdraw()
            raise
        finally:
            self.place.close()
        return None

    def announce(self) -> None:
        opening = self.place.opening
        whom = opening.name if isinstance(self.place, JoinedChallenge) else opening.wanted or "somebody"
        control = read_control(opening.clock)
        clock = "" if control is None else f" Clock: {control.describe()}."
        click.echo(f"Waiting for {whom}.{clock} Type {QUIT} to leave.")

    def look(self) -> bool:
        """Return whether the game has begun. If it cannot begin here, go to another challenge. Raises OnlymoveError."""
        try:
            if self.place.look():
                return True
            has_failed = self.has_better_place()
        except RecordTrouble:
            if isinstance(self.place, OpenChallenge):
                raise
            has_failed = True
        if has_failed:
            if isinstance(self.place, JoinedChallenge):
                self.tried.add((self.place.opener, self.place.challenge_id))
            self.place.withdraw()
            self.place.close()
            self.place = self.find_place()
            self.announce()
        return False

    def has_better_place(self) -> bool:
        """Whether to wait at another challenge instead. A player who has asked to join leaves an opener who does not
        answer. An open challenge to anyone is left for an earlier one, or one that has waited for PATIENCE_SECONDS."""
        place, opening, now = self.place, self.place.opening, self.lobby.clock()
        if isinstance(place, JoinedChallenge):
            is_late = abs(now - self.listed) > PATIENCE_SECONDS
            if self.code:
                # If several challenges need a code, this may be the wrong one. A single one is probably right.
                return is_late and any(map(self.can_join, self.list_challenges()))
            return is_late or not place.is_alive
        if opening.wanted or opening.has_code or abs(now - self.listed) < LIST_SECONDS:
            return False
        own = (opening.time, place.challenge_id)
        return any(
            (one.opening.time, one.challenge_id) < own or now - one.opening.time > PATIENCE_SECONDS
            for one in filter(self.can_join, self.list_challenges())
        )


def find_own_game(lobby: Lobby, game: AnyGame) -> str | None:
    """Return the id of a game of this kind that the player has already begun, or `None`. Raises OnlymoveError."""
    mine = (
        one.challenge_id for one in list_entries(lobby) if one.opening.game == game.id and one.is_mine and one.has_begun
    )
    return next(mine, None)


def poll_lines() -> Iterator[str | None]:
    """Yield the lines that the player types, and `None` whenever no line comes for `LOOK_SECONDS`."""
    for batch in read_batches(LOOK_SECONDS):
        yield from batch
        if not batch:
            yield None


AFTER = "To have this game judged, run: onlymove review"
SENT = "Your request was sent. Your opponent can agree or decline."
WARNINGS = (60, 30, 10)
"""The player gets a warning when this many seconds are left."""


class SharedLineMode(LineMode):
    """Your side of a shared game. It prints what your opponent does, and reads your moves and answers."""

    def __init__(self, live: LiveGame, voice: Voice) -> None:
        super().__init__(live, voice)
        self.shared = get_shared_game(live)
        self.near = live.session.near_seat
        self.opponent = live.session.players[1 - self.near].name
        self.asked: Request | None = None
        self.asking: Request | None = None
        self.is_alone = False
        self.warned = 0
        self.stood = live.node
        """The node on the board when requests were last written."""
        self.commands = {
            **self.select("", "board", "words", "moves", "rules", "position"),
            "clock": LineCommand("clock", self.write_clock),
            "undo": LineCommand("ask_undo", self.ask_undo),
            **self.select("draw"),
            "agree": LineCommand("agree_to", lambda: self.reply(True)),
            "decline": LineCommand("decline", lambda: self.reply(False)),
            **self.select("resign", "help", QUIT),
        }

    @property
    def help_line(self) -> tuple[str | Key, ...]:
        return (*super().help_line, *phrase(" Your opponent has to agree to {ask_undo} and {draw}."))

    def run(self, lines: Iterable[str | None]) -> None:
        """Play until the game is over, the player quits or the lines end. `None` means that no line has come yet."""
        self.introduce()
        if self.live.clock is not None:
            self.write(f"Clock: {self.live.clock.control.describe()}.")
        self.go_on()
        self.answer_all(lines, lambda: not self.session.is_over)

    def answer(self, line: str | None = None) -> None:
        """Write what is new: a move, a request, or that your opponent has come or gone. Then answer a line. Raises
        RecordTrouble."""
        before = self.live.node
        self.shared.look()
        if self.live.follow_remote():
            self.write_progress(before)
        self.write_requests()
        if self.session.is_over:
            return
        is_alone = not self.shared.is_here(1 - self.near)
        if is_alone != self.is_alone:
            waits = "The game waits, but the clock is running." if self.live.clock is not None else "The game waits."
            self.write(f"{self.opponent} is away. {waits}" if is_alone else f"{self.opponent} is back.")
        self.is_alone = is_alone
        if self.live.clock is not None:
            left = self.live.clock.seconds_left[self.near]
            if count_warnings(left) > self.warned:
                self.write(f"You have {describe_time(left)}.")
            self.warned = count_warnings(left)
        super().answer(line)

    def write_progress(self, before: AnyNode) -> None:
        node = self.live.node
        if node.ply < before.ply:
            self.write("Taken back.")
        elif node.parent is before and self.live.is_simultaneous:
            self.reveal(node)
        elif node.parent is before:
            seat = before.to_move or 0
            self.write(f"{self.game.seats[seat]} plays {self.game.describe_move(before.position, node.move)}")
        self.go_on()

    def write_requests(self) -> None:
        """Write, once, a new request from your opponent, or that your opponent has declined yours."""
        asked, asking = self.asked, self.asking
        stood, self.stood = self.stood, self.live.node
        self.asked, self.asking = self.shared.find_request(), self.shared.find_own_request()
        if self.asked is not None and self.asked != asked:
            self.write((f"{self.opponent} {self.asked.sentence} ", *phrase("Type {agree_to} or {decline}.")))
        if asking is not None and self.asking is None and not self.session.is_over and self.stood is stood:
            # A request also ends when the game continues.
            self.write(f"{self.opponent} declines.")

    def go_on(self) -> None:
        super().go_on()
        if self.live.clock is not None and not self.session.is_over:
            self.write_clock()

    def write_clock(self) -> None:
        if (clock := self.live.clock) is None:
            self.write("There is no clock.")
            return
        left = clock.seconds_left
        own, theirs = describe_time(left[self.near]), describe_time(left[1 - self.near])
        self.warned = count_warnings(left[self.near])
        self.write(f"You have {own}. {self.opponent} has {theirs}.")

    def take(self, text: str) -> None:
        seat = self.chooser()
        before, move = self.live.node, read_typed(self.session, seat, text, names_near=True)
        self.live.offer(seat, move)
        if self.live.node is before:
            self.write(hidden_choice_text(self.session, seat))
        else:
            self.write_progress(before)

    def ask_undo(self) -> None:
        self.write(SENT if self.shared.ask_undo(self.live) else NOTHING_TO_UNDO)
        self.write_requests()

    def draw(self) -> None:
        if self.live.offer_draw(self.near):
            self.finish()
        else:
            self.write(SENT)
            self.write_requests()

    def reply(self, agrees: bool) -> None:
        before, request = self.live.node, self.shared.find_request()
        if request is None:
            self.write("There is no request to answer.")
        else:
            self.shared.answer(agrees)
            if self.live.follow_remote():
                self.write_progress(before)

    def finish(self) -> None:
        assert self.session.result is not None, "the game is over"
        self.write(ending_text(self.game, self.session.result))
        self.write(AFTER)


def count_warnings(left: float) -> int:
    return sum(left <= seconds for seconds in WARNINGS)
