"""A run in a terminal: what it works with, what it can cost, how it is recorded and reported."""
