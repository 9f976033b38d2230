"""A game in progress: its tree, its players, its session and their ratings. No files, no clock."""
