"""The screens of the app. Each shows what the core without a screen says, and passes the player's actions on to it."""
