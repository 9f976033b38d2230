"""A game gone through in lines: from move to move and from mistake to mistake, with values and best play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from onlymove_engines.coach.judge import figures, made_at
from onlymove_engines.match.advice import Explanation, blamed
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from onlymove_engines.records.record import move_number

from onlymove_tui.play.line_mode import Spoken, Voice
from onlymove_tui.play.phrases import ending, judged, who_moved


class ReviewLines(Spoken):
    """A game that is not played on. `name` says the number and the spelling of the move into a node."""

    help_line = "Enter or next, back, start, end, mistake, board, words, values, why, position, help, quit"

    def __init__(self, match: Match, voice: Voice, name: Callable[[AnyNode], str]) -> None:
        super().__init__(match, voice)
        self.path = match.node.path()
        self.name = name
        self.at = 0
        self.commands |= {
            "": lambda: self.go(self.at + 1),
            "next": lambda: self.go(self.at + 1),
            "back": lambda: self.go(self.at - 1),
            "start": lambda: self.go(0),
            "end": lambda: self.go(len(self.path) - 1),
            "mistake": self.mistake,
            "why": self.why,
        }

    @property
    def node(self) -> AnyNode:
        return self.path[self.at]

    def run(self, lines: Iterable[str]) -> None:
        before_last = self.path[-1].parent
        count = 0 if before_last is None else move_number(self.game, before_last)[0]
        self.write(f"{self.game.title}, {count} move{'' if count == 1 else 's'}. Type help for what can be typed.")
        if self.session.result is not None:
            self.write(ending(self.game, self.session.result))
            for seat, name in enumerate(self.game.seats):
                found = figures(made_at(self.path, seat))
                self.write(f"{name}: {' '.join([found.headline(), *found.left_out()])}")
        self.show()
        self.answer_all(lines, lambda: True)

    def take(self, text: str) -> None:
        """No move is played here."""
        self.write(f"'{text}' is nothing that can be typed here: {self.help_line}")

    def go(self, place: int) -> None:
        if not 0 <= place < len(self.path):
            self.write("This is the end of the game." if self.at else "This is the start of the game.")
            return
        self.at = place
        self.tell_move()
        self.show()

    def tell_move(self) -> None:
        if self.node.parent is None:
            return
        worth = [
            (f"{self.game.seats[seat]}: " if len(self.node.judgements) > 1 else "")
            + judged(found, who_moved(self.session, self.node, seat), self.game.claims.line)
            for seat, found in sorted(self.node.judgements.items())
        ]
        self.write(" ".join([f"{self.name(self.node)}", *worth]))
        self.given.clear()
        for choice in blamed(self.game, self.node):
            self.find_out(choice[0])
            self.given |= {(choice, reason) for reason in self.explanation(choice).full}
        self.write_all(self.match.advice.reasons(self.node))

    def sayable(self, found: Explanation) -> Sequence[str]:
        return found.full

    def mistake(self) -> None:
        for place in range(self.at + 1, len(self.path)):
            if any(judged.flagged for judged in self.path[place].judgements.values()):
                self.go(place)
                return
        self.write("No mistake from here on.")

    def why(self) -> None:
        """Best play after the move that is shown."""
        if self.node.parent is None:
            self.write("No move has been made here.")
        else:
            self.explain(self.node.parent, self.node.move)
