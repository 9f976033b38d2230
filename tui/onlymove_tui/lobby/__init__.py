"""People at two logins of one host: challenges, the records of both sides, and the game that these make. Headless."""
