"""The original program's protocol: the documented session byte for byte, and one clear line for everything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines.games.pokemon import POKEMON
from onlymove_engines.games.pokemon.analyst import PokemonAnalyst
from onlymove_engines.games.pokemon.live import PokemonLiveAnalyst
from onlymove_engines.games.pokemon.protocol import SeedDialect

POSITION = "xxx/xcB/xxx 222112 1"
BOARD = """\
+---+---+---+
|   |   |   |\x20
+---+---+---+
|   | c | B |\x20
+---+---+---+
|   |   |   |\x20
+---+---+---+
Pieces left:\x20
Player 1: a: 2 b: 2 c: 1
Player 2: A: 2 B: 1 C: 2
Turn: Player 1
Pos: xxx/xcB/xxx 222112 1
"""
SESSION = Path(__file__).parent / "golden" / "session.txt"
"""The documented session of the original program: what it prints for position pos, d, go and go d."""


def dialect(table: PokemonAnalyst | PokemonLiveAnalyst) -> SeedDialect:
    return SeedDialect(table, lambda: 0.0, lambda: False)


def print_replies(speaker: SeedDialect, *lines: str) -> str:
    return "".join(f"{reply}\n" for line in lines for reply in speaker.replies(line))


def test_the_documented_session(table: PokemonAnalyst) -> None:
    speaker = dialect(table)
    assert print_replies(speaker, f"position pos {POSITION}") == f"Setting position with: {POSITION}\n"
    assert print_replies(speaker, "d") == BOARD
    assert print_replies(speaker, "go") == "bestmove (a:0, 0) score 991\n"
    lines = print_replies(speaker, "go d").split("\n")
    assert lines[:2] == ["Score: 991", "Moves:"]
    moves = [line for line in lines if line[:1].isdigit()]
    assert (len(moves), moves[0], moves[1], moves[-1]) == (9, "1. (a:0, 0)", "2. (B:0, 0)", "9. (b:2, 0)")
    assert lines[-3:] == ["Pos: cCb/AcB/bxC 010000 2", "", ""]
    assert lines.count("") == 2, "the empty line comes once, at the end"
    assert len(lines) == 2 + 9 * 13 + 2


def test_the_whole_session_byte_for_byte(table: PokemonAnalyst) -> None:
    output = print_replies(dialect(table), f"position pos {POSITION}", "d", "go", "go d")
    assert output.encode() == SESSION.read_bytes()


def test_the_same_session_without_a_table() -> None:
    output = print_replies(dialect(PokemonLiveAnalyst(POKEMON)), f"position pos {POSITION}", "d", "go", "go d")
    assert output.encode() == SESSION.read_bytes()


def test_the_start_and_a_finished_game(table: PokemonAnalyst) -> None:
    speaker = dialect(table)
    assert print_replies(speaker, "position startpos", "go") == "bestmove (a:0, 0) score 0\n"
    won = "position pos cCb/AcB/bxC 010000 2"
    assert print_replies(speaker, won, "go").splitlines()[1] == "bestmove (none) score -1000"
    assert print_replies(speaker, "go d") == "Score: -1000\nMoves:\n\n"
    stuck = "position pos aBc/cAb/BbC 100001 1"
    assert print_replies(speaker, stuck, "go").splitlines()[1] == "bestmove (none) score 0"


def check_refusal(speaker: SeedDialect, line: str) -> None:
    """Check that the answer is one clear line."""
    output = print_replies(speaker, line)
    assert output.startswith("error: "), output
    assert output.count("\n") == 1, output
    assert output.strip().isprintable(), output


@pytest.mark.parametrize("line", ["go deep", "positions", "quit\x00", "🙂" * 300])
def test_anything_else_gets_one_clear_line_and_changes_nothing(table: PokemonAnalyst, line: str) -> None:
    speaker = dialect(table)
    print_replies(speaker, f"position pos {POSITION}")
    check_refusal(speaker, line)
    assert print_replies(speaker, "d") == BOARD
    assert not speaker.finished
    assert not speaker.handover


@pytest.mark.parametrize(
    "line",
    [
        "position",
        "position pos",
        "position pos nonsense",
        "position pos xxx/xcB/xxx 222112 2",
        "position pos xxx/xxx/xxx 222211 1",
        "position startpos moves a@00",
    ],
)
def test_after_a_refused_position_nothing_is_answered_until_one_is_taken(table: PokemonAnalyst, line: str) -> None:
    speaker = dialect(table)
    print_replies(speaker, f"position pos {POSITION}")
    check_refusal(speaker, line)
    for asked in ("go", "go d", "d"):
        check_refusal(speaker, asked)
    print_replies(speaker, f"position pos {POSITION}")
    assert print_replies(speaker, "go") == "bestmove (a:0, 0) score 991\n"


def test_exit_ends_ugi_switches_protocols_and_blank_lines_are_ignored(table: PokemonAnalyst) -> None:
    speaker = dialect(table)
    assert print_replies(speaker, "", "   ") == ""
    assert print_replies(speaker, "go") == "bestmove (a:0, 0) score 0\n"
    assert print_replies(speaker, "ugi") == ""
    assert speaker.handover
    assert print_replies(speaker, "exit") == ""
    assert speaker.finished
