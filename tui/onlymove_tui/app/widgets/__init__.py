"""What the screens are made of. Widgets hold cursor and focus, never the truth about a game."""
