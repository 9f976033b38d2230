"""The terminal application: menus, boards, training and review."""

SIGNALLED = 128
"""Exit codes above this are a signal's number more, as shells count them."""
