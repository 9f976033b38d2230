"""The terminal application: menus, boards, training and review."""

SIGNALLED = 128
"""The exit code after a signal is this plus the signal's number, as in a shell."""

STDOUT = "<stdout>"
"""The file name in an error in writing to stdout."""

NOT_SAVED = 2
"""The exit code if something that was played could not be saved."""
