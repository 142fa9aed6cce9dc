"""From media files to measurements: `audio`, `video` and the streams they read."""
