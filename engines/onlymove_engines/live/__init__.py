"""A game in progress, without a screen: who may choose, what moves are worth, and what the player may see."""
