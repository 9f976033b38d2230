"""How Ayòayò's own claims read."""

from __future__ import annotations

from onlymove_engines.coach.reasons import look_around
from onlymove_engines.games.ayoayo import GAME
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.coach import Capture, claim_taken, claim_turn
from onlymove_engines.games.ayoayo.rules import START
from onlymove_engines.play.line import Conventions


def test_a_capture_that_gives_something_tells_what_either_side_gets(analyst: AyoayoAnalyst) -> None:
    moment = look_around(Conventions(GAME), [START], 0, analyst.analyse(START), analyst)
    assert moment is not None
    said = [claim.sentence for claim in GAME.voice.reasons.more(moment)]
    assert said == ["Second answers with pit 4, takes 8 and gives 4."]
    assert claim_taken(moment, Capture((0, 2, 1), 1, 8, 4)).sentence == "Second takes 8 and gives 4 after pits 3 and 2."
    assert claim_taken(moment, Capture((0, 2), 1, 8)).sentence == "Second answers with pit 3 and takes 8."
    changed = claim_turn(moment, Capture((0,), 0, 8, 4), Capture((0,), 1, 8))
    assert changed.sentence == "In best play the next 8 for 4 were First's; now 8 are Second's."
    before = claim_turn(moment, None, Capture((0,), 1, 8))
    assert before.sentence == "In best play the captures to come were even; now the next 8 are Second's."
    after = claim_turn(moment, Capture((0,), 0, 8), None)
    assert after.sentence == "In best play the next 8 were First's; now the captures to come are even."
