"""The parts that the app and line mode share: sentences, drills, lessons and the explorer; and line mode itself.

Nothing here uses Textual.
"""
