"""State in, rows of text out."""
