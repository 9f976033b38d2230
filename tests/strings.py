"""Lists the texts that people can read: `python -m tests.strings screen`, or `docs`, `docstrings`, or `reasons`.

Each line is a place, a tab and a text. `screen` lists the texts in the code, in game definitions and in lessons. {}
stands for an inserted value. `reasons` lists the sentences about moves and positions that the games print. Sentences
that differ only in moves, sides and numbers are listed once for each game. `--draw N --seed S` chooses N lines at
random.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import onlymove
from onlymove_engines.core.errors import as_sentence

TOP = Path(__file__).resolve().parents[1]
PRODUCT = ("engines", "tables", "tui", "library", "laws")
SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|DROP)\b|\bAND (NOT|\w+ IS)\b| != '")
CODE = re.compile(
    r"<\w|^#\w|\(\\S|^(info|option|id|score|settings|update|action|setoption|bestmove) |^\||monospace|frame-ancestors"
)
"""Matches texts for programs: markup, patterns, words of a protocol."""
WORDS = re.compile(r"[A-Za-z]{2,} +\S*[a-z]{2,}")
PART = re.compile(r"^[ ,.;:)]|[ (]$")
"""Matches a text that is only put before or after another."""
ENDED = re.compile(r"[.!?]$")
SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)\s+(?=[A-Z\"'`])")
"""Where a sentence ends: not after an initial or a colon."""
COACHING = re.compile(r"games/\w+/coach\.py|coach/(reasons|hint|claims)\.py")
"""The files that put sentences about moves together. `reasons` lists these sentences as a whole."""
ROLES = "app/themes.py"
"""The file with the names of colours."""
MOVES = 100
"""How many moves of each game are asked about."""

Line = tuple[str, str]


def modules() -> list[Path]:
    return sorted(path for folder in PRODUCT for path in (TOP / folder).rglob("*.py") if "build" not in path.parts)


def join(parts: list[list[str]]) -> list[str]:
    """Join parts that each have several possible texts. Every possible text of a part is in at least one result."""
    return ["".join(part[turn % len(part)] for part in parts) for turn in range(max(map(len, parts), default=0))]


def list_readings(node: ast.AST) -> list[str]:
    """Return the texts that an expression may have, with {} for unknown values. Empty if it is not a text."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return join([list_readings(part) for part in parts])
        case ast.FormattedValue(value=value):
            return list_readings(value) or ["{}"]
        case ast.IfExp(body=one, orelse=other) if list_readings(one) or list_readings(other):
            return [text for part in (one, other) for text in list_readings(part) or ["{}"]]
        case ast.BinOp(left=left, op=ast.Add(), right=right) if list_readings(left) or list_readings(right):
            return join([list_readings(left) or ["{}"], list_readings(right) or ["{}"]])
        case ast.BinOp(left=left, op=ast.Mult(), right=right) if list_readings(left) or list_readings(right):
            return [*list_readings(left), *list_readings(right), ""]
        case ast.List(elts=spans) if spans and all(is_span(span) for span in spans):
            return join([list_readings(span.elts[0]) or ["{}"] for span in spans if isinstance(span, ast.Tuple)])
    return []


def is_span(node: ast.AST) -> bool:
    """Whether an expression is a piece of a row on screen: a text and its tone."""
    match node:
        case ast.Tuple(elts=[_, ast.Attribute() | ast.Name() | ast.IfExp()]):
            return True
    return False


def list_texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each text in a piece of code that people can read, with its line. Docstrings, annotations, keys and names
    are left out."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Compare() | ast.Assert() | ast.Subscript():
            return
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return
        case ast.Call(func=ast.Name(id="cast" | "AssertionError" | "NotImplementedError")):
            return
        case ast.Raise() | ast.Call(func=ast.Name(id="complain" | "tell")):
            inner = (found for part in ast.iter_child_nodes(node) for found in list_texts(part))
            yield from ((line, as_sentence(text)) for line, text in inner)
            return
        case ast.FunctionDef(name=name, body=body) if name.lstrip("_").startswith("forbid"):
            inner = (found for part in body for found in list_texts(part))
            yield from ((line, as_sentence(text)) for line, text in inner)
            return
    if isinstance(node, ast.expr) and (found := list_readings(node)):
        yield from ((node.lineno, text) for text in found)
        return
    for field, inner in ast.iter_fields(node):
        if field not in ("annotation", "returns"):
            for child in inner if isinstance(inner, list) else [inner]:
                if isinstance(child, ast.AST):
                    yield from list_texts(child)


