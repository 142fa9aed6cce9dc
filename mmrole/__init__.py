"""Measures how consistent a role-playing agent is with the character it plays."""
