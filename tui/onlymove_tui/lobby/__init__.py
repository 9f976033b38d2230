"""Lets two users of one host play each other: challenges, the players' records, and the game that the records describe.
Does not depend on screens."""
