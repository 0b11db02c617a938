"""Tests of `pegwise.compute`."""
