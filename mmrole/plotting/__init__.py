"""Displays and functions that draw on matplotlib Axes."""
