"""What moves are worth in a game, and what a player is told about it: judgements, hints, reasons, drills."""
