"""Settings, saved games and progress on disk. Knows no screens."""
