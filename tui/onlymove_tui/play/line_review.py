"""Reviews a finished game in lines, from move to move and from mistake to mistake, with values and best play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onlymove_engines.coach.judge import list_choices_at
from onlymove_engines.match.assistance import Explanation, find_flagged_choices, is_bad
from onlymove_engines.match.match import Match
from onlymove_engines.play.line import AnyNode
from onlymove_engines.play.session import list_own_judgements

from onlymove_tui.play.line_mode import LineBoard, Voice
from onlymove_tui.play.phrases import count_moves, describe_judgement, ending_text, figure_lines, move_label, mover_name


class ReviewLines(LineBoard):
    """The commands for going through a finished game."""

    help_line = (
        "Press Enter for the next move, or type one of: next, back, start, end, mistake, board, words, rules, "
        "values, why, position, help, quit."
    )

    def __init__(self, match: Match, voice: Voice) -> None:
        super().__init__(match, voice)
        self.path = match.node.path()
        self.at = 0
        self.commands |= {
            "": lambda: self.go_to(self.at + 1),
            "next": lambda: self.go_to(self.at + 1),
            "back": lambda: self.go_to(self.at - 1),
            "start": lambda: self.go_to(0),
            "end": lambda: self.go_to(len(self.path) - 1),
            "mistake": self.find_mistake,
            "why": self.why,
        }

    @property
    def node(self) -> AnyNode:
        return self.path[self.at]

    def run(self, lines: Iterable[str]) -> None:
        count = count_moves(self.path[-1])
        self.write(
            f"{self.game.facts.title}, {count} move{'' if count == 1 else 's'}. Type help for a list of commands."
        )
        if self.session.result is not None:
            self.write(ending_text(self.game, self.session.result))
            self.write_all(figure_lines(self.game, {seat: list_choices_at(self.path, seat) for seat in (0, 1)}))
        self.show()
        self.answer_all(lines, lambda: True)

    def take(self, text: str) -> None:
        """Reject a line that is not a command. No moves are played here."""
        self.write(f"Unknown command '{text}'. {self.help_line}")

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
        self.write_all(self.match.assistance.list_reasons(self.node))

    def allowed_reasons(self, found: Explanation) -> Sequence[str]:
        return found.full

    def find_mistake(self) -> None:
        for place in range(self.at + 1, len(self.path)):
            own = list_own_judgements(self.match.session, self.path[place])
            if any(map(is_bad, own)):
                self.go_to(place)
                return
        self.write("There are no more mistakes.")

    def why(self) -> None:
        if self.node.parent is None:
            self.write("There is no move to explain at the start.")
        else:
            self.explain(self.node.parent, self.node.move)
