"""The command line: parses, calls one job, turns its result into an exit code."""
