"""How many seconds a question about a position may take, in every front end.

A table answers at once, so these limits matter only in games that are searched. Clocks come from the caller.
"""

from __future__ import annotations

PROOF_SECONDS = 20.0
"""For a search that proves its answer: it is worth waiting for, and seldom takes a tenth of a second."""
SEARCH_SECONDS = 2.0
"""For one question about a game whose table is missing: the search takes all it gets, and only estimates."""
ROUND_SECONDS = 10.0
"""For judging a round in which both sides move at once. The search ends after a fixed number of nodes (some 0.6 s), so
that a busy machine changes no judgement; this limit is for a machine that is ten times too busy."""
MOVE_SECONDS = 1.0
"""For an engine's move, where it searches and nothing else is said."""
POSITION_SECONDS = 10.0
"""For one position outside a game, in the explorer or on the command line."""
