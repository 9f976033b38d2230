"""Plays matches between programs: pairs of games, a referee, statistics. Does not depend on screens."""
