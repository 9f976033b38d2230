"""Nothing outside a game package and its tests knows a game by name. So a new game only needs a new folder."""

from __future__ import annotations

import re
from pathlib import Path

from onlymove_engines import games

ROOT = Path(__file__).parents[2]
ENGINES = ROOT / "engines" / "onlymove_engines"
SHARED = (
    *(ENGINES / layer for layer in ("core", "play", "coach", "records", "live")),
    ENGINES / "compiled",
    ENGINES / "search",
    ENGINES / "protocols",
    ENGINES / "games" / "__init__.py",
    ROOT / "tables" / "onlymove_tables",
    *(ROOT / "library" / "onlymove" / name for name in ("tournament", "pictures", "dataset.py")),
    ROOT / "tui" / "onlymove_tui",
    ROOT / "tests" / "laws",
)
SUFFIXES = (".py", ".tcss")


def shared_files() -> list[Path]:
    """Return every source file that has to work for any game."""
    files = [file for place in SHARED for file in ([place] if place.is_file() else sorted(place.rglob("*")))]
    return [file for file in files if file.suffix in SUFFIXES]


def names() -> re.Pattern[str]:
    """Return a pattern for the ids, titles and folders of all games, as whole words in any case."""
    known = {name for facts in games.list_games() for name in (facts.id, facts.title, facts.folder)}
    return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(known)), re.IGNORECASE)


def test_a_shared_file_names_no_game() -> None:
    pattern, files = names(), shared_files()
    assert len(files) > 150
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


def test_every_game_has_a_folder_of_tests() -> None:
    for facts in games.list_games():
        assert (ROOT / "tests" / "games" / facts.folder / "facts.toml").is_file(), facts.folder


def test_benchmarks_measure_the_games_of_this_repository() -> None:
    """Installed games of other packages would change the figures."""
    asking = [file.name for file in (ROOT / "benchmarks").rglob("*.py") if "list_games" in file.read_text("utf-8")]
    assert not asking, f"{asking} ask for the games of other packages too: `list_own_games` are ours"
