"""The parts that the app and line mode share: sentences, drills, lessons and the explorer. Line mode itself is here
too. Nothing here uses Textual."""
