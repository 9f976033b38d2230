"""Laws that every game obeys, as tests that run once for each game. They work for onlymove's own games and for those of
other packages."""
