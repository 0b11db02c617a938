"""Certificates: claims, the files that hold them, and published figures."""
