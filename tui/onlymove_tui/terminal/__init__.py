"""The terminal: what it can show, what is sent to it, and how the app leaves it."""
