"""Two people play a shared game in line mode. Each types moves and sees the other's, but never what a move is worth."""

from __future__ import annotations

from random import Random

from onlymove_engines.coach.judge import Coaching
from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.cli.meet import AFTER, SharedLineMode
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.record_file import Asking, RequestKind, format_line
from onlymove_tui.lobby.replay import start_line
from onlymove_tui.lobby.shared_game import SharedGame, list_players, make_shared_game
from onlymove_tui.play.line_mode import Voice
from onlymove_tui.play.phrases import describe_counting

from tests.lobby.lobbies import Time, begin_game, make_terms, show_all_alive
from tests.tui.line_words import find_offered_words


class Typist:
    """A player in line mode, and the lines that the player is shown."""

    def __init__(self, shared_game: SharedGame) -> None:
        session: AnySession = Session.from_tree(start_line(shared_game.game, shared_game.opening))
        session.set_players(list_players(shared_game, shared_game.person(0).uid))
        self.told: list[str] = []
        live = make_shared_game(shared_game, session, Coaching(), None, Random(1))
        self.lines = SharedLineMode(live, Voice(self.told.append, lambda: 0.0))

    def types(self, *lines: str | None) -> list[str]:
        """Type these lines, and return what is shown. Without lines, only check for news."""
        self.told.clear()
        for line in lines or (None,):
            self.lines.answer(line)
        return [*self.told]

    def runs(self, *lines: str | None) -> list[str]:
        """Run line mode from the beginning with these lines, and return what is shown."""
        self.told.clear()
        self.lines.run(lines)
        return [*self.told]


def begin_game_in_lines(ada: Lobby, bob: Lobby, game: str = "tiny", **terms: object) -> tuple[Typist, Typist]:
    """Return both players of a new game, the one who moves first in front."""
    one, other = begin_game(ada, bob, make_terms(game, **terms))
    return Typist(one), Typist(other)


def test_a_typed_move_is_shown_to_the_opponent_and_its_value_to_nobody(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob)
    assert first.runs()[0] == "Two Heaps. Left: you. Right: bob. Type help for a list of commands."
    assert second.types("L1", "moves") == ["Not played: it is not your turn yet.", "It is not your turn yet."]
    assert first.types("L1")[0] == "Left plays L1"
    assert second.types()[0] == "Left plays L1"
    assert second.types("R9") == ["Not played: cannot take 9 from R."]
    for asked in ("hint", "values", "why", "swap", "players human,human", "redo"):
        (output,) = second.types(asked)
        assert output.startswith("Not played"), f"{asked}: {output}"
    assert second.types("R1")[0] == "Right plays R1"
    assert first.types()[0] == "Right plays R1"
    assert [typist.lines.live.session.list_moves() for typist in (first, second)] == [[("L", 1), ("R", 1)]] * 2


def test_every_word_that_a_sentence_offers_is_accepted_there(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob)
    output, counting = first.types("help")
    assert output.endswith("quit. Your opponent has to agree to undo and draw.")
    assert counting == describe_counting(first.lines.game)
    words = list(find_offered_words([output]))
    assert {"", *words} == set(first.lines.commands)
    for word in sorted(words, key="resign".__eq__):
        assert not any(line.startswith("Not played") for line in first.types(word)), word
    assert second.types()[-1] == AFTER


def test_sentences_name_the_words_of_the_commands(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob)
    second.lines.commands = {f"{word}x": command for word, command in second.lines.commands.items()}
    first.types("draw")
    assert second.types() == ["ada offers a draw. Type agreex or declinex."]
    assert second.types("helpx")[-2].endswith("quitx. Your opponent has to agree to undox and drawx.")
    assert second.types("agreex")[-1] == AFTER


def test_nothing_is_printed_after_the_end(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob)
    first.types("resign")
    assert first.told[-2:] == ["Right wins: Left resigned.", AFTER]
    assert second.runs(None, "L1")[-2:] == first.told[-2:]
    assert not second.lines.live.session.list_moves()


def test_undo_and_draw_are_requested_and_answered(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob)
    assert second.types("agree") == ["There is no request to answer."]
    assert first.types("undo") == ["There is nothing to take back."]
    first.types("L1")
    second.types()
    assert first.types("undo") == ["Your request was sent. Your opponent can agree or decline."]
    assert second.types() == ["ada asks to take back a move. Type agree or decline."]
    second.types("decline")
    assert first.types() == ["bob declines."]
    first.types("undo")
    for output in (second.types("agree"), first.types()):
        assert "Taken back." in output
        assert not any("declines" in line for line in output)
    assert first.types("draw") == ["Your request was sent. Your opponent can agree or decline."]
    assert second.types("agree")[-2:] == ["Drawn: draw agreed.", AFTER]
    assert first.types()[-2:] == ["Drawn: draw agreed.", AFTER]


