"""Light Riders: Tron on a field with simultaneous, hidden moves. The card."""

from __future__ import annotations

from onlymove_engines.core.analysis import Columns
from onlymove_engines.core.game import Facts, Game

from .analyst import UNITS, LightRidersAnalyst
from .claims import CLAIMS
from .host import RiddlesHost
from .notation import LightRidersNotation
from .outlook import outlook
from .prospects import prospects
from .protocol import plain_choice, riddles
from .reasons import forbidden_by
from .rules import RULES, Position, Round
from .scene import LightRidersPainter
from .start import OPTIONS, start
from .styles import STYLES, load_styles
from .symmetry import SYMMETRIES
from .time_plan import thinking_time
from .words import in_words


def open_analyst(_: Columns | None) -> LightRidersAnalyst:
    """It never needs a table."""
    return LightRidersAnalyst()


GAMES: tuple[Game[Position, Round], ...] = (
    Game(
        id="lightriders",
        title="Light Riders",
        pitch="Both riders steer at once: the trail you leave is the wall you hit",
        solved="small fields solved; 16x16 by search",
        seats=("Rider 0", "Rider 1"),
        # Both riders fill a cell a round: the largest field, 24 x 24, lasts (576 - 2) / 2 rounds and a crash.
        facts=Facts(max_plies=288, simultaneous=True, plays_by_search=True),
        rules=RULES,
        notation=LightRidersNotation(),
        painter=LightRidersPainter(),
        start=start,
        folder=__package__,
        options=OPTIONS,
        symmetries=SYMMETRIES,
        open_analyst=open_analyst,
        units=UNITS,
        seldom=(load_styles,),
        plain_choice=plain_choice,
        plan_time=thinking_time,
        styles=STYLES,
        direct_keys={"up": "u", "down": "d", "left": "l", "right": "r"},
        overlay_title="territory",
        overlay_words=prospects,
        in_words=in_words,
        forbidden_by=forbidden_by,
        claims=CLAIMS,
        outlook=outlook,
        protocols={"riddles": riddles},
        hosts={"riddles": RiddlesHost},
    ),
)
