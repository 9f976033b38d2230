"""The compiled part of Tobito and Haneto. It takes and returns only integers and arrays.

A set of cells is a mask in which bit k is cell k of the picture in `rules`. A position is four numbers: the masks of
the mover's pawns (`own`), of the opponent's pawns (`opp`) and of the neutral pawn, and the `seat` that moves (0 Top, 1
Bottom).
"""

from onlymove_engines.core.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
