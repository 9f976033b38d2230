"""Lists what people can read: `python -m tests.strings screen`, or `docs`, `docstrings`, or `reasons`.

A line is a place, a tab and a text. `screen` are the strings in the code that are not names, formats or SQL, and the
words in game definitions and lessons; a value that is put into a text stands as {}. With `--draw N --seed S` so many
are drawn at random, for readers who have not written them.
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

TOP = Path(__file__).resolve().parents[1]
PRODUCT = ("engines", "tables", "tui", "library", "laws")
REASONS = re.compile(r"games/\w+/coach\.py|coach/(reasons|hint|claims)\.py")
"""Where the sentences about moves are."""
SQL = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|PRAGMA|DROP)\b")
TEXT = re.compile(r"[A-Za-z]{2,} +\S*[a-z]{2,}|[A-Z][a-z]{2,}[.:!?]?$")
"""Two words, or one with a capital letter: what is nothing but a name in the code has neither."""
SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z\"'`(])")

Line = tuple[str, str]


def modules() -> list[Path]:
    """The Python files of the product."""
    return sorted(path for folder in PRODUCT for path in (TOP / folder).rglob("*.py") if "build" not in path.parts)


def flatten(node: ast.expr) -> str | None:
    """A string of the code with {} for what is put into it; `None` for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def strings_in_code() -> Iterator[Line]:
    """Every string that reads like words."""
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
        inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant | ast.JoinedStr) or id(node) in loose | inner:
                continue
            text = flatten(node)
            if text and TEXT.search(text) and not SQL.search(text):
                yield f"{path.relative_to(TOP)}:{node.lineno}", " ".join(text.split())


def words_in(value: object) -> Iterator[str]:
    """Every text in a value of a TOML file."""
    if isinstance(value, str) and TEXT.search(value):
        yield " ".join(value.split())
    elif isinstance(value, dict):
        for inner in value.values():
            yield from words_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_in(inner)


def words_in_data() -> Iterator[Line]:
    """The words of game definitions and lessons."""
    for folder in PRODUCT:
        for path in sorted((TOP / folder).rglob("*.toml")):
            if path.name in ("game.toml", "lessons.toml"):
                for text in words_in(tomllib.loads(path.read_text(encoding="utf-8"))):
                    yield str(path.relative_to(TOP)), text


def docstrings() -> Iterator[Line]:
    """Every docstring, whole."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    line = getattr(node, "lineno", 1)
                    yield f"{path.relative_to(TOP)}:{line}", " ".join(text.split())


def sentences_of_docs() -> Iterator[Line]:
    """Every sentence of the pages that people read, without code and tables."""
    pages = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").rglob("*.md"))]
    pages += sorted(path for folder in PRODUCT for path in (TOP / folder).rglob("*.md") if "build" not in path.parts)
    for path in pages:
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]\s|\d+\.\s|[|#]))", text):
            if paragraph.startswith("    ") or paragraph.lstrip().startswith(("|", "#", "<", "!")):
                continue
            for sentence in SENTENCE.split(" ".join(paragraph.split())):
                if len(sentence.split()) > 3:
                    yield str(path.relative_to(TOP)), sentence


def lines_of(kind: str) -> list[Line]:
    """What is listed for a kind of text."""
    if kind == "docs":
        return list(sentences_of_docs())
    if kind == "docstrings":
        return list(docstrings())
    strings = [*strings_in_code(), *words_in_data()]
    return [line for line in strings if bool(REASONS.search(line[0])) == (kind == "reasons")]


def main() -> None:
    """Print the list."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("kind", choices=("screen", "reasons", "docstrings", "docs"))
    ask.add_argument("--draw", type=int)
    ask.add_argument("--seed", type=int, default=0)
    asked = ask.parse_args()
    lines = lines_of(asked.kind)
    if asked.draw:
        lines = Random(asked.seed).sample(lines, min(asked.draw, len(lines)))
    for place, text in lines:
        sys.stdout.write(f"{place}\t{text}\n")


if __name__ == "__main__":
    main()
