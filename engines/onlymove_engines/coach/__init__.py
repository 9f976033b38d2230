"""The coach: what moves in a game are worth, judgements, hints, reasons and drills."""
