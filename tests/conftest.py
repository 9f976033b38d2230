"""Shared by every test: compiled kernels are kept in a folder named by their sources."""

from onlymove_tables.kernels import cache as kernel_cache

kernel_cache.prepare()
