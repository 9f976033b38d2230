"""The pictures can be rendered at any time. They are small and complete, and always have the same bytes. They may
change: nothing here compares them with the committed ones."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from onlymove_engines import games
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tests.amounts import limit_values

from .shots import GALLERY, MENU, ROOT, Shot, draw_screen, list_shots, picture

MAX_BYTES = 60_000
SVG = "{http://www.w3.org/2000/svg}"
SHOTS = list_shots()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def words(svg: str) -> str:
    """Return the text of a picture that can be selected."""
    return " ".join(element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text"))


def find_pictures(page: Path) -> list[Path]:
    """Return the pictures that a page shows."""
    shown = re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", page.read_text("utf-8"))
    return [(page.parent / link).resolve() for link in shown]


def titles(shot: Shot) -> list[str]:
    """Return the titles of the games in a picture. The menu shows all of them."""
    return [facts.title for facts in games.list_games() if shot.game in ("", facts.id)]


@pytest.mark.parametrize("shot", limit_values(SHOTS), ids=lambda shot: shot.name)
async def test_a_picture_is_whole_small_and_needs_nothing_else(shot: Shot) -> None:
    svg = await picture(shot)
    assert ET.fromstring(svg).findtext(f"{SVG}title") == shot.title
    assert [title for title in titles(shot) if title not in words(svg)] == []
    assert len(svg.encode()) < MAX_BYTES
    elsewhere = svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
    assert not re.search(r"https?:|url\(|@import|href|<style", elsewhere), "a picture fetches nothing"


@pytest.mark.slow
@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
async def test_a_picture_is_the_same_every_time(shot: Shot) -> None:
    assert await picture(shot) == await picture(shot)


async def test_no_setting_of_the_terminal_changes_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    before = await picture(MENU)
    for name, value in {"NO_COLOR": "1", "LC_ALL": "C", "TERM": "linux", "SSH_CONNECTION": "a 1 b 2"}.items():
        monkeypatch.setenv(name, value)
    assert await picture(MENU) == before


def test_every_game_has_a_picture_and_no_two_have_one_name() -> None:
    assert {shot.game for shot in SHOTS} >= {facts.id for facts in games.list_games()}
    names = [shot.name for shot in SHOTS]
    assert sorted(names) == sorted(set(names))


def test_what_a_page_shows_is_there() -> None:
    missing = [f"{page.name}: {link}" for page in PAGES for link in find_pictures(page) if not link.is_file()]
    assert not missing, f"pages show what is not there: {missing}; `make pictures` renders pictures"


def test_every_committed_picture_is_shown_and_can_be_rendered() -> None:
    kept = {file.resolve() for file in GALLERY.glob("*.svg")}
    assert kept == {(GALLERY / f"{shot.name}.svg").resolve() for shot in SHOTS}
    assert kept <= {link for page in PAGES for link in find_pictures(page)}


def draw_rows(*rows: str, ink: str = "#ffffff", ground: str = "#000000") -> str:
    """Return rows in one style as a picture."""
    look = Style(color=ink, bgcolor=ground)
    return draw_screen([Strip([Segment(row, look)]) for row in rows], "Probe", "#ffffff", "#000000")


def paths(svg: str) -> list[str]:
    """Return the shapes of a picture."""
    return [element.get("d", "") for element in ET.fromstring(svg).iter(f"{SVG}path")]


def test_a_piece_is_one_area_without_seams() -> None:
    assert paths(draw_rows("██", "██")) == ["M0 0h16v32h-16z"]
    assert paths(draw_rows("▄▄", "▀▀")) == ["M0 8h16v16h-16z"]


def test_lines_join_across_cells() -> None:
    assert paths(draw_rows("──")) == ["M0 8h16"]
    assert paths(draw_rows("│", "│")) == ["M4 0v32"]
    assert paths(draw_rows("╭─")) == ["M8 8h8M8 8Q4 8 4 12V16"]


def test_a_background_is_drawn_below_the_characters_on_it() -> None:
    look, plain = Style(color="#00ff00", bgcolor="#0000ff"), Style(color="#0000ff", bgcolor="#000000")
    svg = draw_screen([Strip([Segment("█", plain)]), Strip([Segment("▀", look)])], "Probe", "#ffffff", "#000000")
    fills = [element.get("fill") for element in ET.fromstring(svg).iter(f"{SVG}path")]
    assert fills == ["#0000ff", "#0000ff", "#00ff00"], "grounds first, then blocks"


def test_text_keeps_its_columns_and_its_signs() -> None:
    svg = draw_rows("a < b  ● c")
    texts = [
        (element.text, element.get("x"), element.get("textLength")) for element in ET.fromstring(svg).iter(f"{SVG}text")
    ]
    assert texts == [("a < b", "0", "40"), ("●", "60", None), ("c", "76", None)]
