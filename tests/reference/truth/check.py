"""Checks every sentence that is printed about a position or a move, and collects the false ones. It takes the position,
the move and the sentences as text, and a function that knows the values of positions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from types import ModuleType

from tests.reference.plain_rules import GAMES
from tests.reference.truth import ayoayo, common, orbito, pokemon, riders, tobito
from tests.reference.truth.facts import NoSuchMove, Probe, Spot, World
from tests.reference.truth.kinds import Hinted, Judged, Language, NotUnderstood
from tests.reference.truth.riders import Field, Steered

BOARDS: dict[str, tuple[ModuleType, type[Spot]]] = {
    "tobito": (tobito, tobito.TobitoSpot),
    "haneto": (tobito, tobito.TobitoSpot),
    "orbito": (orbito, orbito.OrbitoSpot),
    "pokemon": (pokemon, pokemon.PokemonSpot),
    "ayoayo": (ayoayo, ayoayo.AyoayoSpot),
}
SHOWN = re.compile(r"(?P<moves>[^:]+): (?P<worth>(?:win|draw|loss)[^,.]*)(?:, (?P<words>.+))?\.")
"""Matches moves in the last stage of a hint: `b3, c4: win in 5 moves, a step.`"""
ROW = re.compile(r"(?:[1-9 ] )?(?P<move>\S+) +(?P<worth>[WLD]\d*|[+-]\d+|0|won|lost)(?: +(?P<words>\S.*?))? *")
"""Matches the same beside a board: `1 b3 W5  a step`."""
SHARES = re.compile(r"(?P<steps>[udlrx](?:, [udlrx])*): (?P<words>.+)\.")
SHARE = re.compile(r"(?:[1-9 ] )?(?P<steps>[udlrx]) +(?P<words>\S.*?) *")
"""Matches a step of a mix in the same way."""


@dataclass(frozen=True)
class Page:
    """All that is printed about a position. `moves` has the groups of sentences about each move. `stages` are the
    stages of a hint in lines, and `rows` the moves of its last stage as shown beside a board."""

    position: str
    moves: Mapping[str, Collection[Sequence[str]]]
    stages: Sequence[Sequence[str]]
    rows: Sequence[str]


@dataclass
class Told:
    """The number of sentences of each kind, and the sentences that are false or not understood, each with its place."""

    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def check(self, language: Language, subject: object, sentence: str, where: str, line: str = "") -> None:
        """Check a sentence, or words in a longer line."""
        try:
            self.kinds[language.find_kind(sentence)[0].pattern] += 1
            if not language.is_true(subject, sentence):
                self.fault(where, f"false: {line or sentence}")
        except NotUnderstood as why:
            self.fault(where, str(why))

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")


class BoardChecker(Told):
    """Checks what is printed about a game in which the sides take turns."""

    def __init__(self, game_id: str, probe: Probe) -> None:
        super().__init__()
        module, self.spots = BOARDS[game_id]
        self.world = World(GAMES[game_id], module.SIDES, probe)
        self.moves = Language(module.WORDS, [*common.MOVES, *module.MOVES])
        self.hints = Language(module.WORDS, [*common.HINTS, *module.HINTS])
        self.remarks = Language(module.WORDS, [*common.REMARKS, *module.REMARKS])

    def spot(self, position: str) -> Spot:
        """Return the position with this text."""
        return self.spots(self.world, self.world.game.parse(position))

    def check_page(self, page: Page) -> None:
        spot = self.spot(page.position)
        for move, answers in page.moves.items():
            for sentences in answers:
                self.check_move(spot, move, sentences)
        self.check_hint(spot, page.stages)
        self.check_rows(spot, page.rows)

    def begin_at(self, position: str, probe: Probe) -> BoardChecker:
        """Return a checker for a game that begins at this position and is over if the position occurs again."""
        checker = copy(self)
        checker.kinds, checker.faults = Counter(), []
        checker.world = replace(self.world, probe=probe, closed=frozenset({self.world.game.parse(position)}))
        return checker

    def check_move(self, spot: Spot, move: str, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self.check(self.moves, Judged(spot, move), sentence, f"{spot.text} {move}")

    def check_hint(self, spot: Spot, stages: Sequence[Sequence[str]]) -> None:
        """Check all stages of a hint, as printed in lines."""
        found = [SHOWN.fullmatch(line) for line in stages[-1]]
        shown = [move for line in found if line for move in self.find_moves(spot, line[0], line["moves"].split(", "))]
        self.check_best(spot, shown)
        if not all(stages):
            self.fault(spot.text, "a stage of the hint says nothing")
        for line in (line for stage in stages for line in stage):
            if last := SHOWN.fullmatch(line):
                for move in self.find_moves(spot, line, last["moves"].split(", ")):
                    self.check_shown(spot, line, move, last["worth"], last["words"])
            else:
                self.check(self.hints, Hinted(spot, shown), line, spot.text)

    def check_rows(self, spot: Spot, rows: Sequence[str]) -> None:
        """Check the moves of the last stage, as shown beside a board."""
        shown: list[str] = []
        for row in rows:
            if (found := ROW.fullmatch(row)) is None:
                self.fault(spot.text, f"not understood: {row}")
                continue
            for move in self.find_moves(spot, row, [found["move"]]):
                shown.append(move)
                self.check_shown(spot, row, move, found["worth"], found["words"])
        self.check_best(spot, shown)

    def find_moves(self, spot: Spot, line: str, printed: Sequence[str]) -> list[str]:
        """Return the moves that a line names."""
        moves = []
        for text in printed:
            try:
                moves.append(spot.find_move(text))
            except NoSuchMove:
                self.fault(spot.text, f"{text} is no move: {line}")
        return moves

    def check_shown(self, spot: Spot, line: str, move: str, worth: str, words: str | None) -> None:
        """Check the value of a move and the words after it."""
        self.kinds["what a move is worth"] += 1
        if not common.is_move_worth(spot, move, worth):
            self.fault(spot.text, f"{move} is worth {spot.values[move]}: {line}")
        if words:
            self.check(self.remarks, Judged(spot, move), words, f"{spot.text} {move}", line)

    def check_best(self, spot: Spot, shown: Sequence[str]) -> None:
        """Check that exactly the best moves are shown, each once."""
        if len(set(shown)) != len(shown) or not spot.may_show(shown):
            self.fault(spot.text, f"the best moves are {', '.join(spot.best)}, not {', '.join(shown)}")


class RidersChecker(Told):
    """Checks what is printed about Light Riders."""

    def __init__(self) -> None:
        super().__init__()
        self.moves = Language(riders.WORDS, riders.MOVES)
        self.hints = Language(riders.WORDS, riders.HINTS)
        self.remarks = Language(riders.WORDS, riders.REMARKS)

    def check_page(self, field: Field, page: Page) -> None:
        for step, answers in page.moves.items():
            for sentences in answers:
                self.check_move(field, step, sentences)
        self.check_hint(field, page.stages)
        self.check_hint(field, [page.rows])

    def check_move(self, field: Field, step: str, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self.check(self.moves, Steered(field, step), sentence, f"{field.text} {field.seat} {step}")

    def check_hint(self, field: Field, stages: Sequence[Sequence[str]]) -> None:
        """Check all stages of a hint, as printed in lines. The steps of the last stage may also be as shown beside a
        field."""
        where = f"{field.text} {field.seat}"
        for lines in stages:
            shown: list[str] = []
            for line in lines:
                if (found := SHARES.fullmatch(line) or SHARE.fullmatch(line)) is None:
                    self.check(self.hints, field, line, where)
                    continue
                for step in found["steps"].split(", "):
                    shown.append(step)
                    self.check(
                        self.remarks, Steered(field, step), re.sub(" +", " ", found["words"]), f"{where} {step}", line
                    )
            if shown and Counter(shown) != Counter(field.sound):
                self.fault(where, f"sound are {sorted(field.sound)}, not {shown}")
