"""The pages of the app. Each shows what the headless core says and hands it what the player does."""
