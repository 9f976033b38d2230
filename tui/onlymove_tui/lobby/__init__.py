"""Play between two users of one host: challenges, the two players' records, and the game that both records describe.
Headless."""
