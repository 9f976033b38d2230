"""The wording of the claims that only Ayòayò makes."""

from __future__ import annotations

from onlymove_engines.coach.hint import ShownMove, align_moves
from onlymove_engines.coach.reasons import build_moment
from onlymove_engines.games.ayoayo import GAME
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.coach import Capture, claim_taken, claim_turn, describe_move, describe_moves
from onlymove_engines.games.ayoayo.notation import parse_position
from onlymove_engines.games.ayoayo.rules import START, legal_moves
from onlymove_engines.play.tree import Conventions


def test_a_capture_for_both_sides_states_what_each_gets(analyst: AyoayoAnalyst) -> None:
    moment = build_moment(Conventions(GAME), [START], 0, analyst.analyse(START), analyst)
    assert moment is not None
    output = [claim.sentence for claim in GAME.voice.reasons.more(moment)]
    assert output == ["Second replies with pit 4 and captures 8 seeds in return for 4."]
    late = claim_taken(moment, Capture((0, 2, 1), 1, 8, 4))
    assert late.sentence == "Second captures 8 seeds in return for 4 after the moves 3 and 2."
    assert claim_taken(moment, Capture((0, 2), 1, 8)).sentence == "Second replies with pit 3 and captures 8 seeds."
    changed = claim_turn(moment, Capture((0, 1, 2), 0, 8, 4), Capture((0, 1, 2, 3, 4), 1, 8, is_sown=False))
    assert changed.sentence == (
        "With best play First would have captured the next 8 seeds in return for 4, for example in 3 moves with pit 3;"
        " now Second captures the next 8 seeds, for example in 4 moves when pit 5 is sown."
    )
    before = claim_turn(moment, None, Capture((0, 1, 2, 3, 4, 5), 1, 8))
    assert before.sentence == (
        "With best play both sides would have captured equally;"
        " now Second captures the next 8 seeds, for example in 5 moves with pit 6."
    )
    after = claim_turn(moment, Capture((0, 1, 2), 0, 8), None)
    assert after.sentence == (
        "With best play First would have captured the next 8 seeds, for example in 3 moves with pit 3;"
        " now both sides will capture equally."
    )


def test_a_hint_says_once_what_its_only_move_captures(analyst: AyoayoAnalyst) -> None:
    position = parse_position("1,0,1,1,15,1/2,1,0,0,1,1 8-16 0")
    area = describe_moves(position, analyst.analyse(position), analyst).area
    assert area[0] == "The best move captures 4 seeds."
    assert "The only good move captures." not in area


def test_a_narrow_list_of_moves_shows_every_capture() -> None:
    position = parse_position("7,2,6,6,1,0/1,6,1,6,6,6 0-0 1")
    words = {move: describe_move(position, move) for move in legal_moves(position)}
    shown = [ShownMove(str(move + 1), "win by 12", each) for move, each in words.items()]
    remarks = [words for _, words in align_moves(shown, 24)]
    assert "8 for 4" in remarks
    assert all(remarks)
