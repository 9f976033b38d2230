"""A record that was written reads back as the same line. If the rules reject a record, the error names the place."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onlymove_engines import games
from onlymove_engines.coach.drill import find_mistakes
from onlymove_engines.coach.figures import count_figures, find_flagged_choices, list_choices_at
from onlymove_engines.coach.judge import judge
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.rules import Result
from onlymove_engines.core.text import clean_line
from onlymove_engines.core.value import Loss, Outcome, Win, proven
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import GameTree, Node
from onlymove_engines.records.record import (
    MAX_MOVES,
    MAX_NESTED,
    MAX_RECORD_LENGTH,
    MAX_TAG_LENGTH,
    BadRecord,
    Record,
    format_record,
    parse_records,
)
from onlymove_engines.search.deepening import LiveAnalyst

from tests.literal_game import literal_game

LITERAL = literal_game()
GAME_IDS = [facts.id for facts in games.list_games()]


def literal(_: str) -> AnyGame:
    return LITERAL


def annotated_game() -> Record:
    """Return the record of start -b?? (-c, -a! x)- B x lost, judged by the tree itself, with a hint, an attempt and
    comments."""
    tree: GameTree[str, str] = GameTree(LITERAL)
    analysis = LiveAnalyst(LITERAL).analyse("start")
    bad = tree.add(tree.root, "b")
    bad.judgements[0] = judge(analysis, "b")
    bad.comment = "a slip {with} [%value W1] \\ in it"
    tree.root.comment = "before the first move"
    tree.root.attempts[0] = judge(analysis, "c")
    tree.root.hinted = {0}
    tree.add(bad, "x").judgements[1] = Judgement(Grade.FORCED, Win(1), Win(1))
    tree.add(tree.root, "c").judgements[0] = judge(analysis, "c")
    good = tree.add(tree.root, "a")
    good.judgements[0] = judge(analysis, "a")
    tree.add(good, "x")
    tree.go_to(tree.root.end())
    return Record(tree, {"Date": "2026.11.20", "First": 'A "quoted" \\ name', "Second": "?"})


def tree(node: Node[Any, Any]) -> Any:
    """Return a line as nested tuples of everything that a record must keep."""
    children = [tree(child) for child in node.children]
    return node.move, node.position, node.judgements, node.attempts, node.hinted, node.comment, node.symbols, children


def test_the_text_is_in_the_shape_of_pgn() -> None:
    text = format_record(annotated_game())
    assert text.startswith('[Game "literal"]\n[Date "2026.11.20"]\n[First "A \\"quoted\\" \\\\ name"]\n')
    assert '[Result "0-1"]\n\n' in text
    flat = " ".join(text.split())
    assert "1. b?? {[%value L2] [%was W3]" in flat
    assert "(1. a! {[%value W3]} 1... x)" in flat
    assert "(1. c? {[%value D] [%was W3] [%class missed-win]})" in flat
    assert flat.endswith("1... x {[%value W1] [%class forced]} 0-1")


def test_an_annotated_game_reads_back_the_same() -> None:
    record = annotated_game()
    (again,) = parse_records(format_record(record), literal)
    assert tree(again.tree.root) == tree(record.tree.root)
    assert again.tags == record.tags
    assert format_record(again) == format_record(record)
    assert count_figures(list_choices_at(again.tree.root.end().path(), 0)) == count_figures(
        list_choices_at(record.tree.root.end().path(), 0)
    )


def test_several_games_in_one_text() -> None:
    text = format_record(annotated_game())
    assert len(parse_records(text + "\n" + text, literal)) == 2
    assert parse_records("  \n", literal) == []


def test_an_agreed_end_is_kept() -> None:
    record = Record(GameTree(LITERAL))
    record.tree.go_to(record.tree.here, Result(1, reason="First resigned"))
    text = format_record(record)
    assert '[Result "0-1"]' in text
    (again,) = parse_records(text, literal)
    assert again.tree.agreed == record.tree.agreed


def test_an_open_game_ends_with_a_star() -> None:
    text = format_record(Record(GameTree(LITERAL)))
    assert text.endswith("\n\n*\n")
    assert parse_records(text, literal)[0].tree.result is None


def test_a_game_from_a_position_names_it() -> None:
    tree: GameTree[str, str] = GameTree(LITERAL, "A")
    tree.add(tree.root, "y")
    text = format_record(Record(tree))
    assert '[Position "A"]' in text
    assert "1... y" in text
    assert parse_records(text, literal)[0].tree.root.position == "A"


def test_glyphs_of_other_programs_are_judgements() -> None:
    text = '[Game "literal"]\n\n1.b?? {[%value L2] oh dear} x $4 0-1\n'
    (record,) = parse_records(text, literal)
    (bad,) = record.tree.root.children
    assert bad.judgements[0] == Judgement(Grade.BLUNDER, Loss(2), Loss(2), flagged=True)
    assert bad.comment == "oh dear"


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("1. a *", "line 1: a record must begin with [Game"),
        ('[Game "literal"]\n\n1. a y 2. q *', "line 3: move 2. q: q is not legal"),
        ('[Game "literal"]\n\n1. c\n1... x *', "line 4: move 1... x: the game is over"),
        ('[Game "literal"]\n\n1. a (1. c', "line 3: a variation has no closing bracket"),
        ('[Game "literal"]\n\n1. a ) *', "line 3: ')' does not belong here"),
        ('[Game "literal"]\n\n( *', "line 3: '(' does not belong here"),
        ('[Game "literal"]\n\n1. a [Date 2026] *', "line 3: '[' does not belong here. A tag is written [Name"),
        ('[Game "literal"]\n[A "b"]\n[A "c"]\n\n*', "line 3: there is another tag A with a different text"),
        ('[Game "literal"]\n\n1. c\n1-0', "line 4: the result should be 1/2-1/2, not 1-0"),
        ('[Game "literal"]\n\n1. a { *', "line 3: a comment has no closing bracket"),
        ('[Game "literal"]\n[Result "1-0"]\n\n1. c 1-0', "line 2: the result should be 1/2-1/2, not 1-0"),
        ('[Game "literal"]\n[Result "1-0"]\n\n1. a 0-1', "line 2: the Result tag says 1-0, but the moves end with 0-1"),
        ('[Game "literal"]\n[Result "win"]\n\n1. a *', "line 2: 'win' is not a result"),
        ('[Game "literal"]\n[Position "Z"]\n\n*', "line 2: Position: no position 'Z'"),
        ('[Game "literal"]\n[Rule "no-luck"]\n\n*', "line 2: Literal has no house rule 'no-luck'"),
    ],
)
def test_an_illegal_move_is_refused_with_its_place(text: str, output: str) -> None:
    with pytest.raises(BadRecord) as refusal:
        parse_records(text, literal)
    assert str(refusal.value).startswith(output)


HEAD = '[Game "literal"]\n\n1. a '
MANY = MAX_RECORD_LENGTH // 8

TOO_LARGE = {
    "tag": (
        f'[Game "literal"]\n[First "{"A" * (MAX_TAG_LENGTH + 1)}"]\n\n*',
        "line 2: the tag First has more than 10,000",
    ),
    "tag of 50 MB": (f'[Game "literal"]\n[First "{"A" * 50_000_000}"]\n\n*', "line 2: the tag First has more than"),
    "comment": (f"{HEAD}{{{'a' * MAX_RECORD_LENGTH}}} *", "line 3: the record has more than 1,048,576 characters"),
    "word": (f"{HEAD}{'y' * MAX_RECORD_LENGTH} *", "line 3: the record has more than"),
    "tags": ('[Game "literal"]\n' + '[A "b"]\n' * MANY, "line 131072: the record has more than"),
    "lines for other programs": (HEAD + "\n%" * MANY * 4 + "\n*", "line 524292: the record has more than"),
    "second record": (f'[Game "literal"]\n\n*\n\n{HEAD}{{{"a" * MAX_RECORD_LENGTH}}} *', "line 7: the record has more"),
    "variations": (HEAD + "(1. a " * (MAX_NESTED + 1), "line 3: more than 100 variations are nested in each other"),
}


@pytest.mark.parametrize(("text", "output"), TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_record_that_is_too_large_is_refused_with_its_place(text: str, output: str) -> None:
    with pytest.raises(BadRecord) as refusal:
        parse_records(text, literal)
    assert str(refusal.value).startswith(output)


def test_a_record_with_too_many_moves_is_refused() -> None:
    """The game has a hundred moves in every position and does not end. Each of 50 moves has 99 variations."""
    rules = SimpleNamespace(
        to_move=lambda position: position % 2,
        legal_moves=lambda _: range(100),
        play=lambda position, _: position + 1,
        result=lambda _: None,
    )
    notation = SimpleNamespace(parse_move=lambda _, text: int(text), format_move=lambda _, move: str(move))
    wide: AnyGame = dataclasses.replace(LITERAL, rules=rules, notation=notation, start=lambda *_: 0)  # type: ignore[arg-type]
    text = '[Game "wide"]\n\n' + ("0 " + "".join(f"({move}) " for move in range(1, 100))) * (MAX_MOVES // 100)
    (record,) = parse_records(text, lambda _: wide)
    assert len(record.tree.nodes) == MAX_MOVES + 1
    with pytest.raises(BadRecord, match="the record has more than 5,000 moves"):
        parse_records(text + "0", lambda _: wide)


SLOW_TO_READ = {
    "a command without an end": HEAD + "{[%" + "a" * 8 * MANY + "} *",
    "commands without an end": HEAD + "{" + "[%a " * 2 * MANY + "} *",
    "moves taken back, without an end": HEAD + "{[%undone " + "\\a" * 3 * MANY + "} *",
    "comments": HEAD + "{a}" * 2 * MANY + " *",
    "comments around variations": HEAD + "{a} (1. a) " * (MANY // 2) + " *",
    "numbers without a dot": HEAD + "1 " * 4 * MANY + " *",
    "games that are not installed": '[Game "other"]\n\n*\n\n' * MANY,
}


@pytest.mark.parametrize("text", [text[:MAX_RECORD_LENGTH] for text in SLOW_TO_READ.values()], ids=SLOW_TO_READ)
def test_the_time_to_read_a_record_grows_only_with_its_length(text: str) -> None:
    """If it grew with the square, each of these would take minutes or hours."""

    def load(name: str) -> AnyGame:
        if name == "other":
            raise OnlymoveError("not installed")
        return LITERAL

    with suppress(BadRecord):
        parse_records(text, load, lambda _: None)


def test_a_number_that_is_too_long_is_no_value() -> None:
    (record,) = parse_records(f"{HEAD}{{[%value W{'1' * 5000}] [%class best]}} *", literal)
    assert record.tree.here.judgements[0].after is None


HOSTILE = "A\x1b]0;X\x07\x9b2J\u202e\u2028\x85B\rC"
CLEAN = "A?]0;X??2J?  B C"


FOREIGN = r"""; made by another program
[Game "literal"]
[Date "2026.11.29"]
[First "?"]
[Second "?"]
[A.B "x"]
[Set-Up "1"]
[Time_Control "5+3"]
[É "x"]
[ Eco+ "D01" ]
[Path "C:\\games"]

