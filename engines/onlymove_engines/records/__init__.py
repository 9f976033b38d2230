"""Writes games as text and reads them back."""
