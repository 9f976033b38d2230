"""The games of onlymove, with their rules, solvers and searches. The code here opens no files and needs no terminal."""

__version__ = "0.1.0"
