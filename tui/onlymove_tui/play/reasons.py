"""Which reasons against a move may be told while the game goes on, so that they give nothing away."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.coach.figures import SeatMove
from onlymove_engines.coach.reasons import Explanation
from onlymove_engines.coach.values import Refutation
from onlymove_engines.live.live_game import LiveGame, allows_help


def select_reasons(live: LiveGame, choice: SeatMove, found: Explanation) -> Sequence[str]:
    """Return the reasons against a move that may be told now, of those that were `found`. They name no better move. If
    the move has been played, they mention no reply either."""
    if not allows_help(live):
        return ()
    return found.discreet if choice[0] is live.node else found.lasting


def list_reasons_of_line(live: LiveGame, line: Refutation) -> Sequence[str]:
    """Return the reasons against the first move of a line of best play that is shown. If none is known, return the
    verdict on that move."""
    if not allows_help(live):
        return ()
    played = next((node for node in line.start.children if node.move == line.moves[0]), None)
    found = None if played is None else played.worst_judgement()
    return live.explain_line(line).discreet or (() if found is None else (found.verdict(),))
