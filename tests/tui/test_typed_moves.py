"""What people type as a move is read forgivingly. Where a text has to be exact, the error names the right spelling."""

from __future__ import annotations

from pathlib import Path

import onlymove
import pytest
from onlymove_engines import games
from onlymove_engines.core.errors import BadNotation, OnlymoveError
from onlymove_engines.core.facts import Facts
from onlymove_engines.games import list_games
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.typed import read_position, read_typed
from onlymove_engines.records.record import BadRecord, parse_records
from onlymove_tui.cli import run

from tests.commands import give_input


def read(game_id: str, text: str, names_near: bool = False) -> str:
    session: AnySession = Session(games.load(game_id))
    move = read_typed(session, session.to_move or 0, text, names_near)
    return session.game.describe_move(session.position, move)


@pytest.mark.parametrize("text", ["A5A4", "A5a4", "a5-a4", "a5xa4", " a5 a4", "ａ５ａ４", "A5 – A4", "\ufeffa5a4"])
def test_a_move_is_read_as_people_type_it(text: str) -> None:
    assert read("tobito", text) == "a5a4"


@pytest.mark.parametrize(
    ("game_id", "text", "move"),
    [
        ("orbito", "A1", "a1"),
        ("pokemon", "A@00", "S@A1"),
        ("pokemon", "s@a1", "S@A1"),
        ("pokemon", "S a1", "S@A1"),
        ("ayoayo", "３", "3"),
        ("lightriders", "U", "u"),
    ],
)
def test_each_game_reads_its_moves(game_id: str, text: str, move: str) -> None:
    assert read(game_id, text) == move


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("A1A2", "a1a2: the pawn on a1 belongs to Bottom: move one of your pawns"),
        ("qq", "'qq': a move is two cells, 'b1b2', then '+a2' for each piece jumped"),
    ],
)
def test_a_refusal_says_what_was_read_and_what_was_expected(text: str, refusal: str) -> None:
    with pytest.raises(OnlymoveError) as refused:
        read("tobito", text)
    assert str(refused.value) == refusal


@pytest.mark.parametrize(
    ("game_id", "text", "near"),
    [("tobito", "a5a9", "a5a4"), ("tobito", "b5b4q", "b5b4"), ("pokemon", "s@a", ""), ("orbito", "a5", "")],
)
def test_the_nearest_move_is_named_where_it_is_one_edit_away_and_alone(game_id: str, text: str, near: str) -> None:
    for names_near in (False, True):
        with pytest.raises(BadNotation) as refused:
            read(game_id, text, names_near)
        assert ("Did you mean" in str(refused.value)) == (names_near and bool(near))
        assert not near or str(refused.value).endswith(f"Did you mean {near}?") == names_near


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))


@pytest.mark.usefixtures("profile")
@pytest.mark.parametrize(("options", "is_named"), [((), True), (("--rated",), False)])
def test_a_rated_game_names_no_move(
    options: tuple[str, ...], is_named: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give_input(monkeypatch, "a5a9\nHELP\nＱＵＩＴ\n")
    assert run(("play", "tobito", "--plain", *options)) == 0
    out = capsys.readouterr().out
    assert "Not played: 'a5a9': a move is two cells" in out
    assert ("Did you mean a5a4?" in out) == is_named
    assert "Type a move, or one of" in out, "a word that is a command stays the command"


@pytest.mark.usefixtures("profile")
def test_a_drill_names_no_move(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    give_input(monkeypatch, "a\nquit\n")
    assert run(("drill", "orbito", "--fresh", "--plain")) == 0
    out = capsys.readouterr().out
    assert "not an Orbito move: 'a'" in out
    assert "Did you mean" not in out


def test_texts_that_must_be_exact_name_the_right_spelling() -> None:
    spelled = r"It is written a5a4$"
    with pytest.raises(BadRecord, match=spelled):
        parse_records('[Game "tobito"]\n\n1. A5A4 *', games.load)
    game = onlymove.load("tobito")
    with pytest.raises(BadNotation, match=spelled):
        game.play(game.start(), "A5-A4")
    with pytest.raises(BadNotation, match=r"It is written TTT/\.\.\./\.\.\./\.\.\./BBB T$"):
        read_position(games.load("tobito"), "ttt/.../.../.../bbb t")


def test_a_move_that_the_rules_forbid_is_not_called_misspelled() -> None:
    with pytest.raises(BadRecord, match=r"A is your opponent's: .* Did you mean a@00\?$"):
        parse_records('[Game "pokemon"]\n\n1. A@00 *', games.load)


def test_a_protocol_names_the_right_spelling(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    give_input(monkeypatch, "position startpos moves A5A4\nquit\n")
    run(("engine", "tobito"))
    assert "It is written a5a4" in "".join(capsys.readouterr())


@pytest.mark.parametrize("facts", list_games(), ids=lambda facts: facts.id)
def test_nonsense_is_refused_at_once(facts: Facts) -> None:
    for text in ("", " ", "-", "x", "?" * 100_000, "x" * 100_000, "\x00", "a1" * 90):
        with pytest.raises(OnlymoveError):
            read(facts.id, f"{text}!", names_near=True)
