"""A game being played: its tree, its players, its session and their ratings. No files, no clock."""
