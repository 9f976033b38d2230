"""What a screen with a board owns: the board, the move being entered, what is played back, what workers find out."""
