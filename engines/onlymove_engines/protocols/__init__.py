"""Text protocols that any game can speak: text in, text out, no I/O."""
