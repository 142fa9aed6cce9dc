"""Experts of emotion recognition and the panels they make up."""
