"""Two people at one board from two logins of a host: what each writes down, and the game that comes of it. Headless."""
