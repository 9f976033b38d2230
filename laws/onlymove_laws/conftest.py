from .law import analyst, facts, law, mixer, pytest_generate_tests, sample, unfinished

__all__ = ["analyst", "facts", "law", "mixer", "pytest_generate_tests", "sample", "unfinished"]
