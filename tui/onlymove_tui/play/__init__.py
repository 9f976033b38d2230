"""The game at the table, headless: app, line mode and tests drive it alike. Knows no Textual."""
