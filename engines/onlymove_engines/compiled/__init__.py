"""The machinery that compiles kernels, stores them and calls them. docs/compiled.md explains it."""
