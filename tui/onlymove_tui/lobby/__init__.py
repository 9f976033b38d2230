"""People at two logins of one host: challenges, the records of both sides, the game that they make. Headless."""
