"""The commands a person or a workflow types.

One module a command, each with the same two things in it: `add(commands)` describes it to argparse, and
`run(arguments) -> int` does it and returns the exit code. Each imports what it needs when it runs.
"""
