"""The app in browsers: who may connect, and one process for each visitor."""
