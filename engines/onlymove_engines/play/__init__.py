"""A game being played: its line, whose turn it is, how it ends, who chooses. Facts only: no files, no clock."""
