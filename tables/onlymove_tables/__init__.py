"""Tables of solved games: built, verified, found and read. No per-game code on this floor."""
