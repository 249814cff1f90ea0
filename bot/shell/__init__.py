"""Command lines: what they run and touch, by a strict grammar and tables of programs. Nothing is run."""
