"""Hooks of MkDocs: pages made from files outside docs/, such as the README, and languages for blocks of code."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
RULES = "engines/onlymove_engines/games"
INDENTED = re.compile(r"(?<=\n\n)(?= {4}\S)(?: {4}.*\n(?:\n(?= {4}))?)+")
LANGUAGES = {
    "pycon": r">>> ",
    "python": r"(from|import) ",
    "nginx": r"location ",
    "apacheconf": r"(Match|ForceCommand) ",
    "ini": r"[\[#] ?[/\w]",
    "bash": r"(onlymove|make|python|pip|ssh|dask|install|eval|/opt/\S+) ",
}
"""The language of an indented block of code by how it begins; the first that fits."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, and adapt their links."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=linked((ROOT / name).read_text("utf-8"))))
    for help_page in sorted((ROOT / RULES).glob("*/help.md")):
        page = f"rules/{help_page.parent.name}.md"
        files.append(File.generated(config, page, content=help_page.read_text("utf-8")))
    return files


def on_page_markdown(text: str, **_: object) -> str:
    """Fence indented blocks of code, and name their language, so that they are shown in colours."""
    return INDENTED.sub(lambda found: fenced(re.sub(r"^ {4}", "", found[0], flags=re.MULTILINE)), text)


def fenced(code: str) -> str:
    """A block of code between fences; without a language if none is recognised."""
    language = next((name for name, beginning in LANGUAGES.items() if re.match(beginning, code)), "")
    return f"```{language}\n{code}```\n"


def linked(text: str) -> str:
    """A page of the root as a page of the site: links into docs/ lose that prefix, links to files that have no page
    become plain words."""
    for name, page in PAGES.items():
        text = text.replace(f"]({name})", f"]({page})")
    text = text.replace("](docs/", "](")
    return re.sub(r"\[([^\]]+)\]\((?!https?:|#|[\w./-]+\.(?:md|svg)(?:#[\w-]+)?\))[^)]*\)", r"\1", text)
