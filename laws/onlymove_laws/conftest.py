"""What the laws are given."""

from .fixtures import analyst, facts, law, mixer, pytest_generate_tests, sample, unfinished

__all__ = ["analyst", "facts", "law", "mixer", "pytest_generate_tests", "sample", "unfinished"]
