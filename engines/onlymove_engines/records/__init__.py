"""Games as text, and back."""
