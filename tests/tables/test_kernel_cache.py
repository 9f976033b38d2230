"""A game's kernels are stored in a folder whose name depends on everything that affects them. Code that others could
have changed is never run. Damaged code, or code that cannot be stored, is compiled again."""

from __future__ import annotations

import ast
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.compiled.jit import kernel, store_kernels_in
from onlymove_tables.kernels import cache, keep
from onlymove_tables.kernels.cache import read_checked


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set up empty kernel folders, and forget the names of earlier ones."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "own"))
    monkeypatch.setenv(cache.SHARED_VARIABLE, str(tmp_path / "shared"))
    cache.folder_name.cache_clear()
    yield
    cache.folder_name.cache_clear()


def test_the_cache_folder_depends_on_the_sources_of_kernels_and_nothing_else(tmp_path: Path) -> None:
    files = ["compiled/jit.py", "compiled/vectors.py", "search/stop.py"]
    files += ["games/one/rules.py", "games/one/_kernel/sow.py", "games/two/_kernel.py"]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("seeds = 48\n")
    packages = ("one", "two")
    found: list[tuple[str, ...]] = []

    def check_changed(*packages_changed: str) -> None:
        found.append(tuple(cache.name_folder(package, tmp_path, ("a processor",)) for package in packages))
        differ = {package for package, old, new in zip(packages, found[-2], found[-1], strict=True) if old != new}
        assert differ == set(packages_changed)

    found.append(("", ""))
    check_changed(*packages)
    for name, whose in zip(files, (packages, packages, (), (), ("one",), ("two",)), strict=True):
        (tmp_path / name).write_text("seeds = 47\n")
        check_changed(*whose)
        os.utime(tmp_path / name, (1.0, 1.0))
        check_changed()
    other = tuple(cache.name_folder(package, tmp_path, ("another processor",)) for package in packages)
    assert not {*other} & {*found[-1]}


def test_the_interpreter_numba_and_the_processor_are_parts_of_the_name() -> None:
    assert {sys.implementation.cache_tag, *cache.compiler(), cache.processor()} < {*cache.describe_machine()}
    home = Path(str(resources.files("onlymove_engines")))
    assert cache.folder_name("tobito") == cache.name_folder("tobito", home, cache.describe_machine())


HARMLESS = {"core.errors", "core.lazy_imports"}
"""What kernels and the package that compiles them may import besides each other: it cannot change compiled code."""


