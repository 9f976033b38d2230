"""Game-blind solvers and searches."""
