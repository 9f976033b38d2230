"""The games of onlymove: rules, solvers and searches. No files, no terminal."""

__version__ = "0.1.0"
