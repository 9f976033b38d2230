"""A game in progress: its tree of positions, its players, its session, and ratings. The code here uses no files and no
clock."""
