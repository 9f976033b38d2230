"""The fixtures of the laws, for laws that need the app's screens and pages."""

from onlymove_laws.law import analyst, facts, law, mixer, pytest_generate_tests, sample, unfinished_positions

__all__ = ["analyst", "facts", "law", "mixer", "pytest_generate_tests", "sample", "unfinished_positions"]
