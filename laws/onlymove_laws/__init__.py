"""What is true of every game: tests that are collected for each one, of this house or of another package."""
