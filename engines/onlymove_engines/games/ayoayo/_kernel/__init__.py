"""The rules of Ayòayò compiled: sowing, the table, the exact search and minimax. A board is an array of 12 pits in the
direction of sowing. Pits 0..5 belong to the side to move, and 6..11 to the other side."""
