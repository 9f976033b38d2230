"""How many seconds a question about a position may take, in the app, line mode, the command line and the library.

A table answers at once, so these limits matter only for games that are searched. `LiveGame.question_seconds` chooses
the limit for a question about a game under way. Engines in games with alternating moves have the same limit.
"""

from __future__ import annotations

PROOF_SECONDS = 20.0
"""For a search that proves its answer. It seldom takes a tenth of a second, and the answer is worth waiting for. The
functions `analyse` and `hint` of the library, and its environments, use this limit for every game."""
SEARCH_SECONDS = 2.0
"""For a question about a game whose table is missing, or that is searched by its plain rules. The search uses all of
this time. It is also the limit for finding the trickiest move."""
ROUND_SECONDS = 10.0
"""For the values of a round with simultaneous moves, which judgements and hints use. The search ends after a fixed
number of nodes (about 0.6 s), so that a busy machine does not change a judgement. This limit only matters on a machine
that is more than ten times slower."""
MOVE_SECONDS = 1.0
"""For an engine's move in a game with simultaneous moves, and for `choose` in the library."""
POSITION_SECONDS = 10.0
"""For one position outside a game: the explorer, and `analyse` and `explore` on the command line."""
