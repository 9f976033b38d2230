"""The ways to judge a leaf of a search in which the riders can still meet; the compiled searches take the number."""

from typing import Final

FLOOD: Final = 0
"""Cells reached first, counted."""

CHAMBERS: Final = 1
"""A chamber counts with the best of those beyond it, as the seed has it."""

FITTED: Final = 2
"""Chambers with the battlefront rule, and the shape of both territories, by weights fitted to results of games."""

LAST: Final = 3
"""None: the game is drawn once so many rounds are over (`max_rounds`)."""
