"""Words of others: cleaned for a model, a person, a log or a commit, and without secrets. Pure."""
