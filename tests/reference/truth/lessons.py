"""Checks what lessons say: what a task asks for, and what is said after a right and after a wrong answer.

A sentence after a right answer has to be true of every answer that the task accepts, and one after a wrong answer of
every answer that it refuses. Which answers these are is given; everything else is worked out from the position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tests.reference.truth import ayoayo, orbito, pokemon, tobito
from tests.reference.truth.facts import PointsSpot, Spot
from tests.reference.truth.riders import Field, flood

Known: TypeAlias = "Spot | Field"


@dataclass(frozen=True)
class Taught:
    """A task: its position, and the answers that it accepts and refuses. A whole game has no answers."""

    spot: Known
    accepted: Sequence[str]
    refused: Sequence[str]

    @property
    def board(self) -> Spot:
        assert isinstance(self.spot, Spot)
        return self.spot

    @property
    def field(self) -> Field:
        assert isinstance(self.spot, Field)
        return self.spot

    def swap(self) -> Taught:
        """Return a task that accepts what this one refuses."""
        return replace(self, accepted=self.refused, refused=self.accepted)

    def all_right(self, *claims: Callable[[str], bool]) -> bool:
        """Whether all claims are true of every accepted answer."""
        return bool(self.accepted) and all(claim(move) for move in self.accepted for claim in claims)

    def all_wrong(self, *claims: Callable[[str], bool]) -> bool:
        """Whether all claims are true of every refused answer."""
        return bool(self.refused) and all(claim(move) for move in self.refused for claim in claims)

    def wins_at_once(self, move: str) -> bool:
        child = self.board.children[move]
        return child.end is not None and child.end < 0

    def outcome(self, move: str) -> int:
        return self.board.values[move].outcome

    def wins_in(self, plies: int) -> Callable[[str], bool]:
        return lambda move: self.board.values[move][:2] == (1, plies)

    def is_only(self, outcome: int) -> bool:
        """Whether the accepted move is the only one that leads to this result, the best there is."""
        return self.board.outcome == outcome and tuple(self.accepted) == self.board.list_moves_to(outcome)


Claim: TypeAlias = Callable[[Taught], bool]


def claims_nothing(_: Taught) -> bool:
    """Stand for a sentence that says nothing about the position or its moves."""
    return True


def everything(task: Taught) -> bool:
    """Whether every answer is accepted."""
    return bool(task.accepted) and not task.refused


COMMON: Mapping[str, Claim] = {
    "Win in 3 moves: you move, your opponent replies, you win. Play your first move.": lambda t: t.all_right(
        t.wins_in(3)
    ),
    "Find the only move that wins.": lambda t: t.is_only(1),
    "Find the only move that holds the draw.": lambda t: t.is_only(0),
    "Finding such moves is what you train in this app.": claims_nothing,
    "That is how a game is won.": claims_nothing,
    "That is how a game ends.": claims_nothing,
    "Now you know the game.": claims_nothing,
}


# Tobito and Haneto.


def flights(task: Taught) -> Sequence[tobito.Flight]:
    return [tobito.flight(move) for move in task.accepted]


def pieces(task: Taught) -> dict[str, str]:
    assert isinstance(task.spot, tobito.TobitoSpot)
    return task.spot.board


def count_rows(task: Taught, move: str) -> int:
    """Return how many rows nearer to its goal a move brings a pawn."""
    assert isinstance(task.spot, tobito.TobitoSpot)
    return tobito.count_rows_gained(task.spot, move)


def count_arrived(task: Taught) -> int:
    """Return how many pawns of Top stand in its goal row, at the bottom."""
    return sum(piece == "T" and cell[1] == "1" for cell, piece in pieces(task).items())


def arrives(move: str) -> bool:
    return tobito.flight(move).landing[1] == "1"


def is_step(move: str) -> bool:
    return not tobito.flight(move).way


def jumps(cell: str) -> Callable[[str], bool]:
    return lambda move: cell in tobito.flight(move).way


def sends_home(count: int) -> Callable[[str], bool]:
    return lambda move: [cell[1] for cell in tobito.flight(move).pawns] == ["1"] * count


def begins(*cells: str) -> Callable[[str], bool]:
    """Whether a move begins with these cells."""
    return lambda move: tobito.flight(move)[: len(cells)] == cells


def stays(task: Taught) -> Callable[[str], bool]:
    """Whether neither side can move the pawn again that just moved."""

    def is_fixed(move: str) -> bool:
        cell, child = tobito.flight(move).landing, task.board.children[move]
        later = [child, *child.children.values()]
        return not any(
            tobito.flight(m).origin == cell or cell in tobito.flight(m).way for s in later for m in s.children
        )

    return is_fixed


def leaves_win_at_once(task: Taught) -> Callable[[str], bool]:
    """Whether the side that moved can win at once after every reply."""

    def is_sure(move: str) -> bool:
        after = task.board.children[move].children.values()
        return bool(after) and all(any((c.end or 0) < 0 for c in spot.children.values()) for spot in after)

    return is_sure


def is_not_jumped(task: Taught) -> Callable[[str], bool]:
    """Whether no reply jumps over the pawn that moved."""
    return lambda move: (
        not any(jumps(tobito.flight(move).landing)(reply) for reply in task.board.children[move].children)
    )


def every_first_move_leaves_home(task: Taught) -> bool:
    game = task.board.game
    moves = [tobito.flight(move) for move, _ in game.moves(game.parse(game.start))]
    return everything(task) and all(move.origin[1] == "5" != move.landing[1] for move in moves)


def has_last_pawn_on_a2(task: Taught) -> bool:
    is_last = pieces(task)["a2"] == "T" and count_arrived(task) == 2
    return (
        is_last
        and task.all_right(lambda m: begins("a2")(m) and arrives(m))
        and not any(map(task.wins_at_once, task.refused))
    )


def jumps_own_pawns_from_a5(task: Taught) -> bool:
    board = pieces(task)
    return task.all_right(begins("a5")) and all(
        len(flight.way) == 2 and {board[cell] for cell in flight.way} == {"T"} for flight in flights(task)
    )


def keeps_others_in_place(task: Taught) -> bool:
    board = pieces(task)
    return task.all_right(lambda m: count_rows(task, m) == 3) and all(
        piece == pieces(replace(task, spot=task.board.children[move])).get(cell)
        for move in task.accepted
        for cell, piece in board.items()
        if cell not in tobito.flight(move)[:2]
    )


def c4_cannot_go_home(task: Taught) -> bool:
    board = pieces(task)
    would_be = {**board, "c4": ".", "c5": board["c4"]}
    is_full = all(would_be[cell] != "." for cell in ("a5", "b5", "c5"))
    return everything(task) and board["c4"] == "T" and is_full and "c4c5" not in task.board.children


def goes_down_away_from_c2(task: Taught) -> bool:
    is_so = task.all_right(lambda m: tobito.flight(m).landing[0] == "a", lambda m: count_rows(task, m) > 0)
    return is_so and task.all_wrong(lambda m: not task.wins_in(3)(m))


TOBITO: Mapping[str, Claim] = {
    "Move a pawn: pick it, then the cell where it lands.": everything,
    "Win at once: bring your last pawn to the goal row.": lambda t: t.all_right(t.wins_at_once, arrives),
    "Jump over your own pawns with the one on a5.": jumps_own_pawns_from_a5,
    "Jump over the pawn on b3, then put that pawn on any marked cell.": lambda t: (
        pieces(t)["b3"] == "B" and t.all_right(jumps("b3")) and t.all_wrong(lambda m: not jumps("b3")(m))
    ),
    "Jump the pawn on b3 and put it back in its home row, at the bottom.": lambda t: t.all_right(
        jumps("b3"), sends_home(1)
    ),
    "Jump two pawns in one move and send both of them home.": lambda t: t.all_right(sends_home(2)),
    "Bring one more pawn into the bottom row, where it is safe.": lambda t: t.all_right(arrives, stays(t)),
    "Moving c4 back to c5 would fill your home row. Make another move.": c4_cannot_go_home,
    "Jump over the neutral pawn and put it on a marked cell.": lambda t: all(
        flight.neutral and pieces(t)[next(c for c in flight.way)] == "N" for flight in flights(t)
    ),
    "Jump a pawn and send it back to its home row, at the bottom.": lambda t: t.all_right(sends_home(1)),
    "Two of your pawns have arrived. Win this game.": lambda t: count_arrived(t) == 2 and t.board.outcome == 1,
    "Play a whole game: get your three pawns to the bottom row.": lambda t: t.board.text == t.board.game.start,
    "That was a step: the next cell in that direction was empty.": lambda t: t.all_right(is_step),
    "Three pawns in the goal row: that wins.": lambda t: count_arrived(t) == 2 and t.all_right(arrives, t.wins_at_once),
    "Three rows in one move. Your own pawns stay where they are.": keeps_others_in_place,
    "You decide where a jumped pawn goes. That is the heart of the game.": lambda t: (
        len({f.pawns for f in flights(t)}) > 1
    ),
    "Now it has to start all over again.": lambda t: t.all_right(sends_home(1)),
    "Two pawns sent home, and yours has arrived.": lambda t: t.all_right(sends_home(2), arrives),
    "Safe: it stays there for the rest of the game.": lambda t: t.all_right(arrives, stays(t)),
    "The first move of every game has to leave home for the same reason.": every_first_move_leaves_home,
    "Whatever your opponent does now, your last pawn gets through.": lambda t: t.all_right(leaves_win_at_once(t)),
    "Every other move loses here. Finding such moves is what you train in this app.": lambda t: t.all_wrong(
        lambda m: t.outcome(m) == -1
    ),
    "No other move wins here. Finding such moves is what you train in this app.": lambda t: t.all_wrong(
        lambda m: t.outcome(m) < 1
    ),
    "It can help either side: both of you may jump over it.": lambda t: t.all_right(
        lambda m: tobito.flight(m).neutral is not None
    ),
    "Your pawn on a2 is the last one. Move it into the bottom row.": has_last_pawn_on_a2,
    "Pick the pawn on a5, then a2: straight down over the other two.": lambda t: t.all_right(begins("a5", "a2")),
    "Pick b4, then b2, then a marked cell for the pawn that you jumped.": lambda t: t.all_right(begins("b4", "b2")),
    "Pick b4, then b2, then c1: the free cell of the bottom row.": lambda t: list(t.accepted) == ["b4b2+c1"],
    "Fly from a4 straight down to a1, then put both pawns in the bottom row.": lambda t: t.all_right(
        begins("a4", "a1"), sends_home(2)
    ),
    "That pawn is not in the bottom row yet. From a2 you can step into it.": lambda t: (
        t.all_wrong(lambda m: not arrives(m)) and any(begins("a2")(m) and is_step(m) for m in t.accepted)
    ),
    "That does not win in 3 moves. Go down on the side away from c2.": goes_down_away_from_c2,
    "That loses. Step down to a cell where your opponent cannot jump over you.": lambda t: (
        t.all_wrong(lambda m: t.outcome(m) == -1) and t.all_right(is_step, is_not_jumped(t))
    ),
    "Pick b4, then b2, then a marked cell between the two home rows.": lambda t: t.all_right(
        begins("b4", "b2"), lambda m: tobito.neutral_row(m) in "234"
    ),
    "Fly from a4 over b3 to c2, then put the pawn on b1.": lambda t: list(t.accepted) == ["a4c2+b1"],
    "That does not win in 3 moves. Jump over c3, and put the pawn out of your way.": lambda t: (
        t.all_wrong(lambda m: not t.wins_in(3)(m)) and t.all_right(jumps("c3"))
    ),
    "That move does not win. Your pawn on b4 has one way that works.": lambda t: (
        t.all_wrong(lambda m: t.outcome(m) < 1) and len(t.accepted) == 1 and t.all_right(begins("b4"))
    ),
}


# Orbito.


def orbito_spot(task: Taught) -> orbito.OrbitoSpot:
    assert isinstance(task.spot, orbito.OrbitoSpot)
    return task.spot


def pushes(move: str) -> bool:
    return len(orbito.cells(move)) > 1


def makes_line(task: Taught, side: str) -> Callable[[str], bool]:
    return lambda move: bool(orbito_spot(task).lines_after(move, side))


def has_no_line_before_shift(task: Taught) -> Callable[[str], bool]:
    def is_so(move: str) -> bool:
        board = {**orbito_spot(task).board, orbito.cells(move)[-1]: "White"}
        return not any(all(board.get(cell) == "White" for cell in line) for line in orbito.LINES.values())

    return is_so


def shifts_into_line(task: Taught) -> Callable[[str], bool]:
    """Whether the new marble ends in a line that the move makes."""

    def is_so(move: str) -> bool:
        lines = orbito_spot(task).lines_after(move, "White")
        return any(orbito.ONWARD[orbito.cells(move)[-1]] in orbito.LINES[line] for line in lines)

    return is_so


def shifts_to_its_end(task: Taught) -> Callable[[str], bool]:
    """Whether the new marble ends at an end of the row that the move makes."""

    def is_so(move: str) -> bool:
        end = orbito.ONWARD[orbito.cells(move)[-1]]
        return any(
            line.startswith("row") and end in orbito.LINES[line] and end[0] in "ad"
            for line in orbito_spot(task).lines_after(move, "White")
        )

    return is_so


ORBITO: Mapping[str, Claim] = {
    "Place a white marble on any cell and watch the shift.": lambda t: everything(t) and t.board.side == "White",
    "Four in a row after the shift wins: across, down or diagonal. Win at once.": lambda t: t.all_right(t.wins_at_once),
    "Move a black marble to a free cell beside it, then place your own.": lambda t: (
        t.board.other == "Black" and t.all_right(pushes) and t.all_wrong(lambda m: not pushes(m))
    ),
    "Win at once: move a black marble away and place yours where it was.": lambda t: t.all_right(
        t.wins_at_once, pushes, lambda m: orbito.cells(m)[0] == orbito.cells(m)[-1]
    ),
    "Win at once by placing one marble.": lambda t: t.all_right(t.wins_at_once, lambda m: not pushes(m)),
    "The shift can finish a black row, too. Make a move that avoids it.": lambda t: (
        t.all_wrong(makes_line(t, "Black")) and t.all_right(lambda m: not makes_line(t, "Black")(m))
    ),
    "The board is nearly full. Find the only move that wins.": lambda t: (
        len(orbito_spot(t).board) >= 12 and t.is_only(1)
    ),
    "Play a whole game: get four white marbles in a row after the shift.": lambda t: t.board.text == t.board.game.start,
    "The new marble goes one step along its ring, as all marbles do.": lambda t: (
        t.all_right(
            lambda m: (
                orbito_spot(replace(t, spot=t.board.children[m])).board[orbito.ONWARD[orbito.cells(m)[-1]]] == "White"
            )
        )
        and everything(t)
    ),
    "Four white marbles stand in one line after the shift.": lambda t: t.all_right(makes_line(t, "White")),
    "You may do that on your turn, but you never have to.": lambda t: t.all_right(pushes) and bool(t.refused),
    "You may place your marble on the cell that has just become free.": lambda t: t.all_right(
        pushes, lambda m: orbito.cells(m)[0] == orbito.cells(m)[-1]
    ),
    "There is no row before the shift. The shift makes it.": lambda t: t.all_right(
        has_no_line_before_shift(t), makes_line(t, "White")
    ),
    "After this move the shift makes no black row.": lambda t: t.all_right(lambda m: not makes_line(t, "Black")(m)),
    "No other move wins here: what counts is how the full board shifts.": lambda t: t.all_wrong(
        lambda m: t.outcome(m) < 1
    ),
    "Every other move loses.": lambda t: t.all_wrong(lambda m: t.outcome(m) == -1),
    "Only the board after the shift counts. Press {overlay} to see where the marbles go.": lambda t: t.all_wrong(
        lambda m: not makes_line(t, "White")(m)
    ),
    "Pick a black marble, then the cell it goes to, then a cell for your own.": lambda t: t.all_wrong(
        lambda m: not pushes(m)
    ),
    "Your marble shifts too: place it one step before the end of the row.": lambda t: t.all_right(shifts_to_its_end(t)),
    "Place it one step before the cell where you need it.": lambda t: t.all_right(shifts_into_line(t)),
    "The shift lined up four marbles. First move one of the black ones aside.": lambda t: (
        t.all_wrong(makes_line(t, "Black")) and t.all_right(pushes)
    ),
    "That does not win. Think of the full board, and how it will shift.": lambda t: t.all_wrong(
        lambda m: t.outcome(m) < 1
    ),
    "That lets the win slip. Press {overlay}, and look for the rows that Black can make.": lambda t: t.all_wrong(
        lambda m: t.outcome(m) < 1
    ),
    "That loses: Black can now force four in a row.": lambda t: t.all_wrong(lambda m: t.outcome(m) == -1),
}


# Pokémon Tic-Tac-Toe.


def pokemon_spot(task: Taught) -> pokemon.PokemonSpot:
    assert isinstance(task.spot, pokemon.PokemonSpot)
    return task.spot


def puts(size: str = "", at: str = "") -> Callable[[str], bool]:
    return lambda move: size in ("", pokemon.size(move)) and at in ("", pokemon.cell(move))


def covers(task: Taught, piece: str = "ABC") -> Callable[[str], bool]:
    """Whether a move covers one of these pieces."""
    return lambda move: pokemon_spot(task).board[pokemon.cell(move)] in list(piece)


def completes(task: Taught, *names: str) -> Callable[[str], bool]:
    """Whether a move completes a line with one of these words in its name."""
    return lambda move: any(name in line for line in pokemon_spot(task).lines_after(move, "Squirtle") for name in names)


def count_turtles(task: Taught, line: str) -> int:
    return len(pokemon.LINES[line] & pokemon_spot(task).list_cells_of("Squirtle"))


def count_dragons(task: Taught, line: str) -> int:
    return len(pokemon.LINES[line] & pokemon_spot(task).list_cells_of("Charmander"))


def loses_to_line(task: Taught, name: str) -> Callable[[str], bool]:
    """Whether a reply wins at once with a line that has this word in its name."""

    def is_so(move: str) -> bool:
        child = task.board.children[move]
        assert isinstance(child, pokemon.PokemonSpot)
        return any(name in line for reply in child.children for line in child.lines_after(reply, "Charmander"))

    return is_so


def threatens(task: Taught, line: str) -> Callable[[str], bool]:
    """Whether a move leaves two turtles in a line, so that the third wins after a reply elsewhere."""

    def is_so(move: str) -> bool:
        child = task.board.children[move]
        assert isinstance(child, pokemon.PokemonSpot)
        return len(pokemon.LINES[line] & child.list_cells_of("Squirtle")) == 2

    return is_so


def loses_in_the_middle(task: Taught) -> bool:
    """Whether every piece put into the middle is covered by a reply that wins."""

    def is_covered(move: str) -> bool:
        child = task.board.children[move]
        return any(pokemon.cell(reply) == "B2" and (to.end or 0) < 0 for reply, to in child.children.items())

    middle = pokemon_spot(task).list_moves_on("B2")
    return bool(middle) and all(map(is_covered, middle))


POKEMON: Mapping[str, Claim] = {
    "Put a small turtle on the board: pick the small one, then any cell.": lambda t: (
        t.all_right(puts("small")) and t.all_wrong(lambda m: not puts("small")(m))
    ),
    "Three visible turtles in a line win. Win at once.": lambda t: t.all_right(t.wins_at_once),
    "Cover the medium dragon in the middle with a large turtle.": lambda t: t.all_right(
        puts("large", "B2"), covers(t, "B")
    ),
    "Win at once by covering a dragon.": lambda t: t.all_right(t.wins_at_once, covers(t)),
    "Stop the dragons in the middle column with the only move that wins.": lambda t: (
        t.is_only(1)
        and count_dragons(t, "column B") == 2
        and t.all_right(lambda m: not loses_to_line(t, "column B")(m))
    ),
    "Stop the dragons' diagonal with the only move that holds the draw.": lambda t: (
        t.is_only(0) and t.all_right(lambda m: not loses_to_line(t, "diagonal")(m))
    ),
    "You are winning. Finish the game.": lambda t: t.board.outcome == 1,
    "Play a whole game: get three visible turtles in a line.": lambda t: t.board.text == t.board.game.start,
    "Now your opponent would place a dragon.": lambda t: (
        t.board.other == "Charmander" and t.all_right(lambda m: t.board.children[m].end is None, puts("small"))
    ),
    "Three in a column. The sizes do not matter.": lambda t: t.all_right(completes(t, "column")),
    "The dragon is gone for good, and the cell is yours.": lambda t: t.all_right(covers(t)),
    "One move takes their piece away and completes your line.": lambda t: t.all_right(
        covers(t), completes(t, "row", "column", "diagonal")
    ),
    "It stops the line, and the cell in the middle becomes yours.": lambda t: t.all_right(
        puts(at="B2"), lambda m: not loses_to_line(t, "column B")(m)
    ),
    "The small dragon is gone. In the middle they would have covered your piece.": lambda t: (
        t.all_right(covers(t, "A")) and loses_in_the_middle(t)
    ),
    "It stops the dragons' diagonal and threatens the bottom row.": lambda t: (
        t.all_right(lambda m: not loses_to_line(t, "diagonal")(m), threatens(t, "row 3"))
        and t.all_wrong(loses_to_line(t, "diagonal"))
    ),
    "That completes your diagonal.": lambda t: t.all_right(completes(t, "diagonal")),
    "That turtle is larger. Pick the small one first, then any cell.": lambda t: (
        t.all_wrong(lambda m: not puts("small")(m)) and t.all_right(puts("small"))
    ),
    "Two turtles stand in the middle column already. Add the third.": lambda t: (
        count_turtles(t, "column B") == 2 and t.all_right(completes(t, "column B"))
    ),
    "Pick your large piece, then the cell in the middle.": lambda t: t.all_right(puts("large", "B2")),
    "The middle row needs one more turtle, and a large one covers the dragon there.": lambda t: (
        count_turtles(t, "row 2") == 2 and t.all_right(puts("large"), covers(t), completes(t, "row 2"))
    ),
    "That does not win. Cover the medium dragon with a large turtle instead.": lambda t: (
        t.all_wrong(lambda m: t.outcome(m) < 1) and t.all_right(puts("large"), covers(t, "B"))
    ),
    "A dragon still completes the diagonal. Cover the small dragon instead.": lambda t: (
        t.all_wrong(loses_to_line(t, "diagonal")) and t.all_right(covers(t, "A"))
    ),
    "Look at what the large dragons threaten, then block with a large turtle.": lambda t: (
        t.all_right(puts("large")) and t.all_wrong(lambda m: t.outcome(m) == -1)
    ),
    "Two turtles stand in opposite corners. Which cell lies between them?": lambda t: (
        any(count_turtles(t, line) == 2 for line in pokemon.LINES if "diagonal" in line) and t.all_right(puts(at="B2"))
    ),
}


# Ayòayò.


def points_spot(task: Taught) -> PointsSpot:
    assert isinstance(task.spot, PointsSpot)
    return task.spot


def captures(task: Taught, own: int, given: int | None = None) -> Callable[[str], bool]:
    """Whether a move captures so many seeds for the side that plays it, and for the other."""

    def is_so(move: str) -> bool:
        sown = ayoayo.sow(points_spot(task), move)
        return sown.own == own and given in (None, sown.given)

    return is_so


def relays(task: Taught) -> Callable[[str], bool]:
    return lambda move: ayoayo.sow(points_spot(task), move).relays > 0


def taken(task: Taught) -> int:
    """Return how many seeds the side to move has captured."""
    return int(task.board.position[1][task.board.mover])


def seeds(task: Taught) -> Sequence[int]:
    """Return the seeds in the pits, those of the first player first."""
    return [int(count) for count in task.board.position[0]]


def only_moves_seeds(task: Taught) -> Callable[[str], bool]:
    """Whether a sowing puts one seed into each of the next pits, and does nothing else."""

    def is_so(move: str) -> bool:
        pits, pit = list(seeds(task)), 6 - int(move)
        hand, pits[pit] = pits[pit], 0
        for step in range(1, hand + 1):
            pits[(pit + step) % 12] += 1
        return pits == seeds(replace(task, spot=task.board.children[move]))

    return is_so


def loses_three(task: Taught) -> Callable[[str], bool]:
    """Whether a reply puts a fourth seed into a pit of the mover that has three, and captures them."""

    def is_so(move: str) -> bool:
        child = task.board.children[move]
        three = 3 in seeds(replace(task, spot=child))[:6]
        return three and any(captures(replace(task, spot=child), 4)(reply) for reply in child.children)

    return is_so


def ends_beyond_half(task: Taught) -> Callable[[str], bool]:
    return lambda move: taken(task) + ayoayo.sow(points_spot(task), move).own > 24


AYOAYO: Mapping[str, Claim] = {
    "Sow from any pit in your row.": everything,
    "If your last seed joins others, you go on with all of them: a relay. Try it.": lambda t: t.all_right(relays(t)),
    "Capture four seeds, and let your opponent capture none.": lambda t: t.all_right(captures(t, 4, 0)),
    "Capture four seeds with your last seed or in your own row.": lambda t: t.all_right(captures(t, 4)),
    "You have 20 seeds and need five more. Win at once.": lambda t: taken(t) == 20 and t.all_right(t.wins_at_once),
    "You have 24 seeds. One more capture wins at once.": lambda t: taken(t) == 24 and t.all_right(t.wins_at_once),
    "Your opponent threatens your three seeds. Find the only move that wins.": lambda t: (
        3 in seeds(t)[:6] and t.is_only(1) and t.all_wrong(loses_three(t))
    ),
    "You are ahead. Play this game to its end.": lambda t: points_spot(t).lead > 0,
    "Play a whole game: capture more seeds than your opponent.": lambda t: t.board.text == t.board.game.start,
    "The seeds go anticlockwise, one into each of the next pits.": lambda t: (
        everything(t) and t.all_right(only_moves_seeds(t))
    ),
    "That is a relay. It ends when a last seed captures or finds an empty pit.": lambda t: t.all_right(relays(t)),
    "A pit with three seeds is loaded: the next seed there makes four.": lambda t: (
        3 in seeds(t) and t.all_right(captures(t, 4))
    ),
    "Those four seeds go to you. More than 24 seeds win at once.": lambda t: t.all_right(captures(t, 4)),
    "That is more than half of all seeds, so it wins.": lambda t: t.all_right(ends_beyond_half(t), t.wins_at_once),
    "That is the last capture you need.": lambda t: t.all_right(ends_beyond_half(t), t.wins_at_once),
    "It captures four, and your opponent cannot catch up.": lambda t: t.all_right(
        captures(t, 4), lambda m: t.outcome(m) == 1
    ),
    "Every other move loses them. Finding such moves is what you train in this app.": lambda t: t.all_wrong(
        loses_three(t)
    ),
    "That was not a relay. Find a pit whose last seed joins others.": lambda t: t.all_wrong(lambda m: not relays(t)(m)),
    "Not quite. The preview ({overlay}) shows who would capture what.": lambda t: t.all_wrong(
        lambda m: not captures(t, 4, 0)(m)
    ),
    "You capture nothing there. Look for a pit that can get its fourth seed.": lambda t: t.all_wrong(captures(t, 0)),
    "That is not enough for more than 24. One pit captures twice.": lambda t: (
        t.all_wrong(lambda m: not ends_beyond_half(t)(m)) and t.all_right(captures(t, 8)) and len(t.accepted) == 1
    ),
    "That captures nothing. Which pit reaches one with three seeds?": lambda t: (
        3 in seeds(t) and t.all_wrong(captures(t, 0))
    ),
    "That captures nothing and gives the win away. Look for a pit with three seeds.": lambda t: (
        3 in seeds(t) and t.all_wrong(captures(t, 0), lambda m: t.outcome(m) < 1)
    ),
    "Now your opponent adds a fourth seed to your three and captures all four.": lambda t: t.all_wrong(loses_three(t)),
}


# Light Riders. The rider that learns is the first.

NAMES = {"u": "up", "d": "down", "l": "left", "r": "right", "x": "a crash"}


def is_sound(task: Taught) -> Callable[[str], bool]:
    return lambda step: step in task.field.sound


def count_reach(task: Taught) -> Callable[[str], int]:
    return lambda step: len(task.field.reach(NAMES[step])) + 1


def can_meet(task: Taught) -> Callable[[str], bool]:
    """Whether the other rider can enter the same cell."""
    cell = task.field.step_onto
    replies = {cell(reply, 1) for reply in task.field.steps(1)}
    return lambda step: cell(NAMES[step], 0) in replies


def are_apart(task: Taught) -> bool:
    """Whether no cell can be reached by both riders."""
    own, theirs = task.field.steps(0), task.field.steps(1)
    return all(task.field.find_separate_cells(a, b) is not None for a in own for b in theirs)


def keeps_space_whole(task: Taught) -> Callable[[str], bool]:
    """Whether all cells that the rider can reach after a step are still connected without the cell that it is on."""

    def is_whole(step: str) -> bool:
        cells = task.field.reach(NAMES[step])
        first = next(iter(cells))
        return len(flood(cells - {first}, first)) == len(cells) - 1

    return is_whole


def is_left_of_the_other(task: Taught) -> bool:
    heads = {sign: spot for spot, sign in task.field.cells.items() if sign in "01"}
    return heads["0"][0] < heads["1"][0]


RIDERS: Mapping[str, Claim] = {
    "Steer your rider, the one on the left: press an arrow key.": lambda t: everything(t) and is_left_of_the_other(t),
    "The first rider to hit a wall or the edge loses. Stay out of the dead end.": lambda t: t.all_right(is_sound(t)),
    "Your opponent may enter the cell between you. Choose a step that is safe.": lambda t: (
        t.all_right(lambda m: not can_meet(t)(m)) and t.all_wrong(can_meet(t))
    ),
    "You can go two ways. Take the one that leads into the larger space.": lambda t: (
        len(t.field.shares) == 2 and min(map(count_reach(t), t.accepted)) > max(map(count_reach(t), t.refused))
    ),
    "One of your two steps leads into a pocket. Find the other one.": lambda t: (
        len(t.field.shares) == 2 and min(map(count_reach(t), t.accepted)) > max(map(count_reach(t), t.refused))
    ),
    "Head for the open middle: find a step that is not a mistake.": lambda t: t.all_right(is_sound(t)),
    "You are walled off. Choose a step that does not cut your space in two.": lambda t: (
        are_apart(t) and t.all_right(keeps_space_whole(t))
    ),
    "Play on a small field: stay alive longer than your opponent.": claims_nothing,
    "Both riders moved at once, and the cells they left are walls now.": lambda t: (
        everything(t) and not any(map(can_meet(t), t.accepted))
    ),
    "This way you last longer than your opponent.": lambda t: t.field.worth == 1 and t.all_right(is_sound(t)),
    "Whatever your opponent does, the game goes on.": lambda t: t.all_right(lambda m: not can_meet(t)(m)),
    "There you have more cells than your opponent, so you last longer.": lambda t: (
        t.field.worth == 1 and t.all_right(is_sound(t))
    ),
    "You win from there: your opponent runs out of cells first.": lambda t: (
        t.field.worth == 1 and t.all_right(is_sound(t))
    ),
    "From there you can hold at least a draw, whatever the counts of cells say.": lambda t: (
        t.field.is_proven and t.field.worth >= 0 and t.all_right(is_sound(t))
    ),
    "If you fill your space cell by cell, you last longest.": lambda t: t.all_right(is_sound(t), keeps_space_whole(t)),
    "Now you know the game. The usual field is larger, 16 by 16.": claims_nothing,
    "There is only one free cell on that side. You would crash first.": lambda t: t.all_wrong(
        lambda m: count_reach(t)(m) == 1, lambda m: not is_sound(t)(m)
    ),
    "Your opponent can enter that cell too, and then both of you crash.": lambda t: t.all_wrong(can_meet(t)),
    "That space is smaller. Count the free cells above and below you.": lambda t: (
        max(map(count_reach(t), t.refused)) < min(map(count_reach(t), t.accepted))
        and {*t.accepted, *t.refused} == {"u", "d"}
    ),
    "That is a pocket of two cells, and you would not get out of it.": lambda t: t.all_wrong(
        lambda m: count_reach(t)(m) == 2
    ),
    "That leaves the larger part of the field to your opponent.": lambda t: t.all_wrong(
        lambda m: not is_sound(t)(m), lambda m: t.field.first_at(NAMES[m], None) < len(t.field.empty) / 2
    ),
    "That splits your space in two, and you can fill only one part.": lambda t: t.all_wrong(
        lambda m: not keeps_space_whole(t)(m)
    ),
}

CLAIMS: Mapping[str, Mapping[str, Claim]] = {
    "tobito": {**COMMON, **TOBITO},
    "haneto": {**COMMON, **TOBITO},
    "orbito": {**COMMON, **ORBITO},
    "pokemon": {**COMMON, **POKEMON},
    "ayoayo": {**COMMON, **AYOAYO},
    "lightriders": {**COMMON, **RIDERS},
}
"""What each sentence of a game's lessons claims."""
