"""Text protocols for all games. They turn lines into lines and do no input or output themselves."""
