"""The compiled part of Orbito. It takes and returns only integers and arrays."""

from onlymove_engines.core.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