def is_read(text: str) -> bool:
    """Whether a text is a sentence, or words that mean something by themselves."""
    fewest = 3 if text[:1].isupper() else 4
    return bool(WORDS.search(text)) and (len(text.split()) >= fewest or bool(ENDED.search(text)))


def strings_in_code() -> Iterator[Line]:
    for path in modules():
        place = str(path.relative_to(TOP))
        if place.endswith(ROLES) or COACHING.search(place):
            continue
        for number, text in dict.fromkeys(list_texts(ast.parse(path.read_text(encoding="utf-8")))):
            words = " ".join(text.split())
            if is_read(words) and not (PART.search(text) or SQL.search(words) or CODE.search(words)):
                yield f"{place}:{number}", words


def words_in(value: object) -> Iterator[str]:
    """Yield every text in a value of a TOML file."""
    if isinstance(value, str) and is_read(value):
        yield " ".join(value.split())
    elif isinstance(value, dict):
        for inner in value.values():
            yield from words_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_in(inner)


def words_in_data() -> Iterator[Line]:
    """Yield the words of game definitions and lessons."""
    for folder in PRODUCT:
        for path in sorted((TOP / folder).rglob("*.toml")):
            if path.name in ("game.toml", "lessons.toml"):
                for text in words_in(tomllib.loads(path.read_text(encoding="utf-8"))):
                    yield str(path.relative_to(TOP)), text


def docstrings() -> Iterator[Line]:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    line = getattr(node, "lineno", 1)
                    yield f"{path.relative_to(TOP)}:{line}", " ".join(text.split())


def sentences_of_docs() -> Iterator[Line]:
    """Yield every sentence of the documentation, without code and tables."""
    pages = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").rglob("*.md"))]
    pages += sorted(path for folder in PRODUCT for path in (TOP / folder).rglob("*.md") if "build" not in path.parts)
    for path in pages:
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]\s|\d+\. |[|#]))", text):
            if paragraph.startswith("    ") or paragraph.lstrip().startswith(("|", "#", "<", "!")):
                continue
            for sentence in SENTENCE.split(" ".join(paragraph.split())):
                if len(sentence.split()) > 3:
                    yield str(path.relative_to(TOP)), sentence


def print_sentences(game_id: str, random: Random) -> Iterator[str]:
    """Yield the sentences that a game prints about positions of random games: judgements, reasons and hints."""
    from tests.reference.truth.printed import Asked, choose_moves, play_games  # noqa: PLC0415 - loads every game

    game, asked = onlymove.load(game_id), 0
    for position in play_games(game, random):
        for seat in (0, 1) if game.is_simultaneous else (0,):
            one = Asked(game, position, seat)
            moves = position.moves_of(seat) if game.is_simultaneous else choose_moves(game, position, random)
            page = one.page(moves)
            asked += len(page.moves)
            for move in moves:
                yield game.judge(position, move, seat if game.is_simultaneous else None).verdict()
            for sentences in (*(output for move in page.moves.values() for output in move), *page.stages):
                yield from sentences
        if asked >= MOVES:
            return


def shape(game: onlymove.Game, sentence: str) -> str:
    """Return a sentence without its moves, cells, sides and numbers."""
    plain = re.sub(r"\b(" + "|".join(game.seats) + r")\b|\S*\d\S*", "#", sentence)
    return re.sub(r"(\S+, )+(?=\S+:)|(# )+(?=#)", "", plain)


def reasons(seed: int) -> Iterator[Line]:
    """Yield every kind of sentence about moves and positions, once for each game."""
    for game_id in onlymove.games():
        game = onlymove.load(game_id)
        kinds = {shape(game, text): text for text in print_sentences(game_id, Random(f"{game_id} {seed}"))}
        yield from ((game_id, text) for text in kinds.values())


def lines_of(kind: str, seed: int) -> list[Line]:
    if kind == "docs":
        return list(sentences_of_docs())
    if kind == "docstrings":
        return list(docstrings())
    return list(reasons(seed)) if kind == "reasons" else [*strings_in_code(), *words_in_data()]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("kind", choices=("screen", "reasons", "docstrings", "docs"))
    ask.add_argument("--draw", type=int)
    ask.add_argument("--seed", type=int, default=0)
    asked = ask.parse_args()
    lines = lines_of(asked.kind, asked.seed)
    if asked.draw:
        lines = Random(asked.seed).sample(lines, min(asked.draw, len(lines)))
    for place, text in lines:
        sys.stdout.write(f"{place}\t{text}\n")


if __name__ == "__main__":
    main()