def test_a_flood_of_requests_is_shown_as_one(ada: Lobby, bob: Lobby) -> None:
    """A player with a changed program makes different requests again and again."""
    first, second = begin_game_in_lines(ada, bob)
    first.types("L1")
    second.types()
    own = first.lines.shared
    path = ada.folders.path_of(ada.who.uid, own.opening.challenge_id)
    asking = [Asking(epoch=0, ply=1, wish=wish) for wish in (RequestKind.DRAW, RequestKind.UNDO)]
    output: list[str] = []
    for _ in range(20):
        with path.open("ab") as stream:
            stream.write(b"".join(map(format_line, asking)) * 275)
        show_all_alive(ada)
        output += second.types()
    assert output == ["ada offers a draw. Type agree or decline."]
    second.types("decline")
    assert second.lines.shared.find_request() is None
    assert second.types() == []


def test_a_request_is_answered_before_the_next_one(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob)
    first.types("L1")
    assert first.types("draw") == ["Your request was sent. Your opponent can agree or decline."]
    for again in ("draw", "undo"):
        assert first.types(again) == ["You have already asked, and your opponent has not answered yet."]
    second.types("decline")
    assert first.types("undo") == ["bob declines.", "Your request was sent. Your opponent can agree or decline."]
    assert second.types("draw") == [
        "ada asks to take back a move. Type agree or decline.",
        "Your request was sent. Your opponent can agree or decline.",
    ]
    assert first.types("draw")[-2:] == ["Drawn: draw agreed.", AFTER], "both want it"


def test_a_request_that_a_move_withdrew_is_not_shown_as_declined(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob)
    assert first.types("draw") == ["Your request was sent. Your opponent can agree or decline."]
    output = [*first.types("L1"), *first.types(), *second.types(), *first.types()]
    assert not any("declines" in line for line in output), output
    assert first.types("draw") == ["Your request was sent. Your opponent can agree or decline."]
    second.types("decline")
    assert first.types() == ["bob declines."]


def test_a_fixed_choice_is_shown_when_both_have_chosen(ada: Lobby, bob: Lobby) -> None:
    first, second = begin_game_in_lines(ada, bob, "duel")
    one, two = first.lines.game.seats
    assert first.types("a") == ["You have chosen."]
    assert second.types() == []
    assert second.types("b") == ["You have chosen."]
    output: tuple[list[str], list[str]] = ([], [])
    for _ in range(3):
        for typist, lines in zip((first, second), output, strict=True):
            lines.extend(typist.types())
    for lines in output:
        assert lines.count(f"Round 1: {one} a, {two} b.") == 1, lines


def test_leaving_and_coming_back_are_each_shown_once(ada: Lobby, bob: Lobby, clock: Time) -> None:
    first, second = begin_game_in_lines(ada, bob)
    first.types()
    second.types()
    first.types()
    clock.now += 60.0
    assert second.types() == ["ada is away. The game waits."]
    assert second.types() == []
    first.types()
    assert second.types() == ["ada is back."]


def test_the_clock_is_shown_each_turn_on_request_and_when_time_is_short(ada: Lobby, bob: Lobby, clock: Time) -> None:
    first, second = begin_game_in_lines(ada, bob, clock="1.5+2")
    output = first.runs()
    assert output[1] == "Clock: 1 minute 30 seconds, 2 seconds more for each move."
    assert output[-1] == "You have 1 minute 30 seconds. bob has 1 minute 30 seconds."
    clock.now += 29.5
    second.types()
    assert first.types("clock") == ["You have 1 minute 1 second. bob has 1 minute 30 seconds."]
    clock.now += 1.0
    second.types()
    assert first.types() == ["You have 1 minute."]
    assert first.types() == []
    assert second.types("clock") == ["You have 1 minute 30 seconds. ada has 1 minute."]
    assert first.types("L1")[-1] == "You have 1 minute 2 seconds. bob has 1 minute 30 seconds."
    second.types()
    clock.now += 90.0
    assert second.types()[-2:] == ["Left wins: Right ran out of time.", AFTER]


def test_a_missing_clock_is_mentioned(ada: Lobby, bob: Lobby) -> None:
    first, _ = begin_game_in_lines(ada, bob)
    assert first.types("clock") == ["There is no clock."]
