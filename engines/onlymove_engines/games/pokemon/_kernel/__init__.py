"""The compiled part of Pokémon Tic-Tac-Toe: rules, loops over the whole table, batch analysis, live search."""

from onlymove_engines.search.jit import lazy_modules

__getattr__ = lazy_modules(__name__)
