"""Operators' tool for one thread's memory: `python -m tools.memory --help`."""
