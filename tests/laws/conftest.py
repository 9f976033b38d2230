"""The laws that need this house's own screens and pages are given what all laws are."""

from onlymove_laws.law import analyst, facts, law, mixer, pytest_generate_tests, sample, unfinished

__all__ = ["analyst", "facts", "law", "mixer", "pytest_generate_tests", "sample", "unfinished"]
