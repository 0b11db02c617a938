"""What is to be told of each result, once for the terminal, the site and texts."""
