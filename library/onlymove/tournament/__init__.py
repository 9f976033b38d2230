"""Plays matches between programs, with pairs of games, a referee and statistics. Does not depend on screens."""
