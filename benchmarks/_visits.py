"""What scripted players do: whole games against engines or with each other, looked through afterwards; then the next.

A script yields keys and sees the screen between them; an empty key means that it waits for something to be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

LEFT, RIGHT, UP, DOWN, BACK = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x7f"
MENU = "play and train on solved games"
NO_GAMES = "The games you play appear here"
OPENING = "Opening onlymove"
PATIENT_LOOKS = 20
"""After this many looks, a key that changed nothing is pressed again."""


class Visit:
    """One player at one screen, which `look` returns as text. `games` counts the games played to the end. The player
    resigns a game after `most` keys."""

    def __init__(self, look: Callable[[], str], random: Random, most: int = 60) -> None:
        self.look = look
        self.random = random
        self.most = most
        self.games = 0

    # What is on the screen.

    @property
    def title(self) -> str:
        """The first line of the screen."""
        return self.look().split("\n", 1)[0]

    @property
    def docked_lines(self) -> list[str]:
        """The lines under a board, and the footer."""
        return self.look().split("\n")[-3:]

    def shows_any(self, *words: str) -> Callable[[], bool]:
        """Return a condition: one of these words is on the screen."""
        return lambda: any(word in self.look() for word in words)

    def is_at(self, words: str) -> Callable[[], bool]:
        """Return a condition: the first line contains these words."""
        return lambda: words in self.title

    def find_key_to(self, words: str) -> str:
        """Return the key that moves the selection of a list towards a line that begins or ends with `words`. Empty if
        that line is selected."""
        lines = self.look().split("\n")
        marked = next((n for n, line in enumerate(lines) if "▸" in line), 0)
        told = [line.strip(" ▸") for line in lines]
        found = (n for n, line in enumerate(told) if line.startswith(words) or line.endswith(words))
        wanted = next(found, len(lines))
        return "" if wanted == marked else UP if wanted < marked else DOWN

    def is_mine(self) -> bool:
        """Whether this player has to choose, or to confirm a choice."""
        first = self.docked_lines[0]
        is_my_turn = " to move" in first and " to move: " not in first
        return is_my_turn or " at once" in first or self.shows_any("take back")()

    def is_over(self) -> bool:
        return any(" review" in line for line in self.docked_lines)

    # What is done.

    def wait_until(self, holds: Callable[[], bool]) -> Iterator[str]:
        while not holds():
            yield ""

    def press(self, key: Callable[[], str], holds: Callable[[], bool]) -> Iterator[str]:
        """Press a key until `holds` is true. Each press waits until the one before it has changed the screen."""
        while not holds():
            before = self.look()
            yield key()
            for _ in range(PATIENT_LOOKS):
                if self.look() != before:
                    break
                yield ""

    def mark_line(self, words: str) -> Iterator[str]:
        """Select a line of a list."""
        yield from self.press(lambda: self.find_key_to(words), lambda: not self.find_key_to(words))

    def go_to_menu(self) -> Iterator[str]:
        """Return to the list of games from any screen."""
        yield from self.wait_until(lambda: bool(self.title.strip()) and OPENING not in self.title)
        yield from self.press(lambda: "q", self.is_at(MENU))

    def play_engine(self, titles: Sequence[str]) -> Iterator[str]:
        """Play games of these kinds in turn, against the engine that the app offers."""
        while True:
            title = titles[self.games % len(titles)]
            yield from self.go_to_menu()
            yield from self.mark_line(title)
            yield "\r"
            yield from self.wait_until(self.shows_any("Start the game"))
            yield "\r"
            yield from self.wait_until(lambda: "a new game" not in self.title)
            yield from self.play()
            yield from self.review()
            yield from self.search(title)

    def play_partner(self, title: str, partner: str, opens: bool) -> Iterator[str]:
        """Play games of one kind with a partner. One of the two opens a challenge, and the other joins it."""
        while True:
            yield from self.go_to_menu()
            yield "o"
            yield from self.wait_until(self.shows_any("Open a challenge"))
            if opens:
                yield from self.mark_line(f"Open a challenge: {title}")
                yield "\r"
                yield from self.wait_until(self.shows_any("Open the challenge"))
            else:
                yield from self.wait_until(self.shows_any(f" {partner} is waiting"))
                yield from self.mark_line(f" {partner} is waiting")
            yield "\r"
            yield from self.wait_until(self.shows_any("shared game"))
            yield from self.play()
            yield from self.review()

    def play(self) -> Iterator[str]:
        """Play to the end. Choose what the cursor is on, or move the cursor if that was refused. Resign if the game
        takes too long."""
        keys, tried = 0, ""
        while not self.is_over():
            if not self.is_mine():
                yield ""
            elif keys < self.most:
                keys += 1
                asked = self.docked_lines[0]
                goes_about = asked == tried or self.random.random() < 0.3
                tried = "" if goes_about else asked
                yield self.random.choice((LEFT, RIGHT, UP, DOWN)) if goes_about else "\r"
            else:
                # The question has to be seen for a moment before it can be answered.
                yield from ("R", *[""] * 6, "R", *[""] * 6)
        self.games += 1

    def review(self) -> Iterator[str]:
        """Step through the game that has just ended."""
        yield from self.press(lambda: "e", self.is_at(" review"))
        yield from (RIGHT, RIGHT, RIGHT, "n", "v", "w", "w", BACK, "v", "n", "n")

    def search(self, words: str) -> Iterator[str]:
        """Search the history for games with a name, and open the first."""
        yield from self.go_to_menu()
        yield "e"
        yield from self.wait_until(self.shows_any("opponent", NO_GAMES))
        if self.shows_any(NO_GAMES)():
            return  # a game that ends before the first move is not saved
        yield from ("/", *words[:4], "\r", "", "\r")
        # A game that ends before the first move is not saved.
        yield from self.wait_until(lambda: " Games" not in self.title or self.shows_any("No games match")())
        yield RIGHT
