"""forget."""
