"""A person at a terminal: what their machine tells, what they are shown, what they are asked."""
