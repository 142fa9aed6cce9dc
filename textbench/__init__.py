"""Benchmarks of role-playing agents: LIFECHOICE, InCharacter, RoleCDE."""
