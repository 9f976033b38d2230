"""For games that need more than the shared board. So far none does."""
