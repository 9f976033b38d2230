"""What both front ends share, headless: sentences, drills, lessons, the explorer; and line mode. Knows no Textual."""
