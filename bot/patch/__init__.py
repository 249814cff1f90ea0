"""Patches as a model writes them: unified diffs, and the envelope of OpenAI's agents. Strict, and pure."""
