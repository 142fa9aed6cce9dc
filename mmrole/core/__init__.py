"""The backbone: errors, storage, parallel work. Imports nothing from the rest of mmrole."""
