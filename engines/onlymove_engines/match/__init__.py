"""A game in progress, without a screen: who may choose what, what a move is worth, what the player may see."""
