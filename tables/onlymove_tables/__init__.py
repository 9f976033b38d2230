"""Tables of solved games: building, verifying, finding and reading them. No code for particular games."""
