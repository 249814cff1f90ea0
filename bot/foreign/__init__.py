"""Tools that were not written here, and what holds them."""
