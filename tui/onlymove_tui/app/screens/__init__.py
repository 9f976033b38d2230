"""The screens of the app. Each shows the state of a game or of the store, and passes on what the player does."""
