"""The game under way, without a screen: who may choose what, what a move is worth, what the player may be told."""
