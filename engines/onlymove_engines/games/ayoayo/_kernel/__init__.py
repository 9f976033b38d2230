"""The rules of Ayòayò compiled: sowing, the closed table, the exact search and minimax.

A board here is an array of 12, the side to move first, in the direction of sowing: pits 0..5 are its own row,
6..11 the other's.
"""
