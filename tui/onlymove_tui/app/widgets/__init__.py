"""The widgets of the screens. They hold the cursor and the focus, but never the state of a game."""
