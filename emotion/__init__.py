"""Emotions of dialogues and responses: votes of experts, fused labels, transitions and the metrics on them."""
