"""The JSON API, one module a subject: each has a `router`."""
