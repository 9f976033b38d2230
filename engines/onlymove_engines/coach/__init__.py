"""What is said of a move: judgements, hints, refutations, figures, drills. Facts; no English beyond a class."""
