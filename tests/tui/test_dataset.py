"""`onlymove dataset` writes the library's data, completely or not at all."""

from __future__ import annotations

import csv
import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onlymove
import pytest
from onlymove_tables.file_format import read_manifest
from onlymove_tables.open import package_folder
from onlymove_tui.cli import run

from tests.amounts import limit_values
from tests.progress_lines import drop_progress

TABLES = ("tobito", "haneto", "orbito", "pokemon", "ayoayo")


def read_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def read_numbers(cell: str) -> list[int]:
    return [int(number) for number in cell.split()]


@pytest.mark.parametrize("game_id", TABLES)
def test_a_row_agrees_with_the_analysis(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dataset", game_id, "--sample", "15", "--seed", "5"]) == 0
    printed, complaints = capsys.readouterr()
    rows, game = read_rows(printed), onlymove.load(game_id)
    assert (len(rows), complaints) == (15, "")
    for row in rows:
        position = game.parse(row["position"])
        known = game.analyse(position)
        assert isinstance(known.value, onlymove.Value)
        assert game.seats[int(row["seat"])] == position.to_move
        assert int(row["value"]) == known.value.outcome
        plies = known.value.remoteness if known.moves else 0
        assert row["remoteness"] == ("" if plies is None else str(plies))
        assert [game.move(position, number) for number in read_numbers(row["legal"])] == list(position.moves)
        assert {game.move(position, number) for number in read_numbers(row["best"])} == set(known.best)
        planes = [int(cell) for name, cell in row.items() if name[-1].isdigit()]
        assert planes == game.planes([position]).ravel().tolist()


@pytest.mark.parametrize("game_id", limit_values(TABLES, 2))
def test_arrays_agree_with_rows(game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "some.npz"
    assert run(["dataset", game_id, "--sample", "30", "--seed", "6"]) == 0
    rows, game = read_rows(capsys.readouterr().out), onlymove.load(game_id)
    assert run(["dataset", game_id, "--sample", "30", "--seed", "6", "--out", str(out)]) == 0
    assert [*tmp_path.iterdir()] == [out]
    with np.load(out) as arrays:
        found = {name: arrays[name] for name in arrays}
    assert {
        name: array.dtype.str for name, array in found.items() if name not in ("position", "moves", "channels")
    } == {
        "seat": "|u1",
        "value": "|i1",
        "remoteness": "<i8",
        "score": "<i8",
        "planes": "|u1",
        "legal": "|u1",
        "best": "|u1",
    }
    assert [text.decode() for text in found["position"].tolist()] == [row["position"] for row in rows]
    for name, unknown in (("seat", 0), ("value", 0), ("remoteness", -1), ("score", -(1 << 63))):
        assert found[name].tolist() == [int(row[name] or unknown) for row in rows]
    assert found["planes"].shape == (30, *game.encoding.shape)
    for name in ("legal", "best"):
        marked = np.unpackbits(found[name], axis=1, count=game.encoding.actions)
        assert [np.flatnonzero(row).tolist() for row in marked] == [sorted(read_numbers(row[name])) for row in rows]
    assert found["moves"].shape == (2, game.encoding.actions)
    assert tuple(found["channels"].tolist()) == game.encoding.channels


@pytest.mark.parametrize("form", ["csv", "npz"])
def test_a_script_writes_what_the_command_writes(form: Literal["csv", "npz"], tmp_path: Path) -> None:
    printed, written = tmp_path / f"printed.{form}", tmp_path / "written"
    chosen = ["--format", form, "--where", "only", "--sample", "20", "--seed", "7"]
    assert run(["dataset", "tobito", *chosen, "--out", str(printed)]) == 0
    game = onlymove.load("tobito")
    assert game.write_dataset(written, form, where="only", sample=20, seed=7) == 20
    if form == "csv":
        assert written.read_bytes() == printed.read_bytes()
    else:
        with np.load(written) as own, np.load(printed) as theirs:
            assert own.files == theirs.files
            assert all((own[name] == theirs[name]).all() for name in own.files)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"form": "json"}, "'form' must be 'csv' or 'npz', not 'json'"),
        ({"where": "won"}, "'where' must be one of win, draw, loss, only, not 'won'"),
        ({"sample": 0}, "the sample must be at least 1, not 0"),
        ({"seed": 1}, "a seed needs a sample"),
    ],
)
def test_a_script_that_asks_for_nonsense_is_told_so(given: dict[str, Any], why: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        onlymove.load("tobito").write_dataset(tmp_path / "some", **given)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("where", ["win", "draw", "loss", "only"])
def test_where_chooses(where: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dataset", "tobito", "--where", where, "--sample", "25", "--seed", "1"]) == 0
    rows = read_rows(capsys.readouterr().out)
    assert [row["position"] for row in rows] == [str(one) for one in onlymove.load("tobito").sample(25, where, seed=1)]
    wanted = {"win": {"1"}, "draw": {"0"}, "loss": {"-1"}, "only": {"1", "0"}}[where]
    assert {row["value"] for row in rows} <= wanted


@pytest.mark.slow
def test_without_a_sample_the_whole_table_is_written(tmp_path: Path) -> None:
    out = tmp_path / "all.csv"
    assert run(["dataset", "tobito", "--out", str(out)]) == 0
    with out.open(encoding="utf-8") as file:
        assert sum(1 for _ in file) == 1 + read_manifest(package_folder())["tobito"].counts["classes"]


def test_fewer_than_asked_for_are_written_and_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onlymove_engines.search.dataset.WHERE", {"win": lambda _row: False})
    assert run(["dataset", "tobito", "--sample", "9", "--where", "win"]) == 0
    printed, complaints = capsys.readouterr()
    assert len(printed.splitlines()) == 1
    assert complaints == "onlymove: There are only 0 such positions.\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["lightriders"], "Light Riders has no table"),
        (["tobito", "--seed", "1"], "--seed needs --sample N"),
        (["tobito", "--format", "npz"], "--format npz needs --out FILE.npz"),
        (["tobito", "--out", "all.txt"], "'all.txt' must end in .csv or .npz"),
        (["tobito", "--format", "csv", "--out", "all.npz"], "--format csv contradicts the ending of 'all.npz'"),
        (["tobito", "--out", "/dev/null"], "Invalid value for '--out': '/dev/null' is not a regular file"),
    ],
)
def test_wrong_use_is_one_line_and_prints_no_data(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["dataset", *words]) == 2
    assert capsys.readouterr() == ("", f"onlymove: {why}.\n")


@pytest.mark.usefixtures("_small_disk")
@pytest.mark.parametrize("form", ["csv", "npz"])
def test_a_full_disk_is_one_line_and_the_old_file_stays(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"some.{form}"
    out.write_text("older")
    assert run(["dataset", "tobito", "--sample", "200", "--format", form, "--out", str(out)]) == 2
    assert capsys.readouterr() == ("", f"onlymove: '{out}': File too large.\n")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(out.name, "older")]


def test_a_closed_pipe_ends_the_command_without_a_traceback() -> None:
    command = [sys.executable, "-m", "onlymove_tui", "dataset", "tobito"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaints = drop_progress(process.stderr.read().decode())
    assert complaints.count("\n") <= 1
    assert "Traceback" not in complaints


def test_a_signal_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "some.npz"

    def stop(*_: object) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return 0

    monkeypatch.setattr("onlymove_engines.search.dataset.plies_to_end", stop)
    arguments = ["dataset", "tobito", "--sample", "20", "--format", "npz", "--out", str(out)]
    assert run(arguments) == 128 + signal.SIGTERM
    assert [*tmp_path.iterdir()] == []
