"""Pokémon Tic-Tac-Toe for the compiler: law, whole-table loops, batch analysis, live search."""
