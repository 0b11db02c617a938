"""Rooms for a class: opened by a teacher, joined by pupils, steered, deleted."""
