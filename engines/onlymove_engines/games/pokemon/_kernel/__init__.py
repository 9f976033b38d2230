"""The compiled part of Pokémon Tic-Tac-Toe: the rules, loops over the whole table, batch analysis, and live search."""

from onlymove_engines.core.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
