"""Long-running work behind the command line and the Python API."""
