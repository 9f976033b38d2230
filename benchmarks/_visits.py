"""What scripted players do: whole games against engines or with each other, looked through afterwards; then the next.

A script yields keys and sees the screen between them; an empty key means that it waits for something to be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

LEFT, RIGHT, UP, DOWN, BACK = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x7f"
MENU = "play and train on solved games"
NO_GAMES = "No games here yet"
PATIENT_LOOKS = 20
"""A key that changes nothing is pressed again after so many looks."""


class Visit:
    """One player at one screen, as `look` tells it. `games` counts those that were played to their end; one that takes
    more than `most` keys is given up."""

    def __init__(self, look: Callable[[], str], random: Random, most: int = 60) -> None:
        self.look = look
        self.random = random
        self.most = most
        self.games = 0

    # What is on the screen.

    @property
    def title(self) -> str:
        """The first line."""
        return self.look().split("\n", 1)[0]

    @property
    def docked_lines(self) -> list[str]:
        """What stands under a board, and the footer."""
        return self.look().split("\n")[-3:]

    def shows(self, *words: str) -> Callable[[], bool]:
        """Whether one of them is on the screen."""
        return lambda: any(word in self.look() for word in words)

    def is_at(self, words: str) -> Callable[[], bool]:
        """Whether the first line says so."""
        return lambda: words in self.title

    def way_to(self, words: str) -> str:
        """The key that leads the mark of a list to a line that begins or ends so; nothing when it is there."""
        lines = self.look().split("\n")
        marked = next((n for n, line in enumerate(lines) if "▸" in line), 0)
        told = [line.strip(" ▸") for line in lines]
        found = (n for n, line in enumerate(told) if line.startswith(words) or line.endswith(words))
        wanted = next(found, len(lines))
        return "" if wanted == marked else UP if wanted < marked else DOWN

    def is_mine(self) -> bool:
        """Whether this player is to choose, or to say what becomes of a choice."""
        first = self.docked_lines[0]
        is_my_turn = " to move" in first and " to move: " not in first
        return is_my_turn or " at once" in first or self.shows("take back")()

    def is_over(self) -> bool:
        """Whether the game is."""
        return any("e review" in line for line in self.docked_lines)

    # What is done.

    def wait_until(self, holds: Callable[[], bool]) -> Iterator[str]:
        """Wait for something."""
        while not holds():
            yield ""

    def press(self, key: Callable[[], str], holds: Callable[[], bool]) -> Iterator[str]:
        """Press a key, each time when the last one has done something, until something holds."""
        while not holds():
            before = self.look()
            yield key()
            for _ in range(PATIENT_LOOKS):
                if self.look() != before:
                    break
                yield ""

    def mark(self, words: str) -> Iterator[str]:
        """To a line of a list."""
        yield from self.press(lambda: self.way_to(words), lambda: not self.way_to(words))

    def menu(self) -> Iterator[str]:
        """To the list of games, from wherever one is."""
        yield from self.wait_until(lambda: bool(self.title.strip()))
        yield from self.press(lambda: "q", self.is_at(MENU))

    def play_engine(self, titles: Sequence[str]) -> Iterator[str]:
        """Games of these kinds, in turns, against the engine that is offered."""
        while True:
            title = titles[self.games % len(titles)]
            yield from self.menu()
            yield from self.mark(title)
            yield "\r"
            yield from self.wait_until(self.shows("Start the game"))
            yield "\r"
            yield from self.wait_until(lambda: "a new game" not in self.title)
            yield from self.play()
            yield from self.review()
            yield from self.search(title)

    def play_partner(self, title: str, partner: str, opens: bool) -> Iterator[str]:
        """Games of a kind with a partner: one opens a challenge, the other joins it."""
        while True:
            yield from self.menu()
            yield "o"
            yield from self.wait_until(self.shows("Open a challenge"))
            if opens:
                yield from self.mark(f"Open a challenge: {title}")
                yield "\r"
                yield from self.wait_until(self.shows("Open the challenge"))
            else:
                yield from self.wait_until(self.shows(f" {partner} is waiting"))
                yield from self.mark(f" {partner} is waiting")
            yield "\r"
            yield from self.wait_until(self.shows("shared game"))
            yield from self.play()
            yield from self.review()

    def play(self) -> Iterator[str]:
        """To the end: choose what is offered, go about, also where a choice is refused; give up what takes too long."""
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
        """Go through the game that has ended."""
        yield from self.press(lambda: "e", self.is_at(" review"))
        yield from (RIGHT, RIGHT, RIGHT, "n", "v", "w", "w", BACK, "v", "n", "n")

    def search(self, words: str) -> Iterator[str]:
        """Look for games of a name in the history, and at the first."""
        yield from self.menu()
        yield "e"
        yield from self.wait_until(self.shows("opponent", NO_GAMES))
        if self.shows(NO_GAMES)():
            return  # a game that ends before the first move is not saved
        yield from ("/", *words[:4], "\r", "", "\r")
        yield from self.wait_until(lambda: " Games" not in self.title)
        yield RIGHT
