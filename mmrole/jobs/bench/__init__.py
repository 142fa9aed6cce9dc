"""Benchmarks in text, stage by stage: build, run, grade, score, plot."""
