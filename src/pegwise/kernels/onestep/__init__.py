"""One-step strategies: the best guess by one look ahead, and whole trees."""
