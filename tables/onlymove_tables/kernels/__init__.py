"""Compiled kernels: where they are kept, who compiles them, what goes when they are old."""
