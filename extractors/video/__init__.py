"""Picture: frames, face, body, the speaker, keyframes."""
