"""What lies here is used by tests; the tests of the example game run where the example game has been added."""

collect_ignore = ["nim_tests"]
