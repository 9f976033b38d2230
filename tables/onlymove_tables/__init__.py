"""Builds, verifies, finds and reads tables of solved games. Contains no code for particular games."""
