"""A player's settings, saved games and progress on disk. Does not depend on screens."""