{[%eval 0.3] before} 1 a !? $10 {[%clk 0:01:00] [%cal Ga1b2,Rc3d4] C:\games} (1.c!! $146) 1 ... y; the rest [of] it
2.z $7 {one} {two [%emt 3] [see 4] [%value 0.25]} *
{after the result}
"""
"""The tags, comments and symbols that other programs write in PGN."""


def test_what_other_programs_write_is_read_and_written_again() -> None:
    (record,) = parse_records(FOREIGN, literal)
    root = record.tree.root
    first, second, third = record.tree.here.path()[1:]
    assert root.comment == "made by another program [%eval 0.3] before"
    assert (first.symbols, first.comment) == ("!? $10", "[%clk 0:01:00] [%cal Ga1b2,Rc3d4] C:\\games")
    assert root.children[1].symbols == "!! $146"
    assert second.comment == "the rest [of] it"
    assert (third.symbols, third.comment) == ("$7", "one two [%emt 3] [see 4] [%value 0.25] after the result")
    assert {name: record.tags[name] for name in ("A.B", "Set-Up", "Time_Control", "É", "Eco+", "Path")} == {
        "A.B": "x", "Set-Up": "1", "Time_Control": "5+3", "É": "x", "Eco+": "D01", "Path": "C:\\games",
    }  # fmt: skip
    text = format_record(record)
    for written in (
        "{made by another program [%eval 0.3] before}",
        "1. a!? $10 {[%clk 0:01:00] [%cal Ga1b2,Rc3d4] C:\\games}",
        "(1. c!! $146)",
        "{the rest [of] it}",
        "[%emt 3] [see 4] \\[%value 0.25] after the result}",
    ):
        assert written in " ".join(text.split())
    (again,) = parse_records(text, literal)
    assert tree(again.tree.root) == tree(root)
    assert again.tags == record.tags
    assert format_record(again) == text


def test_a_number_without_a_dot_is_a_move_where_moves_are_numbers() -> None:
    (record,) = parse_records('[Game "ayoayo"]\n\n1. 1 6 *', games.load)
    assert [node.text for node in record.tree.here.path()[1:]] == ["1", "6"]
    with pytest.raises(BadRecord, match=r"^line 3: move 1\.\.\. 7: a move is the number of a pit"):
        parse_records('[Game "ayoayo"]\n\n1. 1 7 *', games.load)


def test_a_symbol_beside_a_judgement_is_kept_by_its_number() -> None:
    (record,) = parse_records('[Game "literal"]\n\n$9 1.b?? ! !? x ?! *', literal)
    bad, end = record.tree.here.path()[1:]
    assert [found.grade for found in (bad.judgements[0], end.judgements[1])] == [Grade.BLUNDER, Grade.INACCURACY]
    assert "$9 1. b?? $1 $5 x?!" in " ".join(format_record(record).split())
    assert format_record(*parse_records(format_record(record), literal)) == format_record(record)


def test_a_record_is_harmless_when_it_is_written() -> None:
    tree: GameTree[str, str] = GameTree(LITERAL)
    node = tree.add(tree.root, "a")
    node.comment = HOSTILE
    tree.go_to(node, Result(0, reason=HOSTILE))
    text = format_record(Record(tree, dict.fromkeys(("First", "Second", "Date", "Event"), HOSTILE)))
    assert text.count(CLEAN) == 6
    assert all(glyph.isprintable() or glyph == "\n" for glyph in text)


def test_a_record_is_harmless_when_it_is_read() -> None:
    text = "".join(f'[{tag} "{HOSTILE}"]\n' for tag in ("First", "Second", "Date", "Event", "Termination"))
    (record,) = parse_records(f'[Game "literal"]\n[Result "1-0"]\n{text}\n1. a {{{HOSTILE}}} 1-0\n', literal)
    assert {*record.tags.values()} == {CLEAN}
    assert record.tree.here.comment == CLEAN
    assert record.tree.result is not None
    assert record.tree.result.reason == CLEAN


values = st.builds(proven, st.sampled_from(Outcome), st.none() | st.integers(0, 99), st.none() | st.integers(-48, 48))
judgements = st.builds(
    Judgement,
    st.sampled_from(Grade),
    st.none() | values,
    st.none() | values,
    st.booleans(),
    st.booleans(),
    st.integers(0, 9),
    st.integers(0, 48),
    st.floats(0, 1),
    st.none() | st.floats(-1, 1),
    st.booleans(),
)


comments = st.text(st.characters(codec="utf-8")).map(clean_line)


@given(judgements, judgements, comments)
def test_every_judgement_and_comment_survives(played: Judgement, tried: Judgement, comment: str) -> None:
    tree: GameTree[str, str] = GameTree(LITERAL)
    node = tree.add(tree.root, "b")
    node.judgements[0] = played
    node.comment = comment
    tree.root.attempts[0] = tried
    (again,) = parse_records(format_record(Record(tree)), literal)
    found = again.tree.root.children[0]
    assert found.judgements == node.judgements
    assert found.comment == comment
    assert again.tree.root.attempts.get(0, found.judgements[0]) == tried


@given(judgements, judgements)
def test_both_sides_of_a_round_survive(first: Judgement, second: Judgement) -> None:
    game = dataclasses.replace(LITERAL, facts=dataclasses.replace(LITERAL.facts, simultaneous=True))
    tree: GameTree[str, str] = GameTree(game)
    tree.add(tree.root, "b").judgements.update({0: first, 1: second})
    (again,) = parse_records(format_record(Record(tree)), literal)
    assert again.tree.root.children[0].judgements == {0: first, 1: second}


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_moves_taken_back_become_a_variation(game_id: str) -> None:
    """Random games with undos. Some end before the move taken back last, and some are resigned there."""
    game, random = games.load(game_id), Random(11)
    for number in range(12):
        session: AnySession = Session(game, game.start({}, number))
        for _ in range(40):
            if random.random() < 0.3:
                session.undo()
            elif not session.is_over:
                session.play(random.choice(session.legal_moves()))
        if number % 3 == 0:
            session.undo()
        if number % 2 == 0 and not session.is_over:
            session.resign(random.choice((0, 1)))
        text = format_record(Record(session.tree))
        (again,) = parse_records(text, games.load)
        assert [node.move for node in again.tree.here.path()] == [node.move for node in session.node.path()], text
        assert again.tree.result == session.result, text
        assert tree(again.tree.root) == tree(session.tree.root), text
        assert format_record(again) == text


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_random_games_with_variations_read_back_the_same(game_id: str) -> None:
    game, random = games.load(game_id), Random(5)
    for _ in range(3):
        record = Record(random_line(game, random))
        text = format_record(record)
        assert max(len(line) for line in text.splitlines() if not line.startswith("[")) <= 80
        (again,) = parse_records(text, games.load)
        assert tree(again.tree.root) == tree(record.tree.root)
        assert again.tree.result == record.tree.result


def random_line(game: AnyGame, random: Random) -> GameTree[Any, Any]:
    """Return a random game of at most sixty plies, with a variation at every tenth."""
    tree: GameTree[Any, Any] = GameTree(game, game.start({}, random.randrange(99)))
    node = tree.root
    while node.ply < 60 and node.result is None:
        moves = game.rules.legal_moves(node.position)
        chosen = random.choice(list(moves))
        child = tree.add(node, chosen)
        if node.ply % 10 == 3:
            other = moves[0]
            tree.add(node, other)
        node = child
    tree.go_to(node)
    return tree


@pytest.mark.parametrize(
    "text",
    ["{" * 300_000, "{" + "[%undone " * 100_000 + "}", "{" + "[%x" * 300_000 + "}"],
    ids=["comment", "undone", "command"],
)
def test_brackets_without_an_end_do_not_take_hours(text: str) -> None:
    """With a search for the end from every bracket, the time would grow with the square of the length."""
    try:
        parse_records(f'[Game "literal"]\n\n{text} *', lambda _: literal_game())
    except BadRecord as refusal:
        assert str(refusal) == "line 3: a comment has no closing bracket"  # noqa: PT017 - some of them are accepted


def test_a_refused_record_is_an_error_a_player_may_read() -> None:
    assert issubclass(BadRecord, OnlymoveError)


def test_a_judgement_of_the_side_that_did_not_move_is_not_listed() -> None:
    (record,) = parse_records(
        '[Game "literal"]\n\n1. b {[%judged 0 blunder flagged] [%judged 1 blunder flagged]} *', literal
    )
    node = record.tree.here
    assert set(node.judgements) == {0, 1}
    assert find_flagged_choices(node) == [(record.tree.root, 0, "b")]
    assert find_mistakes(Session.from_tree(record.tree)) == [(node, 0)]
