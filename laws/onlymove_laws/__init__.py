"""Laws that every game obeys: tests collected for each game, shipped or from another package."""
