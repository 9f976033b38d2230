"""What the site shows of files that lie elsewhere: the readme as its first page, the rules, the changes."""

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


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, with their links as they are from there."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=linked((ROOT / name).read_text("utf-8"))))
    for help_page in sorted((ROOT / RULES).glob("*/help.md")):
        page = f"rules/{help_page.parent.name}.md"
        files.append(File.generated(config, page, content=help_page.read_text("utf-8")))
    return files


def linked(text: str) -> str:
    """A page of the root as a page of the site: what lies in docs/ lies beside it, folders have no page."""
    for name, page in PAGES.items():
        text = text.replace(f"]({name})", f"]({page})")
    text = text.replace("](docs/", "](")
    text = re.sub(r"\[([^\]]+)\]\((engines|solutions)\)", r"[\1](\2/tobito.md)", text)
    return re.sub(r"\[([^\]]+)\]\((?!https?:|#|[\w./-]+\.(?:md|svg)(?:#[\w-]+)?\))[^)]*\)", r"\1", text)
