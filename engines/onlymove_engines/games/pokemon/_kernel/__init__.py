"""Pokémon Tic-Tac-Toe for the compiler: law, whole-table loops, batch analysis, live search."""

from onlymove_engines.search.late import late_parts

__getattr__ = late_parts(__name__)
