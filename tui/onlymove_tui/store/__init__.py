"""A player's settings, saved games and progress on disk. Knows no screens."""
