"""Functions that turn the state of games into rows of text."""
