"""Orbito for the compiler. Integers and arrays in and out; knows neither positions nor notation."""

from onlymove_engines.search.jit import lazy_modules

__getattr__ = lazy_modules(__name__)
