"""What the app and line mode share, headless: sentences, drills, lessons, the explorer; and line mode itself. Knows
no Textual."""
