"""The compiled twin: law, whole-table loops, batch analysis, live search."""
