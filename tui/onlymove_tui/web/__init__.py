"""The app in browsers: who may come in, and one process for each visitor."""
