"""The widgets of the screens. They hold cursor and focus, but never the state of a game."""
