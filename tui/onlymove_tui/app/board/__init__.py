"""The parts of a screen with a board: the board, the move being entered, playback, and the workers."""
