"""How many seconds a question about a position may take, in every front end.

A table answers at once, so these limits matter only in games that are searched. `Knowledge.question_seconds` picks the
limit of a question about a game under way: the app, line mode, `review` and the library's `judge` and `explain` ask it,
and engines that move in turn think as long. Clocks come from the caller.
"""

from __future__ import annotations

PROOF_SECONDS = 20.0
"""For a search that proves its answer: it is worth waiting for, and seldom takes a tenth of a second. The library's
environments, and its `analyse` and `hint`, take it for every game."""
SEARCH_SECONDS = 2.0
"""For one question about a game whose table is missing: the search takes all it gets, and only estimates. Also for the
search for the move that is hardest to answer."""
ROUND_SECONDS = 10.0
"""For judging a round in which both sides move at once. The search ends after a fixed number of nodes (some 0.6 s), so
that a busy machine changes no judgement; this limit is for a machine that is ten times too busy."""
MOVE_SECONDS = 1.0
"""For an engine's move in a round in which both sides move at once, and for `choose` in the library."""
POSITION_SECONDS = 10.0
"""For one position outside a game: the explorer, and `analyse` and `explore` on the command line."""
