"""Pokémon Tic-Tac-Toe for the compiler: rules, whole-table loops, batch analysis, live search."""

from onlymove_engines.search.jit import lazy_modules

__getattr__ = lazy_modules(__name__)