def test_the_names_of_cache_folders_cover_all_sources_of_kernels() -> None:
    engines = Path(str(resources.files("onlymove_engines")))
    shared = list((engines / "compiled").glob("*.py"))
    allowed = {f"onlymove_engines.{name}" for name in (*HARMLESS, *(f"compiled.{file.stem}" for file in shared))}
    for source in [*cache.sources(engines / "games"), *shared]:
        for node in ast.walk(ast.parse(source.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = ["onlymove: above" if node.level > 1 else "." * node.level + (node.module or "")]
            outside = {name for name in names if name.startswith("onlymove")} - allowed
            assert not outside, f"{source.name} imports {outside}"


def test_the_compiler_is_known_without_being_imported() -> None:
    script = "import sys; from onlymove_tables.kernels import cache as k; print(*k.compiler(), 'numba' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert output[0].startswith("llvmlite-")
    assert output[1].startswith("numba-")
    assert output[2] == "False"


def make_stat(path: Path, mode: int, owner: int) -> os.stat_result:
    """Return what the system would say about a path with this mode and owner."""
    kind, *rest = path.stat()
    return os.stat_result([(int(kind) & ~0o777) | mode, *rest[:3], owner, *rest[4:]])


@pytest.mark.parametrize(
    ("mode", "whose", "is_trusted"),
    [
        (0o755, "own", True),
        (0o775, "own", True),
        (0o777, "own", False),
        (0o755, "root", True),
        (0o775, "root", False),
        (0o757, "root", False),
        (0o755, "program", True),
        (0o755, "stranger", False),
        (0o555, "stranger", False),
    ],
)
def test_code_that_another_user_may_have_changed_is_not_trusted(
    tmp_path: Path, mode: int, whose: str, is_trusted: bool
) -> None:
    owner = {"own": 1001, "root": 0, "program": 990, "stranger": 1002}[whose]
    assert cache.may_run(make_stat(tmp_path, mode, owner), 1001, (0, 990)) == is_trusted


def test_besides_the_users_own_the_code_of_root_and_of_the_programs_owner_is_trusted(tmp_path: Path) -> None:
    trusted = {os.geteuid(), 0, Path(cache.__file__).stat().st_uid}
    for owner in (*trusted, max(trusted) + 1):
        assert cache.is_trusted(make_stat(tmp_path, 0o755, owner)) == (owner in trusted)


def test_a_world_writable_folder_is_ignored() -> None:
    folder = cache.own_folder(cache.OTHERS)
    assert cache.prepare_folder(cache.OTHERS) == ""
    assert cache.folders(cache.OTHERS) == [folder]
    for opened in (folder, folder.parent):
        opened.chmod(0o777)
        assert cache.folders(cache.OTHERS) == []
        assert cache.prepare_folder(cache.OTHERS).startswith("other users may write to ")
        opened.chmod(0o755)


def test_the_users_folder_comes_before_the_hosts() -> None:
    shared = cache.shared_folder() / cache.folder_name(cache.OTHERS)
    shared.mkdir(parents=True)
    assert cache.folders(cache.OTHERS) == [shared]
    assert cache.prepare_folder(cache.OTHERS) == ""
    assert cache.folders(cache.OTHERS) == [cache.own_folder(cache.OTHERS), shared]


@pytest.mark.parametrize("variable", [cache.VARIABLE, cache.SHARED_VARIABLE])
def test_no_code_comes_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    """An archive that was unpacked has your files, which are otherwise trusted."""
    monkeypatch.chdir(tmp_path)
    planted = Path("planted", cache.folder_name(cache.OTHERS))
    planted.mkdir(parents=True)
    monkeypatch.setenv(variable, "planted")
    assert cache.is_trusted_folder(planted)
    assert planted.absolute() not in map(Path.absolute, cache.folders(cache.OTHERS))


def test_without_a_home_nothing_is_kept_or_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cache.VARIABLE)
    monkeypatch.setattr(cache, "user_cache_path", lambda name: Path("~/.cache", name))
    monkeypatch.chdir(tmp_path)
    cache.own_folder(cache.OTHERS).mkdir(parents=True)
    assert cache.prepare_folder(cache.OTHERS) == "there is no home folder"
    assert cache.folders(cache.OTHERS) == []


def thrice(number: int) -> int:
    return 3 * number


def files() -> list[Path]:
    """Return the stored kernels."""
    return sorted(cache.kernels_folder().rglob("*.kernel"))


def count_hits() -> int:
    """Return how often a new kernel came from disk. It must work in any case."""
    store_kernels_in(keep)
    fresh = kernel(thrice)
    assert fresh(2) == 6
    return sum(fresh.compile().stats.cache_hits.values())  # type: ignore[attr-defined]


def test_a_kernel_is_loaded_from_disk_and_compiled_again_if_damaged() -> None:
    assert [count_hits(), count_hits()] == [0, 1]
    (path,) = files()
    data = path.read_bytes()
    for broken in (data[: len(data) // 2], b"", data[:-1] + b"?"):
        path.write_bytes(broken)
        assert read_checked(path) == b""
        assert [count_hits(), count_hits()] == [0, 1], "compiled again, once"
    path.chmod(0o666)
    assert count_hits() == 0, "everybody may have written to it"


def test_a_host_s_kernels_are_used_from_a_folder_that_cannot_be_written_to() -> None:
    assert count_hits() == 0
    cache.kernels_folder().rename(cache.shared_folder())
    for path in [cache.shared_folder(), *cache.shared_folder().rglob("*")]:
        path.chmod(0o555)
    assert count_hits() == 1
    assert not cache.kernels_folder().exists()


def test_a_kernel_works_even_if_nothing_can_be_written() -> None:
    cache.kernels_folder().write_text("in the way")
    assert [count_hits(), count_hits()] == [0, 0]


def test_only_numba_pickles_kernels() -> None:
    """A stored kernel is a tuple that numba reads. A pickle without the right checksum is not even opened."""
    path = cache.own_folder(cache.OTHERS) / "stranger.kernel"
    path.parent.mkdir(parents=True)
    path.write_bytes(pickle.dumps(print))
    assert read_checked(path) == b""


def test_every_game_that_is_searched_has_units() -> None:
    for game in map(games.load, (facts.id for facts in games.list_games())):
        assert bool(game.solved.kernels) or not game.facts.plays_by_search, game.id
