"""Boards as pictures: colours, marks, and SVG. Knows neither Textual nor rich."""
