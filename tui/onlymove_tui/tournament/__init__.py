"""Matches between programs: pairs of games, a referee, statistics. Headless."""
