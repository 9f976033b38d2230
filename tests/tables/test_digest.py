"""A table is outdated by every change that affects its meaning, in every game package, and by nothing else."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import io
import random
import re
import symtable
import sys
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from types import CodeType, FrameType

import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.game import AnyGame
from onlymove_tables.digest import meaning, source_digest
from onlymove_tables.open import open_analyst, open_table, package_folder
from onlymove_tables.verify import verify_table

TABLED = [game for game in (games.load(facts.id) for facts in games.list_games()) if game.solved.solver is not None]
SAMPLE = 12
"""How many numbers of a file are changed, one at a time."""


@pytest.fixture(params=TABLED, ids=lambda game: game.id)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Return each game with a table in turn."""
    found: AnyGame = request.param
    return found


@pytest.fixture
def copied_game(game: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return the game with the files of its digest copied to a folder where they may be changed."""
    package = tmp_path / f"copy_for_{tmp_path.name}"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for name in game.solved.digest_sources:
        (package / name).write_bytes(resources.files(game.facts.package).joinpath(name).read_bytes())
    monkeypatch.syspath_prepend(tmp_path)
    return dataclasses.replace(game, facts=dataclasses.replace(game.facts, package=package.name))


def sources(game: AnyGame) -> Iterator[Path]:
    """Yield the files of the digest."""
    for name in game.solved.digest_sources:
        yield Path(str(resources.files(game.facts.package).joinpath(name)))


def changed_numbers(text: str) -> Iterator[tuple[str, str]]:
    """Yield copies of a source in which one number is changed, with its place. The numbers are spread evenly."""
    lines = text.splitlines(keepends=True)
    found = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.NUMBER]
    for token in found[:: max(1, len(found) // SAMPLE)]:
        (row, start), (_, end) = token.start, token.end
        line = lines[row - 1]
        other = f"{line[:start]}({token.string} + 1){line[end:]}"
        yield f"line {row}: {line.strip()}", "".join([*lines[: row - 1], other, *lines[row:]])


def test_a_changed_number_outdates_the_table(copied_game: AnyGame) -> None:
    before, tried = source_digest(copied_game), 0
    for path in sources(copied_game):
        text = path.read_text("utf-8")
        for place, other in changed_numbers(text):
            path.write_text(other, "utf-8")
            assert source_digest(copied_game) != before, (
                f"{copied_game.id}: the table survives a change of {path.name}, {place}"
            )
            tried += 1
        path.write_text(text, "utf-8")
    assert tried > len(copied_game.solved.digest_sources)
    assert source_digest(copied_game) == before


def rename_local_variables(text: str) -> str:
    """Return a source in which every name that only local variables have is another one."""
    tables = list(list_scopes(symtable.symtable(text, "source", "exec")))
    symbols = [(table, symbol) for table in tables for symbol in table.get_symbols()]

    def is_variable(table: symtable.SymbolTable, symbol: symtable.Symbol) -> bool:
        is_other = symbol.is_parameter() or symbol.is_imported() or symbol.is_namespace()
        return symbol.is_free() or (str(table.get_type()).endswith("function") and symbol.is_local() and not is_other)

    names = {symbol.get_name() for _, symbol in symbols}
    names -= {symbol.get_name() for table, symbol in symbols if not is_variable(table, symbol)}
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for field, name in ast.iter_fields(node):
            if isinstance(node, RENAMED) and isinstance(name, str) and name in names:
                setattr(node, field, f"other_{name}")
    changed = ast.unparse(tree)
    assert "other_" in changed or not names
    return changed


RENAMED = (ast.Name, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)
"""The nodes of a syntax tree that hold the name of a variable."""


def list_scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from list_scopes(child)


COSMETIC: dict[str, Callable[[str], str]] = {
    "a comment": lambda text: f"# nobody needs to know\n{text}\n# nobody",
    "formatting": lambda text: ast.unparse(ast.parse(text)),
    "line endings": lambda text: text.replace("\n", "\r\n"),
    "a docstring": lambda text: f'"""Another first line."""\n{text}',
    "docstrings inside": lambda text: re.sub(r'(?m)^( +""")(?=\S)', r"\1And ", text),
    "an import": lambda text: f"import math\nfrom .elsewhere import rules\n{text}",
    "local variables": rename_local_variables,
    "a type": lambda text: text.replace(" -> int:", " -> float:").replace("TypeAlias = ", "TypeAlias = None or "),
}


@pytest.mark.parametrize("change", COSMETIC)
def test_a_change_without_meaning_does_not_outdate_the_table(copied_game: AnyGame, change: str) -> None:
    before = source_digest(copied_game)
    for path in sources(copied_game):
        path.write_text(COSMETIC[change](path.read_text("utf-8")), "utf-8", newline="")
        assert source_digest(copied_game) == before, f"{copied_game.id}: {change} in {path.name} outdates the table"


