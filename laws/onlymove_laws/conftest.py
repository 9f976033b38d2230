from .law import analyst, facts, law, mixer, pytest_generate_tests, sample, unfinished_positions

__all__ = ["analyst", "facts", "law", "mixer", "pytest_generate_tests", "sample", "unfinished_positions"]
