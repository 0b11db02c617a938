"""Games in Python files, marked by a process of their own."""
