"""Paths in a repository, normalised and folded, and the patterns that match them."""
