"""Matches between players that are programs: pairs of games, a referee, statistics. Headless."""
