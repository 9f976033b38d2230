"""Turns the state of games into rows of text."""
