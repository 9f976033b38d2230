"""Orbito for the compiler: integers and arrays in and out."""

from onlymove_engines.search.jit import lazy_modules

__getattr__ = lazy_modules(__name__)
