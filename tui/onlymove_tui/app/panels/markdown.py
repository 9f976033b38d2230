"""Lays out Markdown as rows of text. It handles headings, paragraphs, lists, tables and code, and nothing more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onlymove.pictures.colours import AnyTone, Tone

from onlymove_tui.app.widgets.canvas import Row, fold

INLINE = re.compile(r"(`[^`]+`|\*\*[^*]+\*\*|(?<![\w*])\*[^*\s][^*]*\*(?![\w*]))")
ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+")
READABLE = 76
"""The longest line of prose, in columns."""
COMMENT = re.compile(r"<!--.*?-->", re.S)


SHARES = r"(\d+)\s%\s+of\s+the\s+time,\s+compared\s+with\s+(\d+)\s%\s+for\s+a\s+random\s+move\s+\([\d,]+\s+positions\)"
TRIAL = re.compile(rf"(:\s)?{SHARES}(?:;\s+(in\s+\w+)\s+{SHARES})?")
"""How often a piece of advice helps, after a verb or a colon. It may also say how often it helps in a second game."""
ABOUT_TRIALS = re.compile(r"The\s+percentages\s+(?:cover|say).*?(?=(?:Press\s+)?`\{turn_over\}`)", re.S)
HOW_OFTEN = "Press `{percentages}` to see how often each piece of advice helps in all positions. "
A_LITTLE, BY_FAR = 5, 15
"""A move that is better than a random one by less than the first number of percentage points helps a little. One that
is better by at least the second number helps a lot."""


def hide_percentages(markdown: str) -> str:
    """Return the page with its percentages replaced by words that say how much the advice helps."""

    def rank(followed: str, base: str) -> int:
        gain = int(followed) - int(base)
        return 0 if gain < A_LITTLE else 2 if gain >= BY_FAR else 1

    def compare(found: re.Match[str]) -> str:
        place = rank(found[2], found[3])
        first = (
            (": this helps a little", ": this helps", ": this helps a lot")[place]
            if found[1]
            else f"{('a little more', 'more', 'far more')[place]} often than a random move does"
        )
        if not found[4]:
            return first
        second = rank(found[5], found[6])
        return f"{first}, {found[4]} {'too' if second == place else 'more' if second > place else 'less'}"

    return TRIAL.sub(compare, ABOUT_TRIALS.sub(HOW_OFTEN, markdown))


def markdown_rows(markdown: str, width: int) -> list[Row]:
    rows: list[Row] = []
    for block in split_blocks(COMMENT.sub("", markdown)):
        if rows:
            rows.append([])
        rows += block_rows(block, width)
    return rows


def split_blocks(markdown: str) -> Iterator[list[str]]:
    """Yield the lines of each block. Code in fences may contain blank lines."""
    blocks: list[list[str]] = [[]]
    fenced = False
    for line in markdown.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        if fenced or (line.strip() and not line.startswith("#")):
            blocks[-1].append(line)
        else:
            blocks += [[line], []] if line.strip() else [[]]
    yield from filter(None, blocks)


def block_rows(block: list[str], width: int) -> Iterator[Row]:
    first = block[0]
    if first.startswith("```"):
        yield from ([("  " + line, Tone.KEY)] for line in block[1:] if not line.startswith("```"))
    elif first.startswith("    "):
        yield from ([(line[2:], Tone.KEY)] for line in block)
    elif first.startswith("|"):
        lines = [[cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")] for line in block]
        lines = [cells for cells in lines if not all(set(cell) <= set("-: ") for cell in cells)]
        widths = [max(len(cells[n]) if n < len(cells) else 0 for cells in lines) for n in range(max(map(len, lines)))]
        for number, cells in enumerate(lines):
            text = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False))
            yield [(text, Tone.STRONG if number == 0 else Tone.TEXT)]
    elif first.startswith("#"):
        yield [(first.lstrip("# ").strip(), Tone.TITLE if first.startswith("# ") else Tone.STRONG)]
    else:
        for lead, text in split_items(block):
            yield from paragraph_rows(text, width, lead)


def split_items(block: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (bullet, text) for each item of a list. A paragraph is one item without a bullet."""
    lead, text = "", ""
    for line in block:
        match = ITEM.match(line)
        if match:
            if text:
                yield lead, text
            sign = "•" if match[2] in "-*" else match[2]
            lead, text = f"{match[1]}{sign} ", line[match.end() :].strip()
        else:
            text = f"{text} {line.strip()}".strip()
    yield lead, text


def paragraph_rows(text: str, width: int, lead: str = "") -> list[Row]:
    """Return the lines of a paragraph. Later lines are indented as far as the text of the first."""
    return fold([(lead, Tone.DIM), *split_tones(text)], width, [(" " * len(lead), Tone.TEXT)])


def split_tones(text: str) -> Iterator[tuple[str, AnyTone]]:
    """Yield the parts of a text, without the marks. Each part has one tone."""
    for part in INLINE.split(text):
        if not INLINE.fullmatch(part):
            if part:
                yield part, Tone.TEXT
        elif part.startswith("`"):
            yield part[1:-1], Tone.KEY
        else:
            yield part.strip("*"), Tone.STRONG