SAME = {
    "a variable": ("def f(a):\n b = a\n return b", "def f(a):\n c = a\n return c"),
    "two variables that trade names": (
        "def f():\n a, b = 1, 2\n return a - b",
        "def f():\n b, a = 1, 2\n return b - a",
    ),
    "a closure": ("def f():\n a = 1\n return lambda: a", "def f():\n b = 1\n return lambda: b"),
    "a comprehension": ("x = [a for a in y]", "x = [b for b in y]"),
    "a caught error": ("def f():\n try: g()\n except E as a: h(a)", "def f():\n try: g()\n except E as b: h(b)"),
    "a pattern": ("def f(p):\n match p:\n  case [a, *b]: g(a, b)", "def f(p):\n match p:\n  case [c, *d]: g(c, d)"),
}
DIFFERENT = {
    "operands": ("def f():\n a, b = 1, 2\n return a - b", "def f():\n a, b = 1, 2\n return b - a"),
    "parameters, which callers may name": ("def f(a, b): return a - b", "def f(b, a): return b - a"),
    "a variable of the module": ("a = 1", "b = 1"),
    "an attribute": ("def f(a): return a.b", "def f(a): return a.c"),
    "a field of a class": ("class C:\n a = 1", "class C:\n b = 1"),
    "a field of a class in a function": ("def f():\n class C:\n  a = 1", "def f():\n class C:\n  b = 1"),
    "what is global": ("def f():\n global a\n a = 1", "def f():\n a = 1"),
    "what a nested function sees": (
        "def f():\n a = 1\n def g():\n  a = 2\n  return a\n return g() + a",
        "def f():\n a = 1\n def g():\n  b = 2\n  return a\n return g() + a",
    ),
    "what a nested function changes": (
        "def f():\n a = 1\n def g():\n  nonlocal a\n  a = 2\n g()\n return a",
        "def f():\n a = 1\n def g():\n  a = 2\n g()\n return a",
    ),
    "what a comprehension goes through": ("def f(a): return [a for a in a]", "def f(a): return [b for b in b]"),
    "names that are read": ("def f():\n a = 1\n return locals()", "def f():\n b = 1\n return locals()"),
}
"""Pairs of sources with the same code, but for the names of local variables, and with other code."""


@pytest.mark.parametrize("what", SAME)
def test_the_name_of_a_local_variable_does_not_matter(what: str) -> None:
    one, other = SAME[what]
    assert meaning(one.encode()) == meaning(other.encode())


@pytest.mark.parametrize("what", DIFFERENT)
def test_other_names_and_what_they_stand_for_matter(what: str) -> None:
    one, other = DIFFERENT[what]
    assert meaning(one.encode()) != meaning(other.encode())


def test_a_file_may_have_another_name(copied_game: AnyGame) -> None:
    before = source_digest(copied_game)
    *others, last = sources(copied_game)
    last.rename(last.with_name("bytes.py"))
    names = (*(path.name for path in others), "bytes.py")
    assert (
        source_digest(
            dataclasses.replace(copied_game, solved=dataclasses.replace(copied_game.solved, digest_sources=names))
        )
        == before
    )


def test_verify_refuses_a_table_whose_bytes_mean_something_else(
    game: AnyGame, copied_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONLYMOVE_TABLES", str(package_folder()))
    codes = list(sources(copied_game))[-1]
    _, codes_changed = next(changed_numbers(codes.read_text("utf-8")))
    codes.write_text(codes_changed, "utf-8")
    (finding,) = verify_table(copied_game)
    assert "rebuild it" in finding, f"{game.id}: {codes.name} was changed, verify says: {finding}"


def test_the_files_of_the_digest_use_nothing_outside_it(game: AnyGame) -> None:
    for path in sources(game):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                names = [node.module] if node.module else [alias.name for alias in node.names]
                missing = {f"{name}.py" for name in names} - set(game.solved.digest_sources)
                assert not missing, f"{game.id}: {path.name} stands on {missing}, which the digest does not cover"


def test_all_code_that_reads_stored_bytes_is_in_the_digest(game: AnyGame) -> None:
    """Between a position and its value, no code of the game package outside the digest computes anything."""
    assert game.solved.index is not None
    analyst = alternating(open_analyst(game, open_table(game)))
    start = game.default_start()
    analyst.probe(start)
    allowed = {str(path) for path in sources(game)}
    folder = str(Path(str(resources.files(game.facts.package))))
    asked = [start, *draw_positions(game)]
    for code in record_calls(lambda: [analyst.probe(position) for position in asked]):
        if code.co_filename.startswith(folder) and code.co_filename not in allowed and not code.co_name.startswith("<"):
            assert not computes(code), f"{game.id}: {code.co_filename}, {code.co_name} computes, outside the digest"


def draw_positions(game: AnyGame) -> Iterator[object]:
    """Yield some positions of the table."""
    assert game.solved.index is not None
    draw = random.Random(7)
    for _ in range(1000):
        try:
            yield game.solved.index.position(draw.randrange(game.solved.index.size))
        except ValueError:
            continue


def record_calls(work: Callable[[], object]) -> set[CodeType]:
    """Return the Python functions that run."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return seen


def computes(code: CodeType) -> bool:
    """Whether a function contains arithmetic."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    return any(isinstance(node, ast.operator | ast.USub | ast.Invert) for node in ast.walk(strip_types(tree)))


def strip_types(tree: ast.AST) -> ast.AST:
    """Return the tree without annotations, in which `|` is not arithmetic."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return tree


def test_a_miscount_of_python_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """This happens if two threads parse at the same time: python/cpython#106905."""
    parse, refusals = ast.parse, [SystemError("recursion depth mismatch")] * 2

    def parse_at_last(source: bytes) -> object:
        if refusals:
            raise refusals.pop()
        return parse(source)

    monkeypatch.setattr(ast, "parse", parse_at_last)
    assert meaning(b"at_last = 1") == meaning(b"at_last  =  1")
